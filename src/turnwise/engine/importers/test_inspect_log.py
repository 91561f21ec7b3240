"""Inspect logs: a sample is a session; without Inspect one line says what to install."""

import sys
import zipfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from turnwise.core.errors import FormatError, UsageError
from turnwise.core.nouns import SessionSpec, Trajectory, Turn
from turnwise.engine.importers import inspect_log as module
from turnwise.engine.importers.account import Account
from turnwise.engine.importers.detect import detect, open_transcripts
from turnwise.engine.importers.inspect_log import InspectLog

installed = pytest.mark.skipif(find_spec("inspect_ai") is None, reason="inspect_ai is not installed")
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


def _archive(path: Path) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("_journal/start.json", "{}")
    return path


def test_archive_is_recognised_by_its_parts(tmp_path: Path) -> None:
    assert detect(_archive(tmp_path / "log.bin")) == "inspect_log.v1"
    with zipfile.ZipFile(tmp_path / "other.eval", "w") as archive:
        archive.writestr("word/document.xml", "<x/>")
    with pytest.raises(FormatError, match="zip archive"):
        detect(tmp_path / "other.eval")


def test_without_inspect_one_line_names_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module.importlib.util, "find_spec", lambda _: None)
    with pytest.raises(UsageError, match=r"pip install 'turnwise\[inspect\]'") as caught:
        list(open_transcripts(_archive(tmp_path / "log.eval")))
    assert str(caught.value).count("\n") == 0
    assert "inspect_ai" not in sys.modules or find_spec("inspect_ai") is not None


def _log(*samples: Any, epochs: int = 1, roles: dict[str, str] | None = None) -> Any:
    from inspect_ai.log import EvalConfig, EvalDataset, EvalLog, EvalSpec
    from inspect_ai.model import ModelConfig

    spec = EvalSpec(
        created="2026-01-01T00:00:00+00:00",
        task="talk",
        model="mockllm/model",
        dataset=EvalDataset(),
        config=EvalConfig(epochs=epochs),
        model_roles={role: ModelConfig(model=name) for role, name in (roles or {}).items()} or None,
    )
    return EvalLog(eval=spec, samples=list(samples), status="success")


def _sample(name: str | int, epoch: int = 1, messages: Any = None, **more: Any) -> Any:
    from inspect_ai.log import EvalSample
    from inspect_ai.model import ChatMessageAssistant, ChatMessageSystem, ChatMessageUser, ContentReasoning, ContentText

    said = [ContentReasoning(reasoning="slowly"), ContentText(text="Since when?")]
    if messages is None:
        messages = [
            ChatMessageSystem(content="Be kind."),
            ChatMessageUser(content="I cannot sleep. " * 200),
            ChatMessageAssistant(content=said, model="m"),
        ]
    return EvalSample(id=name, epoch=epoch, input="x", target="", messages=messages, **more)


def _written(tmp_path: Path, log: Any, name: str) -> Path:
    from inspect_ai.log import write_eval_log

    path = tmp_path / name
    write_eval_log(log, str(path))
    other = path.with_name("recognised by its content")
    path.rename(other)
    return other


@installed
@pytest.mark.parametrize("name", ["log.eval", "log.json"])
def test_samples_become_sessions(tmp_path: Path, name: str) -> None:
    from inspect_ai.log import EvalError
    from inspect_ai.scorer import Score

    failed = EvalError(message="the model was not reached", traceback="", traceback_ansi="")
    samples = [
        _sample("a", 1, metadata={"persona": "hidden"}, scores={"warmth": Score(value=0.5, explanation="x")}),
        _sample("a", 2, store={"state": 1}),
        _sample(7, 1, error=failed),
    ]
    account = Account()
    found = list(open_transcripts(_written(tmp_path, _log(*samples, epochs=2), name), account=account))
    assert {t.session_id for t in found} == {"a/1", "a/2", "7/1"}
    t = next(t for t in found if t.session_id == "a/1")
    assert [(x.speaker, x.text) for x in t.turns] == [
        ("patient", "I cannot sleep. " * 200),
        ("therapist", "Since when?"),
    ]
    assert t.infos[1]["private"] == {"thinking": "slowly"}
    assert t.meta["private"] == {"metadata": {"persona": "hidden"}, "target": ""}
    assert t.meta["scores"] == {"warmth": {"value": 0.5}}
    assert (t.meta["task"], t.meta["epoch"], t.meta["skipped_messages"]) == ("talk", 1, {"system": 1})
    broken = next(t for t in found if t.session_id == "7/1")
    assert broken.ending == "error"
    assert "the model was not reached" in str(broken.error)
    assert account.losses["stores of samples (what a solver kept for itself)"].n == 1
    assert account.heard == {("user", "patient"): 3, ("assistant", "therapist"): 3}


@installed
def test_session_that_turnwise_stored_comes_back_unchanged(tmp_path: Path) -> None:
    own = Trajectory(
        session_id="t/p/c/0",
        source="simulated",
        spec=SessionSpec(case="c", patient="p.v1", therapist="t.v1", seed=1),
        turns=(Turn(speaker="therapist", text="<think>kept</think>"), Turn(speaker="patient", text="")),
        infos=({}, {"state": {"trust": 0.5}}),
        ending="patient_left",
    )
    for place in ({"metadata": {"any": own.model_dump(mode="json")}}, {"store": {"k": own.model_dump(mode="json")}}):
        assert list(open_transcripts(_written(tmp_path, _log(_sample("x", **place)), "l.eval"))) == [own]


@installed
def test_audited_target_is_read_on_its_last_branch(tmp_path: Path) -> None:
    from inspect_ai.event import ModelEvent
    from inspect_ai.model import ChatMessageAssistant, ChatMessageUser, GenerateConfig, ModelOutput

    def call(role: str, reply: str, *heard: str) -> Any:
        given = [
            ChatMessageUser(content=x) if i % 2 == 0 else ChatMessageAssistant(content=x) for i, x in enumerate(heard)
        ]
        output = ModelOutput.from_content("m", reply)
        return ModelEvent(
            model="m", role=role, input=given, tools=[], tool_choice="none", config=GenerateConfig(), output=output
        )

    events = [
        call("target", "rolled back", "Hi."),
        call("target", "kept", "Hello."),
        call("target", "end", "Hello.", "kept", "And?"),
        call("auditor", "private plan", "x"),
    ]
    plotting = [ChatMessageAssistant(content="I shall press the target.")]
    log = _log(_sample("a", messages=plotting, events=events), _sample("b"), roles={"auditor": "x/a", "target": "x/t"})
    first, second = open_transcripts(_written(tmp_path, log, "l.eval"))
    assert [(x.speaker, x.text) for x in first.turns] == [
        ("patient", "Hello."),
        ("therapist", "kept"),
        ("patient", "And?"),
        ("therapist", "end"),
    ]
    assert first.meta["model_roles"] == {"auditor": "x/a", "target": "x/t"}
    assert "no call to the target" in str(second.error)


@installed
def test_sample_that_is_too_large_or_torn_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = _written(tmp_path, _log(_sample("a"), _sample("b", messages=[])), "l.eval")
    monkeypatch.setattr(module, "MAX_WHOLE", 2000)
    found = {t.session_id: t for t in open_transcripts(path)}
    assert found["b"].turns == ()
    assert any("larger than" in str(t.error) for t in found.values())


@installed
@pytest.mark.parametrize("cut", [200, -30])
def test_torn_archive_is_refused_in_one_sentence(tmp_path: Path, cut: int) -> None:
    path = _written(tmp_path, _log(_sample("a")), "l.eval")
    path.write_bytes(path.read_bytes()[:cut])
    with pytest.raises(FormatError, match="not a log that Inspect can read"):
        list(open_transcripts(path))


@installed
def test_nothing_a_log_points_to_is_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from inspect_ai.model import ChatMessageUser, ContentImage, ContentText

    secret = tmp_path / "secret.png"
    secret.write_text("do not read me")
    parts = [ContentText(text="Look."), ContentImage(image=str(secret))]
    path = _written(tmp_path, _log(_sample("a", messages=[ChatMessageUser(content=parts)])), "l.eval")
    secret.unlink()
    (t,) = InspectLog().read(path)
    assert t.turns[0].text == "Look."
    assert t.infos[0]["skipped_parts"] == {"image": 1}
