"""Measure on human transcripts the bands that a simulated patient has to lie in, by modality.

Writes src/turnwise/batteries/conformance/bands.json: spoken from AnnoMI (high-quality sessions of the
development portion; the low-quality ones are staged), typed from ESConv (development portion).
Figures only, no text. The same functions measure simulated patients (batteries/conformance). Talk types
are read by the coder that reads simulated patients too, in AnnoMI by weights that never saw the session,
so a refit of that coder asks for a refit of this file.

Usage: OMP_NUM_THREADS=1 python tools/human_bands.py DATA [--check]
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from refitting import as_json, command_line
from turnwise.batteries.conformance.lengths import (
    MoveOf,
    short_share,
    words_by_move,
    words_mean,
    words_median,
    words_of,
    words_spread,
)
from turnwise.batteries.conformance.talk import (
    LEAST_PAIRS,
    TALK,
    TalkOf,
    read_talk,
    talk_distance,
    transition_counts,
)
from turnwise.batteries.conformance.wording import diversity, question_fit, self_repetition
from turnwise.core.nouns import FloatArray, Score, Trajectory
from turnwise.engine.corpora.annomi import ANNOMI, label_of, series_of
from turnwise.engine.corpora.corpus import Corpus
from turnwise.engine.corpora.esconv import ESCONV
from turnwise.reading.raters.client_talk import client_talk
from turnwise.stats.distances import wasserstein

OUT = Path(__file__).resolve().parents[1] / "src" / "turnwise" / "batteries" / "conformance"
SEED, SPLITS = 20250601, 200
QUANTILES = (5, 10, 25, 50, 75, 90, 95)
GRID = 101
LEAST_DIALOGUE = 8
"""Client turns below which a dialogue has no figures of its own."""
OF_DIALOGUES: Mapping[str, Callable[[Sequence[Trajectory]], Score]] = {
    "words_mean": words_mean,
    "words_median": words_median,
    "words_spread": words_spread,
    "short_share": short_share,
    "mtld": diversity,
    "self_repetition": self_repetition,
    "question_fit": question_fit,
}
_SUBTYPES = {"question": "question", "reflection": "reflection", "therapist_input": ""}


def annomi_move(t: Trajectory, turn: int) -> str | None:
    """Return the kind of a therapist's turn: majority label, first annotator's subtype."""
    labels: Any = t.info(turn).get("labels") or {}
    main = str(labels.get("main_therapist_behaviour"))
    if main not in _SUBTYPES:
        return main
    subtype = (labels.get("annotations") or [{}])[0].get(f"{main}_subtype")
    return f"{subtype} {_SUBTYPES[main]}".strip() if subtype else None


def annomi_talk(t: Trajectory, turn: int) -> str | None:
    """Return the kind of talk that people heard in a client's turn (majority of the annotators)."""
    said = label_of("client_talk_type")(t, turn)
    return said if isinstance(said, str) else None


def esconv_move(t: Trajectory, turn: int) -> str | None:
    """Return the strategy that the supporter chose for a turn."""
    labels: Any = t.info(turn).get("labels") or {}
    strategy = labels.get("strategy")
    return strategy if isinstance(strategy, str) else None


def _round(x: float) -> float:
    return round(float(x), 4)


def described(values: Sequence[float], *, grid: bool = False) -> dict[str, Any]:
    """Return n, mean, standard deviation and quantiles of some numbers; ``grid`` adds the whole quantile function."""
    x = np.asarray(values, dtype=np.float64)
    found: dict[str, Any] = {
        "n": len(x),
        "mean": _round(x.mean()),
        "sd": _round(x.std(ddof=1)),
        "quantiles": {str(q): _round(np.percentile(x, q)) for q in QUANTILES},
    }
    if grid:
        found["grid"] = [_round(q) for q in np.percentile(x, np.linspace(0, 100, GRID))]
    return found


def by_move(sessions: Sequence[Trajectory], move_of: MoveOf) -> dict[str, Any]:
    """Return the words of the client's next turn by therapist move."""
    found = words_by_move(sessions, move_of)
    return {
        move: described(words) | {"short_share": _round(sum(w <= 3 for w in words) / len(words))}
        for move, words in sorted(found.items())
        if len(words) >= 2
    }


def by_dialogue(sessions: Sequence[Trajectory]) -> dict[str, Any]:
    """Return how the figures of single dialogues are distributed over dialogues."""
    long = [t for t in sessions if sum(x.speaker == "patient" for x in t.turns) >= LEAST_DIALOGUE]
    found = {}
    for name, of in OF_DIALOGUES.items():
        values = [s.value for t in long if (s := of([t])).value is not None]
        found[name] = described(values, grid=name == "mtld") | {"dialogues": len(long)}
    return found


def talk(sessions: Sequence[Trajectory], group_of: Callable[[Trajectory], str], talk_of: TalkOf) -> dict[str, Any]:
    """Return the transitions of talk, and how far groups of sessions keep from all the others."""
    groups: dict[str, FloatArray] = {}
    for t in sessions:
        counts = transition_counts([t], talk_of)
        groups[group_of(t)] = groups.get(group_of(t), np.zeros_like(counts)) + counts
    total = np.sum(list(groups.values()), axis=0)
    apart = [talk_distance(c, total - c).value for c in groups.values() if c.sum() >= LEAST_PAIRS]
    rows = total / total.sum(axis=1, keepdims=True)
    return {
        "labels": list(TALK),
        "counts": [[int(n) for n in row] for row in total],
        "given_previous": [[_round(p) for p in row] for row in rows],
        "distance_of_groups": described([d for d in apart if d is not None]),
    }


def halves(sessions: Sequence[Trajectory]) -> dict[str, Any]:
    """Return the distance between two random halves of the dialogues: the floor for every simulated distance."""
    words = [np.asarray(words_of([t]), dtype=np.float64) for t in sessions]
    varied = [s.value for t in sessions if (s := diversity([t])).value is not None]
    rng = np.random.default_rng(SEED)
    found: dict[str, list[float]] = {"words": [], "mtld": []}
    for _ in range(SPLITS):
        order, half = rng.permutation(len(words)), len(words) // 2
        a, b = (np.concatenate([words[i] for i in part]) for part in (order[:half], order[half:]))
        found["words"].append(wasserstein(a, b).value or 0.0)
        picked = rng.permutation(np.asarray(varied))
        found["mtld"].append(wasserstein(picked[: len(picked) // 2], picked[len(picked) // 2 :]).value or 0.0)
    return {name: described(values) for name, values in found.items()}


def shuffled_fit(sessions: Sequence[Trajectory]) -> dict[str, Any]:
    """Return how well answers fit their question, and what is left of it when they are shuffled in each session."""
    rng = np.random.default_rng(SEED)
    chance = []
    for _ in range(SPLITS):
        s = question_fit([_shuffled(t, rng) for t in sessions])
        chance.append(s.value or 0.0)
    found = question_fit(sessions)
    return {"value": _round(found.value or 0.0), "n": found.n, "shuffled": described(chance)}


def _shuffled(t: Trajectory, rng: np.random.Generator) -> Trajectory:
    client = [i for i, turn in enumerate(t.turns) if turn.speaker == "patient"]
    turns = list(t.turns)
    for at, source in zip(client, rng.permutation(client), strict=True):
        turns[at] = t.turns[int(source)]
    return t.model_copy(update={"turns": tuple(turns)})


def _read(sessions: Sequence[Trajectory]) -> tuple[list[Trajectory], str]:
    coder = client_talk()
    read = coder.read(sessions)
    return [t.with_ratings({r.item: r}) for t, r in zip(sessions, read, strict=True)], coder.sha256


def modality(corpus: Corpus, data: Path, move_of: MoveOf, keep: Callable[[Trajectory], bool]) -> dict[str, Any]:
    """Return everything about one modality."""
    path = data / corpus.file
    sessions = [t for t in corpus.load(path) if keep(t)]
    rated, sha = _read(sessions)
    group_of = series_of if corpus is ANNOMI else corpus.group_of
    found = {
        "data": {"name": corpus.title, "sha256": hashlib.sha256(path.read_bytes()).hexdigest()},
        "source": corpus.source,
        "licence": f"{corpus.licence}; figures only, no text",
        "sessions": len(sessions),
        "words_by_move": by_move(sessions, move_of),
        "words": described(words_of(sessions), grid=True) | {"short_share": _round(short_share(sessions).value or 0.0)},
        "dialogues": by_dialogue(sessions),
        "talk_read": talk(rated, group_of, read_talk) | {"coder": "client_talk.v1", "sha256": sha},
        "halves": halves(sessions),
        "question_fit": shuffled_fit(sessions),
    }
    if corpus is ANNOMI:
        found["talk_annotated"] = talk(sessions, group_of, annomi_talk)
    return found


def fit_all(data: Path) -> dict[str, bytes]:
    """Return the file of bands by path."""
    document = {
        "command": "OMP_NUM_THREADS=1 python tools/human_bands.py DATA",
        "licence": "figures only, no text of any session; spoken from AnnoMI (released for research, no licence "
        "file), typed from ESConv (CC BY-NC 4.0): treat as research use",
        "method": f"quantiles linear; dialogues of at least {LEAST_DIALOGUE} client turns; {SPLITS} random halves and "
        f"shuffles, seed {SEED}; moves as annotated (AnnoMI: majority label, first annotator's subtype; ESConv: "
        "strategy)",
        "modalities": {
            "spoken": modality(ANNOMI, data, annomi_move, lambda t: t.meta.get("mi_quality") == "high"),
            "typed": modality(ESCONV, data, esconv_move, lambda t: True),
        },
    }
    return {"bands.json": as_json(document)}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the script."""
    return command_line(__doc__ or "", fit_all, argv, OUT)


if __name__ == "__main__":
    sys.exit(main())
