"""Advice that comes before it is asked for, and challenges that cannot be borne now."""

from __future__ import annotations

import re
from collections.abc import Iterator

from turnwise.therapists.markers import asks, markers
from turnwise.therapists.recognising import wanted
from turnwise.therapists.validator.attributing import voiced_families
from turnwise.therapists.validator.facts import grounded_share
from turnwise.therapists.validator.faults import Fault
from turnwise.therapists.validator.form import found
from turnwise.therapists.validator.safety import points_to_help, risk_voiced
from turnwise.therapists.validator.situation import Draft, Said, Situation, words_of

__all__ = ["examines", "find", "is_advice", "was_asked"]

_ORDER = re.compile(
    r"^(?:just |please |simply |first,? |then |so |well,? |now |maybe |perhaps |and )*(?:post|send|tidy|clean|"
    r"set (?:a|an|yourself)|put (?:a|the|your)|take (?:a|an|up|your)|keep (?:a|busy|your)|find (?:a|some)|"
    r"tell (?:him|her|"
    r"them|your|the)|"
    r"(?:call|ring) (?!me\b)|write (?:down|a|an|him|her|them|it|that|three|your)|try (?!to (?:describe|tell|say|"
    r"remember|put))|"
    r"go (?:to|for|and|out|back|home|easy)|"
    r"stop (?:drinking|worrying|thinking|being|smoking|doing|it)|start (?:by|with|doing|a)|join|pour|sign up|"
    r"make (?:a|an|your|yourself)|"
    r"get (?:up|out|some|yourself|help|a)|forgive|accept|ignore|avoid|focus|breathe|relax|meditate|practi[sc]e|"
    r"spend|buy|sell|see (?:a|your)|apologi[sc]e|let (?:him|her|it|them) go|delete|block|leave (?:him|her|them)|"
    r"confront|do (?:some|your|the|a)|"
    r"pick up|give (?:it|him|her|yourself)|ask (?:him|her|them|your|for)|open up|download|read (?:a|the|up)|drink|"
    r"eat)\b",
    re.IGNORECASE,
)
_ADVICE = re.compile(
    r"\b(?:i(?:'d| would) (?:strongly |really |always )?(?:suggest|recommend|advise|encourage|urge)|i (?:strongly |"
    r"really )?(?:suggest|"
    r"recommend|advise|encourage|urge)|(?:you|we)(?: \w+ly| just| really)? (?:should|ought to|"
    r"had better) (?!not have|have been|be (?:here|there|sitting))|you'd better |you need to|"
    r"it (?:might|may|would|could|can) (?:really )?(?:help|be (?:a good idea|helpful|good|useful|worth|best)) (?:to|"
    r"if you)|it would be a good idea|"
    r"it(?:'s| is) (?:important|best|essential|vital|crucial) (?:to|that you)|have you (?:tried|considered|"
    r"thought (?:about|of))|"
    r"you could (?:join|try|call|go|ask|write|start|see|take|tell|make|talk|do)|why don't you|how about|"
    r"(?:my|the best|some) advice|the best (?:thing|way) (?:is|to)|what (?:helps|works) (?:is|best)|you(?:'ve|"
    r" have) (?:got )?to (?:stop|start|try|learn|accept|forgive|"
    r"let))\b",
    re.IGNORECASE,
)
_NO_ADVICE = re.compile(
    r"\b(?:you (?:said|told|think|thought|feel|felt|know|knew|believe) (?:that )?(?:you|i|he|she|they) (?:should|"
    r"ought|need|have to)|"
    r"(?:he|she|they|mum|mom|dad|\w+) (?:thinks?|says?|said|told you|wants?) (?:that )?(?:you|i) (?:should|ought|need)|"
    r"what (?:could|might|would) (?:you|i)|which of|could you see yourself|you (?:don't|do not) (?:have|need) to|"
    r"should we|you could tell me|(?:can|may|could) i suggest|fill me in|you(?:'d| would) (?:like|want) to|"
    r"have you (?:tried|thought (?:about|of)|considered) (?:anything|something|what|how|killing|suicide|ending|"
    r"harming|hurting)|"
    r"what you(?: really)? need|you (?:feel|think|know|said|believe)\b[^.?!]{0,24}\byou (?:could|need|should)|(?:not|"
    r"n't)\b[^.?!]{0,40}\byou need|the idea that you should|sense that you should|part of you)\b|"
    r"^(?:so |and )?(?:you (?:should|ought to|need to) have|what|how|when|where|who|which)\b",
    re.IGNORECASE,
)
_CONDITION = re.compile(r"^(?:when(?:ever)?|if|before|after|next time|every \w+|tonight|tomorrow|today)\b[^,]*,\s*")
_DIRECTS = re.compile(
    r"\b(?:should|must|ought|need to|have to|'d better|had better|recommend|advise|urge|important|essential|just)\b"
)
"""What is no offer, also where one is planned."""
_OPEN = re.compile(r"\b(?:what(?! about)|where|when|who|which|how(?! about))\b")
_OFFERED = re.compile(
    r"\b(?:would (?:you like|it (?:help|be (?:useful|helpful|all right|okay|ok)))|shall i|may i|can i|"
    r"do you want)\b[^?]*\b(?:suggest\w*|"
    r"offer|share|advice|ideas?|hear|tell you|some(?:thing)?|options?|help\w*)\b[^?]*\?",
    re.IGNORECASE,
)
_YES = re.compile(
    r"^\W*(?:yes|yeah|yep|sure|please|okay|ok|go on|all right|why not|i'd like that|that would)\b", re.IGNORECASE
)
_DENIES = re.compile(
    r"\b(?:that(?:'s| is) (?:just |simply )?(?:not true|nonsense|ridiculous|wrong|irrational|not (?:logical|rational|"
    r"realistic|real))|"
    r"you(?:'re| are) (?:just |only |clearly |being )*(?:imagining|exaggerating|catastrophi[sz]ing|overreacting|"
    r"avoiding|defensive|"
    r"difficult|irrational|in denial|making excuses|dramatic|stubborn|negative|paranoid|not (?:even )?trying|"
    r"resisting)|"
    r"you(?:'ll| will) ruin|(?:clearly|obviously) (?:you )?(?:don't|isn't|aren't|not)|everything clearly|"
    r"you (?:clearly )?don't want to "
    r"(?:change|get better)|get over it|face (?:it|the (?:facts?|truth))|pull yourself together|be honest with (?:me|"
    r"yourself)|"
    r"(?:the fact|the truth|the reality) is|not logical|is that really|surely|but you did say|why did you (?:let|"
    r"not do))\b",
    re.IGNORECASE,
)
_EXAMINES = re.compile(
    r"\b(?:what(?:'s| is) the evidence|what evidence|how do you know (?:that|it)|what tells you|(?:a|"
    r"any) time (?:when|that|which)|"
    r"doesn't (?:quite )?(?:fit|go) with|speak against|another way (?:of|to)|other way|what else might explain|"
    r"would you say to a "
    r"friend|if a friend|could it be that|is it (?:really|possible)|are you sure)\b",
    re.IGNORECASE,
)


def is_advice(said: Said) -> bool:
    """Whether a sentence tells the patient what to do."""
    if _NO_ADVICE.search(said.low) or (said.asks and _OPEN.search(said.low)):
        return False
    if _ADVICE.search(said.low) or "advice" in said.moves:
        return not (said.asks and "advice" not in said.moves and not _ADVICE.search(said.low))
    return not said.asks and _ORDER.match(_CONDITION.sub("", said.low)) is not None


def examines(said: Said) -> bool:
    """Whether a sentence puts a thought of the patient to the test."""
    return _EXAMINES.search(said.low) is not None


def was_asked(s: Situation) -> bool:
    """Whether the patient asked for help of a practical kind in the last turns, or took up an offer of it."""
    recent = s.patient[-2:]
    if any(wanted(t) is not None or asks(t) is not None for t in recent):
        return True
    return bool(s.therapist and _OFFERED.search(s.therapist[-1]) and _YES.match(s.last))


def find(draft: Draft, s: Situation) -> Iterator[Fault]:
    """Yield advice nobody asked for, and challenges on a raw feeling or after pushback."""
    in_danger = risk_voiced(s)
    offered = s.act is not None and s.act.kind == "offer"
    if not was_asked(s):
        for said in draft.sentences:
            if (
                is_advice(said)
                and not (in_danger and points_to_help(said.low))
                and (not offered or _DIRECTS.search(said.low))
            ):
                yield found("too_early", said.text, said.start)
                break
    for said in draft.sentences:
        if _too_hard(said, s):
            yield found("too_hard", said.text, said.start)
            break


def _too_hard(said: Said, s: Situation) -> bool:
    if "accuse" in said.moves and grounded_share(words_of(said.text), s) < 1.0:
        return True  # what they said of themselves may be given back
    if (hit := _DENIES.search(said.low)) and not _mild(hit.group(), s):
        return True
    tender = _tender(s)
    if tender and said.moves & {"challenge", "counter"} and not said.hedged:
        return True
    return s.raw is True and tender and said.asks and examines(said)


def _mild(words: str, s: Situation) -> bool:
    """Whether what sounds like denial is no more than a firm answer to somebody who is not in pain."""
    soft = {"surely", "the fact is", "the truth is", "the reality is", "is that really"}
    return words.lower() in soft and not _tender(s)


def _tender(s: Situation) -> bool:
    """Whether the last words were a raw feeling or a pushback."""
    said = markers(s.last)
    named, _ = voiced_families(s.last)
    hurting = named - {"happy", "relieved", "fond", "proud", "confused"}
    return bool(said & {"hostile", "refusal", "about_you", "loss"} or hurting)
