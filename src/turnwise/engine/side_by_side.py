"""The same work on many things in a row, in several forked processes, with the results in order.

For work that is all computing: reading and measuring sessions. Sessions that wait for models are spread otherwise
(``engine/spreading.py``).
"""

from __future__ import annotations

import multiprocessing
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack
from itertools import islice
from typing import Any, TypeVar

from threadpoolctl import threadpool_limits

from turnwise.core.errors import TurnwiseError, UsageError
from turnwise.engine.forking import Lifeline, expected_threads, lifeline, live_with, processors

__all__ = ["side_by_side"]

_A = TypeVar("_A")
_B = TypeVar("_B")
_AHEAD = 2  # things that wait for each process: enough to keep it busy, few enough to be held in memory


def side_by_side(
    work: Callable[[_A], _B],
    things: Iterable[_A],
    processes: int | None = None,
    *,
    ready: Callable[[], object] = lambda: None,
) -> Generator[_B, None, None]:
    """Yield ``work(thing)`` for each thing, in order.

    Parameters
    ----------
    work : a pure function: what it changes is lost, where it runs in another process.
    things : any iterable; taken a few ahead. Where there is only one, nothing is forked.
    processes : at most this many; when not given, as many as there are processors worth one (``forking``).
    ready : called once before any process is forked, to make what all of them can share.

    Raises
    ------
    UsageError : a process was ended from outside, or a sentence of our own came out of one.

    Examples
    --------
    >>> list(side_by_side(str.upper, ["a", "b", "c"], processes=1))
    ['A', 'B', 'C']
    """
    waiting = iter(things)
    first = deque(islice(waiting, 2))
    at_once = min(processors(), processes or processors())
    if len(first) < 2 or at_once < 2:
        yield from map(work, _all(first, waiting))
        return
    with threadpool_limits(limits=1), ExitStack() as tie:  # forks inherit the limit: one thread for each process
        ready()
        line = tie.enter_context(lifeline())
        fork = multiprocessing.get_context("fork")
        pool = ProcessPoolExecutor(at_once, mp_context=fork, initializer=_begin, initargs=(work, line))
        try:
            yield from _in_order(pool, _all(first, waiting), at_once * _AHEAD)
        except BaseException as fault:
            tie.close()  # nobody waits for what they are at: they end now
            if isinstance(fault, BrokenProcessPool):
                raise UsageError(_ENDED) from None
            raise
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


_ENDED = (
    "a process that scored sessions was ended from outside (was there too little memory?); nothing was changed; run "
    "the same command again."
)


def _all(first: deque[_A], waiting: Iterator[_A]) -> Iterator[_A]:
    while first:
        yield first.popleft()  # held by nobody any more
    yield from waiting


def _in_order(pool: ProcessPoolExecutor, things: Iterable[Any], ahead: int) -> Iterator[Any]:
    pending: deque[Future[tuple[bool, Any]]] = deque()
    for thing in things:
        with expected_threads():
            pending.append(pool.submit(_do, thing))
        if len(pending) > ahead:
            yield _result(pending.popleft())
    while pending:
        yield _result(pending.popleft())


def _result(done: Future[tuple[bool, Any]]) -> Any:
    fine, what = done.result()
    if not fine:
        raise UsageError(what)
    return what


# --- in the forked process ---------------------------------------------------------------------------

_work: list[Callable[[Any], Any]] = []


def _begin(work: Callable[[Any], Any], line: Lifeline) -> None:
    live_with(line)
    _work[:] = [work]


def _do(thing: Any) -> tuple[bool, Any]:
    try:
        return True, _work[0](thing)
    except TurnwiseError as fault:  # a sentence for people; its class may not survive the way back
        return False, str(fault)
