"""Let a language model judge the sessions of a run, one question a call, and write what it says beside the coders.

Everything goes into ``judges/<model>/`` of the run folder: ``judgements.parquet``, ``judge.json`` and ``calls.jsonl``.
Nothing that a run wrote is touched; a judge that is asked again is paid only for what it was not asked before.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from turnwise.batteries.rubric.asking import (
    Unparsed,
    answer_in,
    arises,
    context_of,
    cut,
    instruction,
    planned_items,
    schema_of,
)
from turnwise.batteries.rubric.items import ITEMS, RUBRIC_VERSION, RubricItem
from turnwise.core.contracts import Completion, LanguageModel
from turnwise.core.errors import RegistryError, UsageError
from turnwise.core.model_turns import Thoughtful
from turnwise.core.nouns import Rating, Reason, Trajectory, Turn
from turnwise.core.registry import closest
from turnwise.core.seeds import stable_hash
from turnwise.engine.model_settings import CallSettings
from turnwise.engine.model_therapists import checked_model_string
from turnwise.engine.recording import CALLS, Recorded, Recording
from turnwise.engine.spending import Price, record_of
from turnwise.engine.store import RunFolder, replacing
from turnwise.engine.whole_runs import require_whole

__all__ = ["FOLDER", "JUDGEMENTS", "Judged", "Judging", "judge_run", "judge_sessions", "rubric_sha"]

FOLDER, JUDGEMENTS, RECORD = "judges", "judgements.parquet", "judge.json"
_MOST_KEPT = 4_000  # characters of one answer of a judge
Answers = dict[str, Rating | tuple[Reason, str]]


@dataclass(frozen=True, slots=True)
class Judging:
    """How a run is judged. ``schema`` holds the model to JSON where its provider can; answers are parsed anyway."""

    model: str
    items: tuple[str, ...] = tuple(ITEMS)
    sessions: int | None = None
    schema: bool = True
    concurrency: int = 16
    settings: CallSettings = field(default_factory=lambda: CallSettings(temperature=0.0, max_tokens=300))
    prices: Mapping[str, Price] = field(default_factory=dict)

    def checked(self) -> Judging:
        """Return it, or refuse what cannot be carried out.

        Raises
        ------
        UsageError : the model string or a number makes no sense.
        RegistryError : there is no such item (with the closest one).
        """
        checked_model_string(self.model, self.model)
        for name in self.items:
            if name not in ITEMS:
                hint = closest(name, tuple(ITEMS), 0.4, f"known: {', '.join(ITEMS)}.")
                raise RegistryError(f"the rubric has no item {name!r}; {hint}")
            after = ITEMS[name].after
            if after is not None and after[0] not in self.items:
                raise UsageError(f"--items {name} needs {after[0]}, which decides where it arises; name both.")
        if self.sessions is not None and self.sessions < 1:
            raise UsageError(f"--sessions {self.sessions} is not possible: give a whole number from 1.")
        return self


@dataclass(frozen=True, slots=True)
class Judged:
    """What a judge said of one turn of one session, by item; a reason where it said nothing that could be read."""

    session: Trajectory
    turn: int
    answers: Answers


def rubric_sha(items: Sequence[str]) -> str:
    """Return the hash of everything a judge is told of these items: another wording is another rubric."""
    told = [[name, instruction(ITEMS[name])] for name in ITEMS if name in items]
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:16]


async def judge_sessions(
    sessions: Sequence[Trajectory],
    how: Judging,
    models: Mapping[str, LanguageModel],
    on_turn: Callable[[], None] | None = None,
) -> list[Judged]:
    """Judge every turn of some sessions; return what was said, in order. A fault of the model is a reason, not a crash.

    Parameters
    ----------
    sessions : sessions with words; those that ended in an error are judged as far as they go.
    how : model, items, concurrency.
    models : the door to the model, by item (each may hold it to the item's own schema).
    on_turn : called as each turn is done.
    """
    gate = asyncio.Semaphore(max(1, how.concurrency))
    planned = [(t, i) for t in sessions for i in range(len(t.turns)) if list(planned_items(t, i, how.items))]

    async def one(t: Trajectory, turn: int) -> Judged:
        async with gate:
            found = await _turn(t, turn, how, models)
        if on_turn:
            on_turn()
        return Judged(t, turn, found)

    return list(await asyncio.gather(*(one(t, i) for t, i in planned)))


async def _turn(t: Trajectory, turn: int, how: Judging, models: Mapping[str, LanguageModel]) -> Answers:
    found: Answers = {}
    for name in planned_items(t, turn, how.items):
        item = ITEMS[name]
        why_not = arises(item, found)
        if why_not is not None:
            found[name] = why_not
            continue
        # Whether the model was held to a schema decides too: an answer that was not is asked for again.
        seed = stable_hash(f"{t.session_id}\0{turn}\0{name}\0{how.schema}") % (2**31 - 1)
        asked = (Turn(speaker="patient", text=context_of(t, turn)),)
        try:
            said = await models[name].generate(instruction(item), asked, seed=seed)
            answer, reason = answer_in(said.text, item)
        except Unparsed as fault:
            found[name] = ("unparsed", str(fault))
        except Exception as fault:  # a model's fault of whatever kind is data, not a crash
            found[name] = ("no_answer", " ".join(str(fault).split())[:300])
        else:
            found[name] = Rating(name, turn, answer, how.model, RUBRIC_VERSION, reason)
    return found


def judge_run(
    path: Path, how: Judging, on_turn: Callable[[], None] | None = None, *, stand_in: LanguageModel | None = None
) -> dict[str, Any]:
    """Judge the sessions of a run folder; write the table and the record, and return the record.

    ``stand_in`` speaks in place of the model (a test).

    Raises
    ------
    UsageError : the folder keeps no words, or the model cannot be reached.
    RegistryError : there is no such item.
    """
    from turnwise.engine.judge_agreement import agreements

    how = how.checked()
    require_whole(path, "sessions")
    sessions = list(RunFolder(path).sessions())[: how.sessions]
    if not sessions:
        raise UsageError(f"{path} holds no session to judge.")
    folder = RunFolder(path / FOLDER / _slug(how.model))
    with folder.claimed():
        judged = asyncio.run(_asked(sessions, how, folder.path, on_turn, stand_in))
        _write_table(folder.path / JUDGEMENTS, judged, how)
        record = {
            "judge": how.model,
            "rubric": RUBRIC_VERSION,
            "rubric_sha256": rubric_sha(how.items),
            "items": list(how.items),
            "sessions": len(sessions),
            "settings": how.settings.versions(),
            "schema": how.schema,
            "answers": _counts(judged),
            "agreement": agreements(path, judged),
            "cost": record_of(folder.path, how.prices).get(how.model),
            "note": "A judge is one more rater, not the truth; no measure of the run uses it.",
        }
        with replacing(folder.path / RECORD) as temporary:
            temporary.write_text(json.dumps(record, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return record | {"folder": str(folder.path), "judged": judged}


def _slug(model: str) -> str:
    """Return a folder name for a model string: readable, and never the same for two."""
    return f"{re.sub(r'[^A-Za-z0-9]+', '-', model).strip('-')[:60]}-{hashlib.sha256(model.encode()).hexdigest()[:6]}"


class _Brief:
    """A judge of whose long answers only what is read is kept: the answer and the beginning of its reason."""

    def __init__(self, lm: LanguageModel, item: RubricItem) -> None:
        self._lm, self._item = lm, item

    async def generate(self, system: str, turns: Sequence[Turn], *, seed: int) -> Completion:
        said = await self._lm.generate(system, turns, seed=seed)
        if isinstance(said, Thoughtful):
            said = replace(said, thinking=cut(said.thinking, _MOST_KEPT))
        if len(said.text) <= _MOST_KEPT:
            return said
        try:
            answer, reason = answer_in(said.text, self._item)
        except Unparsed:
            return replace(said, text=cut(said.text, _MOST_KEPT))
        return replace(said, text=json.dumps({"answer": answer, "reason": reason}, ensure_ascii=False))


async def _asked(
    sessions: Sequence[Trajectory],
    how: Judging,
    folder: Path,
    on_turn: Callable[[], None] | None,
    stand_in: LanguageModel | None,
) -> list[Judged]:
    recording, doors = Recording(folder / CALLS), []
    models: dict[str, LanguageModel] = {}
    for name in how.items:
        lm = stand_in
        if lm is None:
            from turnwise.engine.through_inspect.port import InspectModel

            schema = schema_of(ITEMS[name]) if how.schema else None
            door = InspectModel(how.model, how.settings, slots=how.concurrency, schema=schema)
            door.check()
            doors.append(door)
            lm = door
        models[name] = Recorded(how.model, how.settings, recording, _Brief(lm, ITEMS[name]))
    try:
        return await judge_sessions(sessions, how, models, on_turn)
    finally:
        for door in doors:
            await door.aclose()
        recording.close()


def _rows(judged: Sequence[Judged], how: Judging) -> Iterator[dict[str, Any]]:
    for one in judged:
        for name, said in one.answers.items():
            row = {"session_id": one.session.session_id, "turn": one.turn, "item": name, "judge": how.model}
            row |= {"rubric": RUBRIC_VERSION, "value": None, "reason": None, "code": None, "detail": None}
            if isinstance(said, Rating):
                row |= {"value": said.value, "reason": said.rationale}
            else:
                row |= {"code": said[0], "detail": said[1]}
            yield row


def _write_table(path: Path, judged: Sequence[Judged], how: Judging) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    names = ("session_id", "item", "judge", "rubric", "value", "reason", "code", "detail")
    schema = pa.schema([*((n, pa.string()) for n in names), ("turn", pa.int32())])
    with replacing(path) as temporary:
        pq.write_table(pa.Table.from_pylist(list(_rows(judged, how)), schema=schema), temporary, compression="zstd")


def _counts(judged: Sequence[Judged]) -> dict[str, dict[str, int]]:
    """Return how often each item had which answer, or which reason for having none."""
    found: dict[str, Counter[str]] = {}
    for one in judged:
        for name, said in one.answers.items():
            value = str(said.value) if isinstance(said, Rating) else f"unscored: {said[0]}"
            found.setdefault(name, Counter())[value] += 1
    return {name: dict(sorted(counts.items())) for name, counts in sorted(found.items())}
