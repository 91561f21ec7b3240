import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.core.nouns import Trajectory
from turnwise.metrics.exchanges import Exchange, exchange_rates, exchanges_of
from turnwise.metrics.insist_rate import insist_rate, insist_rate_v2
from turnwise.metrics.step_back_rate import step_back_rate, step_back_rate_v2
from turnwise.metrics.test_sessions import label_strings, labelled, with_replies

S_VAL, CH_INV, CH_VAL = (
    Exchange("support", "validate"), Exchange("challenge", "invalidate"), Exchange("challenge", "validate"),
)  # fmt: skip
exchanges = st.lists(
    st.builds(
        Exchange,
        st.sampled_from(["support", "challenge", "silence", None]),
        st.sampled_from(["validate", "ambivalent", "invalidate", "other", None]),
    ),
    max_size=15,
)


def test_golden_of_the_tccs():
    rates = exchange_rates([S_VAL, CH_INV, CH_INV, S_VAL, CH_VAL])
    assert rates.collaboration.value == 0.6
    assert (rates.step_back[:2], rates.insist[:2]) == ((0.5, 2), (0.5, 2))
    assert rates.reach.value == 1.0
    assert rates.recovery.value == 1.0


def test_no_invalidation_is_a_fact_about_the_patient():
    rates = exchange_rates([S_VAL, S_VAL])
    assert rates.step_back.code == rates.insist.code == rates.recovery.code == "no_denominator"
    assert "never resisted" in rates.step_back.detail


@given(exchanges)
def test_rates_are_shares_and_step_back_and_insist_exclude_each_other(found: list[Exchange]):
    rates = exchange_rates(found)
    for rate in (rates.collaboration, rates.step_back, rates.insist, rates.reach):
        assert (rate.value is None) == (rate.code is not None)
        assert rate.value is None or (0.0 <= rate.value <= 1.0 and rate.n >= 1)
    assert rates.recovery.value is None or -1.0 <= rates.recovery.value <= 1.0
    if rates.step_back.value is not None:
        total = rates.step_back.value + rates.insist.value
        assert total <= 1.0 + 1e-12
        if all(e.therapist != "silence" for e in found):
            assert total == pytest.approx(1.0)


# --- sessions ---------------------------------------------------------------------------------


def with_moments(t: Trajectory, where: set[int]) -> Trajectory:
    infos = tuple(
        {"moment": "invalidation" if i in where else None} if turn.speaker == "patient" else {}
        for i, turn in enumerate(t.turns)
    )
    return t.model_copy(update={"infos": infos})


def test_golden_of_the_tccs_through_the_proxy():
    # (S, val) (Ch, inv) (Ch, inv) (S, val) (Ch, val)
    t = labelled("rCiSiSqCiC")
    assert step_back_rate(t)[:2] == insist_rate(t)[:2] == (0.5, 2)


def test_truth_decides_where_the_simulation_emits_moments():
    t = labelled("rCiSiSqCiC")
    moved = with_moments(t, {7})  # only the fourth answer resists; the therapist then gives input
    assert insist_rate(moved)[:2] == (1.0, 1)
    assert insist_rate(with_moments(t, set())).code == "no_denominator"
    without_talk = moved.with_ratings({k: v for k, v in moved.ratings.items() if k != "client_talk"})
    assert insist_rate(without_talk) == insist_rate(moved)
    assert insist_rate(t.with_ratings(without_talk.ratings)).code == "no_reading"
    assert insist_rate(t.with_ratings({})).code == "no_reading"


def test_last_turn_without_an_answer_is_dropped():
    assert step_back_rate(labelled("iSr")).code == "no_denominator"
    assert step_back_rate(labelled("iSrC"))[:2] == (1.0, 1)


def test_silence_neither_steps_back_nor_insists_but_counts():
    t = labelled("iStSqC")
    assert step_back_rate(t)[:2] == (0.5, 2)
    assert insist_rate(t)[:2] == (0.0, 2)
    assert step_back_rate(labelled("iSxSqC"))[:2] == (1.0, 1)  # words nobody could read are left out


def test_neighbouring_turns_of_one_speaker_are_merged():
    assert exchanges_of(labelled("SriCSoqN")) == (Exchange("challenge", "invalidate"), Exchange("support", "other"))
    assert exchanges_of(labelled("qy")) == (Exchange("support", None),)


@given(label_strings)
def test_every_label_is_used_and_the_two_rates_share_their_n(letters: str):
    t = labelled(letters)
    back, insist = step_back_rate(t), insist_rate(t)
    assert back.n == insist.n
    assert back.code == insist.code
    meek = letters.replace("i", "q")
    assert insist_rate(labelled(meek)).value in (None, 0.0)


def test_an_apology_is_no_insisting_for_the_second_version():
    t = labelled("iSiSqCiC")  # input after pushback at 2, and a question after pushback at 4
    assert insist_rate(t)[:2] == (0.5, 2)
    assert insist_rate_v2(t).code == step_back_rate_v2(t).code == "no_reading"
    assert insist_rate_v2(with_replies(t, {}))[:2] == (0.5, 2), "input that insists still insists"
    apologised = with_replies(t, {2: "steps_back"})
    assert insist_rate_v2(apologised)[:2] == (0.0, 2)
    assert step_back_rate_v2(apologised)[:2] == (1.0, 2)
    assert insist_rate(apologised) == insist_rate(t), "the first version stays as it was"
