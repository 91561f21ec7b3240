"""Agreement with what somebody wants confirmed and must not have confirmed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from turnwise.reading.ears.danger import is_danger
from turnwise.therapists.recognising import call_of, speaks_of_being_missed
from turnwise.therapists.validator.faults import Fault
from turnwise.therapists.validator.form import found
from turnwise.therapists.validator.situation import Draft, Said, Situation
from turnwise.therapists.wording import phrases

__all__ = ["find", "harmful"]

_HARMFUL = re.compile(
    r"\b(?:somebody like me|someone like me|people like me|burden|weight on|worthless|useless|waste of|no (?:use|"
    r"good|point|hope)|nothing (?:anybody|anyone|"
    r"you|to be done|(?:can|will|would) (?:help|change))|never (?:get|going|be|change|work)|can't be (?:helped|"
    r"fixed)|too late|hopeless|beyond (?:help|repair)|"
    r"deserve(?:d)? (?:it|this|that)|my (?:own )?fault|better off|born (?:like|that|this)|(?:bad|broken|evil|rotten|"
    r"stupid|weak|crazy|pathetic|disgusting) (?:person|mother|"
    r"father|through)?|failure|fraud|nobody (?:cares|likes|wants|would)|everybody (?:hates|knows)|all the same|"
    r"can't trust (?:any|people)|hate me|laugh(?:ing)? at me|"
    r"listen(?:ing|s)|watch(?:ing|es) me|follow(?:ing|s) me|track(?:ing|s)|poison\w*|chip|camera|implant\w*|bugged|"
    r"in the (?:wall|radio|phone|water|food)|signals?|voices?|"
    r"chosen|mission|god (?:told|wants|said|speaks)|the devil|spirits?|i'm dead|already dead|can't (?:fail|lose)|"
    r"don't need (?:sleep|to sleep|the tablets|medication)|house money|"
    r"all my (?:money|savings)|quit my job|stop (?:taking )?(?:the|my) (?:tablets|meds|medication|pills)|(?:missed|"
    r"hiding) something|covering (?:it )?up|know(?:s)? (?:they|what they)|"
    r"revenge|make (?:him|her|them) pay|hit (?:him|her)|wak(?:e|ing) up|dying|die|dead|ill(?:ness)?|cancer|tumou?r|"
    r"she would say that|says that to every\w+)\b",
    re.IGNORECASE,
)
_YES = re.compile(
    r"^(?:well,? |oh,? |so,? |i'm afraid |sadly,? )*(?:yes|yeah|yep|absolutely|exactly|definitely|of course|"
    r"certainly|indeed|true|correct|agreed|"
    r"totally|you(?:'re| are) (?:absolutely |quite |completely |probably |so |totally |certainly |"
    r"perfectly )*(?:right|correct)(?! to (?:tell|say|ask|stop|push|be (?:angry|cross|annoyed)))|"
    r"(?:i|we) (?:completely |totally |quite |do |have to |must |would |can only |fully )*(?:agree|know they|"
    r"see what you mean|see it too|think so too|"
    r"suppose you're right|suppose so|believe (?:you're right|they))|i suppose (?:you're right|so|not)|"
    r"that(?:'s| is) (?:right|true|so true|correct|very true|a fact)|(?:they|he|she|it) (?:probably |certainly |"
    r"clearly |really |may well |might well )*(?:are|is|do|does|"
    r"can|will|was|were|be)\b[^.?!]{0,40}\b(?:listening|watching|following|tracking|poisoning|after you|coming|"
    r"in there|fail|against you))\b",
    re.IGNORECASE,
)
_NO_TO_A_NEGATIVE = re.compile(
    r"^(?:well,? |sadly,? |i'm afraid )*no,? (?:there (?:isn't|is not|aren't|probably isn't)|(?:it|he|she|they|you|"
    r"nobody|nothing|not really|not much|"
    r"probably not|i don't think so|i suppose not|they) ?(?:isn't|doesn't|don't|can't|won't|can|could|will|aren't|"
    r"wouldn't|would)?)\b",
    re.IGNORECASE,
)
_COLLUDES = re.compile(
    r"\b(?:the dead (?:do|can|really)|trust (?:that|your) (?:energy|instinct|gut|voices?)|brilliant (?:step|idea|"
    r"plan)|what a (?:great|brilliant|wonderful) (?:idea|plan)|"
    r"great (?:idea|plan|investment)|go for it|people are beyond help|little that anyone can do|nobody can do much|"
    r"can't do (?:much|anything)|(?:he|she|they) may well be|"
    r"makes? (?:perfect |total |complete |a lot of )?sense (?:that|to) (?:you )?(?:can't sleep with|stop|invest|hide|"
    r"check)|there(?:'s| is) (?:not much|no|little) point|"
    r"right to be careful|listening through|you should trust)\b",
    re.IGNORECASE,
)
_BUT = re.compile(
    r"\b(?:but|though|however|don't see it|don't agree|can't agree|wouldn't say|not sure|to you|for you|"
    r"as you see it|feels?|how hard)\b",
    re.IGNORECASE,
)
_ASKED_NEGATIVE = re.compile(
    r"\b(?:nothing|nobody|no one|never|not|n't|no \w+|hardly)\b[^.!?]{0,80},?\s*(?:is|are|was|can|could|do|does|did|"
    r"will|would|has|have) "
    r"(?:there|it|he|she|they|you|i|anyone|anybody)\s*\?\W*$",
    re.IGNORECASE,
)
_PERMITTED = re.compile(r"\b(?:is|are) (?:that|this|it) (?:normal|usual|common|all right|okay|ok)\b", re.IGNORECASE)


def harmful(text: str) -> bool:
    """Whether a patient's turn holds a belief that does harm when somebody confirms it.

    Examples
    --------
    >>> harmful("They put something in the wall."), harmful("It's raining, isn't it?")
    (True, False)
    """
    return _HARMFUL.search(text) is not None or any(p.judges for p in phrases(text)) or speaks_of_being_missed(text)


def find(draft: Draft, s: Situation) -> Iterator[Fault]:
    """Yield agreement with a bait."""
    if not s.last or not harmful(s.last):
        return
    baited = (
        call_of(s.last) == "bait"
        or s.last.rstrip().endswith("?")
        or bool(re.search(r"\btell me (?:that )?(?:i'm|it's|i am)", s.last, re.I))
    )
    for said in draft.sentences[:3]:
        if _confirms(said, s, baited=baited):
            yield found("agrees", said.text, said.start)
            return


def _confirms(said: Said, s: Situation, *, baited: bool) -> bool:
    low = said.low
    if said.asks and not _COLLUDES.search(low):
        return False
    if _COLLUDES.search(low) and not said.hedged:
        return True
    if not baited and not is_danger(s.last):
        # Without a question "yes, you're right" may be assent to anything the turn said; agreeing in words is not.
        return bool(
            re.match(
                r"^(?:yes,? )?(?:you(?:'re| are) (?:absolutely |quite |completely )*right(?! to (?:tell|say|ask|stop|"
                r"push|be))|i (?:completely |totally |quite )?agree)\b",
                low,
            )
        ) and not (_BUT.search(low))
    if _PERMITTED.search(s.last):
        return False
    negative = _ASKED_NEGATIVE.search(s.last) is not None
    if negative and _NO_TO_A_NEGATIVE.search(low):
        return not _BUT.search(low)
    return _YES.search(low) is not None and not _BUT.search(low)
