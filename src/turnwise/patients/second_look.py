"""A second look at what would be told: whether a reader would say that it plainly answers another question.

The ranking is fitted on questions that were mostly written to be answered. In whole conversations some of what it is
fairly sure of lies beside the question, and what gives that away is seldom the ranking itself: the question points back
with nothing of its own ("When was that?"), names nobody, hands its words to no intent, asks of what was just said.
Weights by ``tools/fit_second_look.py`` from questions of whole sessions, where language models judged what would answer
them (``tools/live_questions.jsonl``). It is no reading of what the answer means.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from math import exp
from typing import NamedTuple

import numpy as np

from turnwise.core.errors import FormatError
from turnwise.core.nouns import FloatArray
from turnwise.patients.index import CaseIndex
from turnwise.patients.matching import Candidates
from turnwise.patients.package_data import read_document
from turnwise.patients.ranking import FEATURES_OF, Query
from turnwise.patients.wanted import holds, wanted
from turnwise.patients.words import content_words

__all__ = ["ASPECTS", "POINTS_BACK", "Asked", "aspects", "p_beside"]

_OWN = (
    "score", "nothing", "margin", "closed", "names_subject", "names_person", "worded_for", "worded_for_other", "typed",
    "holds", "lacks", "points_back", "no_content", "n_content", "first_or_last", "of_speech", "you", "past", "shared",
    "first_shared", "turn_shared", "taken_up", "taken_from", "same_subject", "named_subject",
)  # fmt: skip
ASPECTS: tuple[str, ...] = (*_OWN, *FEATURES_OF["telling"])
"""What is looked at. Of the ranking: log-probability of the telling and of nothing, and how far the telling is ahead.
Of the question: whether it wants a yes or a no, names a subject, a person, shows an intent that the telling answers or
only others, has a question word for a kind of answer, which the first or no beat holds, points back with no word of
content, has none at all, how many (up to 8), asks of what was first, last, before or after, of what was said or asked,
says "you", asks of what was. The share of its content that the telling holds, and its first beat; of the content of the
whole turn that the telling holds; of the question's content that the patient's last words held, and of the telling's.
Whether the telling is of the subject that was talked of, of one that is named. Then the ranker's own columns of it."""

POINTS_BACK = re.compile(r"\b(?:that|this|it|those)\b")
_FIRST_OR_LAST = re.compile(r"\b(?:first|last|before|after|next|then)\b")
_OF_SPEECH = re.compile(r"\b(?:say|said|tell|told|ask|asked|asking)\b")
_YOU = re.compile(r"\byou\b")
_PAST = re.compile(r"\b(?:did|was|were|had)\b")
_LEAST, _AHEAD, _MANY = -4.0, 6.0, 8
"""Log-probability below which one is like another; what is further ahead is ahead as far; words of content counted."""
_WEIGHTS = "weights/second_look.v2.json"


class Asked(NamedTuple):
    """A question as it was put: what is asked, the whole turn, and the patient's own last words."""

    query: Query
    turn: str
    before: str


@cache
def _contents(index: CaseIndex) -> tuple[tuple[frozenset[str], frozenset[str]], ...]:
    """Return the words of content of every telling, and of its first beat."""
    found = (index.tellings[name].beats for name in index.order)
    return tuple((content_words(" ".join(beats)), content_words(beats[0])) for beats in found)


def _share(some: frozenset[str], of: frozenset[str]) -> float:
    return len(some & of) / max(1, len(of))


def aspects(index: CaseIndex, asked: Asked, c: Candidates, at: int) -> Mapping[str, float]:
    """Return ``ASPECTS`` of the telling at a place of ``index.order``, each by its name."""
    return dict(zip(ASPECTS, _values(index, asked, c, at), strict=True))


def _values(index: CaseIndex, asked: Asked, c: Candidates, at: int) -> tuple[float, ...]:
    """Return the same without the names."""
    assert c.scores is not None
    assert c.block is not None
    q, t = asked.query, index.tellings[index.order[at]]
    text, content, kind, score = q.text.lower(), content_words(q.text), wanted(q.text), float(c.scores[at])
    answers = q.worded & set(t.answers)
    whole, first = _contents(index)[at]
    before = content_words(asked.before)
    ahead = score - max((x for name, x in c.top if name != t.id), default=_LEAST)
    own = (
        max(score, _LEAST),
        c.nothing,
        min(_AHEAD, max(_LEAST, ahead)),
        q.closed,
        bool(q.named),
        bool(q.people),
        bool(answers),
        bool(q.worded) and not answers,
        kind is not None,
        kind is not None and holds(kind, t.beats[0]),
        kind is not None and not any(holds(kind, x) for x in t.beats[:2]),
        not content and bool(POINTS_BACK.search(text)),
        not content,
        min(len(content), _MANY),
        bool(_FIRST_OR_LAST.search(text)),
        bool(_OF_SPEECH.search(text)),
        bool(_YOU.search(text)),
        bool(_PAST.search(text)),
        _share(whole, content),
        _share(first, content),
        _share(whole, content_words(asked.turn)),
        _share(before, content),
        _share(before, whole),
        t.topic == q.topic,
        t.topic in q.named,
    )
    return (*map(float, own), *c.block[:, at].tolist())


def p_beside(index: CaseIndex, asked: Asked, c: Candidates, at: int) -> float:
    """Return how likely a reader says that a telling answers another question, over the likelihood that is let through.

    Above 1 it is not told as the answer.

    Raises
    ------
    FormatError : the weights are not those of this version's aspects.
    """
    weights, bias, most = _look()
    x = np.array(_values(index, asked, c, at))
    return 1.0 / (1.0 + exp(-float(weights @ x + bias))) / most


@cache
def _look() -> tuple[FloatArray, float, float]:
    content = read_document(_WEIGHTS)
    if tuple(content["aspects"]) != ASPECTS:
        raise FormatError(_WEIGHTS, "aspects", "are others than this version looks at", "install turnwise again")
    return np.array(content["weights"], dtype=np.float64), float(content["bias"]), float(content["most"])
