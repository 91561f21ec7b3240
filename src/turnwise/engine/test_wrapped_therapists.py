"""Names of the form socratic:THERAPIST."""

from __future__ import annotations

import pytest

from turnwise.core.errors import RegistryError
from turnwise.engine.embedded import all_embedded
from turnwise.engine.study import cast_of, resolve_study
from turnwise.engine.wrapped_therapists import wrapped_name
from turnwise.reading.ears.direct import DirectEar
from turnwise.therapists.wrapping import Wrapped


def test_an_embedded_therapist_can_be_wrapped_by_name() -> None:
    study = resolve_study(therapists=("socratic:advisor", "advisor"), patients=("alun",), epochs=1, turns=2)
    assert study.therapists == ("socratic:advisor.v1", "advisor.v1")
    cast = cast_of(study, DirectEar())
    assert isinstance(cast.therapists["socratic:advisor.v1"], Wrapped)
    assert not isinstance(cast.therapists["advisor.v1"], Wrapped)
    assert all_embedded(study.therapists)


@pytest.mark.parametrize("name", ["socratic:advsor", "socratic:", "socratic:socratic:advisor", "advisor:socratic"])
def test_what_is_no_therapist_is_refused(name: str) -> None:
    with pytest.raises(RegistryError):
        wrapped_name(name)
