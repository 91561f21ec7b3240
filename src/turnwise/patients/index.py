"""A case made ready for a turn: vectors, word sets and tables, computed once per case."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from turnwise.core.errors import ContractError
from turnwise.core.nouns import Case, FloatArray
from turnwise.patients.schema import CaseFile, Fact, Proposition, Telling
from turnwise.reading.ears.intents import INTENTS, plain, read_intent
from turnwise.reading.encoder import encode

__all__ = ["CaseIndex", "content_words", "index_case", "words_of"]

Vectors = npt.NDArray[np.float32]
_WORD = re.compile(r"[^\W\d_][\w'-]*|\d+")
_FUNCTION = frozenset(
    """a about after again all also always am an and any are aren't as at be because been before being but by can
    can't could couldn't did didn't do does doesn't doing don't down ever every for from get gets getting go goes
    going got had has hasn't have haven't having he he'd he's her here hers him his how i i'd i'll i'm i've if in
    into is isn't it it's its just know let like little made make makes many me mean might mine more most much must
    my never no not now of off oh on once one only or other our out over own part really said same say says see
    she she'd she's should shouldn't so some something sort still such sure take tell than that that's the their
    them then there there's these they they'd they're thing things think this those though thought through time to
    too up us very want was wasn't way we we're well went were weren't what what's when where which while who why
    will with without won't would wouldn't yes you you'd you'll you're you've your yours yourself feel feeling
    happen happened happens anyone someone anything lot bit kind back today
    now right okay sounds seems""".split()
)
_STEM = re.compile(r"(?:'s|s'|ings?|ed|es|s)$")


def words_of(text: str) -> list[str]:
    """Return the lower-case words of ``text``.

    Examples
    --------
    >>> words_of("It's Rike's desk.")
    ["it's", "rike's", 'desk']
    """
    return _WORD.findall(text.lower().replace("’", "'"))


def _stem(word: str) -> str:
    return word if len(word) < 4 else _STEM.sub("", word) or word


def content_words(text: str) -> frozenset[str]:
    """Return stems of the words of ``text`` that carry content (no function words).

    Examples
    --------
    >>> sorted(content_words("Did you open the letters?"))
    ['letter', 'open']
    """
    return frozenset(_stem(w) for w in words_of(text) if w not in _FUNCTION)


@dataclass(frozen=True, slots=True, eq=False)
class CaseIndex:
    """Everything about a case that a turn needs, in arrays that run parallel to its tellings (N)."""

    file: CaseFile
    key: str
    tellings: Mapping[str, Telling]
    order: tuple[str, ...]
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
    reserved: Mapping[str, int]
    propositions: tuple[Proposition, ...]
    prop_vectors: Vectors
    prop_owner: npt.NDArray[np.intp]
    prop_words: tuple[frozenset[str], ...]
    facts: tuple[Fact, ...]
    fact_vectors: Vectors
    fact_owner: npt.NDArray[np.intp]
    fact_words: tuple[frozenset[str], ...]
    fact_kinds: tuple[str, ...]
    proper: frozenset[str]

    def position(self, telling: str) -> int:
        """Row of a telling."""
        return self.order.index(telling)

    def people_in(self, text: str) -> frozenset[str]:
        """People named in ``text``."""
        return frozenset(p for m in self.names.finditer(_low(text)) for p in self.named[m.group(1)])

    def topics_in(self, text: str) -> tuple[str, ...]:
        """Topics named in ``text`` by one of their words, the most often named first."""
        words = {m.group(1) for m in self.topic_words.finditer(_TIMES.sub(" ", _low(text)))}
        hits = Counter(t for w in words for t in self.topics_of[w])
        return tuple(sorted(hits, key=lambda t: (-hits[t], self.topics.index(t))))


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
    said = _low(" ".join((*t.beats, *t.wordings)))
    found = {p for m in names.finditer(said) for p in named[m.group(1)]}
    return frozenset({*t.mentions, *found, *({t.topic} & set(file.people))})


def _asked(file: CaseFile) -> dict[str, Any]:
    """Tables of the questions that propositions and facts answer."""
    asks = [(i, a) for i, p in enumerate(file.propositions) for a in p.ask]
    small = [(i, a) for i, f in enumerate(file.facts) for a in f.ask]
    return {
        "propositions": file.propositions,
        "prop_vectors": encode([plain(a) for _, a in asks]),
        "prop_owner": np.array([i for i, _ in asks], dtype=np.intp),
        "prop_words": tuple(content_words(a) for _, a in asks),
        "facts": file.facts,
        "fact_vectors": encode([plain(a) for _, a in small]),
        "fact_owner": np.array([i for i, _ in small], dtype=np.intp),
        "fact_words": tuple(content_words(a) for _, a in small),
        "fact_kinds": tuple(plain(a).partition(" ")[0] for _, a in small),
    }


def _build(file: CaseFile, key: str) -> CaseIndex:
    tellings = file.tellings
    texts = [" ".join(t.beats) for t in tellings]
    worded = [" ".join((*t.beats, *t.wordings)) for t in tellings]
    beats = [(i, b) for i, t in enumerate(tellings) for b in t.beats]
    content = tuple(content_words(x) for x in worded)
    df = Counter(w for c in content for w in c)
    intents = np.zeros((len(tellings), len(INTENTS)), dtype=np.bool_)
    for i, t in enumerate(tellings):
        intents[i, [INTENTS.index(a) for a in t.answers]] = True
    topics = tuple(file.topics)
    # The words of the risk topic ("fall", "alive") are ordinary ones; it is entered only by asking outright.
    topics_of = _inverted({t: {w.lower() for w in file.topics[t].words} - _TOO_COMMON for t in topics if t != "risk"})
    named = _inverted({name: _names(file, name) for name in file.people})
    return CaseIndex(
        file=file,
        key=key,
        tellings={t.id: t for t in tellings},
        order=tuple(t.id for t in tellings),
        vectors=encode(texts),
        beats=encode([b for _, b in beats]),
        beat_owner=np.array([i for i, _ in beats], dtype=np.intp),
        intents=intents,
        first_intent=np.array([INTENTS.index(t.answers[0]) if t.answers else -1 for t in tellings], dtype=np.intp),
        levels=np.array([t.level for t in tellings], dtype=np.intp),
        topic_of=tuple(t.topic for t in tellings),
        mentions=tuple(_spoken_of(file, t, _pattern(named), named) for t in tellings),
        content=content,
        idf={w: float(np.log(len(texts) / n)) for w, n in df.items()},
        topics=topics,
        topic_vectors=encode([" ".join(file.topics[t].words) for t in topics]),
        topic_words=_pattern(topics_of),
        topics_of=topics_of,
        names=_pattern(named),
        named=named,
        reserved={x.telling: x.earliest for x in file.schedule},
        risky=frozenset(t.id for t in tellings if t.moment == "risk" or "risk" in t.answers or t.topic == "risk"),
        risk_props=tuple(
            i for i, p in enumerate(file.propositions) if any(read_intent(a).intent == "risk" for a in p.ask)
        ),
        **_asked(file),
        proper=_proper(b for t in tellings for b in t.beats),
    )


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
    return own | swapped | {f"your {k}" for k in kin} | {k for k in kin if k in ("mum", "dad", "mam")}


_ready: dict[str, CaseIndex] = {}


def index_case(case: Case) -> CaseIndex:
    """Return the index of a case, computed once per content.

    Raises
    ------
    ContractError : the case's truth is not a case file.
    """
    content = json.dumps(case.truth, sort_keys=True, ensure_ascii=True)
    key = f"{case.id}:{hashlib.sha256(content.encode()).hexdigest()[:16]}"
    if key not in _ready:
        try:
            file = CaseFile.model_validate(case.truth)
        except ValueError as fault:
            problem = " ".join(str(fault).split())[:300]
            raise ContractError(f"case {case.id!r} is no case file: {problem}; load it with load_case.") from None
        _ready[key] = _build(file, key)
    return _ready[key]


_UNHEARD_OF = 5.0  # a word the case never uses weighs as much as its rarest


def overlap(query: frozenset[str], index: CaseIndex) -> FloatArray:
    """Return, per telling, the idf-weighted share of the query's content words it contains (N,)."""
    weights = {w: index.idf.get(w, _UNHEARD_OF) for w in query}
    total = sum(weights.values()) or 1.0
    return np.array([sum(weights[w] for w in query & c) for c in index.content]) / max(total, 2.0)
