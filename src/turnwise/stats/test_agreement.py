from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from turnwise.stats.agreement import Scale, cohen_kappa, krippendorff_alpha

NAN = float("nan")
# Krippendorff (2011), Computing Krippendorff's Alpha-Reliability: 4 observers, 12 units, missing data.
OBSERVERS = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, NAN, NAN, NAN],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NAN, 3],
    [NAN, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NAN],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NAN],
]


def alpha(x: object, scale: Scale) -> float:
    return krippendorff_alpha(x, scale=scale, rng=1, draws=2).value


def brute_alpha(x: np.ndarray, scale: Scale) -> float:
    """Definition by pairs, without a coincidence matrix."""
    units = [u[~np.isnan(u)] for u in x]
    units = [u for u in units if len(u) > 1]
    pooled = np.concatenate(units)

    def apart(a: float, b: float) -> float:
        if scale == "interval":
            return (a - b) ** 2
        if scale == "nominal" or a == b:
            return float(a != b)
        low, high = min(a, b), max(a, b)
        between = ((pooled >= low) & (pooled <= high)).sum()
        return (between - ((pooled == low).sum() + (pooled == high).sum()) / 2) ** 2

    observed = sum(sum(apart(a, b) for a, b in permutations(u, 2)) / (len(u) - 1) for u in units) / len(pooled)
    expected = sum(apart(a, b) for a, b in permutations(pooled, 2)) / (len(pooled) * (len(pooled) - 1))
    return 1 - observed / expected


@pytest.mark.parametrize(("scale", "published"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)])
def test_alpha_of_krippendorffs_example(scale: Scale, published: float):
    found = krippendorff_alpha(np.array(OBSERVERS).T, scale=scale, rng=1)
    assert found.value == pytest.approx(published, abs=5e-4)
    assert found.low < found.value < found.high
    assert (found.n, found.detail.partition(";")[0]) == (11, "11 of 12 units have two ratings")


def test_alpha_of_krippendorffs_two_observers_without_missing_data():
    first, second = "aabbdcccedda", "babbbccceddd"
    codes = np.array([[ord(c) for c in first], [ord(c) for c in second]]).T
    assert alpha(codes, "nominal") == pytest.approx(0.692, abs=5e-4)


ratings = arrays(np.float64, (7, 3), elements=st.sampled_from([1.0, 2.0, 3.0, 5.0, NAN]))


@settings(max_examples=60, deadline=None)
@given(ratings, st.sampled_from(["nominal", "ordinal", "interval"]), st.randoms(use_true_random=False))
def test_alpha_is_its_definition_and_order_does_not_matter(x: np.ndarray, scale: Scale, shuffle):
    value = alpha(x, scale)
    if value is None:
        return
    assert value == pytest.approx(brute_alpha(x, scale), abs=1e-9)
    assert value <= 1.0
    units, raters = list(range(7)), list(range(3))
    shuffle.shuffle(units)
    shuffle.shuffle(raters)
    assert alpha(x[units][:, raters], scale) == pytest.approx(value, abs=1e-9)
    if scale != "nominal":
        assert alpha(3 * x - 7, scale) == pytest.approx(value, abs=1e-9)
    if scale == "ordinal":
        assert alpha(np.exp(x), scale) == pytest.approx(value, abs=1e-9)


def test_alpha_recovers_how_often_coders_look():
    """Each coder reads the truth with chance .8 and guesses else: nominal alpha is .8 squared."""
    rng = np.random.default_rng(5)
    truth = rng.integers(3, size=(4000, 1))
    coded = np.where(rng.random((4000, 3)) < 0.8, truth, rng.integers(3, size=(4000, 3))).astype(float)
    coded[rng.random(coded.shape) < 0.2] = np.nan
    assert alpha(coded, "nominal") == pytest.approx(0.64, abs=0.03)


def test_alpha_undefined_and_misuse():
    assert krippendorff_alpha([[NAN, NAN]], scale="nominal", rng=1).code == "empty"
    assert krippendorff_alpha([[1, NAN], [NAN, 2]], scale="nominal", rng=1).code == "too_short"
    assert krippendorff_alpha([[1, 1], [1, 1]], scale="ordinal", rng=1).code == "no_denominator"
    assert krippendorff_alpha([[1, 1], [2, 1]], scale="interval", rng=1, clusters=["a", "a"]).low is None
    for wrong in (
        lambda: krippendorff_alpha([1, 2], scale="nominal", rng=1),
        lambda: krippendorff_alpha([[1, np.inf]], scale="nominal", rng=1),
        lambda: krippendorff_alpha([[1, 2]], scale="ratio", rng=1),
        lambda: krippendorff_alpha([[1, 2]], scale="nominal", rng=1, clusters=["a", "b"]),
    ):
        with pytest.raises(ValueError):
            wrong()


def table(both: int, first: int, second: int, neither: int) -> tuple[list[int], list[int]]:
    return [1] * (both + first) + [0] * (second + neither), [1] * both + [0] * first + [1] * second + [0] * neither


@pytest.mark.parametrize(
    ("cells", "agreement", "kappa"),
    [
        ((40, 9, 6, 45), 0.85, 0.6995),  # Feinstein & Cicchetti (1990), J. Clin. Epidemiol. 43, 543-549:
        ((80, 10, 5, 5), 0.85, 0.3182),  # .70 and .32 at the same agreement
        ((45, 15, 25, 15), 0.60, 0.1304),
        ((25, 35, 5, 35), 0.60, 0.2593),
        ((20, 5, 10, 15), 0.70, 0.4000),
    ],
)
def test_known_kappas_with_prevalence_and_bias(cells: tuple[int, int, int, int], agreement: float, kappa: float):
    found = cohen_kappa(*table(*cells), 2, rng=1, draws=50)
    assert found.agreement.value == pytest.approx(agreement)
    assert found.kappa.value == pytest.approx(kappa, abs=5e-5)
    assert found.pabak.value == pytest.approx(2 * agreement - 1)
    assert found.prevalence.value == pytest.approx((cells[0] - cells[3]) / sum(cells))
    assert found.bias.value == pytest.approx((cells[1] - cells[2]) / sum(cells))


@settings(max_examples=40, deadline=None)
@given(st.tuples(*[st.integers(0, 9)] * 4).filter(lambda c: sum(c) > 1 and max(c[0], c[3]) < sum(c)))
def test_kappa_is_pabak_bent_by_prevalence_and_bias(cells: tuple[int, int, int, int]):
    """Byrt, Bishop & Carlin (1993), equation for two labels; and swapping coders turns the bias only."""
    a, b = table(*cells)
    found, swapped = cohen_kappa(a, b, 2, rng=1, draws=2), cohen_kappa(b, a, 2, rng=1, draws=2)
    p2, b2 = found.prevalence.value**2, found.bias.value**2
    assert found.kappa.value == pytest.approx((found.pabak.value - p2 + b2) / (1 - p2 + b2))
    assert swapped.kappa.value == pytest.approx(found.kappa.value)
    assert swapped.bias.value == pytest.approx(-found.bias.value)
    flipped = cohen_kappa(1 - np.array(a), 1 - np.array(b), 2, rng=1, draws=2)
    assert flipped.kappa.value == pytest.approx(found.kappa.value)
    assert flipped.prevalence.value == pytest.approx(-found.prevalence.value)


def test_kappa_of_three_labels_agrees_with_scikit_learn():
    sklearn = pytest.importorskip("sklearn.metrics")
    rng = np.random.default_rng(2)
    a = rng.integers(3, size=80)
    b = np.where(rng.random(80) < 0.6, a, rng.integers(3, size=80))
    found = cohen_kappa(a, b, 3, rng=1, clusters=np.repeat(np.arange(16), 5))
    assert found.kappa.value == pytest.approx(sklearn.cohen_kappa_score(a, b))
    assert found.kappa.low < found.kappa.value < found.kappa.high
    assert found.pabak.value == pytest.approx((3 * np.mean(a == b) - 1) / 2)
    assert found.prevalence.code == found.bias.code == "not_applicable"


def test_kappa_undefined_and_misuse():
    same = cohen_kappa([1, 1, NAN], [1, 1, 0], 2, rng=1)
    assert (same.kappa.code, same.agreement.value, same.agreement.n) == ("no_denominator", 1.0, 2)
    assert same.agreement.low < 1.0  # two pairs prove nothing
    assert "2 of 3" in same.agreement.detail
    assert cohen_kappa([NAN], [1], 2, rng=1).kappa.code == "empty"
    part = cohen_kappa([1, 0, NAN], [1, 1, 0], 2, rng=1).kappa
    assert "2 of 3 pairs are complete" in part.detail
    for wrong in (
        lambda: cohen_kappa([1], [1, 0], 2, rng=1),
        lambda: cohen_kappa([2], [1], 2, rng=1),
        lambda: cohen_kappa([0.5], [1], 2, rng=1),
        lambda: cohen_kappa([0], [0], 1, rng=1),
    ):
        with pytest.raises(ValueError):
            wrong()
