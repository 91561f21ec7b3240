"""Who a statement is of, and whether two statements may be of the same person."""

from __future__ import annotations

from functools import lru_cache

from turnwise.reading.claim_words import PERSONS

__all__ = ["OTHER_SPEAKER", "PATIENT", "THING", "agreement"]

PATIENT, THING, OTHER_SPEAKER = "patient", "thing", "therapist"
_GENDER = {name: words.split()[0] for name, words in PERSONS.items()}
_PARTNERS = frozenset(("husband", "wife", "partner"))


def _genders(subject: str) -> str:
    if subject in ("he", "she", "they"):
        return {"he": "m", "she": "f", "they": "p"}[subject]
    return "mfn" if subject.startswith("name:") else _GENDER.get(subject, "")


@lru_cache(maxsize=16_384)
def agreement(one: str, other: str) -> float:
    """Return how far two subjects may be the same: 1 the same, 0 surely not.

    Examples
    --------
    >>> agreement("patient", "sister"), agreement("she", "sister"), agreement("he", "sister"), agreement("he", "he")
    (0.0, 0.7, 0.0, 1.0)
    """
    other, _, meant = other.partition("=")
    if meant:
        return max(agreement(one, other) - 0.5, 0.9 * agreement(one, meant), float(one == other))
    if one == other:
        return 1.0
    if one.rstrip("@") == other.rstrip("@"):
        return 0.2
    one, other = one.rstrip("@"), other.rstrip("@")
    pair = {one, other}
    if THING in pair:
        return 0.5
    if pair == {PATIENT, "we"}:
        return 0.8
    if PATIENT in pair or OTHER_SPEAKER in pair:
        return 0.0
    if pair <= _PARTNERS:
        return 0.8
    if pair & {"he", "she", "they"}:
        mine, theirs = _genders(one), _genders(other)
        if "they" in pair:
            return 0.6 if ("p" in mine and "p" in theirs) or "n" in mine + theirs else 0.2
        return 0.7 if set(mine) & set(theirs) or "n" in mine + theirs else 0.0
    if any(x.startswith("name:") for x in pair):
        return 0.1 if all(x.startswith("name:") for x in pair) else 0.4
    return 0.1
