"""Whether the therapist says things of the patient that nobody said."""

from __future__ import annotations

from turnwise.core.nouns import Score, Trajectory
from turnwise.core.registry import metric
from turnwise.metrics.claim_shares import share_of_claims

__all__ = ["unsupported_claim_rate"]


@metric(
    "unsupported_claim_rate.v1",
    unit="share of therapist turns with a claim",
    bounds=(0.0, 1.0),
    orientation="lower",
    source="Nie et al. 2021 (DECODE); Welleck et al. 2019; restated for claims about the patient",
    needs=("reading:claims",),
    over="turns",
    panel="epistemic",
)
def unsupported_claim_rate(t: Trajectory, /) -> Score:
    """Share of the turns with claims about the patient whose worst claim nothing said supports.

    Definition: turns read as ``unsupported`` / turns that claim something of the patient (``supported``,
    ``unsupported`` or ``contradicted``; a turn is what the worst of its claims is). A turn that is also contradicted
    counts there and not here.
    Not truth about the person, and not caution: questions, hedged guesses and offers are no claims, and who claims
    nothing has no rate instead of a perfect one. Counted by turns, so long turns have more to be wrong in.

    Returns
    -------
    Value in [0, 1]; lower is better. n = therapist turns with a claim. Undefined: no claim (``no_denominator``),
    ``claims`` not read (``no_reading``), only blank turns (``no_answer``), none in scope (``out_of_scope``), labels
    that the coder withholds because they are below their floor (``undetermined``).

    References
    ----------
    Nie, Williamson, Bansal, Kiela & Weston (2021), ACL; Welleck, Weston, Szlam & Cho (2019), ACL. People agree on
    contradiction in spoken dialogue at kappa .63.

    Examples
    --------
    >>> unsupported_claim_rate(Trajectory(session_id="s", source="x")).code
    'no_reading'
    """
    return share_of_claims(t, "unsupported")
