"""Looking ahead: sampled in the therapist's own model, the same luck for every act, reproducible."""

from __future__ import annotations

import numpy as np
import pytest

from turnwise.belief.filter import prior
from turnwise.core.nouns import Belief
from turnwise.therapists.acts import ACTS, NEED_VALUES, STANCE_VALUES
from turnwise.therapists.futures import worth_of_futures
from turnwise.therapists.stance import STANCES
from turnwise.therapists.tracking.needs import NEEDS
from turnwise.therapists.working_edge import EDGES

MOVES = list(ACTS)


def sure(names: tuple[str, ...], which: str) -> Belief:
    p = [0.98 if n == which else 0.02 / (len(names) - 1) for n in names]
    return prior(names, p)


def worth(stance: str, edge: str, seed: int = 0, samples: int = 400) -> np.ndarray:
    return worth_of_futures(sure(STANCES, stance), sure(EDGES, edge), np.random.default_rng(seed), samples=samples)


def test_tables_have_a_row_for_every_act() -> None:
    assert STANCE_VALUES.shape == (len(ACTS), len(STANCES))
    assert NEED_VALUES.shape == (len(ACTS), len(NEEDS))
    assert all(set(a.meets) <= set(NEEDS) for a in ACTS.values())


def test_the_same_luck_gives_the_same_worth_and_other_luck_nearly() -> None:
    assert np.array_equal(worth("engaged", "middle"), worth("engaged", "middle"))
    a, b = worth("engaged", "middle", 1, 4000), worth("engaged", "middle", 2, 4000)
    assert np.abs(a - b).max() < 0.2


@pytest.mark.parametrize("stance", ["raw", "resisting", "withdrawing"])
def test_pressing_somebody_who_cannot_bear_it_bodes_ill(stance: str) -> None:
    ahead = worth(stance, "near")
    assert ahead[MOVES.index("ask_exception")] < ahead[MOVES.index("reflect_content")]


def test_asking_for_evidence_is_worth_more_where_it_can_be_borne() -> None:
    def gain(edge: str) -> float:
        ahead = worth("engaged", edge)
        return float(ahead[MOVES.index("ask_exception")] - ahead[MOVES.index("open_question")])

    assert gain("far") > gain("near") + 0.2
