"""Surface and discourse cues of a turn: what counting plain patterns can tell, each with a name.

The embedding is a bag of tokens, so what it cannot see (order, negation, who is spoken of, whether
a question is asked) is given to the coders here. The patterns describe English speech.
"""

from __future__ import annotations

import re

import numpy as np

from turnwise.core.nouns import FloatArray

__all__ = ["CLIENT_CUES", "SHORT_WORDS", "THERAPIST_CUES", "cues_of"]

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
    "negates": r"\b(?:don't|do not|didn't|doesn't|not|never|no)\b",
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
_COMPILED = {
    name: tuple(re.compile(p) for p in table.values())
    for name, table in (("client_talk", CLIENT_CUES), ("therapist_behaviour", THERAPIST_CUES))
}


def cues_of(text: str, item: str) -> FloatArray:
    """Return the cues of one turn for the coders of ``item``.

    Returns
    -------
    array: the root of each pattern's count (at most 3), in the order of the item's table; then the
    log of one plus the number of words, and two flags (at most 4 words; more than 40).

    Examples
    --------
    >>> cues_of("No, I can't.", "client_talk")[list(CLIENT_CUES).index("says_no")]
    np.float64(1.0)
    """
    low = text[:_READ_CHARS].lower()
    words = len(low.split())
    counts = [min(_MOST, len(p.findall(low))) for p in _COMPILED[item]]
    return np.array([*np.sqrt(counts), np.log1p(words), words <= SHORT_WORDS, words > 40], dtype=np.float64)
