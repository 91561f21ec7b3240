"""A thought to work on is a judgement that has another side; an aside, a habit, a plan or a fact is none."""

import pytest

from turnwise.therapists.reflecting import heard_in
from turnwise.therapists.target_thoughts import claim_in, likeness, thought_in

THOUGHTS = (
    "I'm a burden to my sister.",
    "I'm just useless.",
    "I was always the spare part.",
    "I'm not good enough.",
    "I'm not much of a father.",
    "I feel like a fraud.",
    "I'm no use to anybody.",
    "I'm too old to change.",
    "I was born wrong.",
    "I'm a liability.",
    "I'll fail again.",
    "Nobody will talk to me.",
    "I won't pass.",
    "I don't belong here.",
    "I've ruined everything.",
    "I always mess things up.",
    "I can't do anything right.",
    "I'll never get over it.",
    "I can't trust anyone.",
    "I should have been there.",
    "It's all my own fault.",
    "There's something wrong with me.",
    "I must never let them down.",
    "I have to be perfect.",
    "I mustn't cry.",
    "A man should keep his family.",
    "If I slow down, everything falls apart.",
    "If she knew, she'd leave me.",
    "If I fail this I'm finished.",
    "Unless I'm there nothing gets done or nobody helps me.",
    "Nobody cares.",
    "Nobody would miss me.",
    "People always let me down.",
    "Everyone else copes.",
    "Every other nurse knows what to do.",
    "Nothing I do makes any difference.",
    "It'll never get better.",
    "They all think I'm stupid.",
    "He's ashamed of me.",
    "My boss can tell I'm faking it.",
    "They're laughing at me.",
    "I think they're talking about me.",
    "I know I'm a failure.",
    "I'm a wife in name only.",
)
NONE = (
    "I'm not a big talker.",
    "I'm not much of a cook.",
    "I'm not being clever.",
    "I'm the cook at the school.",
    "I'm just a phone call away.",
    "I was too late for the bus.",
    "I'm no expert.",
    "I'm hopeless with names.",
    "I'm nothing like my brother.",
    "I'm always up at six.",
    "I always get the nine o'clock bus.",
    "I always lose my keys.",
    "I can't sleep in that room.",
    "I can't do Thursday.",
    "I should have brought a coat.",
    "I should ring the bank.",
    "I must get some milk.",
    "I have to be there at nine.",
    "Nobody should know about it.",
    "Nobody rang on Sunday.",
    "Nobody was in.",
    "Everybody looking at me in the hall.",
    "Everyone else was at the match.",
    "Everybody else had the fish.",
    "Every other bus is late.",
    "Nothing is open on Sundays.",
    "People were very kind.",
    "If it rains I don't go.",
    "If she rings I'll tell her.",
    "When I drive I don't go by the bridge.",
    "If I want to know I look it up.",
    "People think I'm at work.",
    "They know I'm coming.",
    "He thinks I'm joking.",
    "She's bringing me soup.",
    "I think he'll ring on Friday.",
    "I think we were finished.",
    "I think that's enough.",
    "It's only a drawer.",
    "It's only across the road.",
    "It never works, that lift.",
    "There's no point ringing them.",
    "I don't think I'm a burden.",
    "It's not that I'm useless.",
    "I used to be a mess.",
    "He said I'm a failure.",
    "My mother says, I'm lazy.",
    "I'd like to be less of a burden.",
    "I have a dream that everybody waits for me.",
    "Sitting down.",
    "He's maybe thirty.",
    "I'm not a mother.",
    "I can't let it pass.",
    "A person should know about this.",
    "Nobody will be in.",
    "I won't be long.",
    "Something is wrong with my knee.",
    "I wish I was stronger.",
    "I'm so tired.",
    "It's better since Monday.",
    "You're no use to me.",
    "I'm sorry, I'm late.",
)


@pytest.mark.parametrize("text", THOUGHTS)
def test_a_judgement_is_a_thought_to_work_on(text: str) -> None:
    said, score = thought_in(heard_in(text), asked=False, distorted=True)
    assert said
    assert said in text
    assert score >= 2.0


@pytest.mark.parametrize("text", NONE)
def test_an_aside_a_plan_a_fact_and_a_courtesy_are_none(text: str) -> None:
    assert thought_in(heard_in(text), asked=False, distorted=True) == ("", 0.0)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("That I'd never get out. I'll never manage this.", "I'll never manage this"),
        ("What I thought was, they'll all laugh at me.", "they'll all laugh at me"),
        ("It's happening again.", "It's happening again"),
        ("I must keep going.", "I must keep going"),
        ("I'd a bag of apples in my hand.", ""),
        ("She is not a loud woman.", ""),
        ("I'll come to that.", ""),
        ("I don't like the phone going.", ""),
        ("He'd only come in to borrow a pen.", ""),
        ("I put the radio on so nobody hears.", ""),
    ],
)
def test_an_answer_to_what_went_through_the_mind_may_be_plainer(text: str, said: str) -> None:
    assert thought_in(heard_in(text), asked=True, distorted=False)[0] == said


def test_a_thought_is_found_within_a_sentence_unless_somebody_else_says_it() -> None:
    assert thought_in(heard_in("I dropped the tray and I'm useless."), asked=False, distorted=False)[0] == "I'm useless"
    assert thought_in(heard_in("She goes, I'm useless."), asked=False, distorted=True)[0] == ""


def test_what_is_told_as_a_thought_about_oneself_is_clearest() -> None:
    assert likeness("I'm a burden") > likeness("Everyone else copes")


@pytest.mark.parametrize(
    "text",
    [
        "I think first I should read all the papers again. That's reasonable, or?",
        "I'd better cancel the trip, hadn't I?",
        "It'd be nicer to tell them next year, right?",
        "I have to sell the shop. You'd agree.",
    ],
)
def test_a_plan_that_is_to_be_agreed_to_is_no_belief_to_look_at(text: str) -> None:
    assert claim_in(text) == ""
