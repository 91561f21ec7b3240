"""One coder that reads whole sessions in batch: what a rater's factory returns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from typing import TypeAlias

import numpy as np

from turnwise.core.errors import UndefinedError
from turnwise.core.nouns import FloatArray, Reading, Reason, Speaker, Trajectory, Turn
from turnwise.reading.coder import TurnCoder, load_coder
from turnwise.reading.explaining import Explanation, explain
from turnwise.reading.features import Lookup, lookup_of
from turnwise.reading.scope import scope_code
from turnwise.reading.training_sessions import fingerprint, training_folds
from turnwise.reading.window import Window, windows_of

__all__ = ["OUT_OF_FOLD", "SessionReader"]

_Chosen: TypeAlias = tuple[list[int], list[Window]]

OUT_OF_FOLD = "+oof"
"""Appended to a coder's name when its weights were fitted without the session it reads."""


@dataclass(frozen=True, slots=True)
class _Prepared:
    """What every reader of the same sessions needs: windows, scope of each turn, fingerprints, embeddings.

    Turns stand one session after the other; ``starts`` says where each begins and where the last ends.
    """

    ts: tuple[Trajectory, ...]
    windows: list[Window]
    scope: list[Reason | None]
    starts: list[int]
    keys: list[str]
    vector: Lookup
    _chosen: dict[tuple[object, ...], tuple[list[Reason | None], dict[str, _Chosen]]] = field(default_factory=dict)

    def chosen(
        self, speaker: Speaker, words: tuple[int, int] | None, fits: tuple[str, ...]
    ) -> tuple[list[Reason | None], dict[str, _Chosen]]:
        """Return why each turn is not read, and those that are, by fit; readers alike in these three share it."""
        key = (speaker, words, fits)
        if key not in self._chosen:
            codes = [_code(w.turn, code, speaker, words) for w, code in zip(self.windows, self.scope, strict=True)]
            by_fit: dict[str, _Chosen] = {}
            for fit, (start, end) in zip(fits, pairwise(self.starts), strict=True):
                at, windows = by_fit.setdefault(fit, ([], []))
                at += (found := [i for i in range(start, end) if codes[i] is None])
                windows += [self.windows[i] for i in found]
            self._chosen[key] = codes, {fit: x for fit, x in by_fit.items() if x[0]}
        return self._chosen[key]


def _code(turn: Turn, scope: Reason | None, speaker: Speaker, words: tuple[int, int] | None) -> Reason | None:
    if turn.speaker != speaker:
        return "not_applicable"
    if scope is None and words is not None and not words[0] <= turn.n_words <= words[1]:
        return "out_of_scope"
    return scope


_latest: list[_Prepared] = []


def _prepared(ts: Sequence[Trajectory]) -> _Prepared:
    """Return what is shared, made once for the latest sessions (they are frozen, so the same object is the same)."""
    if _latest and len(_latest[0].ts) == len(ts) and all(a is b for a, b in zip(_latest[0].ts, ts, strict=True)):
        return _latest[0]
    ready = _Prepared(
        tuple(ts),
        [w for t in ts for w in windows_of(t.turns)],
        [scope_code(turn.text) for t in ts for turn in t.turns],
        [0, *accumulate(len(t.turns) for t in ts)],
        [fingerprint(t.turns) for t in ts],
        lookup_of([turn.text for t in ts for turn in t.turns]),
    )
    _latest[:] = [ready]
    return ready


class SessionReader:
    """Reads one item off the turns of one speaker.

    Parameters
    ----------
    name : the coder, versioned.
    speaker : whose turns it reads; the other's are ``not_applicable``.
    folds : fingerprint → fold of the sessions it was fitted on; by default the shipped table.
    coder : the weights; by default the shipped ones of ``name``.
    words : fewest and most words of a turn that the coder was fitted for; others are ``out_of_scope``.
    withheld : labels that did not reach their floor: a turn that would get one is ``undetermined``. First for
        transcripts, then for sessions with simulated patients.
    """

    def __init__(
        self,
        name: str,
        speaker: Speaker,
        folds: Mapping[str, int] | None = None,
        coder: TurnCoder | None = None,
        words: tuple[int, int] | None = None,
        withheld: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset()),
    ) -> None:
        self._coder: TurnCoder = load_coder(name, "raters") if coder is None else coder
        self._folds = training_folds() if folds is None else folds
        self._speaker = speaker
        self._words = words
        self._withheld = withheld
        self.coder = name
        self.item = self._coder.item
        self.labels = self._coder.labels
        self.sha256 = self._coder.sha256

    def read(self, ts: Sequence[Trajectory], /) -> list[Reading]:
        """Return one reading per session, in order.

        Each says by ``coder`` which weights spoke: the name itself, or with ``+oof`` where the
        session is one of those the coder was fitted on. A turn gets the same bits whatever
        sessions are read with it.
        """
        ready = _prepared(ts)
        fits = tuple(map(self._fit, ready.keys))
        codes, by_fit = ready.chosen(self._speaker, self._words, fits)
        if self._has_no_say(ts):
            codes, by_fit = ["undetermined" if code is None else code for code in codes], {}
        p = np.full((len(codes), len(self.labels)), np.nan)
        decided: list[str | None] = [None] * len(codes)
        for fit, (at, windows) in by_fit.items():
            rows = self._coder.read(windows, fit, ready.vector)
            p[at] = rows
            for i, label in zip(at, self._coder.decide(rows, fit), strict=True):
                decided[i] = label
        codes = self._withhold(ready, codes, p, decided) if any(self._withheld) else codes
        return [
            Reading(
                self.item,
                self._name(fit),
                self.sha256,
                self.labels,
                p[a:b].copy(),  # a session that is kept does not keep the others
                tuple(codes[a:b]),
                tuple(decided[a:b]),
            )
            for fit, (a, b) in zip(fits, pairwise(ready.starts), strict=True)
        ]

    def _has_no_say(self, ts: Sequence[Trajectory]) -> bool:
        """Whether every label is withheld in every session: then nothing need be read."""
        return all(self._withheld[t.spec is not None].issuperset(self.labels) for t in ts)

    def _withhold(
        self, ready: _Prepared, codes: list[Reason | None], p: FloatArray, decided: list[str | None]
    ) -> list[Reason | None]:
        """Blank what may not be said, and return the codes that say so."""
        out = list(codes)
        for t, (a, b) in zip(ready.ts, pairwise(ready.starts), strict=True):
            withheld = self._withheld[t.spec is not None]
            for i in range(a, b) if withheld else ():
                if decided[i] in withheld:
                    p[i], decided[i], out[i] = np.nan, None, "undetermined"
        return out

    def explain(self, t: Trajectory, turn: int, label: str | None = None) -> Explanation:
        """Return which words of a turn moved its label, read by the weights that read that session.

        Raises
        ------
        UndefinedError : the turn is not one this coder reads, or it is blank or out of scope.
        """
        said = t.turns[turn]
        code = _code(said, scope_code(said.text), self._speaker, self._words)
        if code == "not_applicable":
            raise UndefinedError(code, f"{self.coder} reads the {self._speaker}'s turns only")
        if code is not None:
            raise UndefinedError(code, f"{self.coder} does not read turns of this length or language")
        fit = self._fit(fingerprint(t.turns))
        return explain(windows_of(t.turns)[turn], lambda ws: self._coder.read(ws, fit), self.labels, label)

    def spans(self, t: Trajectory, turn: int) -> list[tuple[int, int, str, float]]:
        """Return the stretches of a turn that carry the label: (start, end, what, p), in characters.

        Empty where none do, and for coders that read a turn only as a whole.
        """
        found = getattr(self._coder, "spans", None)
        if found is None or t.turns[turn].speaker != self._speaker:
            return []
        return list(found(windows_of(t.turns)[turn], self._fit(fingerprint(t.turns))))

    def _fit(self, key: str) -> str:
        fold = self._folds.get(key)
        return "full" if fold is None else f"fold{fold}"

    def _name(self, fit: str) -> str:
        return self.coder if fit == "full" else self.coder + OUT_OF_FOLD
