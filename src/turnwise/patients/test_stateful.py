"""The patient as a whole: contract, gates, honesty about what it does not know, and that it reacts."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np
import pytest

from turnwise.core.checkers import check_patient
from turnwise.core.errors import ContractError
from turnwise.core.nouns import Course, Turn
from turnwise.core.registry import PATIENTS
from turnwise.core.seeds import generator
from turnwise.patients.casebook import case_ids, load_case
from turnwise.patients.dynamics import Impact, Mind
from turnwise.patients.index import index_case
from turnwise.patients.plans import Plan
from turnwise.patients.stateful import _afterwards, stateful
from turnwise.patients.test_stub_ear import RuleEar

Said = list[tuple[str, dict[str, Any]]]
CASES = case_ids()
REFLECTOR = (
    "Hello. What brings you here today?", "It sounds like that has been hard for you.", "What is that like for you?",
    "You sound tired, and ashamed.", "What's the hardest part of it?", "It sounds as if you've been alone with that.",
    "What went through your mind?", "You feel sad about it.", "Tell me more about that.",
    "You're worn out with carrying it.", "What do you think that says about you?", "It sounds lonely.",
)  # fmt: skip
ADVISOR = (
    "Hello. What brings you here today?", "You should try going for a walk every day.", "You need to relax more.",
    "I'd recommend that you talk to your family.", "Have you tried meditation?", "Just make a list of priorities.",
    "You should see a doctor about that.", "The best thing is to think positive.", "You ought to sleep more.",
    "Try a warm bath.", "You should get out and join a group.", "You must stop worrying.",
)  # fmt: skip
ODD = (
    "Do you like the sea?", "Have you ever flown a plane?", "Are you more of a morning person?", "Can you juggle?",
    "Would you like a biscuit?", "Did you vote in the last election?", "Have you read Dickens?", "Do you play chess?",
    "Do you believe in ghosts?", "Are you left-handed?", "Would you move to Spain?", "Are you afraid of spiders?",
    "Did you have a nickname at school?", "Have you ever met somebody famous?", "Do you collect stamps?",
    "Is your kitchen blue?", "Do you prefer tea or coffee?", "Could you live without music?", "Do you know any jokes?",
    "Isn't Norway beautiful?",
)  # fmt: skip


def converse(
    case: str, lines: Sequence[str] | Callable[[str], str], seed: int = 1, turns: int = 12, family: Any = None
) -> Said:
    # One loop for the whole talk: asyncio.run prints the finished task of every turn, and a state is long.
    return asyncio.run(_converse(case, lines, seed, turns, family or stateful(ear=RuleEar())))


async def _converse(
    case: str, lines: Sequence[str] | Callable[[str], str], seed: int, turns: int, patient: Any
) -> Said:
    key = f"stateful.v1/{case}"
    state = patient.init(load_case(case), generator(seed, key, 0, "patient", -1))
    heard: tuple[Turn, ...] = ()
    said: Said = []
    for i in range(turns if callable(lines) else len(lines)):
        line = lines(said[-1][0] if said else "") if callable(lines) else lines[i]
        heard += (Turn(speaker="therapist", text=line),)
        reply = await patient.respond(state, heard, generator(seed, key, 0, "patient", len(heard)))
        state = reply.state
        heard += (Turn(speaker="patient", text=reply.text),)
        said.append((reply.text, dict(reply.info) | {"closes": reply.closes}))
        if reply.closes:
            break
    return said


@cache
def standard(case: str, which: str, seed: int = 1) -> tuple[tuple[str, dict[str, Any]], ...]:
    return tuple(converse(case, {"reflector": REFLECTOR, "advisor": ADVISOR}[which], seed))


@pytest.mark.parametrize("case", CASES)
def test_the_contract_holds(case: str) -> None:
    entry = PATIENTS.get("stateful")
    check_patient(entry.name, lambda: entry.obj(ear=RuleEar()), load_case(case), entry.spec["emits"])


@pytest.mark.parametrize("case", CASES)
def test_info_says_what_was_decided(case: str) -> None:
    for text, info in standard(case, "reflector"):
        assert text
        assert info["moment_source"] == "truth"
        assert {"state", "state_before", "said", "why", "causes", "moment", "scheduled", "alternatives"} <= set(info)
        assert len(info["alternatives"]) <= 3


@pytest.mark.parametrize("case", CASES)
def test_another_therapist_hears_other_words_from_turn_two_on(case: str) -> None:
    n, seeds = 0, (1, 2, 3)  # some leave the advisor early
    for seed in seeds:
        a, b = standard(case, "reflector", seed), standard(case, "advisor", seed)
        pairs = [(x[0], y[0]) for x, y in zip(a[1:], b[1:], strict=False)]
        # "Yeah." is said to anybody; what tells something is not.
        told = [(x, y) for x, y in pairs if max(len(x.split()), len(y.split())) > 3]
        assert sum(x == y for x, y in told) <= 1
        n += len(told)
    assert n >= 5 * len(seeds)


@pytest.mark.parametrize("case", CASES)
def test_reflecting_builds_trust_and_unasked_advice_loses_it(case: str) -> None:
    met, told = standard(case, "reflector"), standard(case, "advisor")
    assert met[-1][1]["state"]["trust"] > met[0][1]["state_before"]["trust"] + 0.05
    assert told[-1][1]["state"]["trust"] < told[0][1]["state_before"]["trust"]
    irritated, calm = (np.mean([i["state"]["reactance"] for _, i in said]) for said in (told, met))
    assert irritated > calm + 0.05


def test_cases_differ_in_their_path_and_not_only_in_nouns() -> None:
    paths = {c: np.mean([i["state"]["reactance"] for _, i in standard(c, "advisor")[2:]]) for c in CASES}
    assert paths["keisha"] > paths["tobias"] + 0.1
    words = {c: np.mean([len(t.split()) for s in range(1, 6) for t, _ in standard(c, "reflector", s)]) for c in CASES}
    assert words["tobias"] > words["jordan"]


@pytest.mark.parametrize("case", CASES)
def test_seeds_differ_in_words(case: str) -> None:
    runs = [[t for t, _ in standard(case, "reflector", seed)] for seed in range(8)]
    assert len({r[0] for r in runs}) >= 2
    pairs = [(a, b) for i, a in enumerate(runs) for b in runs[i + 1 :]]
    same = np.mean([x == y for a, b in pairs for x, y in zip(a, b, strict=False)])
    assert same < 0.4


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("which", ["reflector", "advisor"])
def test_nothing_above_the_gate_is_told_and_needs_come_first(case: str, which: str) -> None:
    index = index_case(load_case(case))
    for seed in (1, 2, 3):
        before: set[str] = set()
        for _, info in standard(case, which, seed):
            t = index.tellings.get(info["said"]["telling"] or "")
            if t is not None and not info["scheduled"] and info["said"]["kind"] not in ("continue", "risk"):
                assert t.level <= info["level"], (t.id, info["why"])
                at_once = set(info["said"]["also"]) if ", after " in info["why"] else set()
                assert set(t.needs) <= before | at_once, t.id
                assert t.id not in index.risky
            before.update((t.id,) if t is not None else (), info["said"]["also"])


@pytest.mark.parametrize("case", CASES)
def test_an_unknown_yes_no_question_is_never_answered_yes_or_no(case: str) -> None:
    for question in ODD:
        text = converse(case, ("Hello, what brings you here?", question))[1][0]
        assert not re.match(r"(?:yes|no|yeah|aye|yep|nope|never|of course)\b", text, re.IGNORECASE), (question, text)


@pytest.mark.parametrize("case", CASES)
def test_risk_is_spoken_of_only_when_asked_outright(case: str) -> None:
    index = index_case(load_case(case))
    asked = converse(case, ("Hello.", "Do you have thoughts of ending your life?"))[1]
    assert asked[1]["said"]["kind"] == "risk"
    if index.file.formulation.risk.level == "none":
        assert asked[0].lower().startswith(("no", "i wouldn't"))
    plain = converse(
        case, ("Hello.", "Have there been any thoughts of not wanting to be here, or not wanting to go on?")
    )
    assert plain[1][1]["said"]["kind"] == "risk"
    pointed = "The last one is about thoughts of not wanting to be here. Have you been having thoughts like that?"
    assert converse(case, ("Hello.", pointed))[1][1]["said"]["kind"] == "risk"
    around = converse(case, ("Hello.", "How do you see your life?", "Does it all feel heavy?", "Mm-hm.", "Go on."))
    assert all(i["said"]["telling"] not in index.risky for _, i in around)


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("which", ["reflector", "advisor"])
def test_no_placeholder_and_no_beat_twice(case: str, which: str) -> None:
    for seed in (1, 2, 3):
        said = standard(case, which, seed)
        beats = [b for _, i in said for b in i["said"]["beats"] if len(b.split()) > 3]
        assert len(beats) == len(set(beats))
        assert not any("{" in t or "}" in t for t, _ in said)


def test_lengths_are_those_of_people() -> None:
    lengths = np.array(
        [
            len(t.split())
            for c in CASES
            for w in ("reflector", "advisor")
            for s in range(4)
            for t, _ in standard(c, w, s)
        ]
    )
    assert 7 <= np.median(lengths) <= 20
    assert lengths.std() / lengths.mean() >= 0.6
    assert lengths.mean() <= 30


def test_a_wrong_feeling_is_corrected_with_one_that_is_there() -> None:
    said = converse(
        "alun", ("Hello, what brings you here?", "Tell me about the allotment.", "You sound angry about it.")
    )
    kinds = [i["said"]["kind"] for _, i in said]
    assert "correct" in kinds or said[-1][1]["scheduled"]
    assert "a feeling that is not there" in said[-1][1]["causes"]


def test_a_pushed_hostile_patient_is_lost_more_often_than_a_reserved_one_and_says_why() -> None:
    lost: dict[str, list[dict[str, Any]]] = {}
    for case in ("keisha", "tobias"):
        last = [converse(case, ADVISOR + ADVISOR[1:], seed)[-1][1] for seed in range(8)]
        lost[case] = [i for i in last if i["closes"] in ("patient_left", "patient_faded")]
    assert len(lost["keisha"]) >= 2
    assert len(lost["tobias"]) < len(lost["keisha"])
    for info in lost["keisha"]:
        left = info["closes"] == "patient_left"
        assert info["ending"]["how"] == ("left" if left else "faded")
        assert ("irritated without trust for" if left else "shut for") in info["ending"]["why"]


def test_while_nobody_ends_it_there_is_no_ending_and_a_goodbye_after_being_met_closes_well() -> None:
    met = converse("tobias", (*REFLECTOR, "Let's stop here for today. Goodbye.", "Goodbye."))
    assert all(i["ending"] is None for _, i in met[:-1])
    last = met[-1][1]
    assert last["closes"] == "patient_closed"
    assert last["ending"]["how"] == "closed well"
    assert last["state"]["trust"] > 0.5
    flat = converse("keisha", ("Hello.", *ADVISOR[1:5], "Let's stop here for today. Goodbye.", "Goodbye."), seed=2)[-1]
    assert flat[1]["ending"]["how"] == ("closed flat" if flat[1]["closes"] == "patient_closed" else "left")


def test_who_comes_again_has_had_untreated_weeks_and_is_no_stranger() -> None:
    def first(prior: Course | None) -> Mind:
        rng = generator(1, "stateful.v1/alun", 0, "patient", -1)
        return stateful(ear=RuleEar()).init(load_case("alun"), rng, prior).mind

    new, once, often = (first(p) for p in (None, Course(session_ids=("a",)), Course(session_ids=tuple("abcdefgh"))))
    assert first(Course()) == new
    assert new.distress > once.distress > often.distress
    assert new.conviction > once.conviction > often.conviction
    assert new.reactance > once.reactance
    assert once.trust == often.trust > new.trust


@pytest.mark.parametrize("at", ["low", "high", "drawn"])
def test_a_study_can_be_repeated_over_the_range_of_sizes(at: str) -> None:
    name = f"stateful_{at}.v1"
    check_patient(
        name, lambda: PATIENTS.get(name).obj(ear=RuleEar()), load_case("alun"), PATIENTS.get(name).spec["emits"]
    )
    minds = [
        PATIENTS.get(name).obj(ear=RuleEar()).init(load_case("alun"), generator(s, "x", 0, "patient", -1)).mind
        for s in (1, 2)
    ]
    assert all(m.sizes.name == at for m in minds)
    assert (minds[0].sizes == minds[1].sizes) == (at != "drawn")


def test_a_parrot_earns_less_than_a_reflector_and_silence_nothing() -> None:
    def parrot(last: str) -> str:
        return last or "Hello."

    for case in CASES:
        met = standard(case, "reflector")[-1][1]["state"]["trust"]
        assert converse(case, parrot)[-1][1]["state"]["trust"] < met
    quiet = converse("alun", ("...",) * 10)
    assert abs(quiet[-1][1]["state"]["trust"] - quiet[0][1]["state_before"]["trust"]) < 1e-6
    for name in ("conviction", "distress"):
        assert quiet[-1][1]["state"][name] == quiet[0][1]["state_before"][name]


def test_distress_goes_up_by_nothing_that_is_told_but_what_is_raw_and_hurts() -> None:
    rose: dict[bool, list[float]] = {True: [], False: []}
    for case in CASES:
        tellings = index_case(load_case(case)).tellings
        for _, info in standard(case, "reflector"):
            telling = tellings.get(info["said"]["telling"] or "")
            hurts = telling is not None and telling.intensity > 0.45 and telling.affect not in ("", "fond", "proud")
            rose[hurts].append(info["state"]["distress"] - info["state_before"]["distress"])
    assert max(rose[False]) <= 0.0 < 0.02 < max(rose[True])


def test_scheduled_tellings_come_whatever_the_therapist_did() -> None:
    for case in ("alun", "tobias"):
        schedule = index_case(load_case(case)).file.schedule
        state = stateful(ear=RuleEar()).init(load_case(case), generator(1, f"stateful.v1/{case}", 0, "patient", -1))
        due = [p for p in state.memory.planned if p.due <= 9]
        assert 0 < len(state.memory.planned) < len(schedule)
        for which in (REFLECTOR, ("Hello.", *("Okay.",) * 11)):
            come = {i["said"]["telling"] for _, i in converse(case, which) if i["scheduled"]}
            # A thin answer stands for its telling and waits for a question.
            thin = {t.id for t in index_case(load_case(case)).file.tellings if t.moment == "thin"}
            assert {p.telling for p in due if p.telling not in come} <= thin, case


def test_a_question_asked_twice_gets_the_same_answer() -> None:
    said = converse("alun", ("Hello.", "How old are you?", "Do you drive?", "How old are you?"))
    assert "Seventy-one" in said[1][0]
    assert "Seventy-one" in said[3][0] or said[3][1]["scheduled"]


GUIDED = (
    "Hello Tobias. What brings you here?", "It sounds as if you're exhausted by it.",
    "You feel ashamed that it isn't finished.", "What is the hardest part?", "You sound afraid of what they'd say.",
    "How do you see yourself?", "You feel small, when you say that.", "Who do you work with?",
    "You feel ashamed next to them.", "Is there anything that doesn't fit with the idea that you can't do it?",
    "What would you say to Nele, if she was stuck?", "You'd be kind to her.", "Is there another way to look at it?",
    "What would you say to a friend in your place?", "What do you make of that?",
)  # fmt: skip


def test_own_evidence_moves_the_belief_and_being_told_does_not() -> None:
    said = converse("tobias", GUIDED, seed=2)
    kinds = [i["said"]["kind"] for _, i in said]
    assert "insight" in kinds
    assert said[kinds.index("insight")][1]["moment"] == "insight"
    assert said[-1][1]["state"]["conviction"] < said[0][1]["state_before"]["conviction"] - 0.05
    told = (*GUIDED[:9], *("You're not incompetent. You are capable. The truth is that you can do it.",) * 6)
    ends = converse("tobias", told, seed=2)
    assert ends[-1][1]["state"]["conviction"] >= ends[0][1]["state_before"]["conviction"]


def test_a_schema_breach_in_memory_is_a_contract_error() -> None:
    case = load_case("alun").model_copy(update={"truth": {"id": "alun"}})
    with pytest.raises(ContractError, match="load_case"):
        index_case(case)


def test_criticism_that_was_asked_for_is_no_rupture() -> None:
    index, mind = index_case(load_case("tobias")), Mind(reactance=0.1)
    said = Plan("tell", "answers the question", ("You're quick with the solutions.",), moment="invalidation")
    asked_for, unasked = (_afterwards(index, mind, said, Impact(yields=x)) for x in (True, False))
    assert not asked_for.pushed_back
    assert asked_for.reactance == mind.reactance
    assert unasked.pushed_back
    assert unasked.reactance > mind.reactance


def test_a_whole_sentence_that_answers_a_second_question_comes_as_said_before() -> None:
    asks = ("Hello.", "Were you ever seriously ill?", "What do you do?", "Have you been in hospital?")
    said = converse("tobias", asks)
    first, again = said[1], said[3]
    assert first[1]["said"]["kind"] == "yes_no"
    assert "fever" in first[0]
    assert again[1]["said"]["kind"] == "repeated"
    assert "fever" in again[0]
    assert first[0] != again[0]
