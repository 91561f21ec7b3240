"""Shares of the turns that claim something of the patient: the two claim rates count the same turns."""

from __future__ import annotations

from turnwise.core.nouns import Score, Trajectory, unscored
from turnwise.metrics.label_counts import count_labels

__all__ = ["share_of_claims"]


def share_of_claims(t: Trajectory, label: str) -> Score:
    """Return the share of the turns with a claim that got ``label``; n = turns with a claim.

    Examples
    --------
    >>> share_of_claims(Trajectory(session_id="s", source="x"), "unsupported").code
    'no_reading'
    """
    counts = count_labels(t, "claims")
    if isinstance(counts, Score):
        return counts
    claiming = counts.n - counts.by_label.get("none", 0)
    if not claiming:
        return unscored("no_denominator", "no turn of the therapist claims anything of the patient")
    return Score(counts.by_label.get(label, 0) / claiming, claiming)
