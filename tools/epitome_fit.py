"""Fit one mechanism of EPITOME: a coder of sentences, a coder of replies that reads it, both cross-fitted."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from pair_fit import (
    Design,
    Ints,
    Logistic,
    Mask,
    Spread,
    apply_scaling,
    choose_offsets,
    class_weights,
    fit_scaling,
    folded,
    lexicon_of,
    normed,
    spread_of,
    squared_idf,
)
from turnwise.core.nouns import FloatArray
from turnwise.reading.epitome import Mechanism, MechanismFit, Replies, locate, log_words, pooled, two_steps
from turnwise.reading.term_weights import TermBlock, TermWeights
from turnwise.reading.terms import Vocabulary

FOLDS = 5
LEAST = 6
"""An n-gram must occur in sentences or replies of this many groups of pairs."""
SENTENCE_C, SENTENCE_RARE = 0.3, 0.3
REPLY_C, REPLY_RARE = 0.1, 0.5
EMBEDDED, WORDS, PLACED, CUED, POOLED_SCALE, LENGTH_SCALE = 3.0, 2.5, 0.2, 0.2, 0.4, 0.3
"""How far each block counts under one common penalty; from an exploration on the same pairs in other splits."""
SHARE, CHARS = 0.3, 12
"""A sentence has a mechanism's level if this share of it, or this many characters, lie in a marked passage."""
THRESHOLDS = np.round(np.arange(0.10, 0.71, 0.05), 2)
_TOKEN = re.compile(r"\S+")
_WORD = re.compile(r"[A-Za-z0-9']+")


def marked(text: str, passages: Sequence[str]) -> Mask:
    """Return which characters of a reply lie in a marked passage; HTML entities may differ between the two."""
    mask = np.zeros(len(text), dtype=bool)
    for passage in passages:
        start = text.find(passage)
        if start >= 0:
            mask[start : start + len(passage)] = True
            continue
        words = [re.escape(w) for w in _WORD.findall(passage)]
        between = r"[^A-Za-z0-9]+(?:[a-z]+;)?[^A-Za-z0-9]*"
        found = re.search(between.join(words), text) if words and "&" in text else None
        if found:
            mask[found.start() : found.end()] = True
    return mask


def sentence_levels(replies: Replies, levels: Ints, masks: Sequence[Mask]) -> Ints:
    """Return the level of each sentence: the reply's, if enough of the sentence was marked, else 0."""
    out = np.zeros(len(replies.sentences), dtype=np.int64)
    where = [locate(t, _of(replies, i)) for i, t in enumerate(replies.texts)]
    spans = [span for spans in where for span in spans]
    for i, ((a, b), owner) in enumerate(zip(spans, replies.owner.tolist(), strict=True)):
        n = int(masks[owner][a:b].sum())
        if n and (n >= SHARE * (b - a) or n >= CHARS):
            out[i] = levels[owner]
    return out


def _of(replies: Replies, i: int) -> Sequence[str]:
    end = replies.starts[i + 1] if i + 1 < len(replies.starts) else len(replies.sentences)
    return replies.sentences[replies.starts[i] : end]


@dataclass(frozen=True)
class Shared:
    """What the three mechanisms share: replies, folds, vocabularies, designs of the words."""

    replies: Replies
    fold: Ints
    sentence_block: TermBlock
    reply_block: TermBlock
    lexicon: sparse.csr_matrix
    sentence_words: sparse.csr_matrix
    reply_words: sparse.csr_matrix
    cue_spread: FloatArray
    place_spread: Spread
    length_spread: Spread
    sentence_dense: FloatArray


def share(replies: Replies, fold: Ints, terms: Mapping[str, Sequence[str]], cues: Mapping[str, str]) -> Shared:
    """Return the blocks of both stages; nothing in them has seen a label."""
    first, second = Vocabulary(terms["sentence"]), Vocabulary(terms["reply"])
    counts, reply_counts = first.matrix(replies.sentences), second.matrix(replies.texts)
    lexicon = lexicon_of(first.terms, cues)
    idf, reply_idf = squared_idf(counts), squared_idf(reply_counts)
    cued = np.flatnonzero(np.asarray(lexicon.sum(axis=1)).ravel()).astype(np.int64)
    hits = np.asarray((counts @ lexicon).todense())
    place, cue_spread = spread_of(replies.place), spread_of(hits).scale
    dense = [EMBEDDED * replies.sentence_vectors, PLACED * place.of(replies.place), CUED * hits / cue_spread]
    return Shared(
        replies,
        fold,
        TermBlock(first, idf, cued),
        TermBlock(second, reply_idf, np.zeros(0, dtype=np.int64)),
        lexicon,
        normed(counts, idf, WORDS),
        normed(reply_counts, reply_idf, WORDS),
        cue_spread,
        place,
        spread_of(log_words(replies.texts)),
        np.hstack(dense),
    )


def two_heads(x: Design, level: Ints, rows: Mask, c: float, rare: float, polish: int = 0) -> FloatArray:
    """Return the weights (width, 2) of P(level > 0) and, among those, P(level = 2)."""
    out = []
    for over, among in ((0, rows), (1, rows & (level > 0))):
        y = (level[among] > over).astype(np.int64)
        out.append(Logistic(c).solve(x.rows(among), y, class_weights(y, 2, rare), polish))
    return np.hstack(out)


class MechanismFitter:
    """Fits one mechanism; remembers the sentence fits, because folds share them.

    ``level`` (replies,) and ``sentence_level`` (sentences,) are what people said.
    """

    def __init__(self, item: str, shared: Shared, level: Ints, sentence_level: Ints, masks: Sequence[Mask]) -> None:
        self.item, self.shared, self.level, self.masks = item, shared, level, masks
        self.sentence_level = sentence_level
        self.x = Design(shared.sentence_dense, shared.sentence_words)
        self._solved: dict[bytes, FloatArray] = {}
        self._tokens = [_tokens_of(shared.replies, i, m) for i, m in enumerate(masks)]

    def _sentences(self, rows: Mask) -> FloatArray:
        """Return the sentence weights of a fit on the replies ``rows``; polished where they are stored."""
        if rows.tobytes() not in self._solved:
            stored = len(np.unique(self.shared.fold[~rows])) <= 1
            found = two_heads(
                self.x, self.sentence_level, rows[self.shared.replies.owner], SENTENCE_C, SENTENCE_RARE, 4 * stored
            )
            self._solved[rows.tobytes()] = found
        return self._solved[rows.tobytes()]

    def held_out(self, rows: Mask) -> FloatArray:
        """Return P(level) of the sentences of ``rows``, each by weights without its fold; nothing elsewhere."""
        fold, owner = self.shared.fold, self.shared.replies.owner
        q = np.zeros((len(owner), 3))
        for k in np.unique(fold[rows]):
            at = (rows & (fold == k))[owner]
            q[at] = two_steps(self.x.rows(at).times(self._sentences(rows & (fold != k))))
        return q

    def fit(self, rows: Mask) -> MechanismFit:
        """Return what is stored of a fit on ``rows``."""
        s, fold, level = self.shared, self.shared.fold, self.level
        q = self.held_out(rows)
        features = pooled(q, s.replies)
        about = spread_of(features[rows])
        dense = [EMBEDDED * s.replies.vectors, LENGTH_SCALE * s.length_spread.of(log_words(s.replies.texts))]
        x = Design(np.hstack([*dense, POOLED_SCALE * about.of(features)]), s.reply_words)
        inner = np.zeros((len(level), 3))
        for k in np.unique(fold[rows]):
            held = rows & (fold == k)
            inner[held] = two_steps(x.rows(held).times(two_heads(x, level, rows & ~held, REPLY_C, REPLY_RARE)))
        scaling = fit_scaling(inner[rows], level[rows])
        offsets = choose_offsets(apply_scaling(inner[rows], scaling), level[rows])
        w = two_heads(x, level, rows, REPLY_C, REPLY_RARE, polish=4)
        return self._stored(w, self._sentences(rows), about, (scaling, offsets, self._threshold(q, rows)))

    def _stored(
        self, w: FloatArray, of_sentence: FloatArray, about: Spread, decision: tuple[FloatArray, FloatArray, float]
    ) -> MechanismFit:
        """Fold scales, means, idf and cues into the weights that are stored."""
        s, d = self.shared, 256
        n_place, n_cues = s.replies.place.shape[1], s.lexicon.shape[1]
        place, shift = folded(of_sentence[d : d + n_place], s.place_spread, PLACED)
        cues = of_sentence[d + n_place : d + n_place + n_cues] * (CUED / s.cue_spread)[:, None]
        words = of_sentence[d + n_place + n_cues : -1] * (WORDS * np.sqrt(s.sentence_block.idf))[:, None]
        raw = np.asarray(s.lexicon[s.sentence_block.cued] @ cues)
        length, shift_length = folded(w[d : d + 1], s.length_spread, LENGTH_SCALE)
        n_pooled = len(about.mean)
        pool, shift_pool = folded(w[d + 1 : d + 1 + n_pooled], about, POOLED_SCALE)
        reply_words = w[d + 1 + n_pooled : -1] * (WORDS * np.sqrt(s.reply_block.idf))[:, None]
        return MechanismFit(
            np.vstack([EMBEDDED * of_sentence[:d], place]),
            TermWeights(words, raw),
            of_sentence[-1] + shift,
            np.vstack([EMBEDDED * w[:d], length, pool]),
            TermWeights(reply_words, np.zeros((0, 2))),
            w[-1] + shift_length + shift_pool,
            *decision,
        )

    def coder(self) -> Mechanism:
        """Return the coder with its fit on everything and the cross-fitted ones."""
        fold = self.shared.fold
        fits = {f"fold{k}": self.fit(fold != k) for k in range(FOLDS)}
        fits["full"] = self.fit(np.ones(len(fold), dtype=bool))
        return Mechanism(self.item, self.shared.sentence_block, self.shared.reply_block, fits)

    def _counts(self, carries: FloatArray, thresholds: FloatArray) -> FloatArray:
        """Return (replies, thresholds, 3): tokens marked by both, by the coder, by people."""
        starts, out = self.shared.replies.starts, np.zeros((len(self.level), len(thresholds), 3))
        for i, (gold, sentence) in enumerate(self._tokens):
            says = carries[starts[i] + sentence][None] >= thresholds[:, None]
            out[i] = np.stack([(says & gold).sum(1), says.sum(1), np.full(len(thresholds), gold.sum())], axis=1)
        return out

    def _threshold(self, q: FloatArray, rows: Mask) -> float:
        total = self._counts(q[:, 1:].sum(axis=1), THRESHOLDS)[rows].sum(axis=0)
        f1 = 2 * total[:, 0] / np.maximum(1, total[:, 1] + total[:, 2])
        return float(THRESHOLDS[np.round(f1, 10).argmax()])

    def token_counts(self, coder: Mechanism) -> FloatArray:
        """Return (replies, 3) of the tokens marked by the stored coder out of fold, at each fold's threshold."""
        out = np.zeros((len(self.level), 3))
        for k in range(FOLDS):
            name, rows = f"fold{k}", self.shared.fold == k
            carries = coder.sentence_levels(self.shared.replies, name)[:, 1:].sum(axis=1)
            out[rows] = self._counts(carries, np.array([coder.fits[name].span_threshold]))[rows][:, 0]
        return out


def _tokens_of(replies: Replies, i: int, mask: Mask) -> tuple[Mask, Ints]:
    """Return of each token of a reply whether people marked any of it, and which of its sentences it is in."""
    text = replies.texts[i]
    ends = np.array([b for _, b in locate(text, _of(replies, i))])
    spans = [(m.start(), m.end()) for m in _TOKEN.finditer(text)]
    gold = np.array([mask[a:b].any() for a, b in spans], dtype=bool)
    at = np.searchsorted(ends, np.array([a for a, _ in spans], dtype=np.int64), side="right")
    return gold, np.minimum(at, len(ends) - 1).astype(np.int64)
