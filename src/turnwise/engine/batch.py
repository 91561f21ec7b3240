"""Play many sessions at once. What a session says never depends on who plays beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from turnwise.core.nouns import SessionSpec, Trajectory
from turnwise.core.play import play
from turnwise.engine.asking import DEFAULT_ASKING, Asking
from turnwise.engine.microbatch import BatchedEar
from turnwise.engine.stage import Job
from turnwise.engine.study import Cast, Study, cast_of

__all__ = ["default_cast", "default_ear", "play_many", "release"]

OnDone = Callable[[Trajectory], None]
DEFAULT_CONCURRENCY = 64


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
) -> None:
    """Play ``specs`` with at most ``concurrency`` sessions at a time.

    ``on_done`` is called with each session as it ends, in no particular order. If it raises (a
    full disk), the sessions under way are cancelled and the fault is passed on: what was handed
    over before is safe, and the rest can be played again.
    """

    def job(spec: SessionSpec) -> Job:
        async def session() -> Trajectory:
            patient, therapist = cast.patients[spec.patient], cast.therapists[spec.therapist]
            played = await play(spec, cast.cases[spec.case], patient, therapist)
            on_done(played)
            return played

        return Job(spec.session_id, spec.therapist, session)

    try:
        await cast.stage.run((job(spec) for spec in specs), concurrency)
    finally:
        await release(cast)
