"""What reaches disk refuses what it does not know, and comes back as it was."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from turnwise.core.nouns import Cue, Estimate, Reading, Score, SessionSpec, Trajectory, Turn, unscored

texts = st.text(alphabet=st.characters(exclude_categories=("Cs",)), max_size=40)
turns = st.builds(
    Turn,
    speaker=st.sampled_from(["therapist", "patient"]),
    text=texts,
    cues=st.lists(st.builds(Cue, kind=st.sampled_from(["pause", "tears", "other"]), detail=texts), max_size=2).map(
        tuple
    ),
)


@given(st.lists(turns, max_size=6), texts)
def test_a_stored_session_comes_back_as_it_was(said: list[Turn], name: str) -> None:
    infos = tuple({"state": {"trust": i / 7}} for i in range(len(said)))
    t = Trajectory(session_id=name, source="x", turns=tuple(said), infos=infos, meta={"k": [1, None, name]})
    line = t.model_dump_json()
    assert "\n" not in line
    assert Trajectory.model_validate_json(line) == t


def test_unknown_fields_are_refused() -> None:
    with pytest.raises(ValidationError, match="thought"):
        Turn.model_validate({"speaker": "patient", "text": "hi", "thought": "secret"})
    with pytest.raises(ValidationError, match="speaker"):
        Turn.model_validate({"speaker": "dog", "text": "woof"})


def test_an_error_has_a_sentence_and_a_sentence_is_an_error() -> None:
    with pytest.raises(ValidationError):
        Trajectory(session_id="s", source="x", ending="error")
    with pytest.raises(ValidationError):
        Trajectory(session_id="s", source="x", ending="unknown", error="boom")


def test_readings_never_reach_the_stored_session() -> None:
    t = Trajectory(session_id="s", source="x", turns=(Turn(speaker="patient", text="hi"),))
    reading = Reading("talk", "talk.v1", "0", ("a", "b"), np.array([[0.2, 0.8]]), (None,))
    assert t.with_ratings({"talk": reading}).model_dump_json() == t.model_dump_json()
    assert reading.values() == ("b",)


def test_a_number_or_a_reason_never_both_never_neither() -> None:
    assert unscored("empty", "nothing there") == Score(None, 0, "empty", "nothing there")
    with pytest.raises(ValueError, match="either a value or a code"):
        Estimate(None, None, None, 0.95, 0, "m")
    with pytest.raises(ValueError, match="either a value or a code"):
        Estimate(1.0, None, None, 0.95, 1, "m", "empty", "why")
    with pytest.raises(ValueError, match="NaN"):
        Estimate(float("nan"), None, None, 0.95, 1, "m")


def test_session_ids_tell_every_session_of_a_study_apart() -> None:
    specs = [
        SessionSpec(case=c, patient=p, therapist=t, seed=1, epoch=e)
        for c in "ab"
        for p in "pq"
        for t in "tu"
        for e in range(3)
    ]
    assert len({s.session_id for s in specs}) == len(specs)
