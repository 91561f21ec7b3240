"""Plain text in which a line begins with who speaks: ``Therapist: …``, ``Client: …``, ``T: …``, ``P: …``.

A line that begins with no speaker goes on with the turn above; numbers and timings of captions are no
lines. Foreign text cannot say where a session ends, so a file is one session. Text that turnwise exports
begins with a line that says so (``HEADER``): there a turn goes on only in lines that begin with four spaces,
so what was said may look like anything, and ``# session "id"`` begins a session.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from turnwise.core.model_turns import hide_thinking
from turnwise.core.nouns import Speaker, Trajectory, Turn
from turnwise.core.registry import importer
from turnwise.engine.importers.account import Account
from turnwise.engine.importers.captions import Said, said_lines
from turnwise.engine.importers.layouts import name_of
from turnwise.engine.importers.records import BadRecord, Unreadable, sessions
from turnwise.engine.importers.streams import Line, lines, shown

__all__ = [
    "HEADER",
    "INDENT",
    "LABELS",
    "SESSION",
    "Label",
    "PlainText",
    "label_of",
    "opens_in_blocks",
    "plain_text",
    "spoken",
]

HEADER = "# turnwise plain text 1: a turn goes on in lines that begin with four spaces"
"""First line of text that turnwise wrote."""
_HEADER_START = "# turnwise plain text "
SESSION = "# session "
INDENT = "    "
LABELS: Mapping[Speaker, str] = MappingProxyType({"therapist": "Therapist:", "patient": "Patient:"})
"""How turnwise writes who speaks."""
_SHORT: Mapping[str, Speaker] = MappingProxyType(
    {"t": "therapist", "th": "therapist", "p": "patient", "pt": "patient", "c": "patient", "cl": "patient"}
)
_TIME = r"\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d{1,3})?"
_BOLD = r"(?:\*\*|__)?"
_LABEL = re.compile(
    r"^\s*+(?:[-–—•*>]++\s++)*+"  # a list, or a quoted mail
    rf"(?:[\[(]?(?P<stamp>{_TIME})[\])]?\s++(?:-\s++)?)?"
    rf"{_BOLD}(?P<name>[^\W\d_][^:：\n]{{0,39}}?)\s*+{_BOLD}"
    rf"(?:,?\s*+[\[(]?(?P<after>{_TIME})[\])]?)?\s*+{_BOLD}"
    rf"[:：]{_BOLD}(?!//)(?P<text>.*)$"
)
_UNSEEN = re.compile(r"[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u00ad]")
_BLOCK = re.compile(r"^(user|agent):(?: |$)", re.MULTILINE)
_MAY_BE_A_NAME = re.compile(r"[A-Z][\w.'-]*(?: [A-Z0-9][\w.'-]*){0,2}|[^\W\d_][\w.'-]*")
_MOST_NAMES = 20
_LONGEST_LABEL = 100


class Label(NamedTuple):
    """The beginning of a turn: who speaks, what follows on the line, and the time if one stands beside the name."""

    name: str
    text: str
    stamp: str | None


def label_of(line: str) -> Label | None:
    """Return what a line that may begin with a speaker says, ``None`` if it does not look like that.

    Marks that nobody sees, and those of a list or a quoted mail, may stand before the name; a time on either side.

    Examples
    --------
    >>> label_of("[00:01:07] **Client:** Not much.")
    Label(name='Client', text='Not much.', stamp='00:01:07')
    >>> label_of("> Client (00:15): Not much.")
    Label(name='Client', text='Not much.', stamp='00:15')
    >>> label_of("no speaker here") is None
    True
    """
    found = _LABEL.match(line)
    if found is None and (seen := _UNSEEN.sub("", line[:_LONGEST_LABEL])) != line[:_LONGEST_LABEL]:
        found = _LABEL.match(seen + line[_LONGEST_LABEL:])
    if not found:
        return None
    return Label(found["name"].strip(), found["text"].strip(), found["stamp"] or found["after"])


def spoken(head: str, side_of: Callable[[str], Speaker | str | None]) -> Counter[str]:
    """Return how many lines of ``head`` begin with a speaker of each side.

    Examples
    --------
    >>> spoken("T: Hello.", {"T": "therapist"}.get)
    Counter({'therapist': 1})
    """
    text = (Line(i, line) for i, line in enumerate(head.split("\n"), 1))
    found = (label_of(said.line.text) for said in said_lines(text, lambda *_: None))
    sides = (side_of(label.name) for label in found if label)
    return Counter(side for side in sides if side)


def opens_in_blocks(head: str) -> bool:
    r"""Whether text opens with ``user: `` or ``agent: `` and has both: VERA-MH, where no other word is a speaker.

    Examples
    --------
    >>> opens_in_blocks("agent: Hello.\nuser: Hi."), opens_in_blocks("user: Hi.\nassistant: Hello.")
    (True, False)
    """
    found = {x.group(1) for x in _BLOCK.finditer(head)}
    return len(found) > 1 and _BLOCK.match(head.lstrip()) is not None


@dataclass(slots=True)
class _Session:
    """A session whose lines are still coming."""

    session_id: str
    account: Account
    where: str
    source: str
    turns: list[tuple[Speaker | None, list[str], dict[str, Any]]] = field(default_factory=list)
    before: list[str] = field(default_factory=list)
    unknown: Counter[str] = field(default_factory=Counter)
    other_labels: int = 0
    fault: tuple[str, str] | None = None

    def blame(self, where: str, problem: str) -> None:
        self.fault = self.fault or (where, problem)

    def wonder(self, label: Label) -> None:
        """Note a name that nobody knows: a turn of a third person would be misread in silence."""
        noted = label.name in self.unknown or len(self.unknown) < 10 * _MOST_NAMES
        if noted and label.text and _MAY_BE_A_NAME.fullmatch(label.name):
            self.unknown[label.name] += 1
        else:
            self.other_labels += 1

    def closed(self, *, exact: bool) -> Trajectory | Unreadable:
        sides = {who for who, _, _ in self.turns}
        if not exact and len(sides) < 2 and self.unknown:
            names = " and ".join(repr(shown(x, 40)) for x, _ in self.unknown.most_common(2))
            first = shown(self.unknown.most_common(1)[0][0], 40)
            self.blame(self.where, f"{names} may be speakers; say who is who, e.g. --speaker {first!r}=patient")
        if not exact and not sides:
            self.blame(self.where, "no line begins with a speaker, like 'Therapist: …' or 'Client: …'")
        if self.fault:
            self.account.rollback()
            return Unreadable(*self.fault, self.session_id)
        turns, infos = [], []
        for who, said, info in self.turns:
            if who is not None:
                text = "\n".join(said)
                turns.append(Turn(speaker=who, text=text if exact else self._said(who, text.strip(), info)))
                infos.append(info)
        meta = self._meta()
        self.account.commit()
        kept = tuple(infos) if any(infos) else ()
        return Trajectory(session_id=self.session_id, source=self.source, turns=tuple(turns), infos=kept, meta=meta)

    def _said(self, who: Speaker, text: str, info: dict[str, Any]) -> str:
        said = hide_thinking(text, info, torn=who == "therapist")
        self.account.lost("hidden reasoning inside a text (moved to a private field)", int(said != text))
        return said

    def _meta(self) -> dict[str, Any]:
        meta: dict[str, Any] = {}
        before = "\n".join(self.before).strip()
        if before:
            meta["before_the_first_turn"] = before
            self.account.lost("text before the first speaker (kept in meta)", where=self.where)
        if self.unknown:
            listed = self.unknown.most_common(_MOST_NAMES)
            meta["not_taken_for_speakers"] = dict(listed)
            for name, n in listed:
                self.account.lost(f"lines that begin with '{shown(name, 40)}:', read as part of the turn above", n)
        rest = self.other_labels + sum(n for _, n in self.unknown.most_common()[_MOST_NAMES:])
        self.account.lost("other lines with a colon near their beginning, read as part of the turn above", rest)
        return meta


class PlainText:
    """Reads lines that begin with who speaks.

    ``words`` are names of speakers with a meaning in this format; with ``only``, no other name is one, and they are
    written exactly so. ``source`` is what the sessions are called after.
    """

    def __init__(
        self,
        account: Account | None = None,
        words: Mapping[str, Speaker] = _SHORT,
        source: str = "imported",
        *,
        only: bool = False,
    ) -> None:
        self._account = account or Account()
        self._words = words
        self._only = only
        self.source = source

    def detect(self, head: str, /) -> bool:
        """Whether text of our own begins here, or both sides begin a line."""
        start = head.lstrip()
        if start.startswith(_HEADER_START):
            return True
        if start.startswith(("{", "[{", "<")) or opens_in_blocks(head):
            return False
        return len(spoken(head, self._side)) > 1

    def _side(self, name: str) -> str | None:
        plain = name.lower()
        if self._only:
            return self._account.given.get(plain) or self._words.get(name)
        return self._account.side_of(plain, self._words)

    def read(self, path: Path, /) -> Iterator[Trajectory]:
        """Yield the sessions of ``path``, the damaged ones as ``error``."""
        return sessions(path, self._sessions(path), self.source)

    def _sessions(self, path: Path) -> Iterator[Trajectory | Unreadable]:
        text = lines(path)
        first = next((line for line in text if line.text.strip() or line.problem), None)
        if first is None:
            return
        if first.text.startswith(_HEADER_START):
            if first.text != HEADER:
                problem = f"is of a version that is not known here (this is {HEADER.partition(':')[0]!r})"
                yield Unreadable(f"line {first.number}", problem, name_of(path))
                return
            yield from self._exact(path, text, crlf=first.end == "\r\n")
            return
        now = _Session(name_of(path), self._account, f"line {first.number}", self.source)
        rest = chain([first], text)
        for said in map(Said, rest) if self._only else said_lines(rest, self._account.lost):
            self._take(now, *said)
        yield now.closed(exact=False)

    def _take(self, now: _Session, line: Line, given: str | None = None) -> None:
        where = f"line {line.number}"
        if line.problem:
            now.blame(where, line.problem)
        label = label_of(line.text)
        side = self._side(label.name) if label else None
        if label is None or side is None:
            if label and not self._only:
                now.wonder(label)
            (now.turns[-1][1] if now.turns else now.before).append(line.text)
            return
        who = self._account.speaker(label.name, where, self._words)
        stamp = label.stamp or given
        info = {"timestamp": stamp} if stamp else {}
        now.turns.append((who, [label.text], info))

    def _exact(self, path: Path, text: Iterator[Line], *, crlf: bool) -> Iterator[Trajectory | Unreadable]:
        now: _Session | None = None
        for line in text:
            where = f"line {line.number}"
            raw = line.text + line.end
            raw = raw.removesuffix("\r\n" if crlf else "\n")
            if line.text.startswith(SESSION) or (now is None and line.text.strip()):
                if now:
                    yield now.closed(exact=True)
                name, problem = _session_id(line.text) if line.text.startswith(SESSION) else (name_of(path), None)
                now = _Session(name or f"line-{line.number}", self._account, where, self.source)
                if problem:
                    now.blame(where, problem)
                if line.text.startswith(SESSION):
                    continue
            if now is None:
                continue
            if line.problem:
                now.blame(where, line.problem)
            try:
                self._take_exact(now, raw, where)
            except BadRecord as fault:
                now.blame(where, str(fault))
        if now:
            yield now.closed(exact=True)

    def _take_exact(self, now: _Session, raw: str, where: str) -> None:
        side = next((side for side, label in LABELS.items() if raw.startswith(label)), None)
        if side is not None:
            who = self._account.speaker(LABELS[side].removesuffix(":"), where)
            now.turns.append((who, [raw.removeprefix(LABELS[side]).removeprefix(" ")], {}))
        elif raw.startswith(INDENT):
            if not now.turns:
                raise BadRecord("goes on with a turn, but none has begun")
            now.turns[-1][1].append(raw.removeprefix(INDENT))
        elif raw.strip():
            raise BadRecord(f"begins neither with {' nor '.join(LABELS.values())} nor with four spaces")


def _session_id(line: str) -> tuple[str | None, str | None]:
    try:
        name = json.loads(line.removeprefix(SESSION))
    except (ValueError, RecursionError):
        name = None
    if not isinstance(name, str) or not name.strip():
        return None, f'does not name its session; write {SESSION}"an id"'
    return name, None


@importer(
    name="plain_text.v1",
    fmt="plain text, lines that begin with 'Therapist:', 'Client:', 'T:', 'C:' and the like",
    source="this project; ClientCAST and ESC-Judge write such text",
)
def plain_text(account: Account | None = None) -> PlainText:
    """Plain text in which a line begins with who speaks; lines without a speaker go on with the turn above."""
    return PlainText(account)
