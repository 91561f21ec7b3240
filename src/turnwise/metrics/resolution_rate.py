"""How many ruptures are repaired."""

from __future__ import annotations

from turnwise.core.nouns import Score, Trajectory, unscored
from turnwise.core.registry import metric
from turnwise.metrics.ruptures import read_ruptures

__all__ = ["resolution_rate"]


@metric(
    "resolution_rate.v1",
    unit="share of ruptures",
    bounds=(0.0, 1.0),
    orientation="higher",
    source="Eubanks, Muran & Safran 2015 (3RS); an operational definition of this project",
    needs=("reading:yield_reply",),
    over="turns",
    may_read=("reading:moment", "reading:client_talk"),
    panel="bond",
)
def resolution_rate(t: Trajectory, /) -> Score:
    """Share of ruptures that were repaired: the therapist stepped back and the patient came back.

    Definition: repaired / ruptures. A rupture is a run of markers (``rupture_rate``) with no re-engagement between
    them. It is repaired if one of the therapist's first two turns after the last marker steps back (``yield_reply``)
    and the patient re-engages, then or later, within three: more than four words, two words of content not said
    before, no marker. A silence repairs nothing; a rupture after which no reply could be read is left out.
    Not the 3RS resolution rating, and not ``step_back_rate``, which asks only for the therapist's half. A patient who
    merely talks on after an apology counts as back.

    Returns
    -------
    Value in [0, 1]; higher is better. n = ruptures. Undefined: no rupture whose outcome could be seen
    (``no_denominator``, a fact about the patient); moments or ``yield_reply`` not there (``no_reading``).

    References
    ----------
    Eubanks, Muran & Safran (2015), Rupture Resolution Rating System (3RS), revised 2022. Trained raters reach ICC .85
    to .98; how well this stand-in agrees with them is not known.

    Examples
    --------
    >>> resolution_rate(Trajectory(session_id="s", source="x")).code
    'no_reading'
    """
    ruptures = read_ruptures(t)
    if isinstance(ruptures, Score):
        return ruptures
    if not ruptures:
        return unscored("no_denominator", "no rupture whose outcome can be told")
    return Score(sum(r.latency is not None for r in ruptures) / len(ruptures), len(ruptures))
