from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.reading.scope import scope_code

ENGLISH = [
    "Mm-hmm.",
    "Okay.",
    "Jim's.",
    "Amazing!",
    "Yes, a bit.",
    "8",
    "Uh, ten?",
    "Cigarettes, mostly.",
    "Right. Exactly. Sure. Great. Absolutely. Yeah.",
    "It's like, you know, whatever.",
    "So it sounds like part of you would rather not talk about that today.",
    "je ne sais quoi, as they say",
    "I drank vodka, gin, rum, whisky, beer and wine.",
    "My naïve fiancé, José, moved to São Paulo with the kids.",
    "[laughs] No!",
]
FOREIGN = [
    "Ich bin heute sehr traurig.",
    "Ich weiß nicht, warum ich jeden Abend trinke und danach weine.",
    "Je ne suis pas bien depuis quelques semaines.",
    "No puedo dormir y estoy muy cansado de todo esto.",
    "Non riesco a dormire e sono molto stanco.",
    "Não consigo dormir e estou muito cansado.",
    "Ik voel me niet goed en ik heb het zwaar.",
    "Olen ollut viime aikoina väsynyt enkä jaksa enää tehdä mitään kotona.",
    "Jestem bardzo zmęczony, ponieważ całymi nocami leżę rozbudzony oraz płaczę.",
    "qwer asdf zxcv uiop hjkl bnm wert sdfg xcvb",
    "你好，今天怎么样？",
    "Привет, как дела?",
    "مرحبا بك",
    "...",
    "?!",
    "🙂",
]


@pytest.mark.parametrize("text", ENGLISH)
def test_english_is_read_however_short(text: str) -> None:
    assert scope_code(text) is None


@pytest.mark.parametrize("text", FOREIGN)
def test_what_is_clearly_not_english_is_not_read(text: str) -> None:
    assert scope_code(text) == "out_of_scope"


@given(st.text(alphabet=" \t\n\r\x0b\x0c\u00a0\u2003", max_size=10))
def test_blank_is_empty(text: str) -> None:
    assert scope_code(text) == "empty"


@given(st.text(max_size=200))
def test_any_text_gets_an_answer(text: str) -> None:
    assert scope_code(text) in (None, "empty", "out_of_scope")


@pytest.mark.parametrize(
    "text",
    [
        "def f(x):\n    return {k: v for k, v in x.items() if (v > 0) and k}",
        '{"role": "user", "content": [{"type": "text", "text": "hi"}], "id": 7}',
        "<div class='a'><p>hello</p><br/></div><script>x();</script>",
        "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |",
        "\x00\x00\x00", "😊😊", "***",
    ],
)  # fmt: skip
def test_code_and_signs_are_not_talk(text: str) -> None:
    assert scope_code(text) == "out_of_scope"


@pytest.mark.parametrize(
    "text",
    [
        "Here are some ideas:\n- go for a walk\n- **call** a friend (or your sister)\n1. Sleep\n2. Eat",
        "I said (and I mean it) that 50% of the time it's fine :-) and/or not & so on",
        "well... i dunno, it's like -- you know -- 24/7 & i can't stop (laughs)",
        "I'm fine. " * 10_000,
    ],
)
def test_lists_brackets_and_very_long_turns_are_talk(text: str) -> None:
    assert scope_code(text) is None
