"""Run folders for the tests of comparisons: tables written by hand, so that every difference is known."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from turnwise.batteries.ladder.moments import RUNGS, Cell
from turnwise.core.nouns import SessionSpec, Trajectory, Turn
from turnwise.core.seeds import stable_hash

METRICS = {"reflection_share": 1, "insist_rate": 1, "therapist_words_per_turn": 1, "stayed": 1}
CODERS = {"therapist_behaviour": "aa" * 8, "client_talk": "bb" * 8, "disclosure_reply": "cc" * 8}
SKILL = "attune"


@dataclass(frozen=True)
class Made:
    """What a folder is to hold; ``shift`` is added to the level of every value of a therapist (or group)."""

    shift: Mapping[str, float] = field(default_factory=lambda: {"plain.v1": 0.0})
    patients: tuple[str, ...] = tuple(f"p{i:02}" for i in range(12))
    epochs: int = 2
    seed: int = 1
    turns: int = 10
    order: int | None = None
    weights: str = ""
    metrics: Mapping[str, int] = field(default_factory=lambda: dict(METRICS))
    case_of: Mapping[str, str] = field(default_factory=dict)
    ladder: bool = True
    reference: str = "reflector.v1"
    played: bool = True
    left: bool = False
    source: str = "ff"
    safety: Mapping[str, float | None] = field(default_factory=dict)
    """Therapist → how often it meets danger, the luck its own each time; ``None``: its reply was not read."""


def _level(made: Made, therapist: str, patient: str, epoch: int, what: str) -> float:
    luck = np.random.default_rng([stable_hash(f"{patient} {epoch} {made.seed} {what}") % 2**32])
    own = np.random.default_rng([stable_hash(f"{therapist} {patient} {epoch} {made.seed} {what}") % 2**32])
    return float(np.clip(0.5 + luck.normal(0, 0.1) + own.normal(0, 0.03) + made.shift[therapist], 0.0, 1.0))


def _session(made: Made, therapist: str, patient: str, epoch: int) -> dict[str, Any]:
    value = _level(made, therapist, patient, epoch, "reflection")
    row = {"session_id": f"{therapist}/{patient}/{epoch}", "source": "simulated", "group": therapist}
    row |= {"ending": "patient_left" if made.left and epoch == 0 else "max_turns", "n_turns": 2 * made.turns}
    row |= {"therapist": therapist, "patient": f"stateful.v1:{patient}", "epoch": epoch, "seed": made.seed}
    row |= {"max_turns": made.turns, "meta": None}
    if not made.played:
        row |= dict.fromkeys(("therapist", "patient", "epoch", "seed", "max_turns"))
        row |= {"source": "file", "ending": "unknown"}
        row |= {"meta": json.dumps({"quality": therapist, "series": f"{therapist} {patient}"})}
    values = {"reflection_share": value, "insist_rate": None if epoch else 1 - value, "stayed": 1.0}
    return row | values | {"therapist_words_per_turn": 20 * value}


def _cells(made: Made, therapist: str) -> list[Cell]:
    found = []
    for patient in made.patients:
        for epoch in range(made.epochs):
            for rung in RUNGS:
                value = _level(made, therapist, patient, epoch, f"{rung} k")
                who = (therapist, f"stateful.v1:{patient}", epoch, "k", "disclosure", SKILL)
                found.append(Cell(*who, rung, True, 3, value))
                if therapist in made.safety:
                    found.append(_met_danger(made, therapist, Cell(*who, rung, True, 5, None)))
    return found


def _met_danger(made: Made, therapist: str, cell: Cell) -> Cell:
    often = made.safety[therapist]
    luck = stable_hash(f"{therapist} {cell.patient} {cell.epoch} {cell.rung} {made.seed}") % 1000 / 1000
    value, code = (None, "undetermined") if often is None else (float(luck < often), None)
    return replace(cell, key="risk1", moment="risk", skill="safeguard", value=value, code=code)


def _bank(made: Made) -> str:
    lines = []
    for patient in made.patients:
        spec = SessionSpec(
            case=patient, patient="stateful.v1", therapist=made.reference, seed=made.seed, epoch=0, max_turns=made.turns
        )
        turn = Turn(speaker="therapist", text=f"{patient} {made.seed} {made.reference}")
        lines.append(
            Trajectory(session_id=spec.session_id, source="simulated", spec=spec, turns=(turn,), ending="max_turns")
        )
    return "".join(t.model_dump_json() + "\n" for t in lines)


def _write(folder: Path, name: str, rows: list[dict[str, Any]]) -> None:
    pq.write_table(pa.Table.from_pylist(rows), folder / f"{name}.parquet")


def make_run(folder: Path, made: Made | None = None) -> Path:
    """Write a run folder that can be compared."""
    made = made or Made()
    folder.mkdir(parents=True)
    sessions = [_session(made, t, p, e) for t in made.shift for p in made.patients for e in range(made.epochs)]
    cells = [asdict(c) for t in made.shift for c in _cells(made, t)]
    if made.order is not None:
        rng = np.random.default_rng(made.order)
        sessions, cells = ([rows[i] for i in rng.permutation(len(rows))] for rows in (sessions, cells))
    _write(folder, "sessions", sessions)
    scores = [
        {
            "session_id": s["session_id"],
            "metric": m,
            "value": s[m],
            "code": None if s[m] is not None else "no_denominator",
        }
        for s in sessions
        for m in made.metrics
    ]
    _write(folder, "scores", scores)
    said = [{"session_id": s["session_id"], "speaker": "patient"} for s in sessions for _ in range(made.turns // 2)]
    _write(folder, "turns", said)
    ratings = [{"item": i, "coder": f"{i}.v1", "weights": made.weights or w} for i, w in CODERS.items()]
    _write(folder, "ratings", ratings)
    record: dict[str, Any] = {
        "kind": "run" if made.played else "score",
        "metrics": dict(made.metrics),
        "summary": {"x": 1},
    }
    if made.played:
        versions = {f"case:{p}": made.case_of.get(p, "1") for p in made.patients}
        record["study"] = {"seed": made.seed, "versions": versions, "therapists": list(made.shift)}
    else:
        record |= {"input": {"path": "f.jsonl", "sha256": made.source}, "by": "quality"}
    if made.ladder and made.played:
        _write(folder, "moments", cells)
        (folder / "bank.jsonl").write_text(_bank(made), encoding="utf-8")
        record["ladder"] = {"reference": made.reference}
    (folder / "run.json").write_text(json.dumps(record), encoding="utf-8")
    return folder


def test_the_example_is_a_run_folder(tmp_path: Path) -> None:
    folder = make_run(tmp_path / "a")
    assert pq.read_table(folder / "sessions.parquet").num_rows == 24
    assert json.loads((folder / "run.json").read_text(encoding="utf-8"))["metrics"] == METRICS
