"""Which telling answers a question: features of the pair and hand-rounded weights.

Weights lie near a listwise softmax fitted to the probes of the three cases that ship and rounded by
hand, so the cases' own probes flatter them: with whole cases held out the fit found an acceptable
telling first in .61 and among three in .81 of 176 probes. A ranker trained on the probes of many
cases comes with a later issue.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from turnwise.core.nouns import FloatArray
from turnwise.patients.index import CaseIndex, content_words, overlap
from turnwise.reading.ears.intents import INTENTS, PATTERN, IntentReading

__all__ = ["FEATURES", "WEIGHTS", "Query", "features"]

FEATURES: tuple[str, ...] = (
    "telling_cosine", "beat_cosine", "intent", "intent_gap", "pattern_hit", "pattern_miss", "first_intent",
    "topic_cosine", "in_focus", "in_topic", "named_topic", "other_topic", "overlap", "named_person", "other_person",
    "level", "answers_nothing",
)  # fmt: skip
WEIGHTS: FloatArray = np.array(
    [3.0, 3.0, 9.0, 9.0, 1.0, 0.0, 1.6, 2.0, 3.0, 1.5, 1.8, -1.3, 1.5, 2.0, -2.0, -0.1, -0.3]
)


_ANYWHERE = frozenset(
    INTENTS.index(name)
    for name in """goal want future values job day sleep eat drink medication childhood earlier_therapy here_and_now
    strengths enjoy support scale how_are brings next_step tried belief body""".split()
)
"""Intents that bring their own subject: what was just talked of does not bind them."""


@dataclass(frozen=True, slots=True, eq=False)
class Query:
    """A question in its conversation: what it asks, what it names, what the talk was about.

    ``focus`` holds every topic the patient's last words touched; ``topic`` the one it was telling
    of; ``named`` topics and ``people`` are explicit in the question itself (or by a pronoun).
    """

    reading: IntentReading
    text: str
    focus: frozenset[str] = frozenset()
    topic: str | None = None
    named: tuple[str, ...] = ()
    people: frozenset[str] = frozenset()


def features(index: CaseIndex, q: Query) -> FloatArray:
    """Return the features of every telling for one question, shape (N, len(FEATURES))."""
    n = len(index.order)
    v = q.reading.vector
    by_beat = np.zeros(n)
    np.maximum.at(by_beat, index.beat_owner, (index.beats @ v).astype(np.float64))
    scores = q.reading.scores
    own = np.where(index.intents, scores[None, :], 0.0).max(axis=1)
    hit_columns = index.intents[:, list(q.reading.patterns)].any(axis=1) if q.reading.patterns else np.zeros(n, bool)
    topic_cos = dict(zip(index.topics, (index.topic_vectors @ v).tolist(), strict=True))
    free = bool(_ANYWHERE & set(q.reading.patterns))
    named, focus = set(q.named), set() if free else set(q.focus)
    topics = index.topic_of
    f = np.zeros((n, len(FEATURES)))
    f[:, 0] = index.vectors @ v
    f[:, 1] = by_beat
    f[:, 2] = np.minimum(own, PATTERN)
    f[:, 3] = np.minimum(own, PATTERN) - min(PATTERN, scores.max())
    f[:, 4] = hit_columns
    f[:, 5] = (not hit_columns.all()) * ~hit_columns if q.reading.patterns else 0.0
    f[:, 6] = index.first_intent == int(scores.argmax())
    f[:, 7] = [topic_cos[t] for t in topics]
    f[:, 8] = [t in focus and not named for t in topics]
    f[:, 9] = [t == q.topic and not named and not free for t in topics]
    f[:, 10] = [t in named for t in topics]
    f[:, 11] = [bool(named) and t not in named for t in topics]
    f[:, 12] = overlap(content_words(q.reading.text), index)
    f[:, 13] = [bool(q.people & m) for m in index.mentions]
    f[:, 14] = [bool(q.people) and bool(m) and not q.people & m for m in index.mentions]
    f[:, 15] = index.levels
    f[:, 16] = ~index.intents.any(axis=1)
    risk = index.intents[:, INTENTS.index("risk")]
    if "risk" in {INTENTS[i] for i in q.reading.patterns}:
        f[:, 4] = np.where(risk, 3.0, f[:, 4])
    return f
