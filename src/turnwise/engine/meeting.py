"""How two sides of a comparison meet: which patients they share, whether with the same luck, what stands between."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from turnwise.batteries.ladder.moments import Rung
from turnwise.engine.compared_runs import Arm, Met

__all__ = ["Meeting", "Pairing"]

Pairing = Literal["same patient and epoch", "same patient", "same transcript", "not paired"]
_FEW_SHOWN = 4


@dataclass(frozen=True, slots=True)
class Meeting:
    """Two arms and how they are compared.

    Attributes
    ----------
    pairing : what makes a pair.
    same_bank : the replayed histories are the same, so that their moments are.
    dropped : patients that are not who they were (another version of the case).
    """

    a: Arm
    b: Arm
    pairing: Pairing
    same_bank: bool
    dropped: frozenset[str] = frozenset()
    notes: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, a: Arm, b: Arm) -> Meeting:
        """Return how two arms meet, with what has to be said about it."""
        both_played = a.run.played and b.run.played
        dropped = _changed_patients(a, b) if both_played else frozenset()
        notes = _notes(a, b, dropped)
        return cls(a, b, _pairing(a, b, dropped, notes), both_played and _same_bank(a, b), dropped, notes)

    def sessions(self) -> tuple[list[Met], list[Met]]:
        """Return the sessions of both arms that take part."""
        x, y = ([s for s in arm.sessions if s.unit not in self.dropped] for arm in (self.a, self.b))
        return x, y

    def other_coders(self, items: Iterable[str]) -> str:
        """Return in words which of the items were read by other coders, or with other weights; empty if none."""
        for item in items:
            x, y = self.a.run.coders(item), self.b.run.coders(item)
            if x and y and x != y:
                return f"{item} was read by {_coder(x)} in A and by {_coder(y)} in B; score both again"
        return ""

    def other_lengths(self) -> str:
        """Return in words that sessions were planned to be of other lengths; empty if not."""
        x, y = self.a.run.lengths, self.b.run.lengths
        if x and y and x != y:
            return f"sessions were planned for {_turns(x)} therapist turns in A and {_turns(y)} in B"
        return ""

    def other_history(self, rung: Rung) -> str:
        """Return in words why a rung cannot be compared; empty if it can."""
        if rung == "sustain":
            return self.other_lengths()
        x, y = self.a.run.reference, self.b.run.reference
        if rung == "resume" and x != y:
            return f"the replayed histories were led by {x} in A and by {y} in B"
        return ""

    def same_moments(self, rung: Rung) -> bool:
        """Return whether a moment of an epoch is the same one on both sides."""
        return self.pairing == "same patient and epoch" if rung == "sustain" else self.same_bank


def _coder(found: Iterable[tuple[str, str]]) -> str:
    return " and ".join(f"{name} ({weights[:8]})" for name, weights in sorted(found))


def _turns(found: Iterable[int]) -> str:
    return " or ".join(map(str, sorted(found)))


def _some(names: Sequence[str]) -> str:
    more = len(names) - _FEW_SHOWN
    return ", ".join(names[:_FEW_SHOWN]) + (f" and {more} more" if more > 0 else "")


def _changed_patients(a: Arm, b: Arm) -> frozenset[str]:
    x, y = a.run.versions, b.run.versions
    common = {s.unit for s in a.sessions} & {s.unit for s in b.sessions}
    cases = {unit: f"case:{unit.rpartition(':')[2]}" for unit in common}
    return frozenset(u for u, case in cases.items() if case in x and case in y and x[case] != y[case])


def _same_bank(a: Arm, b: Arm) -> bool:
    if a.run is b.run:
        return True
    x, y = a.run.bank(), b.run.bank()
    common = x.keys() & y.keys()
    return bool(common) and all(x[key] == y[key] for key in common)


def _pairing(a: Arm, b: Arm, dropped: frozenset[str], notes: list[str]) -> Pairing:
    units = [{s.unit for s in arm.sessions} - dropped for arm in (a, b)]
    common = len(units[0] & units[1])
    enough = common > 0 and common >= min(2, len(units[0]), len(units[1]))
    if a.run.played and b.run.played and enough:
        alone = [len(u - (units[0] & units[1])) for u in units]
        if any(alone):
            notes.append(f"{alone[0]} patients were met in A only and {alone[1]} in B only; they take no part")
        if a.run.seed == b.run.seed:
            return "same patient and epoch"
        notes.append(
            f"other seeds ({a.run.seed} in A, {b.run.seed} in B): an epoch is not the same luck, so patients are "
            "paired by their means"
        )
        return "same patient"
    same_file = a.run.input is not None and a.run.input == b.run.input
    if same_file and enough and {s.id for s in a.sessions} & {s.id for s in b.sessions}:
        return "same transcript"
    notes.append("not paired: these are different patients or transcripts, so a difference may lie in them")
    return "not paired"


def _notes(a: Arm, b: Arm, dropped: frozenset[str]) -> list[str]:
    found = []
    if a.run.played != b.run.played:
        found.append("one side was played with simulated patients, the other are transcripts from outside")
    if dropped:
        found.append(f"left out, because the case is another version: {_some(sorted(dropped))}")
    versions = [run.versions for run in (a.run, b.run)]
    both = versions[0].keys() & versions[1].keys()
    other = sorted(k for k in both if versions[0][k] != versions[1][k] and not k.startswith("case:"))
    if other:
        found.append(f"the runs were played with other versions of {_some(other)}: a difference may come from that")
    if not a.run.played and a.run.record.get("no_text"):
        found.append("which transcripts belong to one series is not known (--no-text): each counts as independent")
    return found
