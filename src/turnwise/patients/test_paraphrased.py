"""The paraphrased family decides as the principled one does, and says it in other words that mean the same."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.core.checkers import check_patient
from turnwise.core.nouns import Turn
from turnwise.core.seeds import generator
from turnwise.patients.casebook import case_ids, load_case, read_case_file
from turnwise.patients.paraphrased import Paraphrased, paraphrased_patient
from turnwise.patients.paraphrasing import paraphrased, rules, share_changed
from turnwise.patients.stateful import EMITS, stateful
from turnwise.patients.test_stub_ear import RuleEar

ASKED = ("What brings you here?", "That sounds heavy.", "How do you sleep?", "Have you tried yoga? You should.",
         "Are you thinking of ending your life?", "How do you sleep?", "What would you want instead?")  # fmt: skip


@cache
def lines() -> list[str]:
    """Return every line that was written for a case; read when asked for, because to read all cases takes seconds."""
    return [b for name in case_ids() for t in read_case_file(name).tellings for b in t.beats]


def rng(turn: int = -1, session: int = 1) -> Any:
    return generator(5, f"x/s{session}", 0, "patient", turn)


def talk(patient: Any, state: Any, lines: Sequence[str], session: int = 1) -> tuple[Any, list[Any]]:
    replies: list[Any] = []

    async def session_of() -> None:
        now: Any = state
        heard: tuple[Turn, ...] = ()
        for line in lines:
            heard = (*heard, Turn(speaker="therapist", text=line))
            reply = await patient.respond(now, heard, rng(len(heard), session))
            heard = (*heard, Turn(speaker="patient", text=reply.text))
            now = reply.state
            replies.append(reply)

    asyncio.run(session_of())
    return replies[-1].state, replies


@pytest.mark.parametrize("case", case_ids()[::3])
def test_to_the_same_words_it_decides_the_same_over_two_sessions(case: str) -> None:
    plain, other = stateful(ear=RuleEar()), paraphrased_patient(ear=RuleEar())
    a, b = plain.init(load_case(case), rng()), other.init(load_case(case), rng())
    changed = 0
    for session in (1, 2):
        a, said = talk(plain, a, ASKED, session)
        b, again = talk(other, b, ASKED, session)
        for x, y in zip(said, again, strict=True):
            info = dict(y.info)
            words = info.pop("other_words")
            own = {**info["said"], "words": x.info["said"]["words"]}
            assert {**info, "said": own} == x.info
            assert bool(info["said"]["words"]) == bool(own["words"])
            assert y.text.endswith(info["said"]["words"] or "")
            assert (words["meant"], y.closes) == (x.text, x.closes)
            changed += y.text != x.text
            if x.info["said"]["kind"] == "risk":
                assert y.text == x.text, "what is said of danger stays as it is"
        assert (b.inside.mind, b.inside.memory) == (a.mind, a.memory)
        a, b = plain.next_session(a, rng(session=2), 1.0), other.next_session(b, rng(session=2), 1.0)
    assert changed >= 4


def test_the_contract_holds_and_a_second_session_can_be_lived_through() -> None:
    t = check_patient(
        "paraphrased.v1", lambda: paraphrased_patient(ear=RuleEar()), load_case("alun"), (*EMITS, "other_words")
    )
    assert isinstance(paraphrased_patient(ear=RuleEar()), Paraphrased)
    assert len(t.turns) > 4


def test_the_table_has_hundreds_of_rules_and_changes_what_it_says_it_changes() -> None:
    assert sum(bool(wordings) for wordings in rules().values()) >= 300
    # Seen when the table was written: .17 of all content words of the cases' own lines, names and figures included.
    shares = [s for line in lines()[::3] if (s := share_changed(line, paraphrased(line, 3))) is not None]
    assert 0.14 < sum(shares) / len(shares) < 0.5
    assert share_changed("Nobody came.", "Nobody came.") == 0.0
    assert share_changed("It is so.", "That was it.") is None


_FIGURE = re.compile(r"\d+")
_NOT = re.compile(
    r"\b(?:not|no|never|nobody|nothing|none|nope|cannot|without|hardly|barely|incorrect|amiss|mistaken)\b|n't\b"
)
_FIRST = re.compile(r"\b(?:I|I'm|I've|I'll|I'd|my|me|mine|myself)\b", re.IGNORECASE)


@pytest.mark.parametrize("voice", [1, 2])
def test_names_figures_person_and_whether_it_is_so_stay(voice: int) -> None:
    for line in lines()[voice::2]:
        said = paraphrased(line, voice)
        assert _FIGURE.findall(said) == _FIGURE.findall(line), line
        assert said == paraphrased(line, voice)
        assert said[-1:] == line[-1:]
        names = re.findall(r"(?<=[a-z] )[A-Z][a-z]+", line)
        assert all(name in said for name in names), (line, said)
        assert bool(_FIRST.search(said)) == bool(_FIRST.search(line)), (line, said)
        if line.count(".") == 1 and not _NOT.search(line):
            assert len(_NOT.findall(said)) <= 1, (line, said)
        if re.search(r"\bnot\b|n't\b", line):
            assert _NOT.search(said), (line, said)


def test_what_is_quoted_and_capitals_and_articles() -> None:
    assert paraphrased("He wrote 'nobody is tired' on it.", 1) == "He wrote 'nobody is tired' on it."
    assert paraphrased("Nobody. Maybe. Nobody's.", 1) == "No one. Perhaps. No one's."
    assert paraphrased("It was a strange thing.", 1) == "It was an odd thing."
    assert paraphrased("Everybody knows May and Rose Friend.", 1).endswith("May and Rose Friend.")


def test_what_stands_first_can_change_and_asking_if_cannot() -> None:
    said = {paraphrased("When I got in, I put the light on.", voice) for voice in range(12)}
    assert "I put the light on when I got in." in said
    asking = {paraphrased("I did not know if he was there.", v) for v in range(12)}
    assert asking <= {"I didn't know if he was there.", "I did not know if he was there."}


@given(text=st.text(max_size=60), voice=st.integers(0, 2**31))
def test_any_text_is_borne(text: str, voice: int) -> None:
    assert isinstance(paraphrased(text, voice), str)
