"""The tracker's fitting script on sessions drawn here, where the truth is known."""

import json
from dataclasses import replace

import numpy as np
import pytest

import tracker_em
import tracker_page
from tracker_coders import across_coders
from tracker_corpus import Steps, act_of, steps_of
from tracker_em import Stances, believe, chain_difference, fit_stances, ranks
from tracker_features import earlier, tally, window
from tracker_models import (
    READER_PENALTIES,
    Observed,
    base_rate,
    coded,
    loss,
    markov,
    parts_of,
    reader,
    tracker,
)
from turnwise.belief.chain import Chain, smoothed
from turnwise.core.nouns import Trajectory, Turn
from turnwise.therapists.next_talk import TALK_ACTS, load_next_talk

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
    s = fit_stances(steps, steps.act, 3, ACTS, 0)
    assert np.diagonal(s.moves.mean(0)) == pytest.approx(np.full(3, 0.95), abs=0.06)
    assert s.talk.mean(1).argmax(0).tolist() == [0, 1, 2]
    assert chain_difference(s, steps) < 1e-9


def test_a_fit_of_some_sessions_is_what_smoothing_them_one_by_one_gives(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three rounds of Baum-Welch by `belief.chain.smoothed`, session by session, against all at once."""
    monkeypatch.setattr(tracker_em, "ROUNDS", 3)
    steps = drawn(10, sessions=6, length=9)
    steps = replace(steps, act=np.where(steps.session % 2 == 0, steps.act, 0))
    among = np.stack([steps.session != 2, steps.session < 4])
    found = tracker_em.fit_all_stances(steps, among, steps.act, 3, ACTS, 7)
    for rows, ours in zip(among, found, strict=True):
        s = tracker_em._first(np.bincount(steps.talk[rows], minlength=3).astype(float), 3, ACTS, 7)
        for _ in range(3):
            starts, moves, counts = np.zeros(3), np.zeros((ACTS, 3, 3)), np.zeros((ACTS, 3, 3))
            for number in np.unique(steps.session[rows]):
                i = np.flatnonzero(steps.session == number)
                log_l = np.vstack([np.full(3, np.nan), np.log(s.talk[:, steps.act[i], steps.talk[i]].T)])
                one = smoothed(Chain(s.start, s.moves), log_l, np.r_[0, steps.act[i]])
                starts, moves = starts + one.state[0], moves + one.moves
                np.add.at(counts, (steps.act[i], steps.talk[i]), one.state[1:])
            s = tracker_em._fitted(starts, moves, counts)
        s = tracker_em._in_order(s)
        for a, b in ((ours.start, s.start), (ours.moves, s.moves), (ours.talk, s.talk)):
            assert a == pytest.approx(b, abs=1e-9)


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


def test_a_tracker_whose_kinds_are_split_foretells_the_same_where_the_split_says_nothing() -> None:
    steps, rng = drawn(6, sessions=20), np.random.default_rng(0)
    parts = parts_of(steps)[:2]
    split = replace(steps, talk=steps.talk * 3 + rng.integers(0, 3, len(steps)))
    rows = np.any([p.held for p in parts], axis=0)
    whole = coded(steps, 2)
    seen = Observed(whole.acts, [np.eye(9)[split.talk]] * 2, whole.tempers)
    one = tracker(steps, parts, coded(steps, 2), inner=False).held[rows]
    two = tracker(split, parts, seen, inner=False).held[rows]
    assert two.sum(1) == pytest.approx(np.ones(rows.sum()), abs=1e-9)
    assert np.abs(one - two).mean() < 0.05


def test_where_acts_and_talk_are_read_it_foretells_what_the_shipped_module_does() -> None:
    steps, rng, shipped = drawn(7, sessions=3, length=6), np.random.default_rng(1), load_next_talk()
    acts, read = rng.dirichlet(np.ones(ACTS), len(steps)), rng.dirichlet(np.ones(3), len(steps))
    stances = Stances(shipped.start_p, shipped.moves, shipped.talk)
    found = believe(stances, ranks(steps, np.unique(steps.session)), acts, read / shipped.base, shipped.temper)
    belief = shipped.start()
    for i in np.flatnonzero(steps.session == 1):
        act = dict(zip(TALK_ACTS, acts[i], strict=True))
        assert found.forecast[i] == pytest.approx(shipped.p_next(belief, act), abs=1e-9)
        belief, _ = shipped.heard(belief, act, read[i])
        assert found.after[i] == pytest.approx(belief.p, abs=1e-9)


def test_what_classifiers_are_told_is_earlier_than_what_they_foretell() -> None:
    steps = drawn(8, sessions=2, length=7)
    said = np.eye(3)[steps.talk]
    assert (earlier(steps, said)[[0, 7]] == 0).all()
    assert (earlier(steps, said, 2)[9] == said[7]).all()
    assert (window(steps, said)[13] == np.hstack([said[11], said[10], said[9], said[8]])).all()
    whole, fading = tally(steps, said)[10, :3], tally(steps, said)[10, 3:]
    assert np.exp(whole) == pytest.approx((said[7:10].sum(0) + 1) / 6)
    weights = np.array([0.64, 0.8, 1.0])
    assert np.exp(fading) == pytest.approx((weights @ said[7:10] + 1) / (weights.sum() + 3))


def test_no_row_is_read_by_a_reader_that_was_fitted_on_it() -> None:
    """A reader of pure noise that had seen a row's own label would know it."""
    steps, rng = drawn(9, sessions=10, length=10), np.random.default_rng(2)
    y, part = rng.integers(0, 3, len(steps)), parts_of(steps)[0]
    p = reader(rng.normal(size=(len(steps), 100)) / READER_PENALTIES[0] ** 0.5, y, part, 3)
    assert p.sum(1) == pytest.approx(np.ones(len(steps)))
    assert (p.argmax(1) == y).mean() < 0.5


def coded_by(people: dict[str, list[str]], name: str) -> Trajectory:
    turns, infos = [], []
    for i in range(len(next(iter(people.values())))):
        asked = [
            {"annotator_id": a, "main_therapist_behaviour": "question", "question_subtype": "open"} for a in people
        ]
        said = [{"annotator_id": a, "client_talk_type": kinds[i]} for a, kinds in people.items()]
        turns += [Turn(speaker="therapist", text="And then?"), Turn(speaker="patient", text="I went on.")]
        for notes in (asked, said):
            infos.append({"labels": {**notes[0], "annotations": notes}})
    return Trajectory(session_id=name, source="written", turns=tuple(turns), infos=tuple(infos))


def test_the_habits_of_a_coder_are_told_from_what_others_see() -> None:
    """Whoever codes keeps to one kind for long, and no two people agree: nothing of it is the client."""
    rng = np.random.default_rng(3)

    def habit() -> list[str]:
        runs = [[str(rng.choice(["change", "neutral", "sustain"]))] * int(rng.integers(5, 9)) for _ in range(4)]
        return [kind for run in runs for kind in run][:20]

    one = [coded_by({"0": habit()}, f"one{i}") for i in range(14)]
    sessions = one + [coded_by({"0": habit(), "1": habit(), "2": habit()}, f"three{i}") for i in range(3)]
    steps = steps_of(sessions, "0")
    parts = parts_of(steps)
    tracked = tracker(steps, parts, coded(steps, len(parts)), inner=False)
    found = across_coders(sessions, steps, parts, tracked.fits)
    assert found["transcripts"] == ["three0", "three1", "three2"]
    assert found["n"] == 3 * 19
    assert found["same"]["log_loss"]["tracker"] < 0.9 < np.log(3) < found["another"]["log_loss"]["tracker"]


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


def test_the_page_marks_a_gain_only_where_both_intervals_lie_above_zero() -> None:
    stored = json.loads((tracker_page.DOCS / "tracker.json").read_text(encoding="utf-8"))
    lines = [line for line in tracker_page.tracker_page().splitlines() if line.startswith("| `") and "` over `" in line]
    gains = [g for past in ("coded", "read") for g in stored[past]["gains"]]
    shown = [min(low for low, _ in g["interval"].values()) > 0 for g in gains]
    assert ["**" in line for line in lines] == shown
    assert {True, False} == set(shown)  # a page on which everything is shown would not test the mark
    sentences = "".join(stored["not_shown"])
    for g, is_shown in zip(gains, shown, strict=True):
        if not is_shown and g["interval"]["series"][0] <= 0:
            assert f"That `{g['of']}` foretells more than `{g['over']}`" in sentences
