import numpy as np
import pytest
from hypothesis import given

from turnwise.metrics.change_talk_share import change_talk_share
from turnwise.metrics.test_sessions import label_strings, labelled


def test_golden():
    assert change_talk_share(labelled("qCqCqCqSqN"))[:2] == (0.75, 4)


@pytest.mark.parametrize(
    ("letters", "code"),
    [("qNqN", "no_denominator"), ("qq", "no_denominator"), ("qpqp", "no_answer"), ("qy", "out_of_scope")],
)
def test_undefined_cases_have_their_reason(letters: str, code: str):
    assert change_talk_share(labelled(letters)).code == code
    assert change_talk_share(labelled(letters).with_ratings({})).code == "no_reading"


@given(label_strings)
def test_change_against_sustain_and_nothing_else(letters: str):
    found, c, s = change_talk_share(labelled(letters)), letters.count("C"), letters.count("S")
    assert found.value == (c / (c + s) if c + s else None)
    if c + s:
        assert found.n == c + s
        assert np.nanmean(change_talk_share.series(labelled(letters))) == pytest.approx(found.value)
        swapped = change_talk_share(labelled(letters.translate(str.maketrans("CS", "SC"))))
        assert swapped.value == pytest.approx(1.0 - found.value)
    assert change_talk_share(labelled(letters.translate(str.maketrans("qri", "ior")))) == found
