from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.belief.chain import Chain, filtered
from turnwise.belief.filter import prior, update
from turnwise.belief.observation import (
    NONE_OF_THESE,
    Table,
    evidence_of,
    fit_temper,
    fit_temper_in_time,
    table_from_counts,
    table_from_document,
)
from turnwise.core.errors import UndefinedError
from turnwise.core.nouns import FloatArray

seeds = st.integers(0, 10_000).map(np.random.default_rng)
TALK = ("change", "neutral", "sustain")


def learnt(rng: np.random.Generator, **how: float) -> Table:
    counts = rng.integers(0, 20, (2, 3)) + np.array([[1, 0, 0], [0, 0, 1]])
    return table_from_counts(("open", "closed"), TALK, counts, **how)


@given(seeds, st.floats(0.01, 50.0), st.floats(0.0, 1.0))
def test_rows_are_distributions_and_nothing_is_impossible(
    rng: np.random.Generator, strength: float, breadth: float
) -> None:
    table = learnt(rng, strength=strength, breadth=breadth)
    assert table.hypotheses == ("open", "closed", NONE_OF_THESE)
    assert np.exp(table.log_p).sum(1) == pytest.approx(np.ones(3), abs=1e-12)
    assert np.isfinite(table.log_p).all()


def test_the_posterior_mean_is_the_textbook_one() -> None:
    table = table_from_counts(("a", "b"), ("x", "y"), [[3, 1], [0, 4]], strength=10.0, breadth=None)
    overall = np.array([4 / 10, 6 / 10])  # (3 + 1, 5 + 1) of 8 + 2
    assert np.exp(table.log_p) == pytest.approx(
        np.stack([(np.array([3, 1]) + 10 * overall) / 14, (np.array([0, 4]) + 10 * overall) / 14])
    )


def test_more_data_outweigh_the_prior_and_more_strength_shrinks() -> None:
    few, many = (table_from_counts(("a", "b"), ("x", "y"), n * np.array([[9, 1], [1, 9]])) for n in (1, 100))
    shrunk = table_from_counts(("a", "b"), ("x", "y"), [[9, 1], [1, 9]], strength=100.0)
    p = [float(np.exp(t.log_p[0, 0])) for t in (shrunk, few, many)]
    assert p[0] < p[1] < p[2] < 0.9 + 1e-9


def test_none_of_these_wins_where_no_hypothesis_foretells_what_comes() -> None:
    table = table_from_counts(("a", "b"), ("x", "y", "z"), [[98, 1, 1], [1, 98, 1]], strength=1.0)
    belief = prior(table.hypotheses, [0.45, 0.45, 0.1])
    for _ in range(3):
        belief, _ = update(belief, table.log_likelihood("z"))
    assert belief.p[2] > 0.95
    told = prior(table.hypotheses, [0.45, 0.45, 0.1])
    told, _ = update(told, table.log_likelihood("x"))
    assert told.p[2] < 0.1


def test_evidence_adds_and_what_is_missing_says_nothing() -> None:
    tables = {"talk": learnt(np.random.default_rng(1)), "again": learnt(np.random.default_rng(2))}
    both = evidence_of(tables, {"talk": "change", "again": "sustain"})
    assert both == pytest.approx(tables["talk"].log_p[:, 0] + tables["again"].log_p[:, 2], abs=1e-12)
    assert evidence_of(tables, {"talk": None}).tolist() == [0.0, 0.0, 0.0]


def test_a_soft_observation_lies_between_the_outcomes() -> None:
    table = learnt(np.random.default_rng(1))
    assert table.soft([1, 0, 0]) == pytest.approx(table.log_likelihood("change"), abs=1e-12)
    assert table.soft([1, 1, 1]) == pytest.approx(np.log(np.full(3, 1 / 3)), abs=1e-12)


@given(seeds)
def test_a_table_survives_its_document(rng: np.random.Generator) -> None:
    table = learnt(rng)
    again = table_from_document(table.document())
    assert (again.hypotheses, again.outcomes) == (table.hypotheses, table.outcomes)
    assert np.exp(again.log_p) == pytest.approx(np.exp(table.log_p), abs=2e-6)


def drawn(rng: np.random.Generator, copies: int, n: int = 4000) -> tuple[FloatArray, list[int]]:
    """Evidence of which every piece is counted ``copies`` times: what a temper of 1/copies puts right."""
    truth = rng.integers(0, 2, n)
    x = rng.normal(size=n) + np.where(truth == 0, 0.5, -0.5)
    return copies * np.stack([0.5 * x, -0.5 * x], axis=1), truth.tolist()


@pytest.mark.parametrize("copies", [2, 4])
def test_the_temper_undoes_evidence_that_was_counted_over(copies: int) -> None:
    log_l, truth = drawn(np.random.default_rng(3), copies)
    found = fit_temper(np.log([0.5, 0.5]), log_l, truth)
    assert found.value == pytest.approx(1 / copies, abs=0.1 / copies)
    assert found.loss < found.loss_untempered
    assert found.n == 4000


def test_calibrated_evidence_is_left_alone_and_unsure_evidence_is_not_sharpened() -> None:
    log_l, truth = drawn(np.random.default_rng(3), 1)
    assert fit_temper(np.log([0.5, 0.5]), log_l, truth).value > 0.93
    assert fit_temper(np.log([0.5, 0.5]), 0.5 * log_l, truth).value == pytest.approx(1.0, abs=1e-3)


def test_cases_that_cannot_be_judged_are_left_out() -> None:
    log_l, truth = drawn(np.random.default_rng(3), 2, 200)
    log_l[:50] = np.nan
    truth[50:100] = [-1] * 50
    found = fit_temper(np.log([0.5, 0.5]), log_l, truth)
    assert found.n == 100
    assert found.value == fit_temper(np.log([0.5, 0.5]), log_l[100:], truth[100:]).value


Sequences = list[tuple[np.ndarray, np.ndarray, list[int]]]


def _in_time(seed: int, over: float) -> tuple[Chain, Sequences]:
    """Return sequences of a sticky state with evidence that is counted so many times over."""
    rng = np.random.default_rng(seed)
    chain = Chain(np.array([0.5, 0.5]), np.array([[[0.9, 0.1], [0.1, 0.9]]]))
    sequences: Sequences = []
    for _ in range(40):
        states = [int(rng.integers(0, 2))]
        for _ in range(29):
            states.append(states[-1] if rng.random() < 0.9 else 1 - states[-1])
        x = rng.normal(size=30) + np.where(np.array(states) == 0, 0.5, -0.5)
        sequences.append((over * np.stack([0.5 * x, -0.5 * x], axis=1), np.zeros(30, np.int64), states))
    return chain, sequences


def test_in_time_the_temper_undoes_evidence_that_was_counted_over() -> None:
    chain, sequences = _in_time(4, 3.0)
    found = fit_temper_in_time(chain, sequences)
    assert found.value == pytest.approx(1 / 3, abs=0.08)
    after = filtered(chain, sequences[0][0], sequences[0][1], temper=found.value).log_after
    assert np.isfinite(after).all()
    nothing = [np.zeros(np.shape(log_l)) for log_l, *_ in sequences]
    assert fit_temper_in_time(chain, sequences, untempered=nothing) == found


def test_what_is_taken_as_it_is_leaves_the_temper_of_the_rest() -> None:
    chain, sequences = _in_time(5, 3.0)
    rng = np.random.default_rng(6)
    plain = []
    for *_, states in sequences:  # a second sign, counted once
        y = rng.normal(size=30) + np.where(np.array(states) == 0, 0.5, -0.5)
        plain.append(np.stack([0.5 * y, -0.5 * y], axis=1))
    apart = fit_temper_in_time(chain, sequences, untempered=plain)
    both = [(log_l + p, acts, states) for (log_l, acts, states), p in zip(sequences, plain, strict=True)]
    together = fit_temper_in_time(chain, both)
    assert apart.value == pytest.approx(1 / 3, abs=0.1)
    assert together.value > apart.value
    assert apart.loss < together.loss


def test_nothing_to_learn_from_is_said() -> None:
    for nothing in (
        lambda: table_from_counts(("a", "b"), ("x", "y"), np.zeros((2, 2))),
        lambda: fit_temper([0.0, 0.0], np.zeros((2, 2)), [-1, -1]),
        lambda: fit_temper_in_time(Chain(np.ones(1), np.ones((1, 1, 1))), []),
    ):
        with pytest.raises(UndefinedError) as caught:
            nothing()
        assert caught.value.code == "no_denominator"


def one() -> Table:
    return learnt(np.random.default_rng(1))


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: Table(("a", "a"), ("x", "y"), np.log(np.full((2, 2), 0.5))),
        lambda: Table(("a", "b"), ("x", "y"), np.log(np.full((2, 2), 0.4))),
        lambda: Table(("a", "b"), ("x", "y"), np.log(np.full((2, 3), 1 / 3))),
        lambda: table_from_counts(("a", "b"), ("x", "y"), [[1, -1], [1, 1]]),
        lambda: table_from_counts(("a", "b"), ("x", "y"), [[1, 1]]),
        lambda: table_from_counts(("a", "b"), ("x", "y"), np.ones((2, 2)), strength=0.0),
        lambda: table_from_counts(("a", "b"), ("x", "y"), np.ones((2, 2)), breadth=1.5),
        lambda: one().log_likelihood("silence"),
        lambda: one().soft([0, 0, 0]),
        lambda: one().soft([1, 1]),
        lambda: evidence_of({}, {}),
        lambda: evidence_of({"talk": one()}, {"mood": "low"}),
        lambda: fit_temper([0.0, 0.0], np.zeros((2, 2)), [0, 2]),
        lambda: table_from_document({"hypotheses": ["a"], "outcomes": ["x"]}),
        lambda: table_from_document({"hypotheses": ["a"], "outcomes": ["x", "y"], "p": [[0.5, 0.6]]}),
    ],
)
def test_what_does_not_fit_is_refused(wrong: Callable[[], object]) -> None:
    with pytest.raises(ValueError):
        wrong()
