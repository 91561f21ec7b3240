"""Forked processes: where there can be any, how many, and how they end with the one that began them.

Forks inherit what was imported and loaded, so that nothing is read twice and most of the memory is shared.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["CAN_FORK", "Lifeline", "expected_threads", "lifeline", "live_with", "processors"]

CAN_FORK = sys.platform == "linux"
"""Elsewhere there are no forks, or libraries of the system do not survive them."""
_MOST = 4  # processes beyond which more gain little and cost memory
Lifeline = tuple[int, int]


def processors() -> int:
    """Return how many processors are worth a process each, at most four; one where none can be forked."""
    return min(_MOST, len(os.sched_getaffinity(0))) if CAN_FORK else 1


@contextmanager
def lifeline() -> Iterator[Lifeline]:
    """Open a pipe that ends when this process does, however it goes."""
    ends = os.pipe()
    try:
        yield ends
    finally:
        for end in ends:
            os.close(end)


def live_with(line: Lifeline) -> None:
    """Tie this forked process to the one that began it: Ctrl-C is for that one, and when it is gone, so is this."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.close(line[1])
    threading.Thread(target=_end_with, args=(line[0],), daemon=True).start()


def _end_with(end: int) -> None:
    os.read(end, 1)
    os._exit(0)


@contextmanager
def expected_threads() -> Iterator[None]:
    """Silence Python's warning of forks beside threads: ours draw a progress bar, which no forked process touches."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        yield
