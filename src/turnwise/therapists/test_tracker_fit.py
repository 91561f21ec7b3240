"""The tracker's fitting script on sessions drawn here, where the truth is known."""

from dataclasses import replace

import numpy as np
import pytest

from tracker_corpus import Steps, act_of
from tracker_em import chain_difference, fit_stances
from tracker_models import base_rate, coded, loss, markov, parts_of, tracker

ACTS = 6


def drawn(seed: int, sessions: int = 40, length: int = 25, keeps: float = 0.95) -> Steps:
    """Sessions whose client stands somewhere for long and talks accordingly; with keeps 1/3, nowhere."""
    rng = np.random.default_rng(seed)
    talk_of = np.array([[0.7, 0.25, 0.05], [0.05, 0.9, 0.05], [0.05, 0.45, 0.5]])
    session, talk = [], []
    for i in range(sessions):
        stance = int(rng.integers(0, 3))
        for _ in range(length):
            stance = stance if rng.random() < (3 * keeps - 1) / 2 else int(rng.integers(0, 3))
            session.append(i)
            talk.append(int(rng.choice(3, p=talk_of[stance])))
    n = len(talk)
    number, row = np.array(session), np.arange(n)
    previous = np.where(np.r_[False, number[1:] == number[:-1]], row - 1, -1)
    names = np.array([f"s{i}" for i in number])
    nothing = np.zeros((n, 1))
    return Steps(
        session=number, ids=tuple(f"s{i}" for i in range(sessions)), series=names, quality=names, annotator=names,
        talk=np.array(talk), act=rng.integers(0, ACTS, n), previous=previous, judged=previous >= 0, codes=nothing,
        wording=nothing, therapist=nothing, own=nothing, own_words=nothing,
    )  # fmt: skip


def held_out(steps: Steps) -> dict[str, float]:
    parts = parts_of(steps)[:4]
    rows = np.any([p.held for p in parts], axis=0) & steps.judged
    models = {"base": base_rate(steps, parts), "markov": markov(steps, parts)}
    models["tracker"] = tracker(steps, parts, coded(steps, len(parts)), inner=False).held
    return {name: float(loss(p[rows], steps.talk[rows]).mean()) for name, p in models.items()}


def test_where_stances_last_the_tracker_foretells_more_than_the_last_turn() -> None:
    found = held_out(drawn(1))
    assert found["tracker"] < found["markov"] - 0.03 < found["base"] - 0.06


def test_where_nothing_lasts_there_is_nothing_to_track() -> None:
    found = held_out(drawn(2, keeps=1 / 3))
    assert found["tracker"] > found["base"] - 0.005


def test_the_stances_come_back_and_agree_with_the_belief_room() -> None:
    steps = drawn(3)
    sessions = np.unique(steps.session)
    s = fit_stances(steps, sessions, steps.act, 3, ACTS, 0)
    assert np.diagonal(s.moves.mean(0)) == pytest.approx(np.full(3, 0.95), abs=0.06)
    assert s.talk.mean(1).argmax(0).tolist() == [0, 1, 2]
    assert chain_difference(s, steps, sessions) < 1e-9


def test_a_forecast_never_sees_the_answer_nor_what_comes_after() -> None:
    steps = drawn(4, sessions=20)
    parts = parts_of(steps)[:1]
    rows = np.flatnonzero(parts[0].held)
    cut = rows[np.flatnonzero(steps.session[rows] == steps.session[rows[0]])[10]]
    later = steps.talk.copy()
    same = (steps.session == steps.session[cut]) & (np.arange(len(steps)) >= cut)
    later[same] = (later[same] + 1) % 3
    one = tracker(steps, parts, coded(steps, 1), inner=False).held
    other = replace(steps, talk=later)
    two = tracker(other, parts, coded(other, 1), inner=False).held
    assert one[cut] == pytest.approx(two[cut], abs=1e-12)
    assert np.abs(one[cut + 1] - two[cut + 1]).max() > 1e-3


def test_no_series_is_on_both_sides_of_a_fold() -> None:
    steps = drawn(5)
    for part in parts_of(steps):
        for a, b in part.parts():
            assert not set(steps.series[a]) & set(steps.series[b])


@pytest.mark.parametrize(
    ("behaviour", "subtype", "act"),
    [
        ("question", "open", "open_question"),
        ("question", "", "closed_question"),
        ("reflection", "complex", "complex_reflection"),
        ("therapist_input", "advice", "input"),
        ("other", "", "other"),
        ("", "", "other"),
    ],
)
def test_a_coded_turn_is_one_of_the_acts(behaviour: str, subtype: str, act: str) -> None:
    assert act_of(behaviour, subtype) == act
