"""A second look at what would be told: whether a reader would say that it plainly answers another question.

The ranking is fitted on questions that were written to be answered. In whole conversations some of what it is fairly
sure of lies beside the question, and what gives that away is seldom the ranking itself: the question points back with
nothing of its own ("When was that?"), names nobody, hands its words to no intent, asks of what was first or last or
said. Weights by ``tools/fit_second_look.py`` from replies of whole sessions that language models judged one by one
(``tools/judged_replies.jsonl``). It is no reading of what the answer means.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

import numpy as np

from turnwise.core.errors import FormatError
from turnwise.patients.index import CaseIndex
from turnwise.patients.package_data import read_document
from turnwise.patients.ranking import Query
from turnwise.patients.wanted import Kind
from turnwise.patients.words import content_words

__all__ = ["ASPECTS", "POINTS_BACK", "aspects", "p_beside"]

ASPECTS: tuple[str, ...] = (
    "score", "nothing", "names_subject", "names_person", "worded_for", "worded_for_other", "typed", "points_back",
    "no_content", "first_or_last", "shared", "of_speech",
)  # fmt: skip
"""What is looked at: log-probability of the telling and of nothing; whether the question names a subject, a person,
shows an intent that the telling answers or only others, has a question word for a kind of answer, points back with no
word of content, has none at all, asks of what was first, last, before or after; the share of its content that the
telling holds; whether it asks of what was said or asked."""

POINTS_BACK = re.compile(r"\b(?:that|this|it|those)\b")
_FIRST_OR_LAST = re.compile(r"\b(?:first|last|before|after|next|then)\b")
_OF_SPEECH = re.compile(r"\b(?:say|said|tell|told|ask|asked|asking)\b")
_LEAST = -4.0  # log-probability below which one is like another
_WEIGHTS = "weights/second_look.v1.json"


@cache
def _contents(index: CaseIndex) -> tuple[frozenset[str], ...]:
    return tuple(content_words(" ".join(index.tellings[name].beats)) for name in index.order)


def aspects(
    index: CaseIndex, q: Query, at: int, score: float, nothing: float, kind: Kind | None
) -> Mapping[str, float]:
    """Return ``ASPECTS`` of the telling at a place of ``index.order``, each by its name."""
    text, content = q.text.lower(), content_words(q.text)
    answers = q.worded & set(index.tellings[index.order[at]].answers)
    found = (
        max(score, _LEAST),
        nothing,
        bool(q.named),
        bool(q.people),
        bool(answers),
        bool(q.worded) and not answers,
        kind is not None,
        not content and bool(POINTS_BACK.search(text)),
        not content,
        bool(_FIRST_OR_LAST.search(text)),
        len(content & _contents(index)[at]) / max(1, len(content)),
        bool(_OF_SPEECH.search(text)),
    )
    return dict(zip(ASPECTS, map(float, found), strict=True))


def p_beside(index: CaseIndex, q: Query, at: int, score: float, nothing: float, kind: Kind | None) -> float:
    """Return how likely a reader says that a telling answers another question, over the likelihood that is let through.

    Above 1 it is not told as the answer.

    Raises
    ------
    FormatError : the weights are not those of this version's aspects.
    """
    weights, bias, most = _look()
    x = np.array(list(aspects(index, q, at, score, nothing, kind).values()))
    return float(1.0 / (1.0 + np.exp(-(weights @ x + bias))) / most)


@cache
def _look() -> tuple[np.ndarray[tuple[int], np.dtype[np.float64]], float, float]:
    content = read_document(_WEIGHTS)
    if tuple(content["aspects"]) != ASPECTS:
        raise FormatError(_WEIGHTS, "aspects", "are others than this version looks at", "install turnwise again")
    return np.array(content["weights"], dtype=np.float64), float(content["bias"]), float(content["most"])
