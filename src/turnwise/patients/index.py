"""A case made ready for a turn: vectors, word sets and tables, computed once per case."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from turnwise.core.errors import ContractError
from turnwise.core.nouns import Case, FloatArray
from turnwise.patients.asked import AskedTable, asked_table
from turnwise.patients.schema import CaseFile, Fact, Proposition, Telling
from turnwise.patients.words import content_words, fillers_per_100
from turnwise.reading.ears.intents import INTENTS, read_intent
from turnwise.reading.encoder import encode

__all__ = ["CaseIndex", "begins_yes_no", "index_case"]

Vectors = npt.NDArray[np.float32]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class CaseIndex:
    """Everything about a case that a turn needs, in arrays that run parallel to its tellings (N).

    ``options`` names everything that can be said in answer, in the order of the ranking: tellings,
    propositions, facts, absences, and ``"-"`` for nothing.
    """

    file: CaseFile
    key: str
    tellings: Mapping[str, Telling]
    order: tuple[str, ...]
    places: Mapping[str, int]
    """Row of each telling."""
    vectors: Vectors
    beats: Vectors
    beat_owner: npt.NDArray[np.intp]
    intents: npt.NDArray[np.bool_]
    first_intent: npt.NDArray[np.intp]
    levels: npt.NDArray[np.intp]
    topic_of: tuple[str, ...]
    mentions: tuple[frozenset[str], ...]
    content: tuple[frozenset[str], ...]
    idf: Mapping[str, float]
    topics: tuple[str, ...]
    topic_vectors: Vectors
    topic_words: re.Pattern[str]
    topics_of: Mapping[str, tuple[str, ...]]
    names: re.Pattern[str]
    named: Mapping[str, tuple[str, ...]]
    risky: frozenset[str]
    risk_props: tuple[int, ...]
    propositions: tuple[Proposition, ...]
    facts: tuple[Fact, ...]
    asked: AskedTable
    firsts: Vectors
    topic_at: npt.NDArray[np.intp]
    has_time: Flags
    names_somebody: Flags
    begins_yes_no: Flags
    fact_begins_yes_no: Flags
    function: npt.NDArray[np.intp]
    has_needs: Flags
    is_risky: Flags
    speaks_of_anyone: Flags
    answers_nothing: Flags
    introduces: Flags
    """Tellings that say who somebody is."""
    never_asked_for: Flags
    """Tellings that no question draws: goodbyes and conclusions."""
    holders: Mapping[str, npt.NDArray[np.intp]]
    absences: re.Pattern[str] | None
    options: tuple[str, ...]
    proper: frozenset[str]
    of_propositions: tuple[frozenset[str], ...]
    """People whom each proposition is about, in its answer or the ways of asking for it."""
    of_facts: tuple[frozenset[str], ...]
    fillers: float
    """Words per hundred that only fill, as the author wrote the tellings."""

    def position(self, telling: str) -> int:
        """Row of a telling."""
        return self.places[telling]

    def overlap(self, words: frozenset[str], unheard_of: float) -> FloatArray:
        """Return the idf-weighted share of ``words`` in each telling (N,); a word never used weighs ``unheard_of``."""
        shared, total = np.zeros(len(self.order)), 0.0
        for word in words:
            weight = self.idf.get(word, unheard_of)
            total += weight
            if word in self.holders:
                shared[self.holders[word]] += weight
        return shared / max(total, 2.0)

    def speaks_of(self, people: frozenset[str]) -> Flags:
        """Return which tellings speak of one of ``people`` (N,)."""
        return (
            np.array([bool(people & m) for m in self.mentions], dtype=np.bool_)
            if people
            else np.zeros(len(self.order), np.bool_)
        )

    def absent_in(self, text: str) -> int:
        """Return which of the things that are not there a question asks for, or -1."""
        if self.absences is None or not _ASKS_FOR.search(low := _low(text)):
            return -1
        hit = self.absences.search(low)
        return [a.key.lower() for a in self.file.absent].index(hit.group(1)) if hit else -1

    def people_in(self, text: str) -> frozenset[str]:
        """People named in ``text``."""
        return _people_in(self, text)

    def topics_in(self, text: str) -> tuple[str, ...]:
        """Topics named in ``text`` by one of their words, the most often named first."""
        return _topics_in(self, text)


@lru_cache(maxsize=1_024)  # of a question, and of what was just said, it is asked several times a turn
def _people_in(index: CaseIndex, text: str) -> frozenset[str]:
    return frozenset(p for m in index.names.finditer(_low(text)) for p in index.named[m.group(1)])


@lru_cache(maxsize=1_024)
def _topics_in(index: CaseIndex, text: str) -> tuple[str, ...]:
    words = {m.group(1) for m in index.topic_words.finditer(_TIMES.sub(" ", _low(text)))}
    hits = Counter(t for w in words for t in index.topics_of[w])
    return tuple(sorted(hits, key=lambda t: (-hits[t], index.topics.index(t))))


_TIMES = re.compile(
    r"\b(?:that|this|these|those|one|each|every|a|per|to) ?(?:day|days|night|morning|evening|weekend)\b"
)


def _low(text: str) -> str:
    return text.lower().replace("’", "'")


def _pattern(words: Iterable[str]) -> re.Pattern[str]:
    alternatives = "|".join(re.escape(w.lower()) for w in sorted(words, key=len, reverse=True))
    return re.compile(rf"\b({alternatives})(?:'s|s|es)?\b")


_TOO_COMMON = frozenset("you yourself person out people here today coming she living part thing".split())


def _inverted(words: Mapping[str, Iterable[str]]) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for owner, own in words.items():
        for word in sorted(own):
            found.setdefault(word, []).append(owner)
    return {word: tuple(owners) for word, owners in found.items()}


def _spoken_of(
    file: CaseFile, t: Telling, names: re.Pattern[str], named: Mapping[str, tuple[str, ...]]
) -> frozenset[str]:
    """People a telling speaks of: listed, named in its words, or the whole subject of its topic."""
    found = _people_of((*t.beats, *t.wordings), names, named)
    return frozenset({*t.mentions, *found, *({t.topic} & set(file.people))})


def _people_of(texts: Iterable[str], names: re.Pattern[str], named: Mapping[str, tuple[str, ...]]) -> frozenset[str]:
    return frozenset(p for m in names.finditer(_low(" ".join(texts))) for p in named[m.group(1)])


def _options(file: CaseFile) -> tuple[str, ...]:
    """Name everything that can be said in answer, in the order of the ranking; the last is ``"-"``, nothing."""
    said = (*(t.id for t in file.tellings), *(p.id for p in file.propositions), *(f.key for f in file.facts))
    return (*said, *(a.key for a in file.absent), "-")


def _option_asks(file: CaseFile) -> list[tuple[str, ...]]:
    """Return the known questions of every telling, proposition and fact, in the order of the options."""
    return [*(t.asks for t in file.tellings), *(p.ask for p in file.propositions), *(f.ask for f in file.facts)]


_ASKS_FOR = re.compile(r"\b(?:your|any|a|do you have|have you got|is there|got)\b")


def _absences(file: CaseFile) -> re.Pattern[str] | None:
    if not file.absent:
        return None
    keys = "|".join(re.escape(a.key.lower()) for a in sorted(file.absent, key=lambda a: -len(a.key)))
    return re.compile(rf"\b(?:your|a|an|any|have) ({keys})s?\b")


_TIME = re.compile(
    r"\b(?:\d+|years?|months?|weeks?|since|ago|semester|spring|summer|autumn|winter|easter|christmas|yesterday|always|\w+teen|\w+day|"
    r"january|february|march|april|may|june|july|august|september|october|november|december|nine|ten|twenty|thirty)\b",
    re.IGNORECASE,
)


def begins_yes_no(text: str) -> bool:
    """Whether words begin with a yes or a no, which may be said as often as they are true."""
    return _YES_NO_START.match(text) is not None


_YES_NO_START = re.compile(r"(?:yes|no|aye|nah|yeah|never|nope|sí)\b", re.IGNORECASE)
_FUNCTION_CLASS = {"hint": 0, "evidence": 1, "answer": -1}


def _flags(file: CaseFile, risky: frozenset[str], speaks: Sequence[frozenset[str]]) -> dict[str, Any]:
    """Return what the ranker wants to know of each telling, as arrays."""
    tellings, topics = file.tellings, list(file.topics)

    def flags(values: Iterable[object]) -> Flags:
        return np.array([bool(v) for v in values], dtype=np.bool_)

    return {
        "firsts": encode([t.beats[0] for t in tellings]),
        "topic_at": np.array([topics.index(t.topic) for t in tellings], dtype=np.intp),
        "has_time": flags(_TIME.search(" ".join(t.beats[:2])) for t in tellings),
        "names_somebody": flags(t.mentions or {"who", "support"} & set(t.answers) for t in tellings),
        "begins_yes_no": flags(_YES_NO_START.match(t.beats[0]) for t in tellings),
        "fact_begins_yes_no": flags(_YES_NO_START.match(f.say) for f in file.facts),
        "function": np.array([_FUNCTION_CLASS.get(t.function, 2) for t in tellings], dtype=np.intp),
        "has_needs": flags(t.needs for t in tellings),
        "answers_nothing": flags(not t.answers for t in tellings),
        "introduces": flags(t.id in {p.intro for p in file.people.values()} and "who" in t.answers for t in tellings),
        "never_asked_for": flags(t.function in ("goodbye", "insight") for t in tellings),
        "is_risky": flags(t.id in risky for t in tellings),
        "speaks_of_anyone": flags(speaks),
    }


def _build(file: CaseFile, key: str) -> CaseIndex:
    tellings = file.tellings
    texts = [" ".join(t.beats) for t in tellings]
    worded = [" ".join((*t.beats, *t.wordings)) for t in tellings]
    content = tuple(content_words(x) for x in worded)
    df = Counter(w for c in content for w in c)
    intents = np.zeros((len(tellings), len(INTENTS)), dtype=np.bool_)
    for i, t in enumerate(tellings):
        intents[i, [INTENTS.index(a) for a in t.answers]] = True
    topics = tuple(file.topics)
    # The words of the risk topic ("fall", "alive") are ordinary ones; it is entered only by asking outright.
    topics_of = _inverted({t: {w.lower() for w in file.topics[t].words} - _TOO_COMMON for t in topics if t != "risk"})
    named = _inverted({name: _names(file, name) for name in file.people})
    risky = frozenset(t.id for t in tellings if t.moment == "risk" or "risk" in t.answers or t.topic == "risk")
    speaks = tuple(_spoken_of(file, t, _pattern(named), named) for t in tellings)
    return CaseIndex(
        file=file,
        key=key,
        tellings={t.id: t for t in tellings},
        order=tuple(t.id for t in tellings),
        places={t.id: i for i, t in enumerate(tellings)},
        vectors=encode(texts),
        **_beats(tellings),
        intents=intents,
        first_intent=np.array([INTENTS.index(t.answers[0]) if t.answers else -1 for t in tellings], dtype=np.intp),
        levels=np.array([t.level for t in tellings], dtype=np.intp),
        topic_of=tuple(t.topic for t in tellings),
        mentions=speaks,
        content=content,
        idf={w: float(np.log(len(texts) / n)) for w, n in df.items()},
        topics=topics,
        topic_vectors=encode([" ".join(file.topics[t].words) for t in topics]),
        topic_words=_pattern(topics_of),
        topics_of=topics_of,
        names=_pattern(named),
        named=named,
        risky=risky,
        risk_props=tuple(
            i for i, p in enumerate(file.propositions) if any(read_intent(a).intent == "risk" for a in p.ask)
        ),
        propositions=file.propositions,
        facts=file.facts,
        asked=asked_table(_option_asks(file), content_words),
        holders={w: np.array([i for i, c in enumerate(content) if w in c], dtype=np.intp) for w in df},
        absences=_absences(file),
        options=_options(file),
        **_flags(file, risky, speaks),
        **_people(file, named),
    )


def _beats(tellings: Sequence[Telling]) -> dict[str, Any]:
    """Return the vectors of all beats and the telling each belongs to."""
    beats = [(i, b) for i, t in enumerate(tellings) for b in t.beats]
    return {"beats": encode([b for _, b in beats]), "beat_owner": np.array([i for i, _ in beats], dtype=np.intp)}


def _people(file: CaseFile, named: Mapping[str, tuple[str, ...]]) -> dict[str, Any]:
    """Return whom propositions and facts are about, which words keep their capital, and how loosely it is written."""
    names, beats = _pattern(named), [b for t in file.tellings for b in t.beats]
    return {
        "of_propositions": tuple(_people_of((*p.beats, *p.ask), names, named) for p in file.propositions),
        "of_facts": tuple(_people_of((f.say, *f.ask), names, named) for f in file.facts),
        "proper": _proper((*beats, *(b for p in file.propositions for b in p.beats), *(f.say for f in file.facts))),
        "fillers": fillers_per_100(beats),
    }


_MID_CAPITAL = re.compile(r"(?<=[a-z,] )[A-ZÄÖÜ][\w-]+")


def _proper(beats: Iterable[str]) -> frozenset[str]:
    """Words that stand with a capital inside a sentence: names keep theirs after an opener."""
    return frozenset(m.group() for b in beats for m in _MID_CAPITAL.finditer(b))


_KIN = {
    "mother": ("mother", "mum", "mom", "mam", "mama"), "father": ("father", "dad", "daddy"),
    "son": ("son", "boy"), "daughter": ("daughter",), "wife": ("wife",), "girlfriend": ("girlfriend", "partner"),
    "sister": ("sister",), "grandmother": ("grandmother", "gran", "grandma"), "grandson": ("grandson",),
    "ex-husband": ("ex", "ex-husband"), "manager": ("manager", "boss"), "supervisor": ("supervisor", "professor"),
}  # fmt: skip


def _names(file: CaseFile, name: str) -> set[str]:
    """Names, and "your …" for what the person is to the patient (a therapist says "your wife")."""
    person = file.people[name]
    own = {n.lower() for n in person.names}
    kin = _KIN.get(person.kind, (person.kind,))
    swapped = {n.replace("my ", "your ", 1) for n in own if n.startswith("my ")}
    return own | swapped | {f"your {k.lower()}" for k in kin} | {k for k in kin if k in ("mum", "dad", "mam")}


_ready: dict[str, CaseIndex] = {}
_lately: dict[int, tuple[object, CaseIndex]] = {}
"""The truths met before, by identity: a run begins thousands of sessions with the same few cases."""


def index_case(case: Case) -> CaseIndex:
    """Return the index of a case, computed once per content.

    Raises
    ------
    ContractError : the case's truth is not a case file.
    """
    met = _lately.get(id(case.truth))
    if met is not None and met[0] is case.truth:
        return met[1]
    content = json.dumps(case.truth, sort_keys=True, ensure_ascii=True)
    key = f"{case.id}:{hashlib.sha256(content.encode()).hexdigest()[:16]}"
    if key not in _ready:
        try:
            file = CaseFile.model_validate(case.truth)
        except ValueError as fault:
            problem = " ".join(str(fault).split())[:300]
            raise ContractError(f"case {case.id!r} is no case file: {problem}; load it with load_case.") from None
        _ready[key] = _build(file, key)
    _lately[id(case.truth)] = (case.truth, _ready[key])
    return _ready[key]
