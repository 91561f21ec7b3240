from __future__ import annotations

import importlib
import pkgutil

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from turnwise.core.nouns import Speaker, Turn
from turnwise.core.registry import READERS
from turnwise.reading import raters
from turnwise.reading.cards import card_names, load_card
from turnwise.reading.coder import Coder, LinearWeights, TurnCoder, load_coder, pack, unpack
from turnwise.reading.features import FAMILIES, TERM_BLOCKS, Family, dense_names, features_of
from turnwise.reading.products import BLOCK
from turnwise.reading.window import Window, windows_of

SHIPPED = [(name, side) for side in FAMILIES for name in card_names(side)]


def shipped(name: str, side: Family) -> TurnCoder:
    """Return a coder of any make, as its reader uses it."""
    if side == "ears":
        return load_coder(name, side)
    for module in pkgutil.iter_modules(raters.__path__):
        importlib.import_module(f"{raters.__name__}.{module.name}")
    found: TurnCoder = READERS.get(name).obj()._coder
    return found


SAID = st.one_of(
    st.sampled_from(["Mm-hmm.", "Why do you ask?", "I can't stop.", "It sounds as if you are tired of it.", ""]),
    st.text(max_size=40),
)
TURNS = st.lists(st.builds(Turn, speaker=st.sampled_from(["therapist", "patient"]), text=SAID), min_size=1, max_size=9)


@pytest.mark.parametrize(("name", "side"), SHIPPED)
@settings(max_examples=25, deadline=None)
@given(turns=TURNS, data=st.data())
def test_a_turn_gets_the_same_bits_in_any_company(
    name: str, side: Family, turns: list[Turn], data: st.DataObject
) -> None:
    coder, windows = shipped(name, side), windows_of(turns)
    p = coder.read(windows)
    order = data.draw(st.permutations(range(len(windows))))
    assert coder.read([windows[i] for i in order]).tobytes() == p[order].tobytes()
    cut = data.draw(st.integers(0, len(windows)))
    split = np.concatenate([coder.read(windows[:cut]), coder.read(windows[cut:])])
    assert split.tobytes() == p.tobytes()
    times = data.draw(st.integers(1, 2 * BLOCK // len(windows) + 1))
    assert coder.read(windows * times).tobytes() == np.tile(p, (times, 1)).tobytes()


@pytest.mark.parametrize(("name", "side"), SHIPPED)
def test_rows_are_probabilities(name: str, side: Family) -> None:
    coder = shipped(name, side)
    texts = ["", "word " * 20_000, "x" * 100_000, "\x00\x1b[2J", "你好", "I want to stop, I really do."]
    card = load_card(name, side)
    for fit in getattr(coder, "fits", ("full",)):
        p = coder.read([Window(Turn(speaker=card.reads, text=t)) for t in texts], fit)
        assert p.shape == (len(texts), len(coder.labels))
        assert np.isfinite(p).all()
        assert (p >= 0).all()
        assert (p <= 1 + 1e-12).all()
        if card.kind == "one":
            np.testing.assert_allclose(p.sum(axis=1), 1.0, atol=1e-12)
        decided = [x for value in coder.decide(p) for x in value.split("|")]
        assert set(decided) <= {*coder.labels, "none"}
    assert coder.read([]).shape == (0, len(coder.labels))


def _made(family: Family, seed: int = 3) -> Coder:
    rng = np.random.default_rng(seed)
    vocabulary = {b: {"i": 0, "i will": 1} for b in TERM_BLOCKS} if family == "raters" else {}
    fit = LinearWeights(
        dense=rng.normal(size=(len(dense_names("client_talk", family)), 3)),
        terms={b: rng.normal(size=(2, 3)) for b in vocabulary},
        bias=rng.normal(size=3),
        temperature=1.25,
    )
    idf = {b: np.array([1.5, 2.25]) for b in vocabulary}
    return Coder("client_talk", family, ("change", "neutral", "sustain"), {"full": fit}, vocabulary, idf)


@pytest.mark.parametrize("family", FAMILIES)
def test_what_is_packed_comes_back_on_the_grid(family: Family) -> None:
    made = _made(family)
    content = pack(made)
    back = unpack(content)
    assert pack(back) == content
    assert (back.item, back.family, back.labels, back.vocabulary) == (made.item, family, made.labels, made.vocabulary)
    assert np.abs(back.fits["full"].dense - made.fits["full"].dense).max() <= 0.5 / 4096
    assert back.fits["full"].temperature == 1.25
    assert len(back.sha256) == 64


def test_a_difference_below_the_grid_is_the_same_file_and_one_above_is_not() -> None:
    made = _made("ears")
    made.fits["full"].bias[:] = [0.25, -0.5, 0.125]
    content = pack(made)
    made.fits["full"].bias[0] += 1e-5
    assert pack(made) == content
    made.fits["full"].bias[0] += 1e-3
    assert pack(made) != content


def test_a_weight_off_the_grid_is_refused() -> None:
    made = _made("ears")
    made.fits["full"].bias[0] = 9.0
    with pytest.raises(ValueError, match="does not fit the grid"):
        pack(made)


def test_ngrams_move_a_rater_as_the_formula_says() -> None:
    coder = _made("raters")
    w = coder.fits["full"]
    features = features_of([Window(Turn(speaker="patient", text="I will"))], "client_talk", "raters")
    terms = w.terms["turn"].sum(axis=0) * TERM_BLOCKS["turn"][1] / np.sqrt(1.5 + 2.25)
    logits = (features.dense[0] @ w.dense + terms + w.bias) / w.temperature
    expected = np.exp(logits) / np.exp(logits).sum()
    np.testing.assert_allclose(coder.read_features(features)[0], expected, rtol=1e-10)


def _says(item: str, side: Family, speaker: Speaker, text: str, before: str) -> str:
    coder = load_coder(f"{item}.v1", side)
    other: Speaker = "patient" if speaker == "therapist" else "therapist"
    p = coder.read([Window(Turn(speaker=speaker, text=text), (Turn(speaker=other, text=before),))])
    return coder.labels[int(p[0].argmax())]


@pytest.mark.parametrize("side", FAMILIES)
@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("What worries you most about that?", "question"),
        ("So it sounds like you feel torn, you love it and you are scared of it.", "reflection"),
        ("I would recommend that you cut down, because research shows that the risk is high.", "therapist_input"),
        ("Mm-hmm.", "other"),
    ],
)
def test_plain_therapist_turns_are_read_plainly(side: Family, text: str, label: str) -> None:
    assert _says("therapist_behaviour", side, "therapist", text, "I drink every night, more than I used to.") == label


@pytest.mark.parametrize("side", FAMILIES)
@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("I really want to quit, I need to do it for my kids and my health.", "change"),
        ("Mm-hmm.", "neutral"),
    ],
)
def test_plain_patient_turns_are_read_plainly(side: Family, text: str, label: str) -> None:
    assert _says("client_talk", side, "patient", text, "How do you see your drinking?") == label


@pytest.mark.parametrize("side", FAMILIES)
@pytest.mark.parametrize(
    ("against", "towards"),
    [
        ("I don't want to stop.", "I want to stop."),
        ("I'm not ready to quit smoking.", "I'm ready to quit smoking."),
        pytest.param(
            "I don't think it's a problem, I like it.",
            "I think it's a problem, I hate it.",
            marks=pytest.mark.xfail(strict=True, reason="a bag of words: negated judgements are not understood"),
        ),
    ],
)
def test_negation_moves_talk_the_right_way(side: Family, against: str, towards: str) -> None:
    coder = load_coder("client_talk.v1", side)
    p = coder.read([Window(Turn(speaker="patient", text=t)) for t in (against, towards)])
    change, sustain = coder.labels.index("change"), coder.labels.index("sustain")
    assert p[0, sustain] > p[1, sustain]
    assert p[0, change] < p[1, change]
