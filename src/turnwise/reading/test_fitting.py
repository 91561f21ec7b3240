"""The fitting scripts on made-up data: no shared data set is needed to see that they do what they say."""

from __future__ import annotations

import json
from collections.abc import Iterator

import numpy as np
import pytest
from scipy import sparse

import written_examples
from fit_turn_coders import fit_all
from linear_fit import Problem, class_weights, fit_temperature
from refitting import differing
from turn_corpus import ITEMS, labelled, split_series
from turnwise.core.nouns import Trajectory, Turn

ASKS = ("What do you think about {}?", "How was {} for you?", "Why {}?")
TELLS = ("You should think about {}.", "So {} was hard for you.", "Okay, {}.", "Research shows that {} is important.")
ANSWERS = ("I want to change {}.", "I like {} and I don't want to stop.", "Well, {} was fine.", "I will try {}.")
TALK = ITEMS[1:]
KEYS = {"therapist_behaviour": "main_therapist_behaviour", "client_talk": "client_talk_type"}
TOPICS = ("smoking", "the diet", "drinking", "your sleep", "work")
EVERY = 8
"""One in so many of the written examples is fitted on: whether the same rows give the same bytes needs no more."""


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
            infos.append({"labels": {KEYS[item.name]: item.labels[at]}})
        meta = {"series": f"series-{s // 2 if s < 4 else s}"}
        out.append(Trajectory(session_id=f"s{s}", source="test", turns=tuple(turns), infos=tuple(infos), meta=meta))
    return out


@pytest.fixture(scope="module")
def corpus() -> list[Trajectory]:
    return _corpus()


@pytest.fixture(scope="module", autouse=True)
def few_written() -> Iterator[None]:
    whole = written_examples.records
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(written_examples, "records", lambda file: whole(file)[::EVERY])
        yield


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
