"""The shipped static sentence encoder: text in, unit vectors out, the same bits in any company.

The embedding table is int8, so the sum over a text's tokens is an exact integer sum: neither the
order of the tokens nor what else is in the batch can move a bit. The model2vec loader is not used
because it imports a hub client and an HTTP client.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from turnwise.reading.package_data import read_packaged

if TYPE_CHECKING:
    from tokenizers import Tokenizer

__all__ = ["DIM", "ENCODER", "MAX_TOKENS", "SHA256", "encode"]

ENCODER = "static-minilm-l6-v2-256"
"""Name of the encoder; whatever was fitted on its vectors stores it."""
DIM = 256
MAX_TOKENS = 512
_MAX_CHARS = 16_384  # 512 tokens of speech end far before this; the rest need not be tokenised to be dropped

SHA256 = {
    "model.safetensors": "1a09efd670efe971c235359d71500cd7e6721fcc8234c86dbdaa14242985fcc8",
    "tokenizer.json": "dd33465341c98889c3338356b6200c8b232b89af5f1b7aa8e6ee1d4d7a699631",
}
"""Hashes of what ships (``encoder_data/PROVENANCE.md``), checked when the encoder is first used."""


class _Encoder(NamedTuple):
    table: npt.NDArray[np.int8]
    tokenizer: Tokenizer
    unknown: int | None


@cache
def _encoder() -> _Encoder:
    from safetensors.numpy import load
    from tokenizers import Tokenizer

    content = {name: read_packaged(f"encoder_data/{name}", sha256) for name, sha256 in SHA256.items()}
    tokenizer = Tokenizer.from_str(content["tokenizer.json"].decode("utf-8"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(MAX_TOKENS)
    unknown = json.loads(content["tokenizer.json"])["model"]["unk_token"]
    return _Encoder(load(content["model.safetensors"])["embeddings"], tokenizer, tokenizer.token_to_id(unknown))


def encode(texts: Sequence[str]) -> npt.NDArray[np.float32]:
    """Return one unit vector per text: the mean of its tokens' vectors, scaled to length one.

    A bag of tokens: word order and negation are invisible to it ("I want to" lies next to "I do
    not want to"), so no decision on polarity or risk may rest on its cosine alone.

    Parameters
    ----------
    texts : any strings; what lies beyond the first 512 tokens is not read.

    Returns
    -------
    array (len(texts), 256), float32. Rows have length one; a text without a known token (empty,
    blank, another script) has a zero row, which means *nothing known*, not *similar to nothing*.
    Each row is the same bit for bit whatever else is in the batch.

    Raises
    ------
    FormatError : the packaged model is missing or damaged.

    Notes
    -----
    Distilled from all-MiniLM-L6-v2 (Reimers & Gurevych 2019, EMNLP; Apache-2.0) with model2vec.

    Examples
    --------
    >>> x = encode(["I feel sad.", "I am so unhappy.", "The bus was late.", ""])
    >>> bool(x[0] @ x[1] > x[0] @ x[2]), float(x[3] @ x[3])
    (True, 0.0)
    """
    out = np.zeros((len(texts), DIM), dtype=np.float32)
    if not texts:
        return out
    table, tokenizer, unknown = _encoder()
    found = tokenizer.encode_batch_fast([_plain(t[:_MAX_CHARS]) for t in texts], add_special_tokens=False)
    for i, encoding in enumerate(found):
        ids = encoding.ids
        if unknown is not None and unknown in ids:
            ids = [x for x in ids if x != unknown]
        if ids:
            total = table[ids].sum(axis=0, dtype=np.int64)
            out[i] = total / max(np.sqrt(float((total * total).sum())), 1.0)
    return out


def _plain(text: str) -> str:
    # A lone surrogate cannot be handed to the tokeniser; it means nothing to it either.
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")
