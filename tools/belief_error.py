"""How far factored beliefs come from exact ones on random models: what ``belief.factored`` states of itself.

    python tools/belief_error.py

``tools/fit_tracker.py`` puts the figures into docs/tracker.json.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import numpy as np

from turnwise.belief.factored import Factored, factored_entropy, joint, predict_factors, project, update_about
from turnwise.belief.filter import predict, uniform, update

MODELS, STEPS, VARIABLES, STATES = 200, 20, ("x", "y", "z"), ("a", "b", "c")
COUPLINGS, STAYS, SEED = (0.0, 0.5, 1.0, 2.0), (0.6, 0.95), 20250601


def errors_of(coupling: float, stay: float, rng: np.random.Generator) -> tuple[list[float], list[float]]:
    """Return the total variation of each marginal at each step of one random model, and what each update lost.

    Every observation bears on all three variables: normal log likelihoods of each alone (spread 1) and of
    each combination (spread ``coupling``); between steps every variable stays with ``stay`` or moves at random.
    """
    belief = start = Factored({v: uniform(STATES) for v in VARIABLES})
    n = len(STATES)
    moves = {v: stay * np.eye(n) + (1.0 - stay) * rng.dirichlet(np.ones(n), size=n) for v in VARIABLES}
    whole = np.kron(np.kron(moves["x"], moves["y"]), moves["z"])
    exact, found, lost = joint(start), [], []
    for _ in range(STEPS):
        alone = rng.normal(size=(n, 1, 1)) + rng.normal(size=(1, n, 1)) + rng.normal(size=(1, 1, n))
        log_l = alone + coupling * rng.normal(size=(n, n, n))
        belief, info = update_about(predict_factors(belief, moves), VARIABLES, log_l)
        exact, _ = update(predict(exact, whole), log_l.reshape(-1))
        truth, _ = project(start, VARIABLES, exact.log_p)
        found += [0.5 * float(np.abs(belief[v].p - truth[v].p).sum()) for v in VARIABLES]
        lost.append(info.lost)
    if not np.isfinite(factored_entropy(belief)):
        raise SystemExit("a factored belief is not finite")
    return found, lost


def factored_errors() -> dict[str, Any]:
    """Return mean, 95th percentile and largest error by coupling and by how slowly the variables move."""
    rows = []
    for stay in STAYS:
        for coupling in COUPLINGS:
            rng = np.random.default_rng(SEED)
            pairs = [errors_of(coupling, stay, rng) for _ in range(MODELS)]
            tv, lost = np.concatenate([p[0] for p in pairs]), np.concatenate([p[1] for p in pairs])
            rows.append({
                "coupling": coupling, "stay": stay, "mean": round(float(tv.mean()), 4),
                "p95": round(float(np.percentile(tv, 95)), 4), "largest": round(float(tv.max()), 4),
                "lost_nats_a_step": round(float(lost.mean()), 4),
            })  # fmt: skip
    what = f"total variation of marginals from exact ones, {MODELS} random models of {len(VARIABLES)} x {len(STATES)}"
    return {"what": f"{what} states, {STEPS} steps", "command": "python tools/belief_error.py", "rows": rows}


def main() -> int:
    """Print the figures."""
    print(json.dumps(factored_errors(), indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
