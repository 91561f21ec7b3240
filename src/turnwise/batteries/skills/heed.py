"""Take in what went before."""

from __future__ import annotations

from turnwise.batteries.ladder.moments import MomentView
from turnwise.batteries.skills.reply_labels import labels_of
from turnwise.core.nouns import Moment, Score
from turnwise.core.registry import skill

__all__ = ["heed"]


@skill(
    name="heed.v1",
    moments=tuple(Moment),
    needs=(),
    source="See et al. 2019 (repetition); Sankar et al. 2019 (use of history); Laban et al. 2025; definition of this "
    "project",
)
def heed(view: MomentView, /) -> Score:
    """Whether the reply takes in what went before, whatever else it is worth.

    Definition: 1 for any reply; like every skill it is then worth ``1 - blind_to_history`` of itself
    (``batteries.ladder.freshness``): less for what was said before, nothing for a question that was asked and answered
    or that the patient answered unasked, for an offer that was refused, for an opening with the talk under way.
    Not a merit of its own: a moment met alone has no history, so *show* is 1 by definition for everybody who does not
    just give the patient's words back, and the arc gap is what blindness to the own session costs by itself. Who asks
    one thing after another and never the same twice heeds well.

    Returns
    -------
    Value in [0, 1], higher is better, n = 1. Undefined: no or a blank reply (``no_answer``).

    References
    ----------
    See, Roller, Kiela & Weston (2019), NAACL; Sankar et al. (2019), ACL; Laban et al. (2025), arXiv 2505.06120. The
    kinds of fault and their weights are definitions of this project (``turnwise.reading.history``).

    Examples
    --------
    >>> from turnwise.batteries.ladder.made_views import made_view
    >>> heed(made_view("hint")).value, heed(made_view("hint", reply=None)).code
    (1.0, 'no_answer')
    """
    found = labels_of(view)
    return found if isinstance(found, Score) else Score(1.0, 1)
