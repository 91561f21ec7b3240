from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from turnwise.core.errors import FormatError
from turnwise.reading import encoder
from turnwise.reading.encoder import DIM, MAX_TOKENS, SHA256, encode
from turnwise.reading.package_data import read_packaged, sha256_of

SAMPLES = [
    "How have you been since we last spoke?",
    "I don't want to stop drinking, it's the only thing that helps me sleep.",
    "Mm-hmm.",
    "So, on the one hand you like it, and on the other hand your kids worry.",
    "Naïve café — 3 o'clock, £20!",
    "你好 hello",
    "a\x00b",
]
ASCII = st.characters(max_codepoint=127)
NETWORK = {"huggingface_hub", "requests", "httpx", "urllib3", "http.client", "http", "aiohttp"}


def test_it_agrees_with_the_reference_implementation() -> None:
    from model2vec.model import StaticModel

    shipped = encoder._encoder()
    reference = StaticModel(shipped.table, shipped.tokenizer, config={"normalize": True}, normalize=True)
    expected = reference.encode(SAMPLES, use_multiprocessing=False)
    assert np.abs(encode(SAMPLES) - expected).max() < 1e-4


@settings(max_examples=40, deadline=None)
@given(st.lists(st.text(max_size=60), min_size=1, max_size=12), st.randoms(use_true_random=False))
def test_a_row_does_not_depend_on_its_company(texts: list[str], shuffle) -> None:  # type: ignore[no-untyped-def]
    together = encode(texts)
    order = list(range(len(texts)))
    shuffle.shuffle(order)
    assert encode([texts[i] for i in order]).tobytes() == together[order].tobytes()
    assert np.stack([encode([t])[0] for t in texts]).tobytes() == together.tobytes()


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=80))
def test_rows_have_length_one_or_are_zero(text: str) -> None:
    row = encode([text])[0]
    assert row.dtype == np.float32
    length = float(np.sqrt((row.astype(np.float64) ** 2).sum()))
    assert length == 0.0 or abs(length - 1.0) < 1e-6


def test_nothing_known_is_a_zero_row() -> None:
    assert encode([]).shape == (0, DIM)
    assert not encode(["", "   ", "\n\t"]).any()


def test_very_long_text_is_cut_and_not_refused() -> None:
    words = "I was at home and thought about it. " * 4_000
    rows = encode([words, words + "Something else entirely!", "x" * 100_000, "\x00" * 1_000, "\ud800"])
    assert rows[0].any()
    assert rows[0].tobytes() == rows[1].tobytes()
    shipped = encoder._encoder()
    assert len(shipped.tokenizer.encode(words, add_special_tokens=False).ids) == MAX_TOKENS


def test_the_packaged_files_are_the_measured_ones() -> None:
    for name, sha256 in SHA256.items():
        assert sha256_of(read_packaged(f"encoder_data/{name}")) == sha256


def test_a_damaged_or_missing_file_is_said_plainly() -> None:
    with pytest.raises(FormatError, match=r"has sha256 .* is expected; install turnwise again"):
        read_packaged("encoder_data/config.json", "0" * 64)
    with pytest.raises(FormatError, match="is missing"):
        read_packaged("encoder_data/nothing.bin")


def test_no_hub_and_no_http_client_is_loaded() -> None:
    code = "import sys; from turnwise.reading.encoder import encode; encode(['a']); print(' '.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120)
    loaded = set(done.stdout.split())
    assert "tokenizers" in loaded
    assert not NETWORK & loaded


@settings(max_examples=150, deadline=None)
@given(st.one_of(st.text(max_size=80), st.text(ASCII, max_size=80), st.sampled_from(SAMPLES)))
def test_words_met_before_are_cut_as_the_tokeniser_cuts_them(text: str) -> None:
    model = encoder._encoder()
    plain = text.encode("utf-8", "replace").decode("utf-8")
    expected = model.tokenizer.encode(plain, add_special_tokens=False).ids
    for _ in range(2):  # once unknown, once remembered
        assert encoder._tokens(plain, model) == [i for i in expected if i != model.unknown][:MAX_TOKENS]
