"""Where something may be put into what is said, and what goes where: hesitations before words, tags after them."""

from __future__ import annotations

import re
from functools import cache, lru_cache

__all__ = ["banks_of", "follows_on", "places"]

_JOINT = re.compile(r"(?<=\w),? (?=(?:and|but|because|so|which)\b(?! round\b|,))")
_CLAUSE_JOINT = re.compile(
    r"(?<=\w),? (?=(?:when|where|if|till|until|before|after|while) (?:I|he|she|they|we|you|it|the|my)\b)"
)
_PHRASE_JOINT = re.compile(
    r"(?<=\w),? (?=(?:at|in|on|with|for|from|about) (?:(?:the|my|a|an|his|her|our|their|one|two|three)\b|[A-Z\d]))"
)
"""Where speech is broken less often than between clauses: before what says when, and where or with whom."""
_SUBJECT = re.compile(r"(?:^|(?<=[,;] )|(?<= and )|(?<= but ))(?:I|he|she|they|we|you)(?= [a-z]+)")
_JUST = frozenset(
    """said say sat sit stood stand lay lie kept keep went go looked look waited wait stayed stay let put watch watched
    walk walked left leave turn turned nod nodded stare stared laughed laugh cried cry drove drive carry carried
    listen listened smile smiled ring rang stop stopped get got want""".split()
)
"""Verbs before which "just" says that nothing more was done; before others it says when, or how little."""
_SENTENCE = re.compile(r"[^.?!…]+[.?!…]+[\"”']?\s*")
_QUOTED = re.compile(r"[\"“”]|(?<!\w)'|'(?!\w)")
_TWICE = re.compile(
    r"\b(?:I|I'm|I've|I'd|[Ii]t's|[Aa]nd|[Tt]he|[Mm]y|[Hh]e|[Ss]he|[Tt]hey|[Ww]e|[Tt]hat's|[Tt]here's|in|to|a|"
    r"[Ii]t(?= (?:was|is|gets|got|goes|went|takes|has|had|does)\b)|if|at|with|was|is|so|but)"
    r"(?= \w+ \w+)(?! (?:I|it|he|she|they|we)\b,)"
)
"""Words that people say twice, by far the most of them "I" and "and"."""
_AGAIN = re.compile(
    r"(?:^|(?<=[,;] )|(?<= and )|(?<= but )|(?<= because ))"
    r"((?:I|I'm|I've|it's|it|he|she|we|they|there|there's|that's|my|the)\b [a-z]{1,5}\b)(?= \w+ \w+)",
    re.IGNORECASE,
)
"""Two words at the beginning of a clause that may be begun again."""
_IS = re.compile(
    r"\b(?:(?:it's|that's|was|is|I'm|were|he's|she's|they're)(?= (?:a|an|the|my|so|all|more|only|too|\w+ing)\b)"
    r"|(?:had|got)(?= (?:a|the|my|two|three|four|five|six|seven|eight|ten)\b))"
)
_GOES_ON = re.compile(r"\b(?:and|but|because)(?= (?:I|he|she|they|we|it|then|there|my|the)\b)")
"""Where people falter for a word: after "was", before what they had; and where they go on: after "and"."""
_TAKES_START = re.compile(
    r"(?:I|he|she|they|we|you|it|there|my|the|that|this|some|every|people)\b(?!'s all)", re.IGNORECASE
)
"""Sentences that bear an "and" or "well" before them; fragments ("Forty-nine.") do not."""
_ABBREVIATED = frozenset(("Mrs.", "Mr.", "Ms.", "Dr.", "St."))
_LEAST = 4  # words of a sentence below which nothing is put into it
_NO_TRAIL = frozenset("no yes that it so this though too either anyway now then there here all".split())
_LEAST_PART = 3  # words on either side of a joint


_FALTERS = frozenset(
    ("like", "um", "uh", "er", "em", "eh", "ah", "uhm", "well", "i don't know", "you know", "how to say", "sort of",
     "i think", "how do you say", "na ja", "how shall i say", "as it were")
)  # fmt: skip
"""What people say where a word does not come."""
_GO_ON = frozenset(
    ("i mean", "let me say", "how will i put it", "listen", "you see", "okay", "sure", "now", "let me see", "i suppose",
     "i guess", "i dunno", "that is to say", "to be fair", "i should say")
)  # fmt: skip
"""What they say besides after "and", before they go on."""
_CLOSES = frozenset(
    ("like", "you know", "um", "uh", "er", "em", "ah", "uhm", "i think", "as it were", "you see", "i suppose",
     "to be fair")
)  # fmt: skip
"""What of these stands between what was said and what comes too, as the rest does ("mind", "mate")."""
_EXTENDS = frozenset(("and that", "and stuff", "and all that", "and everything", "like that", "like this"))
"""Ends that say "and more of the kind": only of things of which there may be more."""
_CASUAL = frozenset(("like", "you know", "d'you know", "i guess", "to be fair"))


@cache
def banks_of(within: tuple[str, ...], begins: tuple[str, ...], trails: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Return what may be put into each kind of place; kinds for which there is nothing are missing."""
    falters = tuple(x for x in within if x.lower() in _FALTERS)
    banks = {
        "within": tuple(x for x in within if x.lower() not in (_FALTERS | _GO_ON) - _CLOSES),
        "falters": falters,
        "goes_on": tuple(x for x in within if x.lower() in _FALTERS | _GO_ON),
        "begins": begins,
        "and": ("And,",) if begins else (),
        "just": ("just",) if not _CASUAL.isdisjoint(x.lower() for x in within + trails) else (),
        "trails": tuple(x for x in trails if x.lower() not in _EXTENDS),
        "extends": tuple(x for x in trails if x.lower() in _EXTENDS),
    }
    return {kind: bank for kind, bank in banks.items() if bank}


def follows_on(said: str) -> bool:
    """Whether an "and" may follow: not where something was only asked or announced."""
    return not said.rstrip().endswith("?") and len(said.split()) > _ANNOUNCED


_ANNOUNCED = 5  # words


@lru_cache(maxsize=8192)
def places(beat: str, first: bool, kinds: tuple[str, ...]) -> tuple[tuple[int, str], ...]:
    """Return where something of the given kinds may be put into a beat: the place in its text, and the kind.

    Anything may be said twice or begun again.
    """
    if _QUOTED.search(beat):
        return ()
    found: list[tuple[int, str]] = []
    before = ""
    for m in _SENTENCE.finditer(beat):
        said, start = m.group(), m.start()
        if len(said.split()) >= _LEAST:
            found += [(start + at, "within") for at in (*_joints(_JOINT, said), *_joints(_CLAUSE_JOINT, said))]
            found += [(start + at, "falters") for at in _joints(_PHRASE_JOINT, said)]
            found += [(start + x.end(), "falters") for x in _IS.finditer(said)]
            found += [(start + x.end(), "goes_on") for x in _GOES_ON.finditer(said)]
            if (start or not first) and _TAKES_START.match(said) and not said.rstrip().endswith("?"):
                follows = not start or (len(before.split()) > 2 and not before.rstrip().endswith("?"))
                found += [(start, "begins"), *([(start, "and")] if follows else [])]
            found += [(start + x.start(1), "again") for x in _AGAIN.finditer(said)]
            twice = (x.start() for x in _TWICE.finditer(said))
            found += [(start + at, "twice") for at in twice if not _INVERTED.search(said[:at])]
            found += [(start + x.end(), "just") for x in _SUBJECT.finditer(said) if _takes_just(said[x.end() :])]
            found += [(start + len(said.rstrip()) - 1, kind) for kind in _ends(said)]
        before = said
    return tuple(x for x in found if x[1] in kinds or x[1] in ("again", "twice"))


_INVERTED = re.compile(
    r"\b(?:have|has|had|can|could|will|would|did|do|does|am|is|was|are|were)(?:n't)? $", re.IGNORECASE
)


def _ends(said: str) -> tuple[str, ...]:
    """Return what kinds of end a sentence bears: none that ends in a name, a tag or an afterthought."""
    last = said.split()[-1]
    word = last.strip(".,!?").lower()
    after = said.rpartition(", ")[2] if ", " in said else ""
    bare = said.rstrip()[-1] != "." or last in _ABBREVIATED or not word.isalpha() or word in _NO_TRAIL
    if bare or 0 < len(after.split()) <= _AFTERTHOUGHT:
        return ()
    more = (
        word.endswith("s") and not word.endswith(("ss", "us", "is")) and word not in _TIMES and len(word) > _LEAST_MANY
    )
    return ("trails", "extends") if more else ("trails",)


_AFTERTHOUGHT = 2  # words
_TIMES = frozenset("hours minutes months weeks years times nights mornings always sometimes".split())


def _takes_just(rest: str) -> bool:
    """Whether a verb follows before which "just" can stand ("I just sat there")."""
    return rest.split()[0].strip(".,!?;:") in _JUST


def _joints(pattern: re.Pattern[str], sentence: str) -> list[int]:
    """Return where two stretches of some length are joined by "and", "because", …."""
    found = pattern.finditer(sentence)
    return [
        m.start()
        for m in found
        if min(len(sentence[: m.start()].split()), len(sentence[m.end() :].split())) >= _LEAST_PART
    ]


_LEAST_MANY = 5  # letters of a plural of which there may be more
