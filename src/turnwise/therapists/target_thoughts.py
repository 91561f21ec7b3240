"""The thought to work on: a rule, a verdict or a sweeping judgement in the patient's own words, or nothing.

Working on a sentence that is no thought ("I told him about it") is worse than having none, so each candidate is
scored by the form of the sentence, and what falls short is left.
"""

from __future__ import annotations

import re
from functools import lru_cache

from turnwise.reading.sentences import split_sentences
from turnwise.therapists.judgements import FORMS, LOW, NO_JUDGEMENT
from turnwise.therapists.recognising import call_of
from turnwise.therapists.reflecting import Heard
from turnwise.therapists.spoken import is_non_answer, is_preface
from turnwise.therapists.voiced_thoughts import Clause, load_voiced_thoughts
from turnwise.therapists.wording import MAX_THOUGHT

__all__ = ["CLEAR", "claim_in", "clauses_of", "gives_its_thought", "likeness", "thought_in"]

CLEAR = 3.0
"""Likeness from which a sentence counts as a thought whatever was asked."""
_ASKED = 2.0  # enough in answer to what went through the mind, or where the turn as a whole sounds distorted

_AGAINST_ME = (
    r"(?:(?:leav|watch|avoid|judg|punish|us|follow|talking about|cheat|pity|blam|hat|replac|forgett|ignor|push|"
    r"spy\w* on|"
    r"test|writ)\w* me\b|(?:laugh|talk|plott|work|turn)\w* (?:at|about|against|on) me\b|putting me (?:down|off|"
    r"through|away)|"
    r"(?:rid|sick|tired|ashamed|had enough) of me|against me|lying to me|hiding (?:it|something) from me)"
)
_ABSOLUTE = re.compile(
    r"\b(?:always|never|nobody|no one|nothing|everything|everyone|everybody|all|every|only|at all)\b", re.I
)
_OF_SELF = re.compile(r"\b(?:i|i'\w+|me|my|mine|myself)\b", re.IGNORECASE)
_THOUGHT = re.compile(
    r"^(?:(?:and|so|but|well|yes|because)[, ]+)*i (?:just |always |keep |kept )?(?:think(?:ing)?|thought|believe|"
    r"figure|reckon|know|tell myself|told myself)"
    r"(?:,| that)? ",
    re.IGNORECASE,
)
_THOUGHT_WHEN = re.compile(
    r"^(?:at|in|on|when|with|every|then|so|there)\b[^,.?!]{0,40}?,? i (?:just |always |keep |kept )?(?:think(?:ing)?|"
    r"thought)(?:,| that)? ",
    re.IGNORECASE,
)
_SUBJECT = re.compile(
    r"^(?:i|i'\w+|he|she|it|they|we|that|this|there|what if|if|nobody|no one|everybody|everyone|people|nothing|all|"
    r"so|now|maybe|tonight|somebody|(?:he|she|it|they|we|that|there)'\w+|(?:the|a|an|my|his|her) \w+(?: \w+)?(?:'s|"
    r" is| are| was| were| will| would| can| must| has)|before|when|\w+'s)\b",
    re.IGNORECASE,
)
_ANSWERS = re.compile(
    r"^(?=(?:\S+ ){2,11}\S+$)(?:that )?(?:what if (?:i|it|they|he|she|nobody|everybody|this)\b|"
    r"i(?:'ll| will| won't|'m going to| am going to)(?: just| only)* (?:never|not (?:manage|cope|get|make|be able)|"
    r"fail|"
    r"lose|faint|fall|end up|go (?:mad|under)|be (?:late|sick|found|sacked|alone|the|left|laughed)|mess|make a fool|"
    r"get it "
    r"wrong|break|crack|choke)\b|"
    r"(?:it|this|that|they|he|she|nobody|everybody|everyone|everything|nothing)(?:'ll| will| won't|'s going to|"
    r" is going to|"
    r"'re going to| are going to)\b.*\b(?:me|never|nobody|nothing|wrong|apart|down|leave|laugh|know|see|find out|"
    r"over|worse|"
    r"end|fail|not (?:stop|end|change|get|come))\b|"
    r"(?:it's|it is|this is|now it's|now it has|here it)(?: all| just| really| happening| starting| coming| going)*"
    r" (?:again|over|true|too late|the end|lost|happened|wrong|starting|coming)\W*$|"
    r"i(?:'m| am) (?:going mad|losing (?:it|my (?:mind|head|grip)|control)|done for|alone|on my own|trapped|stuck|"
    r"lost|back "
    r"where)\b|i (?:must|mustn't|must not) \w+|i (?:can't|cannot) (?:do|cope|go on|bear|stand|take|manage|face|let|"
    r"lose|be|"
    r"fail|afford)\b|"
    rf"(?:he|she|they)(?:'s|'re|'ll| is| are| must| will| all)+ (?:be )?(?:{_AGAINST_ME}|think i'm|leave\b))",
    re.IGNORECASE,
)
"""In answer to what went through the mind: what will come, what must be, what others think."""
_SUPPOSED = re.compile(
    r"^(?:(?:this time|now|so|so this|this|here) (?:it's|it is|it has|it was|is|they) (?:true|it\b|over|happened|"
    r"come|gone|"
    r"know|the end|real|serious)|(?:they|people|everybody|everyone|somebody|someone|he|she)(?:'re|'s| are| is| must|"
    r" all| "
    rf"will|'ll| want| wants| be| only)+ {_AGAINST_ME}|i(?:'m| am) losing\b|"
    r"(?:i|it|this|things)(?:'ll| will|'m going to|'s going to| is going to) (?:never|always|all (?:go|come|end|"
    r"fall)|go "
    r"wrong|fall apart|end badly|fail|lose))",
    re.IGNORECASE,
)
"""What is said after "I think", and is a judgement there though it has no other mark of one."""

_LEAD = re.compile(
    r"^(?:(?:and|but|so|because|well|yes|no|then|ach|oh|look|listen|mate|okay|in principle|that|"
    r"i mean|i guess|honestly|basically)[, ]+)+",
    re.IGNORECASE,
)


_FOUND = re.compile(
    r"^(?:then|so then|huh|oh|maybe|perhaps)\b", re.IGNORECASE
)  # what was just found out is no thought to test


@lru_cache(maxsize=512)
def likeness(sentence: str) -> float:
    """Return how much a sentence has the form of a thought one can work on; 0 is not at all, ``CLEAR`` is enough.

    Examples
    --------
    >>> likeness("I'm one more job for people"), likeness("If I'm not there it doesn't run")
    (4.0, 3.0)
    >>> likeness("I told her about the weather"), likeness("I've gone off lilies")
    (0.0, 0.0)
    """
    if NO_JUDGEMENT.search(sentence) or not 2 <= len(sentence.split()) <= MAX_THOUGHT:
        return 0.0
    form = max((worth for pattern, worth in FORMS if pattern.search(sentence)), default=0.0)
    if form == 0.0:
        return 0.0
    own = 1.0 if _OF_SELF.search(sentence) else 0.0
    swept = 0.5 if _ABSOLUTE.search(sentence) else 0.0
    return form + swept + own - (1.0 if form >= CLEAR and own else 0.0) + (1.0 if LOW.search(sentence) else 0.0)


def clauses_of(text: str) -> list[Clause]:
    """Return the clauses of a turn that might be thoughts: told, not asked, and nothing that was just found out.

    Examples
    --------
    >>> [(c.words, c.told) for c in clauses_of("She rings me. I think I'm a burden to her.")]
    [('She rings me', False), ("I'm a burden to her", True)]
    """
    found: dict[str, Clause] = {}
    for sentence in split_sentences(text.replace("’", "'")):
        if sentence.rstrip().endswith("?") or is_non_answer(sentence) or is_preface(sentence) or _FOUND.match(sentence):
            continue
        bare = _LEAD.sub("", sentence.strip().rstrip(".!…"))
        told = _THOUGHT.match(bare) or _THOUGHT_WHEN.match(bare)
        if told is not None and _SUBJECT.match(bare[told.end() :]):
            bare = bare[told.end() :]
        else:
            told = None
        for part in (*_parts(bare), bare):
            if 2 <= len(part.split()) <= _LONGEST and part not in found:
                found[part] = Clause(part, told is not None, likeness(part))
    return list(found.values())


_LONGEST = 20  # words of a clause that is looked at at all


def thought_in(turn: Heard, *, asked: bool, distorted: bool) -> tuple[str, float]:
    """Return the sentence of ``turn`` most like a thought to work on, with its likeness; ``("", 0.0)`` where none is.

    By the forms that nets know, and where these know none, by the learnt ear.

    Parameters
    ----------
    turn : what was said. asked : it answers what went through the patient's mind.
    distorted : the turn as a whole sounds like an absolute or distorted thought.

    Examples
    --------
    >>> from turnwise.therapists.reflecting import heard_in
    >>> thought_in(heard_in("She rings me. I think I'm a burden to her."), asked=False, distorted=False)[0]
    "I'm a burden to her"
    >>> said = heard_in("There's no point asking, she will say no like everybody else.")
    >>> thought_in(said, asked=False, distorted=True)[0]
    "There's no point asking, she will say no like everybody else"
    """
    clauses = clauses_of(turn.text)
    best, score = "", 0.0
    for clause in clauses:
        worth = _worth(clause.words, told=clause.told, asked=asked, distorted=distorted)
        if worth >= score and worth > 0:
            best, score = clause.words, worth
    if score >= (_ASKED if asked or distorted else CLEAR):
        return best, score
    found, chance = _likeliest(tuple(clauses), turn.text)
    if chance >= _UNCALLED:
        return found, CLEAR
    least = _ASKED_FOR_ONE if asked or distorted else _UNCALLED
    called = chance >= _CALLED and call_of(turn.text) == "distortion"  # what takes time is asked last
    return (found, _ASKED) if called or chance >= least else ("", 0.0)


_UNCALLED, _ASKED_FOR_ONE, _CALLED = 0.85, 0.7, 0.65
"""Chances from which a clause counts as a thought: out of the blue, where one was asked for or may be, and where the
turn calls for being looked at in so many words."""


@lru_cache(maxsize=256)
def _likeliest(clauses: tuple[Clause, ...], turn: str) -> tuple[str, float]:
    """Return the clause that most probably voices a thought, with its chance; of what may be quoted."""
    short = [c for c in clauses if len(c.words.split()) <= MAX_THOUGHT and not NO_JUDGEMENT.search(c.words)]
    if not short:
        return "", 0.0
    chances = load_voiced_thoughts().chances(short, turn)
    best = int(chances.argmax())
    return short[best].words, float(chances[best])


def _worth(part: str, *, told: bool, asked: bool, distorted: bool) -> float:
    """Return the likeness of ``part``, more where it was told as a thought or answers the question for one."""
    worth = likeness(part)
    if worth > 0:
        return worth + 1.0 * told
    if NO_JUDGEMENT.search(part) or not 2 <= len(part.split()) <= MAX_THOUGHT:
        return 0.0
    supposed = told and (asked or distorted) and _SUPPOSED.match(part)  # "I think, now it has happened"
    return _ASKED if supposed or (asked and _ANSWERS.match(part)) else 0.0


def _parts(sentence: str) -> list[str]:
    """Return the clauses of ``sentence``; none where it may be somebody else who says or thinks what stands in them."""
    return [] if _OTHERS_SAY.search(sentence) else [_LEAD.sub("", x) for x in _CLAUSE.split(sentence)]


_CLAUSE = re.compile(
    r", (?:and |but |so |because )?|;\s+| (?:and|but|because|so) (?=(?:i|it|nobody|everybody|everyone|nothing|they|"
    r"he|she|"
    r"there)\b)",
    re.IGNORECASE,
)
_OTHERS_SAY = re.compile(
    r"\b(?:he|she|they|people|everybody|everyone|my \w+|the \w+|[A-Z]\w+)(?:'d|'s)? (?:always |just |once )?(?:say|"
    r"says|"
    r"said|tell|tells|told|think|thinks|thought|reckons?|goes|go|went|calls?|called|wants?|asks?)\b|^(?:if|when|unless|"
    r"once|as if|like)\b|\bas if\b",
    re.IGNORECASE,
)


_GIVEN = re.compile(
    r"\bi(?:'d| had)? (?:just |always |keep |kept )*(?:thought|think|thinking|told myself|tell myself|(?:say|says|"
    r"said) to "
    r"myself)(?:,|:| that)? (?!(?:of|about|so|it over|twice|back|on)\b)\w+",
    re.IGNORECASE,
)


def gives_its_thought(turn: Heard) -> bool:
    """Whether a turn says what was thought, or holds a judgement: then nothing is gained by asking for the thought.

    Examples
    --------
    >>> from turnwise.therapists.reflecting import heard_in
    >>> told = ("My heart stopped, and I thought, this is it.", "I'm just a burden.", "I dropped it, and I cried.")
    >>> [gives_its_thought(heard_in(s)) for s in told]
    [True, True, False]
    """
    return _GIVEN.search(turn.text) is not None or bool(thought_in(turn, asked=False, distorted=True)[0])


_ASKED_FOR = re.compile(
    r"^(?:(?:and|so|well|look|um|go on|please|but)[, ]+)*(?:you\b|just say|say (?:it|that|so)|please confirm|confirm|"
    r"tell me|"
    r"will you|would you|am i right|isn't|wouldn't|don't you|i only want to hear|i know you're|that(?:'s| is) "
    r"(?:just |simply |only )?(?:true|so|reasonable|right|how it is|the truth)|it would explain)\b",
    re.IGNORECASE,
)
"""What only asks to have it confirmed: not part of what is believed."""
_TAGGED = re.compile(
    r"(?:, (?:so to say|you know|like|mind|see))?[,;] (?:right|yes|yeah|or|no|okay|eh|that is|isn't (?:it|he|she|that)|"
    r"is (?:it|he|she)|would(?:n't)? (?:i|it|he|she|you(?: say| agree)?)|aren't (?:i|they)|don't you(?: think| see)?|"
    r"am i (?:right|wrong))\W*$",
    re.IGNORECASE,
)
_SET_OFF = re.compile(
    r"^(?:(?:and|but|so|well|okay|yes|no|then|look|objectively|honestly|basically|clearly|really|actually|i (?:think|"
    r"suppose|guess))"
    r"[, ]+)+",
    re.IGNORECASE,
)
_PLANNED = re.compile(
    r"^i (?:just |only )?(?:want|need|hope|wish)\b|^i(?:'d| would) (?:just |only )?(?:like|love|rather|sooner)\b|"
    r"^i(?:'m| am) not "
    r"(?:being|asking|trying|going|saying)\b|"
    r"^(?:(?:before|first|then|now|so|after)\b.{0,40})?\bi(?:'ve| have|'d)?(?: just| really| only)* (?:should|"
    r"ought to|have to|"
    r"to|must|better|had better|could|might|'ll|will|need to|got to)(?: just| really| only)* "
    r"(?!(?:not|be|never|always|have|has|been)\b)\w+|"
    r"^i(?:'ll|'d better) (?!be\b|never\b)\w+|^it(?:'d| would|'s| is)(?: be)? (?:nicer|better|best|kinder|easier|"
    r"simpler|"
    r"fine|okay|all right|sensible|reasonable) (?:to|if i|that i)\b",
    re.IGNORECASE,
)
_ABOUT_YOU = re.compile(r"\byou(?:r|'\w+)?\b|[\"“”]", re.IGNORECASE)
_POINTS_BACK = re.compile(r"^(?:it|that|this|there|they|he|she)\b", re.IGNORECASE)
_HOLDS = re.compile(
    r"\b(?:should|must|ought|better|best|never|always|every|everybody|nobody|nothing|only|fault|true|right|wrong|"
    r"safe|chance|"
    r"missed|enough|too|normal|born|deserve\w*|can't be|cannot be|no (?:use|point|good|hope|way))\b",
    re.IGNORECASE,
)
"""What is held to be so, as against what is told: a rule, a verdict, a prediction."""
_LEAST_CLAIM, _LEAST_POINTING = 3, 6  # words, of which more where it begins with what is not named


def claim_in(text: str) -> str:
    """Return the belief that a turn asks to have confirmed, without its asking, in the words used; ``""`` if none.

    Parameters
    ----------
    text : a turn that asks for agreement.

    Examples
    --------
    >>> claim_in("A man of my age does better not to be tested. You would advise that.")
    'A man of my age does better not to be tested'
    >>> claim_in("I'd better tell her now, right?"), claim_in("Will you just say it?")
    ('', '')
    """
    best, score = "", 0.0
    for sentence in split_sentences(text.replace("’", "'")):
        bare = _SET_OFF.sub("", _TAGGED.sub("", sentence.strip().rstrip(".!?…")))
        if sentence.rstrip().endswith("?") and bare == sentence.strip().rstrip(".!?…"):
            continue  # a plain question
        if is_non_answer(sentence) or is_preface(sentence) or _ASKED_FOR.match(bare) or _ABOUT_YOU.search(bare):
            continue
        words = len(bare.split())
        if not _LEAST_CLAIM <= words <= MAX_THOUGHT:
            continue
        if _PLANNED.search(bare) and not likeness(bare):
            continue  # what somebody means to do is agreed to or not, and has no other side to be seen from
        if not (likeness(bare) or _HOLDS.search(bare)) or (_POINTS_BACK.match(bare) and words < _LEAST_POINTING):
            continue
        worth = 1.0 + likeness(bare) + 0.5 * bool(_OF_SELF.search(bare) or _ABSOLUTE.search(bare)) + 0.02 * words
        worth -= 0.6 * bool(_POINTS_BACK.match(bare))
        if worth > score:
            best, score = bare, worth
    return best
