"""Cards: what each shipped coder was fitted on, how well it reads, and where it must not be used."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from typing import Literal, Protocol, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from turnwise.core.errors import FormatError, RegistryError
from turnwise.reading.features import FAMILIES, Family
from turnwise.reading.package_data import read_packaged

__all__ = [
    "Calibration",
    "Card",
    "Ceiling",
    "Confound",
    "DataSource",
    "Figure",
    "Floors",
    "Invariance",
    "Published",
    "ReliabilityBin",
    "bundle_licence",
    "card_names",
    "cards",
    "ears_licence",
    "load_card",
    "shipped",
]

Bundle = Literal["open", "research", "second"]
BUNDLES: tuple[Bundle, ...] = ("open", "research", "second")
"""``second`` holds the second reader: other examples and other features, only to see whether results hold."""
Kind = Literal["one", "many"]


class _Card(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Figure(_Card):
    """A measured value with its interval (percentile bootstrap over ``unit``); ``n`` = turns it rests on."""

    value: float
    low: float
    high: float
    level: float
    n: int
    unit: str

    def __str__(self) -> str:
        return f"{self.value:.3f} [{self.low:.3f}, {self.high:.3f}]"


class DataSource(_Card):
    """What a coder was fitted on; ``groups`` are what is never on both sides of a split."""

    name: str
    source: str
    licence: str
    file: str
    sha256: str
    groups: int
    turns: int
    by_label: dict[str, int]


class Ceiling(_Card):
    """How well people agree with each other on the same labels; what is not known is left out."""

    source: str
    macro_f1: float | None = None
    accuracy: float | None = None
    fleiss_kappa: float | None = None
    kappa: float | None = None
    n: int | None = None
    note: str = ""


class Published(_Card):
    """The best published figure on the same task; ``note`` says how far it can be compared."""

    metric: str
    value: float
    source: str
    note: str = ""


class Floors(_Card):
    """What has to be beaten, in the same folds and on the same turns.

    ``constant`` is macro-F1 of the best answer that is always the same: the commonest label, or
    where several may hold every label always. ``tfidf`` is a TF-IDF and logistic pipeline of the
    turn's own words; ``length`` sees only how long the turn is. The gains are paired.
    """

    constant: float
    tfidf: Figure
    gain_over_tfidf: Figure
    length: Figure
    gain_over_length: Figure


class Confound(_Card):
    """Something else than the construct that moves the coder."""

    name: str
    value: float
    says: str


class Invariance(_Card):
    """How much a coder moves when only one thing changes that should not matter, on its corpus's own turns.

    ``share_moved`` of ``n`` pairs of texts get another label; ``mean_change`` is the mean absolute
    change of the probability of what was most probable before. Read by the full weights.
    """

    name: str
    says: str
    n: int
    share_moved: float = Field(ge=0.0, le=1.0)
    mean_change: float = Field(ge=0.0, le=1.0)


class ReliabilityBin(_Card):
    """One bin ``(low, high]`` of a reliability diagram."""

    low: float
    high: float
    n: int
    confidence: float
    correct: float


class Calibration(_Card):
    """Whether probabilities are shares, out of fold.

    For a coder that gives one label: the probability of the label it gives, and whether people gave
    that one. For one that gives several: the probability of every label of every turn, and whether
    it holds. ``ece`` has ``bins`` equal-width bins; ``null_mean`` and ``null_95`` are what a perfectly
    calibrated coder of this n would show on average, and stay under 95 times in 100; ``debiased_ece``
    is ``ece - null_mean``. ``debiased_by_label`` is the same for each label's own probability.
    """

    ece: float
    adaptive_ece: float
    bins: int
    null_mean: float
    null_95: float
    debiased_ece: float
    debiased_by_label: dict[str, float]
    brier: float
    nll: float
    over_confidence: float
    auroc: float | None
    temperature: float
    share_read: dict[str, float]
    share_coded: dict[str, float]
    reliability: tuple[ReliabilityBin, ...]

    @property
    def within_null(self) -> bool:
        """True if the error is no larger than chance alone would give a perfectly calibrated coder."""
        return self.ece <= self.null_95


class Card(_Card):
    """The card of one coder: labels, data and licence, figures out of fold, floors, ceiling, confounds, scope.

    ``accuracy_cv`` is the share of turns whose whole answer is right (all labels, where several may
    hold). ``corpus`` names the loader of the human labels behind every figure (``engine/corpora``).
    """

    format: Literal["turnwise.card/2"] = "turnwise.card/2"
    coder: str
    item: str
    side: Family
    kind: Kind
    labels: tuple[str, ...]
    reads: Literal["therapist", "patient"]
    definition: str
    written_or_observed: Literal["written", "observed"]
    bundle: Bundle
    licence: str
    corpus: str
    data: DataSource
    extra_data: tuple[str, ...] = ()
    fit_command: str
    weighting: str
    encoder: str
    sha256: str
    validation: str
    macro_f1_cv: Figure
    accuracy_cv: Figure
    f1_by_label: dict[str, float]
    floors: Floors
    published: Published | None = None
    ceiling: Ceiling | None = None
    calibration: Calibration
    disagreement: Figure | None = None
    confounds: tuple[Confound, ...] = ()
    invariance: tuple[Invariance, ...] = ()
    extra_figures: dict[str, Figure] = Field(default_factory=dict)
    undetermined: tuple[str, ...] = ()
    """Labels that did not reach their floor: a turn that would get one is ``undetermined`` in use."""
    undetermined_in_simulation: tuple[str, ...] = ()
    """The same for sessions with simulated patients, on whose turns floors are measured apart."""
    weights: str = ""
    """Name of the weights, where several coders share a file; else their own."""
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
        if c is None:
            return "how far people agree on these labels is not published"
        turns = "" if c.n is None else f" ({c.n} turns)"
        if c.source.startswith("two language models"):
            return f"no people; two language models coding the same turns: macro-F1 {c.macro_f1:.2f}{turns}"
        if c.macro_f1 is not None:
            return f"one person against the majority of the others: macro-F1 {c.macro_f1:.2f}{turns}"
        found = (("kappa", c.kappa), ("Fleiss' kappa", c.fleiss_kappa), ("accuracy", c.accuracy))
        known = ", ".join(f"{name} {x:.2f}" for name, x in found if x is not None)
        return f"people among each other: {known or 'see the card'}{turns}"


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


class _Shipped(Protocol):
    @property
    def item(self) -> str: ...
    @property
    def labels(self) -> tuple[str, ...]: ...


C = TypeVar("C", bound=_Shipped)


def shipped(name: str, side: Family, unpack: Callable[[bytes], C]) -> C:
    """Return a coder's weights as they ship, checked against its card: hash, item and labels.

    Raises
    ------
    FormatError : the weights are missing or damaged, or are not those the card speaks of.
    """
    card, path = load_card(name, side), f"{side}/weights/{name}.safetensors"
    coder = unpack(read_packaged(path, card.sha256))
    # A coder may keep a last "none" to itself (turnwise.reading.thinking_trap).
    stated = coder.labels[: len(card.labels)] if coder.labels[-1] == "none" else coder.labels
    if (coder.item, stated) != (card.item, card.labels):
        raise FormatError(path, "package data", "holds another coder than its card says", "install turnwise again")
    return coder


def cards(side: Family) -> tuple[Card, ...]:
    """Return every card of one side, by name."""
    return tuple(load_card(name, side) for name in card_names(side))


def ears_licence() -> str:
    """Return the licence line of what simulated participants hear with."""
    return " ".join(sorted({c.licence for c in cards("ears")}))


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
