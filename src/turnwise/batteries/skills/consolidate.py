"""Give an insight back and link it to what comes next."""

from __future__ import annotations

from collections.abc import Mapping

from turnwise.batteries.ladder.moments import MomentView
from turnwise.batteries.skills.reply_labels import by_label
from turnwise.core.nouns import Moment, Score
from turnwise.core.registry import skill

__all__ = ["consolidate"]

_VALUES: Mapping[str, float] = {"builds": 1.0, "echoes": 0.5, "misses": 0.0}


@skill(
    name="consolidate.v1",
    moments=(Moment.INSIGHT,),
    needs=("insight_reply",),
    source="Padesky 2020; Chiu et al. 2024 (BOLT)",
)
def consolidate(view: MomentView, /) -> Score:
    """Whether the reply to a new insight gives it back and builds on it.

    Definition: ``insight_reply`` is ``builds`` 1 (gives it back and links it to a next step, to evidence or to the
    person), ``echoes`` 0.5 (gives it back only), ``misses`` 0 (goes past it).
    Not praise: "well done" alone misses it. Nor whether the insight is true.

    Returns
    -------
    Value in [0, 1], higher is better, n = 1; 0.5 = the insight was heard and left where it was. Undefined: no or a
    blank reply (``no_answer``), ``insight_reply`` not read (``no_reading``).

    References
    ----------
    Padesky (2020), Socratic Dialogue Rating Scale and Coding Manual; Chiu et al. (2024), arXiv 2401.00820. The
    half is a definition of this project.

    Examples
    --------
    >>> from turnwise.batteries.ladder.made_views import made_view
    >>> consolidate(made_view("insight", {"insight_reply": "echoes"})).value
    0.5
    """
    return by_label(view, "insight_reply", _VALUES)
