"""Say who somebody is when asked, how old, and where they live: from the case's people, not from the nearest story."""

from __future__ import annotations

import re

from turnwise.patients.matching import Candidates
from turnwise.patients.people import display, who_to_me
from turnwise.patients.plans import Plan, Situation, sayable, tell
from turnwise.patients.ranking import Query
from turnwise.patients.schema import Person
from turnwise.patients.voicing import voiced
from turnwise.patients.words import content_words

__all__ = ["introduced"]

_WHO_IS = re.compile(
    r"(?:(?:and|so|but|sorry|okay|remind me) )*who(?:'s|'re| is| are| was| were)? (?:exactly |again )?"
    r"(?P<who>[\w' -]+?)"
    r"(?: again| exactly| to you| for you| then)?|(?:and )?(?P<being>[\w'-]+) (?:is|being)(?: who)?"
)
_POINTS = re.compile(
    r"(?:he|she|they|that|this)|(?:the|that|this|your) (?P<noun>[\w'-]+)(?: (?:at|from|in|on) [\w' ]+)?"
)
_HOW_OLD = re.compile(r"\b(?:how old|what age)\b.*\b(?:is|are|'s)\b|\bwhat(?:'s| is) \w+ age\b")
_LIVES = re.compile(r"\bwhere (?:do|does|is|are|'s)\b.*\b(?:live|lives|living|based|now)\b")
_PLACE = re.compile(r"[A-Z][\w-]*(?: [A-Z][\w-]*)*(?:, [A-Z][\w ]*)?|next door|downstairs|round the corner|flat \d+")
_LONGEST = 80  # characters of a question that only asks who somebody is
_SURE = -0.5  # log-probability of a telling from which it is told instead
_STRANGERS = ("Nobody you would know.", "You would not know them.")


def introduced(s: Situation, c: Candidates, q: Query) -> Plan | None:
    """Return the plan for a question about who somebody is, their age or their home; else ``None``."""
    low = " ".join(q.text.lower().replace("’", "'").rstrip("?. ").split())
    m = _WHO_IS.fullmatch(low) if len(low) <= _LONGEST else None
    if m is not None:
        return _who(s, c, q, m["who"] or m["being"])
    if not (_HOW_OLD.search(low) or _LIVES.search(low)):
        return None
    people = sorted(s.index.people_in(q.text) or q.people)
    if not people or c.fact or (c.top and c.top[0][1] >= _SURE and c.top[0][0] in s.index.places):
        return None
    found = {_detail(s.index.file.people[p], low) for p in people}
    say = found.pop() if len(found) == 1 else ""
    return Plan("fact", f"what is known of {people[0]}", (say,)) if say else None


def _who(s: Situation, c: Candidates, q: Query, who: str) -> Plan | None:
    name = _meant(s, q, who)
    if not name:
        strange = re.search(rf"\b{re.escape(who.title())}\b", " ".join(s.memory.lines)) if who.isalpha() else None
        unheard = not (c.fact or c.absent or s.index.people_in(q.text)) and not s.index.topics_in(q.text)
        return (
            Plan("absent", "somebody of no account", (voiced(s.index, _STRANGERS[int(s.rng.integers(2))]),))
            if strange and unheard
            else None
        )
    person = s.index.file.people[name]
    intro = s.index.tellings.get(person.intro)
    says = rf"\b{re.escape(person.kind.split()[-1])}\b"
    best = s.index.tellings.get(c.top[0][0]) if c.top and c.top[0][1] >= _SURE else None
    for t in (best, intro):
        speaks = t is not None and name in s.index.mentions[s.index.position(t.id)]
        if t is not None and speaks and sayable(s, t) and re.search(says, t.beats[0], re.IGNORECASE):
            return tell(s, t, "tell", f"says who {name} is")
    mine = who_to_me(person.kind)
    if not mine:
        return None
    called = next((n for n in person.names if not n.startswith(("my ", "the "))), "")
    unsaid = called and not s.index.people_in(q.text)
    return Plan("fact", f"who {name} is", (f"{display(called)}. {mine}" if unsaid else mine,))


def _meant(s: Situation, q: Query, who: str) -> str:
    """Return the one person who is asked after: by name, or as the one who was just spoken of; else ``""``."""
    named = s.index.people_in(who)
    if named:
        return min(named) if len(named) == 1 and len(who.split()) <= _SHORT else ""
    points = _POINTS.fullmatch(who)
    if points is None or not s.memory.lines:
        return ""
    if points["noun"] and not content_words(points["noun"]) & content_words(" ".join(s.memory.lines[-3:])):
        return ""
    if len(q.people) == 1:
        return min(q.people)
    last = s.index.tellings.get(s.memory.last)
    one = {p for p in (last.mentions if last else ()) if points["noun"] or s.index.file.people[p].pronoun == who}
    return min(one) if len(one) == 1 else ""


_SHORT = 3  # words of a name, with its title


def _detail(person: Person, asked: str) -> str:
    """Return the age or the home of somebody in words, or ``""`` where that was not asked or is not known."""
    gone = person.lives.startswith(("died", "buried"))
    if _HOW_OLD.search(asked) and person.age and not gone:
        return f"{_in_words(person.age)}."
    if _LIVES.search(asked) and _PLACE.fullmatch(person.lives) and "'" not in person.lives:
        home = person.lives
        return f"In {home}." if home[0].isupper() else f"{home[0].upper()}{home[1:]}."
    return ""


_SMALL = """zero One Two Three Four Five Six Seven Eight Nine Ten Eleven Twelve Thirteen Fourteen Fifteen Sixteen
Seventeen Eighteen Nineteen""".split()
_TENS = "- - Twenty Thirty Forty Fifty Sixty Seventy Eighty Ninety".split()


def _in_words(n: int) -> str:
    if n < len(_SMALL):
        return _SMALL[n]
    tens, ones = divmod(n, 10)
    return (_TENS[tens] if tens < len(_TENS) else str(n)) + (
        f"-{_SMALL[ones].lower()}" if ones and tens < len(_TENS) else ""
    )
