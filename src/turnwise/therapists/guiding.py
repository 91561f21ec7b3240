"""What the Socratic therapist can say for each act: candidates, grounded in the patient's words."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace

from numpy.random import Generator

from turnwise.therapists.building_on import asking_more, given_on
from turnwise.therapists.examining import (
    at_what_was_voiced,
    bridged,
    filled,
    from_another_side,
    led,
    on_both_sides,
    on_the_thought,
    putting_together,
    staying_with_it,
    when_it_differs,
)
from turnwise.therapists.giving_back import feelings_back, given_back, weighty
from turnwise.therapists.guiding_lines import LEFT_BE, LINES, SMALLER
from turnwise.therapists.held_out import hard_moment, hinted_in
from turnwise.therapists.ledger import Ledger, normal
from turnwise.therapists.mattering import burdens, tense_of
from turnwise.therapists.meeting import MEETING, given, held, worth_holding
from turnwise.therapists.near import FEELING_ASKED, naming, near_questions, who_in
from turnwise.therapists.receiving import going_on, received
from turnwise.therapists.reflecting import Heard, Line, linking_lines, opened, shuffled
from turnwise.therapists.spoken import told_in
from turnwise.therapists.suiting import TESTS, assents, calls_for, suits, tells, touches
from turnwise.therapists.target_thoughts import gives_its_thought
from turnwise.therapists.topics import (
    answered_with,
    defers,
    heavy_lately,
    lately,
    sums_up,
    told_lately,
    worth_returning,
)
from turnwise.therapists.wording import Phrase, capital
from turnwise.therapists.yielding import STEP_BACK, stepping_back

__all__ = ["candidates", "fallbacks"]

_SUMMARY = (
    "Let me see if I have this so far. {A}. {B}. And {c}. What have I missed?",
    "I'll put together what I've heard. {A}, {b}, and {c}. What would you add?",
    "Before we go on, here is what I have: {a}; {b}; {c}. Where have I got it wrong?",
    "So there are three things I'm holding: {a}; {b}; and {c}. Which of them weighs most today?",
    "Can I say back what I've heard so far? {A}. {B}. {C}. How does that sound to you?",
    "If somebody asked me what you've told me, I'd say: {a}; {b}; and {c}. What would you want changed in that?",
)
_WITH_THOUGHT = (
    "I'll put together what I've heard. {A}, and {b}. And there's a sentence that goes with it: \"{t}.\" What have "
    "I missed?",
    'So far I have this: {a}; {b}; and the thought, "{t}." What would you add?',
    'Let me check that I\'m following. {A}. {B}. And what you tell yourself is, "{t}." Where have I got it wrong?',
)
_WEIGHING = 1  # of what is summed up at the least has to weigh, or it is a list of remarks
_LATELY = 5  # turns for which a new view is still spoken of as seen today
_STAY_SHARE = 0.55  # of the times when what was told is stayed with, and nothing is asked
_IN_A_WORD = 4  # words
_ENOUGH = 5  # words from which a turn holds something that "that" can speak of


def _speaks_of_something(ledger: Ledger, turn: Heard) -> bool:
    """Whether "that" would be understood: the turn tells something, or agrees to what was just given back."""
    if ledger.unanswered:
        return False
    return tells(ledger, turn) or len(turn.text.split()) >= _ENOUGH or assents(ledger, turn)


def _summary(ledger: Ledger, rng: Generator) -> list[Line]:
    own = [p for p in ledger.kept if p.stake and normal(p.said) not in normal(ledger.thought) and sums_up(p)]
    kept = sorted(own, key=lambda p: (not worth_returning(p), -p.weight))[:3]  # what weighs first, and no pleasantries
    if len(kept) < (2 if ledger.thought else 3) or sum(worth_returning(p) for p in kept) < _WEIGHING:
        return []
    kept.sort(key=ledger.kept.index)
    a, b, c = [phrase.back for phrase in kept] if len(kept) > 2 else [kept[0].back, kept[1].back, ""]
    filled = {"a": a, "b": b, "c": c, "A": capital(a), "B": capital(b), "C": capital(c)}
    quoted = tuple(phrase.said for phrase in kept)
    lines = [
        Line(f"summed.{i}", line.format(**filled, t=ledger.thought), (*quoted[:2], ledger.thought))
        for i, line in shuffled(_WITH_THOUGHT, rng)
        if ledger.thought
    ]
    if c:
        lines += [Line(f"summarise.{i}", line.format(**filled), quoted) for i, line in shuffled(_SUMMARY, rng)]
    return [replace(x, text=f"That's all right. {x.text}") for x in lines] if ledger.unanswered else lines


def _reflecting_feeling(turn: Heard, rng: Generator) -> list[Line]:
    """Return the feeling given back; where it was said in a word or two, with a question that helps to say more."""
    back = feelings_back(turn, rng)
    if len(turn.text.split()) > _IN_A_WORD:
        return back
    asked = [Line(f"near.feeling.{i}", line) for i, line in shuffled(FEELING_ASKED, rng)]
    return [Line(f"{b.id}+{a.id}", f"{b.text} {a.text}", b.quoted, b.feeling) for b in back[:4] for a in asked] + back


def _attending(ledger: Ledger, turn: Heard, rng: Generator) -> list[Line]:
    """Return reflections that stay with what was told and ask how it is; none where nothing in it seems to matter.

    What was named against the thought is given back as it was said, with the question what the patient makes of it.
    """
    if ledger.found:
        return staying_with_it(ledger, turn, rng)
    first: Phrase | None = next(iter(weighty(turn)), None)
    tense = tense_of(first.said if first else turn.text)
    told = f"attend_told_{tense}"
    name = told if told in MEETING and not touches(turn) else f"attend_{tense}"
    asked = led([Line(f"{name}.{i}", line) for i, line in shuffled(MEETING[name], rng)], turn, rng)
    if rng.random() > _STAY_SHARE or calls_for(turn) == "distortion":  # which is not only listened to
        return asked
    stay = led([Line(f"attend_stay.{i}", line) for i, line in shuffled(MEETING["attend_stay"], rng)], turn, rng)
    return [line for line in stay if "+" in line.id] + asked


def _asking(ledger: Ledger, turn: Heard, rng: Generator, *, deep: bool) -> list[Line]:
    """Return open questions: about what was just said, else about something told before, else of the general kind."""
    if defers(turn.text):
        return filled("deferred", ledger, turn, rng)
    if calls_for(turn) == "distortion":  # a sweeping view is asked about, whatever else could be asked
        return at_what_was_voiced(ledger, turn, rng)
    if assents(ledger, turn) and not touches(turn):  # "that" would have to be said again: what it belongs to is asked
        return filled("assented", ledger, turn, rng)
    near = near_questions(turn, rng) if _speaks_of_something(ledger, turn) else []
    deeper = _deeper(turn, rng)
    if not deep:
        if tells(ledger, turn):
            return _naming_it(near + deeper if touches(turn) else near[:1] + deeper[:2] + near[1:], turn, rng)
        found = ([] if ledger.unanswered else naming(turn.text, rng)) + led(near, turn, rng)
        return found + _open_first(_of_before(ledger, turn, rng) + filled("inviting", ledger, turn, rng))
    if not tells(ledger, turn):
        return led(near, turn, rng)
    deeper = deeper if touches(turn) else _deeper(turn, rng, name="felt")
    first = rng.random() < _DEEPER_FIRST
    return _naming_it(deeper[:2] + near + deeper[2:] if first else near + deeper, turn, rng)


_DEEPER_FIRST = 0.5


def _deeper(turn: Heard, rng: Generator, *, name: str = "told") -> list[Line]:
    """Return questions how it is, in the tense of what was told; where nothing in it is hard, for more of it."""
    first: Phrase | None = next(iter(weighty(turn)), None)
    hard = bool(turn.feelings) or any(burdens(p.said) for p in weighty(turn))
    past = tense_of(first.said if first else turn.text) == "past"
    name = f"deepen_{'hard' if hard else name}{'_past' * past}"
    return [Line(f"{name}.{i}", line) for i, line in shuffled(LINES[name], rng)]


def _naming_it(lines: list[Line], turn: Heard, rng: Generator) -> list[Line]:
    """Return ``lines`` with what they speak of said back before them; where that cannot be, those that name a thing."""
    said_back = [line for line in led(lines, turn, rng) if "+" in line.id]
    plain = sorted(lines, key=lambda line: not line.id.startswith(("named.", "word.", *_HELD_OUT)))
    held_out = [line for line in plain if line.id.startswith(_HELD_OUT)]
    return held_out + said_back + plain


_HELD_OUT = ("skipped.", "saying.", "overlooked.", "years.")
"""What was held out is asked for at once: said back first, it would only be said twice."""


def _open_first(lines: list[Line]) -> list[Line]:
    """Return ``lines``, those that ask for one fact last: few words are not opened by a question for fewer."""
    return sorted(lines, key=lambda line: _ONE_FACT.search(line.text) is not None)


_ONE_FACT = re.compile(r"(?:^|[.!] )(?:When|How long|How often|Who)\b[^.,!?]*\?$")


def _of_before(ledger: Ledger, turn: Heard, rng: Generator) -> list[Line]:
    """Return questions about something hard that was told earlier, which they name, or a person just brought up.

    Only what was felt, lost or borne is come back to, what was said lately first; no remark on the talk.
    """
    found: list[Line] = []
    fit = [p for p in reversed(ledger.kept[-6:]) if worth_returning(p)]
    for told in sorted(fit, key=lambda p: not told_lately(p.said, ledger))[:3]:
        again = sum(told.back in line for line in ledger.said)  # back to the same words once, and not for ever
        if normal(told.said) in normal(turn.text) or again > 1:
            continue
        for near in near_questions(turn, rng, about=told)[:2]:
            opener = _EARLIER[int(rng.integers(len(_EARLIER)))].format(s=told.back)
            found.append(Line(f"{near.id}+earlier", f"{opener} {near.text}", (told.said,)))
    recent = " ".join(lately(ledger))
    for who in reversed(ledger.people[-3:]):
        word = who.split()[-1].lower()
        asked = any(key.startswith((f"who.{who}.", f"with.{who}.")) for key in ledger.used)
        if (
            asked
            or not (who.startswith("your ") or who_in(f"{who} said"))
            or not re.search(rf"\b{re.escape(word)}\b", recent)
        ):
            continue
        found += [Line(f"who.{who}.{i}", line.format(p=who), (who,)) for i, line in shuffled(_OF_PERSON, rng)][:2]
    return found


_EARLIER = (
    "You told me that {s}.",
    "Earlier you said that {s}.",
    "You said before that {s}.",
    "I'm thinking of what you said, that {s}.",
)
_OF_PERSON = (
    "You mentioned {p}. What would you want me to know about {p}?",
    "You mentioned {p}. What is it like for you, with {p}?",
    "You spoke of {p}. What does {p} make of it, as far as you know?",
)


def _small(ledger: Ledger, turn: Heard, rng: Generator) -> list[Line]:
    """Return small questions after few words: near to what was said last, and small enough to be answered.

    Small talk only where nothing heavy was said lately; else the question stays with the matter and gets smaller.
    """
    if defers(turn.text):
        return filled("deferred", ledger, turn, rng)
    before = _of_before(ledger, turn, rng)
    heavy, last = heavy_lately(ledger), ledger.kept[-1:]
    light = [] if heavy else filled("small_question", ledger, turn, rng)
    if not ledger.unanswered:
        near = near_questions(turn, rng) if _speaks_of_something(ledger, turn) else []
        plain = _open_first(before + (light or filled("inviting", ledger, turn, rng)))
        return near + ([] if tells(ledger, turn) else naming(turn.text, rng) + plain)  # what was told is not left
    named = [x for p in last if told_lately(p.said, ledger) for x in naming(p.said, rng) if x.id.startswith("named")]
    nearer = filled("small_near", ledger, turn, rng) if len(lately(ledger)) > 1 else []
    found = named[:2] + before + nearer + light if rng.random() < 0.6 else nearer[:1] + named[:2] + before + nearer[1:]
    return opened("smaller", SMALLER, found, rng) + found


def _asking_thought(ledger: Ledger, turn: Heard, rng: Generator) -> list[Line]:
    """Return questions for the thought in something hard that was told, in its own tense; else in something before.

    A wish, a fact and what only happened have no thought to ask for, nor has a turn that has just told it.
    """
    if gives_its_thought(turn):
        return []
    weighs = [p.said for p in weighty(turn) if worth_returning(p) and tense_of(p.said) != "wished"]
    hard = hard_moment(turn.text) or next(iter(weighs), "")
    if not hard:
        before = next((p for p in reversed(ledger.kept) if normal(p.said) not in normal(turn.text)), None)
        fit = before is not None and assents(ledger, turn) and (worth_returning(before) or hard_moment(before.said))
        return filled("ask_thought", ledger, turn, rng) if fit else []
    name = f"ask_thought_{'past' if tense_of(hard) == 'past' else 'now'}"
    lines = led([Line(f"{name}.{i}", line) for i, line in shuffled(LINES[name], rng)], turn, rng)
    told = normal(" | ".join((hard, *weighs)))  # "that" is what was hard, and nothing else is said back before it
    return [x for x in lines if "+" not in x.id or (x.quoted and normal(x.quoted[0]) in told)]


def _checking_hint(ledger: Ledger, turn: Heard, rng: Generator) -> list[Line]:
    """Return ways of asking about what was held back in so many words, now or, where nothing else is told, before."""
    now, said = hinted_in(turn.text)
    if now:
        near = [line for line in near_questions(turn, rng) if line.id.startswith(_HELD_OUT)]
    elif touches(turn) or ledger.turned or ledger.unanswered:
        return []  # what was just told comes before what was only hinted at earlier
    else:
        near, said = [], next((q for _, q in map(hinted_in, reversed(ledger.hints)) if q), "")
    opener = '"{q}."' if now else 'Before, you said, "{q}."'
    lines = [
        Line(
            f"check_hint.{i}", line.replace('"{q}."', opener).format(q=capital(said)), (said,) if "{q}" in line else ()
        )
        for i, line in shuffled(MEETING["check_hint"], rng)
        if (said if "{q}" in line else now)
    ]
    return near + sorted(lines, key=lambda line: not line.quoted)


def _checking_in(ledger: Ledger, turn: Heard, rng: Generator) -> list[Line]:
    """Return ways of asking how the talk is: after a question without an answer with a word that leaves it.

    Where something was told, that is given back first, and asked is how it is to talk about it.
    """
    if ledger.unanswered:
        return opened("let_be", LEFT_BE, filled("check_in", ledger, turn, rng), rng)
    if tells(ledger, turn):
        return [line for line in led(filled("check_in_told", ledger, turn, rng), turn, rng) if "+" in line.id]
    return filled("check_in", ledger, turn, rng)


def _ending(ledger: Ledger, turn: Heard, rng: Generator) -> list[Line]:
    """Return ways to ask what is taken along: after what was just told was met, and none where it cannot be."""
    lines = filled("take_away_safe" if "safety_check" in ledger.moves else "take_away", ledger, turn, rng)
    if ledger.unanswered:
        return opened("ending", _NO_MATTER, lines, rng)
    if said := answered_with(turn.text):
        return [Line(f"ending.said+{x.id}", f'"{said}." {x.text}', (said,)) for x in lines]
    if tells(ledger, turn):
        return [line for line in led(lines, turn, rng) if "+" in line.id]
    return lines


_NO_MATTER = ("That's all right.", "It needn't have an answer.", "You don't have to know that.")


def candidates(move: str, ledger: Ledger, turn: Heard, rng: Generator) -> list[Line]:
    """Return what could be said for ``move``, in the order in which it should be tried; none where it would not fit."""
    told = replace(turn, text=told_in(turn.text))
    lines = _lines(move, ledger, told, rng) if suits(move, ledger, told) else []
    return going_on(lines, rng) if ledger.invited and move in TESTS else lines


_Bank = Callable[[Ledger, Heard, Generator], list[Line]]
_BANKS: Mapping[str, _Bank] = {
    "open_question": lambda ledger, turn, rng: _asking(ledger, turn, rng, deep=False),
    "ask_feeling": lambda ledger, turn, rng: _asking(ledger, turn, rng, deep=True),
    "small_question": _small,
    "reflect_feeling": lambda _, turn, rng: _reflecting_feeling(turn, rng),
    "summarise": lambda ledger, _, rng: _summary(ledger, rng),
    "step_back": stepping_back,
    "attend": _attending,
    "ask_thought": _asking_thought,
    "check_hint": _checking_hint,
    "ask_view": at_what_was_voiced,
    "ask_different": when_it_differs,
    "ask_both_sides": on_both_sides,
    "ask_more": asking_more,
    "ask_other_view": from_another_side,
    "check_in": lambda ledger, turn, rng: _checking_in(ledger, turn, rng),
    "receive": received,
    "ask_evidence": lambda ledger, turn, rng: bridged(filled("ask_evidence", ledger, turn, rng), ledger, turn, rng),
    "synthesise": putting_together,
    "consolidate": lambda _, turn, rng: given_on(turn, rng),
    "test_insight": lambda _, turn, rng: given_on(turn, rng, "test_insight"),
    "give": lambda ledger, turn, rng: given(turn.text, rng, before=ledger.corpus),
    "hold": lambda _, turn, rng: held(turn.text, rng) if worth_holding(turn.text) else [],
}


def _lines(move: str, ledger: Ledger, turn: Heard, rng: Generator) -> list[Line]:
    if calls_for(turn) == "insight" and move not in ("consolidate", "test_insight"):
        return given_on(turn, rng) + given_back(turn, rng)
    if move in _BANKS:
        return _BANKS[move](ledger, turn, rng)
    match move:
        case "reflect_content":
            links = linking_lines(turn, ledger.kept[-4:-1], rng) if ledger.turn % 4 == 3 else []
            return links[:3] + given_back(turn, rng)
        case "ask_exception" | "ask_alternative":
            return on_the_thought(move, ledger, turn, rng)
        case "give_room" if calls_for(turn) == "pushback":
            return stepping_back(ledger, turn, rng)
        case "stay" | "normalise" if ledger.unanswered:
            return filled(f"{move}_unanswered", ledger, turn, rng)
        case "stay" if not touches(turn):
            return filled("encourage", ledger, turn, rng) if tells(ledger, turn) else []
        case "take_away":
            return _ending(ledger, turn, rng)
        case "next_step":
            seen = (
                filled("next_step_seen", ledger, turn, rng)
                if ledger.since("consolidate") <= _LATELY and "consolidate" in ledger.moves
                else []
            )
            return seen + filled(move, ledger, turn, rng)
        case _:
            return filled(move, ledger, turn, rng)


def fallbacks(ledger: Ledger, turn: Heard, rng: Generator) -> list[Line]:
    """Return safe things to say when nothing chosen holds up: what was called for first, else a reflection."""
    told = replace(turn, text=told_in(turn.text))
    call = calls_for(told)
    called = {"bait": lambda: held(told.text, rng), "request": lambda: given(told.text, rng, before=ledger.corpus)}
    first = called[call]() if call in called else []
    if call == "pushback":
        return stepping_back(ledger, told, rng) or [Line(f"step_back.{i}", x) for i, x in shuffled(STEP_BACK, rng)]
    if ledger.unanswered:
        return first + _small(ledger, told, rng)
    return first + given_back(told, rng) + filled("encourage", ledger, told, rng) + _small(ledger, told, rng)
