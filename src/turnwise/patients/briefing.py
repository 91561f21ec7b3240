"""What a language model is told that words a patient: the decision of this turn and a manner, never the case.

Nothing that has not been said, or is not being said now, stands in an instruction: what a model does not know it
cannot let out, whatever a therapist asks of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from turnwise.patients.dynamics import openness
from turnwise.patients.index import CaseIndex
from turnwise.patients.mind import Mind
from turnwise.patients.schema import Telling
from turnwise.patients.speech import habits

__all__ = ["PROMPT", "SAY", "Brief", "band", "instruction", "manner", "said_now"]

SAY = ("<<<", ">>>")
"""Marks between which an instruction holds what is to be said."""

PROMPT = """\
You word what one person says in a counselling session. You are that person, never the counsellor. What is said in this
turn has been decided; how it is said is yours.

The person: {person}
How they talk: {voice}
{sample}Now they are {manner}.

What they say in this turn, all of it and nothing besides:
{open}
{words}
{close}

Word it afresh as this person would say it in answer to the counsellor's last turn, in {low} to {high} words. Keep every
thing, name and number in it. Add no fact, event, name, number or reason. Ask nothing that is not asked in it. No
thanks, agreement, insight, relief or resolve that is not in it. No advice, and nothing a counsellor would say. Only the
words that are spoken: no quotation marks, brackets, headings or notes."""

_SHORTEST, _LONGEST = 0.6, 1.5
_SLACK = 5
"""Words by which a reply may always be longer: nobody counts on their fingers."""
_SAMPLE = 4
_SAMPLE_WORDS = 6


@dataclass(frozen=True, slots=True)
class Brief:
    """What one turn is worded from.

    Attributes
    ----------
    words : the author's wording of all that is to be said.
    manner : how the patient is, in words.
    low, high : fewest and most words.
    own : what the patient said before, turn by turn: the sample of the voice.
    """

    words: str
    manner: str
    low: int
    high: int
    own: tuple[str, ...] = ()


def band(words: str, modality: str) -> tuple[int, int]:
    """Return the fewest and most words of a reply.

    The author's wording already has the length that was drawn from people's (``human_speech.json``, by what the
    therapist did); a draft keeps near it, and never leaves what 95 % of people say.

    Examples
    --------
    >>> band("She rang the doctor and the doctor rang you, I suppose.", "spoken")
    (6, 21)
    """
    n = len(words.split())
    longest = max(habits(modality).length(kind, 0.95) for kind in habits(modality).words)
    return max(1, int(_SHORTEST * n)), max(n, min(int(_LONGEST * n) + _SLACK, int(longest)))


_STYLES = {
    "reserved": "says little and gives nothing away",
    "silent": "says next to nothing",
    "plain": "plain",
    "upset": "easily upset",
    "pleasing": "anxious to please",
    "tangential": "wanders off",
    "verbose": "talks a lot",
}


def manner(mind: Mind, told: Telling | None) -> str:
    """Return the state in words: the feeling of what is told, and how open, guarded, upset and tired the patient is.

    Examples
    --------
    >>> manner(Mind(trust=0.2, reactance=0.7, distress=0.8), None)
    'on guard and short with the counsellor; very upset; not sure of the counsellor at all'
    """
    found = []
    if told is not None and told.affect:
        strong = "a little " if told.intensity < 0.4 else "" if told.intensity < 0.7 else "very "
        found.append(f"{strong}{told.affect} about what is said")
    if mind.reactance >= 0.5:
        found.append("on guard and short with the counsellor")
    elif openness(mind) < 0.35:
        found.append("holding back")
    elif openness(mind) > 0.65:
        found.append("speaking freely")
    if mind.distress >= 0.7:
        found.append("very upset")
    if mind.trust <= 0.25:
        found.append("not sure of the counsellor at all")
    if mind.fatigue >= 0.6:
        found.append("tired of talking")
    return "; ".join(found) or "as they usually are"


def instruction(index: CaseIndex, brief: Brief) -> str:
    """Return the instruction of one turn. The case gives its intake and its way of talking, and no fact."""
    intake = index.file.intake
    known = [str(intake.age) if intake.age is not None else "", intake.gender or "", f"from {index.file.voice.region}"]
    sample = [x for x in brief.own if len(x.split()) >= _SAMPLE_WORDS][-_SAMPLE:]
    return PROMPT.format(
        person=", ".join(x for x in known if x),
        voice=_talk(index),
        sample="".join(["They said before:\n", *(f"- {x}\n" for x in sample)]) if sample else "",
        manner=brief.manner,
        open=SAY[0],
        words=brief.words,
        close=SAY[1],
        low=brief.low,
        high=brief.high,
    )


def _talk(index: CaseIndex) -> str:
    """Return the way of talking. What a person never says is left to the checks: named, it would tell of the case."""
    v = index.file.voice
    parts = [_STYLES[v.style], f"{v.modality}, {v.sentence or 'ordinary'} sentences"]
    parts += [f"humour: {v.humour}"] if v.humour else []
    parts += [f"swears {v.swears}"] if v.swears else []
    parts += [_listed("now and then", (*v.speech.within, *v.speech.trails)[:5] or v.fillers[:5])]
    parts += [_listed("short replies like", v.speech.acks[:4])]
    return "; ".join(x for x in parts if x) + "."


def _listed(what: str, expressions: Sequence[str]) -> str:
    return f"{what} {', '.join(repr(x) for x in expressions)}" if expressions else ""


def said_now(system: str) -> str | None:
    r"""Return what is to be said according to an instruction, or ``None`` where it is no instruction of ours.

    Examples
    --------
    >>> said_now("Word this: <<<\nI went over.\n>>> Thank you."), said_now("You are a therapist.")
    ('I went over.', None)
    """
    head, opened, rest = system.partition(SAY[0] + "\n")
    words, closed, _ = rest.partition("\n" + SAY[1])
    return words if head and opened and closed else None
