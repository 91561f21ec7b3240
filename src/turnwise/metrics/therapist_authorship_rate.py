"""Whose new views are in what the therapist says."""

from __future__ import annotations

from turnwise.core.nouns import Score, Trajectory, unscored
from turnwise.core.registry import metric
from turnwise.metrics.label_counts import count_labels

__all__ = ["therapist_authorship_rate"]


@metric(
    "therapist_authorship_rate.v1",
    unit="share of turns with a new view",
    bounds=(0.0, 1.0),
    orientation="lower",
    source="Padesky 1993, 2020 (guided discovery)",
    needs=("reading:authorship",),
    over="turns",
    panel="epistemic",
)
def therapist_authorship_rate(t: Trajectory, /) -> Score:
    """Share of the new views in the therapist's turns that the therapist handed over.

    Definition: turns whose new view is the ``therapist``'s own / turns with a new view (the ``therapist``'s or one
    that the ``patient`` voiced).
    Not whether the view is right or welcome, and not how often there is one: a therapist who offers no view has no
    rate.

    Returns
    -------
    Value in [0, 1]; lower = the patient authors the views. n = turns with a new view. Undefined: none has one
    (``no_denominator``), ``authorship`` not read (``no_reading``), only blank turns (``no_answer``), none in scope
    (``out_of_scope``).

    References
    ----------
    Padesky (1993), Socratic questioning: changing minds or guiding discovery?; Padesky (2020), coding manual.

    Examples
    --------
    >>> therapist_authorship_rate(Trajectory(session_id="s", source="x")).code
    'no_reading'
    """
    counts = count_labels(t, "authorship")
    if isinstance(counts, Score):
        return counts
    views = counts.by_label.get("therapist", 0) + counts.by_label.get("patient", 0)
    if not views:
        return unscored("no_denominator", "no turn of the therapist has a new view in it")
    return Score(counts.by_label.get("therapist", 0) / views, views)
