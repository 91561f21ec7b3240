"""How much of the planned session the patient attended."""

from __future__ import annotations

from turnwise.core.nouns import Score, Trajectory, unscored
from turnwise.core.registry import metric

__all__ = ["turns_attended_share"]


@metric(
    "turns_attended_share.v1",
    unit="share of planned patient turns",
    bounds=(0.0, 1.0),
    orientation="higher",
    source="definition of this project; attrition as an outcome",
    about="simulator",
    over="planned",
)
def turns_attended_share(t: Trajectory, /) -> Score:
    """Patient turns attended as a share of those planned; ended by agreement counts as complete.

    Definition: patient turns / ``spec.max_turns`` (one patient turn is planned per therapist
    turn), at most 1; exactly 1 if therapist or patient closed the session. Not success, and gamed
    by closing early: read the number of turns beside it. Who leaves is decided by the simulated
    patient, so the result holds by construction of the simulator.

    Returns
    -------
    Value in [0, 1], unitless; higher is better. n = planned patient turns (turns held where no
    plan is known). Undefined: ``not_applicable`` where the ending or, unless it was closed, the
    plan is not known; ``session_error`` where the session broke; ``empty`` without turns.

    References
    ----------
    Definition of this project; no clinical claim.

    Examples
    --------
    >>> from turnwise.core.nouns import SessionSpec, Turn
    >>> spec = SessionSpec(case="c", patient="p", therapist="t", seed=1, max_turns=4)
    >>> turns = (Turn(speaker="therapist", text="Hello."), Turn(speaker="patient", text="I am going."))
    >>> left = Trajectory(session_id="s", source="x", spec=spec, turns=turns, ending="patient_left")
    >>> turns_attended_share(left).value
    0.25
    """
    if t.ending == "error":
        return unscored("session_error", t.error or "the session ended in an error")
    if not t.turns:
        return unscored("empty", "the session has no turns")
    if t.ending == "unknown":
        return unscored("not_applicable", "how the session ended is not known")
    attended = sum(turn.speaker == "patient" for turn in t.turns)
    if t.ending in ("therapist_closed", "patient_closed"):
        return Score(1.0, (t.spec.max_turns if t.spec else 0) or len(t.turns))
    if t.spec is None or t.spec.max_turns < 1:
        return unscored("not_applicable", "how many turns were planned is not known")
    return Score(min(1.0, attended / t.spec.max_turns), t.spec.max_turns)
