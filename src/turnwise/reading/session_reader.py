"""One coder that reads whole sessions in batch: what a rater's factory returns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from turnwise.core.errors import UndefinedError
from turnwise.core.nouns import Reading, Reason, Speaker, Trajectory, Turn
from turnwise.reading.coder import TurnCoder, load_coder
from turnwise.reading.explaining import Explanation, explain
from turnwise.reading.features import Lookup, lookup_of
from turnwise.reading.scope import scope_code
from turnwise.reading.training_sessions import fingerprint, training_folds
from turnwise.reading.window import Window, windows_of

__all__ = ["OUT_OF_FOLD", "SessionReader"]

OUT_OF_FOLD = "+oof"
"""Appended to a coder's name when its weights were fitted without the session it reads."""


@dataclass(frozen=True, slots=True)
class _Prepared:
    """What every reader of the same sessions needs: windows, scope of each turn, fingerprints, embeddings."""

    ts: tuple[Trajectory, ...]
    windows: list[list[Window]]
    scope: list[list[Reason | None]]
    keys: list[str]
    vector: Lookup


_latest: list[_Prepared] = []


def _prepared(ts: Sequence[Trajectory]) -> _Prepared:
    """Return what is shared, made once for the latest sessions (they are frozen, so the same object is the same)."""
    if _latest and len(_latest[0].ts) == len(ts) and all(a is b for a, b in zip(_latest[0].ts, ts, strict=True)):
        return _latest[0]
    ready = _Prepared(
        tuple(ts),
        [windows_of(t.turns) for t in ts],
        [[scope_code(turn.text) for turn in t.turns] for t in ts],
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
        windows: dict[str, list[tuple[int, int, Window]]] = {}
        fits = [self._fit(key) for key in ready.keys]
        codes = [
            [self._code(turn, code) for turn, code in zip(x.turns, scope, strict=True)]
            for x, scope in zip(ts, ready.scope, strict=True)
        ]
        for at, fit in enumerate(fits):
            seen = zip(ready.windows[at], codes[at], strict=True)
            windows.setdefault(fit, []).extend((at, i, w) for i, (w, code) in enumerate(seen) if code is None)
        p = [np.full((len(c), len(self.labels)), np.nan) for c in codes]
        decided: list[list[str | None]] = [[None] * len(c) for c in codes]
        for fit, found in windows.items():
            rows = self._coder.read([w for _, _, w in found], fit, ready.vector)
            labels = self._coder.decide(rows, fit)
            for (at, i, _), row, label in zip(found, rows, labels, strict=True):
                p[at][i] = row
                decided[at][i] = label
                if label in self._withheld[ts[at].spec is not None]:
                    p[at][i], decided[at][i], codes[at][i] = np.nan, None, "undetermined"
        return [
            Reading(self.item, self._name(fit), self.sha256, self.labels, rows, tuple(code), tuple(values))
            for fit, rows, code, values in zip(fits, p, codes, decided, strict=True)
        ]

    def explain(self, t: Trajectory, turn: int, label: str | None = None) -> Explanation:
        """Return which words of a turn moved its label, read by the weights that read that session.

        Raises
        ------
        UndefinedError : the turn is not one this coder reads, or it is blank or out of scope.
        """
        said = t.turns[turn]
        code = self._code(said, scope_code(said.text))
        if code == "not_applicable":
            raise UndefinedError(code, f"{self.coder} reads the {self._speaker}'s turns only")
        if code is not None:
            raise UndefinedError(code, f"{self.coder} does not read turns of this length or language")
        fit = self._fit(fingerprint(t.turns))
        return explain(windows_of(t.turns)[turn], lambda ws: self._coder.read(ws, fit), self.labels, label)

    def _code(self, turn: Turn, scope: Reason | None) -> Reason | None:
        if turn.speaker != self._speaker:
            return "not_applicable"
        if scope is None and self._words is not None and not self._words[0] <= turn.n_words <= self._words[1]:
            return "out_of_scope"
        return scope

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
