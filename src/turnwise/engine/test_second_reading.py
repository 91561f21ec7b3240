"""Two readers are held against each other only where what they read means something."""

from __future__ import annotations

import numpy as np

from turnwise.core.nouns import Reading, Trajectory, Turn
from turnwise.engine.second_reading import SecondChunk, SecondReading, _compare, _presupposed
from turnwise.reading.skill_items import SKILL_ITEMS

TURNS = tuple(
    Turn(speaker=who, text=text)  # type: ignore[arg-type]
    for who, text in (
        ("therapist", "How are you?"), ("patient", "I'm so sad."), ("therapist", "You're sad."),
        ("patient", "What helps?"), ("therapist", "Go for a walk."),
    )
)  # fmt: skip
INFOS = ({}, {"moment": "disclosure"}, {}, {"moment": "request"}, {})


def session(item: str, *labels: str) -> Trajectory:
    codes = tuple(None if t.speaker == "therapist" else "not_applicable" for t in TURNS)
    given = iter(labels)
    values = tuple(next(given) if c is None else None for c in codes)
    known = SKILL_ITEMS[item].labels
    reading = Reading(item, "made", "0" * 64, known, np.zeros((len(TURNS), len(known))), codes, values)  # type: ignore[arg-type]
    return Trajectory(session_id="s", source="x", turns=TURNS, infos=INFOS).with_ratings({item: reading})


def test_an_item_is_asked_about_only_after_the_moment_it_presupposes() -> None:
    t = session("disclosure_reply", "attends", "attends", "solves")
    assert _presupposed("disclosure_reply", t) == {2}
    assert _presupposed("provide", t) == {4}
    assert _presupposed("question_form", t) is None


def test_disagreement_elsewhere_is_not_counted() -> None:
    first = session("disclosure_reply", "attends", "attends", "solves")
    second = session("disclosure_reply", "solves", "attends", "passes_over")
    reading, found = SecondReading(), SecondChunk()
    _compare(first, second, found)
    reading.take(found)
    assert reading.record([])["disagreement"]["disclosure_reply"] == {"turns": 1, "share": 0.0}
    assert reading.record([])["raw_flips"] == 0
