"""How this patient takes what it heard: the case and the talk so far decide what fits and what is odd."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from turnwise.core.nouns import Transcript
from turnwise.patients.dynamics import Impact
from turnwise.patients.index import CaseIndex
from turnwise.patients.memory import Memory
from turnwise.patients.on_the_table import LATELY, on_a_thought, quotes
from turnwise.patients.parting import parted
from turnwise.patients.ranking import Query
from turnwise.patients.words import content_words, word_set
from turnwise.reading.ears.hearing import Hearing
from turnwise.reading.ears.intents import as_risk, read_intent
from turnwise.reading.ears.questions import EMOTIONS, Heard, Sentence, asserted_emotions
from turnwise.reading.features import lookup_of
from turnwise.reading.sentences import split_sentences

__all__ = ["FOR_EVIDENCE", "Taken", "ask", "impact_of", "take"]

_ANAPHORA = re.compile(r"\b(?:that|this|it|then|he|she|they|him|her|them|there|those|these)\b")
_THOUGHTS = re.compile(r"\b(?:thoughts?|feelings?|like that|it|that|those|act on|plans?|stops? you|wish)\b")
_ITSELF = re.compile(
    r"\b(?:thoughts?|feelings?|act on|plans?|stops? you|wish)\b|"
    r"^(?:and )?(?:how (?:often|long|close|near|strong)|when)\b"
)
"""Asks about the danger itself, and not what is made of it, who could be told, or how it feels to say it."""
_MEANT = re.compile(r"\bi (?:was asking|meant|mean|am asking|was talking) (?:about |of )?([^.?!]+)", re.IGNORECASE)
"""What a therapist says was meant, after an answer about something else."""
_APART = re.compile(r"\b(?:other than|apart from|besides|except(?: for)?|aside from)(?: your)? [\w'-]+", re.IGNORECASE)
_QUOTED = re.compile(r"[\"“][^\"”]+[\"”]")
_PRONOUN = re.compile(r"\b(he|him|his|she|her|they|them)\b")
_GENDER = {"he": "he", "him": "he", "his": "he", "she": "she", "her": "she", "they": "they", "them": "they"}
_LIKE = {
    "afraid": ("tense",),
    "sad": ("hurt", "lonely", "hopeless"),
    "ashamed": ("guilty",),
    "tired": ("numb", "hopeless"),
}
_LAST_LINES = 6
"""Lines of its own that the last turn may have had."""
_GENERIC = ("more", "clarify", "then")
_DISAGREES = re.compile(
    r"\b(?:i (?:don't|do not|can't|wouldn't|won't) (?:think|see|agree|say|believe)|"
    r"i see it differently|no,|not sure i agree)\b"
)


FOR_EVIDENCE = frozenset(("evidence_against", "friend", "alternative"))
"""Intents that ask for what speaks against a thought, or how else it could be seen."""


@dataclass(frozen=True, slots=True, eq=False)
class Taken:
    """A therapist's turn with everything the planner asks about it."""

    heard: Heard
    text: str
    query: Query | None
    question: Sentence | None
    copied: bool
    reflected: bool
    fits: float
    wrong: str
    feelings: tuple[str, ...]
    repeated: bool
    disagrees: bool
    on_thought: bool = False
    """Whether it has a thought of theirs to be about: one just told, or one that it names."""

    @property
    def informs(self) -> bool:
        """Whether it says something of substance besides giving back and asking."""
        plain = [s for s in self.heard.sentences if s.form == "none" and not s.moves & {"reflect", "self", "repair"}]
        return sum(len(s.text.split()) for s in plain) >= 12

    @property
    def ends_in_advice(self) -> bool:
        """Whether advice is the last thing of substance in it, whatever was given back before."""
        made = [s.moves for s in self.heard.sentences if s.moves & {"advice", "reflect"}]
        return bool(made) and "advice" in made[-1]

    @property
    def kind(self) -> str:
        """What kind of turn it is, in the terms that the lengths of human answers are known by."""
        if self.question is not None:
            return "open" if self.question.open else "closed"
        if self.heard.does("advice"):
            return "advice"
        if self.reflected:
            return "reflection"
        return "input" if self.heard.p_input > 0.5 else "other"

    @property
    def for_evidence(self) -> bool:
        """Whether it asks for what speaks against the thought, or how else it could be seen."""
        return self.query is not None and self.query.reading.has(*FOR_EVIDENCE)

    @property
    def pushes(self) -> bool:
        """Whether it presses: advice, challenge, counter-claim, accusation."""
        return self.heard.does("advice", "challenge", "counter", "accuse")


def _families(words: Sequence[str]) -> set[str]:
    found = {EMOTIONS.get(w.lower(), w.lower()) for w in words}
    return found | {k for f in found for k in _LIKE.get(f, ())} if found else found


def _said_by(transcript: Transcript, who: str, n: int) -> list[str]:
    """Return the last ``n`` turns of a speaker: speakers mostly alternate, so most of a session is not looked at."""
    found: list[str] = []
    for turn in reversed(transcript):
        if turn.speaker == who:
            found.append(turn.text)
            if len(found) == n:
                break
    return found[::-1]


def take(index: CaseIndex, memory: Memory, transcript: Transcript, hearing: Hearing, heard: Heard) -> Taken:
    """Return the last turn as this patient takes it."""
    text = transcript[-1].text
    mine = _said_by(transcript, "patient", 4)
    reflecting = heard.making("reflect")
    copied, fits = _fit(reflecting or heard.sentences, mine, bool(reflecting))
    true, absent = _feelings_so(index, memory, mine)
    feelings = tuple(e for s in (reflecting or heard.sentences) for e in s.emotions if s.form != "yes_no")
    families = {e: EMOTIONS[e] for e in feelings}
    wrong = next((e for e, f in families.items() if f in absent and f not in true), "")
    if feelings and not wrong and any(f in true for f in families.values()):
        fits = max(fits, 1.0)
    question = _choose(heard)
    return Taken(
        heard=heard,
        text=text,
        query=ask(index, memory, question, _recent(transcript)) if question else None,
        question=question,
        copied=copied,
        reflected=bool(reflecting) or (copied and not heard.questions),
        fits=fits,
        wrong=wrong,
        feelings=feelings,
        repeated=_repeats(text, _said_by(transcript[:-1], "therapist", 8)),
        disagrees=bool(_DISAGREES.search(text.lower())) or heard.does("counter"),
        on_thought=on_a_thought(index, memory, text),
    )


def _choose(heard: Heard) -> Sentence | None:
    """Pick the one question to answer: an explicit risk question, else the most answerable, ties to the last."""
    asked = [
        s for s in heard.sentences if s.asks and s.intent is not None and "advice" not in s.moves and s.form != "check"
    ]
    if not asked:
        return None
    for s in asked:
        if s.intent and s.intent.intent == "risk":
            return s

    parts = parted(asked)
    if len(parts) > len(asked) and len(asked) == 1:
        return parts[-1]
    asked = parts
    holds = [bool(content_words(s.text)) for s in asked]

    def value(i: int) -> float:
        s = asked[i]
        known = s.intent.similarity if s.intent else 0.0
        # "Tell me about the person who supervises you. Who is that?" is one question, and the first part says which.
        leans = 0.5 if s.form == "ellipsis" else 0.3 if any(holds) and not holds[i] else 0.0
        return known + 0.02 * i - leans

    return asked[max(range(len(asked)), key=value)]


def ask(index: CaseIndex, memory: Memory, question: Sentence, recent: Sequence[str]) -> Query:
    """Return the question in its conversation; ``recent`` are the last turns, newest first."""
    turn = recent[0] if recent else question.text
    said = _without_name(index, question.text)
    reading = question.intent if question.intent and said == question.text else read_intent(said)
    if _goes_on_about_risk(index, memory, question, turn):
        reading = as_risk(reading)
    # The patient's own words, quoted back, name no new subject.
    text = _QUOTED.sub(" ", said)
    people = set(index.people_in(_APART.sub(" ", text)))
    named = index.topics_in(text)
    if not people and not named and text == said:
        # "So the letter has been behind the clock. What's that about?": the turn names it.
        meant = _MEANT.search(turn)
        turn = meant.group(1) if meant else turn
        people, named = (
            set(index.people_in(turn)),
            index.topics_in(turn) if _ANAPHORA.search(question.plain) or meant else (),
        )
    gender = _PRONOUN.search(question.plain)
    if gender and not index.people_in(question.text):
        people |= _meant(index, memory, _GENDER[gender.group(1)], recent)
    return Query(reading, text, question.form, frozenset(memory.focus), memory.topic or None, named, frozenset(people))


def _without_name(index: CaseIndex, text: str) -> str:
    """Return the question without the patient's own name, which says nothing of what is asked."""
    name = index.file.id
    if text.isascii() and name not in text.lower():
        return _of_two_words(text.strip(), text)
    shorter = re.sub(rf",?\s*\b{re.escape(name)}\b,?", "", text, flags=re.IGNORECASE).strip()
    return _of_two_words(shorter, text)


def _of_two_words(shorter: str, text: str) -> str:
    return shorter if len(shorter.split()) >= 2 else text


def _goes_on_about_risk(index: CaseIndex, memory: Memory, question: Sentence, turn: str) -> bool:
    """Whether a question without a subject of its own follows what was just said about danger to self.

    By the patient, or in the same turn: "The last one is about thoughts of not wanting to be here. Have you had any
    like that?".
    """
    net = _THOUGHTS if question.form in _FOR_A_YES else _ITSELF
    if not net.search(question.plain) or _PRONOUN.search(question.plain):
        return False
    if not _ITSELF.search(question.plain) and not content_words(question.plain) <= _words_of_danger(index):
        return False  # "Hasn't it been a long time that it all runs through you?" only says "it"
    last = memory.said[-1] if memory.said else ""
    spoken_of = last in index.risky or last in {index.propositions[i].id for i in index.risk_props}
    if not spoken_of and not (_OF_DEATH.search(turn) and _asks_of_risk(turn, question)):
        return False
    # "Do you have a plan?" is asked of that, also where there is a plan of another kind to talk of.
    return not (index.topics_in(net.sub(" ", question.plain)) or index.people_in(question.text))


@cache
def _words_of_danger(index: CaseIndex) -> frozenset[str]:
    told = (a for name in index.risky for a in index.tellings[name].asks)
    return content_words(" ".join((*told, *(a for i in index.risk_props for a in index.propositions[i].ask))))


def _asks_of_risk(turn: str, question: Sentence) -> bool:
    """Whether something else in the turn names danger to self as a risk question does."""
    others = (x for x in split_sentences(turn) if x.strip() != question.text.strip())
    return any(read_intent(x).intent == "risk" for x in others)


_FOR_A_YES = ("yes_no", "declarative", "alternative", "disguised")
_OF_DEATH = re.compile(
    r"\b(?:d(?:ie|ead|eath|ying)|kill\w*|suicid\w*|end(?:ing)? (?:it|your life)|harm\w*|hurt(?:ing)? yourself|"
    r"be(?:ing)? (?:here|alive)|go(?:ing)? on)\b",
    re.IGNORECASE,
)
"""Words without which no sentence names danger to self; looked for first, since reading an intent takes time."""


def _recent(transcript: Transcript) -> list[str]:
    return [turn.text for turn in reversed(transcript[-5:])]


def _meant(index: CaseIndex, memory: Memory, pronoun: str, recent: Sequence[str]) -> set[str]:
    """Resolve he / she / they to the person most lately spoken of."""
    for words in recent:
        found = {p for p in index.people_in(words) if index.file.people[p].pronoun == pronoun}
        found |= _kin_in(index, words, pronoun)
        if found:
            return found if len(found) == 1 else set()
    last = index.tellings.get(memory.last)
    return {p for p in (last.mentions if last else ()) if index.file.people[p].pronoun == pronoun}


def _kin_in(index: CaseIndex, words: str, pronoun: str) -> set[str]:
    """Return whom a bare word of kin means ("One daughter."), or of marriage: the wife, the husband."""
    said = word_set(words)
    if said & _OF_MARRIAGE:
        said = said | _SPOUSES
    if said & _SMALL:
        said = said | _CHILDREN
    return {p for p, x in index.file.people.items() if x.pronoun == pronoun and x.kind in said}


_OF_MARRIAGE = frozenset(("marriage", "married", "wedding"))
_SMALL = frozenset(("baby", "newborn"))
_CHILDREN = frozenset(("daughter", "son"))
_SPOUSES = frozenset(("wife", "husband", "late wife", "late husband"))


def _fit(sentences: Sequence[Sentence], mine: Sequence[str], is_reflection: bool) -> tuple[bool, float]:
    """Return whether the words are a near copy of the patient's, and how well they fit (0 to 1)."""
    if not mine or not sentences:
        return False, 0.0
    given = " ".join(s.text for s in sentences)
    new, last = content_words(given), content_words(mine[-1])
    bag, own = word_set(given), word_set(mine[-1])
    shared = len(new & last) / max(1, len(new))
    copied = (
        len(new) >= 2 and shared >= 0.8 and (len(new & last) >= 0.6 * len(last) or len(bag & own) >= 0.85 * len(bag))
    )
    if not is_reflection:
        return copied and bool(new) and not any(s.asks for s in sentences), 0.0
    vector = lookup_of([given, *mine])
    near = float((np.array([vector(m) for m in mine]) @ vector(given)).max())
    earlier = frozenset().union(*(content_words(m) for m in mine))
    fits = max((near - 0.25) / 0.3, 1.2 * len(new & earlier) / max(3, len(new)))
    return copied, min(0.5 if shared >= 0.8 else 0.9, max(0.0, fits))


def _feelings_so(index: CaseIndex, memory: Memory, mine: Sequence[str]) -> tuple[set[str], set[str]]:
    topics = [index.file.topics[t] for t in dict.fromkeys((memory.topic, *memory.focus)) if t in index.file.topics]
    last = index.tellings.get(memory.last)
    true = {e for t in topics for e in t.emotions} | {e for m in mine for e in asserted_emotions(m)}
    if last and last.affect:
        true.add(last.affect)
    absent = {e for t in topics[:1] for e in t.absent_emotions} | {"happy"}
    return _families(sorted(true)), {EMOTIONS.get(e, e) for e in absent}


def _repeats(text: str, earlier: Sequence[str]) -> bool:
    words = word_set(text)
    if not words:
        return False
    for other in map(word_set, earlier):
        shared = len(words & other)
        if shared >= 0.8 * (len(words) + len(other) - shared):
            return True
    return False


def impact_of(index: CaseIndex, memory: Memory, taken: Taken, odd: bool) -> Impact:
    """Return what the turn does to the state."""
    h = taken.heard
    asked = h.questions
    reading = taken.query.reading if taken.query else None
    challenge = 0.9 if h.does("challenge") else 0.2 if taken.for_evidence else 0.0
    requested = memory.moment == "request"
    gives = h.does("advice", "permission", "identity", "normalise") or taken.informs
    advice = 0.0
    if h.does("advice"):
        advice = min(1.0, 0.6 + 0.4 * h.p_input) * (0.5 if h.does("permission") else 1.0)
    elif requested and gives:
        advice = 0.7
    own = sum(len(s.text.split()) for s in h.making("self") if "repair" not in s.moves)
    last = index.tellings.get(memory.last)
    return Impact(
        reflection=max(0.5 + 0.5 * h.p_reflection, 0.6) if taken.reflected else 0.0,
        accuracy=taken.fits,
        names_feeling=bool(taken.feelings) and not taken.wrong and taken.fits >= 1.0,
        wrong_feeling=bool(taken.wrong),
        copy=taken.copied and not taken.feelings,
        open_question=bool(taken.question and taken.question.open),
        tied=_tied(index, memory, taken),
        questions=len(asked),
        words=h.n_words,
        advice=advice,
        invited=requested,
        refused_help=requested and not gives,
        raw=memory.intensity if last and last.affect else 0.0,
        challenge=challenge,
        counters=h.does("counter"),
        agrees_harmful=h.does("agree") and memory.moment in ("bait", "distortion") and not taken.disagrees,
        evidence_question=taken.on_thought and (taken.for_evidence or _puts_together(index, memory, taken)),
        newly_seen=memory.moment == "insight",
        quotes=quotes(taken.text, memory.lines[-_LAST_LINES:]),
        reassures=h.does("reassure"),
        praises=h.does("praise"),
        normalises=h.does("normalise"),
        self_words=own if not h.does("greet") else 0,
        repairs=h.does("repair"),
        # "What am I missing?" is a question in form and a step back in function.
        yields=h.does("yield") or (reading is not None and reading.has("missed")),
        accuses=h.does("accuse"),
        odd=odd or (h.nonsense and memory.nonsense > 0),
        repeated=taken.repeated,
        silence=h.silence,
        minimal=bool(h.sentences) and all("minimal" in s.moves for s in h.sentences),
    )


def _puts_together(index: CaseIndex, memory: Memory, taken: Taken) -> bool:
    """Whether it asks what is made of what was just found that does not fit: Padesky's synthesising question (1993)."""
    lately = (index.tellings[name] for name in memory.said[-LATELY:] if name in index.tellings)
    found = any(t.function == "evidence" for t in lately)
    return found and taken.query is not None and taken.query.reading.has("thought", "belief", "means_about_you")


def _tied(index: CaseIndex, memory: Memory, taken: Taken) -> bool:
    q = taken.query
    if q is None or not memory.lines:
        return False
    if set(q.named) & set(memory.focus) or q.people & set(memory.known):
        return True
    asked = content_words(q.text)
    return any(asked & content_words(line) for line in memory.lines[-8:]) or (
        bool(_ANAPHORA.search(q.reading.text)) and q.reading.similarity > 0.5
    )
