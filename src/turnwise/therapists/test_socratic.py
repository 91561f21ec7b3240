"""The controller: a belief that moves, acts that follow it, and a history that matters."""

import asyncio
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.belief.filter import prior
from turnwise.core.nouns import Intake, Reply, Trajectory, Turn
from turnwise.reading.ears.hearing import Hearing
from turnwise.reading.window import Window
from turnwise.therapists.choosing import ACTS, Policy, too_early
from turnwise.therapists.ledger import Ledger, normal, share
from turnwise.therapists.markers import MARKERS
from turnwise.therapists.reflecting import Line
from turnwise.therapists.socratic import Socratic, SocraticState, socratic
from turnwise.therapists.stance import PRIOR, STANCES, Signs, information_gain, initial, log_likelihood, moved, signs_in
from turnwise.therapists.test_therapists import MAKERS, TELLINGS, session
from turnwise.therapists.validating import fault
from turnwise.therapists.working_edge import EDGE_PRIOR, bearable, initial_edge, moved_edge

SUPPORTIVE = {"reflect_content", "reflect_feeling", "step_back", "give_room", "stay", "normalise"}


class TalkEar:
    """Hears sustain talk where the text says so, else neutral talk."""

    async def hear(self, window: Window) -> Hearing:
        sustain = "not going to" in window.turn.text
        p = {"client_talk": np.array([0.1, 0.2, 0.7] if sustain else [0.2, 0.7, 0.1])}
        return Hearing((), np.zeros((0, 256), np.float32), np.zeros(256, np.float32), p)


def answer(
    who: Socratic, state: SocraticState, said: str, before: tuple[Turn, ...] = (), seed: int = 0
) -> Reply[SocraticState]:
    transcript = (*before, Turn(speaker="therapist", text="Mm."), Turn(speaker="patient", text=said))
    return asyncio.run(who.respond(state, transcript, np.random.default_rng(seed)))


def started(after: str) -> tuple[Socratic, SocraticState]:
    """Return a controller whose last act was ``after``, some turns into a session."""
    who = socratic(ear=TalkEar())
    state = who.init(Intake(), np.random.default_rng(0))
    for i, said in enumerate(TELLINGS[:5]):
        state = answer(who, state, said, seed=i).state
    ledger = replace(state.ledger, moves=(*state.ledger.moves[:-1], after), last_class=ACTS[after].kind)
    return who, replace(state, ledger=ledger, belief=initial(), edge=initial_edge())


def test_belief_is_normalised_at_every_turn_and_moves() -> None:
    t = session(MAKERS["socratic.v1"])
    beliefs = [t.infos[i]["belief"] for i in range(0, len(t.turns), 2)]
    for belief in beliefs:
        assert set(belief) == set(STANCES)
        assert sum(belief.values()) == pytest.approx(1.0, abs=1e-5)
    assert len({tuple(b.values()) for b in beliefs}) > 15


def test_a_frozen_belief_never_moves_and_still_works() -> None:
    t = session(MAKERS["socratic_frozen.v1"])
    infos = [t.infos[i] for i in range(0, len(t.turns), 2)]
    assert {tuple(x["belief"].values()) for x in infos} == {PRIOR}
    assert {tuple(x["edge"].values()) for x in infos} == {EDGE_PRIOR}
    assert len({x["act"]["move"] for x in infos}) >= 6


@pytest.mark.parametrize("seed", range(8))
def test_pushback_raises_resisting_and_is_answered_with_support(seed: int) -> None:
    who, state = started("ask_exception")
    before = share(state.belief, "resisting")
    reply = answer(who, state, "You're not listening. I'm not going to talk about that, leave it.", seed=seed)
    assert share(reply.state.belief, "resisting") > max(0.5, before)
    assert reply.info["act"]["move"] in SUPPORTIVE  # type: ignore[index, call-overload]


def test_the_same_words_mean_and_draw_something_else_after_another_history() -> None:
    said = "I can't see it any other way, I don't know about that."
    acts: dict[str, set[Any]] = {}
    resisting: dict[str, float] = {}
    for after in ("ask_exception", "reflect_content"):
        who, state = started(after)
        replies = [answer(who, state, said, seed=s) for s in range(8)]
        acts[after] = {r.info["act"]["move"] for r in replies}  # type: ignore[index, call-overload]
        resisting[after] = share(replies[0].state.belief, "resisting")
    assert resisting["ask_exception"] > 1.5 * resisting["reflect_content"]
    assert acts["ask_exception"] == {"step_back"}
    assert not acts["ask_exception"] & acts["reflect_content"]


def test_restated_words_are_not_counted_twice() -> None:
    who, state = started("open_question")
    once = answer(who, state, "Yeah, but it's not that simple, is it not.").state
    twice = answer(who, once, "Yeah, but it's not that simple, is it not.").state
    assert np.array_equal(once.belief.log_p, twice.belief.log_p)


@given(
    st.frozensets(st.sampled_from([*MARKERS, "feeling"])),
    st.integers(0, 2),
    st.lists(st.floats(0.01, 1.0), min_size=3, max_size=3),
    st.sampled_from(["support", "question", "challenge", "offer"]),
)
def test_no_signs_are_impossible_under_any_stance(present: Any, length: int, talk: Any, after: Any) -> None:
    signs = Signs(present, length, 5, tuple(x / sum(talk) for x in talk))
    assert np.isfinite(log_likelihood(signs, after)).all()
    belief, info = moved(initial(), signs, after)
    assert belief.p.sum() == pytest.approx(1.0)
    assert belief.p.min() > 0
    assert info.gain >= 0


def test_what_the_ear_knows_already_is_not_counted_as_evidence() -> None:
    base = Signs(frozenset(), 1, 9, (0.231, 0.667, 0.102))
    silent = Signs(frozenset(), 1, 9, ())
    difference = log_likelihood(base, "question") - log_likelihood(silent, "question")
    assert np.allclose(difference, 0.0, atol=1e-9)


def test_a_short_reply_says_more_after_a_question_than_after_a_reflection() -> None:
    signs = signs_in(
        "Yes.", asyncio.run(TalkEar().hear(Window(Turn(speaker="patient", text="x")))), (12, 15), feeling=False
    )
    assert signs.length == 0
    after = {kind: share(moved(initial(), signs, kind)[0], "withdrawing") for kind in ("question", "support")}  # type: ignore[arg-type]
    assert after["question"] > after["support"]


def test_the_edge_rises_by_being_heard_and_falls_by_being_pressed() -> None:
    start = initial_edge()
    flat = Signs(frozenset(), 1, 12, ())
    heard, pressed = start, start
    for _ in range(8):
        heard, _ = moved_edge(heard, flat, "support")
        pressed, _ = moved_edge(pressed, flat, "challenge")
    assert bearable(heard) > bearable(start) > 0
    assert bearable(pressed) < bearable(heard)
    rebuffed, _ = moved_edge(heard, Signs(frozenset({"hostile", "refusal"}), 0, 3, ()), "challenge")
    opened, _ = moved_edge(heard, Signs(frozenset({"feeling"}), 2, 40, ()), "challenge")
    assert bearable(rebuffed) < bearable(heard) < bearable(opened)


@given(
    st.lists(
        st.tuples(
            st.sets(st.sampled_from(["hostile", "refusal", "yes_but", "dont_know", "feeling", "insight", "thanks"])),
            st.integers(0, 2),
            st.sampled_from(["support", "question", "challenge", "offer"]),
        ),
        max_size=30,
    )
)
def test_the_edge_stays_a_distribution_and_can_always_return(course: list[Any]) -> None:
    belief = initial_edge()
    for present, length, after in course:
        belief, _ = moved_edge(belief, Signs(frozenset(present), length, 9, ()), after)
    assert belief.p.sum() == pytest.approx(1.0)
    assert 0 < bearable(belief) < 1
    assert belief.p.min() > 0


def test_challenges_come_too_early_when_the_patient_is_raw() -> None:
    raw = prior(STANCES, [0.2, 0.6, 0.05, 0.05, 0.05, 0.05])
    assert too_early(raw, ACTS["ask_exception"])
    assert not too_early(raw, ACTS["reflect_feeling"])
    assert not too_early(initial(), ACTS["ask_exception"])


@pytest.mark.parametrize(
    ("text", "quoted", "because"),
    [
        ("You were tired.", (), "repeats"),
        ('You said, "I want to fly."', (), "not grounded"),
        ("So you want to fly.", ("I want to fly",), "not grounded"),
        ("There's anger in that for you.", (), "unvoiced feeling"),
        ("Is it anger, or something else?", (), None),
        ("There's tiredness in that for you.", (), None),
        ("Surely it's not as bad as that?", (), "leading"),
        ('You said, "I was tired."', ("I was tired",), None),
    ],
)
def test_lines_are_checked_before_they_are_said(text: str, quoted: tuple[str, ...], because: str | None) -> None:
    ledger = Ledger(
        said=frozenset({"You were tired."}),
        corpus=f" {normal('I was tired, she said.')} |",
        feelings=frozenset({"tired"}),
    )
    assert fault(Line("x", text, quoted), None, ledger, initial()) == because


def test_information_is_worth_something_only_while_there_is_doubt() -> None:
    certain = prior(STANCES, [0.99, 0.002, 0.002, 0.002, 0.002, 0.002])
    kinds = ("support", "question", "challenge", "offer")
    for kind in kinds:
        assert information_gain(initial(), kind) > information_gain(certain, kind) > 0  # type: ignore[arg-type]


def test_it_works_towards_the_patients_own_evidence() -> None:
    def moves(t: Trajectory) -> list[str]:
        return [str(t.infos[i]["act"]["move"]) for i in range(0, len(t.turns), 2)]  # type: ignore[index, call-overload]

    told = (
        "I'm a weight on that girl. She rings every night.",
        "There's a lad on the next plot. He waters my end and I never asked.",
        "He came by on Sunday and he fixed the gate for me.",
        "I can't sleep for thinking of it. I never asked anybody for help.",
        "I miss the old yard. I used to run it.",
    )

    def bold() -> Socratic:  # with somebody who can bear it, as far as is known
        return Socratic(TalkEar(), Policy(assumes=0.9))

    seen = [m for seed in range(4) for m in moves(session(bold, told * 3, turns=15, seed=seed))]
    assert {"ask_exception", "ask_alternative"} & set(seen)
    assert "synthesise" in seen  # what speaks for it and against it is put together
    t = session(MAKERS["socratic.v1"], told * 3, turns=9)
    assert t.infos[-2]["evidence"]["thought"] == "I'm a weight on that girl"  # type: ignore[index, call-overload]
