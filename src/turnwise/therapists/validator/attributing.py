"""Feelings told to the patient that the patient has not voiced, and feelings they have denied."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from turnwise.reading.ears.questions import EMOTIONS
from turnwise.therapists.validator.faults import Fault
from turnwise.therapists.validator.form import found
from turnwise.therapists.validator.situation import Draft, Said, Situation

__all__ = ["find", "voiced_families"]

_MORE = {
    "abandoned": "lonely", "anguish": "sad", "anguished": "sad",
    "bereft": "sad", "betrayal": "hurt", "bitterness": "angry",
    "confusion": "confused", "confused": "confused", "depressed": "sad", "desperation": "hopeless", "devastated": "sad",
    "disappointed": "hurt", "disappointment": "hurt", "disgust": "disgust", "disgusted": "disgust", "distress": "hurt",
    "distressed": "hurt", "drowning": "hopeless", "excitement": "happy", "frustration": "angry", "fury": "angry",
 "helplessness": "hopeless", "hopelessness": "hopeless",
    "humiliation": "ashamed", "insecure": "ashamed", "jealousy": "envious", "joy": "happy",
    "longing": "lonely", "misery": "sad", "nervousness": "afraid", "numbness": "numb", "rage": "angry",
    "rejection": "hurt", "resentment": "angry", "self-hatred": "ashamed", "upset": "hurt", "worthlessness": "hopeless",
    "tiredness": "tired", "unloved": "lonely", "regretful": "guilty", "petrified": "afraid", "uneasy": "afraid",
    "heartbreak": "sad", "hatred": "angry", "hate": "angry", "resent": "angry", "envy": "envious", "despise": "angry",
    "dread": "afraid",
}  # fmt: skip
_FAMILY = {word: family for word, family in {**EMOTIONS, **_MORE}.items() if word not in ("stuck", "irritation")}
# Words that are as often something else ("put it down", "the flat", "you look alone"): only right after "you feel".
_LOOSE = frozenset(
    "down small low flat mad cross love loved alone calm glad lost stuck empty tense worn stretched useless worthless "
    "stupid foolish awkward exposed invisible panic worry fear fond tender hollow drained trapped cold small mad hurt "
    "dread dismissed unseen unheard isolated frightening terrifying scary hurtful isolated weary relief hate".split()
)
_SITUATIONAL = frozenset("frightening terrifying scary hurtful upsetting overwhelming".split())
_WORD = re.compile(r"[a-z]+(?:-[a-z]+)?")
_STRICT = re.compile(
    r"\byou(?:'re| are| were| feel| felt| seem| seemed| sound| must be| must feel|'ve been| have been| look| get| got|"
    r" still feel| are feeling|'re feeling| really feel)(?: \w+){0,2}? $"
)
_VERB_OF_FEELING = re.compile(
    r"\byou(?: really| clearly| must| still| actually)* (?:hate|resent|envy|despise|dread|fear|loathe)\b"
)
_NOT = re.compile(r"\b(?:not|n't|never|no|without|less|hardly|isn't|neither|nor)\b[^.,;]{0,14}$|n't [^.,;]{0,14}$")
_OTHERS_HAVE_IT = re.compile(
    r"\b(?:he|she|they|(?:your|the|her|his) (?!(?:own|voice|words|eyes|story|body|mind|heart)\b)\w+)(?:'s|"
    r"'re)? (?:\w+ ){0,3}?$"
)
_THEIRS = re.compile(
    r"\byou\b|\byour(?:self|s)?\b|\bi (?:can )?(?:sense|hear|see|feel|notice|imagine)\b|\b(?:there's|there is|sounds?|"
    r"that) \b"
)
_QUOTING = re.compile(r"\"[^\"]*$|\byou (?:said|say|told me|mentioned|call(?:ed)? it)\b")
_OWN = re.compile(
    r"\bi(?:'\w+)?(?: (?!hear|see|sense|notice|can|think|imagine|guess|know|believe|understand|get)\w+){0,3} $|"
    r"\b(?:if|when|sometimes)\b[^,]*$"
)
_MILD = re.compile(r"\b(?:a bit|a little|slightly|kind of|sort of|somewhat)\b")
_EXTREME = frozenset(
    "devastated terrified furious miserable despair desperate heartbroken humiliated exhausted drowning petrified "
    "rage fury".split()
)
# What people do or what has happened when they feel it: enough ground to name it without a guess.
_ENTAILS = {
    "sad": re.compile(r"\b(?:cry|cried|crying|tears?|wept|weep|sob\w*|miss (?:him|her|them)|died|funeral)\b"),
    "afraid": re.compile(
        r"\b(?:heart (?:going|racing|pounding|goes)|can't breathe|shak(?:e|ing)|panic\w*|trembl\w*|dare|scar\w+|"
        r"alarm\w*|worr\w+|"
        r"nightmares?|what if|attacks?)\b"
    ),
    "angry": re.compile(
        r"\b(?:shout\w*|yell\w*|scream\w*|slam\w*|snap(?:ped|s)?|sick of|fed up|how dare|hate\w*|piss\w*|annoy\w*|"
        r"rant\w*|unfair|"
        r"not fair|pain in the|drives? me)\b"
    ),
    "lonely": re.compile(r"\b(?:nobody|no one|on my own|by myself|alone|left me|lone\w+)\b"),
    "tired": re.compile(
        r"\b(?:can't sleep|don't sleep|awake|no energy|worn out|knackered|shattered|exhaust\w*|too much|a lot on|"
        r"hectic|busy|"
        r"stress\w*|burn\w* out|struggl\w*|juggl\w*)\b"
    ),
    "guilty": re.compile(r"\b(?:my fault|should(?:n't)? have|let (?:\w+ )+down|sorry)\b"),
    "ashamed": re.compile(r"\b(?:can't look at|hide|hiding|in front of (?:every|them)|embarrass\w*|stupid|fool)\b"),
    "hopeless": re.compile(
        r"\b(?:no point|pointless|never (?:get|going)|nothing (?:helps|works|i)|give up|gave up|useless|can't see|"
        r"can't do|stuck|"
        r"don't know (?:what|how)|no (?:way|use)|at the end of|burden|weight on)\b"
    ),
    "hurt": re.compile(
        r"\b(?:hurts?|left me|laughed at|ignored|forgot me|rude|mean to|let (?:me|us) down|didn't (?:come|call|ask))\b"
    ),
    "relieved": re.compile(r"\b(?:glad|better|easier|weight off|nice|good|thank\w*|happy|pleased)\b"),
    "happy": re.compile(r"\b(?:great|love[ds]?|enjoy\w*|fun|good|wonderful|smil\w+|laugh\w*|brilliant|excit\w+)\b"),
    "proud": re.compile(r"\b(?:did it|managed|achiev\w*|pleased|good at|happy|passed)\b"),
    "numb": re.compile(r"\b(?:don't feel|feel nothing|nothing there|empty|numb\w*)\b"),
    "confused": re.compile(r"\b(?:don't (?:know|understand)|not sure|mixed|confus\w*|why)\b"),
    "fond": re.compile(r"\b(?:love[ds]?|fond|like (?:him|her|them)|miss)\b"),
}  # fmt: skip


@lru_cache(maxsize=2_048)
def voiced_families(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the families of feeling that ``text`` names or entails, and those it only denies.

    Examples
    --------
    >>> named, denied = voiced_families("I'm not sad exactly. I'm ashamed.")
    >>> sorted(named), sorted(denied)
    (['ashamed'], ['sad'])
    """
    low = text.lower()
    named: set[str] = set()
    denied: set[str] = set()
    for hit in _WORD.finditer(low):
        family = _FAMILY.get(hit.group())
        if family is not None:
            (denied if _NOT.search(low[: hit.start()]) else named).add(family)
    for family, pattern in _ENTAILS.items():
        if pattern.search(low):
            named.add(family)
    return frozenset(named), frozenset(denied - named)


def find(draft: Draft, s: Situation) -> Iterator[Fault]:
    """Yield feelings told as facts: unvoiced ones, and ones the patient denied just now."""
    named: set[str] = set()
    denied: frozenset[str] = frozenset()
    for turn in s.patient:
        here, denied = voiced_families(turn)
        named |= here
    for said in draft.sentences:
        if said.asks or said.hedged:
            continue
        for start, word, family in _told(said):
            if family in denied and not _NOT.search(said.low[:start]):
                yield found("contradiction", said.text, said.start, f'They denied being {word}: "{s.last[:80]}".')
                return
            mild = word in _EXTREME and f" {word} " not in s.corpus and _MILD.search(s.corpus)
            if family not in named or mild:
                yield found("unvoiced_feeling", said.text, said.start, f'The word is "{word}".')
                return


def _told(said: Said) -> Iterator[tuple[int, str, str]]:
    """Yield (place, word, family) of the feelings that a sentence says the patient has."""
    low = said.low
    if hit := _VERB_OF_FEELING.search(low):
        word = hit.group().split()[-1]
        yield hit.start(), word, _FAMILY.get(word, "angry")
    for hit in _WORD.finditer(low):
        word, before = hit.group(), low[: hit.start()]
        family = _FAMILY.get(word)
        if family is None or word in _SITUATIONAL or _QUOTING.search(before) or _OWN.search(before):
            continue
        if _NOT.search(before) and "you" in before:
            continue
        strict = _STRICT.search(before) is not None
        if (word in _LOOSE and not strict) or (not strict and _OTHERS_HAVE_IT.search(before)):
            continue
        if strict or _THEIRS.search(low):
            yield hit.start(), word, family
