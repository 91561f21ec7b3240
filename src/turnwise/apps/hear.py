"""``turnwise hear``: what the participants' ears hear in each turn of a transcript, one line a turn."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from turnwise.apps.terminal import consoles, visible

__all__ = ["hear_command"]

_SAID = 70  # characters of a turn that are shown


def hear_command(*, path: Path, fmt: str | None, as_json: bool) -> None:
    """Print what is heard in every turn: danger in a patient's, a question about it and help in a therapist's."""
    from turnwise.engine.hearing_file import heard_turns

    turns = heard_turns(path, fmt)
    if as_json:
        found = {"format": "turnwise.hear/1", "turns": list(turns)}
        click.echo(json.dumps(found, indent=2, ensure_ascii=False))
        return
    stdout, _ = consoles()
    session = None
    for turn in turns:
        if turn["session_id"] != session:
            session = turn["session_id"]
            stdout.print(visible(str(session)), style="bold", soft_wrap=True)
        style = "red" if turn.get("danger", {}).get("kind", "none") != "none" else None
        stdout.print(visible(_line(turn)), soft_wrap=True, style=style)


def _line(turn: dict[str, Any]) -> str:
    text = " ".join(turn["text"].split())
    said = text if len(text) <= _SAID else f"{text[: _SAID - 1]}…"
    return f"{turn['turn']:>4}  {turn['speaker']:<9}  {_heard(turn):<28}  {said}"


def _heard(turn: dict[str, Any]) -> str:
    if "danger" in turn:
        danger = turn["danger"]
        kind = "" if danger["kind"] == "none" else f" {danger['kind'].replace('_', ' ')}"
        return f"danger {danger['p']:.2f}{kind}"
    found = [word for word, key in (("asks about danger", "asks"), ("names help", "helps")) if turn[key]["heard"]]
    return ", ".join(found) or "–"
