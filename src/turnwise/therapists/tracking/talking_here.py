"""How somebody says the talk itself is for them, when asked: guarded, middling, or open.

What routine monitoring of the alliance asks for (Lambert & Shimokawa 2011, Psychotherapy 48(1)). A linear reading of
the words and pairs of words of the answer, fitted on written examples (``tools/fit_talking_here.py``); the answers of
simulated patients, by other hands, are only tested on (but the rule for offers was written after sessions with them had
been read). Not a measure of the alliance: what people tell of it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

import numpy as np

from turnwise.core.nouns import FloatArray
from turnwise.reading.package_data import document_of

__all__ = [
    "ANSWERS",
    "KINDS",
    "HereReader",
    "answered_here",
    "how_it_is",
    "load_here",
    "offers_to_be_asked",
    "terms_of",
]

KINDS: tuple[str, ...] = ("guarded", "middling", "open")
ANSWERS: tuple[str, ...] = ("guarded", "perhaps guarded", "middling", "perhaps open", "open")
"""What an answer is evidence of: a kind, and with less weight one that may as well be another."""
_SURELY = 1.0  # nats by which one reading is ahead of the next
_WORD = re.compile(r"[a-z']+")


def terms_of(text: str) -> frozenset[str]:
    """Return the words and pairs of neighbouring words of a text, in lower case.

    Examples
    --------
    >>> sorted(terms_of("It's fine."))
    ['fine', "it's", "it's fine"]
    """
    words = _WORD.findall(text.lower().replace("’", "'"))
    return frozenset(words) | {f"{a} {b}" for a, b in pairwise(words)}


@dataclass(frozen=True, slots=True, eq=False)
class HereReader:
    """Weights of every term, (K + 1,) each, and a bias: of the kinds, and of what is no such answer."""

    weights: dict[str, FloatArray]
    bias: FloatArray

    def logits(self, text: str) -> FloatArray:
        """Return the logits of the kinds and of the rest, (K + 1,); the bias alone where no term is known."""
        known = [self.weights[t] for t in sorted(terms_of(text)) if t in self.weights]
        return self.bias + np.sum(known, axis=0) / np.sqrt(len(known)) if known else self.bias


@cache
def load_here() -> HereReader:
    """Return the reader that ships."""
    stored = document_of("turnwise.therapists.tracking", "talking_here.json")
    scale = float(stored["scale"])
    weights = {t: np.array(w, dtype=np.float64) / scale for t, w in stored["weights"].items()}
    return HereReader(weights, np.array(stored["bias"], dtype=np.float64) / scale)


_GLAD = re.compile(
    r"\b(?:glad (?:of|to|that|about|i|we)|glad\W*$|(?:grateful|thankful)\b(?! (?:if|when))|a relief|reliev(?:ed|ing)|"
    r"(?:easier|better) than|at (?:my )?ease|i (?:really )?(?:like|enjoy) (?:it|this|talking)|do(?:es|ing)? me good|"
    r"good to (?:talk|say|get))|"
    r"^\W*(?:it(?:'s| is|'s been) )?(?:just |all |really |very |quite )?(?:grand|lovely|great)\b(?! (?:deal|big|many))",
    re.IGNORECASE,
)
_HALF_GLAD = re.compile(
    r"\b(?:but|though|although|not|\w+n't|never|nor|yet|still|only|half|some(?:times)?|bits?|less|hard(?:er)?|doubt|"
    r"would|i'd|'ll|will|when (?:it|this|we)(?:'s| is|'re| are) (?:over|done)|if)\b|\?",
    re.IGNORECASE,
)
"""What takes the plainness from being glad: then the weights weigh it."""


def how_it_is(text: str, *, margin: float = 0.0) -> str | None:
    """Return which of ``KINDS`` an answer is; ``None`` where it is none, or nothing was said.

    Parameters
    ----------
    text : what was answered.
    margin : nats by which it has to be ahead of what comes next, else ``None``.

    Examples
    --------
    >>> how_it_is("Easier than I thought. I could tell you more.")
    'open'
    >>> how_it_is("It does me good to say it."), how_it_is("I'd be glad if it was over.") == "open"
    ('open', False)
    >>> how_it_is("")
    """
    if not terms_of(text):
        return None
    if offers_to_be_asked(text) or (_GLAD.search(text) and not _HALF_GLAD.search(text.replace("’", "'"))):
        return "open"
    logits = load_here().logits(text)
    place = int(logits.argmax())
    ahead = logits[place] - np.delete(logits, place).max()
    return KINDS[place] if place < len(KINDS) and ahead >= margin else None


def answered_here(text: str) -> str | None:
    """Return which of ``ANSWERS`` an answer is evidence of; ``None`` where it is no answer.

    Examples
    --------
    >>> answered_here("Easier than I thought. I could tell you more."), answered_here("")
    ('open', None)
    """
    here = how_it_is(text)
    unsure = here in ("guarded", "open") and how_it_is(text, margin=_SURELY) is None
    return f"perhaps {here}" if unsure else here


_OFFERS = re.compile(
    r"\b(?:ask|put|try|give) (?:me |to me |it to me )?(?:\w+ ){0,4}(?:hard(?:er)?|awkward|ugly|heavy|heavier|difficult|"
    r"tough|straight|uncomfortable|big(?:ger)?|real)\b(?: \w+){0,3}|"
    r"\b(?:hard(?:er)?|awkward|ugly|heavy|difficult|tough) (?:one|ones|question|questions|thing|things|stuff)\b"
    r"(?: (?:(?:would|will|might|could|may) be|are|is|'d be) (?:\w+ )?(?:fine|all right|alright|okay|ok|acceptable|"
    r"possible|welcome)\b|.{0,40}\b(?:to me|if you|i wo(?:n't|uldn't)|i can|i could|go ahead)\b)",
    re.IGNORECASE,
)
_NOT_OFFERED = re.compile(
    r"\b(?:don't|do not|never|stop|please not|no more|why do you|you always)\b[^.]{0,30}$", re.IGNORECASE
)


def offers_to_be_asked(text: str) -> bool:
    """Whether somebody offers to be asked something hard.

    Examples
    --------
    >>> offers_to_be_asked("You may ask a harder one."), offers_to_be_asked("Ask the heavy ones also.")
    (True, True)
    >>> offers_to_be_asked("Don't ask me hard questions."), offers_to_be_asked("It was hard to ask him.")
    (False, False)
    """
    plain = text.replace("’", "'")
    found = _OFFERS.search(plain)
    return found is not None and not _NOT_OFFERED.search(plain[: found.start()])
