"""Fit the open coders again: on examples written for this project (and BOLT), measured on what people coded.

    OMP_NUM_THREADS=1 python tools/fit_written_coders.py DATA_DIR [--check]

Nothing of AnnoMI or of the thinking traps goes into a fit: both are only measured on. With --check
nothing is written and the exit code says whether a refit gives, byte for byte, what ships.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from annomi_words import CEILINGS, DEFINITIONS, PUBLISHED, SCOPE
from coder_cards import card_of
from evidence import Evidence
from fit_turn_coders import Fitter, Ints, Mask, fold_of, length_only
from linear_fit import RARE
from pair_fit import tfidf_floor
from refitting import as_json, command_line
from turn_corpus import FOLDS, ITEMS, Item, Labelled, labelled
from turnwise.core.nouns import FloatArray, Trajectory
from turnwise.engine.coder_figures import as_indices
from turnwise.engine.corpora.annomi import ANNOMI
from turnwise.engine.corpora.bolt import BOLT
from turnwise.engine.corpora.corpus import Corpus
from turnwise.engine.corpora.thinking_traps import THINKING_TRAPS
from turnwise.reading.cards import Card, Kind
from turnwise.reading.coder import Coder, LinearWeights, TurnCoder, pack
from turnwise.reading.features import features_of
from turnwise.reading.thinking_trap import NONE, TrapCoder
from turnwise.reading.window import Window
from written_examples import FILES, LICENCE, as_labelled, bolt_turns, records, together, window, written_turns

COMMAND = "OMP_NUM_THREADS=1 python tools/fit_written_coders.py DATA_DIR"
WEIGHTING = (
    f"labels by inverse frequency to the power {RARE}; the temperature comes from voices held out inside and never "
    "sharpens a fit (at least 1), because those who wrote one voice wrote the others too"
)
SHIFT = (
    "; the bias is moved from the training shares to the shares of the labels in BOLT (one added to each count), which "
    "people said: fewer turns are then read as sustain, and F1 of sustain alone is 0.05 lower than without"
)
VALIDATION = (
    "fitted on invented examples only; measured on what people coded, none of which any weight has seen. The rule of "
    "the calibration has no number of its own, but it was chosen from some 25 after a look at the errors on AnnoMI: "
    "its calibration error there flatters"
)
TRAPS = Item(
    "distortion",
    "patient",
    (
        "all_or_nothing", "blaming", "catastrophizing", "comparing", "disqualifying_the_positive",
        "emotional_reasoning", "fortune_telling", "labeling", "mind_reading", "overgeneralizing", "personalizing",
        "should_statements", NONE,
    ),
)  # fmt: skip
_SAME_TRAP = {"magnification": "catastrophizing"}  # told apart by the writers, not by the people who coded
_TRAP_SCOPE = (
    "English first-person thoughts of 6 to 60 words. Fitted on invented ones. It says which trap, if there is one; "
    "whether there is one it cannot tell on what people coded (see the extra figure), so 'none' means little: in a "
    "critic's reading it named a trap in 51 of 62 invented turns that had none. Never report the share of turns with a "
    "trap."
)
_TRAP_DEFINITION = (
    "Which thinking trap a negative thought shows (Burns 1980, as Sharma et al. 2023 code them); not whether the "
    "thought is false, and not whether the person is ill."
)


@dataclass(frozen=True)
class Measured:
    """What people said of turns that no weight has seen: gold and groups, in the coder's label order."""

    corpus: Corpus
    windows: tuple[Window, ...]
    gold: Ints
    group: Any
    sha256: str


def fit(item: Item, data: Labelled, observed: Ints | None = None) -> Coder:
    """Return the coder fitted on all of ``data``, calibrated over folds of whole voices.

    Parameters
    ----------
    item, data : what it reads, and the examples it is fitted on.
    observed : how often each label occurs where people talked, if that is known of all of them; else
        the shares of the examples stay.
    """
    names = sorted(set(data.series.tolist()))
    # A voice goes where its name's hash says: the same examples give the same folds, in any order.
    part = {name: int(hashlib.sha256(name.encode()).hexdigest(), 16) % FOLDS for name in names}
    fitter = Fitter(item, "raters", data, features_of(data.windows, item.name, "raters"))
    fold, rows = fold_of(data, part), np.ones(len(data), dtype=bool)
    found = never_sharper(fitter.weights(rows, fold))
    if observed is not None:
        seen = fitter.weight_of(rows) @ np.eye(len(item.labels))[data.gold]
        found = towards(found, seen, observed.astype(np.float64) + 1.0)
    return fitter.coder({"full": found})


def never_sharper(found: LinearWeights) -> LinearWeights:
    """Return the weights with a temperature of at least one.

    Voices that one mind wrote resemble each other more than people do: read on them a fit looks too
    modest, and sharpened by them it is too sure of what people say.
    """
    return replace(found, temperature=max(1.0, found.temperature))


def towards(found: LinearWeights, seen: FloatArray, observed: FloatArray) -> LinearWeights:
    """Return the weights with the shares of labels they were fitted on changed for others.

    Saerens, Latinne & Decaestecker (2002), Neural Computation 14(1), with the new shares known.

    Parameters
    ----------
    found : weights with their temperature, by which the bias is divided on reading.
    seen, observed : (L,) positive counts of each label, in the fit and where it is to be right.
    """
    moved = np.log(observed / observed.sum()) - np.log(seen / seen.sum())
    return replace(found, bias=found.bias + found.temperature * np.round(moved, 4))


def floors(data: Labelled, measured: Sequence[Window], n: int) -> tuple[Ints, Ints]:
    """Return what TF-IDF and length alone say of ``measured`` when fitted on the same examples."""
    texts = [w.turn.text for w in (*data.windows, *measured)]
    # Two "folds": the second, what is measured, is read by a fit on the first. The other way round
    # is thrown away, so any labels do for it.
    gold = np.concatenate([data.gold, np.arange(len(measured), dtype=np.int64) % n])
    fold: Ints = np.repeat([0, 1], [len(data), len(measured)])
    return (
        tfidf_floor([(t,) for t in texts], gold, fold, n, c=1.0)[len(data) :],
        length_only(texts, gold, fold, n)[len(data) :],
    )


def evidence(name: str, item: Item, coder: TurnCoder, m: Measured, floor: tuple[Ints, Ints]) -> Evidence:
    """Return everything that every open coder's card says alike."""
    p = coder.read(m.windows)
    kind: Kind = "many" if m.gold.ndim == 2 else "one"
    return Evidence(
        name=name, item=item.name, side="raters", kind=kind, labels=coder.labels, reads=item.speaker,
        definition=DEFINITIONS.get(item.name, _TRAP_DEFINITION), corpus=m.corpus, data_sha256=m.sha256,
        windows=m.windows, gold=m.gold, group=m.group, p=p, decided=as_indices(coder.decide(p), coder.labels, kind),
        floor=floor[0], length=floor[1], read=coder.read, decide=coder.decide, sha256=coder.sha256,
        fit_command=COMMAND, weighting=WEIGHTING, validation=VALIDATION, scope=SCOPE, bundle="open",
        licence=f"Fitted on {LICENCE}.", written_or_observed="written",
    )  # fmt: skip


def open_turn_coder(item: Item, data_dir: Path, annomi: Sequence[Trajectory]) -> tuple[str, Coder, Evidence]:
    """Return the open coder of main behaviour or client talk."""
    name, bolt = f"{item.name}_open.v1", BOLT.load(data_dir / BOLT.file)
    talked = bolt_turns(bolt, item)
    data, observed = together(written_turns(item), talked), np.bincount(talked.gold, minlength=len(item.labels))
    known = bool((observed > 0).all())  # BOLT has all of client talk, and no therapist's turn that is nothing
    coder, held = fit(item, data, observed if known else None), labelled(annomi, item)
    m = Measured(ANNOMI, held.windows, held.gold, held.series, sha256_of(data_dir / ANNOMI.file))
    found = evidence(name, item, coder, m, floors(data, held.windows, len(item.labels)))
    extra = (f"{LICENCE}: {FILES[item.name]}", f"{BOLT.title}, {BOLT.source}, {BOLT.licence}")
    licence = f"Fitted on {LICENCE}, and on BOLT (BSD-3); any use, with attribution of BOLT."
    temperature = coder.fits["full"].temperature
    said: dict[str, Any] = {"ceiling": CEILINGS[item.name], "published": PUBLISHED[item.name]}
    said["weighting"] = found.weighting + (SHIFT if known else "")
    return name, coder, replace(found, extra_data=extra, licence=licence, temperature=temperature, **said)


def trap_coder(data_dir: Path) -> tuple[str, Coder, Evidence]:
    """Return the coder of thinking traps."""
    name = "distortion.v1"
    found = [r | {"label": _SAME_TRAP.get(r["label"], r["label"])} for r in records("distortions.jsonl")]
    data = as_labelled([(window(r, "patient"), r["label"], r["voice"]) for r in found], TRAPS)
    inner = fit(TRAPS, data)
    coder, ts = TrapCoder(inner), THINKING_TRAPS.load(data_dir / THINKING_TRAPS.file)
    gold_of = THINKING_TRAPS.gold["distortion"]
    ts = [t for t in ts if 6 <= t.turns[0].n_words <= 60]  # the others are out of its scope
    said = [gold_of(t, 0) or frozenset() for t in ts]
    gold = np.array([[label in labels for label in coder.labels] for labels in said], dtype=np.int64)
    group = np.array([THINKING_TRAPS.group_of(t) for t in ts], dtype=np.str_)
    windows = tuple(Window(t.turns[0]) for t in ts)
    m = Measured(THINKING_TRAPS, windows, gold, group, sha256_of(data_dir / THINKING_TRAPS.file))
    # The floors give one label, of which the last is none: as rows of 0 and 1 like the coder's.
    tfidf, length = (np.eye(len(TRAPS.labels), dtype=np.int64)[x][:, :-1] for x in floors(data, windows, 13))
    e = evidence(name, TRAPS, coder, m, (tfidf, length))
    return (
        name,
        inner,
        replace(
            e,
            scope=_TRAP_SCOPE,
            extra_data=(f"{LICENCE}: distortions.jsonl",),
            temperature=inner.fits["full"].temperature,
            extra_figures=trap_figures(e.p, gold, group),
        ),
    )


def trap_figures(p: FloatArray, gold: Ints, group: Any) -> Mapping[str, Any]:
    """Return how often the one trap it names is among those people found, and whether it sees that there is one."""
    from turnwise.engine.coder_figures import UNIT, figure
    from turnwise.stats.auc import auc
    from turnwise.stats.bootstrap import bootstrap_mean

    trapped: Mask = gold.sum(axis=1) > 0
    hit = gold[np.arange(len(p)), p.argmax(axis=1)][trapped].astype(float)
    share = bootstrap_mean(hit, clusters=group[trapped], rng=20_261_121)
    return {
        "hit rate: the trap it names is one that people found, where they found any": figure(share, UNIT),
        "AUC: some trap against none": figure(auc(p.sum(axis=1), trapped, clusters=group, rng=20_261_121), UNIT),
    }


def sha256_of(path: Path) -> str:
    """Return the hash of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def fit_all(data_dir: Path) -> dict[str, bytes]:
    """Return every file this script makes, by path inside the reading room."""
    annomi = ANNOMI.load(data_dir / ANNOMI.file)
    made = [*(open_turn_coder(item, data_dir, annomi) for item in ITEMS), trap_coder(data_dir)]
    out: dict[str, bytes] = {}
    for name, coder, found in made:
        out[f"raters/weights/{name}.safetensors"] = pack(coder)
        out[f"raters/cards/{name}.json"] = as_json(Card.model_validate(card_of(found)).model_dump())
    return out


def main(argv: Sequence[str] | None = None) -> int:
    """Fit and write, or check."""
    return command_line(__doc__ or "", fit_all, argv)


if __name__ == "__main__":
    sys.exit(main())
