"""What is wrong with a model's wording of what a patient was decided to say: checked by code, before anybody hears it.

The authored wording of the same turn is the yardstick throughout: what is in it may be in the draft. The checks read
words. They catch what was told too early, made up by name or number, softened, or said in a therapist's voice; an
event that is made up in plain words, or a tone that is off, they do not see.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from turnwise.patients.case_lines import CaseLines
from turnwise.patients.words import content_words, words_of

__all__ = ["Draft", "Flaw", "flaws", "spoken_part"]


class Flaw(NamedTuple):
    """One reason why a draft is not said: a code for the record, a sentence for the model."""

    code: str
    why: str


@dataclass(frozen=True, slots=True)
class Draft:
    """A draft beside what was decided.

    Attributes
    ----------
    text : what the model wrote, as :func:`spoken_part` leaves it.
    authored : the wording of the case's author, which says all that is to be said.
    released : everything that was said in the session or stands in the intake.
    own : what the patient said before, turn by turn.
    low, high : fewest and most words.
    never_says : expressions this person does not use.
    """

    text: str
    authored: str
    released: str
    own: Sequence[str]
    low: int
    high: int
    never_says: Sequence[str] = ()


_LABEL = re.compile(r"^\s*\**\s*(?:patient|client|me|[A-Z][a-z]+)\s*\**:\**\s+(?=\S)", re.IGNORECASE)
_QUOTED = re.compile(r'^["“”](?P<inside>[^"“”]*)["“”]$')


def spoken_part(text: str) -> str:
    r"""Return a reply on one line, without quotation marks around it and without the speaker's name before it.

    Examples
    --------
    >>> spoken_part('Patient: "I went over\nin the back."')
    'I went over in the back.'
    """
    one = " ".join(text.split())
    one = _LABEL.sub("", one, count=1)
    inside = _QUOTED.match(one)
    return (inside["inside"] if inside else one).strip()


def flaws(draft: Draft, case: CaseLines) -> list[Flaw]:
    """Return everything that is wrong with a draft; empty where it may be said.

    Examples
    --------
    >>> lines = CaseLines((), frozenset())
    >>> said = "My wife rang the doctor about it."
    >>> draft = Draft("Thank you, you're right. My wife rang the doctor.", said, said, (), 3, 20)
    >>> [f.code for f in flaws(draft, lines)]
    ['softened', 'softened']
    """
    if not any(c.isalpha() for c in draft.text):
        return [Flaw("empty", "It had no words.")]
    n = len(draft.text.split())
    if not draft.low <= n <= draft.high:
        # What else is wrong with ten thousand words is of no interest.
        return [Flaw("length", f"It had {n:,} words; say it in {draft.low} to {draft.high}.")]
    found = [*_form(draft), *_voice(draft), *_softened(draft), *_disclosed(draft, case), *_kept(draft)]
    return list(dict.fromkeys(found))


# --- form -------------------------------------------------------------------------------------------

_STAGE = re.compile(r"\*|\[|\]|\(|\)|<<<|>>>|^#|^- ", re.MULTILINE)
_MACHINE = re.compile(
    r"\b(?:as an ai|language model|role-?play|in character|stay(?:ing)? in character|simulat\w+ patient|fictional|"
    r"i can(?:no|')t (?:help with|assist|continue)|counsellor's (?:turn|reply)|word limit)\b",
    re.IGNORECASE,
)
_AGAIN = 6
"""Words in a row that an earlier turn had too; short runs come back in anybody's speech."""


def _form(d: Draft) -> list[Flaw]:
    found = []
    if _STAGE.search(d.text):
        found.append(Flaw("form", "It had stage directions, brackets or marks; write spoken words only."))
    if _MACHINE.search(d.text):
        found.append(Flaw("form", "It stepped out of the conversation."))
    authored = d.authored.lower()
    banned = [x for x in d.never_says if _holds(d.text, x) and x.lower() not in authored]
    if banned:
        found.append(Flaw("voice", f"This person never says {banned[0]!r}."))
    had, allowed = _runs(d.own), _runs((d.authored,))
    if any(run in had and run not in allowed for run in _runs((d.text,))):
        found.append(Flaw("repeated", "It repeated an earlier reply word for word."))
    return found


def _holds(text: str, expression: str) -> bool:
    return re.search(rf"\b{re.escape(expression.lower())}\b", text.lower().replace("’", "'")) is not None


def _runs(texts: Sequence[str]) -> set[tuple[str, ...]]:
    return {tuple(w[i : i + _AGAIN]) for t in texts for w in [words_of(t)] for i in range(len(w) - _AGAIN + 1)}


# --- whose voice ------------------------------------------------------------------------------------

_THERAPIST = re.compile(
    r"\b(?:it sounds (?:like|as)|sounds like you|i(?:'m| am) hearing (?:that|you)|i hear (?:you|that|how)|"
    r"(?:have|had) you (?:tried|considered|thought (?:of|about))|you (?:could|should|might) (?:try|want|consider)|"
    r"i(?:'d| would) (?:suggest|recommend|encourage|invite)|how (?:does|did|do) (?:that|this|it) make you feel|"
    r"what comes up for you|tell me more|let'?s (?:explore|talk about|look at|work|take)|i(?:'m| am) here for you|"
    r"your (?:feelings|emotions) are valid|"
    r"it(?:'s| is) (?:completely |perfectly )?(?:understandable|okay to feel|normal to)|"
    r"take (?:a |some )?deep breath|be (?:gentle|kind) (?:with|to) yourself|i(?:'m| am) so sorry (?:to hear|you)|"
    r"that must (?:be|have been)|thank you for sharing|what would you like to (?:focus|talk))\b",
    re.IGNORECASE,
)


def _voice(d: Draft) -> list[Flaw]:
    found = []
    said = {m.group().lower() for m in _THERAPIST.finditer(d.authored.replace("’", "'"))}
    spoke = [m.group() for m in _THERAPIST.finditer(d.text.replace("’", "'")) if m.group().lower() not in said]
    if spoke:
        found.append(Flaw("therapist_voice", f"It spoke as a counsellor ({spoke[0]!r}); you are the one who came."))
    if d.text.count("?") > d.authored.count("?"):
        found.append(Flaw("question", "It asked something; nothing is to be asked there."))
    return found


# --- softer than the state --------------------------------------------------------------------------

_SOFT = {
    "thanks": r"thank you|thanks|grateful|appreciate (?:it|that|you)",
    "relief": (
        r"(?:i )?feel(?:ing)? (?:\w+ ){0,3}(?:better|lighter|relieved|hopeful|calmer|heard|understood)|that helps|"
        r"weight off|such a relief|more hopeful"
    ),
    "insight": (
        r"i (?:now |finally |just )?reali[sz]ed?|i(?:'ve| have)? never (?:thought|looked|saw|seen)[^.]{0,25}that way|"
        r"i (?:can |do )?see (?:that |it )?now|makes (?:a lot of |so much |perfect )?sense|"
        r"you(?:'ve| have) made me think|maybe i(?:'m| am) not|i deserve|"
        r"it(?:'s| is) not my fault|it wasn'?t my fault"
    ),
    "agreement": (
        r"you(?:'re| are) (?:so |absolutely |quite |probably )?right|i (?:completely |totally )?agree|"
        r"good (?:point|idea)|that(?:'s| is) (?:so |very )?true|exactly right|absolutely"
    ),
    "resolve": (
        r"i(?:'ll| will) (?:try|give it|start|do that|think about (?:that|what you))|"
        r"i(?:'m| am) going to (?:try|start)|i(?:'m| am) (?:ready|willing) to|"
        r"i (?:want|would like|'d like) to (?:change|try|work on)"
    ),
    "warmth": (
        r"you (?:really )?understand me|i trust you|i feel (?:safe|comfortable) (?:with|talking)|"
        r"(?:it(?:'s| is)|this is) (?:really |so )?(?:good|nice|helpful) (?:to|talking)"
    ),
}
"""Ways of being softer than the decision, by what they are. Each is allowed where the authored wording has one."""
_SOFTER = {name: re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE) for name, pattern in _SOFT.items()}


def _softened(d: Draft) -> list[Flaw]:
    text, authored = d.text.replace("’", "'"), d.authored.replace("’", "'")
    hits = ((name, p.search(text)) for name, p in _SOFTER.items() if not p.search(authored))
    return [
        Flaw("softened", f"There was {name} in it ({hit.group()!r}) that this person does not have now.")
        for name, hit in hits
        if hit
    ]


# --- what may be known ------------------------------------------------------------------------------

_NUMBER = re.compile(
    r"\b(?:\d+|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|"
    r"eighty|ninety|hundred|thousand)\b"
)
_NAME = re.compile(r"(?<![.!?…\"'] )(?<!^)\b[A-Z][a-zé]+\b")
_NO_NAME = frozenset("I I'm I'd I'll I've God Christ Jesus Lord OK Okay Mr Mrs Miss Dr TV".split())
_NEW_WORDS, _NEW_SHARE = 3, 0.4
"""Content words of a draft that nobody has said yet: so many always pass, and this share of a longer draft."""


def _disclosed(d: Draft, case: CaseLines) -> list[Flaw]:
    released = content_words(d.released) | content_words(d.authored)
    said = content_words(d.text)
    found = []
    if case.told_too_early(said, released):
        found.append(Flaw("disclosed", "It told something that this person does not tell now."))
    spoken = d.released + " " + d.authored
    names = {m.group() for m in _NAME.finditer(d.text)} - _NO_NAME
    made_up = sorted(n for n in names if not _holds(spoken, n))
    made_up += sorted({m.group() for m in _NUMBER.finditer(d.text.lower())} - set(_NUMBER.findall(spoken.lower())))
    if made_up:
        found.append(Flaw("made_up", f"It brought in {made_up[0]!r}, which was not to be said."))
    new = len(said - released)
    if new > max(_NEW_WORDS, _NEW_SHARE * len(said)):
        found.append(Flaw("added", "It said much that was not to be said; keep to what is to be said now."))
    return found


_KEPT = 0.35
"""Share of the content words of the authored wording that have to be there: a paraphrase keeps the things it names."""
_NO = re.compile(r"\b(?:no|not|never|nobody|nothing|nowhere|none|neither|nor|\w+n't)\b")
_YES_START = re.compile(r"(?:yes|yeah|aye|yep|sure|of course|definitely)\b", re.IGNORECASE)
_NO_START = re.compile(r"(?:no|nah|nope|never|not really)\b", re.IGNORECASE)


def _kept(d: Draft) -> list[Flaw]:
    """Say what the decision holds and the draft has lost: its things, its question, its no."""
    point, said = content_words(d.authored), content_words(d.text)
    found = []
    if point and len(point & said) < max(1, round(_KEPT * len(point))):
        found.append(Flaw("left_out", "It left out what is to be said; keep the things that are named in it."))
    if d.authored.count("?") and not d.text.count("?"):
        found.append(Flaw("left_out", "What is to be said asks something; ask it."))
    low, authored = (x.lower().replace("’", "'") for x in (d.text, d.authored))
    turned = (_YES_START.match(low) and _NO_START.match(authored)) or (
        _NO_START.match(low) and _YES_START.match(authored)
    )
    if turned or (_NO.search(authored) and not _NO.search(low)):
        found.append(Flaw("turned_round", "It turned a no into a yes, or the other way round."))
    return found
