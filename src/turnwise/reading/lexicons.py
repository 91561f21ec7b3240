"""Named words of risk, so that an explicit one is never passed over in silence.

Written from the items of a structured interview on suicidal ideation and behaviour (the Columbia
scale's: wish to be dead, thoughts, intent, preparatory acts, self-injury), not fitted. A hit means
that the words are there: somebody may quote, deny, joke or tell of another person, so it calls for
a look and is no finding about the person.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

__all__ = ["RISK_WORDS", "names_risk", "risk_named"]

_READ_CHARS = 20_000
RISK_WORDS: Mapping[str, str] = {
    "suicide": r"\b(?:suicid\w*|kill(?:ing|ed)? (?:my ?self|me\b)|end (?:it all|my life|things for good)"
    r"|(?:want(?:ed|ing)?|wanna|ready|wish i could|rather|hope i|hoping to|gonna|decided) (?:to )?(?:just )?"
    r"(?:fucking )?die\b|wish i (?:was|were) (?:dead|never born)|better off (?:dead|without me)"
    r"|hang(?:ing)? myself|shoot(?:ing)? my ?self|overdos\w*|(?:don'?t|do not|no longer|can'?t) (?:want|wanna|wish) "
    r"(?:to )?(?:live|be alive|exist|wake up)\b|(?:no|any) (?:reason|point) (?:to|in) liv\w*|not worth living"
    r"|tak(?:e|ing) my (?:own )?life|off(?:ing)? myself)",
    "self_harm": r"\b(?:self[- ]?harm\w*|cut(?:ting)? (?:myself|my (?:wrists?|arms?|legs?|thighs?))"
    r"|(?:hurt|harm|burn|punish|starv)(?:e|ing)? myself)",
}
"""Kind of risk → pattern over lower-case text."""
_COMPILED = {kind: re.compile(p) for kind, p in RISK_WORDS.items()}
_WORTH_A_LOOK = re.compile(
    r"suicid|myself|my self|kill|die\b|dead|born|my life|own life|it all|for good|without me|overdos|liv|alive|exist"
    r"|wake|harm|cut|self"
)


def risk_named(text: str) -> tuple[str, ...]:
    """Return which kinds of risk are named in a text.

    Examples
    --------
    >>> risk_named("Sometimes I just want to die."), risk_named("I'd die for a coffee.")
    (('suicide',), ())
    """
    low = text[:_READ_CHARS].lower().replace("’", "'")
    if not _WORTH_A_LOOK.search(low):
        return ()
    return tuple(kind for kind, p in _COMPILED.items() if p.search(low))


def names_risk(texts: Sequence[str]) -> npt.NDArray[np.bool_]:
    """Return for each text whether any kind of risk is named in it."""
    return np.array([bool(risk_named(t)) for t in texts], dtype=bool)
