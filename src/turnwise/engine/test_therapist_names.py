"""A therapist is registered, or its name says where it is found; whatever is neither is refused in one sentence."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.core.errors import RegistryError, TurnwiseError, UsageError
from turnwise.engine.casting import models_of
from turnwise.engine.discovery import discover
from turnwise.engine.model_settings import CallSettings, parsed_arguments
from turnwise.engine.study import resolve_study
from turnwise.engine.therapist_names import PREFIXES, outside, resolved_name

discover(third_parties=False)


@pytest.mark.parametrize(
    ("name", "model"),
    [
        ("openai/gpt-x", "openai/gpt-x"),
        ("openai-api/my-server/org/model-7b", "openai-api/my-server/org/model-7b"),
        ("ollama/llama3:8b", "ollama/llama3:8b"),
        ("openai-api/tiny//tmp/folder", None),
        ("socratic:anthropic/some-model", "anthropic/some-model"),
        ("socratic:ollama/llama3:8b", "ollama/llama3:8b"),
    ],
)
def test_model_strings(name: str, model: str | None) -> None:
    if model is None:
        with pytest.raises(UsageError, match="no model string"):
            outside(name)
        return
    found = outside(name)
    assert found is not None
    assert (found.name, found.model) == (name, model)
    assert any(key.startswith("prompt:") for key in found.versions)


def test_registered_names_are_left_alone() -> None:
    assert outside("reflector") is None
    assert resolved_name("reflector") == "reflector.v1"


@pytest.mark.parametrize(
    "name", ["socratic:", "socratic:reflectr", "socratic:a b/c", "openai/", "/x", "open ai/x", "a/\x1b[31m"]
)
def test_what_cannot_be_a_model_string_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match="is no model string"):
        resolved_name(name)


def test_an_unknown_prefix_gets_the_known_ones() -> None:
    with pytest.raises(RegistryError, match="did you mean 'socratic'"):
        resolved_name("socratc:openai/x")
    with pytest.raises(RegistryError, match=r"known: .*socratic:"):
        resolved_name("zzzz:x")
    assert "socratic" in PREFIXES


@given(st.text(max_size=40))
def test_any_text_is_a_name_or_refused(name: str) -> None:
    try:
        found = outside(name)
    except TurnwiseError:
        found = None
    assert found is None or found.model


def test_a_study_with_a_model_says_how_it_is_called_and_others_do_not() -> None:
    with_model = resolve_study(therapists=("openai/x", "reflector"), patients=("alun",))
    assert with_model.versions["model:temperature"] == "null"
    assert models_of(with_model) == {"openai/x": "openai/x"}
    warmer = resolve_study(therapists=("openai/x",), patients=("alun",), calls=CallSettings(temperature=1.0))
    assert warmer.versions["model:temperature"] == "1.0"
    assert not [k for k in resolve_study(patients=("alun",)).versions if k.startswith(("model:", "prompt:"))]


@pytest.mark.parametrize(
    "settings",
    [
        CallSettings(temperature=2.5),
        CallSettings(max_tokens=0),
        CallSettings(patience=0),
        CallSettings(retries=-1),
        CallSettings(arguments={"api_key": "x"}),
        CallSettings(arguments={"default_headers": {}}),
    ],
)
def test_settings_that_make_no_sense_or_hold_a_secret_are_refused(settings: CallSettings) -> None:
    with pytest.raises(UsageError, match=r"not possible|looks like a secret"):
        resolve_study(therapists=("openai/x",), patients=("alun",), calls=settings)


def test_arguments_are_pairs() -> None:
    assert parsed_arguments(["a=1", "b=x=y", 'c={"d": true}']) == {"a": 1, "b": "x=y", "c": {"d": True}}
    with pytest.raises(UsageError, match="KEY=VALUE"):
        parsed_arguments(["stream"])
