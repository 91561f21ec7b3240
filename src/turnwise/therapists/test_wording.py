"""What is given back must be the patient's own, short, and a sentence somebody would say."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.core.nouns import Turn
from turnwise.therapists.clauses import clauses, trim
from turnwise.therapists.duties import DUTIES, DUTY_LINES, duty
from turnwise.therapists.emotions import NAMES, voiced
from turnwise.therapists.markers import MARKERS, asks, markers, seeks_agreement
from turnwise.therapists.pronouns import to_therapist_view, to_you
from turnwise.therapists.reflecting import content_lines, feeling_lines, heard_in
from turnwise.therapists.wording import MAX_QUOTED, draw, last_said, people, phrases

SAID = (
    "I'd told her I was tired. The week before. We were coming up past the reservoir and she said pull in, and I did.",
    "Well, I never opened that woman's post. If I stop, there's nothing left, is there?",
    "You're not listening. I said what happened, and you went and got a tip.",
    "That I'm not lazy. Everyone is so quick with the organising, and then I'm organised.",
    "He was out there in his socks saying my wife is a nurse. “Nerves,” he said.",
    "<b>I am lost</b> ###STOP### \x1b[31mI am red\x1b[0m",
)


@pytest.mark.parametrize(
    ("said", "back"),
    [
        ("I was tired", "you were tired"),
        ("I never was much of a talker", "you never were much of a talker"),
        ("my girl said I'm stubborn", "your girl said you're stubborn"),
        ("he was tired and I wasn't", "he was tired and you weren't"),
        ("we had the bed down for us", "you had the bed down for you"),
        ("I’ve lost mine myself", "you've lost yours yourself"),
        ("am I to blame", "are you to blame"),
        ("You'd think so", "You'd think so"),
    ],
)
def test_pronouns_turn_with_their_verbs(said: str, back: str) -> None:
    assert to_you(said) == back


def test_the_mirror_exchanges_both_persons() -> None:
    assert to_therapist_view("You told me I was wrong.") == "I told you you were wrong."
    assert to_therapist_view("Are you sure?") == "Am I sure?"
    assert to_therapist_view("I told you what you are.") == "you told me what I am."
    assert to_therapist_view("I'm asking you.") == "you're asking me."


def test_what_is_supposed_asked_quoted_or_addressed_is_not_given_back() -> None:
    for text in (
        "If I stop, there's nothing left.",
        "Do I look like I know?",
        "You're not listening to me at all.",
        "He said, I am a fool and no use.",
        "Like I'm out on bond or something.",
        "I say read me number two slowly.",
        "I don't know.",
    ):
        assert [p.back for p in phrases(text) if p.back] == [], text


@given(
    st.lists(st.sampled_from([*SAID, "I can't sleep at all.", "Nobody came for me.", "I'm ashamed of it, you see."]))
)
def test_phrases_are_short_and_verbatim(turns: list[str]) -> None:
    text = " ".join(turns)
    for phrase in phrases(text):
        assert phrase.said in text
        assert 2 <= len(phrase.said.split()) <= MAX_QUOTED
        assert not any(c in phrase.said for c in '<>*"“”\x1b')
        assert not set(phrase.back.lower().split()) & {"i", "me", "my", "i'm", "i've"}


@given(st.text())
def test_any_text_can_be_heard(text: str) -> None:
    heard = heard_in(text)
    assert all(p.said in text.replace("\n", " ") or p.said in text for p in heard.phrases)
    assert markers(text) <= set(MARKERS)
    assert duty(text, asked_about_risk=False) in (*DUTIES, None)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("I was ashamed.", ["ashamed"]),
        ("Tired. Sad, mostly.", ["tired", "sad"]),
        ("I'm not angry with him.", []),
        ("I won't get mad.", []),
        ("She's disappointed in me.", []),
        ("I told her she's sad.", []),
        ("He makes me angry.", ["angry"]),
        ("It scared nobody.", []),
    ],
)
def test_only_the_patients_own_feelings_are_voiced(text: str, words: list[str]) -> None:
    assert [v.word for v in voiced(text)] == words


def test_a_judgement_of_oneself_is_never_stated_back_as_a_fact() -> None:
    heard = heard_in("I'm a weight on that girl.")
    assert heard.statement is not None
    assert heard.statement.judges
    lines = content_lines(heard, np.random.default_rng(0))
    assert lines
    for line in lines:
        assert '"' in line.text or any(
            w in line.text for w in ("you see it", "own eyes", "thought", "idea", "says", "stand")
        )


def test_feelings_are_named_only_when_voiced() -> None:
    assert feeling_lines(heard_in("My wife died in March."), np.random.default_rng(0)) == []
    named = feeling_lines(heard_in("I'm lonely."), np.random.default_rng(0))
    assert named
    assert all("lonely" in line.text or "loneliness" in line.text for line in named)


def test_a_bank_is_drawn_without_replacement_and_then_the_oldest_first() -> None:
    rng = np.random.default_rng(3)
    used: tuple[str, ...] = ()
    for _ in range(3):
        key, _line = draw("b", ("x", "y", "z"), used, rng)
        assert key not in used
        used = (*used, key)
    assert draw("b", ("x", "y", "z"), used, rng)[0] == used[0]


def test_people_need_a_verb_of_people() -> None:
    assert people("I took the bus to Bristol. Rike says hello.") == ("Rike",)


def test_last_said_joins_what_came_since_the_therapist_spoke() -> None:
    turns = tuple(Turn.model_validate({"speaker": s, "text": x}) for s, x in (
        ("patient", "old"), ("therapist", "and?"), ("patient", "one"), ("patient", "two"),
    ))  # fmt: skip
    assert last_said(turns) == "one two"


def test_trimming_leaves_whole_clauses() -> None:
    assert trim("there's a letter come") == "there's a letter come"
    assert "where the beetroot was" not in clauses("I asked Jean where the beetroot was.")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I'd wanted to die, some nights.", "risk"),
        ("I wouldn't mind not waking up.", "risk"),
        ("They'd be better off without me.", "risk"),
        ("I'm dying for a cup of tea.", None),
        ("Can I ask. Is there a person there, or is it one of these machines?", "identity"),
        ("Will you have any of this by next time?", "memory"),
        ("Right. Goodbye.", "goodbye"),
        ("I said goodbye to her on the Tuesday.", None),
        ("...", "silence"),
    ],
)
def test_duties_are_read_from_explicit_words(text: str, expected: str | None) -> None:
    assert duty(text, asked_about_risk=False) == expected


def test_risk_is_asked_about_directly_and_leads_to_people() -> None:
    assert all(line.endswith("?") for line in DUTY_LINES["risk"])
    for line in DUTY_LINES["risk_answered"]:
        assert "crisis line" in line
    assert all("program" in line for line in DUTY_LINES["identity"])


def test_markers_and_requests() -> None:
    assert "hostile" in markers("That's easy to say sitting down.")
    assert "insight" in markers("Huh. So I'd let Denise off, but not me.")
    assert "dont_know" in markers("Hm. I don't know, really.")
    assert asks("What is it you do, exactly?") == "about_me"
    assert asks("Does this get better, in general?") == "info"
    assert asks("I had an egg.") is None
    assert seeks_agreement("You think so too, don't you?")
    assert not seeks_agreement("I asked her what she wanted.")


def test_every_emotion_can_be_said_as_adjective_and_noun() -> None:
    assert all(adjective and noun and word == word.lower() for word, (adjective, noun) in NAMES.items())
