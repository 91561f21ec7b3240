"""Fitting beside a teacher's labels, on made-up data; and the teacher's labels that are stored."""

from __future__ import annotations

import csv
import gzip
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

import fit_sentence_coders
from sentence_fit import Nested, Problem, by_rarity
from sentence_students import Columns, Lesson, Part
from sentence_teacher import FITS, STORED, PoolSource, packed, pool_of, sha256_of_pool, shingles, teacher_of
from turnwise.core.errors import FormatError

GOLD = np.eye(3)[[0] * 12 + [1] * 6 + [2] * 2]


def _part(n: int, rng: np.random.Generator) -> Part:
    terms = sparse.random(n, 7, density=0.4, random_state=rng, format="csr")
    return Part(rng.normal(size=(n, 5)), terms, rng.normal(size=(n, 3, 2)))


def _lesson(taught: float = 0.2, rare: float = 0.5, n_pool: int = 30) -> Lesson:
    rng = np.random.default_rng(3)
    coded, pool = _part(len(GOLD), rng), _part(n_pool, rng)
    said = {fit: rng.dirichlet([1.0] * 3, size=n_pool) for fit in ("fold0", "full")}
    return Lesson(coded, GOLD, 0.5 * GOLD + 0.5 / 3, pool, said, rare, taught, 1.0)


def test_columns_multiply_like_the_matrix_they_stand_for() -> None:
    rng = np.random.default_rng(0)
    part = _part(9, rng)
    whole, columns = np.hstack([part.dense, part.terms.toarray()]), Columns(part.dense, part.terms)
    assert columns.shape == whole.shape == (9, 12)
    w, r = rng.normal(size=(12, 3)), rng.normal(size=(9, 3))
    np.testing.assert_allclose(columns @ w, whole @ w, atol=1e-12)
    np.testing.assert_allclose(columns.T @ r, whole.T @ r, atol=1e-12)


def test_a_row_of_the_pool_weighs_its_share_and_more_where_its_labels_are_rare() -> None:
    lesson, every = _lesson(), np.ones(20, dtype=bool)
    coded, pool = np.split(lesson.weights(every, "full"), [20])
    assert coded.mean() == pytest.approx(1.0)
    assert pool.mean() == pytest.approx(0.2)
    by_hand = lesson.said["full"] @ np.array([0.6, 0.3, 0.1]) ** -0.5
    np.testing.assert_allclose(pool, 0.2 * by_hand / by_hand.mean())
    assert coded[19] / coded[0] == pytest.approx(np.sqrt(6.0))


def test_rarity_is_what_is_coded_in_the_rows_of_the_fit() -> None:
    lesson, some = _lesson(), np.arange(20) >= 6
    coded, pool = np.split(lesson.weights(some, "fold0"), [14])
    share = np.array([6, 6, 2]) / 14
    by_hand = lesson.said["fold0"] @ share**-0.5
    np.testing.assert_allclose(pool, 0.2 * by_hand / by_hand.mean())
    np.testing.assert_allclose(coded, by_rarity(GOLD[some], share, 0.5))
    with pytest.raises(AssertionError):
        np.testing.assert_allclose(pool, lesson.weights(np.ones(20, dtype=bool), "fold0")[20:])


def test_the_student_is_the_minimum_of_its_own_problem() -> None:
    lesson, rows = _lesson(), np.arange(20) % 5 != 0
    found = lesson.solve(rows, "fold0")
    problem = lesson.problem(rows, "fold0")
    assert problem.target.shape == (16 + 30, 3)
    np.testing.assert_array_equal(problem.target[16:], lesson.said["fold0"])
    flat = np.concatenate([found.w.ravel(), found.bias, found.tied])
    assert np.abs(problem.value_and_gradient(flat)[1]).max() < 1e-8
    both = lesson.coded.of(rows).and_then(lesson.pool)
    dense = np.hstack([both.dense, both.terms.toarray()])
    w, bias, tied = Problem(dense, both.tied, problem.target, problem.weight, False, 1.0).solve()
    np.testing.assert_allclose(found.w, w, atol=1e-7)
    np.testing.assert_allclose(found.bias, bias, atol=1e-7)
    np.testing.assert_allclose(found.tied, tied, atol=1e-7)


def test_with_nothing_taught_the_student_is_the_coder_without_a_teacher() -> None:
    lesson, every = _lesson(taught=0.0), np.ones(20, dtype=bool)
    own = lesson.coded
    x = sparse.hstack([sparse.csr_matrix(own.dense), own.terms]).tocsr()
    nested = Nested(x, own.tied, GOLD, lesson.target, np.arange(20) % 5, False, 0.5, (1.0,))
    alone, found = nested.solve(every, 1.0, polish=4), lesson.solve(every, "full")
    np.testing.assert_allclose(found.w, alone.w, atol=1e-6)
    np.testing.assert_allclose(found.bias, alone.bias, atol=1e-6)
    assert np.abs(_lesson(taught=0.2).solve(every, "full").w - alone.w).max() > 1e-2


def test_a_student_never_learns_from_the_labels_of_rows_it_is_not_given() -> None:
    rows = np.arange(20) % 5 != 0
    lesson = _lesson()
    other = np.where(rows[:, None], lesson.gold, lesson.gold[:, ::-1])
    moved = Lesson(lesson.coded, other, other, lesson.pool, lesson.said, 0.5, 0.2, 1.0)
    same = Lesson(lesson.coded, lesson.gold, lesson.gold, lesson.pool, lesson.said, 0.5, 0.2, 1.0)
    assert moved.solve(rows, "fold0").w.tobytes() == same.solve(rows, "fold0").w.tobytes()
    assert not np.allclose(moved.solve(~rows, "fold0").w, same.solve(~rows, "fold0").w)


def _source(folder: Path, texts: list[str], most: int = 99) -> PoolSource:
    with gzip.open(folder / "said.csv.gz", "wt", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["text"], *([t] for t in texts)])

    def read(path: Path) -> list[str]:
        with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
            return [row["text"] for row in csv.DictReader(file)]

    return PoolSource("said.csv.gz", most, read, "open")


def test_the_pool_has_no_sentence_that_resembles_a_coded_one(tmp_path: Path) -> None:
    coded = ["And how do you feel about that now, today?", "Thank you."]
    texts = [
        "How do you feel about that now? It sounds hard.",  # six words in a row with a coded one
        "THANK YOU! Do you feel about that what I feel? It sounds  hard!",  # the words of one; only five in a row
        "No\nYou did well. " + "word " * 51,  # too short, fine, too long
    ]
    pool = pool_of(tmp_path, coded, [_source(tmp_path, texts)])
    assert pool == ("It sounds hard.", "Do you feel about that what I feel?", "You did well.")
    assert all(not shingles(s) & shingles(c) for s in pool for c in coded)


def test_of_a_large_corpus_the_pool_has_so_many_sentences_in_order(tmp_path: Path) -> None:
    texts = [f"This is sentence {i}." for i in range(40)]
    pool = pool_of(tmp_path, [], [_source(tmp_path, texts, most=9)])
    assert len(pool) == 9
    assert [t for t in texts if t in pool] == list(pool)
    assert pool == pool_of(tmp_path, [], [_source(tmp_path, texts, most=9)])


def _stored(path: Path, pool: tuple[str, ...]) -> np.ndarray:
    said = np.random.default_rng(1).dirichlet([1.0] * 4, size=(len(FITS), len(pool)))
    np.savez_compressed(path, labels=packed(said), pool_sha256=sha256_of_pool(pool))
    return said


def test_labels_come_back_as_shares_to_the_thousandth(tmp_path: Path) -> None:
    pool = ("You did well.", "What now?")
    said = _stored(tmp_path / "x.npz", pool)
    found = teacher_of(pool, tmp_path / "x.npz")
    assert tuple(found) == FITS
    for k, fit in enumerate(FITS):
        np.testing.assert_allclose(found[fit].sum(axis=1), 1.0, atol=1e-12)
        np.testing.assert_allclose(found[fit], said[k], atol=3e-3)


@pytest.mark.parametrize("other", [("What now?", "You did well."), ("You did well.",), ("You did well.", "What then?")])
def test_labels_of_other_sentences_are_refused_in_one_sentence(tmp_path: Path, other: tuple[str, ...]) -> None:
    _stored(tmp_path / "x.npz", ("You did well.", "What now?"))
    with pytest.raises(FormatError, match="holds labels of other sentences than the") as fault:
        teacher_of(other, tmp_path / "x.npz")
    assert "\n" not in str(fault.value)
    assert "teach_mi_sentences.py" in str(fault.value)


def test_the_script_says_that_sentence_and_no_more(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _stored(tmp_path / "x.npz", ("You did well.", "What now?"))
    monkeypatch.setattr(fit_sentence_coders, "fit_all", lambda *_: teacher_of(("Else.",), tmp_path / "x.npz"))
    assert fit_sentence_coders.main([str(tmp_path), "--check"]) == 2
    assert capsys.readouterr().err.splitlines() == [
        f"{tmp_path / 'x.npz'}: holds labels of other sentences than the 1 that are in the data folder now; fit from "
        "the development portion they were made on, or make them again with tools/teach_mi_sentences.py."
    ]


def test_the_labels_that_are_stored_are_those_the_readme_speaks_of() -> None:
    import hashlib

    readme = (STORED.parent / "README.md").read_text(encoding="utf-8")
    assert hashlib.sha256(STORED.read_bytes()).hexdigest() in readme
    with np.load(STORED, allow_pickle=False) as stored:
        assert sorted(stored.files) == ["labels", "pool_sha256"]
        labels = stored["labels"]
    assert labels.shape == (6, 11_957, 15)
    assert np.abs(labels.sum(axis=2).astype(int) - 1000).max() <= 8  # each of fifteen is rounded
