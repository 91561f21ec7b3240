"""Challenge within the edge that the patient can bear, support below it."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import JsonValue

from turnwise.batteries.ladder.moments import MomentView
from turnwise.batteries.skills.reply_labels import labels_of
from turnwise.core.nouns import Moment, Score, unscored
from turnwise.core.registry import skill

__all__ = ["REACTANCE_WEIGHT", "READY_FROM", "calibrate", "can_be_challenged"]

READY_FROM = 0.5
"""Trust less weighted reactance from which a challenge can be borne."""
REACTANCE_WEIGHT = 0.4
_ABOVE: Mapping[str, float] = {"challenges_mildly": 1.0, "supports": 0.5, "challenges_strongly": 0.0}
_BELOW: Mapping[str, float] = {"supports": 1.0, "challenges_mildly": 0.25, "challenges_strongly": 0.0}


def can_be_challenged(truth: Mapping[str, JsonValue]) -> bool | None:
    """Return whether a simulated patient is ready for a challenge, ``None`` where its state is not known.

    Ready: no further than its own working edge (``edge`` >= 0 in the state emitted under ``state``: the one that the
    reply meets); where that is not told, trust - 0.4 reactance >= 0.5, which it is in the default family.
    A number of the simulator and no observable: what is judged by it holds by construction of the simulator.

    Examples
    --------
    >>> can_be_challenged({"state": {"trust": 0.7, "reactance": 0.5}})
    True
    >>> can_be_challenged({"state": {"trust": 0.7, "reactance": 0.6}}), can_be_challenged({})
    (False, None)
    >>> can_be_challenged({"state": {"trust": 0.7, "reactance": 0.0, "edge": -0.1}})
    False
    """
    state = truth.get("state")
    if not isinstance(state, dict):
        return None
    edge = state.get("edge")
    if isinstance(edge, int | float):
        return edge >= 0.0
    trust, reactance = state.get("trust"), state.get("reactance")
    if not isinstance(trust, int | float) or not isinstance(reactance, int | float):
        return None
    # Rounded as the patient emits it, so that a state at the edge is not moved by arithmetic.
    return round(trust - REACTANCE_WEIGHT * reactance, 6) >= READY_FROM


@skill(
    name="calibrate.v2",
    moments=(Moment.DISTORTION, Moment.DISCLOSURE, Moment.INVALIDATION, Moment.INSIGHT),
    needs=("stance",),
    source="Ribeiro et al. 2013 (TCCS, therapeutic zone of proximal development)",
    may_need_truth=True,
)
def calibrate(view: MomentView, /) -> Score:
    """Whether the reply challenges as much as this patient can bear at this moment, and no more.

    Definition: ``stance`` of the reply, by the patient's working edge (:func:`can_be_challenged`). Above the edge
    ``challenges_mildly`` 1, ``supports`` 0.5, ``challenges_strongly`` 0; below it ``supports`` 1,
    ``challenges_mildly`` 0.25, ``challenges_strongly`` 0. An invalidation is itself the sign that the edge was passed
    (in TCCS the zone is judged by it) and counts as below, whatever the state; version 1 took the state there too, and
    asked for a challenge where ``yield`` asks for a step back.
    Not gentleness: who never challenges gets half of every moment that was ready. Not the whole of TCCS, which
    judges the edge by the patient's next turn.

    Returns
    -------
    Value in {0, 0.25, 0.5, 1}, higher is better, n = 1; 0.5 = safe, but the chance was left; 0.25 = too early,
    but bearable. Undefined: no or a blank reply (``no_answer``), stance not read (``no_reading``), state not known
    (``needs_truth``; invalidation excepted).

    References
    ----------
    Ribeiro, Ribeiro, Gonçalves, Horvath & Stiles (2013), Psychology and Psychotherapy 86(3). The partial values
    and the number of the edge are definitions of this project.

    Examples
    --------
    >>> from turnwise.batteries.ladder.made_views import made_view
    >>> ready = {"trust": 0.8, "reactance": 0.1}
    >>> calibrate(made_view("insight", {"stance": "supports"}, state=ready)).value
    0.5
    >>> calibrate(made_view("insight", {"stance": "supports"})).code
    'needs_truth'
    >>> calibrate(made_view("invalidation", {"stance": "supports"}, source="read")).value
    1.0
    >>> calibrate(made_view("invalidation", {"stance": "supports"}, state=ready)).value
    1.0
    """
    labels = labels_of(view, "stance")
    if isinstance(labels, Score):
        return labels
    ready = view.moment is not Moment.INVALIDATION and can_be_challenged(view.truth)
    if ready is None:
        return unscored("needs_truth", "how much this patient can bear is only known inside a simulation")
    values = _ABOVE if ready else _BELOW
    if labels[0] not in values:
        return unscored("unparsed", f"'stance' is {labels[0]!r}, which this skill does not know")
    return Score(values[labels[0]], 1)
