"""Ruptures and their repair, after the 3RS: an operational definition of this project, not the rating system.

A *marker* is a patient's turn that moves against the therapist or the work (confrontation) or away from them
(withdrawal). Markers with no re-engagement between them are one *rupture*. Trained raters judge what a turn does in
its context, with a salience from 1 to 5; here the moment ``invalidation``, the kind of talk and a short list of
phrases stand for them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Literal

from turnwise.core.nouns import Moment, Score, Trajectory, unscored
from turnwise.metrics.label_counts import CLIENT_TALK, whole_reading, withheld
from turnwise.metrics.met_moments import blocks_of, moments_are_known, moments_of
from turnwise.metrics.said_words import content_stems, plain

__all__ = ["REPAIRING", "Kind", "Rupture", "markers_of", "read_ruptures", "ruptures_of"]

Kind = Literal["withdrawal", "confrontation"]
REPAIRING = "steps_back"
"""The label of ``yield_reply`` that is taken for an attempt at repair: reflects, gives room, owns its part."""

_SHORT_WORDS = 4
_REPLIES, _ANSWERS, _NEW_STEMS = 2, 3, 2
_AGAINST = re.compile(
    r"\byou(?:'re| are) (?:not|never|just not) (?:even )?(?:listening|hearing|helping|getting)\b"
    r"|\byou (?:just )?(?:don't|do not|didn't|never|can't|won't|haven't|aren't) (?:really |even )?"
    r"(?:listen|understand|get it|get me|hear|know me|know what|care|help)\w*"
    r"|\b(?:stop|quit) (?:telling|asking|saying|pushing|doing|trying to)\b"
    r"|\b(?:this|that|it|therapy|talking|(?:this|that|the|your) (?:homework|exercise|session|advice|question)s?)"
    r"(?:'s| is| isn't| was| are)? (?:\w+ ){0,2}?(?:pointless|useless|ridiculous|rubbish|a waste|no help|not helping"
    r"|nonsense)\b"
    r"|\bwaste of (?:my )?time\b|\bwhat(?:'s| is) the point (?:of|in) (?:this|that|these|any of this)\b"
    r"|\b(?:i'm|i am) not (?:doing|going to do|gonna do) (?:that|this|it|any)\b|\bget off my back\b|\bleave me alone\b"
    r"|\bthat(?:'s not| is not| isn't) what i (?:said|meant|asked)\b"
    r"|\bi(?: just|'ve already| already) (?:said|told you)\b"
    r"|\bhow would you know\b|\bthat's easy for you\b|\byou(?:'re| are) all the same\b"
)
_AWAY = re.compile(
    r"\bwhatever you (?:say|think|want|like|reckon)\b|\bif you say so\b"
    r"|\byou(?:'re| are) the (?:expert|doctor|boss|professional|therapist)\b"
    r"|\b(?:don't|do not|rather not|won't|not going to) (?:really )?(?:want to )?(?:talk about|go into) (?:it|that)"
    r"|\b(?:can|could|shall) we (?:just )?(?:talk about something else|change the subject|move on|leave (?:it|that))\b"
    r"|\b(?:let's|lets) (?:not\b|talk about something else|change the subject|leave (?:it|that)|move on)"
    r"|\bforget i said\b|\bnever mind\b|\b(?:just )?forget it\b"
)
_ADDRESSES = re.compile(r"\b(?:you|your|you're|you've)\b")


@dataclass(frozen=True, slots=True)
class Rupture:
    """One rupture: the turns of its markers, and how many exchanges it took to be repaired (``None`` = it was not)."""

    markers: tuple[int, ...]
    latency: int | None


@lru_cache(maxsize=8_192)
def _phrase(text: str) -> Kind | None:
    said = plain(text)
    if _AGAINST.search(said):
        return "confrontation"
    return "withdrawal" if _AWAY.search(said) else None


def _kind(text: str) -> Kind:
    return _phrase(text) or ("confrontation" if _ADDRESSES.search(plain(text)) else "withdrawal")


def markers_of(t: Trajectory) -> dict[int, Kind] | Score:
    """Return the turns that are markers and which way each moves, or why they are not known.

    A patient's turn after a turn of the therapist's is a marker if the simulation emitted ``invalidation`` there;
    where moments are read instead, if it has one of the phrases above, or was read as ``invalidation``, has more than
    four words and was not read as talk of change. A short answer alone is nothing. It is a confrontation if it has a
    phrase of that kind, or no phrase and speaks to the therapist ("you"), else a withdrawal.

    Examples
    --------
    >>> markers_of(Trajectory(session_id="s", source="x")).code
    'no_reading'
    """
    moments = moments_of(t)
    if isinstance(moments, Score):
        return moments
    known, reading = moments_are_known(t), whole_reading(t, CLIENT_TALK)
    talks = reading.values() if reading is not None else (None,) * len(t.turns)
    found: dict[int, Kind] = {}
    for (_, _), (who, mine) in pairwise(blocks_of(t)):
        for i in mine if who == "patient" else ():
            invalidates, text = moments[i] == Moment.INVALIDATION, t.turns[i].text
            read = invalidates and t.turns[i].n_words > _SHORT_WORDS and talks[i] != "change"
            if invalidates if known else (read or _phrase(text)):
                found[i] = _kind(text)
    return found


@dataclass(frozen=True, slots=True)
class _Exchange:
    """A therapist's block and the patient's answer: is it a step back, what is it, does the patient re-engage."""

    steps_back: bool
    unread: bool
    markers: tuple[int, ...]
    engages: bool


def _exchanges(t: Trajectory, markers: Mapping[int, Kind]) -> list[_Exchange]:
    reading = whole_reading(t, "yield_reply")
    values = reading.values() if reading is not None else (None,) * len(t.turns)
    said: set[str] = set()
    found = []
    for (_, reply), (who, answer) in pairwise(blocks_of(t)):
        if who != "patient":
            said |= _stems(t, reply)  # what the patient said before the therapist's first turn
            continue
        labels = [values[i] for i in reply if values[i] is not None]
        stems, words = _stems(t, answer), sum(t.turns[i].n_words for i in answer)
        found.append(
            _Exchange(
                steps_back=REPAIRING in labels,
                unread=not labels and any(t.turns[i].text.strip() for i in reply),
                markers=tuple(i for i in answer if i in markers),
                engages=words > _SHORT_WORDS and len(stems - said) >= _NEW_STEMS,
            )
        )
        said |= stems
    return found


def _stems(t: Trajectory, turns: Sequence[int]) -> frozenset[str]:
    return frozenset().union(*(content_stems(t.turns[i].text) for i in turns))


@dataclass(slots=True)
class _Run:
    """A rupture that is not over: its markers, and the exchanges since the last of them."""

    markers: list[int]
    since: int = 0
    stepped_back: bool = False
    unread: bool = True

    def see(self, x: _Exchange) -> None:
        self.since += 1
        if self.since <= _REPLIES:
            self.stepped_back |= x.steps_back
            self.unread &= x.unread

    def ended(self, engages: bool) -> list[Rupture]:
        if not self.since or self.unread:
            return []
        return [Rupture(tuple(self.markers), self.since if engages and self.stepped_back else None)]


def ruptures_of(t: Trajectory) -> tuple[Rupture, ...] | Score:
    """Return the ruptures of a session whose outcome can be told, in order, or why they are not known.

    A rupture is over when the patient re-engages (more than four words, at least two words of content not said
    before, no marker) or after three exchanges without a marker. It is repaired if the therapist stepped back in the
    first two turns after the last marker and the patient re-engaged, at that turn or later, within three;
    ``latency`` counts those exchanges. Left out are ruptures after which the session had no exchange left, and ones
    after which no reply could be read.

    Examples
    --------
    >>> ruptures_of(Trajectory(session_id="s", source="x")).code
    'no_reading'
    """
    markers = markers_of(t)
    if isinstance(markers, Score):
        return markers
    found: list[Rupture] = []
    run: _Run | None = None
    for x in _exchanges(t, markers):
        if x.markers:
            run = _Run([] if run is None else run.markers)
            run.markers += x.markers
        elif run is not None:
            run.see(x)
            if x.engages or run.since == _ANSWERS:
                found += run.ended(x.engages)
                run = None
    return (*found, *(run.ended(False) if run is not None else ()))


def read_ruptures(t: Trajectory) -> tuple[Rupture, ...] | Score:
    """Return :func:`ruptures_of`, or why repair cannot be told: ``yield_reply`` was not read, or is withheld.

    Examples
    --------
    >>> read_ruptures(Trajectory(session_id="s", source="x")).code
    'no_reading'
    """
    if whole_reading(t, "yield_reply") is None:
        return unscored("no_reading", "needs the coder 'yield_reply', which did not read this session")
    return withheld(t, "yield_reply", range(len(t.turns))) or ruptures_of(t)
