"""What aggregates may never do: improve by losing a patient, hide a broken coder, invent a difference."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

from turnwise.core.nouns import Reading, Reason, SessionSpec, Trajectory, Turn
from turnwise.core.registry import METRICS
from turnwise.core.seeds import stable_hash
from turnwise.engine import scoring, side_by_side
from turnwise.engine.discovery import discover
from turnwise.engine.ratings import Readers
from turnwise.engine.scoring import score_sessions
from turnwise.engine.store import RunFolder
from turnwise.engine.summary import Summary

LABELS = {
    "therapist_behaviour": ("question", "reflection", "therapist_input", "other"),
    "client_talk": ("change", "neutral", "sustain"),
}
SPEAKER = {"therapist_behaviour": "therapist", "client_talk": "patient"}


class FakeReader:
    """Labels by the first letter of the text; breaks when told to."""

    def __init__(self, item: str, broken: bool = False) -> None:
        self.item, self.coder, self.sha256, self.broken = item, f"{item}.v1", "0" * 64, broken

    def read(self, ts: Sequence[Trajectory]) -> list[Reading]:
        if self.broken:
            raise RuntimeError("poisoned")
        return [self._one(t) for t in ts]

    def _one(self, t: Trajectory) -> Reading:
        labels = LABELS[self.item]
        p = np.full((len(t.turns), len(labels)), np.nan)
        codes: list[Reason | None] = []
        for i, turn in enumerate(t.turns):
            mine = turn.speaker == SPEAKER[self.item]
            codes.append(None if mine else "not_applicable")
            if mine:
                row = np.ones(len(labels))
                row[stable_hash(turn.text) % len(labels)] += 3.0
                p[i] = row / row.sum()
        return Reading(self.item, self.coder, self.sha256, labels, p, tuple(codes))


@pytest.fixture
def coders(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    def use(broken: str = "") -> None:
        readers = {f"{item}.v1": FakeReader(item, item == broken) for item in LABELS}
        monkeypatch.setattr(Readers, "load", classmethod(lambda cls, bundle="research": Readers(dict(readers))))

    use()
    return use


@pytest.fixture
def few_measures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave three measures, of truth, of words and of a coder, where what is tested is the same for each of them."""
    discover()
    kept = {e.name: e for e in METRICS if e.base in ("trust_level", "talk_share", "reflection_share")}
    assert len(kept) == 3
    monkeypatch.setattr(METRICS, "_entries", kept)


def session(therapist: str, case: str, epoch: int, turns: int = 10, skill: float = 0.0) -> Trajectory:
    rng = np.random.default_rng([stable_hash(therapist) % 2**31, stable_hash(case) % 2**31, epoch])
    spec = SessionSpec(case=case, patient="p.v1", therapist=therapist, seed=1, epoch=epoch, max_turns=turns)
    said, infos = [], []
    trust, distress = 0.5, 0.5
    for _ in range(turns):
        said += [Turn(speaker="therapist", text=f"t {rng.integers(10**6)}")]
        said += [Turn(speaker="patient", text=f"p {rng.integers(10**6)} and so on")]
        trust = float(np.clip(trust + skill * 0.03 + rng.normal(0, 0.05), 0.01, 0.99))
        distress = float(np.clip(distress - skill * 0.03 + rng.normal(0, 0.05), 0.01, 0.99))
        state = {"trust": trust, "distress": distress, "conviction": distress, "reactance": 0.2, "openness": trust}
        infos += [{}, {"state": state, "moment": "invalidation" if rng.random() < 0.3 else None}]
    return Trajectory(
        session_id=spec.session_id,
        source="simulated",
        spec=spec,
        turns=tuple(said),
        infos=tuple(infos),
        ending="max_turns",
    )


def many(therapists: Sequence[str] = ("a.v1", "b.v1"), **skills: float) -> list[Trajectory]:
    return [
        session(t, f"case{c}", e, skill=skills.get(t.partition(".")[0], 0.0))
        for t in therapists
        for c in range(8)
        for e in range(3)
    ]


def scored(ts: Sequence[Trajectory], path: Path, by: str | None = None) -> dict[str, Any]:
    folder = RunFolder(path)
    folder.create()
    return score_sessions(ts, folder, summary=Summary(by)).summary


def cells(summary: dict[str, Any], key: str = "metrics") -> dict[tuple[str, str], dict[str, Any]]:
    return {(row["group"], row["metric"]): row for row in summary[key]}


def left_at(t: Trajectory, exchange: int) -> Trajectory:
    end = 2 * exchange
    return t.model_copy(update={"turns": t.turns[:end], "infos": t.infos[:end], "ending": "patient_left"})


@pytest.mark.parametrize("victim", [0, 7, 13, 20])
def test_losing_a_patient_early_improves_nothing(victim: int, coders: Any, tmp_path: Path) -> None:
    ts = many(("a.v1",), a=-1.0 if victim % 2 else 1.0)
    before = scored(ts, tmp_path / "before")
    after = scored([left_at(t, 3) if i == victim else t for i, t in enumerate(ts)], tmp_path / "after")
    moved = 0
    for key, row in cells(after).items():
        sign = {"higher": 1, "lower": -1, "none": 0}[after["orientation"][row["metric"]]]
        old = cells(before)[key]
        if sign == 0 or row["value"] is None or old["value"] is None:
            continue
        assert sign * row["value"] <= sign * old["value"] + 1e-9, row["metric"]
        moved += row["value"] != old["value"]
    assert moved >= 5
    shares = [a["share"] for a in (before["attendance"][0], after["attendance"][0])]
    assert all(x >= y for x, y in zip(*shares, strict=True))
    assert shares[0] != shares[1]


def test_a_broken_coder_breaks_its_own_cells_only(coders: Any, tmp_path: Path) -> None:
    ts = many()
    sound = scored(ts, tmp_path / "sound")
    coders(broken="client_talk")
    poisoned = scored(ts, tmp_path / "poisoned")
    touched = {e.base for e in METRICS.newest() if "reading:client_talk" in e.spec["needs"]}
    assert touched
    for key, row in cells(poisoned).items():
        if row["metric"] in touched:
            assert row["value"] is None
            assert row["n"] == 0
            assert row["codes"] == {"no_reading": row["n_total"]}
        else:
            assert row == cells(sound)[key]
    old, new = (pq.read_table(tmp_path / n / "turns.parquet").to_pylist() for n in ("sound", "poisoned"))
    for a, b in zip(old, new, strict=True):
        gone = {k for k in a if a[k] != b[k]}
        assert gone <= {"talk", "p_change", "p_neutral", "p_sustain"}


def test_a_broken_metric_breaks_its_own_cell_only(coders: Any, tmp_path: Path, monkeypatch: Any) -> None:
    discover()
    sound = cells(scored(many(), tmp_path / "sound"))
    entry = METRICS.get("talk_share")

    def broken(t: Trajectory) -> None:
        raise ZeroDivisionError

    monkeypatch.setitem(METRICS._entries, entry.name, type(entry)(entry.name, broken, entry.spec))
    poisoned = cells(scored(many(), tmp_path / "poisoned"))
    assert {k for k in sound if sound[k] != poisoned[k]} == {("a.v1", "talk_share"), ("b.v1", "talk_share")}
    assert poisoned["a.v1", "talk_share"]["codes"] == {"failed": 24}


def test_shuffled_names_leave_no_difference(coders: Any, few_measures: Any, tmp_path: Path) -> None:
    ts = many(a=1.5, b=-1.5)
    real = cells(scored(ts, tmp_path / "real"), "contrasts")["b.v1", "trust_level"]
    assert real["high"] < 0
    rng, excluded, trials = np.random.default_rng(5), 0, 30
    for trial in range(trials):
        renamed = []
        pairs: dict[tuple[str, int], list[Trajectory]] = {}
        for t in ts:
            assert t.spec is not None
            pairs.setdefault((t.spec.case, t.spec.epoch), []).append(t)
        for pair in pairs.values():
            for t, name in zip(pair, rng.permutation(["a.v1", "b.v1"]), strict=True):
                assert t.spec is not None
                spec = t.spec.model_copy(update={"therapist": str(name)})
                renamed.append(t.model_copy(update={"spec": spec, "session_id": spec.session_id}))
        contrasts = scored(renamed, tmp_path / f"shuffle{trial}")["contrasts"]
        (row,) = [x for x in contrasts if x["metric"] == "trust_level"]  # the reference is whoever came first
        excluded += row["low"] > 0 or row["high"] < 0
    assert excluded <= 7  # 5 % would be 1.5 of 30; percentile intervals over 8 patients are a little narrow


def test_error_sessions_are_stored_and_counted_and_move_nothing(coders: Any, tmp_path: Path) -> None:
    ts = many(("a.v1",))
    bad = Trajectory(session_id="bad", source="simulated", spec=ts[0].spec, ending="error", error="it broke")
    clean, dirty = cells(scored(ts, tmp_path / "clean")), cells(scored([*ts, bad], tmp_path / "dirty"))
    for key, row in clean.items():
        assert dirty[key]["value"] == row["value"]
        assert dirty[key]["n_total"] == row["n_total"] + 1
        assert dirty[key]["codes"].get("session_error") == 1
    rows = pq.read_table(tmp_path / "dirty" / "sessions.parquet").to_pylist()
    assert [r["ending"] for r in rows if r["session_id"] == "bad"] == ["error"]


def test_tables_hold_the_contract_columns_and_agree(coders: Any, tmp_path: Path) -> None:
    ts = many()
    scored(ts, tmp_path / "run")
    table = {n: pq.read_table(tmp_path / "run" / f"{n}.parquet") for n in ("turns", "ratings", "scores", "sessions")}
    for column in (
        "session_id turn speaker text n_words behaviour p_question p_reflection p_therapist_input p_other move er ip "
        "ex talk p_change p_neutral p_sustain moment moment_source"
    ).split():
        assert column in table["turns"].column_names
    for column in "session_id source therapist patient epoch seed ending n_turns".split():
        assert column in table["sessions"].column_names
    assert {"session_id", "turn", "item", "coder", "value", "p"} <= set(table["ratings"].column_names)
    wide = {r["session_id"]: r for r in table["sessions"].to_pylist()}
    for row in table["scores"].to_pylist():
        assert wide[row["session_id"]][row["metric"]] == row["value"]
        assert (row["value"] is None) == (row["code"] is not None)
    assert table["turns"].column("er").null_count == len(table["turns"])  # no coder yet: null, never zero


def test_a_fault_while_writing_leaves_the_old_tables(coders: Any, tmp_path: Path) -> None:
    scored(many(), tmp_path / "run")
    before = {p.name: p.read_bytes() for p in (tmp_path / "run").glob("*.parquet")}

    def dies() -> Iterator[Trajectory]:
        yield from many(("c.v1",))
        raise OSError(28, "No space left on device")

    with pytest.raises(Exception, match="disk is full"):
        scored(dies(), tmp_path / "run")  # type: ignore[arg-type]
    assert {p.name: p.read_bytes() for p in (tmp_path / "run").glob("*.parquet")} == before
    assert not list((tmp_path / "run").glob(".*.tmp"))


def test_memory_does_not_grow_with_the_corpus(
    coders: Any, few_measures: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scoring, "_CHUNK_TURNS", 240)  # twenty sessions, so that even the small corpus is many chunks
    monkeypatch.setattr(side_by_side, "processors", lambda: 1)  # memory of other processes is not traced

    def peak(n: int, keep: list[Trajectory] | None = None) -> int:
        def stream() -> Iterator[Trajectory]:
            for i in range(n):
                t = session("a.v1", f"case{i % 9}", i, turns=6)
                if keep is not None:
                    keep.append(t)
                yield t

        tracemalloc.start()
        scored(stream(), tmp_path / f"{n} {keep is None}")
        top = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return top

    peak(20)  # what is made once does not count as small
    small, large = peak(100), peak(400)
    grown = large - small
    assert grown < 300 * 4_000  # bytes; what grows is one row of numbers, with its curves, for each session
    assert peak(400, []) - small > 2 * grown, "this would not see that sessions are kept"
