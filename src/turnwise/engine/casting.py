"""Who plays a study, where models are among them: their ports, the recording of their calls, and the stage."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from turnwise.core.contracts import LanguageModel
from turnwise.core.nouns import Speaker
from turnwise.engine.asking import DEFAULT_ASKING, Asking
from turnwise.engine.batch import default_ear
from turnwise.engine.forking import CAN_FORK, processors
from turnwise.engine.model_settings import CallSettings
from turnwise.engine.patient_names import model_of, parted
from turnwise.engine.recording import CALLS, Recorded, Recording
from turnwise.engine.spreading import Spread, processes_for
from turnwise.engine.stage import Door, Job, Plain, Stage
from turnwise.engine.study import Cast, Study, cast_of
from turnwise.engine.therapist_names import outside

__all__ = ["Calls", "models_of", "opened_cast", "patient_models_of"]


@dataclass(frozen=True, slots=True)
class Calls:
    """How a run reaches language models. ``replay`` names a recording that stands in for them."""

    settings: CallSettings = field(default_factory=CallSettings)
    replay: Path | None = None
    log: bool = True
    """Also keep Inspect's own logs, for ``inspect view``."""
    processes: int = 1
    """Processes that share the sessions with models; 0: as many as pay for so many sessions at a time."""
    stand_in: Callable[[str], LanguageModel] | None = None
    """Speaks in place of every model; nothing is recorded (a rehearsal, a test)."""


def models_of(study: Study) -> dict[str, str]:
    """Return the model string of every therapist of a study that speaks through one."""
    found = ((name, outside(name)) for name in study.therapists)
    return {name: o.model for name, o in found if o is not None and o.model is not None}


def patient_models_of(study: Study) -> dict[str, str]:
    """Return the model string of every family of patients of a study that speaks through one."""
    found = ((family, model_of(family)) for family in (parted(p)[0] for p in study.patients))
    return {family: model for family, model in found if model is not None}


class _Modelled:
    """Plays sessions with models: logged, unless the patient speaks through one, which is told of the case."""

    def __init__(self, inner: Stage, models: dict[str, str], doors: list[Any]) -> None:
        self._inner, self._models, self._doors = inner, models, doors

    async def run(self, jobs: Iterable[Job], concurrency: int) -> None:
        """Play ``jobs``; close the models' connections of this loop at the end."""
        door = Door()
        todo = [door.through(job) for job in jobs]
        try:
            await Plain().run((job for job in todo if not self._logged(job)), concurrency)
            await self._inner.run([job for job in todo if self._logged(job)], concurrency)
        finally:
            for door in self._doors:
                await door.aclose()

    def _logged(self, job: Job) -> bool:
        return job.therapist in self._models and not job.private


class _Mixed:
    """Plays who needs no model in this loop, and the others where models are played."""

    def __init__(self, modelled: Stage, models: dict[str, str]) -> None:
        self._modelled, self._models = modelled, models

    async def run(self, jobs: Iterable[Job], concurrency: int) -> None:
        """Play ``jobs``."""
        todo = list(jobs)
        await Plain().run((job for job in todo if not self._asks(job)), concurrency)
        await self._modelled.run([job for job in todo if self._asks(job)], concurrency)

    def _asks(self, job: Job) -> bool:
        return job.private or job.therapist in self._models


@contextmanager
def opened_cast(
    study: Study,
    path: Path,
    calls: Calls,
    asking: Asking = DEFAULT_ASKING,
    *,
    force: bool = False,
    slots: int = 64,
) -> Iterator[Cast]:
    """Hand out the participants of a study, and close what they opened.

    ``path`` is the run folder: calls are recorded there, and taken from there where they were made before (``force``:
    all are made again). Nothing is written before the first call. ``slots`` is the most calls at a time; ``asking``
    is how bots are asked, which are no models to us.

    Raises
    ------
    UsageError : a model cannot be reached (provider, key, extra), or there is no recording to replay.
    """
    models = models_of(study)
    if not models and not patient_models_of(study):
        yield cast_of(study, default_ear(), asking, stage=_embedded(study))
        return
    if calls.stand_in is not None:
        yield cast_of(study, default_ear(), asking, models=calls.stand_in, speakers=calls.stand_in)
        return
    tape = calls.replay
    recording = Recording(path / CALLS, fresh=force) if tape is None else Recording.to_replay(tape)
    doors: list[Any] = []

    def model(name: str, speaks_as: Speaker = "therapist") -> LanguageModel:
        door: Any = None
        if calls.replay is None:
            from turnwise.engine.through_inspect.port import InspectModel

            door = InspectModel(name, calls.settings, speaks_as=speaks_as, slots=slots)
            door.check()
            doors.append(door)
        return Recorded(name, calls.settings, recording, door, speaks_as=speaks_as)

    def speaker(name: str) -> LanguageModel:
        return model(name, "patient")

    inner: Stage = Plain()
    if calls.log and calls.replay is None:
        from turnwise.engine.through_inspect.stage import LOGS, LoggedStage

        inner = LoggedStage(path / LOGS, models)
    stage: Stage = _Modelled(inner, models, doors)
    if calls.replay is None:
        stage = Spread(stage, _processes(study, calls, slots), recording.lent)
    try:
        yield cast_of(study, default_ear(), asking, models=model, speakers=speaker, stage=_Mixed(stage, models))
    finally:
        recording.close()


_WORTH_FORKING = 100  # embedded sessions that take longer than to fork


def _embedded(study: Study) -> Stage:
    """Return where sessions without a model are played: beside each other, where there are many, and all are ours.

    A bot from outside may keep something between its sessions, and later sessions of a course go on from earlier ones.
    """
    alone = study.sessions > 1 or any(map(outside, study.therapists)) or len(study.specs()) < _WORTH_FORKING
    return Plain() if alone else Spread(Plain(), processors(), nullcontext)


def _processes(study: Study, calls: Calls, slots: int) -> int:
    """Return how many processes play: one where sessions of a course go on from each other, or a bot has one door."""
    bots = [o for o in map(outside, study.therapists) if o is not None and o.model is None]
    if not CAN_FORK or study.sessions > 1 or (bots and patient_models_of(study)):
        return 1
    return calls.processes or processes_for(min(slots, len(study.specs())))
