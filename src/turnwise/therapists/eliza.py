"""Keyword and reassembly, in the spirit of Weizenbaum 1966, with rules and wording of our own."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from numpy.random import Generator

from turnwise.core.nouns import Course, Intake, Reply, Transcript
from turnwise.core.registry import therapist
from turnwise.therapists.clauses import clauses, trim
from turnwise.therapists.pronouns import to_therapist_view
from turnwise.therapists.wording import last_said

__all__ = ["Eliza", "ElizaState", "eliza"]


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern with a rank, and the sentences into which what it caught is put together again."""

    rank: int
    pattern: re.Pattern[str]
    lines: tuple[str, ...]


def _rule(rank: int, pattern: str, *lines: str) -> Rule:
    return Rule(rank, re.compile(pattern, re.IGNORECASE), lines)


_FEELING = r"(sad|tired|lonely|afraid|scared|ashamed|guilty|angry|worried|numb|unhappy|depressed)\b"
_KIN = r"(mother|father|mum|mom|mama|dad|daughter|son|wife|husband|sister|brother|girlfriend|boyfriend|friend|boss)"

RULES: tuple[Rule, ...] = (
    _rule(
        9,
        r"\b(?:computer|machine|robot|program)s?\b",
        "Do machines trouble you?",
        "What has a machine to do with it?",
        "Would it be different with a person?",
    ),
    _rule(
        8,
        r"\bi (?:can't|cannot|can not) (.+)",
        "What stops you, do you think?",
        "You say you can't {0}. Since when?",
        "What would it be like if you could {0}?",
    ),
    _rule(8, r"\bi remember (.+)", "What else comes back when you remember {0}?", "Why {0}, just now?"),
    _rule(
        7,
        r"\bi(?:'m| am| was) (?:so |very |just |a bit |really )?" + _FEELING,
        "How long have you felt {0}?",
        "What comes with feeling {0}?",
        "Do you believe it is normal to be {0}?",
    ),
    _rule(
        6,
        r"\bi (?:want|need|would like|'d like) (?!to\b)(.+)",
        "What would it mean to you to have {0}?",
        "Suppose you had {0}. What then?",
    ),
    _rule(
        6,
        r"\bi(?: want|(?:'d| would) like) to (.+)",
        "What would it mean to you to {0}?",
        "What keeps you from it?",
    ),
    _rule(6, r"\bi (?:feel|felt) (.+)", "Do you often feel {0}?", "When else do you feel {0}?"),
    _rule(
        5,
        r"\bmy " + _KIN + r"\b",
        "Tell me more about your {0}.",
        "Who else comes to mind when you think of your {0}?",
        "What does your {0} mean to you?",
    ),
    _rule(
        5,
        r"\b(?:nobody|no one|everybody|everyone)\b",
        "Surely you are thinking of someone in particular?",
        "Who, for example?",
    ),
    _rule(5, r"\b(?:always|never)\b", "Can you think of a particular time?", "When, for instance?"),
    _rule(4, r"\bbecause (.+)", "Is that the real reason?", "What other reasons might there be?"),
    _rule(4, r"\bi (?:don't|do not) (?!know\b)(\w+.*)", "Why don't you {0}?", "Would you wish to {0}?"),
    _rule(3, r"\b(?:dream\w*|nightmare\w*)\b", "What does that dream suggest to you?", "Do you dream often?"),
    _rule(3, r"\b(?:sorry)\b", "There is no need to apologise.", "What do you feel when you apologise?"),
    _rule(3, r"\byou(?:'re| are) (.+)", "What makes you think I am {0}?", "Would you prefer it if I were not {0}?"),
    _rule(
        2,
        r"\bi(?:'m| am) (.+)",
        "How long have you been {0}?",
        "Did you come because you are {0}?",
        "What is it like to be {0}?",
    ),
    _rule(1, r"\?\s*$", "Why do you ask?", "What answer would please you most?", "What do you think?"),
    _rule(1, r"^\W*(?:yes|yeah|aye|yep)\b", "You seem quite certain.", "I see. Please go on.", "I understand."),
    _rule(1, r"^\W*(?:no|nope|nah)\b", "Why not?", "You are being a little negative.", "You say no. What then?"),
)
"""Higher rank first, as in the original's keyword stack; sentences of a rule are used in turn."""

FALLBACK: tuple[str, ...] = (
    "Please go on.",
    "What does that suggest to you?",
    "I am not sure I follow you fully.",
    "Can you say more about that?",
    "Does talking about this bother you?",
    "That is interesting. Please continue.",
    "How does that connect with the rest?",
    "Tell me more.",
    "What comes to mind?",
    "I see.",
    "Go on, please.",
    "What do you mean by that, exactly?",
)
RECALL: tuple[str, ...] = (
    "Let us go back to your {0}.",
    "Earlier you spoke of your {0}.",
    "Does that have anything to do with your {0}?",
)
_MINE = re.compile(r"\bmy ((?:\w+ ){0,2}\w{4,})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ElizaState:
    """How often each rule has spoken (index into its sentences), and what was put by for later."""

    turns: tuple[int, ...] = (0,) * (len(RULES) + 2)
    memory: tuple[str, ...] = ()


class Eliza:
    """Looks for the highest-ranked keyword and hands the rest back. No understanding is claimed."""

    def init(self, intake: Intake, rng: Generator, prior: Course | None = None) -> ElizaState:
        """Return the state before the first word."""
        return ElizaState()

    async def respond(self, state: ElizaState, transcript: Transcript, rng: Generator) -> Reply[ElizaState]:
        """Answer by keyword, else by something said earlier, else with an empty prompt."""
        if not transcript:
            return Reply("How do you do. Please tell me your problem.", state)
        said = last_said(transcript)
        kept = _MINE.search(said)
        memory = state.memory
        for i, rule in sorted(enumerate(RULES), key=lambda pair: -pair[1].rank):
            found = rule.pattern.search(said)
            if found:
                caught = _caught(found)
                line = rule.lines[state.turns[i] % len(rule.lines)]
                if "{0}" in line and not caught:
                    continue
                if kept and rule.rank < 5:
                    memory = (*memory, trim(to_therapist_view(kept[1])))[-4:]
                return Reply(line.format(caught), replace(_spoke(state, i), memory=memory))
        if memory:
            line = RECALL[state.turns[-2] % len(RECALL)].format(memory[0])
            return Reply(line, replace(_spoke(state, len(RULES)), memory=memory[1:]))
        return Reply(FALLBACK[state.turns[-1] % len(FALLBACK)], _spoke(state, len(RULES) + 1))


def _caught(found: re.Match[str]) -> str:
    if not found.groups() or found[1] is None:
        return ""
    first = clauses(found[1])[:1]
    words = to_therapist_view(first[0]).split()[:10] if first else []
    return " ".join(words)


def _spoke(state: ElizaState, rule: int) -> ElizaState:
    return replace(state, turns=tuple(n + (i == rule) for i, n in enumerate(state.turns)))


@therapist(
    name="eliza.v1",
    source="method: Weizenbaum 1966, Communications of the ACM 9(1); rules and wording written for turnwise",
    loses_on=("reflection_share", "trust_level"),
    must_lose=("attune", "guide", "provide", "safeguard", "own_up", "safety"),
)
def eliza() -> Eliza:
    """Keyword and reassembly: the patient's words handed back as a question.

    It is not the 1966 program: the method is, the rules are ours and fewer.
    """
    return Eliza()
