"""Which of the things a case can say answers a question: features of question and option, and fitted weights.

An *option* is a telling, a proposition, a fact, something that is not there, or nothing at all. All
stand in one list and are ranked together, so that "a fact fits better than any telling" and
"nothing here answers that" are decided by the same fit. The weights come from
``tools/fit_question_ear.py``: a listwise softmax over the questions written for all cases, measured
on cases that were held out whole.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import accumulate, pairwise

import numpy as np
import numpy.typing as npt

from turnwise.core.errors import FormatError
from turnwise.core.nouns import FloatArray
from turnwise.patients.asked import NEARNESS
from turnwise.patients.index import CaseIndex
from turnwise.patients.option_rows import People, any_of, by_topic, marked, picked
from turnwise.patients.package_data import read_document
from turnwise.patients.words import content_words
from turnwise.reading.ears.intents import INTENTS, IntentReading
from turnwise.reading.ears.questions import Form

__all__ = ["FEATURES", "FEATURES_OF", "Query", "Ranker", "begun_before", "blocks", "features", "load_ranker"]

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
_ENDS = [0, *accumulate(len(names) for _, names in _BLOCKS)]
_COLUMNS_OF = tuple(slice(a, b) for a, b in pairwise(_ENDS))
FEATURES_OF: Mapping[str, tuple[str, ...]] = dict(_BLOCKS)
"""Columns of each of ``blocks``, by kind of option."""
_SHARED = (*NEARNESS, *_CROSSED, "cosine_gap")
_LEFT_OUT = ("uncovered", "unasked")
_CONTENT = NEARNESS.index("content")
_FACTORS = [NEARNESS.index(name) for name in ("cosine", "content", "held")]
"""What the columns of ``_CROSSED`` are the nearness times."""
_TELLING_AT, _PROPOSITION_AT, _FACT_AT = (
    {name: i for i, name in enumerate(x)} for x in (_TELLING, _PROPOSITION, _FACT)
)

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
_NONE = np.zeros(1)
"""The probability of what fills up the intents of a telling."""
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

    @property
    def worded(self) -> frozenset[str]:
        """Names of the intents that its wording shows, whatever is near."""
        return frozenset(INTENTS[i] for i in self.reading.patterns)


@dataclass(frozen=True, slots=True, eq=False)
class _Begun:
    """Blocks with what the words of a question alone decide; not to be written to.

    ``nearest`` : the greatest cosine, score of an intent, and share of content of any option.
    """

    tellings: FloatArray
    propositions: FloatArray
    facts: FloatArray
    nearest: tuple[float, float, float]


@dataclass(frozen=True, slots=True, eq=False)
class _Asked:
    """What the blocks share: the blocks as far as they were begun, and the question's words."""

    begun: _Begun
    words: frozenset[str]
    unheard: float
    patterns: frozenset[int]
    risk: bool


@dataclass(frozen=True, slots=True, eq=False)
class _Fixed:
    """What no question changes: blocks with their constant columns filled, and who and what options are about.

    ``beats`` : tellings that have beats, and where those of each begin. ``answers`` : the intents of each telling,
    (most intents of one, tellings), filled up with ``len(INTENTS)``: few of the fifty, so they are picked and not
    looked for. ``drawn_by`` : which tellings an intent draws, (intents, tellings).
    """

    tellings: FloatArray
    propositions: FloatArray
    facts: FloatArray
    beats: npt.NDArray[np.intp]
    answers: npt.NDArray[np.intp]
    drawn_by: npt.NDArray[np.bool_]
    by_topic: Mapping[str, FloatArray]
    propositions_by_topic: Mapping[str, FloatArray]
    speak_of: People
    propositions_of: People
    facts_of: People


@lru_cache(maxsize=64)
def _fixed(index: CaseIndex) -> _Fixed:
    tellings = np.zeros((len(_TELLING), len(index.order)))
    constant: dict[str, npt.ArrayLike] = {
        "level": index.levels,
        "answers_nothing": ~index.intents.any(axis=1),
        "needs": index.has_needs,
    }
    constant |= {name: index.function == f for f, name in enumerate(("hint", "evidence", "unprompted"))}
    for name, values in constant.items():
        tellings[_TELLING_AT[name]] = values
    propositions, facts = (
        np.zeros((len(names), n)) for names, n in ((_PROPOSITION, len(index.propositions)), (_FACT, len(index.facts)))
    )
    propositions[_PROPOSITION_AT["bias"]] = facts[_FACT_AT["bias"]] = 1.0
    return _Fixed(
        tellings,
        propositions,
        facts,
        beats=np.array(np.unique(index.beat_owner, return_index=True), dtype=np.intp),
        answers=picked(index.intents),
        drawn_by=np.ascontiguousarray(index.intents.T),
        by_topic=by_topic(index.topic_of),
        propositions_by_topic=by_topic([p.topic or "" for p in index.propositions]),
        speak_of=marked(index.mentions),
        propositions_of=marked(index.of_propositions),
        facts_of=marked(index.of_facts),
    )


def features(index: CaseIndex, q: Query, without: npt.NDArray[np.intp] | None = None) -> FloatArray:
    """Return the features of every option of a case for one question, shape (options, len(FEATURES)).

    ``without`` names rows of ``index.asked`` that the question is not to be compared with.
    """
    found = blocks(index, q, without)
    out = np.zeros((sum(b.shape[1] for b in found), len(FEATURES)))
    row = 0
    for where, b in zip(_COLUMNS_OF, found, strict=True):
        out[row : row + b.shape[1], where] = b.T
        row += b.shape[1]
    return out


def blocks(index: CaseIndex, q: Query, without: npt.NDArray[np.intp] | None = None) -> tuple[FloatArray, ...]:
    """Return the features kind by kind, each (columns of the kind, options): all of ``features`` that is not zero."""
    begun = _begun(index, q.reading, without) if without is not None else begun_before(index, q.reading)
    words = content_words(q.text)
    share = index.overlap(words, _UNHEARD_OF)
    unheard = sum(w not in index.idf and not index.asked.knows(w) for w in words) / max(1, len(words))
    asked = _Asked(begun, words, unheard, frozenset(q.reading.patterns), _RISK in q.reading.patterns)
    return (
        _of_tellings(index, q, asked, share),
        _of_propositions(index, q, asked),
        _of_facts(index, q, asked),
        _of_absences(index, q),
        _of_nothing(q, asked, float(share.max(initial=0.0))),
    )


def _begun(index: CaseIndex, reading: IntentReading, without: npt.NDArray[np.intp] | None = None) -> _Begun:
    """Return the blocks as far as the words of a question alone decide them."""
    near = index.asked.nearness(reading, without).T
    shared = np.concatenate((near, near[_FACTORS] * near[0], (near[0] - near[0].max(initial=0.0))[None]))
    fixed, n_t, n_p = _fixed(index), len(index.order), len(index.propositions)
    propositions, facts = fixed.propositions.copy(), fixed.facts.copy()
    propositions[1 : 1 + len(_SHARED)] = shared[:, n_t : n_t + n_p]
    facts[1 : 1 + len(_SHARED)] = shared[:, n_t + n_p : n_t + n_p + len(index.facts)]
    nearest = (float(near[0].max(initial=0.0)), float(reading.scores.max()), float(near[_CONTENT].max(initial=0.0)))
    return _Begun(_tellings_begun(index, reading, shared[:, :n_t]), propositions, facts, nearest)


@lru_cache(maxsize=512)  # a therapist asks a case half of its questions again, word for word, in a default run
def begun_before(index: CaseIndex, reading: IntentReading) -> _Begun:
    """Return the same, remembered: a question in the same words is one reading (``intents.read_plain``)."""
    return _begun(index, reading)


def _tellings_begun(index: CaseIndex, reading: IntentReading, shared: FloatArray) -> FloatArray:
    fixed, n, v = _fixed(index), len(index.order), reading.vector
    by_beat, (owner, starts) = np.zeros(n), fixed.beats
    by_beat[owner] = np.maximum(np.maximum.reduceat(index.beats @ v, starts), 0.0)
    p = np.concatenate((reading.p, _NONE))[fixed.answers]
    best = p.max(axis=0)
    columns: dict[str, npt.ArrayLike] = {
        "intent_cosine": best * shared[0],
        "telling_cosine": index.vectors @ v,
        "beat_cosine": by_beat,
        "first_beat_cosine": index.firsts @ v,
        "intent_log": np.log(p.sum(axis=0) + 0.01),
        "intent_best": best,
        "topic_cosine": (index.topic_vectors @ v)[index.topic_at],
    }
    if reading.patterns:
        hit = fixed.drawn_by[sorted(set(reading.patterns))].any(axis=0)
        columns |= {"pattern_hit": hit, "pattern_miss": ~hit}
    rows = fixed.tellings.copy()
    rows[: len(_SHARED)] = shared
    return _filled(rows, _TELLING_AT, columns)


def _filled(rows: FloatArray, names: Mapping[str, int], columns: Mapping[str, npt.ArrayLike]) -> FloatArray:
    """Return a block with some columns written; those that are not named keep what is fixed, mostly zero."""
    for name, values in columns.items():
        rows[names[name]] = values
    return rows


def _of_tellings(index: CaseIndex, q: Query, asked: _Asked, share: FloatArray) -> FloatArray:
    fixed, n, rows = _fixed(index), len(index.order), asked.begun.tellings.copy()
    best, free = rows[_TELLING_AT["intent_best"]], bool(_ANYWHERE & asked.patterns)
    columns: dict[str, npt.ArrayLike] = {
        "overlap": share,
        "yes_to_closed" if q.closed else "yes_to_open": index.begins_yes_no,
        "risk_asked" if asked.risk else "risk_unasked": index.is_risky,
    }
    if q.named:
        named = any_of(fixed.by_topic, q.named, n)
        columns |= {"named_topic": named, "other_topic": 1.0 - named}
    elif not free:
        focus, topic = any_of(fixed.by_topic, q.focus, n), any_of(fixed.by_topic, (q.topic or "",), n)
        columns |= {"in_focus": focus, "in_topic": topic}
        columns |= {"focus_cosine": focus * rows[0], "focus_intent": focus * best}
    if (people := fixed.speak_of.meant(q.people)) is not None:
        columns |= {"named_person": people[0], "other_person": people[1]}
    if _WHEN.match(q.reading.text):
        columns["wants_time"] = ~index.has_time
    if _WHO.match(q.reading.text):
        columns["wants_person"] = ~index.names_somebody
    if _SCALE in asked.patterns:
        columns["wants_number"] = ~index.intents[:, _SCALE]
    return _filled(rows, _TELLING_AT, columns)


def _of_propositions(index: CaseIndex, q: Query, asked: _Asked) -> FloatArray:
    fixed, rows = _fixed(index), asked.begun.propositions.copy()
    cosine, content, uncovered, unasked = (rows[1 + NEARNESS.index(x)] for x in ("cosine", "content", *_LEFT_OUT))
    columns: dict[str, npt.ArrayLike] = {
        "closed": q.closed, "disguised": q.form == "disguised", "declarative": q.form == "declarative",
        "unheard_of": asked.unheard, "left_out": uncovered * unasked,
    }  # fmt: skip
    if q.closed:
        columns |= {"closed_cosine": cosine, "closed_content": content}
    for name, topics in (("in_focus", q.focus), ("named_topic", q.named)):
        if topics:
            columns[name] = any_of(fixed.propositions_by_topic, topics, len(index.propositions))
    if (people := fixed.propositions_of.meant(q.people)) is not None:
        columns |= {"named_person": people[0], "other_person": people[1]}
    rows[_PROPOSITION_AT["risk_asked" if asked.risk else "risk_unasked"], list(index.risk_props)] = 1.0
    return _filled(rows, _PROPOSITION_AT, columns)


def _of_facts(index: CaseIndex, q: Query, asked: _Asked) -> FloatArray:
    fixed, rows = _fixed(index), asked.begun.facts.copy()
    columns: dict[str, npt.ArrayLike] = {"closed": q.closed}
    if q.reading.has(*_TOO_OPEN):
        columns |= {"too_open": 1.0, "open_cosine": rows[1]}
    if (people := fixed.facts_of.meant(q.people)) is not None:
        columns |= {"named_person": people[0], "other_person": people[1]}
    return _filled(rows, _FACT_AT, columns)


def _of_absences(index: CaseIndex, q: Query) -> FloatArray:
    rows, asked_for = np.zeros((len(_ABSENT), len(index.file.absent))), index.absent_in(q.text)
    rows[0] = 1.0
    if asked_for >= 0:
        rows[1, asked_for] = 1.0
    return rows


def _of_nothing(q: Query, asked: _Asked, share: float) -> FloatArray:
    best = (*asked.begun.nearest, share)
    flags = (q.closed, q.form == "disguised", q.form == "wh", not asked.words, asked.unheard, bool(q.named or q.people))
    return np.array([[1.0, float(bool(q.focus)), *map(float, best), *map(float, flags)]]).T


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
        return _log_shares(x @ self.weights)

    def scores_of(self, found: Sequence[FloatArray]) -> FloatArray:
        """Return the same from ``blocks``, without the zeros between them (nine tenths of the features)."""
        weights = (self.weights[where] for where in _COLUMNS_OF)
        return _log_shares(np.concatenate([w @ b for w, b in zip(weights, found, strict=True)]))


def _log_shares(raw: FloatArray) -> FloatArray:
    raw = raw - raw.max()
    return np.asarray(raw - np.log(np.exp(raw).sum()))


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
