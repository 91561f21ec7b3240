"""Client turns of human sessions, each with the exchange before it, as the tracker's fitting script reads them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from turnwise.core.nouns import Trajectory
from turnwise.engine.corpora.annomi import ANNOMI, KEYS, series_of
from turnwise.reading.ears.hearing import BEHAVIOURS, TALK
from turnwise.reading.encoder import encode
from turnwise.therapists.markers import MARKERS, markers
from turnwise.therapists.next_talk import TALK_ACTS

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

_FINE = {
    ("question", "open"): "open_question",
    ("question", "closed"): "closed_question",
    ("reflection", "simple"): "simple_reflection",
    ("reflection", "complex"): "complex_reflection",
}
_COARSE = {"question": "closed_question", "reflection": "simple_reflection", "therapist_input": "input"}


@dataclass(frozen=True)
class Steps:
    """N client turns in order of session and turn, the therapist's turns before each merged into one.

    ``session`` numbers the transcript; ``previous`` is the row of the client's turn before, -1 where there
    is none; ``judged`` marks the rows that are foretold (an answer to the therapist, with an earlier client
    turn). Feature blocks speak of the last exchange only: ``codes`` (human labels of therapist's turn),
    ``wording`` (lengths, question marks, the client's markers), ``therapist`` and ``own`` (encoder vectors
    of the therapist's turn before, and of this client turn itself).
    """

    session: IntArray
    ids: tuple[str, ...]
    series: npt.NDArray[np.str_]
    quality: npt.NDArray[np.str_]
    annotator: npt.NDArray[np.str_]
    talk: IntArray
    act: IntArray
    previous: IntArray
    judged: npt.NDArray[np.bool_]
    codes: FloatArray
    wording: FloatArray
    therapist: FloatArray
    own: FloatArray
    own_words: FloatArray

    def __len__(self) -> int:
        return len(self.talk)


@dataclass
class _Row:
    session: int
    talk: int
    act: int
    answers: bool
    codes: list[float]
    client: str
    therapist: str


def _notes(t: Trajectory, i: int) -> list[dict[str, str]]:
    labels = t.info(i).get("labels")
    notes = labels.get("annotations") if isinstance(labels, dict) else None
    if not isinstance(notes, list):
        return []
    return [{str(k): str(v) for k, v in note.items()} for note in notes if isinstance(note, dict)]


def _note(t: Trajectory, i: int, coder: str) -> dict[str, str]:
    """Return what the coder noted, the first of all where none is named."""
    notes = _notes(t, i)
    return next((note for note in notes if coder in ("", note.get("annotator_id"))), {})


def coders_of(t: Trajectory) -> list[str]:
    """Return who coded the transcript."""
    return [note.get("annotator_id", "") for note in _notes(t, 0)]


def act_of(behaviour: str, subtype: str) -> str:
    """Return which of ``TALK_ACTS`` a coded therapist turn is; without a subtype the commoner one."""
    return _FINE.get((behaviour, subtype)) or _COARSE.get(behaviour, "other")


def _label(t: Trajectory, i: int, item: str, coder: str) -> str:
    return _note(t, i, coder).get(KEYS[item], "") if coder else str(ANNOMI.gold[item](t, i))


def _rows(number: int, t: Trajectory, coder: str) -> list[_Row]:
    rows: list[_Row] = []
    before: list[int] = []
    for i, turn in enumerate(t.turns):
        if turn.speaker == "therapist":
            before.append(i)
            continue
        label = _label(t, i, "client_talk", coder)
        if label not in TALK:
            before = []
            continue
        behaviour = _label(t, before[-1], "therapist_behaviour", coder) if before else ""
        note = _note(t, before[-1], coder) if before else {}
        act = act_of(behaviour, note.get(f"{behaviour}_subtype", ""))
        flags = [float(note.get(f"{b}_exists") == "True") for b in BEHAVIOURS[:3]]
        codes = [float(act == a) for a in TALK_ACTS] + [float(behaviour == b) for b in BEHAVIOURS] + flags
        said = " ".join(t.turns[j].text for j in before)
        rows.append(_Row(number, TALK.index(label), TALK_ACTS.index(act), bool(before), codes, turn.text, said))
        before = []
    return rows


def _vectors(texts: Sequence[str], coder: str) -> FloatArray:
    return np.zeros((len(texts), 1)) if coder else np.asarray(encode(texts), dtype=np.float64)


def steps_of(sessions: Sequence[Trajectory], coder: str = "") -> Steps:
    """Return the client turns of all sessions, as the majority coded them or as one coder did (then no vectors)."""
    rows = [row for i, t in enumerate(sessions) for row in _rows(i, t, coder)]
    who = [coders_of(t) for t in sessions]
    session = np.array([r.session for r in rows], dtype=np.int64)
    n = np.arange(len(rows))
    previous = np.where(np.r_[False, session[1:] == session[:-1]], n - 1, -1)
    client_words = np.log1p([float(len(r.client.split())) for r in rows])
    marks = np.array([[float(m in markers(r.client)) for m in MARKERS] for r in rows])
    asks = np.array([[float("?" in r.therapist), float(r.therapist.rstrip().endswith("?"))] for r in rows])
    told = np.log1p([float(len(r.therapist.split())) for r in rows])
    before = np.where((previous >= 0)[:, None], np.column_stack([client_words, marks])[previous], 0.0)
    return Steps(
        session=session,
        ids=tuple(t.session_id for t in sessions),
        series=np.array([series_of(sessions[i]) for i in session]),
        quality=np.array([str(sessions[i].meta.get("mi_quality")) for i in session]),
        annotator=np.array([who[i][0] if len(who[i]) == 1 else "ten" for i in session]),
        talk=np.array([r.talk for r in rows], dtype=np.int64),
        act=np.array([r.act for r in rows], dtype=np.int64),
        previous=previous.astype(np.int64),
        judged=(previous >= 0) & np.array([r.answers for r in rows]),
        codes=np.array([r.codes for r in rows]),
        wording=np.column_stack([told, asks, before]),
        therapist=_vectors([r.therapist for r in rows], coder),
        own=_vectors([r.client for r in rows], coder),
        own_words=np.column_stack([client_words, marks]),
    )
