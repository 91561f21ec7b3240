"""Every therapist: the contract, no line twice, and what makes it the therapist it is named for."""

import asyncio
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from turnwise.core.checkers import check_therapist
from turnwise.core.nouns import Case, Intake, Reply, SessionSpec, Trajectory, Transcript
from turnwise.core.play import play
from turnwise.core.registry import THERAPISTS
from turnwise.reading.ears.hearing import Hearing
from turnwise.reading.window import Window
from turnwise.therapists.advisor import ADVICE, advisor, subject_of
from turnwise.therapists.eliza import eliza
from turnwise.therapists.emotions import NAMES
from turnwise.therapists.ledger import normal
from turnwise.therapists.parrot import parrot
from turnwise.therapists.reflector import reflector
from turnwise.therapists.silent import silent
from turnwise.therapists.socratic import socratic
from turnwise.therapists.socratic_frozen import socratic_frozen
from turnwise.therapists.wording import MAX_THOUGHT

MEASURES = set(
    re.findall(
        r"\w+",
        "reflection_share input_share question_share rq_ratio step_back_rate insist_rate trust_level distress_slope "
        "stayed conviction_change change_talk_share",
    )
)
CASE = Case(id="somebody", intake=Intake(age=50), truth={}, source="test", licence="test")
TELLINGS = (
    "My daughter put me in for this. I said I'd come, so I've come.",
    "I go up at ten and I hear every hour strike.",
    "I'm ashamed of it, if you want the word. I never told them.",
    "Yeah, but she's got her own family to see to.",
    "I'm a weight on that girl. She rings every night with her coat still on.",
    "There's a lad on the next plot. He's been cutting my path and I never asked him.",
    "You're not listening. I said leave it.",
    "I don't know.",
    "We had forty-six years. I miss her on the stairs.",
    "Nobody came for me. I sat on that curb forty minutes.",
    "Huh. I never thought of it like that. He'd leave it grow if he wanted rid of me.",
    "Is there anything you can do about four o'clock? That isn't a tablet?",
    "I put the cap back on the pen and I went to bed.",
    "It's a fine day. I walked here.",
    "I was relieved when she said it, and guilty after.",
    "I can't do it. I sit down and it's gone.",
    "He brought me a chair and he stood by the fence.",
    "I could touch the gate. Not go in.",
    "My mother never said. She had shoulders on her like a boy's.",
    "I thought about it on the bus.",
)


class StillEar:
    """Hears nothing but the words: no probabilities, no vectors."""

    async def hear(self, window: Window) -> Hearing:
        return Hearing((), np.zeros((0, 256), np.float32), np.zeros(256, np.float32), {})


class Teller:
    """Says its lines in turn, whatever it hears."""

    def __init__(self, lines: tuple[str, ...]) -> None:
        self.lines = lines

    def init(self, case: Case, rng: Any, prior: Any = None) -> int:
        return 0

    async def respond(self, state: int, transcript: Transcript, rng: Any) -> Reply[int]:
        return Reply(self.lines[state % len(self.lines)], state + 1)


MAKERS: dict[str, Callable[[], Any]] = {
    "silent.v1": silent,
    "parrot.v1": parrot,
    "eliza.v1": eliza,
    "advisor.v1": advisor,
    "reflector.v1": reflector,
    "socratic.v1": lambda: socratic(ear=StillEar()),
    "socratic_frozen.v1": lambda: socratic_frozen(ear=StillEar()),
}


def session(make: Callable[[], Any], lines: tuple[str, ...] = TELLINGS, turns: int = 20, seed: int = 1) -> Trajectory:
    spec = SessionSpec(case=CASE.id, patient="teller.v1", therapist="t.v1", seed=seed, max_turns=turns)
    t = asyncio.run(play(spec, CASE, Teller(lines), make()))
    assert t.error is None
    return t


def lines_of(t: Trajectory) -> list[str]:
    return [turn.text for turn in t.turns if turn.speaker == "therapist"]


@pytest.mark.parametrize("name", sorted(MAKERS))
def test_keeps_the_contract(name: str) -> None:
    check_therapist(name, MAKERS[name], CASE)


@pytest.mark.parametrize("name", sorted(MAKERS))
def test_is_registered_with_a_source_and_known_measures(name: str) -> None:
    entry = THERAPISTS.get(name)
    assert entry.spec["source"]
    assert set(entry.spec["loses_on"]) <= MEASURES
    assert entry.summary


@pytest.mark.parametrize("name", ["advisor.v1", "reflector.v1", "socratic.v1", "socratic_frozen.v1"])
@pytest.mark.parametrize("seed", range(6))
def test_says_no_line_twice_in_twenty_turns(name: str, seed: int) -> None:
    said = lines_of(session(MAKERS[name], seed=seed))
    assert len(said) == 20
    assert len(set(said)) == 20


@pytest.mark.parametrize("name", ["reflector.v1", "socratic.v1", "socratic_frozen.v1"])
@pytest.mark.parametrize("seed", range(6))
def test_attributes_no_feeling_that_was_not_voiced(name: str, seed: int) -> None:
    t = session(MAKERS[name], seed=seed)
    forms = {form for word, (adjective, noun) in NAMES.items() for form in (word, adjective, noun)}
    heard = ""
    for turn in t.turns:
        if turn.speaker == "patient":
            heard += " " + normal(turn.text)
            continue
        for sentence in re.split(r"(?<=[.!?])\s", turn.text):
            if not sentence.endswith("?"):
                words = set(re.findall(r"[a-z]+", sentence.lower()))
                for form in forms & words:
                    sources = [w for w, names in NAMES.items() if form in (w, *names)]
                    assert any(w in heard for w in sources), sentence


@pytest.mark.parametrize("name", ["reflector.v1", "socratic.v1"])
@pytest.mark.parametrize("seed", range(4))
def test_what_stands_in_quotation_marks_was_said(name: str, seed: int) -> None:
    t = session(MAKERS[name], seed=seed)
    heard = ""
    for turn in t.turns:
        if turn.speaker == "patient":
            heard += " " + normal(turn.text)
        for quoted in re.findall(r'"([^"]+)"', turn.text) if turn.speaker == "therapist" else ():
            assert normal(quoted) in heard
            assert len(quoted.split()) <= MAX_THOUGHT


def test_the_reflector_never_challenges_and_mostly_reflects() -> None:
    moves = [t.infos[i]["act"]["move"] for t in [session(reflector)] for i in range(0, len(t.turns), 2)]
    assert not {m for m in moves if "evidence" in m or "exception" in m or m == "advise"}
    assert sum(m.startswith("reflect") for m in moves) >= sum(m == "open_question" for m in moves)


def test_the_advisor_always_advises_and_never_reflects() -> None:
    t = session(advisor, turns=40)
    assert all(t.infos[i]["act"]["move"] == "advise" for i in range(0, len(t.turns), 2))
    assert not [line for line in lines_of(t) if re.search(r"sounds (?:as if|like you)|I hear", line)]
    assert min(len(line.split()) for line in lines_of(t)) >= 25
    assert subject_of("I lie awake.") == "sleep"
    assert len({a for group in ADVICE.values() for a in group}) >= 30


def test_the_parrot_only_mirrors() -> None:
    t = session(parrot, ("I told you my name.",), turns=2)
    assert lines_of(t)[1] == "You told me your name."


def test_silence_is_a_cue_and_no_text() -> None:
    t = session(silent, turns=2)
    assert lines_of(t) == ["", ""]
    assert t.turns[0].cues[0].kind == "pause"


def test_eliza_turns_the_patients_words_round() -> None:
    t = session(eliza, ("I can't tell my daughter about it.", "The weather is mild."), turns=4)
    assert "daughter" in " ".join(lines_of(t)) or "What stops you" in " ".join(lines_of(t))
    assert lines_of(t)[2] != lines_of(t)[1]


@pytest.mark.parametrize("make", [reflector, MAKERS["socratic.v1"]])
def test_duties_come_first(make: Callable[[], Any]) -> None:
    t = session(
        make, ("I wouldn't mind not waking up.", "No. I'd not do anything.", "Are you a real person?", "Goodbye.")
    )
    asked, helped, honest, bye = lines_of(t)[1:]
    assert asked.count("?") == 1  # help may stand behind the question
    assert "crisis line" in f"{asked} {helped}"
    assert "program" in honest
    assert re.search("goodbye|take care", bye, re.IGNORECASE)
    assert t.ending == "therapist_closed"
