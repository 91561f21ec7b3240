"""Which words are given back, with what around them, and which question may follow."""

import numpy as np
import pytest

from turnwise.therapists.examining import led
from turnwise.therapists.giving_back import feelings_back, given_back, weighty
from turnwise.therapists.going_with import asks_again, goes_with
from turnwise.therapists.mattering import is_administrative, is_arrival, tense_of
from turnwise.therapists.meeting import MEETING
from turnwise.therapists.pronouns import to_you
from turnwise.therapists.reflecting import Line, heard_in
from turnwise.therapists.withholding import defers, only_quoted, unsayable

SEEDS = range(12)


def _said(text: str) -> list[str]:
    return [line.text for seed in SEEDS for line in given_back(heard_in(text), np.random.default_rng(seed))]


@pytest.mark.parametrize(
    "text",
    [
        "We can get back to that later.",
        "I don't want to go into that.",
        "I'd sooner skip that one.",
        "I haven't worked that one out yet.",
        "Some other time.",
        "She asked was there a bus.",
        "I didn't want to bother anyone.",
        "I need a letter for the landlord.",
        "There's a fella upstairs plays the drums.",
    ],
)
def test_what_is_put_off_asked_for_or_broken_is_not_given_back(text: str) -> None:
    assert _said(text) == []


@pytest.mark.parametrize("text", ["I'd better not be late again.", "My lungs have stopped."])
def test_threats_and_findings_are_only_quoted(text: str) -> None:
    assert heard_in(text).statement is None
    lines = _said(text)
    assert lines
    assert all(f'"{text[0].upper()}{text[1:-1]}' in line for line in lines)


def test_a_verdict_on_oneself_is_given_back_as_a_view() -> None:
    turn = heard_in("I'm always kind of a bystander.")
    assert turn.phrases[0].judges
    plain = "You're always kind of a bystander."
    assert all(line != plain for line in _said(turn.text))


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("My uncle waters the ferns. I couldn't get out of the chair.", "you couldn't get out of the chair"),
        ("I never sleep now. He plays the flute.", "you never sleep now"),
        ("She told me I'm tired. I miss my brother.", "you miss my brother".replace("my", "your")),
    ],
)
def test_what_weighs_comes_first(text: str, first: str) -> None:
    assert weighty(heard_in(text))[0].back == first


@pytest.mark.parametrize("text", ["He kicks the bucket over.", "He used to mend the clocks.", "I am a plumber."])
def test_what_somebody_else_does_and_what_one_is_do_not_weigh(text: str) -> None:
    assert weighty(heard_in(text)) == []


def test_only_the_end_of_what_was_told_is_echoed() -> None:
    assert _said("I called my cousin. It went on for a bit.") == []
    assert _said("I was cycling by the canal, and the ground of the whole world tipped.") == []
    assert _said("The tram was late. I walked home.") == []
    assert any("you walked home in the rain" in line.lower() for line in _said("I walked home in the rain."))
    assert _said("I could take the bus on Fridays.") == ['"I could take the bus on Fridays."'] or all(
        "you could" not in line.lower() for line in _said("I could take the bus on Fridays.")
    )


def test_nothing_is_guessed_around_a_fact() -> None:
    for text in ("I fell asleep on the tram.", "I keep the forms in a tin.", "I don't park on the left."):
        for line in _said(text):
            assert not any(
                w in line for w in ("wear on", "costs you", "reason for it", "otherwise", "change", "your own")
            )
            assert "sounds hard" not in line


def test_a_feeling_in_a_word_is_not_put_into_anything() -> None:
    for seed in SEEDS:
        for line in feelings_back(heard_in("Lonely, mostly."), np.random.default_rng(seed)):
            assert "lonely" in line.text.lower()
            assert "you say" not in line.text
    both = feelings_back(heard_in("Scared at first, and then a bit silly."), np.random.default_rng(0))
    assert both[0].text == '"Scared at first, and then a bit silly."'


@pytest.mark.parametrize(
    ("clause", "tense"),
    [
        ("I've got three jobs on the go", "now"),
        ("I have forty of them", "now"),
        ("I wake at ten to five", "now"),
        ("I could not get up", "past"),
        ("In May I left the choir", "past"),
        ("She drew it on a napkin", "past"),
        ("I did not want to disturb him", "past"),
        ("I don't want to sit there", "now"),
        ("I want to sit down", "wished"),
        ("I should like it finished", "wished"),
    ],
)
def test_the_time_of_what_is_told(clause: str, tense: str) -> None:
    assert tense_of(clause) == tense


def test_questions_follow_in_the_same_time_and_do_not_ask_again() -> None:
    for text in ("I can't get out of bed.", "I couldn't get out of bed.", "I'm afraid of the stairs."):
        turn = heard_in(text)
        for bank in ("attend_now", "attend_past"):
            lines = [Line(f"x.{i}", x) for i, x in enumerate(MEETING[bank])]
            for line in led(lines, turn, np.random.default_rng(1)):
                assert "+" not in line.id or goes_with(line.id and line.text.split(". ")[-1], turn.text)
                assert not asks_again(line.text, turn)


def test_small_readings() -> None:
    assert to_you("I should like it settled") == "you would like it settled"
    assert to_you("I should go") == "you should go"
    assert is_arrival("My aunt said I should come.")
    assert not is_arrival("My aunt said I was late.")
    assert is_administrative("I don't want to be taking up a chair")
    assert not is_administrative("I don't want to be alone")
    assert defers("Can I get back to that later")
    assert not defers("I came back to it later that year and wept")
    assert unsayable("nobody coming for the keys")
    assert not unsayable("nobody came for the keys")
    assert not only_quoted("my mind goes to the door")
