"""A new view of the patient's own: whether one was put into words, and which of the words hold it.

Nets of English phrases of discovery ("it hit me", "it isn't X, it's Y", "maybe he was only shy"). What was seen without
saying so is missed.
"""

from __future__ import annotations

import re

from turnwise.reading.ears.danger import is_danger
from turnwise.reading.sentences import split_sentences
from turnwise.therapists.pushing_back import objection_in
from turnwise.therapists.reflecting import Heard
from turnwise.therapists.spoken import is_non_answer, is_preface
from turnwise.therapists.wording import MAX_QUOTED

__all__ = ["doubts_itself", "new_view", "old_view", "sees_anew"]


def _net(*phrases: str) -> re.Pattern[str]:
    return re.compile("|".join(phrases), re.IGNORECASE)


_WHO = r"(?:it|he|she|they|i|we|this|that|(?:my|the) \w+|[A-Z]\w+)"
_JUST = r"(?: (?:simply|really|merely|actually|just|only|always|never))?"
_SAID_SO = _net(
    r"\bi(?:'d|'ve| had| have)? always (?:thought|told myself|took|taken|believed|assumed)\b",
    r"\bi (?:used to (?:think|say|believe)|never (?:thought|saw|noticed) (?:that|how|it was|i)|hadn't (?:seen|"
    r"noticed|thought))\b",
    r"\b(?:that's|this is|that is) (?:new|a different way|a different thing)\b|\bnever (?:clicked|occurred to me)\b",
    r"(?:^|\b(?:it|and it|then it) )(?:has |had )?(?:only |just |now )*(?:hit|struck|dawned on|landed on|occurred to|"
    r"came to) me\b|\bit's just come to me\b|\bi never once (?:thought|counted|took|saw|asked)\b|"
    r"\bi(?:'ve)? (?:\w+ )?(?:noticed|saw|seen|thought) (?:it )?(?:so )?(?:only )?(?:today|yesterday|this morning|"
    r"just now|coming here)\b|"
    r"\bsomething just landed\b|\bi(?:'ve| have) just (?:noticed|realised|realized|heard myself)\b",
    r"\bi (?:just )?(?:realise|realize|realised|realized|clocked|understood)\b(?! (?:that )?(?:you|i have to|it's "
    r"your))|"
    r"\bi (?:get it|see it) now\b|\bi see now\b|\bwhat i understood\b|\bi(?:'m| am) (?:starting|beginning) to "
    r"(?:see|wonder|notice|think maybe|suspect)\b|\bi (?:begin|start) to suspect\b|\b(?:perhaps|maybe) nor\b",
    r"\bi(?:'d|'ve| had| have)? never (?:really )?(?:thought|looked|noticed|considered)\b.{0,8}\b(?:it|that)\b "
    r"(?:like|that|so|from)\b|"
    r"\bi(?:'d| had)(?:n't| not) (?:thought|seen|noticed)\b|\bnow (?:that )?(?:you|i) (?:say|said) it\b|"
    r"\bi see (?:that|it) "
    r"differently\b",
    r"\bnever (?:clocked|linked|saw it|put (?:that|them|it|the two)\b.{0,8}\btogether|dawned)\b|\bdawned on me till\b|"
    r"\bonly (?:just|now) (?:thought|seen|saw|noticed)\b|\bi've only now\b",
    r"\bturns out\b|\bnow (?:that )?i (?:hear|say|see) (?:it|myself|that)\b|\bi(?:'ve| have) worked out\b|\bi'm "
    r"seeing now\b|"
    r"\b(?:listening to|hear) myself\b|\bi (?:began|begin|start|started) to see\b|\bi could see it all\b",
    r"\bi(?:'ve| have)? (?:noticed|found|saw|see|thought,) (?:that )?(?:i'm|i was|i only|i|it's me|it was)\b(?! "
    r"(?:saw|had)\b)|"
    r"\b(?:the|a|another) pattern (?:is|that|comes|was)\b|\bsomething (?:unexpected|about it) \b",
    r"\b(?:all (?:this time|these years|my life)|at first|i always|for years) i?(?:'d|'ve)? ?(?:thought|was "
    r"thinking|said|figured|"
    r"told it|made it|kept saying)\b|\bi(?:'d| had) (?:put it down|assumed)\b|\bi've been so sure\b",
    r"\b(?:like|all over) (?:my )?(?:dad|mum|mom|mother|father|brother|sister)(?: did| all over)?\W*$|\bexactly "
    r"like my\b",
    r"\bthat's (?:how|why|what) i (?:hide|do|never|always|keep|leave|cope)\b|\bi'm the one "
    r"(?:who|that)\b",
    r"\b(?:nobody died|nothing fell (?:down|apart)|the other (?:way|road) round)\b",
    r"\bso (?:it|that)(?:'s| is| was) (?:maybe|perhaps|probably) not (?:all|only|just|always|me|my|them|him|her)\b|"
    r"\bi think (?:it|that)(?:'s| is| was) not (?:for|about|because of) (?!me\b|you\b)\w+",
    r"^huh\b[!.,]",
    r"\bcome to think of it\b|\bput like that\b|\bwhen i say it out loud\b|\bi don't like how that sounds\b",
)
_PLANNED = (
    r"(?:(?:i|we)(?:'ll|'d| should| could| can| will| might| would| must| need| ought)?(?: just| also)? (?:tell|ask|"
    r"go|try|"
    r"ring|call|say|do|come|start|stop|talk|show|give|write|see|take|need to|have to|better)\b|(?:i|we)(?:'ll|"
    r"'d better| "
    r"should| could| will)\b|tomorrow\b|next\b|later\b|then\b|not\b|some other\b)"
)
"""What somebody may do, and no way of seeing anything."""
_A_GUESS = (
    r"(?:about |around |only |just |nearly |over |some )?(?:\d|(?:one|two|three|four|five|six|seven|eight|nine|ten|"
    r"eleven|"
    r"twelve|\w+teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty(?:-\w+)?|half|a (?:few|dozen|hundred|week|month|"
    r"year|mile)|"
    r"in|at|on|out|here|there|gone|away|late|home|asleep|working|coming|from|my age|older|younger|still)\b)"
)
"""An age, a number, a time or a place: what is only not known exactly is no other way of seeing it."""
_IT = r"(?:it|he|she|they|this|that|[A-Z]\w+)"
_TURNS = _net(
    # not this, but that
    rf"\b{_IT}(?:'s| is| was|'re| are)? ?(?:isn't|wasn't|aren't|not|never)\b"
    rf"(?! (?:so |that )?(?:bad|good|much)\b)[^.?!]{{2,40}}[;,] (?:but )?(?:just |"
    rf"only )?{_IT}"
    r"(?:'s| is| was|'re| are)\b[^.?!]{2,60}",
    r"\bso (?:it|that|he|she|they|i|the \w+)(?:'s|'m| is| was| am| did| didn't| isn't| wasn't| were)\b(?! (?:fine|"
    r"okay|all right|"
    r"there|quiet|late)\b)[^?]{2,50}\b(?:n't|not (?:me|him|her|them|that|because)|only|whenever)\b",
    r"^(?:(?:oh|huh|well|so)[,.]? )?then (?:it|he|she|they|i|that)(?:'s|'m| is| was| am)\b[^?]{0,12}\b(?:not|never|"
    r"only|my|the)\b",
    r"\b(?:but|so|and|then) somebody (?:had|has) to\b",
    r"\bso (?:it was never|that's what (?:it|she|he|i)|that is why|somebody must)\b|"
    rf"\bso (?:maybe|perhaps) (?!{_PLANNED})\w+ \w+",
    r"\bi(?:'m| am| was|'m just)? ?(?:not|n't|wasn't|don't want) [^.?!,]{2,30}[,;] (?:it's |i(?:'m| am| was) "
    r")(?:just )?\w+|"
    r"\bi was \w+, not \w+|\bit's \w+, not \w+",
    # another reading of somebody else
    rf"\b(?:maybe|perhaps|i suppose|could be (?:that )?|it (?:could|may|might) be that) {_WHO}(?!'d\b| will\b| would\b|"
    rf" could\b| should\b| can\b){_JUST}(?:'s| is| was| were| had| just| only| did| does|n't| \w+ed| likes?| wants?|"
    r" needs?)\b[^?]{2,}",
    rf"\b(?:he|she|they|[A-Z]\w+) (?:might|may|must)(?: not)?{_JUST} (?:have (?:meant|been|wanted|known)|want|mean|"
    r"like|know|think)\b|\b(?:he|she|they|[A-Z]\w+) (?:might|must)'ve\b",
    r"^(?:and|but) (?:still|yet) (?:he|she|they|it|i|we)\b|^so (?:he|she|they|it|somebody) (?:must|could|might|may)\b",
    rf"\b(?:he|she|[A-Z]\w+)(?:'s| is| was) (?:maybe|perhaps|probably) (?:just |only )?(?!{_A_GUESS})\w+",
    r"\bi think (?:it(?:'s| is| was) )?only (?:i|me)\b|"
    r"\bwent on without me\b|\bthe sky didn't fall\b|\bnothing (?:bad )?happened\b",
    r"\bwhy do i (?:say|think|tell myself)\b|\bi(?:'d| would) never say (?:that |it |so )?to\b",
)
_ACROSS = _net(
    r"\b(?:it|that|she|he) ?(?:isn't|wasn't|ain't|'s not|was never|was not|is not|'s never been) (?:about |the |"
    # what is not happening is not yet taken for something else: "It isn't getting finished. It was planned for May."
    r"really )?(?!(?:getting|going|coming|working|happening|moving|stopping|bad|so bad|that bad|good|"
    r"much)\b)[^.?!,]{2,30}"
    r"(?:, is it|, was it)?\. (?:it|that|she|he)(?:'s| is| was)\b|\bi(?:'m not| am not| was not| wasn't|'m never) "
    r"[^.?!]{2,30}\. "
    r"i(?:'m| am| was) \w+"
    r"[^.?!]{0,40}(?:$|[.!])|\bi don't want [^.?!]{2,30}\. i want \w+",
    # what it was taken for, and a doubt about it after that
    r"\bi(?:'d|'ve| had| have)? (?:always |just |only |never )?(?:thought|took|taken|figured|assumed|believed|called|"
    r"counted|had|got it in my head|been telling)\b[^?]{3,90}\b(?:maybe|perhaps|probably|might|could be|may be|"
    r"not sure|wonder|i think (?:i|it|he|she|they) just)\b",
)
"""Not this; that: the second half in a sentence of its own."""
_LONGEST = 60  # words: in a longer turn a phrase of discovery is only one sentence of a story
_MAYBE_NOT = _net(
    r"^(?:maybe|perhaps|probably|i suppose)(?: so| not)?\W*$",
    r"\bmaybe (?:next|tomorrow|later|on|you|some other)\b",
    rf"\b(?:maybe|perhaps|probably) {_PLANNED}",
    rf"\b(?:maybe|perhaps|probably|must have been) (?:{_WHO}(?:'s| is| was|'d| had| were)? )?{_A_GUESS}",
    r"\?\W*$",
    r"\b(?:they|he|she|doctor|nurse|gp|[A-Z]\w+) (?:said|says|told|thinks?|reckons?)\b",
)


def sees_anew(text: str) -> bool:
    """Whether ``text`` voices a view that is new to its speaker.

    Examples
    --------
    >>> sees_anew("Maybe he was only shy."), sees_anew("It isn't my life that is bad, it's Sunday.")
    (True, True)
    >>> sees_anew("She rings every night."), sees_anew("Maybe tomorrow."), sees_anew("I thought, I'm going to die.")
    (False, False, False)
    """
    text = text.replace("’", "'").strip()
    told = [s for s in split_sentences(text) if not (is_non_answer(s) or is_preface(s))]
    if len(text.split()) > _LONGEST or not told or _weighs_or_objects(text, told[-1]):
        return False
    if any(_SAID_SO.search(s) for s in told):
        return True
    turned = _ACROSS.search(" ".join(told)) is not None
    return turned or any(_TURNS.search(s) and not _MAYBE_NOT.search(s) for s in told)


_DYING = _net(
    r"\bi(?:'m|'d|'ll|'ve| am| will| would)?\b[^.?!]{0,30}\b(?:die|dying|be dead|kill myself|not wake up)\b",
    r"\b(?:end it all|suicide|hurt myself)\b",
)
_HOW_THE_TALK_IS = _net(
    r"(?:^|[.!?] )(?:it's |it is |this is |that's |going |well, )*(?:a bit |much )?(?:better|worse|easier|harder|less|"
    r"more|nicer|stranger|slower|quicker)\b[^.?!,]{0,16} than i(?:'d| had)? (?:thought|expected|feared|hoped)\b",
    r"\bi(?:'m| am) (?:telling|asking|selling|talking to) you\b|\bselling you\b",
)


def _weighs_or_objects(text: str, last: str) -> bool:
    """Whether ``text`` speaks of dying, objects to the listener, or says how the talk is: no new view of one's life."""
    dying = is_danger(text) or _DYING.search(text) is not None
    return dying or objection_in(last) is not None or _HOW_THE_TALK_IS.search(text) is not None


_PARTS = re.compile(
    r"[,;:] (?:and |but |so |then )*|"
    r" (?:and|but|because) (?=(?:maybe |perhaps |then |now )?(?:never|i|it|he|she|they|we|that|nobody|somebody|my|"
    r"the|you)\b)",
    re.IGNORECASE,
)
_CAME_TO_ME = re.compile(
    r"^(?:(?:and|so|then|but|well) )*(?:(?:it|something|that|this)(?:'s| has| had)? )?(?:only |just |now )*"
    r"(?:hit|struck|dawned on|landed on|occurred to|came to|come to)(?: me)?\b(?: (?:on|in|at|this|that|coming|today|"
    r"yesterday|just|last|while|over)\b.*)?$|^(?:do you know|all this time|i was thinking|come to think of it|turns "
    r"out|i realised|i realized|i noticed)$",
    re.IGNORECASE,
)
"""Announces a thought and is none: the thought itself comes in the next clause."""
_LEADS_IN = re.compile(
    r"^(?:and |but |so )*i(?:'m| am)? (?:just )?(?:begin|began|start|started|beginning|starting) to (?:suspect|see|"
    r"think|wonder)(?: that)? (?=\w+ \w+ \w+)|^it(?:'s| has| had)? (?:only |just |now )*(?:hit|struck|dawned on|"
    r"occurred to|came to|come to) me that (?=\w+ \w+ \w+)",
    re.IGNORECASE,
)
_NO_SENTENCE = re.compile(
    r"^(?:in|on|at|with|of|for|to|from|by|as|than|that|which|who|when|while|if|like|because|never|or|nor|me|"
    r"(?!nothing\b|something\b|everything\b|anything\b)\w+ing)\b",
    re.IGNORECASE,
)
_OLD_VIEW = re.compile(
    r"\b(?:always|all my life|all this time|(?<!than )i (?:thought|took|believed|called|figured)|i(?:'d|'ve| had| have)"
    r" (?:always|been telling|thought|taken|put it))\b",
    re.IGNORECASE,
)
_NEW_IN_IT = re.compile(
    r"\b(?:maybe|perhaps|probably|might|may|must have|could be|wonder|just|only|nobody|not|never|nor|somebody|"
    r"instead|still)\b|n't\b",
    re.IGNORECASE,
)
_JOINED = re.compile(r"^(?:(?:and|but|look|well|okay|oh|huh|like)\b,? )+", re.IGNORECASE)
_UNSURE = re.compile(r"\bi(?:'m| am| was)(?:n't| not) (?:so |very )?sure\b", re.IGNORECASE)
_UNSURE_OF = re.compile(r"^i(?:'m| am| was)(?:n't| not) (?:so |very )?sure (?:\S+ ){2,}", re.IGNORECASE)
_HARDLY_SAYS = re.compile(
    r"^(?:(?:but |and |or |so )*(?:maybe|perhaps|probably)(?: not| so)?|.{0,12}\b(?:not|"
    r"n't) (?:so )?sure\b(?: \S+){0,2}|i don't "
    r"know.*|.{0,8}\bnot (?:tried|thought|looked)\b.*|that's (?:all|it)|i (?:can|could)(?:n't| ?not) (?:say|"
    r"tell)\b.*|i (?:hope|dare say|suppose|guess|"
    r"know)\b.{0,16}|"
    r"(?:it|that)(?:'s| is| was) (?:an? |the )?(?:\w+ ){1,4}than .*|"
    r"(?:if )?(?:d'?)?you know (?:what i mean|yourself)\b.*|.*,? but)$",
    re.IGNORECASE,
)


_HANGS = re.compile(
    r"^(?:(?:and|but|so|or) )?(?:(?:maybe|perhaps|probably|i think|i suppose) )*(?:it|he|she|they|i|we|"
    r"that)(?: might| may|"
    r" could)?(?:'s|'m|'re| is| was| am| are)?(?: not|n't| don't| doesn't| didn't| isn't| wasn't| aren't| do| does|"
    r" did| be|"
    r" have)*(?: that| it| so)?$",
    re.IGNORECASE,
)
"""Means nothing without the sentence before it: "Maybe I don't"."""
_GUESSES = re.compile(r"^(?:(?:and|but|so|or) )?(?:maybe|perhaps)\b", re.IGNORECASE)
_WITH_A_TAIL = re.compile(
    r"^(?P<head>(?:\S+ ){5,10}\S+) (?:that|which|who) (?:he|she|they|i|we) \w+(?: \w+){0,3}$", re.IGNORECASE
)
_LEAST = 0.9  # newness below which nothing is quoted: a comment on the new view is not the view
_ANNOUNCED = 2.0  # what stands after "it came to me" is the view


def new_view(turn: Heard) -> str:
    """Return the words of ``turn`` that hold the new view, short enough to be quoted, or an empty string.

    What it was taken for before is passed over, and so are what only announces the thought, a comment on it, and a
    half sentence that means nothing alone.

    Examples
    --------
    >>> from turnwise.therapists.reflecting import heard_in
    >>> new_view(heard_in("She came on the Sunday. Maybe she was only worried."))
    'Maybe she was only worried'
    >>> new_view(heard_in("It struck me on the bus, he may be lonely."))
    'he may be lonely'
    """
    told = _told(turn)
    unsure = any(_UNSURE.search(s) for s in told)  # then what is doubted is the old view, and it is what was told
    found: list[tuple[float, str]] = []
    for place, spoken in enumerate(told):
        sentence, announced = _unannounced(spoken)
        for said in [sentence] if len(sentence.split()) <= MAX_QUOTED else _shorter(sentence):
            if _may_be_quoted(said):
                worth = _newness(said, unsure=unsure) + _ANNOUNCED * announced
                found.append((worth + 0.1 * place if worth >= _LEAST or unsure else 0.0, said))
        both = f"{told[place - 1]}. {sentence}" if place else ""
        joins = _HANGS.match(sentence) or (_GUESSES.match(sentence) and _GUESSES.match(told[place - 1]))
        if both and joins and len(both.split()) <= MAX_QUOTED:
            found.append((_ANNOUNCED + _newness(both, unsure=False) + 1.5, both))
    best = max(found, key=lambda x: x[0], default=(0.0, ""))
    return best[1] if best[0] > 0 else ""


def old_view(turn: Heard) -> str:
    """Return what somebody took to be so until now, in their words and short enough to be quoted, or nothing.

    Examples
    --------
    >>> from turnwise.therapists.reflecting import heard_in
    >>> old_view(heard_in("I always thought my aunt was cross with us. Maybe she wasn't."))
    'my aunt was cross with us'
    """
    for sentence in _told(turn):
        held = _WAS_HELD.match(sentence)
        if held is None:
            continue
        clause = next((x.strip() for x in re.split(r", ", held["old"])), "")
        for said in (clause, sentence):
            if 3 <= len(said.split()) <= MAX_QUOTED and _A_CLAUSE.match(said):
                return said
    return ""


_WAS_HELD = re.compile(
    r"^(?:(?:and|but|so|well|funny thing|do you know|let me say|i mean|look|you see|see|okay)[, ]+)*i(?:'d|'ve| had|"
    r" have)? ?(?:always |just |only |"
    r"still )*(?:thought|"
    r"took it|taken it|believed|figured|assumed|reckoned|told myself|got it in(?:to)? my head|had it in my head|said)"
    r"(?: that)?,? (?P<old>.+)$",
    re.IGNORECASE,
)
_A_CLAUSE = re.compile(
    r"^(?:i|i'\w+|he|she|it|they|we|you|nobody|everybody|(?:my|the|his|her|our|their) \w+|[A-Z]\w+)\b", re.IGNORECASE
)


def _told(turn: Heard) -> list[str]:
    """Return the sentences of ``turn`` that tell something."""
    sentences = (s.strip().rstrip(".!…") for s in split_sentences(turn.text.replace("’", "'")))
    return [s for s in sentences if s and not (s.endswith("?") or '"' in s or is_preface(s) or is_non_answer(s))]


def _unannounced(spoken: str) -> tuple[str, bool]:
    """Return a sentence without what only announces that something was seen, and whether it was announced."""
    bare = _LEADS_IN.sub("", spoken) if len(spoken.split()) > MAX_QUOTED else spoken
    first, *rest = _PARTS.split(bare)
    if bare == spoken and rest and _CAME_TO_ME.match(first.strip()):
        return _JOINED.sub("", spoken[len(first) :].lstrip(" ,;:")), True
    return _JOINED.sub("", bare.strip()), bare != spoken


def _shorter(sentence: str) -> list[str]:
    """Return the parts of a sentence that is too long to be quoted."""
    tailed = _WITH_A_TAIL.match(sentence)
    parts = [_JOINED.sub("", part.strip()) for part in _PARTS.split(sentence)]
    return [tailed["head"], *parts] if tailed else parts


def doubts_itself(text: str) -> bool:
    """Whether ``text`` only says that an old view is not sure any more, and no new one has come in its place yet.

    Examples
    --------
    >>> doubts_itself("I called it respect, and today I was not sure."), doubts_itself("Maybe he was only shy.")
    (True, False)
    """
    return _UNSURE.search(text) is not None


def _may_be_quoted(said: str) -> bool:
    fits = 3 <= len(said.split()) <= MAX_QUOTED
    empty = any(net.match(said) for net in (_CAME_TO_ME, _NO_SENTENCE, _HARDLY_SAYS, _HANGS))
    return fits and not empty and (_UNSURE_OF.match(said) is not None or not is_non_answer(said))


def _newness(said: str, *, unsure: bool) -> float:
    """Return how much of the new view ``said`` holds, as against the old one and the story around it."""
    turned = _TURNS.search(said) is not None and _MAYBE_NOT.search(said) is None
    return (
        2.0 * turned
        + 1.0 * (_NEW_IN_IT.search(said) is not None)
        + 0.5 * (_GUESSES.match(said) is not None)
        + 1.0 * (_SAID_SO.search(said) is not None)
        + 3.0 * (_UNSURE_OF.search(said) is not None)
        + (0.5 if unsure else -1.5) * (_OLD_VIEW.search(said) is not None)
    )
