"""Play many sessions at once. What a session says never depends on who plays beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType

from turnwise.core.nouns import SessionSpec, Trajectory
from turnwise.core.play import play
from turnwise.engine.asking import DEFAULT_ASKING, Asking
from turnwise.engine.courses import Courses, by_place
from turnwise.engine.microbatch import BatchedEar
from turnwise.engine.patient_names import model_of
from turnwise.engine.stage import Job, Keep
from turnwise.engine.study import Cast, Study, cast_of

__all__ = ["default_cast", "default_ear", "play_many", "release"]

OnDone = Callable[[Trajectory], None]
DEFAULT_CONCURRENCY = 64
_NOTHING: Mapping[str, str] = MappingProxyType({})


def default_ear() -> BatchedEar:
    """Return the ear that all participants of a run share."""
    from turnwise.reading.ears.direct import hear_block

    return BatchedEar(hear_block)


def default_cast(study: Study, asking: Asking = DEFAULT_ASKING) -> Cast:
    """Return the study's participants, hearing through one batched ear."""
    return cast_of(study, default_ear(), asking)


async def release(cast: Cast) -> None:
    """Let therapists give back what they hold in this event loop (connections): those that have ``aclose``."""
    for therapist in cast.therapists.values():
        if hasattr(therapist, "aclose"):
            await therapist.aclose()


async def play_many(
    specs: Iterable[SessionSpec],
    cast: Cast,
    *,
    on_done: OnDone,
    concurrency: int = DEFAULT_CONCURRENCY,
    stored: Mapping[str, str] = _NOTHING,
) -> None:
    """Play ``specs`` with at most ``concurrency`` sessions at a time.

    Later sessions of courses are played when all earlier ones are there, so that none waits for another; those of
    ``stored`` (line by id) were played before.

    ``on_done`` is called with each session as it ends, in no particular order. If it raises (a
    full disk), the sessions under way are cancelled and the fault is passed on: what was handed
    over before is safe, and the rest can be played again.
    """
    waves = by_place(specs)
    last = waves[-1][0].session if waves else 1
    courses = Courses(cast, last, stored) if last > 1 else None

    async def held(spec: SessionSpec) -> Trajectory:
        if courses is not None:
            return await courses.play(spec)
        return await play(spec, cast.cases[spec.case], cast.patients[spec.patient], cast.therapists[spec.therapist])

    def job(spec: SessionSpec) -> Job:
        async def session(keep: Keep) -> Trajectory:
            played = await held(spec)
            keep(played)
            return played

        return Job(spec.session_id, spec.therapist, session, on_done, model_of(spec.patient) is not None)

    try:
        for wave in waves:
            await cast.stage.run((job(spec) for spec in wave), concurrency)
    finally:
        await release(cast)
