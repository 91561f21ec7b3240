import numpy as np
import pytest
from hypothesis import given

from turnwise.metrics.input_share import input_share
from turnwise.metrics.label_counts import CLIENT_TALK, THERAPIST_BEHAVIOUR, LabelCounts, count_labels, share
from turnwise.metrics.question_share import question_share
from turnwise.metrics.reflection_share import reflection_share
from turnwise.metrics.test_sessions import label_strings, labelled

SHARES = {"q": question_share, "r": reflection_share, "i": input_share}


def test_golden_shares():
    t = labelled("qCrCrNiSoN")
    assert [SHARES[x](t).value for x in "qri"] == [0.2, 0.4, 0.2]
    assert all(SHARES[x](t).n == 5 for x in "qri")


def test_blank_and_unread_turns_are_in_no_denominator():
    assert reflection_share(labelled("rCtCxC"))[:2] == (1.0, 1)


@pytest.mark.parametrize(
    ("letters", "code"),
    [("CCC", "no_denominator"), ("tCtC", "no_answer"), ("xC", "out_of_scope"), ("xtC", "out_of_scope")],
)
def test_undefined_cases_have_their_reason(letters: str, code: str):
    found = reflection_share(labelled(letters))
    assert (found.value, found.code) == (None, code)
    assert found.detail


def test_no_reading_and_a_reading_of_another_version_are_refused():
    t = labelled("qCrC")
    assert reflection_share(t.with_ratings({})).code == "no_reading"
    longer = labelled("qCrCqC").with_ratings(t.ratings)
    assert reflection_share(longer).code == "no_reading"
    assert np.isnan(reflection_share.series(longer)).all()


def test_a_label_the_coder_does_not_know_is_no_zero():
    assert share(labelled("qC"), THERAPIST_BEHAVIOUR, "affirmation").code == "no_reading"


@given(label_strings)
def test_shares_follow_the_letters_and_the_series_follow_the_shares(letters: str):
    t = labelled(letters)
    read = sum(letters.count(x) for x in "qrio")
    for letter, measure in SHARES.items():
        found = measure(t)
        if not read:
            assert found.value is None
            continue
        assert found[:2] == (letters.count(letter) / read, read)
        series = measure.series(t)
        assert np.nanmean(series) == pytest.approx(found.value)
        assert (~np.isnan(series)).sum() == read


@given(label_strings)
def test_what_the_patient_says_does_not_matter(letters: str):
    mirrored = letters.translate(str.maketrans("CNS", "SCN"))
    for measure in SHARES.values():
        assert measure(labelled(letters)) == measure(labelled(mirrored))


@given(label_strings)
def test_counts_add_up(letters: str):
    for item, mine in ((THERAPIST_BEHAVIOUR, "qrio"), (CLIENT_TALK, "CNS")):
        counts = count_labels(labelled(letters), item)
        if isinstance(counts, LabelCounts):
            assert sum(counts.by_label.values()) == counts.n == sum(letters.count(x) for x in mine)
