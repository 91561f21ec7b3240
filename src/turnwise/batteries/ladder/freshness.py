"""What makes the same reply worth less inside a conversation: that it was said before."""

from __future__ import annotations

import re
from functools import lru_cache

from turnwise.batteries.ladder.moments import MomentView
from turnwise.stats.mtld import spoken_tokens

__all__ = ["LEAST_WORDS", "NEAR_COPY", "content_words", "questions_in", "said_again"]

NEAR_COPY = 0.8
"""Jaccard overlap of content words from which two utterances count as the same."""
LEAST_WORDS = 4
"""Fewer content words than this are a stock fragment ("Mm-hm.", "Hello again.", "Go on."): never a repetition."""
_SENTENCE = re.compile(r"[^.!?…]*[.!?…]+|[^.!?…]+$")
# Articles, pronouns, forms of be/have/do, prepositions, conjunctions. Not here: what decides what is asked (question
# words), negation and modal verbs.
_FUNCTION_WORDS = frozenset(
    "a an the this that these those there here "
    "i me my mine myself you your yours yourself he him his she her hers it its we us our ours they them their "
    "am is are was were be been being have has had having do does did doing done "
    "i'm i've i'd i'll you're you've you'd you'll he's she's it's we're we've they're they've that's there's "
    "of to in on at by for from with about into over and or but so as if than then "
    "oh ah mm hm mhm hmm uh-huh yeah yes okay ok well".split()
)


@lru_cache(maxsize=8_192)
def content_words(text: str) -> frozenset[str]:
    """Return the distinct words of a text without those that only hold it together (a closed English list).

    Examples
    --------
    >>> sorted(content_words("Well, what was it that you didn't tell him?"))
    ["didn't", 'tell', 'what']
    """
    return frozenset(spoken_tokens(text)) - _FUNCTION_WORDS


@lru_cache(maxsize=8_192)
def questions_in(text: str) -> tuple[frozenset[str], ...]:
    """Return the content words of each question in a text: of each sentence that ends in a question mark.

    Examples
    --------
    >>> [sorted(x) for x in questions_in("That's a lot. What went through your mind then? Go on.")]
    [['mind', 'through', 'went', 'what']]
    """
    return tuple(content_words(s) for s in _SENTENCE.findall(text) if s.rstrip().endswith("?"))


def _same(a: frozenset[str], b: frozenset[str]) -> bool:
    if min(len(a), len(b)) < LEAST_WORDS:
        return False
    return len(a & b) >= NEAR_COPY * len(a | b)


def said_again(view: MomentView) -> float:
    """Whether the therapist has said this reply, or asked one of its questions, before in this conversation.

    Definition: 1 when an earlier therapist turn of ``history`` and the reply, or a question of the one and a
    question of the other, have at least four content words each and a Jaccard overlap of content words of 0.8 or
    more; else 0. Every skill is worth ``raw * (1 - said_again)`` on every rung; a moment met alone has no
    history, so nothing is ever lost there.

    A lower bound of blindness to history, and no more. Not seen: a question asked before in other words, one that
    the patient has already answered unasked, advice given again in another wrapping, a template filled with other
    content, anything short. And not always a fault: who asks once more what was not answered, or gives the same
    honest answer to the same question, counts as repeating too. After a replayed history the words of whoever
    led it count as the therapist's own.

    Returns
    -------
    0.0 or 1.0; lower is better. No reply, no history, or a stock fragment: 0.0.

    References
    ----------
    Definition of this project; the overlap is that of Jaccard (1912), New Phytologist 11, 37-50.

    Examples
    --------
    >>> from turnwise.batteries.ladder.made_views import made_view
    >>> before = (("therapist", "What would you say to a friend in your place?"), ("patient", "No idea."))
    >>> asks = "I see. What would you say to a friend who was in your place?"
    >>> said_again(made_view("hint", reply=asks, history=before)), said_again(made_view("hint", reply=asks))
    (1.0, 0.0)
    """
    if view.reply is None:
        return 0.0
    words, asked = content_words(view.reply.text), questions_in(view.reply.text)
    for turn in view.history:
        if turn.speaker != "therapist":
            continue
        if _same(words, content_words(turn.text)):
            return 1.0
        if any(_same(q, before) for q in asked for before in questions_in(turn.text)):
            return 1.0
    return 0.0
