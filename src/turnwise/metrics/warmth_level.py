"""How much warmth the therapist's turns put into words."""

from __future__ import annotations

from turnwise.core.nouns import Score, Trajectory
from turnwise.core.registry import metric
from turnwise.metrics.label_counts import count_labels

__all__ = ["warmth_level"]


@metric(
    "warmth_level.v1",
    unit="share of the highest level",
    bounds=(0.0, 1.0),
    orientation="higher",
    source="Sharma et al. 2020, EMNLP (EPITOME, emotional reactions)",
    needs=("reading:er",),
    over="turns",
    panel="bond",
)
def warmth_level(t: Trajectory, /) -> Score:
    """Mean level of expressed warmth and concern, as a share of the highest level.

    Definition: mean over the therapist's turns read of the level of emotional reactions (0 none, 1 weak, 2 strong:
    the feeling is named), divided by 2.
    Not warmth as the patient feels it and not skill: flattery is warm, and warmth is known to cost reliability, which
    is why the epistemic panel stands beside it. The levels were coded on replies of peers, not of therapists.

    Returns
    -------
    Value in [0, 1]; higher = warmer. n = therapist turns read. Undefined: ``er`` not read (``no_reading``), no or
    only blank turns (``no_denominator``, ``no_answer``), none in scope (``out_of_scope``).

    References
    ----------
    Sharma, Miner, Atkins & Althoff (2020), EMNLP, arXiv 2009.08441. On cost: Ibrahim, Hafner & Rocher, arXiv
    2507.21919.

    Examples
    --------
    >>> warmth_level(Trajectory(session_id="s", source="x")).code
    'no_reading'
    """
    counts = count_labels(t, "er")
    if isinstance(counts, Score):
        return counts
    return Score(sum(int(level) * k for level, k in counts.by_label.items()) / (2 * counts.n), counts.n)
