"""What fits, by the patient's own ranking; and the list of what fits worst."""

from __future__ import annotations

import math

import pytest

from turnwise.batteries.conformance.fitting import (
    NON_ANSWERS,
    Unplanned,
    chosen_probability,
    fit_gap,
    fit_share,
    fits,
    non_answers,
)
from turnwise.batteries.conformance.lowest import lowest
from turnwise.batteries.conformance.test_made_sessions import Line, made, ranked, replies, said
from turnwise.core.nouns import Trajectory

TOP = ranked(("a", math.log(0.6)), ("b", math.log(0.3)), ("c", math.log(0.05)))


@pytest.mark.parametrize(
    ("info", "fit"),
    [
        (said("tell", "b", alternatives=TOP), True),
        (said("tell", "d", alternatives=TOP), False),
        (said("hint", "d", alternatives=TOP, withheld="a"), True),
        (said("scheduled", "d", alternatives=TOP, scheduled=True), False),
        (said("fact", "age", alternatives=TOP), True),
        (said("continue", "z", why="asked for more"), True),
        (said("continue", "z", why="went on"), False),
        (said("minimal"), False),
        ({}, None),
        *((said(kind), True) for kind in sorted(NON_ANSWERS)),
    ],
)
def test_what_fits(info: dict[str, object], fit: bool | None) -> None:
    assert fits(info) is fit


def test_probability_of_what_was_chosen() -> None:
    assert chosen_probability(said("tell", "b", alternatives=TOP)) == pytest.approx(0.3)
    assert chosen_probability(said("tell", "d", alternatives=TOP)) == 0.0
    assert chosen_probability(said("guard", None, alternatives=TOP, withheld="a")) == pytest.approx(0.6)
    assert chosen_probability(said("absent", None, alternatives=TOP)) == pytest.approx(0.6)
    assert chosen_probability(said("minimal")) is None


GOOD, BAD = ("Words.", said("tell", "a", alternatives=TOP)), ("Words.", said("tell", "z", alternatives=TOP))


def played(length: str, *answers: Line) -> tuple[tuple[Unplanned, ...], Trajectory]:
    lines = tuple(Unplanned("long" if length == "long" else "short", f"Question {i}?") for i in range(len(answers)))
    return lines, made(*(x for a in (BAD, *answers) for x in ("Hello?", a)))


def test_the_opening_is_not_counted_nor_what_asks_nothing() -> None:
    assert fit_share([played("short", GOOD, BAD, GOOD)], "short")[:2] == (pytest.approx(2 / 3), 3)
    lines, t = played("short", BAD, GOOD)
    statement = (Unplanned("short", "So.", asks=False), lines[1])
    assert fit_share([(statement, t)], "short")[:2] == (1.0, 1)
    assert fit_share([played("short", GOOD)], "long").code == "no_denominator"
    assert fit_share([played("short", "Words.")], "short").code == "needs_truth"


def test_a_patient_who_left_was_not_asked() -> None:
    lines, t = played("short", GOOD)
    assert fit_share([((*lines, Unplanned("short", "Never said?")), t)], "short").n == 1


def test_long_turns_are_set_against_short_ones() -> None:
    both = [played("short", GOOD, GOOD), played("long", GOOD, BAD)]
    assert fit_gap(both)[:2] == (-0.5, 2)
    assert fit_gap(both[:1]).code == "no_denominator"


def test_non_answers_are_a_share_of_questions() -> None:
    assert non_answers([replies(("Hm.", said("thin")), GOOD, GOOD, GOOD)])[:2] == (0.25, 4)
    assert non_answers([made("So.", GOOD)]).code == "no_denominator"
    assert non_answers([replies("Hm.")]).code == "needs_truth"


def test_the_worst_come_first_each_with_three_turns_before() -> None:
    weak = ("Weak.", said("tell", "c", alternatives=TOP))
    guard = ("Not that.", said("guard", None, alternatives=TOP, withheld="a"))
    t = replies(GOOD, BAD, weak, guard, ("Mm.", said("minimal")))
    found = lowest([t], 10)
    assert [(low.said, low.turn) for low in found] == [("Words.", 3), ("Weak.", 5), ("Not that.", 7)]
    assert [turn.text for turn in found[0].before] == ["And then?", "Words.", "And then?"]
    assert found[0].reasons == ("not among the first three of its own ranking",)
    assert found[1].reasons == ("chosen although unlikely",)
    assert found[2].reasons == ("put the question off",)
    assert lowest([t], 1) == found[:1]
    assert lowest([replies("Mm.")], 5) == []
    with pytest.raises(ValueError, match="at least one"):
        lowest([t], 0)


def test_one_session_does_not_fill_the_list() -> None:
    ts = [made(*("Why?", BAD) * 5, therapist=name) for name in "abcdefgh"]
    assert len({low.session for low in lowest(ts, 8)}) >= 4
    assert lowest(ts, 8) == lowest(ts[::-1], 8)
