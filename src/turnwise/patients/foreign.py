"""Notice that a long turn is about somebody else: its own subject, named again and again, is nowhere in this life."""

from __future__ import annotations

from collections import Counter
from functools import cache

from turnwise.patients.plans import Situation
from turnwise.patients.words import content_words, words_of
from turnwise.reading.ears.intents import paraphrases
from turnwise.reading.ears.questions import EMOTIONS

__all__ = ["of_somebody_else"]

_LONG = 40  # words below which a strange word may be no more than a slip
_OFTEN = 2  # times a word has to come to be what the turn is about
_SUBJECTS = 2  # such words that have to be there
_ANYBODY = """
anxiety anxious anything approach aspect avoid aware balance behavior behaviour believe beneficial benefit best
better breath breathing calm care challenge challenging change clear coach comfortable common concern concerned
condition consider control conversation cope coping counsellor counselor couple create curious daily deal deep
deserve difficult difference discuss doctor early effort emotion emotional encourage energy enjoy ensure everyone
example exercise experience experiencing explore express face fact feelings felt focus forward frustrated
frustration future gentle give glad goal gradual great grief ground guilt happy hard health healthy hear heard help
helpful helping honest hope human idea identify important incredible individual information journal journey kind
kindness later learn life listen loss love loved manage managing many matter meaningful mental mind mindful
mindfulness moment moving natural need negative new next normal notice number offer one open option ourselves
overwhelm overwhelmed overwhelming pain part past pattern people perfect person personal perspective plan play
point positive possible practice pressure problem process productive professional progress provide question ready
reach real reason recognise recognize recommend relationship relax remember respect response rest safe safety self
sense session share sharing short situation skill sleep small social someone space speak specific start statement
steps step strategies strategy strength stress strong struggle struggling suggest support supportive sure symptom
talk talking technique therapist therapy thing thought thinking tired together tool tough track treatment triggers
trigger trust try trying understand understandable understanding unique usual valid value week weeks welcome well
wellbeing wish wonder wondering word work working worried worry worth year young
"""


@cache
def _general() -> frozenset[str]:
    """Words that therapists say to anybody."""
    known = content_words(" ".join(a for asks in paraphrases().values() for a in asks))
    return known | content_words(_ANYBODY) | frozenset(content_words(" ".join(EMOTIONS)))


def of_somebody_else(s: Situation) -> bool:
    """Whether a long turn keeps naming what is neither in the case, nor was spoken of, nor is said to anybody.

    Not a measure of how fitting a turn is: a short question about something strange is only a question.
    """
    text = s.taken.text
    if s.taken.heard.n_words < _LONG:
        return False
    spoken = content_words(" ".join(s.memory.lines))
    counts = Counter(w for word in words_of(text) for w in content_words(word))
    strange = [
        w
        for w, n in counts.items()
        if n >= _OFTEN
        and w not in s.index.idf
        and w not in spoken
        and w not in _general()
        and not s.index.asked.knows(w)
    ]
    return len(strange) >= _SUBJECTS or any(counts[w] > _OFTEN for w in strange)
