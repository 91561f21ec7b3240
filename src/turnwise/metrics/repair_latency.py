"""How soon ruptures are repaired."""

from __future__ import annotations

from turnwise.core.nouns import Score, Trajectory, unscored
from turnwise.core.registry import metric
from turnwise.metrics.ruptures import read_ruptures

__all__ = ["repair_latency"]


@metric(
    "repair_latency.v1",
    unit="exchanges until the patient is back",
    bounds=(1.0, 3.0),
    orientation="lower",
    source="Eubanks, Muran & Safran 2015 (3RS); an operational definition of this project",
    needs=("reading:yield_reply",),
    may_read=("reading:moment", "reading:client_talk"),
    panel="bond",
    given="resolution_rate",
)
def repair_latency(t: Trajectory, /) -> Score:
    """Mean number of exchanges from a rupture's last marker until it was repaired.

    Definition: over the repaired ruptures (``resolution_rate``), the exchanges from the last marker to the patient's
    turn that re-engages; 1 = the patient was back at once. Defined for repaired ruptures only.
    Not a measure to read alone: who repairs one rupture of ten at once has the best latency. Read ``resolution_rate``
    first.

    Returns
    -------
    Value in [1, 3], exchanges; lower is better. n = repaired ruptures. Undefined: none was repaired
    (``no_denominator``); moments or ``yield_reply`` not there (``no_reading``).

    References
    ----------
    Eubanks, Muran & Safran (2015), Rupture Resolution Rating System (3RS), revised 2022. Trained raters reach ICC .85
    to .98; how well this stand-in agrees with them is not known.

    Examples
    --------
    >>> repair_latency(Trajectory(session_id="s", source="x")).code
    'no_reading'
    """
    ruptures = read_ruptures(t)
    if isinstance(ruptures, Score):
        return ruptures
    found = [r.latency for r in ruptures if r.latency is not None]
    if not found:
        return unscored("no_denominator", "no rupture was repaired")
    return Score(sum(found) / len(found), len(found))
