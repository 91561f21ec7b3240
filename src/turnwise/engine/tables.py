"""The tables of a run folder as columns, written a group of sessions at a time (parquet).

Contract columns are those of the design; more may follow, these stay. A column whose coder does
not exist yet is null, never zero. With ``no_text`` the ``text`` column is null, and so is whatever
else may repeat what was said (``engine/quiet.py``).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from turnwise.core.measure import measure
from turnwise.core.nouns import FloatArray, Reading, Score, Trajectory
from turnwise.core.registry import METRICS, Entry
from turnwise.engine.quiet import quiet, quiet_act, quiet_moment, quiet_score, quiet_state
from turnwise.engine.store import replacing

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["BEHAVIOURS", "TALK", "ScoredSession", "TableMaker", "TableWriter", "own_group", "score_session"]

_FINER = {
    "question": ("question_type", "{}_question"),
    "reflection": ("reflection_depth", "{}_reflection"),
    "therapist_input": ("input_type", "{}"),
}
"""Main behaviour → the coder that says which kind of it, and how the finer move is named."""
Columns = dict[str, list[Any]]
Scores = dict[str, Score]
BEHAVIOURS = ("question", "reflection", "therapist_input", "other")
TALK = ("change", "neutral", "sustain")


class ScoredSession:
    """One session with its readings and the score of every metric."""

    __slots__ = ("scores", "trajectory")

    def __init__(self, trajectory: Trajectory, scores: Scores) -> None:
        self.trajectory = trajectory
        self.scores = scores


def score_session(t: Trajectory, metrics: Sequence[Entry[Any]]) -> ScoredSession:
    """Return ``t`` with every metric applied; a metric's fault stays in its own cell."""
    return ScoredSession(t, {entry.base: measure(entry, t) for entry in metrics})


def _schemas(metrics: Sequence[Entry[Any]]) -> dict[str, pa.Schema]:
    import pyarrow as pa

    s, i, f, b = pa.string(), pa.int32(), pa.float64(), pa.bool_()
    turns: list[tuple[str, Any]] = [("session_id", s), ("turn", i), ("speaker", s), ("text", s), ("n_words", i)]
    turns += [("behaviour", s), *((f"p_{x}", f) for x in BEHAVIOURS), ("move", s)]
    turns += [("er", pa.int8()), ("ip", pa.int8()), ("ex", pa.int8())]
    turns += [("talk", s), *((f"p_{x}", f) for x in TALK)]
    turns += [("moment", s), ("moment_source", s), ("moment_scheduled", b), ("act", s), ("state", s)]
    ratings = [("session_id", s), ("turn", i), ("item", s), ("coder", s), ("weights", s), ("value", s), ("p", f)]
    ratings += [("probabilities", pa.list_(f)), ("code", s)]
    scores = [("session_id", s), ("metric", s), ("version", i), ("value", f), ("n", pa.int64()), ("code", s)]
    scores += [("detail", s)]
    sessions = [
        ("session_id", s),
        ("source", s),
        ("group", s),
        ("therapist", s),
        ("patient", s),
        ("epoch", i),
        ("session", i),
        ("seed", pa.int64()),
    ]
    sessions += [("ending", s), ("n_turns", i), ("max_turns", i), ("error", s), ("meta", s)]
    sessions += [(entry.base, f) for entry in metrics]
    tables = {"turns": turns, "ratings": ratings, "scores": scores, "sessions": sessions}
    return {name: pa.schema(columns) for name, columns in tables.items()}


class TableMaker:
    """Turns sessions into rows of the four tables; holds nothing open, so that any process can do it."""

    def __init__(
        self,
        metrics: Sequence[Entry[Any]],
        *,
        no_text: bool = False,
        group_of: Callable[[Trajectory], str] | None = None,
    ) -> None:
        self.metrics = metrics
        self.schemas = _schemas(metrics)
        self._group_of, self._no_text = group_of or own_group, no_text

    def tables(self, sessions: Iterable[ScoredSession]) -> dict[str, pa.Table]:
        """Return the rows of some sessions by table."""
        import pyarrow as pa

        columns: dict[str, Columns] = {
            name: {column: [] for column in schema.names} for name, schema in self.schemas.items()
        }
        ratings = _RatingRows()
        for session in sessions:
            _turn_rows(columns["turns"], session.trajectory, self._no_text)
            ratings.add(session.trajectory)
            _score_rows(columns["scores"], session, self.metrics, self._no_text)
            _session_row(columns["sessions"], session, self._group_of(session.trajectory), self._no_text)
        made: dict[str, Mapping[str, Any]] = {**columns, "ratings": ratings.columns()}
        return {name: pa.table(data, schema=self.schemas[name]) for name, data in made.items()}


class TableWriter:
    """Writes the four tables side by side as a stream; all appear at once, or none does."""

    def __init__(
        self,
        folder: Path,
        metrics: Sequence[Entry[Any]] | None = None,
        *,
        no_text: bool = False,
        group_of: Callable[[Trajectory], str] | None = None,
    ) -> None:
        self.metrics = list(METRICS.newest() if metrics is None else metrics)
        self.maker = TableMaker(self.metrics, no_text=no_text, group_of=group_of)
        self._folder = folder
        self._stack = ExitStack()
        self._writers: dict[str, Any] = {}

    def __enter__(self) -> TableWriter:
        import pyarrow.parquet as pq

        for name, schema in self.maker.schemas.items():
            path = self._stack.enter_context(replacing(self._folder / f"{name}.parquet"))
            self._writers[name] = pq.ParquetWriter(path, schema, compression="zstd")
        return self

    def __exit__(self, *fault: Any) -> bool | None:
        try:
            for writer in self._writers.values():
                writer.close()
        except OSError:
            # Closing on a full disk fails again; the first fault is the one to tell.
            if fault[0] is None:
                with suppress(OSError):
                    self._stack.__exit__(OSError, OSError("could not close the tables"), None)
                raise
        return self._stack.__exit__(*fault)

    def write(self, sessions: Iterable[ScoredSession]) -> None:
        """Append the rows of some sessions to all four tables."""
        self.append(self.maker.tables(sessions))

    def append(self, tables: Mapping[str, pa.Table]) -> None:
        """Append rows that ``maker`` made, here or in another process."""
        for name, rows in tables.items():
            self._writers[name].write_table(rows)


def _probabilities(reading: Reading | None, turn: int) -> Mapping[str, float]:
    if reading is None or reading.codes[turn] is not None:
        return {}
    return dict(zip(reading.labels, reading.p[turn].tolist(), strict=True))


def _turn_rows(out: Columns, t: Trajectory, no_text: bool) -> None:
    behaviour, talk = t.reading("therapist_behaviour"), t.reading("client_talk")
    moves, talks = behaviour.values() if behaviour else (), talk.values() if talk else ()
    finer = _finer_moves(t, moves)
    levels = {x: reading.values() for x in ("er", "ip", "ex") if (reading := t.reading(x)) is not None}
    for i, turn in enumerate(t.turns):
        info = t.info(i) if t.spec else {}  # a foreign file's "moment" is not the simulation's truth
        p, q = _probabilities(behaviour, i), _probabilities(talk, i)
        act, state, moment = _emitted(t, info, no_text)
        row: dict[str, Any] = {
            "session_id": t.session_id,
            "turn": i,
            "speaker": turn.speaker,
            "text": None if no_text else storable(turn.text),
            "n_words": turn.n_words,
            "behaviour": moves[i] if moves else None,
            "move": finer[i] if moves else None,
            **{x: _whole(values[i]) for x, values in levels.items()},
            "talk": talks[i] if talks else None,
            "moment": moment,
            "moment_source": "truth" if moment is not None else None,
            "moment_scheduled": bool(info.get("scheduled")) if moment is not None else None,
            "act": act,
            "state": state,
        }
        row |= {f"p_{x}": p.get(x) for x in BEHAVIOURS} | {f"p_{x}": q.get(x) for x in TALK}
        for column, values in out.items():
            values.append(row.get(column))


def _emitted(t: Trajectory, info: Mapping[str, Any], no_text: bool) -> tuple[str | None, str | None, str | None]:
    """Return what a turn emitted as it is stored: the therapist's act, the patient's state, the moment."""
    act, state, moment = info.get("act"), info.get("state"), info.get("moment")
    move = act.get("move") if isinstance(act, dict) else act
    move, moment = (x if isinstance(x, str) else None for x in (move, moment))
    if not no_text:
        return move, json.dumps(state, sort_keys=True) if isinstance(state, dict) else None, moment
    therapist = t.spec.therapist if t.spec else ""
    return (
        quiet_act(move, therapist) if move is not None else None,
        quiet_state(state) if isinstance(state, dict) else None,
        quiet_moment(moment) if moment is not None else None,
    )


def _finer_moves(t: Trajectory, moves: Sequence[str | None]) -> list[str | None]:
    """Return the finer move of each turn: ``open_question``, ``complex_reflection``, ``advice`` and so on."""
    kinds = {b: reading.values() for b, (item, _) in _FINER.items() if (reading := t.reading(item)) is not None}
    return [
        _FINER[move][1].format(kind) if move in kinds and (kind := kinds[move][i]) else move
        for i, move in enumerate(moves)
    ]


def _whole(level: str | None) -> int | None:
    return None if level is None else int(level)


def storable(text: str) -> str:
    """Return ``text`` as UTF-8 can hold it (a lone surrogate becomes a question mark)."""
    return text.encode("utf-8", "replace").decode("utf-8")


class _RatingRows:
    """Rows of readings, of which there are more than of all else together: kept as arrays, a reading at a time."""

    def __init__(self) -> None:
        self._names: tuple[str, ...] = ("session_id", "item", "coder", "weights")
        self._of_reading: list[tuple[str, ...]] = []
        self._sizes: list[int] = []
        self._turns: list[int] = []
        self._values: list[str | None] = []
        self._codes: list[str | None] = []
        self._p: list[FloatArray] = []
        self._widths: list[int] = []

    def add(self, t: Trajectory) -> None:
        for item, reading in t.ratings.items():
            codes, values = reading.codes, reading.values()
            at = [i for i, code in enumerate(codes) if code != "not_applicable"]
            read = [i for i in at if codes[i] is None]
            self._of_reading.append((t.session_id, item, reading.coder, reading.sha256[:16]))
            self._sizes.append(len(at))
            self._turns += at
            self._values += [values[i] for i in at]
            self._codes += [codes[i] for i in at]
            self._p.append(reading.p[read].ravel())
            self._widths += [len(reading.labels) if codes[i] is None else 0 for i in at]

    def columns(self) -> dict[str, Any]:
        import pyarrow as pa

        of_reading = np.repeat(np.arange(len(self._sizes)), self._sizes)
        repeated = {
            name: pa.array([x[k] for x in self._of_reading], pa.string()).take(pa.array(of_reading))
            for k, name in enumerate(self._names)
        }
        widths, every = np.array(self._widths, dtype=np.int64), np.concatenate([np.zeros(0), *self._p])
        ends = np.concatenate([[0], np.cumsum(widths)])
        unread = widths == 0
        most = np.full(len(widths), np.nan)
        most[~unread] = np.maximum.reduceat(every, ends[:-1][~unread]) if len(every) else 0.0
        return {
            **repeated,
            "turn": pa.array(self._turns, pa.int32()),
            "value": pa.array(self._values, pa.string()),
            "p": pa.array(most, pa.float64(), mask=unread),
            "probabilities": pa.ListArray.from_arrays(
                pa.array(ends, pa.int32()), pa.array(every, pa.float64()), mask=pa.array(unread)
            ),
            "code": pa.array(self._codes, pa.string()),
        }


def _score_rows(out: Columns, session: ScoredSession, metrics: Sequence[Entry[Any]], no_text: bool) -> None:
    for entry in metrics:
        score = session.scores[entry.base]
        if no_text:
            score = quiet_score(score, entry)
        row = (session.trajectory.session_id, entry.base, entry.version, *score)
        for column, value in zip(("session_id", "metric", "version", "value", "n", "code", "detail"), row, strict=True):
            out[column].append(value)


def _session_row(out: Columns, session: ScoredSession, group: str, no_text: bool) -> None:
    t, spec = session.trajectory, session.trajectory.spec
    row: dict[str, Any] = {
        "session_id": t.session_id,
        "source": t.source,
        "group": group,
        "therapist": spec.therapist if spec else None,
        "patient": f"{spec.patient}:{spec.case}" if spec else None,
        "epoch": spec.epoch if spec else None,
        "session": spec.session if spec else None,
        "seed": spec.seed if spec else None,
        "ending": t.ending,
        "n_turns": len(t.turns),
        "max_turns": spec.max_turns if spec else None,
        "error": quiet(t.error, no_text) if t.error else None,
        "meta": json.dumps(t.meta, sort_keys=True) if t.meta and not no_text else None,
    }
    row |= {name: score.value for name, score in session.scores.items()}
    for column, values in out.items():
        values.append(row.get(column))


def own_group(t: Trajectory) -> str:
    """Return the group of a session when none is asked for: who the therapist was, else where it came from."""
    return t.spec.therapist if t.spec else t.source
