import math
from collections.abc import Callable
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.belief.filter import entropy, expected_information_gain, predict, prior, uniform, update
from turnwise.core.errors import ImpossibleObservation, UndefinedError
from turnwise.core.nouns import Belief, FloatArray

NAMES = ("a", "b", "c", "none of these")
FIRST, SECOND = np.log([0.8, 0.2, 0.1, 0.25]), np.log([0.6, 0.5, 0.1, 0.25])


def laip() -> Belief:
    return prior(NAMES, [0.5, 0.3, 0.1, 0.1])


def test_golden_posteriors_of_the_hybrid_tracker():
    one, _ = update(laip(), FIRST)
    assert one.p == pytest.approx([0.80808081, 0.12121212, 0.02020202, 0.05050505], abs=1e-8)
    two, _ = update(one, SECOND)
    assert two.p == pytest.approx([0.86564472, 0.10820559, 0.00360685, 0.02254283], abs=1e-8)
    assert entropy(two) / math.log(2) == pytest.approx(0.67993252, abs=1e-8)


def test_golden_tempered_posterior():
    belief = laip()
    for likelihood in (FIRST, SECOND):
        belief, _ = update(belief, likelihood, temper=0.5)
    assert belief.p == pytest.approx([0.72732691, 0.19918668, 0.02099612, 0.0524903], abs=1e-8)


def test_log_evidence_is_the_probability_of_the_observation():
    _, info = update(laip(), FIRST)
    assert info.log_evidence == pytest.approx(math.log(0.495), abs=1e-12)


def test_gain_is_positive_where_evidence_unsettles():
    _, info = update(prior(("a", "b"), [0.9, 0.1]), np.log([0.1, 0.9]))
    assert info.entropy_after > info.entropy_before
    assert info.gain > 0


@pytest.mark.parametrize("missing", [None, np.full(4, np.nan), np.array([-1.0, np.nan, -1.0, -1.0])])
def test_missing_likelihood_carries_the_belief_and_says_so(missing: FloatArray | None):
    belief = laip()
    after, info = update(belief, missing)
    assert after.log_p is belief.log_p
    assert info.carried
    assert info.log_evidence is None
    assert (info.gain, info.entropy_after) == (0.0, info.entropy_before)


def test_impossible_observation_is_raised_not_renormalised():
    with pytest.raises(ImpossibleObservation):
        update(laip(), np.full(4, -np.inf))
    with pytest.raises(ImpossibleObservation):  # possible only under what is already ruled out
        update(prior(("a", "b"), [1.0, 0.0]), np.array([-np.inf, 0.0]))


def test_a_hypothesis_ruled_out_stays_out():
    after, _ = update(prior(("a", "b", "c"), [0.5, 0.5, 0.0]), np.array([-np.inf, -1.0, 0.0]))
    assert after.p.tolist() == [0.0, 1.0, 0.0]


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: prior(("a", "a"), [0.5, 0.5]),
        lambda: prior(("a", "b"), [0.5, 0.6]),
        lambda: prior(("a", "b"), [1.5, -0.5]),
        lambda: prior(("a", "b"), [0.2, 0.3, 0.5]),
        lambda: prior(("a", "b"), [np.nan, 1.0]),
        lambda: predict(laip(), np.eye(3)),
        lambda: predict(laip(), np.full((4, 4), 0.3)),
        lambda: update(laip(), [0.0, 0.0]),
        lambda: update(laip(), [0.0, 0.0, np.inf, 0.0]),
        lambda: update(laip(), FIRST, temper=0.0),
        lambda: update(laip(), FIRST, temper=1.5),
        lambda: expected_information_gain(laip(), np.log(np.full((2, 4), 0.4))),
        lambda: expected_information_gain(laip(), np.log(np.full((2, 3), 0.5))),
    ],
)
def test_what_is_not_a_distribution_is_refused(wrong: Callable[[], object]):
    with pytest.raises(ValueError):
        wrong()


@pytest.mark.parametrize("names", [(), ("only",)])
def test_fewer_than_two_hypotheses_is_not_applicable(names: tuple[str, ...]):
    with pytest.raises(UndefinedError) as caught:
        uniform(names)
    assert caught.value.code == "not_applicable"


def test_predict_with_the_identity_changes_nothing_and_mixing_forgets():
    assert predict(laip(), np.eye(4)).p == pytest.approx(laip().p, abs=1e-15)
    assert predict(laip(), np.full((4, 4), 0.25)).p == pytest.approx([0.25] * 4, abs=1e-15)


def distributions(k: int) -> st.SearchStrategy[FloatArray]:
    weights = st.lists(st.floats(1e-6, 1.0), min_size=k, max_size=k)
    return weights.map(lambda w: np.asarray(w) / np.sum(w))


@st.composite
def beliefs(draw: st.DrawFn) -> Belief:
    k = draw(st.integers(2, 7))
    p = draw(distributions(k)) * (draw(st.integers(1, k)) > np.arange(k))  # some ruled out, never the first
    return prior([f"h{i}" for i in range(k)], p / p.sum())


def likelihoods(k: int) -> st.SearchStrategy[FloatArray]:
    return st.lists(st.floats(-200.0, 0.0), min_size=k, max_size=k).map(np.asarray)


@given(st.data())
def test_a_belief_stays_normalised(data: st.DataObject):
    belief = data.draw(beliefs())
    k = len(belief.hypotheses)
    after, info = update(belief, data.draw(likelihoods(k)), temper=data.draw(st.floats(0.01, 1.0)))
    moved = predict(after, np.stack([data.draw(distributions(k)) for _ in range(k)]))
    for b in (after, moved):
        assert b.p.sum() == pytest.approx(1.0, abs=1e-9)
        assert 0.0 <= entropy(b) <= math.log(k) + 1e-9
    assert info.gain >= 0.0


@given(st.data())
def test_order_of_independent_evidence_does_not_matter(data: st.DataObject):
    belief = data.draw(beliefs())
    evidence = [data.draw(likelihoods(len(belief.hypotheses))) for _ in range(3)]
    ends = []
    for order in permutations(evidence):
        after = belief
        for likelihood in order:
            after, _ = update(after, likelihood)
        ends.append(after.p)
    assert all(end == pytest.approx(ends[0], abs=1e-9) for end in ends)


@given(st.data(), st.floats(-100.0, 0.0))
def test_equal_likelihoods_change_nothing(data: st.DataObject, level: float):
    belief = data.draw(beliefs())
    after, info = update(belief, np.full(len(belief.hypotheses), level))
    assert after.p == pytest.approx(belief.p, abs=1e-12)
    assert info.gain == pytest.approx(0.0, abs=1e-9)
    assert info.log_evidence == pytest.approx(level, abs=1e-9)


@given(st.data())
def test_expected_gain_lies_between_zero_and_entropy_and_is_the_mean_gain(data: st.DataObject):
    belief = data.draw(beliefs())
    k, answers = len(belief.hypotheses), data.draw(st.integers(1, 4))
    table = np.log(np.stack([data.draw(distributions(answers)) for _ in range(k)], axis=1))
    gain = expected_information_gain(belief, table)
    assert 0.0 <= gain <= entropy(belief)
    infos = [update(belief, row)[1] for row in table]
    mean = sum(math.exp(i.log_evidence) * i.gain for i in infos if i.log_evidence is not None)
    assert gain == pytest.approx(mean, abs=1e-9)
