"""What a reply is checked against: the talk so far, what is planned, and what the patient can bear."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from turnwise.core.nouns import Belief, Intake, Transcript
from turnwise.reading.ears.questions import read_sentence
from turnwise.reading.sentences import split_sentences
from turnwise.therapists.acts import Act
from turnwise.therapists.choosing import TOO_RAW
from turnwise.therapists.ledger import normal
from turnwise.therapists.wording import last_said

__all__ = ["Draft", "Said", "Situation", "stem", "words_of"]

_HEDGE = re.compile(
    r"\b(?:maybe|perhaps|possibly|might|may (?:be|well|have|not|feel)|could (?:it )?be|could have been|"
    r"(?<!no )wonder(?:ing)?|"
    r"(?:my|just a|a) guess|i(?:'m| am) guessing|not sure (?:if|whether)|if i(?:'ve| have|'m| am)? (?:got|understand|"
    r"understood|hear|heard|follow)\w*|(?:is|have i got|did i get) that (?:right|fair|so)|correct me|tell me if|"
    r"i (?:may|could|might) be|or something else|or not|you(?:'d| would) know better|almost as if|would you say)\b",
    re.IGNORECASE,
)
"""What makes an offer of a claim. "It sounds like" and "you seem" do not: they are how a reflection is said."""
_CHECKS_BACK = re.compile(
    r"^(?:and |or |but )?(?:is|was|does|do|have|did|am|would) (?:that|this|it|i)\b[^?]{0,40}"
    r"(?:right|fair|fit|so|close|it|true|wrong|sound|understood|got)\b[^?]{0,20}\?$|^(?:am i (?:right|wrong|close)|"
    r"right)\?$",
    re.IGNORECASE,
)
_MOST_SENTENCES = 30  # a turn with more is too long anyway
_SUFFIX = re.compile(r"(?:ing|ed|(?<=[sxzo])es|(?<=[cs]h)es|s|ly|ment|ness|er|ation|ion)$")
_IRREGULAR = {
    "died": "die", "dead": "die", "death": "die", "dying": "die", "lost": "lose", "losing": "lose", "loss": "lose",
    "said": "say", "told": "tell", "went": "go", "gone": "go", "came": "come", "coming": "come", "felt": "feel",
    "thought": "think", "knew": "know", "known": "know", "got": "get", "gotten": "get", "took": "take",
    "taken": "take", "taking": "take", "gave": "give", "given": "give", "giving": "give", "left": "leave",
    "leaving": "leave", "made": "make", "making": "make", "kept": "keep", "sat": "sit", "sitting": "sit",
    "stood": "stand", "saw": "see", "seen": "see", "heard": "hear", "spoke": "speak", "spoken": "speak",
    "talk": "speak", "talked": "speak", "talking": "speak", "talks": "speak", "wrote": "write", "written": "write",
    "writing": "write", "drove": "drive", "driven": "drive", "driving": "drive", "drank": "drink", "drunk": "drink",
    "slept": "sleep", "ate": "eat", "eaten": "eat", "fell": "fall", "fallen": "fall", "held": "hold",
    "brought": "bring", "bought": "buy", "paid": "pay", "met": "meet", "meeting": "meet", "ran": "run",
    "running": "run", "cried": "cry", "crying": "cry", "cries": "cry", "tried": "try", "tries": "try", "hid": "hide",
    "grew": "grow", "grown": "grow", "broke": "break", "broken": "break", "chose": "choose", "chosen": "choose",
    "rang": "ring", "rung": "ring", "wore": "wear", "worn": "wear", "children": "child", "kids": "child",
    "kid": "child", "wives": "wife", "lives": "life", "men": "man", "women": "woman", "people": "person",
    "cutting": "cut", "putting": "put", "stopped": "stop", "stopping": "stop", "failed": "fail",
    "asks": "ask", "asked": "ask", "asking": "ask", "posted": "post",
    "breath": "breathing-out", "moved": "move", "moving": "move",
}  # fmt: skip


@lru_cache(maxsize=16_384)
def stem(word: str) -> str:
    """Return a word cut down so that its forms meet; crude on purpose.

    Examples
    --------
    >>> stem("asked") == stem("asking"), stem("lost"), stem("is")
    (True, 'los', 'is')
    """
    word = word.removesuffix("'s") or word
    word = _IRREGULAR.get(word, word)
    cut = _SUFFIX.sub("", word) if len(word) > 4 else word
    cut = cut if len(cut) >= 3 else word
    return cut[:-1] if len(cut) > 3 and cut[-1] == "e" else cut


@lru_cache(maxsize=4_096)
def words_of(text: str) -> tuple[str, ...]:
    """Return the words of ``text`` in lower case, apostrophes kept."""
    return tuple(normal(text).split())


@dataclass(frozen=True, slots=True)
class Said:
    """One sentence of the draft, with its place in the text."""

    start: int
    end: int
    text: str
    low: str
    asks: bool
    hedged: bool
    moves: frozenset[str]
    form: str


@dataclass(frozen=True)
class Draft:
    """The text that is about to be said, cut into sentences once."""

    text: str

    @cached_property
    def sentences(self) -> tuple[Said, ...]:
        """The sentences; one that is checked in the next breath ("… Is that right?") counts as hedged."""
        found: list[Said] = []
        pieces = split_sentences(self.text[:6_000])[:_MOST_SENTENCES]
        at = 0
        for i, piece in enumerate(pieces):
            at = max(self.text.find(piece, at), 0)
            low = " ".join(piece.lower().replace("’", "'").split())
            heard = read_sentence(piece)
            asks = low.rstrip("\"'”) ").endswith("?")
            checked = any(_CHECKS_BACK.match(p.replace("’", "'")) for p in pieces[i + 1 : i + 3])
            hedged = checked or _HEDGE.search(low) is not None
            found.append(Said(at, at + len(piece), piece, low, asks, hedged, heard.moves, heard.form))
            at += len(piece)
        return tuple(found)


@dataclass(frozen=True)
class Situation:
    """The talk so far and what is planned.

    Parameters
    ----------
    transcript : everything said so far; the reply would come next.
    intake : what the referral said; its words count as known.
    act : the planned act, where there is one.
    belief : the therapist's belief about the patient's stance, by hypothesis name; without it the words alone
        say whether a challenge could be borne.
    bears : intensity of challenge that can be borne now, in [0, 1], where it is known.
    prior : there were earlier sessions, so that "last time" may be true.
    """

    transcript: Transcript
    intake: Intake = field(default_factory=Intake)
    act: Act | None = None
    belief: Belief | None = None
    bears: float | None = None
    prior: bool = False

    @cached_property
    def last(self) -> str:
        """What the patient said since the therapist last spoke, with plain apostrophes."""
        return last_said(self.transcript).replace("’", "'") if self.transcript else ""

    @cached_property
    def patient(self) -> tuple[str, ...]:
        """What the patient said, turn by turn, with plain apostrophes."""
        return tuple(t.text.replace("’", "'") for t in self.transcript if t.speaker == "patient")

    @cached_property
    def therapist(self) -> tuple[str, ...]:
        """What the therapist said, turn by turn."""
        return tuple(t.text for t in self.transcript if t.speaker == "therapist")

    @cached_property
    def corpus(self) -> str:
        """All words of the patient and of the intake, normalised, padded with blanks."""
        known = (self.intake.referral, self.intake.gender or "", str(self.intake.age or ""))
        return " " + " | ".join(normal(x) for x in (*self.patient, *known)) + " "

    @cached_property
    def aired(self) -> str:
        """All words said by anybody so far, and those of the intake: what may be spoken of as known."""
        return f"{self.corpus}| {' | '.join(normal(t) for t in self.therapist)} "

    @cached_property
    def stems(self) -> frozenset[str]:
        """Stems of all words that are known from the patient or the intake."""
        return frozenset(stem(w) for w in self.corpus.split())

    @property
    def raw(self) -> bool | None:
        """Whether the belief says that a challenge comes too early; ``None`` without a belief."""
        if self.belief is None:
            return None
        p = dict(zip(self.belief.hypotheses, (float(x) for x in self.belief.p), strict=True))
        return sum(p.get(name, 0.0) for name in ("raw", "resisting", "withdrawing")) > TOO_RAW
