"""From sessions to cells: every skill at every moment that calls for it, live, replayed or alone."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias, cast

from turnwise.batteries.ladder.freshness import DUE_AGAIN, blind_to_history, faults_of
from turnwise.batteries.ladder.moments import RUNGS, Cell, MomentView, Rung, moment_key, views_of
from turnwise.core.errors import ContractError, UndefinedError
from turnwise.core.nouns import Moment, Score, Trajectory, unscored
from turnwise.core.registry import SKILLS, Entry
from turnwise.reading.echo import is_echo

__all__ = ["PlannedMoment", "cells_of", "cells_of_reply", "judge", "patient_of", "planned_in", "therapist_of"]

Skills: TypeAlias = Sequence[Entry[Callable[..., Any]]]


@dataclass(frozen=True, slots=True)
class PlannedMoment:
    """A scheduled moment as the bank session of its patient met it; ``position`` is the row of the turn there."""

    patient: str
    epoch: int
    key: str
    moment: str
    position: int


_ROOM = 4
"""Exchanges before the end of a session within which a moment that is due may still be waiting for room."""


def patient_of(t: Trajectory) -> str:
    """Return who the unit is: patient and case of a played session, else the series or the session itself."""
    return f"{t.spec.patient}:{t.spec.case}" if t.spec else str(t.meta.get("series", t.session_id))


def therapist_of(t: Trajectory) -> str:
    """Return who treated: the therapist of a played session, else the source of the transcript."""
    return t.spec.therapist if t.spec else t.source


def judge(entry: Entry[Callable[..., Any]], view: MomentView) -> Score:
    """Return what a skill is worth at one moment: its raw value, less what is blind to the history; an echo is 0.

    A fault of the skill stays in its own cell (``failed``), as with measures. A value outside [0, 1] is one.

    Examples
    --------
    >>> from turnwise.batteries.ladder.made_views import made_view
    >>> from turnwise.batteries.skills import infer  # registers it
    >>> view = made_view("hint", {"hint_reply": "checks"})
    >>> judge(SKILLS.get("infer"), view).value
    1.0
    """
    try:
        score = entry.obj(view)
    except UndefinedError as undefined:
        return unscored(undefined.code, undefined.detail)
    except Exception as fault:  # its own cell only: the others must not move
        return unscored("failed", f"{entry.name} raised {type(fault).__name__}: {fault}")
    if not isinstance(score, Score):
        return unscored("failed", f"{entry.name} returned {type(score).__name__} instead of a Score")
    if score.value is None:
        return score
    if not 0.0 <= score.value <= 1.0:
        return unscored("failed", f"{entry.name} gave {score.value!r}, outside [0, 1]")
    if score.value > 0.0 and view.reply and is_echo(view.reply.text, view.said.text):
        return Score(0.0, score.n, None, f"{score.value:g} by its labels, but only the patient's own words given back")
    blind = blind_to_history(view) if score.value > 0.0 else 0.0
    if blind > 0.0:
        why = ", ".join(faults_of(view))
        return Score(score.value * (1.0 - blind), score.n, None, f"{score.value:g} alone; in this history: {why}")
    return score


def planned_in(bank: Trajectory) -> tuple[PlannedMoment, ...]:
    """Return the scheduled moments of a bank session, each key once, in order.

    Examples
    --------
    >>> planned_in(Trajectory(session_id="s", source="x"))
    ()
    """
    found: dict[str, PlannedMoment] = {}
    for turn, view in views_of(bank):
        key = moment_key(view.truth)
        if key and view.truth.get("scheduled") is True and key not in found:
            epoch = bank.spec.epoch if bank.spec else 0
            found[key] = PlannedMoment(patient_of(bank), epoch, key, str(view.moment), turn)
    return tuple(found.values())


def _readable(t: Trajectory) -> Trajectory:
    """Return the session without readings of another version of it: what they said is of other turns."""
    kept = {k: r for k, r in t.ratings.items() if len(getattr(r, "codes", ())) == len(t.turns)}
    return t if len(kept) == len(t.ratings) else t.with_ratings(kept)


def cells_of(
    session: Trajectory,
    rung: Rung = "sustain",
    *,
    planned: Iterable[PlannedMoment] = (),
    skills: Skills | None = None,
    hollow: Collection[int] = (),
) -> list[Cell]:
    """Return every skill at every moment of one session that calls for it, and at those that never came.

    A moment is scheduled when the patient says so, or when it is the first telling of a key that was planned for
    this patient and epoch: a telling that was asked for before its turn is the same moment. A planned
    moment that never came is a cell with value 0 and ``reached`` false, its ``position`` that of the bank: the patient
    had left, or what the therapist did left no room for it. Only where it was due in the last four exchanges of a
    session whose planned length was over has it no value (``not_applicable``). Where the therapist never
    said a word in the whole session, nothing was met. In a session that ended in an error nothing has a value
    (``session_error``), reached or not. Of a transcript no moment is scheduled, and the patient is its series (or
    itself).

    Parameters
    ----------
    session : with readings attached.
    rung : ``sustain`` for a live session and for transcripts.
    planned : what the bank sessions scheduled (``planned_in``), of any patients; others are passed over.
    skills : entries to judge by; ``None`` = the newest of each that is registered.
    hollow : therapist turns that are nothing but what this therapist says to whatever comes (``ladder.stock``): 0.
    """
    use = SKILLS.newest() if skills is None else skills
    t = _readable(session)
    first = _first_cell(t, rung)
    due = {m.key: m for m in planned if (m.patient, m.epoch) == (first.patient, first.epoch)}
    cells: list[Cell] = []
    for turn, view in views_of(t):
        key = moment_key(view.truth)
        expected = due.get(key)
        same = expected is not None and expected.moment == str(view.moment)
        scheduled = view.truth.get("scheduled") is True or same
        if same:
            del due[key]
        here = replace(first, key=key, moment=str(view.moment), scheduled=scheduled, position=turn)
        cells += _judged(t, here, view, use, turn + 1 in hollow)
    for m in due.values():
        here = replace(first, key=m.key, moment=m.moment, scheduled=True, position=m.position, reached=False)
        cells += _never_came(t, here, use)
    return [_said_nothing(c) for c in cells] if _mute(t) else cells


def _mute(t: Trajectory) -> bool:
    """Whether the therapist never said a word: one blank reply is a fault, a session of them is a manner."""
    own = [turn for turn in t.turns if turn.speaker == "therapist"]
    return t.ending != "error" and len(own) > 1 and not any(turn.text.strip() for turn in own)


def _said_nothing(c: Cell) -> Cell:
    if c.skill == "ground":
        return replace(c, value=None, code="no_denominator", detail="nothing is claimed by saying nothing")
    return replace(c, value=0.0, code=None, detail="the therapist said nothing in the whole session")


def cells_of_reply(t: Trajectory, *, skills: Skills | None = None, hollow: bool = False) -> list[Cell]:
    """Return every skill that one moment calls for, judged on the reply that ends a show or resume trajectory.

    ``hollow``: the reply is nothing but what this therapist says to whatever comes, and worth 0.

    The last patient turn is the moment; what comes after it is the reply, what comes before it the history.
    ``meta`` says ``rung``, ``key``, ``position`` and ``moment``; the truth of the moment is in its info.

    Raises
    ------
    ContractError : ``meta`` lacks one of these, or the trajectory has no patient turn.
    """
    use = SKILLS.newest() if skills is None else skills
    missing = [k for k in ("rung", "key", "position", "moment") if k not in t.meta]
    asked = [i for i, turn in enumerate(t.turns) if turn.speaker == "patient"]
    if missing or not asked or t.meta["rung"] not in RUNGS:
        raise ContractError(
            f"{t.session_id!r} is no reply to a moment: meta lacks {missing}, names no rung, or no patient speaks."
        )
    t = _readable(t)
    at = asked[-1]
    moment, position = Moment(str(t.meta["moment"])), int(cast(int, t.meta["position"]))
    after = t.turns[at + 1] if at + 1 < len(t.turns) else None
    view = MomentView(moment, "truth", t.turns[:at], t.turns[at], after, t.ratings, at + 1, t.info(at))
    first = _first_cell(t, cast(Rung, t.meta["rung"]))
    here = replace(first, key=str(t.meta["key"]), moment=str(moment), scheduled=True, position=position)
    return list(_judged(t, here, view, use, hollow))


def _first_cell(t: Trajectory, rung: Rung) -> Cell:
    """Return a cell with what is the same in all cells of a session."""
    epoch = t.spec.epoch if t.spec else 0
    return Cell(therapist_of(t), patient_of(t), epoch, "", "", "", rung, False, -1, None)


def _calling(skills: Skills, moment: str) -> Iterator[Entry[Callable[..., Any]]]:
    return (entry for entry in skills if moment in {str(m) for m in entry.spec["moments"]})


def _judged(t: Trajectory, here: Cell, view: MomentView, skills: Skills, hollow: bool) -> Iterator[Cell]:
    for entry in _calling(skills, here.moment):
        score = judge(entry, view) if t.ending != "error" else unscored("session_error", t.error or "")
        if hollow and score.value and not DUE_AGAIN.issuperset(entry.spec["moments"]):
            score = Score(0.0, score.n, None, f"{score.value:g} by its labels, but said to whatever comes")
        read = _read_in(view, entry.spec.get("needs", ()))
        yield replace(here, skill=entry.base, value=score.value, code=score.code, detail=score.detail, read=read)


def _read_in(view: MomentView, items: Iterable[str]) -> str:
    """Return what the raters said of a reply in words: label and probability by item."""
    found = [(item, label) for item in items if (label := view.label(item)) is not None]
    return "; ".join(f"{item} {label} ({view.p(item, label) or 0.0:.2f})" for item, label in found)


def _never_came(t: Trajectory, here: Cell, skills: Skills) -> Iterator[Cell]:
    why = f"never came in this session, which ended {t.ending}"
    for entry in _calling(skills, here.moment):
        if t.ending == "error":
            yield replace(here, skill=entry.base, code="session_error", detail=t.error or "")
        elif t.ending == "max_turns" and here.position >= len(t.turns) - 2 * _ROOM:
            # Nobody left: the patient was still answering when the planned length was over.
            yield replace(here, skill=entry.base, code="not_applicable", detail="the session was over before it came")
        else:
            yield replace(here, skill=entry.base, value=0.0, detail=why)
