"""What holds for every measure of the three panels, over random sessions."""

from __future__ import annotations

import importlib
import pkgutil
from typing import get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import turnwise.metrics
from turnwise.core.measure import measure
from turnwise.core.registry import METRICS, Panel
from turnwise.metrics.ruptures import ruptures_of
from turnwise.metrics.test_panel_sessions import exchanges, lengths, panel_sessions, random_said, seeds, session

for _module in pkgutil.iter_modules(turnwise.metrics.__path__):
    if not _module.name.startswith("test_"):
        importlib.import_module(f"turnwise.metrics.{_module.name}")

ENTRIES = [e for e in METRICS if e.spec["panel"] is not None and e.obj.__module__.startswith("turnwise.metrics.")]
NEW = [e for e in ENTRIES if e.base not in ("step_back_rate", "insist_rate")]
PANELS = {
    "bond": {"rupture_rate", "repair_latency", "resolution_rate", "step_back_rate", "insist_rate", "warmth_level"},
    "safety": {"risk_response", "over_reaction_rate", "claims_human_rate"},
    "epistemic": {
        "premature_soothing_rate", "emotion_information_yield", "unsupported_claim_rate", "contradicted_claim_rate",
        "bait_agreement_rate", "unasked_advice_rate", "withheld_help_rate", "leading_question_rate",
        "therapist_authorship_rate",
    },
}  # fmt: skip
FREQUENCIES = (
    "unasked_advice_rate", "leading_question_rate", "therapist_authorship_rate", "unsupported_claim_rate",
    "contradicted_claim_rate", "warmth_level",
)  # fmt: skip
OF_EXCHANGES = ("risk_response", "claims_human_rate", "bait_agreement_rate", "withheld_help_rate")


def values(t, names=None):
    return {e.base: measure(e, t) for e in NEW if names is None or e.base in names}


def test_every_panel_holds_its_measures_and_none_holds_a_total():
    assert set(PANELS) == set(get_args(Panel))
    for panel, names in PANELS.items():
        assert {e.base for e in ENTRIES if e.spec["panel"] == panel} >= names
    sources = [e.obj.__code__.co_names for e in NEW]
    assert not [names for names in sources if {e.base for e in ENTRIES} & set(names)], "a measure made of measures"


@pytest.mark.parametrize("entry", NEW, ids=lambda e: e.base)
def test_some_session_has_a_value_and_some_has_none(entry):
    found = [measure(entry, t) for t in panel_sessions()]
    assert {s.value is None for s in found} == {True, False}


@given(seeds, lengths, st.booleans())
@settings(max_examples=40, deadline=None)
def test_whitespace_changes_nothing(seed, n, truth):
    said = random_said(np.random.default_rng(seed), n)
    spaced = [(who, f" \t{text.replace(' ', '  ')}\n", labels) for who, text, labels in said]
    assert values(session(*spaced, truth=truth)) == values(session(*said, truth=truth))


@given(st.permutations(range(24)))
@settings(max_examples=10, deadline=None)
def test_the_order_of_sessions_changes_nothing(order):
    ts = panel_sessions()
    forward = [values(t) for t in ts]
    assert [values(ts[k]) for k in order] == [forward[k] for k in order]


@given(seeds, st.integers(0, 12), st.sampled_from("tp"))
@settings(max_examples=40, deadline=None)
def test_one_turn_or_one_speaker_is_never_an_exchange(seed, n, who):
    said = [x for x in random_said(np.random.default_rng(seed), 2 * n + 2) if x[0] == who][: n + 1]
    found = values(session(*said))
    alone = {"resolution_rate", "repair_latency", "premature_soothing_rate", "over_reaction_rate", *OF_EXCHANGES}
    assert {found[name].code for name in alone} == {"no_denominator"}
    if who == "p":
        assert {found[name].code for name in FREQUENCIES} == {"no_denominator"}
        assert found["rupture_rate"].value in (None, 0.0)
    else:
        assert found["rupture_rate"].code == "too_short"
        assert found["emotion_information_yield"].code == "no_denominator"
    one = values(session(said[0]))
    assert all(s.value is None or name in FREQUENCIES for name, s in one.items())


@given(seeds, lengths)
@settings(max_examples=40, deadline=None)
def test_turning_time_around_leaves_frequencies(seed, n):
    said = random_said(np.random.default_rng(seed), n)
    there, back = values(session(*said), FREQUENCIES), values(session(*said[::-1]), FREQUENCIES)
    assert {k: (s.n, s.code) for k, s in there.items()} == {k: (s.n, s.code) for k, s in back.items()}
    for name, score in there.items():
        assert score.value == pytest.approx(back[name].value)


@given(seeds, lengths)
@settings(max_examples=40, deadline=None)
def test_turning_the_order_of_exchanges_around_leaves_what_is_counted_per_exchange(seed, n):
    # A reply answers the patient's turn before it: (patient, therapist) pairs are what may change places.
    pairs = exchanges(random_said(np.random.default_rng(seed), n + 1)[1:])
    there = values(session(*[x for pair in pairs for x in pair]), OF_EXCHANGES)
    back = values(session(*[x for pair in pairs[::-1] for x in pair]), OF_EXCHANGES)
    for name, score in there.items():
        assert (score.n, score.code) == (back[name].n, back[name].code)
        assert score.value == pytest.approx(back[name].value)
    # A marker stands after a turn of the therapist's, so there the pairs are (therapist, patient).
    pairs = exchanges(random_said(np.random.default_rng(seed), n))
    rates = [values(session(*[x for pair in p for x in pair]), ("rupture_rate",)) for p in (pairs, pairs[::-1])]
    assert rates[0] == rates[1]


def test_turning_time_around_moves_latencies():
    on, back = ("t", "And?", {"yield_reply": "ignores"}), ("t", "I went too fast.", {"yield_reply": "steps_back"})
    against, quiet = ("p", "You're not listening.", {}), ("p", "Mm.", {})
    returns = ("p", "My brother drove over on Tuesday with photographs.", {})
    pairs = [(on, against), (back, quiet), (on, returns)]
    assert [r.latency for r in ruptures_of(session(*[x for p in pairs for x in p]))] == [2]
    assert ruptures_of(session(*[x for p in pairs[::-1] for x in p])) == ()
    later = [(on, against), (back, returns), (on, quiet)]
    assert [r.latency for r in ruptures_of(session(*[x for p in later for x in p]))] == [1]
