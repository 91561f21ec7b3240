"""One small registry: stored studies must be able to name things, and names must not drift.

A decorator's signature *is* the spec of what it registers. Names are written literally as
``snake_case.vN``; an unversioned name means the newest. Nothing is imported here: the engine
discovers rooms and third-party entry points, which is why this module is safe in every room.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeVar

from turnwise.core.errors import RegistryError
from turnwise.core.nouns import Moment

__all__ = [
    "BATTERIES",
    "CHECKS",
    "CORPUS_METRICS",
    "IMPORTERS",
    "METRICS",
    "PATIENTS",
    "READERS",
    "REGISTRIES",
    "REWARDS",
    "SKILLS",
    "THERAPISTS",
    "Entry",
    "Panel",
    "Provenance",
    "Registry",
    "Skill",
    "check",
    "closest",
    "corpus_metric",
    "importer",
    "metric",
    "patient",
    "reader",
    "reward",
    "skill",
    "therapist",
]

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])
Orientation = Literal["higher", "lower", "none"]
Span = Literal["session", "turns", "planned"]
Skill = Literal[
    "attune", "inquire", "guide", "calibrate", "yield", "provide", "ground", "infer", "dissent", "safeguard",
    "own_up", "consolidate", "heed", "entrain",
]  # fmt: skip
Panel = Literal["bond", "safety", "epistemic"]
"""What stands beside the skills and is never averaged with them."""
Provenance = Literal["therapist", "simulator", "session"]
"""Who a number speaks about: the therapist; the simulator, by construction; or the session as a whole."""

_NAME = re.compile(r"^[a-z][a-z0-9_]*\.v[1-9][0-9]*$")


@dataclass(frozen=True, slots=True)
class Entry(Generic[T]):
    """What a registry knows of one thing: its name, itself, and the spec given at registration."""

    name: str
    obj: T
    spec: Mapping[str, Any] = field(default_factory=dict)

    @property
    def base(self) -> str:
        """Name without the version."""
        return self.name.rsplit(".v", 1)[0]

    @property
    def version(self) -> int:
        """Version number."""
        return int(self.name.rsplit(".v", 1)[1])

    @property
    def summary(self) -> str:
        """First line of the docstring."""
        doc = (getattr(self.obj, "__doc__", None) or "").strip()
        return doc.splitlines()[0] if doc else ""


def closest(name: str, known: Iterable[str], cutoff: float, otherwise: str) -> str:
    """Return "did you mean …?" with the nearest of ``known``, or ``otherwise`` when none is near.

    Examples
    --------
    >>> closest("alum", ["alun", "keisha"], 0.4, "no such case.")
    "did you mean 'alun'?"
    """
    close = difflib.get_close_matches(name, list(known), n=1, cutoff=cutoff)
    return f"did you mean {close[0]!r}?" if close else otherwise


class Registry(Generic[T]):
    """Named things of one kind. Misspelt names get the closest match; doubles are refused."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self._entries: dict[str, Entry[T]] = {}

    def add(self, name: str, obj: T, **spec: Any) -> None:
        """Register ``obj`` under ``name`` (``snake_case.vN``)."""
        if not _NAME.match(name):
            raise RegistryError(
                f"{self.kind} name {name!r} is not of the form snake_case.vN; write e.g. 'talk_share.v1'."
            )
        known = self._entries.get(name)
        if known is not None and not _same_definition(known.obj, obj):
            raise RegistryError(
                f"{self.kind} {name!r} is registered twice, by {_where(known.obj)} and {_where(obj)}; "
                "give the newer one a new version."
            )
        self._entries[name] = Entry(name, obj, dict(spec))

    def get(self, name: str) -> Entry[T]:
        """Return the entry of ``name``; without a version, the newest one."""
        if name in self._entries:
            return self._entries[name]
        same_base = [e for e in self if e.base == name]
        if same_base:
            return max(same_base, key=lambda e: e.version)
        candidates = sorted({e.base for e in self} | set(self._entries))
        hint = closest(name, candidates, 0.5, f"known: {', '.join(sorted({e.base for e in self}))}.")
        raise RegistryError(f"unknown {self.kind} {name!r}; {hint}")

    def __iter__(self) -> Iterator[Entry[T]]:
        return iter(sorted(self._entries.values(), key=lambda e: (e.base, e.version)))

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, name: object) -> bool:
        return any(name in (e.name, e.base) for e in self._entries.values())

    def newest(self) -> list[Entry[T]]:
        """Return the newest version of everything, by name."""
        latest = {e.base: e for e in self}
        return [latest[base] for base in sorted(latest)]

    def remove(self, name: str) -> None:
        """Forget ``name`` (for tests that register something for a moment)."""
        self._entries.pop(name, None)


def _where(obj: object) -> str:
    return f"{getattr(obj, '__module__', '?')}.{getattr(obj, '__qualname__', repr(obj))}"


def _same_definition(a: object, b: object) -> bool:
    # A module that is reloaded registers the same definition again: not a clash.
    return a is b or _where(a) == _where(b)


PATIENTS: Registry[Callable[..., Any]] = Registry("patient")
THERAPISTS: Registry[Callable[..., Any]] = Registry("therapist")
METRICS: Registry[Callable[..., Any]] = Registry("metric")
CORPUS_METRICS: Registry[Callable[..., Any]] = Registry("corpus metric")
CHECKS: Registry[Callable[..., Any]] = Registry("check")
REWARDS: Registry[Callable[..., Any]] = Registry("reward")
READERS: Registry[Callable[..., Any]] = Registry("reader")
BATTERIES: Registry[Callable[..., Any]] = Registry("battery")
IMPORTERS: Registry[Callable[..., Any]] = Registry("importer")
SKILLS: Registry[Callable[..., Any]] = Registry("skill")
REGISTRIES: dict[str, Registry[Callable[..., Any]]] = {
    "patients": PATIENTS,
    "therapists": THERAPISTS,
    "metrics": METRICS,
    "corpus_metrics": CORPUS_METRICS,
    "checks": CHECKS,
    "rewards": REWARDS,
    "readers": READERS,
    "batteries": BATTERIES,
    "importers": IMPORTERS,
    "skills": SKILLS,
}


def _decorator(registry: Registry[Callable[..., Any]], name: str, spec: Mapping[str, Any]) -> Callable[[F], F]:
    def register(obj: F) -> F:
        registry.add(name, obj, **spec)
        return obj

    return register


def patient(name: str, *, emits: tuple[str, ...], source: str) -> Callable[[F], F]:
    """Register a factory of patients (keywords ``ear`` and ``lm`` are filled by the engine).

    ``emits`` lists the truth keys written at every patient turn, e.g. ``"state.trust"``.
    """
    return _decorator(PATIENTS, name, {"emits": emits, "source": source})


def therapist(
    name: str,
    *,
    source: str,
    emits: tuple[str, ...] = (),
    loses_on: tuple[str, ...] = (),
    must_lose: tuple[Skill | Panel, ...] = (),
    lures: tuple[str, ...] = (),
) -> Callable[[F], F]:
    """Register a factory of therapists.

    A foil says where it is bad: ``loses_on`` names measures, ``must_lose`` skills and panels. A
    skill or panel on which no such foil loses does not measure what its name says. ``lures`` names the skills and
    measures that it was built to please, if any: what looks good from turn to turn. It may lead there, and has to be
    dominated by somebody everywhere else.
    """
    spec = {"source": source, "emits": emits, "loses_on": loses_on, "must_lose": must_lose, "lures": lures}
    return _decorator(THERAPISTS, name, spec)


def metric(
    name: str,
    *,
    unit: str,
    bounds: tuple[float, float],
    orientation: Orientation,
    source: str,
    needs: tuple[str, ...] = (),
    about: Provenance = "therapist",
    over: Span = "session",
    may_read: tuple[str, ...] = (),
    panel: Panel | None = None,
    given: str | None = None,
) -> Callable[[F], F]:
    """Register a measure of one trajectory.

    ``needs`` lists what it reads beyond words and speakers: ``"reading:ITEM"`` for a coder's
    labels, ``"truth:KEY"`` for what only a simulation knows. ``orientation`` says which way is
    better, ``"none"`` where neither is. ``about`` is the provenance of a verdict built on it.
    ``over="turns"`` says that the value is a mean over a speaker's turns: when a simulated patient
    walks out, the planned turns that were never reached then enter aggregates at the worst bound.
    ``over="planned"`` says that it already counts everything planned (attendance itself). Any
    other oriented measure of such a session counts at its worst bound as a whole. ``may_read`` lists
    coders that are used where a session has no truth: their validity is printed beside the number too.
    ``panel`` names the panel it stands in; the measures of a panel stand side by side and are never averaged.
    ``given`` names the measure that says for how much of a session this one is defined at all (how soon repaired
    ruptures were repaired, given how many were): it is not read alone, and nobody is ranked by it.
    """
    spec = {
        "unit": unit,
        "bounds": bounds,
        "orientation": orientation,
        "source": source,
        "needs": needs,
        "about": about,
        "over": over,
        "may_read": may_read,
        "panel": panel,
        "given": given,
    }
    return _decorator(METRICS, name, spec)


def corpus_metric(
    name: str, *, unit: str, bounds: tuple[float, float], orientation: Orientation, source: str
) -> Callable[[F], F]:
    """Register a measure of a set of trajectories."""
    spec = {"unit": unit, "bounds": bounds, "orientation": orientation, "source": source}
    return _decorator(CORPUS_METRICS, name, spec)


def check(name: str, *, source: str, needs: tuple[str, ...] = ()) -> Callable[[F], F]:
    """Register a pass / fail / undetermined check."""
    return _decorator(CHECKS, name, {"source": source, "needs": needs})


def reward(
    name: str,
    *,
    bounds: tuple[float, float],
    source: str,
    exploits: tuple[str, ...],
    needs: tuple[str, ...] = (),
) -> Callable[[F], F]:
    """Register a reward. ``exploits`` says in words how it can be gamed; an empty list is refused."""
    if not exploits:
        raise RegistryError(f"reward {name!r} names no way to game it; every reward has one, so say which.")
    return _decorator(REWARDS, name, {"bounds": bounds, "source": source, "exploits": exploits, "needs": needs})


def reader(
    name: str,
    *,
    item: str,
    labels: tuple[str, ...],
    reads: Literal["therapist", "patient", "both"],
    kind: Literal["one", "many"] = "one",
    bundle: Literal["open", "research", "second"] = "research",
) -> Callable[[F], F]:
    """Register a factory of one coder: which item it rates, in which label order, whose turns it reads.

    ``kind`` says whether a turn gets one label or any number of them. ``bundle`` is ``"open"`` where
    the licences of all that it was fitted on allow any use of it, else ``"research"``; ``"second"`` holds the
    second reader, which only shows whether results hold. Two coders of one item are allowed in different
    bundles: a run uses one of them.
    """
    spec = {"item": item, "labels": labels, "reads": reads, "kind": kind, "bundle": bundle}
    return _decorator(READERS, name, spec)


def skill(
    name: str,
    *,
    moments: tuple[Moment, ...],
    needs: tuple[str, ...],
    source: str,
    may_need_truth: bool = False,
) -> Callable[[F], F]:
    """Register how one skill is judged: a function of a moment and the reply it met, in [0, 1].

    ``moments`` are the kinds of patient turn that call for it; ``needs`` the items that raters have to read in
    the reply; ``may_need_truth`` says that without a simulation some moments stay ``unscored``.
    """
    spec = {"moments": moments, "needs": needs, "source": source, "may_need_truth": may_need_truth}
    return _decorator(SKILLS, name, spec)


def importer(name: str, *, fmt: str, source: str) -> Callable[[F], F]:
    """Register a factory of importers; ``fmt`` is the format in a few words."""
    return _decorator(IMPORTERS, name, {"fmt": fmt, "source": source})
