"""Every stated principle of change as a property over any state (by construction, so no finding)."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from turnwise.patients.change_sizes import CONSTANTS
from turnwise.patients.dynamics import (
    Impact,
    Mind,
    after_insight,
    after_pushback,
    may_have_insight,
    openness,
    p_leaves,
    sayable_level,
    step,
    working_edge,
)

unit = st.floats(0.02, 0.98)
noise = st.floats(-3, 3)
minds = st.builds(
    Mind, trust=unit, reactance=unit, distress=unit, conviction=unit, met=st.floats(0, 0.2), turn=st.integers(0, 25)
)
impacts = st.builds(
    Impact,
    reflection=st.floats(0, 1), accuracy=st.floats(0, 1), names_feeling=st.booleans(), wrong_feeling=st.booleans(),
    copy=st.booleans(), questions=st.integers(0, 5), words=st.integers(0, 300), advice=st.floats(0, 1),
    invited=st.booleans(), challenge=st.floats(0, 1), praises=st.booleans(), reassures=st.booleans(),
    accuses=st.booleans(), repairs=st.booleans(), repeated=st.booleans(), silence=st.booleans(),
)  # fmt: skip
FITTING = Impact(reflection=0.9, accuracy=1.0, names_feeling=True)
ADVICE = Impact(advice=0.9)
CHALLENGE = Impact(challenge=0.9)
NOTHING = Impact(silence=True, words=0)


def run(m: Mind, impact: Impact, n: int) -> Mind:
    for _ in range(n):
        m, _ = step(m, impact)
    return m


@given(minds, impacts, noise)
def test_everything_stays_between_zero_and_one(m: Mind, impact: Impact, z: float) -> None:
    after, _ = step(m, impact, z)
    values = (after.trust, after.reactance, after.distress, after.conviction, after.met, openness(after), after.tasks)
    assert all(0.0 <= v <= 1.0 for v in values)
    assert sayable_level(after) in (0, 1, 2, 3)


@given(minds, noise)
def test_support_lowers_reactance_and_raises_trust(m: Mind, z: float) -> None:
    after, _ = step(m, FITTING, z)
    assert after.reactance < step(m, Impact(), z)[0].reactance or after.reactance == 0.0
    assert after.trust > m.trust
    assert openness(after) >= openness(m) - m.met * 0.4


@given(minds, noise)
def test_a_challenge_beyond_the_edge_costs_and_one_within_it_does_not(m: Mind, z: float) -> None:
    after, _ = step(m, CHALLENGE, z)
    plain, _ = step(m, Impact(), z)
    if working_edge(m) < 0:
        assert after.trust < m.trust
        assert after.reactance >= plain.reactance
        assert after.conviction >= m.conviction
    else:
        assert after.trust == plain.trust
        assert after.reactance == plain.reactance


@given(minds, noise)
def test_early_advice_closes_more_so_on_a_raw_feeling_and_asked_for_help_opens(m: Mind, z: float) -> None:
    early = replace(m, turn=2)
    plain, advised = step(early, Impact(), z)[0], step(early, ADVICE, z)[0]
    raw, invited = step(early, replace(ADVICE, raw=0.8), z)[0], step(early, replace(ADVICE, invited=True), z)[0]
    assert openness(advised) < openness(plain) or openness(plain) == 0.0
    assert openness(raw) <= openness(advised)
    assert openness(invited) > openness(plain) or openness(plain) == 0.0
    assert openness(invited) >= openness(advised)


@given(minds, noise, st.floats(0.4, 1), st.floats(0, 0.9))
def test_accurate_reflection_beats_inaccurate(m: Mind, z: float, p: float, accuracy: float) -> None:
    right = step(m, Impact(reflection=p, accuracy=1.0), z)[0]
    worse = step(m, Impact(reflection=p, accuracy=accuracy), z)[0]
    wrong = step(m, Impact(reflection=p, accuracy=accuracy, wrong_feeling=True), z)[0]
    assert right.trust > worse.trust > wrong.trust or (accuracy == 0 and right.trust > worse.trust >= m.trust)
    assert openness(right) >= openness(worse) >= openness(wrong)


@given(minds, noise)
def test_asserting_the_right_belief_does_not_lower_conviction_and_own_evidence_does(m: Mind, z: float) -> None:
    for told in (Impact(counters=True), Impact(reassures=True), Impact(counters=True, praises=True, reassures=True)):
        assert run(m, told, 10).conviction >= m.conviction
    assert after_insight(m).conviction < m.conviction


def test_an_insight_needs_questions_evidence_trust_and_time() -> None:
    ready = Mind(trust=0.6, evidence_asked=2, evidence_told=1, turn=9)
    assert may_have_insight(ready)
    for missing in ({"trust": 0.4}, {"evidence_asked": 1}, {"evidence_told": 0}, {"insight_turn": 8}, {"insights": 3}):
        assert not may_have_insight(replace(ready, **missing))  # type: ignore[arg-type]


@given(minds, noise)
def test_agreeing_with_a_harmful_belief_pleases_now_and_strengthens_it(m: Mind, z: float) -> None:
    after, _ = step(m, Impact(agrees_harmful=True), z)
    assert after.trust > m.trust
    assert after.conviction > m.conviction or m.conviction > 0.97


@given(minds, noise)
def test_saying_it_again_says_less(m: Mind, z: float) -> None:
    fresh, stale = step(m, FITTING, z)[0], step(m, replace(FITTING, repeated=True), z)[0]
    assert m.trust < stale.trust < fresh.trust
    first, second = run(m, Impact(normalises=True), 1), run(m, Impact(normalises=True), 2)
    assert second.trust - first.trust < first.trust - m.trust


@settings(max_examples=50)
@given(st.floats(0.1, 0.6), st.floats(0.3, 0.8))
def test_insisting_loses_the_patient_sooner_than_stepping_back(trust: float, reactance: float) -> None:
    def stays(second: Impact) -> float:
        m, left = Mind(trust=trust, reactance=reactance), 1.0
        for i in range(16):
            m, _ = step(m, CHALLENGE if i % 2 == 0 else second)
            left *= 1.0 - p_leaves(m)
        return left

    back = stays(Impact(reflection=0.8, accuracy=0.6, yields=True))
    assert back >= stays(CHALLENGE)
    assert stays(CHALLENGE) < 0.6


@given(minds)
def test_praise_alone_lifts_trust_by_at_most_a_tenth(m: Mind) -> None:
    assert run(m, Impact(praises=True), 30).trust - m.trust <= 0.1


@given(minds)
def test_a_silent_therapist_changes_almost_nothing(m: Mind) -> None:
    after = run(m, NOTHING, 30)
    for name in ("trust", "reactance", "distress", "conviction"):
        assert abs(getattr(after, name) - getattr(m, name)) < 1e-9


@given(minds)
def test_a_parrot_stays_below_a_reflector(m: Mind) -> None:
    parrot, reflector = run(m, replace(FITTING, copy=True, names_feeling=False), 10), run(m, FITTING, 10)
    assert parrot.trust < reflector.trust
    assert parrot.trust <= m.trust


@given(minds)
def test_a_repair_helps_where_there_is_trouble_and_less_each_time(m: Mind) -> None:
    angry = replace(m, reactance=0.6, trust=min(m.trust, 0.8))
    once, _ = step(angry, Impact(repairs=True))
    assert once.reactance < 0.4
    assert once.trust - angry.trust > 0.03
    again, _ = step(replace(angry, repairs=3), Impact(repairs=True))
    assert again.trust - angry.trust < once.trust - angry.trust


@given(minds)
def test_a_reflection_after_a_correction_counts_extra(m: Mind) -> None:
    wrong, _ = step(m, Impact(reflection=0.9, accuracy=0.2, wrong_feeling=True))
    assert step(wrong, FITTING)[0].trust > step(replace(wrong, corrected=False), FITTING)[0].trust or m.trust > 0.9


@given(minds, impacts, noise)
def test_noise_never_turns_a_sign(m: Mind, impact: Impact, z: float) -> None:
    still, moved = step(m, impact, 0.0)[0], step(m, impact, z)[0]
    for name in ("trust", "distress", "conviction"):
        a, b = getattr(still, name) - getattr(m, name), getattr(moved, name) - getattr(m, name)
        assert a * b >= 0.0


def test_every_size_has_a_source() -> None:
    assert all(len(source) > 15 for _, source in CONSTANTS.values())


@given(minds, st.floats(-2, 2))
def test_pressing_on_after_pushback_costs_what_going_along_with_it_repairs(m: Mind, noise: float) -> None:
    pushed = after_pushback(m)
    assert pushed.reactance >= 0.3
    assert openness(pushed) <= openness(m)
    with_it, _ = step(pushed, Impact(yields=True), noise)
    against, _ = step(pushed, Impact(challenge=0.9, questions=1), noise)
    assert with_it.trust >= against.trust
    assert with_it.reactance <= against.reactance
    assert step(against, Impact(yields=True), noise)[1] != step(pushed, Impact(yields=True), noise)[1]  # once only


@given(minds)
def test_drawing_back_is_not_said_in_irritation_and_still_waits_for_an_answer(m: Mind) -> None:
    drawn_back = after_pushback(m, confronts=False)
    assert drawn_back.reactance == m.reactance
    assert drawn_back.pushed_back
