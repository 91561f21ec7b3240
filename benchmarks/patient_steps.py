"""How many patient-steps a second the state makes on one core, beside a plain Python loop in the same run.

Usage: OMP_NUM_THREADS=1 python benchmarks/patient_steps.py [--json]

Both move the same minds by the same turns with the same noise, handed in, and the script stops if a
single bit differs. The best of several repeats is given: what the code can do, not what the machine
was busy with besides.
"""

from __future__ import annotations

import json
import platform
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from turnwise.patients.dynamics import step, step_many
from turnwise.patients.endings import openness, p_fades, p_leaves
from turnwise.patients.mind import Columns, Impact, columns_of, rows_of
from turnwise.patients.principles import panel

LOOPED, REPEATS = 2_000, 7
SIZES = (1_000, 10_000, 100_000, 1_000_000)


def turns(rng: np.random.Generator, n: int) -> list[Impact]:
    """Return ``n`` turns of every kind."""
    return [
        Impact(
            reflection=float(rng.random()), accuracy=float(rng.random()), names_feeling=bool(rng.random() < 0.3),
            copy=bool(rng.random() < 0.1), questions=int(rng.integers(0, 4)), words=int(rng.integers(0, 150)),
            advice=float(rng.random() < 0.3), raw=float(rng.random()), challenge=float(rng.random() < 0.2),
            praises=bool(rng.random() < 0.2), repairs=bool(rng.random() < 0.1), yields=bool(rng.random() < 0.2),
        )
        for _ in range(n)
    ]  # fmt: skip


def best_seconds(what: Callable[[], Any]) -> float:
    """Return the shortest time of several runs."""
    found = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        what()
        found.append(time.perf_counter() - start)
    return min(found)


def tiled(columns: Columns, n: int) -> Columns:
    """Return ``n`` rows by repeating those there are."""
    return Columns({name: np.resize(x, n) for name, x in columns.of.items()}, columns.sizes)


def measured() -> dict[str, Any]:
    """Return steps a second, vectorised by size and looped, and their ratio."""
    rng = np.random.default_rng(1)
    minds, heard, noise = panel(rng, LOOPED), turns(rng, LOOPED), rng.standard_normal(LOOPED)
    rows, impacts = list(rows_of(minds)), columns_of(heard)
    one = [step(m, h, float(z))[0] for m, h, z in zip(rows, heard, noise, strict=True)]
    many = step_many(minds, impacts, noise)
    if any(a != b for a, b in zip(one, rows_of(many), strict=True)):
        raise SystemExit("one mind and many are moved differently; the figures would compare two things.")
    looped = LOOPED / best_seconds(lambda: [step(m, h, float(z)) for m, h, z in zip(rows, heard, noise, strict=True)])
    found: dict[str, Any] = {"python": platform.python_version(), "numpy": np.__version__, "loop": round(looped)}
    for n in SIZES:
        m, h, z = tiled(minds, n), tiled(impacts, n), np.resize(noise, n)
        found[f"vectorised_{n}"] = round(n / best_seconds(lambda m=m, h=h, z=z: step_many(m, h, z)))  # type: ignore[misc]
    m = tiled(minds, SIZES[1])
    found["hazards_and_openness"] = round(SIZES[1] / best_seconds(lambda: (openness(m), p_leaves(m), p_fades(m))))
    found["ratio"] = round(found[f"vectorised_{SIZES[1]}"] / looped, 1)
    return found


def main() -> int:
    """Print the figures."""
    found = measured()
    if "--json" in sys.argv:
        print(json.dumps(found))
    else:
        for name, value in found.items():
            print(f"{name:24s} {value:>12,}" if isinstance(value, int) else f"{name:24s} {value:>12}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
