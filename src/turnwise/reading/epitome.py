"""Expressed empathy after EPITOME: one mechanism of a reply at level 0 (none), 1 (weak) or 2 (strong).

Sharma, Miner, Atkins & Althoff 2020, EMNLP. Two stages, both linear. A sentence coder, fitted on
the passages that people marked as carrying the mechanism, says of each sentence whether it carries
it and whether strongly; the reply coder reads a handful of summaries of these beside the reply's
own words. It reads the reply alone: on this corpus what the seeker wrote added nothing, so the
level says what is *expressed*, not whether it fits the person it is said to.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy import sparse

from turnwise.core.nouns import FloatArray
from turnwise.reading.encoder import DIM
from turnwise.reading.features import Lookup, lookup_of
from turnwise.reading.package_data import sha256_of
from turnwise.reading.products import padded_product
from turnwise.reading.sentences import split_sentences
from turnwise.reading.storing import lines_of, text_of, to_grid
from turnwise.reading.term_weights import GRID, TermBlock, TermWeights, from_grid, rescaled
from turnwise.reading.terms import Vocabulary
from turnwise.reading.window import Window

__all__ = [
    "LEVELS",
    "PLACE",
    "POOLED",
    "Mechanism",
    "MechanismFit",
    "Replies",
    "load_mechanism",
    "locate",
    "place",
    "pooled",
    "replies_of",
    "two_steps",
]

LEVELS = ("0", "1", "2")
PLACE = (
    *("first", "last", "relative", "log_sentences", "log_words", "at_most_4", "at_most_8", "over_20"),
    *("asks", "asks_log_words", "asks_at_most_5", "asks_last", "asks_first", "asks_you", "asks_without_you"),
    *("i_log_words", "you_without_i"),
)
"""Where a sentence stands and how it is built: the numbers of the sentence coder beside its words."""
_SUMMARIES = ("max", "any", "mean", "log_sum", "first", "last")
POOLED = (
    *(f"{of}:{how}" for of in ("weak", "strong", "carries") for how in _SUMMARIES),
    *("log_carried_words", "carried_words_squared", "carried_share", "log_carried_words_of_i"),
    *("log_top_words", "top_has_i", "top_words_of_i", "one_sentence", "one_sentence_log_words"),
)
"""What the reply coder is told of the sentences; ``any`` takes them as independent."""
_WORD = re.compile(r"[a-z']+")
_I, _MINE, _YOU = (
    frozenset(("i", "i'm", "i've", "my")),
    frozenset(("i", "i'm", "i've", "my", "me", "im")),
    ("you", "your"),
)


@dataclass(frozen=True, slots=True)
class Replies:
    """Replies cut into sentences, with everything that does not depend on the mechanism.

    ``owner`` (sentences,) is the reply of each sentence, ``starts`` (replies,) its first sentence.
    """

    texts: tuple[str, ...]
    sentences: tuple[str, ...]
    owner: npt.NDArray[np.int64]
    starts: npt.NDArray[np.int64]
    place: FloatArray
    vectors: FloatArray
    sentence_vectors: FloatArray
    words: FloatArray
    has_i: FloatArray


@lru_cache(maxsize=1_024)
def _log1p(n: int) -> float:
    return float(np.log1p(n))


def place(sentence: str, at: int, of: int) -> tuple[tuple[float, ...], int, bool]:
    """Return the numbers of ``PLACE`` for sentence ``at`` of ``of``, its count of words, and whether it says I or my.

    Examples
    --------
    >>> numbers, words, i = place("How are you?", 0, 1)
    >>> numbers[PLACE.index("asks_you")], words, i
    (True, 3, False)
    """
    words = _WORD.findall(sentence.lower())
    n, asks = len(words), sentence.rstrip("\"')”’ ").endswith("?")
    log_n, found = _log1p(n), set(words)
    you, i = not found.isdisjoint(_YOU), not found.isdisjoint(_I)
    last = at == of - 1
    numbers = (
        *(at == 0, last, at / max(1, of - 1), _log1p(of), log_n, n <= 4, n <= 8, n > 20),
        *(asks, asks * log_n, asks and n <= 5, asks and last, asks and at == 0, asks and you, asks and not you),
        *(i * log_n, you and not i),
    )
    return numbers, len(sentence.split()), not found.isdisjoint(_MINE)


def replies_of(texts: Sequence[str], vector: Lookup | None = None) -> Replies:
    """Return replies cut into sentences; the latest batches are kept, because three coders read the same ones."""
    look = lookup_of(texts) if vector is None else vector
    key = tuple(texts)
    if key not in _recent:
        while len(_recent) >= _KEEP:
            del _recent[next(iter(_recent))]
        _recent[key] = _cut(key, look)
    return _recent[key]


_KEEP = 2
_recent: dict[tuple[str, ...], Replies] = {}


def _cut(texts: tuple[str, ...], look: Lookup) -> Replies:
    cut = [split_sentences(t) or (t,) for t in texts]
    sizes = np.array([len(c) for c in cut], dtype=np.int64)
    sentences = tuple(s for c in cut for s in c)
    found = [place(s, i, len(c)) for c in cut for i, s in enumerate(c)]
    of_sentence = lookup_of(sentences)
    return Replies(
        texts=texts,
        sentences=sentences,
        owner=np.repeat(np.arange(len(texts), dtype=np.int64), sizes),
        starts=np.cumsum(sizes) - sizes,
        place=np.array([f[0] for f in found], dtype=np.float64).reshape(len(found), len(PLACE)),
        vectors=_stack([look(t) for t in texts]),
        sentence_vectors=_stack([of_sentence(s) for s in sentences]),
        words=np.array([f[1] for f in found], dtype=np.float64),
        has_i=np.array([f[2] for f in found], dtype=np.float64),
    )


def _stack(rows: list[npt.NDArray[np.float32]]) -> FloatArray:
    return np.array(rows, dtype=np.float64).reshape(len(rows), DIM)


def two_steps(z: FloatArray) -> FloatArray:
    """Return P(level) from two logits: of any expression at all, and of a strong one among those.

    Examples
    --------
    >>> two_steps(np.array([[0.0, 0.0]])).tolist()
    [[0.5, 0.25, 0.25]]
    """
    p = 1.0 / (1.0 + np.exp(-np.clip(z, -60.0, 60.0)))
    return np.stack([1.0 - p[:, 0], p[:, 0] * (1.0 - p[:, 1]), p[:, 0] * p[:, 1]], axis=1)


def _logit(p: FloatArray) -> FloatArray:
    inside = np.clip(p, 1e-4, 1.0 - 1e-4)
    return np.asarray(np.log(inside / (1.0 - inside)))


def pooled(q: FloatArray, replies: Replies) -> FloatArray:
    """Return what the sentences say together, in the order of ``POOLED``: (replies, features).

    ``q`` holds P(level) of every sentence. Sums run over one reply at a time, in order.
    """
    n, owner, starts = len(replies.texts), replies.owner, replies.starts
    count = np.bincount(owner, minlength=n).astype(np.float64)
    ends = starts + count.astype(np.int64) - 1

    def total(x: FloatArray) -> FloatArray:
        return np.asarray(np.bincount(owner, weights=x, minlength=n), dtype=np.float64)

    carries = q[:, 1] + q[:, 2]
    out: list[FloatArray] = []
    for a in (q[:, 1], q[:, 2], carries):
        s = total(a)
        none = np.exp(total(np.log1p(-np.clip(a, 0.0, 0.999))))
        top = np.maximum.reduceat(a, starts)
        out += [_logit(top), _logit(1.0 - none), _logit(s / count), np.log1p(s), _logit(a[starts]), _logit(a[ends])]
    words, i = replies.words, replies.has_i
    carried = np.log1p(total(carries * words))
    best = np.maximum.reduceat(carries, starts)
    # The first of the sentences that carry it most.
    top_at = np.full(n, len(owner), dtype=np.int64)
    is_top = np.flatnonzero(carries == best[owner])
    np.minimum.at(top_at, owner[is_top], is_top)
    top_words, one = np.log1p(words[top_at]), (count == 1).astype(np.float64)
    out += [carried, 0.3 * carried**2, total(carries * words) / np.maximum(1.0, total(words))]
    out += [np.log1p(total(carries * i * words)), top_words, i[top_at], top_words * i[top_at], one, one * top_words]
    return np.stack(out, axis=1)


@dataclass(frozen=True, slots=True)
class MechanismFit:
    """One fit. Dense: embedding and ``PLACE`` of sentences; embedding, log words and ``POOLED`` of replies."""

    sentence_dense: FloatArray
    sentence_terms: TermWeights
    sentence_bias: FloatArray
    reply_dense: FloatArray
    reply_terms: TermWeights
    reply_bias: FloatArray
    scaling: FloatArray
    offsets: FloatArray
    span_threshold: float


@dataclass(frozen=True, slots=True)
class Mechanism:
    """The coder of one mechanism (``item`` er, ip or ex): all that one weights file holds."""

    item: str
    sentence_block: TermBlock
    reply_block: TermBlock
    fits: Mapping[str, MechanismFit]
    sha256: str = ""
    labels: tuple[str, ...] = LEVELS
    kind: Literal["one", "many"] = "one"

    def read(self, windows: Sequence[Window], fit: str = "full", vector: Lookup | None = None) -> FloatArray:
        """Return the probability of each level for each reply; what came before is not read.

        Returns
        -------
        array (n, 3), float64; rows sum to one and are the same bits in any batch.

        Raises
        ------
        KeyError : this coder has no such fit.
        """
        said = [w.turn.text for w in windows]
        distinct = tuple(dict.fromkeys(said))
        if not distinct:
            return np.empty((0, len(LEVELS)))
        at = {t: i for i, t in enumerate(distinct)}
        replies = replies_of(distinct, vector)
        return self.read_replies(replies, self.sentence_levels(replies, fit), fit)[[at[t] for t in said]]

    def sentence_levels(self, replies: Replies, fit: str = "full") -> FloatArray:
        """Return P(level) of every sentence: (sentences, 3)."""
        w = self.fits[fit]
        dense = np.hstack([replies.sentence_vectors, replies.place])
        counts = _counts(self.sentence_block.vocabulary, replies.sentences)
        z = padded_product(dense, w.sentence_dense) + self.sentence_block.add(counts, w.sentence_terms)
        return two_steps(z + w.sentence_bias)

    def read_replies(self, replies: Replies, q: FloatArray, fit: str = "full") -> FloatArray:
        """Return P(level) of every reply, given that of its sentences."""
        w = self.fits[fit]
        dense = np.hstack([replies.vectors, log_words(replies.texts), pooled(q, replies)])
        counts = _counts(self.reply_block.vocabulary, replies.texts)
        z = padded_product(dense, w.reply_dense) + self.reply_block.add(counts, w.reply_terms)
        return rescaled(two_steps(z + w.reply_bias), w.scaling)

    def decide(self, p: FloatArray, fit: str = "full") -> list[str]:
        """Return one level per row: the most probable after the stored offsets, which were set for macro-F1."""
        at = (np.log(np.maximum(p, 1e-9)) + self.fits[fit].offsets).argmax(axis=1)
        return [LEVELS[i] for i in at]

    def spans(self, window: Window, fit: str = "full") -> list[tuple[int, int, str, float]]:
        """Return the sentences that carry the mechanism: (start, end, item, p), character offsets into the turn.

        p is that of level 1 or 2; a sentence counts from the stored threshold on, set for token F1
        against the passages people marked. It is where the coder saw it, not why a person would.
        """
        text = window.turn.text
        replies = replies_of((text,))
        p = self.sentence_levels(replies, fit)[:, 1:].sum(axis=1)
        where = locate(text, replies.sentences)
        return [
            (a, b, self.item, float(x))
            for (a, b), x in zip(where, p, strict=True)
            if x >= self.fits[fit].span_threshold
        ]


def log_words(texts: Sequence[str]) -> FloatArray:
    """Return the log of one plus the words of each text: (n, 1)."""
    return np.log1p([[len(t.split())] for t in texts]).astype(np.float64)


def locate(text: str, sentences: Sequence[str]) -> list[tuple[int, int]]:
    """Return where each of the sentences of ``text`` stands, as character offsets.

    Examples
    --------
    >>> locate("So. And so.", ["So.", "And so."])
    [(0, 3), (4, 11)]
    """
    out, at = [], 0
    for s in sentences:
        start = max(text.find(s, at), 0)
        out.append((start, start + len(s)))
        at = start + len(s)
    return out


@lru_cache(maxsize=8)
def _counts(vocabulary: Vocabulary, texts: tuple[str, ...]) -> sparse.csr_matrix:
    return vocabulary.matrix(texts)


@lru_cache(maxsize=8)
def _vocabulary(terms: tuple[str, ...]) -> Vocabulary:
    # The three coders hold the same terms: one object, so that counts are shared.
    return Vocabulary(terms)


def pack(coder: Mechanism) -> bytes:
    """Return the coder as the bytes of a safetensors file; the same coder gives the same bytes."""
    from safetensors.numpy import save

    out: dict[str, npt.NDArray[np.generic]] = {"about": text_of([coder.item])}
    for side, block in (("sentence", coder.sentence_block), ("reply", coder.reply_block)):
        out[f"{side}.vocabulary"] = text_of(block.vocabulary.terms)
        out[f"{side}.idf"] = block.idf.astype(np.float32)
        out[f"{side}.cued"] = block.cued.astype(np.int32)
    for name, w in coder.fits.items():
        for side, dense, terms, bias in (
            ("sentence", w.sentence_dense, w.sentence_terms, w.sentence_bias),
            ("reply", w.reply_dense, w.reply_terms, w.reply_bias),
        ):
            grid = {"dense": dense, "normed": terms.normed, "raw": terms.raw, "bias": bias}
            out |= {f"{name}.{side}.{key}": to_grid(x, GRID) for key, x in grid.items()}
        out[f"{name}.decision"] = to_grid(np.r_[w.scaling, w.offsets, w.span_threshold], GRID)
    return bytes(save(out))


def unpack(content: bytes) -> Mechanism:
    """Return the coder stored in ``content``; the inverse of ``pack`` up to the grid."""
    from safetensors.numpy import load

    stored = load(content)

    def block(side: str) -> TermBlock:
        idf = np.asarray(stored[f"{side}.idf"], dtype=np.float64)
        return TermBlock(
            _vocabulary(lines_of(stored[f"{side}.vocabulary"])), idf, stored[f"{side}.cued"].astype(np.int64)
        )

    def fit(name: str) -> MechanismFit:
        g = {k.removeprefix(f"{name}."): from_grid(stored, k) for k in stored if k.startswith(f"{name}.")}
        decision = g["decision"]
        return MechanismFit(
            g["sentence.dense"],
            TermWeights(g["sentence.normed"], g["sentence.raw"]),
            g["sentence.bias"],
            g["reply.dense"],
            TermWeights(g["reply.normed"], g["reply.raw"]),
            g["reply.bias"],
            decision[:3],
            decision[3:6],
            float(decision[6]),
        )

    names = sorted(k.removesuffix(".decision") for k in stored if k.endswith(".decision"))
    item = lines_of(stored["about"])[0]
    return Mechanism(item, block("sentence"), block("reply"), {n: fit(n) for n in names}, sha256_of(content))


@cache
def load_mechanism(name: str) -> Mechanism:
    """Return a shipped coder (``"er.v1"``, ``"ip.v1"`` or ``"ex.v1"``), checked against the hash on its card."""
    from turnwise.reading.cards import shipped

    return shipped(name, "raters", unpack)
