"""What the Socratic therapist can say for each act: candidates, grounded in the patient's words."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from numpy.random import Generator

from turnwise.reading.sentences import split_sentences
from turnwise.therapists.clauses import trim
from turnwise.therapists.giving_back import feelings_back, given_back, lasting, weighty
from turnwise.therapists.guiding_lines import LEAVING_IT, LINES, SMALLER
from turnwise.therapists.ledger import Ledger, normal
from turnwise.therapists.mattering import burdens, tense_of
from turnwise.therapists.meeting import MEETING, given, held, worth_holding
from turnwise.therapists.near import FEELING_ASKED, near_questions
from turnwise.therapists.questions import DEEPENING, INFORMING
from turnwise.therapists.reflecting import Heard, Line, linking_lines, shuffled
from turnwise.therapists.seeing_anew import new_view, sees_anew
from turnwise.therapists.spoken import told_in
from turnwise.therapists.suiting import assents, calls_for, suits, tells, touches
from turnwise.therapists.target_thoughts import thought_in
from turnwise.therapists.wording import Phrase, capital, people
from turnwise.therapists.yielding import STEP_BACK, stepping_back

__all__ = ["candidates", "fallbacks"]

_VIEW = "How might it look to {p}?"
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
_LEAD_SHARE = 0.85  # share of questions that begin by giving something back
_LATELY = 5  # turns for which a new view is still spoken of as seen today
_STAY_SHARE = 0.45  # of the times when what was told is stayed with, and nothing is asked
_IN_A_WORD = 4  # words
_ENOUGH_TOLD, _ALL_TOLD = 2, 6  # phrases kept, and turns heard, from which one can speak of "all that you've told me"
_ENOUGH = 5  # words from which a turn holds something that "that" can speak of


def _speaks_of_something(ledger: Ledger, turn: Heard) -> bool:
    """Whether "that" would be understood: the turn tells something, or agrees to what was just given back."""
    if ledger.unanswered:
        return False
    return tells(ledger, turn) or len(turn.text.split()) >= _ENOUGH or assents(ledger, turn)


def _fill(move: str, ledger: Ledger, turn: Heard, rng: Generator) -> list[Line]:
    """Return the lines of a bank that can be filled: with the thought, what speaks against it, something told."""
    told = next((p for p in reversed(ledger.kept) if normal(p.said) not in normal(turn.text)), None)
    values = {
        "t": ledger.thought,
        "a": ledger.against[-1] if ledger.against else "",
        "b": ledger.before[-1] if ledger.before else "",
        "s": told.back if told else "",
    }
    words = {**values, "s": told.said if told else ""}
    found: list[Line] = []
    for i, line in shuffled(LINES.get(move) or MEETING.get(move, ()), rng):
        slots = [name for name in values if f"{{{name}}}" in line or f"{{{name.upper()}}}" in line]
        if all(values[name] for name in slots):
            text = line.format(**values, **{name.upper(): capital(value) for name, value in values.items()})
            found.append(Line(f"{move}.{i}", text, tuple(words[name] for name in slots)))
    return found


def _summary(ledger: Ledger, rng: Generator) -> list[Line]:
    kept = sorted(ledger.kept[-6:], key=lambda p: -p.weight)[:3]
    kept.sort(key=ledger.kept.index)
    if len(kept) < 3:
        return []
    a, b, c = (phrase.back for phrase in kept)
    filled = {"a": a, "b": b, "c": c, "A": capital(a), "B": capital(b), "C": capital(c)}
    quoted = tuple(phrase.said for phrase in kept)
    with_thought = [
        Line(f"summed.{i}", line.format(**filled, t=ledger.thought), (*quoted[:2], ledger.thought))
        for i, line in shuffled(_WITH_THOUGHT, rng)
        if ledger.thought
    ]
    return with_thought + [Line(f"summarise.{i}", line.format(**filled), quoted) for i, line in shuffled(_SUMMARY, rng)]


def _reflections(turn: Heard, rng: Generator) -> list[Line]:
    return feelings_back(turn, rng)[:4] + given_back(turn, rng)


_PROMPTS = re.compile(r"\?$|\b(?:Go on|Tell me|hear more|understand that|Say a bit|with you|to know how)\b")
"""A reflection that prompts already is not put before a question: one thing is asked at a time."""


def _led(lines: Sequence[Line], turn: Heard, rng: Generator) -> list[Line]:
    """Put a short reflection before a question, where there is one and the coin says so."""
    leads = [x for x in _reflections(turn, rng) if not _PROMPTS.search(x.text)][:8]
    if not leads or rng.random() > _LEAD_SHARE:
        return list(lines)
    return [
        Line(f"{lead.id}+{line.id}", f"{lead.text} {line.text}", lead.quoted + line.quoted, lead.feeling)
        for line in lines
        for lead in leads
        if not set(line.quoted) & set(lead.quoted)
    ] + list(lines)


def _reflecting_feeling(turn: Heard, rng: Generator) -> list[Line]:
    """Return the feeling given back; where it was said in a word or two, with a question that helps to say more."""
    back = feelings_back(turn, rng)
    if len(turn.text.split()) > _IN_A_WORD:
        return back
    asked = [Line(f"near.feeling.{i}", line) for i, line in shuffled(FEELING_ASKED, rng)]
    return [Line(f"{b.id}+{a.id}", f"{b.text} {a.text}", b.quoted, b.feeling) for b in back[:4] for a in asked] + back


def _on_what_was_found(ledger: Ledger, turn: Heard, rng: Generator) -> list[Line]:
    """Return ways of staying with what was named against the thought, or would be said to a friend."""
    if ledger.moves[-1:] == ("ask_alternative",) and _TO_A_FRIEND.match(turn.text):
        return _led(_fill("attend_friend", ledger, turn, rng), turn, rng)
    asked = _led(_fill("attend_found", ledger, turn, rng), turn, rng)
    here = bool(ledger.against) and normal(ledger.against[-1]) in normal(turn.text)
    quoted = _fill("attend_found_quoted", ledger, turn, rng) if here else []
    return [line for line in asked if "+" in line.id][:6] + quoted + asked


_TO_A_FRIEND = re.compile(
    r"^(?:(?:well|so|i suppose|look|oh|see|i mean)[, ]+)*(?:i(?:'d| would) (?:say|tell|ask)|"
    r"to \w+ i(?:'d| would)? say|tell (?:her|him|them))\b|\bi(?:'d| would) (?:say|tell (?:her|him|them))\b",
    re.IGNORECASE,
)


def _attending(ledger: Ledger, turn: Heard, rng: Generator) -> list[Line]:
    """Return reflections that stay with what was told and ask how it is; none where nothing in it seems to matter.

    What was named against the thought is given back as it was said, with the question what the patient makes of it.
    """
    if ledger.found:
        return _on_what_was_found(ledger, turn, rng)
    first: Phrase | None = next(iter(weighty(turn)), None)
    tense = tense_of(first.said if first else turn.text)
    told = f"attend_told_{tense}"
    name = told if told in MEETING and not touches(turn) else f"attend_{tense}"
    asked = _led([Line(f"{name}.{i}", line) for i, line in shuffled(MEETING[name], rng)], turn, rng)
    if rng.random() > _STAY_SHARE:
        return asked
    stay = _led([Line(f"attend_stay.{i}", line) for i, line in shuffled(MEETING["attend_stay"], rng)], turn, rng)
    return [line for line in stay if "+" in line.id] + asked


def _asking(ledger: Ledger, turn: Heard, rng: Generator, *, deep: bool) -> list[Line]:
    """Return open questions: about what was just said, else about something told before, else of the general kind."""
    near: list[Line] = []
    if _speaks_of_something(ledger, turn):
        near = near_questions(turn, rng)
        if not near and ledger.kept and assents(ledger, turn):
            near = near_questions(turn, rng, about=ledger.kept[-1])
    hard = bool(turn.feelings) or any(burdens(p.said) for p in weighty(turn))
    name, bank = ("deepening", DEEPENING) if hard else ("deepen_told", LINES["deepen_told"])
    deeper = [Line(f"{name}.{i}", line) for i, line in shuffled(bank, rng)]
    if not deep:
        general = [Line(f"informing.{i}", line) for i, line in shuffled(INFORMING, rng)]
        if tells(ledger, turn):
            return _led(near + deeper, turn, rng)
        return _led(near, turn, rng) + _of_before(ledger, turn, rng) + (general if ledger.kept else [])
    if not (tells(ledger, turn) or assents(ledger, turn)):
        return _led(near, turn, rng)
    return _led(deeper[:2] + near + deeper[2:] if rng.random() < 0.5 else near + deeper, turn, rng)


def _of_before(ledger: Ledger, turn: Heard, rng: Generator) -> list[Line]:
    """Return questions about something told earlier, which they name: a phrase that was kept, or a person."""
    found: list[Line] = []
    for told in reversed(ledger.kept[-4:]):
        again = sum(told.back in line for line in ledger.said)  # back to the same words once, and not for ever
        if normal(told.said) in normal(turn.text) or again > 1:
            continue
        for near in near_questions(turn, rng, about=told)[:2]:
            opener = _EARLIER[int(rng.integers(len(_EARLIER)))].format(s=told.back)
            found.append(Line(f"{near.id}+earlier", f"{opener} {near.text}", (told.said,)))
    for who in reversed(ledger.people[-3:]):
        if any(key.startswith((f"who.{who}.", f"with.{who}.")) for key in ledger.used):
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
    "You mentioned {p}. Tell me a bit about {p}.",
    "You spoke of {p}. How do things stand between the two of you?",
    "You brought up {p}. What part does {p} have in all this?",
    "You mentioned {p}. What is {p} like?",
    "You spoke of {p}. What would {p} say about how you are?",
)


def _small(ledger: Ledger, turn: Heard, rng: Generator) -> list[Line]:
    """Return small questions after few words: near to what was said last, and small enough to be answered."""
    before = _of_before(ledger, turn, rng)
    plain = _fill("small_question", ledger, turn, rng)
    found = (before + plain) if rng.random() < 0.6 else plain[:1] + before + plain[1:]
    if not ledger.unanswered:
        near = near_questions(turn, rng) if _speaks_of_something(ledger, turn) else []
        return near + ([] if tells(ledger, turn) else found)  # what was told is not left for something small
    led = [
        Line(f"smaller.{i}+{line.id}", f"{opener} {line.text}", line.quoted)
        for line in found
        for i, opener in shuffled(SMALLER, rng)
    ]
    return led + found


def _asking_thought(ledger: Ledger, turn: Heard, rng: Generator) -> list[Line]:
    """Return questions for the thought that went with what was told, in its own tense; else with something before."""
    if not tells(ledger, turn):
        return _fill("ask_thought", ledger, turn, rng) if assents(ledger, turn) else []
    first: Phrase | None = next(iter(weighty(turn)), None)
    tense = tense_of(first.said if first else turn.text)
    name = f"ask_thought_{'past' if tense == 'past' else 'now'}"
    return _led([Line(f"{name}.{i}", line) for i, line in shuffled(LINES[name], rng)], turn, rng)


def _checking_hint(ledger: Ledger, turn: Heard, rng: Generator) -> list[Line]:
    """Return ways of asking about what was meant and not said: of the words themselves, where they can be quoted."""
    told = [trim(s) for s in reversed(split_sentences(turn.text))]
    said = next((s for s in told if _QUOTABLE.match(s)), "")
    lines = []
    for i, line in shuffled(MEETING["check_hint"], rng):
        if "{q}" not in line:
            lines.append(Line(f"check_hint.{i}", line))
        elif said and '"' not in said:
            lines.append(Line(f"check_hint.{i}", line.format(q=said), (said,)))
    return sorted(lines, key=lambda line: not line.quoted)


_QUOTABLE = re.compile(
    r"^(?!(?:anyway|anyhow|never mind|it doesn't|doesn't|it's nothing|it is nothing|that's all|with|on|in|at|from|"
    r"for|of|by|not)\b)"
    r"\w[\w',-]*(?: [\w',-]+){2,10}\.?$",
    re.IGNORECASE,
)


def _on_the_thought(move: str, ledger: Ledger, turn: Heard, rng: Generator) -> list[Line]:
    """Return questions on the thought in hand: of "that" where the turn holds it, else quoting it.

    Where there is none, but something hard was said, now or before, the exception to the hard state is asked for.
    """
    asked = ledger.moves[-1:] == ("ask_thought",)
    here, _ = thought_in(turn, asked=asked, distorted=ledger.distortions > 0)
    own = normal(ledger.thought) in normal(turn.text) if ledger.thought else False
    if not (here or own):
        hard = any(lasting(p) for p in weighty(turn))
        state = [Line(f"{move}_state.{i}", line) for i, line in shuffled(LINES[f"{move}_state"], rng)] if hard else []
        return _led(state, turn, rng) + _bridged(_going_back(move, ledger, turn, rng), ledger, turn, rng)
    lines = _fill(f"{move}_here", ledger, turn, rng)
    if move == "ask_alternative":
        lines += [Line(f"view.{p}", _VIEW.format(p=p), (p,)) for p in people(turn.text)[:1]]
    said = here or ledger.thought
    quoted = [Line(f"quoted.{x.id}+{x.id}", f'"{capital(said)}." {x.text}', (said,)) for x in lines]
    return quoted + lines


def _going_back(move: str, ledger: Ledger, turn: Heard, rng: Generator) -> list[Line]:
    """Return questions on what was said earlier, which they quote: the thought, else something hard that was told."""
    if ledger.thought:
        more = _fill(f"{move}_more", ledger, turn, rng) if ledger.against else []
        return more + _fill(move, ledger, turn, rng)
    found: list[Line] = []
    for told in reversed(ledger.kept):
        fresh = normal(told.said) not in normal(turn.text) and not any(told.back in line for line in ledger.said)
        if fresh and lasting(told):
            found += [
                Line(f"{move}_back.{i}", line.format(s=told.back), (told.said,))
                for i, line in shuffled(LINES[f"{move}_back"], rng)
            ]
    told_enough = len(ledger.kept) >= _ENOUGH_TOLD and ledger.turn >= _ALL_TOLD
    return found + (_fill(f"{move}_all", ledger, turn, rng) if told_enough else [])


def _leaving(lines: Sequence[Line], ledger: Ledger, rng: Generator) -> list[Line]:
    """Put a word of leaving it before ``lines`` where the last question had no answer."""
    if not ledger.unanswered:
        return list(lines)
    return [
        Line(f"leaving.{i}+{line.id}", f"{opener} {line.text}", line.quoted)
        for line in lines
        for i, opener in shuffled(LEAVING_IT, rng)
    ]


def _bridged(lines: Sequence[Line], ledger: Ledger, turn: Heard, rng: Generator) -> list[Line]:
    """Return ``lines`` that go back to something else, after what the turn told was given back."""
    if ledger.unanswered or not touches(turn):
        return _leaving(lines, ledger, rng)
    leads = [x for x in _reflections(turn, rng) if not _PROMPTS.search(x.text)][:4]
    return [
        Line(f"{lead.id}+{line.id}", f"{lead.text} {line.text}", lead.quoted + line.quoted, lead.feeling)
        for line in lines
        for lead in leads
        if not set(line.quoted) & set(lead.quoted)
    ]


def _putting_together(ledger: Ledger, turn: Heard, rng: Generator) -> list[Line]:
    """Return ways of laying what does not fit beside the thought; where there is none, beside all that was told."""
    lines = _fill("synthesise" if ledger.thought else "synthesise_state", ledger, turn, rng)
    return lines if ledger.found else _bridged(lines, ledger, turn, rng)


def _consolidating(turn: Heard, rng: Generator) -> list[Line]:
    """Return ways of giving a new view back with what may follow; none where no new view was voiced."""
    if not sees_anew(turn.text):
        return []
    view = new_view(turn)
    found = []
    for i, line in shuffled(MEETING["consolidate"], rng):
        if "{q}" not in line or view:
            found.append(Line(f"consolidate.{i}", line.format(q=capital(view)), (view,) if "{q}" in line else ()))
    return sorted(found, key=lambda line: not line.quoted)


def candidates(move: str, ledger: Ledger, turn: Heard, rng: Generator) -> list[Line]:
    """Return what could be said for ``move``, in the order in which it should be tried; none where it would not fit."""
    told = replace(turn, text=told_in(turn.text))
    return _lines(move, ledger, told, rng) if suits(move, ledger, told) else []


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
    "ask_evidence": lambda ledger, turn, rng: _bridged(_fill("ask_evidence", ledger, turn, rng), ledger, turn, rng),
    "synthesise": _putting_together,
    "consolidate": lambda _, turn, rng: _consolidating(turn, rng),
    "give": lambda ledger, turn, rng: given(turn.text, rng, before=ledger.corpus),
    "hold": lambda _, turn, rng: held(turn.text, rng) if worth_holding(turn.text) else [],
}


def _lines(move: str, ledger: Ledger, turn: Heard, rng: Generator) -> list[Line]:
    if calls_for(turn) == "insight" and move != "consolidate":
        return _consolidating(turn, rng) + given_back(turn, rng)
    if move in _BANKS:
        return _BANKS[move](ledger, turn, rng)
    match move:
        case "reflect_content":
            links = linking_lines(turn, ledger.kept[-4:-1], rng) if ledger.turn % 4 == 3 else []
            return links[:3] + given_back(turn, rng)
        case "ask_exception" | "ask_alternative":
            return _on_the_thought(move, ledger, turn, rng)
        case "give_room" if calls_for(turn) == "pushback":
            return stepping_back(ledger, turn, rng)
        case "stay" | "normalise" if ledger.unanswered:
            return _fill(f"{move}_unanswered", ledger, turn, rng)
        case "stay" if not touches(turn):
            return _fill("encourage", ledger, turn, rng) if tells(ledger, turn) else []
        case "next_step":
            seen = (
                _fill("next_step_seen", ledger, turn, rng)
                if ledger.since("consolidate") <= _LATELY and "consolidate" in ledger.moves
                else []
            )
            return seen + _fill(move, ledger, turn, rng)
        case _:
            return _fill(move, ledger, turn, rng)


def fallbacks(ledger: Ledger, turn: Heard, rng: Generator) -> list[Line]:
    """Return safe things to say when nothing chosen holds up: what was called for first, else a reflection."""
    told = replace(turn, text=told_in(turn.text))
    call = calls_for(told)
    called = {"bait": lambda: held(told.text, rng), "request": lambda: given(told.text, rng, before=ledger.corpus)}
    first = called[call]() if call in called else []
    if call == "pushback":
        first = stepping_back(ledger, told, rng) or [Line(f"step_back.{i}", x) for i, x in shuffled(STEP_BACK, rng)]
    if ledger.unanswered:
        return first + _small(ledger, told, rng)
    return first + given_back(told, rng) + _fill("encourage", ledger, told, rng) + _small(ledger, told, rng)
