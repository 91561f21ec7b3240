from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from turnwise.core.nouns import Turn
from turnwise.reading.encoder import encode
from turnwise.reading.features import lookup_of
from turnwise.reading.products import BLOCK
from turnwise.reading.said_texts import said_texts
from turnwise.reading.sentence_coder import (
    SEVERAL,
    SentenceCoder,
    load_sentence_coder,
    of_terms,
    pack_sentences,
    unpack_sentences,
)
from turnwise.reading.sentence_features import RECIPES, rows_of
from turnwise.reading.terms import Vocabulary
from turnwise.reading.window import Window, windows_of
from turnwise.reading.written_phrases import SECTIONS, cue_counts, expand, written_for

ITEMS = sorted(RECIPES)
SAID = st.one_of(
    st.sampled_from(
        ["Mm-hmm.", "So you feel torn. What would help?", "You should call him. Thank you!", "", "and " * 30]
    ),
    st.text(max_size=40),
)
TURNS = st.lists(st.builds(Turn, speaker=st.sampled_from(["therapist", "patient"]), text=SAID), min_size=1, max_size=7)
HARD = ["", "word " * 20_000, "x" * 100_000, "\x00\x1b[2J", "你好", "- a\n- b\n\n`code`", "I want to stop. Why? " * 40]


def said(*texts: str) -> list[Window]:
    return [Window(Turn(speaker="therapist", text=t)) for t in texts]


def p_of(item: str, text: str, label: str) -> float:
    coder = load_sentence_coder(f"{item}.v1")
    return float(coder.read(said(text))[0, coder.labels.index(label)])


@pytest.mark.parametrize("item", ITEMS)
@settings(max_examples=20, deadline=None)
@given(turns=TURNS, data=st.data())
def test_a_turn_gets_the_same_bits_in_any_company(item: str, turns: list[Turn], data: st.DataObject) -> None:
    coder, windows = load_sentence_coder(f"{item}.v1"), windows_of(turns)
    p = coder.read(windows)
    order = data.draw(st.permutations(range(len(windows))))
    assert coder.read([windows[i] for i in order]).tobytes() == p[order].tobytes()
    cut = data.draw(st.integers(0, len(windows)))
    split = np.concatenate([coder.read(windows[:cut]), coder.read(windows[cut:])])
    assert split.tobytes() == p.tobytes()
    times = data.draw(st.integers(1, 2 * BLOCK // len(windows) + 1))
    assert coder.read(windows * times).tobytes() == np.tile(p, (times, 1)).tobytes()
    assert coder.read(windows, "full", lookup_of([t.text for t in turns])).tobytes() == p.tobytes()


@pytest.mark.parametrize("item", ITEMS)
def test_whatever_is_said_has_probabilities_and_a_decision(item: str) -> None:
    coder = load_sentence_coder(f"{item}.v1")
    for fit in coder.fits:
        p = coder.read(said(*HARD), fit)
        assert p.shape == (len(HARD), len(coder.labels))
        assert ((p >= 0) & (p <= 1)).all()
        for decided in coder.decide(p):
            assert set(decided.split("|")) <= {*coder.labels, "none"}
        if coder.kind == "one":
            np.testing.assert_allclose(p.sum(axis=1), 1.0, atol=1e-12)
    assert sorted(coder.fits) == ["fold0", "fold1", "fold2", "fold3", "fold4", "full"]
    assert coder.read([]).shape == (0, len(coder.labels))
    assert coder.decide(coder.read([])) == []


@pytest.mark.parametrize("item", ITEMS)
def test_what_is_stored_comes_back(item: str) -> None:
    coder = load_sentence_coder(f"{item}.v1")
    again = pack_sentences(replace(coder, sha256=""))
    assert unpack_sentences(again).sha256 == coder.sha256
    assert unpack_sentences(again).read(said("What now?")).tobytes() == coder.read(said("What now?")).tobytes()
    assert len(again) < 2_000_000


@pytest.mark.parametrize(("most", "step"), [(7.9, 1 / 4096), (8.24, 1 / 2048), (31.9, 1 / 1024)])
def test_large_weights_come_back_on_a_coarser_grid(most: float, step: float) -> None:
    coder = load_sentence_coder("bolt_client.v1")
    fit = coder.fits["full"]
    moved = replace(fit, dense=np.where(np.arange(len(fit.dense))[:, None] == 3, most, fit.dense + 1e-5))
    (again,) = unpack_sentences(pack_sentences(replace(coder, fits={"full": moved}))).fits.values()
    assert np.abs(again.dense - moved.dense).max() <= step / 2
    assert (again.dense / step % 1 == 0).all()
    assert (again.dense / step % 2 == 1).any()
    with pytest.raises(ValueError, match="raise the penalty"):
        pack_sentences(replace(coder, fits={"full": replace(fit, dense=fit.dense + 40.0)}))


@pytest.mark.parametrize(
    ("item", "yes", "no", "label"),
    [
        ("question_type", "What do you make of that?", "Did you go there yesterday?", "open"),
        ("mi_code", "Have you talked to her?", "I'm so sorry to hear that.", "Closed Question"),
        ("mi_code", "When I was your age I went through the same thing.", "Call your doctor.", "Self-Disclose"),
        ("bolt_therapist", "it's normal to feel that way many people do", "when did you stop", "Normalizing"),
        ("bolt_therapist", "how often do you smoke", "so you feel sad about it", "Questions on Experiences"),
        ("bolt_client", "i'm so angry and sad about it", "i went to the shop", "Sharing Negative Emotions"),
    ],
)
def test_it_reads_what_is_plain(item: str, yes: str, no: str, label: str) -> None:
    assert p_of(item, yes, label) > p_of(item, no, label)


def test_a_turn_of_several_sentences_has_the_codes_of_each() -> None:
    coder = load_sentence_coder("mi_code.v1")
    asks, tells = "How do you feel about that?", "I was depressed for years myself."
    apart, together = coder.read(said(asks, tells)), coder.read(said(f"{asks} {tells}"))
    assert together[0].tobytes() == apart.max(axis=0).tobytes()
    assert coder.decide(together) == ["Open Question|Self-Disclose"]


def _decider(item: str, threshold: float) -> SentenceCoder:
    coder = load_sentence_coder(f"{item}.v1")
    return replace(coder, fits={"full": replace(coder.fits["full"], threshold=threshold)})


def test_decisions_follow_the_threshold() -> None:
    client = _decider("bolt_client", 0.4)
    assert client.decide(np.array([[0.4, 0.1, 0.6, 0, 0, 0], [0.3] * 6])) == [
        "Changing Unhealthy Behavior|Sharing Negative Emotions",
        "none",
    ]
    codes = load_sentence_coder("mi_code.v1")
    p = np.full((1, 15), 0.1)
    p[0, 3] = 0.2
    assert codes.decide(p) == ["Complex Reflection"]
    p[0, 8] = SEVERAL
    assert codes.decide(p) == ["Support"] or codes.decide(p) == ["Complex Reflection|Support"]


def test_tfidf_rows_have_length_one_before_the_weights() -> None:
    vocabulary = Vocabulary(["how", "you", "how are"], marks=True)
    idf = np.array([4.0, 1.0, 9.0])
    weights = np.sqrt(idf)[:, None] * np.array([[1.0], [2.0], [3.0]])
    found = of_terms(said_texts(("How are you?", "nothing known")), "turn", vocabulary, np.column_stack([weights, idf]))
    assert found[:, 0] == pytest.approx([(2 * 1 + 1 * 2 + 3 * 3) / np.sqrt(14), 0.0])


def test_tied_features_are_higher_for_what_resembles_our_phrases() -> None:
    labels = tuple(written_for("bolt_client").phrases)
    phrase = written_for("bolt_client").phrases["Gained Insights"][0]
    mean = encode(["an average text"])[0].astype(np.float64)
    tied = rows_of(said(phrase, "the bus was late"), "bolt_client", labels, mean).tied[
        :, labels.index("Gained Insights")
    ]
    assert tied[0, 0] == pytest.approx(1.0)
    assert (tied[0, :2] > tied[1, :2]).all()


def test_every_cue_and_phrase_can_be_used() -> None:
    for section in SECTIONS:
        found = written_for(section)
        counts = cue_counts(tuple("x" for _ in range(2)), SECTIONS[section])
        assert len(found.columns) == len(found.cues) <= counts.shape[1]
        if found.phrases:
            assert list(found.phrases) == list(found.own)
            assert list(found.phrases) == list(load_sentence_coder(f"{section}.v1").labels)
            assert all(len(p) == len(set(p)) >= 8 for p in found.phrases.values())


def test_templates_that_make_nothing_are_refused() -> None:
    assert expand("a/b c ; d") == ("a c", "b c", "d")
    with pytest.raises(ValueError, match="makes no n-gram"):
        expand("one two three four")
