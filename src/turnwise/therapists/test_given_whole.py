"""What is given back carries the weight and is whole; what is asked could be answered, and was not answered already."""

import numpy as np
import pytest

from turnwise.therapists.clauses import supposed, trim, whole_clauses
from turnwise.therapists.giving_back import given_back
from turnwise.therapists.going_with import asks_again, goes_with, suits_told
from turnwise.therapists.mattering import stake_of, tense_of
from turnwise.therapists.near import naming, near_questions, tells_an_event
from turnwise.therapists.reflecting import heard_in, linking_lines
from turnwise.therapists.topics import of_a_life, worth_returning

SEEDS = range(12)


def _back(text: str) -> list[str]:
    return [line.text for seed in SEEDS for line in given_back(heard_in(text), np.random.default_rng(seed))]


def _asked(text: str) -> set[str]:
    return {line.text for seed in SEEDS for line in near_questions(heard_in(text), np.random.default_rng(seed))}


@pytest.mark.parametrize(
    "text",
    [
        "The tram is new. It's green, and then he takes the bus.",
        "They paid in full. I pay my way, I fold my own shirts.",
        "My uncle is well. He is in Malta, with a horse.",
        "It came to me in the lift, my aunt's sulking might be shyness.",
        "I drive up on Thursday at nine and I come back on Sunday at ten.",
        "I asked the clerk the same thing twice, in a way, and was told off.",
        "I always took Rosa, my aunt, for a happy woman.",
        "Maybe my uncle simply liked the quiet.",
        "This one I would keep for later.",
        "I stack the chairs. And I've the lamp in any case.",
        "If it's too loud, give me a wave.",
        "There are pencils in the tin, I think.",
        "Used to that, I am.",
        "I'd leave that one, if that suits.",
    ],
)
def test_the_lesser_thing_and_the_cut_one_are_not_given_back(text: str) -> None:
    assert _back(text) == []


@pytest.mark.parametrize(
    ("text", "back"),
    [
        ("We don't speak, me and my brother Karel.", "you don't speak, you and your brother karel"),
        (
            "My husband's gone silent, these weeks. I get up. He looks at me, and I go on eating.",
            "your husband's gone silent",
        ),
        ("She sent me here because I can't sleep.", "you can't sleep"),
        ("It's about my knee. It hurts on every stair.", "it hurts on every stair"),
        ("We work all right. I shouted at the boy in front of everybody.", "you shouted at the boy"),
        (
            "Dad laughed when I told him about the exam and I never told him another thing.",
            "you never told him another thing",
        ),
    ],
)
def test_the_clause_that_weighs_is_given_back_whole(text: str, back: str) -> None:
    assert any(back in line.lower() for line in _back(text))


@pytest.mark.parametrize(
    ("text", "never"),
    [
        ("If I quit I'm nothing. I'm a hat on a hook and they walk by.", "you're a hat"),
        ("I'd be rested, I suppose. Or the bell goes and I'm not already up.", "you're not already up"),
        ("I always said I want her gone, and I'm not sure it's her.", "you always said"),
        ("Now she looks at me, and I can see her packing.", "she looks at you"),
        ("My hands shook. I asked where I had to pay.", "you asked where"),
        ("He watches my hands while I count, and then he goes to bed.", "he goes to bed"),
    ],
)
def test_what_is_only_supposed_or_cut_is_not_told_back_as_so(text: str, never: str) -> None:
    assert all(never not in line.lower() for line in _back(text))


def test_what_is_supposed_ends_where_something_else_is_told() -> None:
    assert supposed(("If he rings I freeze.", "I can't breathe.", "I'm a nurse.")) == (False, False, False)
    assert supposed(("If I stop I'm nobody.", "I'm my father.", "I mean, I'm only a coat.")) == (False, True, True)
    assert supposed(("If you want, we can start.", "I'm a nurse.")) == (False, False)
    assert supposed(("I'd like to sleep.", "And I can't.")) == (False, False)


def test_clauses_keep_who_it_is_about_and_drop_only_times() -> None:
    assert whole_clauses("We never eat together, me and my son.") == ("We never eat together, me and my son",)
    assert whole_clauses("We never eat together, my son likes it.") == ("We never eat together", "my son likes it")
    assert trim("That one I would keep") == "That one I would keep"
    assert trim("That evening I sat up") == "I sat up"
    assert trim("Last Friday I sat up") == "I sat up"


@pytest.mark.parametrize(
    ("clause", "stake"),
    [
        ("I rent a flat", ""), ("I own a small boat", ""), ("I am stuck", "feeling"), ("I feel so small", "feeling"),
        ("I lost my sister", "loss"), ("I was lost", "feeling"), ("I asked who I had to pay", ""),
        ("I'm not sleeping", "body"), ("my uncle snored and cried", "bond"), ("my back hurts", "body"),
        ("I put on my hat", ""), ("I kept it from him", "hiding"), ("it's about my knee", ""),
    ],
)  # fmt: skip
def test_what_a_clause_is_about(clause: str, stake: str) -> None:
    assert stake_of(clause) == stake


def test_somebody_elses_doing_has_its_time() -> None:
    assert tense_of("Mum cried when I cut her hair") == "past"
    assert tense_of("Work is quiet") == "now"


@pytest.mark.parametrize(
    ("question", "told", "fits"),
    [
        ("What did you do, when it happened?", "I fell asleep at the till", False),
        ("What was going on, just before?", "I fell asleep at the till", True),
        ("What was going on, just before?", "My brother died", False),
        ("What has it been like since?", "My brother died", True),
        ("What happened next?", "I lost my keys", True),
        ("Take your time with that.", "I love the early shift", False),
        ("Take your time with that.", "I love him and I can't reach him", True),
    ],
)
def test_a_question_can_be_put_to_what_was_told(question: str, told: str, fits: bool) -> None:
    assert suits_told(question, told) is fits


def test_how_long_is_asked_of_what_lasts() -> None:
    assert not goes_with("How long has it been like that?", "I shouted at her")
    assert goes_with("How long has it been like that?", "I can't sleep")


def test_what_was_answered_is_not_asked_again() -> None:
    assert asks_again("Where does that leave you?", heard_in("Lonely, I'd say."))
    assert asks_again("What's that like for you?", heard_in("I am comfortable there."))
    assert asks_again("What were you telling yourself at that moment?", heard_in("I froze and I thought, here we go."))
    assert not asks_again("What went through your mind just then?", heard_in("I thought about it and I froze."))


def test_a_wish_has_no_next_and_a_story_one_moment() -> None:
    assert not tells_an_event("I'd like to tell my uncle that I stayed the whole evening.")
    assert tells_an_event("A man wanted to see the room, so I hid in the back.")
    assert "What happened next?" in _asked("I went down to the yard and sat on the step for a bit.")
    assert all("worst moment" not in x for x in _asked("I sat on the stairs and I couldn't get up."))


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("There was a goat at the station. On a trolley.", False), ("I keep them in the drawer.", False),
        ("I sat as a magistrate, in the north.", False), ("The ordinary things. My work, or the flat.", True),
        ("Mostly the dog, and then the baby.", True), ("Angry.", False), ("Nine pages.", False),
        ("Try me.", False), ("Dominoes.", True),
    ],
)  # fmt: skip
def test_only_what_lives_are_made_of_is_named(text: str, asked: bool) -> None:
    lines = naming(text, np.random.default_rng(3))
    assert bool(lines) is asked
    assert all("come into it" not in line.text and "comes to mind" not in line.text for line in lines)


def test_lives_are_made_of_people_and_work_and_not_of_things() -> None:
    assert all(of_a_life(x) for x in ("your niece", "your old job", "the choir", "your marriage"))
    assert not any(of_a_life(x) for x in ("the trolley", "your hand", "the window", "your work shoes"))


@pytest.mark.parametrize(
    ("text", "aside"),
    [
        ("My niece is getting married in April, and I'm to give the speech.", "April"),
        ("My aunt made the appointment, and I came by tram.", "your aunt"),
        ("My colleague listens to the tapes. I lie awake and I can't stop.", "your colleague"),
        ("The copies run every night at two, by themselves.", "every night"),
        ("At a funeral in May I shook a man's hand.", "in May"),
    ],
)
def test_asides_are_not_asked_about(text: str, aside: str) -> None:
    assert all(aside not in line for line in _asked(text))


def test_times_and_people_are_asked_about_where_they_are_the_matter() -> None:
    assert any("in March" in line for line in _asked("It started in March."))
    assert any("at night" in line for line in _asked("It's worst at night."))
    assert any("your aunt" in line for line in _asked("There's my aunt, as well."))


@pytest.mark.parametrize(
    ("text", "worth"),
    [
        ("I can't see who I've got.", False), ("Mum cried when I cut her hair.", False),
        ("I had to sign for the parcel.", False), ("I can't breathe on the stairs.", True),
        ("I miss my sister.", True),
    ],
)  # fmt: skip
def test_only_ones_own_lasting_burden_is_come_back_to(text: str, worth: bool) -> None:
    assert any(worth_returning(p) for p in heard_in(text).phrases) is worth


def test_only_two_things_about_the_same_person_are_linked() -> None:
    rng = np.random.default_rng(0)
    now = heard_in("I want to sleep again.")
    assert linking_lines(now, heard_in("I'm not sleeping.").phrases, rng) == []
    assert linking_lines(heard_in("I miss my son."), heard_in("I never ring my son.").phrases, rng)


def test_a_death_is_met_as_a_loss() -> None:
    lines = _back("I lost my brother in the spring.")
    assert any("great loss" in line for line in lines)
    assert all("I hear that" not in line and "All right" not in line for line in lines)
    for line in near_questions(heard_in("I lost my brother in the spring."), np.random.default_rng(1)):
        assert "make of that" not in line.text
        assert "last spring" not in line.text


def test_what_is_glad_is_not_mourned() -> None:
    assert all(
        "take that in" not in line and "sounds hard" not in line for line in _back("I feel brilliant, I tell you.")
    )
