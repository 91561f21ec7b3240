from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from turnwise.stats.variance import RESIDUAL, Split, variance_split

NAN = float("nan")


def raw(found: Split) -> list[float]:
    return [c.raw for c in found.parts]


def test_birth_weights_by_sire():
    """Kuehl (1994), exercise 5.1: five bulls, eight calves each; mean squares 1397.79 and 463.79."""
    weights = [61, 100, 56, 113, 99, 103, 75, 62, 75, 102, 95, 103, 98, 115, 98, 94, 58, 60, 60, 57, 57, 59, 54, 100]
    weights += [57, 56, 67, 59, 58, 121, 101, 101, 59, 46, 120, 115, 115, 93, 105, 75]
    found = variance_split(weights, {"sire": np.repeat(range(5), 8)})
    assert found["sire"].variance.value == pytest.approx(116.75, abs=0.01)
    assert found[RESIDUAL].variance.value == pytest.approx(463.79, abs=0.01)
    assert found["sire"].share.value == pytest.approx(116.75 / 580.54, abs=1e-4)


def test_penicillin_by_blend_and_treatment():
    """Box, Hunter & Hunter (1978): lme4 gives blend 11.8 and residual 18.8; treatment (23.33 - 18.83) / 5 by hand."""
    yields = [89, 84, 81, 87, 79, 88, 77, 87, 92, 81, 97, 92, 87, 89, 80, 94, 79, 85, 84, 88]
    found = variance_split(yields, {"treat": np.repeat(range(4), 5), "blend": np.tile(range(5), 4)})
    assert raw(found) == pytest.approx([(23.3333 - 18.8333) / 5, (66 - 18.8333) / 4, 18.8333], abs=1e-3)


def crossed(rng: np.random.Generator, n: int = 40) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    factors = {
        "therapist": rng.integers(4, size=n),
        "patient": rng.integers(6, size=n),
        "rater": rng.integers(3, size=n),
    }
    return rng.normal(size=n), factors


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000))
def test_moments_are_those_of_projections(seed: int):
    """Henderson's equations with dense matrices and traces, on unbalanced tables."""
    y, factors = crossed(np.random.default_rng(seed))
    n = len(y)
    dummies = [np.equal.outer(f, np.unique(f)).astype(float) for f in factors.values()]
    mean = np.full((n, n), 1 / n)
    forms = [z @ np.linalg.inv(z.T @ z) @ z.T - mean for z in dummies] + [np.eye(n) - mean]
    parts = [z @ z.T for z in dummies] + [np.eye(n)]
    system = np.array([[np.trace(q @ v) for v in parts] for q in forms])
    expected = np.linalg.solve(system, [y @ q @ y for q in forms])
    found = variance_split(y, factors)
    assert raw(found) == pytest.approx(expected.tolist(), abs=1e-8)
    assert [c.variance.value for c in found.parts] == pytest.approx(np.maximum(expected, 0).tolist(), abs=1e-8)
    assert sum(c.share.value for c in found.parts) == pytest.approx(1.0)
    assert all("set to 0" in c.variance.detail for c in found.parts if c.raw < 0)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.floats(0.1, 10), st.floats(-100, 100))
def test_order_names_and_unit_do_not_matter(seed: int, scale: float, shift: float):
    rng = np.random.default_rng(seed)
    y, factors = crossed(rng)
    at = rng.permutation(len(y))
    renamed = {k: np.array([f"{k} {10 - v}" for v in f[at]]) for k, f in factors.items()}
    moved = raw(variance_split(scale * y[at] + shift, renamed))
    assert moved == pytest.approx([scale**2 * v for v in raw(variance_split(y, factors))], abs=1e-6 * scale**2 + 1e-7)


def test_recovers_the_components_of_an_unbalanced_table_with_an_interaction():
    rng = np.random.default_rng(7)
    therapist, patient = (a.ravel() for a in np.meshgrid(range(8), range(15), indexing="ij"))
    times = rng.integers(1, 5, len(therapist))
    therapist, patient = np.repeat(therapist, times), np.repeat(patient, times)
    cell = therapist * 15 + patient
    estimates = []
    for _ in range(300):
        y = 1.0 * rng.normal(size=8)[therapist] + 2.0 * rng.normal(size=15)[patient] + rng.normal(size=120)[cell]
        y = y + 3.0 * rng.normal(size=len(cell))
        found = variance_split(y, {"therapist": therapist, "patient": patient}, interactions=[("therapist", "patient")])
        estimates.append(raw(found))
    error = np.std(estimates, axis=0) / 300**0.5
    assert (np.abs(np.mean(estimates, axis=0) - [1.0, 4.0, 1.0, 9.0]) < 3.5 * error).all()
    assert (error < 0.12).all()
    assert [c.name for c in found.parts] == ["therapist", "patient", "therapist:patient", RESIDUAL]
    assert [c.levels for c in found.parts] == [8, 15, 120, len(cell)]


def test_intervals_cover_about_as_claimed():
    rng = np.random.default_rng(8)
    therapist, patient = (a.ravel() for a in np.meshgrid(range(12), range(12), indexing="ij"))
    truth, kept, studies = np.array([1.0, 2.0, 1.0]), np.zeros(3), 150
    for _ in range(studies):
        y = rng.normal(size=12)[therapist] + 2**0.5 * rng.normal(size=12)[patient] + rng.normal(size=144)
        found = variance_split(y, {"therapist": therapist, "patient": patient}, rng=rng, draws=200)
        kept += [c.variance.low <= v <= c.variance.high for c, v in zip(found.parts, truth, strict=True)]
    assert (kept / studies >= 0.89).all()
    assert (kept / studies <= 0.99).all()


def test_the_seed_decides_and_a_part_of_zero_has_no_interval():
    therapist = np.repeat(range(3), 4)
    y = [1, 5, 2, 4, 2, 4, 1, 5, 5, 1, 4, 2.5]
    a, b = (variance_split(y, {"therapist": therapist}, rng=1, draws=50) for _ in range(2))
    assert a == b
    zero = a["therapist"]
    assert zero.raw < 0.0
    assert (zero.variance.value, zero.variance.low, zero.share.value) == (0.0, None, 0.0)
    assert "negative and set to 0" in zero.variance.detail
    rest = a[RESIDUAL].variance
    assert rest.low < rest.value < rest.high
    assert "Satterthwaite" in rest.method
    assert variance_split(y, {"therapist": therapist})[RESIDUAL].variance.low is None


def test_undefined_is_said():
    one = variance_split([1, 2, 3], {"therapist": ["a", "a", "a"], "patient": list("xyx")})
    assert one["patient"].variance.code == "undetermined"
    assert "one level only: therapist" in one.total.detail
    labels = list("aabbcc")
    twin = variance_split([1, 2, 3, 4, 5, 6], {"therapist": labels, "family": [c.upper() for c in labels]})
    assert twin["family"].share.code == "undetermined"
    assert "family and therapist" in twin.total.detail
    rows = variance_split([1, 2, 3, 4], {"seed": range(4), "therapist": list("aabb")})
    assert "residual and seed" in rows.total.detail
    assert variance_split([NAN], {"a": [1]}).total.code == "empty"
    flat = variance_split([2.0] * 6, {"therapist": labels}, rng=1)
    assert (flat["therapist"].variance.value, flat["therapist"].share.code) == (0.0, "no_denominator")
    some = variance_split([1, 2, 3, 4, 5, NAN, 6], {"therapist": list("aabbccc")})
    assert some["therapist"].variance.detail.startswith("6 of 7 rows have a value")
    assert raw(some) == raw(variance_split([1, 2, 3, 4, 5, 6], {"therapist": list("aabbcc")}))


def test_misuse_is_refused():
    for wrong in (
        lambda: variance_split([1, 2], {}),
        lambda: variance_split([1, 2], {RESIDUAL: [1, 2]}),
        lambda: variance_split([1, 2], {"a": [1]}),
        lambda: variance_split([1, np.inf], {"a": [1, 2]}),
        lambda: variance_split([1, 2], {"a": [1, 2]}, interactions=[("a", "b")]),
        lambda: variance_split([1, 2], {"a": [1, 2]}, draws=1),
    ):
        with pytest.raises(ValueError):
            wrong()
