"""How an answer to how the talk is, is read: by other hands' words, and not where something else was said."""

import numpy as np
import pytest

from turnwise.patients.banks import said_of
from turnwise.patients.casebook import case_ids, read_case_file
from turnwise.reading.package_data import document_of
from turnwise.therapists.tracking.levels import initial_levels, moved_levels, ready, to_learn
from turnwise.therapists.tracking.talking_here import ANSWERS, KINDS, answered_here, how_it_is, load_here, terms_of

SAID = [
    (kind, line)
    for case in case_ids()
    for kind in KINDS
    for line in said_of(getattr(read_case_file(case).reactions, f"{kind}_here"))
]


def test_what_patients_answer_is_read_who_taught_nothing() -> None:
    read = [how_it_is(line) == kind for kind, line in SAID]
    assert np.mean(read) > 0.72
    for kind in KINDS:
        assert np.mean([hit for (own, _), hit in zip(SAID, read, strict=True) if own == kind]) > 0.6
    turned = sum({how_it_is(line), kind} == {"guarded", "open"} for kind, line in SAID)
    assert turned < 0.2 * len(SAID), "hardly anybody is taken for the contrary"


def test_the_figures_that_ship_are_above_chance_by_far() -> None:
    figures = document_of("turnwise.therapists.tracking", "talking_here.json")["figures"]
    assert figures["hands_held_out"]["macro_f1"] > 0.6 > 2 * 0.25
    assert figures["hands_held_out"]["log_loss"] < np.log(4) - 0.4


@pytest.mark.parametrize(
    "text", ["", "...", "My brother sends the money every month.", "Could you tell me how long a panic attack lasts?"]
)
def test_something_else_is_no_answer(text: str) -> None:
    assert how_it_is(text) is None


def test_a_margin_only_takes_away() -> None:
    for _, line in SAID:
        assert how_it_is(line, margin=2.0) in (None, how_it_is(line))
    assert load_here().logits("zzz qqq").shape == (len(KINDS) + 1,)
    assert terms_of("Don’t know") == {"don't", "know", "don't know"}


def test_what_is_answered_moves_what_can_be_borne_and_asking_teaches() -> None:
    start = initial_levels()
    at = [ready(moved_levels(start, {"here": kind}, "question")["edge"]) for kind in KINDS]
    assert at[2] > max(at[:2]) + 0.2, "of who cannot bear it, guarded and middling say the same"
    assert to_learn(start["edge"], "here") > 5 * to_learn(start["edge"], "talk")


def test_an_answer_that_may_as_well_be_another_weighs_less() -> None:
    said = [(kind, answered_here(line)) for kind, line in SAID]
    assert {answer for _, answer in said} <= {*ANSWERS, None}
    sure = [kind == answer for kind, answer in said if answer in ("guarded", "open")]
    unsure = [answer == f"perhaps {kind}" for kind, answer in said if str(answer).startswith("perhaps")]
    assert np.mean(sure) > np.mean(unsure) + 0.1
    start = initial_levels()
    at = [ready(moved_levels(start, {"here": x}, "question")["edge"]) for x in ("guarded", "perhaps open", "open")]
    assert at == sorted(at)


def test_who_offers_to_be_asked_something_hard_is_open() -> None:
    assert answered_here("You can put the hard questions to me.") == "open"
    assert answered_here("Don't put hard questions to me.") != "open"
