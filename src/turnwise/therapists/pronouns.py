"""Exchange of persons: what "I" say of myself, said by somebody else."""

from __future__ import annotations

import re
from collections.abc import Sequence

__all__ = ["to_therapist_view", "to_you"]

_TO_YOU = {
    "i": "you", "i'm": "you're", "i've": "you've", "i'd": "you'd", "i'll": "you'll", "me": "you", "my": "your",
    "mine": "yours", "myself": "yourself", "am": "are", "we": "you", "we're": "you're", "we've": "you've",
    "we'd": "you'd", "we'll": "you'll", "us": "you", "our": "your", "ours": "yours", "ourselves": "yourselves",
}  # fmt: skip
_TO_I = {
    "you": "I", "you're": "I'm", "you've": "I've", "you'd": "I'd", "you'll": "I'll", "your": "my",
    "yours": "mine", "yourself": "myself",
}  # fmt: skip
_TOKEN = re.compile(r"[A-Za-z]+(?:['’][A-Za-z]+)*|[^A-Za-z]+")
_BE = {"was": "were", "wasn't": "weren't", "am": "are"}
_BE_I = {"are": "am", "aren't": "am not", "were": "was", "weren't": "wasn't"}
_BEFORE_SUBJECT = frozenset(
    re.findall(
        r"\S+",
        "that if when while where why what how who which and but because so or than as until do does did don't"
        " didn't are were can could would will should have had may might must think thought know knew see suppose"
        " say said then",
    )
)
_AFTER_SUBJECT = frozenset(
    re.findall(
        r"\S+",
        "are were have had can can't could couldn't will won't would wouldn't should shouldn't may might must do"
        " don't did didn't know think want need go say said see mean get look never always just",
    )
)
_BETWEEN = frozenset(re.findall(r"\S+", "never only just always still also probably really even"))


def _keep_case(old: str, new: str) -> str:
    return new[0].upper() + new[1:] if old[0].isupper() else new


def _swap(text: str, *, both: bool) -> str:
    tokens = _TOKEN.findall(text.replace("’", "'"))
    out: list[str] = []
    since_i = 99  # words since the last "I", adverbs not counted
    for i, token in enumerate(tokens):
        low = token.lower()
        if not token[0].isalpha():
            out.append(token)
            continue
        before, after = _neighbours(tokens, i)
        if low in _TO_YOU:
            out.append(_TO_YOU[low])
        elif both and low in _TO_I:
            out.append("me" if low == "you" and _is_object(before, after) else _TO_I[low])
        elif low in _BE and (since_i == 0 or after == "i"):
            out.append(_keep_case(token, _BE[low]))
        elif both and low in _BE_I and "you" in (before, after):
            out.append(_keep_case(token, _BE_I[low]))
        else:
            out.append(token)
        since_i = 0 if low == "i" else since_i if low in _BETWEEN else 99
    return "".join(out)


def _neighbours(tokens: Sequence[str], i: int) -> tuple[str, str]:
    """Return the words before and after a token; empty where punctuation or an end stands between."""
    before = tokens[i - 2].lower() if i >= 2 and tokens[i - 1].isspace() else ""
    after = tokens[i + 2].lower() if i + 2 < len(tokens) and tokens[i + 1].isspace() else ""
    return before, after


def _is_object(before: str, after: str) -> bool:
    # "I told you." -> me; "when you told" -> I. English marks it only by place.
    return bool(before) and before not in _BEFORE_SUBJECT and after not in _AFTER_SUBJECT


def to_you(text: str) -> str:
    """Return ``text`` said of the patient by somebody else: I becomes you, my becomes your.

    "You" is left alone: in what a patient says it is mostly the general one.

    Examples
    --------
    >>> to_you("I told her I was tired of my own voice")
    'you told her you were tired of your own voice'
    """
    return _swap(_SHOULD_LIKE.sub(r"\1 would ", text), both=False)


_SHOULD_LIKE = re.compile(
    r"\b(I|we) should (?=(?:very much |rather |so )?(?:like|love|prefer|hate|be (?:glad|sorry))\b)", re.I
)
"""Said of somebody else it would be an order: "you should like it settled"."""


def to_therapist_view(text: str) -> str:
    """Return ``text`` with I and you exchanged, as a mirror would.

    Examples
    --------
    >>> to_therapist_view("I think you're not listening to me.")
    "you think I'm not listening to you."
    """
    return _swap(text, both=True)
