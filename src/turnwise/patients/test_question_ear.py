"""How a question finds its answer: the table of known questions, the ranking, what the card promises."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from turnwise.patients.asked import NEARNESS, asked_table
from turnwise.patients.casebook import case_ids, load_case
from turnwise.patients.index import index_case
from turnwise.patients.package_data import read_document
from turnwise.patients.ranking import FEATURES, Query, begun_before, features, load_ranker
from turnwise.patients.words import content_words
from turnwise.reading.ears.intent_coder import load_intent_coder
from turnwise.reading.ears.intents import INTENTS, as_risk, paraphrases, plain, read_intent
from turnwise.reading.ears.question_space import encode_questions
from turnwise.reading.encoder import encode

ASKS = [["When did it start?", "How long has it been like this?"], [], ["Who helps you at home?"]]


def test_a_known_question_is_nearest_to_its_own_option_and_not_when_it_is_left_out() -> None:
    table = asked_table(ASKS, content_words)
    near = table.nearness(read_intent("Who helps you at home?"))
    assert near.shape == (3, len(NEARNESS))
    assert near[:, 0].argmax() == 2
    assert near[2, 0] == pytest.approx(1.0, abs=1e-5)
    assert near[2, NEARNESS.index("uncovered")] == 0.0
    without = table.nearness(read_intent("Who helps you at home?"), np.array([2]))
    assert without[2, 0] == 0.0
    assert (near[1] == [0, 0, 0, 0, 1, 1, 0, 0, 0]).all()  # an option without questions is near to nothing


@settings(max_examples=40, deadline=None)
@given(st.text(max_size=60))
def test_any_question_gets_one_distribution_over_everything_a_case_can_say(text: str) -> None:
    index = index_case(load_case("jordan"))
    x = features(index, Query(read_intent(text), text))
    assert x.shape == (len(index.options), len(FEATURES))
    assert np.isfinite(x).all()
    assert np.exp(load_ranker().scores(x)).sum() == pytest.approx(1.0)
    assert read_intent(text).p.sum() == pytest.approx(1.0)


def test_the_blocks_of_the_features_are_apart() -> None:
    index = index_case(load_case("alun"))
    x = features(index, Query(read_intent("Do you sleep?"), "Do you sleep?", "yes_no"))
    kinds = np.array([f.partition(".")[0] for f in FEATURES])
    n_t = len(index.order)
    assert not x[:n_t, kinds != "telling"].any()
    assert not x[n_t : n_t + len(index.propositions), kinds != "proposition"].any()
    assert x[-1, FEATURES.index("nothing.bias")] == 1.0


@pytest.mark.parametrize("case", case_ids())
def test_known_questions_find_their_option(case: str) -> None:
    """The weights were fitted on these, so this is a floor and no figure: it falls when something is broken."""
    index = index_case(load_case(case))
    ranker, right = load_ranker(), []
    for i, t in enumerate(index.file.tellings):
        for ask in t.asks[:1]:
            q = Query(read_intent(ask), ask, "wh", frozenset({t.topic}), t.topic, index.topics_in(ask))
            right.append(int(ranker.scores(features(index, q)).argmax()) == i)
    assert np.mean(right) > 0.8


def test_the_classifier_knows_its_own_catalogue_and_sees_word_order() -> None:
    coder = load_intent_coder()
    asks = [(plain(a), i) for i, name in enumerate(INTENTS) for a in paraphrases()[name]]
    hits = [int(coder.probabilities(t, encode([t])[0]).argmax()) == i for t, i in asks]
    assert np.mean(hits) > 0.8


def test_questions_with_one_answer_lie_nearer_in_the_space_of_questions() -> None:
    """Over the catalogue, which the space was not fitted on: paraphrases of one intent against those of others."""
    asks = [(plain(a), i) for i, name in enumerate(INTENTS) for a in paraphrases()[name]]
    same = np.array([[i == j for _, j in asks] for _, i in asks]) & ~np.eye(len(asks), dtype=bool)
    found = []
    for e in (encode, encode_questions):
        v = e([t for t, _ in asks])
        cosine = v @ v.T - 2.0 * np.eye(len(asks))
        found.append(np.mean(same[np.arange(len(asks)), cosine.argmax(axis=1)]))
    assert found[1] > found[0]


def test_the_card_holds_what_the_issue_asks_for_and_its_limits() -> None:
    card = read_document("cards", "question_ranker.v1.json")
    assert card["written_or_observed"] == "written"
    for source in ("author", "other", "odd"):
        figures = card["figures"][source]["top_1"]
        assert figures["low"] <= figures["value"] <= figures["high"]
    assert card["odd_yes_no_answered"] == 0.0
    assert card["limits"]


def test_a_question_that_goes_on_about_risk_is_a_risk_question() -> None:
    reading = read_intent("How often does that come?")
    assert reading.intent != "risk"
    assert as_risk(reading).intent == "risk"
    assert as_risk(reading).p is reading.p


def test_a_question_that_was_asked_before_is_ranked_as_if_it_were_new() -> None:
    index = index_case(load_case("keisha"))
    asked = [Query(read_intent(x), x) for x in ("How do you sleep?", "Who is at home?", "Why?", "How do you sleep?")]
    fresh = [features(index, q, np.zeros(0, dtype=np.intp)) for q in asked]  # nothing left out: never remembered
    begun_before.cache_clear()
    for _ in range(2):
        for q, x in zip(asked, fresh, strict=True):
            assert np.array_equal(features(index, q), x)
    assert begun_before.cache_info().misses == 3
