"""Named words of risk, so that an explicit one is never passed over in silence.

Written from the items of a structured interview on suicidal ideation and behaviour (the Columbia
scale's: wish to be dead, thoughts, intent, preparatory acts, self-injury), from what a risk card
means by harm to and by others, and after invented probes; not fitted. A hit means
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
    "suicide": r"\b(?:suicid\w*|unalive|kms\b|kill(?:ing|ed)? my ?self|slit(?:ting)? my"
    r"|(?:tri(?:ed|es)|trying|threaten\w*|wants?|wanted|please|just|someone|somebody) (?:to )?kill me\b"
    r"|end (?:it all\b(?! (?:here|there)\b)|my life|things for good\b(?! with\b))"
    r"|(?:want(?:ed|ing)?|wanna|ready|wish i could|rather|hope i|hoping to|gonna|decided) (?:to )?(?:just )?"
    r"(?:fucking )?(?:die|be dead)\b|wish i (?:was|were) (?:dead|never born)"
    r"|better off (?:dead|without me|if i (?:was|were|wasn't|weren't))|happier without me"
    r"|hang(?:ing)? myself(?! (?:a|an|some)\b)|shoot(?:ing)? my ?self|overdos\w*"
    r"|(?:took|taken|swallowed) (?:the|a|my) whole (?:bottle|box|pack\w*)"
    r"|(?:saving|stockpil\w*|hoard\w*)(?: up)? (?:my |the )?(?:pills|tablets|meds|medication)"
    r"|(?:bought|got|have) a (?:rope|noose)"
    r"|(?:don'?t|do not|no longer|can'?t) (?:want|wanna|wish|feel like) (?:to )?(?:liv(?:e|ing)\b"
    r"(?! (?:in|at|with|near|alone|here|there)\b)|be alive|exist\b(?! in\b)"
    r"|wake up\b(?! (?:early|late|at|so|before|to|next|with)\b))"
    r"|(?:never|not) wake up(?= *(?:[.!]|$))|(?:no|any) (?:reason|point) (?:to|in) liv\w*|not worth living"
    r"|tak(?:e|ing) my (?:own )?life|off(?:ing)? myself)",
    "self_harm": r"\b(?:self[- ]?harm\w*"
    r"|cut(?:ting)? myself\b(?! (?:shaving|cooking|chopping|off|short|loose|some|a|on)\b)"
    r"|cut(?:ting)? my (?:wrists?|arms?|legs?|thighs?)|scratch(?:ed|ing)? my (?:arms?|legs?|wrists?|thighs?)"
    r"|(?:hurt|harm|burn|punish|starv)(?:e|ing)? myself)",
    "others": r"\b(?:(?:going to|gonna|want to|i'?ll) (?:kill|stab|shoot|strangle) (?:him|her|them)\b"
    r"|(?:hits|beats|chokes|choked|strangled) me\b|voices (?:tell|told|are telling))",
}
"""Kind of risk → pattern over lower-case text."""
_COMPILED = {kind: re.compile(p) for kind, p in RISK_WORDS.items()}
_WORTH_A_LOOK = re.compile(
    r"suicid|unalive|kms|myself|my self|kill|die\b|dead|born|my life|own life|it all|for good|without me|overdos|liv"
    r"|alive|exist|wake|harm|cut|self|slit|better off|whole|pills|tablets|meds|medication|rope|noose|scratch|stab|shoot"
    r"|strangle|hits|beats|choke|voices"
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
