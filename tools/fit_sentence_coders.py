"""Fit the sentence coders again: BOLT, MI codes, AnnoMI's subtypes; weights, cards and tables of folds.

    OMP_NUM_THREADS=1 python tools/fit_sentence_coders.py DATA_DIR [--check] [--only ITEM]

Reads the corpora under DATA_DIR. With --check nothing is written and the exit code says whether a
refit gives, byte for byte, what ships. Needs the extra [fit]. The coder of MI codes is also fitted on
what a teacher says of sentences nobody coded (``teacher/README.md``); the teacher itself is not needed.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from coder_cards import card_of
from evidence import Evidence
from refitting import as_json, parser_of, write_or_check
from sentence_fit import FOLDS, Nested, Solution, spread
from sentence_heads import FILES, fit_heads, tfidf, vocabulary_of
from sentence_specs import COMPARED, SPECS, TAUGHT, TEACHER_DATA, Spec
from sentence_students import Lesson, Part
from sentence_teacher import SOURCES, pool_of, teacher_of
from turnwise.core.errors import FormatError
from turnwise.core.nouns import FloatArray, Trajectory, Turn
from turnwise.engine.corpora.annomi_subtypes import shares_of
from turnwise.engine.corpora.mi_sentences import GUESS
from turnwise.reading.cards import Card
from turnwise.reading.encoder import encode
from turnwise.reading.said_texts import Which
from turnwise.reading.scope import scope_code
from turnwise.reading.sentence_coder import SentenceCoder, SentenceFit, pack_sentences, unpack_sentences
from turnwise.reading.sentence_features import RECIPES, Rows, rows_of
from turnwise.reading.training_sessions import fingerprint
from turnwise.reading.window import Window, windows_of

READING = Path(__file__).resolve().parents[1] / "src" / "turnwise" / "reading"
VERSION = "v1"
COMMAND = "OMP_NUM_THREADS=1 python tools/fit_sentence_coders.py DATA_DIR"
CALIBRATED = "calibration and threshold from rows held out inside the training folds"
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Labelled:
    """Turns with people's labels: windows, 0/1 (n, L), what is fitted (n, L), groups, folds, and the texts."""

    windows: tuple[Window, ...]
    gold: FloatArray
    target: FloatArray
    group: npt.NDArray[np.str_]
    fold: Ints


def folds_of(spec: Spec, ts: Sequence[Trajectory]) -> list[int]:
    """Return the fold of each session of a corpus; labels of all its items are spread."""
    held = []
    for t in ts:
        row: dict[str, float] = {}
        for item, gold in sorted(spec.corpus.gold.items()):
            for i in range(len(t.turns)):
                said = gold(t, i)
                for label in [said] if isinstance(said, str) else said or ():
                    row[f"{item}: {label}"] = row.get(f"{item}: {label}", 0.0) + 1.0
        held.append(row)
    names = sorted({name for row in held for name in row})
    counts = np.array([[row.get(name, 0.0) for name in names] for row in held])
    return [int(k) for k in spread([spec.corpus.group_of(t) for t in ts], counts)]


def labelled(spec: Spec, ts: Sequence[Trajectory], fold_of: Sequence[int]) -> Labelled:
    """Return the turns of one item that have labels and are in scope."""
    windows, gold, target, group, fold = [], [], [], [], []
    for t, k in zip(ts, fold_of, strict=True):
        for i, window in enumerate(windows_of(t.turns)):
            said = spec.corpus.gold[spec.item](t, i)
            if said is None or scope_code(window.turn.text) is not None:
                continue
            row = np.array([float(label in ({said} if isinstance(said, str) else said)) for label in spec.labels])
            windows.append(window)
            gold.append(row)
            target.append(_target(spec, t, i, row))
            group.append(spec.corpus.group_of(t))
            fold.append(k)
    return Labelled(tuple(windows), np.array(gold), np.array(target), np.array(group), np.array(fold, dtype=np.int64))


def _target(spec: Spec, t: Trajectory, turn: int, row: FloatArray) -> FloatArray:
    if spec.item in ("question_type", "reflection_depth", "input_type"):
        shares = shares_of(spec.item, t, turn)
        assert shares is not None
        return shares
    if not spec.softened:
        return row
    labels: Any = t.info(turn).get("labels")
    if labels[GUESS] not in spec.labels:
        return row
    guess = np.array([float(label == labels[GUESS]) for label in spec.labels])
    return (1 - spec.softened) * row + spec.softened * guess


def texts_of(rows: Rows, which: Which) -> list[str]:
    """Return the texts of one sort that the rows are made of."""
    return [rows.texts.texts[i] for i in rows.texts.rows(which)]


@dataclass
class Design:
    """The columns of a fit: raw features, and the shift and scale by which each is standardised."""

    spec: Spec
    data: Labelled
    coder: SentenceCoder  # without fits
    rows: Rows

    def __post_init__(self) -> None:
        self.shift, self.scale = self._standard(self.coder.dense_of(self.rows))
        tied = self.rows.tied
        self.tied_shift = tied.mean(axis=0) if len(tied) else np.zeros(tied.shape[1:])
        self.tied_scale = (tied - self.tied_shift).std(axis=(0, 1)) + 1e-9 if tied.shape[2] else np.ones(0)

    def part(self, rows: Rows) -> Part:
        """Return any rows as this fit sees them."""
        by, blocks = self.spec.scales.get("words", 1.0), []
        for block, _ in RECIPES[self.spec.item].terms:
            known = self.coder.vocabulary[block], self.coder.squared_idf[block]
            blocks.append(tfidf(*known, texts_of(rows, block)) * by)
        dense = (self.coder.dense_of(rows) - self.shift) * self.scale
        return Part(dense, sparse.hstack(blocks).tocsr(), (rows.tied - self.tied_shift) / self.tied_scale)

    def _standard(self, raw: FloatArray) -> tuple[FloatArray, FloatArray]:
        shift, scale, at = np.zeros(raw.shape[1]), np.ones(raw.shape[1]), 0
        for name, width in self._widths(raw.shape[1]):
            here, by = slice(at, at + width), self.spec.scales.get(name, 1.0)
            scale[here] = by
            if name not in ("said", "focus", "opening", "heard"):
                shift[here] = raw[:, here].mean(axis=0)
                scale[here] = by / (raw[:, here].std(axis=0) + 0.02) / np.sqrt(width)
            at += width
        return shift, scale

    def _widths(self, total: int) -> list[tuple[str, int]]:
        recipe = RECIPES[self.spec.item]
        heads = [("heads", len(self.coder.heads.bias))] if self.coder.heads is not None else []
        known = {"said": 256, "focus": 256, "opening": 256, "heard": 256, "length": 3}
        fixed = sum(known.get(name, 0) for name in recipe.dense) + sum(n for _, n in heads)
        cues = [name for name in recipe.dense if name in ("cues", "focus_cues")]
        uptake = total - fixed - len(cues) * self._n_cues()
        known |= dict.fromkeys(cues, self._n_cues()) | {"uptake": uptake}
        return [(name, known[name]) for name in recipe.dense] + heads

    def _n_cues(self) -> int:
        from turnwise.reading.written_phrases import written_for

        return sum(len(written_for(section).cues) for section in RECIPES[self.spec.item].cues)

    def stored(self, found: Solution, threshold: float) -> SentenceFit:
        """Return a solution as weights on the raw features."""
        d = len(self.scale)
        dense, terms, at = found.w[:d] * self.scale[:, None], {}, d
        for block, _ in RECIPES[self.spec.item].terms:
            idf = self.coder.squared_idf[block]
            terms[block] = found.w[at : at + len(idf)] * np.sqrt(idf)[:, None] * self.spec.scales.get("words", 1.0)
            at += len(idf)
        tied = found.tied / self.tied_scale if len(found.tied) else found.tied
        bias = found.bias - self.shift @ dense - (self.tied_shift @ tied if len(tied) else 0.0)
        return SentenceFit(dense, terms, tied, bias, threshold)


def empty_coder(spec: Spec, data: Labelled, folder: Path) -> SentenceCoder:
    """Return the coder without fits: its vocabularies, the mean embedding, and its heads."""
    mean = np.zeros(256)
    if spec.centred:
        vectors = encode([w.turn.text for w in data.windows]).astype(np.float64)
        mean = vectors.mean(axis=0).astype(np.float32).astype(np.float64)
    coder = SentenceCoder(spec.item, spec.labels, {}, {}, {}, mean)
    rows = rows_of(data.windows, spec.item, spec.labels, mean)
    made = {block: vocabulary_of(texts_of(rows, block), n, spec.fewest) for block, n in RECIPES[spec.item].terms}
    return replace(
        coder,
        vocabulary={block: v for block, (v, _) in made.items()},
        squared_idf={block: idf for block, (_, idf) in made.items()},
        heads=fit_heads(folder, spec.item, spec.labels, mean) if spec.heads else None,
    )


def fits_of(design: Design, folder: Path) -> dict[str, SentenceFit]:
    """Return the fit on all rows and those without a fold; each sentence of a text has the text's label."""
    spec, data, of = design.spec, design.data, design.rows.owner
    every = np.ones(len(of), dtype=bool)
    rows = {"full": every, **{f"fold{k}": data.fold[of] != k for k in range(FOLDS)}}
    if spec.taught:
        lesson = lesson_of(design, folder)
        return {fit: design.stored(lesson.solve(seen, fit), 0.5) for fit, seen in rows.items()}
    own = design.part(design.rows)
    x, several = sparse.hstack([sparse.csr_matrix(own.dense), own.terms]).tocsr(), RECIPES[spec.item].several
    nested = Nested(x, own.tied, data.gold[of], data.target[of], data.fold[of], several, spec.rare, spec.cs)
    return {fit: design.stored(*nested.calibrated(seen)) for fit, seen in rows.items()}


def lesson_of(design: Design, folder: Path) -> Lesson:
    """Return what a coder with a teacher is fitted on."""
    spec, data, of = design.spec, design.data, design.rows.owner
    pool = pool_of(folder, [w.turn.text for w in data.windows])
    said = teacher_of(pool)
    windows = [Window(Turn(speaker=RECIPES[spec.item].speaker, text=text)) for text in pool]
    rows = rows_of(windows, spec.item, spec.labels, design.coder.mean)
    return Lesson(
        coded=design.part(design.rows),
        gold=data.gold[of],
        target=data.target[of],
        pool=design.part(rows),
        said={fit: p[rows.owner] for fit, p in said.items()},
        rare=spec.rare,
        taught=spec.taught,
        c=spec.cs[0],
    )


def fit_one(spec: Spec, data: Labelled, folder: Path) -> tuple[SentenceCoder, FloatArray, Ints]:
    """Return the coder as it reads once stored, and out of fold its probabilities and what it decides."""
    coder = empty_coder(spec, data, folder)
    design = Design(spec, data, coder, rows_of(data.windows, spec.item, spec.labels, coder.mean))
    coder = unpack_sentences(pack_sentences(replace(coder, fits=fits_of(design, folder))))
    p = np.zeros(data.gold.shape)
    decided: list[str] = [""] * len(p)
    for k in range(FOLDS):
        held = np.flatnonzero(data.fold == k)
        p[held] = coder.read([data.windows[i] for i in held], f"fold{k}")
        for i, says in zip(held, coder.decide(p[held], f"fold{k}"), strict=True):
            decided[i] = says
    return coder, p, as_numbers(decided, coder)


def as_numbers(decided: Sequence[str], coder: SentenceCoder) -> Ints:
    """Return decisions as label indices, or 0/1 (n, L) where several may hold."""
    if coder.kind == "one":
        return np.array([coder.labels.index(d) for d in decided], dtype=np.int64)
    return np.array([[label in d.split("|") for label in coder.labels] for d in decided], dtype=np.int64)


def floor(spec: Spec, data: Labelled, x: Any, c: float, rare: float) -> Ints:
    """Return what a plain pipeline decides out of fold, calibrated and thresholded like the coder."""
    recipe = RECIPES[spec.item]
    nested = Nested(x, np.zeros((*data.gold.shape, 0)), data.gold, data.gold, data.fold, recipe.several, rare, (c,))
    out = np.zeros(data.gold.shape, dtype=np.int64)
    for k in range(FOLDS):
        held = data.fold == k
        found, threshold = nested.calibrated(~held)
        scores = np.asarray(x[held] @ found.w) + found.bias
        if recipe.several:
            out[held] = 1.0 / (1.0 + np.exp(-scores)) >= threshold
        else:
            out[held] = np.eye(len(spec.labels), dtype=np.int64)[scores.argmax(axis=1)]
    return out if recipe.kind == "many" else out.argmax(axis=1)


def floors(spec: Spec, data: Labelled) -> tuple[Ints, Ints]:
    """Return what TF-IDF and what length alone decide, in the same folds."""
    texts = [w.turn.text for w in data.windows]
    words = np.log1p([len(t.split()) for t in texts])
    length = sparse.csr_matrix(np.stack([words, words**2], axis=1) / 4)
    return floor(spec, data, tfidf(*vocabulary_of(texts, 2, 2), texts), 4.0, 1.0), floor(spec, data, length, 4.0, 1.0)


def extra_data_of(spec: Spec) -> tuple[str, ...]:
    """Return what else went into a fit, with its licence: our phrases, heads, and a teacher's labels."""
    heads = tuple(dict.fromkeys(FILES.values())) if spec.heads else ()
    taught = (TEACHER_DATA, *(f"unlabelled sentences: {s.licence}" for s in SOURCES)) if spec.taught else ()
    return spec.extra_data + heads + taught


def evidence_of(spec: Spec, data: Labelled, made: tuple[SentenceCoder, FloatArray, Ints], sha256: str) -> Evidence:
    """Return what the card is made of."""
    coder, p, decided = made
    gold = data.gold.astype(np.int64)
    tfidf_says, length_says = floors(spec, data)
    penalty = f"C {spec.cs[0]:g}" if len(spec.cs) == 1 else f"C of {spec.cs} chosen inside the training folds"
    return Evidence(
        name=f"{spec.item}.{VERSION}",
        item=spec.item,
        side="raters",
        kind=coder.kind,
        labels=spec.labels,
        reads=RECIPES[spec.item].speaker,
        definition=spec.definition,
        corpus=spec.corpus,
        data_sha256=sha256,
        windows=data.windows,
        gold=gold if coder.kind == "many" else gold.argmax(axis=1),
        group=data.group,
        p=p,
        decided=decided,
        floor=tfidf_says,
        length=length_says,
        read=coder.read,
        decide=coder.decide,
        sha256=coder.sha256,
        fit_command=COMMAND,
        weighting=f"rare labels weighed up to the power {spec.rare:g}; {penalty}"
        + (TAUGHT.format(taught=spec.taught) if spec.taught else ""),
        validation=f"{FOLDS}-fold by group; {'not calibrated' if spec.taught else CALIBRATED}. "
        "Which blocks there are and how far each counts was chosen on these data beforehand; idf, means and scales "
        "come from all texts, without labels. The shipped weights are fitted on all turns"
        + (f". {COMPARED}" if spec.taught else ""),
        scope=spec.scope,
        bundle=spec.corpus.bundle,
        licence=spec.licence,
        published=spec.published,
        extra_data=extra_data_of(spec),
    )


def fit_all(folder: Path, only: str | None = None) -> dict[str, bytes]:
    """Return every file this script makes, by path inside the reading room."""
    out: dict[str, bytes] = {}
    for spec in SPECS:
        if only not in (None, spec.item):
            continue
        path = folder / spec.corpus.file
        ts, sha256 = spec.corpus.load(path), hashlib.sha256(path.read_bytes()).hexdigest()
        fold_of = folds_of(spec, ts)
        table = {fingerprint(t.turns): k for t, k in zip(ts, fold_of, strict=True)}
        about = {"corpus": spec.corpus.name, "data_sha256": sha256, "folds": table}
        out[f"raters/folds/{spec.corpus.name}.json"] = as_json(about)
        data = labelled(spec, ts, fold_of)
        made = fit_one(spec, data, folder)
        card = Card.model_validate(card_of(evidence_of(spec, data, made, sha256)))
        name = f"{spec.item}.{VERSION}"
        out[f"raters/weights/{name}.safetensors"] = pack_sentences(made[0])
        out[f"raters/cards/{name}.json"] = as_json(card.model_dump())
        print(f"{name}: macro-F1 {card.macro_f1_cv}, accuracy {card.accuracy_cv}, {card.floors}", flush=True)
    return out


def main(argv: Sequence[str] | None = None) -> int:
    """Fit and write, or check."""
    parser = parser_of(__doc__ or "")
    parser.add_argument("--only", choices=[s.item for s in SPECS], help="one coder")
    asked = parser.parse_args(argv)
    try:
        return write_or_check(lambda: fit_all(asked.data, asked.only), asked)
    except FormatError as fault:
        print(fault, file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
