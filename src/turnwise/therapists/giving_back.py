"""How the Socratic therapist gives back what was said: few frames, plain, chosen by what the words are about.

Only what may matter is given back (``mattering``): where a turn holds nothing of the kind, nothing is returned, and
something else has to be done. The bare sentence is the commonest reflection among trained counsellors, so it always
is among the candidates; frames add no feeling and no fact of their own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from numpy.random import Generator

from turnwise.reading.sentences import split_sentences
from turnwise.therapists.clauses import cut_short, doubted, taken_back, trim
from turnwise.therapists.emotions import Voiced, voiced
from turnwise.therapists.going_with import bereaved
from turnwise.therapists.mattering import WEIGHTS, burdens, is_administrative, is_arrival, tense_of
from turnwise.therapists.reflecting import Heard, Line, shuffled
from turnwise.therapists.withholding import defers, only_quoted, unsayable
from turnwise.therapists.wording import Phrase, capital

__all__ = ["feelings_back", "given_back", "lasting", "weighty"]

_ANY: tuple[str, ...] = (
    "So {s}.",
    "Mm. {S}.",
    "All right, so {s}.",
    "I'm with you. {S}.",
)
_BRISK = "All right"
"""Before something hard it sounds as if it had been ticked off."""
_BY_STAKE: Mapping[str, tuple[str, ...]] = {
    "feeling": (
        "{S}. I'd like to take that in for a moment.",
        "{S}. I'm with you.",
        "{S}. I don't want to hurry past that.",
        "{S}. I hear that.",
    ),
    "limit": (
        "{S}. That's hard.",
        "{S}. That sounds hard.",
    ),
    "alone": (
        "{S}. That's a lot for one person.",
        "{S}. That sounds hard.",
    ),
    "loss": (
        "{S}. That sounds hard.",
        "{S}. That's a lot to lose.",
    ),
    "hiding": (
        "{S}. So there's a part of this that other people don't get to see.",
        "{S}. That sounds hard.",
    ),
    "want": ("{S}. That seems fair to want.",),
    "body": ("{S}. That sounds hard.",),
    "bereaved": (
        "{S}. That's a great loss.",
        "{S}. That's a lot to carry.",
    ),
    "shift": ("{S}. I'd like to know how that came about.",),
    "without": ("{S}. I'd like to understand that.",),
}
"""What may be added by what the words are about, where it is no guess (``_adds``); elsewhere nothing is added."""
_ADDS: Mapping[str, re.Pattern[str]] = {
    name: re.compile(pattern, re.IGNORECASE)
    for name, pattern in {
        "feeling": r"^(?!.*\b(?:fantastic|great|good|fine|better|well|happy|grand|brilliant|calm|okay|glad|"
        r"proud|relieved|"
        r"lovely|wonderful|comfortable|like|that)\b)",
        "alone": r"^(?:i|i'm|i've|i was|there's only me|nobody|no one|people|they) .*\b(?:alone|on my own|by myself|me|"
        r"only me)\b",
        "loss": r"\b(?:i|we)(?:'ve| have)? (?:miss|missed|lost (?:him|her|them|my))\b|\bmy \w+(?: \w+)? (?:died|"
        r"is dead|"
        r"passed away)\b",
        "hiding": r"\bi(?:'ve| have)? (?:hid|hide|pretend|never told|haven't told|didn't tell|don't tell|"
        r"keep it|kept it|"
        r"lied)\b|\bnobody knows\b",
        "want": r"^i(?:'d| would|'ve)?(?: just| only| really| still)* (?:want(?:ed)?|need|wish|hope|like|love|long)\b"
        r"(?!.*\b(?:not|n't)\b)",
        "body": r"^(?!.*\b(?:fell asleep|asleep)\b).*\b(?:i|my|me)\b",
    }.items()
}
_JUDGED: tuple[str, ...] = (
    "The way you see it, {s}.",
    "In your own eyes {s}.",
    'You put it like this: "{q}."',
    "So the thought is that {s}.",
    "What you're left with is the thought that {s}.",
    "Something in you says that {s}.",
    '"{Q}." That\'s how it looks from where you are.',
    "From where you stand, {s}.",
    '"{Q}." That\'s a hard thing to say about yourself.',
)
_OF_ME = re.compile(r"^(?:i|i'\w+|my|me)\b", re.IGNORECASE)
_QUOTE_ONLY: tuple[str, ...] = (
    '"{Q}."',
    '"{Q}." I don\'t want to hurry past that.',
    '"{Q}." I\'m with you.',
)
_ADJECTIVE: tuple[str, ...] = (
    "{A}. I hear that.",
    "And you feel {a}.",
    "So you feel {a}.",
    "{A}, then.",
    "That leaves you feeling {a}.",
    "{A}. I'm with you.",
)
_NOUN: tuple[str, ...] = (
    "So there's {n} in it.",
    "I hear the {n} in that.",
    "And there's {n} with it.",
    "So {n} is part of this.",
)
_ALONE = 4  # words up to which a turn is the feeling and nothing else: then there is no "it" that it could be in
_BOTH: tuple[str, ...] = (
    "So there are two things there, {n} and {m}.",
    "{N}, and {m} as well.",
    "There's {n}, and there's {m}.",
    "So both: {n} and {m}.",
)
_BARE_SHARE = 0.25  # of reflections that say the words back and add nothing: a frame shows that they were taken in
_HARD = frozenset(("body", "loss", "limit", "alone", "effort", "hiding"))
"""What is told of these may be good news too ("I slept every night of it"), and then it is not called hard."""
_HYPOTHETICAL = ("you could ", "you might ", "you'd say ", "it could ", "it might ")


def weighty(turn: Heard) -> list[Phrase]:
    """Return the phrases of a turn that may matter and can stand, what matters most and was said last first.

    Examples
    --------
    >>> from turnwise.therapists.reflecting import heard_in
    >>> [p.back for p in weighty(heard_in("She gave me a flyer. I drove to the lights, and I couldn't cross."))]
    ["you couldn't cross"]
    """
    fit = [p for p in turn.phrases if p.back and (p.stake or p.judges) and not p.back.startswith(_HYPOTHETICAL)]
    return sorted(fit, key=lambda p: -_worth(p))


def _worth(phrase: Phrase) -> float:
    return phrase.weight + 0.5 * WEIGHTS[phrase.stake] + 1.0 * phrase.judges


_NEARLY = 0.7  # worth below the weightiest by which another is given back instead: else it is the lesser of two things


_LASTS = frozenset(("feeling", "limit", "alone", "hiding", "body", "effort", "self", "without"))


_EASED = re.compile(
    r"\b(?:(?:don't|do not|doesn't|needn't|won't) (?:have to|need to|mind|be)|needn't|not (?:so|as|that) (?:hard|bad)|"
    r"easier|better|so bad|good|glad|fantastic|fine)\b",
    re.IGNORECASE,
)
"""What has become easier, or is said of a whole state at once, has no exception to be asked for."""


def lasting(phrase: Phrase) -> bool:
    """Whether a phrase tells of something hard that goes on now, so that it can be asked when it was different.

    A loss, or something that happened once, has no exception.

    Examples
    --------
    >>> from turnwise.therapists.reflecting import heard_in
    >>> [lasting(heard_in(s).phrases[0]) for s in ("I can't breathe.", "I lost my wife.", "I couldn't cross.")]
    [True, False, False]
    """
    hard = phrase.stake in _LASTS and burdens(phrase.said) and burdens(phrase.back)
    return bool(
        hard and phrase.back and not _EASED.search(phrase.said) and not phrase.judges and tense_of(phrase.said) == "now"
    )


def given_back(turn: Heard, rng: Generator) -> list[Line]:
    """Return candidate reflections of content, best first; none where nothing in the turn seems to matter.

    A judgement that the patient passes on themselves is given back as theirs, never as a fact.
    """
    found: list[Line] = []
    best = weighty(turn)
    for phrase in [p for p in best[:2] if _worth(p) >= _worth(best[0]) - _NEARLY]:
        if phrase.judges:
            fit = [
                x for x in shuffled(_JUDGED, rng) if _OF_ME.match(phrase.said) or not x[1].endswith("about yourself.")
            ]
            found += [_line(f"judged.{i}", line, phrase) for i, line in fit]
            continue
        hard = phrase.stake in _HARD or burdens(phrase.said)
        framed = [_line(f"any.{i}", x, phrase) for i, x in shuffled(_ANY, rng) if not (hard and x.startswith(_BRISK))]
        bank = _BY_STAKE.get(phrase.stake, ()) if _adds(phrase) else ()
        bank = _BY_STAKE["bereaved"] if bereaved(phrase.said) else bank
        typed = [_line(f"{phrase.stake}.{i}", line, phrase) for i, line in shuffled(bank, rng)]
        bare = Line(f"bare.{phrase.said}", f"{capital(phrase.back)}.", (phrase.said,))
        front = [bare] if rng.random() < _BARE_SHARE else []
        found += front + _interleaved(typed[:2], framed[:3]) + [bare] * (not front) + typed[2:] + framed[3:]
    withheld = [p for p in turn.phrases if only_quoted(p.said)]
    for phrase in withheld[:1]:
        quotes = [_line(f"withheld.{i}", line, phrase) for i, line in shuffled(_QUOTE_ONLY, rng)]
        found = quotes + found if all(phrase.weight > p.weight for p in weighty(turn)[:1]) else found + quotes
    return found or _echoed(turn, rng)


def _adds(phrase: Phrase) -> bool:
    """Whether what the bank of a phrase's stake adds to it is borne out by its words."""
    sure = _ADDS.get(phrase.stake)
    return (phrase.stake not in _HARD or burdens(phrase.said)) and (
        sure is None or sure.search(phrase.said) is not None
    )


def _echoed(turn: Heard, rng: Generator) -> list[Line]:
    """Return echoes of the one thing that was said, as a sentence or else quoted; of more, only of what is hard.

    Where nothing that was told weighs, the last of several things is mostly the least of them ("then he goes to play").
    """
    sentences = split_sentences(turn.text)
    told = [s for s in sentences if len(s.split()) >= _SAYS_SOMETHING or len(sentences) == 1]
    end = told[-1] if told else ""
    hard = len(told) == 1 or burdens(end)
    if len(turn.text.split()) > _ECHOED or not (end and hard) or is_arrival(end) or defers(trim(end)):
        return []
    fit = [
        p
        for p in turn.phrases
        if p.back and p.said in end and not (p.judges or is_administrative(p.said) or _only_leads_up(p, end))
    ]
    fit = [p for p in fit if len(told) == 1 or burdens(p.said)]
    most = [p for p in fit if _is_most(p.said, end) and not _FLAT.match(p.said) and not cut_short(p.said, end)]
    if most:
        last = max(most, key=lambda p: end.rfind(p.said))
        return [_line(f"echo.{i}", line, last) for i, line in shuffled(_ECHO, rng)]
    said = trim(end)
    of_own = _QUOTED.match(said) and _HAS_VERB.search(said) and _OF_SELF.search(said) and not doubted(said, end)
    unfit = is_administrative(said) or unsayable(said) or _LEADS_UP.match(said) or _NO_SAYING.search(said)
    if of_own and not (fit or unfit or voiced(said)):
        whole = Phrase(said, "", 0.0)
        return [_line(f"quoted.{i}", line, whole) for i, line in shuffled(_ECHO_QUOTED, rng)]
    return []


def _only_leads_up(phrase: Phrase, sentence: str) -> bool:
    """Whether a clause is there for the sake of what comes after it, or is only thought of."""
    after = sentence[sentence.find(phrase.said) + len(phrase.said) :]
    leads = _LEADS_UP.match(phrase.said) or _CONCEDED.match(after)
    leads = leads or (_SCENE.match(phrase.said) and _GOES_ON.search(after))
    return leads is not None or phrase.back.startswith(_HYPOTHETICAL) or taken_back(phrase.said, sentence)


def _is_most(said: str, sentence: str) -> bool:
    """Whether ``said`` is more than half of its sentence, so that what it leaves out is the lesser part."""
    return len(said.split()) > _MOST * len(trim(sentence).split())


_MOST = 0.5
_NO_SAYING = re.compile(
    r"^(?:if|when|unless|stick|put|let|ask|tell|take|give|go|try|there|the|a|an|it|they)\b|\byou(?:'\w+|r|rs)?\b|"
    r"\b(?:reading|answer|question|word|idea|data) for (?:that|it)\b|\b(?:for|till|until) later\b|\b(?:skip|"
    r"leave|pass on) (?:that|this|it)\b|"
    r"\bi (?:would say|suppose|am)$",
    re.IGNORECASE,
)
"""No saying of somebody's own that could be looked at: a condition, a bidding, a remark to the listener, a thing."""
_SCENE = re.compile(r"(?:i|we) (?:was|were) \w+ing\b", re.IGNORECASE)
_GOES_ON = re.compile(r"\b(?:and|when)\b")
_CONCEDED = re.compile(r",? (?:but|only|except)\b")
_OF_SELF = re.compile(r"\b(?:i|i'\w+|me|my|myself)\b", re.IGNORECASE)
_ECHOED = 30  # words: what is told in more has to hold something that matters to be given back
_HAS_VERB = re.compile(
    r"'(?:m|ve|d|ll|re|s)\b|n't\b|\b(?:am|is|are|was|were|have|has|had|do|does|did|can|could|will|would|got|get|go|went|"
    r"came|made|make|took|take|left|keep|kept|feel|felt|thought|think|know|knew|want|need|\w{2,}ed)\b",
    re.IGNORECASE,
)
_SAYS_SOMETHING = 3  # words: a shorter last sentence only tails off ("Free ones.")
_LEADS_UP = re.compile(
    r"^(?:[iI]|[wW]e)(?:'ve|'d| have| had)? (?:just )?(?:told|asked|rang|phoned|texted|called|wrote to|spoke to|"
    r"talked to|said to) (?:my \w+|him|her|them|[A-Z]\w+)(?: for .*)?$|"
    r"^(?![iI]\b)\w+ (?:wants?|says?|said|tells|told|thinks|asks|asked) |^[iI](?:'m| am|'ve been) told |"
    r"^[iI]t (?:just |only |then |suddenly )?(?:came|come|comes|occurred|dawned|struck|strikes|hit|"
    r"crossed)\b.{0,10}\b(?:me|my)\b"
)
"""Leads up to what was then said, and is nothing without it."""
_FLAT = re.compile(r"^(?:and |but |so )?(?:it|it's|that|that's|they|they're)\b", re.IGNORECASE)
_QUOTED = re.compile(
    r"^(?!(?:\d|on|in|at|with|by|from|of|for|to|not|the same|such|like)\b)\w[\w'-]*,?(?: [\w'-]+,?){3,8}$",
    re.IGNORECASE,
)
_ECHO_QUOTED: tuple[str, ...] = (
    '"{Q}."',
    '"{Q}." Say a bit more about that, if you would.',
    '"{Q}." I\'d like to understand that.',
    '"{Q}." How do you mean?',
    '"{Q}." I\'m with you.',
)
_ECHO: tuple[str, ...] = (
    "{S}.",
    "So {s}.",
    "{S}. I'd like to hear more about that.",
    "{S}. Say a bit more, if you would.",
    "{S}. I'm with you.",
)


def _interleaved(a: Sequence[Line], b: Sequence[Line]) -> list[Line]:
    longest = max(len(a), len(b))
    return [x[i] for i in range(longest) for x in (a, b) if i < len(x)]


def _line(key: str, line: str, phrase: Phrase) -> Line:
    text = line.format(s=phrase.back, S=capital(phrase.back), q=phrase.said, Q=capital(phrase.said))
    return Line(key, text, (phrase.said,))


def feelings_back(turn: Heard, rng: Generator) -> list[Line]:
    """Return candidate reflections of the feelings voiced: the sentence they were said in first, where it stands.

    Examples
    --------
    >>> import numpy as np
    >>> from turnwise.therapists.reflecting import heard_in
    >>> feelings_back(heard_in("My wife died in March."), np.random.default_rng(0))
    []
    """
    if not turn.feelings:
        return []
    found: list[Line] = []
    if len(turn.feelings) > 1:
        found += [_of_both(f"both.{i}", line, turn.feelings) for i, line in shuffled(_BOTH, rng)]
    feeling = turn.feelings[0]
    said = trim(turn.text)
    if _AND_THEN.match(said):
        found.append(Line("then", f'"{capital(said)}."', (said,), feeling.word))
    told = [p for p in weighty(turn) if p.stake == "feeling" and feeling.word in p.said.lower().split()]
    # What was felt then is given back in the words it was said in: "you feel" would move it into the present.
    found += [Line(f"bare.{p.said}", f"{capital(p.back)}.", (p.said,), feeling.word) for p in told[:1]]
    past = any(tense_of(p.said) == "past" for p in told)
    bank = [("noun", _NOUN)] if past else [("adjective", _ADJECTIVE), ("noun", _NOUN)]
    bank = bank[: 1 if len(turn.text.split()) <= _ALONE else None]
    single: list[Line] = []
    for name, lines in bank:
        for i, line in shuffled(lines, rng):
            text = line.format(
                a=feeling.adjective, A=capital(feeling.adjective), n=feeling.noun, N=capital(feeling.noun)
            )
            single.append(Line(f"{name}.{i}", text, feeling=feeling.word))
    return found + [single[int(i)] for i in rng.permutation(len(single))]


_AND_THEN = re.compile(
    r"^(?=\S+(?: \S+){2,10}$)[\w', ]+\band then (?!i\b|he\b|she\b|it\b|they\b|we\b)[\w' ]+$", re.IGNORECASE
)
"""One feeling and then another, in a breath: the second may be no word for a feeling ("and then a fool")."""


def _of_both(key: str, line: str, feelings: Sequence[Voiced]) -> Line:
    a, b = feelings[0], feelings[1]
    return Line(key, line.format(n=a.noun, N=capital(a.noun), m=b.noun), feeling=a.word)
