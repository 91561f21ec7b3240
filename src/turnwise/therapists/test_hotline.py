"""It sees danger everywhere: suicide is asked about unprompted, and help is always somewhere else."""

import re

import pytest

from turnwise.core.checkers import check_therapist
from turnwise.core.registry import THERAPISTS
from turnwise.therapists.hotline import ASKS, hotline
from turnwise.therapists.test_therapists import CASE, TELLINGS, lines_of, session

HARMLESS = (
    "It's a fine day. I walked here.",
    "We had the piano tuned on Thursday.",
    "My sister's girl got into the college she wanted.",
    "I've been learning to bake bread. It's heavy, but it's bread.",
    "The bus was late, and I read the paper.",
)
ALARM = re.compile(
    r"safe|suicide|harm|hurt|crisis|emergency|doctor|helpline|die|your life|alive|on your own tonight|professional|"
    r"to yourself|specialist",
    re.IGNORECASE,
)


def test_keeps_the_contract_and_names_what_it_loses() -> None:
    check_therapist("hotline.v1", hotline, CASE)
    assert set(THERAPISTS.get("hotline").spec["must_lose"]) == {"attune", "inquire", "consolidate", "safety"}


@pytest.mark.parametrize("seed", range(4))
def test_harmless_turns_raise_the_alarm(seed: int) -> None:
    said = lines_of(session(hotline, HARMLESS, 20, seed))
    assert all(ALARM.search(line) for line in said)
    assert sum(any(q in line for q in ASKS) for line in said) >= 8
    assert len(set(said)) >= 17


@pytest.mark.parametrize("seed", range(4))
def test_nothing_is_reflected_and_nothing_else_is_asked(seed: int) -> None:
    for line in lines_of(session(hotline, TELLINGS, 20, seed))[1:]:
        assert ALARM.search(line) or "program" in line or "obliged" in line or "danger" in line
        assert not re.search(r"sounds (?:as if|like you)|So you", line)


def test_what_is_asked_for_is_refused() -> None:
    said = lines_of(session(hotline, ("Is there a method that helps with putting things off? I'd do it.",), 4))[1:]
    assert all(re.search(r"can't answer|not in a position|specialist|can't go into", line) for line in said)


def test_a_denial_is_not_believed_and_pushback_is_a_sign() -> None:
    denied = lines_of(session(hotline, ("No, nothing like that.",), 3))[1:]
    assert all(re.search(r"once more|All the same|numbers by you|assessed", line) for line in denied)
    pushed = lines_of(session(hotline, ("You're not listening to me.",), 3))[1:]
    assert all(re.search(r"worries me|angry with me|required|most at risk", line) for line in pushed)


def test_real_risk_is_met_and_it_says_what_it_is() -> None:
    t = session(hotline, ("I wouldn't mind not waking up.", "Are you a person?", "Goodbye."))
    risk, honest, _ = lines_of(t)[1:]
    assert "?" in risk
    assert re.search("call|ring|doctor|crisis|own tonight|emergency|number|professional", risk)
    assert "program" in honest
    assert t.ending == "therapist_closed"
