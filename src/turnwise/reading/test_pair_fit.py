"""Tests of how the coders of pairs are fitted: whole groups, cues folded into words, nothing lost in storing."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

pytest.importorskip("sklearn", reason="fits need the extra [fit]")

from epitome_fit import marked, sentence_levels
from pair_fit import Design, Logistic, choose_offsets, class_weights, folded, folds_of, lexicon_of, spread_of
from turnwise.reading.epitome import replies_of


def test_folds_keep_groups_whole_and_spread_every_label() -> None:
    groups = [f"g{i // 2}" for i in range(100)]
    strata = np.arange(100) // 2 % 10 // 9  # every tenth pair is rare
    fold = folds_of(groups, strata)
    assert all(fold[i] == fold[i + 1] for i in range(0, 100, 2))
    assert np.bincount(fold[strata == 1], minlength=5).tolist() == [2] * 5


def test_a_term_carries_a_cue_only_if_nothing_shorter_inside_it_does() -> None:
    terms = ["sorry", "so sorry", "want to", "want to die", "die"]
    found = lexicon_of(terms, {"sorry": r"\bsorry\b", "dying": r"\bwant to die\b"}).toarray()
    assert found.tolist() == [[1, 0], [0, 0], [0, 0], [0, 1], [0, 0]]


def test_folded_weights_say_the_same_of_raw_columns() -> None:
    x, w = np.array([[1.0, 5.0], [3.0, 5.0], [8.0, 5.0]]), np.array([[0.3], [2.0]])
    about = spread_of(x)
    raw, shift = folded(w, about, 0.2)
    assert np.allclose(x @ raw + shift, (0.2 * about.of(x)) @ w)


@pytest.mark.parametrize("n_labels", [2, 3])
def test_the_fit_is_that_of_scikit_learn(n_labels: int) -> None:
    from sklearn.linear_model import LogisticRegression

    rng = np.random.default_rng(0)
    dense, words = rng.normal(size=(90, 3)), sparse.random(90, 5, 0.3, format="csr", random_state=1)
    y = np.digitize(dense[:, 0] + rng.normal(size=90), [0.0, 1.0][: n_labels - 1])
    weight = class_weights(y, n_labels, 0.5)
    w = Logistic(0.5, n_labels).solve(Design(dense, words), y, weight, polish=4)
    theirs = LogisticRegression(C=0.5, tol=1e-10, max_iter=5_000)
    theirs.fit(np.hstack([dense, words.toarray()]), y, sample_weight=weight)
    assert np.allclose(w[:-1].T, theirs.coef_, atol=1e-4)


def test_offsets_bring_a_rare_label_back() -> None:
    y = np.array([0] * 90 + [1] * 10)
    p1 = np.where(y == 1, 0.3, 0.1)
    p = np.stack([1 - p1, p1], axis=1)
    assert (p.argmax(axis=1) == 0).all()
    assert ((np.log(p) + choose_offsets(p, y)).argmax(axis=1) == y).all()


def test_a_sentence_has_the_level_of_what_was_marked_in_it() -> None:
    text = "Drink water. I'm so sorry &amp; sad. Bye."
    replies = replies_of((text,))
    mask = marked(text, ["I'm so sorry & sad."])
    assert text[mask.argmax() :].startswith("I'm so sorry")
    assert sentence_levels(replies, np.array([2]), [mask]).tolist() == [0, 2, 0]
