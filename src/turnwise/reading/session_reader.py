"""One coder that reads whole sessions in batch: what a rater's factory returns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from turnwise.core.errors import UndefinedError
from turnwise.core.nouns import Reading, Reason, Speaker, Trajectory
from turnwise.reading.coder import TurnCoder, load_coder
from turnwise.reading.explaining import Explanation, explain
from turnwise.reading.features import lookup_of
from turnwise.reading.scope import scope_code
from turnwise.reading.training_sessions import fingerprint, training_folds
from turnwise.reading.window import Window, windows_of

__all__ = ["OUT_OF_FOLD", "SessionReader"]

OUT_OF_FOLD = "+oof"
"""Appended to a coder's name when its weights were fitted without the session it reads."""


class SessionReader:
    """Reads one item off the turns of one speaker.

    Parameters
    ----------
    name : the coder, versioned.
    speaker : whose turns it reads; the other's are ``not_applicable``.
    folds : fingerprint → fold of the sessions it was fitted on; by default the shipped table.
    coder : the weights; by default the shipped ones of ``name``.
    """

    def __init__(
        self, name: str, speaker: Speaker, folds: Mapping[str, int] | None = None, coder: TurnCoder | None = None
    ) -> None:
        self._coder: TurnCoder = load_coder(name, "raters") if coder is None else coder
        self._folds = training_folds() if folds is None else folds
        self._speaker = speaker
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
        windows: dict[str, list[tuple[int, int, Window]]] = {}
        codes = [[self._code(turn.speaker, turn.text) for turn in t.turns] for t in ts]
        fits = [self._fit(t) for t in ts]
        for at, (t, fit) in enumerate(zip(ts, fits, strict=True)):
            seen = zip(windows_of(t.turns), codes[at], strict=True)
            windows.setdefault(fit, []).extend((at, i, w) for i, (w, code) in enumerate(seen) if code is None)
        vector = lookup_of(tuple(dict.fromkeys(turn.text for t in ts for turn in t.turns)))
        p = [np.full((len(c), len(self.labels)), np.nan) for c in codes]
        decided: list[list[str | None]] = [[None] * len(c) for c in codes]
        for fit, found in windows.items():
            rows = self._coder.read([w for _, _, w in found], fit, vector)
            labels = self._coder.decide(rows)
            for (at, i, _), row, label in zip(found, rows, labels, strict=True):
                p[at][i] = row
                decided[at][i] = label
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
        if said.speaker != self._speaker:
            raise UndefinedError("not_applicable", f"{self.coder} reads the {self._speaker}'s turns only")
        fit = self._fit(t)
        return explain(windows_of(t.turns)[turn], lambda ws: self._coder.read(ws, fit), self.labels, label)

    def _fit(self, t: Trajectory) -> str:
        fold = self._folds.get(fingerprint(t.turns))
        return "full" if fold is None else f"fold{fold}"

    def _name(self, fit: str) -> str:
        return self.coder if fit == "full" else self.coder + OUT_OF_FOLD

    def _code(self, speaker: Speaker, text: str) -> Reason | None:
        return scope_code(text) if speaker == self._speaker else "not_applicable"
