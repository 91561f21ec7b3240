"""Too much: advice that nobody asked for."""

from __future__ import annotations

from turnwise.core.nouns import Score, Trajectory
from turnwise.core.registry import metric
from turnwise.metrics.label_counts import share

__all__ = ["unasked_advice_rate"]


@metric(
    "unasked_advice_rate.v1",
    unit="share of therapist turns read",
    bounds=(0.0, 1.0),
    orientation="lower",
    source="Moyers et al. 2014 (MITI 4.2.1: persuade, persuade with permission)",
    needs=("reading:advice",),
    over="turns",
    panel="epistemic",
)
def unasked_advice_rate(t: Trajectory, /) -> Score:
    """Share of the therapist's turns that advise unasked (too much).

    Definition: over the therapist's turns read, the share read as ``unasked`` advice. One of the two faults of
    directiveness; the other is ``withheld_help_rate``, and they are never averaged.
    Not information, and not advice that was asked for or for which permission was asked first.

    Returns
    -------
    Value in [0, 1]; lower is better. n = therapist turns read. Undefined: ``advice`` not read (``no_reading``), no or
    only blank turns (``no_denominator``, ``no_answer``), none in scope (``out_of_scope``).

    References
    ----------
    Moyers, Manuel & Ernst (2014), MITI 4.2.1 coding manual.

    Examples
    --------
    >>> unasked_advice_rate(Trajectory(session_id="s", source="x")).code
    'no_reading'
    """
    return share(t, "advice", "unasked")
