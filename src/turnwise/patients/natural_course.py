"""What happens between sessions when nobody does anything: people get better by themselves, extremes regress.

Who comes to therapy comes at a bad time, so part of what follows is no merit of anybody's. Two
things are kept apart. *Spontaneous improvement* acts on everybody: of adults with untreated major
depression an estimated 23 % remit within 3 months, 32 % within 6 and 53 % within 12 (Whiteford et
al. 2013, Psychological Medicine 43(8), a review of waitlist and cohort data); as a constant weekly
hazard that is .0201, .0148 and .0145. *Regression to the mean* acts on whoever was chosen for being
extreme: a second measurement lies nearer to the population's mean by one minus the retest
correlation (Barnett, van der Pols & Dobson 2005, Int J Epidemiology 34(1)); once, and not every week.

Free assumptions, since no source gives them: that distress shrinks as the share of the ill does; the
mean to which it regresses; how much irritation and acquaintance outlast a week.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from turnwise.patients.mind import MANY, ONE, Columns, Mind, Number

__all__ = ["WEEKS_BETWEEN", "between_sessions", "improvement", "regression_to_the_mean", "returning"]

WEEKS_BETWEEN = 1.0
"""Weekly sessions, the usual rhythm; a course records sessions and no dates."""


_RESTED: dict[str, Number] = {"turn": 0, "asked_running": 0, "praises": 0, "kindnesses": 0, "repairs": 0, "insights": 0}
_RESTED |= {"shut_running": 0, "boiling": 0, "insight_turn": -9, "met": 0.0, "fatigue": 0.0, "praised": 0.0}
_RESTED |= {"stirred": 0.0}


def improvement(distress: Number, weeks: Number, rate: Number) -> Number:
    """Return the distress that untreated weeks leave: a constant share passes each week.

    Examples
    --------
    >>> float(improvement(0.6, 0.0, 0.0148))
    0.6
    >>> round(1 - float(improvement(1.0, 26.0, 0.0148)), 2)  # the published half year
    0.32
    """
    return distress * np.exp(-rate * weeks)


def regression_to_the_mean(distress: Number, mean: Number, share: Number) -> Number:
    """Return what a second look finds of somebody chosen for an extreme first one.

    Expected value only; whoever stands at the mean stays there. It is no improvement.

    Examples
    --------
    >>> round(regression_to_the_mean(0.8, 0.45, 0.16), 3), regression_to_the_mean(0.45, 0.45, 0.16)
    (0.744, 0.45)
    """
    return distress - share * (distress - mean)


def between_sessions(m: Number, weeks: Number = WEEKS_BETWEEN, *, first: bool = True) -> Number:
    """Return a mind (or many) as it comes back after ``weeks`` without a session.

    What was stirred up has passed, distress takes its natural course, conviction follows a little,
    irritation dies down, warmth and tiredness are gone, and the counters of the session start anew.
    ``first`` says that the last look was the one by which the person was chosen: only then do extremes
    regress. With zero weeks, nothing stirred and ``first=False`` the quantities stay.

    Examples
    --------
    >>> before = Mind(distress=0.8)
    >>> after = between_sessions(before, 1.0)
    >>> 0.7 < after.distress < before.distress, after.turn
    (True, 0)
    """
    k, o = m.sizes.of, ONE if isinstance(m, Mind) else MANY
    calmed = _unit(m.distress - m.stirred, o)
    nearer = regression_to_the_mean(calmed, k["usual_distress"], k["regresses"] if first else 0.0)
    eased = improvement(nearer, weeks, k["weekly_improvement"])
    distress = _unit(m.distress + k["course_turned"] * (eased - m.distress), o)
    fell = m.distress - distress
    conviction = m.conviction - k["conviction_share"] * m.conviction * o.where(fell > 0.0, fell, 0.0)
    moved = {"distress": distress, "conviction": conviction, "reactance": m.reactance * k["irritation_keeps"] ** weeks}
    if isinstance(m, Columns):
        return m.but(**moved, **{name: x + 0 * m.turn for name, x in _RESTED.items()})
    return replace(m, **{name: float(x) for name, x in moved.items()}, **_RESTED)


def returning(m: Number, sessions: int) -> Number:
    """Return a mind as at its first session (or many), now that so many earlier sessions lie behind it.

    For histories that keep the names of sessions and nothing else: weeks of natural course, and a
    little trust for being no stranger. What was worked out in those sessions is not in it.

    Examples
    --------
    >>> returning(Mind(), 3).trust > returning(Mind(), 0).trust
    True
    """
    if sessions == 0:
        return m
    back, o = between_sessions(m, WEEKS_BETWEEN * sessions), ONE if isinstance(m, Mind) else MANY
    trust = _unit(back.trust + m.sizes.of["acquainted"], o)
    return back.but(trust=trust) if isinstance(back, Columns) else replace(back, trust=trust)


def _unit(x: Number, o: Number) -> Number:
    return o.where(x < 0.0, 0.0, o.where(x > 1.0, 1.0, x))
