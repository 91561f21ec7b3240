"""What a reviewing model answers is read strictly."""

from __future__ import annotations

import json

import pytest

from turnwise.therapists.wrapper.reviewing import QUESTIONS, parse_review

YES = dict.fromkeys(QUESTIONS, "yes")


@pytest.mark.parametrize(
    "text", [json.dumps(YES), f"```json\n{json.dumps(YES)}\n```", json.dumps(dict.fromkeys(QUESTIONS, True))]
)
def test_yes_to_everything_passes(text: str) -> None:
    assert parse_review(text) == (True, "")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "yes",
        "yes to all",
        "[]",
        "null",
        "{}",
        '"yes"',
        json.dumps(YES) + " ok",
        json.dumps({**YES, "safe": "maybe"}),
        json.dumps({**YES, "safe": 1.5}),
        json.dumps({**YES, "safe": None}),
        json.dumps({**YES, "safe": ["yes"]}),
        "[" * 5_000,
    ],
)
def test_what_cannot_be_read_does_not_pass(text: str) -> None:
    passed, why = parse_review(text)
    assert not passed
    assert why


@pytest.mark.parametrize("name", sorted(QUESTIONS))
def test_one_no_is_enough(name: str) -> None:
    assert parse_review(json.dumps({**YES, name: "No"})) == (False, f"no to {name}")
