"""Measure the Socratic therapist against the others, its ablations, foreign patients and its own beliefs.

    python tools/socratic_study.py [--out docs/socratic.json] [--run FOLDER] [--epochs 16]

Plays a run with the default line-up and the ablations (seeds that nothing was tuned on), sessions with foreign families
of patients, and sessions whose truth the tracker is held against; writes docs/socratic.json, which docs/socratic.md
shows. Half an hour on two idle cores; ``--parts`` measures some of it again.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq

from refitting import as_json
from simulated_levels import banded, level_of
from socratic_edge import what_shows
from socratic_robust import other_ears, own_ear, perturbed
from socratic_tracking import held_apart
from turnwise.core.nouns import Estimate, SessionSpec, Trajectory
from turnwise.core.play import play
from turnwise.core.registry import PATIENTS, THERAPISTS
from turnwise.engine.discovery import discover
from turnwise.engine.study import DEFAULT_THERAPISTS
from turnwise.patients.casebook import case_ids, load_case
from turnwise.patients.principles import PRINCIPLES
from turnwise.reading.ears.direct import DirectEar
from turnwise.stats.paired import paired_difference
from turnwise.therapists.tracking.levels import VARIABLES, load_levels

DOCS = Path(__file__).resolve().parents[1] / "docs"
SEED, FOREIGN_SEED = 232201, 41353
AGAIN_SEED, AGAIN_EPOCHS = 232301, 24
AGAIN = ("socratic", "never_advise", "socratic_frozen", "socratic_incurious")
"""Whom the first run left undecided: played again, on a seed of its own."""
ABLATIONS = ("frozen", "greedy", "unchecked", "staged", "incurious")
SKILLS = (
    "guide", "calibrate", "yield", "provide", "ground", "consolidate", "attune", "inquire", "safeguard", "own_up",
    "dissent", "heed", "infer",
)  # fmt: skip
OUTCOMES = ("conviction_change", "trust_level", "distress_slope", "stayed", "insist_rate", "step_back_rate",
            "leading_question_rate", "withheld_help_rate", "bait_agreement_rate")  # fmt: skip
_BELIEVED = (
    "stateful", "stateful_low", "stateful_high", "paraphrased", "fitted",
    "contrary_edge", "contrary_support", "contrary_telling", "contrary_natural_course",
)  # fmt: skip
"""Families in which what is believed is held against the truth: of the last four nothing was learnt or set."""
_FOREIGN_AGAINST = ("reflector", "never_advise", "amnesiac", "advisor", "interrogator")


def run_folder(out: Path, epochs: int, names: Sequence[str] = (), seed: int = SEED) -> Path:
    """Play therapists (the line-up and the ablations), with the ladder, into a run folder (resumed if it is there)."""
    names = names or [*DEFAULT_THERAPISTS, *(f"socratic_{a}" for a in ABLATIONS)]
    asked = [x for name in names for x in ("--therapist", name)]
    command = [sys.executable, "-c", "from turnwise.apps.cli import main; main()", "run", *asked,
               "--epochs", str(epochs), "--seed", str(seed), "--out", str(out), "--json"]  # fmt: skip
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)  # our own command line
    return out


def _by_patient(rows: Iterable[tuple[str, str, float]]) -> dict[str, dict[str, float]]:
    """Return the mean of each therapist with each patient."""
    found: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for therapist, patient, value in rows:
        found[therapist][patient].append(value)
    return {t: {p: float(np.mean(v)) for p, v in of.items()} for t, of in found.items()}


def _against(means: Mapping[str, Mapping[str, float]], me: str) -> dict[str, Any]:
    """Return each therapist's mean, and what ``me`` has above it, paired by patient."""
    out: dict[str, Any] = {}
    for name, of in sorted(means.items()):
        patients = sorted(set(of) & set(means.get(me, {})))
        line: dict[str, Any] = {"mean": round(float(np.mean(list(of.values()))), 3), "n_patients": len(of)}
        if name != me and patients:
            line["above"] = _rounded(
                paired_difference([means[me][p] for p in patients], [of[p] for p in patients], rng=1)
            )
        out[name] = line
    return out


def _rounded(e: Estimate) -> list[float | None]:
    return [None if x is None else round(float(x), 4) for x in (e.value, e.low, e.high)]


def ladder_and_outcomes(folder: Path) -> dict[str, Any]:
    """Return Sustain by skill and the outcomes of sessions, of everybody, with what socratic has above each."""
    # A skill whose reply cannot be read still has cells: moments that nobody answered. These alone are no mean.
    judged = {
        (r["therapist"], r["skill"])
        for r in pq.read_table(folder / "gap.parquet").to_pylist()
        if r["measure"] == "sustain" and r["value"] is not None
    }
    cells = [
        r for r in pq.read_table(folder / "moments.parquet").to_pylist()
        if r["rung"] == "sustain" and r["scheduled"] and r["value"] is not None
        and (r["therapist"], r["skill"]) in judged
    ]  # fmt: skip
    skills = {
        skill: _against(
            _by_patient((c["therapist"], c["patient"], c["value"]) for c in cells if c["skill"] == skill), "socratic.v1"
        )
        for skill in SKILLS
    }
    sessions = pq.read_table(folder / "sessions.parquet").to_pylist()
    outcomes = {
        name: _against(
            _by_patient((s["therapist"], s["patient"], s[name]) for s in sessions if s.get(name) is not None),
            "socratic.v1",
        )
        for name in OUTCOMES
    }
    return {"sustain": skills, "outcomes": outcomes}


def _sessions(therapist: str, family: str, epochs: int, cases: Sequence[str], ear: DirectEar) -> list[Trajectory]:
    entry, patient = THERAPISTS.get(therapist), PATIENTS.get(family)
    takes_ear = "ear" in entry.obj.__code__.co_varnames
    who = entry.obj(ear=ear) if takes_ear else entry.obj()
    made = patient.obj(ear=ear)
    specs = [
        SessionSpec(case=c, patient=patient.name, therapist=entry.name, seed=FOREIGN_SEED, epoch=e, max_turns=20)
        for c in cases
        for e in range(epochs)
    ]
    return [asyncio.run(play(s, load_case(s.case), made, who)) for s in specs]


def _outcome(t: Trajectory) -> tuple[float, float]:
    """Return how far conviction fell, and trust at the end."""
    states = [i["state"] for i in t.infos if "state" in i]
    first = next(i["state_before"] for i in t.infos if "state_before" in i)
    return (
        float(first["conviction"]) - float(states[-1]["conviction"]),  # type: ignore[index,call-overload,arg-type]
        float(states[-1]["trust"]),  # type: ignore[index,call-overload,arg-type]
    )


def foreign_families(epochs: int) -> dict[str, Any]:
    """Return fall of conviction and trust by family of patients, and whether the order of therapists holds."""
    from scipy.stats import kendalltau

    discover()
    ear = DirectEar()
    families = ["stateful", "stateful_low", "stateful_high", "stateful_drawn", "fitted"]
    families += [f"contrary_{name}" for name in PRINCIPLES]
    families += [n for n in ("paraphrased",) if any(e.base == n for e in PATIENTS.newest())]
    out: dict[str, Any] = {}
    cases = case_ids()
    for family in families:
        base = family in ("stateful", "stateful_low", "stateful_high", "stateful_drawn", "fitted", "paraphrased")
        by = {t: np.array([_outcome(s) for s in _sessions(t, family, epochs if base else 1, cases, ear)])
              for t in ("socratic", *_FOREIGN_AGAINST)}  # fmt: skip
        out[family] = {t: {"conviction_fall": round(float(x[:, 0].mean()), 4), "trust": round(float(x[:, 1].mean()), 3),
                           "n": len(x)} for t, x in by.items()}  # fmt: skip
    for found in out.values():
        mine = [found[t]["conviction_fall"] for t in found if t in by]
        theirs = [out["stateful"][t]["conviction_fall"] for t in found if t in by]
        found["first"] = max(by, key=lambda t: found[t]["conviction_fall"])
        found["order"] = round(float(kendalltau(mine, theirs).statistic), 2)
    return out


def beliefs(epochs: int) -> dict[str, Any]:
    """Return how well the shipped tracker knows the default patients: error, correlation, coverage, calibration."""
    discover()
    ear, levels = DirectEar(), load_levels()
    out: dict[str, Any] = {}
    for family in _BELIEVED:
        if not any(e.base == family for e in PATIENTS.newest()):
            continue
        sessions = _sessions("socratic", family, epochs, case_ids(), ear)
        out[family] = {}
        for name in VARIABLES:
            level = levels[name]
            pairs = [
                (t.infos[i + 1]["levels"][name], level_of(t.infos[i]["state"], name))  # type: ignore[index,call-overload]
                for t in sessions
                for i in range(1, len(t.turns) - 1, 2)
            ]
            p, truth = np.array([x for x, _ in pairs]), np.array([y for _, y in pairs])
            out[family][name] = judged(p, truth, level.cuts, level.centres)
    return out


def judged(p: Any, truth: Any, cuts: Any, centres: Any) -> dict[str, Any]:
    """Return figures of beliefs over bands, (N, K), against true levels (N,)."""
    band = banded(truth, cuts)
    guess = p @ centres
    hot = np.eye(p.shape[1])[band]
    order = np.argsort(-p, axis=1)
    cumulated = np.take_along_axis(p, order, axis=1).cumsum(axis=1)
    size = (cumulated < 0.8).sum(axis=1) + 1
    rank = (order == band[:, None]).argmax(axis=1)
    mass = np.take_along_axis(cumulated, (size - 1)[:, None], axis=1).mean()
    spread = truth.std() > 1e-9 and guess.std() > 1e-9
    base = np.bincount(band, minlength=p.shape[1]) / len(band)
    return {
        "correlation": round(float(np.corrcoef(guess, truth)[0, 1]), 3) if spread else None,
        "mean_absolute_error": round(float(np.abs(guess - truth).mean()), 3),
        "brier": round(float(((p - hot) ** 2).sum(axis=1).mean()), 3),
        "brier_of_frequencies": round(float(((base - hot) ** 2).sum(axis=1).mean()), 3),
        "said": round(float(mass), 3),
        "covered": round(float((rank < size).mean()), 3),
        "n": len(truth),
    }


def milliseconds_a_turn() -> float:
    """Return the median processor time of a turn of the therapist, in milliseconds."""
    discover()
    ear = DirectEar()
    who, patient = THERAPISTS.get("socratic").obj(ear=ear), PATIENTS.get("stateful")
    spent: list[float] = []

    class Timed:
        def init(self, *given: Any) -> Any:
            return who.init(*given)

        async def respond(self, *given: Any) -> Any:
            start = time.process_time()
            reply = await who.respond(*given)
            spent.append(1000.0 * (time.process_time() - start))
            return reply

    for case in case_ids()[:4]:
        spec = SessionSpec(case=case, patient=patient.name, therapist="timed", seed=SEED, max_turns=20)
        asyncio.run(play(spec, load_case(case), patient.obj(ear=ear), Timed()))
    return round(float(np.median(spent[20:])), 1)


def main() -> int:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=DOCS / "socratic.json")
    parser.add_argument("--run", type=Path, help="run folder to use or to resume")
    parser.add_argument("--epochs", type=int, default=16)
    parser.add_argument(
        "--parts", default="ladder,again,ears,foreign,perturbed,beliefs,apart,edge,speed", help="what to measure again"
    )
    parser.add_argument("--note", default="", help="one sentence shown above the page, e.g. which parts are older")
    parser.add_argument("--merge", type=Path, nargs="*", default=[], help="files of parts measured apart, to be put in")
    asked = parser.parse_args()
    found = json.loads(asked.out.read_text(encoding="utf-8")) if asked.out.is_file() else {}
    parts = asked.parts.split(",")
    for file in asked.merge:
        found |= {name: x for name, x in json.loads(file.read_text(encoding="utf-8")).items() if name != "about"}
    if {"ladder", "ears"} & set(parts):
        folder = run_folder(asked.run or Path(tempfile.mkdtemp()) / "run", asked.epochs)
        found |= ladder_and_outcomes(folder) | {"other_ears": other_ears(folder)}
    if "again" in parts:
        again = run_folder(Path(tempfile.mkdtemp()) / "run", AGAIN_EPOCHS, AGAIN, AGAIN_SEED)
        found["again"] = ladder_and_outcomes(again) | {"seed": AGAIN_SEED, "epochs": AGAIN_EPOCHS}
    if "ears" in parts:
        found["own_ear"] = own_ear()
    if "perturbed" in parts:
        found["perturbed"] = perturbed()
    if "foreign" in parts:
        found["foreign"] = foreign_families(2)
    if "beliefs" in parts:
        found["beliefs"] = beliefs(12)
    if "apart" in parts:
        found["held_apart"] = held_apart()
    if "edge" in parts:
        found["edge"] = what_shows()
    if "speed" in parts:
        found["milliseconds"] = milliseconds_a_turn()
    found["about"] = {"seed": SEED, "foreign_seed": FOREIGN_SEED, "epochs": asked.epochs, "turns": 20}
    found["about"] |= {"note": asked.note} if asked.note else {}
    asked.out.write_bytes(as_json(found))
    print(f"wrote {asked.out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
