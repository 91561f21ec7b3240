"""How much is said, counted by hand."""

from __future__ import annotations

import numpy as np
import pytest

from turnwise.batteries.conformance.lengths import (
    LEAST_TURNS,
    TYPED_ROW,
    outside_by_move,
    read_move,
    short_share,
    words_by_move,
    words_mean,
    words_median,
    words_spread,
)
from turnwise.batteries.conformance.test_made_sessions import made, replies
from turnwise.core.nouns import Reading, Trajectory

SESSION = replies("one", "one two", "one two three", "one two three four", "")


def test_length_by_hand_silences_left_out() -> None:
    assert words_mean([SESSION])[:2] == (2.5, 4)
    assert words_median([SESSION, SESSION])[:2] == (2.5, 8)
    assert words_spread([SESSION]).value == pytest.approx(np.std([1, 2, 3, 4], ddof=1) / 2.5)
    assert short_share([SESSION])[:2] == (0.75, 4)


def test_length_of_nothing_has_a_reason() -> None:
    for of in (words_mean, words_median, words_spread, short_share):
        assert (of([]).value, of([replies("")]).code) == (None, "empty")
    assert words_spread([replies("one")]).code == "too_short"


def test_words_go_to_the_move_right_before() -> None:
    moves = {"A?": "open question", "B.": "advice"}
    t = made("A?", "one two", "B.", "one", "A?", "", "C", "one two three")
    found = words_by_move([t], lambda t, i: moves.get(t.turns[i].text))
    assert found == {"open question": [2], "advice": [1]}


HUMAN = {"open question": {"25": 8.0, "75": 35.0}, "advice": {"25": 2.0, "75": 20.0}}


@pytest.mark.parametrize(("words", "share"), [(7, 0.5), (8, 0.0), (35, 0.0), (36, 0.5)])
def test_outside_means_beyond_the_human_quartiles(words: int, share: float) -> None:
    found = {"open question": [words] * LEAST_TURNS, "advice": [5] * LEAST_TURNS}
    score = outside_by_move(found, HUMAN, {})
    assert score[:2] == (share, 2)
    assert ("open question" in score.detail) == (share > 0)


def test_rare_moves_are_not_compared() -> None:
    found = {"open question": [99] * (LEAST_TURNS - 1), "advice": [5] * LEAST_TURNS}
    assert outside_by_move(found, HUMAN, {})[:2] == (0.0, 1)
    assert outside_by_move({}, HUMAN, {}).code == "too_short"


def test_typed_cases_are_compared_with_the_nearest_strategy() -> None:
    found = {"open question": [99] * LEAST_TURNS}
    assert outside_by_move(found, {"Question": {"25": 7.0, "75": 23.0}}, TYPED_ROW).value == 1.0


def reading(t: Trajectory, item: str, labels: tuple[str, ...], first: str) -> Reading:
    p = np.zeros((len(t.turns), len(labels)))
    p[:, labels.index(first)] = 1.0
    return Reading(item, "x", "0", labels, p, (None,) * len(t.turns))


def test_a_move_is_read_in_the_words_of_the_table() -> None:
    t = made("What is it like?", "Bad.")
    behaviour = reading(t, "therapist_behaviour", ("question", "other"), "question")
    kind = reading(t, "question_type", ("open", "closed"), "open")
    assert read_move(t, 0) is None
    assert read_move(t.with_ratings({"therapist_behaviour": behaviour}), 0) is None
    assert read_move(t.with_ratings({"therapist_behaviour": behaviour, "question_type": kind}), 0) == "open question"
    other = reading(t, "therapist_behaviour", ("question", "other"), "other")
    assert read_move(t.with_ratings({"therapist_behaviour": other}), 0) == "other"
