"""What a corpus with human labels is: sessions, what people said of their turns, and which belong together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from turnwise.core.nouns import Trajectory

__all__ = ["Corpus", "Gold"]

Gold: TypeAlias = Callable[[Trajectory, int], "str | frozenset[str] | None"]
"""What people said of one turn: a label, a set of labels (several may hold), or ``None`` where they said nothing."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """A corpus as the coders need it. A single sentence or a pair of posts is a session of one or two turns.

    Attributes
    ----------
    name : short, lower case; also the name of its table of folds.
    title : as a card names it, e.g. ``"AnnoMI (development portion)"``.
    file : where it lies inside a data folder.
    source, licence : who made it, and what may be done with it.
    bundle : ``"open"`` if the licence allows any use of what is fitted on it, else ``"research"``.
    load : reads the file; sessions in file order, ``session_id`` unique.
    gold : item of a coder → what people said of a turn.
    group_of : sessions of one group are never on both sides of a split (same video, seeker, context).
    """

    name: str
    title: str
    file: str
    source: str
    licence: str
    bundle: str
    load: Callable[[Path], Sequence[Trajectory]]
    gold: Mapping[str, Gold]
    group_of: Callable[[Trajectory], str]
