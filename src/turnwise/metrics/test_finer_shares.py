from __future__ import annotations

import numpy as np

from turnwise.core.nouns import Reading, Trajectory
from turnwise.metrics.complex_reflection_share import complex_reflection_share
from turnwise.metrics.open_question_share import open_question_share
from turnwise.metrics.test_sessions import labelled


def with_kinds(letters: str, item: str, kinds: str) -> Trajectory:
    """``kinds`` has one letter a therapist turn: the first or second label of ``item``, or ``-`` unread."""
    t = labelled(letters)
    labels = {"reflection_depth": ("simple", "complex"), "question_type": ("open", "closed")}[item]
    given = iter(kinds)
    codes = [None if turn.speaker == "therapist" and next(given) != "-" else "not_applicable" for turn in t.turns]
    given = iter(kinds)
    p = np.full((len(t.turns), 2), np.nan)
    for i, turn in enumerate(t.turns):
        if turn.speaker == "therapist" and (kind := next(given)) != "-":
            p[i] = [0.9, 0.1] if kind == labels[0][0] else [0.2, 0.8]
    return t.with_ratings({**t.ratings, item: Reading(item, "x.v1", "0", labels, p, tuple(codes))})  # type: ignore[arg-type]


def test_only_reflections_count_and_their_depth_decides() -> None:
    t = with_kinds("rCrCqCrC", "reflection_depth", "scsc")
    assert complex_reflection_share(t)[:2] == (2 / 3, 3)
    series = complex_reflection_share.series(t)
    assert series[~np.isnan(series)].tolist() == [0.0, 1.0, 1.0]
    assert np.isnan(series[4])  # the question


def test_only_questions_count_and_their_type_decides() -> None:
    assert open_question_share(with_kinds("qCqCrCqC", "question_type", "ocoo"))[:2] == (2 / 3, 3)


def test_no_reflection_is_no_denominator_and_no_coder_no_reading() -> None:
    assert complex_reflection_share(with_kinds("qCqC", "reflection_depth", "sc")).code == "no_denominator"
    t = labelled("rCrC")
    without = {item: r for item, r in t.ratings.items() if item != "reflection_depth"}
    assert complex_reflection_share(t.with_ratings(without)).code == "no_reading"
    assert complex_reflection_share(with_kinds("rCrC", "reflection_depth", "-c"))[:2] == (1.0, 1)
