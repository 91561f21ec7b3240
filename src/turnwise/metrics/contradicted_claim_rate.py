"""Whether the therapist says things of the patient that the patient denied or took back."""

from __future__ import annotations

from turnwise.core.nouns import Score, Trajectory
from turnwise.core.registry import metric
from turnwise.metrics.claim_shares import share_of_claims

__all__ = ["contradicted_claim_rate"]


@metric(
    "contradicted_claim_rate.v1",
    unit="share of therapist turns with a claim",
    bounds=(0.0, 1.0),
    orientation="lower",
    source="Nie et al. 2021 (DECODE); Welleck et al. 2019; restated for claims about the patient",
    needs=("reading:claims",),
    over="turns",
    panel="epistemic",
)
def contradicted_claim_rate(t: Trajectory, /) -> Score:
    """Share of the turns with claims about the patient of which one goes against what the patient said.

    Definition: turns read as ``contradicted`` / turns that claim something of the patient (``supported``,
    ``unsupported`` or ``contradicted``; a turn is what the worst of its claims is). What the patient took back is no
    support: the last word wins.
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
    >>> contradicted_claim_rate(Trajectory(session_id="s", source="x")).code
    'no_reading'
    """
    return share_of_claims(t, "contradicted")
