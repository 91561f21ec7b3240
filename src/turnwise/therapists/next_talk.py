"""How people who are counselled went on from turn to turn: a tracker fitted to human transcripts.

Three hidden stances, learnt without being named: one from which change talk comes, one from which
hardly anything but neutral talk comes, and one from which sustain talk comes. Where the client goes
next depends on where they stand and on the kind of turn the therapist made; what they say depends on
both. Weights and figures: ``tools/fit_tracker.py``, card in ``human_tracker.json``.

What it is worth (docs/tracker.md): the belief foretells the next kind of talk better than anything that sees
only the last exchange. It does *not* foretell better than a fading tally of what the client said so far; what
it has over a tally is that it can be asked what comes after an act that has not been made yet.

Transitions in company, not causes: therapists choose their turns by what clients say. Motivational
interviews only; where there is no behaviour to change, "change" and "sustain" mean little.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from turnwise.belief.filter import UpdateInfo, predict, prior, update
from turnwise.core.errors import FormatError
from turnwise.core.nouns import Belief, FloatArray
from turnwise.reading.ears.hearing import TALK
from turnwise.reading.package_data import document_of

__all__ = [
    "ACT_CLASS",
    "TALK_ACTS",
    "TALK_STANCES",
    "TRACKER_FILE",
    "NextTalk",
    "load_next_talk",
    "next_talk_from",
]

TRACKER_FILE = "human_tracker.json"
TALK_ACTS: tuple[str, ...] = (
    "open_question", "closed_question", "simple_reflection", "complex_reflection", "input", "other",
)  # fmt: skip
"""Kinds of therapist turn as AnnoMI codes them; ``input`` is information, advice, options, negotiation."""
TALK_STANCES: tuple[str, ...] = ("turning", "telling", "holding")
"""Names given afterwards by what comes of each: change, neutral and sustain talk."""
ACT_CLASS: Mapping[str, Mapping[str, float]] = {
    "support": {"simple_reflection": 0.5, "complex_reflection": 0.5},
    "question": {"open_question": 1.0},
    "challenge": {"open_question": 0.5, "complex_reflection": 0.5},
    "offer": {"input": 1.0},
}
"""The Socratic therapist's classes as mixtures of coded kinds: a convention. Nobody coded a challenge; as it
is worded there it is a question or a reflection, and what a challenge does is *not* in these data."""


@dataclass(frozen=True, slots=True, eq=False)
class NextTalk:
    """The fitted tracker. Pure: beliefs in, beliefs and probabilities out.

    There is no "none of these": the stances are a learnt partition of how clients talk, not
    explanations that might all be wrong.

    Attributes
    ----------
    start_p : (3,) stances before the first exchange.
    moves : (6, 3, 3) by act, row = from, column = to.
    talk : (3, 6, 3) P(change, neutral, sustain | stance, act).
    base : (3,) how frequent the kinds of talk are, by which a reader's posterior is divided.
    temper : exponent for talk that was read from text, fitted on held-out sessions; what people coded
        counts in full.
    card : where it comes from and what it is worth.
    """

    start_p: FloatArray
    moves: FloatArray
    talk: FloatArray
    base: FloatArray
    temper: float
    card: Mapping[str, Any]

    def start(self) -> Belief:
        """Return the belief before the first exchange."""
        return prior(TALK_STANCES, self.start_p)

    def weights(self, act: str | Mapping[str, float]) -> FloatArray:
        """Return an act as weights over ``TALK_ACTS``, (6,).

        Parameters
        ----------
        act : one of ``TALK_ACTS``, one of ``ACT_CLASS``, or weights by kind (as an ear hears them),
            which are made to sum to one.

        Raises
        ------
        ValueError : an unknown kind, a negative weight, or none above zero.
        """
        by_kind = ACT_CLASS.get(act, {act: 1.0}) if isinstance(act, str) else act
        if unknown := set(by_kind) - set(TALK_ACTS):
            known = ", ".join((*TALK_ACTS, *ACT_CLASS))
            raise ValueError(f"no act {', '.join(sorted(map(repr, unknown)))}; expected one of {known}.")
        w = np.array([float(by_kind.get(a, 0.0)) for a in TALK_ACTS])
        if not np.isfinite(w).all() or (w < 0).any() or w.sum() <= 0:
            raise ValueError("the weights of an act are finite, none negative, one or more above zero.")
        return np.asarray(w / w.sum(), dtype=np.float64)

    def _moved(self, belief: Belief, act: str | Mapping[str, float]) -> FloatArray:
        """Return P(act, stance) once the therapist has made this turn, (6, 3).

        Both together: a stance that one act leads to is followed by the talk of that act, not of their mean.
        """
        if belief.hypotheses != TALK_STANCES:
            raise ValueError(f"a belief over {belief.hypotheses!r}; expected one over {TALK_STANCES!r}, see start().")
        return np.asarray(self.weights(act)[:, None] * (belief.p @ self.moves), dtype=np.float64)

    def after(self, belief: Belief, act: str | Mapping[str, float]) -> Belief:
        """Return where the client stands once the therapist has made this turn, before they answer."""
        return predict(belief, np.tensordot(self.weights(act), self.moves, 1))

    def p_next(self, belief: Belief, act: str | Mapping[str, float]) -> FloatArray:
        """Return P(change, neutral, sustain) of the client's next turn, (3,), if the therapist makes this turn.

        Parameters
        ----------
        belief : after the client's last turn (``start()`` before the first).
        act : what the therapist is about to do; see ``weights``.

        Raises
        ------
        ValueError : an unknown act, or a belief over something else than ``TALK_STANCES``.

        Examples
        --------
        >>> tracker = load_next_talk()
        >>> belief, _ = tracker.heard(tracker.start(), "open_question", "sustain")
        >>> p = tracker.p_next(belief, "complex_reflection")
        >>> bool(p[2] > tracker.p_next(tracker.start(), "complex_reflection")[2])
        True
        """
        p = np.einsum("ak,kat->t", self._moved(belief, act), self.talk)
        return np.asarray(p / p.sum(), dtype=np.float64)

    def heard(
        self, belief: Belief, act: str | Mapping[str, float], talk: str | npt.ArrayLike | None
    ) -> tuple[Belief, UpdateInfo]:
        """Return the belief after the therapist's turn and the client's answer to it.

        Parameters
        ----------
        belief : after the client's turn before.
        act : what the therapist did; see ``weights``.
        talk : "change", "neutral" or "sustain" where a person coded it; a reader's probabilities of the
            three, which are divided by their base rates and tempered; or ``None`` where nothing was
            heard, then only the move counts.

        Raises
        ------
        ValueError : unknown act or kind of talk, probabilities that are none, or a belief over something else.
        """
        moved = self.after(belief, act)
        if talk is None:
            return update(moved, None)
        together = self._moved(belief, act)
        given = np.einsum("ak,kat->kt", together, self.talk) / together.sum(axis=0)[:, None]
        if isinstance(talk, str):
            if talk not in TALK:
                raise ValueError(f"no kind of talk {talk!r}; expected {', '.join(TALK)}.")
            return update(moved, np.log(given[:, TALK.index(talk)]))
        q = np.asarray(talk, dtype=np.float64)
        if q.shape != (len(TALK),) or not np.isfinite(q).all() or (q < 0).any() or q.sum() <= 0:
            raise ValueError("talk as read is three probabilities: change, neutral, sustain.")
        return update(moved, np.log(given @ (q / q.sum() / self.base)), temper=self.temper)


def next_talk_from(document: Mapping[str, Any]) -> NextTalk:
    """Return the tracker of a stored document.

    Raises
    ------
    FormatError : it is not what this version reads.
    """
    fault = FormatError(TRACKER_FILE, "weights", "are not those of this version", "install turnwise again")
    if (tuple(document.get("stances", ())), tuple(document.get("acts", ()))) != (TALK_STANCES, TALK_ACTS):
        raise fault
    try:
        w = {
            name: np.asarray(document["weights"][name], dtype=np.float64) for name in ("start", "moves", "talk", "base")
        }
        temper = float(document["weights"]["temper"])
    except (KeyError, TypeError, ValueError):
        raise fault from None
    k, a = len(TALK_STANCES), len(TALK_ACTS)
    shapes = {"start": (k,), "moves": (a, k, k), "talk": (k, a, len(TALK)), "base": (len(TALK),)}
    for name, rows in w.items():
        if rows.shape != shapes[name] or not (rows > 0).all() or not np.allclose(rows.sum(-1), 1.0, 0, 1e-4):
            raise fault
        w[name] = rows / rows.sum(-1, keepdims=True)  # rounding of what is stored
    if not 0.0 < temper <= 1.0:
        raise fault
    return NextTalk(w["start"], w["moves"], w["talk"], w["base"], temper, document.get("card", {}))


@cache
def load_next_talk() -> NextTalk:
    """Return the shipped tracker.

    Raises
    ------
    FormatError : it is missing or not what this version reads.
    """
    return next_talk_from(document_of("turnwise.therapists", TRACKER_FILE))
