"""The words of the report: how numbers, reasons, endings and provenance are said. No arithmetic."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping
from typing import Any

__all__ = [
    "ABOUT",
    "ENDING",
    "arrow",
    "command_line",
    "count",
    "decimals",
    "number",
    "reason",
    "title",
    "what_was_run",
]

ABOUT = {
    "therapist": ("about the therapist", "Computed from what the therapist said, given what the patient said."),
    "simulator": (
        "by construction of the simulator",
        "What the simulated patient's own rules made of the session. It shows how those rules respond; "
        "it is not a finding about people.",
    ),
    "session": ("about the session", "Describes the pair and the session as a whole, not the therapist alone."),
}
ENDING = {
    "therapist_closed": "closed by the therapist",
    "patient_closed": "closed by the patient",
    "patient_left": "patient left",
    "patient_faded": "patient faded out",
    "max_turns": "planned length reached",
    "not_held": "not held, the patient had left before",
    "error": "could not be used",
    "unknown": "not stated in the source",
}
_WAY = {"higher": ("↑", "higher is better"), "lower": ("↓", "lower is better")}
_NOTHING = "–"
_TITLES = {"rq_ratio": "reflections per question"}


def title(name: str, titles: Mapping[str, str] | None = None) -> str:
    """Return a metric's name for people.

    Examples
    --------
    >>> title("reflection_share")
    'Reflection share'
    """
    given = (titles or {}).get(name) or _TITLES.get(name)
    words = given or name.replace("_", " ")
    return words[:1].upper() + words[1:]


def reason(code: object) -> str:
    """Return why a value is missing, as words."""
    return str(code).replace("_", " ")


def arrow(orientation: str | None) -> tuple[str, str]:
    """Return the sign and the words of an orientation; two empty strings where neither way is better."""
    return _WAY.get(orientation or "", ("", "neither direction is better"))


def count(n: int, one: str, many: str | None = None) -> str:
    """Return a number with its noun.

    Examples
    --------
    >>> count(1, "session"), count(1200, "session")
    ('1 session', '1,200 sessions')
    """
    return f"{n:,} {one if n == 1 else many or one + 's'}"


def decimals(values: Iterable[float | None]) -> int:
    """Return how many decimals a column of numbers needs so that its largest entry has two or three digits.

    Examples
    --------
    >>> decimals([0.512, None]), decimals([0.0042, -0.03]), decimals([142.0])
    (2, 3, 0)
    """
    largest = max((abs(v) for v in values if v is not None), default=0.0)
    steps = ((100.0, 0), (10.0, 1), (0.1, 2), (0.01, 3))
    return 2 if largest == 0 else next((places for limit, places in steps if largest >= limit), 4)


def is_bound(row: Mapping[str, Any]) -> bool:
    """Return whether a mean is mostly a worst bound: more of its sessions were left without a value than had one.

    Examples
    --------
    >>> is_bound({"value": 1.0, "n": 64, "n_left": 62, "n_observed": 2}), is_bound({"value": 0.2, "n": 64})
    (True, False)
    """
    seen = row.get("n_observed")
    return row["value"] is not None and seen is not None and bool(row.get("n_left")) and 2 * seen < row["n"]


def number(value: float | None, places: int) -> str:
    """Return a number with a true minus sign; a dash where there is none.

    Examples
    --------
    >>> number(-0.125, 2), number(None, 2), number(-0.001, 2)
    ('−0.12', '–', '0.00')
    """
    if value is None:
        return _NOTHING
    text = f"{value:.{places}f}"
    if not text.strip("-0."):
        return text.lstrip("-")
    return text.replace("-", "−")


def what_was_run(record: Mapping[str, Any]) -> str:
    """Return one plain sentence: what was played or read."""
    size = f"{count(record['sessions'], 'session')}, {count(record['turns'], 'turn')}"
    study = record.get("study")
    if record.get("kind") == "run" and study:
        therapists = count(len(study["therapists"]), "therapist")
        patients = count(len(study["patients"]), "simulated patient")
        times = "once" if study["epochs"] == 1 else f"{study['epochs']} times"
        if study.get("sessions", 1) > 1:
            times += f", for a course of {study['sessions']} sessions,"
        return (
            f"{therapists} met {patients} {times} each, "
            f"for at most {count(study['turns'], 'therapist turn')} a session (seed {study['seed']}): {size}."
        )
    source = (record.get("input") or {}).get("path", "transcripts")
    by = record.get("by") or record["summary"]["group_by"]
    return f"The transcripts of {source} were read and measured, grouped by {by}: {size}."


def command_line(record: Mapping[str, Any]) -> str:
    """Return the command that repeats the run."""
    study = record.get("study")
    if record.get("kind") == "run" and study:
        words = ["turnwise", "run"]
        for flag, names in (("--therapist", study["therapists"]), ("--patients", study["patients"])):
            for name in names:
                words += [flag, str(name)]
        for key in (k for k in ("turns", "epochs", "sessions", "seed") if k in study):
            words += [f"--{key}", str(study[key])]
    else:
        words = ["turnwise", "score", str((record.get("input") or {}).get("path", "FILE"))]
        if record.get("by"):
            words += ["--by", str(record["by"])]
    words += ["--no-text"] if record.get("no_text") else []
    return shlex.join([*words, "--out", str(record.get("name", "RUN"))])
