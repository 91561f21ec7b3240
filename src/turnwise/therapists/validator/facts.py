"""Facts told about the patient's life that the patient has not told."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from turnwise.therapists.validator.faults import Fault
from turnwise.therapists.validator.form import found
from turnwise.therapists.validator.situation import Draft, Said, Situation, stem, words_of

__all__ = ["KIN_WORDS", "SAME_KIN", "SMALL", "find", "grounded_share"]

SMALL = frozenset(
    """
    a an and are as at be been being but by can can't could couldn't did didn't do does doesn't don't for from get
    got go had hadn't has hasn't have haven't he he'd he's her here hers him his how i i'd i'll i'm i've if in into
    is isn't it it's its just know like made make me more most much my no nor not now of off on one only or other
    our out over own part quite really say said saying says see seem seems she she'd she's should so some something
    sound sounds still such than that that's the their them then there there's these they they'd they're they've
    thing things think this those though through to too told up very was wasn't way we were weren't what what's when
    where which while who why will with without won't would you you'd you'll you're you've your yours yourself about
    after again all also always another any anything around back because before between bit both come day days even
    ever every everything feel feeling feels felt first give given good hard hear heard let lot many matter maybe
    mean might moment never new next nothing once people perhaps place put right same self since somebody someone
    sort take tell time today turn two want wanted well went whole words work yes yet inside outside against kind
    little long least last keep look looks looking understand want wants away another enough
    """.split()
)
"""Words that carry no fact of their own."""

KIN_WORDS: Mapping[str, frozenset[str]] = {
    "mother": frozenset("mother mum mom mama mam mummy mommy parents parent family folks mum's mother's".split()),
    "father": frozenset("father dad papa daddy parents parent family folks dad's father's".split()),
    "sister": frozenset("sister sisters sis siblings".split()),
    "brother": frozenset("brother brothers siblings".split()),
    "wife": frozenset("wife partner spouse married marriage ex missus girlfriend wife's".split()),
    "husband": frozenset("husband partner spouse married marriage ex boyfriend husband's".split()),
    "partner": frozenset("partner wife husband spouse boyfriend girlfriend married marriage ex relationship".split()),
    "boyfriend": frozenset("boyfriend partner ex husband relationship dating".split()),
    "girlfriend": frozenset("girlfriend partner ex wife relationship dating".split()),
    "son": frozenset("son sons boy boys child children kids kid lad twins baby son's".split()),
    "daughter": frozenset("daughter daughters girl girls child children kids kid twins baby daughter's".split()),
    "children": frozenset("children kids child kid son sons daughter daughters twins baby babies boys girls".split()),
    "gran": frozenset("gran grandma nan nana grandmother granny grandparents".split()),
    "grandad": frozenset("grandad grandpa grandfather grandparents".split()),
    "grandchildren": frozenset("grandchildren grandson granddaughter grandkids granddaughters grandsons".split()),
    "uncle": frozenset(["uncle"]), "aunt": frozenset("aunt auntie".split()),
    "cousin": frozenset("cousin cousins".split()),
    "boss": frozenset("boss manager supervisor boss's".split()),
}  # fmt: skip
SAME_KIN = {
    "mum": "mother", "mom": "mother", "mama": "mother", "dad": "father", "papa": "father", "kids": "children",
    "child": "children", "kid": "children", "grandma": "gran",
    "grandmother": "gran", "nan": "gran", "grandpa": "grandad",
    "grandfather": "grandad", "spouse": "partner", "grandson": "grandchildren", "granddaughter": "grandchildren",
    "manager": "boss", "supervisor": "boss", "auntie": "aunt", "sons": "son", "daughters": "daughter",
    "sisters": "sister", "brothers": "brother", "parents": "mother",
}  # fmt: skip
_THEIR_KIN = re.compile(
    r"\byour (?:\w+ ){0,2}?(" + "|".join(sorted({*KIN_WORDS, *SAME_KIN}, key=len, reverse=True)) + r")\b"
)

# Events and troubles heavy enough that nobody may put them into a life: what says it, and what would ground it.
_EVENTS: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...] = tuple(
    (re.compile(rf"\b(?:{said})\b"), re.compile(rf"\b(?:{ground})"))
    for said, ground in (
        (
            r"died|death of|passed away|funeral|widow\w*|bereave\w*|(?:lost|losing) (?:your|her|him|his) (?:wife|"
            r"husband|m\w+|"
            r"dad|father|son|daughter|baby|gran\w*)",
            r"die|dead|death|dying|passed|funeral|buried|lost|widow|grave|late (?:wife|husband)|since (?:he|"
            r"she) went|ashes",
        ),
        (r"divorc\w+|split up|broke up|break-?up|separat(?:ed|"
            r"ion)", r"divorc|split|broke|break|separat|left|ex\b|moved out|marriage"),
        (r"affair|cheat\w*|unfaithful", r"affair|cheat|unfaithful|another (?:wo)?man|behind"),
        (
            r"(?:were|got|been) (?:fired|sacked|laid off|let go|made redundant)|(?:lost|losing) your job",
            r"fired|sack|laid off|let (?:me )?go|redundan|job|clock|retire",
        ),
        (
            r"abus\w+|(?:he|she|they|you|father|mother|husband|wife) (?:hit|beat|hurt|slapped|raped)|violen\w+|"
            r"molest\w*",
            r"abus|hit|beat|hurt|slap|rape|violen|touched|shov|bruis",
        ),
        (
            r"drinking(?: again| heavily| too| problem)|drunk|alcohol\w*|hungover",
            r"drink|drunk|drank|alcohol|beer|wine|vodka|pub|bottle|glass|pint|sober|hungover|had (?:three|a few|one)",
        ),
        (r"drugs?|cocaine|weed|cannabis|"
            r"overdos\w+", r"drug|cocaine|weed|cannabis|overdos|pills?|smok|using|tablet|meth|heroin|high|stuff"),
        (r"crash(?:ed)?|car accident", r"crash|accident|collision|hit|wreck"),
        (r"cutting yourself|cut yourself|self-harm\w*|hurt(?:ing)? yourself|"
            r"suicide attempt", r"cut|harm|hurt|overdos|suicid|kill"),
        (r"miscarr\w+|pregnan\w+|abortion", r"miscarr|pregnan|abortion|baby|expecting|due"),
        (r"prison|arrest\w*|convicted|"
            r"jail", r"prison|arrest|convict|jail|police|court|probation|sentence|charge|judge"),
        (r"bullied|bullying", r"bull(?:y|ied)|picked on|laughed|teas|called me"),
        (r"trauma\w*", r"trauma|abus|accident|attack|war|assault|raped"),
        (r"(?:your|in) childhood",
            r"child|kid|grew up|was (?:a |\w+ )?(?:boy|girl|little|young|small|\w+teen|eleven|ten|nine|eight|six)|"
            r"school|mother|mum|mom|dad|father"),
        (r"(?:had|were|you'd|been) (?:argu\w+|fight\w*|row\w*)|(?:had|having) (?:a|an) (?:argument|fight|"
            r"row)", r"argu|fight|fought|row|shout|yell|quarrel|fell out|words|snap"),
        (r"cancer|tumou?r", r"cancer|tumou?r|chemo|oncolog"),
        (r"adopted", r"adopt|birth"),
        (r"debts?|bankrupt\w*", r"debt|bankrupt|owe|money|loan|card|rent|bill"),
        (r"diagnosed with", r"diagnos|doctor|psychiatr|condition|disorder|they (?:told|said)|hospital|test"),
    )
)  # fmt: skip
_REPORTS = re.compile(
    r"\b(?:you(?:'ve| have)? (?:said|told me|mentioned|described|explained|shared|talked about|spoke (?:about|"
    r"of))(?: earlier| before)?"
    r"(?: that| how| about)?|as you (?:said|told me))\b[,:]?\s+(?P<what>.+)"
)
_QUOTED = re.compile(
    r"(?:^\W*|\b(?:you(?:'ve| have)? (?:just )?(?:said|told me|say|put it|mentioned|call(?:ed)? it|wrote)|"
    r"sentence(?:s)? of yours|back to you)\b[^\"“.?!]{0,30})"
    r"[\"“]([^\"”]+)[\"”]?",
    re.IGNORECASE,
)
_NAME = re.compile(r"(?<=[a-z] )(?<![A-Z]\w{2} )([A-Z][a-z]{2,})\b(?![,.!?]| [A-Z])")
_INTRODUCES = re.compile(r"\b(?:hi|hello|hey|thanks|thank you|i'm|i am|on|called|name is|doctor|dr) $", re.IGNORECASE)
_NO_NAMES = frozenset(
    "I'm I've I'd I'll English French German Spanish Christmas Easter Monday Tuesday Wednesday Thursday Friday "
    "Saturday Sunday "
    "January February March April May June July August September October November December God Okay Mum Mom Dad Gran "
    "Nan Doctor AI "
    "GP Internet Facebook".split()
)
_GENERAL = re.compile(
    r"\b(?:some|many|most|other|a lot of|lots of|a good many) (?:people|others|men|women)\b|\bpeople who\b|\banyone\b"
)
_ITS_OWN = re.compile(r"\b(?:i'm|i am|i was|i want|i'd|i won't|i can't|i don't|i will|i'll|we can|we could)\b")
_ON_PAPER = re.compile(
    r"\b(?:i(?:'m| am)? (?:see|notic\w+|understand)|it (?:says|looks)|thank(?:s| you)|appreciate|filled (?:in|out)|"
    r"if|some (?:clients|people)|shared with me|"
    r"last time)\b"
)
_PAST = re.compile(
    r"^(?:\w{3,}ed|found|lost|left|took|went|came|saw|ran|fell|broke|hid|stole|threw|caught|met|married|bought|sold|"
    r"grew)$"
)
_NOVEL = 3  # content words in one clause, none of them the patient's, that make a story of it


def grounded_share(words: tuple[str, ...], s: Situation) -> float:
    """Return the share of content words whose stem the patient or the intake has used; 1.0 when there are none."""
    content = [stem(w) for w in words if w not in SMALL]
    return sum(c in s.stems for c in content) / len(content) if content else 1.0


def find(draft: Draft, s: Situation) -> Iterator[Fault]:
    """Yield facts about the patient's life that are stated and were never told."""
    for said in draft.sentences:
        wrong = _misquoted(said, s)
        if wrong is None and not said.asks and not said.hedged and not _GENERAL.search(said.low):
            wrong = _kin(said, s) or _event(said, s) or _reported(said, s) or _name(said, s) or _story(said, s)
        if wrong is not None:
            yield found("unsupported_fact", said.text, said.start, wrong)
            return


def _misquoted(said: Said, s: Situation) -> str | None:
    for quoted in _QUOTED.findall(said.text):
        words = words_of(quoted)
        if len(words) >= 3 and f" {' '.join(words)} " not in s.corpus:
            back = [w for w in words if w not in SMALL]
            if grounded_share(words, s) < 0.99 or not back:
                return f'They did not say "{quoted[:60]}".'
    return None


def _kin(said: Said, s: Situation) -> str | None:
    for hit in _THEIR_KIN.finditer(said.low):
        word = hit.group(1)
        grounds = KIN_WORDS[SAME_KIN.get(word, word)] | {word}
        if not grounds & set(s.aired.split()):
            return f"They have not spoken of a {word.removesuffix('s') if word.endswith('ters') else word}."
    return None


def _event(said: Said, s: Situation) -> str | None:
    if not re.search(r"\b(?:you|your|he|she|they)\b", said.low) or re.match(r"^(?:if|when) ", said.low):
        return None
    for pattern, ground in _EVENTS:
        if (hit := pattern.search(said.low)) and not ground.search(s.aired):
            return f'They have not spoken of "{hit.group()}".'
    return None


def _reported(said: Said, s: Situation) -> str | None:
    hit = _REPORTS.search(said.low)
    if hit is None or said.low.lstrip().startswith(("if ", "when ", "what ")):
        return None
    words = words_of(hit["what"])
    content = [w for w in words if w not in SMALL]
    if len(content) >= 3 and grounded_share(words, s) < 0.34:
        return "They did not say that."
    return None


def _name(said: Said, s: Situation) -> str | None:
    for hit in _NAME.finditer(said.text):
        name = hit.group(1)
        if (
            name not in _NO_NAMES
            and f" {name.lower()}" not in s.aired
            and not _INTRODUCES.search(said.text[: hit.start()])
        ):
            return f'They have not spoken of "{name}".'
    return None


def _story(said: Said, s: Situation) -> str | None:
    """Return a reason where a clause tells what happened and none of its content was told."""
    for clause in re.split(r"[,;:–—]\s+|\s+(?:and|but|because|so|when|while)\s+", said.low):
        words = words_of(clause)
        if (
            not words
            or words[0] in ("if", "whether")
            or _ON_PAPER.search(said.low)
            or _ITS_OWN.search(clause)
            or not re.search(r"\b(?:you|your|he|she|they)\b", clause)
        ):
            continue
        content = [w for w in words if w not in SMALL and w not in ("sense", "wonder", "different", "enough", "sort")]
        past = any(_PAST.match(w) for w in content) or re.search(r"\b(?:was|were|had|didn't|used to)\b", clause)
        if past and len(content) >= _NOVEL and not any(stem(w) in s.stems for w in content):
            return "Nothing of it was told."
    return None
