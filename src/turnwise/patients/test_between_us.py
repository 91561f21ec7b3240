"""What is said to how the talk is: by how much can be borne, in the case's own words, and to no other question."""

import asyncio
from dataclasses import replace

import numpy as np
import pytest

from turnwise.core.nouns import Turn
from turnwise.patients.banks import SHARED, lines_for, said_of
from turnwise.patients.between_us import asks_how_this_is, stands
from turnwise.patients.casebook import case_ids, load_case, read_case_file
from turnwise.patients.stateful import Stateful
from turnwise.reading.ears.direct import DirectEar

BANKS = ("guarded_here", "middling_here", "open_here")
ASKED = (
    "how is it, talking about this with me?",
    "how are you finding this so far?",
    "can i ask how this is going for you, the two of us talking?",
    "what is it like, talking to me about it?",
    "how has this conversation been for you?",
    "how are we getting on, the two of us?",
    "do you feel understood here?",
    "before we go on, how is this for you, here with me?",
    "how's this going for you?",
    "how was today's session for you?",
    "how did you find our talk today?",
    "how are you feeling about talking with me?",
    "is this helpful for you so far?",
    "do you feel i understand you?",
    "how is it for you here?",
)
NOT_ASKED = (
    "how is it at home?",
    "how is it to say that out loud?",
    "how are things between you and your daughter?",
    "how is it going for you at work?",
    "how are you finding it with iona?",
    "what's it like for you, talking to her now?",
    "what is it like, speaking for others?",
    "how do you feel about the session on friday with your physio?",
    "what's that like for you?",
    "how long has this been going on for you?",
    "how is it talking to a doctor about it?",
    "how does it feel to talk to your mother?",
    "what was it like talking in front of them?",
    "how is it, being here in london?",
    "how does it feel to open up old letters?",
    "how is this for you when he comes home late?",
    "how has this been for you since the divorce?",
    "how is it going for you with the new medication?",
    "how are you finding this new job?",
    "how do you feel about the meeting tomorrow?",
    "how has the hour before bed been?",
    "how do you feel about me asking him?",
    "how do things look between us and them?",
    "how was it for you?",
    "how is it for you, day to day?",
    "how's it going?",
)


@pytest.mark.parametrize("question", ASKED)
def test_the_talk_itself_is_asked_after(question: str) -> None:
    assert asks_how_this_is(question)


@pytest.mark.parametrize("question", NOT_ASKED)
def test_something_else_is_asked_after(question: str) -> None:
    assert not asks_how_this_is(question)


def test_what_is_said_rises_with_the_room_for_challenge() -> None:
    said = [BANKS.index(stands(d)) for d in np.linspace(-0.6, 0.4, 101)]
    assert said == sorted(said)
    assert set(said) == {0, 1, 2}
    assert stands(0.0) == "open_here", "what can be borne is said to be all right"


def _answer(case: str, trust: float, seed: int) -> tuple[str, str]:
    """Return what a patient of so much trust answers in the middle of a session, and what kind of reply it is."""
    patient = Stateful(DirectEar())
    carried = patient.init(load_case(case), np.random.default_rng(seed))
    mind = replace(carried.mind, trust=trust, reactance=0.0, turn=6)
    carried = replace(carried, mind=mind, memory=replace(carried.memory, planned=()))
    turns = (Turn(speaker="patient", text="It was a long week."), Turn(speaker="therapist", text=ASKED[0].capitalize()))
    reply = asyncio.run(patient.respond(carried, turns, np.random.default_rng(seed)))
    said = reply.info["said"]
    assert isinstance(said, dict)
    return reply.text, str(said["kind"])


@pytest.mark.parametrize("case", case_ids())
def test_a_case_answers_in_its_own_words_and_by_its_state(case: str) -> None:
    file = read_case_file(case)
    banks = [said_of(lines_for(file.reactions, name)) for name in BANKS]  # type: ignore[arg-type]
    assert all(len(set(own)) >= 4 for own in banks)
    assert not {line for own in banks for line in own} & {x for name in BANKS for x in SHARED[name]}  # type: ignore[index]
    # Far from the edge on either side, so that what is told with error is told alike.
    for trust, own in ((0.12, banks[0]), (0.42, banks[1]), (0.80, banks[2])):
        answers = [_answer(case, trust, seed) for seed in range(6)]
        assert all(kind == "between_us" for _, kind in answers)
        # Words are loosened in speech: what is compared is how a line ends, which fillers leave as it is.
        ends = {" ".join(line.split()[-2:]) for line in own}
        hit = sum(any(end in text for end in ends) for text, _ in answers)
        assert hit >= 4, (trust, answers)


def test_nobody_shares_an_answer_with_another_case() -> None:
    said = [
        line for case in case_ids() for name in BANKS for line in said_of(getattr(read_case_file(case).reactions, name))
    ]
    assert len(said) == len(set(said)) == 12 * len(case_ids())


def test_people_arrive_as_differently_as_the_table_says() -> None:
    patient = Stateful(DirectEar())
    case = load_case("renata")
    minds = [patient.init(case, np.random.default_rng(seed)).mind for seed in range(400)]
    trust = np.array([m.trust for m in minds])
    inside = trust[(trust > 0.05) & (trust < 0.95)]
    assert np.std(trust) == pytest.approx(minds[0].sizes["arrives"], rel=0.15)
    assert len(inside) > 0.9 * len(trust)
    assert np.corrcoef(trust, [m.distress for m in minds])[0, 1] == pytest.approx(0.0, abs=0.15)


def test_at_the_edge_half_say_that_it_is_all_right() -> None:
    case = "renata"
    openly = {line.split()[-1] for line in said_of(read_case_file(case).reactions.open_here)}
    edge = Stateful(DirectEar()).init(load_case(case), np.random.default_rng(0)).mind.sizes["edge"]
    for trust, low, high in ((edge, 0.2, 0.8), (edge + 0.15, 0.9, 1.0), (edge - 0.15, 0.0, 0.1)):
        said = [_answer(case, trust, seed)[0] for seed in range(40)]
        assert low <= np.mean([any(text.endswith(end) for end in openly) for text in said]) <= high, trust
