"""Skills of plain transcripts: what the therapist does, given the moment, without a plan to compare it with."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable

from turnwise.batteries.ladder.gaps import GapRow, row_of
from turnwise.batteries.ladder.moments import Cell
from turnwise.batteries.ladder.rung_values import mean_of, sorted_cells
from turnwise.core.nouns import Estimate
from turnwise.stats.bootstrap import DRAWS, LEVEL
from turnwise.stats.share import clustered_share

__all__ = ["RATE", "conditional_rates"]

RATE = "rate_"
"""What the name of a rate's measure begins with; the kind of moment follows."""


def conditional_rates(
    cells: Iterable[Cell], *, seed: int = 0, draws: int = DRAWS, level: float = LEVEL
) -> list[GapRow]:
    """Return per therapist, skill and kind of moment what the skill is worth where the moment came.

    Definition: the mean over the live moments of one kind within a patient (series), then over patients. Cells of
    other rungs, and moments that never came, take no part. Not a rung of the ladder: in a transcript nothing is
    scheduled, the therapist caused many of the moments, and the moment itself was read by a coder. Where a skill
    needs what only a simulation knows the cells are unscored (``needs_truth``), and are counted in ``detail``.

    Returns
    -------
    Rows with the measure ``rate_<moment>``, value in [0, 1]; ``n`` = moments with a value. No such moment: no row; none
    with a value: a row whose detail begins with ``empty``.

    References
    ----------
    Definition of this project.

    Examples
    --------
    >>> read = Cell("annomi", "series 3", 0, "", "invalidation", "yield", "sustain", False, 7, 1.0)
    >>> [(r.measure, r.value, r.n, r.low) for r in conditional_rates([read])]
    [('rate_invalidation', 1.0, 1, None)]
    """
    groups: dict[tuple[str, str, str], list[Cell]] = defaultdict(list)
    for c in sorted_cells(cells):
        if c.rung == "sustain" and c.reached:
            groups[c.therapist, c.skill, c.moment].append(c)
    rows: list[GapRow] = []
    for (therapist, skill, moment), own in sorted(groups.items()):
        values: dict[str, list[float]] = defaultdict(list)
        for c in own:
            if c.value is not None:
                values[c.patient].append(c.value)
        lost = Counter(c.code or "failed" for c in own if c.value is None)
        note = ", ".join(f"{n} {code}" for code, n in sorted(lost.items()))
        note = f"{sum(lost.values())} of {len(own)} unscored ({note})" if lost else ""
        who, n = (therapist, skill, f"{RATE}{moment}"), sum(len(v) for v in values.values())
        if values:
            means = [mean_of(v) for v in values.values()]
            found = clustered_share(means, rng=seed, draws=draws, level=level)
        else:
            found = Estimate(None, None, None, level, 0, "", "empty", "no moment has a value")
        rows.append(row_of(who, found, n, len(values), note))
    return rows
