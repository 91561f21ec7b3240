"""What stands behind a cell of the ladder: some of its moments, the three replies, and what was read in them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from turnwise.apps.terminal import visible

__all__ = ["ladder_moments"]

_EACH = 6  # moments of a cell that a page carries
_LONGEST = 700  # characters of what was said
_COLUMNS = (
    "therapist", "patient", "epoch", "key", "moment", "skill", "rung", "scheduled", "value", "code", "detail",
    "reached", "read", "said", "reply",
)  # fmt: skip
_RUNGS = ("show", "resume", "sustain")


def ladder_moments(folder: Path, labels: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return by therapist and skill, on a line each, how many moments there are and the first six, for the page.

    Moments that were met on most rungs come first, and of these where most was lost between *show* and *sustain*. A
    folder that keeps no words (``--no-text``, or scored before 0.8) has none.
    """
    from turnwise.engine.stored_tables import stored_rows

    if not (folder / "moments.parquet").is_file():
        return {}
    rows = stored_rows(folder, "moments", _COLUMNS, [("scheduled", "=", True)])
    if not rows or not set(_COLUMNS) <= set(rows[0]):
        return {}
    found: dict[tuple[str, str], dict[tuple[str, int, str], dict[str, Any]]] = defaultdict(dict)
    for row in rows:
        if row["therapist"] in labels and row["said"] is not None:
            moments = found[row["therapist"], row["skill"]]
            moments.setdefault((row["patient"], row["epoch"], row["key"]), {})[row["rung"]] = row
    return {visible(therapist) + "\n" + skill: _cell(moments) for (therapist, skill), moments in sorted(found.items())}


def _cell(moments: Mapping[tuple[str, int, str], Mapping[str, Mapping[str, Any]]]) -> dict[str, Any]:
    ordered = sorted(moments.items(), key=lambda pair: (-len(pair[1]), -_lost(pair[1]), pair[0]))
    return {"n": len(moments), "moments": [_moment(who, rungs) for who, rungs in ordered[:_EACH]]}


def _lost(rungs: Mapping[str, Mapping[str, Any]]) -> float:
    show, sustain = (rungs[r]["value"] if r in rungs else None for r in ("show", "sustain"))
    return 0.0 if show is None or sustain is None else float(show - sustain)


def _moment(who: tuple[str, int, str], rungs: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    some = next(iter(rungs.values()))
    return {
        "who": f"{visible(who[0])}, session {who[1] + 1}",
        "moment": some["moment"],
        "rungs": [_reply(name, rungs[name]) for name in _RUNGS if name in rungs],
    }


def _reply(rung: str, row: Mapping[str, Any]) -> dict[str, Any]:
    worth = None if row["value"] is None else round(row["value"], 2)
    why = row["detail"] or (str(row["code"]).replace("_", " ") if row["code"] else "")
    return {
        "rung": rung,
        "said": _cut(row["said"]),
        "reply": _cut(row["reply"]) if row["reached"] else "",
        "value": worth,
        "read": visible(row["read"] or "").replace("_", " "),
        "why": visible(why),
    }


def _cut(text: str) -> str:
    shown = visible(text)
    return shown if len(shown) <= _LONGEST else f"{shown[:_LONGEST]}…"
