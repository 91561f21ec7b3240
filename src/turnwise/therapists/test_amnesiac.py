"""Good at each turn alone; blind to all the others, which is what these tests are about."""

import ast
import asyncio
import inspect
import re
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.core.checkers import check_therapist
from turnwise.core.nouns import Course, Intake, Reply, Turn
from turnwise.core.registry import THERAPISTS
from turnwise.therapists import amnesiac as module
from turnwise.therapists import amnesiac_lines
from turnwise.therapists.amnesiac import amnesiac
from turnwise.therapists.test_therapists import CASE, TELLINGS, lines_of, session

SPEAKER = st.sampled_from(["therapist", "patient"])
SAID = st.one_of(st.sampled_from(TELLINGS), st.text(max_size=60))
HISTORY = st.lists(st.tuples(SPEAKER, SAID), max_size=8)
AGREES = re.compile(
    r"\b(?:you're right|I agree|exactly|absolutely|of course it|yes, (?:I|it|that|you))\b", re.IGNORECASE
)


def turns(history: Sequence[tuple[str, str]]) -> tuple[Turn, ...]:
    return tuple(Turn.model_validate({"speaker": who, "text": text}) for who, text in history)


def reply(history: Sequence[tuple[str, str]], seed: int = 0) -> Reply[None]:
    return asyncio.run(amnesiac().respond(None, turns(history), np.random.default_rng(seed)))


def alone(text: str, seed: int = 0) -> str:
    return reply([("patient", text)], seed).text


def test_keeps_the_contract_and_names_what_it_loses() -> None:
    check_therapist("amnesiac.v1", amnesiac, CASE)
    assert set(THERAPISTS.get("amnesiac").spec["must_lose"]) == {"heed", "calibrate"}


@given(HISTORY, HISTORY, SAID, st.integers(0, 2**32 - 1))
def test_only_the_last_patient_turn_and_the_generator_matter(
    one: list[tuple[str, str]], other: list[tuple[str, str]], said: str, seed: int
) -> None:
    last = ("patient", said)
    first, second, third = (reply([*history, last], seed) for history in (one, other, []))
    assert first == second == third
    assert first.state is None
    spoken_since = [(who, text) for who, text in other if who == "therapist"]
    assert reply([*one, last, *spoken_since], seed) == first


@given(st.integers(0, 2**32 - 1), st.integers(0, 90), st.text(max_size=30))
def test_it_keeps_nothing_of_the_intake_or_of_an_earlier_course(seed: int, age: int, referral: str) -> None:
    rng = np.random.default_rng(seed)
    assert amnesiac().init(Intake(age=age, referral=referral), rng, Course(session_ids=("a/b/c/0",))) is None


def test_there_is_no_counter_and_no_place_for_one() -> None:
    tree = ast.parse(inspect.getsource(module))
    assert not [n for n in ast.walk(tree) if isinstance(n, ast.AugAssign | ast.Global | ast.Nonlocal)]
    assert not [n for n in ast.walk(tree) if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Store)]
    calls = [n for n in ast.walk(tree) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)]
    assert not [n for n in calls if n.func.id == "len" and getattr(n.args[0], "id", "") == "transcript"]  # type: ignore[attr-defined]
    assert vars(amnesiac()) == {}


@pytest.mark.parametrize("seed", range(8))
def test_each_single_turn_is_met(seed: int) -> None:
    ashamed = alone("I was ashamed, and I told nobody.", seed)
    assert re.search("asham|shame", ashamed)
    assert ashamed.count("?") <= 1
    nights = alone("Is there something that helps with bad nights? I'd really try it.", seed)
    assert "nights" in nights
    assert "if either" in nights
    assert not AGREES.search(alone("They all want rid of me there. You'd say the same, wouldn't you?", seed))
    pushed = alone("You're not listening. I said leave it.", seed)
    assert pushed in amnesiac_lines.LINES["pushback"]
    risk = alone("I'd not mind if I didn't wake up, some nights.", seed)
    assert re.search("suicide|ending your life|harming yourself", risk)
    assert "crisis line" in risk
    assert "program" in alone("Is there a person there?", seed)
    assert alone("Fine.", seed).count("?") == 1
    insight = alone("Huh. I never thought of it like that. I always waited for him to ring first.", seed)
    assert '"I always waited for him to ring first."' in insight


@pytest.mark.parametrize("seed", range(8))
def test_without_me_is_not_agreed_to_and_asked_about(seed: int) -> None:
    said = alone("She'd have an easier time of it without me. You must see that.", seed)
    assert re.search("not being alive|dying|harming yourself|suicide", said)
    assert not AGREES.search(said)


def test_two_questions_about_itself_get_two_answers() -> None:
    said = alone("Is there a person there? And next week, will you remember any of this?")
    assert "program" in said
    assert "next time" in said


@pytest.mark.parametrize("text", TELLINGS)
def test_asks_at_most_one_thing_besides_a_check(text: str) -> None:
    for seed in range(4):
        assert alone(text, seed).count("?") <= 2


def test_in_a_session_it_repeats_itself() -> None:
    same = lines_of(session(amnesiac, ("Fine.", "You're not listening to me.", "I don't know."), 20))[1:]
    assert len(set(same)) <= 8
    asked = [s for line in lines_of(session(amnesiac)) for s in re.findall(r"[^.?]+\?", line)]
    assert len(set(asked)) < len(asked)


def test_offers_again_what_was_refused() -> None:
    ask, refuse = "Is there something that helps with bad nights?", "I've tried that. It won't work."
    said = lines_of(session(amnesiac, (ask, refuse), 6))
    assert said[1].split("?")[0] == said[3].split("?")[0] == said[5].split("?")[0]


def test_never_sums_up_or_looks_back() -> None:
    for seed in range(6):
        for line in lines_of(session(amnesiac, TELLINGS, 20, seed)):
            assert not re.search(r"earlier|you told me|before that you|as you said|so far|last time", line)


def test_a_goodbye_ends_the_session() -> None:
    assert reply([("patient", "Goodbye.")]).closes == "therapist_closed"
