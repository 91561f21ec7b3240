"""A run folder written by hand, for the tests of the report: synthetic sessions, made-up numbers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from turnwise.core.nouns import Reading, Score, SessionSpec, Trajectory, Turn, unscored
from turnwise.core.registry import Entry
from turnwise.engine.tables import ScoredSession, TableWriter

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
    codes = tuple(None if turn.speaker == side else "not_applicable" for turn in turns)
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
        infos += [
            {"act": "reflect"},
            {"state": state} | ({"moment": "disclosure", "scheduled": True} if k == 1 else {}),
        ]
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


def scores(t: Trajectory) -> dict[str, Score]:
    """Return made-up scores, one of them without a value."""
    rng = np.random.default_rng(len(t.session_id))
    found = {name: Score(float(rng.uniform(-0.02, 1.0)), 6) for name in METRICS}
    if "silent" in t.session_id:
        found["insist_rate"] = unscored("no_denominator", "the patient never pushed back")
    return found


def entries() -> list[Entry[Any]]:
    """Return the metrics of the example, as a registry would hold them."""
    keys = ("unit", "bounds", "orientation", "needs", "about")
    return [
        Entry(f"{n}.v1", lambda t: t, dict(zip(keys, s, strict=True)) | {"source": "x"}) for n, s in METRICS.items()
    ]


def summary(groups: tuple[str, ...], per_group: int, *, played: bool = True) -> dict[str, Any]:
    """Return an aggregate of the shape that the engine writes."""
    rng = np.random.default_rng(5)
    cells, contrasts = [], []
    for g in groups:
        for name in METRICS:
            value = round(float(rng.uniform(0.2, 0.8)), 6)
            row = {"group": g, "metric": name, "value": value, "low": value - 0.1, "high": value + 0.12}
            row |= {"level": 0.95, "n": per_group, "n_total": per_group, "units": 2, "method": "cluster bootstrap"}
            row |= {"code": None, "detail": "", "codes": {}, "observed": value, "n_left": 0}
            if g == "advisor.v1":
                row |= {"observed": value + 0.2, "n_left": per_group // 2}
            if (g, name) == ("silent.v1", "insist_rate"):
                row |= {"value": None, "low": None, "high": None, "n": 0, "code": "no_denominator"}
                row |= {"detail": "no session has a value", "codes": {"no_denominator": per_group}, "observed": None}
            cells.append(row)
            if g != groups[0] and played:
                contrasts.append(row | {"reference": groups[0], "value": row["value"] and row["value"] - 0.5})
                if row["value"] is not None:
                    contrasts[-1] |= {"low": row["value"] - 0.6, "high": row["value"] - 0.38}
    x = list(range(1, EXCHANGES + 1))
    curves = [
        {"group": g, "key": key, "title": f"{key.title()} (simulated)", "x_title": "exchange", "x": x}
        | {"n": [per_group] * len(x), "value": [0.4 + 0.03 * i * (1 - j) for i in x]}
        | {"low": [0.3 + 0.03 * i * (1 - j) for i in x], "high": [0.5 + 0.03 * i * (1 - j) for i in x]}
        for key in ("trust", "distress")
        for j, g in enumerate(groups)
    ]
    there = [
        {"group": g, "x": [0, *x], "at_risk": [per_group - i // 3 * j for i in [0, *x]]} for j, g in enumerate(groups)
    ]
    for row in there:
        row["share"] = [n / per_group for n in row["at_risk"]]
        row |= {"low": [max(0.0, s - 0.1) for s in row["share"]], "high": [min(1.0, s + 0.1) for s in row["share"]]}
    one = METRICS
    separation = [
        {"metric": m, "positive": groups[0], "negative": groups[1], "value": 0.7, "low": 0.6, "high": 0.8, "n": 12}
        | {"code": None}
        for m in METRICS
    ]
    return {
        "group_by": "therapist" if played else "mi_quality",
        "unit": "patient" if played else "series",
        "groups": [{"group": g, "label": g.split(".")[0], "sessions": per_group, "units": 2} for g in groups],
        "orientation": {n: s[2] for n, s in one.items()},
        "about": {n: s[4] for n, s in one.items()},
        "units": {n: s[0] for n, s in one.items()},
        "metrics": cells,
        "contrasts": contrasts,
        "separation": [] if played else separation,
        "curves": curves,
        "attendance": there if played else [],
        "validity": {
            n: {
                "coder": "therapist_behaviour.v1" if s[3] else None,
                "figure": "macro-F1 .73 [.70, .76]",
                "ceiling": "none known",
            }
            for n, s in one.items()
        },
    }


def make_folder(folder: Path, *, epochs: int = 3, played: bool = True, no_text: bool = False) -> Path:
    """Write a run folder by hand: synthetic sessions, made-up numbers."""
    folder.mkdir(parents=True, exist_ok=True)
    ts = [session(g, c, e, played=played) for g in GROUPS for c in CASES for e in range(epochs)]
    broken = Trajectory(session_id="broken <b>", source="annomi", ending="error", error="line 3: <script>bad</script>")
    ts += [] if played else [broken]
    with TableWriter(folder, entries(), no_text=no_text) as writer:
        writer.write([ScoredSession(t, scores(t)) for t in ts if t.ending != "error"])
        failed = dict.fromkeys(METRICS, unscored("session_error", "line 3"))
        writer.write([ScoredSession(t, failed) for t in ts if t.ending == "error"])
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
