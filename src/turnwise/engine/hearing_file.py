"""What the participants' ears hear in a file of transcripts, turn by turn: to see it, and to check it from outside."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from turnwise.core.nouns import Turn
from turnwise.engine.discovery import discover
from turnwise.reading.ears.danger import hear_danger
from turnwise.reading.ears.danger_reply import hear_danger_reply

__all__ = ["heard_turns"]


def heard_turns(path: Path, fmt: str | None = None) -> Iterator[dict[str, Any]]:
    """Yield for every turn of every session what is heard in it, as JSON.

    Of a patient's turn ``danger`` (probability, and the kind where it is heard, else ``none``); of a therapist's
    ``asks`` and ``helps``: whether it asks about danger and points to help, with the probability. These are the ears
    by which simulated patients, therapists and the checks of drafts act; what *scores* a session is fitted apart.

    Raises
    ------
    FormatError : the file is not of a known format, or nothing in it can be read.
    UsageError : it cannot be opened.
    """
    from turnwise.engine.importers.detect import detect, open_transcripts

    discover()
    for t in open_transcripts(path, detect(path) if fmt is None else fmt):
        for i, turn in enumerate(t.turns):
            yield {"session_id": t.session_id, "turn": i, "speaker": turn.speaker, "text": turn.text} | _heard(turn)


def _heard(turn: Turn) -> dict[str, Any]:
    if turn.speaker == "patient":
        danger = hear_danger(turn.text)
        return {"danger": {"p": round(danger.p, 4), "kind": danger.kind}}
    reply = hear_danger_reply(turn.text)
    return {
        "asks": {"heard": reply.asks, "p": round(reply.p_asks, 4)},
        "helps": {"heard": reply.helps, "p": round(reply.p_helps, 4)},
    }
