"""What a reading of transcripts gave, counted while it streams by, and what of it a person has to know."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from types import MappingProxyType
from typing import Any

from turnwise.core.nouns import Trajectory
from turnwise.engine.importers.account import Account
from turnwise.engine.importers.ordering import backwards
from turnwise.engine.importers.streams import shown

__all__ = ["ODDITIES", "Tally", "quiet_reading", "reading_notes", "reading_record"]

_SHOWN_FAULTS = 20
_LOOKED_AT = 400
_MANY = 12
ODDITIES: Mapping[str, str] = MappingProxyType(
    {
        "empty_turns": "turns without words (kept)",
        "turns_after_the_same_speaker": "turns after one of the same speaker (kept apart, none merged)",
        "one_sided_sessions": "sessions in which only one side speaks",
        "sessions_without_turns": "sessions without a turn",
        "sessions_in_other_scripts": "sessions mostly in letters that are not Latin: the coders read English only",
        "sessions_that_run_backwards": "sessions whose times or numbers run backwards (left in the order of the file)",
        "renamed_sessions": "sessions renamed after their file, since another file has the same id",
    }
)
"""Counts that are worth a look, in words."""


@dataclass(slots=True)
class Tally:
    """What came out of a reading, counted while it streams by. Nothing here is a verdict."""

    sessions: int = 0
    unreadable: int = 0
    faults: list[str] = field(default_factory=list)
    turns: Counter[str] = field(default_factory=Counter)
    empty: int = 0
    same_speaker: int = 0
    one_sided: int = 0
    without_turns: int = 0
    other_script: int = 0
    backwards: int = 0
    infos: Counter[str] = field(default_factory=Counter)
    meta: Counter[str] = field(default_factory=Counter)

    def add(self, t: Trajectory) -> None:
        """Count one session."""
        self.sessions += 1
        if t.ending == "error":
            self.unreadable += 1
            if len(self.faults) < _SHOWN_FAULTS:
                self.faults.append(f"{shown(t.session_id, 60)}: {t.error}")
        sides = [turn.speaker for turn in t.turns]
        self.turns.update(sides)
        self.empty += sum(not turn.text.strip() for turn in t.turns)
        self.same_speaker += sum(a == b for a, b in pairwise(sides))
        if t.ending != "error":
            self.without_turns += not sides
            self.one_sided += len(set(sides)) == 1
            self.other_script += _other_script(t)
            self.backwards += backwards(t.infos) is not None
        for info in t.infos:
            self.infos.update(info.keys())
        self.meta.update(t.meta.keys())

    def record(self) -> dict[str, Any]:
        """Return the counts as JSON values."""
        return {
            "sessions": self.sessions,
            "unreadable_sessions": self.unreadable,
            "errors": list(self.faults),
            "turns": {side: self.turns[side] for side in ("therapist", "patient")},
            "empty_turns": self.empty,
            "turns_after_the_same_speaker": self.same_speaker,
            "one_sided_sessions": self.one_sided,
            "sessions_without_turns": self.without_turns,
            "sessions_in_other_scripts": self.other_script,
            "sessions_that_run_backwards": self.backwards,
            "kept_beside_turns": dict(self.infos.most_common()),
            "kept_beside_sessions": dict(self.meta.most_common()),
        }


def _other_script(t: Trajectory) -> bool:
    """Whether the beginning of a session is mostly in letters that are not Latin: no coder here reads it."""
    start = "".join(turn.text[:_LOOKED_AT] for turn in t.turns[:4])[:_LOOKED_AT]
    letters = [c for c in start if c.isalpha()]
    return sum(c > "\u024f" for c in letters) * 2 > len(letters)


def reading_record(account: Account, tally: Tally) -> dict[str, Any]:
    """Return what ``run.json`` keeps of the reading: what was lost, and what is worth a look."""
    counts = tally.record()
    return {"losses": account.lost_record(), "worth_a_look": {key: counts[key] for key in ODDITIES if counts.get(key)}}


def quiet_reading(reading: Mapping[str, Any]) -> dict[str, Any]:
    """Return the record of a reading with its losses counted together: what they are called may be words of the file.

    Examples
    --------
    >>> quiet_reading({"losses": [{"what": "lines of 'Ana'", "n": 2, "first": ""}], "worth_a_look": {}})["losses"]
    [{'what': "places that 'turnwise import FILE --explain' names", 'n': 2, 'first': ''}]
    """
    n = sum(x["n"] for x in reading["losses"])
    losses = [{"what": "places that 'turnwise import FILE --explain' names", "n": n, "first": ""}] if n else []
    return {**reading, "losses": losses}


def reading_notes(reading: Mapping[str, Any] | None) -> list[str]:
    """Return the record of a reading as sentences, as the import says them; none if nothing is to be said.

    Examples
    --------
    >>> reading_notes({"losses": [], "worth_a_look": {"empty_turns": 2}})
    ['worth a look: 2 turns without words (kept)']
    """
    if not reading:
        return []
    losses = [f"not as it stood in the file: {x['what']}: {x['n']:,}" for x in reading["losses"]]
    rest = [f"not as it stood in the file: {len(losses) - _MANY} things more (run.json)"] if losses[_MANY:] else []
    odd = [f"worth a look: {n:,} {ODDITIES[key]}" for key, n in reading["worth_a_look"].items() if key in ODDITIES]
    return [*losses[:_MANY], *rest, *odd]
