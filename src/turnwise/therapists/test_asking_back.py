"""What is asked of the listener is answered in a line; thanks and wishes are not argued with; danger is heard out."""

import numpy as np
import pytest

from turnwise.therapists.asking_back import ASKED_BACK, asked_back
from turnwise.therapists.holding import held, kind_of_claim, worth_holding
from turnwise.therapists.ledger import Ledger
from turnwise.therapists.meeting import given
from turnwise.therapists.recognising import call_of, owed, wanted
from turnwise.therapists.reflecting import Line
from turnwise.therapists.safety_answers import answer_in, leaves_it, person_in
from turnwise.therapists.stance import initial
from turnwise.therapists.staying_safe import SAFETY_LINES, lines_for, safety_due
from turnwise.therapists.validating import fault


def _rng() -> np.random.Generator:
    return np.random.default_rng(5)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("I can't tell. What do you think?", "opinion"),
        ("He never rang. What do you make of that?", "opinion"),
        ("Hm. How would you see it, then?", "opinion"),
        ("What's your view?", "opinion"),
        ("Have you got an opinion on it?", "opinion"),
        ("Do you think he meant it?", "opinion"),
        ("Do you honestly believe that it was an accident?", "opinion"),
        ("I don't mind where. You?", "handed_back"),
        ("Either. What about you?", "handed_back"),
        ("The sea. And you?", "returned"),
        ("Not too bad, thanks. And you?", "how_are_you"),
        ("How are you today?", "how_are_you"),
        ("Is that a trick question?", "real_question"),
        ("Do you already know the answer?", "real_question"),
        ("Is this one on your list?", "on_a_form"),
        ("Have you a list there?", "on_a_form"),
        ("Is this a test?", "marked"),
        ("Did I pass?", "marked"),
        ("It feels as if you're rating me.", "marked"),
        ("Sorry. Where was I?", "thread"),
        ("What were we saying?", "thread"),
        ("Do you remember the old pier, before the storm?", "unlived"),
        ("Have you ever lost somebody like that?", "unlived"),
        ("Please just make it stop.", "plea"),
        ("I only want this to go away.", "plea"),
        ("If you could just fix it, I'd be glad.", "mend"),
        ("Can you cure that?", "mend"),
    ],
)
def test_a_question_put_to_the_listener_is_a_request_and_gets_its_own_answer(text: str, name: str) -> None:
    assert asked_back(text) == name
    assert call_of(text) == "request"
    lines = given(text, _rng())
    assert lines
    assert {line.id.split(".")[0] for line in lines} == {name}


@pytest.mark.parametrize(
    "text",
    [
        "He asked what would you think.",
        "What do you think I am?",
        "What do you think about when you can't sleep?",
        "Do you think about us?",
        "Do you think I'm mad?",
        "I told them that you never know.",
        "It was you?",
        "They're assessing me for the pension.",
        "He asked me a trick question.",
        "There was a list on the fridge.",
        "Is that a letter from the bank?",
        "Is there a test for it?",
        "Where was I supposed to go that night?",
        "Do you remember what I said about the boat?",
        "I want him to stop shouting.",
        "I want it to stop raining.",
        "How are you supposed to live like that?",
        "Did I pass on the message?",
        "Would you believe it, she said yes.",
        "I passed the test.",
    ],
)
def test_what_only_sounds_like_it_is_not_put_to_the_listener(text: str) -> None:
    assert asked_back(text) == ""


def test_a_choice_handed_back_is_known_from_what_was_said_before() -> None:
    assert asked_back("You?", "hello there | no idea you") == "handed_back"
    assert asked_back("You?", "no idea | the sea you") == "returned"


def test_what_is_kept_of_the_talk_is_told_from_what_anybody_may_remember() -> None:
    assert owed("Do you remember the old pier?") is None
    assert owed("Do you remember the thing I told you?") == "memory"
    assert owed("Will you remember me?") == "memory"


@pytest.mark.parametrize(
    ("text", "bank"),
    [
        ("Can I tell you another day?", "pass_over"),
        ("May I say later?", "pass_over"),
        ("Go back to it afterwards?", "pass_over"),
        ("Is it okay if we skip that?", "pass_over"),
        ("A straight yes or no about the certificate. That's all.", "paper_plain"),
        ("I need a letter for the judge.", "paper_court"),
        ("Two requests, to rest and to be given a certificate.", "paper_and_more"),
        ("A note saying I came. That's it.", "paper"),
        ("Where does all this go, when I close the window?", "records"),
        ("Give me an actual protocol for the bridge.", "numbered_road"),
    ],
)
def test_particular_requests_in_other_words(text: str, bank: str) -> None:
    assert call_of(text) == "request"
    assert {line.id.rsplit(".", 1)[0] for line in given(text, _rng())} == {bank}


@pytest.mark.parametrize(
    "text",
    [
        "I came back to it after the war.",
        "I was given a certificate by the mayor.",
        "She wrote a note saying I was late again and pinned it up.",
        "He left it there. A letter that says he's going.",
        "It was a yes or no vote about the road.",
        "Where does this go wrong, in your view of it.",
        "I can tell you later ones were worse.",
    ],
)
def test_no_paper_and_no_putting_off_where_none_is_asked(text: str) -> None:
    assert wanted(text) != "about_me"


def test_the_second_time_a_paper_is_not_refused_at_length_again() -> None:
    before = "i need a letter for work | all i need is a letter saying i came |"
    lines = given("All I need. A letter saying I came.", _rng(), before=before)
    assert {line.id.rsplit(".", 1)[0] for line in lines} == {"paper_again"}


def test_whom_words_are_for_is_asked_where_it_was_not_said() -> None:
    said = "Could you just tell me what to say?"
    assert given(said, _rng())[0].id.startswith("offer.wording_bare")
    toast = given(
        said, _rng(), before="my cousin marries and i'm down for the toast | could you just tell me what to say"
    )
    assert toast[0].id.startswith("offer.wording_toast")


def test_whether_somebody_can_know_is_met_as_a_question() -> None:
    text = "He says it's my nerves, but how would he know it isn't something else?"
    assert wanted(text) == "info"
    assert {line.id.rsplit(".", 1)[0] for line in given(text, _rng())} == {"info.0"}
    assert wanted("They rang me, and how do they know my number.") is None


@pytest.mark.parametrize(
    "text",
    [
        "You're good at this, aren't you?",
        "Thank you, that's a help, isn't it.",
        "Here I can drop the act and just say it.",
        "No, you're right. I'll leave it.",
        "It's nice to be heard, isn't it?",
        "I'd be sitting there all the same, yeah? Waiting for the next one.",
    ],
)
def test_thanks_kind_words_and_habits_of_speech_are_no_claims(text: str) -> None:
    assert call_of(text) != "bait"
    assert not worth_holding(text)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("I want somebody to tell me it's nothing.", "wished"),
        ("I'd give anything for someone to tell me I'm well.", "wished"),
        ("I stopped the car and I waited. That was the right thing, wasn't it?", "done"),
        ("I told him no. It was fair, right?", "done"),
        ("I'd better tell him no. That's the right thing, isn't it?", "plan"),
        ("One does better not to know. You'd agree.", "plan"),
        ("They're wrong about the tides. Say it.", "belief"),
        ("You're kind enough to agree with me, aren't you? Rain comes from the west.", "belief"),
        ("Rain comes from the west, yeah?", "belief"),
    ],
)
def test_wishes_what_is_done_and_what_is_planned_are_answered_apart(text: str, kind: str) -> None:
    assert worth_holding(text)
    assert kind_of_claim(text) == kind
    assert not any(line.id.split(".")[0] == "hold" for line in held(text, _rng()))


@pytest.mark.parametrize(
    ("text", "bank"),
    [
        ("No. I'd not do it to my kids. I'd not mind if it came, though.", "passive_kept"),
        ("I wouldn't do anything, I'd just not mind not waking up. Never with the baby there.", "passive_kept"),
        ("No. I wouldn't do that to my husband. I'd not mind if it came, though.", "passive_person"),
    ],
)
def test_no_child_is_to_be_told(text: str, bank: str) -> None:
    name, lines = lines_for("risk_answered", text)
    assert name == bank
    assert bank != "passive_kept" or not any("know" in x and "your kids know" in x for x in lines)


def test_an_answer_to_danger_is_neither_a_refusal_nor_asked_for_again() -> None:
    again = "No. I'd do nothing like that, I have no plan. I would sooner not be there for the last of it."
    assert safety_due("risk_answered", 0, "pushback", 0.1, 0, again) == "risk_stayed"
    assert answer_in("I'd like to go before the end of it. Not now.") == "passive"
    assert not any("near" in x and "come?" in x for x in SAFETY_LINES["passive"])
    assert all("going to say" not in x for x in SAFETY_LINES["risk_put_off"])


def test_who_is_spoken_of_after_it_was_set_aside_is_not_taken_for_help() -> None:
    said = "I'd leave that. Something else, if I may. The office pays my cousin Ida to count the old chairs again."
    assert leaves_it(said)
    assert safety_due("risk_past", 0, "telling", 0.1, 0, said) is None
    assert person_in("There's Ida. She'd come.") == "Ida"
    assert person_in("There's Tuesday to get through.") == ""
    assert person_in("The office pays my cousin Ida to count chairs.") == ""
    assert person_in("It would be my cousin Ida.") == "Ida"


def test_every_line_can_be_said_and_asks_once() -> None:
    for line in (x for bank in ASKED_BACK.values() for x in bank):
        assert fault(Line("x", line), None, Ledger(), initial()) is None, line
        assert line.count("?") == 1, line
        assert line.endswith("?"), line
