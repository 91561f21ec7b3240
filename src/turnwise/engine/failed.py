"""What of a run ended in an error, counted and said in a sentence: such a run is whole, but it is not all measured."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from turnwise.engine.ladder_play import REPLIES
from turnwise.engine.quiet import quiet
from turnwise.engine.store import TRAJECTORIES

__all__ = ["failed_in", "failed_sentence"]

_LONGEST = 240
_MAY_HOLD = '"ending":"error"'


def failed_in(path: Path, *, ladder: bool = True, no_text: bool = False) -> dict[str, Any]:
    """Return under ``failed`` how many sessions and replies of a run folder ended in an error, and why most often.

    Empty where none did. With ``no_text`` the reason is withheld: it may quote what was said.

    ``path`` is a folder whose files were just written, and put into order; without ``ladder`` its replies are of an
    earlier run.
    """
    sessions, bad_sessions = _errors(path / TRAJECTORIES)
    replies, bad_replies = _errors(path / REPLIES) if ladder else (0, [])
    why = Counter(map(_reason, (*bad_sessions, *bad_replies)))
    if not why:
        return {}
    failed = {
        "sessions": len(bad_sessions),
        "of_sessions": sessions,
        "replies": len(bad_replies),
        "of_replies": replies,
        "most_often": quiet(why.most_common(1)[0][0], no_text),
    }
    return {"failed": failed}


def _errors(path: Path) -> tuple[int, list[str]]:
    """Return how many lines a file has, and the errors among them; only those lines are read that may hold one."""
    lines, errors = 0, []
    if path.exists():
        with path.open(encoding="utf-8") as file:
            for lines, line in enumerate(file, 1):  # noqa: B007 - the last number is how many there are
                if _MAY_HOLD in line and (record := json.loads(line)).get("ending") == "error":
                    errors.append(str(record["error"]))
    return lines, errors


def _reason(error: str) -> str:
    """Return an error without whose turn it was and of which kind, which every one has in front."""
    return error.split(": ", 2)[-1][:_LONGEST]


def failed_sentence(failed: Mapping[str, Any]) -> str:
    """Return it in one sentence, with what to do.

    Examples
    --------
    >>> failed_sentence({"sessions": 1, "of_sessions": 4, "replies": 0, "of_replies": 0, "most_often": "it is away"})
    '1 of 4 sessions ended in an error, most often: it is away; run again with --retry-errors to play them again.'
    """
    parts = [f"{failed['sessions']:,} of {failed['of_sessions']:,} sessions"]
    if failed["of_replies"]:
        parts.append(f"{failed['replies']:,} of {failed['of_replies']:,} replies of the ladder")
    why = failed["most_often"]
    return (
        f"{' and '.join(parts)} ended in an error, most often: {why}; run again with --retry-errors to play them again."
    )
