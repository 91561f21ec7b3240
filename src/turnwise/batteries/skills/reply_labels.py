"""What the raters decided of one reply, or the reason why there is nothing to judge."""

from __future__ import annotations

from collections.abc import Mapping

from turnwise.batteries.ladder.moments import MomentView
from turnwise.core.nouns import Score, unscored

__all__ = ["by_label", "labels_of"]


def labels_of(view: MomentView, *items: str) -> tuple[str, ...] | Score:
    """Return the label of each item in order, or an unscored cell when one of them is missing.

    Not a default in disguise: a reply that was never given or is blank is ``no_answer`` (never "bad"), an item
    that no rater read is ``no_reading``, and one whose rater is below its floor here is ``undetermined``, whatever
    the other items say.

    Examples
    --------
    >>> from turnwise.batteries.ladder.made_views import made_view
    >>> labels_of(made_view("hint", {"hint_reply": "checks"}), "hint_reply")
    ('checks',)
    >>> labels_of(made_view("hint", {}, reply=None), "hint_reply").code
    'no_answer'
    >>> labels_of(made_view("hint"), "hint_reply").code
    'no_reading'
    """
    if view.reply is None:
        return unscored("no_answer", "nobody replied to this moment: the session ended with it")
    if not view.reply.text.strip():
        return unscored("no_answer", "the reply is blank")
    found: list[str] = []
    for item in items:
        label = view.label(item)
        if label is None and view.code(item) == "undetermined":
            return unscored("undetermined", f"the rater of {item!r} did not reach its floor on such turns")
        if label is None:
            return unscored("no_reading", f"the rater of {item!r} has not read this reply")
        found.append(label)
    return tuple(found)


def by_label(view: MomentView, item: str, values: Mapping[str, float]) -> Score:
    """Return what the label of one item is worth.

    Bounds are those of ``values``; n = 1 (one reply). Undefined: as in :func:`labels_of`, and ``unparsed``
    for a label that ``values`` does not know (a rater of another version).

    Examples
    --------
    >>> from turnwise.batteries.ladder.made_views import made_view
    >>> by_label(made_view("hint", {"hint_reply": "misses"}), "hint_reply", {"checks": 1.0, "misses": 0.0}).value
    0.0
    """
    labels = labels_of(view, item)
    if isinstance(labels, Score):
        return labels
    if labels[0] not in values:
        return unscored("unparsed", f"{item!r} is {labels[0]!r}, which this skill does not know")
    return Score(values[labels[0]], 1)
