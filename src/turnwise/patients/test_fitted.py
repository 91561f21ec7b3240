"""The fitted family: it is what its card says, moves as its weights say, and keeps within bounds."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.core.checkers import check_patient
from turnwise.core.registry import PATIENTS
from turnwise.patients.after_speaking import after_telling
from turnwise.patients.casebook import load_case
from turnwise.patients.change_sizes import VALUES
from turnwise.patients.dynamics import Impact, Mind
from turnwise.patients.fitted import fitted, fitted_step, fitted_step_many, moves_of
from turnwise.patients.mind import Columns, columns_of
from turnwise.patients.principles import PRINCIPLES, panel
from turnwise.patients.test_stub_ear import RuleEar
from turnwise.patients.transition_model import FEATURES, features, load_transitions, p_talk, talk_level

unit = st.floats(0.0, 1.0)
luck = st.tuples(st.floats(0.0, 0.999), st.floats(-4, 4))
minds = st.builds(
    Mind, trust=unit, distress=unit, conviction=unit, leaning=unit, talk=unit, last_talk=st.integers(0, 2)
)
impacts = st.builds(
    Impact, reflection=unit, questions=st.integers(0, 4), advice=unit, challenge=unit, words=st.integers(0, 400),
    silence=st.booleans(), evidence_question=st.booleans(),
)  # fmt: skip


@given(st.lists(st.tuples(minds, impacts, luck), min_size=1, max_size=5))
def test_one_mind_and_many_are_moved_alike_to_the_last_bit(
    rows: list[tuple[Mind, Impact, tuple[float, float]]],
) -> None:
    together = columns_of([m for m, _, _ in rows]), columns_of([h for _, h, _ in rows])
    many = fitted_step_many(*together, np.array([z for _, _, z in rows]))
    for i, (m, h, z) in enumerate(rows):
        one, _ = fitted_step(m, h, z)
        for name in ("trust", "reactance", "distress", "conviction", "met", "leaning", "talk", "last_talk", "turn"):
            assert getattr(one, name) == many.of[name][i], name


@given(minds, impacts, luck)
def test_everything_stays_in_bounds_and_silence_moves_nothing(m: Mind, h: Impact, z: tuple[float, float]) -> None:
    after, why = fitted_step(m, h, z)
    for name in ("trust", "reactance", "distress", "conviction", "met", "leaning", "talk"):
        assert 0.0 <= getattr(after, name) <= 1.0
    assert bool(why) == (not h.silence)
    if h.silence:
        assert (after.trust, after.reactance, after.leaning) == (m.trust, m.reactance, m.leaning)
    assert abs(sum(moves_of(h)) - 1.0) < 1e-9


def test_that_telling_stirs_is_a_principle_and_not_theirs() -> None:
    mind = fitted(ear=RuleEar()).init(load_case("alun"), np.random.default_rng(1)).mind
    assert mind.sizes.name == "fitted"
    assert after_telling(mind, 0.9) == mind != after_telling(replace(mind, sizes=VALUES), 0.9)


def test_talk_comes_as_often_as_the_weights_say() -> None:
    n = 40_000
    uniform = (np.arange(n) + 0.5) / n
    people = columns_of([Mind()] * 2)
    people = Columns({name: np.repeat(x[:1], n) for name, x in people.of.items()}, people.sizes)
    heard = Impact(questions=1, words=12)
    after = fitted_step_many(people, heard, np.column_stack([uniform, np.zeros(n)]))
    said = np.bincount(after.last_talk, minlength=3) / n
    x = features(moves_of(heard), 12, 1, 0.5, 0.45)
    assert said == pytest.approx(p_talk(x, load_transitions()["weights"]["talk"]), abs=1e-4)


def test_talk_feeds_on_itself_and_a_question_draws_more_words_than_a_reflection() -> None:
    w = load_transitions()["weights"]
    calm, sour = (p_talk(features((1, 0, 0, 0), 10, k, lean, 0.5), w["talk"]) for k, lean in ((0, 0.2), (2, 0.8)))
    assert sour[2] > 2 * calm[2]
    assert calm[0] > sour[0]
    asked, reflected = (fitted_step(Mind(), h, (0.5, 0.0))[0] for h in (Impact(questions=1), Impact(reflection=1.0)))
    assert asked.talk > reflected.talk


def test_the_card_says_what_it_rests_on_and_what_it_does_not_show() -> None:
    card = load_transitions()["card"]
    assert "NC" in card["licence"]
    held_out = card["held_out"]
    assert set(held_out) == {"talk", "length", "helpfulness", "easing"}
    assert held_out["length"]["interval"][0] > 0.0
    assert held_out["talk"]["with_input"] > held_out["talk"]["shares"]
    for name, e in held_out.items():
        assert e["n"] > 100
        # Whatever could not be shown is said, and nothing else is said to be so.
        gain = f"gain {e['gain_over_no_input']:+.4f}"
        assert any(gain in sentence for sentence in card["not_shown"]) == (e["interval"][0] <= 0.0), name
    assert any("leaves" in sentence for sentence in card["not_shown"])
    assert len(load_transitions()["weights"]["talk"]["change"]) == len(FEATURES)
    assert float(talk_level(400)) == 1.0


def test_people_in_transcripts_do_not_keep_every_principle() -> None:
    rng = np.random.default_rng(8)
    people, dice = panel(rng, 300), np.random.default_rng(9)

    def step(m: Columns, heard: Columns | Impact, noise: object = 0.0) -> Columns:
        return fitted_step_many(m, heard, np.column_stack([np.full(300, 0.5), np.zeros(300)]))

    kept = {name for name, p in PRINCIPLES.items() if p.holds(people, step, dice.standard_normal(300)).all()}
    assert {"silence", "natural_course"} <= kept
    assert {"edge", "accuracy", "parrot", "invited_help"} & kept == set()


def test_a_session_with_a_fitted_patient_keeps_the_contract_and_tells_its_talk() -> None:
    t = check_patient(
        "fitted.v1", lambda: fitted(ear=RuleEar()), load_case("alun"), PATIENTS.get("fitted").spec["emits"]
    )
    said = [i for i in t.infos if "talk" in i]
    assert {i["talk"] for i in said} <= {"change", "neutral", "sustain"}
    assert len({i["leaning"] for i in said}) > 1


def test_gains_of_the_case_survive_a_turn() -> None:
    m = replace(Mind(), gain=(("advice", 1.5),))
    assert fitted_step(m, Impact(), (0.5, 0.0))[0].gain == m.gain
