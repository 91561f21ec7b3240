"""Courses of a study: identical first sessions, resuming in mid-course, who does not come back, what the tables say."""

from __future__ import annotations

import asyncio
import hashlib
import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from turnwise.core.contracts import Completion, ReturningPatient
from turnwise.core.course import CoursePatient, course_after
from turnwise.core.errors import UsageError
from turnwise.core.nouns import Reply, SessionSpec, Trajectory, Transcript
from turnwise.core.play import play
from turnwise.core.registry import METRICS
from turnwise.core.test_play import Scripted
from turnwise.engine.batch import default_cast, default_ear
from turnwise.engine.counting import counted
from turnwise.engine.discovery import discover
from turnwise.engine.ladder_bank import Ladder, bank_study
from turnwise.engine.patient_names import built_patient
from turnwise.engine.running import Options, play_ladder, play_study
from turnwise.engine.scoring import score_sessions
from turnwise.engine.store import RunFolder
from turnwise.engine.study import Cast, Study, resolve_study
from turnwise.engine.summary import Summary
from turnwise.engine.test_same_bytes import Chatter, cast, study
from turnwise.patients.casebook import load_case
from turnwise.patients.dynamics import Mind
from turnwise.patients.natural_course import WEEKS_BETWEEN, between_sessions

BEFORE_COURSES = "168bcb84c25f2e9e4522110346eba6e76b4503a943e27155c0fee0bbfe2fe7a9"
"""What the sessions of ``test_same_bytes.study`` hashed to when there were no courses (written by that version)."""


class Coming(Chatter):
    """A chatting patient that comes back with what it counted."""

    def next_session(self, state: int, rng: Any, weeks: float) -> int:
        return state + 1000 + int(rng.integers(10))


def returning(pause: float = 0.0) -> Cast:
    plain = cast(pause)
    return Cast(plain.therapists, {"p.v1": Coming("patient", pause)}, plain.cases)


def courses(sessions: int = 3, epochs: int = 8) -> Study:
    return study(epochs=epochs).model_copy(update={"sessions": sessions})


def played(path: Path, options: Options | None = None, sessions: int = 3) -> list[Trajectory]:
    folder = RunFolder(path)
    play_study(courses(sessions), folder, options or Options(), cast=returning())
    return list(folder.sessions())


def test_one_session_is_what_it_was_before_there_were_courses(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path / "run")
    play_study(study(), folder, Options(concurrency=4), cast=cast())
    assert hashlib.sha256(folder.trajectories.read_bytes()).hexdigest() == BEFORE_COURSES
    assert "sessions" not in study().model_dump()
    assert study().sha256() == study().model_copy(update={"sessions": 1}).sha256() != courses().sha256()


def test_first_sessions_of_courses_are_those_of_a_study_without_courses(tmp_path: Path) -> None:
    alone = {t.session_id: t.model_dump_json() for t in played(tmp_path / "alone", sessions=1)}
    firsts = {t.session_id: t.model_dump_json() for t in played(tmp_path / "three") if t.spec and t.spec.session == 1}
    assert firsts == alone


def test_the_planned_order_and_the_same_bytes_however_it_is_played(tmp_path: Path) -> None:
    reference = played(tmp_path / "ref", Options(concurrency=1))
    assert [t.session_id for t in reference] == [s.session_id for s in courses().specs()]
    for name, options in {"many": Options(concurrency=64), "shuffled": Options(concurrency=3, shuffle=True)}.items():
        assert played(tmp_path / name, options) == reference, name


def test_who_left_does_not_come_back_and_an_error_ends_the_course(tmp_path: Path) -> None:
    by_pair: dict[str, list[Trajectory]] = {}
    for t in played(tmp_path / "run"):
        assert t.spec is not None
        by_pair.setdefault(f"{t.spec.therapist}/{t.spec.case}/{t.spec.epoch}", []).append(t)
    seen = set()
    for sessions in by_pair.values():
        over = ""
        for t in sessions:
            if over:
                assert (t.turns, t.ending) == ((), over)
            else:
                assert t.turns or t.ending == "error"
            if t.ending in ("patient_left", "error") and not over:
                over = "not_held" if t.ending == "patient_left" else "error"
                seen.add(over)
        assert sessions[-1].error is None or "session" in sessions[-1].error
    assert seen == {"not_held", "error"}, "the sessions ended too well to prove anything"


def test_errors_of_a_course_are_played_again_together(tmp_path: Path) -> None:
    broken = {t.session_id for t in played(tmp_path / "run") if t.ending == "error"}
    calm = returning()

    class Calm(Coming):
        async def respond(self, state: int, transcript: Transcript, rng: Any) -> Reply[int]:
            return Reply(f"fine {state} {rng.integers(10**9)}", state + 1)

    kept = {t.session_id: t for t in RunFolder(tmp_path / "run").sessions() if t.session_id not in broken}
    calm = Cast({n: Calm("therapist") for n in calm.therapists}, calm.patients, calm.cases)
    folder = RunFolder(tmp_path / "run")
    play_study(courses(), folder, Options(retry_errors=True), cast=calm)
    again = {t.session_id: t for t in folder.sessions()}
    assert {k: t for k, t in again.items() if k in kept} == kept
    assert sum(again[k].ending == "error" for k in broken) < len(broken)


INTERRUPTED = """
    import sys
    from pathlib import Path
    sys.path.insert(0, {here!r})
    from turnwise.engine.test_courses import courses, returning
    from turnwise.engine.running import Options, play_study
    from turnwise.engine.store import RunFolder
    print("ready", flush=True)
    play_study(courses(), RunFolder(Path({out!r})), Options(concurrency=4), cast=returning(0.01))
"""


def test_an_interrupt_in_mid_course_loses_nothing(tmp_path: Path) -> None:
    reference, out = played(tmp_path / "ref"), tmp_path / "killed"
    firsts = len(reference) // 3
    script = textwrap.dedent(INTERRUPTED.format(here=str(Path(__file__).parents[2]), out=str(out)))
    interrupted = []
    for enough in (firsts + 5, 2 * firsts + 5):  # among the second sessions, then among the third
        child = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        assert child.stdout is not None
        child.stdout.readline()
        while len(RunFolder(out).finished()) < enough and child.poll() is None:
            time.sleep(0.005)
        os.kill(child.pid, signal.SIGINT)
        child.wait()
        child.stdout.close()
        stored = [Trajectory.model_validate_json(line) for line in RunFolder(out).finished().values()]
        interrupted.append(enough <= len(stored) < len(reference))
        assert all(t in reference for t in stored)
    assert any(interrupted), "it was never interrupted in mid-course"
    assert played(out) == reference


# --- embedded participants ----------------------------------------------------------------------


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> list[Trajectory]:
    folder = RunFolder(tmp_path_factory.mktemp("real") / "run")
    asked = resolve_study(therapists=("socratic", "advisor"), patients=("alun",), epochs=1, turns=10, sessions=3)
    play_study(asked, folder, Options())
    return list(folder.sessions())


def states(t: Trajectory, key: str) -> list[dict[str, Any]]:
    return [dict(info[key]) for info in t.infos if isinstance(info.get(key), dict)]  # type: ignore[arg-type]


def test_the_state_at_the_start_of_a_session_is_where_the_natural_course_leaves_it(real: list[Trajectory]) -> None:
    for before, after in ((real[0], real[1]), (real[1], real[2])):
        end, start = states(before, "state")[-1], states(after, "state_before")[0]
        first = before.spec is not None and before.spec.session == 1
        mind = Mind(**{k: end[k] for k in ("trust", "reactance", "distress", "conviction", "goals", "tasks")})
        assert start["trust"] == end["trust"], "no source says what a week does to trust"
        assert (start["goals"], start["tasks"], start["turn"]) == (end["goals"], end["tasks"], 0)
        # What is stirred is not shown, so distress lies between the courses with nothing and with all of it stirred.
        calm = between_sessions(mind, WEEKS_BETWEEN, first=first)
        assert start["reactance"] == pytest.approx(calm.reactance, abs=1e-5)
        assert start["distress"] <= calm.distress + 1e-5
        assert start["conviction"] <= calm.conviction + 1e-5
    assert states(real[1], "state_before")[0]["trust"] != states(real[0], "state_before")[0]["trust"]


def test_what_was_told_is_not_told_again_as_new(real: list[Trajectory]) -> None:
    told: set[str] = set()
    for t in real[:3]:
        infos: list[dict[str, Any]] = [dict(info) for info in t.infos if isinstance(info.get("said"), dict)]
        said = [(info["said"], str(info["why"])) for info in infos]
        # "I said that, I think" comes before what is said again.
        new = [x for x, why in said if x["kind"] not in ("continue", "repeated") and "earlier" not in why]
        begun = {x["telling"] for x in new if x["telling"]}
        assert not begun & told, begun & told
        told |= {x["telling"] for x, _ in said if x["telling"]}
    assert len(told) > 12


def test_what_was_agreed_opens_the_next_session(tmp_path: Path) -> None:
    asked = resolve_study(therapists=("socratic",), patients=("alun",), epochs=1, turns=3, sessions=2)
    there = default_cast(asked)
    agreeing = there.therapists["socratic.v1"]

    class Agreed:
        def init(self, intake: Any, rng: Any, prior: Any = None) -> Any:
            return agreeing.init(intake, rng, prior)

        async def respond(self, state: Any, transcript: Transcript, rng: Any) -> Reply[Any]:
            reply = await agreeing.respond(state, transcript, rng)
            return Reply(
                reply.text, reply.state, {**reply.info, "agreed": ["I'll walk to the allotment"]}, reply.closes
            )

    folder = RunFolder(tmp_path / "run")
    play_study(asked, folder, Options(), cast=Cast({"socratic.v1": Agreed()}, there.patients, there.cases))
    first, second = folder.sessions()
    assert "walk to the allotment" not in first.turns[0].text
    assert "walk to the allotment" in second.turns[0].text


class Babbles:
    """A model whose drafts are never said, so that the author's words stand."""

    async def generate(self, system: str, turns: Any, *, seed: int) -> Completion:
        return Completion("As a language model I cannot.", 5, "stop", 3, 2, "m")


def test_a_patient_in_a_models_words_lives_the_course_of_the_embedded_one() -> None:
    discover()
    ear, case = default_ear(), load_case("alun")
    therapist = Scripted("How do you sleep? And who is at home with you?")

    async def two(name: str) -> list[Trajectory]:
        pair, course, found = CoursePatient(built_patient(name, ear, lambda _: Babbles()), 1.0), None, []
        for session in (1, 2):
            spec = SessionSpec(case="alun", patient=name, therapist="r", seed=2, max_turns=4, session=session)
            found.append(await play(spec, case, pair, therapist, prior=course))
            course = course_after(course, found[-1])
        return found

    plain, worded = asyncio.run(two("stateful.v1")), asyncio.run(two("stateful.v1:openai/m"))
    assert [t.turns for t in worded] == [t.turns for t in plain]
    assert [states(t, "state_before")[0] for t in worded] == [states(t, "state_before")[0] for t in plain]
    assert not isinstance(built_patient("prompted.v1:openai/m", ear, lambda _: Babbles()), ReturningPatient)


# --- tables and the ladder -----------------------------------------------------------------------


def test_every_planned_session_is_counted_in_its_place(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path / "run")
    play_study(courses(), folder, Options(), cast=returning())
    result = score_sessions(folder.sessions(), folder, summary=Summary())
    rows = result.summary["courses"]
    assert [(r["group"], r["session"]) for r in rows if r["group"] == "a.v1"] == [("a.v1", k) for k in (1, 2, 3)]
    for row in rows:
        assert row["planned"] == row["held"] + row["not_held"] + row["errors"] == 16
    assert [r["not_held"] for r in rows if r["session"] == 1] == [0, 0]
    table = pq.read_table(folder.path / "sessions.parquet", columns=["session", "ending", "n_turns"]).to_pylist()
    gone = [r for r in table if r["ending"] == "not_held"]
    assert sum(r["not_held"] for r in rows) == len(gone) == result.endings["not_held"] > 0
    assert {r["n_turns"] for r in gone} == {0}
    stayed = {row["group"]: row for row in result.summary["metrics"] if row["metric"] == "stayed"}
    for group, row in stayed.items():
        of = [r for r in rows if r["group"] == group]
        lost = sum(r["left"] + r["not_held"] for r in of)
        assert row["n"] == sum(r["planned"] - r["errors"] for r in of)
        assert row["value"] == pytest.approx(1 - lost / row["n"], abs=1e-6)
    curve = next(c for c in result.summary["curves"] if c["key"] == "course.trust")
    assert (curve["x"], len(curve["held"])) == ([1, 2, 3], 3)


def test_a_session_that_was_not_held_can_raise_no_aggregate() -> None:
    for entry in METRICS.newest():
        value = counted(None, entry.spec, left=True, attended=0, planned=10)
        low, high = entry.spec["bounds"]
        worst = {"higher": low, "lower": high}.get(entry.spec["orientation"])
        assert value is None or value == worst
        if entry.base in ("stayed", "turns_attended_share"):
            assert value == 0.0


def test_a_study_of_single_sessions_says_nothing_of_courses(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path / "run")
    play_study(study(epochs=2), folder, Options(), cast=cast())
    summary = score_sessions(folder.sessions(), folder, summary=Summary()).summary
    assert "courses" not in summary
    assert not [c for c in summary["curves"] if c["key"].startswith("course.")]


def test_the_ladder_takes_first_sessions_only(tmp_path: Path) -> None:
    asked = resolve_study(therapists=("reflector", "parrot"), patients=("alun",), epochs=1, turns=8, sessions=2)
    options = Options(ladder=Ladder("reflector", 1))
    assert {s.session for s in bank_study(asked, options.ladder).specs()} == {1}  # type: ignore[arg-type]
    folder = RunFolder(tmp_path / "run")
    play_study(asked, folder, options)
    play_ladder(asked, folder, options)
    from turnwise.engine.scoring import Scoring

    how = Scoring(ladder=folder.path)
    ladder = score_sessions(folder.sessions(), folder, summary=Summary(), how=how).summary["ladder"]
    assert "first sessions" in ladder["courses"]
    moments = pq.read_table(folder.path / "moments.parquet").to_pylist()
    single = resolve_study(therapists=("reflector", "parrot"), patients=("alun",), epochs=1, turns=8)
    other = RunFolder(tmp_path / "single")
    play_study(single, other, options)
    play_ladder(single, other, options)
    score_sessions(other.sessions(), other, summary=Summary(), how=Scoring(ladder=other.path))
    assert moments == pq.read_table(other.path / "moments.parquet").to_pylist()


@pytest.mark.parametrize("sessions", [0, -1, 101])
def test_a_number_of_sessions_that_makes_no_sense_is_refused(sessions: int) -> None:
    with pytest.raises(UsageError, match=f"--sessions {sessions} is not possible"):
        resolve_study(patients=("alun",), sessions=sessions)


def test_specs_of_earlier_versions_still_load() -> None:
    old = {"case": "c", "patient": "p.v1", "therapist": "t.v1", "seed": 3, "epoch": 2}
    assert SessionSpec.model_validate(old).session == 1
    assert SessionSpec.model_validate(old).session_id == "t.v1/p.v1/c/2"
