"""How a thought is put to the test: asked about, gone back to, and laid beside what does not fit it.

Every question follows on what was just said: it speaks of "that" where the turn holds the thing, and where it goes back
to something earlier, it first gives back what was told now, or leaves a question without an answer be.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from numpy.random import Generator

from turnwise.therapists.giving_back import feelings_back, given_back, lasting
from turnwise.therapists.going_with import asks_again, goes_with
from turnwise.therapists.guiding_lines import LEFT_BE, LINES
from turnwise.therapists.ledger import Ledger, normal
from turnwise.therapists.meeting import MEETING
from turnwise.therapists.reflecting import Heard, Line, opened, shuffled
from turnwise.therapists.suiting import AT_WHAT_IS_SAID, TESTS, begun, calls_for, on_it, tells, touches
from turnwise.therapists.target_thoughts import thought_in
from turnwise.therapists.topics import told_lately
from turnwise.therapists.wording import MAX_QUOTED, capital, people

__all__ = [
    "at_what_was_voiced",
    "bridged",
    "filled",
    "from_another_side",
    "led",
    "on_the_thought",
    "putting_together",
    "reflections",
    "staying_with_it",
    "when_it_differs",
]

_VIEW = "How would {p} see it?"
_LEAD_SHARE = 0.85  # share of questions that begin by giving something back


def filled(move: str, ledger: Ledger, turn: Heard, rng: Generator) -> list[Line]:
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


def reflections(turn: Heard, rng: Generator) -> list[Line]:
    """Return what can be given back of a turn: a feeling that was voiced first, then what may matter in it."""
    return feelings_back(turn, rng)[:4] + given_back(turn, rng)


_PROMPTS = re.compile(r"\?$|\b(?:Go on|Tell me|hear more|understand that|Say a bit|with you|to know how)\b")
"""A reflection that prompts already is not put before a question: one thing is asked at a time."""


def led(lines: Sequence[Line], turn: Heard, rng: Generator) -> list[Line]:
    """Put a short reflection before a question, where there is one and the coin says so, and the two go together."""
    open_ones = [x for x in lines if not asks_again(x.text, turn)] or list(lines)
    leads = [x for x in reflections(turn, rng) if not _PROMPTS.search(x.text)][:8]
    if not leads or rng.random() > _LEAD_SHARE:
        return open_ones
    return [
        Line(f"{lead.id}+{line.id}", f"{lead.text} {line.text}", lead.quoted + line.quoted, lead.feeling)
        for line in open_ones
        for lead in leads
        if not set(line.quoted) & set(lead.quoted)
        and goes_with(line.text, lead.quoted[0] if lead.quoted else turn.text)
    ] + open_ones


def staying_with_it(ledger: Ledger, turn: Heard, rng: Generator) -> list[Line]:
    """Return ways of staying with what was named against the thought, or would be said to a friend."""
    if ledger.moves[-1:] == ("ask_alternative",) and _TO_A_FRIEND.match(turn.text):
        return led(filled("attend_friend", ledger, turn, rng), turn, rng)
    asked = led(filled("attend_found", ledger, turn, rng), turn, rng)
    here = bool(ledger.against) and normal(ledger.against[-1]) in normal(turn.text)
    quoted = filled("attend_found_quoted", ledger, turn, rng) if here else []
    return [line for line in asked if "+" in line.id][:6] + quoted + asked


_TO_A_FRIEND = re.compile(
    r"^(?:(?:well|so|i suppose|look|oh|see|i mean)[, ]+)*(?:i(?:'d| would) (?:say|tell|ask)|"
    r"to \w+ i(?:'d| would)? say|tell (?:her|him|them))\b|\bi(?:'d| would) (?:say|tell (?:her|him|them))\b",
    re.IGNORECASE,
)


def on_the_thought(move: str, ledger: Ledger, turn: Heard, rng: Generator) -> list[Line]:
    """Return questions on the thought in hand: of "that" where the turn holds it, or answers a question about it.

    A turn or two later it is quoted; none where the talk has left it.
    """
    asked = ledger.moves[-1:] == ("ask_thought",)
    here, _ = thought_in(turn, asked=asked, distorted=ledger.distortions > 0)
    seen = [Line(f"view.{p}", _VIEW.format(p=p), (p,)) for p in people(turn.text)[:1] if move == "ask_alternative"]
    if said := here or _in_turn(ledger, turn):
        return _quoting(said, filled(f"{move}_here", ledger, turn, rng) + seen)
    if not on_it(ledger) and not (begun(ledger) and ledger.thought):
        return []
    just = _just_asked(ledger)
    lines = filled(f"{move}_next" if just else move, ledger, turn, rng) + seen
    return led(lines, turn, rng) if just else bridged(lines, ledger, turn, rng)


def on_both_sides(ledger: Ledger, turn: Heard, rng: Generator) -> list[Line]:
    """Return questions for both sides of the thought that was looked at, and of nothing else that may sound like one.

    What the thought does to somebody is given back first.
    """
    asked = ledger.moves[-1:] == ("ask_thought",)
    here = thought_in(turn, asked=True, distorted=ledger.distortions > 0)[0] if asked else ""
    if said := here or _in_turn(ledger, turn):
        return _quoting(said, filled("ask_both_sides_here", ledger, turn, rng))
    if not ledger.thought:
        return []
    name = "ask_both_sides_next" if _just_asked(ledger) else "ask_both_sides"
    return bridged(filled(name, ledger, turn, rng), ledger, turn, rng)


def _in_turn(ledger: Ledger, turn: Heard) -> str:
    """Return the thought in hand where the turn holds it, or ``""``."""
    return ledger.thought if ledger.thought and normal(ledger.thought) in normal(turn.text) else ""


def _quoting(said: str, lines: Sequence[Line]) -> list[Line]:
    return [Line(f"quoted.{x.id}+{x.id}", f'"{capital(said)}." {x.text}', (said,)) for x in lines] + list(lines)


def _just_asked(ledger: Ledger) -> bool:
    return ledger.moves[-1:] != () and ledger.moves[-1] in _JUST_ASKED


_JUST_ASKED = TESTS | AT_WHAT_IS_SAID
"""After these "that" is still the thought."""


def at_what_was_voiced(ledger: Ledger, turn: Heard, rng: Generator) -> list[Line]:
    """Return questions at a sweeping thought that the turn itself voices: quoted, or after something given back."""
    said, _ = thought_in(turn, asked=False, distorted=True)
    lines = filled("ask_view", ledger, turn, rng)
    quoted = [Line(f"quoted.{x.id}", f'"{capital(said)}." {x.text}', (said,)) for x in lines if said]
    return (quoted if len(said.split()) <= MAX_QUOTED else []) or led(lines, turn, rng)


def from_another_side(ledger: Ledger, turn: Heard, rng: Generator) -> list[Line]:
    """Return questions for another view of what was just told, after it was given back; of a thought, quoted."""
    said, _ = thought_in(turn, asked=False, distorted=True)
    if not (said or calls_for(turn) == "distortion"):
        return []  # what is only felt is not argued with
    lines = filled("ask_other_view", ledger, turn, rng)
    quoted = [Line(f"quoted.{x.id}", f'"{capital(said)}." {x.text}', (said,)) for x in lines] if said else []
    bare = lines if calls_for(turn) == "distortion" else []  # a feeling is given back before anything is asked of it
    return quoted + bridged(lines, ledger, turn, rng) + bare


def when_it_differs(ledger: Ledger, turn: Heard, rng: Generator) -> list[Line]:
    """Return questions when something hard that was told, and lasts, is different: for who has no more to say just now.

    What somebody told is easier to go on from than a question without an answer, and its exceptions are theirs.
    """
    fresh = (
        p for p in reversed(ledger.kept)
        if lasting(p) and told_lately(p.said, ledger, _NOT_STALE) and normal(p.said) not in normal(turn.text)
    )  # fmt: skip
    told = next((p for p in fresh if not any(p.back in line for line in ledger.said)), None)
    if told is None:
        return []
    bank = shuffled(LINES["ask_different"], rng)
    lines = [Line(f"ask_different.{i}", line.format(s=told.back), (told.said,)) for i, line in bank]
    return opened("let_be", LEFT_BE, lines, rng) if ledger.unanswered else lines


_NOT_STALE = 6  # patient turns for which something that was told is near enough to come back to unasked


def bridged(lines: Sequence[Line], ledger: Ledger, turn: Heard, rng: Generator) -> list[Line]:
    """Return ``lines`` that go back to something else, after what the turn told was given back.

    None where it was only said that there is no answer.
    """
    if ledger.unanswered:
        return []
    if ledger.invited or not (touches(turn) or (ledger.turned and tells(ledger, turn))):
        return list(lines)  # what was offered is taken up, and not given back first
    leads = [x for x in reflections(turn, rng) if not _PROMPTS.search(x.text)][:4]
    return [
        Line(f"{lead.id}+{line.id}", f"{lead.text} {line.text}", lead.quoted + line.quoted, lead.feeling)
        for line in lines
        for lead in leads
        if not set(line.quoted) & set(lead.quoted)
    ]


def putting_together(ledger: Ledger, turn: Heard, rng: Generator) -> list[Line]:
    """Return ways of laying what does not fit beside the thought; where there is none, beside all that was told."""
    lines = filled("synthesise" if ledger.thought else "synthesise_state", ledger, turn, rng)
    return lines if ledger.found else bridged(lines, ledger, turn, rng)
