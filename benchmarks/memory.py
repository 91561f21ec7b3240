"""CPU time and memory of a process together with those it began."""

from __future__ import annotations

import os
import resource
import sys
import threading
from contextlib import suppress
from pathlib import Path

__all__ = ["Memory", "cpu_s"]


def cpu_s() -> float:
    """Return the CPU seconds of this process and of those that it began and that have ended."""
    ours, theirs = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return ours.ru_utime + ours.ru_stime + theirs.ru_utime + theirs.ru_stime


class Memory:
    """Looks five times a second how much memory this process and its children take, shared pages once."""

    def __init__(self) -> None:
        self.peak_mib = 0.0
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def __enter__(self) -> Memory:
        self._thread.start()
        return self

    def __exit__(self, *fault: object) -> None:
        self._done.set()
        self._thread.join()
        # ru_maxrss is KiB on Linux and bytes on macOS.
        unit = 2**20 if sys.platform == "darwin" else 2**10
        own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit
        self.peak_mib = self.peak_mib or own

    def _look(self) -> None:
        while sys.platform == "linux" and not self._done.wait(0.2):
            self.peak_mib = max(self.peak_mib, sum(map(_pss_mib, _tree(os.getpid()))))


def _tree(pid: int) -> list[int]:
    found = [pid]
    for path in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):
            found += [x for child in path.read_text().split() for x in _tree(int(child))]
    return found


def _pss_mib(pid: int) -> float:
    with suppress(OSError, StopIteration):
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
        return int(next(x for x in lines if x.startswith("Pss:")).split()[1]) / 2**10
    return 0.0
