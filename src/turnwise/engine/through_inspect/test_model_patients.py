"""Patients that speak through a model, over real HTTP: played, recorded, replayed, counted; secrets stay secret."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from model_studies import IMPATIENT, SMALL_LADDER, everything_in, played, small_study
from scripted_server import Scripted, plain_therapist
from turnwise.batteries.conformance.asking import interviews
from turnwise.core.errors import RegistryError, UsageError
from turnwise.core.nouns import Case, Trajectory
from turnwise.engine.casting import Calls
from turnwise.engine.conformance import Panel, coders, play_family
from turnwise.engine.conformance_run import RunConformance
from turnwise.engine.patient_names import resolve_patient
from turnwise.engine.rehearsal import rehearse
from turnwise.engine.running import Options
from turnwise.engine.spending import record_of
from turnwise.patients.briefing import said_now
from turnwise.patients.casebook import load_case

WORDED, ALONE = "stateful:openai-api/loop/p:alun", "prompted:openai-api/loop/p:alun"


def as_patient(number: int, body: dict[str, Any]) -> Any:
    """Word what is to be said, play a curt client where the model is alone, and a therapist where it is none."""
    system = body["messages"][0]["content"]
    told = said_now(system)
    if told is not None:
        return f"{told} Mind."
    return (
        f"I suppose so. ({len(body['messages'])})" if "You play a client" in system else plain_therapist(number, body)
    )


def is_patient(body: dict[str, Any]) -> bool:
    return body["model"] == "p"


def said_by_patient(t: Trajectory) -> list[str]:
    return [x.text for x in t.turns if x.speaker == "patient"]


@pytest.mark.parametrize("patient", [WORDED, ALONE])
def test_a_session_is_played_recorded_counted_and_replayed(
    loopback: Callable[..., Scripted], run_folder: Path, patient: str
) -> None:
    server = loopback(as_patient)
    study = small_study("reflector", "openai-api/loop/m", patients=(patient,), turns=5)
    sessions = played(study, run_folder, log=True)
    assert [t.ending for t in sessions] == ["max_turns"] * 2
    assert {t.spec.patient for t in sessions} == {resolve_patient(patient).rpartition(":")[0]}
    spent = record_of(run_folder, {})
    assert spent["openai-api/loop/p"]["calls"] == sum(map(is_patient, server.requests)) >= 6
    assert spent["openai-api/loop/p"]["tokens_in"] == 11 * spent["openai-api/loop/p"]["calls"]
    asked = len(server.requests)
    again = played(study, run_folder.with_name("again"), replay=run_folder)
    assert [t.model_dump_json() for t in again] == [t.model_dump_json() for t in sessions]
    assert len(server.requests) == asked
    assert not list(run_folder.rglob("*.eval")), "a log would hold what the patient's model is told of the case"


def test_with_one_seed_the_model_words_what_the_embedded_patient_decides(
    loopback: Callable[..., Scripted], run_folder: Path
) -> None:
    loopback(as_patient)
    one, other = (
        played(small_study("silent", patients=(p,), turns=6), run_folder.with_name(name))
        for name, p in (("model", WORDED), ("plain", "alun"))
    )
    keep = ("state", "said", "moment", "scheduled")
    told = [[{k: t.info(i)[k] for k in keep} for i in range(1, 12, 2)] for (t,) in (one, other)]
    assert told[0] == told[1]
    assert said_by_patient(one[0]) != said_by_patient(other[0])


FAULTS: dict[str, tuple[Any, str]] = {
    "always-500": (500, "InternalServerError (status 500)"),
    "quotes": (None, "BadRequestError (status 400)"),
    "not-json": (b"<html>busy</html>", "failed"),
}


@pytest.mark.parametrize("how", FAULTS)
def test_a_fault_of_the_patients_model_is_data(loopback: Callable[..., Scripted], run_folder: Path, how: str) -> None:
    what, said = FAULTS[how]
    loopback(lambda n, body: (400, str(body)) if what is None else what)
    (t,) = played(small_study("reflector", patients=(ALONE,), turns=2), run_folder)
    assert t.ending == "error"
    assert t.error is not None
    assert said in t.error
    assert t.error.startswith("patient at turn 1")
    kept = (run_folder / "calls.jsonl").read_text(encoding="utf-8")
    assert '"fault"' in kept
    assert "Lay forty minutes" not in kept + t.error, "servers quote what they were sent"


def _marked(value: Any, found: list[str]) -> Any:
    if isinstance(value, str) and " " in value:
        found.append(f"zq{secrets.token_hex(6)}")
        return f"{value} {found[-1]}"
    if isinstance(value, list):
        return [_marked(v, found) for v in value]
    return {k: _marked(v, found) for k, v in value.items()} if isinstance(value, dict) else value


@pytest.fixture
def markers(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return markers that stand in the private prose of every case that is loaded."""
    case, private = load_case("alun"), [f"zq{secrets.token_hex(6)}"]
    truth = {k: _marked(v, private) if k in ("notes", "formulation") else v for k, v in case.truth.items()}
    marked = Case(id="alun", intake=case.intake, truth=truth, source=private[0], licence="x")
    monkeypatch.setattr("turnwise.patients.casebook.load_case", lambda name: marked)
    return private


@pytest.mark.parametrize("patient", [WORDED, ALONE])
def test_private_markers_reach_the_patients_model_alone(
    loopback: Callable[..., Scripted], run_folder: Path, markers: list[str], patient: str
) -> None:
    server = loopback(lambda n, body: (400, str(body)) if n % 9 == 8 else as_patient(n, body))
    study = small_study("openai-api/loop/m", patients=(patient,), turns=6, epochs=2)
    sessions = played(study, run_folder, log=True, ladder=SMALL_LADDER)
    sent = {True: "", False: ""}
    for body in server.requests:
        sent[is_patient(body)] += "\n".join(m["content"] for m in body["messages"])
    in_prompt = [m for m in markers if m in sent[True]]
    assert bool(in_prompt) == (patient == ALONE), "only a model that plays alone is told of the case"
    files = everything_in(run_folder)
    for marker in markers:
        assert marker not in sent[False]
        assert not [name for name, text in files.items() if marker in text]
        assert not [t for t in sessions if marker in str(t.error) or any(marker in x.text for x in t.turns)]


SECRETS = "There is a letter behind the clock and I never told the council that Jean is gone."


def test_a_model_that_blabs_never_reaches_the_therapist(loopback: Callable[..., Scripted], run_folder: Path) -> None:
    server = loopback(lambda n, body: SECRETS if is_patient(body) else plain_therapist(n, body))
    (t,) = played(small_study(patients=(WORDED,), turns=4), run_folder)
    assert not [x for x in t.turns if SECRETS in x.text]
    heard = [m["content"] for body in server.requests if not is_patient(body) for m in body["messages"]]
    assert not [x for x in heard if "behind the clock" in x]
    wording = [t.info(i)["wording"] for i, x in enumerate(t.turns) if x.speaker == "patient"]
    assert sum(len(w["refused"]) for w in wording) == sum(map(is_patient, server.requests)) > 3


def test_the_gate_measures_both(
    loopback: Callable[..., Scripted], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loopback(as_patient)
    monkeypatch.setattr("turnwise.engine.conformance.interviews", lambda case: interviews(case)[:1])
    small, readers = Panel(seeds=2, turns=3, unplanned=Panel().unplanned[:2], script=Panel().script[:3]), coders()
    for patient in (WORDED, ALONE):
        folder = tmp_path / patient.partition(":")[0]
        found = play_family(patient, small, readers, Calls(IMPATIENT, log=False), folder)
        assert len(found.panel) == 12
        assert (folder / "calls.jsonl").exists()
        run = RunConformance()
        for t in found.panel:
            run.see(t)
        assert run.record()["status"] in ("not gated", "out of band")
        assert list(run.record()["patients"]) == [resolve_patient(patient)]


def test_a_dry_run_counts_the_patients_calls(loopback: Callable[..., Scripted]) -> None:
    server = loopback(as_patient)
    study = small_study("silent", patients=(WORDED,), turns=6)
    (expected,) = rehearse(study, Options(ladder=None), {})
    assert expected.model == "openai-api/loop/p"
    assert 1 <= expected.calls <= 6
    assert not server.requests


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("openai/x:alun", "stateful:openai/x:alun"),
        ("prompted:alun", "needs a language model"),
        ("stateful:not a model:alun", "no model string"),
        ("stateful:openai/x", "name a case"),
        ("statefull:openai/x:alun", "stateful"),
    ],
)
def test_a_misnamed_patient_is_refused_in_one_line(asked: str, said: str) -> None:
    with pytest.raises((UsageError, RegistryError), match=said):
        resolve_patient(asked)
