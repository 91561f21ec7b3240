"""A linear coder of one turn, with or without the turn of the other that it answers.

What it adds up: the n-grams of the turn (``TermBlock``), those of the other's last turn, the
embedding of the turn, and a few numbers (length). Everything is words times weights, so which words
spoke can be shown; it has no idea of who is meant, of irony, or of what was said earlier.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

import numpy as np
import numpy.typing as npt

from turnwise.core.nouns import FloatArray
from turnwise.reading.encoder import DIM
from turnwise.reading.features import Lookup, lookup_of
from turnwise.reading.lexicons import names_risk
from turnwise.reading.package_data import sha256_of
from turnwise.reading.products import padded_product, softmax
from turnwise.reading.storing import lines_of, text_of, to_grid
from turnwise.reading.term_weights import GRID, TermBlock, TermWeights, from_grid, rescaled
from turnwise.reading.terms import Vocabulary
from turnwise.reading.window import Window

__all__ = ["SHORT", "PairCoder", "PairFit", "load_pair_coder", "numbers", "pack", "said_in", "unpack"]

SHORT = 5
"""A turn of at most this many words has little to read."""


@dataclass(frozen=True, slots=True)
class PairFit:
    """One fit; columns are the labels after the first, whose logit is 0.

    ``dense`` (d, columns) weighs the embedding (if the coder has one) and the numbers; ``turn`` and
    ``other`` the n-grams; ``scaling`` calibrates, ``offsets`` decide. ``named`` is the share of turns
    with a named risk word that people called a risk, or 0 where the coder has no such rule.
    """

    dense: FloatArray
    turn: TermWeights
    other: TermWeights | None
    bias: FloatArray
    scaling: FloatArray
    offsets: FloatArray
    named: float = 0.0


@dataclass(frozen=True, slots=True)
class PairCoder:
    """All that one weights file holds.

    ``embeds`` : the embedding of the turn is read too. ``other_block`` : n-grams of the other's last
    turn, if that is read. ``"full"`` is fitted on everything, ``"fold0"`` and on without that fold.
    """

    item: str
    labels: tuple[str, ...]
    embeds: bool
    turn_block: TermBlock
    other_block: TermBlock | None
    fits: Mapping[str, PairFit]
    sha256: str = ""
    kind: Literal["one", "many"] = "one"

    def read(self, windows: Sequence[Window], fit: str = "full", vector: Lookup | None = None) -> FloatArray:
        """Return the probability of each label for each turn.

        Returns
        -------
        array (n, L), float64; rows sum to one and are the same bits in any batch.

        Raises
        ------
        KeyError : this coder has no such fit.
        """
        said = [said_in(w) for w in windows]
        if self.other_block is None:
            said = [(turn, "") for turn, _ in said]
        distinct = list(dict.fromkeys(said))
        if not distinct:
            return np.empty((0, len(self.labels)))
        at = {pair: i for i, pair in enumerate(distinct)}
        return self._read_pairs(distinct, self.fits[fit], vector)[[at[pair] for pair in said]]

    def _read_pairs(self, pairs: Sequence[tuple[str, str]], w: PairFit, vector: Lookup | None) -> FloatArray:
        turns, others = [a for a, _ in pairs], [b for _, b in pairs]
        z = padded_product(self.dense(turns, others, vector), w.dense) + w.bias
        z = z + self.turn_block.add(self.turn_block.vocabulary.matrix(turns), w.turn)
        if self.other_block is not None and w.other is not None:
            z = z + self.other_block.add(self.other_block.vocabulary.matrix(others), w.other)
        p = rescaled(softmax(np.hstack([np.zeros((len(z), 1)), z])), w.scaling)
        return p if w.named <= 0 else _at_least(p, names_risk(turns), w.named)

    def dense(self, turns: Sequence[str], others: Sequence[str], vector: Lookup | None = None) -> FloatArray:
        """Return the dense columns: the embedding, if there is one, and the numbers."""
        out = numbers(turns, others)
        if not self.embeds:
            return out
        look = lookup_of(tuple(dict.fromkeys(turns))) if vector is None else vector
        rows = np.array([look(t) for t in turns], dtype=np.float64).reshape(len(turns), DIM)
        return np.hstack([rows, out])

    def decide(self, p: FloatArray, fit: str = "full") -> list[str]:
        """Return one label per row: the most probable after the stored offsets (log odds)."""
        at = (np.log(np.maximum(p, 1e-9)) + self.fits[fit].offsets).argmax(axis=1)
        return [self.labels[i] for i in at]


def said_in(window: Window) -> tuple[str, str]:
    """Return a turn and what the other said last before it (``""`` if nothing).

    Examples
    --------
    >>> from turnwise.core.nouns import Turn
    >>> said_in(Window(Turn(speaker="therapist", text="Why?"), (Turn(speaker="patient", text="No."),)))
    ('Why?', 'No.')
    """
    speaker = window.turn.speaker
    for turn in reversed(window.before):
        if turn.speaker != speaker:
            return window.turn.text, turn.text
    return window.turn.text, ""


def numbers(turns: Sequence[str], others: Sequence[str]) -> FloatArray:
    """Return the log of one plus the words of the turn, whether it is short, and the log words of the other: (n, 3).

    Examples
    --------
    >>> numbers(["I see."], [""])[0].round(3).tolist()
    [1.099, 1.0, 0.0]
    """
    mine = np.array([len(t.split()) for t in turns], dtype=np.float64)
    theirs = np.array([len(t.split()) for t in others], dtype=np.float64)
    return np.stack([np.log1p(mine), (mine <= SHORT).astype(np.float64), np.log1p(theirs)], axis=1)


def _at_least(p: FloatArray, rows: npt.NDArray[np.bool_], least: float) -> FloatArray:
    out = p.copy()
    raised = rows & (p[:, 1] < least)
    out[raised] = (1.0 - least, least)
    return out


def pack(coder: PairCoder) -> bytes:
    """Return the coder as the bytes of a safetensors file; the same coder gives the same bytes."""
    from safetensors.numpy import save

    about = [
        coder.item,
        "embeds" if coder.embeds else "words",
        "marks" if coder.turn_block.vocabulary.marks else "plain",
    ]
    out: dict[str, npt.NDArray[np.generic]] = {"about": text_of(about), "labels": text_of(coder.labels)}
    blocks = {"turn": coder.turn_block} | ({"other": coder.other_block} if coder.other_block else {})
    for side, block in blocks.items():
        out[f"{side}.vocabulary"] = text_of(block.vocabulary.terms)
        out[f"{side}.idf"] = block.idf.astype(np.float32)
        out[f"{side}.cued"] = block.cued.astype(np.int32)
    for name, w in coder.fits.items():
        grid = {"dense": w.dense, "bias": w.bias, "decision": np.r_[w.scaling, w.offsets, w.named]}
        for side, terms in {"turn": w.turn, "other": w.other}.items():
            grid |= {} if terms is None else {f"{side}.normed": terms.normed, f"{side}.raw": terms.raw}
        out |= {f"{name}.{key}": to_grid(x, GRID) for key, x in grid.items()}
    return bytes(save(out))


def unpack(content: bytes) -> PairCoder:
    """Return the coder stored in ``content``; the inverse of ``pack`` up to the grid."""
    from safetensors.numpy import load

    stored = load(content)
    item, reads, marks = lines_of(stored["about"])
    labels = lines_of(stored["labels"])

    def block(side: str) -> TermBlock | None:
        if f"{side}.idf" not in stored:
            return None
        vocabulary = Vocabulary(lines_of(stored[f"{side}.vocabulary"]), marks=marks == "marks" and side == "turn")
        idf = np.asarray(stored[f"{side}.idf"], dtype=np.float64)
        return TermBlock(vocabulary, idf, stored[f"{side}.cued"].astype(np.int64))

    def fit(name: str) -> PairFit:
        g = {k.removeprefix(f"{name}."): from_grid(stored, k) for k in stored if k.startswith(f"{name}.")}
        turn, other = (
            TermWeights(g[f"{side}.normed"], g[f"{side}.raw"]) if f"{side}.normed" in g else None
            for side in ("turn", "other")
        )
        assert turn is not None
        n, decision = len(labels), g["decision"]
        return PairFit(g["dense"], turn, other, g["bias"], decision[:n], decision[n : 2 * n], float(decision[-1]))

    names = sorted(k.removesuffix(".decision") for k in stored if k.endswith(".decision"))
    turn_block = block("turn")
    assert turn_block is not None
    fits = {name: fit(name) for name in names}
    return PairCoder(item, labels, reads == "embeds", turn_block, block("other"), fits, sha256_of(content))


@cache
def load_pair_coder(name: str) -> PairCoder:
    """Return a shipped coder, e.g. ``"risk_ignorance.v1"``, checked against the hash on its card."""
    from turnwise.reading.cards import shipped

    return shipped(name, "raters", unpack)
