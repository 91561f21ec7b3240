"""The table of measures, the bands that ship, and the verdict."""

from __future__ import annotations

import json
import math
from importlib.resources import files
from typing import Any

import numpy as np
import pytest

from turnwise.batteries.conformance.judging import judge, passed
from turnwise.batteries.conformance.measures import MEASURES
from turnwise.batteries.conformance.played import Human, Played, human_of
from turnwise.batteries.conformance.published import PUBLISHED
from turnwise.batteries.conformance.talk import talk_distance
from turnwise.batteries.conformance.test_made_sessions import made
from turnwise.core.nouns import Case, Intake, Score, unscored

BANDS: dict[str, Any] = json.loads(
    files("turnwise.batteries.conformance").joinpath("bands.json").read_text(encoding="utf-8")
)


def case(modality: str | None = None) -> Case:
    truth: dict[str, Any] = {"voice": {"modality": modality}} if modality else {}
    return Case(id="c", intake=Intake(), truth=truth, source="x", licence="x")


@pytest.fixture(params=["spoken", "typed"])
def human(request: pytest.FixtureRequest) -> Human:
    return human_of(BANDS, case(request.param))


def inside(human: Human) -> dict[str, Score]:
    """A figure in the middle of every band."""
    found = {}
    for m in MEASURES:
        low, high = m.band(human).low, m.band(human).high
        ends = [x for x in (low, high) if x is not None]
        found[m.name] = Score(sum(ends) / len(ends) if ends else 1.0, 100)
    return found


def test_everything_inside_passes_and_each_gated_measure_alone_can_fail(human: Human) -> None:
    fine = inside(human)
    assert passed(judge(fine, human))
    for m in MEASURES:
        for end, step in ((m.band(human).low, -1.0), (m.band(human).high, 1.0)):
            if end is not None:
                judged = judge({**fine, m.name: Score(end + step, 100)}, human)
                assert passed(judged) is not m.gated
                assert [j.measure.name for j in judged if j.verdict == "fail"] == [m.name]


def test_what_could_not_be_measured_does_not_pass(human: Human) -> None:
    for m in (m for m in MEASURES if m.gated):
        judged = judge({**inside(human), m.name: unscored("needs_truth", "no state")}, human)
        assert not passed(judged)
        assert [j.verdict for j in judged if j.measure is m] == ["undetermined"]
    without = inside(human)
    del without["mtld"]
    assert [j.measure.name for j in judge(without, human) if j.fails] == ["mtld"]


def test_every_gated_measure_has_a_band_with_a_source(human: Human) -> None:
    for m in MEASURES:
        band = m.band(human)
        assert band.source
        assert not m.gated or (band.low, band.high) != (None, None)
        if band.low is not None and band.high is not None:
            assert band.low <= band.high
    assert len({m.name for m in MEASURES}) == len(MEASURES)


def test_published_rows_speak_of_measures_that_exist() -> None:
    assert {r.measure for r in PUBLISHED} <= {m.name for m in MEASURES}


def test_the_issue_sets_these_bands(human: Human) -> None:
    bands = {m.name: (m.band(human).low, m.band(human).high) for m in MEASURES}
    assert bands["words_median"] == (7, 20)
    assert bands["words_spread"] == (0.8, None)
    assert bands["identical_over_seeds"] == (None, 0.25)
    assert bands["recovered_at_best"] == (None, 0.15)
    assert bands["path_shapes"] == (3, None)
    assert bands["fit_long_minus_short"] == (-0.1, None)
    assert bands["beats_again"] == (None, 0)


# shared/patients.md 1.3, recomputed there from AnnoMI: n, quartiles, share of three words or fewer
SPOKEN = {
    "open question": (405, 8, 17, 35, 0.11),
    "closed question": (338, 2, 9, 23, 0.34),
    "simple reflection": (297, 1, 2, 10, 0.64),
    "complex reflection": (369, 1, 3, 15, 0.53),
    "information": (206, 1, 4, 11, 0.50),
    "other": (791, 3, 9, 19, 0.27),
}


@pytest.mark.parametrize("move", SPOKEN)
def test_bands_by_move_are_those_of_the_design_note(move: str) -> None:
    row = BANDS["modalities"]["spoken"]["words_by_move"][move]
    n, *quartiles, short = SPOKEN[move]
    assert row["n"] == n
    assert [round(row["quantiles"][q]) for q in ("25", "50", "75")] == quartiles
    assert row["short_share"] == pytest.approx(short, abs=0.005)


def test_bands_of_both_modalities_agree_with_measures_23() -> None:
    spoken, typed = (BANDS["modalities"][m]["words"] for m in ("spoken", "typed"))
    assert (spoken["n"], spoken["quantiles"]["50"], round(spoken["mean"], 2)) == (2530, 7, 15.25)
    assert (typed["n"], typed["quantiles"]["50"], round(typed["mean"], 2)) == (14198, 12, 14.95)
    assert (round(spoken["sd"], 2), round(typed["sd"], 2)) == (20.76, 12.79)
    assert "no text" in BANDS["licence"]


def test_bands_hold_figures_and_names_only() -> None:
    def texts(x: Any) -> list[str]:
        inner = list(x.values()) if isinstance(x, dict) else x if isinstance(x, list) else []
        return [t for y in inner for t in texts(y)] + ([x] if isinstance(x, str) else [])

    assert max(len(t.split()) for t in texts(BANDS["modalities"])) < 15


def test_cases_are_compared_in_their_own_modality() -> None:
    assert human_of(BANDS, case("typed")).modality == "typed"
    assert human_of(BANDS, case()).modality == "spoken"
    assert human_of(BANDS, case("typed")).quantile("mtld", 50) > human_of(BANDS, case("spoken")).quantile("mtld", 50)


SUBJECTS = "dog garden brother kitchen winter letter doctor football sister window".split()


@pytest.mark.parametrize(("off", "within"), [(0, True), (3, False)])
def test_answers_to_other_questions_fail_where_answers_to_their_own_pass(human: Human, off: int, within: bool) -> None:
    turned = SUBJECTS[off:] + SUBJECTS[:off]
    lines = [x for s, o in zip(SUBJECTS, turned, strict=True) for x in (f"What about the {s}?", f"My {o} is old.")]
    (measure,) = [m for m in MEASURES if m.name == "question_fit"]
    judged = judge({"question_fit": measure.of(Played(case(), (made(*lines),)), human)}, human)
    assert [j.verdict == "pass" for j in judged if j.measure is measure] == [within]


def test_people_are_above_the_bound_that_shuffled_people_set(human: Human) -> None:
    fit = human.figures["question_fit"]
    (measure,) = [m for m in MEASURES if m.name == "question_fit"]
    low = measure.band(human).low
    assert low is not None
    assert fit["shuffled"]["quantiles"]["50"] < low < fit["value"] / 3


def test_a_patient_whose_talk_never_leans_lies_outside(human: Human) -> None:
    (measure,) = [m for m in MEASURES if m.name == "talk_transitions"]
    high = measure.band(human).high
    for kind in range(3):
        counts = np.zeros((3, 3))
        counts[kind, kind] = 100.0
        distance = talk_distance(counts, human.figures["talk_read"]["counts"]).value
        assert high is not None
        assert distance is not None
        assert distance > high


def test_sessions_without_a_spoken_word_of_the_therapist_are_no_conversation() -> None:
    talk, silence = made("Hello.", "Hi."), made("...", "Sorry?")
    assert Played(case(), (talk, silence)).spoken_to == [talk]


def test_every_measure_gives_a_reason_on_nothing(human: Human) -> None:
    for m in MEASURES:
        score = m.of(Played(case(), ()), human)
        assert (score.value is None) == (score.code is not None)
        assert score.value is None or math.isfinite(score.value)
    assert not passed(judge({m.name: m.of(Played(case(), ()), human) for m in MEASURES}, human))
