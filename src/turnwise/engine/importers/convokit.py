"""ConvoKit corpora: ``utterances.jsonl`` with, beside it, ``speakers.json`` and ``conversations.json``.

A corpus may interleave its conversations, so the utterances are read twice: once to learn where
each conversation ends, once to build it. In memory are one line number per conversation, the
conversations now open, and the two side files. Turns are in the order of their timestamps, else an
answer comes after what it answers, else the order of the file holds; replies may branch, and
``reply-to`` is in the infos. (Chang et al. 2020, SIGDIAL.)
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from turnwise.core.errors import FormatError
from turnwise.core.nouns import Speaker, Trajectory, Turn
from turnwise.core.registry import importer
from turnwise.engine.importers.account import Account, no_words
from turnwise.engine.importers.ordering import spoken_order
from turnwise.engine.importers.records import BadRecord, Unreadable, id_of, kind_of, parse_json, sessions
from turnwise.engine.importers.roles import PATIENT_WORDS, THERAPIST_WORDS
from turnwise.engine.importers.shapes import Shape, shapes
from turnwise.engine.importers.streams import Line, lines, shown, whole_text

__all__ = ["UTTERANCES", "ConvoKit", "convokit", "utterances_of"]

UTTERANCES = "utterances.jsonl"
_CONVERSATION = ("conversation_id", "root")
_TORN_ID = re.compile(r'"(?:conversation_id|root)"\s*:\s*"((?:[^"\\]|\\.)*+)"')
_ROLE_KEYS = ("role", "type")
_PICKLED = "<##bin{"


def utterances_of(path: Path) -> Path:
    """Return the file of utterances of a corpus: the file itself, or the one in the folder ``path``."""
    if not path.is_dir():
        return path
    named = [path / name for name in (UTTERANCES, f"{UTTERANCES}.gz")]
    for found in named:
        if found.exists():
            return found
    remedy = f"name a file with transcripts in it, or a ConvoKit corpus with {UTTERANCES}"
    raise FormatError(shown(path), "", f"is a folder without {UTTERANCES}", remedy)


def _is_utterance(shape: Shape) -> bool:
    keys = shape.keys.keys()
    return "text" in keys and any(k in keys for k in ("speaker", "user")) and any(k in keys for k in _CONVERSATION)


@dataclass(slots=True)
class _Plan:
    """What the first reading learned: where each conversation ends, and which are damaged."""

    last: dict[str, int] = field(default_factory=dict)
    damage: dict[str, tuple[str, str]] = field(default_factory=dict)
    lost: dict[int, str] = field(default_factory=dict)


def _parsed(line: Line) -> tuple[dict[str, Any], str]:
    if line.problem:
        raise BadRecord(line.problem)
    value = parse_json(line.text)
    if not isinstance(value, dict):
        raise BadRecord(f"is {kind_of(value)}, not an utterance")
    name = id_of(value, *_CONVERSATION)
    if name is None:
        raise BadRecord("has neither conversation_id nor root, so it belongs to no conversation")
    return value, name


def _plan(path: Path) -> _Plan:
    plan = _Plan()
    before: str | None = None
    pending: tuple[str, str] | None = None
    for line in _filled(path):
        where = f"line {line.number}"
        try:
            name = _parsed(line)[1]
        except BadRecord as fault:
            torn = _TORN_ID.search(line.text)
            if torn:
                name = torn.group(1)
                plan.damage.setdefault(name, (where, str(fault)))
                plan.last[name] = line.number
            else:
                # Whose turn it was cannot be known: its neighbours may lack one.
                plan.lost[line.number] = str(fault)
                pending = (where, f"an utterance next to this conversation cannot be read: {fault}")
                if before is not None:
                    plan.damage.setdefault(before, pending)
            continue
        plan.last[name] = line.number
        if pending:
            plan.damage.setdefault(name, pending)
            pending = None
        before = name
    return plan


def _filled(path: Path) -> Iterator[Line]:
    return (line for line in lines(path) if line.text.strip() or line.problem)


def _conversations(path: Path, account: Account) -> Iterator[Trajectory | Unreadable]:
    file = utterances_of(path)
    roles = _Roles(_side_file(file, "speakers.json") or _side_file(file, "users.json"), account)
    metas = _side_file(file, "conversations.json")
    plan = _plan(file)
    buffers: dict[str, list[tuple[int, dict[str, Any]]]] = {}
    for line in _filled(file):
        if line.number in plan.lost:
            yield Unreadable(f"line {line.number}", plan.lost[line.number], f"line-{line.number}")
            continue
        try:
            value, name = _parsed(line)
            if name not in plan.damage:
                buffers.setdefault(name, []).append((line.number, value))
        except BadRecord:
            torn = _TORN_ID.search(line.text)
            name = torn.group(1) if torn else ""
        if plan.last.get(name) == line.number:
            if name in plan.damage:
                yield Unreadable(*plan.damage[name], name)
            else:
                yield _conversation(name, buffers.pop(name), roles, metas.get(name))


def _conversation(
    name: str, utterances: list[tuple[int, dict[str, Any]]], roles: _Roles, about: Any
) -> Trajectory | Unreadable:
    try:
        utterances = _in_order(utterances, roles.account)
    except BadRecord as fault:
        return Unreadable(f"line {utterances[0][0]}", str(fault), name)
    turns, infos = [], []
    for number, value in utterances:
        try:
            spoken = _turn(value, roles, f"line {number}")
        except BadRecord as fault:
            roles.account.rollback()
            return Unreadable(f"line {number}", str(fault), name)
        if spoken is not None:
            turns.append(spoken[0])
            infos.append(spoken[1])
    roles.account.commit()
    meta = about.get("meta", about) if isinstance(about, dict) else {}
    return Trajectory(
        session_id=name,
        source=ConvoKit.source,
        turns=tuple(turns),
        infos=tuple(infos),
        meta=meta if isinstance(meta, dict) else {"meta": meta},
    )


def _in_order(utterances: list[tuple[int, dict[str, Any]]], account: Account) -> list[tuple[int, dict[str, Any]]]:
    """Return the utterances of a conversation in the order in which they were said."""
    said = [value for _, value in utterances]
    order = spoken_order(
        [_key(x.get("id"), i) for i, x in enumerate(said)],
        [_key(x.get("reply-to", x.get("reply_to")), None) for x in said],
        [x.get("timestamp") for x in said],
    )
    moved = order != list(range(len(order)))
    account.lost(
        "conversations put into the order of 'timestamp' or 'reply-to'", int(moved), f"line {utterances[0][0]}"
    )
    return [utterances[i] for i in order]


def _key(value: Any, otherwise: int | None) -> str | int | None:
    return str(value) if isinstance(value, str | int | float) else otherwise


def _turn(value: dict[str, Any], roles: _Roles, where: str) -> tuple[Turn, dict[str, Any]] | None:
    text = value.get("text")
    if text is None and "text" in value:
        text = no_words(roles.account, where)
    if not isinstance(text, str):
        raise BadRecord(f"the utterance has {'no text' if text is None else f'a text that is {kind_of(text)}'}")
    who = value.get("speaker", value.get("user"))
    if isinstance(who, dict):  # early corpora store the speaker whole
        who = who.get("id", who.get("name"))
    if not isinstance(who, str | int) or isinstance(who, bool):
        raise BadRecord("the utterance has no speaker")
    info = {k: v for k, v in value.items() if k not in ("text", "speaker", "user", *_CONVERSATION)}
    side = roles.of(str(who), where)
    about = value.get("meta")
    given = about.values() if isinstance(about, dict) else ()
    pickled = sum(isinstance(x, str) and x.startswith(_PICKLED) for x in given)
    roles.account.lost("values that lie in a pickle beside the corpus, which is never opened", pickled, where)
    return (Turn(speaker=side, text=text), info | {"speaker_id": str(who)}) if side else None


class _Roles:
    """Which side a speaker of the corpus is on: by the role in its meta, else by its id."""

    def __init__(self, speakers: dict[str, Any], account: Account) -> None:
        self._speakers = speakers
        self.account = account

    def of(self, who: str, where: str) -> Speaker | None:
        about = self._speakers.get(who)
        meta = about.get("meta", about) if isinstance(about, dict) else {}
        words = [meta.get(key) for key in _ROLE_KEYS] if isinstance(meta, dict) else []
        known = (w for w in (who if who.strip().lower() in self.account.given else None, *words, who) if w)
        found = next((w for w in known if isinstance(w, str) and self.account.side_of(w.strip().lower())), None)
        if found is not None:
            return self.account.speaker(found, where)
        sides = ", ".join((*PATIENT_WORDS, *THERAPIST_WORDS))
        raise BadRecord(
            f"it is not known on which side speaker {shown(who, 40)!r} is; give the speaker a meta 'role' "
            f"in speakers.json, one of {sides}, or say who it is with --speaker {shown(who, 40)!r}=patient"
        )


def _side_file(utterances: Path, name: str) -> dict[str, Any]:
    for path in (utterances.with_name(name), utterances.with_name(f"{name}.gz")):
        if path.is_file():
            try:
                value = parse_json(whole_text(path, "a side file"))
            except BadRecord as fault:
                raise FormatError(shown(path), "", str(fault), "export the corpus again") from fault
            if isinstance(value, dict):
                return value
            raise FormatError(shown(path), "", f"is {kind_of(value)}, not an object by id", "export the corpus again")
    return {}


class ConvoKit:
    """Reads a corpus from its folder or from its file of utterances; one conversation is one session."""

    source = "ConvoKit"

    def __init__(self, account: Account | None = None) -> None:
        self._account = account or Account()

    def detect(self, head: str, /) -> bool:
        """Whether some record is an utterance with text, speaker and conversation."""
        return any(_is_utterance(s) for s in shapes(head))

    def read(self, path: Path, /) -> Iterator[Trajectory]:
        """Yield the conversations in the order in which they end, the damaged ones as ``error``."""
        return sessions(path, _conversations(path, self._account), self.source)


@importer(
    name="convokit.v1",
    fmt="ConvoKit corpus, its folder or utterances.jsonl",
    source="Chang et al. 2020, SIGDIAL",
)
def convokit(account: Account | None = None) -> ConvoKit:
    """ConvoKit corpora: utterances.jsonl with speakers.json and conversations.json beside it."""
    return ConvoKit(account)
