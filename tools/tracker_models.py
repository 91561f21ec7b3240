"""Forecasts of the client's next kind of talk, each held out: base rate, Markov, classifiers, and the tracker.

Everything is fitted inside the training part of a fold: readers, regularisation, tempers, stances. Where one
model feeds another, its predictions for training rows come from inner folds of whole series.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from tracker_corpus import Steps
from tracker_em import Stances, believe, fit_all_stances, ranks
from tracker_features import FAR, earlier, log_odds, scaled, tally, window
from transition_corpus import SEED
from turnwise.therapists.next_talk import TALK_ACTS

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]
Fits = list[tuple[Stances, IntArray]]
"""Stances, and the sessions that they are applied to."""

FOLDS, INNER, K = 10, 5, 3
PENALTIES, FAR_PENALTIES = (0.003, 0.01, 0.03), (0.0003, 0.001, 0.003)
"""Inverse strength of the ridge, chosen in inner folds; with sentence vectors among the columns it is stronger."""
TEMPERS = (0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0)
READER_PENALTIES = (0.003, 0.01)
_NEAR = 3.0  # weight of the belief's two columns after standardising


def folds_of(series: npt.NDArray[np.str_], n: int, seed: int) -> IntArray:
    """Return a fold for each row; whole series stay together."""
    names, code = np.unique(series, return_inverse=True)
    order = np.random.default_rng(seed).permutation(len(names))
    return np.asarray((order % n)[code], dtype=np.int64)


@dataclass(frozen=True)
class Part:
    """One outer fold: rows to train on and rows held out, with inner folds of the training rows."""

    train: Mask
    held: Mask
    inner: IntArray

    def parts(self) -> list[tuple[Mask, Mask]]:
        """Return (fitted on, applied to): the inner ones; last the training part and what is held out, if anything."""
        inner = [(self.train & (self.inner != j), self.train & (self.inner == j)) for j in range(INNER)]
        return [(a, b) for a, b in (*inner, (self.train, self.held)) if b.any()]


def parts_of(steps: Steps) -> list[Part]:
    """Return the outer folds."""
    outer, inner = folds_of(steps.series, FOLDS, SEED), folds_of(steps.series, INNER, SEED + 1)
    return [Part(outer != f, outer == f, inner) for f in range(FOLDS)]


def logistic(x: FloatArray, y: IntArray, train: Mask, at: Mask, penalty: float, n: int = 3) -> FloatArray:
    """Return the probabilities of the rows ``at`` by a multinomial logistic regression of the rows ``train``."""
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(C=penalty, max_iter=500).fit(x[train], y[train])
    p = np.full((int(at.sum()), n), 1e-9)
    p[:, model.classes_] = model.predict_proba(x[at])
    return np.asarray(p / p.sum(1, keepdims=True), dtype=np.float64)


def loss(p: FloatArray, y: IntArray) -> FloatArray:
    """Return the log loss of each row in nats."""
    return -np.log(p[np.arange(len(y)), y])


def base_rate(steps: Steps, parts: Sequence[Part]) -> FloatArray:
    """Return how frequent each kind of talk is in the training part."""
    p = np.zeros((len(steps), 3))
    for part in parts:
        counts = np.bincount(steps.talk[part.train & steps.judged], minlength=3)
        p[part.held] = counts / counts.sum()
    return p


def markov(steps: Steps, parts: Sequence[Part]) -> FloatArray:
    """Return the share of each kind of talk after the kind before, pulled a little to the base rate."""
    p, last = np.zeros((len(steps), 3)), steps.talk[np.maximum(steps.previous, 0)]
    for part in parts:
        rows = part.train & steps.judged
        base = np.bincount(steps.talk[rows], minlength=3) / rows.sum()
        table = np.stack([np.bincount(steps.talk[rows & (last == j)], minlength=3) + 3.0 * base for j in range(3)])
        p[part.held] = (table / table.sum(1, keepdims=True))[last[part.held]]
    return p


def classifier(
    steps: Steps,
    parts: Sequence[Part],
    features: Callable[[int], FloatArray],
    penalties: Sequence[float] = PENALTIES,
) -> FloatArray:
    """Return held-out forecasts; ``features`` gives the columns of a fold, the penalty is chosen inside it."""
    p = np.zeros((len(steps), 3))
    for f, part in enumerate(parts):
        x, train = features(f), part.train & steps.judged
        found = []
        for penalty in penalties:
            inner = [
                loss(logistic(x, steps.talk, a & steps.judged, b & steps.judged, penalty), steps.talk[b & steps.judged])
                for a, b in part.parts()[:-1]
            ]
            found.append(float(np.concatenate(inner).mean()))
        p[part.held] = logistic(x, steps.talk, train, part.held, penalties[int(np.argmin(found))])
    return p


@dataclass(frozen=True)
class Observed:
    """What is known of the sessions: weights over acts (N, 6) and over kinds of talk (N, 3), by fold.

    For labels of people the weights are zero and one in every fold. For what was read they come from
    readers of that fold; talk is divided by its base rates, so that it is evidence.
    """

    acts: Sequence[FloatArray]
    talk: Sequence[FloatArray]
    tempers: Sequence[float]


def coded(steps: Steps, n: int) -> Observed:
    """Return what people coded."""
    acts, talk = np.eye(len(TALK_ACTS))[steps.act], np.eye(3)[steps.talk]
    return Observed([acts] * n, [talk] * n, (1.0,))


def reader(x: FloatArray, y: IntArray, part: Part, n: int) -> FloatArray:
    """Return what a reader of ``x`` makes of all rows, no row read by a reader that was fitted on it."""
    found = []
    for penalty in READER_PENALTIES:
        p = np.zeros((len(y), n))
        for a, b in part.parts():
            p[b] = logistic(x, y, a, b, penalty, n)
        found.append(p)
    return min(found, key=lambda p: float(loss(p, y)[part.train].mean()))


def read(steps: Steps, parts: Sequence[Part]) -> tuple[Observed, list[FloatArray]]:
    """Return what readers make of the text alone, and the readers' probabilities of the kinds of talk."""
    own = scaled((steps.own, 0.5), (steps.own_words, 1.0))
    told = scaled((steps.therapist, 0.5), (steps.wording[:, :3], 1.0))
    talk = [reader(own, steps.talk, part, 3) for part in parts]
    acts = [reader(told, steps.act, part, len(TALK_ACTS)) for part in parts]
    base = [np.bincount(steps.talk[part.train], minlength=3) / part.train.sum() for part in parts]
    return Observed(acts, [p / b for p, b in zip(talk, base, strict=True)], TEMPERS), talk


@dataclass(frozen=True)
class Tracking:
    """Forecasts: held out (N, 3), and by fold for all rows (inner folds for training rows); tempers; fits."""

    held: FloatArray
    by_fold: Sequence[FloatArray]
    tempers: Sequence[float]
    fits: Sequence[Fits]


def _fits(steps: Steps, parts: Sequence[Part], k: int, *, blind: bool) -> list[Fits]:
    act = np.zeros_like(steps.act) if blind else steps.act
    n_acts = 1 if blind else len(TALK_ACTS)
    by_part = [part.parts() for part in parts]
    among = np.stack([a for every in by_part for a, _ in every])
    stances = iter(fit_all_stances(steps, among, act, k, n_acts, SEED))
    return [[(next(stances), np.unique(steps.session[b])) for _, b in every] for every in by_part]


def tracker(
    steps: Steps,
    parts: Sequence[Part],
    seen: Observed,
    *,
    k: int = K,
    blind: bool = False,
    inner: bool = True,
    known: Sequence[Fits] | None = None,
) -> Tracking:
    """Return the tracker's forecasts. The stances are fitted on labels of people; what is *seen* may be read.

    ``blind`` hides the therapist; ``inner`` false leaves out the training rows (quicker, for a sensitivity);
    ``known`` are the fits of an earlier call on the same parts.
    """
    held, by_fold, tempers = np.zeros((len(steps), 3)), [], []
    every = known or _fits(steps, parts if inner else [_alone(part) for part in parts], k, blind=blind)
    for f, (part, fits) in enumerate(zip(parts, every, strict=True)):
        acts = np.ones((len(steps), 1)) if blind else seen.acts[f]
        forecasts = [_forecasts(steps, fits, acts, seen.talk[f], temper) for temper in seen.tempers]
        train = part.train & steps.judged
        best = (
            0 if len(forecasts) == 1 else int(np.argmin([loss(p[train], steps.talk[train]).mean() for p in forecasts]))
        )
        tempers.append(seen.tempers[best])
        by_fold.append(forecasts[best])
        held[part.held] = forecasts[best][part.held]
    return Tracking(held, by_fold, tempers, every)


def _alone(part: Part) -> Part:
    return Part(part.train, part.held, np.full(len(part.inner), INNER))


def _forecasts(
    steps: Steps, fits: Sequence[tuple[Stances, IntArray]], acts: FloatArray, talk: FloatArray, temper: float
) -> FloatArray:
    found = np.full((len(steps), 3), np.nan)
    for stances, sessions in fits:
        rows = ranks(steps, sessions)
        index = np.concatenate(rows)
        forecast = believe(stances, rows, acts, talk, temper).forecast[index]
        found[index] = forecast.reshape(len(index), 3, -1).sum(2)  # kinds that were split are put together again
    return found


def with_lengths(steps: Steps, parts: Sequence[Part]) -> FloatArray:
    """Return the forecasts of a tracker that also hears how long the client's turns are, in thirds."""
    words = steps.own_words[:, 0]
    sort = steps.talk * 3 + np.digitize(words, np.quantile(words, [1 / 3, 2 / 3]))
    seen = Observed([np.eye(len(TALK_ACTS))[steps.act]] * len(parts), [np.eye(9)[sort]] * len(parts), (1.0,))
    return tracker(replace(steps, talk=sort), parts, seen, inner=False).held


def trees(steps: Steps, parts: Sequence[Part], x: FloatArray) -> FloatArray:
    """Return held-out forecasts of boosted trees; their size is fixed, not chosen."""
    from sklearn.ensemble import HistGradientBoostingClassifier

    p = np.zeros((len(steps), 3))
    for part in parts:
        rows = part.train & steps.judged
        model = HistGradientBoostingClassifier(
            max_depth=3, learning_rate=0.05, max_iter=80, min_samples_leaf=40, early_stopping=False, random_state=0
        ).fit(x[rows], steps.talk[rows])
        p[part.held] = model.predict_proba(x[part.held])
    return p


def _beside(exchange: FloatArray, *others: FloatArray) -> Callable[[int], FloatArray]:
    x = np.hstack([exchange, *(scaled((o, 1.0)) for o in others)])
    return lambda f: x


def coded_models(
    steps: Steps, parts: Sequence[Part]
) -> tuple[dict[str, FloatArray], dict[str, FloatArray], Sequence[Fits]]:
    """Return forecasts where the past is what people coded, those of other sizes of trackers, and the fits."""
    said = np.eye(3)[steps.talk]
    codes = np.hstack([earlier(steps, said), steps.codes])
    vectors = np.hstack([earlier(steps, steps.own), steps.therapist])
    who = (steps.annotator[:, None] == np.unique(steps.annotator)[None, :]).astype(np.float64)
    seen = coded(steps, len(parts))
    tracked = tracker(steps, parts, seen)
    exchange = scaled((codes, 1.0), (steps.wording, 1.0))
    before, sums = np.hstack([window(steps, said), window(steps, steps.codes)]), tally(steps, said)

    def belief(f: int) -> FloatArray:
        return scaled((log_odds(tracked.by_fold[f]), _NEAR))

    features: Mapping[str, Callable[[int], FloatArray]] = {
        "classifier_codes": lambda f: scaled((codes, 1.0)),
        "classifier": lambda f: exchange,
        "classifier_annotator": _beside(exchange, who),
        "classifier_window": _beside(exchange, before),
        "classifier_tally": _beside(exchange, sums),
        "classifier_and_tracker": lambda f: np.hstack([exchange, belief(f)]),
        "tally_and_tracker": lambda f: np.hstack([exchange, scaled((sums, 1.0)), belief(f)]),
    }
    models = {
        "base_rate": base_rate(steps, parts),
        "markov": markov(steps, parts),
        "classifier_trees": trees(steps, parts, exchange),
        "classifier_vectors": classifier(steps, parts, _far(lambda f: exchange, vectors), FAR_PENALTIES),
        "tracker": tracked.held,
        "tracker_blind": tracker(steps, parts, seen, blind=True, inner=False).held,
        "tracker_lengths": with_lengths(steps, parts),
        **{name: classifier(steps, parts, x) for name, x in features.items()},
    }
    others = {f"{k} stances": tracker(steps, parts, seen, k=k, inner=False).held for k in (2, 4, 6)}
    return models, others, tracked.fits


def _far(near: Callable[[int], FloatArray], vectors: FloatArray) -> Callable[[int], FloatArray]:
    far = scaled((vectors, FAR))
    return lambda f: np.hstack([near(f), far])


def read_models(
    steps: Steps, parts: Sequence[Part], known: Sequence[Fits]
) -> tuple[dict[str, FloatArray], dict[str, Any]]:
    """Return forecasts of every model where the past is what readers make of the text."""
    seen, talk = read(steps, parts)
    tracked = tracker(steps, parts, seen, known=known)
    vectors = np.hstack([earlier(steps, steps.own), steps.therapist])

    def last(f: int) -> FloatArray:
        return scaled((earlier(steps, np.log(talk[f])), 1.0))

    def exchange(f: int) -> FloatArray:
        return np.hstack([last(f), scaled((seen.acts[f], 1.0), (steps.wording, 1.0))])

    def sums(f: int) -> FloatArray:
        return scaled((tally(steps, talk[f]), 1.0))

    def belief(f: int) -> FloatArray:
        return scaled((log_odds(tracked.by_fold[f]), _NEAR))

    features: Mapping[str, Callable[[int], FloatArray]] = {
        "markov": last,
        "classifier": exchange,
        "classifier_window": lambda f: np.hstack([exchange(f), scaled((window(steps, talk[f]), 1.0))]),
        "classifier_tally": lambda f: np.hstack([exchange(f), sums(f)]),
        "classifier_and_tracker": lambda f: np.hstack([exchange(f), belief(f)]),
        "tally_and_tracker": lambda f: np.hstack([exchange(f), sums(f), belief(f)]),
    }
    models = {
        "base_rate": base_rate(steps, parts),
        "classifier_vectors": classifier(steps, parts, _far(exchange, vectors), FAR_PENALTIES),
        "tracker": tracked.held,
        **{name: classifier(steps, parts, x) for name, x in features.items()},
    }
    right = np.concatenate([talk[f][p.held].argmax(1) == steps.talk[p.held] for f, p in enumerate(parts)])
    return models, {"tempers": tracked.tempers, "reader_accuracy": float(right.mean())}
