"""What could answer the question that was heard: one ranking of everything the case can say, before any gate."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

import numpy as np

from turnwise.core.nouns import FloatArray
from turnwise.patients.index import CaseIndex
from turnwise.patients.listening import FOR_EVIDENCE, Taken
from turnwise.patients.memory import Memory
from turnwise.patients.ranking import FEATURES_OF, Query, blocks, load_ranker
from turnwise.patients.wanted import wanted
from turnwise.patients.words import content_words
from turnwise.reading.ears.intents import INTENTS, plain

__all__ = ["Candidates", "candidates"]

_NEVER = -99.0
_OVERLAP, _CONTENT = (FEATURES_OF["telling"].index(name) for name in ("overlap", "content"))
_UNHEARD, _UNCOVERED = (FEATURES_OF["proposition"].index(name) for name in ("unheard_of", "uncovered"))
_FACT_UNCOVERED = FEATURES_OF["fact"].index("uncovered")
_ASKS_NAME = re.compile(r"what(?:'s| is| was| are|s)? (?:\w+(?:'s)? ){0,3}(?:names?|called)$")
_ASKS_WHO = re.compile(r"who(?:'s| is| was)\b")
_EVIDENCE = FOR_EVIDENCE | {"scale"}


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """What could answer the question: independent of the state.

    Attributes
    ----------
    fact, fact_key, fact_level : the small fact that answers it, else empty.
    absent : the line for something asked for that is not there, else empty.
    proposition : position of the proposition that answers it, else -1.
    scores : (tellings,) log-probability that each is the answer.
    known : whether some telling is a likelier answer than none at all.
    covers : (tellings,) how much of the question's content each holds, in its words or in a known question.
    yes_no : whether its form wants a yes or a no.
    top : the three likeliest options with their log-probabilities.
    nothing : log-probability that nothing in the case answers it.
    block : (columns of ``ranking.FEATURES_OF["telling"]``, tellings) what the ranker looked at of each.
    """

    fact: str = ""
    fact_key: str = ""
    fact_level: int = 0
    absent: str = ""
    proposition: int = -1
    scores: FloatArray | None = None
    covers: FloatArray | None = None
    known: bool = False
    yes_no: bool = False
    top: tuple[tuple[str, float], ...] = ()
    nothing: float = 0.0
    block: FloatArray | None = None

    def score_of(self, name: str) -> float:
        """Return the log-probability of one of the three likeliest options; of any other, that of next to nothing."""
        return dict(self.top).get(name, _NEVER)

    @property
    def answerable(self) -> bool:
        """Whether anything at all fits."""
        return bool(self.fact or self.absent) or self.proposition >= 0 or self.known


def candidates(index: CaseIndex, memory: Memory, taken: Taken) -> Candidates:
    """Rank tellings, propositions, facts, absences and silence as answers to the question."""
    q, s = taken.query, taken.question
    if q is None or s is None:
        return Candidates()
    risk = q.reading.intent == "risk"
    evidence = any(INTENTS[i] in _EVIDENCE for i in q.reading.patterns)
    yes_no = (q.closed and not evidence) or (s.form == "disguised" and not q.reading.patterns)
    found = blocks(index, q)
    tellings, propositions, facts, *_ = found
    score = load_ranker().scores_of(found)
    n_t, n_p, n_f = len(index.order), len(index.propositions), len(index.facts)
    if q.closed:
        # A fact that begins with a yes or a no answers another yes/no question unless every word is covered.
        bars = index.fact_begins_yes_no & (facts[_FACT_UNCOVERED] > 0)
        score[n_t + n_p : n_t + n_p + n_f][bars] = _NEVER
    if not risk:
        score[:n_t][index.is_risky] = _NEVER
        score[[n_t + i for i in index.risk_props]] = _NEVER
    best = int(score.argmax())
    fact = best - n_t - n_p if n_t + n_p <= best < n_t + n_p + n_f and not risk else -1
    if fact < 0 and best < n_t and not (risk or q.closed):
        fact = _word_for_word(index).get(q.reading.text, -1)
        fact = fact if fact >= 0 else _nearly(index, q, score[n_t + n_p : n_t + n_p + n_f], float(score[best]))
    which = index.facts[fact] if fact >= 0 else None
    name = _name_of(index, q)
    if which is not None and name and not q.people & index.people_in(which.say):
        which = None  # "What's her name?" is not answered by her husband's
    proposition = _proposition(index, q, score, propositions) if yes_no or risk else -1
    if proposition >= 0 and not risk and not _of_whom_is_asked(index, memory, taken, q, proposition):
        proposition = -1
    absent = best - n_t - n_p - n_f
    return Candidates(
        fact=which.say if which else name or _who_is(index, memory, q),
        fact_key=which.key if which else "",
        fact_level=which.level if which else 0,
        absent=index.file.absent[absent].say if 0 <= absent < len(index.file.absent) and not risk else "",
        proposition=proposition,
        scores=score[:n_t],
        covers=np.maximum(tellings[_OVERLAP], tellings[_CONTENT]),
        known=float(score[:n_t].max(initial=_NEVER)) >= float(score[-1]),
        yes_no=yes_no,
        top=tuple((index.options[i], float(score[i])) for i in _likeliest(score)),
        nothing=float(score[-1]),
        block=tellings,
    )


@cache
def _word_for_word(index: CaseIndex) -> dict[str, int]:
    """Return for every known question of a small fact which fact that is: asked in just these words, it is meant."""
    return {plain(a): i for i, fact in enumerate(index.facts) for a in fact.ask}


def _nearly(index: CaseIndex, q: Query, facts: FloatArray, best: float) -> int:
    """Return the small fact that is nearly as likely as the likeliest story and is asked for in that way, or -1.

    "Who do you live with?": a story with somebody in it is no answer beside one that says who.
    """
    kind = wanted(q.text)
    at = int(facts.argmax()) if len(facts) else -1
    if at < 0 or kind is None or facts[at] < best - _CLOSE:
        return -1
    return at if any(wanted(a) == kind for a in index.facts[at].ask) else -1


_CLOSE = 0.7  # of log-probability


def _of_whom_is_asked(index: CaseIndex, memory: Memory, taken: Taken, q: Query, which: int) -> bool:
    """Whether an answer that says "she" speaks of somebody who was asked about or has just been spoken of."""
    say = " ".join(index.propositions[which].beats)
    people = index.of_propositions[which]
    if not people or not _SOMEBODY.search(say) or index.people_in(say):
        return True
    return bool(people & (q.people or index.people_in(" ".join((taken.text, *memory.lines[-3:])))))


_SOMEBODY = re.compile(r"\b(?:she|he|they)\b", re.IGNORECASE)


def _likeliest(score: FloatArray) -> list[int]:
    """Return the three likeliest options, the first first; a case has many more."""
    left, found = score.copy(), []
    for _ in range(min(3, len(score))):
        found.append(int(left.argmax()))
        left[found[-1]] = -np.inf
    return found


def _proposition(index: CaseIndex, q: Query, score: FloatArray, rows: FloatArray) -> int:
    """Return the proposition that answers a yes/no question, or -1 where none is sure enough.

    An unmatched yes/no question is never answered yes or no, so being the likeliest is not enough.
    """
    n_t, n_p, best = len(index.order), len(index.propositions), int(score.argmax())
    if q.reading.intent == "risk":
        known = list(index.risk_props)
        return max(known, key=lambda i: float(score[n_t + i])) if known else -1
    if not n_t <= best < n_t + n_p:
        return -1
    uncovered, unheard = rows[[_UNCOVERED, _UNHEARD], best - n_t].tolist()
    return best - n_t if load_ranker().may_answer(float(np.exp(score[best])), uncovered, unheard) else -1


def _name_of(index: CaseIndex, q: Query) -> str:
    """Answer "what is your sister's name?"."""
    if len(q.people) != 1 or not _ASKS_NAME.match(q.reading.text):
        return ""
    return _display_name(index, min(q.people)) + "."


def _who_is(index: CaseIndex, memory: Memory, q: Query) -> str:
    """Answer "who is Curtis?" once more, when the telling that introduced them has been told."""
    if len(q.people) != 1 or not _ASKS_WHO.match(q.reading.text):
        return ""
    person = index.file.people[min(q.people)]
    if content_words(q.text) - content_words(" ".join((*person.names, person.kind))):
        return ""  # "Who's at home with you and Iona?" does not ask who Iona is
    if person.kind in q.reading.text:
        return _display_name(index, min(q.people)) + "."  # "Who is your supervisor?" is not asked for "My supervisor."
    return f"My {person.kind}." if person.intro in memory.said and " " not in person.kind else ""


def _display_name(index: CaseIndex, person: str) -> str:
    names = index.file.people[person].names
    name = next((n for n in names if not n.startswith(("my ", "the "))), names[0])
    return " ".join(w[:1].upper() + w[1:] for w in name.split())
