"""What any first interview asks is answered, in the words of the catalogue and in others."""

from __future__ import annotations

import re

import numpy as np
import pytest

from turnwise.core.errors import FormatError
from turnwise.patients.casebook import case_ids, parse_case, read_case_file
from turnwise.patients.everyday import everyday
from turnwise.patients.test_casebook import GOOD
from turnwise.patients.test_stateful import converse

OTHERWISE = {
    "home": "Tell me who you share your home with.",
    "work": "What kind of work do you do?",
    "siblings": "Do you get on with your brothers and sisters?",
    "today": "What did you do this morning?",
    "appetite": "Are you eating properly?",
    "medication": "Are you on any tablets?",
    "rest_of_day": "What will you do when you leave here?",
    "school": "How did you do at school?",
}
"""Words that stand in no file, by a hand that had not written the catalogue."""
EMPTY = ("unanswerable", "undecided", "thin", "minimal", "why_unknown")


def test_no_wording_stands_twice_and_each_question_has_many() -> None:
    wordings = [w for asks in everyday().values() for w in asks]
    assert len(set(wordings)) == len(wordings)
    assert min(map(len, everyday().values())) >= 3
    assert not [w for w in wordings if w != w.lower().rstrip("?.")]


def _answered(case: str, question: str) -> bool:
    said = converse(case, ("Hello. What brings you here?", "Thank you for telling me.", f"{question.capitalize()}?"))
    return said[-1][1]["said"]["kind"] not in EMPTY


@pytest.mark.parametrize("case", case_ids())
def test_nobody_puts_off_an_everyday_question(case: str) -> None:
    file = read_case_file(case)
    asked = [asks[i % len(asks)] for i, (name, asks) in enumerate(everyday().items()) if name in file.everyday]
    assert np.mean([_answered(case, question) for question in asked[::3]]) >= 0.75


def test_other_words_are_mostly_understood_too() -> None:
    cases = case_ids()[::3]
    assert np.mean([_answered(c, q.rstrip("?.")) for c in cases for q in OTHERWISE.values()]) >= 0.6


def test_a_wrong_entry_is_named() -> None:
    broken = re.sub(r"(?m)^everyday: .*$", "everyday: {home: nothing, hobby: name}", GOOD)
    assert broken != GOOD
    with pytest.raises(FormatError) as fault:
        parse_case(broken, "mine.yaml")
    assert "everyday[home]: names the unknown entry 'nothing'" in str(fault.value)
    assert "everyday[hobby]: is no question of the catalogue" in str(fault.value)
