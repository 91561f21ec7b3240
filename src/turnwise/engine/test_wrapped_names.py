"""``socratic:NAME`` around a therapist of this package, a function of somebody else, or a model."""

from __future__ import annotations

from turnwise.engine.embedded import all_embedded
from turnwise.engine.study import cast_of, resolve_study
from turnwise.engine.therapist_names import outside
from turnwise.reading.ears.direct import DirectEar
from turnwise.therapists.wrapping import Wrapped


def test_an_embedded_therapist_can_be_wrapped_by_name() -> None:
    study = resolve_study(therapists=("socratic:advisor", "advisor"), patients=("alun",), epochs=1, turns=2)
    assert study.therapists == ("socratic:advisor.v1", "advisor.v1")
    cast = cast_of(study, DirectEar())
    assert isinstance(cast.therapists["socratic:advisor.v1"], Wrapped)
    assert not isinstance(cast.therapists["advisor.v1"], Wrapped)
    assert all_embedded(study.therapists)


def test_what_is_wrapped_decides_whether_a_model_is_needed() -> None:
    function, model = outside("socratic:python:json:dumps"), outside("socratic:openai/some-model")
    assert function is not None
    assert model is not None
    assert (function.name, function.model) == ("socratic:python:json:dumps", None)
    assert (model.name, model.model) == ("socratic:openai/some-model", "openai/some-model")
    assert not all_embedded([model.name])
