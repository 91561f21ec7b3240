"""Our own transcript format, one session a line: everything but ratings and the recipe that replays a session."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from turnwise.core.nouns import Trajectory
from turnwise.engine.exporters.writing import write_records
from turnwise.engine.importers.turnwise_jsonl import TURN_KEYS, TurnwiseJsonl

__all__ = ["as_transcript", "export_jsonl"]


def as_transcript(t: Trajectory, *, infos: bool = True) -> dict[str, Any]:
    """Return ``t`` in our transcript format: ``{"id", "source", "turns", "ending", "meta"}``.

    Parameters
    ----------
    t : any session. Its ``spec`` is kept under the key of that name, for the record; ratings are not stored.
    infos : also write what each turn carries beyond the words (labels, a simulation's truth, private thoughts).

    Examples
    --------
    >>> from turnwise.core.nouns import Turn
    >>> t = Trajectory(session_id="a", source="b", turns=(Turn(speaker="patient", text="Hm."),))
    >>> as_transcript(t)
    {'id': 'a', 'source': 'b', 'turns': [{'speaker': 'patient', 'text': 'Hm.'}], 'ending': 'unknown', 'meta': {}}
    """
    # By way of JSON, so that what cannot be stored (NaN) is null here as it is in a run folder.
    stored = json.loads(t.model_dump_json())
    meta = stored["meta"]
    # The importer copies the keys of a session into meta; what came from there goes back to its place.
    named = meta.get("source") == t.source
    if named:
        del meta["source"]
    out: dict[str, Any] = {"id": t.session_id}
    if named or t.source != TurnwiseJsonl.source:
        out["source"] = t.source
    kept = stored["infos"] if infos and t.infos else [{}] * len(t.turns)
    out["turns"] = [_turn(turn, info) for turn, info in zip(stored["turns"], kept, strict=True)]
    out["ending"] = t.ending
    if t.error is not None:
        out["error"] = t.error
    if t.spec is not None:
        out["spec"] = stored["spec"]
    elif "spec" in meta:
        out["spec"] = meta.pop("spec")
    out["meta"] = meta
    return out


def _turn(turn: dict[str, Any], info: dict[str, Any]) -> dict[str, Any]:
    out = {k: v for k, v in turn.items() if k != "cues" or v}
    collides = {k: v for k, v in info.items() if k in TURN_KEYS}
    out |= {k: v for k, v in info.items() if k not in TURN_KEYS}
    return out | ({"info": collides} if collides else {})


def export_jsonl(sessions: Iterable[Trajectory], path: Path, *, infos: bool = True) -> int:
    """Write ``sessions`` to ``path``, one a line, whole or not at all; return how many.

    A name that ends in ``.gz`` is compressed. Same sessions, same bytes.

    Raises
    ------
    UsageError : the file cannot be written.
    """
    return write_records((as_transcript(t, infos=infos) for t in sessions), path)
