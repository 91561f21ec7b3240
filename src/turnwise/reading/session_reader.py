"""One coder that reads whole sessions in batch: what a rater's factory returns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from turnwise.core.nouns import Reading, Reason, Speaker, Trajectory
from turnwise.reading.coder import Coder, load_coder
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
        self, name: str, speaker: Speaker, folds: Mapping[str, int] | None = None, coder: Coder | None = None
    ) -> None:
        self._coder = load_coder(name, "raters") if coder is None else coder
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
        readings: list[Reading] = []
        for at, t in enumerate(ts):
            fold = self._folds.get(fingerprint(t.turns))
            fit = "full" if fold is None else f"fold{fold}"
            codes = [self._code(turn.speaker, turn.text) for turn in t.turns]
            readings.append(self._blank(codes, fit))
            seen = zip(windows_of(t.turns), codes, strict=True)
            windows.setdefault(fit, []).extend((at, i, w) for i, (w, code) in enumerate(seen) if code is None)
        vector = lookup_of(tuple(dict.fromkeys(turn.text for t in ts for turn in t.turns)))
        for fit, found in windows.items():
            p = self._coder.read([w for _, _, w in found], fit, vector)
            for (at, i, _), row in zip(found, p, strict=True):
                readings[at].p[i] = row
        return readings

    def _code(self, speaker: Speaker, text: str) -> Reason | None:
        return scope_code(text) if speaker == self._speaker else "not_applicable"

    def _blank(self, codes: Sequence[Reason | None], fit: str) -> Reading:
        return Reading(
            item=self.item,
            coder=self.coder if fit == "full" else self.coder + OUT_OF_FOLD,
            sha256=self.sha256,
            labels=self.labels,
            p=np.full((len(codes), len(self.labels)), np.nan),
            codes=tuple(codes),
        )
