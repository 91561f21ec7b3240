"""The note in a run folder: what is stored in it, which files hold words, what was sent where, how to delete."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from turnwise.engine.ladder_bank import BANK
from turnwise.engine.ladder_play import REPLIES
from turnwise.engine.recording import CALLS
from turnwise.engine.store import TRAJECTORIES, RunFolder

__all__ = ["RETENTION", "retention_note", "write_retention"]

RETENTION = "RETENTION.md"
_WORDS = {
    TRAJECTORIES: "every session, word for word, with what each side emitted",
    BANK: "the ladder's histories, word for word",
    REPLIES: "the ladder's replies, word for word",
    CALLS: "every answer of a language model, word for word (what it was asked is kept as a hash only)",
}
_SCORED = {
    "turns.parquet": "one row a turn",
    "report.html": "the report",
    "scores.parquet": "one row a session and measure: numbers, and sentences on why there is none",
    "sessions.parquet": "one row a session: ids, endings, scores",
    "ratings.parquet": "labels and probabilities a turn",
    "moments.parquet": "the ladder: one row a moment",
    "gap.parquet": "the ladder: one row a gap",
    "run.json": "the settings, versions and figures of this run",
}
_ALSO_WORDS = ("turns.parquet", "report.html")


def retention_note(record: Mapping[str, Any], there: frozenset[str]) -> str:
    """Return the note for a run with this record and these files, the same for the same run: it holds no clock.

    Examples
    --------
    >>> print(retention_note({"no_text": True, "kind": "score"}, frozenset()).splitlines()[0])
    # What is stored here, and how to be rid of it
    """
    quiet = bool(record.get("no_text"))
    holding = [name for name in _WORDS if name in there]
    lines = ["# What is stored here, and how to be rid of it", ""]
    lines += ["Written by turnwise for this folder (docs/privacy.md says more). It is no legal advice.", ""]
    lines += ["## What was said", ""]
    lines += [f"- `{name}`: {_WORDS[name]}." for name in holding]
    if quiet:
        lines.append("- Tables, report and `run.json` repeat nothing of it (`--no-text`).")
    else:
        lines += [f"- `{name}`: {_SCORED[name]}, with the words." for name in _ALSO_WORDS]
        lines.append(
            "- `sessions.parquet` and `scores.parquet`: what the source said beside the sessions (`meta`, errors)."
        )
    lines += ["", _whose(record), "", "## What else is here", ""]
    rest = [n for n in _SCORED if n not in _ALSO_WORDS or quiet]
    present = [n for n in rest if n in there or n == "report.html"]
    lines += [f"- `{name}`: {_SCORED[name]}." for name in present]
    lines.append(
        "- Ids of sessions, and the name of the source, stand in them as they were given: rename what identifies."
    )
    lines += ["", "## What was sent elsewhere", "", *(f"- {x}" for x in _sent(record)), ""]
    lines += ["## How to delete", "", *_deleting(record, holding), ""]
    return "\n".join(lines)


def _whose(record: Mapping[str, Any]) -> str:
    if record.get("kind") == "run":
        return "The patients are simulated: no patient's words are real. What a person said as therapist is."
    return "These sessions were given to `turnwise score`; whether they are real, and whose, only the giver knows."


def _sent(record: Mapping[str, Any]) -> Iterator[str]:
    study = record.get("study") or {}
    ladder = record.get("ladder") or {}
    names = [*study.get("therapists", ()), *study.get("patients", ())]
    names += [ladder["reference"]] if isinstance(ladder.get("reference"), str) else []
    found = sorted({line for name in names if (line := _place(str(name)))})
    yield from found or ["Nothing: all participants and coders ran on this machine."]
    if found:
        yield "Whatever those keep is governed by them. Coders, tables and report were made on this machine."


def _place(name: str) -> str | None:
    """Return what a participant of this name was sent, and where; ``None`` for what is embedded."""
    if name.startswith("http:"):
        parts = urlsplit(name.removeprefix("http:") if "://" in name.removeprefix("http:") else name)
        address = f"{parts.scheme}://{parts.hostname or ''}{f':{parts.port}' if parts.port else ''}{parts.path}"
        return f"The sessions, turn by turn, to `{address}`."
    if name.startswith("python:"):
        function = name.removeprefix("python:")
        return f"The sessions, turn by turn, to the function `{function}` on this machine; what it sent on is its own."
    if "/" in name:
        provider = name.partition("/")[0].rpartition(":")[2]
        return f"The sessions, turn by turn, to the endpoint of `{provider}` that the environment named, for `{name}`."
    return None


def _deleting(record: Mapping[str, Any], holding: list[str]) -> Iterator[str]:
    yield "Remove the folder: nothing of it is stored anywhere else by turnwise."
    if holding:
        names = " ".join(holding)
        yield f"To be rid of the words and keep the figures, remove {names}. There is no scoring again after that."
        if not record.get("no_text"):
            yield "Before that, `turnwise score RUN --out NEW --no-text` makes tables and report without them."
    yield "Copies in backups, and what was shared, are not reached by this."


def write_retention(folder: RunFolder, record: Mapping[str, Any]) -> None:
    """Write the note into ``folder``, for what lies in it now."""
    there = frozenset(path.name for path in Path(folder.path).iterdir() if path.is_file())
    folder.write_text(RETENTION, retention_note(record, there))
