"""Keeping to how one sees it: what a patient says who was asked for another view before there was room for it.

A net of English phrases, used after a challenge only, so it may be wide. TCCS calls such an answer *invalidating*
(Ribeiro et al. 2013): it is what the working edge is known by. What the net misses may be a rebuff all the same.
"""

from __future__ import annotations

import re

from turnwise.therapists.acts import ACTS
from turnwise.therapists.recognising import call_of
from turnwise.therapists.stance import Signs

__all__ = ["rebuffs", "takes_up", "was_challenged"]

_FEW = 14  # words: who answers says more
_STANDS = re.compile(
    r"\b(?:questions?|exercise|technique|method|trick|homework|worksheet|argu\w+|opinion|conclusion|position|"
    r"viewpoint|my view)\b|\bask(?:s|ed|ing)? (?:it|me|that|this|all|ten|every\w*)\b|"
    r"\btalk\w* (?:me )?(?:out of|into|myself)\b|"
    r"\b(?:see|look|think|read|put|phrase|turn\w*)\b.{0,16}\b(?:it|this|that|things)\b.{0,24}"
    r"\b(?:other|another|differen\w+|otherwise|way|round|like th(?:at|is)|upside down)\b|"
    r"\b(?:any|an)?other (?:way|road|side)|\botherwise\b|"
    r"\bi know (?:what|how|my|rightly)\b|\bit(?:'s| is) what it is\b|"
    r"\b(?:it|that)(?:'s| is)(?: \w+){0,3} (?:how (?:it|i)|the way (?:it|i)|a fact|so|settled)\b|"
    r"(?:n't|\bnot) (?:\w+ ){0,4}(?:help|change|lead|anywhere|make (?:it )?any|any different|useful|believe it|mean it|"
    r"true|serve|work)\b|\bthe same (?:thing|place|point|result)?|\bstill (?:think|where|have it|come)\b|"
    r"\bi (?:just )?(?:believe it|think what|am (?:certain|confident))\b|\b(?:not|no) (?:in )?doubt\b|"
    r"\bfeels? true\b|\bprove it\b",
    re.IGNORECASE,
)
"""Words with which somebody keeps to how they see it, or finds the question the trouble; after a challenge only."""


def was_challenged(moves: tuple[str, ...]) -> bool:
    """Whether the last act was a challenge."""
    return moves[-1:] != () and moves[-1] in ACTS and ACTS[moves[-1]].kind == "challenge"


def rebuffs(moves: tuple[str, ...], text: str) -> bool:
    """Whether somebody who was just challenged keeps to how they see it, in a few words.

    Examples
    --------
    >>> rebuffs(("ask_exception",), "I can't see it any other way.")
    True
    >>> rebuffs(("ask_exception",), "My sister rang on Sunday, just to talk."), rebuffs(("stay",), "I know how it is.")
    (False, False)
    """
    few = 1 <= len(text.split()) <= _FEW + 2
    keeps = was_challenged(moves) and few and _STANDS.search(text) is not None
    return keeps and call_of(text) not in ("insight", "request")


def takes_up(moves: tuple[str, ...], signs: Signs, text: str) -> bool | None:
    """Whether a challenge was answered, by what was said next; ``None`` where there was none, or it cannot be told.

    At more than a few words, with a feeling or with something seen anew it was; with a few in which somebody keeps to
    their view or pushes, it was not.

    Examples
    --------
    >>> takes_up(("ask_exception",), Signs(frozenset(), 1, 7, ()), "I can't see it any other way.")
    False
    """
    if not was_challenged(moves):
        return None
    if len(text.split()) > _FEW or signs.present & {"feeling", "insight"}:
        return True
    return False if _STANDS.search(text) or signs.present & _PUSHES else None


_PUSHES = frozenset(("hostile", "refusal", "doubt", "yes_but", "about_you"))
