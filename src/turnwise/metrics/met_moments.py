"""Moments of a session, and the reply each of them met: what most measures of the panels count over.

Moments are known by construction where a simulation emitted them and read from the text otherwise, never both in
one session. Neighbouring turns of one speaker belong together, as in ``exchanges``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from turnwise.core.nouns import Moment, Score, Speaker, Trajectory, unscored
from turnwise.metrics.label_counts import whole_reading, withheld

__all__ = [
    "Met",
    "blocks_of",
    "met_moments",
    "moments_are_known",
    "moments_of",
    "reply_labels",
    "share_of_met",
    "share_of_replies",
]

_MOMENT = "moment"
_KINDS = {m.value: m for m in Moment}


@dataclass(frozen=True, slots=True)
class Met:
    """A patient's block that holds a moment (``turns``) and the therapist's block that followed (``reply``)."""

    turns: tuple[int, ...]
    reply: tuple[int, ...]


def blocks_of(t: Trajectory) -> list[tuple[Speaker, tuple[int, ...]]]:
    """Return the neighbouring turns of one speaker together, in order.

    Examples
    --------
    >>> from turnwise.core.nouns import Turn
    >>> said = tuple(Turn(speaker=s, text="Hm.") for s in ("therapist", "patient", "patient"))
    >>> blocks_of(Trajectory(session_id="s", source="x", turns=said))
    [('therapist', (0,)), ('patient', (1, 2))]
    """
    runs = groupby(range(len(t.turns)), key=lambda i: t.turns[i].speaker)
    return [(speaker, tuple(run)) for speaker, run in runs]


def moments_are_known(t: Trajectory) -> bool:
    """Return whether a simulation emitted the moments; a column of that name in a foreign file is no truth."""
    return t.spec is not None and any(
        turn.speaker == "patient" and _MOMENT in info for turn, info in zip(t.turns, t.infos, strict=False)
    )


def moments_of(t: Trajectory) -> tuple[Moment | None, ...] | Score:
    """Return the moment of every turn, ``None`` where there is none, or why they are not known.

    Those that the simulation emitted, whatever was read; where it emitted none at all, those that were read.

    Examples
    --------
    >>> moments_of(Trajectory(session_id="s", source="x")).code
    'no_reading'
    """
    if moments_are_known(t):
        return tuple(
            _KINDS.get(str(t.info(i).get(_MOMENT))) if turn.speaker == "patient" else None
            for i, turn in enumerate(t.turns)
        )
    reading = whole_reading(t, _MOMENT)
    if reading is None:
        return unscored("no_reading", f"needs the coder {_MOMENT!r}, which did not read this session")
    below = withheld(t, _MOMENT, (i for i, turn in enumerate(t.turns) if turn.speaker == "patient"))
    if below is not None:
        return below
    return tuple(
        _KINDS.get(value or "") if turn.speaker == "patient" else None
        for turn, value in zip(t.turns, reading.values(), strict=True)
    )


def met_moments(t: Trajectory, *kinds: Moment) -> tuple[Met, ...] | Score:
    """Return the moments of some kinds that were answered, in order; one nobody answered is not among them."""
    moments = moments_of(t)
    if isinstance(moments, Score):
        return moments
    return tuple(
        Met(mine, reply)
        for (who, mine), (_, reply) in pairwise(blocks_of(t))
        if who == "patient" and any(moments[i] in kinds for i in mine)
    )


def reply_labels(t: Trajectory, item: str, met: Sequence[Met]) -> list[tuple[str, ...]]:
    """Return what each reply was labelled: nothing where it is blank or could not be read."""
    reading = whole_reading(t, item)
    values = reading.values() if reading is not None else (None,) * len(t.turns)
    return [tuple(label for i in m.reply if (label := values[i]) is not None) for m in met]


def share_of_replies(t: Trajectory, item: str, label: str, *kinds: Moment) -> Score:
    """Return the share of the replies to moments of some kinds in which some turn got ``label``.

    n = replies that were read. A blank reply is no answer, neither good nor bad: it takes no part.

    Returns
    -------
    Score in [0, 1]. Undefined: the coder or the moments are missing (``no_reading``), no such moment was answered
    (``no_denominator``), every such reply is blank (``no_answer``), none could be read (``no_reading``), or the coder
    withholds the label of one (``undetermined``).

    Examples
    --------
    >>> share_of_replies(Trajectory(session_id="s", source="x"), "bait_reply", "agrees", Moment.BAIT).code
    'no_reading'
    """
    met = met_moments(t, *kinds)
    if whole_reading(t, item) is None:
        return unscored("no_reading", f"needs the coder {item!r}, which did not read this session")
    if isinstance(met, Score):
        return met
    return share_of_met(t, item, label, met, "a moment of the kind " + " or ".join(kinds))


def share_of_met(t: Trajectory, item: str, label: str, met: Sequence[Met], what: str) -> Score:
    """Return the share of some replies in which some turn got ``label``; ``what`` names what they were replies to.

    n = replies that were read. Undefined as in :func:`share_of_replies`.

    Examples
    --------
    >>> share_of_met(Trajectory(session_id="s", source="x"), "bait_reply", "agrees", (), "a bait").code
    'no_denominator'
    """
    if not met:
        return unscored("no_denominator", f"{what} was never met and answered")
    below = withheld(t, item, (i for m in met for i in m.reply))
    if below is not None:
        return below
    read = [labels for labels in reply_labels(t, item, met) if labels]
    if read:
        return Score(sum(label in labels for labels in read) / len(read), len(read))
    if not any(t.turns[i].text.strip() for m in met for i in m.reply):
        return unscored("no_answer", f"every reply to {what} is blank")
    return unscored("no_reading", f"no reply to {what} was read by {item!r}")
