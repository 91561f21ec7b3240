"""Match a question with facts, absences, propositions and tellings, whatever the state allows."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from turnwise.core.nouns import FloatArray
from turnwise.patients.index import CaseIndex, content_words
from turnwise.patients.listening import Taken
from turnwise.patients.memory import Memory
from turnwise.patients.ranking import FEATURES, WEIGHTS, Query, features
from turnwise.reading.ears.intents import INTENTS

__all__ = ["Candidates", "candidates"]

_FACT, _PROPOSITION, _DECLARATIVE = 0.74, 0.62, 0.74
_UNCOVERED = 0.3
_ELSEWHERE = 3.0
_TIME = re.compile(
    r"\b(?:\d+|years?|months?|weeks?|since|ago|semester|spring|summer|autumn|winter|easter|christmas|yesterday|always|\w+teen|\w+day|"
    r"january|february|march|april|may|june|july|august|september|october|november|december|nine|ten|twenty|thirty)\b",
    re.IGNORECASE,
)
_NO_FACT = ("more", "means_about_you", "what_is_x_like", "feel", "why", "thought", "hardest", "fear", "what_happened")
_EVIDENCE = ("friend", "evidence_against", "alternative", "scale")


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """What could answer the question, before any gate: independent of the state."""

    fact: str = ""
    fact_key: str = ""
    fact_level: int = 0
    absent: str = ""
    proposition: int = -1
    scores: FloatArray | None = None
    matrix: FloatArray | None = None
    known: float = 0.0
    yes_no: bool = False

    @property
    def answerable(self) -> bool:
        """Whether anything at all fits."""
        return bool(self.fact or self.absent) or self.proposition >= 0 or self.known >= 1.0


def candidates(index: CaseIndex, memory: Memory, taken: Taken) -> Candidates:
    """Match the question with facts, absences, propositions and tellings."""
    q, s = taken.query, taken.question
    if q is None or s is None:
        return Candidates()
    words = content_words(q.text)
    v = q.reading.vector
    risk = q.reading.intent == "risk"
    evidence = any(INTENTS[i] in _EVIDENCE for i in q.reading.patterns)
    closed = s.form in ("yes_no", "declarative", "alternative") and not evidence
    yes_no = closed or (s.form == "disguised" and not q.reading.patterns)
    fact = -1
    if not (risk or q.reading.has(*_NO_FACT)):
        nearness = np.where([_same_kind(q.reading.text, k) for k in index.fact_kinds], index.fact_vectors @ v, 0.0)
        fact = _best(_f64(nearness), index.fact_words, words, _FACT, strict=True)
    matrix = features(index, q)
    scores = matrix @ WEIGHTS + _type_gate(index, q) - _ELSEWHERE * _beside_the_point(matrix)
    if not risk:
        scores[[i for i, t in enumerate(index.order) if t in index.risky]] = -99.0
    known = _known(index, q, matrix[int(scores.argmax())])
    proposition = -1
    if yes_no or risk:
        floor = 0.3 if risk else _DECLARATIVE if s.form == "declarative" else _PROPOSITION
        at = _best(_f64(index.prop_vectors @ v), index.prop_words, words, floor)
        proposition = int(index.prop_owner[at]) if at >= 0 else -1
        if risk and proposition not in index.risk_props:
            proposition = next(iter(index.risk_props), -1)
    which = index.facts[int(index.fact_owner[fact])] if fact >= 0 else None
    return Candidates(
        fact=which.say if which else _name_of(index, q) or _who_is(index, memory, q),
        fact_key=which.key if which else "",
        fact_level=which.level if which else 0,
        absent="" if which or risk or proposition >= 0 else _absent(index, q.text),
        proposition=proposition,
        scores=scores,
        matrix=matrix,
        known=known,
        yes_no=yes_no,
    )


def _beside_the_point(matrix: FloatArray) -> FloatArray:
    """Tellings of another subject than the one that was named, which do not share its words either."""
    other, overlap = FEATURES.index("other_topic"), FEATURES.index("overlap")
    return ((matrix[:, other] > 0) & (matrix[:, overlap] < 0.3)).astype(np.float64)


def _f64(x: object) -> FloatArray:
    return np.asarray(x, dtype=np.float64)


def _name_of(index: CaseIndex, q: Query) -> str:
    """Answer "what is your sister's name?"."""
    asked = re.search(r"\b(?:name|called)\b", q.text.lower()) and re.match(r"what", q.reading.text)
    people = sorted(q.people)
    return _display_name(index, people[0]) + "." if asked and len(people) == 1 else ""


def _who_is(index: CaseIndex, memory: Memory, q: Query) -> str:
    """Answer "who is Curtis?" once more, when the telling that introduced them has been told."""
    if not re.match(r"who(?:'s| is| was)\b", q.reading.text) or len(q.people) != 1:
        return ""
    person = index.file.people[min(q.people)]
    return f"My {person.kind}." if person.intro in memory.said and " " not in person.kind else ""


def _display_name(index: CaseIndex, person: str) -> str:
    names = index.file.people[person].names
    name = next((n for n in names if not n.startswith(("my ", "the "))), names[0])
    return " ".join(w[:1].upper() + w[1:] for w in name.split())


def _best(
    cosines: FloatArray, asks: tuple[frozenset[str], ...], words: frozenset[str], floor: float, strict: bool = False
) -> int:
    """Return the ask nearest to the question after the penalty for content it does not cover, or -1."""
    order = np.argsort(-cosines)[:6]
    best, at = floor, -1
    for i in order:
        # Without a shared word of content, only a near repetition of the question counts.
        if not words & asks[i] and cosines[i] < (0.9 if not words else 0.95):
            continue
        if strict and asks[i] - words and cosines[i] < 0.93:
            continue  # "how is she" is not "how old is she"
        uncovered = len(words - asks[i]) / max(1, len(words)) + len(asks[i] - words) / max(1, len(asks[i]))
        value = float(cosines[i]) - _UNCOVERED * uncovered
        if value >= best:
            best, at = value, int(i)
    return at


def _same_kind(text: str, kind: str) -> bool:
    """Whether two questions begin with the same question word (a *when* is no *where*)."""
    own = text.partition(" ")[0]
    return own == kind or not {own, kind} & _WH_WORDS


_WH_WORDS = frozenset("when where who why how".split())
_ASKS_FOR = re.compile(r"\b(?:your|any|a|do you have|have you got|is there|got)\b")


def _absent(index: CaseIndex, text: str) -> str:
    low = text.lower()
    if not _ASKS_FOR.search(low):
        return ""
    return next(
        (
            a.say
            for a in index.file.absent
            if re.search(rf"\b(?:your|a|an|any|have) {re.escape(a.key.lower())}s?\b", low)
        ),
        "",
    )


def _type_gate(index: CaseIndex, q: Query) -> FloatArray:
    """Penalise tellings that cannot answer this kind of question: *when* needs a time, *who* a person."""
    plain = q.reading.text
    if re.match(r"(?:since )?(?:when (?:did|was|were|is|are)|how (?:long|often))\b", plain):
        fits = [bool(_TIME.search(" ".join(index.tellings[t].beats[:2]))) for t in index.order]
    elif re.match(r"(?:and )?who\b", plain):
        fits = [
            bool(index.tellings[t].mentions)
            or "who" in index.tellings[t].answers
            or "support" in index.tellings[t].answers
            for t in index.order
        ]
    elif "scale" in {INTENTS[i] for i in q.reading.patterns}:
        fits = ["scale" in index.tellings[t].answers for t in index.order]
    else:
        return np.zeros(len(index.order))
    return np.where(fits, 0.0, -3.0)


def _known(index: CaseIndex, q: Query, f: FloatArray) -> float:
    """Return how far the best telling, with features ``f``, is an answer at all (1 and above: yes)."""
    intent, gap, overlap, named, person = f[2], f[3], f[12], f[10], f[13]
    if intent >= 0.85 and gap > -0.05:
        return 1.5 if q.focus or named or person or not _odd_content(index, q) else 0.6
    if overlap >= 0.45 and (named or person or f[8]):
        return 1.2
    if intent >= 0.6 and gap > -0.12 and (named or person or f[8] or overlap > 0.2):
        return 1.1
    return float(min(0.95, overlap + 0.5 * intent))


def _odd_content(index: CaseIndex, q: Query) -> bool:
    words = content_words(q.text)
    return bool(words) and not any(w in index.idf for w in words)
