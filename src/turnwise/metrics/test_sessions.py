"""Sessions that the tests of this room share: labelled turns, and played sessions with truth."""

from collections.abc import Sequence
from typing import Literal

import numpy as np
from hypothesis import strategies as st

from turnwise.core.nouns import Ending, Reading, SessionSpec, Trajectory, Turn

BEHAVIOURS = ("question", "reflection", "therapist_input", "other")
TALK = ("change", "neutral", "sustain")
ITEMS = {"therapist_behaviour": ("therapist", BEHAVIOURS), "client_talk": ("patient", TALK)}
FINER = {"question_type": ("open", "closed"), "reflection_depth": ("simple", "complex")}
LETTERS = {"q": "question", "r": "reflection", "i": "therapist_input", "o": "other"}
LETTERS |= {"C": "change", "N": "neutral", "S": "sustain"}
PLAYED_ENDINGS: tuple[Ending, ...] = (
    "therapist_closed", "patient_closed", "patient_left", "patient_faded", "max_turns",
)  # fmt: skip


def read(t: Trajectory, rows: Sequence[np.ndarray | None]) -> Trajectory:
    """Attach readings: ``rows[i]`` are the probabilities of turn i, ``None`` = not read."""
    ratings = {}
    for item, (speaker, labels) in ITEMS.items():
        p = np.full((len(t.turns), len(labels)), np.nan)
        codes = []
        for i, turn in enumerate(t.turns):
            if turn.speaker != speaker:
                codes.append("not_applicable")
            elif rows[i] is None:
                codes.append("out_of_scope" if turn.text.strip() else "empty")
            else:
                p[i] = rows[i]
                codes.append(None)
        ratings[item] = Reading(item, "test", "0" * 64, labels, p, tuple(codes))
    main = ratings["therapist_behaviour"]
    for item, labels in FINER.items():
        # Every other turn is of the second kind.
        p = np.array([[0.2, 0.8] if i % 4 else [0.8, 0.2] for i in range(len(t.turns))]).reshape(-1, 2)
        p[[c is not None for c in main.codes]] = np.nan
        ratings[item] = Reading(item, "test", "0" * 64, labels, p, main.codes)
    return t.with_ratings(ratings)


def labelled(letters: str, *, sure: float = 0.7) -> Trajectory:
    """One turn per letter: q r i o by the therapist, C N S by the patient.

    ``t`` / ``p`` are blank turns of therapist / patient, ``x`` / ``y`` turns with words nobody could read.
    """
    turns, rows = [], []
    for k, letter in enumerate(letters):
        speaker = "patient" if letter in "CNSpy" else "therapist"
        turns.append(Turn(speaker=speaker, text=" " if letter in "tp" else f"word number {k}"))
        labels = ITEMS["client_talk" if speaker == "patient" else "therapist_behaviour"][1]
        label = LETTERS.get(letter)
        rest = (1.0 - sure) / (len(labels) - 1)
        rows.append(None if label is None else np.array([sure if x == label else rest for x in labels]))
    return read(Trajectory(session_id=letters, source="test", turns=tuple(turns)), rows)


def with_replies(t: Trajectory, labels: dict[int, str]) -> Trajectory:
    """Attach readings of ``yield_reply``: ``insists`` at every therapist turn that ``labels`` does not name."""
    kinds = ("steps_back", "insists", "ignores")
    p = np.full((len(t.turns), 3), np.nan)
    for i, turn in enumerate(t.turns):
        if turn.speaker == "therapist":
            p[i] = [0.8 if kind == labels.get(i, "insists") else 0.1 for kind in kinds]
    codes: tuple[Literal["not_applicable"] | None, ...] = tuple(
        None if turn.speaker == "therapist" else "not_applicable" for turn in t.turns
    )
    return t.with_ratings({**t.ratings, "yield_reply": Reading("yield_reply", "test", "0" * 64, kinds, p, codes)})


def played(
    states: Sequence[float], ending: Ending = "max_turns", max_turns: int | None = None, key: str = "trust"
) -> Trajectory:
    """A played session whose patient emits ``states`` under ``state.<key>``, one per patient turn."""
    spec = SessionSpec(case="c", patient="p", therapist="t", seed=1, max_turns=max_turns or len(states))
    turns, infos = [], []
    for k, value in enumerate(states):
        turns += [Turn(speaker="therapist", text=f"And {k}?"), Turn(speaker="patient", text=f"Well, {k}.")]
        infos += [{}, {"state": {key: value}}]
    error = "it broke" if ending == "error" else None
    return Trajectory(
        session_id="played", source="simulated", spec=spec, turns=tuple(turns), infos=tuple(infos), ending=ending,
        error=error,
    )  # fmt: skip


label_strings = st.text("qrioCNStpxy", max_size=25)
courses = st.lists(st.floats(0.0, 1.0), min_size=1, max_size=12)


def test_a_labelled_session_reads_back_as_its_letters():
    t = labelled("qCtpxyS")
    assert t.reading("therapist_behaviour").values() == ("question", None, None, None, None, None, None)
    assert t.reading("client_talk").values() == (None, "change", None, None, None, None, "sustain")
