"""Whether a feeling is soothed away before anybody asked what it is about."""

from __future__ import annotations

from collections.abc import Sequence

from turnwise.core.nouns import Moment, Score, Trajectory, unscored
from turnwise.core.registry import metric
from turnwise.metrics.emotion_events import new_emotions
from turnwise.metrics.label_counts import whole_reading, withheld
from turnwise.metrics.met_moments import blocks_of, moments_of

__all__ = ["premature_soothing_rate"]

_ITEMS = ("normalising", "advice", "disclosure_reply", "question_form", "question_target")
_ASKS = ("open", "closed")
_ABOUT_IT = ("experience", "emotion", "perspective")
_SOOTHING_CODES = ("Affirm", "Support", "Advise with Permission", "Advise without Permission")


@metric(
    "premature_soothing_rate.v1",
    unit="share of replies to a new emotion",
    bounds=(0.0, 1.0),
    orientation="lower",
    source="Curry & Cercas Curry 2023, Findings of ACL (argument); an operational definition of this project",
    needs=tuple(f"reading:{item}" for item in _ITEMS),
    over="turns",
    may_read=("reading:moment", "reading:mi_code"),
    panel="epistemic",
)
def premature_soothing_rate(t: Trajectory, /) -> Score:
    """How often a new emotion is soothed and not explored.

    Definition: P(soothing and no exploration in this reply or the therapist's turn before | the patient's turn names
    an emotion that was not named before, or the simulation emitted ``disclosure`` there). Soothing: the reply
    normalises, advises, or solves (``disclosure_reply``); where codes of the MITI family were read, also one that
    affirms, supports or advises. Exploration: it attends (``disclosure_reply``), or asks an open or closed question
    about experience, emotion or perspective. Turns with a moment of ``risk`` are left out (steps of safety are no
    soothing), and so are those with a ``request`` (comfort that was asked for is not premature). Neighbouring turns
    of one speaker are merged. Runs with and without the MITI codes are not to be pooled.
    Not comfort as such: soothing after exploring is fine. Not order inside one long turn, which may do both.

    Returns
    -------
    Value in [0, 1]; lower is better. n = replies read. Undefined: no new emotion was answered (``no_denominator``),
    every such reply is blank (``no_answer``), moments or an item not there (``no_reading``).

    References
    ----------
    Curry & Cercas Curry (2023), Findings of ACL: soothing at once throws away what an emotion tells. Nothing was
    measured there; human agreement is not known.

    Examples
    --------
    >>> premature_soothing_rate(Trajectory(session_id="s", source="x")).code
    'no_reading'
    """
    missing = next((item for item in _ITEMS if whole_reading(t, item) is None), None)
    if missing is not None:
        return unscored("no_reading", f"needs the coder {missing!r}, which did not read this session")
    moments = moments_of(t)
    if isinstance(moments, Score):
        return moments
    met = _replies_to_new_emotions(t, moments)
    if not met:
        return unscored("no_denominator", "no new emotion was named and answered")
    below = [x for item in _ITEMS[:4] if (x := withheld(t, item, (i for pair in met for turns in pair for i in turns)))]
    if below:
        return below[0]
    labels = {item: _values(t, item) for item in (*_ITEMS, "mi_code")}
    read = [(b, a) for b, a in met if any(labels[item][i] is not None for item in _ITEMS for i in a)]
    if read:
        found = sum(_soothes(labels, a) and not _explores(labels, (*b, *a)) for b, a in read)
        return Score(found / len(read), len(read))
    if not any(t.turns[i].text.strip() for _, a in met for i in a):
        return unscored("no_answer", "every reply to a new emotion is blank")
    return unscored("no_reading", "no reply to a new emotion was read")


_Turns = tuple[int, ...]
_Labels = dict[str, Sequence[str | None]]


def _replies_to_new_emotions(t: Trajectory, moments: Sequence[Moment | None]) -> list[tuple[_Turns, _Turns]]:
    """Return (the therapist's block before, the reply) for each patient's block with a new emotion."""
    new = set(new_emotions(t))
    blocks = blocks_of(t) if new else []
    found = []
    for k, (who, mine) in enumerate(blocks[:-1]):
        apart = {Moment.RISK, Moment.REQUEST}.intersection(moments[i] for i in mine)
        if who == "patient" and new.intersection(mine) and not apart:
            found.append((blocks[k - 1][1] if k else (), blocks[k + 1][1]))
    return found


def _values(t: Trajectory, item: str) -> Sequence[str | None]:
    reading = whole_reading(t, item)
    return reading.values() if reading is not None else (None,) * len(t.turns)


def _soothes(labels: _Labels, turns: _Turns) -> bool:
    return any(
        labels["normalising"][i] == "normalises"
        or labels["advice"][i] in ("unasked", "with_permission")
        or labels["disclosure_reply"][i] == "solves"
        or any(code in _SOOTHING_CODES for code in (labels["mi_code"][i] or "").split("|"))
        for i in turns
    )


def _explores(labels: _Labels, turns: _Turns) -> bool:
    return any(
        labels["disclosure_reply"][i] == "attends"
        or (labels["question_form"][i] in _ASKS and labels["question_target"][i] in _ABOUT_IT)
        for i in turns
    )
