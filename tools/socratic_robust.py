"""How the Socratic therapist fares when the simulator or somebody's ears are wrong: constants, readers, its own ear.

Called by ``tools/socratic_study.py`` (parts ``perturbed`` and ``ears``); the page is docs/socratic.md.
"""

from __future__ import annotations

import asyncio
import dataclasses
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow.parquet as pq

from simulated_levels import level_of
from turnwise.core.nouns import SessionSpec, Trajectory
from turnwise.core.play import play
from turnwise.core.registry import THERAPISTS
from turnwise.engine.discovery import discover
from turnwise.engine.store import RunFolder
from turnwise.patients.casebook import case_ids, load_case
from turnwise.patients.change_sizes import SIZES, VALUES, Sizes
from turnwise.patients.stateful import Family, Stateful
from turnwise.reading.claim_coder import ClaimCoder, ClaimReader, load_claims
from turnwise.reading.ears.direct import DirectEar
from turnwise.reading.ears.hearing import Hearing
from turnwise.reading.window import Window
from turnwise.therapists.tracking.levels import VARIABLES, load_levels

SEED = 20263
OTHERS = ("reflector", "never_advise", "amnesiac", "advisor", "interrogator")
NUDGES = (0.8, 1.2)
ERRORS = 0.2
"""Share of readings, or of the controller's own hearings, that are replaced by wrong ones."""
_FALSE_FEELING = "a feeling that is not there"
"""What the simulated patient's record of truth calls a feeling that the therapist read into it."""


class WrongEar:
    """An ear that takes a share of what it hears for the sense of something else it heard before.

    The words stay; probabilities and vectors, which are what a reader gets wrong, are those of another turn.
    """

    def __init__(self, ear: DirectEar, share: float, seed: int) -> None:
        self._ear, self._share, self._rng, self._kept = ear, share, np.random.default_rng(seed), list[Hearing]()

    async def hear(self, window: Window) -> Hearing:
        """Return what was heard, or, in ``share`` of the turns, somebody else's meaning in these words."""
        heard = await self._ear.hear(window)
        others = [h for h in self._kept if h.p.keys() == heard.p.keys()]
        self._kept.append(heard)
        if others and self._rng.random() < self._share:
            wrong = others[self._rng.integers(len(others))]
            return dataclasses.replace(heard, p=wrong.p, vector=wrong.vector)
        return heard


def _therapist(name: str, ear: Any) -> Any:
    entry = THERAPISTS.get(name)
    return entry.obj(ear=ear) if "ear" in entry.obj.__code__.co_varnames else entry.obj()


def _played(patient: Stateful, who: Any, cases: Iterable[str], epochs: int = 1) -> list[Trajectory]:
    specs = [
        SessionSpec(case=c, patient="stateful.v1", therapist="asked", seed=SEED, epoch=e, max_turns=20)
        for c in cases
        for e in range(epochs)
    ]
    return [asyncio.run(play(s, load_case(s.case), patient, who)) for s in specs]


def _ends(sessions: Sequence[Trajectory]) -> tuple[float, float]:
    """Return the mean fall of conviction, and mean trust at the end."""
    falls, trust = [], []
    for t in sessions:
        states: list[Any] = [i["state"] for i in t.infos if "state" in i]
        first: Any = next(i["state_before"] for i in t.infos if "state_before" in i)
        falls.append(first["conviction"] - states[-1]["conviction"])
        trust.append(states[-1]["trust"])
    return float(np.mean(falls)), float(np.mean(trust))


def _told(levels: Any, name: str) -> npt.NDArray[np.float64]:
    """Return the probabilities of the bands of one variable, of what a therapist recorded."""
    return np.asarray(levels[name], dtype=np.float64)


def _tracking_errors(sessions: Sequence[Trajectory]) -> dict[str, float]:
    """Return the mean absolute error of each tracked level against the truth."""
    out, levels = {}, load_levels()
    for name in VARIABLES:
        off = [
            abs(_told(t.infos[i + 1]["levels"], name) @ levels[name].centres - level_of(t.infos[i]["state"], name))
            for t in sessions
            for i in range(1, len(t.turns) - 1, 2)
        ]
        out[name] = float(np.mean(off))
    return out


def _one_world(sizes: Sizes, ear: DirectEar, cases: Sequence[str]) -> dict[str, Any]:
    patient = Stateful(ear, Family(sizes=lambda rng: sizes))
    mine = _played(patient, _therapist("socratic", ear), cases)
    ends = {"socratic": _ends(mine)}
    ends |= {t: _ends(_played(patient, _therapist(t, ear), cases)) for t in OTHERS}
    return {"ends": ends, "errors": _tracking_errors(mine)}


def perturbed() -> dict[str, Any]:
    """Nudge each size of change by a fifth either way, alone, and return what that does to order and tracking."""
    from scipy.stats import kendalltau

    discover()
    ear, cases = DirectEar(), case_ids()[1::4]
    base = _one_world(VALUES, ear, cases)

    def order(of: Mapping[str, Any], what: int) -> list[float]:
        return [of["ends"][t][what] for t in ("socratic", *OTHERS)]

    rows = []
    for name in SIZES:
        for by in NUDGES:
            world = _one_world(VALUES.but(f"{name}*{by}", **{name: VALUES[name] * by}), ear, cases)
            moved = {v: world["errors"][v] - base["errors"][v] for v in VARIABLES}
            worst = max(moved, key=lambda v: abs(moved[v]))
            falls = dict(zip(("socratic", *OTHERS), order(world, 0), strict=True))
            rows.append({
                "size": name, "by": by,
                "first_on_conviction": max(falls, key=lambda t: falls[t]) == "socratic",
                "tau_trust": round(float(kendalltau(order(world, 1), order(base, 1)).statistic), 2),
                "tau_conviction": round(float(kendalltau(order(world, 0), order(base, 0)).statistic), 2),
                "error_moved": round(moved[worst], 4), "of": worst,
            })  # fmt: skip
    return {
        "cases": list(cases), "n_sizes": len(SIZES), "n_worlds": len(rows),
        "first_on_conviction": sum(r["first_on_conviction"] for r in rows),
        "tau_trust": _spread(r["tau_trust"] for r in rows),
        "tau_conviction": _spread(r["tau_conviction"] for r in rows),
        "error_moved_most": max(rows, key=lambda r: abs(r["error_moved"])),
        "not_first": [r for r in rows if not r["first_on_conviction"]],
        "most_disordered": sorted(rows, key=lambda r: r["tau_trust"])[:5],
    }  # fmt: skip


def _spread(values: Iterable[float]) -> dict[str, float]:
    x = np.array(list(values))
    return {"least": round(float(x.min()), 2), "median": round(float(np.median(x)), 2)}


def other_ears(folder: Path) -> dict[str, Any]:
    """Return rates of what must not be done, by the raters of a run and by the patients' own record, by therapist.

    With them the same rates when a fifth of the readings are wrong (flipped, twenty draws), and Kendall's tau of the
    order of therapists with the order before. ``false_feeling``: turns after which the simulated patient recorded a
    feeling that its case does not hold; ``leading`` is a reading of the run. The verdicts on claims are *raw*: their
    rater is below its floor, so that the run itself withholds every one of them, and where all are withheld a share of
    the rest would be nought for everybody.
    """
    names = {s["session_id"]: s["therapist"] for s in pq.read_table(folder / "sessions.parquet").to_pylist()}
    flags = {"leading": _of_raters(folder, names, "question_form", "leading")}
    flags |= _of_sessions(RunFolder(folder).sessions(), names)
    rng = np.random.default_rng(SEED)
    return {kind: _with_errors(of, rng) for kind, of in flags.items()}


def _of_raters(folder: Path, names: Mapping[str, str], item: str, label: str) -> dict[str, list[bool]]:
    out: dict[str, list[bool]] = defaultdict(list)
    table = pq.read_table(folder / "ratings.parquet", filters=[("item", "=", item)])
    for r in table.to_pylist():
        if r["value"] is not None and r["session_id"] in names:
            out[names[r["session_id"]]].append(r["value"] == label)
    return out


def _of_sessions(sessions: Iterable[Trajectory], names: Mapping[str, str]) -> dict[str, dict[str, list[bool]]]:
    """Return what the words and the patients' record say of each turn, by therapist.

    Two bad verdicts on claims, by the rater's weights, floor or none; feelings read in, by the record.
    """
    raw = ClaimReader("claims.v1", ClaimCoder(load_claims("claims.v1")))
    unsupported, contradicted, false_feeling = (defaultdict[str, list[bool]](list) for _ in range(3))
    for t in sessions:
        therapist = names[t.session_id]
        decided = [label for label in raw.read([t])[0].values() if label is not None]
        unsupported[therapist] += [label == "unsupported" for label in decided]
        contradicted[therapist] += [label == "contradicted" for label in decided]
        causes = [i["causes"] for i in t.infos if isinstance(i.get("causes"), list)]
        false_feeling[therapist] += [_FALSE_FEELING in c for c in causes if isinstance(c, list)]
    return {"unsupported, raw": unsupported, "contradicted, raw": contradicted, "false_feeling": false_feeling}


def _with_errors(of: Mapping[str, list[bool]], rng: np.random.Generator) -> dict[str, Any]:
    from scipy.stats import kendalltau

    names = sorted(n for n in of if of[n])
    if not names:
        return {"code": "undetermined"}  # the rater is below its floor, so the run holds no reading of it
    true = [float(np.mean(of[n])) for n in names]
    drawn = np.array(
        [[np.mean(np.array(of[n], dtype=bool) ^ (rng.random(len(of[n])) < ERRORS)) for n in names] for _ in range(20)]
    )
    taus = [kendalltau(true, row).statistic for row in drawn] if len(set(true)) > 1 else []
    return {
        "rates": {
            n: [round(t, 4), round(float(d), 4)] for n, t, d in zip(names, true, drawn.mean(axis=0), strict=True)
        },
        "tau": [round(float(np.quantile(taus, q)), 2) for q in (0.05, 0.5, 0.95)] if taus else None,
        "n": {n: len(of[n]) for n in names},
    }


def own_ear() -> dict[str, Any]:
    """Return what is left of the controller when a fifth of its own hearings are wrong, beside its right hearing."""
    discover()
    ear = DirectEar()
    patient = Stateful(ear)
    made: dict[str, Callable[[], Any]] = {
        "socratic": lambda: _therapist("socratic", ear),
        "socratic, a fifth misheard": lambda: _therapist("socratic", WrongEar(ear, ERRORS, SEED)),
        "reflector": lambda: _therapist("reflector", ear),
    }
    out: dict[str, Any] = {}
    for name, make in made.items():
        fall, trust = _ends(sessions := _played(patient, make(), case_ids(), 2))
        out[name] = {"conviction_fall": round(fall, 4), "trust": round(trust, 3), "n": len(sessions)}
        if name != "reflector":
            out[name]["errors"] = {k: round(v, 3) for k, v in _tracking_errors(sessions).items()}
    return out
