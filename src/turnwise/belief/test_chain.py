"""The chain against brute force, against its own single steps, and against another library (hmmlearn)."""

from collections.abc import Callable
from itertools import pairwise, product

import numpy as np
import numpy.typing as npt
import pytest
from hmmlearn.hmm import CategoricalHMM
from hypothesis import given, settings
from hypothesis import strategies as st

from turnwise.belief.chain import Chain, expected_counts, filtered, smoothed
from turnwise.belief.filter import predict, prior, update
from turnwise.core.errors import ImpossibleObservation
from turnwise.core.nouns import FloatArray

seeds = st.integers(0, 10_000).map(np.random.default_rng)


def random_chain(rng: np.random.Generator, k: int = 3, acts: int = 2) -> Chain:
    return Chain(rng.dirichlet(np.ones(k)), rng.dirichlet(np.ones(k), size=(acts, k)))


def paths(chain: Chain, log_l: FloatArray, acts: npt.NDArray[np.int64]) -> dict[tuple[int, ...], float]:
    """Probability of every path of states together with the observations, by enumeration."""
    found = {}
    for path in product(range(log_l.shape[1]), repeat=len(log_l)):
        p = chain.initial[path[0]]
        for t in range(1, len(path)):
            p *= chain.transitions[acts[t], path[t - 1], path[t]]
        found[path] = float(p * np.exp(sum(log_l[t, s] for t, s in enumerate(path))))
    return found


@settings(max_examples=30)
@given(seeds)
def test_smoothing_and_evidence_are_those_of_enumerated_paths(rng: np.random.Generator) -> None:
    chain, acts = random_chain(rng), rng.integers(0, 2, 5)
    log_l = np.log(rng.dirichlet(np.ones(4), size=(3, 5))[:, :, 0].T)
    weight = paths(chain, log_l, acts)
    total = sum(weight.values())
    counts = smoothed(chain, log_l, acts)
    assert counts.log_evidence == pytest.approx(np.log(total), abs=1e-9)
    for t, s in product(range(5), range(3)):
        assert counts.state[t, s] == pytest.approx(sum(w for p, w in weight.items() if p[t] == s) / total, abs=1e-9)
    moves = np.zeros((2, 3, 3))
    for path, w in weight.items():
        for t in range(1, 5):
            moves[acts[t], path[t - 1], path[t]] += w / total
    assert counts.moves == pytest.approx(moves, abs=1e-9)


@given(seeds)
def test_filtering_is_predict_and_update_in_turn(rng: np.random.Generator) -> None:
    chain, acts = random_chain(rng), rng.integers(0, 2, 8)
    log_l = rng.normal(size=(8, 3))
    log_l[3] = np.nan  # missing: carried
    seen = filtered(chain, log_l, acts, temper=0.6)
    belief = prior(("a", "b", "c"), chain.initial)
    for t in range(8):
        belief = belief if t == 0 else predict(belief, chain.transitions[acts[t]])
        assert np.exp(seen.log_before[t]) == pytest.approx(belief.p, abs=1e-12)
        belief, _ = update(belief, log_l[t], temper=0.6)
        assert np.exp(seen.log_after[t]) == pytest.approx(belief.p, abs=1e-12)


def other_library(chain: Chain, emission: FloatArray) -> CategoricalHMM:
    model = CategoricalHMM(n_components=len(chain.initial), n_features=emission.shape[1], init_params="")
    model.startprob_, model.transmat_, model.emissionprob_ = chain.initial, chain.transitions[0], emission
    return model


@settings(max_examples=30)
@given(seeds)
def test_filter_smoother_and_evidence_agree_with_hmmlearn(rng: np.random.Generator) -> None:
    chain, emission = random_chain(rng, acts=1), rng.dirichlet(np.ones(4), size=3)
    seen = rng.integers(0, 4, 9)
    log_l, acts, other = np.log(emission[:, seen].T), np.zeros(9, dtype=np.int64), other_library(chain, emission)
    evidence, posterior = other.score_samples(seen[:, None])
    counts, ours = smoothed(chain, log_l, acts), filtered(chain, log_l, acts)
    assert counts.log_evidence == pytest.approx(evidence, abs=1e-8)
    assert float(ours.log_evidence.sum()) == pytest.approx(evidence, abs=1e-8)
    assert counts.state == pytest.approx(posterior, abs=1e-8)
    for t in range(9):  # the smoothed end of a prefix is what was known then
        assert np.exp(ours.log_after[t]) == pytest.approx(other.predict_proba(seen[: t + 1, None])[-1], abs=1e-8)


def test_a_step_of_baum_welch_is_the_one_hmmlearn_makes() -> None:
    rng = np.random.default_rng(5)
    chain, emission = random_chain(rng, acts=1), rng.dirichlet(np.ones(4), size=3)
    seqs = [rng.integers(0, 4, n) for n in (12, 7, 9)]
    other = other_library(chain, emission)
    other.n_iter, other.params, other.tol = 1, "ste", -np.inf
    other.fit(np.concatenate(seqs)[:, None], [len(s) for s in seqs])
    pairs = [(np.log(emission[:, s].T), np.zeros(len(s), dtype=np.int64)) for s in seqs]
    starts, moves, states, _ = expected_counts(chain, pairs)
    told = np.stack([np.bincount(np.concatenate(seqs), np.concatenate(states)[:, k], 4) for k in range(3)])
    assert starts / starts.sum() == pytest.approx(other.startprob_, abs=1e-8)
    assert moves[0] / moves[0].sum(1, keepdims=True) == pytest.approx(other.transmat_, abs=1e-8)
    assert told / told.sum(1, keepdims=True) == pytest.approx(other.emissionprob_, abs=1e-8)


def test_steps_of_baum_welch_never_lower_the_evidence() -> None:
    rng = np.random.default_rng(6)
    chain, emission = random_chain(rng), rng.dirichlet(np.ones(4), size=3)
    pairs = [(np.log(emission[:, rng.integers(0, 4, 10)].T), rng.integers(0, 2, 10)) for _ in range(5)]
    evidence = []
    for _ in range(6):
        starts, moves, _, total = expected_counts(chain, pairs)
        chain = Chain(starts / starts.sum(), moves / moves.sum(-1, keepdims=True))
        evidence.append(total)
    assert all(b >= a - 1e-9 for a, b in pairwise(evidence))
    assert evidence[-1] > evidence[0] + 0.1


def test_acts_decide_where_the_state_goes() -> None:
    chain = Chain(np.array([0.5, 0.5]), np.array([[[1.0, 0.0], [1.0, 0.0]], [[0.0, 1.0], [0.0, 1.0]]]))
    nothing = np.zeros((2, 2))
    assert np.exp(filtered(chain, nothing, [0, 0]).log_after[1]).tolist() == [1.0, 0.0]
    assert np.exp(filtered(chain, nothing, [0, 1]).log_after[1]).tolist() == [0.0, 1.0]


def test_what_no_state_allows_is_raised() -> None:
    with pytest.raises(ImpossibleObservation, match="observation 1"):
        filtered(random_chain(np.random.default_rng(1)), [[0.0] * 3, [-np.inf] * 3], [0, 0])


def ok() -> Chain:
    return random_chain(np.random.default_rng(1))


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: Chain(np.array([0.5, 0.6]), np.full((1, 2, 2), 0.5)),
        lambda: Chain(np.array([0.5, 0.5]), np.full((1, 2, 2), 0.4)),
        lambda: Chain(np.array([0.5, 0.5]), np.full((2, 2), 0.5)),
        lambda: filtered(ok(), np.zeros((2, 2)), [0, 0]),
        lambda: filtered(ok(), np.zeros((2, 3)), [0]),
        lambda: filtered(ok(), np.zeros((2, 3)), [0, 2]),
        lambda: filtered(ok(), np.full((2, 3), np.inf), [0, 0]),
        lambda: filtered(ok(), np.zeros((2, 3)), [0, 0], temper=0.0),
    ],
)
def test_what_does_not_fit_is_refused(wrong: Callable[[], object]) -> None:
    with pytest.raises(ValueError):
        wrong()
