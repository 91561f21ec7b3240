"""Surface and discourse cues of a turn: what counting plain patterns can tell, each with a name.

The embedding is a bag of tokens, so what it cannot see (order, negation, who is spoken of, whether
a question is asked) is given to the coders here. The patterns describe English speech.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from turnwise.core.nouns import FloatArray

__all__ = ["CLIENT_CUES", "CUES_OF", "HINTS", "SHORT_WORDS", "THERAPIST_CUES", "cues_of"]

SHORT_WORDS = 4
"""A turn of at most this many words leans on the turn before it."""
_MOST = 3  # how often a pattern occurs beyond this says nothing more, and length must not count twice
_READ_CHARS = 20_000

CLIENT_CUES: dict[str, str] = {
    "wants": r"\bi(?: really| just| do|'d)? (?:want|wanna|like to|wish|hope)\b",
    "must": r"\b(?:need|have|got|ought|gotta|had) to\b|\bshould\b",
    "will": r"\b(?:i'll|i will|i'm going to|gonna|i am going to|i plan|i'm gonna)\b",
    "able": r"\bi (?:can|could|might|may)\b|\bable to\b",
    "acts": r"\b(?:try|tried|trying|start|started|quit|quitting|cut|stop|stopped|changed?|better|healthier|improve)\b",
    "negates": r"\b(?:don't|didn't|doesn't|not|never|no)\b",
    "refuses": r"\b(?:don't|do not|didn't|doesn't|never|won't|not)(?: really| even| just)?"
    r" (?:want|wanna|need|care|plan|mind|like to|have to|going to|gonna|ready|interested|quit|stop|change)\b",
    "unable": r"\b(?:can't|cannot|couldn't|hard|difficult|tough)\b",
    "enjoys": r"\b(?:like|enjoy|love|fun|relax\w*|good)\b",
    "plays_down": r"\b(?:fine|not that|not a problem|big deal|not really|don't think|don't see|don't know)\b",
    "because": r"\bbecause\b",
    "but": r"\bbut\b",
    "if": r"\bif\b",
    "hedges": r"\b(?:maybe|guess|suppose|probably|perhaps)\b",
    "i_know": r"\bi know\b",
    "says_yes": r"^(?:yes|yeah|yep|yup|sure|right|okay|ok|mm|mhm|uh-huh|exactly|definitely|absolutely)\b",
    "says_no": r"^(?:no|nope|nah|not)\b",
    "concern": r"\b(?:worri\w*|scared|concern\w*|afraid|health\w*|kids?|family|die|sick|cancer)\b",
    "others": r"\b(?:she|he|they|everybody|everyone|people|doctor|friends?)\b",
    "question_mark": r"\?",
    "i": r"\b(?:i|i'm|my|me|i've)\b",
    "you": r"\byou\b",
    "manners": r"\b(?:thanks?|hi|hello|bye)\b",
    "number": r"\d",
    "degree": r"\b(?:more|less|every|always|sometimes)\b",
}
THERAPIST_CUES: dict[str, str] = {
    "ends_asking": r"\?[\"'”’)\s]*$",
    "question_mark": r"\?",
    "asks": r"\b(?:what|how|why|when|where|who|which|tell me"
    r"|could you|can you|would you|do you|have you|are you|did you)\b",
    "opens_reflecting": r"^(?:so|and|but|it sounds|sounds like|it seems|you're|you feel|you|okay,? so)\b",
    "reflects": r"\b(?:sounds? like|seems? like|it seems|you feel|you're feeling|you've|part of you"
    r"|on the one hand|for you|hearing)\b",
    "advises": r"\b(?:should|need to|try|recommend|suggest|advice|might want|important|can help|i'd like|going to)\b",
    "informs": r"\b(?:research|percent|risks?|studies|cause[sd]?|program|we have)\b",
    "acknowledges": r"\b(?:okay|good|great|thanks?|mm-hmm|right|sure|hi|hello|welcome|nice|wow|awesome)\b",
    "several_sentences": r"[.!?]\s+\S",
    "wants_told": CLIENT_CUES["wants"],
    "must": CLIENT_CUES["must"],
    "negates": CLIENT_CUES["negates"],
    "because": CLIENT_CUES["because"],
    "but": CLIENT_CUES["but"],
    "if": CLIENT_CUES["if"],
    "hedges": CLIENT_CUES["hedges"],
    "i": CLIENT_CUES["i"],
    "you": r"\b(?:you|your|you're|you've|you'd)\b",
    "number": CLIENT_CUES["number"],
}
_WORD_LIST = re.compile(r"\\b\(\?:(?:[^\s()?]|(?<=[a-z\]])\?)+\)\\b|\\b[a-z]+\\b|\\d|\\\?")
"""A pattern that finds single words (or signs) cannot match across a blank: it is asked once per distinct word."""
_FLAT = re.compile(r"\\b\(\?:([^()]+)\)\\b")
_LITERAL = re.compile(r"[a-z' ]+")


HINTS: Mapping[str, tuple[str, ...]] = {
    "wants": ("want", "wanna", "like to", "wish", "hope"),
    "must": (" to", "should"),
    "will": ("'ll", "will", "going to", "gonna", "plan"),
    "able": ("i c", "i m", "able to"),
    "negates": ("n't", "no", "never"),
    "refuses": ("n't", "not", "never"),
    "plays_down": ("fine", "not", "big deal", "n't"),
    "i_know": ("i know",),
    "ends_asking": ("?",),
    "reflects": ("like", "seem", "you", "hand", "hear"),
    "advises": ("should", "to", "tr", "recommend", "suggest", "advi", "might", "important", "help", "like"),
}
"""What a text must contain for a pattern to be worth looking for; a plain search for it is far cheaper."""


@dataclass(frozen=True, slots=True)
class _Table:
    """One table of cues, by how a pattern is best looked for: in a word, at the start, or in the whole text."""

    n: int
    words: tuple[tuple[int, re.Pattern[str]], ...]
    starts: tuple[tuple[int, re.Pattern[str]], ...]
    texts: tuple[tuple[int, re.Pattern[str], tuple[str, ...]], ...]
    known: dict[str, tuple[tuple[int, int], ...]]


def _table(patterns: Mapping[str, str]) -> _Table:
    found = [(i, p, re.compile(p)) for i, p in enumerate(patterns.values())]
    words = [(i, c) for i, p, c in found if _WORD_LIST.fullmatch(p)]
    starts = [(i, c) for i, p, c in found if p.startswith("^")]
    rest = {i for i, _ in (*words, *starts)}
    texts = []
    for name, (i, p, c) in zip(patterns, found, strict=True):
        single, phrases = _parted(p)
        if i in rest:
            continue
        if single and phrases:
            words.append((i, re.compile(rf"\b(?:{'|'.join(single)})\b")))
            literal = all(map(_LITERAL.fullmatch, phrases))
            hints = tuple(phrases) if literal else HINTS.get(name, ("",))
            texts.append((i, re.compile(rf"\b(?:{'|'.join(phrases)})\b"), hints))
        else:
            texts.append((i, c, HINTS.get(name, ("",))))
    return _Table(len(found), tuple(words), tuple(starts), tuple(texts), {})


def _parted(pattern: str) -> tuple[list[str], list[str]]:
    """Return the single words and the phrases of a flat list, to be counted apart; none where they may overlap."""
    flat = _FLAT.fullmatch(pattern)
    found = flat[1].split("|") if flat else []
    single, phrases = [x for x in found if " " not in x], [x for x in found if " " in x]
    if single and any(re.search(rf"\b(?:{'|'.join(single)})\b", x.replace("?", "")) for x in phrases):
        return [], []
    return single, phrases


CUES_OF: Mapping[str, Mapping[str, str]] = {
    "client_talk": CLIENT_CUES,
    "distortion": CLIENT_CUES,
    "therapist_behaviour": THERAPIST_CUES,
}
"""Item of a coder → the table of cues it reads with."""
_TABLES = {id(table): _table(table) for table in CUES_OF.values()}
_MOST_WORDS = 50_000


def _counts(low: str, words: list[str], table: _Table) -> list[int]:
    counts = [0] * table.n
    known = table.known
    for word in words:
        hits = known.get(word)
        if hits is None:
            seen = ((i, len(p.findall(word))) for i, p in table.words)
            hits = tuple((i, n) for i, n in seen if n)
            if len(known) < _MOST_WORDS:
                known[word] = hits
        for i, n in hits:
            counts[i] += n
    for i, pattern in table.starts:
        counts[i] = pattern.match(low) is not None
    for i, pattern, hints in table.texts:
        for hint in hints:
            if hint in low:
                counts[i] += len(pattern.findall(low))
                break
    return counts


@lru_cache(maxsize=8_192)
def _cues(text: str, table: int) -> FloatArray:
    low = text[:_READ_CHARS].lower()
    words = low.split()
    counts = np.minimum(_counts(low, words, _TABLES[table]), _MOST)
    found = np.array([*np.sqrt(counts), np.log1p(len(words)), len(words) <= SHORT_WORDS, len(words) > 40])
    found.flags.writeable = False  # it is handed out again
    return found


def cues_of(text: str, item: str) -> FloatArray:
    """Return the cues of one turn for the coders of ``item``; not to be written to.

    Returns
    -------
    array: the root of each pattern's count (at most 3), in the order of the item's table; then the
    log of one plus the number of words, and two flags (at most 4 words; more than 40).

    Examples
    --------
    >>> cues_of("No, I can't.", "client_talk")[list(CLIENT_CUES).index("says_no")]
    np.float64(1.0)
    """
    return _cues(text, id(CUES_OF[item]))
