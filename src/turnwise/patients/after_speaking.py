"""What saying something does to whoever says it: a pushback, something painful, a conclusion of one's own.

What a therapist's turn does lies in ``dynamics``. One mind or many, as there.
"""

from __future__ import annotations

import numpy as np

from turnwise.patients.mind import MANY, ONE, Columns, Mind, Number

__all__ = [
    "after_insight",
    "after_insight_many",
    "after_pushback",
    "after_pushback_many",
    "after_telling",
    "after_telling_many",
]


def after_pushback(m: Mind, *, confronts: bool = True) -> Mind:
    """Return the state of somebody who has just pushed back and waits to see what comes of it.

    Confronting is said in irritation, the more so by whoever takes unasked advice badly; drawing back
    ("that'll keep") is not (Eubanks et al. 2015 keep the two kinds of rupture marker apart).
    """
    return m.but(reactance=_irritated(m, ONE) if confronts else m.reactance, pushed_back=True)


def after_pushback_many(minds: Columns, pushes: Number = True) -> Columns:
    """Return the states after those of many who confront (mask ``pushes``) have done so."""
    raised = np.where(pushes, _irritated(minds, MANY), minds.reactance)
    return minds.but(reactance=raised, pushed_back=minds.pushed_back | pushes)


def _irritated(m: Number, o: Number) -> Number:
    floor = m.sizes["pushback_reactance"] * m.gained("advice")
    floor = o.where(floor > 1.0, 1.0, floor)
    return o.where(m.reactance > floor, m.reactance, floor)


def after_telling(m: Mind, intensity: float) -> Mind:
    """Return the state of somebody who has just told something painful, by how intense the feeling in it is.

    What is raw stirs the teller up for a while; what is not, does not. What comes of it hangs on the
    turns that follow: being met settles it, being pressed adds to it.

    Examples
    --------
    >>> from turnwise.patients.dynamics import step
    >>> from turnwise.patients.mind import Impact
    >>> told = after_telling(Mind(), 0.8)
    >>> told.distress > Mind().distress, after_telling(Mind(), 0.3) == Mind()
    (True, True)
    >>> step(told, Impact(reflection=0.9, accuracy=1.0))[0].distress < step(told, Impact())[0].distress
    True
    """
    return m.but(**_told(m, intensity, ONE))


def after_telling_many(minds: Columns, intensity: Number) -> Columns:
    """Return the states after each of many has told something as intense (0 for who told nothing)."""
    return minds.but(**_told(minds, intensity, MANY))


def _told(m: Number, intensity: Number, o: Number) -> dict[str, Number]:
    k = m.sizes.of
    rise = o.where(intensity > k["raw_from"], k["told_stirs"] * intensity * (1.0 - m.distress), 0.0)
    moved = {"distress": m.distress + rise, "stirred": m.stirred + rise}
    return {name: o.where(x < 0.0, 0.0, o.where(x > 1.0, 1.0, x)) for name, x in moved.items()}


def after_insight(m: Mind) -> Mind:
    """Return the state after the patient has drawn a conclusion of its own."""
    return m.but(**_concluded(m, ONE))


def after_insight_many(minds: Columns) -> Columns:
    """Return the states after each of many has drawn a conclusion of its own."""
    return minds.but(**_concluded(minds, MANY))


def _concluded(m: Number, o: Number) -> dict[str, Number]:
    moved = m.conviction + m.sizes["insight_conviction"]
    conviction = o.where(moved < 0.0, 0.0, o.where(moved > 1.0, 1.0, moved))
    return {"conviction": conviction, "insights": m.insights + 1, "insight_turn": m.turn}
