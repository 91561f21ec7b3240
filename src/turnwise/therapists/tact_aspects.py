"""What a reply is seen by before it is said: its act and frame, what it gives back, and what it answers to.

Aspects are names with numbers; a line's aspects are those of its frame and of its words against what was said, each by
itself and together with what the turn calls for. Nothing here knows a case: no aspect holds a word of a patient's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from turnwise.core.nouns import FloatArray
from turnwise.reading.encoder import encode
from turnwise.reading.sentences import split_sentences
from turnwise.therapists.acts import ACTS
from turnwise.therapists.giving_back import weighty
from turnwise.therapists.ledger import Ledger, normal
from turnwise.therapists.pushing_back import objection_in
from turnwise.therapists.reflecting import Heard, Line, heard_in
from turnwise.therapists.spoken import told_in
from turnwise.therapists.suiting import TESTS, calls_for, tells, touches
from turnwise.therapists.topics import defers

__all__ = ["Setting", "of_act", "of_line", "setting_of", "vectors_of"]

_TESTS = TESTS | {"synthesise"}
_ASKS = frozenset(("open_question", "small_question", "ask_feeling", "agenda", "check_in"))
_GIVES_BACK = frozenset(("reflect_content", "reflect_feeling", "attend", "stay", "normalise", "summarise"))
_REPAIRS = frozenset(("step_back", "give_room"))
_FIRST_PERSON = re.compile(r"\b(?:i|i'\w+|me|my|we|us|our)\b", re.IGNORECASE)
_VAGUE = re.compile(r"\b(?:that|this|it)\b", re.IGNORECASE)
_LENGTHS = (2, 5, 9, 16, 28, 45)


@dataclass(frozen=True, slots=True)
class Setting:
    """What a reply has to answer to: aspects of the turn and of the session so far, and the turn's vector."""

    names: tuple[str, ...]
    call: str
    text: str
    vector: FloatArray
    before: str


def setting_of(ledger: Ledger, turn: Heard) -> Setting:
    """Return what is common to every reply to ``turn``; ``ledger`` is after it."""
    told = Heard(told_in(turn.text), turn.phrases, turn.feelings)
    call = str(calls_for(told))
    last = ledger.moves[-1] if ledger.moves else "none"
    words = len(told.text.split())
    flags = {
        "unanswered": ledger.unanswered > 0,
        "unanswered2": ledger.unanswered > 1,
        "turned": ledger.turned,
        "found": ledger.found,
        "rupture": ledger.rupture,
        "rebuffed": ledger.rebuffed,
        "invited": ledger.invited,
        f"here_{ledger.here}": bool(ledger.here),
        "touches": touches(told),
        "tells": tells(ledger, told),
        "feels": bool(turn.feelings),
        "defers": defers(told.text),
        "objects": call == "pushback" and objection_in(turn.text) is not None,
        "asks": turn.text.rstrip().endswith("?"),
        "asked_inside": "?" in turn.text,
        "early": ledger.turn <= _EARLY,
        "late": ledger.turn >= _LATE,
        "thought": bool(ledger.thought),
        "thought_now": bool(ledger.thought) and normal(ledger.thought) in normal(turn.text),
        "clear_thought": ledger.likeness >= 1.0,
        "danger_before": "safety_check" in ledger.moves[-4:],
        "tested": sum(m in _TESTS for m in ledger.moves) > 1,
        "just_tested": last in _TESTS,
    }
    stake = next((p.stake for p in weighty(told)), "")
    names = [f"call={call}", f"last={_kind_of(last)}", f"lastmove={last}", f"words<{_bucket(words)}", f"stake={stake}"]
    names += [name for name, on in flags.items() if on]
    vector = np.asarray(encode([told.text or turn.text])[0], dtype=np.float64)
    return Setting(tuple(names), call, told.text, vector, normal(turn.text))


_EARLY, _LATE = 3, 16


def _bucket(n: int) -> int:
    return next((x for x in _LENGTHS if n <= x), 99)


def _kind_of(move: str) -> str:
    for name, group in (("tests", _TESTS), ("asks", _ASKS), ("back", _GIVES_BACK), ("repairs", _REPAIRS)):
        if move in group:
            return name
    return move if move in ACTS or move == "none" else "duty"


def _frames(line: Line) -> Iterable[str]:
    """Return the banks that a line is made of, and its sentences that hold no word given back."""
    for part in line.id.split("+"):
        yield f"frame={part.split('.')[0]}"
    words = {w for q in line.quoted for w in normal(q).split()} - _COMMON
    for sentence in split_sentences(_QUOTES.sub("", line.text)):
        plain = normal(sentence)
        if plain and not words & set(plain.split()):
            yield f"says={plain}"


_QUOTES = re.compile(r'"[^"]*"')
_COMMON = frozenset(
    "i i'm you you're it it's that that's this a an the and or but of to in on at for with is are was be do have so "
    "what how when who if not no me my your them they he she one there like would could can just about as up "
    "out".split()
)


def of_act(move: str, at: Setting) -> list[str]:
    """Return the aspects that every line said for ``move`` has in a setting."""
    kind = _kind_of(move)
    return [f"move={move}", *(f"{who}|{name}" for who in dict.fromkeys((kind, move)) for name in at.names)]


def of_line(line: Line, move: str, at: Setting) -> list[str]:
    """Return the aspects of one line that are its own: its frame, what it gives back, how it is made."""
    kind, frames, quoted = _kind_of(move), list(_frames(line)), _of_quotation(line, at)
    own = [*frames, *quoted, *_of_wording(line, at)]
    own += [f"{frames[0]}|{name}" for name in at.names[:5]]
    own += [f"{who}|{a}" for who in (kind, f"call={at.call}") for a in quoted]
    return list(dict.fromkeys(own))


def _of_quotation(line: Line, at: Setting) -> list[str]:
    """Return what is given back: how long, how heavy, and whether it stands in the last turn or before."""
    said = line.quoted[0] if line.quoted else ""
    if not said.split():
        return ["quotes=none"]
    now = normal(said) in at.before
    phrase = next((p for p in heard_in(said).phrases), None)
    best = next((p.said for p in heard_in(at.text).phrases), "")
    return [
        f"quotes={'now' if now else 'before'}",
        f"quoted<{_bucket(len(said.split()))}",
        f"quoted_stake={phrase.stake if phrase else 'none'}",
        f"quoted_own={_FIRST_PERSON.search(said) is not None}",
        f"quoted_first={said.split()[0].lower() if said.split()[0].lower() in _OPENERS else 'other'}",
        f"quoted_best={said == best}",
        f"quoted_last={at.before.endswith(normal(said))}",
        f"quoted_judges={bool(phrase and phrase.judges)}",
        f"quoted_deep={bool(phrase and phrase.deep)}",
        f"quoted_vague={_VAGUE.search(said) is not None}",
        f"quoted_whole={len(said.split()) >= 0.7 * max(1, len(at.text.split()))}",
    ]


_OPENERS = frozenset(
    "i i'm i've i'd i'll my he he's she she's they it it's that that's there you nobody everybody maybe and the a "
    "if".split()
)


def _of_wording(line: Line, at: Setting) -> list[str]:
    """Return how the reply itself is made."""
    text = line.text
    asked = text.count("?")
    words = len(text.split())
    vague = _VAGUE.search(_QUOTES.sub("", text)) is not None
    return [
        f"asked={min(asked, 2)}",
        f"length<{_bucket(words)}",
        f"vague={vague}|quotes={bool(line.quoted)}",
        f"vague={vague}|told<{_bucket(len(at.text.split()))}",
        f"parts={min(3, line.id.count('+'))}",
    ]


@lru_cache(maxsize=4096)
def _vector(text: str) -> FloatArray:
    """Return the vector of a text; most lines come again, and a text has the same bits in any company."""
    return np.asarray(encode([text])[0], dtype=np.float64)


def vectors_of(lines: Sequence[Line], at: Setting) -> FloatArray:
    """Return the vector of what each line says beside its quotation, and three cosines with the turn, (n, DIM + 3).

    The cosines are of that, of the whole line and of the quotation (0 where there is none).
    """
    own = [_QUOTES.sub("", line.text) for line in lines]
    texts = [*own, *(line.text for line in lines), *(line.quoted[0] if line.quoted else "" for line in lines)]
    e = np.array([_vector(text) for text in texts]).reshape(3, len(lines), -1)
    near = np.stack([x @ at.vector for x in e], axis=1)
    near[:, 2] *= [bool(line.quoted) for line in lines]
    return np.concatenate([e[0], near], axis=1)
