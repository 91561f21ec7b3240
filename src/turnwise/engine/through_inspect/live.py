"""A live session in an Inspect task: the therapist is a model role or any Inspect agent, the patient is ours."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from numpy.random import Generator
from pydantic import JsonValue

from turnwise.core.contracts import Completion
from turnwise.core.errors import BoundaryError, UsageError
from turnwise.core.model_turns import thoughts_of
from turnwise.core.nouns import Course, Intake, Reply, SessionSpec, Trajectory, Transcript, Turn
from turnwise.core.play import play
from turnwise.engine.batch import default_ear
from turnwise.engine.luck import Luck, luck_of
from turnwise.engine.model_messages import model_messages
from turnwise.engine.patient_names import parted
from turnwise.engine.study import Cast, Study, cast_of, resolve_study
from turnwise.engine.through_inspect.logs import SESSION, spoken
from turnwise.engine.through_inspect.port import completion_of, fault_sentence, inspect_messages
from turnwise.therapists.bare_model import PROMPT, BareModel, intake_lines
from turnwise.therapists.wrapping import wrapped

__all__ = ["LUCK", "STYLES", "AgentTherapist", "RoleModel", "define_live_session", "studied"]

STYLES = ("bare", "socratic")
LUCK = "turnwise_luck"
"""Key of the metadata of a system message: the luck of the step, by which an embedded model plays as it would here."""


class RoleModel:
    """A model that an evaluation brought along, as our port. Its settings are the evaluation's own."""

    def __init__(self, model: Any, luck: Luck) -> None:
        self._model, self._luck = model, luck

    async def generate(self, system: str, turns: Sequence[Turn], *, seed: int) -> Completion:
        """Return the model's next turn."""
        from inspect_ai.model import GenerateConfig

        messages = inspect_messages(model_messages(system, turns))
        messages[0].metadata = {LUCK: str(self._luck)}
        try:
            output = await self._model.generate(messages, config=GenerateConfig(seed=seed))
        except Exception as fault:
            raise BoundaryError(f"{self._model} failed: {fault_sentence(fault)}") from None
        return completion_of(output)


class AgentTherapist:
    """Any Inspect agent as therapist: it is given the chat so far, and its last words are the turn."""

    stateless = True

    def __init__(self, agent: Any) -> None:
        self._agent = agent

    def init(self, intake: Intake, rng: Generator, prior: Course | None = None) -> str:
        """Return what the agent is told before the first word."""
        return PROMPT.format(intake=intake_lines(intake, prior))

    async def respond(self, state: str, transcript: Transcript, rng: Generator) -> Reply[str]:
        """Run the agent on the transcript."""
        from inspect_ai.agent import run

        messages = inspect_messages(model_messages(state, transcript))
        luck = luck_of(rng)
        messages[0].metadata = {LUCK: str(luck)} if luck else None
        done = await run(self._agent, messages)
        said = completion_of(done.output)
        if not said.text.strip():
            raise BoundaryError("the agent answered with no words")
        info: dict[str, JsonValue] = {"lm": {"calls": None, "model": said.model}, **thoughts_of(said)}
        return Reply(said.text.strip(), state, info)


def studied(patients: str | Sequence[str], turns: int, seed: int) -> tuple[Study, Cast]:
    """Return the patients of a task, built once; ``patients`` are names (separated by commas), all where empty.

    Raises
    ------
    RegistryError, UsageError : a name is unknown, or a number makes no sense.
    """
    # Inspect's command line makes a list of what holds a comma.
    given = patients if isinstance(patients, str) else ",".join(map(str, patients))
    return _studied(tuple(name.strip() for name in given.split(",") if name.strip()), turns, seed)


@cache
def _studied(names: tuple[str, ...], turns: int, seed: int) -> tuple[Study, Cast]:
    study = resolve_study(therapists=("silent",), patients=names, seed=seed, epochs=1, turns=turns)
    return study, cast_of(study, default_ear())


def _therapist(agent: Any, style: str, cast_ear: Any, spec: SessionSpec) -> Any:
    from inspect_ai.model import get_model

    if agent is not None:
        return AgentTherapist(agent)
    luck = Luck.of(spec.seed, f"{spec.patient}/{spec.case}", spec.epoch)
    model = RoleModel(get_model(role="therapist"), luck)
    return BareModel(model) if style == "bare" else wrapped(model, cast_ear)


def _spec(state: Any, study: Study, style: str, agent: Any) -> SessionSpec:
    from inspect_ai.model import get_model

    family, case = parted(str(state.sample_id))
    name = getattr(agent, "__name__", "agent") if agent is not None else str(get_model(role="therapist"))
    return SessionSpec(
        case=case,
        patient=family,
        therapist=name if style == "bare" or agent is not None else f"{style}:{name}",
        seed=study.seed,
        epoch=int(state.epoch) - 1,  # Inspect counts from 1
        max_turns=study.turns,
        versions=study.versions,
    )


def define_live_session() -> Any:
    """Return the solver ``turnwise/live_session``, registered with Inspect."""
    from inspect_ai.model import ModelOutput
    from inspect_ai.solver import solver

    def live_session(patients: Any = "", turns: int = 20, seed: int = 1, style: str = "bare", agent: Any = None) -> Any:
        """Play the patient of each sample against the role ``therapist`` (or the model, or an agent).

        Args:
            patients: Names of patients, separated by commas; those of the task.
            turns: Therapist turns at most.
            seed: Decides everything that chance decides; the epoch is part of it.
            style: How a model is used: "bare" (short prompt) or "socratic" (our controller decides, it words).
            agent: An Inspect agent that plays the therapist instead of a model.
        """
        if style not in STYLES:
            raise UsageError(f"style {style!r} is not known; take one of {', '.join(STYLES)}.")
        study, cast = studied(patients, turns, seed)
        ear = default_ear()

        async def solve(state: Any, generate: Any) -> Any:
            spec = _spec(state, study, style, agent)
            who = _therapist(agent, style, ear, spec)
            t = await play(spec, cast.cases[spec.case], cast.patients[spec.patient], who)
            return _told(state, t)

        return solve

    def _told(state: Any, t: Trajectory) -> Any:
        state.messages = spoken(t)
        last = next((turn.text for turn in reversed(t.turns) if turn.speaker == "therapist"), "")
        state.output = ModelOutput.from_content(str(state.model), last, error=t.error)
        state.metadata[SESSION] = t.model_dump(mode="json")
        state.metadata["ending"] = t.ending
        state.completed = True
        return state

    return solver(live_session)
