"""The tracker of human clients' talk: what its numbers say, and that it says them exactly."""

import copy
import json
from collections.abc import Callable
from importlib.resources import files
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.belief.chain import Chain, Filtered, filtered
from turnwise.belief.filter import predict, prior, uniform, update
from turnwise.core.errors import FormatError
from turnwise.therapists.next_talk import (
    ACT_CLASS,
    TALK_ACTS,
    TALK_STANCES,
    TRACKER_FILE,
    NextTalk,
    load_next_talk,
    next_talk_from,
)

TALK = ("change", "neutral", "sustain")
turns = st.lists(st.tuples(st.sampled_from(TALK_ACTS), st.sampled_from(TALK)), min_size=1, max_size=12)
heard_acts = st.lists(st.floats(0.05, 1.0), min_size=6, max_size=6).map(lambda w: dict(zip(TALK_ACTS, w, strict=True)))
read_talk = st.lists(st.floats(0.01, 1.0), min_size=3, max_size=3)


def exact_of(tracker: NextTalk, rows: list[Any], acts: list[int], temper: float = 1.0) -> Filtered:
    """The chain of the belief room; its first step is the one before the first exchange, where nothing is observed."""
    chain = Chain(tracker.start_p, tracker.moves)
    return filtered(chain, np.vstack([np.full(3, np.nan), *rows]), [0, *acts], temper=temper)


@given(turns)
def test_the_update_is_the_exact_filter_of_the_belief_room(session: list[tuple[str, str]]) -> None:
    tracker = load_next_talk()
    belief, told = tracker.start(), []
    for act, talk in session:
        told.append(tracker.p_next(belief, act)[TALK.index(talk)])
        belief, _ = tracker.heard(belief, act, talk)
    acts = [TALK_ACTS.index(a) for a, _ in session]
    exact = exact_of(
        tracker, [np.log(tracker.talk[:, a, TALK.index(t)]) for a, (_, t) in zip(acts, session, strict=True)], acts
    )
    assert belief.log_p == pytest.approx(exact.log_after[-1], abs=1e-9)
    assert np.log(told) == pytest.approx(exact.log_evidence[1:], abs=1e-9)


@given(st.lists(st.tuples(st.sampled_from(TALK_ACTS), read_talk), min_size=1, max_size=8))
def test_what_was_only_read_is_filtered_exactly_too_at_its_temper(session: list[tuple[str, list[float]]]) -> None:
    tracker = load_next_talk()
    belief = tracker.start()
    for act, read in session:
        belief, _ = tracker.heard(belief, act, read)
    acts = [TALK_ACTS.index(a) for a, _ in session]
    rows = [np.log(tracker.talk[:, a] @ (np.array(q) / tracker.base)) for a, (_, q) in zip(acts, session, strict=True)]
    exact = exact_of(tracker, rows, acts, tracker.temper)
    assert belief.log_p == pytest.approx(exact.log_after[-1], abs=1e-9)


@given(heard_acts, st.sampled_from(TALK), turns)
def test_an_act_heard_with_doubt_is_summed_over_together_with_the_stance(
    act: dict[str, float], talk: str, before: list[tuple[str, str]]
) -> None:
    """Exact by another road: a belief over all eighteen pairs of act and stance, moved and updated in `belief`."""
    tracker = load_next_talk()
    belief = tracker.start()
    for done, said in before:
        belief, _ = tracker.heard(belief, done, said)
    pairs = [f"{a}/{s}" for a in TALK_ACTS for s in TALK_STANCES]
    moves = np.tile((tracker.weights(act)[:, None, None] * tracker.moves).transpose(1, 0, 2).reshape(3, 18), (6, 1))
    pair = prior(pairs, np.concatenate([belief.p, np.zeros(15)]) / belief.p.sum())
    moved = predict(pair, moves / moves.sum(1, keepdims=True))
    by_pair = tracker.talk.transpose(1, 0, 2).reshape(18, 3)
    exact, info = update(moved, np.log(by_pair[:, TALK.index(talk)]))
    ours, ours_info = tracker.heard(belief, act, talk)
    assert ours.p == pytest.approx(exact.p.reshape(6, 3).sum(0), abs=1e-9)
    assert tracker.p_next(belief, act) == pytest.approx(moved.p @ by_pair, abs=1e-9)
    assert ours_info.log_evidence == pytest.approx(info.log_evidence, abs=1e-9)


def test_it_is_what_counting_all_paths_of_stances_gives() -> None:
    tracker = load_next_talk()
    session = [("open_question", "sustain"), ("complex_reflection", "neutral"), ("input", "sustain")]
    belief, by_end, total = tracker.start(), np.zeros(3), 0.0
    for act, talk in session:
        belief, _ = tracker.heard(belief, act, talk)
    for path in product(range(3), repeat=len(session) + 1):
        p = tracker.start_p[path[0]]
        for (act, talk), at, to in zip(session, path, path[1:], strict=False):
            a = TALK_ACTS.index(act)
            p *= tracker.moves[a, at, to] * tracker.talk[to, a, TALK.index(talk)]
        by_end[path[-1]] += p
        total += p
    assert belief.p == pytest.approx(by_end / total, abs=1e-12)


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
    assert all(coded[name][0] > 0 for name in ("base_rate", "markov", "classifier", "classifier_vectors"))
    assert coded["classifier_tally"][0] < 0 < coded["classifier_tally"][1]  # as the module says of itself


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
        lambda t: t.p_next(uniform(("a", "b", "c")), "input"),
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
