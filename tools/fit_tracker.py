"""Fit the tracker of human clients' talk, and measure whether tracking foretells more than the last exchange does.

Writes human_tracker.json (weights and card) into the therapists' room and docs/tracker.json (all figures).
AnnoMI: the kind of a client's next turn (change, neutral, sustain) given everything before it, once with the
past as people coded it and once with the past as readers of the text alone make it out. Ten folds of whole
series. Some five minutes.

Usage: OMP_NUM_THREADS=1 python tools/fit_tracker.py DATA [--check]
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from belief_error import factored_errors
from refitting import as_json, command_line
from tracker_coders import across_coders
from tracker_corpus import Steps, steps_of
from tracker_em import chain_difference, fit_stances
from tracker_models import INNER, K, Part, coded_models, folds_of, loss, parts_of, read, read_models, tracker
from transition_corpus import DRAWS, SEED, annomi_sessions, draws_of, interval
from turnwise.therapists.markers import MARKERS
from turnwise.therapists.next_talk import TALK_ACTS, TALK_STANCES, TRACKER_FILE

ROOT = Path(__file__).resolve().parents[1]
COMMAND = "OMP_NUM_THREADS=1 python tools/fit_tracker.py DATA"
FloatArray = npt.NDArray[np.float64]
DIGITS = 5

PAIRS = (
    ("tracker", "base_rate"),
    ("tracker", "markov"),
    ("tracker", "classifier_codes"),
    ("tracker", "classifier"),
    ("tracker", "classifier_trees"),
    ("tracker", "classifier_vectors"),
    ("tracker", "classifier_annotator"),
    ("tracker", "classifier_window"),
    ("tracker", "classifier_tally"),
    ("tracker", "tracker_blind"),
    ("tracker_lengths", "tracker"),
    ("classifier_and_tracker", "classifier"),
    ("classifier_and_tracker", "tracker"),
    ("tally_and_tracker", "classifier_tally"),
    ("tally_and_tracker", "tracker"),
)
WHAT = {
    "base_rate": "how frequent each kind of talk is",
    "markov": "the client's last kind of talk (as read: a logistic regression on the reader's probabilities)",
    "classifier_codes": "logistic regression on the last exchange: client's last kind of talk, kind of therapist turn",
    "classifier": "the same with lengths, question marks and markers of the last exchange",
    "classifier_trees": "boosted trees on the columns of `classifier`",
    "classifier_vectors": "`classifier` with sentence vectors of both turns of the last exchange",
    "classifier_annotator": "`classifier` that is also told who coded the transcript",
    "classifier_window": "`classifier` that also sees the four client turns before the last one",
    "classifier_tally": "`classifier` with a tally of the client's kinds of talk so far, kept whole and fading by a "
    "fifth each turn: memory, but no hidden state",
    "tracker": f"{K} hidden stances filtered over the whole past; moves and talk depend on the kind of therapist turn",
    "tracker_blind": "the tracker without sight of the therapist",
    "tracker_lengths": "the tracker that also hears how long the client's turns are",
    "classifier_and_tracker": "`classifier` with the tracker's log odds as two more features",
    "tally_and_tracker": "`classifier_tally` with the tracker's log odds as two more features",
}
NOT_SHOWN = (
    "Effects. Therapists choose their turns by what clients say: these are transitions in company, not causes.",
    "That a stance is a state of the person. What lasts may be the topic, the client, or the habits of whoever coded "
    "the transcript: most were coded by one person in order. Where the past is only read from text, a coder's habits "
    "cannot enter through it.",
    "That hidden states are needed: a tally of what was said so far is memory too (`classifier_tally`).",
    "Psychotherapy. Motivational interviews, many of them demonstrations, the low-quality ones staged.",
    "The number of stances, priors, rounds, and how a tally fades: looked at on the same sessions, not chosen in "
    "folds. Penalties, tempers, readers and stances are fitted inside the training part of each fold; columns of "
    "classifiers are standardised over all sessions, without labels.",
)


def _mean(values: FloatArray) -> float:
    return round(float(values.mean()), DIGITS)


def gains(losses: Mapping[str, FloatArray], steps: Steps) -> list[dict[str, Any]]:
    """Return by how many nats a turn the first of each pair is better, with two bootstraps of the same turns."""
    rows = steps.judged
    transcripts = [steps.ids[i] for i in steps.session[rows]]
    drawn = {"transcripts": list(draws_of(transcripts)), "series": list(draws_of(list(steps.series[rows])))}
    found = []
    for better, other in PAIRS:
        if better not in losses or other not in losses:
            continue
        gain = (losses[other] - losses[better])[rows]
        intervals = {by: interval([float(w @ gain / w.sum()) for w in draws]) for by, draws in drawn.items()}
        found.append({"of": better, "over": other, "gain": _mean(gain), "interval": intervals})
    return found


def _by_part(losses: Mapping[str, FloatArray], steps: Steps) -> dict[str, Any]:
    found = {}
    for quality, among in (
        ("high", steps.quality == "high"),
        ("low", steps.quality == "low"),
        ("ten coders", steps.annotator == "ten"),
    ):
        rows = steps.judged & among
        found[quality] = {"n": int(rows.sum())} | {name: _mean(v[rows]) for name, v in losses.items()}
    return found


def _figures(models: Mapping[str, FloatArray], steps: Steps) -> dict[str, Any]:
    losses = {name: loss(p, steps.talk) for name, p in models.items()}
    return {
        "log_loss": {name: _mean(v[steps.judged]) for name, v in losses.items()},
        "gains": gains(losses, steps),
        "by_part": _by_part(losses, steps),
    }


def _whole(steps: Steps) -> Part:
    """All sessions as one training part, held out by inner folds: for the temper that ships."""
    everything = np.ones(len(steps), dtype=bool)
    return Part(everything, ~everything, folds_of(steps.series, INNER, SEED + 1))


def shipped(steps: Steps) -> tuple[dict[str, Any], float]:
    """Return the weights fitted on all sessions, and how far this arithmetic lies from ``belief.chain``'s."""
    s = fit_stances(steps, steps.act, K, len(TALK_ACTS), SEED)
    part = [_whole(steps)]
    temper = tracker(steps, part, read(steps, part)[0]).tempers[0]
    base = np.bincount(steps.talk, minlength=3) / len(steps)

    def rounded(a: FloatArray) -> Any:
        return np.round(np.maximum(a, 10.0**-DIGITS), DIGITS).tolist()

    weights = {"start": rounded(s.start), "moves": rounded(s.moves), "talk": rounded(s.talk), "base": rounded(base)}
    return weights | {"temper": temper}, chain_difference(s, steps)


def _markers() -> str:
    """Return a hash of the therapist's markers: figures of classifiers and readers move when they are edited."""
    return hashlib.sha256("\n".join(f"{k} {v.pattern}" for k, v in MARKERS.items()).encode()).hexdigest()


def _says(figures: Mapping[str, Any]) -> Iterator[str]:
    for past in ("coded", "read"):
        for g in figures[past]["gains"]:
            low, high = g["interval"]["series"]
            if low <= 0.0:
                yield (
                    f"That `{g['of']}` foretells more than `{g['over']}` where the past is {past}: "
                    f"gain {g['gain']:+.4f} [{low:+.4f}, {high:+.4f}] nats a turn over series."
                )
    gains = figures["across_coders"]["another"]["gain_by_transcript"]["classifier_codes"]
    yield (
        "That it tracks the client where one person coded the past and another the answer: over `classifier_codes` "
        f"{float(np.mean(gains)):+.4f} nats in the mean of {len(gains)} transcripts, above zero in "
        f"{sum(g > 0 for g in gains)} of them."
    )


def fit_all(data: Path) -> dict[str, bytes]:
    """Return both documents by path."""
    sessions, sha = annomi_sessions(data)
    steps = steps_of(sessions)
    parts = parts_of(steps)
    weights, difference = shipped(steps)
    if difference > 1e-9:
        raise SystemExit(f"the fit's arithmetic and belief.chain differ by {difference:.2g}: one of them is wrong")
    known, others, fits = coded_models(steps, parts)
    heard, found = read_models(steps, parts, fits)
    sizes = {k: _mean(loss(p, steps.talk)[steps.judged]) for k, p in others.items()}
    figures = {
        "coded": _figures(known, steps) | {"other_sizes": sizes},
        "read": _figures(heard, steps) | found,
        "across_coders": across_coders(sessions, steps, parts, fits),
        "n": int(steps.judged.sum()),
        "transcripts": len(sessions),
        "series": len(set(steps.series)),
    }
    method = (
        f"log loss in nats a turn, {len(parts)} folds of whole series; gains with 95 % percentile bootstraps over "
        f"transcripts and over series, paired, {DRAWS:,} draws, seed {SEED}; judged: client turns that answer the "
        "therapist and have an earlier client turn"
    )
    card = {
        "command": COMMAND,
        "data": {"annomi": sha, "markers": _markers()},
        "licence": "AnnoMI: released for research without a licence file. Weights are for research use; no text is "
        "in them.",
        "source": "Wu et al. 2022, ICASSP; input-output hidden Markov model: Bengio & Frasconi 1995, NIPS 7",
        "model": WHAT["tracker"],
        "method": method,
        "held_out": figures,
        "not_shown": [*_says(figures), *NOT_SHOWN],
    }
    document = {"stances": list(TALK_STANCES), "acts": list(TALK_ACTS), "weights": weights, "card": card}
    page = {"command": COMMAND, "what": WHAT, "method": method, **figures, "not_shown": card["not_shown"]}
    return {
        f"src/turnwise/therapists/{TRACKER_FILE}": as_json(document),
        "docs/tracker.json": as_json(page | {"weights": weights, "factored": factored_errors()}),
    }


def main(argv: Sequence[str] | None = None) -> int:
    """Run the script; ``--out`` is the root of the repository."""
    return command_line(__doc__ or "", fit_all, argv, ROOT)


if __name__ == "__main__":
    sys.exit(main())
