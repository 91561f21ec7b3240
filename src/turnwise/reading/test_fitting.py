"""The fitting scripts on made-up data: no shared data set is needed to see that they do what they say."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy import sparse

from coder_figures import (
    auc_figure,
    expected_calibration_error,
    f1_by_label,
    macro_f1,
    mean_f1,
    rank_auc,
    tables_by_cluster,
)
from fit_turn_coders import differing, fit_all
from linear_fit import Problem, class_weights, fit_temperature
from turn_corpus import ITEMS, labelled, split_series
from turnwise.core.nouns import Trajectory, Turn

ASKS = ("What do you think about {}?", "How was {} for you?", "Why {}?")
TELLS = ("You should think about {}.", "So {} was hard for you.", "Okay, {}.", "Research shows that {} is important.")
ANSWERS = ("I want to change {}.", "I like {} and I don't want to stop.", "Well, {} was fine.", "I will try {}.")
TALK = ITEMS[1:]
TOPICS = ("smoking", "the diet", "drinking", "your sleep", "work")


def _corpus(n_sessions: int = 9, n_turns: int = 14) -> list[Trajectory]:
    rng = np.random.default_rng(5)
    out = []
    for s in range(n_sessions):
        turns, infos = [], []
        for i in range(n_turns):
            item = ITEMS[i % 2]
            at = int(rng.integers(len(item.labels)))
            choices = ANSWERS if i % 2 else (ASKS if at == 0 else TELLS)
            text = choices[at % len(choices)].format(TOPICS[int(rng.integers(len(TOPICS)))]) + f" {s}"
            turns.append(Turn.model_validate({"speaker": item.speaker, "text": text}))
            infos.append({"labels": {item.key: item.labels[at]}})
        meta = {"series": f"series-{s // 2 if s < 4 else s}"}
        out.append(Trajectory(session_id=f"s{s}", source="test", turns=tuple(turns), infos=tuple(infos), meta=meta))
    return out


@pytest.fixture(scope="module")
def corpus() -> list[Trajectory]:
    return _corpus()


@pytest.fixture(scope="module")
def made(corpus: list[Trajectory]) -> dict[str, bytes]:
    return fit_all(corpus, "0" * 64, items=TALK)


def test_a_refit_gives_the_same_bytes(corpus: list[Trajectory], made: dict[str, bytes], tmp_path) -> None:  # type: ignore[no-untyped-def]
    assert len(made) == 5
    for path, content in fit_all(corpus, "0" * 64, items=TALK).items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(content)
    assert differing(made, tmp_path) == []
    (tmp_path / "raters/folds/annomi.json").unlink()
    assert differing(made, tmp_path) == ["raters/folds/annomi.json"]


def test_one_flipped_label_changes_every_rater_and_its_card(corpus: list[Trajectory], made: dict[str, bytes]) -> None:
    flipped = fit_all(corpus, "0" * 64, flipped=0, items=TALK)
    moved = {path for path in made if made[path] != flipped[path]}
    assert {p for p in made if p.startswith(("raters/weights", "raters/cards"))} <= moved
    for item in TALK:
        before, after = (json.loads(x[f"raters/cards/{item.name}.v1.json"]) for x in (made, flipped))
        assert before["sha256"] != after["sha256"]
        assert before["data"]["by_label"] != after["data"]["by_label"]


def test_no_series_is_in_two_folds_and_folds_are_even(corpus: list[Trajectory]) -> None:
    part = split_series(corpus, 5)
    assert set(part.values()) == set(range(5))
    assert part["series-0"] == split_series(corpus[::-1], 5)["series-0"]
    turns = [sum(len(t.turns) for t in corpus if part[str(t.meta["series"])] == k) for k in range(5)]
    assert max(turns) - min(turns) <= 28


def test_labelled_turns_are_those_of_the_speaker(corpus: list[Trajectory]) -> None:
    for item in ITEMS:
        data = labelled(corpus, item)
        assert len(data) == 9 * 7
        assert {w.turn.speaker for w in data.windows} == {item.speaker}
        assert data.where[0][0] == "s0"


def test_the_solver_finds_the_minimum_scikit_learn_finds() -> None:
    from sklearn.linear_model import LogisticRegression

    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(200, 6)), rng.integers(3, size=200)
    y[x[:, 0] > 0.5] = 0
    w = class_weights(y, 3)
    reference = LogisticRegression(C=0.1, tol=1e-10, max_iter=5_000).fit(x, y, sample_weight=w)
    problem = Problem(sparse.csr_matrix(np.hstack([x, np.ones((200, 1))])), y, w, 3, c=0.1)
    solved = problem.solve()
    np.testing.assert_allclose(solved[:-1], reference.coef_.T - reference.coef_.mean(axis=0)[:, None], atol=1e-5)
    assert np.abs(problem.value_and_gradient(solved.ravel())[1]).max() < 1e-9


def test_the_temperature_undoes_overconfidence() -> None:
    rng = np.random.default_rng(1)
    logits = rng.normal(size=(5_000, 3)) * 1.5
    p = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    y = np.array([rng.choice(3, p=row) for row in p])
    assert fit_temperature(logits * 2.0, y) == pytest.approx(2.0, abs=0.1)


def test_figures_have_their_golden_values() -> None:
    gold, coded = np.array([0, 0, 1, 1, 2]), np.array([0, 1, 1, 1, 0])
    assert f1_by_label(gold, coded, 3).tolist() == pytest.approx([0.5, 0.8, 0.0])
    assert macro_f1(gold, coded, 3) == pytest.approx(1.3 / 3)
    tables = tables_by_cluster(gold, coded, np.array(["a", "b", "a", "b", "a"]), 3)
    assert mean_f1(tables.sum(axis=0)[None])[0] == pytest.approx(1.3 / 3)
    c = np.array([0.95, 0.90, 0.85, 0.80, 0.70, 0.65, 0.60, 0.55, 0.55, 0.52])
    y = np.array([1, 1, 0, 1, 1, 0, 1, 0, 1, 0], dtype=bool)
    assert expected_calibration_error(c, y, 10) == pytest.approx(0.157, abs=1e-6)
    assert expected_calibration_error(c, y, 15) == pytest.approx(0.297, abs=1e-6)
    assert rank_auc(c, y) == pytest.approx(0.7291667, abs=1e-6)


def test_an_auc_interval_resamples_clusters_and_holds_the_value() -> None:
    score = np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8])
    positive = np.array([False, False, True, False, True, True, False, True])
    apart = auc_figure(score, positive, np.array(list("abcdefgh")))
    assert apart["low"] <= apart["value"] <= apart["high"]
    assert auc_figure(score, positive, np.array(list("aaaaaaaa")))["low"] == apart["value"]
