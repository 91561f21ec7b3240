"""Questions to simulated patients with what would answer them: written for this project, not observed.

Four sources, kept apart in every figure: the *probes* an author wrote for his own case, probes that
*another hand* wrote from the intake alone and then judged against the case (``tools/probes/*.yaml``), the *asks* that
stand beside every telling, and *live* questions: what language models asked as therapists in whole sessions, or would
have asked at a point of one, each with the six likeliest answers of its day judged by one or two others
(``tools/live_questions.jsonl``). Questions no case can answer stand in ``tools/probes/unanswerable.yaml``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import yaml

from turnwise.core.nouns import FloatArray, Turn
from turnwise.patients.casebook import case_ids, load_case
from turnwise.patients.index import CaseIndex, index_case
from turnwise.patients.listening import take
from turnwise.patients.memory import Memory
from turnwise.patients.ranking import Query
from turnwise.reading.ears.direct import hear_block
from turnwise.reading.ears.intents import plain, read_intent
from turnwise.reading.ears.questions import read_heard
from turnwise.reading.window import Window

__all__ = [
    "FITS",
    "PROBES",
    "WRONG",
    "Live",
    "Question",
    "as_heard",
    "excluded",
    "indices",
    "live_questions",
    "query_of",
    "questions",
    "with_readings",
]

PROBES = Path(__file__).resolve().parent / "probes"
LIVE = PROBES.parent / "live_questions.jsonl"
WRITTEN = ("gp_", "p_gp_")
"""How the names of facts and propositions begin that were written for what nothing answered."""
FITS = 1.5
"""Least mean verdict (0 answers another question, 1 doubtful, 2 fits) of what counts as an answer."""
WRONG = 0.5
"""The greatest of what plainly answers another question."""
NOTHING = "none"
SOURCES = {"other hand 4": "new"}
"""Authors whose probes are a source of their own: *new* ones were written when everything else was settled."""


@dataclass(frozen=True)
class Live:
    """A question of a whole session: the turn it stood in, the patient's words before it, and how it was heard there.

    ``verdicts`` : by option, of one or two judges; ``told`` : what had been told before it.
    """

    turn: str
    before: str
    form: Any
    focus: tuple[str, ...]
    topic: str | None
    named: tuple[str, ...]
    people: tuple[str, ...]
    told: tuple[str, ...]
    verdicts: Mapping[str, str] = field(compare=False)

    def mean(self, option: str) -> float:
        """Return the mean verdict of an option (0 to 2); what was not judged is taken for another answer."""
        given = self.verdicts.get(option, "0")
        return sum(map(int, given)) / len(given)


@dataclass(frozen=True)
class Question:
    """One question to one case.

    ``accept`` names the options that answer it (``"none"``: nothing does); ``rows`` are the known
    questions of the case that it must not be compared with, because it is one of them.
    """

    case: str
    source: str
    focus: str
    text: str
    accept: tuple[str, ...]
    rows: tuple[int, ...] = ()
    uncovered: FloatArray = field(default_factory=lambda: np.zeros(0), compare=False)
    """Share of its content that the nearest known question of each option lacks (options,), once it was read."""
    live: Live | None = None

    def open_to(self, index: CaseIndex) -> npt.NDArray[np.bool_]:
        """Return which options are compared (options,): none that was told before or was not there to be judged."""
        if self.live is None:
            return np.ones(len(index.options), dtype=np.bool_)
        told, judged = self.live.told, self.live.verdicts
        gone = {o for o in index.options if o in told or (o.startswith(WRITTEN) and o not in judged)}
        return np.array([o in self.accept or o not in gone for o in index.options], dtype=np.bool_)

    def labels(self, index: CaseIndex) -> FloatArray:
        """Return 1 for every option that answers it, shape (options,)."""
        wanted = {("-" if a == NOTHING else a) for a in self.accept}
        return np.array([o in wanted for o in index.options], dtype=np.float64)


def indices(names: Sequence[str] = ()) -> dict[str, CaseIndex]:
    """Return the cases that ship, ready for questions."""
    return {name: index_case(load_case(name)) for name in names or case_ids()}


def query_of(index: CaseIndex, focus: str, text: str) -> Query | None:
    """Return a therapist's turn as this case takes it right after the topic ``focus`` (``"-"``: none), or None."""
    topics = () if focus in ("-", "") else (focus,)
    memory = Memory(topic=topics[0] if topics else "", focus=topics, lines=("Mm.",))
    turns = (Turn(speaker="patient", text="Mm."), Turn(speaker="therapist", text=text))
    hearing = hear_block([Window(turns[1], turns[:1])])[0]
    return take(index, memory, turns, hearing, read_heard(hearing, text)).query


def as_heard(index: CaseIndex, q: Question) -> Query | None:
    """Return a question as this case takes it in its place."""
    if q.live is None:
        return query_of(index, q.focus, q.text)
    x = q.live
    return Query(read_intent(q.text), q.text, x.form, frozenset(x.focus), x.topic, x.named, frozenset(x.people))


def live_questions(indexed: Mapping[str, CaseIndex]) -> Iterator[Question]:
    """Yield the questions of whole sessions."""
    known = {name: _rows_of(index) for name, index in indexed.items()}
    for line in LIVE.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        name, text = row.pop("case"), row.pop("question")
        if name in indexed:
            lists: dict[str, Any] = {key: tuple(row.pop(key)) for key in ("focus", "named", "people", "told")}
            live = Live(**lists, **row)
            rows = tuple(known[name].get(plain(text), ()))
            fits = [o for o in live.verdicts if live.mean(o) >= FITS]
            # What was written for just this question since it was judged answers it.
            owners = [indexed[name].options[int(indexed[name].asked.owner[row])] for row in rows]
            fits += [o for o in owners if o not in live.verdicts and o.startswith(WRITTEN)]
            yield Question(name, "live", live.topic or "-", text, tuple(fits) or (NOTHING,), rows, live=live)


def _of_case(name: str, index: CaseIndex) -> Iterator[Question]:
    for p in index.file.probes:
        yield Question(name, "author", p.focus, p.ask, p.accept)
    row = 0
    options: list[tuple[str, str, Sequence[str]]] = [(t.id, t.topic, t.asks) for t in index.file.tellings]
    options += [(p.id, p.topic or "-", p.ask) for p in index.file.propositions]
    options += [(f.key, "-", f.ask) for f in index.file.facts]
    for name_of, topic, asks in options:
        for ask in asks:
            yield Question(name, "ask", topic, _spelt(ask), (name_of,), (row,))
            row += 1
    for i, a in enumerate(index.file.absent):
        yield Question(name, "absent", "-", _ABSENT[i % len(_ABSENT)].format(a.key), (a.key,))


_ABSENT = ("Do you have a {}?", "Any {}s?", "What about your {}?", "Have you got a {}?", "Is there a {} in your life?")
"""How people ask for what is not there: the only questions that are made up by rule."""


def _spelt(ask: str) -> str:
    """Write a known question as a therapist's turn: authors leave out the capital and the mark."""
    return ask if ask[-1:] in ".?!…" else f"{ask[:1].upper()}{ask[1:]}?"


def _of_others(indexed: dict[str, CaseIndex]) -> Iterator[Question]:
    known = {name: _rows_of(index) for name, index in indexed.items()}
    for path in sorted(PROBES.glob("*.yaml")):
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
        name = content.get("case")
        source = "stranger" if content.get("known") else SOURCES.get(str(content.get("author")), "other")
        for p in content["probes"]:
            if name in indexed:
                rows = known[name].get(plain(p["say"]), ())
                yield Question(name, source, p["focus"], p["say"], tuple(p["accept"]), tuple(rows))
            elif name is None:
                yield from (Question(case, "odd", "-", p["say"], (NOTHING,)) for case in indexed)


def _rows_of(index: CaseIndex) -> dict[str, list[int]]:
    f = index.file
    asks = [a for own in (*(t.asks for t in f.tellings), *(p.ask for p in f.propositions)) for a in own]
    asks += [a for x in f.facts for a in x.ask]
    found: dict[str, list[int]] = {}
    for row, ask in enumerate(asks):
        found.setdefault(plain(ask), []).append(row)
    return found


def questions(indexed: dict[str, CaseIndex]) -> list[Question]:
    """Return every question of every source, those whose accepted options no longer exist left out."""
    found = [q for name, index in indexed.items() for q in _of_case(name, index)]
    found += [*_of_others(indexed), *live_questions(indexed)]
    return [q for q in found if q.labels(indexed[q.case]).any()]


def with_readings(query: Query, asked: npt.NDArray[np.float32], p: FloatArray) -> Query:
    """Return the query as another ear hears it: its place in the space of questions, its intents."""
    return replace(query, reading=replace(query.reading, asked=asked, p=p))


def excluded(q: Question) -> npt.NDArray[np.intp] | None:
    """Return the rows a question is not compared with, as the features want them."""
    return np.array(q.rows, dtype=np.intp) if q.rows else None
