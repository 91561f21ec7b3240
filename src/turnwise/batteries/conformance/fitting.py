"""Whether replies fit what nobody planned for: questions of human therapists, and long turns of language models."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from turnwise.core.nouns import Score, Trajectory, unscored

__all__ = ["NON_ANSWERS", "Length", "Unplanned", "chosen_probability", "fit_gap", "fit_share", "fits", "non_answers"]

Length: TypeAlias = Literal["short", "long"]
NON_ANSWERS = frozenset(("undecided", "unanswerable", "thin", "why_unknown", "guard", "nonsense", "not_mine"))
"""Kinds of reply (truth record) that honestly say that there is, or for now will be, no answer."""
_TOP_BY_RULE = frozenset(("fact", "absent", "repeated", "risk", "yes_no", "chose"))
_TAKES_UP = frozenset(("advice", "accept"))
_WENT_ON = frozenset(("continue", "leads_to", "deeper"))


@dataclass(frozen=True, slots=True)
class Unplanned:
    """A therapist's turn that was written by somebody who had not read the case; ``asks`` if it holds a question."""

    length: Length
    text: str
    asks: bool = True


PlayedLines: TypeAlias = tuple[Sequence[Unplanned], Trajectory]
"""The unplanned turns of a session, in order, and the session."""


def _said(info: Mapping[str, Any]) -> Mapping[str, Any]:
    said = info.get("said")
    return said if isinstance(said, dict) else {}


def fits(info: Mapping[str, Any]) -> bool | None:
    """Whether a reply fits the question before it, by the patient's own ranking; ``None`` without a truth record.

    Definition: what was said (or what was withheld in its favour) stands among the first three options of
    the ranking in ``alternatives``; or the reply is a fact, proposition, absence or repeated answer, which
    are only given when they rank first; or "and then?" was answered by going on; or it is an honest
    non-answer (``NON_ANSWERS``); or it takes up what the turn did besides asking: advice is met as advice,
    help that was asked for as help. Everything else does not fit, a scheduled interruption included.
    Not whether the ranking is right: that is measured on probes that people wrote and judged. A non-answer
    counts as fitting even where the ranking was sure of an answer, and a planned moment that is led in by a
    short answer counts as not fitting, since the record does not name that answer: the figure errs both ways.
    """
    said = _said(info)
    if not said:
        return None
    kind = said.get("kind")
    if kind in NON_ANSWERS or kind in _TOP_BY_RULE or kind in _TAKES_UP:
        return True
    top = [str(o.get("telling")) for o in info.get("alternatives") or ()]
    if not top:
        return kind in _WENT_ON and info.get("why") == "asked for more"
    return said.get("telling") in top or info.get("withheld") in top


def chosen_probability(info: Mapping[str, Any]) -> float | None:
    """Return the probability that the ranking gave to what was said, 0 if it was not among the first three.

    ``None`` where nothing was ranked (no question was heard). In [0, 1].
    """
    options = {str(o["telling"]): float(o["score"]) for o in info.get("alternatives") or ()}
    if not options:
        return None
    said = _said(info)
    for name in (said.get("telling"), info.get("withheld")):
        if name in options:
            return math.exp(min(0.0, options[str(name)]))
    return max(map(math.exp, options.values())) if said.get("kind") in _TOP_BY_RULE else 0.0


def _verdicts(played: Sequence[PlayedLines], length: Length) -> list[tuple[bool | None, Any]]:
    found = []
    for lines, t in played:
        infos = [t.info(i) for i, turn in enumerate(t.turns) if turn.speaker == "patient"]
        # The first line of such a session is a plain opening; the unplanned turns follow it.
        for line, info in zip(lines, infos[1:], strict=False):
            if line.asks and line.length == length:
                found.append((fits(info), info))
    return found


def fit_share(played: Sequence[PlayedLines], length: Length) -> Score:
    """Return the share of unplanned therapist questions whose reply fits (``fits``).

    Parameters
    ----------
    played : sessions with the unplanned turns that came after their opening line, in order.
    length : ``"short"`` (as people say them) or ``"long"`` (120 to 170 words, as language models do).

    Returns
    -------
    Share in [0, 1]; higher is better. n = questions, each under several seeds: they are not independent.
    ``detail`` counts honest non-answers among those
    that fit, and scheduled interruptions among those that do not. Undefined: no such question was
    played (``no_denominator``), or no truth record (``needs_truth``).

    Source
    ------
    Fit score of shared/patients.md section 6.
    """
    verdicts = _verdicts(played, length)
    known = [(fit, info) for fit, info in verdicts if fit is not None]
    if not known:
        if verdicts:
            return unscored("needs_truth", "no truth record")
        return unscored("no_denominator", f"no {length} question was played")
    empty = sum(_said(info).get("kind") in NON_ANSWERS for _, info in known)
    free = [bool(fit) for fit, info in known if fit or not info.get("scheduled")]
    detail = f"{empty} honest non-answers, {len(known) - len(free)} scheduled interruptions of {len(known)}"
    detail += f"; without these {sum(free) / len(free):.3f}" if free else ""
    return Score(sum(bool(fit) for fit, _ in known) / len(known), len(known), detail=detail)


def fit_gap(played: Sequence[PlayedLines]) -> Score:
    """Return the fit to long therapist turns minus the fit to short ones.

    Difference in [-1, 1]; above -.1 is wanted. n = long questions. Only fair where both stood equally
    late in their sessions and under the same seeds (planned moments come later on). Undefined as ``fit_share``.
    Source: issue 4, "model-length therapist turns no worse in fit than short ones by more than 0.1".
    """
    short, long = fit_share(played, "short"), fit_share(played, "long")
    if short.value is None or long.value is None:
        return short if short.value is None else long
    detail = f"short {short.value:.3f} ({short.detail}), long {long.value:.3f} ({long.detail})"
    return Score(long.value - short.value, long.n, detail=detail)


def non_answers(ts: Sequence[Trajectory]) -> Score:
    """Return the share of patient turns after a therapist's question mark that are honest non-answers.

    Share in [0, 1]; n = such turns. Not a fault as such: to most odd questions there is no answer; the
    bound of .15 is for whole sessions (shared/patients.md section 6). Undefined: no question
    (``no_denominator``), or no truth record (``needs_truth``).
    """
    asked = [
        _said(t.info(i + 1))
        for t in ts
        for i, turn in enumerate(t.turns[:-1])
        if turn.speaker == "therapist" and "?" in turn.text and t.turns[i + 1].speaker == "patient"
    ]
    known = [s for s in asked if s]
    if not known:
        return unscored(
            "needs_truth" if asked else "no_denominator", "nothing was asked, or nothing says what was said"
        )
    return Score(sum(s.get("kind") in NON_ANSWERS for s in known) / len(known), len(known))
