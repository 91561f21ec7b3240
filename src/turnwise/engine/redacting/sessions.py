"""One stored session without what identifies somebody, and what undoes that: records in, records out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from turnwise.engine.redacting.finding import find
from turnwise.engine.redacting.given import GivenNames
from turnwise.engine.redacting.placeholders import PLACEHOLDER, Labels, Mark, replaced, restored
from turnwise.engine.redacting.spans import Kind

__all__ = ["REDACTED", "Undone", "redact_session", "restore_session"]

REDACTED = "turnwise.redaction/1"
_NOT_READ = "this session could not be read; why stands in the map, if one was kept"
_TURN = ("speaker", "text", "cues")
_TOP = ("id", "turns", "ending", "error", "meta")
Record = dict[str, Any]


class Undone(NamedTuple):
    """A restored session, and how many of its turns had been changed, so that only placeholders could be put back."""

    record: Record
    changed: int


def redact_session(
    record: Mapping[str, Any], name: str, *, known: Iterable[str] | GivenNames = (), keep: Collection[str] = ()
) -> tuple[Record, Record, Counter[Kind]]:
    """Return a session without identifiers, what undoes it, and how many were taken out by kind.

    Only what was said (and cues) is kept, with placeholders. The id becomes ``name``; whatever else the session or
    its turns carry is left out, unless its key is in ``keep``: its texts are redacted as speech is, its numbers stay.

    Parameters
    ----------
    record : a session as ``as_transcript`` writes it.
    name : its new id; ``"id"`` in ``keep`` keeps the old one as it is.
    known : names that are known to occur.
    keep : keys of meta, of the session, or of turns.
    """
    meta = {k: v for k, v in record["meta"].items() if k in keep}
    top = {k: v for k, v in record.items() if k in keep and k not in _TOP}
    turns = [{k: v for k, v in turn.items() if k in _TURN or k in keep} for turn in record["turns"]]
    said = [turn["text"] for turn in turns]
    beside = list(_texts([[{k: v for k, v in t.items() if k not in ("speaker", "text")} for t in turns], meta, top]))
    texts = said + beside
    labels = Labels(frozenset(m for text in texts for m in PLACEHOLDER.findall(text)))
    done = [replaced(text, spans, labels) for text, spans in zip(texts, find(texts, known), strict=True)]
    short = iter(done[len(said) :])

    def without(text: str) -> str:
        return next(short)[0]

    new_turns = []
    for turn, (text, _) in zip(turns, done, strict=False):
        rest = {k: v for k, v in turn.items() if k not in ("speaker", "text")}
        new_turns.append({"speaker": turn["speaker"], "text": text} | _mapped(rest, without))
    new_meta = _mapped(meta, without)
    new: Record = {"id": record["id"] if "id" in keep else name, **_mapped(top, without), "turns": new_turns}
    new["ending"] = record["ending"]
    if record["ending"] == "error":
        new["error"] = _NOT_READ
    new["meta"] = new_meta | {"redacted": REDACTED}
    marks = [[list(m) for m in found] for _, found in done[: len(said)]]
    shape = dict(record) | {"turns": [dict(t) | {"text": None} for t in record["turns"]]}
    counts: Counter[Kind] = Counter(_kind(m.placeholder) for _, found in done for m in found)
    return new, {"id": new["id"], "marks": marks, "session": shape}, counts


def _kind(placeholder: str) -> Kind:
    return placeholder[1:].rpartition("_")[0]  # type: ignore[return-value]


def _texts(value: Any) -> Iterator[str]:
    """Yield the texts inside a JSON value, in the order in which :func:`_mapped` meets them."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for child in value.values():
            yield from _texts(child)
    elif isinstance(value, list):
        for child in value:
            yield from _texts(child)


def _mapped(value: Any, change: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, dict):
        return {k: _mapped(v, change) for k, v in value.items()}
    return [_mapped(v, change) for v in value] if isinstance(value, list) else value


def restore_session(record: Mapping[str, Any], undo: Mapping[str, Any]) -> Undone:
    """Return a session as it was before :func:`redact_session`, exactly if its texts were not touched since.

    In a turn that was changed, every placeholder gives way to the words it first stood for.
    """
    marks = [[Mark(*m) for m in found] for found in undo["marks"]]
    whole = undo["session"]
    texts: list[Any] = [turn.get("text") if isinstance(turn, dict) else None for turn in record.get("turns") or []]
    first = {m.placeholder: m.words for found in reversed(marks) for m in reversed(found)}
    if len(texts) != len(marks) or not all(isinstance(x, str) for x in texts):
        back = _mapped(dict(record), lambda text: _filled(text, first))
        return Undone(back | {"id": whole["id"]}, len(texts))
    turns, changed = [], 0
    for text, found, turn in zip(texts, marks, whole["turns"], strict=True):
        exact = restored(text, found)
        changed += exact is None
        turns.append(
            {k: (_filled(text, first) if exact is None else exact) if k == "text" else v for k, v in turn.items()}
        )
    return Undone({k: turns if k == "turns" else v for k, v in whole.items()}, changed)


def _filled(text: str, words: Mapping[str, str]) -> str:
    return PLACEHOLDER.sub(lambda m: words.get(m.group(), m.group()), text)
