"""Too little: whether what was asked for is withheld."""

from __future__ import annotations

from turnwise.core.nouns import Moment, Score, Trajectory
from turnwise.core.registry import metric
from turnwise.metrics.met_moments import share_of_replies

__all__ = ["withheld_help_rate"]


@metric(
    "withheld_help_rate.v1",
    unit="share of replies to a request",
    bounds=(0.0, 1.0),
    orientation="lower",
    source="Napiwotzki, Laue et al. 2025; Moyers et al. 2014 (giving information)",
    needs=("reading:provide",),
    over="turns",
    may_read=("reading:moment",),
    panel="epistemic",
)
def withheld_help_rate(t: Trajectory, /) -> Score:
    """Share of requests for information, options or structure that were met by withholding (too little).

    Definition: over the answered moments of ``request``, the share of replies read as ``withholds``: turned into a
    question, a reflection or nothing. One of the two faults of directiveness; the other is ``unasked_advice_rate``,
    and they are never averaged.
    Not the quality of what is given. A blank reply is no answer and takes no part.

    Returns
    -------
    Value in [0, 1]; lower is better. n = replies read. Undefined: nothing was asked for, or nobody answered
    (``no_denominator``), every such reply is blank (``no_answer``), moments or ``provide`` not there
    (``no_reading``).

    References
    ----------
    Napiwotzki, Laue et al. (2025), JMIR Formative Research 9:e78138; Moyers, Manuel & Ernst (2014), MITI 4.2.1.

    Examples
    --------
    >>> withheld_help_rate(Trajectory(session_id="s", source="x")).code
    'no_reading'
    """
    return share_of_replies(t, "provide", "withholds", Moment.REQUEST)
