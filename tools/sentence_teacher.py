"""The unlabelled sentences of counsellors, and what a stronger reader says of them.

Nobody has coded these sentences. A fine-tuned transformer has (``teach_mi_sentences.py``), once for
each fit: the one beside fold k had seen no label of fold k. What it says is stored, the sentences
are not: they are taken from the corpora again, and must come out the same.
"""

from __future__ import annotations

import csv
import gzip
import hashlib
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from turnwise.core.errors import FormatError
from turnwise.core.nouns import FloatArray

STORED = Path(__file__).resolve().parent / "teacher" / "mi_sentences.npz"
FITS = ("fold0", "fold1", "fold2", "fold3", "fold4", "full")
"""The fits in the order they are stored in."""
THOUSANDTHS = 1000
SHARED_WORDS = 6
"""Words in a row that no unlabelled sentence may share with a labelled one."""
_SEED = 0
_FEWEST, _MOST = 2, 50


@dataclass(frozen=True)
class PoolSource:
    """A corpus that sentences are taken from: its file, how many at most, the texts of it, and its licence."""

    file: str
    most: int
    texts: Callable[[Path], Iterable[str]]
    licence: str


def _column(name: str) -> Callable[[Path], Iterable[str]]:
    def texts(path: Path) -> Iterable[str]:
        with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
            return [row[name] for row in csv.DictReader(file)]

    return texts


def _supporters(path: Path) -> Iterable[str]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [u["text"] for line in file for u in json.loads(line)["turns"] if u["speaker"] == "therapist"]


SOURCES = (
    PoolSource("counsel_chat/answers.csv.gz", 6000, _column("answerText"), "CounselChat answers: open (MIT)"),
    PoolSource(
        "epitome/pairs.csv.gz", 3000, _column("response_post"), "EPITOME responses: NC (non-profit academic research)"
    ),
    PoolSource("esconv/dialogues.jsonl.gz", 2000, _supporters, "ESConv supporters: NC (CC BY-NC 4.0)"),
    PoolSource(
        "llms_as_therapists/interjections.csv.gz", 1000, _column("model_response"), "llms-as-therapists: open (MIT)"
    ),
)


def plain(text: str) -> str:
    """Return the words of a text, lower case, with one space between them.

    Examples
    --------
    >>> plain("So, you're  torn.")
    "so you're torn"
    """
    return " ".join(re.findall(r"[a-z0-9']+", text.lower()))


def shingles(text: str) -> set[tuple[str, ...]]:
    """Return every six words in a row; of a shorter text its words.

    Examples
    --------
    >>> sorted(shingles("How do you feel about it now?"))
    [('do', 'you', 'feel', 'about', 'it', 'now'), ('how', 'do', 'you', 'feel', 'about', 'it')]
    """
    words = plain(text).split()
    if len(words) < SHARED_WORDS:
        return {tuple(words)}
    return {tuple(words[i : i + SHARED_WORDS]) for i in range(len(words) - SHARED_WORDS + 1)}


def _sentences(texts: Iterable[str]) -> list[str]:
    """Return the distinct sentences of some texts, of 2 to 50 words, in order."""
    parts = (s.strip() for t in texts for s in re.split(r"(?<=[.!?])\s+|\n+", t.replace("\xa0", " ")))
    return [s for s in dict.fromkeys(parts) if _FEWEST <= len(s.split()) <= _MOST]


def pool_of(data: Path, labelled: Sequence[str], sources: Sequence[PoolSource] = SOURCES) -> tuple[str, ...]:
    """Return the unlabelled sentences, in the order of the stored labels.

    Parameters
    ----------
    data : folder that holds the corpora.
    labelled : the sentences people coded; none of the pool has six words in a row with one of them.
    sources : where the sentences come from.
    """
    known = {s for text in labelled for s in shingles(text)}
    rng, found = np.random.default_rng(_SEED), dict[str, str]()
    for source in sources:
        free = [s for s in _sentences(source.texts(data / source.file)) if not shingles(s) & known]
        for i in sorted(rng.permutation(len(free))[: source.most]):
            found.setdefault(plain(free[i]), free[i])
    return tuple(found.values())


def sha256_of_pool(pool: Sequence[str]) -> str:
    """Return the hash of the sentences, in order."""
    return hashlib.sha256("\n".join(pool).encode()).hexdigest()


def teacher_of(pool: Sequence[str], path: Path = STORED) -> Mapping[str, FloatArray]:
    """Return what the teacher of each fit says of the pool, (n, L), rows summing to one.

    Raises
    ------
    FormatError : the labels were made for other sentences.
    """
    with np.load(path, allow_pickle=False) as stored:
        labels, made_for = stored["labels"], str(stored["pool_sha256"])
    if made_for != sha256_of_pool(pool) or labels.shape[:2] != (len(FITS), len(pool)):
        raise FormatError(
            path,
            "",
            f"holds labels of other sentences than the {len(pool):,} that are in the data folder now",
            "fit from the development portion they were made on, or make them again with tools/teach_mi_sentences.py",
        )
    said = labels.astype(np.float64)
    return dict(zip(FITS, said / said.sum(axis=2, keepdims=True), strict=True))


def packed(said: FloatArray) -> np.typing.NDArray[np.uint16]:
    """Return probabilities as they are stored, in thousandths.

    Examples
    --------
    >>> packed(np.array([0.25, 0.0004])).tolist()
    [250, 0]
    """
    return np.round(said * THOUSANDTHS).astype(np.uint16)
