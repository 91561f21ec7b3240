"""Measure how people fill and loosen their speech, and how long they answer, by what was said to them.

Writes human_speech.json beside the patients: spoken from AnnoMI (high-quality sessions of the development
portion), typed from ESConv (development portion). Figures only, no text. A simulated patient draws its
lengths, its acknowledgements and its fillers from these; the gate measures the result against the same people.

Usage: OMP_NUM_THREADS=1 python tools/speech_rates.py DATA [--check]
"""

from __future__ import annotations

import hashlib
import itertools
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from human_bands import annomi_move, esconv_move
from refitting import as_json, command_line
from transition_corpus import PATIENTS
from turnwise.core.nouns import Trajectory
from turnwise.engine.corpora.annomi import ANNOMI
from turnwise.engine.corpora.corpus import Corpus
from turnwise.engine.corpora.esconv import ESCONV
from turnwise.patients.words import fillers_per_100

GRID = 21
KINDS: Mapping[str, str] = {
    "open question": "open",
    "closed question": "closed",
    "simple reflection": "reflection",
    "complex reflection": "reflection",
    "information": "input",
    "negotiation": "input",
    "advice": "advice",
    "other": "other",
    "Question": "question",
    "Restatement or Paraphrasing": "reflection",
    "Reflection of feelings": "reflection",
    "Information": "input",
    "Providing Suggestions": "advice",
    "Affirmation and Reassurance": "other",
    "Self-disclosure": "other",
    "Others": "other",
}
"""AnnoMI's subtypes and ESConv's strategies as what a patient can tell apart; ESConv does not part questions."""
AGREES = re.compile(r"(?:yeah|yes|yep|right|okay|ok|mm|mm-hmm|mm-hm|mhm|uh-huh|sure|exactly|definitely|true)\b")
HESITATES = re.compile(r"(?:um|uh|well|i mean|i don't know|i guess|you know|like|oh|so)\b")
_WORD = re.compile(r"[a-z']+")


def pairs(
    sessions: Sequence[Trajectory], move_of: Callable[[Trajectory, int], str | None]
) -> Iterator[tuple[str, str]]:
    """Yield the kind of each therapist turn with the client's words right after it."""
    for t in sessions:
        for i, turn in enumerate(t.turns[:-1]):
            after = t.turns[i + 1]
            if turn.speaker == "therapist" and after.speaker == "patient" and after.n_words:
                kind = KINDS.get(move_of(t, i) or "")
                if kind:
                    yield kind, after.text


def of_kind(texts: Sequence[str]) -> dict[str, Any]:
    """Return quantiles of words (at 0, 5, … 100 %), and how many turns are short or begin in which way."""
    words = [len(t.split()) for t in texts]
    low = [t.lower().lstrip("-– ") for t in texts]
    longer = [t for t, n in zip(low, words, strict=True) if n > 3]
    agrees = sum(bool(AGREES.match(t)) for t in longer) / len(longer)
    hesitates = sum(bool(HESITATES.match(t)) for t in longer) / len(longer)
    return {
        "n": len(texts),
        "words": [round(float(q), 1) for q in np.percentile(words, np.linspace(0, 100, GRID))],
        "short": round(sum(n <= 3 for n in words) / len(words), 3),
        "agrees": round(agrees, 3),
        "hesitates": round(hesitates, 3),
    }


def modality(corpus: Corpus, data: Path, move_of: Any, keep: Callable[[Trajectory], bool]) -> dict[str, Any]:
    """Return everything about one modality."""
    path = data / corpus.file
    sessions = [t for t in corpus.load(path) if keep(t)]
    found: dict[str, list[str]] = {}
    for kind, text in pairs(sessions, move_of):
        for name in ("open", "closed") if kind == "question" else (kind,):
            found.setdefault(name, []).append(text)
    said = [turn.text.lower() for t in sessions for turn in t.turns if turn.speaker == "patient" and turn.n_words]
    words = sum(len(t.split()) for t in said)
    tokens = [_WORD.findall(t) for t in said]
    again = sum(a == b for x in tokens for a, b in itertools.pairwise(x))
    return {
        "data": {"name": corpus.title, "sha256": hashlib.sha256(path.read_bytes()).hexdigest()},
        "source": corpus.source,
        "licence": f"{corpus.licence}; figures only, no text",
        "by_kind": {kind: of_kind(texts) for kind, texts in sorted(found.items())},
        "fillers_per_100_words": round(fillers_per_100(said), 3),
        "repeats_per_100_words": round(100 * again / words, 3),
    }


def fit_all(data: Path) -> dict[str, bytes]:
    """Return the file by path."""
    document = {
        "command": "OMP_NUM_THREADS=1 python tools/speech_rates.py DATA",
        "method": "client turns right after a therapist's turn; short: three words or fewer; agrees, hesitates: first "
        "words of the longer turns; fillers: patients/words.py, fillers_per_100; repeats: a word said twice running",
        "modalities": {
            "spoken": modality(ANNOMI, data, annomi_move, lambda t: t.meta.get("mi_quality") == "high"),
            "typed": modality(ESCONV, data, esconv_move, lambda t: True),
        },
    }
    return {"human_speech.json": as_json(document)}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the script."""
    return command_line(__doc__ or "", fit_all, argv, PATIENTS)


if __name__ == "__main__":
    sys.exit(main())
