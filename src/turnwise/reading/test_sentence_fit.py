"""The fitting of sentence coders on made-up data."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from sentence_fit import Nested, Problem, best_threshold, spread


def _made(n: int = 120, n_labels: int = 3, seed: int = 0):  # type: ignore[no-untyped-def]
    rng = np.random.default_rng(seed)
    x, tied = rng.normal(size=(n, 8)), rng.normal(size=(n, n_labels, 2))
    held = (x[:, :n_labels] + tied[:, :, 0] + rng.normal(size=(n, n_labels)) > 0.8).astype(float)
    return x, tied, held


@pytest.mark.parametrize("several", [True, False])
def test_the_gradient_is_that_of_the_objective_and_vanishes_at_the_minimum(several: bool) -> None:
    x, tied, held = _made()
    target = held if several else np.eye(3)[held.argmax(axis=1)]
    problem = Problem(x, tied, target, np.ones_like(target), several, 0.7)
    flat = np.random.default_rng(1).normal(size=9 * 3 + 2)
    value, gradient = problem.value_and_gradient(flat)
    for i in range(0, len(flat), 5):
        step = np.zeros_like(flat)
        step[i] = 1e-5
        change = problem.value_and_gradient(flat + step)[0] - problem.value_and_gradient(flat - step)[0]
        assert change / 2e-5 == pytest.approx(gradient[i], rel=1e-4, abs=1e-5)
    w, bias, u = problem.solve()
    assert np.abs(problem.value_and_gradient(np.concatenate([w.ravel(), bias, u]))[1]).max() < 1e-9
    assert problem.value_and_gradient(np.concatenate([w.ravel(), bias, u]))[0] < value


def test_the_span_of_the_rows_loses_nothing() -> None:
    x, tied, held = _made(40)
    wide = sparse.csr_matrix(np.c_[x, np.random.default_rng(2).normal(size=(40, 90))])
    fold = np.arange(40) % 5
    nested = Nested(wide, tied, held, held, fold, True, 0.0, (0.5,))
    found = nested.solve(np.ones(40, dtype=bool), 0.5, polish=4)
    w, bias, u = Problem(wide, tied, held, np.ones_like(held), True, 0.5).solve()
    np.testing.assert_allclose(found.w, w, atol=1e-7)
    np.testing.assert_allclose(found.bias, bias, atol=1e-7)
    np.testing.assert_allclose(found.tied, u, atol=1e-7)


def test_a_fold_never_learns_from_its_own_labels() -> None:
    x, tied, held = _made()
    fold = np.arange(len(x)) % 5
    other = held.copy()
    other[fold == 2] = 1 - other[fold == 2]
    fits = []
    for gold in (held, other):
        nested = Nested(sparse.csr_matrix(x), tied, gold, gold, fold, True, 0.5, (0.3, 1.0))
        fits.append([nested.calibrated(fold != k) for k in (2, 3)])
    (same, changed), (again, moved) = fits
    assert same[0].w.tobytes() == again[0].w.tobytes()
    assert same[1] == again[1]
    assert not np.allclose(changed[0].w, moved[0].w)


def test_groups_stay_whole_and_labels_are_spread() -> None:
    rng = np.random.default_rng(4)
    group = [f"g{i // 3}" for i in range(90)]
    held = np.c_[np.ones(90), rng.random(90) < 0.15]
    fold = spread(group, held)
    assert all(len({int(f) for f, g in zip(fold, group, strict=True) if g == name}) == 1 for name in set(group))
    rare = [int(held[fold == k, 1].sum()) for k in range(5)]
    assert max(rare) - min(rare) <= 2
    order = rng.permutation(30)
    moved = [3 * int(i) + j for i in order for j in range(3)]
    assert spread([group[i] for i in moved], held[moved]).tolist() == fold[moved].tolist()


def test_the_threshold_is_the_best_and_the_lowest_of_equals() -> None:
    gold = np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]])
    assert best_threshold(np.array([[0.35, 0.1], [0.2, 0.3], [0.2, 0.2]]), gold) == pytest.approx(0.22)
