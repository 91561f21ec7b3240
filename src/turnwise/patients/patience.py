"""How much sooner a therapist who insists loses the patient than one who steps back: a number with its interval.

Two therapists meet the same people with the same luck. Both give advice every other turn. When the
patient pushes back, one says what to believe, the other steps back and gives back what it heard. By
construction of the simulator the first loses more people; how many more is what hangs on the sizes,
so it is worked out at each end of their range too. It says nothing about real patients.
"""

from __future__ import annotations

import numpy as np
from numpy.random import Generator

from turnwise.core.nouns import Estimate, FloatArray
from turnwise.patients.after_speaking import after_pushback_many
from turnwise.patients.change_sizes import VALUES, Sizes
from turnwise.patients.dynamics import step_many
from turnwise.patients.endings import p_fades, p_leaves, p_pushes_back
from turnwise.patients.mind import Columns, Impact, Mind, columns_of
from turnwise.stats.paired import paired_difference

__all__ = ["INSISTS", "STEPS_BACK", "cost_of_insisting", "newcomers", "turns_stayed"]

ADVISES = Impact(advice=0.8)
INSISTS = Impact(advice=0.8, counters=True)
STEPS_BACK = Impact(reflection=0.8, accuracy=0.6, yields=True)


def newcomers(rng: Generator, n: int, sizes: Sizes = VALUES) -> Columns:
    """Return ``n`` people at a first session: starting values over the range that the cases use."""
    ranges = {"trust": (0.2, 0.5), "reactance": (0.05, 0.35), "distress": (0.4, 0.8), "conviction": (0.6, 0.9)}
    drawn = {name: rng.uniform(low, high, n) for name, (low, high) in ranges.items()}
    return columns_of([Mind()] * n).but(**drawn).with_sizes(sizes)


def turns_stayed(people: Columns, after_pushback: Impact, rng: Generator, turns: int = 30) -> FloatArray:
    """Return how many of ``turns`` each person stays (n,), with luck from ``rng`` only.

    Who pushes back when pressed, who leaves and who fades are drawn from the hazards of ``endings``.
    """
    m, n = people, len(people.trust)
    stayed, here, pushed = np.zeros(n), np.ones(n, dtype=bool), np.zeros(n, dtype=bool)
    for turn in range(turns):
        answers, advised = step_many(m, after_pushback, noise := rng.standard_normal(n)), step_many(m, ADVISES, noise)
        waits = turn % 2 == 1
        calm = step_many(m, Impact(), noise) if waits else advised
        names = list(m.of)
        m = m.but(**{x: np.where(pushed, answers.of[x], calm.of[x]) for x in names})
        gone = rng.random(n) < p_leaves(m) + p_fades(m)
        here = here & ~gone
        stayed += here
        presses = (after_pushback.advice > 0.0) & pushed | (~pushed if not waits else np.zeros(n, dtype=bool))
        pushed = presses & (rng.random(n) < p_pushes_back(m))
        m = after_pushback_many(m, pushed)
    return stayed


def cost_of_insisting(seed: int, n: int = 2_000, sizes: Sizes = VALUES, turns: int = 30) -> Estimate:
    """Return how many turns of ``turns`` insisting costs against stepping back, with a 95 % interval.

    Parameters
    ----------
    seed : decides people and luck, the same for both therapists (a paired comparison).
    n : people, each met once by each therapist.
    sizes : the table that moves them.
    turns : turns planned.

    Returns
    -------
    Mean of (stayed with who steps back - stayed with who insists), in turns; 0 where nobody is lost.

    Examples
    --------
    >>> found = cost_of_insisting(1, n=200)
    >>> found.low > 0
    True
    """
    people = newcomers(np.random.default_rng(seed), n, sizes)
    back, insisted = (turns_stayed(people, h, np.random.default_rng(seed + 1), turns) for h in (STEPS_BACK, INSISTS))
    return paired_difference(back, insisted, rng=seed + 2)
