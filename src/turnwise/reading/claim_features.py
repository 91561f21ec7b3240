"""Numbers of a claim held against all the patient said before it.

From a meeting of claims and statements (``claim_meeting``) come the statement that a claim resembles most, and whether
who, denial, opposites, numbers, degree and feeling agree there; the latest of equal ones wins.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from turnwise.core.nouns import FloatArray
from turnwise.reading.claim_clauses import degree_masks, pleasant_mask
from turnwise.reading.claim_frames import assures
from turnwise.reading.claim_meeting import Meeting, bits
from turnwise.reading.claim_subjects import PATIENT
from turnwise.reading.claim_words import PRAISES, TALKS

__all__ = ["features_of"]

_Columns = dict[str, npt.ArrayLike]
_Bits = npt.NDArray[np.uint64]
_NOTHING = np.uint64(0)
_STRANGERS = 0.3
"""Agreement of subjects below which somebody else is spoken of."""


class _Best:
    """For each claim the statement that it resembles most: by likeness and subject, and by likeness alone."""

    def __init__(self, met: Meeting) -> None:
        self.met = met
        self.rows = np.arange(len(met.claims))
        self.last = len(met.said) - 1
        like = 0.45 * met.cover + 0.25 * met.near + 0.30 * np.clip(met.cos, 0.0, 1.0)
        self.like: FloatArray = np.where(met.allowed, like, 0.0)
        self.differs = met.denied_differs ^ met.opposed
        self.at = self.latest(np.where(met.allowed, self.like * (0.7 + 0.3 * met.who), -1.0))
        self.plain = self.latest(np.where(met.allowed, self.like, -1.0))
        self.m = self.pick(self.like)
        self.later = (np.arange(len(met.said))[None, :] > self.at[:, None]) & met.allowed

    def latest(self, x: FloatArray) -> npt.NDArray[np.int64]:
        """Return the last column of each row's maximum."""
        return np.asarray(self.last - x[:, ::-1].argmax(axis=1))

    def pick(self, x: npt.NDArray[np.generic]) -> FloatArray:
        """Return each claim's number at its best statement."""
        return np.asarray(x[self.rows, self.at], dtype=np.float64)


def features_of(met: Meeting) -> tuple[tuple[str, ...], FloatArray]:
    """Return the names of the features and the numbers of each claim, (C, names).

    Examples
    --------
    >>> from turnwise.reading.claim_clauses import clauses_of
    >>> from turnwise.reading.claim_meeting import Asserted, said_before
    >>> said = said_before([("patient", "My sister left. I stayed.")])
    >>> claims = [Asserted(clauses_of(x, False, whole=True)[0], 1, False) for x in ("your sister left", "you left")]
    >>> names, x = features_of(Meeting(claims, said))
    >>> x[:, names.index("m not who")].round(1).tolist()
    [0.0, 0.9]
    """
    best = _Best(met)
    columns = _likeness(met, best) | _for_and_against(met, best) | _agreeing(met, best)
    columns |= (
        _word_for_word(met, best)
        | _kind(met)
        | _degree(met, best)
        | _numbers(met, best)
        | _feeling(met, best)
        | _later(met, best)
        | _persons(met, best)
    )
    x = np.stack([np.asarray(c, dtype=np.float64) for c in columns.values()], axis=1)
    return tuple(columns), np.round(x, 5)


def _likeness(met: Meeting, best: _Best) -> _Columns:
    three = np.sort(met.cos, axis=1)[:, -3:].sum(axis=1) / 3.0
    return {
        "cover": met.cover.max(axis=1),
        "near": met.near.max(axis=1),
        "anywhere": met.anywhere,
        "least": met.least,
        "exact": met.exact.max(axis=1),
        "cos content": met.cos_content.max(axis=1),
        "cos wide": met.cos_wide.max(axis=1),
        "cos three": three,
        "cos": met.cos.max(axis=1),
        "weak": best.pick(met.weak),
        "weak plain": met.weak[best.rows, best.plain],
        "scattered": met.anywhere - best.pick(met.near),
        "near best": best.pick(met.near),
        "exact best": best.pick(met.exact),
        "m": best.m,
        "plain m": best.like[best.rows, best.plain],
        "words": np.log1p([len(x.words) for x in met.claims]),
        "recency": met.turn[best.at] / np.maximum(1, met.claim_turn),
    }


def _word_for_word(met: Meeting, best: _Best) -> _Columns:
    run, pieces, last, same, other, last_other, felt, felt_other = met.runs.T
    return {
        "run": run,
        "run whole": run > 0.99,
        "pieces": pieces,
        "run last": last,
        "same denied": same,
        "other denied": other,
        "last other denied": last_other,
        "felt": felt,
        "felt otherwise": felt_other,
        "m differs unrun": best.m * best.pick(best.differs) * (1.0 - pieces),
        "m unrun": best.m * (1.0 - pieces),
    }


def _kind(met: Meeting) -> _Columns:
    """What a claim is of: praise or comfort, or what the patient does in this very talk."""
    words = [set(x.words) for x in met.claims]
    praise = [not x.isdisjoint(PRAISES) for x in words]
    talk = [not x.isdisjoint(TALKS) for x in words]
    content = np.array([len(x.content) for x in met.claims])
    return {
        "praises": praise,
        "praises you": [p and x.subject == PATIENT for p, x in zip(praise, met.claims, strict=True)],
        "assures": [assures(" ".join(x.words)) for x in met.claims],
        "in this talk": talk,
        "in this talk, little else": np.array(talk) & (content <= 2),
        "of the patient": [x.subject == PATIENT for x in met.claims],
    }


def _for_and_against(met: Meeting, best: _Best) -> _Columns:
    """What speaks for a claim, against it, and of somebody else; and which of the first two came later."""
    for_it, against = best.like * met.who * ~best.differs, best.like * met.who * best.differs
    sup, con, swap = for_it.max(axis=1), against.max(axis=1), (best.like * (1.0 - met.who)).max(axis=1)
    where_for, where_against = best.latest(for_it), best.latest(against)
    both = np.minimum(sup, con)
    return {
        "sup": sup,
        "con": con,
        "swap": swap,
        "sup-con": np.maximum(sup - con, 0.0),
        "con-sup": np.maximum(con - sup, 0.0),
        "swap-sup": np.maximum(swap - np.maximum(sup, con), 0.0),
        "con later": (where_against > where_for) * both,
        "sup later": (where_for > where_against) * both,
    }


def _agreeing(met: Meeting, best: _Best) -> _Columns:
    rows, plain, m = best.rows, best.plain, best.m
    plain_m, who = best.like[rows, plain], best.pick(met.who)
    unreal_c, unreal_s = (np.array([x.unreal for x in side]) for side in (met.claims, met.said))
    return {
        "plain who": met.who[rows, plain] * plain_m,
        "plain differs": best.differs[rows, plain] * plain_m,
        "m differs": m * best.pick(best.differs),
        "m denied differs": m * best.pick(met.denied_differs),
        "m opposed": m * best.pick(met.opposed),
        "m who": m * who,
        "m not who": m * (who < _STRANGERS),
        "denied": np.array([x.denied for x in met.claims]),
        "unreal lost": m * (~unreal_c & unreal_s[best.at]),
        "unreal new": m * (unreal_c & ~unreal_s[best.at]),
    }


def _any_said(met: Meeting, said: _Bits) -> _Bits:
    return np.asarray(np.bitwise_or.reduce(np.where(met.allowed, said[None, :], _NOTHING), axis=1), dtype=np.uint64)


def _degree(met: Meeting, best: _Best) -> _Columns:
    mine, said = bits(met.claims, "degrees"), bits(met.said, "degrees")
    after = np.minimum(best.at + 1, best.last)
    near = said[best.at] | said[np.maximum(best.at - 1, 0)]
    near |= np.where(met.allowed[best.rows, after], said[after], _NOTHING)
    high, low = (np.uint64(x) for x in degree_masks())
    new = mine & ~near
    return {
        "degree new": new != 0,
        "degrees new": np.bitwise_count(new),
        "high new": (new & high) != 0,
        "low new": (new & low) != 0,
        "degree same": (mine & near) != 0,
        "degree lost": (said[best.at] & ~mine & low) != 0,
        "high for low": ((mine & high) != 0) & ((near & low) != 0) & ((near & high) == 0),
        "low for high": ((mine & low) != 0) & ((near & high) != 0) & ((near & low) == 0),
        "m degree new": best.m * ((new & (high | low)) != 0),
        "high": (mine & high) != 0,
        "degree unsaid": (mine & ~_any_said(met, said)) != 0,
    }


def _numbers(met: Meeting, best: _Best) -> _Columns:
    mine, said = bits(met.claims, "numbers"), bits(met.said, "numbers")
    mends = np.array([x.mends for x in met.said])
    other = ((mine[:, None] & said) == 0) & (mine != 0)[:, None] & (said != 0)
    return {
        "number new": (mine & ~_any_said(met, said)) != 0,
        "number other": best.pick(other),
        "number same": (mine & said[best.at]) != 0,
        "later number": best.m * (best.later & mends & other).any(axis=1),
    }


def _feeling(met: Meeting, best: _Best) -> _Columns:
    mine, said = bits(met.claims, "families"), bits(met.said, "families")
    own = np.array([x.subject == PATIENT for x in met.said])
    shared = ((mine[:, None] & said) != 0) & met.allowed
    alike = (shared & own & ~met.denied_differs).any(axis=1)
    pleasant = np.uint64(pleasant_mask())
    tone_c, tone_s = (
        np.where(x & pleasant, 1, np.where(x != 0, -1, 0)) * np.where([y.denied for y in side], -1, 1)
        for x, side in ((mine, met.claims), (said, met.said))
    )
    return {
        "feeling": met.feeling,
        "family own": alike,
        "family own denied": (shared & own & met.denied_differs).any(axis=1) & ~alike,
        "family other": (shared & ~own).any(axis=1) & ~(shared & own).any(axis=1),
        "family new": (mine != 0) & ~shared.any(axis=1),
        "tone against": tone_c * tone_s[best.at] < 0,
    }


def _later(met: Meeting, best: _Best) -> _Columns:
    """Whether what the claim resembles was mended or denied afterwards."""
    mends, denied = (np.array([getattr(x, name) for x in met.said]) for name in ("mends", "denied"))
    like_it = met.between(best.at) * best.later
    after = best.like * best.later
    return {
        "later mended like it": best.m * (like_it * mends).max(axis=1),
        "later denied like it": best.m * (like_it * (denied[best.at][:, None] != denied)).max(axis=1),
        "after mended": (after * mends).max(axis=1),
        "after differs": (after * best.differs * met.who).max(axis=1),
        "best mends": best.m * mends[best.at],
    }


def _persons(met: Meeting, best: _Best) -> _Columns:
    mine, said, subject = met.persons()
    inside = (said[best.at] & subject) != 0
    return {
        "other role": best.m * (inside & (best.pick(met.who) < _STRANGERS)),
        "person new": (mine & ~_any_said(met, said)) != 0,
        "persons lost": np.bitwise_count(mine & ~said[best.at]),
    }
