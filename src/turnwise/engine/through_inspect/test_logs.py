"""A log of Inspect made from sessions gives the same sessions back, whatever was said in them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from model_studies import played, small_study
from turnwise.core.errors import FormatError, UsageError
from turnwise.core.nouns import Cue, SessionSpec, Trajectory, Turn
from turnwise.engine.through_inspect.logs import export_eval, read_eval

pytest.importorskip("inspect_ai", reason="needs the extra [inspect]")

TURNS = st.lists(
    st.builds(
        Turn,
        speaker=st.sampled_from(["therapist", "patient"]),
        text=st.text(max_size=30),
        cues=st.lists(st.builds(Cue, kind=st.just("pause"), detail=st.text(max_size=5)), max_size=1).map(tuple),
    ),
    max_size=5,
).map(tuple)
INFOS = st.dictionaries(st.text(max_size=5), st.none() | st.floats(allow_nan=False) | st.text(max_size=5), max_size=2)
SPEC = SessionSpec(case="c", patient="p", therapist="openai/x", seed=3)


@st.composite
def sessions(draw: st.DrawFn) -> Trajectory:
    turns = draw(TURNS)
    error = draw(st.none() | st.text(max_size=20))
    return Trajectory(
        session_id=draw(st.text(max_size=8)),
        source="test",
        spec=draw(st.none() | st.just(SPEC)),
        turns=turns,
        infos=draw(st.just(()) | st.tuples(*[INFOS] * len(turns))),
        ending="unknown" if error is None else "error",
        error=error,
        meta=draw(INFOS),
    )


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(sessions(), min_size=1, max_size=4))
@example([Trajectory(session_id="\x00", source="test"), Trajectory(session_id="\\x00", source="test")])
def test_there_and_back(tmp_path: Path, ts: list[Trajectory]) -> None:
    path = tmp_path / "run.eval"
    assert export_eval(ts, path) == len(ts)
    found = sorted(read_eval(path), key=lambda t: t.model_dump_json())
    assert found == sorted(ts, key=lambda t: t.model_dump_json())
    assert [p.name for p in tmp_path.iterdir()] == ["run.eval"]


def test_an_embedded_run_is_read_by_inspect_and_comes_back_byte_for_byte(tmp_path: Path) -> None:
    from inspect_ai.log import read_eval_log

    ts = played(small_study("reflector", "hotline", patients=("alun", "keisha"), epochs=2), tmp_path / "run")
    path = tmp_path / "run.eval"
    export_eval(ts, path)
    log = read_eval_log(str(path))
    assert log.status == "success"
    assert len(log.samples or []) == len(ts)
    assert {t.model_dump_json() for t in read_eval(path)} == {t.model_dump_json() for t in ts}


def test_what_is_no_log_of_ours_says_so(tmp_path: Path) -> None:
    (tmp_path / "x.eval").write_bytes(b"PK no")
    with pytest.raises(FormatError, match="no log that Inspect can read"):
        list(read_eval(tmp_path / "x.eval"))
    with pytest.raises(UsageError, match="no session"):
        export_eval([], tmp_path / "y.eval")
    with pytest.raises(UsageError, match=r"FILE\.eval"):
        export_eval([Trajectory(session_id="a", source="b")], tmp_path / "y.json")
