"""Captions (SubRip, WebVTT) as lines of what was said: numbers, timings and comments of cues are no words.

A line of text comes with the time at which its cue starts. WebVTT's voices (``<v Anna>Hello.``) become the
beginning of a line, ``Anna: Hello.``, so that who speaks is told in one way. A line that holds nothing but a time
is no words either, in captions or out of them. Text without any of this passes as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from html import unescape
from typing import NamedTuple

from turnwise.engine.importers.streams import Line

__all__ = ["Said", "said_lines"]

_TIME = r"(?:\d{1,3}:)?\d{1,2}:\d{2}[.,]\d{1,3}"
_TIMING = re.compile(rf"^\s*({_TIME})\s*-->\s*{_TIME}(?:\s.*)?$")
_TIME_ALONE = re.compile(
    r"^\s*(?:[\[(](\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d{1,3})?)[\])]|(\d{1,2}:\d{2}:\d{2}(?:[.,]\d{1,3})?))\s*$"
)
_NUMBER = re.compile(r"^\s*\d{1,6}\s*$")
_VOICE = re.compile(r"<v(?:\.[^\s>]{1,99}+)?\s++([^>]{1,99}+)>")
_TAG = re.compile(r"</?(?:v|c|i|b|u|ruby|rt|lang|font)(?:[.\s][^>]{0,199}+)?>|<\d[\d:.]{0,19}+>")
_MARK = "WEBVTT"
_ASIDE = re.compile(r"^(?:NOTE|STYLE|REGION)(?:\s|$)")
OnLost = Callable[[str, int, str], None]


class Said(NamedTuple):
    """A line, and the time that was given for it outside the line."""

    line: Line
    stamp: str | None = None


def said_lines(text: Iterable[Line], lost: OnLost) -> Iterator[Said]:
    """Yield the lines of ``text`` that may be words; what is left out is told to ``lost`` (what, how often, where).

    Examples
    --------
    >>> cue = [Line(1, "1"), Line(2, "00:00:01,000 --> 00:00:03,000"), Line(3, "Client: Hi.")]
    >>> [(x.line.text, x.stamp) for x in said_lines(cue, lambda *_: None)]
    [('Client: Hi.', '00:00:01,000')]
    """
    reading = _Reading(lost)
    for line in text:
        yield from reading.take(line)
    yield from reading.rest()


class _Reading:
    """Holds one line back: only the line below says whether it was the number of a cue."""

    def __init__(self, lost: OnLost) -> None:
        self._lost = lost
        self._held: Said | None = None
        self._held_opens = False
        self._stamp: str | None = None
        self._web = self._captions = self._aside = False
        self._after_blank = True

    def take(self, line: Line) -> Iterator[Said]:
        where = f"line {line.number}"
        blank = not line.text.strip()
        opens, self._after_blank = self._after_blank and not blank, blank
        timing = _TIMING.match(line.text)
        if line.number == 1 and line.text.startswith(_MARK):
            self._web = self._captions = self._aside = True
        elif self._web and opens and _ASIDE.match(line.text):
            self._aside = True
        if self._aside and not timing:
            self._aside = not blank
            self._lost("lines of the header, comments and styles of captions (left out)", int(not blank), where)
            return
        if timing:
            self._captions, self._aside = True, False
            self._drop_number()
            self._lost("cues whose number and timing are no words (a turn keeps the time it starts)", 1, where)
        yield from self.rest()
        if timing:
            self._stamp = timing[1]
        elif alone := _TIME_ALONE.match(line.text):
            self._lost("lines that hold only a time (no words; the turn that follows keeps it)", 1, where)
            self._stamp = alone[1] or alone[2]
        elif not (blank and self._captions):
            yield from self._words(line, opens)

    def _words(self, line: Line, opens: bool) -> Iterator[Said]:
        *before, last = [line.text] if not self._captions else self._plain(line.text).split("\n")
        for text in before:
            yield Said(line._replace(text=text), self._stamp)
        self._held, self._held_opens = Said(line._replace(text=last), self._stamp), opens
        if not self._captions:
            self._stamp = None if line.text.strip() else self._stamp

    def _plain(self, text: str) -> str:
        voiced = _VOICE.sub(r"\n\1: ", text).removeprefix("\n")
        bare = _TAG.sub("", voiced)
        return unescape(bare) if self._web else bare

    def _drop_number(self) -> None:
        """Forget the line above a timing if it is the number or the name of the cue."""
        held = self._held
        if held and (_NUMBER.match(held.line.text) or (self._web and self._held_opens)):
            self._held = None

    def rest(self) -> Iterator[Said]:
        """Yield the line that was held back."""
        if self._held is not None:
            yield self._held
            self._held = None
