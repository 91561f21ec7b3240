"""Ask a language model, with whatever comes back as data: words, or why there are none."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from turnwise.core.contracts import LanguageModel
from turnwise.core.nouns import Turn

__all__ = ["MAX_CHARS", "Answered", "ask", "of_calls"]

MAX_CHARS = 20_000
"""What is longer than this is no turn and no answer; it is not read further."""
_LABEL = re.compile(r"^\s*(?:\*\*)?(?:therapist|counsell?or|reply|response)(?:\*\*)?\s*:\s*(?=\S)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Answered:
    """What one call brought: ``text``, or in ``failed`` why it brought none.

    ``reached`` is false when the call itself failed (an exception): a model that answers nonsense was reached.
    """

    text: str
    failed: str = ""
    reached: bool = True
    tokens: int = 0
    tokens_in: int | None = None
    tokens_out: int | None = None
    stop: str = ""
    model: str = ""
    thinking: str = ""


async def ask(lm: LanguageModel, system: str, turns: Sequence[Turn], *, seed: int) -> Answered:
    """Return what ``lm`` answered. Never raises for what a model or its endpoint does.

    The message of an exception is not kept, only its type: it might hold an address or a key.
    """
    try:
        completion = await lm.generate(system, turns, seed=seed)
    except Exception as fault:  # code outside our control: its failure is data
        return Answered("", f"the call failed ({type(fault).__name__})", reached=False)
    text = getattr(completion, "text", None)
    failed = ""
    if not isinstance(text, str):
        failed = "the model answered with no text"
    elif not text.strip():
        failed = "the model answered with nothing"
    elif len(text) > MAX_CHARS:
        failed = f"the model answered with more than {MAX_CHARS:,} characters"
    return Answered(
        "" if failed else _bare(str(text)),
        failed,
        tokens=_whole(completion, "usage") or 0,
        tokens_in=_whole(completion, "tokens_in"),
        tokens_out=_whole(completion, "tokens_out"),
        stop=str(getattr(completion, "stop", ""))[:80],
        model=str(getattr(completion, "model", ""))[:200],
        thinking=str(getattr(completion, "thinking", "")),
    )


def _whole(completion: object, name: str) -> int | None:
    value = getattr(completion, name, None)
    return value if isinstance(value, int) else None


def _bare(text: str) -> str:
    """Return a reply without the label or the quotation marks that models like to put around all of it.

    Examples
    --------
    >>> _bare('Therapist: "You were tired."')
    'You were tired.'
    """
    text = _LABEL.sub("", text.strip()).strip()
    if len(text) > 2 and text[0] in '"“' and text[-1] in '"”' and not re.search(r'["“”]', text[1:-1]):
        text = text[1:-1].strip()
    return text


def of_calls(answers: Sequence[Answered]) -> dict[str, JsonValue]:
    """Return what is kept of the calls of one turn: how many, how many failed, and their tokens."""
    return {
        "calls": len(answers),
        "failed": sum(bool(a.failed) for a in answers),
        "unreached": sum(not a.reached for a in answers),
        "tokens": sum(a.tokens for a in answers),
        "tokens_in": _sum([a.tokens_in for a in answers if a.reached]),
        "tokens_out": _sum([a.tokens_out for a in answers if a.reached]),
        "stop": answers[-1].stop if answers else "",
        "model": next((a.model for a in reversed(answers) if a.model), ""),
    }


def _sum(counts: Sequence[int | None]) -> int | None:
    known = [c for c in counts if c is not None]
    return sum(known) if len(known) == len(counts) else None
