"""Exchanges of human sessions (a therapist's turn and the client's next) as the patients' fitting scripts read them."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from refitting import command_line
from turnwise.core.nouns import Trajectory
from turnwise.engine.corpora.annomi import ANNOMI, series_of
from turnwise.reading.ears.hearing import BEHAVIOURS, TALK

PATIENTS = Path(__file__).resolve().parents[1] / "src" / "turnwise" / "patients"
SEED = 20250601
DRAWS = 2_000

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Exchange:
    """A therapist's turn (majority label, first annotator's subtype) and the client's talk before and after it."""

    session: str
    series: str
    quality: str
    move: int
    subtype: str
    therapist_words: int
    before: int | None
    after: int
    client_words: int


def annomi_sessions(data: Path) -> tuple[list[Trajectory], str]:
    """Return the transcripts and the hash of their file."""
    path = data / ANNOMI.file
    return list(ANNOMI.load(path)), hashlib.sha256(path.read_bytes()).hexdigest()


def exchanges_of(t: Trajectory) -> Iterator[Exchange]:
    """Yield the labelled exchanges of one transcript in order."""
    moves, talk = ANNOMI.gold["therapist_behaviour"], ANNOMI.gold["client_talk"]
    before: int | None = None
    for i, turn in enumerate(t.turns):
        if turn.speaker == "patient":
            label = talk(t, i)
            before = TALK.index(label) if label in TALK else before
            continue
        if i + 1 == len(t.turns) or t.turns[i + 1].speaker != "patient":
            continue
        move, after = moves(t, i), talk(t, i + 1)
        if move in BEHAVIOURS and after in TALK:
            yield Exchange(
                session=t.session_id,
                series=series_of(t),
                quality=str(t.meta.get("mi_quality")),
                move=BEHAVIOURS.index(str(move)),
                subtype=_subtype(t.info(i), str(move)),
                therapist_words=turn.n_words,
                before=before,
                after=TALK.index(str(after)),
                client_words=t.turns[i + 1].n_words,
            )


def _subtype(info: Any, move: str) -> str:
    notes = (info.get("labels") or {}).get("annotations") or [{}]
    return str(notes[0].get(f"{move}_subtype") or "")


def talk_of(t: Trajectory) -> list[str]:
    """Return the client's talk types in order."""
    talk = ANNOMI.gold["client_talk"]
    return [str(talk(t, i)) for i, turn in enumerate(t.turns) if turn.speaker == "patient" and talk(t, i) in TALK]


def dialogues(data: Path, name: str) -> tuple[list[dict[str, Any]], str]:
    """Return the raw dialogues of a corpus of support (``esconv``, ``failed_esconv``) and the hash of the file."""
    path = data / name / "dialogues.jsonl.gz"
    content = path.read_bytes()
    lines = gzip.decompress(content).decode("utf-8").splitlines()
    return [json.loads(line) for line in lines], hashlib.sha256(content).hexdigest()


def draws_of(groups: Sequence[str], n: int = DRAWS) -> Iterator[FloatArray]:
    """Yield, ``n`` times, how often each row counts when whole groups are drawn with replacement."""
    names, code = np.unique(np.asarray(groups), return_inverse=True)
    rng = np.random.default_rng(SEED)
    for _ in range(n):
        counts = np.bincount(rng.integers(0, len(names), len(names)), minlength=len(names))
        yield counts[code].astype(np.float64)


def interval(values: Sequence[float]) -> list[float]:
    """Return the 95 % percentile interval of bootstrap values that are defined."""
    found = np.asarray(values, dtype=np.float64)
    return [round(float(x), 4) for x in np.percentile(found[np.isfinite(found)], [2.5, 97.5])]


def run_script(doc: str, fit: Any, argv: Sequence[str] | None) -> int:
    """Run a fitting script that writes into the patients' room."""
    return command_line(doc, fit, argv, PATIENTS)
