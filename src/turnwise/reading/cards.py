"""Cards: what each shipped coder was fitted on, how well it reads, and where it must not be used."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Literal

from pydantic import BaseModel, ConfigDict

from turnwise.core.errors import RegistryError
from turnwise.reading.features import FAMILIES, Family
from turnwise.reading.package_data import read_packaged

__all__ = ["Card", "Confound", "DataSource", "Figure", "bundle_licence", "card_names", "cards", "load_card"]

Bundle = Literal["open", "research"]
BUNDLES: tuple[Bundle, ...] = ("open", "research")


class _Card(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Figure(_Card):
    """A measured value with its interval (percentile bootstrap over ``unit``)."""

    value: float
    low: float
    high: float
    level: float
    n: int
    unit: str


class DataSource(_Card):
    """What a coder was fitted on."""

    name: str
    source: str
    licence: str
    file: str
    sha256: str
    sessions: int
    series: int
    turns: int
    by_label: dict[str, int]


class Ceiling(_Card):
    """How well people agree with each other on the same labels."""

    macro_f1: float
    accuracy: float
    fleiss_kappa: float
    n: int
    source: str


class Confound(_Card):
    """Something else than the construct that moves the coder."""

    name: str
    value: float
    says: str


class Calibration(_Card):
    """Top-label calibration out of fold; ``null_95`` bounds the error of a perfectly calibrated coder."""

    ece: float
    bins: int
    null_95: float
    over_confidence: float
    temperature: float
    share_read: dict[str, float]
    share_coded: dict[str, float]


class Card(_Card):
    """The card of one coder: labels, data and licence, figures out of fold, ceiling, confounds, scope."""

    coder: str
    item: str
    side: Family
    labels: tuple[str, ...]
    reads: Literal["therapist", "patient"]
    definition: str
    written_or_observed: Literal["written", "observed"]
    bundle: Bundle
    licence: str
    data: DataSource
    fit_command: str
    weighting: str
    encoder: str
    sha256: str
    validation: str
    macro_f1_cv: Figure
    accuracy_cv: Figure
    f1_by_label: dict[str, float]
    ceiling: Ceiling
    length_only_macro_f1: float
    majority_macro_f1: float
    calibration: Calibration
    disagreement: Figure
    confounds: tuple[Confound, ...]
    scope: str

    @property
    def macro_f1(self) -> float:
        """Macro-F1 out of fold."""
        return self.macro_f1_cv.value

    def figure_sentence(self) -> str:
        """Return the coder's figure with its interval, in one line."""
        f = self.macro_f1_cv
        return f"macro-F1 {f.value:.2f} [{f.low:.2f}, {f.high:.2f}] out of fold, {f.n} turns of {self.data.name}"

    def ceiling_sentence(self) -> str:
        """Return how well people do on the same task, in one line."""
        c = self.ceiling
        return f"one person against the majority of the others: macro-F1 {c.macro_f1:.2f} ({c.n} turns)"


@cache
def card_names(side: Family) -> tuple[str, ...]:
    """Return the versioned names of the coders of one side, sorted."""
    folder = files("turnwise.reading").joinpath(f"{side}/cards")
    found = (f.name.removesuffix(".json") for f in folder.iterdir() if f.name.endswith(".json"))
    return tuple(sorted(found))


@cache
def load_card(name: str, side: Family) -> Card:
    """Return a coder's card; an unversioned name means the newest version.

    Raises
    ------
    RegistryError : that side has no such coder.

    Examples
    --------
    >>> load_card("client_talk", "raters").labels
    ('change', 'neutral', 'sustain')
    """
    known = card_names(side) if side in FAMILIES else ()
    versions = [n for n in known if name in (n, n.rsplit(".v", 1)[0])]
    if not versions:
        raise RegistryError(f"no card for coder {name!r} among the {side}; known: {', '.join(known)}.")
    newest = max(versions, key=lambda n: int(n.rsplit(".v", 1)[1]))
    return Card.model_validate(json.loads(read_packaged(f"{side}/cards/{newest}.json")))


def cards(side: Family) -> tuple[Card, ...]:
    """Return every card of one side, by name."""
    return tuple(load_card(name, side) for name in card_names(side))


def bundle_licence(bundle: str) -> str:
    """Return the licence line of a bundle of coders: what may be done with what they say.

    Raises
    ------
    RegistryError : there is no such bundle.

    Examples
    --------
    >>> bundle_licence("research").split(":")[0]
    'research'
    """
    if bundle not in BUNDLES:
        raise RegistryError(f"no bundle of coders is called {bundle!r}; known: {', '.join(BUNDLES)}.")
    lines = sorted({c.licence for side in FAMILIES for c in cards(side) if c.bundle == bundle})
    return f"{bundle}: {' '.join(lines)}" if lines else f"{bundle}: no coder in this bundle yet."
