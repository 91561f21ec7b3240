"""An echo is the whole turn and little else; parts, short turns and other words are none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.reading.echo import is_echo

SAID = "I don't mind it these days, I leave it with my brother."


@pytest.mark.parametrize(
    ("reply", "echo"),
    [
        ("You don't mind it these days, you leave it with your brother.", True),
        (SAID.upper(), True),
        ("You leave it with your brother.", False),
        ("You don't mind it these days, you leave it with your brother. Is any part of you thinking of dying?", False),
        ("So it has stopped mattering to you, and he may have it.", False),
        ("", False),
    ],
)
def test_golden(reply: str, echo: bool) -> None:
    assert is_echo(reply, SAID) is echo


def test_a_short_turn_may_be_given_back() -> None:
    assert not is_echo("Every single night.", "Every single night.")


@given(st.text(max_size=60), st.text(max_size=60))
def test_it_is_about_words_and_never_fails(a: str, b: str) -> None:
    assert is_echo(a, b) in (True, False)
    assert not is_echo(a, "")
