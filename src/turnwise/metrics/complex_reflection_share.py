"""How often a reflection adds meaning and does not only repeat."""

from __future__ import annotations

from dataclasses import dataclass

from turnwise.core.nouns import FloatArray, Score, Trajectory
from turnwise.core.registry import metric
from turnwise.metrics.label_counts import THERAPIST_BEHAVIOUR, indicator_within, share_within

__all__ = ["ComplexReflectionShare", "complex_reflection_share"]

_DEPTH = "reflection_depth"


@dataclass(frozen=True, slots=True)
class ComplexReflectionShare:
    """Share of the therapist's reflections that are complex (MITI: % CR).

    Definition: turns read as reflections whose depth reads ``complex`` / turns read as reflections.
    MITI counts reflections, several of which may be in one turn; this counts turns. Not accuracy: a
    complex reflection may be wrong. The coder of depth is weak (see its card), so single turns say
    little.

    Returns
    -------
    Value in [0, 1], unitless; higher is better (MITI 4.2.1 calls 40 % fair and 50 % good, for coded
    reflections, not for these). n = reflections.
    Undefined: no reflection (``no_denominator``), or nothing read (``no_reading``, ``no_answer``,
    ``out_of_scope``).

    References
    ----------
    Moyers, Manuel & Ernst (2014), MITI 4.2.1 coding manual.

    Examples
    --------
    >>> complex_reflection_share(Trajectory(session_id="s", source="x")).code
    'no_reading'
    """

    def __call__(self, t: Trajectory, /) -> Score:
        """Return the share, or the reason why there is none."""
        return share_within(t, THERAPIST_BEHAVIOUR, "reflection", _DEPTH, "complex")

    def series(self, t: Trajectory, /) -> FloatArray:
        """Return 1 or 0 per reflection, shape (turns,), NaN elsewhere."""
        return indicator_within(t, THERAPIST_BEHAVIOUR, "reflection", _DEPTH, "complex")


complex_reflection_share = metric(
    "complex_reflection_share.v1",
    unit="share of reflections",
    bounds=(0.0, 1.0),
    orientation="higher",
    source="Moyers, Manuel & Ernst 2014 (MITI 4.2.1, % CR)",
    needs=("reading:therapist_behaviour", "reading:reflection_depth"),
)(ComplexReflectionShare())
