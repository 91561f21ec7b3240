"""What is exported comes back as it was."""

import gzip
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from turnwise.core.checkers import sessions_for_checks
from turnwise.core.errors import UsageError
from turnwise.core.model_turns import hide_thinking
from turnwise.core.nouns import ENDINGS, Cue, SessionSpec, Trajectory, Turn
from turnwise.engine.exporters import as_transcript, export_jsonl
from turnwise.engine.importers.detect import open_transcripts
from turnwise.engine.importers.turnwise_jsonl import TURN_KEYS

_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
_JSON: Any = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**6), 10**6) | st.floats(allow_nan=False, allow_infinity=False) | _TEXT,
    lambda x: st.lists(x, max_size=3) | st.dictionaries(_TEXT, x, max_size=3),
    max_leaves=5,
)
_CUES = st.lists(st.builds(Cue, kind=st.sampled_from(["pause", "tears", "tone"]), detail=_TEXT), max_size=2).map(tuple)
_TURNS = st.builds(Turn, speaker=st.sampled_from(["therapist", "patient"]), text=_TEXT, cues=_CUES)
_INFOS = st.dictionaries(st.sampled_from([*TURN_KEYS, "labels", "state", "private"]), _JSON, max_size=3)


@st.composite
def _sessions(draw: st.DrawFn) -> Trajectory:
    turns = tuple(draw(st.lists(_TURNS, max_size=4)))
    ending = draw(st.sampled_from(ENDINGS))
    played = draw(st.booleans())
    return Trajectory(
        session_id="s1",
        source="simulated" if played else draw(st.sampled_from(["imported", "Clinic"])),
        spec=SessionSpec(case="c", patient="p.v1", therapist="t.v1", seed=1) if played else None,
        turns=turns,
        infos=tuple(draw(_INFOS) for _ in turns) if draw(st.booleans()) else (),
        ending=ending,
        error="it broke" if ending == "error" else None,
        meta=draw(st.dictionaries(st.sampled_from(["topic", "id", "turns", "meta"]), _JSON, max_size=2)),
    )


@settings(deadline=None)
@given(t=_sessions())
def test_export_and_reread(t: Trajectory) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "t.jsonl"
        assert export_jsonl([t], path) == 1
        (again,) = open_transcripts(path)
        assert again.session_id == t.session_id
        assert again.source == t.source
        assert [x for x in again.turns if hide_thinking(x.text, {}) == x.text] == list(again.turns)
        assert again.turns == t.turns
        assert [dict(again.info(i)) for i in range(len(t.turns))] == [dict(t.info(i)) for i in range(len(t.turns))]
        assert (again.ending, again.error) == (t.ending, t.error)
        assert (
            t.meta.items() <= again.meta.items() if not t.meta else all(again.meta[k] == v for k, v in t.meta.items())
        )
        # From the second time on nothing moves at all.
        first = path.read_bytes()
        export_jsonl([again], path)
        assert path.read_bytes() == first
        assert list(open_transcripts(path)) == [again]


@pytest.mark.parametrize("name", ["t.jsonl", "t.jsonl.gz"])
def test_awkward_sessions_survive(tmp_path: Path, name: str) -> None:
    sessions = sessions_for_checks()
    path, other = tmp_path / name, tmp_path / f"other.{name}"
    assert export_jsonl(sessions, path) == len(sessions)
    again = list(open_transcripts(path))
    assert [(t.session_id, t.turns) for t in again] == [(t.session_id, t.turns) for t in sessions]
    export_jsonl(iter(sessions), other)
    assert other.read_bytes() == path.read_bytes()
    assert path.read_bytes().startswith(gzip.compress(b"")[:2]) == name.endswith(".gz")


def test_infos_can_be_left_out_and_nan_is_null() -> None:
    turn = Turn(speaker="patient", text="x")
    t = Trajectory(
        session_id="a", source="b", turns=(turn,), infos=({"private": {"thinking": "y"}, "v": float("nan")},)
    )
    assert as_transcript(t, infos=False)["turns"] == [{"speaker": "patient", "text": "x"}]
    assert as_transcript(t)["turns"][0]["v"] is None


def test_nothing_is_left_behind_when_it_fails(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text("before")

    def torn() -> Any:
        yield sessions_for_checks()[0]
        raise UsageError("the source broke.")

    with pytest.raises(UsageError):
        export_jsonl(torn(), path)
    assert [p.name for p in tmp_path.iterdir()] == ["t.jsonl"]
    assert path.read_text() == "before"
    with pytest.raises(UsageError, match="absent"):
        export_jsonl([], tmp_path / "absent" / "t.jsonl")
