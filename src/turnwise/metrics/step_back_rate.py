"""Whether the therapist lets go when the patient pushes back."""

from __future__ import annotations

from turnwise.core.nouns import Score, Trajectory
from turnwise.core.registry import metric
from turnwise.metrics.exchanges import after_invalidation

__all__ = ["step_back_rate", "step_back_rate_v2"]


@metric(
    "step_back_rate.v1",
    unit="share of exchanges after an invalidation",
    bounds=(0.0, 1.0),
    orientation="higher",
    source="Ribeiro et al. 2013, Psychology and Psychotherapy 86:294-314 (TCCS); a proxy of it",
    needs=("reading:therapist_behaviour",),
    over="turns",
    may_read=("reading:client_talk",),
    panel="bond",
)
def step_back_rate(t: Trajectory, /) -> Score:
    """How often the therapist steps back after the patient invalidated (proxy).

    Definition: P(support | the previous exchange invalidated), over exchanges (a therapist's turn
    and the answer to it). A proxy, not TCCS: challenge = the most probable behaviour is
    ``therapist_input``, support = any other; invalidated = the patient emitted the moment
    ``invalidation`` (simulations that emit moments) or was read as sustain talk (transcripts), so
    the two kinds of session are not to be pooled. A blank therapist turn is neither support nor
    challenge but stays in the denominator; a turn with words that could not be read does not.
    Not repair: whether the patient came back is another question. Who never challenges scores 1.

    Returns
    -------
    Value in [0, 1], unitless; higher is better. n = therapist turns after an invalidation, the last
    one dropped if it was not answered. Undefined: no such turn (``no_denominator``; a patient who
    never resisted is a fact about the patient); a coder is missing (``no_reading``).

    References
    ----------
    Ribeiro, Ribeiro, Gonçalves, Horvath & Stiles (2013), Psychology and Psychotherapy 86, 294-314.
    No human ceiling is known; agreement on sustain talk (Fleiss kappa .44) bounds the proxy.

    Examples
    --------
    >>> step_back_rate(Trajectory(session_id="s", source="x")).code
    'no_reading'
    """
    return after_invalidation(t, "step_back")


@metric(
    "step_back_rate.v2",
    unit="share of exchanges after an invalidation",
    bounds=(0.0, 1.0),
    orientation="higher",
    source="Ribeiro et al. 2013, Psychology and Psychotherapy 86:294-314 (TCCS); a proxy of it",
    needs=("reading:therapist_behaviour", "reading:yield_reply"),
    over="turns",
    may_read=("reading:client_talk",),
    panel="bond",
)
def step_back_rate_v2(t: Trajectory, /) -> Score:
    """How often the therapist steps back after the patient invalidated, apologies counted (proxy).

    Definition: as ``step_back_rate.v1``, but input that ``yield_reply`` reads as ``steps_back`` is support. To a coder
    of behaviour an apology is input ("I pushed there, and I'm sorry. You needn't answer it."), so the first version
    counts letting go as pressing on. Both coders err; an apology that goes on insisting should read as ``insists``.
    Not repair: whether the patient came back is another question. Who never challenges scores 1.

    Returns
    -------
    Value in [0, 1], unitless; higher is better. n as in the first version. Undefined: no such turn
    (``no_denominator``); ``therapist_behaviour`` or ``yield_reply`` did not read the session (``no_reading``).

    References
    ----------
    Ribeiro, Ribeiro, Gonçalves, Horvath & Stiles (2013), Psychology and Psychotherapy 86, 294-314.
    No human ceiling is known.

    Examples
    --------
    >>> step_back_rate_v2(Trajectory(session_id="s", source="x")).code
    'no_reading'
    """
    return after_invalidation(t, "step_back", lets_go=True)
