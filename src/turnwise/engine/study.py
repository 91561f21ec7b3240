"""A study: which therapists meet which patients, how often, with which seed. Resolved before it runs.

Everything asked for is checked here, before the first token: a name that is unknown, a case that
does not exist or a number that makes no sense is refused with the nearest remedy.
"""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, SerializerFunctionWrapHandler, model_serializer

import turnwise
from turnwise import __version__
from turnwise.core.errors import UsageError
from turnwise.core.nouns import Case, SessionSpec
from turnwise.core.registry import THERAPISTS, Entry
from turnwise.engine.asking import DEFAULT_ASKING, Asking
from turnwise.engine.discovery import discover
from turnwise.engine.model_settings import CallSettings
from turnwise.engine.patient_names import built_patient, model_of, parted, resolve_patient
from turnwise.engine.stage import Plain, Stage
from turnwise.engine.therapist_names import Models, Ports, outside, resolved_name
from turnwise.reading.ears.hearing import Ear

__all__ = ["DEFAULT_THERAPISTS", "Cast", "Study", "cast_of", "resolve_patient", "resolve_study"]

DEFAULT_THERAPISTS: tuple[str, ...] = (
    "socratic", "amnesiac", "reflector", "never_advise", "flatterer", "advisor", "interrogator", "hotline", "parrot",
    "eliza", "silent",
)  # fmt: skip
"""The Socratic controller and the ten foils: whether every foil loses where it says is the instrument's own check."""
_ROOMS_THAT_SPEAK = ("core", "belief", "reading", "patients", "therapists")
_LIMITS = {"turns": (1, 500), "epochs": (1, 100_000), "sessions": (1, 100), "seed": (0, 2**63 - 1)}


class Study(BaseModel):
    """The resolved configuration of a run; printed in full, and fed back to repeat it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    therapists: tuple[str, ...]
    patients: tuple[str, ...]
    """``family:case`` with the family's version, e.g. ``stateful.v1:alun``."""
    seed: int
    epochs: int
    turns: int
    versions: dict[str, str]
    sessions: int = 1
    """Of each course: so many sessions of one pair in order, a week apart. One is a study without courses."""

    @model_serializer(mode="wrap")
    def _without_courses(self, written: SerializerFunctionWrapHandler) -> dict[str, Any]:
        fields: dict[str, Any] = written(self)
        if self.sessions == 1:
            fields.pop("sessions", None)
        return fields

    def specs(self) -> list[SessionSpec]:
        """Return every session of the study, in planned order."""
        return [
            SessionSpec(
                case=parted(patient)[1],
                patient=parted(patient)[0],
                therapist=therapist,
                seed=self.seed,
                epoch=epoch,
                max_turns=self.turns,
                versions=self.versions,
                session=session,
            )
            for therapist in self.therapists
            for patient in self.patients
            for epoch in range(self.epochs)
            for session in range(1, self.sessions + 1)
        ]

    def sha256(self) -> str:
        """Return the hash of the configuration: two runs with the same one are the same study."""
        return hashlib.sha256(self.model_dump_json().encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Cast:
    """Ready participants of a study, built once and shared by its sessions (they hold no state)."""

    therapists: dict[str, Any]
    patients: dict[str, Any]
    cases: dict[str, Case]
    stage: Stage = field(default_factory=Plain)
    """Where they play: in this loop, or as samples of a logged evaluation. No session depends on it."""


def _within(name: str, value: int) -> int:
    low, high = _LIMITS[name]
    if not low <= value <= high:
        raise UsageError(f"--{name} {value} is not possible: give a whole number from {low} to {high}.")
    return value


def resolve_study(
    *,
    therapists: tuple[str, ...] = (),
    patients: tuple[str, ...] = (),
    seed: int = 1,
    epochs: int = 4,
    turns: int = 20,
    sessions: int = 1,
    calls: CallSettings | None = None,
) -> Study:
    """Return the study that was asked for, every name resolved to its version.

    ``calls`` says how language models are called; it is part of the study where one speaks.

    Raises
    ------
    RegistryError : a therapist, patient family or case is unknown (with the closest match).
    UsageError : a number is out of range, or a name was given twice.
    """
    from turnwise.patients.casebook import case_ids, load_case

    discover()
    names = tuple(resolved_name(name) for name in therapists or DEFAULT_THERAPISTS)
    chosen = tuple(resolve_patient(p) for p in patients or case_ids())
    for kind, given in (("therapist", names), ("patient", chosen)):
        if len(set(given)) < len(given):
            raise UsageError(f"a {kind} was named twice ({', '.join(given)}); name each once and raise --epochs.")
    cases = [parted(p)[1] for p in chosen]
    versions = {"turnwise": __version__, "code": _code_sha()} | {
        f"case:{c}": _sha(load_case(c).model_dump_json()) for c in cases
    }
    return Study(
        therapists=names,
        patients=chosen,
        seed=_within("seed", seed),
        epochs=_within("epochs", epochs),
        turns=_within("turns", turns),
        sessions=_within("sessions", sessions),
        versions=versions | _ear_versions() | _outside_versions(names, chosen, (calls or CallSettings()).checked()),
    )


def _outside_versions(names: tuple[str, ...], patients: tuple[str, ...], calls: CallSettings) -> dict[str, str]:
    found = [o for o in map(outside, names) if o is not None]
    spoken_for = any(o.model for o in found) or any(model_of(parted(p)[0]) for p in patients)
    settings = calls.versions() if spoken_for else {}
    return {k: v for o in found for k, v in o.versions.items()} | settings


def _sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _code_sha() -> str:
    """Hash whatever decides what participants say, so that a resumed run never mixes two versions of them."""
    root = Path(turnwise.__file__).parent
    digest = hashlib.sha256()
    for room in _ROOMS_THAT_SPEAK:
        for path in sorted((root / room).rglob("*")):
            if path.suffix in (".py", ".yaml", ".json", ".safetensors") and not path.name.startswith("test_"):
                digest.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def _ear_versions() -> dict[str, str]:
    from turnwise.reading.cards import card_names, load_card

    return {f"ears:{name}": load_card(name, "ears").sha256[:16] for name in card_names("ears")}


def _make(entry: Entry[Callable[..., Any]], ports: dict[str, object]) -> Any:
    wanted = inspect.signature(entry.obj).parameters
    missing = [p for p in ("lm",) if p in wanted and ports.get(p) is None]
    if missing:
        raise UsageError(f"{entry.base!r} needs a language model; none was named.")
    return entry.obj(**{name: port for name, port in ports.items() if name in wanted})


def _therapist(name: str, lent: Ports, ports: dict[str, object]) -> Any:
    from_outside = outside(name)
    return _make(THERAPISTS.get(name), ports) if from_outside is None else from_outside.build(lent)


def cast_of(
    study: Study,
    ear: Ear,
    asking: Asking = DEFAULT_ASKING,
    *,
    models: Models | None = None,
    speakers: Models | None = None,
    stage: Stage | None = None,
) -> Cast:
    """Build the participants of a study; each factory gets the ports it asks for.

    ``models`` speak for therapists, ``speakers`` for patients: the same model sees the chat from the other side.
    """
    from turnwise.patients.casebook import load_case

    discover()
    ports: dict[str, object] = {"ear": ear, "lm": None}
    lent = Ports(ear, asking, models)
    families = {parted(p)[0] for p in study.patients}
    return Cast(
        therapists={name: _therapist(name, lent, ports) for name in study.therapists},
        patients={name: built_patient(name, ear, speakers) for name in sorted(families)},
        cases={c: load_case(c) for c in (parted(p)[1] for p in study.patients)},
        stage=stage or Plain(),
    )
