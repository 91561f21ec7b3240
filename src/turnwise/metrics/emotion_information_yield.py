"""How much a patient makes explicit once an emotion is named."""

from __future__ import annotations

from turnwise.core.nouns import Score, Trajectory, unscored
from turnwise.core.registry import metric
from turnwise.metrics.explicit_meaning import meanings_after

__all__ = ["emotion_information_yield"]


@metric(
    "emotion_information_yield.v1",
    unit="triples per emotion event",
    bounds=(0.0, float("inf")),
    orientation="higher",
    source="Curry & Cercas Curry 2023, Findings of ACL (argument); an operational definition of this project",
    about="session",
    panel="epistemic",
)
def emotion_information_yield(t: Trajectory, /) -> Score:
    """What the patient makes explicit in the three turns after a new emotion, per emotion.

    Definition: triples (emotion, what it is about, what is at stake) per emotion event. An event is a patient's turn
    that names an emotion not named before (family, or family and object), or at which the simulation emitted
    ``disclosure``; a triple is a sentence in the patient's next three turns that says what the person needs or
    values, how the world is, or what goes between people, and has at least two words of content that nobody had said.
    What the therapist said first so counts only where the patient adds to it. A sentence counts once, for the latest
    event.
    Not insight and not depth: roles are told by wording, so a feeling told in pictures is missed. Long turns hold
    more sentences: read ``patient_words_per_turn`` beside it.

    Returns
    -------
    Value from 0 up, triples per event; higher is better. n = events followed by a patient's turn. Undefined: no new
    emotion, or none that the patient spoke after (``no_denominator``).

    References
    ----------
    Curry & Cercas Curry (2023), Findings of ACL: an emotion informs the person about what they value, others about
    how the person sees the world, observers about norms between people. Nothing was measured there; human agreement
    is not known.

    Examples
    --------
    >>> from turnwise.core.nouns import Turn
    >>> said = ("I'm furious with my sister.", "She decided about Mum without me, and I need to count in this family.")
    >>> t = Trajectory(session_id="s", source="x", turns=tuple(Turn(speaker="patient", text=x) for x in said))
    >>> emotion_information_yield(t)[:2]
    (1.0, 1)
    """
    found = meanings_after(t)
    if not found:
        return unscored("no_denominator", "no new emotion was named and spoken after")
    return Score(sum(m.triples for m in found) / len(found), len(found))
