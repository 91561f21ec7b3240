"""From differences to words: better, worse, equivalent, or no difference shown; corrected for how many there are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from turnwise.core.nouns import Estimate
from turnwise.engine.differences import Difference
from turnwise.engine.margins import Margins
from turnwise.stats.equivalence import judged
from turnwise.stats.multiplicity import benjamini_hochberg

__all__ = ["Q", "with_verdicts"]

Q = 0.05
_FEW_UNITS = 8  # under which an interval is too narrow to say that two are equal
_WORDS = {"higher": ("better", "worse"), "lower": ("worse", "better"), "none": ("higher", "lower")}


def with_verdicts(rows: Sequence[Difference], margins: Margins) -> list[Difference]:
    """Return the rows with p corrected over all of them that have one, and with a word each.

    A difference is shown where the corrected p is at most .05 *and* the interval leaves out zero. Where none is shown
    and the interval lies inside a margin that was stated, over at least eight units, the two are equivalent; the
    intervals themselves are not corrected.
    """
    given = np.array([np.nan if row.p is None else row.p for row in rows], dtype=np.float64)
    adjusted = benjamini_hochberg(given, planned=int((~np.isnan(given)).sum()))
    return [_judged(row, None if row.p is None else float(p), margins) for row, p in zip(rows, adjusted, strict=True)]


def _judged(row: Difference, p: float | None, margins: Margins) -> Difference:
    if row.value is None:
        return row
    margin = margins.of(row.name)
    within = False
    if margin is not None and row.units >= _FEW_UNITS:
        estimate = Estimate(row.value, row.low, row.high, row.level, row.n, "given")
        within = judged(estimate, margin=margin).equivalent
    up, down = _WORDS[row.orientation]
    verdict = "equivalent" if within else "no difference shown"
    if p is not None and p <= Q and row.low is not None and row.high is not None:
        if row.low > 0.0:
            verdict = up
        elif row.high < 0.0:
            verdict = down
    return replace(row, p_adjusted=p, margin=margin, within_margin=within, verdict=verdict)
