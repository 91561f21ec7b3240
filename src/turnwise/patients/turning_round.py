"""Turn a question round, as the person asked would put it: "How do you manage?" asks how I manage.

By its wording alone: what it asks with, who or what it asks about, and the rest. From that come the clause that it
asks for, the same asked back, and the thing that is asked for. What is not surely understood is not turned round.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from turnwise.patients.words import content_words

__all__ = ["PAST_FORMS", "Asked", "asked", "contracted", "past_of", "third", "turned"]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question turned round.

    Attributes
    ----------
    wh : what it asks with (``"how long"``).
    clause : what it asks for (``"how I manage"``); ``echo`` the same asked back (``"how do I manage"``).
    plain : the clause as a statement (``"I manage"``), ``""`` where the asking word is its subject.
    noun : what it asks for, where that is a thing (``"the hardest part"``).
    past : whether it speaks of the past.
    """

    wh: str
    clause: str
    echo: str
    plain: str = ""
    noun: str = ""
    past: bool = False

    @property
    def holds(self) -> frozenset[str]:
        """Words of content in it."""
        return content_words(f"{self.clause} {self.noun}")


_WH = re.compile(
    r"(?:^|[,;:] )(?:(?:and|so|but|then|well|okay) )*(?=(?:what|how|when|where|who|why|which)\b)([^,;:?.!]+)",
    re.IGNORECASE,
)
_DEGREE = frozenset("long often much many far bad hard soon".split())
_BE = {"is": "is", "are": "are", "was": "was", "were": "were", "am": "am"}
_MODAL = frozenset("can could will would should might must".split())
_DO, _HAVE = frozenset(("do", "does", "did")), frozenset(("have", "has", "had"))
_AUX = frozenset((*_BE, *_MODAL, *_DO, *_HAVE))
_WITHOUT_SUBJECT = frozenset("be been help make have happen matter change please".split())
_PRONOUN = frozenset("you it that this he she they we things people everybody".split())
_PLURAL = frozenset("i they we things people".split())
_OF = frozenset("your the a an my his her their".split())
_PLACES = frozenset(
    """about for to with of on in from at by like than inside around behind here most more now today and or first better
    worse into without over after before""".split()
)
"""Words that no verb is: a "you" before one of them is the object."""
_MOVES = frozenset(
    """make makes made making let lets help helps helped want wants tell tells ask asks do does bring brings brought
    stop stops stopped please leave leaves keep keeps kept get gets""".split()
)
"""Verbs after which a "you" is the object, though a verb may follow."""
_ADVERBS = frozenset("first actually really ever just usually normally mostly still even always most last".split())
_CUT = re.compile(r"(?<=\w) (?:when|while|if|because|since|as|before you|after you|that you|in that)\b.*")
_TAIL = re.compile(
    r"(?: (?:do you think|would you say|so far|at (?:that|the) (?:moment|time)|just then|right now|today|these days|"
    r"exactly|though|now|lately|for you|then|"
    r"(?:(?<!make )of|(?<!talk )(?<!think )(?<!feel )(?<!know )(?<!say )about|with|in) (?:it|that|this)))+$"
)
_ABOUT_IT = re.compile(r"\b(about|of|from|with) (?:that|this)$")
_PAST = dict(
    pair.split(":")
    for pair in """be:was become:became begin:began break:broke bring:brought build:built buy:bought call:called
    catch:caught choose:chose come:came cost:cost cut:cut do:did drink:drank drive:drove eat:ate fall:fell feel:felt
    fight:fought find:found forget:forgot get:got give:gave go:went have:had hear:heard hide:hid hit:hit hold:held
    hurt:hurt keep:kept know:knew lead:led learn:learned leave:left let:let lie:lay lose:lost make:made mean:meant
    meet:met pay:paid put:put read:read run:ran say:said see:saw sell:sold send:sent set:set show:showed shut:shut
    sit:sat sleep:slept speak:spoke spend:spent stand:stood stay:stayed stop:stopped take:took teach:taught tell:told
    think:thought try:tried understand:understood wake:woke wear:wore win:won worry:worried write:wrote carry:carried
    happen:happened plan:planned grow:grew draw:drew throw:threw fly:flew ring:rang sing:sang swim:swam steal:stole
    rise:rose ride:rode shake:shook tear:tore swear:swore freeze:froze shoot:shot stick:stuck strike:struck swing:swung
    bite:bit blow:blew feed:fed sweep:swept weep:wept lend:lent bend:bent sink:sank spring:sprang quit:quit bet:bet
    spread:spread burst:burst""".split()
)
_TIMES = frozenset("day week month year morning afternoon evening night weekend time session summer winter".split())
_VERBS = frozenset(
    """suggest connect help change look compare affect bother matter work start fit sound need want like cause touch
    mean come""".split()
) | set(_PAST)
PAST_FORMS = frozenset(_PAST.values())
_WENT = frozenset((*PAST_FORMS, "noticed", "helped", "changed", "started")) - {"put", "cut", "hit", "let", "set"}


def turned(words: Sequence[str]) -> str:
    """Return words of the therapist as the patient would say them: you and me change places.

    Examples
    --------
    >>> turned("made you decide to bring your sister".split())
    'made me decide to bring my sister'
    >>> turned("think you want me to tell yourself".split())
    'think I want you to tell myself'
    """
    out = []
    for i, word in enumerate(words):
        before, after = words[i - 1] if i else "", words[i + 1] if i + 1 < len(words) else ""
        out.append(_mine(word, before, after))
    return " ".join(out)


_SWAP = {
    "your": "my", "yours": "mine", "yourself": "myself", "me": "you", "my": "your", "mine": "yours",
    "myself": "yourself", "i": "you", "i'm": "you're", "i've": "you've", "i'd": "you'd", "you're": "I'm",
    "you've": "I've", "you'd": "I'd", "you'll": "I'll",
}  # fmt: skip


def _mine(word: str, before: str, after: str) -> str:
    if word != "you":
        if before == "you":
            return {"are": "am", "were": "was"}.get(word, word)
        return _SWAP.get(word.lower(), word)
    thing = not after or after in _PLACES or after in ("there", "here") or before in _PLACES or before in _MOVES
    return "me" if thing else "I"


@lru_cache(maxsize=512)
def asked(question: str) -> Asked | None:
    """Return what a question asks, turned round; ``None`` where its wording is not surely understood or holds nothing.

    Examples
    --------
    >>> asked("How do you manage, when it's at its worst?").clause
    'how I manage'
    >>> asked("When did you first notice it?").clause
    'when I first noticed it'
    >>> asked("What's the hardest part of it?").noun
    'the hardest part'
    >>> asked("When that happens, what goes through your mind?").clause
    'what goes through my mind'
    >>> asked("What would Pastor Dele say?").clause, asked("What is Nana's flat like?").clause
    ('what Pastor Dele would say', "what Nana's flat is like")
    >>> asked("What's that moment like for you?") is None
    True
    >>> asked("How is your hearing?").clause, asked("What is Mrs Tran like?").clause
    ('how my hearing is', 'what Mrs Tran is like')
    >>> [asked(x) for x in ("Does that bother you?", "What do you two talk about?", "How has this week been?")]
    [None, None, None]
    """
    text = " ".join(question.replace("’", "'").split())
    if len(text) > _LONGEST or _NOT_THEIRS.search(text):
        return None
    for part in _WH.findall(text):
        found = _parsed(_expanded(part))
        if found is not None and len(found.clause.split()) <= _MOST_TAKEN_UP and not _STRANDED.search(found.clause):
            return found if found.holds or found.plain.startswith(("I feel", "I felt")) else None
    return None


_STRANDED = re.compile(r"\b(?:about|of|for|with|to|at|in|on|from) (?:is|was|are|were)$")
_LONGEST = 160  # characters of a question above which its parts are not looked for
_NOT_THEIRS = re.compile(r"[\"“”]|(?<!\w)'|\bI(?:'\w+)?\b|\bbeen not\b")
"""What is quoted or asked by the therapist of the therapist cannot be turned round; nor can a broken sentence."""


def _expanded(part: str) -> list[str]:
    low = part[:1].lower() + part[1:]
    low = re.sub(r"^(what|how|when|where|who|why)'s (?=been\b|happened\b|changed\b|helped\b)", r"\1 has ", low)
    low = re.sub(r"^(what|how|when|where|who|why)'s ", r"\1 is ", low)
    return _ABOUT_IT.sub(r"\1 it", _TAIL.sub("", _CUT.sub("", low.strip()))).split()


def _parsed(words: list[str]) -> Asked | None:
    """Part the asking words from the rest: up to the first auxiliary, or the verb that they are the subject of."""
    if not 2 <= len(words) <= _MOST or words[0].lower().endswith(("'d", "'ve", "'re")):
        return None
    start = 2 if (words[0] == "how" and words[1] in _DEGREE) or words[1] == "else" else 1
    at = next((i for i in range(start, min(len(words), start + 4)) if words[i] in _AUX), -1)
    if at < 0 or (at > start and words[0] not in ("what", "which", "how")):
        return _by_itself(words, start)
    if at > start and words[start] in ("makes", "made", "do", "you"):
        return _by_itself(words, start)
    wh, aux, rest = " ".join(words[:at]), words[at], words[at + 1 :]
    if not rest:
        return None
    if rest[0] in _WITHOUT_SUBJECT and words[0] in ("what", "who", "which"):
        return _same(words, wh, past=aux == "had")
    return _copular(wh, aux, rest) or _inverted(wh, aux, rest)


_MOST, _MOST_TAKEN_UP = 13, 9  # words of a question that is parsed, and of its clause


def _by_itself(words: list[str], start: int) -> Asked | None:
    """What asks is the subject: "what stays with you", "who knows"."""
    verb = words[start] if start < len(words) else ""
    plainly = words[0] in ("what", "who") and verb not in _PRONOUN and verb not in _OF and verb not in _PLACES
    noun = start + 1 < len(words) and words[0] == "what" and words[start + 1] in ("comes", "goes", "helps", "stays")
    if not plainly or not (noun or verb.endswith("s") or verb in _WENT) or verb == "is":
        return None
    return _same(words, " ".join(words[:start]), past=verb in _WENT and not noun)


def _same(words: list[str], wh: str, *, past: bool) -> Asked:
    said = turned(words)
    return Asked(wh, said, said, past=past)


def _copular(wh: str, aux: str, rest: list[str]) -> Asked | None:
    """Part a question that asks for a thing: "what's the hardest part", "when was the last time"."""
    if aux not in ("is", "was") or rest[0] not in ("the", "your") or not 2 <= len(rest) <= _MOST_OF_NOUN:
        return None
    if wh not in ("what", "when") or any(x.endswith("ing") for x in rest) or rest[-1] in ("like", "of", "to", "for"):
        return None
    noun = turned(rest)
    return Asked(wh, f"{wh} {noun} {aux}", f"{wh} {aux} {noun}", "", noun, aux == "was")


_MOST_OF_NOUN = 5


def _inverted(wh: str, aux: str, rest: list[str]) -> Asked | None:
    """Part a question into auxiliary, subject and the rest: "how | do | you | manage"."""
    n = _subject(rest, aux)
    if not n or (len(rest) == n and aux not in _BE):
        return None
    who = {"you": "I", "that": "it", "this": "it"}.get(rest[0]) or turned(rest[:n])
    done, back = rest[n:], {"are": "am", "were": "was"}.get(aux, aux) if rest[0] == "you" else aux
    said = turned(done)
    if done[:1] == ["find"] and len(done) > 1 and done[1] in ("helps", "works"):
        return Asked(wh, f"what {' '.join(done[1:])}", f"what {' '.join(done[1:])}")
    verb = _finite(aux, back, done, singular=who.lower() not in _PLURAL)
    plain = f"{who} {verb}" if verb else ""
    past = aux in ("did", "was", "were", "had")
    return Asked(wh, f"{wh} {plain}", f"{wh} {back} {who} {said}".strip(), plain, "", past) if plain else None


def _subject(rest: list[str], aux: str) -> int:
    """How many words are the subject: a pronoun, a name, or "your sister"; 0 where that is not sure."""
    if rest[0] in ("that", "this") and aux in _DO and rest[1:2] and rest[1] not in _VERBS:
        return 0  # "does that dream …"
    if rest[0] in ("that", "this") and rest[1:2] and rest[1] in _TIMES:
        return 0  # "has this week been …"
    if rest[0] in ("that", "this") and aux in _BE and len(rest) > 2 and rest[-1] == "like":
        return 0  # "is that moment like"
    if rest[0] == "you" and rest[1:2] and rest[1] in ("two", "both", "all"):
        return 0  # "do you two talk …"
    if rest[0] in _PRONOUN:
        return 1
    if rest[0][0].isupper():
        named = next((i for i, w in enumerate(rest) if not w[0].isupper()), len(rest))
        if not rest[named - 1].endswith("'s"):
            return named
        return len(rest) - 1 if aux in _BE and rest[-1] == "like" else 0  # "what is Nana's flat like"
    if rest[0] not in _OF or len(rest) < 2 + (aux not in _BE):
        return 0
    verbs = [i for i in range(2, min(4, len(rest))) if rest[i] in _VERBS]
    if aux in _HAVE:
        return 0
    if aux in _BE:
        if len(rest) == 2:
            return 2  # "how is your hearing"
        return len(rest) - 1 if rest[-1] == "like" or rest[-1].endswith("ing") else 0
    return verbs[0] if verbs else 0


def _finite(aux: str, back: str, done: list[str], *, singular: bool) -> str:
    """Return the verb as it stands in a statement: "did … notice" is "noticed", "does … leave" is "leaves"."""
    if aux not in _DO:
        return f"{back} {turned(done)}".strip()
    at = next((i for i, w in enumerate(done) if w not in _ADVERBS), 0)
    if not done[at].isalpha():
        return ""
    head = done[at]
    form = past_of(head) if aux == "did" else third(head) if singular else head
    words = turned(done).split()
    words[at] = form
    return " ".join(words)


def past_of(verb: str) -> str:
    """Return the past of a verb.

    Examples
    --------
    >>> past_of("take"), past_of("notice"), past_of("conclude"), past_of("talk")
    ('took', 'noticed', 'concluded', 'talked')
    """
    if verb == "used":
        return verb  # "did she used to" for "did she use to"
    return _PAST.get(verb) or (f"{verb}d" if verb.endswith("e") else f"{verb}ed")


def third(verb: str) -> str:
    """Return a verb as it stands after he, she or it.

    Examples
    --------
    >>> third("leave"), third("go"), third("carry"), third("have")
    ('leaves', 'goes', 'carries', 'has')
    """
    if verb in ("have", "be"):
        return {"have": "has", "be": "is"}[verb]
    if verb.endswith("y") and verb[-2:-1] not in tuple("aeiou"):
        return f"{verb[:-1]}ies"
    return f"{verb}es" if verb.endswith(("s", "sh", "ch", "x", "o")) else f"{verb}s"


_ENDS = r"(?!(?:is|was)\b)"  # "how I am is": what ends a clause is said in full
_SHORT = (
    (rf"\bI am (?=\w){_ENDS}", "I'm "),
    (r"\bI have (?=been|\w+ed\b|got|had|felt)", "I've "),
    (rf"\b(I|it|he|she|they) would (?=\w){_ENDS}", r"\1'd "),
    (r"\b(it|he|she) (?:is(?= \w)(?! (?:to|is|was|I|you|we|they|he|she|my)\b)|has(?= been))", r"\1's"),
    (r"\bwhat (?:is(?= \w)(?! is\b| was\b)|has(?= been))", "what's"),
)
_SHORTER = tuple((re.compile(p), s) for p, s in _SHORT)


def contracted(text: str) -> str:
    """Return the text as it is said: I'm, I'd, it's been.

    Examples
    --------
    >>> contracted("how long it has been like this"), contracted("what I would like")
    ("how long it's been like this", "what I'd like")
    >>> contracted("what it is I am afraid of")
    "what it is I'm afraid of"
    >>> contracted("what she would say about how I am is")
    "what she'd say about how I am is"
    """
    for pattern, short in _SHORTER:
        text = pattern.sub(short, text)
    return text
