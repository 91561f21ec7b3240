"""The Socratic therapist's belief about how the patient stands towards the talk right now.

The model is the therapist's own and deliberately coarse: six stances, how they drift after what
the therapist just did, and how probable each sign is under each of them. Two facts of it are
human data (talk-type frequencies and reply lengths by kind of therapist turn in AnnoMI); the other
numbers are clinical judgement set by hand, not fitted, and therefore tempered.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from statistics import median
from typing import Literal

import numpy as np

from turnwise.belief.filter import UpdateInfo, expected_information_gain, predict, prior, update
from turnwise.core.nouns import Belief, FloatArray
from turnwise.reading.ears.hearing import TALK, Hearing
from turnwise.therapists.markers import markers

__all__ = [
    "PRIOR",
    "STANCES",
    "ActClass",
    "Signs",
    "information_gain",
    "initial",
    "log_likelihood",
    "moved",
    "signs_in",
    "transition",
]

ActClass = Literal["support", "question", "challenge", "offer"]
STANCES: tuple[str, ...] = ("engaged", "raw", "ambivalent", "resisting", "withdrawing", "none_of_these")
PRIOR: tuple[float, ...] = (0.36, 0.15, 0.14, 0.08, 0.09, 0.18)
TEMPER = 0.7  # the signs are not independent: short replies, "I don't know" and refusals come together
FLOOR = 1e-6  # a stance may become improbable, never impossible: it must be able to return

_STAY: Mapping[ActClass, float] = {"support": 0.62, "question": 0.62, "challenge": 0.5, "offer": 0.55}
_PULL: Mapping[ActClass, tuple[float, ...]] = {
    "support": (0.38, 0.20, 0.12, 0.05, 0.07, 0.18),
    "question": (0.36, 0.13, 0.13, 0.09, 0.11, 0.18),
    "challenge": (0.28, 0.05, 0.17, 0.26, 0.12, 0.12),
    "offer": (0.30, 0.03, 0.19, 0.20, 0.13, 0.15),
}
# P(talk type | stance), in the order change, neutral, sustain.
_TALK = np.array([
    [0.38, 0.56, 0.06], [0.18, 0.62, 0.20], [0.30, 0.45, 0.25],
    [0.06, 0.46, 0.48], [0.06, 0.72, 0.22], [0.23, 0.67, 0.10],
])  # fmt: skip
# Frequencies in AnnoMI (development part, both qualities): what the ear's posterior already contains.
_TALK_BASE = np.array([0.231, 0.667, 0.102])
# P(short, usual, long | stance), after a question, challenge or offer, and after support: half of all
# human replies to a reflection have three words or fewer, so there a short one says little.
_LENGTH: Mapping[bool, FloatArray] = {
    False: np.array([
        [0.10, 0.62, 0.28], [0.18, 0.52, 0.30], [0.14, 0.60, 0.26],
        [0.36, 0.50, 0.14], [0.66, 0.31, 0.03], [0.28, 0.52, 0.20],
    ]),
    True: np.array([
        [0.34, 0.48, 0.18], [0.34, 0.44, 0.22], [0.34, 0.48, 0.18],
        [0.42, 0.46, 0.12], [0.66, 0.31, 0.03], [0.40, 0.45, 0.15],
    ]),
}  # fmt: skip
# P(sign present | stance); where a second row stands, it holds after a challenge or an offer.
_SIGN: Mapping[str, tuple[float, ...]] = {
    "yes_but": (0.05, 0.05, 0.40, 0.38, 0.10, 0.12),
    "hostile": (0.005, 0.015, 0.02, 0.50, 0.03, 0.05),
    "refusal": (0.02, 0.06, 0.06, 0.26, 0.34, 0.08),
    "about_you": (0.03, 0.03, 0.06, 0.42, 0.08, 0.10),
    "doubt": (0.02, 0.05, 0.12, 0.34, 0.22, 0.06),
    "dont_know": (0.06, 0.12, 0.16, 0.12, 0.40, 0.12),
    "feeling": (0.22, 0.62, 0.20, 0.08, 0.05, 0.15),
    "absolute": (0.12, 0.30, 0.22, 0.20, 0.14, 0.15),
    "loss": (0.06, 0.42, 0.08, 0.04, 0.04, 0.08),
    "insight": (0.22, 0.05, 0.14, 0.02, 0.02, 0.08),
    "thanks": (0.16, 0.05, 0.06, 0.02, 0.03, 0.06),
}
_SIGN_PRESSED: Mapping[str, tuple[float, ...]] = {
    "yes_but": (0.06, 0.10, 0.28, 0.58, 0.14, 0.14),
    "dont_know": (0.12, 0.20, 0.24, 0.28, 0.42, 0.16),
    "refusal": (0.02, 0.12, 0.06, 0.36, 0.36, 0.10),
}
# P(opens, flat, pushes back | stance) after an act: what the therapist expects to learn by it.
_OUTCOME: Mapping[ActClass, FloatArray] = {
    "support": np.array([[0.55, 0.42, 0.03], [0.6, 0.36, 0.04], [0.45, 0.45, 0.10], [0.30, 0.45, 0.25],
                         [0.15, 0.80, 0.05], [0.4, 0.5, 0.1]]),
    "question": np.array([[0.75, 0.22, 0.03], [0.45, 0.45, 0.10], [0.5, 0.35, 0.15], [0.15, 0.45, 0.40],
                          [0.10, 0.80, 0.10], [0.4, 0.45, 0.15]]),
    "challenge": np.array([[0.70, 0.20, 0.10], [0.15, 0.45, 0.40], [0.35, 0.30, 0.35], [0.05, 0.20, 0.75],
                           [0.05, 0.75, 0.20], [0.35, 0.40, 0.25]]),
    "offer": np.array([[0.60, 0.25, 0.15], [0.15, 0.45, 0.40], [0.35, 0.30, 0.35], [0.05, 0.25, 0.70],
                       [0.10, 0.75, 0.15], [0.35, 0.40, 0.25]]),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Signs:
    """What was heard in one patient turn that bears on the stance.

    ``length`` is 0 short, 1 usual, 2 long, relative to the patient's own median so far.
    """

    present: frozenset[str]
    length: int
    n_words: int
    talk: tuple[float, ...]


def signs_in(text: str, hearing: Hearing, lengths: tuple[int, ...], *, feeling: bool) -> Signs:
    """Return the signs of one patient turn.

    Parameters
    ----------
    text : what was said.
    hearing : what the ear made of it; talk types are used where they were heard.
    lengths : words in each earlier turn of this patient.
    feeling : an emotion was voiced as the patient's own.
    """
    n = len(text.split())
    usual = median(lengths) if lengths else 14.0  # mean length of a client turn in human counselling
    ratio = (n + 1) / (usual + 1)
    length = 0 if (n <= 3 or ratio < 0.4) else 2 if ratio > 1.8 else 1
    present = markers(text) | ({"feeling"} if feeling else frozenset())
    talk = hearing.p.get("client_talk")
    heard = () if talk is None else tuple(float(x) for x in np.asarray(talk)[: len(TALK)])
    return Signs(frozenset(present), length, n, heard)


def initial() -> Belief:
    """Return the belief before the first word."""
    return prior(STANCES, PRIOR)


def log_likelihood(signs: Signs, after: ActClass) -> FloatArray:
    """Return ``ln P(signs | stance)`` up to a constant, (K,), given what the therapist had just done.

    The ear's probabilities are a posterior under its training frequencies, so they are divided by
    those before they count as evidence.
    """
    total = np.log(_LENGTH[after == "support"][:, signs.length])
    if signs.talk:
        total += np.log(np.maximum(_TALK @ (np.array(signs.talk) / _TALK_BASE), FLOOR))
    pressed = after in ("challenge", "offer")
    for name, usual in _SIGN.items():
        row = np.array(_SIGN_PRESSED.get(name, usual) if pressed else usual)
        total += np.log(row if name in signs.present else 1.0 - row)
    return np.asarray(np.maximum(total, 4 * np.log(FLOOR)), dtype=np.float64)


def transition(after: ActClass) -> FloatArray:
    """Return how stances move after an act, (K, K); row = from, column = to."""
    k = len(STANCES)
    stay = np.full(k, _STAY[after])
    if after in ("challenge", "offer"):
        # Pressing somebody in pain or in opposition does not leave them where they were.
        stay[STANCES.index("raw")] = 0.3
    t = np.diag(stay) + (1 - stay)[:, None] * np.array(_PULL[after])[None, :]
    return np.asarray(t, dtype=np.float64)


def moved(belief: Belief, signs: Signs, after: ActClass) -> tuple[Belief, UpdateInfo]:
    """Return the belief after the therapist's act ``after`` and the patient's answer to it."""
    return update(predict(belief, transition(after)), log_likelihood(signs, after), temper=TEMPER)


def information_gain(belief: Belief, act: ActClass) -> float:
    """Return what an act of this class is expected to teach about the stance, in nats."""
    return expected_information_gain(predict(belief, transition(act)), np.log(_OUTCOME[act]).T)
