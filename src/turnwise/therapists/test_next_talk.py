"""The tracker of human clients' talk: what its numbers say, and that it says them exactly."""

import copy
import json
from collections.abc import Callable
from importlib.resources import files
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.belief.chain import Chain, filtered
from turnwise.core.errors import FormatError
from turnwise.therapists.next_talk import ACT_CLASS, TALK_ACTS, TRACKER_FILE, load_next_talk, next_talk_from

TALK = ("change", "neutral", "sustain")
turns = st.lists(st.tuples(st.sampled_from(TALK_ACTS), st.sampled_from(TALK)), min_size=1, max_size=12)


@given(turns)
def test_step_by_step_it_is_the_chain_of_the_belief_room(session: list[tuple[str, str]]) -> None:
    tracker = load_next_talk()
    belief, told = tracker.start(), []
    for act, talk in session:
        told.append(tracker.p_next(belief, act)[TALK.index(talk)])
        belief, _ = tracker.heard(belief, act, talk)
    rows = [np.log(tracker.talk[:, TALK_ACTS.index(a), TALK.index(t)]) for a, t in session]
    acts = [0, *(TALK_ACTS.index(a) for a, _ in session)]
    exact = filtered(Chain(tracker.start_p, tracker.moves), np.vstack([np.full(3, np.nan), *rows]), acts)
    assert belief.p == pytest.approx(np.exp(exact.log_after[-1]), abs=1e-9)
    assert np.log(told) == pytest.approx(exact.log_evidence[1:], abs=1e-9)


@given(turns, st.sampled_from([*TALK_ACTS, *ACT_CLASS]))
def test_forecasts_are_distributions_and_leave_nothing_out(session: list[tuple[str, str]], act: str) -> None:
    tracker, belief = load_next_talk(), load_next_talk().start()
    for done, talk in session:
        belief, _ = tracker.heard(belief, done, talk)
    p = tracker.p_next(belief, act)
    assert p.sum() == pytest.approx(1.0, abs=1e-12)
    assert (p > 0).all()


def test_what_was_said_before_the_last_turn_matters() -> None:
    tracker = load_next_talk()

    def after(*talk: str) -> float:
        belief = tracker.start()
        for said in talk:
            belief, _ = tracker.heard(belief, "open_question", said)
        return float(tracker.p_next(belief, "complex_reflection")[TALK.index("sustain")])

    # The same last turn, and yet: three times sustain talk before it is another client than three times none.
    assert after("sustain", "sustain", "sustain", "neutral") > 2 * after("neutral", "neutral", "neutral", "neutral")
    assert after("change", "change", "change", "neutral") < after("sustain", "sustain", "sustain", "neutral")


def test_the_stances_are_in_the_order_of_their_names() -> None:
    of_each = load_next_talk().talk.mean(axis=1)
    assert of_each.argmax(axis=0).tolist() == [0, 1, 2]


def test_read_talk_counts_less_than_coded_talk_and_none_counts_nothing() -> None:
    tracker = load_next_talk()
    sure, coded = tracker.heard(tracker.start(), "open_question", "sustain")
    read, info = tracker.heard(tracker.start(), "open_question", [0.0, 0.0, 1.0])
    assert 0 < info.gain < coded.gain
    assert sure.p[2] > read.p[2] > tracker.after(tracker.start(), "open_question").p[2]
    nothing, none = tracker.heard(tracker.start(), "open_question", None)
    assert none.carried
    assert nothing.p == pytest.approx(tracker.after(tracker.start(), "open_question").p, abs=1e-12)


def test_a_reader_that_gives_the_base_rates_says_nothing() -> None:
    tracker = load_next_talk()
    belief, _ = tracker.heard(tracker.start(), "other", tracker.base)
    assert belief.p == pytest.approx(tracker.after(tracker.start(), "other").p, abs=1e-9)


def test_an_act_may_be_a_mixture() -> None:
    tracker = load_next_talk()
    assert tracker.weights({"input": 2.0, "other": 2.0}).tolist() == [0, 0, 0, 0, 0.5, 0.5]
    assert tracker.weights("support").sum() == pytest.approx(1.0)
    one = tracker.p_next(tracker.start(), {"input": 1.0, "other": 0.0})
    assert one.tolist() == tracker.p_next(tracker.start(), "input").tolist()


def test_the_card_says_what_it_is_worth_and_the_bar_is_met_where_it_says_so() -> None:
    card = load_next_talk().card
    assert {"command", "data", "licence", "method", "held_out", "not_shown"} <= set(card)
    for past in ("coded", "read"):
        losses = card["held_out"][past]["log_loss"]
        for g in card["held_out"][past]["gains"]:
            assert g["gain"] == pytest.approx(losses[g["over"]] - losses[g["of"]], abs=2e-5)
            low, high = g["interval"]["series"]
            assert low <= g["gain"] <= high
    coded = {g["over"]: g["interval"]["series"] for g in card["held_out"]["coded"]["gains"] if g["of"] == "tracker"}
    assert all(coded[name][0] > 0 for name in ("base_rate", "markov", "classifier"))


def stored() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(files("turnwise.therapists").joinpath(TRACKER_FILE).read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize(
    "spoil",
    [
        lambda d: d.pop("weights"),
        lambda d: d.update(stances=["a", "b", "c"]),
        lambda d: d["weights"].update(start=[0.5, 0.5]),
        lambda d: d["weights"].update(start=[0.5, 0.5, 0.5]),
        lambda d: d["weights"].update(base=[1.0, 0.0, 0.0]),
        lambda d: d["weights"].update(temper=0.0),
        lambda d: d["weights"].update(talk="?"),
    ],
)
def test_a_document_of_another_version_is_refused(spoil: Callable[[dict[str, Any]], object]) -> None:
    document = copy.deepcopy(stored())
    assert next_talk_from(document).temper > 0
    spoil(document)
    with pytest.raises(FormatError):
        next_talk_from(document)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda t: t.p_next(t.start(), "shout"),
        lambda t: t.p_next(t.start(), {}),
        lambda t: t.p_next(t.start(), {"input": -1.0}),
        lambda t: t.heard(t.start(), "input", "silence"),
        lambda t: t.heard(t.start(), "input", [0.5, 0.5]),
        lambda t: t.heard(t.start(), "input", [0.0, 0.0, 0.0]),
        lambda t: t.heard(t.start(), "input", [np.nan, 0.5, 0.5]),
    ],
)
def test_what_does_not_fit_is_refused(wrong: Callable[[Any], object]) -> None:
    with pytest.raises(ValueError):
        wrong(load_next_talk())
