"""Counts of the most probable label per turn, for measures that are shares or ratios of labels.

Only turns that were read are counted. A blank turn has nothing to read: it is in no numerator and
in no denominator, which is why every share prints the n it rests on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from turnwise.core.nouns import FloatArray, Reading, Score, Speaker, Trajectory, unscored

__all__ = [
    "CLIENT_TALK",
    "THERAPIST_BEHAVIOUR",
    "LabelCounts",
    "count_labels",
    "indicator",
    "indicator_within",
    "share",
    "share_within",
    "whole_reading",
    "withheld",
]

THERAPIST_BEHAVIOUR = "therapist_behaviour"
CLIENT_TALK = "client_talk"
_SPEAKER: Mapping[str, Speaker] = {CLIENT_TALK: "patient"}
"""Whose turns an item reads, where not the therapist's."""


@dataclass(frozen=True, slots=True)
class LabelCounts:
    """How many turns got each label, and ``n``, how many were read."""

    by_label: Mapping[str, int]
    n: int


def whole_reading(t: Trajectory, item: str) -> Reading | None:
    """Return the reading of ``item`` if it is of this session as it stands, else ``None``."""
    reading = t.reading(item)
    return reading if reading is not None and len(reading.codes) == len(t.turns) else None


def withheld(t: Trajectory, item: str, turns: Iterable[int]) -> Score | None:
    """Return why a share over some turns may not be used: labels below their floor were withheld; else ``None``.

    To leave such turns out would make a share of the other labels only.
    """
    reading = whole_reading(t, item)
    if reading is None or not any(reading.codes[i] == "undetermined" for i in turns):
        return None
    return unscored("undetermined", f"{item!r} withholds labels of this session that did not reach their floor")


def count_labels(t: Trajectory, item: str) -> LabelCounts | Score:
    """Count the most probable labels of one speaker's turns.

    Parameters
    ----------
    t : the session, with readings attached.
    item : ``"client_talk"`` (patient turns), or any item of therapist turns.

    Returns
    -------
    The counts, or an unscored ``Score``: ``no_reading`` (the coder did not run),
    ``no_denominator`` (the speaker has no turn), ``no_answer`` (all turns of the speaker are
    blank), ``out_of_scope`` or ``no_reading`` (there are words, but no turn could be read),
    ``undetermined`` (some turn got a label that the coder withholds).
    """
    reading = whole_reading(t, item)
    if reading is None:
        return unscored("no_reading", f"needs the coder {item!r}, which did not read this session")
    speaker = _SPEAKER.get(item, "therapist")
    own = [i for i, turn in enumerate(t.turns) if turn.speaker == speaker]
    if not own:
        return unscored("no_denominator", f"the {speaker} has no turn")
    below = withheld(t, item, own)
    if below is not None:
        return below
    values = reading.values()
    read = [label for i in own if (label := values[i]) is not None]
    if read:
        return LabelCounts({label: read.count(label) for label in reading.labels}, len(read))
    if not any(t.turns[i].text.strip() for i in own):
        return unscored("no_answer", f"every turn of the {speaker} is blank")
    if any(reading.codes[i] == "out_of_scope" for i in own):
        return unscored("out_of_scope", f"no turn of the {speaker} is in the scope of {item!r}")
    return unscored("no_reading", f"no turn of the {speaker} was read by {item!r}")


def share(t: Trajectory, item: str, label: str) -> Score:
    """Return the share of the turns read that got ``label``; n = turns read."""
    counts = count_labels(t, item)
    if isinstance(counts, Score):
        return counts
    if label not in counts.by_label:
        return unscored("no_reading", f"this coder of {item!r} does not know the label {label!r}")
    return Score(counts.by_label[label] / counts.n, counts.n)


def indicator(t: Trajectory, item: str, ones: str, zeros: tuple[str, ...] | None = None) -> FloatArray:
    """Return 1 where the label is ``ones``, 0 where it is among ``zeros`` (default: any other), NaN elsewhere."""
    out = np.full(len(t.turns), np.nan)
    reading = whole_reading(t, item)
    if reading is not None:
        for i, label in enumerate(reading.values()):
            if label is None or t.turns[i].speaker != _SPEAKER.get(item, "therapist"):
                continue
            if label == ones or zeros is None or label in zeros:
                out[i] = float(label == ones)
    return out


def _within(t: Trajectory, item: str, label: str, finer: str) -> dict[int, str] | Score:
    """Return the finer label of each turn that got ``label``, or why there is none."""
    counts = count_labels(t, item)
    if isinstance(counts, Score):
        return counts
    main, kinds = whole_reading(t, item), whole_reading(t, finer)
    if main is None or kinds is None:
        return unscored("no_reading", f"needs the coder {finer!r}, which did not read this session")
    pairs = zip(main.values(), kinds.values(), strict=True)
    found = {i: kind for i, (value, kind) in enumerate(pairs) if value == label and kind is not None}
    return found or unscored("no_denominator", f"no turn was read as {label!r}")


def share_within(t: Trajectory, item: str, label: str, finer: str, kind: str) -> Score:
    """Return the share of the turns with ``label`` whose ``finer`` label is ``kind``; n = turns with ``label``."""
    found = _within(t, item, label, finer)
    if isinstance(found, Score):
        return found
    return Score(sum(value == kind for value in found.values()) / len(found), len(found))


def indicator_within(t: Trajectory, item: str, label: str, finer: str, kind: str) -> FloatArray:
    """Return 1 or 0 per turn with ``label`` by whether its ``finer`` label is ``kind``, NaN elsewhere."""
    out = np.full(len(t.turns), np.nan)
    found = _within(t, item, label, finer)
    if not isinstance(found, Score):
        for i, value in found.items():
            out[i] = float(value == kind)
    return out
