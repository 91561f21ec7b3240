"""In which order turns were said, where a format says it beside the words: times, numbers of turns, who answers whom.

Most lists are in order already, and nothing is moved. What runs backwards is either put into the order that it
states itself, or refused; which of the two, each importer knows.
"""

from __future__ import annotations

import heapq
import math
import re
from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any, NamedTuple

from turnwise.engine.importers.records import BadRecord

__all__ = ["Backwards", "backwards", "must_run_forwards", "spoken_order", "time_of"]

_TIME_KEYS = ("timestamp", "start", "starttime", "createdat", "createtime", "time", "date")
_NO_NUMBERS = ("time", "date")  # a bare number there may be how long something took
_NUMBER_KEYS = ("turn", "turnindex", "utteranceindex")
_CLOCK = re.compile(r"(?:(\d{1,3}):)?(\d{1,2}):(\d{2}(?:[.,]\d{1,6})?)")
_HALF_A_DAY = 12 * 3600.0


class Backwards(NamedTuple):
    """The first turn that is earlier than one before it, by what its ``key`` says."""

    turn: int
    key: str


def time_of(value: Any) -> tuple[str, float] | None:
    """Return when something was, with the kind of statement (only times of one kind can be compared).

    Examples
    --------
    >>> time_of(12), time_of("0:01:07"), time_of("soon")
    (('number', 12.0), ('clock', 67.0), None)
    """
    if value is None or isinstance(value, bool):
        return None
    if isinstance(value, str):
        value = value.strip()
        if clock := _CLOCK.fullmatch(value):
            hours, minutes, seconds = clock.groups()
            return "clock", int(hours or 0) * 3600 + int(minutes) * 60 + float(seconds.replace(",", "."))
    try:
        number = float(value)
        return ("number", number) if math.isfinite(number) else None
    except (TypeError, ValueError, OverflowError):
        return _moment(value) if isinstance(value, str) else None


def _moment(text: str) -> tuple[str, float] | None:
    try:
        at = datetime.fromisoformat(text)
        return ("date", at.timestamp()) if at.tzinfo else ("day", at.replace(tzinfo=UTC).timestamp())
    except (ValueError, OverflowError):
        return None


def backwards(infos: Sequence[Mapping[str, Any]]) -> Backwards | None:
    """Return where what stands beside the turns says that they are not in order, ``None`` if nothing says so.

    A clock that passes midnight does not run backwards.

    Examples
    --------
    >>> backwards([{"timestamp": "00:09"}, {}, {"timestamp": "00:03"}])
    Backwards(turn=2, key='timestamp')
    """
    plain = [{_plain(key): value for key, value in info.items()} for info in infos]
    there = set().union(*plain)
    for key in (x for x in (*_TIME_KEYS, *_NUMBER_KEYS) if x in there):
        last: dict[str, float] = {}
        for i, info in enumerate(plain):
            at = time_of(info.get(key))
            if at is None or (at[0] == "number" and key in _NO_NUMBERS):
                continue
            kind, now = at
            before = last.get(kind, now)
            if now < before and not (kind == "clock" and before - now > _HALF_A_DAY):
                return Backwards(i, key)
            last[kind] = now
    return None


def _plain(key: str) -> str:
    return key.lower().replace("_", "").replace(" ", "")


def must_run_forwards(infos: Sequence[Mapping[str, Any]]) -> None:
    """Raise ``BadRecord`` if turns are not in the order that stands beside them."""
    wrong = backwards(infos)
    if wrong:
        raise BadRecord(f"turn {wrong.turn} is earlier than one before it ({wrong.key!r}); put the turns in order")


def spoken_order(names: Sequence[Hashable], answers: Sequence[Hashable | None], times: Sequence[Any]) -> list[int]:
    """Return the places of utterances in the order in which they were said.

    Parameters
    ----------
    names : their ids. ``answers`` : the id of the one that each answers, if any.
    times : when each was said, in any form; used if every one says so in one form.

    Returns
    -------
    By time, and where that says nothing by who answers whom; else in the order in which they stand.

    Raises
    ------
    BadRecord : times and answers contradict each other, answers run in a circle, or some times are missing and the
        others run backwards.

    Examples
    --------
    >>> spoken_order(["b", "a"], ["a", None], [None, None])
    [1, 0]
    """
    known = [time_of(x) for x in times]
    there = [x for x in known if x is not None]
    count = len(names)
    when = [0.0] * count
    if len(there) == count and len({kind for kind, _ in there}) == 1:
        when = [at for _, at in there]
    elif any(b[1] < a[1] for a, b in pairwise(there) if a[0] == b[0]):
        raise BadRecord("the timestamps are not in order, and some are missing; sort the utterances, or leave them out")
    at_name = {name: i for i, name in reversed(list(enumerate(names)))}
    parents = [at_name.get(x) if x is not None else None for x in answers]
    order = _after_their_parents(when, parents)
    if [when[i] for i in order] != sorted(when):
        raise BadRecord("the timestamps say another order than 'reply-to'; correct the one, or leave it out")
    return order


def _after_their_parents(when: Sequence[float], parents: Sequence[int | None]) -> list[int]:
    """Sort by time and then by place, each after the one that it answers."""
    waiting: dict[int, list[int]] = defaultdict(list)
    ready: list[tuple[float, int]] = []
    for i, parent in enumerate(parents):
        if parent is None or parent == i:
            heapq.heappush(ready, (when[i], i))
        else:
            waiting[parent].append(i)
    order = []
    while ready:
        _, i = heapq.heappop(ready)
        order.append(i)
        for child in waiting.pop(i, ()):
            heapq.heappush(ready, (when[child], child))
    if len(order) < len(parents):
        raise BadRecord("'reply-to' leads in a circle, so nobody can say who spoke first; correct it")
    return order
