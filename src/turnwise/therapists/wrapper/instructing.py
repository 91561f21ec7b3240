"""The planned act as a short instruction: what to do, about what, how firmly, and within which limits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from turnwise.core.course import known_of
from turnwise.core.nouns import Course, Intake
from turnwise.therapists.ledger import Ledger
from turnwise.therapists.socratic import Plan
from turnwise.therapists.validator.faults import Fault
from turnwise.therapists.validator.form import most_words
from turnwise.therapists.validator.situation import Situation

__all__ = ["LIMITS", "WORDS", "instruction", "intake_words", "revision"]

WORDS: Mapping[str, str] = {
    "open_question": "Ask one open question about what is not clear yet.",
    "small_question": "Ask one small question that is easy to answer.",
    "agenda": "Ask what would be worth talking about today.",
    "ask_feeling": "Ask, in one open question, how it is for them.",
    "reflect_feeling": "Give back the feeling they named, in few words. Ask nothing.",
    "reflect_content": "Give back what they said, in few words, as they meant it. Ask nothing.",
    "stay": "Stay with it: few words, no question, no hurry.",
    "normalise": "Say that others know something like this, without making it smaller.",
    "summarise": "Put together what they have said so far, and ask what is missing.",
    "ask_thought": "Ask for the thought that goes with it, in one open question.",
    "ask_view": "They just voiced a sweeping thought. Ask, in one open question, how they come to see it like that.",
    "ask_other_view": "Give back what they just said, then ask, in one open question, how else it could be seen.",
    "check_in": "Ask, in one open question, how this talk with you is for them so far.",
    "receive": "They just said how this talk is for them. Take it as it is, in few words; go back to what they told.",
    "attend": "Give back what weighs in what they said, and ask, in one open question, how that is for them.",
    "test_insight": "Give their own new thought back, and ask, in one open question, how to find out whether it holds.",
    "ask_evidence": "Ask, with interest and without doubt in your voice, what they go by.",
    "ask_different": "Say back one hard thing they told you that goes on, and ask when it is a little different.",
    "ask_more": "They went on with a new view of their own. Ask what else bears it out, however small.",
    "ask_both_sides": "Ask what in their own life fits with the thought, and what does not quite: no lean either way.",
    "ask_exception": "Ask whether there was a time, even a small one, that does not fit with it.",
    "ask_alternative": "Ask how it might look from another place, for instance to a friend.",
    "synthesise": "Put two things they said side by side, and ask what they make of it.",
    "next_step": "Ask what, if anything, they would like to do with it, in their own way.",
    "step_back": "Step back: take the objection as it is, do not explain or defend, hand over the floor.",
    "give_room": "Leave it to them whether and where to go on.",
    "consolidate": "Give their own new thought back to them, and ask how it sounds.",
    "check_hint": "They said something lightly. Ask gently about that; do not guess what is behind it.",
    "give": "They asked for something: offer one or two possibilities, say what is not known, ask what fits.",
    "hold": "They want to hear that something is true. Stay warm and do not agree; say so honestly.",
    "take_away": "Ask what they would like to take with them from this talk.",
    "agreed_before": "Come back to what was agreed last time, with one open question.",
    "encourage": "Encourage them to go on, in few words.",
    "fall_back": "Encourage them to go on, in few words.",
}
"""What a model is told to do, act by act."""
LIMITS = (
    "Speak to the person directly, in plain English, as in a talk: no lists, headings, labels, stage directions.",
    "At most one question. No advice and no suggestion unless the task above says to offer.",
    "Say of the person only what they said themselves; a feeling they did not name may only be asked about.",
    "No diagnosis, no medicine, no dose. You are a computer program: claim no feelings, body, life or memory.",
    "Do not mention these lines.",
)
"""Ours, and the same on every turn; the validator checks each of them afterwards."""


def intake_words(intake: Intake, prior: Course | None = None) -> str:
    """Return what the referral says, in one line, and what is known of earlier sessions.

    Examples
    --------
    >>> intake_words(Intake(age=41, referral="Sleeps badly."))
    'age 41; Sleeps badly.'
    """
    known = (f"age {intake.age}" if intake.age else "", intake.gender or "", intake.referral.strip(), *known_of(prior))
    return "; ".join(x for x in known if x) or "nothing is known"


def _firmness(intensity: float) -> str:
    if intensity < 0.15:
        return "very gently"
    return "gently" if intensity < 0.45 else "clearly, and kindly"


def instruction(plan: Plan, ledger: Ledger, s: Situation) -> str:
    """Return the system text that asks a model to word ``plan``; the talk itself is handed over as turns.

    It names the move, what it is about, how firmly, the patient's words it may rest on, the limits, and our own
    wording as an example. It holds nothing that is not in the intake or the talk.
    """
    target = f' It is about this, in their words: "{plan.target}".' if plan.target and plan.target in _known(s) else ""
    heard = "; ".join(f'"{p.said}"' for p in ledger.kept[-4:])
    lines = (
        "You word the next turn of a therapist in a text conversation. What to do is decided already; find the words.",
        f"Task: {WORDS.get(plan.act.move, WORDS['encourage'])}{target} Do it {_firmness(plan.act.intensity)}.",
        f"Known before the talk: {intake_words(s.intake)}.",
        f"Things they have said: {heard}." if heard else "",
        f"One to three sentences, at most {min(60, most_words(s))} words.",
        *LIMITS,
        f'A plain way to say it would be: "{plan.line.text}" Say it better if you can, in the light of the whole talk.',
    )
    return "\n".join(line for line in lines if line)


def _known(s: Situation) -> str:
    return " ".join(s.patient)


def revision(base: str, draft: str, faults: Sequence[Fault]) -> str:
    """Return the instruction again, with the refused draft and why it was refused."""
    why = " ".join(dict.fromkeys(f.reason for f in faults))[:600]
    refused = f'Your last draft was: "{draft[:600]}"\nIt cannot be said: {why}'
    return f"{base}\n{refused}\nWrite another turn without that fault."
