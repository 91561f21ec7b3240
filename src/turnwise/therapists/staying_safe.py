"""Danger to life over several turns: asked about openly with a way to help, answered, stayed with, then kept in mind.

A question about dying that is dropped after one turn leaves somebody more alone than before; one that is put again at
every word is no listening either. One question at a time; help is named once, after the first answer; what comes
next hangs on the answer, for who says no is not treated as if they had said yes.
Whoever asked for it is met first where they object, ask something or say goodbye.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from turnwise.reading.ears.danger import hear_danger
from turnwise.therapists.duties import DUTY_LINES
from turnwise.therapists.recognising import Call, call_of
from turnwise.therapists.safety_answers import (
    Answer,
    answer_in,
    held_by,
    kept_out,
    leaves_it,
    limit_in,
    names_means,
    person_in,
    puts_off,
    said_before,
    then,
)
from turnwise.therapists.safety_lines import HELP, PARTING, SAFETY_LINES
from turnwise.therapists.spoken import is_non_answer
from turnwise.therapists.wording import capital

__all__ = [
    "PARTING",
    "SAFETY_LINES",
    "SafetyStep",
    "asked_who",
    "asked_with",
    "goodbye_lines",
    "help_for",
    "lines_for",
    "safety_due",
]

SafetyStep = Literal[
    "risk", "risk_answered", "risk_denied", "risk_past", "risk_put_off", "risk_person", "risk_place", "risk_told",
    "risk_stayed", "risk_nobody",
]  # fmt: skip

_HEARD = 0.5  # probability from which danger that no net caught is asked about all the same
_ASKED_LATELY = 5  # therapist turns in which the question itself is not put a second time
_OTHER_FIRST: frozenset[Call] = frozenset(
    ("pushback", "bait", "request", "identity", "memory", "care", "goodbye", "insight")
)
_LAST_FOR = 2  # turns of staying with it before the talk may go on, unless danger is voiced again
_STILL_FOR, _AT_MOST = 3, 4  # turns after which words on it are no longer about it; turns in a row that stay with it
_STORY = 16  # words from which a turn that no longer speaks of it has gone on to something of its own
_STEP: dict[Answer, SafetyStep] = {
    "denied": "risk_denied", "limited": "risk_answered", "past": "risk_past", "put_off": "risk_put_off",
}  # fmt: skip
_TOLD: frozenset[str] = frozenset(("risk_answered", "risk_told"))
"""Steps after which it is stayed with for a turn; after a no it is not, unless it is spoken of again."""

_NOBODY = re.compile(
    r"\b(?:nobody|no one|not one of them|there(?:'s| is) (?:nobody|no one)|i (?:live|am) alone)\b", re.IGNORECASE
)
_DENIES = re.compile(
    r"^(?:(?:oh|well|god|good lord|look)[,.]? )*(?:no|not (?:that|now|like that)|never|nothing like that|god forbid)\b",
    re.IGNORECASE,
)
_PLAINLY = re.compile(
    r"\b(?:plan|wouldn't|would not|would never|i'd never|not going to|god forbid|a sin|nothing like that)\b",
    re.IGNORECASE,
)
_ALL_OF_IT = 6  # words up to which a "no" is all of the answer
_STILL = re.compile(
    r"\b(?:(?:that|those|these|the same) thoughts?|the thought (?:about|of)|not minding|(?:no|any) plans?|not planning|"
    r"never (?:with|her|him|them|the (?:kids|children|boys|girls))|kill(?:ing)?|die[sd]?|dying|dead|alive|a sin|"
    r"(?:hurt|harm|cut)(?:ting|ing)? myself|stand in its way|tablets|pills|goes by in a second)\b",
    re.IGNORECASE,
)
"""What goes on about danger to life for somebody who has just been asked about it; elsewhere it may mean anything."""


def safety_due(last: str, stayed: int, call: Call, heard_risk: float, since: int, text: str = "") -> SafetyStep | None:
    """Return the step that danger obliges to now, or ``None``.

    Parameters
    ----------
    last : step that was taken in the turn before, empty where there was none. stayed : turns stayed with it by now.
    call : what the patient's words call for. heard_risk : probability that they are about danger.
    since : therapist turns since danger was last spoken of by the therapist. text : the patient's own words.

    Examples
    --------
    >>> safety_due("", 0, "risk", 0.2, 9), safety_due("risk", 0, "thin", 0.0, 0)
    ('risk', 'risk_answered')
    >>> safety_due("risk", 0, "thin", 0.0, 0, "No."), safety_due("risk_answered", 0, "thin", 0.0, 0, "My friend Uzo.")
    ('risk_denied', 'risk_person')
    >>> safety_due("risk_answered", 0, "thin", 0.0, 0), safety_due("risk_answered", 0, "pushback", 0.0, 0)
    ('risk_stayed', None)
    >>> safety_due("risk_answered", 0, "pushback", 0.0, 0, "I'd sooner leave that.")
    'risk_put_off'
    >>> safety_due("risk_stayed", 1, "telling", 0.1, 0) is None
    True
    >>> safety_due("risk_stayed", 2, "telling", 0.1, 0, "About once a week, that thought about the car.")
    'risk_stayed'
    """
    if last == "risk" or (last == "risk_place" and answer_in(text) not in ("told", "no_words")):
        return _STEP.get(answer_in(text), "risk_answered")
    taken_up = _taken_up(last, call, text) if last else None
    if taken_up is not None:
        return taken_up
    if call == "risk_told":
        return "risk_told"
    if call == "risk":
        return "risk_stayed" if since < _ASKED_LATELY else "risk"
    if _stays(last, stayed, call, heard_risk, since, text):
        return "risk_stayed"
    # What the explicit nets miss may still be heard: a question too many about dying is the smaller fault.
    return "risk" if heard_risk > _HEARD and since > _ASKED_LATELY else None


def _taken_up(last: str, call: Call, text: str) -> SafetyStep | None:
    """Return the step that takes up a putting off, or somebody named, after the talk of danger went on."""
    if call in ("goodbye", "identity", "memory"):
        return None
    if last != "risk_put_off" and puts_off(text):
        return "risk_put_off"
    short = len(text.split()) <= _STORY
    if last in _TOLD and call == "pushback" and answer_in(text) == "passive":
        return "risk_stayed"  # "I would sooner not be there for it": an answer, and no refusal
    asked = last not in ("risk_person", "risk_put_off") and not leaves_it(text)
    named = asked and short and call not in ("risk", "insight", "request", "distortion") and person_in(text)
    return "risk_person" if named else None


def _stays(last: str, stayed: int, call: Call, heard_risk: float, since: int, text: str) -> bool:
    """Whether it is stayed with for another turn."""
    still = _STILL.search(text) is not None
    if call in _OTHER_FIRST:
        return False
    # Who goes on to a hard thought of another kind, or to something of their own, is met there.
    gone_on = call == "distortion" or len(text.split()) > _STORY
    if last in _TOLD and (still or not gone_on):
        return True
    if since < _STILL_FOR and stayed < _AT_MOST and still:
        return True
    return last == "risk_stayed" and stayed < _LAST_FOR and heard_risk > _HEARD


_NO_LONGER = re.compile(
    r"^(?:(?:no|well|um|oh)[,.] )?(?:not (?:any ?more|any longer|now|these days)|i (?:did|had|used to)|once)\b"
    r"(?: \w+){0,4}[.…]?$",
    re.IGNORECASE,
)


def asked_who(key: str) -> bool:
    """Whether the line that was said last (its ``key``) asked who could be there in danger.

    Examples
    --------
    >>> asked_who("risk_stayed.3"), asked_who("risk_stayed.0"), asked_who("attend.1"), asked_who("")
    (True, False, False, False)
    """
    bank, _, place = key.partition(".")
    lines = SAFETY_LINES.get(bank, ())
    return place.isdigit() and int(place) < len(lines) and _WHO.search(lines[int(place)]) is not None


_WHO = re.compile(r"\bWho (?:could|is there|else|knows)\b[^?]*\?")


def goodbye_lines(moves: tuple[str, ...]) -> tuple[str, ...]:
    """Return what may be said at a goodbye: with a word on safety, where danger was spoken of.

    Examples
    --------
    >>> "crisis line" in goodbye_lines(("attend", "safety_check"))[0], "crisis line" in goodbye_lines(())[0]
    (True, False)
    """
    return PARTING if "safety_check" in moves else DUTY_LINES["goodbye"]


def lines_for(step: str, text: str, asked: str = "") -> tuple[str, tuple[str, ...]]:
    """Return the name and the bank of what may be said at ``step`` to somebody who just said ``text``.

    ``asked`` is the bank that danger was asked about with (empty: not yet): what is stayed with after being asked
    whether one is safe from others is that, and not dying.

    Examples
    --------
    >>> lines_for("risk_stayed", "There's nobody.")[0], lines_for("risk_stayed", "No. There's no plan.")[0]
    ('nobody', 'denied')
    >>> lines_for("risk_answered", "Some.")[0], lines_for("risk", "I wish I was dead.")[0]
    ('yes', 'risk_said')
    >>> lines_for("risk_answered", "Some.", "risk_from_others")[0], lines_for("risk", "He hits me.")[0]
    ('safe_stayed', 'risk_from_others')
    >>> lines_for("risk_person", "My friend Uzo.")[1][0].count("Uzo") > 0
    True
    """
    plain = text.replace("’", "'").strip()
    name, words = _bank(step, plain)
    if asked in _NOT_DYING and step not in ("risk", *_ELSEWHERE):
        name, words = "safe_stayed", {}
    filled = tuple(
        line.format(**words, **{k.upper(): capital(v) for k, v in words.items()}) for line in SAFETY_LINES[name]
    )
    return name, filled


_OF_KIND = {kind: f"risk_{kind}" for kind in ("self_harm", "from_others", "to_others", "other_person")}
_NOT_DYING = frozenset(("risk_from_others", "risk_to_others", "risk_other_person"))
"""Banks that ask about other danger than to one's own life."""
_ELSEWHERE = ("risk_put_off", "risk_person")
_NAMES_HELP = ("risk_put_off", "risk_person", "risk_nobody", "risk")


def help_for(step: str, text: str, used: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """Return the name and the bank of help to be named at ``step``; no bank where there is none to name.

    Named once in a session, after the first answer; with the first question only where means or a plan are named.

    Examples
    --------
    >>> help_for("risk", "I wish I was dead.", ())[1], help_for("risk_answered", "Yes.", ("yes.0+help.1",))[1]
    ((), ())
    >>> help_for("risk", "I've got the pills here.", ())[0], help_for("risk_answered", "Yes.", ("risk.0",))[0]
    ('help_now', 'help')
    """
    if any(part.startswith("help") for key in used for part in key.split("+")):
        return "", ()
    near = step == "risk" and names_means(text.replace("’", "'"))[1]
    if step in _NAMES_HELP and not near:
        return "", ()
    name = "help_now" if near else "help_safe" if asked_with(used) in _NOT_DYING else "help"
    return name, HELP[name]


def asked_with(used: Sequence[str]) -> str:
    """Return the bank of the latest question about danger; empty where none was asked."""
    banks = [part.partition(".")[0] for key in used for part in key.split("+")]
    return next((bank for bank in reversed(banks) if bank in _QUESTIONS), "")


_QUESTIONS = frozenset(("risk", "risk_said", "risk_then", "risk_then_plain", *_OF_KIND.values()))


def _bank(step: str, text: str) -> tuple[str, dict[str, str]]:
    """Return the name of the bank, and what its lines say back."""
    if step == "risk":
        kind = hear_danger(text).kind
        if kind in _OF_KIND:
            return _OF_KIND[kind], {}
        said = said_before(text)
        name = "risk_then" if then(text) else "risk_said"
        return (name, {"q": said}) if said else ({"risk_said": "risk", "risk_then": "risk_then_plain"}[name], {})
    if step == "risk_person":
        return step, {"p": person_in(text)}
    if step == "risk_nobody":
        return "nobody", {}
    if step == "risk_place":
        return step, {"m": names_means(text)[0]}
    # Who was asked once more and says no is taken at their word there too.
    if step == "risk_denied" or (step == "risk_stayed" and answer_in(text) == "denied" and not _NOBODY.search(text)):
        person, reason = held_by(text)
        if reason:
            return "denied_reason", {"r": reason}
        name = "denied_kept" if kept_out(text) else "denied_person"
        return (name, {"p": person}) if person else ("denied", {})
    if step == "risk_answered" or answer_in(text) == "passive":
        return _answered(text)
    return (_stayed(text) if step == "risk_stayed" else step), {}


def _answered(text: str) -> tuple[str, dict[str, str]]:
    """Return the bank for what was answered to the question, where it was not plainly no, past or put off."""
    call = call_of(text)
    if call in ("goodbye", "identity"):
        return f"asked_{call}", {}
    found, (person, _), (place, means) = answer_in(text), held_by(text), names_means(text)
    if found == "limited":
        return "limited", {"l": limit_in(text)}
    if found == "passive":
        if place:
            return "passive_place", {"m": place}
        name = "passive_kept" if kept_out(text) else "passive_person"
        return (name, {"p": person}) if person else ("passive", {})
    if means:
        return "near", {}
    return (found if found in SAFETY_LINES else "risk_answered"), {}


def _stayed(text: str) -> str:
    """Return the bank for going on with it after a second answer."""
    short = len(text.split()) <= _ALL_OF_IT
    if _NO_LONGER.match(text):
        return "no_longer"
    if _NOBODY.search(text):
        return "nobody"
    if is_non_answer(text):
        return "no_words"
    if _DENIES.match(text) and (short or _PLAINLY.search(text)):
        return "denied"
    if _HAD_A_DAY.search(text):
        return "had_day"
    return "near" if names_means(text)[1] else "risk_stayed"


_HAD_A_DAY = re.compile(
    r"\b(?:there was a (?:day|date|night)|(?:had|picked|chosen|set) (?:a|the|my) (?:day|date|night)|"
    r"had (?:it|one) (?:picked|planned|all planned|chosen)|a day (?:picked|chosen))\b",
    re.IGNORECASE,
)
