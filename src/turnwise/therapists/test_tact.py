"""The ear for how a reply would be taken: what it was taught, that it decides, and that its chances are chances."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.therapists.acts import ACTS
from turnwise.therapists.ledger import Ledger
from turnwise.therapists.reflecting import Line, heard_in
from turnwise.therapists.socratic import _least_costly
from turnwise.therapists.tact import load_tact
from turnwise.therapists.tact_aspects import of_act, of_line, setting_of, vectors_of

_TOLD = "My sister moved out in May, and I haven't been able to sleep since."
_LEDGER = Ledger(lengths=(9,) * 5, corpus=_TOLD.lower(), moves=("attend",))


def _cost(line: Line, move: str, text: str = _TOLD, ledger: Ledger = _LEDGER) -> float:
    return float(load_tact().costs([line], move, setting_of(ledger, heard_in(text)))[0])


@pytest.mark.parametrize(
    ("fits", "jars"),
    [
        # What supervisors call fitting and wrong, in sentences of our own.
        (
            (Line("attend_told_past.0", "What was that like for you?"), "attend"),
            (Line("step_back.8", "I've got on the wrong side of you there, and I'm sorry."), "step_back"),
        ),
        (
            (Line("encourage.0", "Go on, I'm with you."), "stay"),
            (Line("next_step.1", "What would be a small step, so small that it could hardly go wrong?"), "next_step"),
        ),
    ],
)
def test_what_supervisors_call_fitting_costs_less(fits: tuple[Line, str], jars: tuple[Line, str]) -> None:
    assert _cost(*fits) + 0.1 < _cost(*jars)


@given(st.text(max_size=200), st.text(min_size=1, max_size=120), st.sampled_from(sorted(ACTS)))
def test_costs_are_chances_whatever_was_said(text: str, reply: str, move: str) -> None:
    at = setting_of(Ledger(lengths=(3,)), heard_in(text))
    chances = load_tact().chances([Line("any.0", reply), Line("any.1", reply, (reply,))], move, at)
    assert chances.shape == (2, 2)
    assert ((chances >= 0.0) & (chances <= 1.0)).all()


def test_company_moves_no_cost() -> None:
    at = setting_of(_LEDGER, heard_in(_TOLD))
    lines = [Line("encourage.0", "Go on, I'm with you."), Line("any.0", "So she moved out in May.", ("She moved out",))]
    together, alone = load_tact().costs(lines, "stay", at), [load_tact().costs([x], "stay", at)[0] for x in lines]
    assert np.allclose(together, alone, atol=1e-12)


def test_no_aspect_holds_what_a_patient_said() -> None:
    at = setting_of(_LEDGER, heard_in(_TOLD))
    line = Line("named.sister.0", "You mentioned your sister. How is that for you?", ("your sister",))
    names = [*of_act("open_question", at), *of_line(line, "open_question", at)]
    assert not any("sister" in name for name in names)
    assert vectors_of([line], at).shape == (1, 256 + 3)


def test_the_least_costly_line_is_said_and_without_the_ear_the_first() -> None:
    at = setting_of(_LEDGER, heard_in(_TOLD))
    lines = [
        Line("step_back.8", "I've got on the wrong side of you there, and I'm sorry."),
        Line("encourage.0", "Go on."),
    ]
    assert _least_costly(lines, "stay", at)[0] is lines[1]
    assert _least_costly(lines, "stay", None) == (lines[0], 0.0)
