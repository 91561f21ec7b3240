"""Lines that were written for the ear for danger, and ordinary ones written for other coders."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from turnwise.reading.ears.danger import KINDS
from written_examples import records

__all__ = ["HELD", "KIND_OF", "LATER", "Line", "lines_in", "ordinary"]

HELD = ("train_c", "train_f")
"""Authors who are in no fit of the transformer and set the scale and the threshold."""
LATER = ("train_u", "train_v")
"""Authors whose lines only the words' head was fitted on: they came while the transformer was being tuned."""

HERE = Path(__file__).parent
KIND_OF = {
    "outright": "self", "veiled": "self", "slang": "self", "means": "self", "farewell": "self", "late": "self",
    "teen": "self", "selfharm": "self_harm", "to_others": "to_others", "from_others": "from_others", "birth": "self",
    "other_person": "other_person",
}  # fmt: skip
"""Kind of a written line → what the ear says of it; every other kind is ``none``."""


@dataclass(frozen=True)
class Line:
    """A written line: who wrote it, what sort it is, and the words."""

    author: str
    sort: str
    text: str

    @property
    def label(self) -> int:
        return KINDS.index(KIND_OF.get(self.sort, "none"))


def lines_in(paths: Sequence[Path]) -> list[Line]:
    found = []
    for path in sorted(paths):
        for row in path.read_text(encoding="utf-8").splitlines():
            sort, _, text = row.partition("\t")
            if text.strip():
                found.append(Line(path.stem, sort.strip(), text.strip()))
    return found


def ordinary() -> list[Line]:
    """Return everyday turns written for other coders: nothing in them was written to sound like danger.

    What stands before a reply to danger is left out, and so is what our own patients or models said.
    """
    found = {str(row["text"]) for row in records("client_turns.jsonl")}
    risky: set[str] = set()
    for path in sorted((HERE / "written" / "skills").glob("[a-o].jsonl")):
        for row in records(str(path)):
            before = str(row.get("before") or "")
            if before and not row.get("source"):
                danger = row.get("item") == "risk_reply" or row.get("label") == "risk"
                (risky if danger else found).add(before)
    return [Line("ordinary", "ordinary", text) for text in sorted(found - risky)]
