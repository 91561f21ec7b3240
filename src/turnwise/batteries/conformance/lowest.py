"""The patient turns of stored sessions that fit worst, for a person to read: worth more than any score."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from turnwise.batteries.conformance.fitting import NON_ANSWERS, chosen_probability
from turnwise.core.nouns import Trajectory, Turn
from turnwise.core.seeds import stable_hash

__all__ = ["BEFORE", "Low", "lowest"]

BEFORE = 3


@dataclass(frozen=True, slots=True)
class Low:
    """One patient turn that may not fit, with what came before it.

    Attributes
    ----------
    fit : probability that the patient's own ranking gave to what was said, 0 if not among its first
        three; ``None`` where nothing was ranked.
    reasons : why it is listed.
    before : the three turns before it, oldest first.
    """

    session: str
    turn: int
    fit: float | None
    reasons: tuple[str, ...]
    kind: str
    said: str
    before: tuple[Turn, ...]
    wanted: str

    def document(self) -> dict[str, Any]:
        """Return plain values."""
        return {
            "session_id": self.session,
            "turn": self.turn,
            "fit": None if self.fit is None else round(self.fit, 4),
            "reasons": list(self.reasons),
            "kind": self.kind,
            "said": self.said,
            "ranked_first": self.wanted or None,
            "before": [{"speaker": t.speaker, "text": t.text} for t in self.before],
        }


def _reasons(info: Mapping[str, Any], kind: str, fit: float | None) -> Iterator[str]:
    if fit == 0.0:
        yield "not among the first three of its own ranking"
    if info.get("scheduled"):
        yield "a planned moment that talked over a question" if fit == 0.0 else "a planned moment"
    if kind == "guard":
        yield "put the question off"
    elif kind in NON_ANSWERS:
        yield "did not answer"
    if fit is not None and 0.0 < fit < 0.2:
        yield "chosen although unlikely"


def _of(t: Trajectory) -> Iterator[Low]:
    for i, turn in enumerate(t.turns):
        info = t.info(i)
        said: Any = info.get("said")
        if turn.speaker != "patient" or not isinstance(said, dict):
            continue
        fit, kind = chosen_probability(info), str(said.get("kind"))
        reasons = tuple(_reasons(info, kind, fit))
        if not reasons or (fit is None and kind not in NON_ANSWERS and not info.get("scheduled")):
            continue
        top: Any = info.get("alternatives") or [{}]
        yield Low(
            session=t.session_id,
            turn=i,
            fit=fit,
            reasons=reasons,
            kind=kind,
            said=turn.text,
            before=tuple(t.turns[max(0, i - BEFORE) : i]),
            wanted=str(top[0].get("telling") or ""),
        )


def lowest(sessions: Iterable[Trajectory], n: int, *, unanswered: bool = False) -> list[Low]:
    """Return the ``n`` patient turns with the lowest fit, worst first; ``unanswered``: only questions put off.

    Listed are: replies to which the patient's own ranking gave less than .2, or that were not among its
    first three; honest non-answers; guards; planned moments. In order: by that probability, then those
    where nothing was ranked; ties by a hash of session and turn, so that one session cannot fill the
    list. Not a list of mistakes: a non-answer to an odd question is as it should be. That is for the
    reader to say. What was put off is what to write next (docs/writing-a-case.md). Empty where the
    sessions hold no truth record.

    Raises
    ------
    ValueError : ``n`` is below 1.
    """
    if n < 1:
        raise ValueError(f"n is {n}; at least one turn has to be asked for.")

    def order(low: Low) -> tuple[float, int]:
        return (2.0 if low.fit is None else low.fit, stable_hash(f"{low.session}/{low.turn}"))

    found = (low for t in sessions for low in _of(t) if not unanswered or _puts_off(low))
    return heapq.nsmallest(n, found, key=order)


def _puts_off(low: Low) -> bool:
    """Whether a question that was put went unanswered."""
    asked = bool(low.before) and "?" in low.before[-1].text
    return asked and low.kind in NON_ANSWERS and low.kind != "nonsense"
