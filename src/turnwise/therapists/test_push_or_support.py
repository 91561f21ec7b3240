"""When to push and when to support: by what is believed of the edge, which is asked about where that teaches."""

from dataclasses import replace

import numpy as np
import pytest

from turnwise.belief.filter import prior
from turnwise.core.nouns import Belief
from turnwise.therapists.acts import ACTS
from turnwise.therapists.choosing import Policy
from turnwise.therapists.giving_back import lasting
from turnwise.therapists.guiding import candidates
from turnwise.therapists.inviting import only_asks_for_more
from turnwise.therapists.ledger import Ledger
from turnwise.therapists.receiving import RECEIVING, TAKEN_AT_THEIR_WORD
from turnwise.therapists.reflecting import heard_in
from turnwise.therapists.socratic import Socratic, SocraticState
from turnwise.therapists.suiting import suits
from turnwise.therapists.test_socratic import TalkEar, answer, started
from turnwise.therapists.test_therapists import session
from turnwise.therapists.tracking.levels import BANDS, load_levels, states_of
from turnwise.therapists.wrapper.instructing import WORDS

DISTORTION = "Sorry, one other thing. People like me always get found out. Every single time."
INSIGHT = "I always thought he wasn't listening. Maybe he was only worried."
BOLD, GENTLE = ACTS["ask_other_view"].intensity, ACTS["ask_view"].intensity


def _edge(band: int) -> Belief:
    """Return a belief that is nearly sure of one band of the edge."""
    kinds = load_levels()["edge"].kinds
    p = np.tile(np.where(np.arange(len(BANDS)) == band, 0.96, 0.01), len(kinds)) / len(kinds)
    return prior(states_of(kinds), [float(x) for x in p])


def _at(band: int, after: str = "reflect_content") -> tuple[Socratic, SocraticState]:
    who, state = started(after)
    return who, replace(state, levels={**state.levels, "edge": _edge(band)})


def _acts(band: int, said: str) -> set[str]:
    who, state = _at(band)
    return {str(answer(who, state, said, seed=s).info["act"]["move"]) for s in range(6)}  # type: ignore[index,call-overload]


def test_a_view_and_an_insight_are_met_as_boldly_as_can_be_borne() -> None:
    assert _acts(0, DISTORTION) == {"ask_view"}
    assert _acts(4, DISTORTION) <= {"ask_other_view", "ask_exception", "ask_alternative"}
    assert _acts(0, INSIGHT) == {"consolidate"}
    assert _acts(4, INSIGHT) == {"test_insight"}
    assert BOLD > GENTLE
    assert ACTS["test_insight"].intensity > ACTS["consolidate"].intensity


def test_who_is_frozen_does_the_same_whatever_was_answered() -> None:
    said = {
        "open": "I could tell you more, it's easier than I thought.",
        "guarded": "Not easy. I'm being careful what I say.",
    }
    bold: dict[bool, list[float]] = {}
    for tracks in (True, False):
        who = Socratic(TalkEar(), Policy(tracks=tracks))
        bold[tracks] = []
        for text in said.values():
            _, state = started("check_in")
            after = answer(who, state, text).state
            bold[tracks].append(after.known.ready)
    assert bold[True][0] > bold[True][1] + 0.2
    assert bold[False][0] == bold[False][1]


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("Not easy. I'm being careful what I say.", "guarded"),
        ("I could tell you more, it's easier than I thought.", "open"),
    ],
)
def test_who_says_how_the_talk_is_for_them_is_met_in_their_words(said: str, kind: str) -> None:
    who, state = _at(0, after="check_in")
    for seed in range(8):
        reply = answer(who, state, said, seed=seed)
        assert reply.info["act"]["move"] == "receive"  # type: ignore[index,call-overload]
        assert any(x in reply.text for x in RECEIVING[kind])
    whole = "." not in said.rstrip(".")
    assert (f'"{said.rstrip(".")}."' in reply.text) == whole  # half of it would be the kind half


def test_who_offers_to_be_asked_something_hard_is_asked_it() -> None:
    who, state = _at(0, after="check_in")
    for seed in range(8):
        reply = answer(who, state, "You may ask me a harder one.", seed=seed)
        assert reply.text.startswith(TAKEN_AT_THEIR_WORD)
        assert reply.text.count("?") == 1


def test_what_comes_up_beside_how_the_talk_is_goes_before_it() -> None:
    who, state = _at(0, after="check_in")
    reply = answer(who, state, "It's all right. Sorry, one other thing. Nobody would notice if I was gone from work.")
    assert reply.info["act"]["move"] != "receive"  # type: ignore[index,call-overload]


@pytest.mark.parametrize(
    "said", ["I've lost my sister in May, and I can't sleep.", "I'm ashamed.", "By the way, my brother sends money."]
)
def test_nobody_is_asked_how_the_talk_is_over_what_they_just_told(said: str) -> None:
    who, state = _at(0, after="open_question")
    moves = {answer(who, state, said, seed=s).info["act"]["move"] for s in range(8)}  # type: ignore[index,call-overload]
    assert "check_in" not in moves


def test_how_the_talk_is_gets_asked_where_it_teaches_and_hardly_by_who_is_not_curious() -> None:
    asked = {}
    for curious in (True, False):
        runs = [session(lambda curious=curious: Socratic(TalkEar(), Policy(curious=curious)), seed=s) for s in range(6)]
        acts = [i["act"]["move"] for t in runs for i in t.infos if isinstance(i.get("act"), dict)]  # type: ignore[index,call-overload]
        asked[curious] = acts.count("check_in")
    assert asked[True] >= 6
    assert asked[False] < asked[True] / 2


def test_a_model_is_told_what_to_do_for_every_act() -> None:
    assert set(ACTS) <= set(WORDS)
    assert len({WORDS[move] for move in ACTS}) == len(ACTS)


def test_nobody_is_asked_how_the_talk_is_soon_after_danger() -> None:
    who, state = _at(0, after="attend")
    state = replace(state, ledger=replace(state.ledger, moves=("safety_check", *state.ledger.moves[-2:])))
    moves = {answer(who, state, "I don't know.", seed=s).info["act"]["move"] for s in range(8)}  # type: ignore[index,call-overload]
    assert "check_in" not in moves


def test_a_thought_is_asked_for_after_company_and_not_at_once() -> None:
    said = "My brother left in May and I couldn't get up the stairs for a week."
    moves: dict[str, set[str]] = {}
    for after in ("small_question", "attend"):
        who, state = _at(0, after=after)
        moves[after] = {answer(who, state, said, seed=s).info["act"]["move"] for s in range(8)}  # type: ignore[index,call-overload]
    assert "ask_thought" not in moves["small_question"]


@pytest.mark.parametrize(
    ("said", "lasts"), [("I can't breathe.", True), ("I don't have to be fine.", False), ("It's not so bad.", False)]
)
def test_what_has_become_easier_is_no_hard_state_to_find_exceptions_to(said: str, lasts: bool) -> None:
    assert any(lasting(p) for p in heard_in(said).phrases) is lasts


def test_more_is_asked_for_bare_once_running() -> None:
    told = "She rings on Sundays, mostly, and I put the kettle on."
    for bare in (True, False):
        who, state = started("attend")
        state = replace(state, ledger=replace(state.ledger, bare=bare))
        assert any(only_asks_for_more(answer(who, state, told, seed=s).text) for s in range(12)) is not bare


def test_a_fixed_order_never_goes_ahead_and_goes_back_only_to_answer() -> None:
    who, state = started("attend")
    staged = Socratic(who._ear, Policy(adapts=False))
    early = {str(answer(staged, state, INSIGHT, seed=s).info["act"]["move"]) for s in range(6)}  # type: ignore[index,call-overload]
    assert all(ACTS[move].stage <= 2 for move in early if move in ACTS)
    assert _acts(4, INSIGHT) == {"test_insight"}


@pytest.mark.parametrize(("turns", "may"), [(3, False), (7, True), (16, False)])
def test_how_the_talk_is_is_asked_once_there_is_something_to_go_by_and_after_a_word_of_what_was_told(
    turns: int, may: bool
) -> None:
    told = heard_in("I keep the receipts of three years in a shoebox under the bed.")
    ledger = Ledger(lengths=(12,) * turns, moves=("reflect_content",) * turns)
    assert suits("check_in", ledger, told) is (turns < 15)
    for seed in range(5):
        lines = candidates("check_in", ledger, told, np.random.default_rng(seed))
        assert all("+" in line.id and line.quoted for line in lines), "what was told is given back before it is left"
        who, state = started("reflect_content")
        moves = answer(who, replace(state, ledger=ledger), told.text, seed=seed).state.ledger.moves
        assert may or moves[-1] != "check_in"
