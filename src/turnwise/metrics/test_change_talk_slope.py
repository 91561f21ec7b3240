import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.metrics.change_talk_slope import change_talk_slope
from turnwise.metrics.test_sessions import label_strings, labelled


def test_golden():
    # balance -.6, 0, +.6 (p .7 against .15 gives +-.55)
    found = change_talk_slope(labelled("qSqNqC", sure=0.7))
    assert found.n == 3
    assert found.value == pytest.approx(1.1)
    assert change_talk_slope.series(labelled("qSqNqC"))[[1, 3, 5]] == pytest.approx([-0.55, 0.0, 0.55])


@pytest.mark.parametrize(
    ("letters", "code"), [("qCqS", "too_short"), ("qCqpqpqS", "too_short"), ("qqq", "no_denominator")]
)
def test_undefined_cases_have_their_reason(letters: str, code: str):
    assert change_talk_slope(labelled(letters)).code == code


@given(label_strings, st.floats(0.35, 1.0))
def test_bounds_and_symmetries(letters: str, sure: float):
    found = change_talk_slope(labelled(letters, sure=sure))
    if found.value is None:
        return
    assert abs(found.value) <= 3.0
    assert found.n == sum(letters.count(x) for x in "CNS")
    backwards = change_talk_slope(labelled(letters[::-1], sure=sure))
    swapped = change_talk_slope(labelled(letters.translate(str.maketrans("CS", "SC")), sure=sure))
    assert backwards.value == pytest.approx(-found.value, abs=1e-9)
    assert swapped.value == pytest.approx(-found.value, abs=1e-9)
    assert change_talk_slope(labelled(letters.translate(str.maketrans("qri", "ior")), sure=sure)) == found
    assert np.isnan(change_talk_slope.series(labelled(letters))[[x not in "CNS" for x in letters]]).all()
