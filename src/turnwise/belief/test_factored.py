from collections.abc import Callable
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.belief.factored import (
    Factored,
    expected_gain_about,
    factored_entropy,
    joint,
    predict_factors,
    predict_given,
    project,
    update_about,
)
from turnwise.belief.filter import expected_information_gain, predict, prior, uniform, update
from turnwise.core.errors import ImpossibleObservation, UndefinedError
from turnwise.core.nouns import Belief, FloatArray

SIZES = {"stance": 3, "edge": 2, "risk": 2}


def random_belief(rng: np.random.Generator) -> Factored:
    def one(k: int) -> Belief:
        return prior([f"h{i}" for i in range(k)], rng.dirichlet(np.ones(k)))

    return Factored({name: one(k) for name, k in SIZES.items()})


def by_hand(belief: Factored) -> dict[tuple[int, ...], float]:
    """The joint as a dictionary over index tuples: no array tricks, so that it can disagree."""
    ps = [b.p for b in belief.factors.values()]
    return {i: float(np.prod([p[j] for p, j in zip(ps, i, strict=True)])) for i in product(*(map(range, map(len, ps))))}


seeds = st.integers(0, 10_000).map(np.random.default_rng)


@given(seeds)
def test_a_joint_observation_is_weighed_as_enumeration_weighs_it(rng: np.random.Generator) -> None:
    belief = random_belief(rng)
    likelihood = rng.dirichlet(np.ones(4), size=(2, 3))[:, :, 0]  # over (edge, stance), in that order
    after, info = update_about(belief, ("edge", "stance"), np.log(likelihood))
    weighed = {i: p * likelihood[i[1], i[0]] for i, p in by_hand(belief).items()}
    total = sum(weighed.values())
    assert info.about.log_evidence == pytest.approx(np.log(total), abs=1e-9)
    for axis, name in enumerate(SIZES):
        for value in range(SIZES[name]):
            share = sum(w for i, w in weighed.items() if i[axis] == value) / total
            assert after[name].p[value] == pytest.approx(share, abs=1e-9)
    assert after["risk"] is belief["risk"]
    assert info.lost >= 0.0


@given(seeds)
def test_evidence_about_one_variable_loses_nothing(rng: np.random.Generator) -> None:
    belief = random_belief(rng)
    likelihood = np.log(rng.dirichlet(np.ones(4), size=3)[:, 0])
    after, info = update_about(belief, ("stance",), likelihood)
    alone, single = update(belief["stance"], likelihood)
    assert info.lost == 0.0
    assert after["stance"].p == pytest.approx(alone.p, abs=1e-12)
    assert info.about.gain == pytest.approx(single.gain, abs=1e-12)


@given(seeds)
def test_what_is_lost_is_the_divergence_from_the_product(rng: np.random.Generator) -> None:
    belief = random_belief(rng)
    p = rng.dirichlet(np.ones(6))
    projected, lost = project(belief, ("stance", "edge"), np.log(p))
    q = np.outer(projected["stance"].p, projected["edge"].p).reshape(-1)
    assert lost == pytest.approx(float(np.sum(p * np.log(p / q))), abs=1e-9)


@given(seeds)
def test_independent_moves_agree_with_the_exact_joint(rng: np.random.Generator) -> None:
    belief = random_belief(rng)
    a, b, c = (rng.dirichlet(np.ones(k), size=k) for k in SIZES.values())
    moved = predict_factors(belief, {"stance": a, "edge": b, "risk": c})
    assert joint(moved).p == pytest.approx(predict(joint(belief), np.kron(np.kron(a, b), c)).p, abs=1e-12)


@given(seeds)
def test_a_move_that_depends_on_others_has_the_exact_marginal(rng: np.random.Generator) -> None:
    belief = random_belief(rng)
    t = rng.dirichlet(np.ones(2), size=(3, 2))  # edge moves by stance
    moved, lost = predict_given(belief, "edge", ("stance",), t)
    assert moved["edge"].p == pytest.approx(np.einsum("g,i,gij->j", belief["stance"].p, belief["edge"].p, t), abs=1e-12)
    assert moved["stance"].p == pytest.approx(belief["stance"].p, abs=1e-12)
    assert lost >= 0.0


@given(seeds)
def test_expected_gain_about_everything_is_that_of_the_joint(rng: np.random.Generator) -> None:
    belief = random_belief(rng)
    log_l = np.moveaxis(np.log(rng.dirichlet(np.ones(3), size=(3, 2))), -1, 0)
    gains = {v: expected_gain_about(belief, ("stance", "edge"), log_l, (v,)) for v in ("stance", "edge")}
    both = expected_gain_about(belief, ("stance", "edge"), log_l, ("edge", "stance"))
    assert both == pytest.approx(
        expected_information_gain(joint(belief, ("stance", "edge")), log_l.reshape(3, -1)), abs=1e-9
    )
    # Independent before: I(x, y; o) >= I(x; o) + I(y; o).
    assert 0.0 <= sum(gains.values()) <= both + 1e-9


@given(seeds)
def test_expected_gain_about_one_variable_is_that_of_its_own_table(rng: np.random.Generator) -> None:
    belief = random_belief(rng)
    table = rng.dirichlet(np.ones(3), size=(3, 2))
    alone = np.einsum("ijo,j->oi", table, belief["edge"].p)
    assert expected_gain_about(
        belief, ("stance", "edge"), np.log(np.moveaxis(table, -1, 0)), ("stance",)
    ) == pytest.approx(expected_information_gain(belief["stance"], np.log(alone)), abs=1e-9)


def errors(coupling: float, rng: np.random.Generator) -> list[float]:
    """Total variation of the marginals from the exact ones over 12 steps of one random model."""
    start = Factored({v: uniform(("a", "b", "c")) for v in "xyz"})
    moves = {v: 0.6 * np.eye(3) + 0.4 * rng.dirichlet(np.ones(3), size=3) for v in "xyz"}
    whole = np.kron(np.kron(moves["x"], moves["y"]), moves["z"])
    belief, exact, found = start, joint(start), []
    for _ in range(12):
        log_l = rng.normal(size=(3, 1, 1)) + rng.normal(size=(3, 1)) + coupling * rng.normal(size=(3, 3, 3))
        belief, _ = update_about(predict_factors(belief, moves), ("x", "y", "z"), log_l)
        exact, _ = update(predict(exact, whole), log_l.reshape(-1))
        truth, _ = project(start, ("x", "y", "z"), exact.log_p)
        found += [0.5 * float(np.abs(belief[v].p - truth[v].p).sum()) for v in "xyz"]
    return found


def test_projection_is_exact_without_coupling_and_near_with_it() -> None:
    draws = [np.random.default_rng(seed) for seed in range(20)]
    assert max(max(errors(0.0, rng)) for rng in draws) < 1e-9
    assert 1e-4 < float(np.mean([errors(1.0, rng) for rng in draws])) < 0.05


def test_missing_evidence_is_carried() -> None:
    belief = random_belief(np.random.default_rng(1))
    for missing in (None, np.full((3, 2), np.nan)):
        after, info = update_about(belief, ("stance", "edge"), missing)
        assert after is belief
        assert info.about.carried
        assert info.lost == 0.0


def test_impossible_evidence_is_raised() -> None:
    with pytest.raises(ImpossibleObservation):
        update_about(random_belief(np.random.default_rng(1)), ("edge", "risk"), np.full((2, 2), -np.inf))


def test_a_combination_ruled_out_stays_out_of_both_marginals() -> None:
    two = Factored({"x": prior(("a", "b"), [1.0, 0.0]), "y": uniform(("a", "b"))})
    with np.errstate(divide="ignore"):
        after, info = update_about(two, ("x", "y"), np.log([[1.0, 0.0], [1.0, 1.0]]))
    assert after["x"].p.tolist() == [1.0, 0.0]
    assert after["y"].p.tolist() == [1.0, 0.0]
    assert factored_entropy(after) == 0.0
    assert info.lost == 0.0


def some() -> Factored:
    return random_belief(np.random.default_rng(1))


def flat(*shape: int) -> FloatArray:
    return np.full(shape, -1.0)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: some()["mood"],
        lambda: joint(some(), ("stance", "stance")),
        lambda: update_about(some(), (), 0.0),
        lambda: update_about(some(), ("stance", "edge"), flat(2, 3)),
        lambda: update_about(some(), ("stance",), flat(3), temper=0.0),
        lambda: project(some(), ("edge",), np.log([0.5, 0.6])),
        lambda: project(some(), ("edge",), np.log([0.5, 0.25, 0.25])),
        lambda: predict_given(some(), "edge", ("stance",), np.full((3, 2, 2), 0.4)),
        lambda: predict_given(some(), "edge", ("edge",), np.full((2, 2, 2), 0.5)),
        lambda: predict_given(some(), "edge", ("stance",), np.full((2, 3, 2), 0.5)),
        lambda: expected_gain_about(some(), ("edge",), np.log(np.full((2, 2), 0.5)), ("stance",)),
        lambda: expected_gain_about(some(), ("edge",), np.log(np.full((2, 2), 0.5)), ()),
        lambda: expected_gain_about(some(), ("edge",), np.log(np.full((2, 2), 0.4)), ("edge",)),
        lambda: joint(Factored({f"v{i}": uniform([f"h{j}" for j in range(50)]) for i in range(3)})),
    ],
)
def test_what_does_not_fit_is_refused(wrong: Callable[[], object]) -> None:
    with pytest.raises(ValueError):
        wrong()


def test_no_variable_is_not_applicable() -> None:
    with pytest.raises(UndefinedError) as caught:
        Factored({})
    assert caught.value.code == "not_applicable"
