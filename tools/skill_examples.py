"""Written examples of the skill raters, by hand: invented for this project, not observed (``tools/written/skills``)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from turnwise.core.nouns import Turn
from turnwise.reading.skill_items import SKILL_ITEMS
from turnwise.reading.window import Window

__all__ = ["FOLDER", "Example", "examples", "label_of", "of_item", "window_of"]

FOLDER = Path(__file__).resolve().parent / "written" / "skills"


@dataclass(frozen=True)
class Example:
    """One example: ``text`` has the label; ``before`` is the other's turn; a ``pair`` above 0 is minimal."""

    hand: str
    item: str
    label: str
    before: str
    text: str
    kind: str
    pair: int


def examples(*hands: str) -> list[Example]:
    """Return the examples of some hands.

    Raises
    ------
    ValueError : an item or label nobody knows, or a text that two labels of one item have with the same turn before.
    """
    found: list[Example] = []
    seen: dict[tuple[str, str, str], str] = {}
    for hand in hands:
        path = FOLDER / f"{hand}.jsonl"
        for n, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            row = json.loads(line)
            e = Example(hand, row["item"], row["label"], row["before"], row["text"], row["kind"], int(row["pair"]))
            if e.item not in SKILL_ITEMS or e.label not in SKILL_ITEMS[e.item].labels:
                raise ValueError(f"{path.name} line {n}: no item {e.item!r} with a label {e.label!r}")
            if seen.setdefault((e.item, e.before, e.text), e.label) != e.label:
                raise ValueError(f"{path.name} line {n}: the same text has two labels of {e.item}")
            found.append(e)
    return found


def of_item(found: Iterable[Example], item: str) -> list[Example]:
    """Return the examples of one item."""
    return [e for e in found if e.item == item]


def label_of(item: str, labels: Mapping[str, str]) -> str:
    """Return what a coder's labels by item say of one; "na" where they do not say.

    ``guide_reply`` was asked of writers, not of coders: theirs follows from the four labels that its definition names,
    whatever the moment.

    Examples
    --------
    >>> asks = {"question_form": "open", "question_target": "evidence", "advice": "none"}
    >>> [label_of("guide_reply", {**asks, "authorship": x}) for x in ("none", "therapist", "na")]
    ['guides', 'neither', 'na']
    """
    if item == "guide_reply":
        return _guide_reply(labels)
    return labels.get(item, "na")


_NEVER_GUIDES = {
    "question_form": ("none", "leading"),
    "question_target": ("action",),
    "advice": ("unasked", "with_permission"),
    "authorship": ("therapist",),
}
_GATHERS = ("experience", "emotion")


def _guide_reply(labels: Mapping[str, str]) -> str:
    if any(labels.get(item) in found for item, found in _NEVER_GUIDES.items()):
        return "neither"
    if any(labels.get(item, "na") == "na" for item in _NEVER_GUIDES):
        return "na"
    return "gathers" if labels["question_target"] in _GATHERS else "guides"


def window_of(e: Example) -> Window:
    """Return the example as raters see turns."""
    speaker = SKILL_ITEMS[e.item].speaker
    other = "patient" if speaker == "therapist" else "therapist"
    before = (Turn(speaker=other, text=e.before),) if e.before else ()
    return Window(Turn(speaker=speaker, text=e.text), before)
