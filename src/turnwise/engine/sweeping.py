"""How often Python looks for garbage while many sessions are played."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["swept_rarely"]

_NEW = 50_000


@contextmanager
def swept_rarely() -> Iterator[None]:
    """Let the collector look at what the block makes, seldom, and not at what was there before.

    A hundred open sessions are hundreds of thousands of objects that live as long as the sessions; walking over them,
    and over all that was imported, every few hundred allocations costs about a tenth of the CPU of a turn. What is
    no longer used is mostly freed at once either way, because it is in no cycle.

    Examples
    --------
    >>> import gc
    >>> before = gc.get_threshold()
    >>> with swept_rarely():
    ...     gc.get_threshold() == before
    False
    >>> gc.get_threshold() == before
    True
    """
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(_NEW, 20, 50)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
