"""Which of the things a case can say answers a question: features of question and option, and fitted weights.

An *option* is a telling, a proposition, a fact, something that is not there, or nothing at all. All
stand in one list and are ranked together, so that "a fact fits better than any telling" and
"nothing here answers that" are decided by the same fit. The weights come from
``tools/fit_question_ear.py``: a listwise softmax over the questions written for all cases, measured
on cases that were held out whole.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from turnwise.core.errors import FormatError
from turnwise.core.nouns import FloatArray
from turnwise.patients.asked import NEARNESS
from turnwise.patients.index import CaseIndex
from turnwise.patients.package_data import read_document
from turnwise.patients.words import content_words
from turnwise.reading.ears.intents import INTENTS, IntentReading
from turnwise.reading.ears.questions import Form

__all__ = ["FEATURES", "Query", "Ranker", "features", "load_ranker"]

_CROSSED = ("cosine_squared", "cosine_content", "cosine_held")
"""Products of columns of nearness: a near question with the same words means more than the two apart."""
_CLOSED: tuple[Form, ...] = ("yes_no", "declarative", "alternative")
_TELLING = (
    *NEARNESS, *_CROSSED, "cosine_gap", "intent_cosine", "focus_cosine", "focus_intent",
    "telling_cosine", "beat_cosine", "first_beat_cosine", "intent_log", "intent_best",
    "pattern_hit", "pattern_miss", "topic_cosine", "in_focus", "in_topic", "named_topic", "other_topic", "overlap",
    "named_person", "other_person", "level", "answers_nothing", "wants_time", "wants_person", "wants_number",
    "yes_to_open", "yes_to_closed", "hint", "evidence", "unprompted", "needs", "risk_asked", "risk_unasked",
)  # fmt: skip
_PROPOSITION = (
    "bias", *NEARNESS, *_CROSSED, "cosine_gap", "closed", "disguised", "declarative", "closed_cosine", "closed_content",
    "in_focus", "named_topic", "risk_asked", "risk_unasked", "unheard_of", "left_out", "named_person", "other_person",
)  # fmt: skip
_FACT = (
    "bias",
    *NEARNESS,
    *_CROSSED,
    "cosine_gap",
    "closed",
    "too_open",
    "open_cosine",
    "named_person",
    "other_person",
)
_ABSENT = ("bias", "asked_for")
_NOTHING = (
    "bias", "has_focus", "best_cosine", "best_intent", "best_content", "best_overlap", "closed", "disguised", "wh",
    "no_content", "unheard_of", "named",
)  # fmt: skip
_BLOCKS = (
    ("telling", _TELLING),
    ("proposition", _PROPOSITION),
    ("fact", _FACT),
    ("absent", _ABSENT),
    ("nothing", _NOTHING),
)
FEATURES: tuple[str, ...] = tuple(f"{kind}.{name}" for kind, names in _BLOCKS for name in names)
"""Columns of ``features``: one block a kind of option, zero for the others."""

_ANYWHERE = frozenset(
    INTENTS.index(name)
    for name in """goal want future values job day sleep eat drink medication childhood earlier_therapy here_and_now
    strengths enjoy support scale how_are brings next_step tried belief body""".split()
)
"""Intents that bring their own subject: what was just talked of does not bind them."""
_TOO_OPEN = ("more", "means_about_you", "what_is_x_like", "feel", "why", "thought", "hardest", "fear", "what_happened")
_WHEN = re.compile(r"(?:since )?(?:when (?:did|was|were|is|are)|how (?:long|often))\b")
_WHO = re.compile(r"(?:and )?who\b")
_RISK, _SCALE = INTENTS.index("risk"), INTENTS.index("scale")
_WEIGHTS = "weights/question_ranker.v1.json"
_UNHEARD_OF = 5.0  # a word the case never uses weighs as much as its rarest


@dataclass(frozen=True, slots=True, eq=False)
class Query:
    """A question in its conversation: what it asks, what it names, what the talk was about.

    ``focus`` holds every topic the patient's last words touched; ``topic`` the one it was telling
    of; ``named`` topics and ``people`` are explicit in the question itself (or by a pronoun).
    """

    reading: IntentReading
    text: str
    form: Form = "wh"
    focus: frozenset[str] = frozenset()
    topic: str | None = None
    named: tuple[str, ...] = ()
    people: frozenset[str] = frozenset()

    @property
    def closed(self) -> bool:
        """Whether its form asks for a yes or a no."""
        return self.form in _CLOSED


@dataclass(frozen=True, slots=True, eq=False)
class _Asked:
    """What the blocks share: nearness to the known questions of every option, and words."""

    near: FloatArray
    crossed: FloatArray
    gap: FloatArray
    words: frozenset[str]
    unheard: float
    patterns: frozenset[int]
    risk: bool


def features(index: CaseIndex, q: Query, without: npt.NDArray[np.intp] | None = None) -> FloatArray:
    """Return the features of every option of a case for one question, shape (options, len(FEATURES)).

    ``without`` names rows of ``index.asked`` that the question is not to be compared with.
    """
    near = index.asked.nearness(q.reading, without)
    words = content_words(q.text)
    share = index.overlap(words, _UNHEARD_OF)
    unheard = sum(w not in index.idf and not index.asked.knows(w) for w in words) / max(1, len(words))
    gap = near[:, 0] - near[:, 0].max(initial=0.0)
    crossed = near[:, [0, 3, 8]] * near[:, :1]
    asked = _Asked(near, crossed, gap, words, unheard, frozenset(q.reading.patterns), _RISK in q.reading.patterns)
    n_t, n_p, n_f = len(index.order), len(index.propositions), len(index.facts)
    blocks = [
        _of_tellings(index, q, asked, share),
        _of_propositions(index, q, asked, slice(n_t, n_t + n_p)),
        _of_facts(index, q, asked, slice(n_t + n_p, n_t + n_p + n_f)),
        _of_absences(index, q),
        _of_nothing(q, asked, float(share.max(initial=0.0))),
    ]
    out = np.zeros((sum(len(b) for b in blocks), len(FEATURES)))
    row = column = 0
    for b, (_, names) in zip(blocks, _BLOCKS, strict=True):
        out[row : row + len(b), column : column + len(names)] = b
        row, column = row + len(b), column + len(names)
    return out


def _of_tellings(index: CaseIndex, q: Query, asked: _Asked, share: FloatArray) -> FloatArray:
    n, v, near = len(index.order), q.reading.vector, asked.near[: len(index.order)]
    by_beat = np.zeros(n)
    np.maximum.at(by_beat, index.beat_owner, (index.beats @ v).astype(np.float64))
    p = np.where(index.intents, q.reading.p[None, :], 0.0)
    free = bool(_ANYWHERE & asked.patterns)
    named = np.array([t in q.named for t in index.topics], dtype=bool)
    focus = np.array([t in q.focus and not free for t in index.topics], dtype=bool)
    topic = np.array([t == q.topic and not free for t in index.topics], dtype=bool)
    topic_cosine = np.asarray(index.topic_vectors @ v, dtype=np.float64)
    hit = index.intents[:, sorted(asked.patterns)].any(axis=1) if asked.patterns else np.zeros(n, dtype=bool)
    people = index.speaks_of(q.people)
    any_named, of = bool(q.named), index.topic_at
    when, who = bool(_WHEN.match(q.reading.text)), bool(_WHO.match(q.reading.text))
    zero, best, near_focus = np.zeros(n, dtype=bool), p.max(axis=1), focus[of] & (not any_named)
    columns = (
        near, asked.crossed[:n], asked.gap[:n], best * near[:, 0], near_focus * near[:, 0], near_focus * best,
        index.vectors @ v, by_beat, index.firsts @ v,
        np.log(p.sum(axis=1) + 0.01), best,
        hit, ~hit if asked.patterns else zero, topic_cosine[of],
        near_focus, topic[of] & (not any_named),
        named[of], ~named[of] & any_named, share, people,
        index.speaks_of_anyone & ~people if q.people else zero,
        index.levels, ~index.intents.any(axis=1), ~index.has_time if when else zero,
        ~index.names_somebody if who else zero, ~index.intents[:, _SCALE] if _SCALE in asked.patterns else zero,
        zero if q.closed else index.begins_yes_no, index.begins_yes_no if q.closed else zero,
        *(index.function == f for f in range(3)), index.has_needs,
        index.is_risky & asked.risk, index.is_risky & (not asked.risk),
    )  # fmt: skip
    return _stacked(columns, len(_TELLING))


def _stacked(columns: Sequence[npt.ArrayLike], width: int) -> FloatArray:
    """Return the columns side by side; a case without such options gives no rows."""
    first = np.asarray(columns[0])
    out, at = np.empty((len(first), width)), 0  # quicker than np.column_stack
    for column in columns:
        c = np.asarray(column)
        wide = 1 if c.ndim == 1 else c.shape[1]
        out[:, at : at + wide] = c[:, None] if c.ndim == 1 else c
        at += wide
    assert at == width, (at, width)
    return out


def _of_propositions(index: CaseIndex, q: Query, asked: _Asked, rows: slice) -> FloatArray:
    near, n = asked.near[rows], rows.stop - rows.start
    one = np.ones(n)
    risky = np.zeros(n, dtype=bool)
    risky[list(index.risk_props)] = True
    columns = (
        one, near, asked.crossed[rows], asked.gap[rows], one * q.closed, one * (q.form == "disguised"),
        one * (q.form == "declarative"),
        near[:, 0] * q.closed, near[:, 3] * q.closed,
        [p.topic in q.focus for p in index.propositions], [p.topic in q.named for p in index.propositions],
        risky & asked.risk, risky & (not asked.risk), one * asked.unheard, near[:, 5] * near[:, 6],
        *_by_person(index.of_propositions, q),
    )  # fmt: skip
    return _stacked(columns, len(_PROPOSITION))


def _by_person(own: Sequence[frozenset[str]], q: Query) -> tuple[FloatArray, FloatArray]:
    """Return which options are about somebody the question names, and which about somebody else only."""
    if not q.people:
        return np.zeros(len(own)), np.zeros(len(own))
    meant = np.array([bool(q.people & p) for p in own], dtype=np.float64)
    return meant, np.array([bool(p) for p in own], dtype=np.float64) * (1.0 - meant)


def _of_facts(index: CaseIndex, q: Query, asked: _Asked, rows: slice) -> FloatArray:
    near, n = asked.near[rows], rows.stop - rows.start
    one, too_open = np.ones(n), float(q.reading.has(*_TOO_OPEN))
    people = _by_person(index.of_facts, q)
    columns = (
        one,
        near,
        asked.crossed[rows],
        asked.gap[rows],
        one * q.closed,
        one * too_open,
        near[:, 0] * too_open,
        *people,
    )
    return _stacked(columns, len(_FACT))


def _of_absences(index: CaseIndex, q: Query) -> FloatArray:
    n, asked_for = len(index.file.absent), index.absent_in(q.text)
    return _stacked((np.ones(n), np.arange(n) == asked_for), len(_ABSENT))


def _of_nothing(q: Query, asked: _Asked, share: float) -> FloatArray:
    near = asked.near
    best = (near[:, 0].max(initial=0.0), q.reading.scores.max(), near[:, 3].max(initial=0.0), share)
    flags = (q.closed, q.form == "disguised", q.form == "wh", not asked.words, asked.unheard, bool(q.named or q.people))
    return np.array([[1.0, float(bool(q.focus)), *map(float, best), *map(float, flags)]])


@dataclass(frozen=True, slots=True, eq=False)
class Ranker:
    """Fitted weights (len(FEATURES),) and when a yes or a no may be given.

    ``sure`` is the least probability for that where a known question of the proposition holds every
    word of content that was asked, ``sure_uncovered`` where some word is not covered ("Do you play
    *chess*?"). Both are set so that no question of ``tools/probes/unanswerable.yaml`` gets through.
    """

    weights: FloatArray
    sure: float
    sure_uncovered: float

    def may_answer(self, p: float, uncovered: float, unheard_of: float) -> bool:
        """Whether a proposition of probability ``p`` may be answered with its yes or no.

        Never where a word was asked that nothing in the case holds: "Are you afraid of *spiders*?"
        """
        return not unheard_of and p >= (self.sure_uncovered if uncovered > 0 else self.sure)

    def scores(self, x: FloatArray) -> FloatArray:
        """Return the log-probability of every option, shape (options,)."""
        raw = x @ self.weights
        top = raw.max()
        return np.asarray(raw - top - np.log(np.exp(raw - top).sum()))


@cache
def load_ranker() -> Ranker:
    """Return the ranker that ships.

    Raises
    ------
    FormatError : the weights are not those of this version's features.
    """
    content = read_document(_WEIGHTS)
    if tuple(content["features"]) != FEATURES:
        raise FormatError(_WEIGHTS, "features", "are others than this version computes", "install turnwise again")
    return Ranker(
        np.array(content["weights"], dtype=np.float64), float(content["sure"]), float(content["sure_uncovered"])
    )
