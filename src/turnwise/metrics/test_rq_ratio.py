from hypothesis import given

from turnwise.metrics.rq_ratio import reflections_per_question, rq_ratio
from turnwise.metrics.test_sessions import label_strings, labelled


def test_golden_of_the_miti_summary():
    # SR 6, CR 4, Q 8
    assert reflections_per_question(6 + 4, 8) == 1.25
    assert rq_ratio(labelled("rC" * 10 + "qC" * 8 + "iC" * 3)) == (1.25, 18, None, "")


def test_no_question_is_not_infinity():
    found = rq_ratio(labelled("rCrC"))
    assert (found.value, found.code) == (None, "no_denominator")
    assert rq_ratio(labelled("qC")).value == 0.0
    assert rq_ratio(labelled("tC")).code == "no_answer"


@given(label_strings)
def test_ratio_of_the_letters(letters: str):
    found, r, q = rq_ratio(labelled(letters)), letters.count("r"), letters.count("q")
    assert found.value == (r / q if q else None)
    if q:
        assert found.n == r + q
    # asking once more can only lower it
    if found.value:
        assert rq_ratio(labelled(letters + "q")).value < found.value
