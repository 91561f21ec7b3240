"""Answer what is asked of something just told: "And what did you do?", "What do you mean by the usual?".

People have an answer to the first question about what they have just brought up. A case holds some of these, telling
by telling (``Telling.further``); they are compared with a question only while their telling is fresh, so that they
neither crowd the ranking of everything else nor answer for another story. Whether one answers is a logistic of few
aspects, fitted across cases by ``tools/fit_follow_ups.py``. A yes/no question is never answered from here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache

import numpy as np

from turnwise.core.errors import FormatError
from turnwise.core.nouns import FloatArray
from turnwise.patients.asked import NEARNESS, AskedTable, asked_table
from turnwise.patients.index import CaseIndex
from turnwise.patients.matching import Candidates
from turnwise.patients.memory import Memory
from turnwise.patients.package_data import read_document
from turnwise.patients.plans import Plan, Situation
from turnwise.patients.ranking import Query
from turnwise.patients.schema import Telling
from turnwise.patients.words import content_words

__all__ = ["ASPECTS", "answered_further", "aspects", "fresh", "key_of"]

_NEAR = ("cosine", "words", "content", "pairs", "framed", "same_kind", "uncovered")
ASPECTS: tuple[str, ...] = (*_NEAR, "gap", "other", "nothing", "elsewhere", "other_subject", "earlier")
"""What is looked at, for a question and one follow-up: how near it is to the known ways of asking for that (columns of
``asked.NEARNESS``), and by how much nearer than to the telling's other follow-ups; the log-probability of the likeliest
other thing that the case could say, and of nothing; the share of the question's content that is neither in the telling
nor in those ways of asking; whether it names another subject or somebody else; whether something was told since."""
_COLUMNS = [NEARNESS.index(name) for name in _NEAR]
_LEAST = -4.0  # log-probability below which one is like another
_BACK = 2  # tellings that are fresh: the last, and the one before
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
    """Return the tellings that a question may be about by being the last told, the latest first; none of danger."""
    lately = dict.fromkeys((memory.last, *reversed(memory.said)))
    found = [index.tellings[name] for name in lately if name in index.tellings][:_BACK]
    return [t for t in found if t.further and t.id not in index.risky]


@lru_cache(maxsize=4_096)
def _known(index: CaseIndex, telling: str) -> tuple[AskedTable, frozenset[str]]:
    """Return the ways of asking for each follow-up of a telling, and the words of content in it all."""
    t = index.tellings[telling]
    asks = [f.ask for f in t.further]
    return asked_table(asks, content_words), content_words(" ".join((*t.beats, *(a for own in asks for a in own))))


def aspects(
    index: CaseIndex, q: Query, t: Telling, c: Candidates, without: Sequence[int] = (), *, earlier: bool = False
) -> FloatArray:
    """Return ``ASPECTS`` of every follow-up of a telling, shape (follow-ups, aspects).

    ``without`` : known ways of asking, by their place in the telling, that the question is not to be compared with.
    """
    table, words = _known(index, t.id)
    near = table.nearness(q.reading, np.array(without, dtype=np.intp) if without else None)[:, _COLUMNS]
    cosine = near[:, 0]
    others = [np.delete(cosine, i).max(initial=0.0) for i in range(len(cosine))]
    likeliest = max((score for name, score in c.top if name not in ("-", t.id)), default=_LEAST)
    asked = content_words(q.text)
    abroad = bool(q.named) and t.topic not in q.named
    strangers = bool(q.people) and not q.people & index.mentions[index.position(t.id)]
    shared = (
        max(likeliest, _LEAST),
        max(c.nothing, _LEAST),
        len(asked - words) / max(1, len(asked)),
        float(abroad or strangers),
        float(earlier),
    )
    return np.column_stack([near, cosine - others, np.tile(shared, (len(cosine), 1))])


def answered_further(s: Situation, c: Candidates, q: Query) -> Plan | None:
    """Answer a question about what has just been told; ``None`` where nothing there answers it, or did already."""
    if q.closed or s.risk_asked:
        return None
    weights, bias, least = _look()
    best, found = least, None
    for t in fresh(s.index, s.memory):
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


@cache
def _look() -> tuple[FloatArray, float, float]:
    content: Mapping[str, object] = read_document(_WEIGHTS)
    if tuple(content["aspects"]) != ASPECTS:  # type: ignore[arg-type]
        raise FormatError(_WEIGHTS, "aspects", "are others than this version looks at", "install turnwise again")
    return np.array(content["weights"], dtype=np.float64), float(content["bias"]), float(content["least"])  # type: ignore[arg-type]
