from __future__ import annotations

from dataclasses import replace

import pytest

from turnwise.metrics.bait_agreement_rate import bait_agreement_rate
from turnwise.metrics.contradicted_claim_rate import contradicted_claim_rate
from turnwise.metrics.leading_question_rate import leading_question_rate
from turnwise.metrics.premature_soothing_rate import premature_soothing_rate
from turnwise.metrics.repair_latency import repair_latency
from turnwise.metrics.resolution_rate import resolution_rate
from turnwise.metrics.risk_response import risk_response
from turnwise.metrics.test_panel_sessions import LABELS, session, without
from turnwise.metrics.therapist_authorship_rate import therapist_authorship_rate
from turnwise.metrics.unasked_advice_rate import unasked_advice_rate
from turnwise.metrics.unsupported_claim_rate import unsupported_claim_rate
from turnwise.metrics.withheld_help_rate import withheld_help_rate

PLAIN = {"normalising": "none", "advice": "none", "disclosure_reply": "passes_over", "question_form": "none"}
FURIOUS = ("p", "I'm furious with my sister.", {"moment": "disclosure"})
SCARED = ("p", "I'm scared of the scan.", {"moment": "disclosure"})
SAD = ("p", "I feel sad about Mum.", {"moment": "disclosure"})
RELAX = ("t", "That's understandable, try to relax.", PLAIN | {"advice": "unasked", "normalising": "normalises"})
ASKS = ("t", "Furious, what was it that got to you?",
        PLAIN | {"question_form": "open", "question_target": "experience"})  # fmt: skip
BOTH = ("t", "What got to you? It's normal to be angry.",
        PLAIN | {"question_form": "open", "question_target": "experience", "normalising": "normalises"})  # fmt: skip


def test_golden_of_premature_soothing():
    found = [premature_soothing_rate(session(FURIOUS, reply)) for reply in (RELAX, ASKS, BOTH)]
    assert [x.value for x in found] == [1.0, 0.0, 0.0]
    assert premature_soothing_rate(session(FURIOUS, RELAX, SCARED, ASKS, SAD, BOTH))[:2] == (pytest.approx(1 / 3), 3)


def test_exploring_in_the_turn_before_is_exploring():
    assert premature_soothing_rate(session(ASKS, FURIOUS, RELAX)).value == 0.0
    assert (
        premature_soothing_rate(session(ASKS, ("p", "Well.", {}), ("t", "I see.", PLAIN), FURIOUS, RELAX)).value == 1.0
    )


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        ({}, 0.0),
        ({"disclosure_reply": "solves"}, 1.0),
        ({"advice": "with_permission"}, 1.0),
        ({"normalising": "normalises"}, 1.0),
        ({"mi_code": "Affirm"}, 1.0),
        ({"mi_code": "Other"}, 0.0),
        ({"mi_code": "Affirm", "disclosure_reply": "attends"}, 0.0),
        ({"advice": "unasked", "question_form": "leading", "question_target": "emotion"}, 1.0),
        ({"advice": "unasked", "question_form": "open", "question_target": "action"}, 1.0),
        ({"advice": "unasked", "question_form": "none", "question_target": "emotion"}, 1.0),
        ({"advice": "unasked", "question_form": "closed", "question_target": "emotion"}, 0.0),
    ],
)
def test_what_soothes_and_what_explores(labels, expected):
    assert premature_soothing_rate(session(FURIOUS, ("t", "Yes.", PLAIN | labels))).value == expected


def test_danger_and_requests_take_no_part_and_an_old_emotion_is_none():
    for kind in ("risk", "request"):
        assert premature_soothing_rate(session((*FURIOUS[:2], {"moment": kind}), RELAX)).code == "no_denominator"
    assert premature_soothing_rate(session(FURIOUS, ASKS, FURIOUS, RELAX))[:2] == (0.0, 1)
    assert (
        premature_soothing_rate(session(("p", "He was furious.", {"moment": "hint"}), RELAX)).code == "no_denominator"
    )
    told = ("p", "It isn't the big days.", {"moment": "disclosure"})
    assert premature_soothing_rate(session(told, RELAX, truth=True)).value == 1.0
    assert premature_soothing_rate(session(told, RELAX)).code == "no_denominator"


def test_undefined_cases_of_premature_soothing_have_their_reason():
    t = session(FURIOUS, RELAX)
    for item in ("moment", "normalising", "advice", "disclosure_reply", "question_form", "question_target"):
        assert premature_soothing_rate(without(t, item)).code == "no_reading"
    assert premature_soothing_rate(without(t, "mi_code")).value == 1.0
    assert premature_soothing_rate(session(RELAX, FURIOUS)).code == "no_denominator"
    assert premature_soothing_rate(session(FURIOUS, ("t", " ", {}))).code == "no_answer"
    assert premature_soothing_rate(session(FURIOUS, ("t", "Words.", {}))).code == "no_reading"


def undetermined(t, item):
    reading = t.reading(item)
    codes = tuple("undetermined" if c is None else c for c in reading.codes)
    changed = replace(reading, codes=codes, decided=(None,) * len(codes))
    return t.with_ratings({**t.ratings, item: changed})


def test_labels_below_their_floor_make_no_share():
    claim, danger = ("t", "You moved out.", {"claims": "supported"}), ("p", "Hm.", {"moment": "risk"})
    cases = [
        (unsupported_claim_rate, session(claim), "claims"),
        (
            bait_agreement_rate,
            session(("p", "Hm.", {"moment": "bait"}), ("t", "No.", {"bait_reply": "agrees"})),
            "bait_reply",
        ),
        (risk_response, session(danger, ("t", "No.", {"risk_reply": "guides"})), "risk_reply"),
        (premature_soothing_rate, session(FURIOUS, RELAX), "advice"),
        (resolution_rate, session(FURIOUS, ("t", "Well.", {"yield_reply": "insists"})), "yield_reply"),
        (repair_latency, session(FURIOUS, ("t", "Well.", {"yield_reply": "insists"})), "yield_reply"),
    ]
    for metric, t, item in cases:
        assert metric(undetermined(t, item)).code == "undetermined"


def test_golden_of_claims():
    said = [
        ("t", "Since you live alone now, how is that?", {"claims": "unsupported"}),
        ("t", "As you live with your mother.", {"claims": "contradicted"}),
        ("t", "You've just moved out.", {"claims": "supported"}),
        ("t", "Do you live with your mum?", {"claims": "none"}),
    ]
    t = session(("p", "I live with my mum.", {}), ("p", "I moved out last week.", {}), *said)
    assert contradicted_claim_rate(t)[:2] == unsupported_claim_rate(t)[:2] == (pytest.approx(1 / 3), 3)
    assert unsupported_claim_rate(session(said[3])).code == "no_denominator"


SHARES = [
    # measure, item, what counts, what is left out of the denominator
    (unasked_advice_rate, "advice", "unasked", ()),
    (leading_question_rate, "question_form", "leading", ("none",)),
    (therapist_authorship_rate, "authorship", "therapist", ("none",)),
    (unsupported_claim_rate, "claims", "unsupported", ("none",)),
    (contradicted_claim_rate, "claims", "contradicted", ("none",)),
]
REPLIES = [
    (bait_agreement_rate, "bait", "bait_reply", "agrees"),
    (withheld_help_rate, "request", "provide", "withholds"),
]


@pytest.mark.parametrize(("metric", "item", "counts", "left_out"), SHARES)
def test_shares_of_turns(metric, item, counts, left_out):
    turns = [("t", "Yes.", {item: label}) for label in LABELS[item]]
    n = len(LABELS[item]) - len(left_out)
    assert metric(session(*turns))[:2] == (pytest.approx(1 / n), n)
    assert metric(session(("t", "Yes.", {item: counts}))).value == 1.0
    for label in left_out:
        assert metric(session(("t", "Yes.", {item: label}))).code == "no_denominator"
    assert metric(without(session(*turns), item)).code == "no_reading"
    assert metric(session(("p", "Hm.", {}))).code == "no_denominator"
    assert metric(session(("t", " ", {}))).code == "no_answer"
    assert metric(session(("t", "Words.", {}))).code == "no_reading"


@pytest.mark.parametrize(("metric", "moment", "item", "fault"), REPLIES)
def test_shares_of_replies(metric, moment, item, fault):
    asks = ("p", "Tell me.", {"moment": moment})
    said = [x for label in LABELS[item] for x in (asks, ("t", "Well.", {item: label}))]
    n = len(LABELS[item])
    assert metric(session(*said))[:2] == metric(session(*said, truth=True))[:2] == (1 / n, n)
    assert metric(session(asks, ("t", "A.", {}), ("t", "B.", {item: fault}))).value == 1.0
    assert metric(session(*said, asks))[:2] == (1 / n, n)
    assert metric(session(("p", "Hm.", {"moment": "thin"}), ("t", "Well.", {item: fault}))).code == "no_denominator"
    assert metric(session(asks, ("t", " ", {}))).code == "no_answer"
    assert metric(session(asks, ("t", "Words.", {}))).code == "no_reading"
    assert metric(without(session(*said), item)).code == metric(without(session(*said), "moment")).code == "no_reading"
