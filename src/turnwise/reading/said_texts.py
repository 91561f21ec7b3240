"""The texts a batch of turns is read by, each once: turns, their sentences, stretches, and what they ask.

Several coders read the same turns, one by the whole turn, one by its sentences, one by the sentence
that asks. Here each distinct text of a batch is tokenised, encoded and counted once for all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from typing import Literal

import numpy as np
import numpy.typing as npt

from turnwise.core.nouns import FloatArray
from turnwise.reading.encoder import DIM, encode
from turnwise.reading.features import Lookup, lookup_of
from turnwise.reading.sentences import split_sentences
from turnwise.reading.terms import Vocabulary
from turnwise.reading.written_phrases import cue_counts

__all__ = ["SaidTexts", "Which", "said_texts", "windows_of_words"]

Which = Literal["turn", "sentence", "stretch", "focus"]
"""Sorts of text: whole turns, their sentences, their stretches, and the sentence that asks, else the last."""
_ONE, _SEVERAL, _PARTS = range(3)
_GROUPS: dict[Which, tuple[int, ...]] = {
    "turn": (_ONE, _SEVERAL),
    "sentence": (_ONE, _PARTS),
    "stretch": (_ONE, _SEVERAL, _PARTS),
    "focus": (_ONE, _SEVERAL, _PARTS),
}
Ints = npt.NDArray[np.int64]
_LONG_WORDS, _WINDOW, _STEP = 24, 14, 7
_READ_CHARS = 20_000
_OPENING = 3


def windows_of_words(sentence: str) -> tuple[str, ...]:
    """Return the sentence, or overlapping windows of 14 words if it has more than 24.

    Examples
    --------
    >>> [len(s.split()) for s in windows_of_words("and then we went " * 7)]
    [14, 14, 14]
    """
    words = sentence.split()
    if len(words) <= _LONG_WORDS:
        return (sentence,)
    return tuple(" ".join(words[i : i + _WINDOW]) for i in range(0, max(1, len(words) - _WINDOW + _STEP), _STEP))


def _flat(found: Sequence[Sequence[str]], at: dict[str, int]) -> tuple[Ints, Ints]:
    rows = np.array([at[t] for texts in found for t in texts], dtype=np.int64)
    return rows, np.repeat(np.arange(len(found)), [len(texts) for texts in found])


class SaidTexts:
    """The distinct texts of a batch of turns, in three groups, and which of them each turn is made of.

    The groups are turns of one sentence, turns of several, and what is only part of a turn: a coder of
    whole turns never looks at the third, a coder of sentences never at the second.
    """

    def __init__(self, turns: tuple[str, ...]) -> None:
        distinct = dict.fromkeys(turns)
        sentences = {t: split_sentences(t[:_READ_CHARS]) for t in distinct}
        sentences = {t: found if len(found) > 1 else (t,) for t, found in sentences.items()}
        stretches = {t: tuple(x for s in sentences[t] for x in windows_of_words(s)) for t in distinct}
        parts = (x for t in distinct for x in (*sentences[t], *stretches[t]) if x not in distinct)
        one = tuple(t for t in distinct if len(sentences[t]) == 1)
        several = tuple(t for t in distinct if len(sentences[t]) > 1)
        self.groups = (one, several, tuple(dict.fromkeys(parts)))
        self.texts = tuple(t for group in self.groups for t in group)
        at = {t: i for i, t in enumerate(self.texts)}
        asks = {t: next((s for s in reversed(f) if s.rstrip().endswith("?")), f[-1]) for t, f in sentences.items()}
        self.turn = np.array([at[t] for t in turns], dtype=np.int64)
        self.focus = np.array([at[asks[t]] for t in turns], dtype=np.int64)
        self.sentence, self.sentence_owner = _flat([sentences[t] for t in turns], at)
        self.stretch, self.stretch_owner = _flat([stretches[t] for t in turns], at)
        self._vectors: dict[int, FloatArray] = {}
        self._counts: dict[tuple[int, str], FloatArray] = {}
        self._whole: dict[tuple[str, tuple[int, ...]], FloatArray] = {}
        self._openings: tuple[FloatArray, Ints] | None = None
        self._words: FloatArray | None = None

    def _filled(self, what: str, read: Callable[[int], FloatArray], needed: Sequence[Which]) -> FloatArray:
        """Return a row per text of ``what``, made by group; zeros where nothing needed lies. Not to be written to."""
        groups = tuple(sorted({g for which in needed for g in _GROUPS[which]}))
        if (what, groups) not in self._whole:
            made = {g: read(g) for g in groups}
            width = made[groups[0]].shape[1]
            absent = (np.zeros((len(group), width)) for group in self.groups)
            whole = np.concatenate([made.get(g, empty) for g, empty in enumerate(absent)])
            whole.flags.writeable = False
            self._whole[what, groups] = whole
        return self._whole[what, groups]

    @cached_property
    def _of_terms(self) -> dict[Which, tuple[tuple[str, ...], Ints]]:
        """The texts that n-grams are looked for in, by sort, and where among them the rows of that sort lie."""
        found: dict[Which, tuple[tuple[str, ...], Ints]] = {}
        sizes = [len(group) for group in self.groups]
        for which, groups in _GROUPS.items():
            texts = tuple(t for g in groups for t in self.groups[g])
            rows = self.rows(which)
            # Only sentences leave a group out in the middle: turns of several.
            skipped = sizes[_SEVERAL] if _SEVERAL not in groups else 0
            found[which] = texts, np.where(rows >= sizes[_ONE], rows - skipped, rows)
        return found

    def rows(self, which: Which) -> Ints:
        """Return where, among ``texts``, the texts of that sort lie."""
        found: dict[Which, Ints] = {
            "turn": self.turn,
            "sentence": self.sentence,
            "stretch": self.stretch,
            "focus": self.focus,
        }
        return found[which]

    def vectors(self, vector: Lookup | None, needed: Sequence[Which]) -> FloatArray:
        """Return the embeddings of ``texts``; those of whole turns are looked up, the others encoded in one go."""

        def read(g: int) -> FloatArray:
            if g not in self._vectors:
                group = self.groups[g]
                look = lookup_of(group) if vector is None or g == _PARTS else vector
                rows = np.array([look(t) for t in group], dtype=np.float64)
                self._vectors[g] = rows.reshape(len(group), DIM)
            return self._vectors[g]

        return self._filled("vectors", read, needed)

    def openings(self) -> FloatArray:
        """Return the embeddings of each sentence's first three words, (sentences, 256)."""
        if self._openings is None:
            first = {
                i: " ".join(self.texts[i][:_READ_CHARS].split(None, _OPENING)[:_OPENING])
                for i in set(self.sentence.tolist())
            }
            distinct = {t: i for i, t in enumerate(dict.fromkeys(first[i] for i in self.sentence.tolist()))}
            at = np.array([distinct[first[i]] for i in self.sentence.tolist()], dtype=np.int64)
            self._openings = encode(tuple(distinct)).astype(np.float64), at
        table, at = self._openings
        return np.asarray(table[at])

    def counts(self, speaker: str, needed: Sequence[Which]) -> FloatArray:
        """Return the cues of ``texts``, (texts, cues of that speaker)."""

        def read(g: int) -> FloatArray:
            if (g, speaker) not in self._counts:
                self._counts[g, speaker] = cue_counts(self.groups[g], speaker)
            return self._counts[g, speaker]

        return self._filled(speaker, read, needed)

    def words(self) -> FloatArray:
        """Return the number of words of each text."""
        if self._words is None:
            self._words = np.array([len(t.split()) for t in self.texts], dtype=np.float64)
        return self._words

    def of_terms(self, vocabulary: Vocabulary, columns: FloatArray, which: Which) -> FloatArray:
        """Return the sum, over a text's n-grams, of the rows of ``columns`` (V, k): (texts of that sort, k)."""
        texts, rows = self._of_terms[which]
        return np.asarray(np.asarray(vocabulary.matrix(texts) @ columns)[rows])


@lru_cache(maxsize=4)
def said_texts(turns: tuple[str, ...]) -> SaidTexts:
    """Return the texts of a batch; the latest batches are kept for the next coder.

    Examples
    --------
    >>> found = said_texts(("Hello. How are you? Sit down.", "Fine."))
    >>> [found.texts[i] for i in found.focus], found.sentence_owner.tolist()
    (['How are you?', 'Fine.'], [0, 0, 0, 1])
    """
    return SaidTexts(turns)
