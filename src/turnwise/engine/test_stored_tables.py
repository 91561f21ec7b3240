"""A run folder that is damaged ends in one sentence that says what to do, never in a traceback."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from turnwise.core.errors import FormatError, UsageError
from turnwise.engine.store import RunFolder
from turnwise.engine.stored_tables import stored_rows, stored_table


def _table(folder: Path) -> bytes:
    path = folder / "turns.parquet"
    pq.write_table(pa.table({"session_id": ["a", "b"], "n": [1, 2]}), path)
    return path.read_bytes()


def test_columns_that_are_there_are_read(tmp_path: Path) -> None:
    _table(tmp_path)
    assert stored_rows(tmp_path, "turns", ("n", "later")) == [{"n": 1}, {"n": 2}]
    assert stored_table(tmp_path, "turns", ("n",), [("session_id", "=", "b")]).to_pylist() == [{"n": 2}]


@pytest.mark.parametrize("damage", ["empty", "cut off", "noise", "torn inside", "other columns"])
def test_damage_is_one_sentence(tmp_path: Path, damage: str) -> None:
    whole = _table(tmp_path)
    content = {
        "empty": b"",
        "cut off": whole[:-40],
        "noise": b"x" * 500,
        "torn inside": whole[:4] + b"\xff" * 80 + whole[84:],
        "other columns": whole,
    }[damage]
    (tmp_path / "turns.parquet").write_bytes(content)
    columns = ("elsewhere",) if damage == "other columns" else ("session_id", "n")
    with pytest.raises(FormatError, match="score the run again with: turnwise score"):
        stored_rows(tmp_path, "turns", columns)


def test_absence_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"turns\.parquet is missing; score the run again"):
        stored_rows(tmp_path, "turns", ("n",))


def test_json_nested_thousands_deep_is_damage(tmp_path: Path) -> None:
    deep = "[" * 100_000
    (tmp_path / "run.json").write_text(deep)
    (tmp_path / "trajectories.jsonl").write_text(f'{{"session_id": "a"}}\n{deep}\n')
    with pytest.raises(FormatError, match="is damaged"):
        RunFolder(tmp_path).read_record()
    assert list(RunFolder(tmp_path).finished()) == ["a"]
