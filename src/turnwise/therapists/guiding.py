"""What the Socratic therapist can say for each act: candidates, grounded in the patient's words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from numpy.random import Generator

from turnwise.therapists.ledger import Ledger, normal
from turnwise.therapists.meeting import MEETING, given, held
from turnwise.therapists.questions import DEEPENING, INFORMING, questions
from turnwise.therapists.reflecting import Heard, Line, content_lines, feeling_lines, linking_lines, shuffled
from turnwise.therapists.wording import capital, people
from turnwise.therapists.yielding import STEP_BACK, STEP_BACK_PRESSED

__all__ = ["candidates", "fallbacks"]

_BANKS: Mapping[str, tuple[str, ...]] = {
    "stay": (
        "There's no hurry with this.",
        "We can stay with that for a while.",
        "Take your time. I'm here.",
        "You don't have to do anything with that just now.",
        "That's a lot. Let's not rush past it.",
        "I'm listening. You can let it be as it is.",
    ),
    "normalise": (
        "Many people find that hard to put into words.",
        "Many people would recognise that, I think.",
        "Plenty of people would find that difficult. I don't mean that it makes yours any less.",
        "Other people tell of something similar, and each of them has it in their own way. What is yours like?",
    ),
    "ask_thought": (
        "What went through your mind just then?",
        "What were you telling yourself at that moment?",
        "When that happens, what thought comes first?",
        "What did you take it to mean?",
        "What does that say about you, in your own eyes?",
        "If it stays like that, what would it mean to you?",
        "What's the thought underneath that, if there is one?",
        "What did you conclude from that, about yourself?",
    ),
    "ask_evidence": (
        'You said, "{t}." What do you go by, when you say that?',
        '"{T}." What tells you that it\'s so?',
        'Can we look at one sentence of yours? "{T}." What has taught you that?',
        'When you say "{t}", what are you thinking of in particular?',
    ),
    "ask_exception": (
        'You said, "{t}." Has there been a time, even a small one, that doesn\'t fit with that?',
        'Is there anything you\'ve seen or heard lately that doesn\'t quite go with "{t}"?',
        'Thinking of "{t}": who or what, if anything, would speak against it?',
        'Has there been a day when "{t}" was less true than on other days? What was different about it?',
        "Is there anybody who has treated you in a way that doesn't go with that?",
        "When was it last a little different, even for a moment?",
        "Is there anything, however small, that doesn't fit with that?",
        "Who might see that another way, and what would they point to?",
    ),
    "ask_alternative": (
        'If a friend said about themselves, "{t}," what would you say back?',
        'How would it look to somebody who is fond of you, when you say "{t}"?',
        "Suppose someone you care about were in exactly that place. How would you see them?",
        "What other way could there be of seeing it, even if you don't believe it yet?",
        "How might the same thing look from outside, to someone who wished you well?",
        "What else might explain it?",
        "If a friend told you exactly that, what would you say to them?",
        "What would you say to somebody you love, if they saw it like that?",
    ),
    "synthesise": (
        'You told me, "{a}." And you also said, "{t}." How do those two go together for you?',
        'I have two sentences of yours here: "{t}," and "{a}." What do you make of them, side by side?',
        'Put "{a}" next to "{t}". What do you notice?',
    ),
    "next_step": (
        "What, if anything, would you like to do with what you've seen today?",
        "Is there something small you'd want to try with that, in your own time?",
        "What would you like to take with you from this?",
        "If you tested that out this week, what might it look like?",
    ),
    "step_back": STEP_BACK,
    "step_back_pressed": STEP_BACK_PRESSED,
    "give_room": (
        "You don't have to go into that. We can talk about whatever suits you.",
        "It's fine to leave that where it is. What would be easier to talk about?",
        "We can go slower, or somewhere else. What would you like to do with the time?",
        "There's nothing you have to tell me. What's been on your mind today, big or small?",
        "It may be that I'm asking the wrong things. What would be worth asking?",
        "I notice we've got a bit quiet. Is it that there's not much to say, or that I've missed something?",
        "Shall we leave that for now? You can tell me how your week has been instead.",
    ),
    "encourage": (
        "Go on, I'm with you.", "Say a little more about that.", "I'd like to hear the rest of that.", "Tell me "
        "how that is.",
        "Yes. Go on.", "I'm following. What else?", "Let's stay with that for a bit.", "What else belongs to that?",
        "I'm listening.", "And how is that now?", "Help me see it the way you see it.", "What comes next in that?",
    ),
}  # fmt: skip
_VIEW = "How might it look to {p}?"
_SUMMARY = (
    "Let me see if I have this so far. {A}. {B}. And {c}. What have I missed?",
    "I'll put together what I've heard. {A}, {b}, and {c}. What would you add?",
    "Before we go on, here is what I have: {a}; {b}; {c}. Where have I got it wrong?",
    "So there are three things I'm holding: {a}; {b}; and {c}. Which of them weighs most today?",
)
_NO_LEAD = ("Go on.", "?")
_LEAD_SHARE = 0.9  # share of questions that begin by giving something back


def _fill(move: str, ledger: Ledger, turn: Heard, rng: Generator) -> list[Line]:
    values = {
        "t": ledger.thought,
        "a": ledger.against[-1] if ledger.against else "",
        "q": capital(turn.statement.said) if turn.statement else "",
        "b": ledger.before[-1] if ledger.before else "",
    }
    found: list[Line] = []
    for i, line in shuffled(_BANKS.get(move) or MEETING[move], rng):
        slots = [name for name in values if f"{{{name}}}" in line or f"{{{name.upper()}}}" in line]
        if all(values[name] for name in slots):
            text = line.format(**values, **{name.upper(): capital(value) for name, value in values.items()})
            found.append(Line(f"{move}.{i}", text, tuple(values[name] for name in slots)))
    if move in ("ask_exception", "ask_alternative") and normal(ledger.thought) not in normal(turn.text):
        found.sort(key=lambda line: not line.quoted)  # "that" would not be understood turns later
    return found


def _summary(ledger: Ledger, rng: Generator) -> list[Line]:
    # A summary is of the person first: what stands on a shelf belongs in it only for want of better.
    kept = sorted(ledger.kept[-6:], key=lambda p: (not (p.deep or p.back.startswith("you")), -p.weight))[:3]
    kept.sort(key=ledger.kept.index)
    a, b, c = (phrase.back for phrase in kept)
    filled = {"a": a, "b": b, "c": c, "A": capital(a), "B": capital(b)}
    quoted = tuple(phrase.said for phrase in kept)
    return [Line(f"summarise.{i}", line.format(**filled), quoted) for i, line in shuffled(_SUMMARY, rng)]


def _led(lines: Sequence[Line], turn: Heard, rng: Generator) -> list[Line]:
    """Put a short reflection before a question, where there is one and the coin says so."""
    if rng.random() > _LEAD_SHARE:
        return list(lines)
    leads = [x for x in feeling_lines(turn, rng)[:4] + content_lines(turn, rng) if not x.text.endswith(_NO_LEAD)]
    return [
        Line(f"{lead.id}+{line.id}", f"{lead.text} {line.text}", lead.quoted + line.quoted, lead.feeling)
        for line in lines
        for lead in leads[:8]
    ] + list(lines)


def _attending(turn: Heard, rng: Generator) -> list[Line]:
    """Return reflections that stay with what was told, or ask how it is, before anything else."""
    leads = feeling_lines(turn, rng)[:4] + content_lines(turn, rng)[:8]
    return [
        Line(f"{lead.id}+attend.{i}", f"{lead.text} {line}", lead.quoted, lead.feeling)
        for i, line in shuffled(MEETING["attend"], rng)
        for lead in leads
        if not lead.text.endswith(_NO_LEAD)
    ]


def candidates(move: str, ledger: Ledger, turn: Heard, rng: Generator) -> list[Line]:
    """Return what could be said for ``move``, in the order in which it should be tried."""
    match move:
        case "open_question":
            return _led(questions(turn, INFORMING, rng), turn, rng)
        case "ask_feeling":
            return _led(questions(turn, DEEPENING, rng), turn, rng)
        case "reflect_feeling":
            return feeling_lines(turn, rng)
        case "reflect_content":
            links = linking_lines(turn, ledger.kept[-4:-1], rng) if ledger.turn % 4 == 3 else []
            return links[:3] + content_lines(turn, rng)
        case "summarise":
            return _summary(ledger, rng)
        case "step_back":
            pressed = ledger.last_class in ("challenge", "offer")
            lines = _fill("step_back_pressed", ledger, turn, rng) * pressed + _fill(move, ledger, turn, rng)
            return _led(lines, turn, rng)  # the objection itself is given back first, where it can be
        case "attend":
            return _attending(turn, rng)
        case "ask_alternative":
            views = [Line(f"view.{p}", _VIEW.format(p=p), (p,)) for p in people(turn.text)[:1]]
            return _led(_fill(move, ledger, turn, rng) + views, turn, rng)
        case "give":
            return given(turn.text, rng)
        case "hold":
            return held(turn.text, rng)
        case "ask_thought" | "next_step" | "ask_exception" | "ask_evidence" | "agenda" | "take_away" | "check_hint":
            return _led(_fill(move, ledger, turn, rng), turn, rng)
        case _:
            return _fill(move, ledger, turn, rng)


def fallbacks(ledger: Ledger, turn: Heard, rng: Generator) -> list[Line]:
    """Return safe things to say when nothing chosen holds up: reflections, encouragement, open questions."""
    return content_lines(turn, rng) + _fill("encourage", ledger, turn, rng) + questions(turn, DEEPENING, rng)
