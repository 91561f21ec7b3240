"""The fitted family: patients who move as human clients did from turn to turn, with no theory of why.

What the transcripts give: the kind of a client's next talk and its length by the therapist's move and
what went before (AnnoMI); how helpful seekers found replies, and how far their feeling eased, by the
supporter's move (ESConv, with the failed ones). What they do not give is a state: how talk is read as
trust, openness, reactance and conviction is a stated convention (``READ_AS``), the same for everybody.
So a conclusion that holds here and in the principled family does not hang on the principles.

Nobody leaves in these data; hazards of leaving, evidence and insight are the principled family's. That
telling something raw stirs a person up is one of its principles, and is left out here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
from numpy.random import Generator
from scipy.special import ndtri

from turnwise.core.registry import patient
from turnwise.patients.change_sizes import VALUES
from turnwise.patients.dynamics import strained
from turnwise.patients.mind import MANY, Columns, Impact, Mind, Number, columns_of, rows_of
from turnwise.patients.stateful import EMITS, Family, Stateful
from turnwise.patients.transition_model import KEEPS, features, load_transitions, p_talk, said_length
from turnwise.reading.ears.hearing import Ear, Hearing

__all__ = ["READ_AS", "fitted", "fitted_step", "fitted_step_many", "moves_of"]

READ_AS: Mapping[str, tuple[float, str]] = {
    "trust": (0.1, "trust per step of the scale of helpfulness (1 to 5) above what is usual"),
    "conviction": (0.02, "conviction per turn of sustain talk, and as much back per turn of change talk"),
    "met": (0.2, "being met per step of talk above the middle of its scale"),
}
"""How what was fitted is read as a state: name to (value, meaning). Free, all of it."""


def moves_of(heard: Impact) -> tuple[float, float, float, float]:
    """Return shares of question, reflection, input and other, from how a turn lands; for turns without an ear.

    Examples
    --------
    >>> moves_of(Impact(reflection=0.9)), moves_of(Impact())
    ((0.0, 1.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0))
    """
    gives = max(heard.advice, heard.challenge, float(heard.counters), float(heard.accuses))
    found = (float(heard.questions > 0), heard.reflection, gives)
    total = sum(found)
    if total == 0.0:
        return 0.0, 0.0, 0.0, 1.0
    question, reflection, given = (x / total for x in found)
    return question, reflection, given, 0.0


def _moved(m: Number, moves: Any, heard: Number, luck: Any) -> dict[str, Any]:
    """Return the new fields; ``luck`` (..., 2) holds a uniform and a standard normal draw."""
    w = load_transitions()["weights"]
    x = features(moves, heard.words, m.last_talk, m.leaning, m.talk)
    p, u = p_talk(x, w["talk"]), luck[..., 0]
    kind = np.where(u < p[..., 0], 0, np.where(u < p[..., 0] + p[..., 1], 1, 2))
    length = said_length(x, w["length"], luck[..., 1])
    k, move = m.sizes.of, np.asarray(moves, dtype=np.float64)
    helpful, eased = np.zeros(x.shape[:-1]), np.zeros(x.shape[:-1])
    for i in range(4):
        helpful = helpful + move[..., i] * w["helpful"][i]
        eased = eased + move[..., i] * w["eased"][i]
    leaning = KEEPS * m.leaning + (1.0 - KEEPS) * 0.5 * kind
    talk = KEEPS * m.talk + (1.0 - KEEPS) * length
    reactance = k["link_calm"] + (p[..., 2] - k["link_share"]) / k["link_slope"]
    return {
        "trust": np.clip(m.trust + READ_AS["trust"][0] * (helpful - w["helpful_usual"]), 0.0, 1.0),
        "reactance": np.clip(reactance, 0.0, 1.0),
        "distress": np.clip(m.distress - eased, 0.0, 1.0),
        "conviction": np.clip(m.conviction + READ_AS["conviction"][0] * (kind - 1.0), 0.0, 1.0),
        "met": np.clip(READ_AS["met"][0] * (talk - 0.5), 0.0, 1.0),
        "leaning": leaning,
        "talk": talk,
        "last_talk": kind,
    }


def fitted_step_many(minds: Columns, heard: Columns | Impact, luck: Any, moves: Any = None) -> Columns:
    """Return the states of many minds after a turn each, as human clients moved.

    Parameters
    ----------
    minds, heard : as in ``dynamics.step_many``; of an impact, only words, silence and the question for
        evidence are read, and the moves where none are given.
    luck : (..., 2) a uniform draw (which talk) and a standard normal one (how long).
    moves : (..., 4) probabilities of question, reflection, therapist input and other.

    Returns
    -------
    The minds after it. Silence has no counterpart in the transcripts and moves nothing.
    """
    if moves is None:
        rows = _impacts_of(heard) if isinstance(heard, Columns) else [heard]
        moves = np.array([moves_of(h) for h in rows])
    new = _moved(minds, moves, heard, np.asarray(luck, dtype=np.float64))
    quiet = np.asarray(heard.silence) | np.asarray(heard.minimal)
    new = {name: np.where(quiet, getattr(minds, name), x) for name, x in new.items()}
    new["turn"] = minds.turn + 1
    new["pushed_back"] = minds.pushed_back & False
    new["evidence_asked"] = minds.evidence_asked + np.where(heard.evidence_question, 1, 0)
    return minds.but(**new, **strained(minds, new, MANY))


def _impacts_of(heard: Columns) -> list[Impact]:
    """Return each column of many impacts as one."""
    names = [n for n in Impact.__slots__ if n in heard.of]
    rows = zip(*(np.asarray(heard.of[n]).tolist() for n in names), strict=True)
    return [Impact(**dict(zip(names, row, strict=True))) for row in rows]


def fitted_step(
    m: Mind, heard: Impact, luck: npt.ArrayLike, moves: npt.ArrayLike | None = None
) -> tuple[Mind, tuple[str, ...]]:
    """Return the state after a therapist's turn, as human clients moved, and the kind of talk it drew.

    One mind of ``fitted_step_many``, by the same arithmetic.

    Examples
    --------
    >>> after, why = fitted_step(Mind(), Impact(questions=1, words=9), (0.01, 0.0))
    >>> why, after.leaning < 0.5
    (('change talk',), True)
    """
    given = moves_of(heard) if moves is None else moves
    row = fitted_step_many(columns_of([m]), heard, np.asarray(luck)[None, :], np.asarray(given)[None, :])
    after = next(rows_of(row))
    kind = ("change talk", "neutral talk", "sustain talk")[int(after.last_talk)]
    return replace(after, gain=m.gain), () if heard.silence or heard.minimal else (kind,)


def _as_fitted(mind: Mind, impact: Impact, hearing: Hearing, rng: Generator) -> tuple[Mind, tuple[str, ...]]:
    luck = (rng.random(), float(ndtri(rng.random())))
    return fitted_step(mind, impact, luck, hearing.p.get("therapist_behaviour"))


def _tells(mind: Mind) -> dict[str, Any]:
    kind = ("change", "neutral", "sustain")[int(mind.last_talk)]
    return {"sizes": "fitted", "talk": kind, "leaning": round(mind.leaning, 6), "level": round(mind.talk, 6)}


@patient(
    name="fitted.v1",
    emits=(*EMITS, "talk", "leaning"),
    source="transitions of human clients: AnnoMI (Wu et al. 2022), ESConv (Liu et al. 2021); research use only",
)
def fitted(*, ear: Ear) -> Stateful:
    """Patients from case files whose state moves as human clients' talk did, by no principle of change.

    Fitted to motivational interviews and to peer support in chat, not to psychotherapy; how talk is
    read as trust or conviction is a convention. The words are still the case's own. The weights rest
    on data for research (AnnoMI) and non-commercial use (ESConv, CC BY-NC 4.0).
    """
    sizes = VALUES.but("fitted", told_stirs=0.0)
    return Stateful(ear, Family(sizes=lambda rng: sizes, moved=_as_fitted, tells=_tells))
