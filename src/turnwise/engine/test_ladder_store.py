"""The ladder's tables: short readings stretched over long histories, cells on every rung, old folders, no text."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

from turnwise.batteries.ladder.moments import Cell, MomentView
from turnwise.core.nouns import Moment, Reading, Reason, Score, Trajectory
from turnwise.core.registry import SKILLS, Entry
from turnwise.engine import ratings
from turnwise.engine.ladder_bank import Ladder
from turnwise.engine.ladder_store import bank_moments, has_replies, ladder_cells, replies
from turnwise.engine.ratings import Readers
from turnwise.engine.running import Options, rescore, run_study
from turnwise.engine.scoring import Scoring
from turnwise.engine.store import RunFolder
from turnwise.engine.study import resolve_study

ITEM = "words_said"


@dataclass
class Counting:
    """A coder that is sure of how long a reply is, and remembers how much it was given to read."""

    item: str = ITEM
    coder: str = "counting"
    sha256: str = "0" * 64
    longest: int = 0
    seen: list[str] = field(default_factory=list)

    def read(self, ts: Sequence[Trajectory], /) -> list[Reading]:
        self.seen += [t.session_id for t in ts]
        self.longest = max([self.longest, *(len(t.turns) for t in ts)])
        return [self._one(t) for t in ts]

    def _one(self, t: Trajectory) -> Reading:
        none: Reason = "not_applicable"
        codes = tuple(None if turn.speaker == "therapist" else none for turn in t.turns)
        rows = [[1.0, 0.0] if len(turn.text) % 2 else [0.0, 1.0] for turn in t.turns]
        p = np.array(rows).reshape(len(rows), 2)
        p[[code is not None for code in codes]] = np.nan
        return Reading(ITEM, self.coder, self.sha256, ("odd", "even"), p, codes)


def odd(view: MomentView, /) -> Score:
    """1 where the reply has an odd number of characters, with how much history there was."""
    label = view.label(ITEM)
    assert view.reply is None or label == ("odd" if len(view.reply.text) % 2 else "even"), "of another turn"
    return Score(float(label == "odd"), 1, None, f"“{view.said.text}” after {len(view.history)}")


@pytest.fixture(autouse=True)
def _one_skill(monkeypatch: pytest.MonkeyPatch) -> None:
    registry = type(SKILLS)
    newest = registry.newest
    entry = Entry("odd.v1", odd, {"moments": tuple(Moment), "needs": (ITEM,)})
    monkeypatch.setattr(registry, "newest", lambda self: [entry] if self is SKILLS else newest(self))


@pytest.fixture
def counting(monkeypatch: pytest.MonkeyPatch) -> Counting:
    found = Counting()
    monkeypatch.setattr(ratings.Readers, "load", classmethod(lambda cls, bundle="open": Readers({"counting": found})))
    return found


def ran(out: Path, *therapists: str, **options: Any) -> dict[str, Any]:
    study = resolve_study(therapists=therapists or ("amnesiac", "silent"), patients=("alun",), epochs=2, turns=16)
    return run_study(study, out, Options(**options))


def rows(folder: Path, name: str = "moments.parquet") -> list[dict[str, Any]]:
    return pq.read_table(folder / name).to_pylist()  # type: ignore[no-any-return]


def test_a_run_has_every_scheduled_moment_on_all_rungs(tmp_path: Path, counting: Counting) -> None:
    record = ran(tmp_path, ladder=Ladder("reflector", 1))
    assert record["ladder"]["reference"] == "reflector.v1"
    assert record["ladder"]["bank_sessions"] == 2, "every epoch, or nobody knows what never came in the second"
    n = record["ladder"]["replayed_moments"]
    assert record["summary"]["ladder"]["moments"] == record["ladder"]["bank_moments"] > n >= 2
    # What came with the reference is replayed; more may come live with somebody who leaves room for it.
    replayed = {r["key"] for r in rows(tmp_path) if r["rung"] == "show"}
    found = [r for r in rows(tmp_path) if r["scheduled"] and r["epoch"] == 0 and r["key"] in replayed]
    assert Counter((r["therapist"], r["rung"]) for r in found) == {
        (t, rung): n for t in ("amnesiac.v1", "silent.v1") for rung in ("show", "resume", "sustain")
    }
    gaps = {(r["therapist"], r["measure"]): r for r in rows(tmp_path, "gap.parquet") if r["skill"] == "odd"}
    own = {r["key"] for r in found if r["therapist"] == "amnesiac.v1" and r["value"] is None}
    assert {gaps["amnesiac.v1", m]["n"] for m in ("show", "resume", "sustain", "arc_gap")} == {n - len(own)}
    assert gaps["amnesiac.v1", "arc_gap"]["value"] is not None
    assert "not a finding" in record["summary"]["ladder"]["note"]
    assert json.loads((tmp_path / "run.json").read_text())["summary"]["ladder"] == record["summary"]["ladder"]


def test_what_never_came_counts_in_every_epoch(tmp_path: Path, counting: Counting) -> None:
    ran(tmp_path, ladder=Ladder("reflector", 1))
    due = {(m.epoch, m.key) for m in bank_moments(tmp_path)}
    assert {epoch for epoch, _ in due} == {0, 1}
    for therapist in ("amnesiac.v1", "silent.v1"):
        live = [r for r in rows(tmp_path) if r["rung"] == "sustain" and r["scheduled"] and r["therapist"] == therapist]
        assert {(r["epoch"], r["key"]) for r in live} >= due
    assert any(r["epoch"] == 1 and not r["reached"] for r in rows(tmp_path) if r["therapist"] == "silent.v1")


def test_long_histories_are_judged_whole_and_read_at_their_end(tmp_path: Path, counting: Counting) -> None:
    ran(tmp_path)
    sessions = list(RunFolder(tmp_path).sessions())
    counting.longest, counting.seen = 0, []
    whole = list(replies(tmp_path))
    cells = ladder_cells([], whole, Readers({"counting": counting}))  # type: ignore[dict-item]
    assert counting.longest == 5
    lengths = [(c.rung, c.detail.rpartition(" ")[2]) for c in cells]
    history = {(rung, int(n)) for rung, n in lengths if n.isdigit()}  # others say what was repeated
    assert {n for rung, n in history if rung == "show"} == {3}, "its opening, the answer, and what it said to that"
    assert max(n for rung, n in history if rung == "resume") > 5
    assert {c.position for c in cells if c.rung == "show"} == {c.position for c in cells if c.rung == "resume"}
    read_before = Readers({"counting": counting}).rate(sessions)  # type: ignore[dict-item]
    counting.seen = []
    assert ladder_cells(read_before, [], Readers({"counting": counting}))  # type: ignore[dict-item]
    assert counting.seen == []


def test_scoring_again_gives_the_same_tables_here_and_elsewhere(tmp_path: Path, counting: Counting) -> None:
    ran(tmp_path / "a")
    before = [rows(tmp_path / "a", f) for f in ("moments.parquet", "gap.parquet")]
    rescore(tmp_path / "a", tmp_path / "a")
    rescore(tmp_path / "a", tmp_path / "b")
    rescore(tmp_path / "b", tmp_path / "b")
    for out in ("a", "b"):
        assert [rows(tmp_path / out, f) for f in ("moments.parquet", "gap.parquet")] == before
    record = rescore(tmp_path / "a", tmp_path / "quiet", how=Scoring(no_text=True))
    assert not has_replies(tmp_path / "quiet")
    assert {r["detail"] for r in rows(tmp_path / "quiet")} == {None}
    said = next(t for t in RunFolder(tmp_path / "a").sessions()).turns[1].text
    assert said not in json.dumps(record["summary"]["ladder"])


def test_a_folder_of_an_earlier_version_is_scored_as_ever(tmp_path: Path, counting: Counting) -> None:
    ran(tmp_path)
    for name in ("bank.jsonl", "replies.jsonl"):
        (tmp_path / name).unlink()
    record = json.loads((tmp_path / "run.json").read_text())
    del record["ladder"], record["summary"]["ladder"]
    (tmp_path / "run.json").write_text(json.dumps(record))
    assert "ladder" not in rescore(tmp_path, tmp_path)["summary"]
    assert not (tmp_path / "gap.parquet").exists()
    assert "ladder" in ran(tmp_path)["summary"], "the same command adds what is missing"


def test_without_a_ladder_nothing_of_it_is_played_or_left(tmp_path: Path, counting: Counting) -> None:
    ran(tmp_path)
    record = ran(tmp_path, ladder=None)
    assert record["ladder"] is None
    assert "ladder" not in record["summary"]
    assert not (tmp_path / "moments.parquet").exists()
    assert ran(tmp_path)["summary"]["ladder"]["moments"]


def test_cells_are_rows_and_a_broken_reply_has_a_code(tmp_path: Path, counting: Counting) -> None:
    ran(tmp_path)
    broken = next(iter(replies(tmp_path))).model_copy(update={"ending": "error", "error": "therapist at turn 1: x"})
    broken = broken.model_copy(update={"turns": broken.turns[:-1], "infos": broken.infos[:-1]})
    (cell,) = ladder_cells([], [broken], Readers({"counting": counting}))  # type: ignore[dict-item]
    assert (cell.value, cell.code) == (None, "session_error")
    assert set(rows(tmp_path)[0]) == set(Cell.__dataclass_fields__)
