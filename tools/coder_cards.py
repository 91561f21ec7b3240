"""Make a coder's card from what was measured."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from coder_figures import accuracy, calibration, disagreement, f1_by_label, figure, macro_f1, mean_f1, tables_by_cluster
from linear_fit import RARE, Problem, class_weights
from turn_corpus import FOLDS, LOW_WEIGHT, Item, Labelled
from turnwise.core.nouns import FloatArray
from turnwise.reading.coder import Coder
from turnwise.reading.encoder import ENCODER
from turnwise.reading.window import Window

COMMAND = "OMP_NUM_THREADS=1 python tools/fit_turn_coders.py DATA_DIR"
LICENCE = (
    "AnnoMI is released by its authors for research without a licence file: coders fitted on it are for research, "
    "its transcripts are not redistributed, ask the authors first for any other use."
)
DEFINITIONS = {
    "therapist_behaviour": "Main behaviour of a therapist's turn as AnnoMI codes it; not a count of behaviours in "
    "the turn, and not how well they are done.",
    "client_talk": "Whether a client's turn leans towards change, against it or neither, as AnnoMI codes it; not "
    "whether the client changes.",
}
CEILINGS = {
    "therapist_behaviour": {"macro_f1": 0.853, "accuracy": 0.857, "fleiss_kappa": 0.728, "n": 171},
    "client_talk": {"macro_f1": 0.705, "accuracy": 0.757, "fleiss_kappa": 0.444, "n": 169},
}
WEIGHTING = (
    f"labels by inverse frequency to the power {RARE}, so that about as many turns get a label as people gave it; "
    f"turns of low-quality sessions {LOW_WEIGHT:g} times"
)
CEILING_SOURCE = "five AnnoMI transcripts coded by ten annotators: one against the majority of the other nine"
SCOPE = (
    "English turns of a conversation between a therapist and a client. Blank text is 'empty'; text that is not in "
    "Latin script, or clearly not English, is 'out_of_scope'; the other speaker's turns are 'not_applicable'. Fitted "
    "on spoken, transcribed motivational interviewing of about 16 words a turn (many sessions are demonstrations, the "
    "low-quality ones are staged); turns of more than 60 words are read stretch by stretch, and the long written turns "
    "of language models lie outside what was measured."
)
_SWAP = {"he": "she", "him": "her", "his": "her", "man": "woman", "husband": "wife", "boyfriend": "girlfriend"}
_SWAP |= {"father": "mother", "dad": "mom", "son": "daughter", "brother": "sister", "guy": "girl", "men": "women"}
_SWAP |= {b: a for a, b in _SWAP.items()} | {"her": "him"}
_GENDERED = re.compile(r"\b(" + "|".join(sorted(_SWAP)) + r")\b", re.IGNORECASE)


@dataclass(frozen=True)
class CardInput:
    """What a card is made of: the coder, what it and its counterpart say of every turn, which turns count."""

    item: Item
    data: Labelled
    coder: Coder
    says: FloatArray
    other: FloatArray
    rows: npt.NDArray[np.bool_]  # turns the coder's figures may be measured on
    unseen: npt.NDArray[np.bool_]  # turns that neither side saw
    fold: npt.NDArray[np.int64]
    data_sha256: str


def swap_gender(text: str) -> str:
    """Return the text with gendered words exchanged."""
    return _GENDERED.sub(lambda m: _SWAP[m.group().lower()], text)


def length_only(g: CardInput) -> float:
    """Return macro-F1 of a coder that sees nothing but the number of words, out of fold."""
    words = np.log1p([len(w.turn.text.split()) for w in g.data.windows])
    x = sparse.csr_matrix(np.stack([words, words**2, np.ones(len(words))], axis=1))
    n, coded = len(g.item.labels), np.zeros(len(words), dtype=np.int64)
    for k in range(FOLDS):
        train, held = g.fold != k, g.fold == k
        y = g.data.gold[train]
        weights = Problem(x[train], y, class_weights(y, n), n, c=1.0).solve()
        coded[held] = (x[held] @ weights).argmax(axis=1)
    return round(macro_f1(g.data.gold, coded, n), 4)


def confounds(g: CardInput) -> list[dict[str, Any]]:
    """Return what else moves the coder; what the data do not show is left out."""
    gold, coded = g.data.gold, g.says.argmax(axis=1)
    words = np.array([len(w.turn.text.split()) for w in g.data.windows])
    out = []
    for name, low, high in (("at most 5 words", 0, 5), ("6 to 40 words", 6, 40), ("more than 40 words", 41, 10**9)):
        rows = (words >= low) & (words <= high) & g.rows
        if rows.any():
            share = float((gold[rows] == coded[rows]).mean())
            says = f"accuracy on {int(rows.sum())} turns of {name}"
            out.append({"name": f"length: {name}", "value": round(share, 4), "says": says})
    gendered = [w for w in g.data.windows if _GENDERED.search(w.turn.text)]
    if gendered:
        other = [Window(w.turn.model_copy(update={"text": swap_gender(w.turn.text)}), w.before) for w in gendered]
        moved = g.coder.read(gendered).argmax(axis=1) != g.coder.read(other).argmax(axis=1)
        says = f"share of {len(other)} turns whose label moves when gendered words are exchanged (full weights)"
        out.append({"name": "gendered words", "value": round(float(moved.mean()), 4), "says": says})
    return out


def data_of(g: CardInput) -> dict[str, Any]:
    """Return what the shipped weights were fitted on: everything, or for an ear the half it was not measured on."""
    train = ~g.rows if g.coder.family == "ears" else np.ones(len(g.data), dtype=bool)
    labels = g.item.labels
    counts = np.bincount(g.data.gold[train], minlength=len(labels))
    return {
        "name": "AnnoMI (development portion)",
        "source": "Wu et al. 2022, ICASSP; Wu et al. 2023, Future Internet 15(3)",
        "licence": "R: released for research, no licence file",
        "file": "annomi/dialogues.jsonl.gz",
        "sha256": g.data_sha256,
        "sessions": len({s for (s, _), t in zip(g.data.where, train, strict=True) if t}),
        "series": len(set(g.data.series[train].tolist())),
        "turns": int(train.sum()),
        "by_label": dict(zip(labels, counts.tolist(), strict=True)),
    }


def card_of(name: str, g: CardInput) -> dict[str, Any]:
    """Return the card, ready to be validated."""
    n, labels = len(g.item.labels), g.item.labels
    gold, coded, series = g.data.gold[g.rows], g.says[g.rows].argmax(axis=1), g.data.series[g.rows]
    tables = tables_by_cluster(gold, coded, series, n)
    apart = tables_by_cluster(
        g.says[g.unseen].argmax(axis=1), g.other[g.unseen].argmax(axis=1), g.data.series[g.unseen], n
    )
    rater = g.coder.family == "raters"
    majority = np.full(len(gold), np.bincount(gold).argmax())
    f1 = f1_by_label(gold, coded, n)
    return {
        "coder": name,
        "item": g.item.name,
        "side": g.coder.family,
        "labels": labels,
        "reads": g.item.speaker,
        "definition": DEFINITIONS[g.item.name],
        "written_or_observed": "observed",
        "bundle": "research",
        "licence": LICENCE,
        "data": data_of(g),
        "fit_command": COMMAND,
        "weighting": WEIGHTING,
        "encoder": ENCODER,
        "sha256": g.coder.sha256,
        "validation": f"{FOLDS}-fold by series, every turn read by weights that saw nothing of its series; "
        "the shipped weights are fitted on all turns"
        if rater
        else "fitted on one half of the series, measured on the other half",
        "macro_f1_cv": figure(tables, mean_f1, "series"),
        "accuracy_cv": figure(tables, accuracy, "series"),
        "f1_by_label": dict(zip(labels, np.round(f1, 4).tolist(), strict=True)),
        "ceiling": {**CEILINGS[g.item.name], "source": CEILING_SOURCE},
        "length_only_macro_f1": length_only(g),
        "majority_macro_f1": round(macro_f1(gold, majority, n), 4),
        "calibration": calibration(g.says[g.rows], gold, labels, g.coder.fits["full"].temperature),
        "disagreement": figure(apart, disagreement, "series"),
        "confounds": confounds(g),
        "scope": SCOPE,
    }
