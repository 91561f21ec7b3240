"""Written examples: a history, a reply, and what the reply claims of the patient (``tools/written/skills``)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from skill_examples import FOLDER
from turnwise.core.nouns import Turn
from turnwise.reading.claim_coder import VERDICTS
from turnwise.reading.window import Window

__all__ = ["HARD", "ClaimExample", "Stated", "claim_examples", "turn_label", "window_of_claims"]

HARD = ("negated", "swapped_person", "changed_degree", "other_patient", "superseded")
"""Types whose unsupported claims look supported."""
TYPES = (*HARD, "plain", "paraphrase", "hedged", "question", "none")


@dataclass(frozen=True)
class Stated:
    """A claim as its writer marked it."""

    span: str
    feeling: bool
    hedged: bool
    verdict: str


@dataclass(frozen=True)
class ClaimExample:
    """One example; ``group`` is the same where the history is."""

    hand: str
    group: int
    history: tuple[tuple[str, str], ...]
    reply: str
    claims: tuple[Stated, ...]
    type: str


def claim_examples(hand: str) -> list[ClaimExample]:
    """Return what a hand wrote.

    Raises
    ------
    ValueError : an unknown type or verdict, or a claim that is no part of its reply.
    """
    found: list[ClaimExample] = []
    groups: dict[tuple[tuple[str, str], ...], int] = {}
    path = FOLDER / f"claims_{hand}.jsonl"
    for n, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        row = json.loads(line)
        history = tuple((t["speaker"], t["text"]) for t in row["history"])
        claims = tuple(Stated(c["span"], c["kind"] == "feeling", c["hedged"], c["verdict"]) for c in row["claims"])
        if row["type"] not in TYPES or any(c.verdict not in VERDICTS or c.span not in row["reply"] for c in claims):
            raise ValueError(f"{path.name} line {n}: an unknown type or verdict, or a claim that is not in the reply")
        group = groups.setdefault(history, len(groups))
        found.append(ClaimExample(hand, group, history, row["reply"], claims, row["type"]))
    return found


def turn_label(claims: Sequence[Stated]) -> str:
    """Return the label of a turn: the worst of its claims that are not hedged."""
    verdicts = {c.verdict for c in claims if not c.hedged}
    if not verdicts:
        return "none"
    return "contradicted" if "contradicted" in verdicts else "unsupported" if "unmentioned" in verdicts else "supported"


def window_of_claims(e: ClaimExample) -> Window:
    """Return the reply with its whole history before it."""
    turns = [Turn(speaker="patient" if speaker == "patient" else "therapist", text=text) for speaker, text in e.history]
    return Window(Turn(speaker="therapist", text=e.reply), tuple(turns))
