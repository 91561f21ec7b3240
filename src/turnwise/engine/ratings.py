"""Read sessions with every registered coder, once and in batch. A broken coder breaks only its cells."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from turnwise.core.errors import UsageError
from turnwise.core.nouns import Reading, Trajectory, Turn
from turnwise.core.registry import READERS, Entry
from turnwise.engine.discovery import discover

__all__ = ["DEFAULT_BUNDLE", "CoderFault", "Readers", "SessionReader", "in_bundle"]


DEFAULT_BUNDLE = "research"
_BUNDLES = ("open", "research", "second")


def in_bundle(bundle: str) -> list[Entry[Any]]:
    """Return the newest reader of each item that a bundle allows, by name.

    ``"open"`` holds what was fitted only on data whose licences allow any use. ``"research"`` holds
    every item; where there are two readers of one, the one that was fitted on more. ``"second"`` holds the
    second reader of the skills alone: other examples, other features.
    """
    discover()
    if bundle not in _BUNDLES:
        raise UsageError(f"--readers {bundle} is not a bundle of coders; say {' or '.join(_BUNDLES)}.")
    newest = READERS.newest()
    if bundle in ("open", "second"):
        return [e for e in newest if e.spec["bundle"] == bundle]
    newest = [e for e in newest if e.spec["bundle"] != "second"]
    better = {e.spec["item"] for e in newest if e.spec["bundle"] == "research"}
    return [e for e in newest if e.spec["bundle"] == "research" or e.spec["item"] not in better]


class SessionReader(Protocol):
    """What a reader factory returns: one coder that reads whole sessions in batch."""

    item: str
    coder: str
    sha256: str

    def read(self, ts: Sequence[Trajectory], /) -> Sequence[Reading]:
        """Return one reading per session, in order."""
        ...


@dataclass(slots=True)
class CoderFault:
    """A coder that failed: which, how often, and what it said first."""

    coder: str
    sessions: int
    problem: str


@dataclass(slots=True)
class Readers:
    """All coders of a scoring run, and what went wrong with each."""

    readers: dict[str, SessionReader] = field(default_factory=dict)
    faults: dict[str, CoderFault] = field(default_factory=dict)

    @classmethod
    def load(cls, bundle: str = DEFAULT_BUNDLE) -> Readers:
        """Load one reader for each item of a bundle; one that cannot load is a recorded fault.

        Raises
        ------
        UsageError : there is no such bundle.
        """
        found = cls()
        for entry in in_bundle(bundle):
            try:
                found.readers[entry.name] = entry.obj()
            except Exception as fault:
                found._failed(entry.name, 0, fault)
        # Weights and vocabularies stay for good: the garbage collector need not walk over them again and
        # again, which was a tenth of the time of reading.
        gc.freeze()
        return found

    def afresh(self) -> Readers:
        """Return the same coders with no fault noted yet: for a process of its own, or a part of the work."""
        return replace(self, faults={})

    def warm(self) -> None:
        """Read a word with every coder: what each makes when it is first needed, forked processes then share."""
        said = (Turn(speaker="therapist", text="How are you?"), Turn(speaker="patient", text="Fine."))
        self.afresh().rate([Trajectory(session_id="warm", source="turnwise", turns=(*said, said[0]))])
        gc.freeze()

    def note(self, faults: Iterable[CoderFault]) -> None:
        """Take over the faults that a part of the work met."""
        for fault in faults:
            self.faults.setdefault(fault.coder, CoderFault(fault.coder, 0, fault.problem)).sessions += fault.sessions

    def versions(self) -> dict[str, str]:
        """Return coder name → weights hash, for ``run.json``."""
        return {name: reader.sha256 for name, reader in sorted(self.readers.items())}

    def rate(self, ts: Sequence[Trajectory]) -> list[Trajectory]:
        """Return the sessions with readings attached."""
        readings: list[dict[str, Any]] = [{} for _ in ts]
        for name, reader in self.readers.items():
            try:
                found = reader.read(ts)
                for i, reading in enumerate(found):
                    readings[i][reading.item] = reading
            except Exception as fault:  # only this coder's cells become unscored
                self._failed(name, len(ts), fault)
        return [t.with_ratings(r) for t, r in zip(ts, readings, strict=True)]

    def _failed(self, name: str, sessions: int, fault: Exception) -> None:
        self.note([CoderFault(name, sessions, f"{type(fault).__name__}: {fault}")])
