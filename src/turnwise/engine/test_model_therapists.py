"""Names of the form socratic:SOMEBODY: around an embedded therapist, a bot or a model."""

from __future__ import annotations

import pytest

from turnwise.core.errors import TurnwiseError
from turnwise.engine.embedded import all_embedded
from turnwise.engine.model_therapists import around, control
from turnwise.engine.study import cast_of, resolve_study
from turnwise.reading.ears.direct import DirectEar
from turnwise.therapists.wrapping import Wrapped


def test_an_embedded_therapist_can_be_wrapped_by_name() -> None:
    study = resolve_study(therapists=("socratic:advisor", "advisor"), patients=("alun",), epochs=1, turns=2)
    assert study.therapists == ("socratic:advisor.v1", "advisor.v1")
    cast = cast_of(study, DirectEar())
    assert isinstance(cast.therapists["socratic:advisor.v1"], Wrapped)
    assert not isinstance(cast.therapists["advisor.v1"], Wrapped)
    assert all_embedded(study.therapists)


def test_a_model_and_a_bot_can_be_wrapped_by_name() -> None:
    assert around("socratic:openai/some-model").model == "openai/some-model"
    assert around("socratic:https://bot.example/chat").name == "socratic:http:https://bot.example/chat"
    assert control("best_prompt:openai/some-model").model == "openai/some-model"
    assert not all_embedded(["socratic:openai/some-model"])


@pytest.mark.parametrize("name", ["socratic:advsor", "socratic:", "socratic:best_prompt", "advisor:socratic"])
def test_what_is_no_therapist_is_refused(name: str) -> None:
    with pytest.raises(TurnwiseError):
        resolve_study(therapists=(name,), patients=("alun",), epochs=1, turns=2)
