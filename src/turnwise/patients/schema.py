"""The shape of a case file: one YAML each, editable by a clinician without Python.

Every text is in the patient's own spoken voice except ``notes`` and ``formulation``. Unknown keys
are refused, so that a misspelt one cannot silently say nothing.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints

from turnwise.core.nouns import Intake, Moment

__all__ = [
    "ADVICE_SUBJECTS",
    "Absent",
    "CaseFile",
    "Fact",
    "FollowUp",
    "Line",
    "OwnAdvice",
    "Person",
    "Proposition",
    "Speech",
    "Telling",
    "Topic",
]

Level: TypeAlias = Literal[0, 1, 2, 3]
"""0 open, 1 half open, 2 guarded, 3 secret."""
Unit: TypeAlias = Annotated[float, Field(ge=0.0, le=1.0)]
Text: TypeAlias = Annotated[str, StringConstraints(min_length=1, strip_whitespace=True)]
Texts: TypeAlias = tuple[Text, ...]
Style: TypeAlias = Literal["plain", "reserved", "upset", "verbose", "pleasing", "tangential", "silent"]
Function: TypeAlias = Literal[
    "answer", "volunteer", "hint", "bait", "insight", "step", "evidence", "request", "goodbye"
]
ADVICE_SUBJECTS: tuple[str, ...] = (
    "sleep", "relax", "exercise", "talk_to_someone", "get_help", "work", "think_positive", "medication",
    "driving", "small_steps", "break", "people", "any",
)  # fmt: skip
AdviceSubject: TypeAlias = Literal[
    "sleep", "relax", "exercise", "talk_to_someone", "get_help", "work", "think_positive", "medication",
    "driving", "small_steps", "break", "people", "any",
]  # fmt: skip
Gain: TypeAlias = Literal["reflection", "question", "advice", "praise", "reassurance", "challenge", "repair", "silence"]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Line(_Part):
    """A line of a bank; ``needs`` names tellings that must have been said before it makes sense."""

    say: Text
    needs: tuple[str, ...] = ()


def _as_line(value: Any) -> Any:
    return {"say": value} if isinstance(value, str) else value


Lines: TypeAlias = tuple[Annotated[Line, BeforeValidator(_as_line)], ...]


class Speech(_Part):
    """How this person fills and loosens speech; ``rate`` is a multiple of what people of the same modality do.

    ``begins`` and ``agrees`` end in a comma and stand before a reply, ``within`` between commas in
    mid-sentence, ``trails`` after the last comma of one; ``acks`` are whole turns of one to three words.
    """

    rate: Annotated[float, Field(ge=0.0, le=1.5)] = 0.0
    begins: Texts = ()
    agrees: Texts = ()
    within: Texts = ()
    trails: Texts = ()
    acks: Texts = ()


class Voice(_Part):
    """How this person talks."""

    style: Style
    region: str
    modality: Literal["spoken", "typed"]
    fillers: Texts = ()
    openers: Texts = ()
    traces: Texts = ()
    swears: str = ""
    humour: str = ""
    sentence: str = ""
    never_says: Texts = ()
    speech: Speech = Speech()


class CoreBelief(_Part):
    """A belief about the self, in the person's words; ``conviction`` at the first session."""

    id: str
    family: Literal["helpless", "unlovable", "worthless"]
    text: Text
    conviction: Unit


class Risk(_Part):
    """What is true about danger to self; spoken of only when asked outright."""

    level: Literal["none", "passive", "active", "past"]
    truth: Text


class Formulation(_Part):
    """Cognitive conceptualisation, in a clinician's words."""

    core_beliefs: Annotated[tuple[CoreBelief, ...], Field(min_length=1)]
    rules: Texts
    coping: Texts
    triggers: Texts
    values: Texts
    strengths: Texts
    goals: Texts
    resistance: Literal["yes-but", "hopeless", "hostile", "intellectualising", "appeasing", "silent", "reassurance"]
    risk: Risk
    secret: str = ""


class Parameters(_Part):
    """Where the state starts, and how strongly this person takes each kind of turn (1 = as anyone)."""

    trust: Unit
    reactance: Unit
    distress: Unit
    conviction: Unit
    pace: Literal["slow", "medium", "quick"] = "medium"
    gain: dict[Gain, Annotated[float, Field(ge=0.0, le=3.0)]] = Field(default_factory=dict)


class Person(_Part):
    """Somebody the patient speaks of; ``intro`` is the telling that introduces them."""

    kind: Text
    names: Annotated[Texts, Field(min_length=1)]
    pronoun: Literal["he", "she", "they"]
    intro: str
    age: int | None = None
    lives: str = ""


class Topic(_Part):
    """A subject: the ordinary words for it, the feelings that are there and those that are not."""

    words: Annotated[Texts, Field(min_length=1)]
    emotions: Annotated[Texts, Field(min_length=1)]
    absent_emotions: Texts
    intro: str
    guard: Annotated[Texts, Field(min_length=1)]


class FollowUp(_Part):
    """What is said to a question about a telling that has just been heard ("And what did you do?")."""

    ask: Annotated[Texts, Field(min_length=1)]
    say: Text


class Telling(_Part):
    """One to four beats that answer some kinds of question; the first beat stands alone and has the point.

    ``asks`` are questions in a therapist's voice to which the first beat is a reply, worded unlike it:
    questions are matched against questions, since a question and its answer share few words. ``further``
    answers what is asked of it once it has been told; it needs no more than the first beat to make sense.
    """

    id: str
    topic: str
    level: Level
    beats: Annotated[Texts, Field(min_length=1, max_length=5)]
    answers: tuple[str, ...] = ()
    asks: Texts = ()
    function: Function = "answer"
    needs: tuple[str, ...] = ()
    leads_to: tuple[str, ...] = ()
    mentions: tuple[str, ...] = ()
    affect: str = ""
    intensity: Unit = 0.0
    moment: Moment | None = None
    wordings: Texts = ()
    escalation: Texts = ()
    disappointed: Texts = ()
    further: tuple[FollowUp, ...] = ()


class Proposition(_Part):
    """What is true about a yes/no question."""

    id: str
    ask: Annotated[Texts, Field(min_length=1)]
    answer: Literal["yes", "no", "mixed"]
    level: Level
    beats: Annotated[Texts, Field(min_length=1)]
    topic: str | None = None


class Fact(_Part):
    """A small question and its answer."""

    key: str
    ask: Annotated[Texts, Field(min_length=1)]
    say: Text
    level: Level = 0


class Absent(_Part):
    """Something people ask about that this person does not have."""

    key: Text
    say: Text


class OwnAdvice(_Part):
    """Advice that this person in particular keeps getting: the words it is known by, and what they say to it."""

    words: Annotated[Texts, Field(min_length=1)]
    say: Annotated[Lines, Field(min_length=1)]


class InsightTrack(_Part):
    """What speaks against the belief, in the patient's own life, and what may come of it, in order."""

    belief: str
    evidence: tuple[str, ...]
    insights: tuple[str, ...]
    steps: tuple[str, ...] = ()
    may_never_come: tuple[str, ...] = ()
    lost: str = ""


class Scheduled(_Part):
    """A telling that comes whatever the therapist did, between two patient turns (1-based, inclusive)."""

    telling: str
    earliest: Annotated[int, Field(ge=1)]
    latest: Annotated[int, Field(ge=1)]


class Reactions(_Part):
    """Banks of short lines, by what was heard. ``correction`` may hold ``{wrong}`` and ``{Right}``."""

    confront: Lines
    challenge: Lines
    accused: Lines
    reassured: Lines
    praised: Lines
    told_about_you: Lines
    repaired: Lines
    unanswerable: Lines
    nonsense: Lines
    silence: Lines
    correction: Lines
    leaving: Lines
    closing: Lines
    fading: Lines
    closed_well: Lines
    backchannel: Lines
    thin: Lines = ()
    why_unknown: Lines = ()
    fact_correction: Lines = ()
    closing_flat: Lines = ()
    bait_refused: Lines = ()
    bait_agreed: Lines = ()
    startled: Lines = ()
    # Where a case has no lines of its own for these, shared ones in no particular voice are spoken (banks.py).
    undecided: Lines = ()
    checks: Lines = ()
    agrees_in_part: Lines = ()
    accepts: Lines = ()
    asides: Lines = ()
    evidence_leads: Lines = ()
    told_what_you_are: Lines = ()
    unthought: Lines = ()
    like_i_said: Lines = ()
    minimal: Lines = ()
    not_mine: Lines = ()
    unknown: Lines = ()
    passed_over: Lines = ()
    defends: Lines = ()
    guarded_here: Lines = ()
    middling_here: Lines = ()
    open_here: Lines = ()


class Probe(_Part):
    """A therapist's question with the tellings that would answer it: test material, never spoken."""

    focus: str
    ask: Text
    accept: Annotated[tuple[str, ...], Field(min_length=1)]


class CaseFile(_Part):
    """A whole case. References between its parts are checked by ``lint.py``, not by the types.

    ``everyday`` : question of the shared catalogue (``everyday.yaml``) to the telling, proposition or fact that
    answers it; all its wordings are then known questions of that.
    """

    id: Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*$")]
    notes: str = ""
    intake: Intake
    voice: Voice
    formulation: Formulation
    parameters: Parameters
    people: dict[str, Person]
    topics: dict[str, Topic]
    spine: tuple[str, ...]
    schedule: tuple[Scheduled, ...] = ()
    tellings: Annotated[tuple[Telling, ...], Field(min_length=1)]
    propositions: tuple[Proposition, ...]
    facts: tuple[Fact, ...]
    everyday: dict[str, str] = Field(default_factory=dict)
    absent: tuple[Absent, ...]
    insight_track: InsightTrack
    advice_replies: dict[AdviceSubject, Lines]
    own_advice: dict[str, OwnAdvice] = Field(default_factory=dict)
    reactions: Reactions
    probes: tuple[Probe, ...]
