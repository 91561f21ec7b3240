"""Whether the patient was still there at the end."""

from __future__ import annotations

from turnwise.core.nouns import Score, Trajectory, unscored
from turnwise.core.registry import metric

__all__ = ["stayed"]


@metric(
    "stayed.v1",
    unit="1 = stayed",
    bounds=(0.0, 1.0),
    orientation="higher",
    source="definition of this project; attrition as an outcome",
    about="simulator",
    over="planned",
)
def stayed(t: Trajectory, /) -> Score:
    """Whether the patient stayed until the session was ended by agreement or by its plan.

    Definition: 0 if the ending is ``patient_left`` or ``patient_faded``; 1 if ``therapist_closed``,
    ``patient_closed`` or ``max_turns``. Not success: a patient who stays may still be harmed, and
    a therapist who says goodbye at once keeps everybody; read ``turns_attended_share`` and the
    number of turns beside it. Who leaves is decided by the simulated patient, so the result holds
    by construction of the simulator.

    Returns
    -------
    0 or 1; higher is better. n = 1 session. Undefined: ``not_applicable`` where the ending is not
    known (imported transcripts), ``session_error`` where the session broke, ``empty`` without turns.

    References
    ----------
    Definition of this project; no clinical claim.

    Examples
    --------
    >>> from turnwise.core.nouns import Turn
    >>> turns = (Turn(speaker="therapist", text="Hello."), Turn(speaker="patient", text="I am going."))
    >>> stayed(Trajectory(session_id="s", source="x", turns=turns, ending="patient_left")).value
    0.0
    """
    if t.ending == "error":
        return unscored("session_error", t.error or "the session ended in an error")
    if not t.turns:
        return unscored("empty", "the session has no turns")
    if t.ending == "unknown":
        return unscored("not_applicable", "how the session ended is not known")
    return Score(0.0 if t.ending in ("patient_left", "patient_faded") else 1.0, 1)
