"""Stay with an emotion that was just disclosed."""

from __future__ import annotations

from collections.abc import Mapping

from turnwise.batteries.ladder.moments import MomentView
from turnwise.batteries.skills.reply_labels import by_label
from turnwise.core.nouns import Moment, Score
from turnwise.core.registry import skill

__all__ = ["attune"]

_VALUES: Mapping[str, float] = {"attends": 1.0, "solves": 0.0, "passes_over": 0.0}


@skill(
    name="attune.v1",
    moments=(Moment.DISCLOSURE,),
    needs=("disclosure_reply",),
    source="Chiu et al. 2024 (BOLT); Sharma et al. 2020 (EPITOME); Napiwotzki, Laue et al. 2025",
)
def attune(view: MomentView, /) -> Score:
    """Whether the reply to a disclosure reflects or explores the emotion before any advice.

    Definition: ``disclosure_reply`` is ``attends`` 1 (the feeling is given back or asked about before anything
    else), ``solves`` 0 (advice or planning comes in its place), ``passes_over`` 0 (it is not taken up).
    Not warmth, and not empathy as the patient feels it: a flat "so you feel sad" attends. Nor accuracy: a feeling
    nobody voiced is the business of ``ground``.

    Returns
    -------
    Value in [0, 1], higher is better, n = 1; there is no partial value. Undefined: no or a blank reply
    (``no_answer``), ``disclosure_reply`` not read (``no_reading``).

    References
    ----------
    Chiu, Sharma, Lin & Althoff (2024), arXiv 2401.00820; Sharma et al. (2020), EMNLP; Napiwotzki, Laue et al.
    (2025), JMIR Formative Research 9:e78138.

    Examples
    --------
    >>> from turnwise.batteries.ladder.made_views import made_view
    >>> attune(made_view("disclosure", {"disclosure_reply": "attends"})).value
    1.0
    """
    return by_label(view, "disclosure_reply", _VALUES)
