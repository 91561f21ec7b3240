"""A run folder for the tests of the report: synthetic sessions, real measures, made-up aggregates."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from turnwise.core.nouns import Reading, Reason, SessionSpec, Trajectory, Turn
from turnwise.core.registry import METRICS as METRICS_OF_ALL
from turnwise.core.registry import Entry
from turnwise.engine.summary import Summary
from turnwise.engine.tables import TableWriter, score_session
from turnwise.metrics import insist_rate, reflection_share, stayed, talk_share, trust_slope

_REGISTERED = (insist_rate, reflection_share, stayed, talk_share, trust_slope)

HOSTILE = (
    "</script><script>document.title='owned'</script>",
    "<img src=x onerror=\"document.title='owned'\">",
    "\x1b[31mred\x1b[0m and \u202eright to left\u202c",
    "{{ 7 * 7 }} {% raw %} <!-- \u2028 ]]>",
    "plain words, and a line\nbreak & an <em>ampersand</em>",
)
BEHAVIOUR = ("question", "reflection", "therapist_input", "other")
TALK = ("change", "neutral", "sustain")
GROUPS = ("socratic.v1", "advisor.v1", "silent.v1")
CASES = ("alun", "mira")
EXCHANGES = 6
MOMENTS = {1: ("disclosure", True), 3: ("invalidation", False)}
METRICS = {
    "reflection_share": ("share", (0.0, 1.0), "higher", ("reading:therapist_behaviour",), "therapist"),
    "insist_rate": (
        "share",
        (0.0, 1.0),
        "lower",
        ("reading:therapist_behaviour", "reading:client_talk"),
        "therapist",
    ),
    "trust_slope": ("per exchange", (-1.0, 1.0), "higher", ("truth:state.trust",), "simulator"),
    "stayed": ("share", (0.0, 1.0), "higher", (), "simulator"),
    "talk_share": ("share", (0.0, 1.0), "none", (), "session"),
}


def _reading(item: str, labels: tuple[str, ...], side: str, turns: tuple[Turn, ...], rng: Any) -> Reading:
    p = np.full((len(turns), len(labels)), np.nan)
    mine = [i for i, turn in enumerate(turns) if turn.speaker == side]
    p[mine] = rng.dirichlet(np.ones(len(labels)) * 0.4, size=len(mine))
    p[[i for i in mine if not turns[i].text]] = np.nan
    read: tuple[Reason, Reason] = ("not_applicable", "empty")
    codes = tuple(None if t.speaker == side and t.text else read[t.speaker == side] for t in turns)
    return Reading(item, f"{item}.v1", "ab" * 32, labels, p, codes)


def session(group: str, case: str, epoch: int, *, played: bool = True) -> Trajectory:
    """Return one synthetic session; its words are hostile on purpose."""
    rng = np.random.default_rng([GROUPS.index(group), CASES.index(case), epoch])
    left = group == "advisor.v1" and epoch % 2 == 0
    turns, infos = [], []
    for k in range(EXCHANGES // 2 if left else EXCHANGES):
        turns += [
            Turn(speaker="therapist", text="" if group == "silent.v1" else f"{k}: {HOSTILE[k % len(HOSTILE)]}"),
            Turn(speaker="patient", text=f"{HOSTILE[(k + 1) % len(HOSTILE)]} #{k}"),
        ]
        state = {"trust": 0.4 + 0.05 * k * (-1 if left else 1), "distress": 0.7 - 0.04 * k}
        moment = MOMENTS.get(k) if group != "silent.v1" or k == 1 else None
        more = {"moment": moment[0], "scheduled": moment[1]} if moment else {}
        infos += [{"act": "reflect"}, {"state": state} | more]
    spec = SessionSpec(case=case, patient="stateful.v1", therapist=group, seed=1, epoch=epoch, max_turns=EXCHANGES)
    said = tuple(turns)
    readings = {
        "therapist_behaviour": _reading("therapist_behaviour", BEHAVIOUR, "therapist", said, rng),
        "client_talk": _reading("client_talk", TALK, "patient", said, rng),
    }
    return Trajectory(
        session_id=spec.session_id if played else f"{case}-{group}-{epoch}",
        source="simulated" if played else "annomi",
        spec=spec if played else None,
        turns=said,
        infos=tuple(infos) if played else (),
        ending="patient_left" if left else "max_turns" if played else "unknown",
        meta={} if played else {"mi_quality": group},
    ).with_ratings(readings)


def entries() -> list[Entry[Any]]:
    """Return the metrics of the example: real ones, so that marked turns can be counted against values."""
    return [METRICS_OF_ALL.get(f"{name}.v1") for name in METRICS]


def _cell(group: str, metric: str, value: float, n: int) -> dict[str, Any]:
    row = {"group": group, "metric": metric, "value": value, "low": value - 0.1, "high": value + 0.12}
    row |= {"level": 0.95, "n": n, "n_total": n, "units": 2, "method": "cluster bootstrap"}
    row |= {"code": None, "detail": "", "codes": {}, "observed": value, "n_left": 0}
    if group == "advisor.v1":
        row |= {"observed": value + 0.2, "n_left": n // 2}
    if (group, metric) == ("silent.v1", "insist_rate"):
        row |= {"value": None, "low": None, "high": None, "n": 0, "code": "no_denominator"}
        row |= {"detail": "no session has a value", "codes": {"no_denominator": n}, "observed": None}
    return row


def _difference(row: dict[str, Any], reference: str) -> dict[str, Any]:
    sides = {k: None if row[k] is None else row[k] - 0.5 for k in ("value", "low", "high")}
    return row | sides | {"reference": reference}


def _curves(groups: tuple[str, ...], n: int) -> list[dict[str, Any]]:
    x = list(range(1, EXCHANGES + 1))
    return [
        {"group": g, "key": key, "title": f"{key.title()} (simulated)", "x_title": "exchange", "x": x}
        | {"n": [n] * len(x), "value": [0.4 + 0.03 * i * (1 - j) for i in x]}
        | {"low": [0.3 + 0.03 * i * (1 - j) for i in x], "high": [0.5 + 0.03 * i * (1 - j) for i in x]}
        for key in ("trust", "distress")
        for j, g in enumerate(groups)
    ]


def _attendance(groups: tuple[str, ...], n: int) -> list[dict[str, Any]]:
    x = list(range(EXCHANGES + 1))
    rows: list[dict[str, Any]] = [
        {"group": g, "x": x, "at_risk": [n - i // 3 * j for i in x]} for j, g in enumerate(groups)
    ]
    for row in rows:
        row["share"] = [at_risk / n for at_risk in row["at_risk"]]
        row |= {"low": [max(0.0, s - 0.1) for s in row["share"]], "high": [min(1.0, s + 0.1) for s in row["share"]]}
    return rows


def summary(groups: tuple[str, ...], per_group: int, *, played: bool = True) -> dict[str, Any]:
    """Return an aggregate of the shape that the engine writes."""
    rng = np.random.default_rng(5)
    cells = [_cell(g, m, round(float(rng.uniform(0.2, 0.8)), 6), per_group) for g in groups for m in METRICS]
    auc = {"positive": groups[0], "negative": groups[1], "value": 0.7, "low": 0.6, "high": 0.8, "n": 12, "code": None}
    figure = {"figure": "macro-F1 .73 [.70, .76]", "ceiling": "none known"}
    return {
        "group_by": "therapist" if played else "mi_quality",
        "unit": "patient" if played else "series",
        "groups": [{"group": g, "label": g.split(".")[0], "sessions": per_group, "units": 2} for g in groups],
        "orientation": {n: s[2] for n, s in METRICS.items()},
        "about": {n: s[4] for n, s in METRICS.items()},
        "units": {n: s[0] for n, s in METRICS.items()},
        "metrics": cells,
        "contrasts": [_difference(c, groups[0]) for c in cells if played and c["group"] != groups[0]],
        "separation": [] if played else [auc | {"metric": m} for m in METRICS],
        "curves": _curves(groups, per_group),
        "attendance": _attendance(groups, per_group) if played else [],
        "validity": {n: figure | {"coder": "therapist_behaviour.v1" if s[3] else None} for n, s in METRICS.items()},
    }


def make_folder(folder: Path, *, epochs: int = 3, played: bool = True, no_text: bool = False) -> Path:
    """Write a run folder by hand: synthetic sessions, made-up numbers."""
    folder.mkdir(parents=True, exist_ok=True)
    ts = [session(g, c, e, played=played) for g in GROUPS for c in CASES for e in range(epochs)]
    broken = Trajectory(session_id="broken <b>", source="annomi", ending="error", error="line 3: <script>bad</script>")
    ts += [] if played else [broken]
    grouped = Summary(by=None if played else "mi_quality")
    with TableWriter(folder, entries(), no_text=no_text, group_of=grouped.group_of) as writer:
        writer.write([score_session(t, writer.metrics) for t in ts])
    record: dict[str, Any] = {
        "format": "turnwise.run/1",
        "kind": "run" if played else "score",
        "name": "example <i>run</i>",
        "turnwise": "0.1.0",
        "sessions": len(ts),
        "turns": sum(len(t.turns) for t in ts),
        "endings": {"max_turns": 15, "error": 1},
        "errors": [] if played else [{"session_id": "broken <b>", "error": "line 3: <script>bad</script>"}],
        "warnings": [
            "socratic, advisor, silent: intervals rest on 2 patients; with so few they are narrower than the truth"
        ],
        "licences": {"readers": "CC BY-NC 4.0"},
        "readers": {"therapist_behaviour": "therapist_behaviour.v1 (abab)"},
        "metrics": dict.fromkeys(METRICS, 1),
        "conformance": {"status": "not run", "detail": "the conformance gate is not built yet"},
        "no_text": no_text,
        "summary": summary(GROUPS if played else GROUPS[:2], 2 * epochs, played=played),
    }
    study = {"therapists": list(GROUPS), "patients": [f"stateful.v1:{c}" for c in CASES], "seed": 1, "epochs": epochs}
    study |= {"turns": EXCHANGES, "versions": {"case:alun": "0123456789abcdef"}}
    record |= {"study": study} if played else {"by": "mi_quality", "input": {"path": "my file.csv", "sha256": "ff"}}
    (folder / "run.json").write_text(json.dumps(record), encoding="utf-8")
    return folder


def test_the_example_has_the_tables_of_a_real_run(tmp_path: Path) -> None:
    folder = make_folder(tmp_path / "run")
    assert {p.name for p in folder.iterdir()} == {"run.json"} | {
        f"{t}.parquet" for t in ("turns", "ratings", "scores", "sessions")
    }
    record = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    assert len(record["summary"]["metrics"]) == len(GROUPS) * len(METRICS)
