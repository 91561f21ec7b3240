"""What fits the claims rater: trees that rerun to the same bytes, whole coded sessions, claims turned by rule."""

from __future__ import annotations

import numpy as np
import pytest

from boosted_fit import Boosting, boosted
from claim_sessions import coded_sessions
from claim_turning import denied, of_another
from turnwise.reading.claim_coder import LABELS, ClaimWeights, unpacked


def corner(n: int) -> tuple[np.ndarray, np.ndarray]:
    x = np.random.default_rng(3).random((n, 5))
    return x, ((x[:, 1] > 0.5) & (x[:, 3] > 0.5)).astype(np.int64)


def test_trees_find_what_no_sum_of_weights_says_and_rerun_to_the_same_bytes() -> None:
    x, y = corner(600)
    how = Boosting(rounds=40, rate=0.2)
    made, again = (boosted(x, y, np.ones(len(y)), 2, how) for _ in range(2))
    assert (made.scores(x).argmax(axis=1) == y).mean() > 0.97
    assert made.leaf.tobytes() == again.leaf.tobytes()
    assert made.threshold.tobytes() == again.threshold.tobytes()


def test_storing_loses_nothing() -> None:
    x, y = corner(200)
    weights = ClaimWeights(tuple("abcde"), boosted(x, y, np.ones(len(y)), 2, Boosting(rounds=5)))
    stored = unpacked(weights.packed())
    assert stored.names == weights.names
    assert stored.trees.scores(x).tobytes() == weights.trees.scores(x).tobytes()


def test_every_therapist_turn_of_a_coded_session_has_a_label_and_what_is_unsupported_says_where() -> None:
    sessions = coded_sessions()
    assert len(sessions) > 40
    for s in sessions:
        assert set(s.labels) == {i for i, (who, _) in enumerate(s.turns) if who != "patient" and i}
        assert all(label in LABELS for label in s.labels.values())
        assert all(bool(s.wrong[i]) == (label in ("unsupported", "contradicted")) for i, label in s.labels.items())


@pytest.mark.parametrize(
    ("claim", "turned"),
    [("you didn't sleep", "you did sleep"), ("it's cold", "it's not cold"), ("your wife left", None)],
)
def test_a_denial_is_put_in_or_taken_out(claim: str, turned: str | None) -> None:
    found = denied(claim)
    assert found != claim
    assert turned is None or found == turned
    assert of_another(claim, 0) != claim
