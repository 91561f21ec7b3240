"""Play jobs as samples of a logged evaluation: what went over the wire can then be read in ``inspect view``.

The run folder stays the truth: a session is stored there the moment it ends, and what is stored is not played again.
The logs hold what was said and what was sent, never the case: a patient's truth is in our own files alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from turnwise.core.errors import UsageError
from turnwise.engine.stage import Job
from turnwise.engine.through_inspect.logs import public_of, spoken
from turnwise.engine.through_inspect.wire import trace_no_call

__all__ = ["LOGS", "LoggedStage", "quiet_start"]

LOGS = "inspect"
"""Folder of the logs inside a run folder: ``inspect view --log-dir runs/NAME/inspect``."""


def quiet_start() -> None:
    """Read a ``.env`` file as Inspect's own commands do, and draw nothing on the terminal."""
    with suppress(ImportError):  # where Inspect has moved these, keys come from the environment alone
        from inspect_ai._util.dotenv import init_dotenv
        from inspect_ai.util._display import init_display_type

        init_dotenv()
        init_display_type("none")


class LoggedStage:
    """Plays each job as one sample; one log for each therapist and part of the run.

    ``models`` says through which model string a therapist speaks, for the header of its log.
    """

    def __init__(self, log_dir: Path, models: dict[str, str]) -> None:
        self._log_dir, self._models = log_dir, models

    async def run(self, jobs: Iterable[Job], concurrency: int) -> None:
        """Play ``jobs``, at most ``concurrency`` at a time.

        Raises
        ------
        KeyboardInterrupt : the evaluation was interrupted; what had ended is stored.
        UsageError : the evaluation could not be carried out.
        """
        from inspect_ai import eval_async

        todo = list(jobs)
        if not todo:
            return
        quiet_start()
        trace_no_call()
        faults: list[Exception] = []
        logs = await eval_async(
            self._tasks(todo, faults),
            model=None,
            log_dir=str(self._log_dir),
            log_format="eval",
            log_level="error",
            log_buffer=1,  # a killed run keeps what had ended
            log_realtime=False,
            log_model_api=False,
            max_samples=concurrency,
            max_tasks=len({job.therapist for job in todo}),
            fail_on_error=True,  # a session that fails is data; what raises here is our own disk
            ctl_server=False,
            acp_server=False,
            score=False,
        )
        if faults:
            raise faults[0]
        if any(log.status == "cancelled" for log in logs):
            raise KeyboardInterrupt
        broken = [log.error.message for log in logs if log.status != "success" and log.error]
        if broken:
            raise UsageError(f"Inspect could not carry out the run: {' '.join(broken[0].split())[:300]}")

    def _tasks(self, todo: Sequence[Job], faults: list[Exception]) -> list[Any]:
        from inspect_ai import Task
        from inspect_ai.dataset import MemoryDataset, Sample

        by_id = {job.id: job for job in todo}
        solve = _solver(by_id, faults)
        tasks = []
        for therapist in dict.fromkeys(job.therapist for job in todo):
            own = [job.id for job in todo if job.therapist == therapist]
            part = "ladder" if own[0].endswith("/ladder") else "sessions"
            tasks.append(
                Task(
                    dataset=MemoryDataset([Sample(id=name, input=name) for name in own], name=f"turnwise {part}"),
                    solver=solve,
                    name=f"turnwise-{part}",
                    metadata={"therapist": therapist, "model": self._models.get(therapist)},
                )
            )
        return tasks


def _solver(by_id: dict[str, Job], faults: list[Exception]) -> Any:
    from inspect_ai.model import ModelOutput
    from inspect_ai.solver import solver

    def turnwise_session() -> Any:
        async def solve(state: Any, generate: Any) -> Any:
            try:
                played = await by_id[str(state.sample_id)].played()
            except Exception as fault:
                faults.append(fault)
                raise
            if played is not None:
                state.messages = spoken(played)
                state.metadata |= public_of(played)
                last = next((t.text for t in reversed(played.turns) if t.speaker == "therapist"), "")
                state.output = ModelOutput.from_content("turnwise", last, error=played.error)
                state.completed = True
            return state

        return solve

    return solver(turnwise_session)()
