"""Is it the client that lasts from turn to turn, or the coder? The past as one person coded it, the next as another.

Five transcripts of AnnoMI were coded by ten people each. What one coder wrote of the past gives the forecast;
it is judged by what the same coder, and by what the nine others, wrote of the client's next turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from tracker_corpus import Steps, coders_of, steps_of
from tracker_em import Stances, believe, ranks
from tracker_features import earlier, tally
from tracker_models import Fits, Part
from turnwise.core.nouns import Trajectory

FloatArray = npt.NDArray[np.float64]
PENALTY = 0.03
"""Of the three that the folds choose from: on these columns they choose it most often."""


def _columns(steps: Steps) -> tuple[FloatArray, FloatArray]:
    said = np.eye(3)[steps.talk]
    last = np.hstack([earlier(steps, said), steps.codes])
    return last, np.hstack([last, tally(steps, said)])


def _classifiers(steps: Steps, train: npt.NDArray[np.bool_]) -> Any:
    """Return forecasts of a step by the last exchange, and with the tally, both fitted on the rows of a fold."""
    from sklearn.linear_model import LogisticRegression

    models = []
    for x in _columns(steps):
        mean, spread = x.mean(0), np.where(x.std(0) > 1e-9, x.std(0), 1.0)
        model = LogisticRegression(C=PENALTY, max_iter=500).fit(((x - mean) / spread)[train], steps.talk[train])
        models.append((mean, spread, model))
    return lambda s: [m.predict_proba((x - a) / b) for x, (a, b, m) in zip(_columns(s), models, strict=True)]


def _forecasts(seen: Steps, stances: Stances, classifiers: Any) -> dict[str, FloatArray]:
    acts, talk = np.eye(len(stances.moves))[seen.act], np.eye(3)[seen.talk]
    last, with_tally = classifiers(seen)
    tracked = believe(stances, ranks(seen, np.unique(seen.session)), acts, talk).forecast
    return {"tracker": tracked, "classifier_codes": last, "classifier_tally": with_tally}


def across_coders(
    sessions: Sequence[Trajectory], steps: Steps, parts: Sequence[Part], fits: Sequence[Fits]
) -> dict[str, Any]:
    """Return log losses where the same coder judges and where another does, and the tracker's gain by transcript."""
    losses: dict[str, dict[str, list[float]]] = {}
    names, n = [], 0
    for number, t in enumerate(sessions):
        if len(coders := coders_of(t)) == 1:
            continue
        rows = steps.session == number
        part, of_part = next((p, f) for p, f in zip(parts, fits, strict=True) if p.held[rows].all())
        classifiers = _classifiers(steps, part.train & steps.judged)
        seen = [steps_of([t], coder) for coder in coders]
        told = [_forecasts(s, of_part[-1][0], classifiers) for s in seen]
        judged, said = seen[0].judged, np.stack([s.talk for s in seen])
        same = np.eye(len(coders), dtype=bool)
        names.append(t.session_id)
        n += int(judged.sum())
        for name in told[0]:
            p = np.stack([f[name] for f in told])
            loss = np.stack([-np.log(np.take_along_axis(q[None], said[:, :, None], 2)[..., 0]) for q in p])
            by_pair = loss[:, :, judged].mean(2)
            for judge, pairs in (("same", same), ("another", ~same)):
                losses.setdefault(judge, {}).setdefault(name, []).append(float(by_pair[pairs].mean()))
    found: dict[str, Any] = {"transcripts": names, "n": n, "coders": 10}
    for judge, of in losses.items():
        found[judge] = {
            "log_loss": {name: round(float(np.mean(v)), 4) for name, v in of.items()},
            "gain_by_transcript": {
                other: [round(b - a, 4) for a, b in zip(of["tracker"], of[other], strict=True)]
                for other in of
                if other != "tracker"
            },
        }
    return found
