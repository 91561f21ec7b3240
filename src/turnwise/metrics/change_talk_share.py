"""How much of what the patient says about change speaks for it."""

from __future__ import annotations

from dataclasses import dataclass

from turnwise.core.nouns import FloatArray, Score, Trajectory, unscored
from turnwise.core.registry import metric
from turnwise.metrics.label_counts import CLIENT_TALK, count_labels, indicator

__all__ = ["ChangeTalkShare", "change_talk_share"]


@dataclass(frozen=True, slots=True)
class ChangeTalkShare:
    """Change talk as a share of change and sustain talk (CT%).

    Definition: patient turns whose most probable talk is ``change`` / those whose most probable
    talk is ``change`` or ``sustain``; neutral turns take no part. Not change, and not alliance:
    an agreeable (simulated) patient talks of change whatever the therapist does.

    Returns
    -------
    Value in [0, 1], unitless; higher = more talk towards change. n = change + sustain turns.
    Undefined: neither ever occurred (``no_denominator``); no patient turn, all blank, or nothing
    read (``no_denominator``, ``no_answer``, ``no_reading``, ``out_of_scope``).

    References
    ----------
    Moyers, Manuel & Ernst (2014), MITI 4.2.1 coding manual; on AnnoMI, development set, .71 in
    high- and .55 in low-quality sessions. Human agreement on these labels: Fleiss kappa .44.

    Examples
    --------
    >>> change_talk_share(Trajectory(session_id="s", source="x")).code
    'no_reading'
    """

    def __call__(self, t: Trajectory, /) -> Score:
        """Return CT%, or the reason why there is none."""
        counts = count_labels(t, CLIENT_TALK)
        if isinstance(counts, Score):
            return counts
        change, sustain = counts.by_label.get("change", 0), counts.by_label.get("sustain", 0)
        if change + sustain == 0:
            return unscored("no_denominator", "the patient spoke neither for nor against change")
        return Score(change / (change + sustain), change + sustain)

    def series(self, t: Trajectory, /) -> FloatArray:
        """Return 1 at change talk, 0 at sustain talk, shape (turns,), NaN elsewhere."""
        return indicator(t, CLIENT_TALK, "change", ("sustain",))


change_talk_share = metric(
    "change_talk_share.v1",
    unit="share of change and sustain talk",
    bounds=(0.0, 1.0),
    orientation="higher",
    source="Moyers, Manuel & Ernst 2014 (MITI 4.2.1)",
    needs=("reading:client_talk",),
    about="session",
    over="turns",
)(ChangeTalkShare())
