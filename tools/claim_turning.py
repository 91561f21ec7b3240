"""Turn a claim that is supported into one that is not, by rule: denied, or said of somebody else.

What was said of the patient word for word is supported, and the same words with a "not" go against it. Coded turns of
sessions hold hardly any such claim, so that they are made here from those that are supported.
"""

from __future__ import annotations

import re

__all__ = ["denied", "of_another"]

_NOT = re.compile(r"\b(?:not|never) |(?<=\w)n't\b|\bno longer ", re.IGNORECASE)
_WHOLE = {"can't": "can not", "cannot": "can not", "won't": "will not", "shan't": "shall not"}
_STUMP = re.compile("|".join(rf"\b{short}\b" for short in _WHOLE), re.IGNORECASE)
"""Denials that are no verb any more once their "not" is gone."""
_HELPER = re.compile(
    r"\b(?:is|are|am|was|were|has|have|had|can|could|would|will|do|does|did)\b(?! not)|(?<=\w)'(?:re|m|ve|d|ll)\b"
    r"|(?<=it|he)'s\b|(?<=she|hat)'s\b|(?<=here)'s\b",
    re.IGNORECASE,
)
_DOES = re.compile(r"^(you)( just)? (?=[a-z])", re.IGNORECASE)
_OTHERS = ("mother", "brother", "friend", "neighbour", "daughter", "boss", "husband", "sister")
_KIN = re.compile(
    r"\byour (?:wife|husband|mother|mum|mom|father|dad|brother|sister|son|daughter|boss|manager|doctor|neighbour)\b",
    re.IGNORECASE,
)
_SUBJECT = re.compile(r"^you(?:'re|'ve|'d)?\b", re.IGNORECASE)


def denied(claim: str) -> str | None:
    """Return a claim with its denial taken out, or one put in; ``None`` where no rule fits.

    Examples
    --------
    >>> denied("you're a weight"), denied("you don't run to doctors"), denied("you wash your own cup"), denied("Sad")
    ("you're not a weight", 'you do run to doctors', 'you never wash your own cup', None)
    >>> denied("you can't sit"), denied("you won't ring"), denied("you cannot sleep")
    ('you can sit', 'you will ring', 'you can sleep')
    """
    claim = _STUMP.sub(lambda m: _WHOLE[m[0].lower()], claim)
    if _NOT.search(claim):
        return _NOT.sub("", claim, count=1).strip()
    helper = _HELPER.search(claim)
    if helper:
        return f"{claim[: helper.end()]} not{claim[helper.end() :]}"
    return _DOES.sub(r"\1 never ", claim, count=1) if _DOES.search(claim) else None


def of_another(claim: str, n: int) -> str | None:
    """Return a claim said of somebody else, ``None`` where no rule fits; ``n`` picks who.

    Examples
    --------
    >>> of_another("you keep ending up", 0), of_another("your wife left", 1), of_another("It rained", 0)
    ('your mother keep ending up', 'your brother left', None)
    """
    kin = _KIN.search(claim)
    who = _OTHERS[n % len(_OTHERS)]
    if kin:
        return None if who in kin.group().lower() else f"{claim[: kin.start()]}your {who}{claim[kin.end() :]}"
    subject = _SUBJECT.match(claim)
    if not subject:
        return None
    short = subject.group()[3:].replace("'re", "'s").replace("'ve", "'s")
    return f"your {who}{short}{claim[subject.end() :]}"
