"""Faults of asking: more than one question, and questions that have their answer in them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from turnwise.therapists.validator.attributing import voiced_families
from turnwise.therapists.validator.facts import SMALL, grounded_share
from turnwise.therapists.validator.faults import Fault
from turnwise.therapists.validator.form import found
from turnwise.therapists.validator.situation import Draft, Said, Situation, words_of

__all__ = ["find"]

_LEADING = re.compile(
    r"\b(?:don't you (?:think|see|agree|believe|feel|want|find|suppose)|do you not (?:think|see|agree)|"
    r"wouldn't (?:you|it|that) (?:say|agree|be|feel|rather|prefer|help)|isn't (?:it|that|this) (?:true|possible|likely|"
    r"just|really|more|because|obvious|rather|simply|time|the case)|aren't you (?:just|really|simply|actually)|"
    r"couldn't it be|shouldn't you|can't you (?:see|just|try)|haven't you (?:considered|thought|got)|"
    r"of course you|you must (?:see|admit|agree)|you'd agree|surely|obviously|clearly you|"
    r"you (?:do|can) see (?:now )?that|the truth is|in reality|deep down you)\b",
    re.IGNORECASE,
)
_TAG = re.compile(
    r",\s*(?:isn't|aren't|wasn't|weren't|don't|doesn't|didn't|can't|couldn't|won't|wouldn't|haven't|hasn't|shouldn't)"
    r" (?:it|that|he|she|they|you|there|we)\s*\?$"
)
_CAUSE = re.compile(
    r"\b(?:is|was|could|might) (?:it|that|this) (?:be )?(?:really |just |perhaps |maybe )?(?:because|"
    r"due to)\b (?P<what>.+)"
)
_LOADED = re.compile(
    r"^(?:so |and |but |then )?why (?:are|were|do|did|have|don't|didn't|won't|can't|aren't) you (?:always |still |"
    r"so |keep |"
    r"really |just |never )+(?P<what>.+)\?|^(?:so |and |"
    r"but )?how long have you been (?:so )?(?P<state>\w+(?: \w+){0,3})\?"
)
_TURNS_IT_OVER = re.compile(
    r"^(?:and |but )?(?:what do you (?:think|say)|what would you say|how would you (?:put|describe) it|"
    r"how does (?:that|it) sound)\W*$"
)
"""Hands a guess over to the patient: with the guess it is one question."""
_IN_QUOTES = re.compile(r'["“][^"”]*["”]')
_ECHO = 3  # words up to which a question is only an echo of what was said
_WH = re.compile(r"\b(?:what|how|when|where|who|why|which)\b")


def find(draft: Draft, s: Situation) -> Iterator[Fault]:
    """Yield leading questions and more than one question."""
    for said in draft.sentences:
        if _leads(said, s):
            yield found("leading", said.text, said.start)
            break
    asked = [said for said in draft.sentences if said.asks and said.form != "check" and not _echoes(said, s)]
    if len(asked) > 1 and _TURNS_IT_OVER.match(asked[-1].low):
        asked.pop()
    if len(asked) > 1:
        yield found("several_questions", asked[1].text, asked[1].start, f"It asks {len(asked)}.")
    elif asked and _heaped(asked[0].low):
        yield found("several_questions", asked[0].text, asked[0].start)


def _heaped(low: str) -> bool:
    """Whether one sentence strings three or more questions together."""
    pieces = [p for p in re.split(r",\s+(?:and\s+|or\s+)?|\s+and\s+", low) if _WH.match(p)]
    return len(pieces) >= 3


def _echoes(said: Said, s: Situation) -> bool:
    words = words_of(said.text)
    if len(words) <= _ECHO and not _WH.match(said.low):
        return True
    return (
        len(words) <= 6
        and not _WH.search(said.low)
        and said.form in ("declarative", "ellipsis")
        and (grounded_share(words, s) >= 0.99)
    )


def _leads(said: Said, s: Situation) -> bool:
    if hit := _LEADING.search(_IN_QUOTES.sub("", said.low)):
        # "You clearly …" without a question mark is an assertion, and judged as one.
        return said.asks or hit.group().lower() in ("surely", "the truth is", "in reality")
    if not said.asks:
        return False
    if _TAG.search(said.low) and _adds(_TAG.sub("", said.low), s):
        return True
    if (hit := _CAUSE.search(said.low)) and " or " not in hit["what"]:
        return _adds(hit["what"], s)
    if hit := _LOADED.search(said.low):
        return _adds(hit["what"], s) if hit["what"] else _names_a_feeling(hit["state"], s)
    return False


def _names_a_feeling(text: str, s: Situation) -> bool:
    named = frozenset().union(*(voiced_families(t)[0] for t in s.patient)) if s.patient else frozenset()
    return bool(voiced_families(text)[0] - named)


def _adds(text: str, s: Situation) -> bool:
    """Whether ``text`` presupposes what the patient has not said: content words or a feeling of its own."""
    words = words_of(text)
    content = [w for w in words if w not in SMALL]
    return _names_a_feeling(text, s) or not content or grounded_share(words, s) < 0.75
