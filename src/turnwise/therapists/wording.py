"""The craft of giving a patient's words back: short phrases, people, and lines never said twice."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from numpy.random import Generator

from turnwise.core.nouns import Transcript
from turnwise.reading.sentences import split_sentences
from turnwise.therapists.clauses import cut_short, doubted, supposed, taken_back, whole_clauses
from turnwise.therapists.emotions import voiced
from turnwise.therapists.mattering import WEIGHTS, is_arrival, stake_of
from turnwise.therapists.pronouns import to_you
from turnwise.therapists.spoken import is_non_answer, is_preface
from turnwise.therapists.withholding import defers, only_quoted, unsayable

__all__ = [
    "MAX_QUOTED",
    "MAX_THOUGHT",
    "Phrase",
    "asked_in",
    "asks_alike",
    "capital",
    "draw",
    "last_said",
    "people",
    "phrases",
]

MAX_QUOTED = 11
"""Longest run of the patient's words that is given back: more is reading aloud, not reflecting."""
MAX_THOUGHT = 15
"""The same of the thought that is worked on, which is quoted whole or not at all."""


def capital(text: str) -> str:
    """Return ``text`` with its first letter in upper case.

    Examples
    --------
    >>> capital("you were tired")
    'You were tired'
    """
    return text[:1].upper() + text[1:]


@dataclass(frozen=True, slots=True)
class Phrase:
    """A short run of the patient's own words.

    ``said`` is verbatim; ``back`` is the same as a statement about "you" (lower-case start unless
    it begins with a name), empty when it cannot stand as a sentence. ``weight`` orders phrases by
    how much they seem to matter; ``deep`` marks those about the speaker's own state, limits or
    wishes, as against plain facts; ``heavy`` those that say something hard; ``judges`` those in
    which the speaker passes judgement on themselves, which nobody may state back as a fact. ``stake`` is what in it
    may matter to the speaker (``mattering``), empty where nothing was found.
    """

    said: str
    back: str
    weight: float
    deep: bool = False
    heavy: bool = False
    judges: bool = False
    stake: str = ""


_SUBJECT = re.compile(
    r"^(?:i|i'm|i've|i'd|i'll|we|we've|we'd|we're|he|he's|he'd|she|she's|she'd|they|they're|they've|they'd|it|"
    r"it's|it'd|there's|there was|there is|nobody|no one|everybody|everyone|my \w+|our \w+|everything|nothing|"
    r"(?:my|our) \w+'s "
    r"(?:been|gone|got|not|never|always|just|still|very|so|too|had|done|left|lost|stopped|started|dead|\w+ing|\w+ed))\s",
    re.IGNORECASE,
)
_PRONOUN = re.compile(r"^(?:i|he|she|they|we|it)(?:'\w+)?\s", re.IGNORECASE)
_BROKEN_OFF = re.compile(
    r"^(?:while|if|because|that|how|what|why|where|when|which|who|with|without|in|on|of|for|at|by|to|from|before|"
    r"after|till|until|than|as|can|"
    r"could|would|do|does|did|is|are|tell|just|give|let|don't|say|some|another|one|ask|put|go|look)\b",
    re.IGNORECASE,
)
_VERB = re.compile(
    r"'(?:m|ve|d|ll|re|s)\b|n't\b|\b(?:am|is|are|was|were|be|been|have|has|had|do|does|did|can|could|will|would|"
    r"should|must|might|got|get|gets|go|goes|went|said|say|says|told|tell|feel|felt|think|thought|know|knew|want|wanted|need|"
    r"keep|kept|came|come|comes|made|make|put|took|take|sit|sat|stood|stand|left|lost|saw|see|heard|hear|gave|give|found|find|"
    r"like|miss|love|hate|try|wait|stop|mean|work|live|read|sleep|slept|eat|ate|ran|run|broke|rang|sent|brought|"
    r"drove|met|(?:leav|bring|ring|ask|want|think|call|giv|send|wait|stay|look|help|hat|lov|need|watch|talk|mak)e?s|\w{2,}ed)\b",
    re.IGNORECASE,
)
_BAD_END = re.compile(
    r"\b(?:the|a|an|of|to|with|and|or|but|that|which|who|because|if|my|his|her|their|our|for|at|from|as|than|so|i|"
    r"he|she|they|we|very|too|i'm|it's|is|are|was|were|be|said|says|say|told|thought|asked|like|when|where|what|how|into|"
    r"by|goes|wrote|think|means|meant|knew|know|only|more|don't|didn't|can't|i'd|i've|had|has|have|been|do|does|did|"
    r"then|eh|mind|now that|about|just|even|\w+'s|\w+'re|\w+'ve|\w+'d|\w+'ll|(?:can't|couldn't|cannot) (?:it|that|"
    r"this))$",
    re.IGNORECASE,
)
_WEAK = re.compile(
    r"^(?:(?:all|quite) right|just so|more or less|pretty much|not so bad|i was (?:just )?thinking|"
    r"i (?:don't know|dunno|know|see|mean|suppose|guess|couldn't say|think so|said)(?: that| it| so)?|that's \w+|"
    r"it(?:'s| is) (?:fine|okay|ok|all right|what it is|going|nothing(?: much)?)|it happened|"
    r"i can't (?:think about (?:that|it) straight|get that far.*|put (?:that|it) in.*|say it so.*)|"
    r"i can offer .*|i notice (?:that )?nothing .*|nothing comes\b.*|there(?:'s| is) one thing\b.*|there i\b.*|"
    r"those were my words|i only wanted to (?:know|have it)\b.*|"
    r"i(?:'ve| have) (?:never|not) (?:put it|looked at it|formulated|tried thinking|thought (?:of|about) (?:it|"
    r"that))\b.*|"
    r"i haven't (?:got that far|formulated|let myself|any data)\b.*|i don't have an answer.*|"
    r"i(?:'d| would) (?:have to (?:think|look)|be guessing)\b.*|there (?:we|you) (?:are|go)|i (?:hear|"
    r"heard) you|"
    r"i'm (?:fine|okay|ok|all right|sorry|done|here|going to go)|nothing much|i (?:manage|expect so|suppose so|"
    r"dare say so)|"
    r"i(?:'d| would) (?:sooner|rather) .*|i'll tell you .*|it's whatever|i (?:thought|figured|wonder|believe) .*|"
    r"i (?:take it|gather|fear|jump|follow|must say|mean to say|said (?:yes|okay|fine|i'd .*)|came by \w+|was early)|"
    r"i(?:'m| am) (?:not being funny|well|good|not (?:sure|certain)|with you|here for .*)|"
    r"i(?:'ve| have)? (?:got )?no (?:idea|sentence|answer|view|complaints)\b.*|"
    r"(?:it|that)(?:'s| is| was) (?:maybe|probably|likely) .*|i(?:'ve| have) (?:a|another|one) (?:question|thing)|"
    r"i (?:will|would|'ll|'d)? ?(?:answer|explain|come to) .*|we thank .*|i thank .*)$",
    re.IGNORECASE,
)
_I_AM = (
    r"i(?:'m| am| was|'ve been|'d be| would be| feel(?: like)?)"
    r"(?: just| only| always| really| simply| such| maybe| probably| nothing but){0,2}"
)
_LOW = (
    r"(?:useless|worthless|stupid|weak|crazy|lazy|broken|pathetic|hopeless|too \w+|no (?:use|good|help)|nothing|nobody|"
    r"not (?:good|enough|able|worth|cut|clever|talented|strong|somebody|someone|the (?:one|person|man|woman|sort|"
    r"kind))|"
    r"one (?:more|of those)|another (?:job|burden|problem|nuisance|mouth)|somebody (?:who|in)|someone (?:who|in)|"
    r"in (?:the|everybody's|their) (?:way|road)|to blame|"
    r"(?:a|an|the) (?:real |complete |total |bad |terrible |lousy |poor |big )?(?:burden|weight|failure|fraud|"
    r"fake|joke|"
    r"nuisance|coward|mess|disgrace|waste|liar|fool|idiot|problem|disappointment|bad \w+|terrible \w+|lousy \w+))\b"
)
_JUDGES = re.compile(
    rf"^(?:{_I_AM} {_LOW}|it(?:'s| is| was)(?: all)? my (?:own )?fault|there's nothing (?:to|left of|in) me|"
    r"(?:nobody|no one|everybody|everyone)\b.*\b(?:me|my)\b|i (?:always|never) (?:get|do|can|am|ruin|fail|mess|let)\b|"
    r"i (?:should|ought to|must)(?:'ve| have)?\b(?! (?:like|say|think|imagine|hope|be glad|have to|want|need|prefer|"
    r"rise))|i(?:'ve|"
    r" have)? (?:failed|ruined|let (?:them|her|him|"
    r"everybody) down)\b|"
    r"i can't do (?:it|this|anything)\b|i don't (?:deserve|matter)\b|"
    r"i(?:'m| am) (?:always|never|forever|kind of|sort of|such)(?: kind of| sort of| just)? (?:a|an|the|no) \w|"
    r"(?:and )?i (?:was|wasn't) (?:not )?(?:listening|paying attention|trying|thinking)\b)",
    re.IGNORECASE,
)
_SPOKEN = re.compile(
    r"\b(?:say|says|said)\b(?! (?:i|he|she|they|we|it|that|nothing|something|so|the same|yes|no|i\S+|he\S+|she\S+|"
    r"they\S+|it\S+)\b)"
    r"|\b(?:tells?|told|goes|asks?|asked) (?:the |a |an |that |this )?(?!me\b|her\b|him\b|them\b|us\b)\w+ .*\bme\b"
    r"|\b(?:says?|said)\b.*\b(?:me|i)$",
    re.IGNORECASE,
)
_REPORT = re.compile(
    r"\b(?:said|says|say|saying|goes|went|asked|asks|wrote|writes|told \w+|tells? \w+|thought|think|thinking|like)$",
    re.IGNORECASE,
)
_SUPPOSED = re.compile(
    r"\b(?:if|unless|whether|suppose|imagine|would have|wish)\b|^(?:say|when|until|till|like|as if|as though)\b",
    re.IGNORECASE,
)
_ADDRESSED = re.compile(r"\byou(?:'\w+|r|rs|rself)?\b|\bsir\b|\bma'am\b", re.IGNORECASE)
_ABSOLUTE = re.compile(r"\b(?:always|never|nobody|no one|nothing|everything|everyone|everybody|only|all|every)\b", re.I)
_SAID_OF_ME = re.compile(
    r"^(?!i\b)(?:\w+ ){1,3}(?:says|said|thinks|thought|tells me|told me)(?: that)? (?:i|i'm|i've|i'd|it's|it)\b",
    re.IGNORECASE,
)
"""What somebody else says of the speaker: a feeling in it is not the speaker's own telling."""
_NEGATED = re.compile(r"n't\b|\b(?:not|no|cannot|without)\b", re.IGNORECASE)
_HEAVY = re.compile(
    r"\b(?:can't|cannot|couldn't|nobody|no one|alone|lost|hurts?|cried|crying|useless|burden|weight|fault|failed|"
    r"failure|worthless|stupid|dying|died|fall out|ashamed|hate|wrong)\b",
    re.IGNORECASE,
)
_INNER = re.compile(
    r"\b(?:feel|felt|want|wanted|need|needed|miss|missed|wish|afraid|never|always|don't|didn't|haven't|wouldn't|"
    r"hope|hoped|care|love|loved|tired|somebody who|anything|everything|nothing|not|supposed to|should|must)\b",
    re.IGNORECASE,
)
_UNFIT = re.compile(
    r"\bwants? (?:i|he|she|they|we)\b|\basks?(?:ed)? (?:me|us|was|did|were|had)(?: (?:did|was|were|had|do|is|are))? "
    r"(?:i|he|she|they|we)\b|"
    r"\b(?:he|she|it) (?:have|do|say|go|want)\b|^i (?:am|was)$",
    re.IGNORECASE,
)
"""Not a sentence that can be given back as it is, however well it was understood."""
_PLAIN = re.compile(r"^[A-Za-z0-9 ,'’%/-]+$")
_SELF = re.compile(r"\b(?:i|i'\w+|me|my|myself)\b", re.IGNORECASE)
_SMALL = frozenset(
    re.findall(
        r"\S+",
        "i i'm i've i'd i'll me my you the a an and or but of to in on at for with it it's he she they we"
        " is are was were be been"
        " am do did does don't didn't have had has not so then just that's this that there what how if up out as",
    )
)


def phrases(text: str) -> tuple[Phrase, ...]:
    """Return the phrases of ``text`` worth giving back, weightiest first.

    Left out: questions, what is addressed to the listener, what is supposed ("if …"), what
    somebody else is quoted as saying, filler ("it's fine", "I couldn't say"), and anything over eleven words.

    Examples
    --------
    >>> [p.back for p in phrases("Well, I never opened that woman's post. If I stop, there's nothing left.")]
    ["you never opened that woman's post"]
    """
    found: list[Phrase] = []
    sentences = split_sentences(text)
    carried = supposed(sentences)
    for place, sentence in enumerate(sentences):
        if carried[place]:
            continue
        if sentence.rstrip("\"'”’)").endswith("?") or re.search(r"[\"“”*<>]|(?:^|\s)['‘]\w", sentence):
            continue
        if _SUPPOSED.search(sentence) or is_non_answer(sentence) or is_preface(sentence):
            continue
        for clause in whole_clauses(sentence):
            if not (_ADDRESSED.search(clause) or is_non_answer(clause) or defers(clause)):
                phrase = _phrase(clause, place / max(1, len(sentences)), arrival=is_arrival(sentence))
                if phrase is not None and all(phrase.said != other.said for other in found):
                    found.append(_in_sentence(phrase, sentence))
            if _REPORT.search(clause):
                break  # what follows are somebody's words, perhaps not the patient's
    return tuple(sorted(found, key=lambda p: -p.weight))


def _phrase(clause: str, lateness: float, *, arrival: bool = False) -> Phrase | None:
    words = clause.split()
    if not 2 <= len(words) <= MAX_QUOTED or not _PLAIN.match(clause) or _WEAK.match(clause):
        return None
    if _BAD_END.search(clause) or _SPOKEN.search(clause) or _UNFIT.search(clause) or unsayable(clause):
        return None
    content = [w for w in words if w.lower() not in _SMALL]
    if not content:
        return None
    if _BROKEN_OFF.match(clause):
        return None
    stands = len(words) >= 3 and _stands(clause)
    stake = "bond" if _SAID_OF_ME.match(clause) else stake_of(clause)
    if arrival and (stake not in _IN_ANY_CASE or is_arrival(clause)):
        stake = ""
    weight = (
        0.6 * lateness + 0.5 * WEIGHTS[stake] + 0.25 * min(len(content), 4) + (0.5 if 4 <= len(words) <= 7 else 0.0)
    )
    weight += 1.0 if _SELF.search(clause) else 0.0
    weight += 1.0 if voiced(clause) else 0.0
    weight += 0.6 if _ABSOLUTE.search(clause) else 0.0
    weight += 0.4 if stake and _NEGATED.search(clause) else 0.0
    weight += 0.4 if stake and words[0].lower().startswith("i") and _SELF.match(clause) else 0.0
    weight += 0.8 if stands else 0.0
    own = _SELF.search(clause) is not None
    heavy = bool(voiced(clause)) or _HEAVY.search(clause) is not None
    deep = own and (heavy or _INNER.search(clause) is not None)
    weight += 0.8 if deep else 0.0
    back = to_you(clause) if stands and not only_quoted(clause) else ""
    if back and words[0].lower() not in ("i", "i'm", "i've", "i'd", "i'll") and not _NAME_FIRST.match(clause):
        back = back[0].lower() + back[1:]
    return Phrase(clause, back, weight, deep, heavy, _JUDGES.search(clause) is not None, stake)


_IN_ANY_CASE = frozenset(("feeling", "limit", "loss", "body"))  # weigh where it is told who sent somebody, too
_SLIGHT = frozenset(("", "bond", "effort", "self", "shift"))
_SHORT = 4  # words up to which what passed between people says nothing out of its sentence ("she looks at me")


def _in_sentence(phrase: Phrase, sentence: str) -> Phrase:
    """Return ``phrase`` with what it may be given back as, and what it weighs, seen from the sentence it stands in."""
    goes_on = re.search(r"\w", sentence[sentence.find(phrase.said) + len(phrase.said) :]) is not None
    if phrase.stake == "bond" and len(phrase.said.split()) <= _SHORT and goes_on:
        return replace(phrase, stake="")
    if doubted(phrase.said, sentence) or (phrase.stake in _SLIGHT and cut_short(phrase.said, sentence)):
        return replace(phrase, back="", stake="")
    return replace(phrase, stake="") if taken_back(phrase.said, sentence) else phrase


def _stands(clause: str) -> bool:
    if _NAME_FIRST.match(clause):
        return True
    if _SUBJECT.match(clause) is None:
        return False
    # After a pronoun comes the verb; after a noun it may be a noun phrase only ("my own flat").
    return _PRONOUN.match(clause) is not None or _VERB.search(clause) is not None


_NAME_FIRST = re.compile(
    r"^(?!(?:Work|Home|School|Life|Money|Time|Sleep|Food|Music|Church|Breakfast|Lunch|Dinner|This|That|These|Those|There|Then|Here|Some|Every|Each|Most|All|Both|Another|Such|Not|What|Who|When|Where|"
    r"Why|How|Sometimes|Always|Maybe|Perhaps|Nothing|Something|Everything|Anything|Nobody|Everybody|Everyone|Somebody|"
    r"Someone|People|He|She|It|They|We|You|His|Her|Its|The|My|Our|Your|One|Two|Three|Once|Twice|Only|Just|Even|Also|"
    r"Still|Because|Since|And|But|Or|So|If)\b)(?:(?:Mr|Mrs|Ms|Dr|Aunt|Uncle)\.? )?[A-Z][a-z]{2,} (?:just |never |"
    r"still |always |only )?(?:is|was|isn't|wasn't|has|had|hadn't|hasn't|does|did|doesn't|didn't|can|can't|will|won't|"
    r"would|said|says|rang|sent|gave|came|went|took|got|kept|left|told|made|put|met|sat|brought|knew|knows|goes|"
    r"[a-z]{3,}ed|(?:bring|ring|ask|want|think|call|leave|give|send|keep|wait|come|sit|look|like|take|make|say|tell|"
    r"stay|cook|work|sleep|help|worri|cri|watch|drive|hate|love|need)e?s)\b"
)
_KIN = (
    "daughter|son|wife|husband|mother|father|mum|mom|mama|dad|sister|brother|girlfriend|boyfriend|partner|boss|manager|"
    "supervisor|friend|neighbour|neighbor|grandson|granddaughter|colleague|children|kids|parents"
)
_MY_KIN = re.compile(rf"\bmy ({_KIN})\b(?!-in-law)(?!'s)", re.IGNORECASE)
_NAMED = re.compile(
    r"(?<!Dr )(?<!Dr\. )\b([A-Z][a-z]{2,})(?:'s)? (?:said|says|rang|rings|told|asked|asks|wants|wanted|thinks|"
    r"thought|calls|called|"
    r"phones|wrote|"
    r"cries|cried|laughs|laughed|knows|knew)\b"
)
_NOT_NAMES = frozenset(
    re.findall(
        r"\S+",
        "The That This They She And But Nobody Everybody Everyone Someone Somebody People Then What Who There Once "
        "Mama Mum Mom Dad When Where Now Not Yes You Well Never Always Nothing Something Everything Sure Maybe Just "
        "Only Still Really Look Listen Honestly Also Even Here How Why Which Whoever Everyone Somebody People Doctor "
        "Nurse His Her Their Our Your One Another Some Most Many Sorry Okay",
    )
)


def people(text: str) -> tuple[str, ...]:
    """Return people the patient brought up, as a therapist would name them ("your daughter", "Delyth").

    A capital letter alone is not a person: a name counts only where it says, wants or rings.

    Examples
    --------
    >>> people("My daughter put me in for this. Delyth said I should. I took the bus to Bristol.")
    ('your daughter', 'Delyth')
    """
    kin = [f"your {word.lower()}" for word in _MY_KIN.findall(text)]
    names = [name for name in _NAMED.findall(text) if name not in _NOT_NAMES]
    return tuple(dict.fromkeys(kin + names))


@lru_cache(maxsize=512)
def asked_in(text: str) -> str:
    """Return the last question of a text without what it quotes: the frame that should not come twice; ``""`` if none.

    Examples
    --------
    >>> asked_in('"I never asked." What do you make of that?'), asked_in("Go on.")
    ('what do you make of that', '')
    """
    plain = _QUOTES.sub("", text)
    asked = [s for s in split_sentences(plain) if s.rstrip().endswith("?")]
    return " ".join(_LETTERS.findall(asked[-1].lower())) if asked else ""


@lru_cache(maxsize=4096)
def asks_alike(a: str, b: str) -> bool:
    """Whether two questions without their quotes (``asked_in``) would sound like one question put twice.

    They begin with the same four words, and that is half of one of them, or they share three words of five.

    Examples
    --------
    >>> asks_alike("what do you make of that now that you hear it", "what do you make of it now that you've said it")
    True
    >>> asks_alike("how did you come to see it like that", "how long has it been like that")
    False
    """
    x, y = a.split(), b.split()
    if x[:4] == y[:4] and min(len(x), len(y)) <= 8:
        return True
    return len({*x} & {*y}) >= _ALIKE * len({*x} | {*y})


_ALIKE = 0.6
_QUOTES, _LETTERS = re.compile(r'"[^"]*"'), re.compile(r"[a-z']+")


def last_said(transcript: Transcript) -> str:
    """Return the patient's words since the therapist last spoke (empty before the first)."""
    said: list[str] = []
    for turn in reversed(transcript):
        if turn.speaker == "therapist":
            break
        said.append(turn.text)
    return " ".join(reversed(said)).strip()


def draw(bank: str, lines: Sequence[str], used: tuple[str, ...], rng: Generator) -> tuple[str, str]:
    """Draw a line that was not used yet; when all were, the one used longest ago.

    Returns
    -------
    (id, line) : the id goes into the state's ``used``, newest last.
    """
    ids = [f"{bank}.{i}" for i in range(len(lines))]
    fresh = [i for i, key in enumerate(ids) if key not in used]
    if fresh:
        pick = fresh[int(rng.integers(len(fresh)))]
    else:
        newest = {key: place for place, key in enumerate(used)}
        pick = min(range(len(ids)), key=lambda i: newest[ids[i]])
    return ids[pick], lines[pick]
