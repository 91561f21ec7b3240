"""Fit the claims rater on written examples and coded sessions; measure it on a hand and on sessions that train nothing.

    OMP_NUM_THREADS=1 python tools/fit_claims.py DATA_DIR [--check]

Examples: ``tools/written/skills/claims_HAND.jsonl``; sessions: ``claims_m.jsonl`` (``claim_sessions``).
DATA_DIR is not read; every fitting script takes it. With --check
nothing is written and the exit code says whether a refit gives, byte for byte, what ships.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from boosted_fit import boosted
from claim_examples import HARD, ClaimExample, claim_examples, turn_label, window_of_claims
from claim_sessions import Seen, coded_sessions, figures_in_simulation, rows_of_sessions, simulated_turns
from coder_cards import card_of
from evidence import Evidence
from fit_turn_coders import length_only
from pair_fit import tfidf_floor
from refitting import as_json, command_line
from skill_examples import FOLDER
from turnwise.core.nouns import FloatArray
from turnwise.engine.coder_figures import as_indices, figure
from turnwise.engine.corpora.corpus import Corpus
from turnwise.reading.cards import Card, Figure
from turnwise.reading.claim_coder import LABELS, VERDICTS, ClaimCoder, ClaimWeights, asserted, unpacked
from turnwise.reading.claim_features import features_of
from turnwise.reading.claim_meeting import Meeting, said_before
from turnwise.reading.products import softmax
from turnwise.stats.auc import auc

NAME = "claims.v1"
TRAIN, ALSO, TEST = "k", "n", "l"
PARTS = 12
"""Parts of the training histories that are held out in turn; all claims against one history are in one part."""
FLOOR = 0.85
"""Area under the curve of supported against not supported on hard examples below which no label may be used."""
SHORT = 0.10
"""How much less than two readers with each other the rater may agree with them on simulated turns."""
SEED = 20_261_121
LICENCE = "Fitted on examples written for this project, and on coded turns of simulated sessions; any use."
TRAINED = tuple(f"tools/written/skills/claims_{x}.jsonl" for x in (TRAIN, ALSO, "m"))
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Rows:
    """All marked claims of a hand as numbers: features, verdicts, history, type."""

    names: tuple[str, ...]
    x: FloatArray
    y: Ints
    group: Ints
    type: npt.NDArray[np.str_]

    @property
    def compared(self) -> npt.NDArray[np.bool_]:
        """The claims of the main figure: all that are supported, and those of a hard type that are not."""
        return np.asarray((self.y == 0) | np.isin(self.type, HARD))


def rows_of(examples: Sequence[ClaimExample]) -> Rows:
    """Return the numbers of every marked claim, hedged ones as well."""
    x: list[FloatArray] = []
    y: list[int] = []
    group: list[int] = []
    kinds: list[str] = []
    names: tuple[str, ...] = ()
    for e in examples:
        turn = len(e.history)
        made = [(c, a) for c in e.claims if (a := asserted(c.span, turn, feeling=c.feeling)) is not None]
        if not made:
            continue
        names, found = features_of(Meeting([a for _, a in made], said_before(e.history)))
        x.append(found)
        y += [VERDICTS.index(c.verdict) for c, _ in made]
        group += [e.group] * len(made)
        kinds += [e.type] * len(made)
    return Rows(names, np.concatenate(x), np.array(y), np.array(group), np.array(kinds))


def fitted(rows: Sequence[Rows], which: Sequence[npt.NDArray[np.bool_]], seen: Seen) -> ClaimWeights:
    """Fit on some claims of written hands and on all of coded sessions."""
    x = np.concatenate([seen.x, *(r.x[w] for r, w in zip(rows, which, strict=True))])
    y = np.concatenate([seen.y, *(r.y[w] for r, w in zip(rows, which, strict=True))])
    weight = np.r_[seen.weight, np.ones(len(y) - len(seen.y))]
    return ClaimWeights(rows[0].names, boosted(x, y, weight, len(VERDICTS)))


def probabilities(w: ClaimWeights, x: FloatArray) -> FloatArray:
    """Return the verdicts of claims whose numbers are known already."""
    return softmax(w.trees.scores(x))


def held_out(rows: Sequence[Rows], seen: Seen) -> FloatArray:
    """Return the verdicts of every claim of the first hand by weights that saw nothing of its history."""
    first, others = rows[0], [np.ones(len(r.y), dtype=bool) for r in rows[1:]]
    p = np.zeros((len(first.y), len(VERDICTS)))
    for part in range(PARTS):
        out = first.group % PARTS == part
        p[out] = probabilities(fitted(rows, [~out, *others], seen), first.x[out])
    return p


def area_figure(scores: FloatArray, rows: Rows, which: npt.NDArray[np.bool_]) -> Figure:
    """Return the area under the curve of supported against not supported, over histories."""
    return figure(auc(scores[which], rows.y[which] == 0, rng=SEED, clusters=rows.group[which]), "history")


def areas(w: ClaimWeights, train: Sequence[Rows], test: Rows, seen: Seen) -> dict[str, Figure]:
    """Return the figures over claims: the goal, by type, and what words alone would give."""
    says = "AUC supported / not supported"
    p, found = probabilities(w, test.x)[:, 0], {}
    found[f"{says}, hard examples of hand {TEST}"] = area_figure(p, test, test.compared)
    for kind in HARD:
        found[f"{says}, hand {TEST}: {kind}"] = area_figure(p, test, (test.y == 0) | (test.type == kind))
    words = test.x[:, test.names.index("anywhere")]
    found[f"{says}, hand {TEST}, by shared words alone"] = area_figure(words, test, test.compared)
    own, first = held_out(train, seen)[:, 0], train[0]
    found[f"{says}, hard examples of hand {TRAIN}, each history held out"] = area_figure(own, first, first.compared)
    return found


_TESTED = Corpus(
    name="claim_examples",
    title=f"written claims, hand {TEST}",
    file=f"tools/written/skills/claims_{TEST}.jsonl",
    source="invented for this project; a hand that trained nothing",
    licence="this project's own",
    bundle="open",
    load=lambda path: (),
    gold={},
    group_of=lambda t: t.session_id,
)
DEFINITION = (
    "The worst of what a turn claims about the patient (a feeling or a fact; no question, hedged guess, advice "
    "or general "
    "statement) against all that the patient said before, the latest statement winning: supported, unsupported (never "
    "said), contradicted; none where nothing is claimed. Not whether it is true of the person, and no verdict on "
    "a good "
    "reflection that goes beyond the words."
)
SCOPE = (
    "English therapy and support conversations in which the patient has spoken before the turn. Opposites and "
    "paraphrases "
    "are known by small lists and a static encoder only. A claim that rests on what was said outside the session "
    "counts "
    "as unsupported."
)


def evidence(coder: ClaimCoder, trained: Sequence[ClaimExample], tested: Sequence[ClaimExample]) -> Evidence:
    """Return what the card says of whole turns, on the hand that trained nothing."""
    gold = np.array([LABELS.index(turn_label(e.claims)) for e in tested], dtype=np.int64)
    windows = tuple(window_of_claims(e) for e in tested)
    p = coder.read(windows)
    texts = [e.reply for e in (*trained, *tested)]
    both = np.r_[[LABELS.index(turn_label(e.claims)) for e in trained], gold]
    fold: Ints = np.repeat([0, 1], [len(trained), len(tested)])
    floor = tfidf_floor([(t,) for t in texts], both, fold, len(LABELS), c=2.0)[len(trained) :]
    content = (FOLDER / f"claims_{TEST}.jsonl").read_bytes()
    return Evidence(
        name=NAME, item="claims", side="raters", kind="one", labels=LABELS, reads="therapist", definition=DEFINITION,
        corpus=_TESTED, data_sha256=hashlib.sha256(content).hexdigest(), windows=windows, gold=gold,
        group=np.array([str(e.group) for e in tested]), p=p, decided=as_indices(coder.decide(p), LABELS, "one"),
        floor=floor, length=length_only(texts, both, fold, len(LABELS))[len(trained) :], read=coder.read,
        decide=coder.decide, sha256=coder.sha256, fit_command="OMP_NUM_THREADS=1 python tools/fit_claims.py DATA_DIR",
        weighting="every claim weighs the same, half where a rule turned it",
        validation=f"fitted on hands {TRAIN} and {ALSO} and coded sessions; measured on hand {TEST}",
        scope=SCOPE, bundle="open", licence=LICENCE,
        written_or_observed="written", extra_data=TRAINED,
    )  # fmt: skip


def card(e: Evidence, figures: dict[str, Figure], simulated: dict[str, Figure], short: float) -> Card:
    """Return the card; below the floor every label that says something of claims is undetermined.

    In simulation as well, and there also where the rater agrees with two readers by more than ``SHORT`` less than they
    do with each other, as for skill raters: therapists who only give words back are no proof for those who do not.
    """
    below = next(iter(figures.values())).value < FLOOR
    low, low_simulated = (LABELS[1:] if x else () for x in (below, below or short > SHORT))
    content: dict[str, Any] = card_of(e) | {"extra_figures": figures | simulated, "undetermined": low}
    return Card.model_validate(content | {"undetermined_in_simulation": low_simulated})


def fit_all(data: Path) -> dict[str, bytes]:
    """Return every file this script makes, by path inside the reading room."""
    trained, tested = [claim_examples(x) for x in (TRAIN, ALSO)], claim_examples(TEST)
    rows, seen = [rows_of(x) for x in trained], rows_of_sessions(coded_sessions())
    content = fitted(rows, [np.ones(len(r.y), dtype=bool) for r in rows], seen).packed()
    weights = unpacked(content)
    figures = areas(weights, rows, rows_of(tested), seen)
    found, short = figures_in_simulation(simulated_turns(ClaimCoder(weights)), SEED)
    simulated = {name: figure(x, "session") for name, x in found.items()}
    everything = [e for x in trained for e in x]
    made = card(evidence(ClaimCoder(weights), everything, tested), figures, simulated, float(short.value or 0.0))
    print("\n".join(f"{name}: {found}" for name, found in (figures | simulated).items()))
    print(f"short of two readers in simulation: {short.value:.3f} [{short.low:.3f}, {short.high:.3f}]")
    print(f"{NAME} {made.figure_sentence()}  {made.f1_by_label}  undetermined: {', '.join(made.undetermined) or '-'}")
    return {
        f"raters/weights/{NAME}.safetensors": content,
        f"raters/cards/{NAME}.json": as_json(made.model_dump()),
    }


def main(argv: Sequence[str] | None = None) -> int:
    """Fit and write, or check."""
    return command_line(__doc__ or "", fit_all, argv)


if __name__ == "__main__":
    sys.exit(main())
