"""The gate as played: patients made to be bad fail where they are bad; one case that ships, a few seeds."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from numpy.random import Generator

from turnwise.batteries.conformance.judging import figures_of, judge, passed
from turnwise.batteries.conformance.played import Played
from turnwise.core.errors import BoundaryError, FormatError, UsageError
from turnwise.core.nouns import Case, Course, Reply, Score, Trajectory, Transcript, Turn
from turnwise.engine import conformance_store
from turnwise.engine.conformance import PANEL, Panel, Scripted, coders, play_case, play_shipped
from turnwise.engine.conformance_run import LEAST_TURNS, RunConformance
from turnwise.engine.conformance_store import (
    gate_status,
    human,
    load_stored,
    versions_of,
    write_stored,
)
from turnwise.engine.conformance_turns import frozen_turns, turns_from_data
from turnwise.patients.casebook import case_ids, load_case

CASE = case_ids()[0]
SMALL = Panel(seeds=3, turns=10)
LIST = """milk bread soap tea rice salt flour eggs candles string nails paint rope wool glue tape pins ink thread
wax""".split()


def words(rng: Generator, n: int) -> str:
    return " ".join(LIST[int(i)] for i in rng.integers(0, len(LIST), n)).capitalize() + "."


@dataclass(frozen=True)
class Bad:
    """A patient that does not listen: by a script, at length, or with the same sentence in every reply."""

    how: str

    def init(self, case: Case, rng: Generator, prior: Course | None = None) -> int:
        return 0

    async def respond(self, state: int, transcript: Transcript, rng: Generator) -> Reply[int]:
        if self.how == "script":
            text = f"{LIST[state % 20]} and then {LIST[(state + 7) % 20]}, {state} times over, as it was."
        elif self.how == "verbose":
            text = words(rng, int(rng.integers(90, 140)))
        elif self.how == "repeating":
            text = f"{words(rng, 3)} Nobody ever came round to see us after that."
        else:
            raise RuntimeError("no line came back")
        return Reply(text, state + 1)


THERAPISTS: Mapping[str, Any] = {
    f"t{k}": Scripted([f"What of {LIST[(i * (k + 2)) % 20]}?" for i in range(SMALL.turns)]) for k in range(3)
}


def played(how: str) -> Played:
    return play_case(load_case(CASE), ("bad.v1", Bad(how)), THERAPISTS, SMALL)


def failing(p: Played) -> set[str]:
    h = human(p.case)
    return {j.measure.name for j in judge(figures_of(p, h), h) if j.verdict == "fail"}


def test_a_fixed_script_fails_because_nothing_said_to_it_matters() -> None:
    p = played("script")
    figures = figures_of(p, human(p.case))
    assert figures["same_whatever_was_said"].value == 1.0
    assert figures["identical_over_seeds"].value == 1.0
    assert {"same_whatever_was_said", "identical_over_seeds", "different_openings"} <= failing(p)
    assert not passed(judge(figures, human(p.case)))


def test_a_verbose_patient_fails_length() -> None:
    assert {"words_median", "words_mean", "words_spread"} <= failing(played("verbose"))


def test_a_repeating_patient_fails_repetition() -> None:
    found = failing(played("repeating"))
    assert {"beats_again", "self_repetition"} <= found
    assert not {"words_median", "words_mean"} & found


def test_a_patient_that_breaks_is_not_measured() -> None:
    with pytest.raises(BoundaryError, match="no line came back"):
        played("broken")


@pytest.fixture(scope="module")
def shipped() -> Played:
    return play_shipped(CASE, SMALL, coders())


def test_a_case_that_ships_is_played_with_everybody_and_measured_whole(shipped: Played) -> None:
    h = human(shipped.case)
    figures = figures_of(shipped, h)
    met = {t.spec.therapist.partition(".")[0] for t in shipped.panel if t.spec is not None}
    assert met == set(PANEL)
    assert len(shipped.panel) == len(PANEL) * SMALL.seeds
    assert len(shipped.spoken_to) == (len(PANEL) - 1) * SMALL.seeds
    assert all(t.reading("client_talk") is not None for t in shipped.panel)
    unmeasured = {name for name, s in figures.items() if s.value is None}
    assert unmeasured <= {"secret_at", "guarded_at", "mtld", "mtld_distance"}  # ten turns may be too few words


def test_a_case_that_ships_is_no_script_and_keeps_to_one_truth(shipped: Played) -> None:
    assert not failing(shipped) & {"same_whatever_was_said", "identical_over_seeds", "beats_again", "self_repetition"}
    assert not failing(shipped) & {"contradictions", "words_mean", "told_too_soon"}


def test_the_same_panel_plays_the_same_sessions(shipped: Played) -> None:
    again = play_shipped(CASE, SMALL, coders())
    assert [t.turns for t in again.panel] == [t.turns for t in shipped.panel]
    assert figures_of(again, human(again.case)) == figures_of(shipped, human(shipped.case))


def test_frozen_turns_are_enough_and_of_model_length() -> None:
    frozen = frozen_turns()
    short, long = ([u for u in frozen.unplanned if u.length == x] for x in ("short", "long"))
    assert len(frozen.script) == 17
    assert len([u for u in short if u.asks]) >= 60
    assert len([u for u in long if u.asks]) >= 20
    assert all(120 <= len(u.text.split()) <= 170 for u in long)
    assert max(len(u.text.split()) for u in short) < 30
    assert len({u.text for u in frozen.unplanned}) == len(frozen.unplanned)


def test_short_and_long_turns_stand_equally_late_and_under_the_same_seeds(shipped: Played) -> None:
    stood: dict[str, set[tuple[int, int]]] = {"short": set(), "long": set()}
    for lines, t in shipped.unplanned:
        assert t.spec is not None
        assert len({u.length for u in lines}) == 1
        assert [x.text for x in t.turns if x.speaker == "therapist"][1:] == [u.text for u in lines][
            : len(t.turns) // 2 - 1
        ]
        stood[lines[0].length] |= {(t.spec.epoch, place) for place in range(len(lines))}
    assert stood["short"] == stood["long"]


def test_a_data_folder_without_the_files_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="annomi/dialogues"):
        turns_from_data(tmp_path)


# --- stored results ----------------------------------------------------------------------------------------------


def fine(case: Case) -> dict[str, Score]:
    found = {}
    for j in judge({}, human(case)):
        ends = [x for x in (j.band.low, j.band.high) if x is not None]
        found[j.measure.name] = Score(sum(ends) / len(ends) if ends else 1.0, 50)
    return found


@pytest.fixture
def stored(tmp_path: Path) -> Any:
    case = load_case(CASE)

    def write(figures: Mapping[str, Score]) -> conformance_store.Stored:
        path = tmp_path / "passed.json"
        write_stored(path, {f"stateful.v1:{CASE}": (case, figures, {"seeds": 20})})
        return conformance_store.Stored(json.loads(path.read_text(encoding="utf-8"))["patients"])

    return write


def test_a_stored_pass_holds_for_its_version_only(stored: Any) -> None:
    case, name = load_case(CASE), f"stateful.v1:{CASE}"
    kept = stored(fine(case))
    assert gate_status(name, case, kept) == ("passed", "")
    other = case.model_copy(update={"source": "somebody else"})
    assert gate_status(name, other, kept) == ("not gated", "case changed since")
    assert gate_status(f"fitted.v1:{CASE}", case, kept) == ("not gated", "never played on the panel")
    row = {**kept.patients[name], "versions": {**versions_of(case), "code": "older"}}
    assert gate_status(name, case, conformance_store.Stored({name: row}))[0] == "not gated"


def test_a_stored_failure_says_where(stored: Any) -> None:
    case = load_case(CASE)
    kept = stored({**fine(case), "words_mean": Score(99.0, 50), "fit_short": Score(0.0, 50)})
    assert gate_status(f"stateful.v1:{CASE}", case, kept) == ("failed", "outside: words_mean")
    assert kept.patients[f"stateful.v1:{CASE}"]["fails"] == ["words_mean"]


def test_writing_again_keeps_the_others(stored: Any, tmp_path: Path) -> None:
    stored(fine(load_case(CASE)))
    other = case_ids()[1]
    write_stored(tmp_path / "passed.json", {f"stateful.v1:{other}": (load_case(other), fine(load_case(other)), {})})
    assert len(json.loads((tmp_path / "passed.json").read_text(encoding="utf-8"))["patients"]) == 2


@pytest.mark.parametrize(
    "content",
    [
        "{",
        "[" * 100_000,
        "[]",
        '{"format": "turnwise.conformance/1"}',
        '{"format": "turnwise.conformance/1", "patients": []}',
        '{"format": "turnwise.conformance/1", "patients": {"stateful.v1:x": {"versions": {}}}}',
        '{"format": "turnwise.conformance/1", "patients": {"stateful.v1:x": {"versions": {}, "figures": {"a": 1}}}}',
        '{"format": "turnwise.conformance/2", "patients": {}}',
    ],
    ids=lambda x: x[-30:],
)
def test_a_damaged_store_is_one_sentence_to_read_and_is_not_written_over(
    content: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "passed.json"
    path.write_text(content, encoding="utf-8")
    monkeypatch.setattr(conformance_store, "files", lambda _: tmp_path)
    with pytest.raises(FormatError, match=r"passed\.json"):
        load_stored()
    with pytest.raises(FormatError, match=r"passed\.json"):
        write_stored(path, {})
    assert path.read_text(encoding="utf-8") == content


def test_a_result_is_not_stored_for_code_that_changed_meanwhile(stored: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conformance_store, "code_now", lambda: "newer")
    with pytest.raises(UsageError, match="changed while"):
        stored(fine(load_case(CASE)))


def test_the_code_of_a_patient_is_hashed_without_its_case_and_without_raters(monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(conformance_store.code_sha()) == 16
    seen = []
    original = Path.read_bytes
    monkeypatch.setattr(Path, "read_bytes", lambda self: (seen.append(self.as_posix()), original(self))[1])
    conformance_store.code_now()
    assert any(s.endswith("patients/planner.py") for s in seen)
    assert any("patients/weights/" in s for s in seen)
    assert not [s for s in seen if "/cases/" in s or "/raters/" in s or "/test_" in s]


def test_stored_results_that_ship_are_readable() -> None:
    known = set(case_ids())
    assert {name.partition(":")[2] for name in load_stored().patients} <= known


# --- a run -------------------------------------------------------------------------------------------------------


def see(*ts: Trajectory) -> dict[str, Any]:
    seen = RunConformance()
    for t in ts:
        seen.see(t)
    return seen.record()


def test_a_run_says_which_patients_were_not_gated(shipped: Played, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conformance_store, "load_stored", conformance_store.Stored)
    record = see(*shipped.panel)
    assert record["status"] == "not gated"
    assert record["patients"][f"stateful.v1:{CASE}"]["why"] == "never played on the panel"
    assert "provisional" in record["detail"]


def test_a_run_with_a_passed_patient_is_passed_until_it_leaves_a_band(
    shipped: Played, stored: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = stored(fine(load_case(CASE)))
    monkeypatch.setattr(conformance_store, "load_stored", lambda: kept)
    assert see(*shipped.panel)["status"] == "passed"
    long = shipped.panel[0]
    wordy = long.model_copy(
        update={
            "turns": tuple(
                t if t.speaker == "therapist" else Turn(speaker="patient", text="so " * 40) for t in long.turns
            )
        }
    )
    record = see(*[wordy] * (LEAST_TURNS // 10))
    assert record["status"] == "out of band"
    assert "words_mean" in record["patients"][f"stateful.v1:{CASE}"]["out_in_this_run"]


def test_a_failed_patient_is_out_of_band_in_every_run(
    shipped: Played, stored: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = stored({**fine(load_case(CASE)), "mtld": Score(500.0, 50)})
    monkeypatch.setattr(conformance_store, "load_stored", lambda: kept)
    record = see(shipped.panel[0])
    assert (record["status"], record["patients"][f"stateful.v1:{CASE}"]["why"]) == ("out of band", "outside: mtld")


def test_transcripts_have_no_simulated_patient() -> None:
    t = Trajectory(session_id="s", source="x", turns=(Turn(speaker="patient", text="Hello."),))
    assert see(t)["status"] == "not applicable"
    assert see()["status"] == "not applicable"


def test_a_few_turns_are_not_judged_by_their_length(shipped: Played) -> None:
    row = see(shipped.panel[0])["patients"][f"stateful.v1:{CASE}"]
    assert row["figures"]["words_mean"] is None
    assert row["figures"]["beats_again"] == 0.0
