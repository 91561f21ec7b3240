"""The shipped static sentence encoder: text in, unit vectors out, the same bits in any company.

The embedding table is int8, so the sum over a text's tokens is an exact integer sum: neither the
order of the tokens nor what else is in the batch can move a bit. The model2vec loader is not used
because it imports a hub client and an HTTP client.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import sparse

from turnwise.reading.package_data import read_packaged

if TYPE_CHECKING:
    from tokenizers import Tokenizer

__all__ = ["DIM", "ENCODER", "MAX_TOKENS", "SHA256", "encode", "encode_in", "token_counts", "token_table"]

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


_WORD = re.compile(r"[a-z0-9]+|[^a-z0-9\s]")
_UNUSUAL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\[]")
"""What the tokeniser drops (control characters), or may take for a special token ("[UNK]")."""
_MOST_WORDS = 50_000
_FEW = 8  # texts that are quicker one by one
_SUMMED = 1_024  # texts summed at a time, so that memory does not grow with the corpus


class _Encoder(NamedTuple):
    table: npt.NDArray[np.float32]
    tokenizer: Tokenizer
    unknown: int | None
    words: dict[str, list[int]]

    @property
    def size(self) -> int:
        """Number of tokens."""
        return len(self.table)


@cache
def _encoder() -> _Encoder:
    from safetensors.numpy import load
    from tokenizers import Tokenizer

    content = {name: read_packaged(f"encoder_data/{name}", sha256) for name, sha256 in SHA256.items()}
    tokenizer = Tokenizer.from_str(content["tokenizer.json"].decode("utf-8"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(MAX_TOKENS)
    unknown = json.loads(content["tokenizer.json"])["model"]["unk_token"]
    table = load(content["model.safetensors"])["embeddings"].astype(np.float32)
    return _Encoder(table, tokenizer, tokenizer.token_to_id(unknown), {})


def encode(texts: Sequence[str], table: npt.NDArray[np.float32] | None = None) -> npt.NDArray[np.float32]:
    """Return one unit vector per text: the mean of its tokens' vectors, scaled to length one.

    A bag of tokens: word order and negation are invisible to it ("I want to" lies next to "I do
    not want to"), so no decision on polarity or risk may rest on its cosine alone.

    Parameters
    ----------
    texts : any strings; what lies beyond the first 512 tokens is not read.
    table : other token vectors, whole numbers below 2^15, in place of those that ship.

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
    model = _encoder()
    table = model.table if table is None else table
    if len(texts) <= _FEW:  # the same whole numbers, summed without building a matrix
        for i, text in enumerate(texts):
            out[i] = _unit(table, _tokens(_plain(text[:_MAX_CHARS]), model))
        return out
    for start in range(0, len(texts), _SUMMED):
        # Sums of whole numbers far below 2^24: exact in single precision, in any order.
        total = token_counts(texts[start : start + _SUMMED]) @ table
        length = np.sqrt((total.astype(np.int64) ** 2).sum(axis=1).astype(np.float64))
        out[start : start + _SUMMED] = total / np.maximum(length, 1.0)[:, None]
    return out


def encode_in(text: str, *tables: npt.NDArray[np.float32] | None) -> list[npt.NDArray[np.float32]]:
    """Return the vector of one text by each of some tables, ``None`` for the one that ships: as ``encode``, cut once.

    Examples
    --------
    >>> [x] = encode_in("I feel sad.", None)
    >>> bool((x == encode(["I feel sad."])[0]).all())
    True
    """
    model = _encoder()
    ids = _tokens(_plain(text[:_MAX_CHARS]), model)
    return [_unit(model.table if table is None else table, ids).astype(np.float32) for table in tables]


def _unit(table: npt.NDArray[np.float32], ids: list[int]) -> npt.NDArray[np.float64]:
    # Whole numbers, and sums of their squares far below 2^53: exact, whatever adds them up in which order.
    total = table[ids].sum(axis=0, dtype=np.float32).astype(np.float64)
    return np.asarray(total / max(math.sqrt(total @ total), 1.0))


def token_table() -> npt.NDArray[np.float32]:
    """Return a copy of the vectors of all tokens, whole numbers, (29525, 256) float32."""
    return _encoder().table.copy()


def token_counts(texts: Sequence[str]) -> sparse.csr_matrix:
    """Return how often each known token occurs in each text: (texts, 29525) float32."""
    model = _encoder()
    tokens = [_tokens(_plain(t[:_MAX_CHARS]), model) for t in texts]
    ids = np.concatenate([np.zeros(0, dtype=np.int64), *(np.asarray(x, dtype=np.int64) for x in tokens)])
    ends = np.concatenate([[0], np.cumsum([len(x) for x in tokens], dtype=np.int64)])
    return sparse.csr_matrix((np.ones(len(ids), dtype=np.float32), ids, ends), shape=(len(texts), model.size))


def _tokens(text: str, model: _Encoder) -> list[int]:
    """Return the ids of a text's known tokens, at most 512.

    The tokeniser cuts plain ASCII at blanks and punctuation and then word by word, so a word that was met
    before need not be cut again. Everything else goes through the tokeniser whole.
    """
    if not text.isascii() or _UNUSUAL.search(text):
        ids = model.tokenizer.encode(text, add_special_tokens=False).ids
        return [i for i in ids if i != model.unknown]
    words, known = _WORD.findall(text.lower()), model.words
    try:
        # Of MAX_TOKENS words each has a piece at least.
        found = list(chain.from_iterable(map(known.__getitem__, words[:MAX_TOKENS])))
    except KeyError:
        found = _met(words, model)
    found = found[:MAX_TOKENS]
    return [i for i in found if i != model.unknown] if model.unknown in found else found


def _met(words: Sequence[str], model: _Encoder) -> list[int]:
    """Return the ids of words of which some are new, and remember those."""
    found: list[int] = []
    known = model.words
    for word in words:
        pieces = known.get(word)
        if pieces is None:
            pieces = model.tokenizer.encode(word, add_special_tokens=False).ids
            if len(known) < _MOST_WORDS:
                known[word] = pieces
        found += pieces
        if len(found) >= MAX_TOKENS:
            break
    return found


def _plain(text: str) -> str:
    # A lone surrogate cannot be handed to the tokeniser; it means nothing to it either.
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")
