"""What a therapist had better not say back as a statement, however plainly it was said.

Some clauses change when "I" becomes "you": "I'd better not get it wrong" turns into a threat, a dialect perfect into
nonsense, "my heart stopped" into a finding. Those may be quoted, or left. What only puts a question off is neither.
"""

from __future__ import annotations

import re

from turnwise.therapists.putting_off import puts_off_sentence

__all__ = ["defers", "only_quoted", "unsayable"]

_NOT_TOLD = re.compile(
    r"^(?:not (?:now|today|yet|here))\b.{0,12}$|"
    r"\b(?:don't|do not|won't|will not|can't|cannot)(?: really| quite)?(?: want to| wish to| like to| care to| feel "
    r"like)? "
    r"(?:say(?:ing)?(?: (?:that|it|so))?|tell|answer(?:ing)?|(?:go|going) there|(?:talk|talking|speak|speaking|think|"
    r"thinking) about (?:that|this|it|these|those|them)(?: ones?| part| bit| question)?)$|"
    r"\b(?:not|never|haven't|hasn't) (?:quite |really |yet )?(?:worked|figured|thought) (?:that|this|it)(?: one)? "
    r"(?:out|through)\b",
    re.IGNORECASE,
)
"""What a clause leaves untold without putting a question off: nothing to give back either."""
_UNSAYABLE = re.compile(
    r"\bwhich\b|\b(?:am|is|are|was|were|i'm|he's|she's|they're|we're|it's) (?:only |just |only just )?after \w+ing\b|"
    r"^there(?:'s| is| was) (?:a|an|one|this|some|that) \w+(?: (?:in|at|on|from|down|up|over) (?:the |my |our )?\w+)? "
    r"(?:(?!(?:is|was|has|always|across|less|plus|perhaps|besides|towards)\b)\w+[^s\W]s|told|said|came|went|had|kept) "
    r"\w+|"
    r"\bask(?:s|ed)? (?:was|were|is|are|did|does|do|had|have|has|could|can|would|will) |"
    r"^i (?:says|were|is|has|does|goes|gets|been|done|seen)\b|^(?:we|they) (?:was|is|has)\b|\b(?:ain't|amn't)\b|"
    r"\bi \w+ (?:i|he|she|they|it) to\b|^(?:nobody|no one|everybody|somebody|someone) \w+ing\b",
    re.IGNORECASE,
)
_ONLY_QUOTED = re.compile(
    r"\b(?:i'd|i had|we'd|we had) better\b|"
    r"\bmy (?:heart|brain|breathing|lungs|liver|kidneys|blood|mind|memory) (?:just |has |have |had |is |are |was |'s )*"
    r"(?:stop(?:s|ped|ping)?|di(?:es|ed)|dying|gone|going|gave (?:out|up)|given up|giving up|burst|shut(?:s|ting)? "
    r"down|fail(?:s|ed|ing)?|rotting)\b|"
    r"\bi(?:'m| am| was)(?: \w+)? (?:dying|dead|rotting|going (?:mad|crazy|to die))\b|"
    r"\bi(?:'ve| have)(?: got)? (?:cancer|a tumou?r|dementia|a brain \w+)\b",
    re.IGNORECASE,
)


def defers(clause: str) -> bool:
    """Whether a clause only puts something off or declines it: that is respected, and nothing to give back.

    Examples
    --------
    >>> defers("We can come to that later"), defers("I don't want to do that one"), defers("I'd leave that there")
    (True, True, True)
    >>> defers("I don't want to do the washing"), defers("I can't say no"), defers("I leave the light on")
    (False, False, False)
    """
    return puts_off_sentence(clause) is not None or _NOT_TOLD.search(clause) is not None


def unsayable(clause: str) -> bool:
    """Whether a clause would sound broken when somebody else says it, or out of its sentence.

    Examples
    --------
    >>> unsayable("I was only just after starting college"), unsayable("There's a lady in billing sells tamales")
    (True, True)
    >>> unsayable("There's a gland on the left of my neck"), unsayable("I was sorry after leaving")
    (False, False)
    """
    return _UNSAYABLE.search(clause) is not None


def only_quoted(clause: str) -> bool:
    """Whether a clause may be given back in quotation marks alone: as a statement it is a threat, or a finding.

    Examples
    --------
    >>> only_quoted("I'd better not be late"), only_quoted("my heart stopped"), only_quoted("my voice stops")
    (True, True, False)
    """
    return _ONLY_QUOTED.search(clause) is not None
