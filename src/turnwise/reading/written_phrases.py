"""Our own phrases and cues, as data: what a label sounds like, written from its definition.

A *phrase* is an example of a label, compared with a text by embedding. A *cue* is a named set of
word n-grams, counted in a text. Both lie in ``written/*.yaml`` and were written by hand from the
definitions of the labels; none is copied from a data set, and none says that a label holds: a
coder weighs them against what people said.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import product

import numpy as np
import numpy.typing as npt
import yaml
from scipy import sparse

from turnwise.core.nouns import FloatArray
from turnwise.reading.package_data import read_packaged
from turnwise.reading.terms import Vocabulary

__all__ = ["SECTIONS", "Written", "cue_counts", "expand", "written_for"]

SECTIONS = {
    "bolt_therapist": "therapist",
    "bolt_client": "patient",
    "mi_code": "therapist",
    "question_type": "therapist",
    "reflection_depth": "therapist",
    "input_type": "therapist",
}
"""The sections of ``cues.yaml``, and whose turns each is about; cues of one speaker are counted at once."""
_LONGEST = 3
_MOST = 3  # beyond this a cue says nothing more, and length must not count twice
_SHARED = "shared"


def expand(templates: str) -> tuple[str, ...]:
    """Return the distinct n-grams of a cue's templates, in order.

    Templates are parted by ``;``, tokens by spaces, and ``/`` parts the alternatives of one place;
    an empty alternative leaves the place out. What would be longer than three tokens is left out.

    Raises
    ------
    ValueError : nothing is left.

    Examples
    --------
    >>> expand("you /really feel ; ?")
    ('you feel', 'you really feel', '?')
    """
    out: dict[str, None] = {}
    for template in templates.split(";"):
        for chosen in product(*(place.split("/") for place in template.split())):
            tokens = [t for t in chosen if t]
            if 1 <= len(tokens) <= _LONGEST:
                out[" ".join(tokens)] = None
    if not out:
        raise ValueError(f"{templates!r} makes no n-gram of one to {_LONGEST} tokens")
    return tuple(out)


@dataclass(frozen=True, slots=True)
class Written:
    """What one section holds.

    Attributes
    ----------
    phrases : label → our phrases of it (empty where a section has none).
    cues : names of the section's cues, in file order.
    columns : where these lie among the cues of the speaker.
    own : label → positions, among ``cues``, of the cues written for that label.
    """

    phrases: Mapping[str, tuple[str, ...]]
    cues: tuple[str, ...]
    columns: npt.NDArray[np.int64]
    own: Mapping[str, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class _Table:
    """The cues of one speaker: their names, the vocabulary of all n-grams, and which belong to which cue."""

    names: tuple[str, ...]
    vocabulary: Vocabulary
    member: sparse.csr_matrix


@cache
def _file(name: str) -> Mapping[str, Mapping[str, Mapping[str, str]]]:
    found: Mapping[str, Mapping[str, Mapping[str, str]]] = yaml.safe_load(read_packaged(f"written/{name}.yaml"))
    return found


def _cues_of(section: str) -> list[tuple[str, str, str]]:
    return [
        (label, cue, templates) for label, cues in _file("cues")[section].items() for cue, templates in cues.items()
    ]


@cache
def _table(speaker: str) -> _Table:
    cues = [
        (f"{s}: {label}: {cue}", expand(x))
        for s, who in SECTIONS.items()
        if who == speaker
        for label, cue, x in _cues_of(s)
    ]
    terms = {term: i for i, term in enumerate(dict.fromkeys(term for _, found in cues for term in found))}
    at = [(terms[term], column) for column, (_, found) in enumerate(cues) for term in found]
    row, column = np.array(at, dtype=np.int64).T
    member = sparse.csr_matrix((np.ones(len(row)), (row, column)), shape=(len(terms), len(cues)))
    return _Table(tuple(name for name, _ in cues), Vocabulary(tuple(terms), marks=True), member)


@cache
def written_for(section: str) -> Written:
    """Return our phrases and cues of a section.

    Raises
    ------
    KeyError : there is no such section.

    Examples
    --------
    >>> found = written_for("bolt_client")
    >>> len(found.phrases), [found.cues[i] for i in found.own["Gained Insights"]]
    (6, ['insight'])
    """
    speaker = SECTIONS[section]
    cues = _cues_of(section)
    names = _table(speaker).names
    columns = np.array([names.index(f"{section}: {label}: {cue}") for label, cue, _ in cues], dtype=np.int64)
    own: dict[str, list[int]] = {}
    for i, (label, _, _) in enumerate(cues):
        if label != _SHARED:
            own.setdefault(label, []).append(i)
    phrases = {label: tuple(found) for label, found in _file("phrases").get(section, {}).items()}
    return Written(phrases, tuple(cue for _, cue, _ in cues), columns, {k: tuple(v) for k, v in own.items()})


@lru_cache(maxsize=6)
def cue_counts(texts: tuple[str, ...], speaker: str) -> FloatArray:
    """Return how often each cue of a speaker's coders occurs in each text.

    Returns
    -------
    array (texts, cues): the root of the number of distinct n-grams of the cue that occur, at most
    three. The latest batches are kept, because the coders of a speaker read the same texts.

    Examples
    --------
    >>> counts = cue_counts(("How was it? It was fine.",), "therapist")
    >>> bool(counts[0, written_for("bolt_therapist").columns].max() > 0)
    True
    """
    table = _table(speaker)
    found = np.asarray((table.vocabulary.matrix(texts) @ table.member).todense(), dtype=np.float64)
    counts: FloatArray = np.sqrt(np.minimum(found, _MOST))
    counts.flags.writeable = False
    return counts
