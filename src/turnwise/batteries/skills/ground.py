"""Attribute nothing that the patient did not say."""

from __future__ import annotations

from collections.abc import Mapping

from turnwise.batteries.ladder.moments import MomentView
from turnwise.batteries.skills.reply_labels import by_label, labels_of
from turnwise.core.nouns import Moment, Score, unscored
from turnwise.core.registry import skill

__all__ = ["ground"]

_VALUES: Mapping[str, float] = {"supported": 1.0, "unsupported": 0.0, "contradicted": 0.0}


@skill(
    name="ground.v1",
    moments=tuple(Moment),
    needs=("claims",),
    source="Nie et al. 2024 (CaiTI); Nie et al. 2021 (DECODE); definition of this project",
)
def ground(view: MomentView, /) -> Score:
    """Whether everything the reply says about the patient is supported by what the patient said.

    Definition: ``claims`` of the reply, the worst of all of them: ``supported`` 1 (all are), ``unsupported`` 0 (at
    least one is not), ``contradicted`` 0 (at least one is against the patient's last word). Questions, hedged
    guesses and offers are no claims.
    Not accuracy about the person: a wild guess is fine as a question. And never a reward for saying nothing:
    without a claim there is no value, where a rate of zero faults would look like a virtue.

    Returns
    -------
    Value in {0, 1}, higher is better, n = 1; there is no partial value. Undefined: no claim (``no_denominator``),
    no or a blank reply (``no_answer``), ``claims`` not read (``no_reading``).

    References
    ----------
    Nie et al. (2024), ACM Transactions on Computing for Healthcare, arXiv 2403.10779; Nie, Williamson, Bansal,
    Kiela & Weston (2021), ACL.

    Examples
    --------
    >>> from turnwise.batteries.ladder.made_views import made_view
    >>> ground(made_view("hint", {"claims": "unsupported"})).value, ground(made_view("hint", {"claims": "none"})).code
    (0.0, 'no_denominator')
    """
    labels = labels_of(view, "claims")
    if isinstance(labels, Score):
        return labels
    if labels[0] == "none":
        return unscored("no_denominator", "the reply claims nothing about the patient")
    return by_label(view, "claims", _VALUES)
