"""Inspect's users get our sessions, scores and participants by name; what they play is what we would have played."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from model_studies import played, small_study
from scripted_server import Scripted, plain_therapist
from turnwise.core.errors import UsageError
from turnwise.core.nouns import Trajectory
from turnwise.engine.through_inspect.logs import read_eval
from turnwise.engine.through_inspect.tasks import found_agent

pytest.importorskip("inspect_ai", reason="needs the extra [inspect]")
PATIENTS = ("alun", "keisha")


def evaluated(tmp_path: Path, *, role: str | None = None, style: str = "bare", score: bool = False, **more: Any) -> Any:
    from inspect_ai import Task, eval

    from turnwise.engine.through_inspect import _registry

    task = _registry.sessions(patients=",".join(PATIENTS), turns=3, style=style, **more)
    assert isinstance(task, Task)
    (log,) = eval(
        task,
        model=None,
        model_roles={"therapist": role} if role else None,
        epochs=2,
        log_dir=str(tmp_path / "logs"),
        display="none",
        log_level="error",
        ctl_server=False,
        score=score,
    )
    assert log.status == "success", log.error
    return log


def sessions_of(log: Any) -> dict[str, Trajectory]:
    found = (Trajectory.model_validate(s.metadata["turnwise"]) for s in log.samples)
    return {f"{t.spec.patient}/{t.spec.case}/{t.spec.epoch}": t for t in found}


def ours(tmp_path: Path, therapist: str) -> dict[str, Trajectory]:
    sessions = played(small_study(therapist, patients=PATIENTS, epochs=2), tmp_path / "ours")
    return {f"{t.spec.patient}/{t.spec.case}/{t.spec.epoch}": t for t in sessions}


@pytest.mark.parametrize("style", ["bare", "socratic"])
def test_a_model_role_plays_the_sessions_that_a_run_plays(
    loopback: Callable[..., Scripted], tmp_path: Path, style: str
) -> None:
    loopback()
    log = evaluated(tmp_path, role="openai-api/loop/m", style=style)
    theirs = sessions_of(log)
    name = "openai-api/loop/m" if style == "bare" else "socratic:openai-api/loop/m"
    mine = ours(tmp_path, name)
    assert theirs.keys() == mine.keys()
    for key, t in theirs.items():
        assert (t.turns, t.infos, t.ending) == (mine[key].turns, mine[key].infos, mine[key].ending)
        assert t.spec.therapist == name
    assert all(
        s.messages[-1].text == sessions[-1]
        for s, sessions in ((s, [t.text for t in _own(s).turns]) for s in log.samples)
    )


def _own(sample: Any) -> Trajectory:
    return Trajectory.model_validate(sample.metadata["turnwise"])


def test_embedded_therapists_are_models_and_say_the_same_words(tmp_path: Path) -> None:
    theirs = sessions_of(evaluated(tmp_path, role="turnwise/therapist/amnesiac"))
    mine = ours(tmp_path, "amnesiac")
    assert {k: t.turns for k, t in theirs.items()} == {k: t.turns for k, t in mine.items()}


def test_embedded_patients_are_models_and_say_the_same_words(tmp_path: Path) -> None:
    from inspect_ai.model import ChatMessageAssistant, ChatMessageSystem, ChatMessageUser, get_model

    from turnwise.engine.luck import Luck
    from turnwise.engine.through_inspect.live import LUCK

    (t,) = played(small_study("reflector", turns=5), tmp_path / "run")
    luck = str(Luck.of(t.spec.seed, f"{t.spec.patient}/{t.spec.case}", t.spec.epoch))
    messages: list[Any] = [ChatMessageSystem(content="", metadata={LUCK: luck})]

    async def talk() -> list[str]:
        model, said = get_model("turnwise/patient/alun", memoize=False), []
        for turn in t.turns:
            if turn.speaker == "therapist":
                messages.append(ChatMessageUser(content=turn.text))
                said.append((await model.generate(messages)).completion)
                messages.append(ChatMessageAssistant(content=said[-1]))
        return said

    assert asyncio.run(talk()) == [turn.text for turn in t.turns if turn.speaker == "patient"]


def test_any_agent_and_the_openai_sdk_behind_the_bridge_can_be_the_therapist(
    loopback: Callable[..., Scripted], tmp_path: Path
) -> None:
    from inspect_ai.agent import AgentState, agent, agent_bridge
    from inspect_ai.model import ModelOutput
    from openai import AsyncOpenAI

    server = loopback()

    @agent
    def words_alone() -> Any:
        async def execute(state: AgentState) -> AgentState:
            """Say how many messages there are."""
            state.output = ModelOutput.from_content("mine", f"That is message {len(state.messages)}.")
            return state

        return execute

    @agent
    def through_the_sdk() -> Any:
        async def execute(state: AgentState) -> AgentState:
            """Ask with the SDK of OpenAI, unchanged."""
            async with agent_bridge(state) as bridge:
                chat = [{"role": m.role, "content": m.text} for m in state.messages]
                model = "inspect/openai-api/loop/m"
                done = await AsyncOpenAI(api_key="x").chat.completions.create(model=model, messages=chat)
                bridge.state.output = ModelOutput.from_content("mine", done.choices[0].message.content)
                return bridge.state

        return execute

    alone = sessions_of(evaluated(tmp_path / "a", agent=words_alone()))
    assert {t.turns[2].text for t in alone.values()} == {"That is message 4."}
    assert server.requests == []
    bridged = sessions_of(evaluated(tmp_path / "b", agent=through_the_sdk()))
    assert {t.ending for t in bridged.values()} == {"max_turns"}
    assert len(server.requests) == 12
    bare = ours(tmp_path, "openai-api/loop/m")
    assert {k: t.turns for k, t in bridged.items()} == {k: t.turns for k, t in bare.items()}


def test_scores_are_those_of_a_run_and_can_be_made_again(loopback: Callable[..., Scripted], tmp_path: Path) -> None:
    from inspect_ai import score

    from turnwise.core.measure import measure
    from turnwise.core.registry import METRICS
    from turnwise.engine.ratings import Readers
    from turnwise.engine.through_inspect import _registry

    loopback(lambda n, body: 400 if "keisha" in str(body).lower() and n % 2 else plain_therapist(n, body))
    log = evaluated(tmp_path, role="openai-api/loop/m", score=True)
    readers = Readers.load()
    for sample in log.samples:
        (t,) = readers.rate([_own(sample)])
        found = sample.scores["session_scores"]
        assert set(found.value) == {e.base for e in METRICS.newest()}
        for entry in METRICS.newest():
            value, expected = found.value[entry.base], measure(entry, t).value
            assert math.isnan(value) if expected is None else value == expected
            assert (entry.base in found.metadata["unscored"]) == (expected is None)
    again = score(log, _registry.session_scores(), action="overwrite", display="none")
    for before, after in zip(log.samples, again.samples, strict=True):
        old, new = (s.scores["session_scores"].value for s in (before, after))
        assert {k: v for k, v in old.items() if v == v} == {k: v for k, v in new.items() if v == v}
    stored = {t.model_dump_json() for t in read_eval(Path(log.location))}
    assert stored == {_own(s).model_dump_json() for s in log.samples}


def test_a_session_that_fails_is_a_sample_that_ends_in_error(loopback: Callable[..., Scripted], tmp_path: Path) -> None:
    server = loopback(lambda n, body: 400)
    log = evaluated(tmp_path, role="openai-api/loop/m", score=True)
    assert server.requests
    assert {t.ending for t in sessions_of(log).values()} == {"error"}
    assert all(s.scores["session_scores"].answer == "error" for s in log.samples)
    assert all(math.isnan(v) for s in log.samples for v in s.scores["session_scores"].value.values())


@pytest.mark.parametrize("model", ["turnwise/nobody", "turnwise/therapist/nobody", "turnwise/patient/"])
def test_unknown_participants_are_refused(model: str) -> None:
    from inspect_ai.model import get_model

    from turnwise.core.errors import TurnwiseError
    from turnwise.engine.through_inspect import _registry

    assert _registry.provider
    with pytest.raises(TurnwiseError):
        get_model(model, memoize=False)


def test_a_misspelt_patient_is_one_line_of_inspect() -> None:
    from inspect_ai._util.error import PrerequisiteError

    from turnwise.engine.through_inspect import _registry

    with pytest.raises(PrerequisiteError, match="alun"):
        _registry.sessions(patients="alum")
    with pytest.raises(PrerequisiteError, match="style 'x'"):
        _registry.sessions(patients="alun", style="x")
    with pytest.raises(UsageError, match="no Inspect agent"):
        found_agent("nobody/nothing")
