"""Answer what is asked of something just told: "And what did you do?", "What do you mean by the usual?".

People have an answer to the first question about what they have just brought up. A case holds some of these, telling
by telling (``Telling.further``); they are compared with a question only while their telling is fresh, so that they
neither crowd the ranking of everything else nor answer for another story. Whether one answers is a logistic of few
aspects, fitted across cases by ``tools/fit_follow_ups.py``. A yes/no question is never answered from here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from turnwise.core.errors import FormatError
from turnwise.core.nouns import FloatArray
from turnwise.patients.asked import Worded, worded
from turnwise.patients.index import CaseIndex
from turnwise.patients.matching import Candidates
from turnwise.patients.memory import Memory
from turnwise.patients.not_known import VIEWS
from turnwise.patients.package_data import read_document
from turnwise.patients.plans import Plan, Situation
from turnwise.patients.ranking import Query
from turnwise.patients.schema import Telling
from turnwise.patients.wanted import Kind, wanted
from turnwise.patients.words import content_words
from turnwise.reading.ears.intents import plain, read_intent
from turnwise.reading.ears.question_space import encode_questions

__all__ = ["ASPECTS", "answered_further", "asks_on", "aspects", "fresh", "key_of"]

_NEAR = ("cosine", "words", "content", "pairs", "framed", "same_kind", "uncovered")
_LIKE = ("alike", "apart", "of_another_kind", "says_more")
ASPECTS: tuple[str, ...] = (*_NEAR, *_LIKE, "gap", "other", "nothing", "elsewhere", "other_subject", "earlier")
"""What is looked at, for a question and one follow-up: how near it is to the known ways of asking for that (columns of
``asked.NEARNESS``); whether the nearest of these shows an intent that the question shows too, or only others, whether
the question wants an answer of another kind (when, who), how many more words it has; by how much nearer it is than to
the telling's other follow-ups; the log-probability of the likeliest other thing that the case could say, and of
nothing; the share of the question's content that is neither in the telling nor in those ways of asking; whether it
names another subject or somebody else; whether something was told since."""
_MANY = 10.0  # words
_LEAST = -4.0  # log-probability below which one is like another
_BACK, _LINES = 2, 3  # tellings that may be fresh: the last, and the one before; lines in which their words have to be
_NEAR_ENOUGH = 0.5  # cosine of a known way of asking without which a follow-up is not looked at: none is said below .54
_ANOTHER = float(np.log(0.45))  # from which another story is what was asked for
_SURELY = float(np.log(0.9))  # from which it is, even of what was just told
_SMALL_FACT = float(np.log(0.6))  # from which a small fact of the case is what was asked for
_WEIGHTS = "weights/follow_ups.v1.json"


def key_of(t: Telling, at: int) -> str:
    """Return the name of a telling's follow-up in the ledger and the truth record.

    Examples
    --------
    >>> key_of(Telling(id="drawer", topic="home", level=0, beats=("There is a drawer.",)), 1)
    'drawer/1'
    """
    return f"{t.id}/{at}"


def fresh(index: CaseIndex, memory: Memory) -> list[Telling]:
    """Return the tellings that a question may be about by having just been told, the latest first; none of danger.

    One is fresh while its words, or an answer about it, are among the last few lines: a question that comes after
    something else was answered is about that.
    """
    lately = dict.fromkeys((memory.last, *reversed(memory.said)))
    found = [index.tellings[name] for name in lately if name in index.tellings][:_BACK]
    # Of a long beat the first sentence or clause may have been said alone.
    starts = tuple(line.rstrip(".") for line in memory.lines[-_LINES:])
    return [
        t
        for t in found
        if t.further and t.id not in index.risky and any(x.startswith(y) for x in _lines_of(t) for y in starts)
    ]


def _lines_of(t: Telling) -> tuple[str, ...]:
    return (*t.beats, *t.wordings, *(f.say for f in t.further))


class _Way(NamedTuple):
    """One way of asking: for which follow-up, its words, its content, the intents its wording shows, its kind."""

    of: int
    its: Worded
    content: frozenset[str]
    shows: frozenset[int]
    kind: Kind | None


@dataclass(frozen=True, slots=True, eq=False)
class _Known:
    """The ways of asking for the follow-ups of a telling: unit rows (asks, 256), and each with what it is made of.

    ``words`` : all content of the telling and of these. There are about nine: sets are quicker than tables.
    """

    vectors: npt.NDArray[np.float32]
    asks: tuple[_Way, ...]
    n: int
    words: frozenset[str]


@lru_cache(maxsize=4_096)
def _known(index: CaseIndex, telling: str) -> _Known:
    t = index.tellings[telling]
    texts = [(i, plain(a)) for i, f in enumerate(t.further) for a in f.ask]
    rows = tuple(
        _Way(i, worded(text), content_words(text), frozenset(read_intent(text).patterns), wanted(text))
        for i, text in texts
    )
    words = content_words(" ".join(t.beats)).union(*(way.content for way in rows))
    return _Known(encode_questions([text for _, text in texts]), rows, len(t.further), words)


def _in_common(a: frozenset[str], b: frozenset[str]) -> float:
    """Return shared over all (Jaccard); 0 where both are empty."""
    both = len(a & b)
    return both / (len(a) + len(b) - both) if both else 0.0


def _nearness(known: _Known, q: Query, without: Sequence[int]) -> list[list[float]]:
    """Return ``_NEAR``, as ``asked.AskedTable.nearness`` defines them, and ``_LIKE`` of every follow-up."""
    said, asked = worded(q.reading.text), content_words(q.reading.text)
    shows, kind = frozenset(q.reading.patterns), wanted(q.text)
    out, nearest = [[0.0] * (len(_NEAR) + len(_LIKE)) for _ in range(known.n)], [-1.0] * known.n
    cosines = (known.vectors @ q.reading.asked).tolist()
    for row, (cosine, way) in enumerate(zip(cosines, known.asks, strict=True)):
        if row in without:
            continue
        i, its = way.of, way.its
        best = out[i]
        shares = _in_common(said.words, its.words), _in_common(asked, way.content), _in_common(said.pairs, its.pairs)
        best[1:4] = map(max, best[1:4], shares)
        best[4] = max(best[4], cosine if its.about == said.about else 0.0)
        if cosine > nearest[i]:
            nearest[i], best[0] = cosine, max(cosine, 0.0)
            best[5], best[6] = float(its.kind == said.kind), len(asked - way.content) / max(1, len(asked))
            best[7:10] = map(float, (bool(shows & way.shows), bool(shows) and not shows & way.shows, kind != way.kind))
            best[10] = max(0, len(said.words) - len(its.words)) / _MANY
    return out


def aspects(
    index: CaseIndex, q: Query, t: Telling, c: Candidates, without: Sequence[int] = (), *, earlier: bool = False
) -> FloatArray:
    """Return ``ASPECTS`` of every follow-up of a telling, shape (follow-ups, aspects).

    ``without`` : known ways of asking, by their place in the telling, that the question is not to be compared with.
    """
    known, asked = _known(index, t.id), content_words(q.text)
    near = _nearness(known, q, without)
    likeliest = max((score for name, score in c.top if name not in ("-", t.id)), default=_LEAST)
    abroad = bool(q.named) and t.topic not in q.named
    strangers = bool(q.people) and not q.people & index.mentions[index.position(t.id)]
    shared = (
        max(likeliest, _LEAST),
        max(c.nothing, _LEAST),
        len(asked - known.words) / max(1, len(asked)),
        float(abroad or strangers),
        float(earlier),
    )
    cosines = [x[0] for x in near]
    others = (max((*cosines[:i], *cosines[i + 1 :]), default=0.0) for i in range(known.n))
    return np.array([(*x, x[0] - other, *shared) for x, other in zip(near, others, strict=True)])


def answered_further(s: Situation, c: Candidates, q: Query) -> Plan | None:
    """Answer a question about what has just been told; ``None`` where nothing there answers it, or did already."""
    if not s.further:
        s.further.append(_further(s, c, q))
    return s.further[0]


def asks_on(q: Query) -> bool:
    """Return whether a question may be one about what was just told.

    No yes and no no answers it, politeness apart ("Can you tell me what you did?", not "Did you go?"), and it asks for
    no view of it all ("What do you make of that?"): that is a thought, and no more of the story.
    """
    if q.reading.has(*VIEWS) and not content_words(q.text):
        return False
    return q.form in ("wh", "imperative") or (not q.closed and worded(q.reading.text).kind >= 0)


def _further(s: Situation, c: Candidates, q: Query) -> Plan | None:
    if s.risk_asked or not asks_on(q) or (c.fact_key and c.top[0][1] >= _SMALL_FACT):
        return None  # "How long have you been together?" asks for what is known of that, whatever was just told
    weights, bias, least = _look()
    best, found = least, None
    elsewhere = any(name in s.index.places and score >= _ANOTHER for name, score in c.top[:1])
    surely = elsewhere and c.top[0][1] >= _SURELY
    gone_back_to = _gone_back_to(s)
    for t in fresh(s.index, s.memory):
        if surely and t.id != c.top[0][0]:
            continue  # another story is what was asked for; one of the two that are fresh may be that one
        if gone_back_to and not gone_back_to & _known(s.index, t.id).words:
            continue
        if (q.named and t.topic not in q.named) or (elsewhere and t.id not in (c.top[0][0], s.memory.last)):
            continue  # "You were at the depot. What did you do there?" asks no more of the heron
        if float((_known(s.index, t.id).vectors @ q.reading.asked).max(initial=0.0)) < _NEAR_ENOUGH:
            continue
        x = aspects(s.index, q, t, c, earlier=t.id != s.memory.last)
        p = 1.0 / (1.0 + np.exp(-(x @ weights + bias)))
        at = int(p.argmax())
        if p[at] >= best and key_of(t, at) not in s.memory.said:
            best, found = float(p[at]), (t, at)
    if found is None:
        return None
    t, at = found
    top = ((key_of(t, at), float(np.log(best))), *c.top[:2])
    return Plan("further", f"asked about {t.id}, just told", (t.further[at].say,), key=key_of(t, at), alternatives=top)


def _gone_back_to(s: Situation) -> frozenset[str]:
    """Return what the turn goes back to: "You said you shouted at somebody. What happened there?"."""
    said = (x.text.lower() for x in s.taken.heard.sentences if not x.asks)
    return content_words(" ".join(_EARLIER.sub(" ", _YOU_SAID.sub(" ", x)) for x in said if _YOU_SAID.search(x)))


_YOU_SAID = re.compile(
    r"\byou(?:['’]ve| have|['’]d| had)? (?:said|mentioned|told me|spoke(?:n)? of|talked about)\b|"
    r"\byou were (?:saying|telling me|talking about|speaking of)\b"
)
_EARLIER = re.compile(r"\b(?:earlier|before|just now|a (?:moment|minute|while) ago|at the start|already)\b")


@cache
def _look() -> tuple[FloatArray, float, float]:
    content = read_document(_WEIGHTS)
    if tuple(content["aspects"]) != ASPECTS:
        raise FormatError(_WEIGHTS, "aspects", "are others than this version looks at", "install turnwise again")
    return np.array(content["weights"], dtype=np.float64), float(content["bias"]), float(content["least"])
