"""How often studies of a given size find a planted gap, and how often they see one where there is none.

    python tools/power_of_the_gap.py [--studies 2000] [--out docs/power.json]

Simulated tables (`turnwise.batteries.ladder.planted`), analysed exactly as real ones are. It says what a study can see
if the world is like these tables, and nothing about therapists.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from turnwise.batteries.ladder.gaps import rung_gap
from turnwise.batteries.ladder.planted import Planted
from turnwise.batteries.ladder.rung_values import rung_values
from turnwise.stats.proportion import wilson

DOCS = Path(__file__).resolve().parents[1] / "docs"
PATIENTS = (8, 16, 32)
MOMENTS = ((1, 2), (2, 4))
"""Sessions per patient, and scheduled moments of the skill in each."""
FADES = (0.0, 0.1, 0.2, 0.3)
DRAWS = 500


def studies_of(study: Planted, studies: int, seed: int) -> Iterator[tuple[float, float, float]]:
    """Yield value, low and high of the arc gap of each simulated study."""
    rng = np.random.default_rng(seed)
    for i in range(studies):
        cells = study(rng)
        found = rung_gap(rung_values(cells, "show"), rung_values(cells, "sustain"), rng=i, draws=DRAWS)
        if found.value is None or found.low is None or found.high is None:
            raise ValueError("a complete table has a gap with an interval")
        yield found.value, found.low, found.high


def measured(study: Planted, studies: int, seed: int) -> dict[str, Any]:
    """Return what the studies found: bias, coverage of the planted gap, and how often zero was excluded."""
    value, low, high = np.array(list(studies_of(study, studies, seed))).T
    seen, covered = (low > 0) | (high < 0), (low <= study.fade + 1e-12) & (study.fade - 1e-12 <= high)

    def share(hits: np.ndarray) -> dict[str, float | None]:
        found = wilson(int(hits.sum()), studies)
        ends = {"value": found.value, "low": found.low, "high": found.high}
        return {k: None if x is None else round(x, 4) for k, x in ends.items()}

    return {
        "patients": study.patients,
        "sessions_per_patient": study.epochs,
        "moments_per_session": study.moments,
        "planted": study.fade,
        "mean_found": round(float(value.mean()), 4),
        "sd_found": round(float(value.std()), 4),
        "covered": share(covered),
        "excludes_zero": share(seen),
    }


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--studies", type=int, default=2_000)
    parser.add_argument("--out", type=Path, default=DOCS / "power.json")
    args = parser.parse_args(argv)
    rows: list[dict[str, Any]] = []
    for patients, (epochs, moments), fade in product(PATIENTS, MOMENTS, FADES):
        study = Planted(patients=patients, epochs=epochs, moments=moments, fade=fade)
        rows.append(measured(study, args.studies, seed=len(rows)))
        print(json.dumps(rows[-1]), file=sys.stderr)
    document = {
        "what": "arc gap (show minus sustain) of one therapist and skill in simulated tables; level 0.95",
        "command": "make power",
        "studies": args.studies,
        "bootstrap_draws": DRAWS,
        "level": Planted().level,
        "spread_between_patients": Planted().spread,
        "rows": rows,
    }
    args.out.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
