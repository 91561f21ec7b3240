"""What the report takes from the tables of a run folder: which sessions it embeds, and their turns.

Small runs are embedded whole. Of large ones a seeded selection is taken, the same number from each
group as far as they go, because a page has to open on a phone; the tables beside it hold the rest.
"""

from __future__ import annotations

import json
import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from turnwise.apps.terminal import visible
from turnwise.core.seeds import generator
from turnwise.engine.grouping import group_named
from turnwise.engine.stored_tables import stored_rows

__all__ = ["Limits", "Sessions", "browser_data", "read_sessions", "select", "tidy"]

_SEED = 7
_LONGEST_TEXT = 12_000
_STATE_KEYS = 12
_COLUMNS = (
    "session_id", "source", "therapist", "patient", "epoch", "session", "seed", "ending", "n_turns", "max_turns",
    "error",
)  # fmt: skip
_TURN = ("session_id", "turn", "speaker", "text", "n_words", "moment", "moment_source", "moment_scheduled", "act")
_RATING = ("session_id", "turn", "item", "value", "p", "code")
_SCORE = ("session_id", "metric", "value", "n", "code", "detail")


@dataclass(frozen=True, slots=True)
class Limits:
    """How much of a run one page may carry."""

    sessions: int = 150
    turns: int = 20_000
    characters: int = 5_500_000


@dataclass(frozen=True, slots=True)
class Sessions:
    """One row of facts per session of the run, each with the group it belongs to."""

    rows: list[dict[str, Any]]

    def endings(self) -> dict[str, Counter[str]]:
        """Return how often each group ended in which way."""
        found: dict[str, Counter[str]] = defaultdict(Counter)
        for row in self.rows:
            found[row["group"]][row["ending"]] += 1
        return dict(found)


def tidy(value: float | None, places: int = 4) -> float | None:
    """Return a number as JSON can hold it: rounded, and ``None`` for what is not finite.

    Examples
    --------
    >>> tidy(0.123456), tidy(float("nan"))
    (0.1235, None)
    """
    return round(float(value), places) if value is not None and math.isfinite(value) else None


def _table(folder: Path, name: str, columns: Sequence[str], ids: Sequence[str] | None = None) -> list[dict[str, Any]]:
    if ids is not None and not ids:
        return []
    return stored_rows(folder, name, columns, None if ids is None else [("session_id", "in", list(ids))])


def _group(row: Mapping[str, Any], by: str | None) -> str:
    if row.get("group") is not None:
        return group_named(row["group"])
    if by is None:
        return str(row["therapist"] if row["therapist"] is not None else row["source"])
    value = json.loads(row["meta"]).get(by) if row.get("meta") else None
    return group_named(value)


def read_sessions(folder: Path, record: Mapping[str, Any]) -> Sessions:
    """Return the facts of every session, in the order of the run."""
    by = record.get("by")
    rows = _table(folder, "sessions", [*_COLUMNS, "group", *(("meta",) if by else ())])
    families = {str(row["patient"]).rpartition(":")[0] for row in rows if row["patient"] is not None}
    for row in rows:
        row["group"] = _group(row, by)
        row["who"] = row["patient"].rpartition(":")[2] if len(families) == 1 and row["patient"] else row["patient"]
        row.pop("meta", None)
    return Sessions(rows)


def select(rows: Sequence[Mapping[str, Any]], limits: Limits) -> list[str]:
    """Return the ids of the sessions to embed, in the order of the run: all, or evenly from each group."""
    if len(rows) <= limits.sessions and sum(r["n_turns"] for r in rows) <= limits.turns:
        return [str(r["session_id"]) for r in rows]
    queues: dict[str, list[int]] = defaultdict(list)
    for i in generator(_SEED, "report", 0, "study", 0).permutation(len(rows)):
        queues[str(rows[int(i)]["group"])].append(int(i))
    taken: list[int] = []
    turns = 0
    for i in _in_turn([queues[g] for g in sorted(queues)]):
        if len(taken) == limits.sessions:
            break
        if turns + rows[i]["n_turns"] <= limits.turns:
            taken.append(i)
            turns += rows[i]["n_turns"]
    return [str(rows[i]["session_id"]) for i in sorted(taken)]


def _in_turn(queues: Sequence[Sequence[int]]) -> Iterator[int]:
    for place in range(max(map(len, queues), default=0)):
        yield from (queue[place] for queue in queues if place < len(queue))


def _numbers(value: object, name: str = "") -> Iterator[tuple[str, float]]:
    """Yield the numbers of a nested state by dotted name."""
    if isinstance(value, dict):
        for key in sorted(value):
            yield from _numbers(value[key], f"{name}.{key}" if name else str(key))
    elif isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
        yield name, float(value)


def _text(text: str | None) -> str | None:
    if text is None:
        return None
    if len(text) > _LONGEST_TEXT:
        text = f"{text[:_LONGEST_TEXT]} … ({len(text) - _LONGEST_TEXT:,} more characters in turns.parquet)"
    return visible(text)


class _Index:
    """Numbers names in the order in which they first come, so that the page stores each once."""

    def __init__(self) -> None:
        self.at: dict[str, int] = {}

    def __call__(self, name: str) -> int:
        return self.at.setdefault(name, len(self.at))


def browser_data(
    folder: Path, sessions: Sessions, metrics: Sequence[str], limits: Limits | None = None
) -> dict[str, Any]:
    """Return the embedded sessions with their turns, readings and scores, as compact JSON."""
    limits = limits or Limits()
    # Of two sessions with one id the tables can only show the first; the other is stored as an error.
    facts: dict[str, Mapping[str, Any]] = {}
    for row in sessions.rows:
        facts.setdefault(str(row["session_id"]), row)
    ids = select(list(facts.values()), limits)
    items, details, keys = _Index(), _Index(), _Index()
    turns = _turns(folder, ids, items, keys)
    scores = _scores(folder, ids, metrics, details)
    embedded: list[dict[str, Any]] = []
    size = 0
    for session_id in ids:
        document = _session(facts[session_id], turns.get(session_id, []), scores.get(session_id, {}))
        size += len(json.dumps(document))
        if size > limits.characters and embedded:
            continue
        embedded.append(document)
    return {
        "items": [visible(item) for item in items.at],
        "details": [visible(detail) for detail in details.at],
        "state_keys": [visible(key) for key in keys.at],
        "sessions": embedded,
        "total": len(sessions.rows),
    }


def _session(facts: Mapping[str, Any], turns: list[Any], scores: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "id": visible(str(facts["session_id"])),
        "group": facts["group"],
        "who": visible(str(facts["who"] or facts["session_id"])),
        "ending": facts["ending"],
        "played": facts["therapist"] is not None,
        "epoch": facts["epoch"],
        "session": facts.get("session") or 1,
        "seed": facts["seed"],
        "error": _text(facts["error"]),
        "scores": scores,
        "turns": turns,
    }


def _turns(folder: Path, ids: Sequence[str], items: _Index, keys: _Index) -> dict[str, list[Any]]:
    read: dict[tuple[str, int], list[Any]] = defaultdict(list)
    for row in _table(folder, "ratings", _RATING, ids):
        label = row["value"] if row["value"] is not None else row["code"]
        entry = [items(row["item"]), visible(str(label)), tidy(row["p"], 2)]
        entries = read[row["session_id"], row["turn"]]
        if all(entry[0] != other[0] for other in entries):
            entries.append(entry)
    found: dict[str, dict[int, Any]] = defaultdict(dict)
    for row in _table(folder, "turns", [*_TURN, "state"], ids):
        if row["turn"] in found[row["session_id"]]:
            continue
        state = list(_numbers(json.loads(row["state"])))[:_STATE_KEYS] if row.get("state") else []
        found[row["session_id"]][row["turn"]] = {
            "i": row["turn"],
            "s": row["speaker"][0],
            "x": _text(row["text"]),
            "w": row["n_words"],
            "r": read.get((row["session_id"], row["turn"]), []),
            **_extras(row),
            **({"v": [[keys(name), round(value, 3)] for name, value in state]} if state else {}),
        }
    return {session: [turns[i] for i in sorted(turns)] for session, turns in found.items()}


def _extras(row: Mapping[str, Any]) -> dict[str, Any]:
    more: dict[str, Any] = {}
    if row.get("moment") is not None:
        more["m"] = [visible(row["moment"]), row["moment_source"], bool(row["moment_scheduled"])]
    if row.get("act") is not None:
        more["a"] = visible(row["act"])
    return more


def _scores(folder: Path, ids: Sequence[str], metrics: Sequence[str], details: _Index) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = defaultdict(dict)
    wanted = set(metrics)
    for row in _table(folder, "scores", _SCORE, ids):
        if row["metric"] not in wanted:
            continue
        value = tidy(row["value"])
        cell = [value, row["n"]]
        if value is None:
            cell += [row["code"], details(row["detail"] or "")]
        found[row["session_id"]].setdefault(row["metric"], cell)
    return found
