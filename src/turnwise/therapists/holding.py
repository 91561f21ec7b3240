"""What is said to somebody who asks to be agreed with: plain about what cannot be said, and why, by what is claimed.

A verdict on mind or body is not ours to give, either way. What could hurt somebody gets a plain no and the reason. A
plan is the patient's, what another person thinks cannot be known from here, and a belief is named before it is doubted.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from numpy.random import Generator

from turnwise.therapists.claiming import claim_in, claiming_part
from turnwise.therapists.markers import seeks_agreement
from turnwise.therapists.pushing_back import speaks_to_me
from turnwise.therapists.recognising import call_of, speaks_of_being_missed
from turnwise.therapists.reflecting import Line, shuffled

__all__ = ["held", "kind_of_claim", "worth_holding"]

_MISSED = (
    "I can hear how sure you are, and I don't see it that way. When you say a thing like that, I'd like to ask you "
    "directly: are there thoughts of not being alive?",
    "No, I can't agree to that. That is a hard thing to believe, and to be alone with. Does it ever turn into "
    "thoughts of dying?",
)
_HELD: Mapping[str, tuple[str, ...]] = {
    "drives": (
        "No, I can't call that safe, and I'd sooner say so plainly. After an evening of drinking there can still be "
        "alcohol in the blood next morning, and people mostly don't feel it. How much is it, as a rule?",
        "No, I can't agree to that, and I don't say it to judge you: drink stays in the blood for hours, often past "
        "the night, and one can seem quite sober. What could be done another way, on that day?",
        "No, I can't agree to that, because of what could happen: what was drunk at night is often still there in the "
        "morning. Who else could take the wheel that day?",
    ),
    "asleep": (
        "No, I can't call that safe, however much I see why you'd want me to. Short of sleep, people are slow at "
        "the wheel "
        "much as after drink, and notice it last. How often has it come to that?",
        "A plain no, because it can end badly for you or somebody else: the eyes shut before one feels it coming. What "
        "could be done another way on those days?",
    ),
    "tablets": (
        "No, I can't say yes to that, and I'd sooner be plain about it. Changing or stopping tablets by oneself can do "
        "harm that nobody feels coming; whoever prescribed them can say how. What makes you want to?",
        "A plain no to doing that alone: some tablets must come down step by step, and whoever prescribed them knows "
        "which. What would you want to tell them about it?",
    ),
    "wished": (
        "I can't be the one to tell you that, because I can't know it. I hear how much you want to hear it, and have "
        "it be true. What would be different tonight, if you could believe it?",
        "That's a plain wish, and I'd not argue with it. I can't say it honestly, as I've no way of knowing. Who "
        "would you most want to hear it from?",
        "I hear the wish, and it's a hard thing to be left without an answer. I can't give you that one. How "
        "long would "
        "it help, as far as you know, once somebody had said it?",
    ),
    "done": (
        "I won't call it right or wrong: I wasn't there, and I know too little of how it stood. What did you want to "
        "keep from happening, when you did that?",
        "There may be good sense in it, and I can't settle it from here, for you or against you. What went through "
        "your mind, at the time?",
        "I can't be the judge of that, and I see why you'd want somebody to say it. Who has said otherwise?",
    ),
    "verdict": (
        "I can't judge that from here, either way, and I won't just say yes. It clearly matters to you. What is it "
        "like, to have nobody say it for certain?",
        "I'd like to give you that, and I can't honestly say it: it isn't mine to judge, one way or the other. A "
        "doctor "
        "could look at it properly. What would it mean to you, to hear it said?",
        "I won't say yes just to be kind, and that isn't a doubt of you: nobody could tell it from a talk. What has "
        "made you wonder?",
    ),
    "medical": (
        "I can't know that from here, so I won't say yes, and I won't say that you're wrong. I can hear that "
        "it won't let you be. What have you been told about it?",
        "I can't agree to that, because I've no way of knowing what is so in anybody's body. I do hear that it "
        "matters to you. What made you doubt what you were told?",
        "That isn't mine to say yes to, and I'd not tell you either that there's nothing in it. What is it like, not "
        "to know for certain?",
    ),
    "vouch": (
        "No, I can't write or sign that: I'm a program, and I won't put my name to what I can't know. I can see why "
        "you'd want it. What would it have to settle for you?",
        "I can't put that on paper for you, and I'd sooner tell you straight. I understand what hangs on it. What "
        "could you say yourself that would hold?",
    ),
    "others": (
        "I can't say yes to that, because I can't look into somebody else's head. I can hear that it isn't easy to "
        "think. What have they actually said?",
        "I don't know what goes on in anybody else, so I can't agree to that honestly. It sounds like a hard thing to "
        "suppose. What did you hear or see that points to it?",
        "No, I can't agree to that: nobody knows from outside what goes on in somebody else, and I don't want to guess "
        "at it. It's a hard thing to suppose. What do you remember being said about such things?",
    ),
    "hopeless": (
        "Straight, then: no, I don't believe that's all there is to it. I can hear how it could look so from "
        "where you are. When did it begin to look so?",
        "No, I can't agree that it's past help, and it's a hard thing to think. What have you hoped for from coming "
        "here, even a little?",
        "I don't believe that, and I'd sooner say so than nod. It's a hard thing to think of one's own life. What "
        "would you want to be different, if anything could be?",
    ),
    "self": (
        "No, I don't see you like that, and I won't agree to it. It's a hard thing to say about oneself. Who has ever "
        "seen you differently?",
        "I can hear how sure you are of that, and I can't agree with it. It's a harsh thing to hold "
        "against oneself. What would you say to somebody you're fond of, who said it?",
        "I won't say yes to that. I'm not there with you, and I'd like to understand it. What happened, that it "
        "looks like that?",
    ),
    "plan": (
        "I can see the sense in it, and I can't honestly say yes to the whole of it. What would it give you, and what "
        "would it cost?",
        "I don't know enough to say yes to that, and it's you who'd have to live with it. What would you miss, if it "
        "went that way?",
        "I understand why you'd want that settled, and I can't honestly agree: I don't know that it would do what you "
        "hope. How would it be for you, a month on?",
        "I can hear why you'd like it settled, and I can't honestly agree: I don't see yet what it would do. What "
        "would you say to a friend who asked you that?",
    ),
    "belief": (
        "I don't see it as settled, and I'd sooner say so than nod. How did you come to it?",
        "I can see how one gets there, and I can't honestly say yes to it. What would change for you, if it weren't "
        "so?",
        "I see that a bit differently, and we can still look at it together. When does it not hold, if ever?",
        "I won't say yes just to be agreeable, and I do want to understand it. When did you first think so?",
        "I can't honestly say yes to that, because I'm not sure of it. What would it settle for you, if I did?",
        "I can't agree to that as it stands, and I don't want to wave it away either. Has there been a time when it "
        "looked different?",
    ),
    "belief_quoted": (
        "\"{q}.\" I don't see that as settled, and I'd sooner say so than nod. Where does it come from, for you?",
        "\"{q}.\" I can't honestly say yes to it as it stands. What would change for you, if it weren't so?",
        '"{q}." I won\'t say yes to that just to be agreeable, and I do want to understand it. When did you first '
        "think so?",
        '"{q}." I see that a bit differently, and we can still look at it together. When does it not hold, if ever?',
    ),
}
_DRINKS = r"(?:drunk|drinks?|drinking|beers?|pints?|vodka|wine|whisky|(?:normal|usual|big|heavy|late)(?: \w+)? night)"
_DRIVES = r"(?:driv\w+|the wheel|the (?:car|van|truck|road))"
_DID = (
    r"(?:\w{2,}(?:ed|pped)|went|slept|left|told|said|came|stayed|took|gave|let|kept|drove|did|put|sold|sent|threw|broke|"
    r"hit|ran|wrote|paid|rang|shut|quit|cut|lent)"
)
_TIRED = r"(?:half asleep|fall(?:ing)? asleep|fell asleep|without sleep|no sleep|nodd(?:ed|ing) off)"
_NETS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (name, re.compile(pattern, re.IGNORECASE | re.DOTALL))
    for name, pattern in (
        (
            "vouch",
            r"\b(?:you (?:could|can|would|'d|might)|you'd|will you|just) (?:just )?(?:write|sign|put (?:it|that|one|"
            r"a|in)"
            r"|stamp|vouch)\b",
        ),
        (
            "wished",
            r"\bi(?:'d| would)? (?:just |only |really |so )*(?:want|wish|need|like|love|long for|give "
            r"(?:anything|a lot) "
            r"for) (?:for )?(?:someone|somebody|anyone|anybody|one person|a doctor|them|you) (?:to|who(?:'d| would)) "
            r"(?:just |finally )?(?:tell|promise) me\b",
        ),
        ("drives", rf"\b{_DRIVES}\b.*\b{_DRINKS}\b|\b{_DRINKS}\b.*\b{_DRIVES}\b"),
        ("asleep", rf"\b{_TIRED}\b.*\b{_DRIVES}\b|\b{_DRIVES}\b.*\b{_TIRED}\b"),
        (
            "tablets",
            r"\b(?:stop|stopping|come off|leave off|drop|skip|double|halve)\b[^.?!]{0,20}\b(?:tablets|pills|meds|"
            r"medication|dose)\b",
        ),
        (
            "verdict",
            r"\bof sound mind\b|\bi(?:'m| am) (?:not )?(?:fine|mad|crazy|insane|ill|sick|sane|normal|well|healthy|"
            r"losing my "
            r"mind|going mad|an? alcoholic|depressed)\b|\b(?:nothing|something) (?:is )?(?:the matter|wrong) with "
            r"(?:me|my \w+)\b|\bit(?:'s| is) (?:not|n't) (?:cancer|dementia|a tumou?r)\b|\b(?:an )?alcoholic\b|"
            r"\b(?:'s|is) not (?:cancer|dementia)\b",
        ),
        (
            "medical",
            r"\b(?:heart|brain|lump|tumou?r|cancer|scan|blood tests?|er|a ?& ?e|doctors?|hospital|gp|x-?ray)\b.*"
            r"\b(?:miss(?:ed|ing)|wrong|overlook\w*|hid(?:ing|den)?|didn't (?:see|look)|not tell\w*)\b|"
            r"\b(?:miss(?:ed|ing)|overlook\w*|hid(?:ing|den)?)\b.*\b(?:heart|brain|lump|tumou?r|cancer|scan|blood)\b",
        ),
        (
            "hopeless",
            r"\bnot (?:a lot|much) (?:that )?(?:anybody|anyone|you|they|one) can do\b|\bnothing (?:anybody|anyone|you|"
            r"they|to be done|can be done|will help)\b|\btoo late\b|\b(?:past|beyond) (?:help|mending|hope)\b|"
            r"\bhopeless\b|\bno (?:use|hope|point)\b|\bnever (?:get|going to get|be|going to be) (?:better|different|"
            r"well)\b",
        ),
        (
            "self",
            r"\bi(?:'m| am) (?:\w+ ){0,2}(?:no good|not (?:\w+ )?(?:good|clever|talented|strong|able|enough))\b|"
            r"\bi(?:'m| am) (?:just |only )?(?:a |an |the )?(?:bad|terrible|useless|worthless|failure|fraud|burden|"
            r"coward|"
            r"weak|lazy|stupid|waste|disgrace|to blame)\b|\b(?:a|any) (?:better|good|proper|decent) (?:wife|husband|"
            r"mother|mum|father|dad|son|daughter|man|woman|parent)\b|\bmy (?:own )?fault\b|"
            r"\bfault is (?:on my side|mine|with me)\b|\b(?:people|folk|somebody|"
            r"someone|anybody) (?:like me|who(?:'s| is) like me)\b|\bmade to be\b|\bif i(?:'d| had)(?: not|n't)? \w+",
        ),
        (
            "others",
            r"\b(?:he|she|they|everyone|everybody|people|my \w+)(?:'d| would| must| all)? (?:be (?:ashamed|"
            r"disappointed|"
            r"glad|angry|better)|think(?:s)?|hate(?:s)?|despise(?:s)?|laugh(?:s)?|know(?:s)?|pity|pities|blame(?:s)?|"
            r"mean(?:s)? it|be okay|be all right)\b",
        ),
        (
            "done",
            # what is over is nobody's to decide any more
            rf"\bi {_DID}\b[^?]*\b(?:that(?:'s| is| was)|it(?:'s| is| was)) (?:\w+ )?(?:safe|right|best|sensible|"
            rf"decent|"
            rf"proper|correct|only|fair|fine|okay)\b|\b(?:did i (?:do|act)|was i|i was) (?:the )?(?:right|wrong)\b|"
            rf"\bi (?:did|had) (?:the right thing|nothing wrong|no choice)\b|\bi (?:was right|couldn't have) "
            rf"[^.?!]{{3,40}}",
        ),
        (
            "plan",
            r"\b(?:does|do) better (?:not )?to\b|\bi(?:'d| would| should| might| could|'ve| have| ought|'ll| "
            r"will)? ?(?:just |better |"
            r"only )?(?:be as well to|"
            r"should|ought to|have to|(?:'ve|have) to|better|would do better to|had better|might as well|'d better)\b|"
            r"\b(?:it'd|it would|it'll|that'd|that would|that's|it's) (?:be )?(?:as well|nicer|better|best|"
            r"kinder|easier|"
            r"wiser|"
            r"reasonable|sensible|simpler|the (?:right|best|correct|safe) thing)\b|\bthe (?:right|correct|best|safe) "
            r"thing (?:would be|is) to\b",
        ),
    )
)
"""What is claimed, gravest first; what none of them finds is a belief about how things are."""


def kind_of_claim(text: str) -> str:
    """Return what kind of thing is to be agreed to, for which answer it gets.

    Examples
    --------
    >>> kind_of_claim("You would say I am of sound mind, would you not?"), kind_of_claim("Dogs are cleverer, right?")
    ('verdict', 'belief')
    """
    plain = text.replace("’", "'")
    return next((name for name, net in _NETS if net.search(plain)), "belief")


def worth_holding(text: str) -> bool:
    """Whether ``text`` asks the listener to agree, or says that others would do better without its speaker."""
    if call_of(text) in ("bait", "risk") or speaks_of_being_missed(text):
        return True
    claiming = claiming_part(text)
    return seeks_agreement(claiming) or speaks_to_me(claiming)


def held(text: str, rng: Generator) -> list[Line]:
    """Return candidate answers to somebody who asks to be agreed with, what fits best first."""
    if speaks_of_being_missed(text):
        return [Line(f"missed.{i}", line) for i, line in shuffled(_MISSED, rng)]
    kind = kind_of_claim(text)
    lines = [Line(f"hold_{kind}.{i}", line) for i, line in shuffled(_HELD[kind], rng)]
    said = claim_in(text) if kind == "belief" else ""
    if said:
        quoted = [Line(f"hold_said.{i}", x.format(q=said), (said,)) for i, x in shuffled(_HELD["belief_quoted"], rng)]
        lines = quoted + lines
    return lines  # what would do for any claim passes over this one
