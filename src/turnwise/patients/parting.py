"""Part a sentence that asks two things, so that one is answered: "What's her name, and where does she live?"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from turnwise.reading.ears.questions import Sentence, read_sentence

__all__ = ["parted"]

_WH = r"(?:what|when|where|who|whose|why|how|which)(?:'s|'re|'d|'ve)?"
_AUX = r"(?:is|are|was|were|do|does|did|have|has|had|can|could|will|would) (?:you|he|she|they|it|that|this|there|your)"
_SECOND = re.compile(rf",? (?:and|or) (?={_WH}\b|{_AUX}\b)", re.IGNORECASE)
_FIRST = re.compile(
    rf"(?:(?:and|so|but|okay|well|then|(?:can|could) you tell me(?: about)?|tell me),? )*(?:{_WH}|{_AUX})\b"
)
_LEAST = 3  # words of a part that asks something by itself


@lru_cache(maxsize=1024)
def _parts(text: str) -> tuple[Sentence, ...]:
    cut = _SECOND.search(text)
    if cut is None:
        return ()
    first, second = text[: cut.start()].strip(), text[cut.end() :].strip()
    low = " ".join(first.lower().replace("’", "'").split())
    if min(len(first.split()), len(second.split())) < _LEAST or not _FIRST.match(low):
        return ()
    read = (read_sentence(f"{first}?"), read_sentence(f"{second[:1].upper()}{second[1:]}"))
    return read[::-1] if all(x.asks and x.intent is not None for x in read) else ()


def parted(sentences: Sequence[Sentence]) -> list[Sentence]:
    """Return the questions with those that ask two things replaced by their parts, the first of which comes last.

    Of questions as good as one another the last is answered, of two in one sentence the first.

    Examples
    --------
    >>> [s.text for s in parted([read_sentence("What's her name, and where does she live?")])]
    ['Where does she live?', "What's her name?"]
    >>> [s.text for s in parted([read_sentence("What do you eat and drink?")])]
    ['What do you eat and drink?']
    """
    return [part for s in sentences for part in (_parts(s.text) if s.text.endswith("?") else ()) or (s,)]
