"""The tasks that ``inspect eval`` finds under ``turnwise/``."""

from __future__ import annotations

from typing import Any

from turnwise.core.errors import TurnwiseError, UsageError
from turnwise.engine.through_inspect.live import studied

__all__ = ["define_sessions", "found_agent"]


def found_agent(agent: Any) -> Any:
    """Return an agent from its registered name (``package/name``), or as it is.

    Raises
    ------
    UsageError : no agent is registered under the name.
    """
    if not isinstance(agent, str):
        return agent
    from inspect_ai.util import registry_create

    try:
        return registry_create("agent", agent)
    except Exception as fault:
        raise UsageError(f"no Inspect agent is registered as {agent!r} ({type(fault).__name__}: {fault}).") from None


def define_sessions(live_session: Any, session_scores: Any) -> Any:
    """Return the task ``turnwise/sessions``, registered with Inspect."""
    from inspect_ai import Task, task
    from inspect_ai._util.error import PrerequisiteError
    from inspect_ai.dataset import MemoryDataset, Sample

    def sessions(
        patients: Any = "",
        turns: int = 20,
        seed: int = 1,
        style: str = "bare",
        agent: Any = None,
        readers: str = "research",
    ) -> Any:
        """Whole conversations with simulated patients, one sample each, scored by every measure of turnwise.

        Args:
            patients: Names of cases, separated by commas; all by default.
            turns: Therapist turns at most.
            seed: Decides everything that chance decides; the epoch is part of it.
            style: How the model is used: "bare" or "socratic".
            agent: An Inspect agent (or its registered name) that plays the therapist instead of a model.
            readers: Coders by licence: "research" (all) or "open".
        """
        try:
            study, cast = studied(patients, turns, seed)
            solver = live_session(patients=patients, turns=turns, seed=seed, style=style, agent=found_agent(agent))
        except TurnwiseError as mistake:
            raise PrerequisiteError(str(mistake)) from None
        samples = [
            Sample(
                id=name, input=cast.cases[name.partition(":")[2]].intake.referral or name, metadata={"patient": name}
            )
            for name in study.patients
        ]
        return Task(
            dataset=MemoryDataset(samples, name="turnwise patients"),
            solver=solver,
            scorer=session_scores(readers=readers),
        )

    return task(sessions)
