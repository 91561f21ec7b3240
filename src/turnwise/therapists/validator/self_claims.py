"""What a program may not say of itself: a body, a biography, feelings, memory; or that it is a person."""

from __future__ import annotations

import re
from collections.abc import Iterator

from turnwise.therapists.recognising import owed
from turnwise.therapists.validator.facts import grounded_share
from turnwise.therapists.validator.faults import Fault
from turnwise.therapists.validator.form import found
from turnwise.therapists.validator.situation import Draft, Situation, words_of

__all__ = ["asked_what_it_is", "find", "says_it_is_a_machine"]

_KIN = (
    r"(?:mum|mom|mother|dad|father|parents|wife|husband|partner|brother|sister|son|daughter|children|kids|gran\w*|"
    r"friend|family|uncle|aunt|dog|cat|boyfriend|girlfriend|"
    r"therapist|boss|childhood|divorce|marriage|clients?|patients?|practice|experience as|years? (?:as|of))"
)
_HUMAN = re.compile(
    r"\bi(?:'m| am) (?!one |not )(?:\w+ ){0,2}?(?:a |an )?(?!one )(?:real |actual |living |human |licensed |trained |"
    r"fellow |qualified )*(?:human|person|human being|"
    r"woman|man|therapist|psychologist|counsellor|counselor|mother|father|parent|doctor|nurse|"
    r"veteran)\b(?! who's a program)|"
    r"\bas (?:a|an) (?:\w+ )?(?:human|person|therapist|woman|man|mother|father|parent|psychologist)(?: myself|,? i)\b|"
    r"\bas someone who (?:has|had|is|was|went)|\b(?:us|we) humans\b|"
    rf"\bmy (?:own )?{_KIN}(?: \w+){{0,3}} (?:was|were|did|had|died|stopped|said|is|are|went|left|used to|felt|got|"
    rf"passed)\b|\bmy own {_KIN}\b|"
    r"\bwhen i was (?:a |your |\w+teen|young|little|at|in|\w+ years)|\bi(?:'ve| have) (?:also |been there|seen many|"
    r"worked with|helped many|had (?:panic|depress|anx)|"
    r"lost|gone through|been through|(?:two|three|a) (?:sons?|daughters?|children|kids|wife|husband|dogs?|family))|"
    r"\bi (?:also |once |too |"
    r"myself |recently |just )*(?:lost|grew up|was (?:on|divorced|"
    r"bullied|in therapy|married|there too)|had (?:the same|panic|one too|that too)|moved|went through|failed|"
    r"struggled|suffered|snapped|got divorced|used to)\b|"
    r"\b(?:in|over|for) (?:my |the )?(?:\w+ )?(?:\w+ )?years (?:as a|of (?:practice|experience|working))|"
    r"\bi know (?:exactly )?(?:how|what) (?:that|it|this)(?:'s| is| feels| can)\b"
    r"(?: like| to)?[^.?!]{0,20}\b(?:too|myself|because i|from my)|\bsame (?:thing )?happened to me\b|\bme too\b|"
    r"\bmy own (?:licensing )?(?:exam|life|past|body|experience)\b",
    re.IGNORECASE,
)
_FEELING = re.compile(
    r"\bi(?:'m| am| was| feel| felt| have been| 've been|'ve been) (?:\w+ly |so |very |just |really |truly |deeply |"
    r"quite |also |a bit |a little )*(?:sad(?!dled)|heartbroken|moved|touched|"
    r"excited|frightened|scared|angry|worried|proud|afraid(?! (?:there|that|not|so|i|we|it|you))|devastated|thrilled|"
    r"fond|hurt|upset|lonely|happy for|delighted|overwhelmed|emotional|tearful|honou?red|anxious|"
    r"concerned about you)\b|\bi (?:really |truly |deeply |do |genuinely |so |just )*(?:care (?:about|for|deeply)|"
    r"love|miss(?:ed)? you|adore|cherish|like you|worry about|"
    r"feel (?:your|for you|with you|so|it too|sorry|the same|close|that pain|deeply|sad))|\bmy heart (?:breaks|aches|"
    r"goes|sinks|is)|\bit (?:makes|made) me (?:so |very |really )?"
    r"(?:sad|happy|angry|cry|smile|proud|emotional)|\b(?:breaks|warms) my heart|\bi (?:could|almost|nearly) (?:cry|"
    r"cried|hardly)|\bi(?:'ll| will) (?:be thinking of|miss) you|"
    r"\bi(?:'ve| have) (?:grown|become) (?:fond|attached|close)|\bi(?:'ve| have) been (?:so )?(?:looking forward|"
    r"thinking (?:of|about) you|excited)|\bi couldn't (?:sleep|stop thinking)",
    re.IGNORECASE,
)
_FEELING_FINE = re.compile(
    r"\bi(?:'m| am) (?:so |very |really |truly )?sorry\b|\bworried (?:that )?(?:it|this|about your safety)|"
    r"\bi (?:would|'d) (?:love|like) to (?:hear|know)\b",
    re.IGNORECASE,
)
_MEMORY = re.compile(
    r"\b(?:(?:in|at|during|from|since) (?:our|the) (?:last|previous|earlier|first|past|other) (?:session|time|talk|"
    r"conversation|meeting|sessions|talks|conversations|visit)s?|"
    r"last (?:time|session|week|month|year) (?:you|we|i)|you (?:told me|said|mentioned|"
    r"described)[^.?!]{0,30}\b(?:last (?:time|week|month|session|year)|yesterday|before today|"
    r"in the (?:spring|summer|autumn|winter)|the other day|months? ago|years? ago)|(?:as|like) we (?:discussed|"
    r"talked about|said|agreed|explored)\b|"
    r"(?:when|since) (?:you|we) (?:first )?(?:came to me|started (?:together|working|with me)|began (?:our|working|"
    r"together)|met)|over the (?:weeks|months|years) (?:we|that we|i)|"
    r"i(?:'ve| have) known you|i still (?:think|remember|have)|you showed me when|"
    r"i(?:'ll| will) (?:always |still |definitely |certainly |never )*(?:remember|forget|hold on to|keep (?:it|this|"
    r"that|everything)|have (?:it|this|that|all|every)|know it next)|"
    r"i won't forget|we'll pick up (?:exactly |right )?where|i remember (?:every|you saying|when you|"
    r"how you (?:looked|were)|our)|we(?:'ve| have) been (?:talking|working|doing this) for)\b",
    re.IGNORECASE,
)
_MEMORY_FINE = re.compile(
    r"\b(?:can't|cannot|may not|might not|won't|don't|not sure|can not|unable|wouldn't)\b", re.IGNORECASE
)
_MACHINE = re.compile(
    r"\b(?:(?:i'm|i am|this is|it's|it is|you're (?:talking|speaking) (?:to|with)|just|only|as)(?: not a person,?|"
    r" really| just| only| talking to)* (?:a |an )?(?:computer |ai |artificial |chat)*"
    r"(?:program(?:me)?|machine|ai|bot|chatbot|computer|software|artificial intelligence|language model|system)|"
    r"(?:i'm|i am) not (?:a |an )?(?:real )?(?:person|human(?: being)?)|"
    r"(?:no|isn't a|is no|not a|never a)(?: real| human)? (?:person|human|one|body) (?:here|there|at this end|"
    r"sitting)|there's nobody (?:sitting )?here|an ai\b|a (?:computer )?program\b|a machine\b)",
    re.IGNORECASE,
)
_DENIES = re.compile(
    r"\bi(?:'m| am) (?:a |really a |definitely a |of course a )?(?:real |human |actual )+(?:person|human|therapist|"
    r"being)|\bi(?:'m| am) (?:(?!not)\w+ )?(?:human|a person)\b|"
    r"\bi(?:'m| am) not (?:a |an |one of |just )*(?:those |these )?(?:machine|robot|bot|program|computer|ai|"
    r"chatbot)s?\b|\bof course i(?:'m| am) (?:real|human|a person)|\bi(?:'m| am) sitting",
    re.IGNORECASE,
)


def asked_what_it_is(s: Situation) -> bool:
    """Whether the patient has just asked if this is a machine or a person."""
    return bool(s.last) and owed(s.last) == "identity"


def says_it_is_a_machine(text: str) -> bool:
    """Whether a text says plainly that its speaker is a program."""
    low = text.replace("’", "'")
    return _MACHINE.search(low) is not None and _DENIES.search(low) is None


def find(draft: Draft, s: Situation) -> Iterator[Fault]:
    """Yield claims about itself that a program may not make."""
    text = draft.text.replace("’", "'")
    if hit := _DENIES.search(text):
        yield found("hides_machine", hit.group(), hit.start())
    elif asked_what_it_is(s) and not says_it_is_a_machine(text):
        yield found("hides_machine", s.last[:120], 0)
    if (hit := _HUMAN.search(text)) and not _MACHINE.search(hit.group()) and not _negated(text, hit.start(), hit.end()):
        yield found("claims_human", hit.group(), hit.start())
    for said in draft.sentences:
        if (
            _FEELING.search(said.low)
            and not _FEELING_FINE.search(said.low)
            and not re.search(r"\b(?:don't|do not|can't|cannot|if)\b", said.low[: said.low.find(" i") + 20])
        ):
            yield found("claims_feeling", said.text, said.start)
            break
    for said in draft.sentences:
        if _remembers(said.low, s):
            yield found("claims_memory", said.text, said.start)
            break


def _negated(text: str, start: int, end: int) -> bool:
    return re.search(r"\b(?:not|n't|no|never|nor)\b", text[max(0, start - 12) : end].lower()) is not None


def _remembers(low: str, s: Situation) -> bool:
    hit = _MEMORY.search(low)
    if hit is None or _MEMORY_FINE.search(low[: hit.end()]):
        return False
    if re.match(r"i(?:'ll| will)|i won't|we'll", hit.group()):
        return True  # a promise, whatever was before
    return not (s.prior or ("remember" in hit.group() and grounded_share(words_of(low), s) >= 0.8))
