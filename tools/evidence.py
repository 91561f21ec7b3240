"""What a fitting script hands over so that a card can be made of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from turnwise.core.nouns import FloatArray
from turnwise.engine.corpora.corpus import Corpus
from turnwise.reading.window import Window

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Evidence:
    """Everything about one coder that its card says.

    ``gold``, ``decided``, ``floor`` and ``length`` are label indices (n,) for a coder that gives one
    label, or 0/1 (n, L) for one that gives several. ``p``, ``decided``, ``floor`` and ``length`` are
    out of fold, all in the *same* folds: the coder, a TF-IDF pipeline, and a coder that sees only how
    long the turn is. ``read`` and ``decide`` are the shipped coder's, for what is measured on the
    full weights (invariance).
    """

    name: str
    item: str
    side: str
    kind: str
    labels: tuple[str, ...]
    reads: str
    definition: str
    corpus: Corpus
    data_sha256: str
    windows: Sequence[Window]
    gold: Ints
    group: npt.NDArray[np.str_]
    p: FloatArray
    decided: Ints
    floor: Ints
    length: Ints
    read: Callable[[Sequence[Window]], FloatArray]
    decide: Callable[[FloatArray], list[str]]
    sha256: str
    fit_command: str
    weighting: str
    validation: str
    scope: str
    bundle: str
    licence: str
    written_or_observed: str = "observed"
    temperature: float = 1.0
    ceiling: Mapping[str, Any] | None = None
    published: Mapping[str, Any] | None = None
    extra_data: tuple[str, ...] = ()
    """Other data sets (with licence) that went into the fit, e.g. through a transferred head."""
    extra_figures: Mapping[str, Any] = field(default_factory=dict)
    """Further figures by name, each ``{"value", "low", "high", "level", "n", "unit"}`` (e.g. token F1 of spans)."""
