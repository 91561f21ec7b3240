"""Notice what was meant and not said, and check it."""

from __future__ import annotations

from collections.abc import Mapping

from turnwise.batteries.ladder.moments import MomentView
from turnwise.batteries.skills.reply_labels import by_label
from turnwise.core.nouns import Moment, Score
from turnwise.core.registry import skill

__all__ = ["infer"]

_VALUES: Mapping[str, float] = {"checks": 1.0, "assumes": 0.0, "misses": 0.0}


@skill(
    name="infer.v1",
    moments=(Moment.HINT,),
    needs=("hint_reply",),
    source="Liu et al. 2023 (AmbiEnt); Kim et al. 2023 (FANToM); definition of this project",
)
def infer(view: MomentView, /) -> Score:
    """Whether the reply to a hint notices the unsaid and checks it with the patient.

    Definition: ``hint_reply`` is ``checks`` 1 (names the unsaid as a guess or asks for it), ``assumes`` 0 (states
    it as known), ``misses`` 0 (answers the words only).
    Not mind-reading: a right guess that is stated as a fact is worth nothing here.

    Returns
    -------
    Value in [0, 1], higher is better, n = 1; there is no partial value. Undefined: no or a blank reply
    (``no_answer``), ``hint_reply`` not read (``no_reading``).

    References
    ----------
    Liu et al. (2023), EMNLP (AmbiEnt); Kim et al. (2023), EMNLP (FANToM). The scoring is a definition of this
    project.

    Examples
    --------
    >>> from turnwise.batteries.ladder.made_views import made_view
    >>> infer(made_view("hint", {"hint_reply": "assumes"})).value
    0.0
    """
    return by_label(view, "hint_reply", _VALUES)
