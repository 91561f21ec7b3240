"""What a question asks for: one of about fifty intents shared by all cases.

Questions are matched against questions, never against answers: a question and its answer share
few words. Patterns over function words decide first, the nearest paraphrase
second; politeness is taken off before either.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt
import yaml

from turnwise.core.nouns import FloatArray
from turnwise.reading.ears.intent_coder import load_intent_coder
from turnwise.reading.ears.openings import OpeningTable, opening_table
from turnwise.reading.ears.question_space import encode_question
from turnwise.reading.encoder import encode
from turnwise.reading.package_data import read_packaged

__all__ = ["INTENTS", "PATTERN", "IntentReading", "as_risk", "paraphrases", "plain", "read_intent", "read_plain"]

INTENTS: tuple[str, ...] = tuple(
    """brings how_are more what_happened last_time then said feel hardest thought means_about_you belief why fear
    when_started how_long how_often evidence_for evidence_against alternative friend cost benefit tried helps support
    who what_is_x_like goal want future next_step scale body sleep eat drink medication day job childhood past enjoy
    strengths values what_stops_you here_and_now earlier_therapy missed clarify risk""".split()
)
"""Order of every array of intents."""

PATTERN = 0.9
"""What a pattern hit counts as, on the scale of cosines: above nearly every neighbour."""

_PLACE = {name: i for i, name in enumerate(INTENTS)}
_RISK = _PLACE["risk"]
_FILLER = re.compile(
    r"^(?:(?:and|so|but|well|okay|ok|right|now|yes|yeah|i see|mm|hm+|um+|er+|ah|oh|thank you|thanks)\b[\s,.…–-]*)+"
)
_POLITE = re.compile(
    r"^(?:i'?m (?:just )?(?:wondering|curious|interested)(?: (?:about|to (?:hear|know)))?(?: if|"
    r" whether)?|i(?: do)? wonder(?:ed)?(?: if| whether)?|"
    r"i'?d (?:really )?(?:like|love) to (?:hear|know|understand)(?: (?:more )?about)?|(?:may|"
    r"can|could|might) i (?:just )?ask(?: you)?|let me ask(?: you)?|"
    r"(?:can|could|would|will) you (?:please |maybe |perhaps |just )?(?=tell|say|describe|give|"
    r"walk|talk|take|help|explain|think of|remember|share)|"
    r"(?:would|do) you mind (?=tell|say|describ|shar)|if (?:it'?s|that'?s) (?:all right|okay|ok|not prying)|"
    r"if you (?:had to guess|don'?t mind(?: (?:me|my) asking)?|can|like)|tell me|please|maybe|perhaps|just)\b[\s,.:–-]*"
)
_INSIDE = re.compile(
    r"\b(?:do you (?:think|suppose|reckon)|would you say|"
    r"if you don'?t mind(?: (?:me|my) asking)?|if that'?s not prying|"
    r"tell me if i'?m off the mark|i wonder|please|exactly|actually|really|at all)\b[ ,]*(?=\S)"
)
_KEEP_TELL = re.compile(r"^tell me (?:more|about|a (?:bit|little))\b")
_TIDY = re.compile(r"[^a-z0-9' ]+")


@dataclass(frozen=True, slots=True, eq=False)
class IntentReading:
    """Which intents a question may have.

    ``vector`` is the question's embedding, ``asked`` the one in which questions are compared.
    ``scores`` (51,) in the order of ``INTENTS``: cosine to the nearest paraphrase, raised to
    ``PATTERN`` where a pattern hits. ``patterns`` holds the indices that were hit. ``similarity``
    is the best score, ``neighbour`` the best plain cosine (how far the catalogue knows the question).
    ``p`` (51,) is what the fitted classifier makes of it: it sums to one, patterns play no part.
    """

    text: str
    vector: npt.NDArray[np.float32]
    asked: npt.NDArray[np.float32]
    scores: FloatArray
    patterns: tuple[int, ...]
    neighbour: float
    p: FloatArray
    best: int = field(init=False)
    """Position of the most probable intent."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "best", int(self.scores.argmax()))

    @property
    def intent(self) -> str:
        """The most probable intent."""
        return INTENTS[self.best]

    @property
    def similarity(self) -> float:
        """Score of the most probable intent."""
        return float(self.scores[self.best])

    def has(self, *names: str) -> bool:
        """Whether a pattern of one of the intents was hit, or it is the best and near."""
        if self.similarity > 0.62 and self.intent in names:
            return True
        return bool(self.patterns) and any(_PLACE[n] in self.patterns for n in names)


_BLANKS = re.compile(r"\s+")
_QUOTED = re.compile(r"[\"“][^\"”]+[\"”]")


@cache
def _catalogue() -> Mapping[str, Any]:
    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    content: Mapping[str, Any] = yaml.load(read_packaged("ears/intents.yaml"), Loader=loader)  # noqa: S506
    return content


@cache
def _patterns() -> OpeningTable:
    content = _catalogue()
    return opening_table([content[name]["patterns"] for name in INTENTS])


@cache
def _neighbours() -> tuple[npt.NDArray[np.float32], npt.NDArray[np.intp]]:
    asks = paraphrases()
    vectors = encode([plain(ask) for name in INTENTS for ask in asks[name]])
    starts = np.cumsum([0, *(len(asks[name]) for name in INTENTS[:-1])])
    return vectors, starts


def paraphrases() -> dict[str, tuple[str, ...]]:
    """Return the catalogue: every intent with its paraphrases."""
    content = _catalogue()
    return {name: tuple(str(a) for a in content[name]["asks"]) for name in INTENTS}


def plain(sentence: str) -> str:
    """Return ``sentence`` in lower case, without politeness, fillers and punctuation.

    Examples
    --------
    >>> plain("So, where do you think you learned that?")
    'where you learned that'
    >>> plain("Could you tell me what happened?")
    'what happened'
    >>> plain("Can you tell me more about that?")
    'tell me more about that'
    """
    text = sentence.lower().replace("’", "'").strip()
    # Words quoted back are what the question is about, not what it asks.
    text = _BLANKS.sub(" ", _QUOTED.sub(" that ", text)) if len(_QUOTED.sub("", text).split()) > 3 else text
    for _ in range(4):
        shorter = _FILLER.sub("", text)
        if not _KEEP_TELL.match(shorter):
            shorter = _POLITE.sub("", shorter)
        if shorter == text or not shorter.strip(" ?.!,"):
            break
        text = shorter
    return " ".join(_TIDY.sub(" ", _INSIDE.sub("", text)).split())


def as_risk(reading: IntentReading) -> IntentReading:
    """Return the reading of a question that goes on about danger to self, whatever its own words.

    Examples
    --------
    >>> as_risk(read_intent("How often does that come?")).intent
    'risk'
    """
    scores = reading.scores.copy()
    scores[_RISK] = max(1.0, float(scores.max()) + 0.01)
    return replace(reading, scores=scores, patterns=tuple(sorted({*reading.patterns, _RISK})))


def read_intent(sentence: str, bare: str | None = None) -> IntentReading:
    """Return what ``sentence`` asks for; ``bare`` is ``plain(sentence)`` where that is known.

    Not a classifier of whether it *is* a question (see ``questions.py``), and its scores are not
    calibrated probabilities. ``risk`` is set by its pattern alone, never by similarity: asking
    about death is not a thing to be guessed.

    Examples
    --------
    >>> read_intent("And when did you first notice it?").intent
    'when_started'
    >>> read_intent("Do you have thoughts of ending your life?").intent
    'risk'
    """
    return read_plain(plain(sentence) if bare is None else bare)


@lru_cache(maxsize=2_048)  # most of what a therapist asks was asked before: four sentences of five, in a default run
def read_plain(text: str) -> IntentReading:
    """Return what plain words ask for; the same object for the same words, so it is not to be written to.

    Examples
    --------
    >>> read_plain("why so") is read_intent("Why so?")
    True
    """
    vectors, starts = _neighbours()
    vector, asked = encode_question(text)
    scores = np.maximum.reduceat(vectors @ vector, starts).astype(np.float64)
    scores[_RISK] = 0.0
    near = float(scores.max())
    hits = _patterns().hits(text)
    # Among several patterns the nearer paraphrase wins.
    for i in hits:
        scores[i] = max(scores[i], PATTERN + 0.1 * scores[i])
    if _RISK in hits:
        scores[_RISK] = 1.0
    return IntentReading(text, vector, asked, scores, hits, near, load_intent_coder().probabilities(text, vector))
