"""Every claim of a session against every statement the patient made: shared words, nearness, and what agrees.

Nearness is that of the shipped static encoder, word by word and whole. Vectors are whole numbers, so that sums are
exact
in any order: neither the other claims nor what is said later can move a bit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from operator import attrgetter

import numpy as np
import numpy.typing as npt
from scipy import sparse

from turnwise.core.nouns import FloatArray
from turnwise.reading.claim_clauses import Clause, clauses_of, stem
from turnwise.reading.claim_runs import plainly, runs
from turnwise.reading.claim_subjects import agreement
from turnwise.reading.encoder import DIM, token_counts, token_table
from turnwise.reading.products import greatest_of_runs

__all__ = ["Asserted", "Meeting", "Said", "said_before"]

_Rows = npt.NDArray[np.float32]
_Ints = npt.NDArray[np.int64]
_Bits = npt.NDArray[np.uint64]
_Flags = npt.NDArray[np.bool_]
_GRID = 1024.0
_SQUARED = np.float32(_GRID * _GRID)
_KNOWN_FROM, _KNOWN_SPAN = 0.30, 0.70
"""Two words share nothing below the first cosine, and all that can be shared at their sum."""
_NEXT_DOOR = 0.9
"""What a word counts that stands in the statement before or after."""
_VERBATIM = 0.99
"""Share of a claim's words in one run from which on it is the patient's own statement, and denies what that denies."""
_SHORT_ANSWER = {
    **dict.fromkeys("yes yeah yep yup exactly right true".split(), False),
    **dict.fromkeys("no nope nah".split(), True),
}
_ASKS = frozenset("what how why when where who which".split())
_MOST_KNOWN = 100_000


@dataclass(frozen=True, slots=True)
class Said:
    """A statement of the patient's, and the turn it stands in."""

    clause: Clause
    turn: int


@dataclass(frozen=True, slots=True)
class Asserted:
    """A claim's words as one statement, the turn it stands in, and whether it is of a feeling."""

    clause: Clause
    turn: int
    feeling: bool


def on_grid(rows: _Rows) -> _Rows:
    """Return rows scaled to length one, as whole multiples of 1/1024 (times 1024).

    Examples
    --------
    >>> on_grid(np.array([[3.0, 4.0]], dtype=np.float32)).tolist()
    [[614.0, 819.0]]
    """
    length = np.sqrt((rows.astype(np.float64) ** 2).sum(axis=1))
    return np.asarray(np.round(_GRID * rows / np.maximum(length, 1.0)[:, None]), dtype=np.float32)


class _Words:
    """Vectors of the words met so far: whole, on the grid, and how telling each is (its length in the encoder)."""

    def __init__(self) -> None:
        self._place: dict[str, int] = {}
        self._roots: dict[str, int] = {}
        self.root: _Ints = np.zeros(0, dtype=np.int64)
        self.raw: _Rows = np.zeros((0, DIM), dtype=np.float32)
        self.unit: _Rows = np.zeros((0, DIM), dtype=np.float32)
        self.weight: FloatArray = np.zeros(0)
        self._table: _Rows | None = None

    def learn(self, words: Sequence[str]) -> None:
        """Take in the words that are new."""
        if len(self._place) > _MOST_KNOWN:
            self.__init__()  # type: ignore[misc]  # begun anew, so that memory has an end
        new = [w for w in dict.fromkeys(words) if w not in self._place]
        if not new:
            return
        if self._table is None:
            self._table = token_table()
        raw = np.asarray(token_counts(new) @ self._table, dtype=np.float32)
        roots = [self._roots.setdefault(stem(w), len(self._roots)) for w in new]
        self._place |= {w: len(self._place) + i for i, w in enumerate(new)}
        self.root = np.concatenate([self.root, np.array(roots, dtype=np.int64)])
        length = np.sqrt((raw.astype(np.float64) ** 2).sum(axis=1))
        first, end = len(self._place) - len(new), len(self._place)
        if end > len(self.raw):
            more = np.zeros((end + len(self.raw), DIM), dtype=np.float32)
            self.raw, self.unit = np.concatenate([self.raw, more]), np.concatenate([self.unit, more])
        self.raw[first:end], self.unit[first:end] = raw, on_grid(raw)
        self.weight = np.concatenate([self.weight, np.clip((length - 50.0) / 100.0, 0.15, 1.5)])

    def flat(self, rows: Sequence[Sequence[str]]) -> tuple[_Ints, _Ints]:
        """Return the places of the words of all rows, and where each row starts; no row is empty."""
        ends = np.cumsum([0, *map(len, rows)])
        places = list(map(self._place.__getitem__, chain.from_iterable(rows)))
        return np.array(places, dtype=np.int64), ends[:-1]

    def sums(self, places: _Ints, starts: _Ints) -> _Rows:
        """Return the sum of the words' vectors in each row: whole numbers, so that their order is nothing."""
        ends = np.append(starts, len(places))
        rows = sparse.csr_matrix((np.ones(len(places), np.float32), places, ends), shape=(len(starts), len(self.raw)))
        return np.asarray(rows @ self.raw)


_words = _Words()


def said_before(turns: Sequence[tuple[str, str]]) -> list[Said]:
    """Return the statements of the patient's turns of a session, given as (speaker, text), in order.

    A short answer ("Yes.", "No.") takes over what it answers, turned to the patient and denied where it denies.
    "He" and "she" are taken for the last person named that may be meant.

    Examples
    --------
    >>> found = said_before([("therapist", "Do you miss him?"), ("patient", "No. I sleep well.")])
    >>> [(x.clause.content, x.clause.denied) for x in found]
    [(('miss',), True), (('sleep',), False)]
    """
    out: list[Said] = []
    before = ""
    for i, (speaker, text) in enumerate(turns):
        if speaker != "patient":
            before = text
            continue
        found = clauses_of(plainly(text), True)
        if found and found[0].words[0] in _SHORT_ANSWER and len(found[0].words) <= 2:
            out += [Said(x, i) for x in _answered(before, denies=_SHORT_ANSWER[found[0].words[0]])]
            found = found[1:] if len(found) > 1 else found
        out += [Said(x, i) for x in found]
    return _resolved(out)


def _answered(question: str, *, denies: bool) -> list[Clause]:
    """Return what a short answer says: the last sentence before it, unless that asks for more than yes or no."""
    last = question.replace("…", ".").rstrip().rstrip(".!?").replace("?", ".").replace("!", ".").rpartition(".")[2]
    found = clauses_of(last, False)
    if not found or found[0].words[0] in _ASKS:
        return []
    return [x._replace(denied=denies or x.denied) for x in found]


def _resolved(said: Sequence[Said]) -> list[Said]:
    last: dict[str, str] = {}
    out = []
    for x in said:
        meant = last.get(x.clause.subject, "")
        for person in sorted(x.clause.persons):
            for pronoun in ("he", "she"):
                if agreement(pronoun, person) > 0.5:
                    last[pronoun] = person
        out.append(Said(x.clause._replace(subject=f"{x.clause.subject}={meant}"), x.turn) if meant else x)
    return out


class Meeting:
    """All claims (C) against all statements (S) of a session; a claim meets only what was said before its turn.

    Attributes
    ----------
    allowed : (C, S) whether the statement came before the claim.
    cover, near, exact, weak : (C, S) share of the claim's telling words that the statement has: by nearness,
    counting the
        statements next to it, in the same form; and its least covered word.
    cos, cos_content, cos_wide : (C, S) cosine: of all words, of words with content, with the statements next to it.
    who : (C, S) whether the subject may be the same.
    denied_differs, opposed : (C, S) one of the two denies; they have opposites.
    runs : (C, 8) how the claim was said word for word (``claim_runs.runs``).
    anywhere, least : (C,) share of the claim's words, and its least covered word, over all statements together.
    """

    def __init__(self, claims: Sequence[Asserted], said: Sequence[Said]) -> None:
        self.claims, self.said = [x.clause for x in claims], [x.clause for x in said]
        self.feeling = np.array([x.feeling for x in claims])
        self.turn = np.array([x.turn for x in said])
        self.claim_turn = np.array([x.turn for x in claims])
        self.allowed: _Flags = self.turn[None, :] < self.claim_turn[:, None]
        _words.learn([w for x in (*self.claims, *self.said) for w in (*x.words, *x.content)])
        self._content = [_words.flat([x.content or x.words for x in side]) for side in (self.claims, self.said)]
        self.runs = runs([(x.clause.words, x.turn) for x in claims], [(x.clause.words, x.turn) for x in said])
        self._share_words()
        self._measure()
        self.who = self._agreement()
        denied = [np.array([x.denied for x in side]) for side in (self.claims, self.said)]
        self.denied_differs: _Flags = (denied[0][:, None] != denied[1]) & (self.runs[:, :1] < _VERBATIM)
        (p, q), (r, s) = ((bits(side, "plus"), bits(side, "minus")) for side in (self.claims, self.said))
        self.opposed: _Flags = (((p & ~q)[:, None] & (s & ~r)) | ((q & ~p)[:, None] & (r & ~s))) != 0

    def _share_words(self) -> None:
        (mine, at), (theirs, starts) = self._content
        uc, ic = np.unique(mine, return_inverse=True)
        us, js = np.unique(theirs, return_inverse=True)
        shared = _words.unit[uc] @ _words.unit[us].T / _SQUARED
        shared = np.clip((shared - _KNOWN_FROM) / _KNOWN_SPAN, 0.0, 1.0)
        shared[_words.root[uc][:, None] == _words.root[us]] = 1.0
        by_word = greatest_of_runs(shared.T[js], starts).T[ic].astype(np.float64, order="C")
        by_word *= np.repeat(self.allowed, np.diff(np.r_[at, len(mine)]), axis=0)
        near = by_word.copy()
        near[:, 1:] = np.maximum(near[:, 1:], _NEXT_DOOR * by_word[:, :-1])
        near[:, :-1] = np.maximum(near[:, :-1], _NEXT_DOOR * by_word[:, 1:])
        weight = _words.weight[mine][:, None]
        total = np.add.reduceat(weight, at, axis=0)
        self.cover, self.near, self.exact = (
            np.add.reduceat(x * weight, at, axis=0) / total for x in (by_word, near, by_word > 0.999)
        )
        self.weak = -greatest_of_runs(-near, at)
        most = by_word.max(axis=1)
        self.anywhere: FloatArray = np.add.reduceat(most * weight[:, 0], at) / total[:, 0]
        self.least: FloatArray = np.minimum.reduceat(most, at)

    def _measure(self) -> None:
        c, s = (_words.sums(*_words.flat([x.words for x in side])) for side in (self.claims, self.said))
        content_c, content_s = (_words.sums(*flat) for flat in self._content)
        same = (self.turn[1:] == self.turn[:-1])[:, None]
        wide = s.copy()
        wide[1:] += s[:-1] * same
        wide[:-1] += s[1:] * same
        c, s, wide, content_c, content_s = map(on_grid, (c, s, wide, content_c, content_s))
        self.cos, self.cos_wide, self.cos_content = (
            np.where(self.allowed, (x @ y.T / _SQUARED).astype(np.float64), 0.0)
            for x, y in ((c, s), (c, wide), (content_c, content_s))
        )
        self._statements = s

    def between(self, at: _Ints) -> FloatArray:
        """Return the cosine of some statements with every one, (n, S)."""
        s = self._statements
        return np.clip((s[at] @ s.T / _SQUARED).astype(np.float64), 0.0, 1.0)

    def _agreement(self) -> FloatArray:
        one, other = [x.subject for x in self.claims], [x.subject for x in self.said]
        rows, columns = ({x: i for i, x in enumerate(dict.fromkeys(side))} for side in (one, other))
        table = np.array([[agreement(x, y) for y in columns] for x in rows])
        return np.asarray(table[np.array([rows[x] for x in one])][:, np.array([columns[y] for y in other])])

    def persons(self) -> tuple[_Bits, _Bits, _Bits]:
        """Return as bits the persons named by each claim, those named by each statement, and each claim's subject."""
        place: dict[str, int] = {}
        for x in (*self.said, *self.claims):
            for person in sorted((*x.persons, x.subject)):
                place.setdefault(person, len(place) % 64)
        sides = [
            np.array([sum({1 << place[p] for p in x.persons}) for x in side], dtype=np.uint64)
            for side in (self.claims, self.said)
        ]
        return sides[0], sides[1], np.array([1 << place[x.subject] for x in self.claims], dtype=np.uint64)


def bits(clauses: Sequence[Clause], name: str) -> _Bits:
    """Return a mask of every clause as numbers that can be compared all at once."""
    return np.array(list(map(attrgetter(name), clauses)), dtype=np.uint64)
