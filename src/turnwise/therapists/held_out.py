"""What somebody holds out and has not yet said: a skipped question, a saying, a plan, years, what others think."""

from __future__ import annotations

import re

__all__ = ["DIRECT"]

DIRECT: tuple[tuple[str, re.Pattern[str], tuple[str, ...]], ...] = (
    (
        "skipped",
        re.compile(
            r"\b(?:skipped|left out|missed out|didn't (?:answer|fill in)|left\b.{0,14}\b(?:blank|empty))\b.{0,16}\b"
            r"(?:question|box|item|page)\b|\bleft (?:a|one|that|the) question (?:blank|empty|out)\b",
            re.IGNORECASE,
        ),
        ("Which question was it?", "What was the question about?", "What did the question ask?"),
    ),
    (
        "saying",
        re.compile(
            r"\b(?:people|they|we|folk|folks|neighbours|old ones) (?:say|have|tell)(?: \w+)? (?:a|one|this) "
            r"(?:thing|saying|word|proverb)\b",
            re.IGNORECASE,
        ),
        ("What do they say?", "How does it go?"),
    ),
    (
        "plan",
        re.compile(r"^(?:(?:well|maybe|perhaps|um|so)[, ]+)*i (?:could|might)(?! not\b)(?: \w+){3,}", re.IGNORECASE),
        ("When might that be?", "How would you begin?", "What would help, so that it comes off?"),
    ),
    (
        "overlooked",
        re.compile(r"\b(?:nobody|no one) (?:asked|rang|told|consulted|warned) me\b", re.IGNORECASE),
        (
            "It was settled without you, by the sound of it. How did that sit with you?",
            "So it was arranged over your head. How did you take that?",
        ),
    ),
    (
        "reported",
        re.compile(
            r"\b[A-Z]\w+\b[^.?!]{0,25}\b(?:said|says|thinks|reckons) (?:that )?(?:she|he|they|I)\b(?:'d| would| should|"
            r" ought| might)"
        ),
        ("How do you see it, yourself?", "What do you make of that, yourself?"),
    ),
    (
        "years",
        re.compile(r"^(?:(?:\S+ ){0,5})(?:\w+ )?years\b(?:\W+\S+){0,6}\W*$", re.IGNORECASE),
        ("That's a long time. What has it been like?", "That's a long while. What have those years been like?"),
    ),
)
"""What somebody has held out and not yet said is asked for, before anything else."""
