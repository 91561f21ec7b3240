"""Fit how a patient understands a question: the space of questions, the intents, and the ranker.

    python tools/fit_question_ear.py [--check] [--out src/turnwise]

Everything it is fitted on was written for this project (cases, their known questions, probes of other
hands, questions no case can answer); no human data are needed. Whole cases are held out for every
figure: what reads the questions of a case was fitted without that case.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from safetensors.numpy import save
from scipy import sparse

from linear_fit import Problem, by_trust
from listwise_fit import Listed, fit_pruned
from question_card import card_of, sure_enough
from question_corpus import Question, as_heard, excluded, indices, questions, with_readings
from question_metric import AskedSet, tune_tokens
from refitting import as_json, write_or_check
from sentence_students import Columns
from turnwise.core.nouns import FloatArray
from turnwise.patients.index import CaseIndex
from turnwise.patients.ranking import FEATURES, features
from turnwise.reading.ears.intent_coder import GRID, WEIGHTS, IntentCoder, grams, intent_features
from turnwise.reading.ears.intents import INTENTS, paraphrases, plain
from turnwise.reading.ears.question_space import SPACE, moved_table
from turnwise.reading.encoder import encode, token_counts, token_table
from turnwise.reading.products import softmax
from turnwise.reading.storing import text_of, to_grid
from turnwise.reading.terms import Vocabulary

FOLDS = 5
WIDTH = 256  # of an embedding
TOKEN_PENALTY, TOKEN_ROUNDS = 30.0, 15
INTENT_C, ASK_WEIGHT, MIN_TEXTS = 1.0, 0.5, 3
RANK_PENALTY = 10.0
LOOKED_AT = 0.3
"""Share of the known questions that are asked as questions at all; there are more than forty thousand."""
SHARE = {"telling": 0.25, "proposition": 0.12, "fact": 0.2}
"""Of these, how many also train the ranker (each weighs ``KNOWN_WEIGHT``)."""
KNOWN_WEIGHT = 0.3
WEIGHT = {"odd": 0.15, "absent": 0.15, "live": 0.5}
"""Of a question of these sources in the fit of the ranker, beside 1 for a probe."""
Asks = Mapping[str, Sequence[tuple[str, int]]]


@dataclass(frozen=True, eq=False)
class Ear:
    """What was fitted on some of the cases: moved tokens and the classifier of intents."""

    ids: npt.NDArray[np.int32]
    moves: npt.NDArray[np.int8]
    terms: tuple[str, ...]
    weights: npt.NDArray[np.int16]

    def table(self) -> npt.NDArray[np.float32]:
        """Return the token vectors of the space of questions."""
        return moved_table(self.ids, self.moves)

    def coder(self) -> IntentCoder:
        """Return the classifier of intents."""
        w = self.weights.astype(np.float64) / GRID
        return IntentCoder({t: i for i, t in enumerate(self.terms)}, w[:256], w[256:-1], w[-1])


def known_questions(index: CaseIndex) -> list[tuple[str, int]]:
    """Return the plain known questions of a case, each with the option that owns it."""
    f = index.file
    own = [*(t.asks for t in f.tellings), *(p.ask for p in f.propositions), *(x.ask for x in f.facts)]
    return [(plain(a), i) for i, asks in enumerate(own) for a in asks]


def fit_space(asks: Asks) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int8]]:
    """Return which tokens move and by how much, in whole numbers."""
    counts = {n: token_counts([t for t, _ in own]).tocsc() for n, own in asks.items()}
    used = np.flatnonzero(sum(np.diff(c.indptr) for c in counts.values()))
    table = token_table()[used].astype(np.float64)
    unit = np.linalg.norm(table, axis=1).mean()
    sets = []
    for n, own in asks.items():
        rows = counts[n][:, used].tocsr().astype(np.float64)
        total = np.maximum(np.asarray(rows.sum(axis=1)).ravel(), 1.0)
        owner = np.array([i for _, i in own], dtype=np.intp)
        means = sparse.csr_matrix(sparse.diags_array(1.0 / total) @ rows)
        # Every other question: neighbours are sought in halves, which costs half and loses nothing that shows.
        sets += [AskedSet(means[half], owner[half]) for half in (slice(0, None, 2), slice(1, None, 2))]
    moved = tune_tokens(sets, table / unit, TOKEN_PENALTY, TOKEN_ROUNDS) * unit - table
    return used.astype(np.int32), np.clip(np.round(moved), -127, 127).astype(np.int8)


@dataclass(frozen=True, kw_only=True)
class Shared(Problem):
    """The same objective where rows belong to labels in part: ``target`` (n, L), whose rows sum to ``w``."""

    target: FloatArray

    def _loss_and_slope(self, p: FloatArray) -> tuple[float, FloatArray]:
        loss = -(self.target * np.log(np.maximum(p, 1e-300))).sum()
        return loss, p * self.w[:, None] - self.target


def fit_intents(labelled: Sequence[tuple[str, tuple[int, ...]]]) -> tuple[tuple[str, ...], npt.NDArray[np.int16]]:
    """Return the terms and weights of the classifier.

    The paraphrases of the catalogue have one intent each; a known question has those of its telling,
    of which a first fit on the paraphrases says how likely each is.
    """
    catalogue = [(plain(a), i) for i, name in enumerate(INTENTS) for a in paraphrases()[name]]
    texts = [t for t, _ in catalogue] + [t for t, _ in labelled]
    counts = Counter(g for t in texts for g in grams(t))
    terms = tuple(sorted(g for g, n in counts.items() if n >= MIN_TEXTS))
    x = intent_features(encode(texts), Vocabulary(terms, marks=True).matrix(texts))
    n, y = len(catalogue), np.array([i for _, i in catalogue])
    wide = len(INTENTS)
    first = by_trust(Problem(Columns.of(x[:n], WIDTH), y, np.ones(n), wide, INTENT_C))
    p = softmax(np.asarray(x[n:] @ first))
    target = np.zeros((len(texts), wide))
    target[np.arange(n), y] = 1.0
    for j, (_, possible) in enumerate(labelled):
        share = p[j, list(possible)] + 1e-3
        target[n + j, list(possible)] = ASK_WEIGHT * share / share.sum()
    fitted = by_trust(
        Shared(x=Columns.of(x, WIDTH), y=y, w=target.sum(axis=1), n_labels=wide, c=INTENT_C, target=target)
    )
    return terms, to_grid(fitted, GRID)


def fit_ear(indexed: Mapping[str, CaseIndex]) -> Ear:
    """Fit the space and the intents on the known questions of these cases."""
    asks = {name: known_questions(index) for name, index in indexed.items()}
    labelled = [
        (plain(a), tuple(INTENTS.index(i) for i in t.answers))
        for index in indexed.values()
        for t in index.file.tellings
        if t.answers
        for a in t.asks
    ]
    return Ear(*fit_space(asks), *fit_intents(labelled))


def _kind(index: CaseIndex, option: str) -> str:
    at = index.options.index(option)
    return "telling" if at < len(index.order) else "proposition" if at < index.asked.n - len(index.facts) else "fact"


def listed(index: CaseIndex, ear: Ear, own: Sequence[Question]) -> list[tuple[Question, Listed]]:
    """Return the features of all options for each question of a case, as an ear hears them."""
    table, coder = ear.table(), ear.coder()
    known = [t for t, _ in known_questions(index)]
    index = replace(index, asked=index.asked.seen_as(encode(known, table)))
    found = []
    for q in own:
        query = as_heard(index, q)
        if query is None:
            continue
        text = query.reading.text
        read = with_readings(query, encode([text], table)[0], coder.probabilities(text, query.reading.vector))
        x = features(index, read, excluded(q)).astype(np.float32)
        left = q.open_to(index)
        q = replace(q, uncovered=x[:, FEATURES.index("proposition.uncovered")].astype(np.float64))
        found.append((q, Listed(x[left], q.labels(index)[left], WEIGHT.get(q.source, 1.0))))
    return found


def thinned(every: Sequence[Question], case: str, seed: int) -> list[Question]:
    """Return the questions of a case, its known ones thinned out by a seeded draw."""
    rng = np.random.default_rng((seed, 1))
    return [q for q in every if q.case == case and (q.source != "ask" or rng.random() < LOOKED_AT)]


def for_ranker(index: CaseIndex, own: Sequence[tuple[Question, Listed]], seed: int) -> list[Listed]:
    """Return what of a case trains the ranker: probes whole, known questions thinned out by a seeded draw."""
    rng = np.random.default_rng(seed)
    out = []
    for q, one in own:
        if q.source == "new":
            continue
        if q.source == "ask":
            if rng.random() < SHARE[_kind(index, q.accept[0])]:
                out.append(replace(one, weight=KNOWN_WEIGHT))
        else:
            out.append(one)
    return out


_WORK: list[Callable[[list[str]], Any]] = []
"""What the processes do that were forked from this one: neither functions nor gigabytes go from one to another."""


def _do(out: list[str]) -> Any:
    return _WORK[-1](out)


def at_once(work: Callable[[list[str]], Any], jobs: Sequence[list[str]]) -> list[Any]:
    """Return what ``work`` makes of each job, two jobs at a time, and say how far it is."""
    _WORK.append(work)
    done = []
    with ProcessPoolExecutor(2, mp_context=get_context("fork")) as pool:
        for result in pool.map(_do, jobs):
            done.append(result)
            print(f"{len(done)} of {len(jobs)}", flush=True)
    _WORK.pop()
    return done


def fit_all() -> dict[str, bytes]:
    """Fit everything and return the files by path, with the card."""
    indexed = indices()
    every = questions(indexed)
    names = sorted(indexed)
    folds = [names[k::FOLDS] for k in range(FOLDS)]
    *held_out, ear = at_once(lambda out: fit_ear({n: indexed[n] for n in names if n not in out}), [*folds, []])
    heard: dict[str, list[tuple[Question, Listed]]] = {}
    for own, out in zip(held_out, folds, strict=True):
        for n in out:
            heard[n] = listed(indexed[n], own, thinned(every, n, names.index(n)))
    lists = {n: for_ranker(indexed[n], heard[n], i) for i, n in enumerate(names)}
    *held, weights = at_once(
        lambda out: fit_pruned([one for n in names if n not in out for one in lists[n]], RANK_PENALTY), [*folds, []]
    )
    scored: list[tuple[Question, FloatArray, FloatArray]] = []
    for w, out in zip(held, folds, strict=True):
        scored += [(q, one.x @ w, one.y) for n in out for q, one in heard[n]]
    sure = sure_enough(indexed, scored)
    content = {"features": list(FEATURES), "weights": weights.tolist(), "sure": sure[0], "sure_uncovered": sure[1]}
    return {
        "reading/" + SPACE: save({"ids": ear.ids, "moves": ear.moves}),
        "reading/" + WEIGHTS: save({"terms": text_of(ear.terms), "weights": ear.weights}),
        "patients/weights/question_ranker.v1.json": as_json(content),
        "patients/cards/question_ranker.v1.json": as_json(card_of(indexed, scored, sure, FOLDS)),
    }


def main(argv: Sequence[str] | None = None) -> int:
    """Fit, then write or check."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a refit differs from what ships")
    root = Path(__file__).resolve().parents[1] / "src" / "turnwise"
    parser.add_argument("--out", type=Path, default=root, help="the package to write into")
    return write_or_check(fit_all, parser.parse_args(argv))


if __name__ == "__main__":
    sys.exit(main())
