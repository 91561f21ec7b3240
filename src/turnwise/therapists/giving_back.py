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
from turnwise.therapists.clauses import trim
from turnwise.therapists.emotions import Voiced
from turnwise.therapists.mattering import WEIGHTS, burdens, is_administrative, tense_of
from turnwise.therapists.reflecting import Heard, Line, shuffled
from turnwise.therapists.wording import Phrase, capital

__all__ = ["feelings_back", "given_back", "lasting", "weighty"]

_ANY: tuple[str, ...] = (
    "So {s}.",
    "And {s}.",
    "{S}, then.",
    "Right. {S}.",
    "Mm. {S}.",
    "All right, so {s}.",
    "Let me hold on to that: {s}.",
    "I want to be sure I heard it: {s}.",
    "What I'm left with is that {s}.",
    "Yes. {S}.",
    "{S}, as you put it.",
    "There it is: {s}.",
)
_BY_STAKE: Mapping[str, tuple[str, ...]] = {
    "feeling": (
        "{S}. Thank you for putting it so plainly.",
        "{S}. I'd like to take that in for a moment.",
        "{S}. That's not a small thing to say.",
        "{S}. I don't want to hurry past that.",
    ),
    "limit": (
        "So that's where it stops: {s}.",
        "{S}. And you'd want it otherwise.",
        "{S}. That's hard.",
        "And there it sticks: {s}.",
    ),
    "alone": (
        "{S}. That's a lot for one person.",
        "{S}. That sounds hard.",
        "{S}. So you've been left to get on with it.",
        "So there's a gap there: {s}.",
    ),
    "loss": (
        "{S}. That leaves a gap, by the sound of it.",
        "{S}. That's a change.",
        "{S}. It isn't what it was.",
        "So that's what's different: {s}.",
    ),
    "hiding": (
        "{S}. So there's a part of this that other people don't get to see.",
        "{S}. That takes some doing.",
        "{S}. And it stays with you.",
        "So that's kept out of sight: {s}.",
    ),
    "want": (
        "{S}. That's a clear thing to want.",
        "So that's what you're after: {s}.",
        "{S}. That seems fair to want.",
        "{S}. I'll keep that in view.",
    ),
    "body": (
        "{S}. That must wear on you.",
        "{S}. That sounds hard.",
    ),
    "effort": (
        "{S}. That's a lot of work.",
        "{S}. That takes some doing.",
        "{S}. And nobody sees the work in it.",
        "So it costs you something: {s}.",
    ),
    "bond": (
        "{S}. You noticed that.",
        "{S}. That stayed with you.",
        "{S}, and it matters to you.",
    ),
    "self": (
        "So that's how you'd put it: {s}.",
        "The way you tell it, {s}.",
        "{S}, in your own words.",
        "{S}. That's how it looks to you.",
    ),
    "shift": (
        "{S}. So something changed there.",
        "{S}. I'd like to know how that came about.",
    ),
    "without": (
        "{S}, and there'll be a reason for it.",
        "{S}. I'd like to understand that.",
    ),
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
    'So there\'s a sentence that goes, "{q}."',
    'I want to be sure I heard that: "{q}."',
    '"{Q}." You said that as if it were settled.',
)
_ADJECTIVE: tuple[str, ...] = (
    "{A}, you say.",
    "So {a} is the word for it.",
    "{A}. I hear that.",
    "And you feel {a}.",
    "So you feel {a}.",
    "{A}, then. Thank you for saying it.",
    "That leaves you feeling {a}.",
)
_NOUN: tuple[str, ...] = (
    "So there's {n} in it.",
    "There's {n} there, then.",
    "I hear the {n} in that.",
    "And there's {n} with it.",
    "So it comes with {n}.",
    "So {n} is part of this.",
)
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
    return sorted(fit, key=lambda p: -(p.weight + 0.5 * WEIGHTS[p.stake] + 1.0 * p.judges))


_LASTS = frozenset(("feeling", "limit", "alone", "hiding", "body", "effort", "self", "without"))


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
    return bool(hard and phrase.back and not phrase.judges and tense_of(phrase.said) == "now")


def given_back(turn: Heard, rng: Generator) -> list[Line]:
    """Return candidate reflections of content, best first; none where nothing in the turn seems to matter.

    A judgement that the patient passes on themselves is given back as theirs, never as a fact.
    """
    found: list[Line] = []
    for phrase in weighty(turn)[:2]:
        if phrase.judges:
            found += [_line(f"judged.{i}", line, phrase) for i, line in shuffled(_JUDGED, rng)]
            continue
        framed = [_line(f"any.{i}", line, phrase) for i, line in shuffled(_ANY, rng)]
        fits = phrase.stake not in _HARD or burdens(phrase.said)
        bank = _BY_STAKE[phrase.stake] if fits else ()
        typed = [_line(f"{phrase.stake}.{i}", line, phrase) for i, line in shuffled(bank, rng)]
        bare = Line(f"bare.{phrase.said}", f"{capital(phrase.back)}.", (phrase.said,))
        front = [bare] if rng.random() < _BARE_SHARE else []
        found += front + _interleaved(typed[:2], framed[:3]) + [bare] * (not front) + typed[2:] + framed[3:]
    return found or _echoed(turn, rng)


def _echoed(turn: Heard, rng: Generator) -> list[Line]:
    """Return echoes of a turn that tells something in few words: what was said last, as a sentence or else quoted."""
    if len(turn.text.split()) > _ECHOED:
        return []
    fit = [p for p in turn.phrases if p.back and not p.judges and not is_administrative(p.said)]
    last = max(fit, key=lambda p: (not _FLAT.match(p.said), turn.text.rfind(p.said)), default=None)
    if last is not None:
        return [_line(f"echo.{i}", line, last) for i, line in shuffled(_ECHO, rng)]
    said = trim((split_sentences(turn.text) or [""])[-1])
    if _QUOTED.match(said) and not is_administrative(said):
        whole = Phrase(said, "", 0.0)
        return [_line(f"quoted.{i}", line, whole) for i, line in shuffled(_ECHO_QUOTED, rng)]
    return []


_ECHOED = 30  # words: what is told in more has to hold something that matters to be given back
_FLAT = re.compile(r"^(?:it|that|there|they)\b", re.IGNORECASE)
_QUOTED = re.compile(
    r"^(?!(?:\d|on|in|at|with|by|from|of|for|to|not|the same|such|like)\b)\w[\w'-]*,?(?: [\w'-]+,?){3,8}$",
    re.IGNORECASE,
)
_ECHO_QUOTED: tuple[str, ...] = (
    '"{Q}."',
    '"{Q}." Say a bit more about that, if you would.',
    '"{Q}." I\'d like to understand that.',
    '"{Q}," you say. Go on.',
    '"{Q}." How do you mean?',
    '"{Q}." What\'s in that for you?',
    '"{Q}." I\'m with you.',
)
_ECHO: tuple[str, ...] = (
    "{S}.",
    "{S}. I'd like to hear more about that.",
    "{S}. Go on.",
    "So {s}. Say a bit more?",
    "{S}. Tell me what that's like.",
    "{S}. What's the rest of it?",
    "{S}. How do you mean?",
    "So {s}.",
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
    told = [p for p in weighty(turn) if p.stake == "feeling" and feeling.word in p.said.lower().split()]
    # What was felt then is given back in the words it was said in: "you feel" would move it into the present.
    found += [Line(f"bare.{p.said}", f"{capital(p.back)}.", (p.said,), feeling.word) for p in told[:1]]
    past = any(tense_of(p.said) == "past" for p in told)
    bank = [("noun", _NOUN)] if past else [("adjective", _ADJECTIVE), ("noun", _NOUN)]
    single: list[Line] = []
    for name, lines in bank:
        for i, line in shuffled(lines, rng):
            text = line.format(
                a=feeling.adjective, A=capital(feeling.adjective), n=feeling.noun, N=capital(feeling.noun)
            )
            single.append(Line(f"{name}.{i}", text, feeling=feeling.word))
    return found + [single[int(i)] for i in rng.permutation(len(single))]


def _of_both(key: str, line: str, feelings: Sequence[Voiced]) -> Line:
    a, b = feelings[0], feelings[1]
    return Line(key, line.format(n=a.noun, N=capital(a.noun), m=b.noun), feeling=a.word)
