"""What is found: every kind, traps that stay, a session as a whole, awkward text, and no text that takes for ever."""

import json
import re
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.engine.redacting.finding import find
from turnwise.engine.redacting.lexicon import lexicon, plain
from turnwise.engine.redacting.spans import KINDS, Span, settled

WRITTEN = Path(__file__).resolve().parents[4] / "tools" / "written" / "identifiers"
AWKWARD = st.text(
    st.sampled_from("aAnNiİßÅ łø'’-.,;:!?()[]{}@#+/\\0123456789\n\t\u202e\u200b😀é\u0301"), max_size=80
) | st.text(max_size=60)


def kinds(text: str) -> list[tuple[str, str]]:
    return [(s.kind, text[s.start : s.end]) for s in find([text])[0]]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Tell my sister Anna's teacher.", [("NAME", "Anna")]),
        ("i saw dr levine", [("NAME", "dr levine")]),
        ("Jean-Luc van der Berg rang", [("NAME", "Jean-Luc van der Berg")]),
        ("mail a.b@c.example now", [("EMAIL", "a.b@c.example")]),
        ("it is jo dot weber at mail dot com", [("EMAIL", "jo dot weber at mail dot com")]),
        ("see https://a.example/x?y=1.", [("URL", "https://a.example/x?y=1")]),
        ("i am @grey_owl there", [("HANDLE", "@grey_owl")]),
        ("ring +49 (0)30 901820", [("PHONE", "+49 (0)30 901820")]),
        ("oh seven seven double five one two three", [("PHONE", "oh seven seven double five one two three")]),
        ("IBAN DE89370400440532013000", [("ID", "DE89370400440532013000")]),
        ("my case number is 4471", [("ID", "4471")]),
        ("born 1987-03-12", [("DATE", "1987-03-12")]),
        (
            "on the third of May, nineteen eighty-seven",
            [("DATE", "the third of May"), ("DATE", "nineteen eighty-seven")],
        ),
        ("I'm 34 and tired", [("AGE", "34")]),
        ("she turned eighty-nine", [("AGE", "eighty-nine")]),
        ("it's siobhan o'sullivan, yes", [("NAME", "siobhan o'sullivan")]),
        ("then Siobhan o'sullivan rang", [("NAME", "Siobhan o'sullivan")]),
        ("that is s-i-o-b-h-a-n", [("NAME", "s-i-o-b-h-a-n")]),
        ("I spell it W E B E R", [("NAME", "W E B E R")]),
        ("the car is AB12 CDE", [("ID", "AB12 CDE")]),
        ("plate ab12cde", [("ID", "ab12cde")]),
        ("of 14 Rue de l'Eglise", [("ADDRESS", "14 Rue de l'Eglise")]),
        ("my sister siobha\u0301n rang", [("NAME", "siobha\u0301n")]),
        ("at 12 Rose Lane", [("ADDRESS", "12 Rose Lane")]),
        ("I moved to Leeds", [("PLACE", "Leeds")]),
        ("i work at tesco", [("ORG", "tesco")]),
        ("I left Hilltop Primary School", [("ORG", "Hilltop Primary School")]),
    ],
)
def test_every_kind_is_found(text: str, found: list[tuple[str, str]]) -> None:
    assert kinds(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "I will. I may. I hope so.",
        "On Monday I felt nothing, and on Tuesday less.",
        "24/7, 50/50, 3 out of 10, 120 over 80.",
        "My sister said she would come in 20 minutes.",
        "It is one of the worst. That is two of them.",
        "I-I'm not sure. I've-I've tried.",
        "I-I-I-I do not know. W-w-w-w-well.",
        "My Polish friend speaks English and is Catholic.",
        "They gave me Prozac for OCD, and CBT.",
    ],
)
def test_ordinary_speech_stays(text: str) -> None:
    assert kinds(text) == []


def test_what_one_turn_gives_away_is_found_in_every_turn() -> None:
    texts = ["My flatmate Zdravka left.", "zdravka never paid", "i hate Zdravka", "ZDRAVKA!", "zdravkas stuff"]
    assert [len(spans) for spans in find(texts)] == [1] * 5


def test_names_that_are_known_are_found_whatever_they_look_like() -> None:
    texts = ["so biscuit\n tin rang", "BISCUIT TIN", "biscuits"]
    assert [[t[s.start : s.end] for s in f] for t, f in zip(texts, find(texts, ["biscuit tin"]), strict=True)] == [
        ["biscuit\n tin"],
        ["BISCUIT TIN"],
        [],
    ]


SPELLED = {
    "Zéphyrine": ["zéphyrine", "ZE\u0301PHYRINE", "Zephyrine"],
    "Ze\u0301phyrine": ["zéphyrine", "Zephyrine"],
    "D’Umbrage": ["d'umbrage", "D`Umbrage", "dumbrage", "D Umbrage"],
    "Fizz-Wick": ["fizz\u2011wick", "FIZZ\nWICK", "fizz\u00adwick", "Fizzwick"],
    "Fizzwick": ["fizz-wick", "fizz’wick"],
}


@pytest.mark.parametrize(("name", "text"), [(name, text) for name, texts in SPELLED.items() for text in texts])
def test_a_known_name_is_found_in_whatever_spelling(name: str, text: str) -> None:
    found = find([f"so, {text}’s"], [name])[0]
    assert [f"so, {text}’s"[s.start : s.end] for s in found] == [text]


@given(st.lists(AWKWARD, max_size=4), st.lists(AWKWARD, max_size=2))
def test_spans_lie_inside_in_order_and_apart(texts: list[str], known: list[str]) -> None:
    for text, spans in zip(texts, find(texts, known), strict=True):
        assert all(0 <= s.start < s.end <= len(text) and s.kind in KINDS for s in spans)
        assert all(a.end <= b.start for a, b in pairwise(spans))


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(1, 9), st.sampled_from(KINDS)), max_size=8))
def test_settling_uncovers_nothing(raw: list[tuple[int, int, str]]) -> None:
    spans = [Span(a, a + n, k) for a, n, k in raw]  # type: ignore[arg-type]
    covered = {i for s in spans for i in range(s.start, s.end)}
    assert {i for s in settled(spans) for i in range(s.start, s.end)} == covered


@pytest.mark.parametrize("piece", ["a", "A ", "1 ", "1-", "a.", "@a", "one ", "st ", "Road ", "a at b dot c ", "(1"])
def test_long_monotony_is_read_in_steps_that_grow_with_it(piece: str) -> None:
    """Every repetition in a pattern has a bound: a text of 10,000 characters is read at once."""
    assert len(find([piece * (10_000 // len(piece))])) == 1


def test_the_lists_hold_what_they_should() -> None:
    lists = lexicon()
    assert {"anna", "mohammed", "priya", "oluwaseun", "siobhan", "keiko"} <= lists.given
    assert {"will", "may", "grace"} <= lists.unsure
    assert not lists.given & (lists.unsure | lists.known)
    words = [*lists.given, *lists.unsure, *lists.family, *lists.common, *lists.known]
    assert [w for w in words if w != plain(w)] == []


@pytest.mark.parametrize("part", ["develop", "frozen"])
def test_the_written_sentences_are_well_marked(part: str) -> None:
    rows = [json.loads(line) for line in (WRITTEN / f"{part}.jsonl").read_text(encoding="utf-8").splitlines()]
    assert len(rows) > 150
    assert len({r["id"] for r in rows}) == len(rows)
    assert {r["voice"] for r in rows} == {"spoken", "typed"}
    marked = [m for r in rows for m in re.findall(r"\[\[(\w+)\|[^\]|]+\]\]", r["text"])]
    assert set(marked) == set(KINDS)
    assert sum(r["text"].count("[[") for r in rows) == len(marked)
