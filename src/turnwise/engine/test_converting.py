"""Import and export of files: an account that adds up, damage that costs only itself, memory of a session."""

import gzip
import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from turnwise.core.errors import FormatError, UsageError
from turnwise.core.nouns import Trajectory, Turn
from turnwise.engine.converting import Asked, export_transcripts, import_transcripts
from turnwise.engine.importers import streams
from turnwise.engine.importers.detect import open_transcripts
from turnwise.engine.store import RunFolder


def _file(tmp_path: Path, name: str, *records: Any) -> Path:
    path = tmp_path / name
    path.write_text("\n".join(x if isinstance(x, str) else json.dumps(x) for x in records) + "\n", encoding="utf-8")
    return path


def _chat(*said: tuple[str, str], **more: Any) -> dict[str, Any]:
    return {"messages": [{"role": who, "content": text} for who, text in said], **more}


TALK = _chat(
    ("system", "Be kind."),
    ("user", "I cannot sleep."),
    ("user", ""),
    ("assistant", "<think>slow</think>Since when?"),
    id="a",
    topic="sleep",
)


def test_account_says_what_was_recognised_mapped_kept_and_lost(tmp_path: Path) -> None:
    chinese = _chat(("user", "我睡不着，已经很久了。"), id="c")
    path = _file(tmp_path, "chat", TALK, _chat(("narrator", "x"), id="b"), chinese)
    done = import_transcripts([path], tmp_path / "out.jsonl")
    record = done.record()
    assert record["formats"] == [{"name": "openai_chat.v1", "format": record["formats"][0]["format"], "files": 1}]
    assert record["speakers"] == [
        {"name": "user", "side": "patient", "turns": 3},
        {"name": "assistant", "side": "therapist", "turns": 1},
    ]
    assert record["turns"] == {"therapist": 1, "patient": 3}
    assert {x["what"].partition(" (")[0]: (x["n"], x["first"]) for x in record["losses"]} == {
        "messages of 'system', which nobody hears": (1, "line 1, message 0"),
        "hidden reasoning": (1, "line 1, message 3"),
    }
    counts = {
        "sessions": 3,
        "unreadable_sessions": 1,
        "empty_turns": 1,
        "turns_after_the_same_speaker": 1,
        "one_sided_sessions": 1,
        "sessions_in_other_scripts": 1,
        "kept_beside_sessions": {"topic": 1, "skipped_messages": 1},
    }
    assert {key: record[key] for key in counts} == counts
    assert "line 2" in record["errors"][0]
    assert "narrator" in record["errors"][0]
    json.dumps(record, allow_nan=False)
    # What is stored is what the importer gave, and it is read back so.
    stored, direct = list(open_transcripts(tmp_path / "out.jsonl")), list(open_transcripts(path))
    assert [(t.session_id, t.turns, t.ending) for t in stored] == [(t.session_id, t.turns, t.ending) for t in direct]
    assert sum(record["turns"].values()) == sum(len(t.turns) for t in stored)


def test_without_a_target_nothing_is_written(tmp_path: Path) -> None:
    path = _file(tmp_path, "chat", TALK)
    assert import_transcripts([path], None).tally.sessions == 1
    assert [p.name for p in tmp_path.iterdir()] == ["chat"]


def test_files_of_several_formats_become_one(tmp_path: Path) -> None:
    paths = [
        _file(tmp_path, "a.txt", "T: Hello.", "C: Hi."),
        _file(tmp_path, "b.json", _chat(("user", "x"), id="a")),
        _file(tmp_path, "c.txt", "just words"),
        _file(tmp_path, "d.json", _chat(("user", "y"), id="a")),
    ]
    done = import_transcripts(paths, tmp_path / "out.jsonl")
    found = list(open_transcripts(tmp_path / "out.jsonl"))
    assert [t.session_id for t in found] == ["a", "b/a", "d/a"]
    assert done.renamed == 2
    assert done.importers == {"plain_text.v1": 1, "openai_chat.v1": 2}
    assert len(done.faults) == 1
    assert "c.txt" in done.faults[0]


@pytest.mark.parametrize(
    ("files", "ids"),
    [
        (["P01/t.txt", "P02/t.txt", "P03/t.txt"], ["P01/t", "P02/t", "P03/t"]),
        (["x/P01/t.txt", "y/P01/t.txt", "y/P02/t.txt"], ["x/P01/t", "y/P01/t", "P02/t"]),
        (["a/t.txt", "a/t.srt"], ["t", "t.srt"]),
        (["a/t.txt", "a/t.csv.txt"], ["t.txt", "t.csv.txt"]),
        (["a/t.txt", "a/u.txt"], ["t", "u"]),
        (["a/t.txt", "a/t.txt", "a/t.txt"], ["t", "t#2", "t#3"]),
    ],
)
def test_sessions_called_after_files_say_which(tmp_path: Path, files: list[str], ids: list[str]) -> None:
    for name in files:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("Therapist: Hello.\nClient: Hi.\n")
    import_transcripts([tmp_path / name for name in files], tmp_path / "out.jsonl")
    found = [t.session_id for t in open_transcripts(tmp_path / "out.jsonl")]
    assert found == ids


def test_place_of_a_loss_names_its_file_among_several(tmp_path: Path) -> None:
    paths = [_file(tmp_path, "a.json", _chat(("user", "x"))), _file(tmp_path, "b.json", TALK)]
    done = import_transcripts(paths, None)
    assert {loss.where.partition(",")[0] for loss in done.account.losses.values()} == {"b.json"}


def test_damage_in_the_middle_keeps_what_was_read_before_it(tmp_path: Path) -> None:
    lines = "".join(json.dumps(_chat(("user", f"{i} {i * i % 977}"), id=f"s{i}")) + "\n" for i in range(3000))
    path = tmp_path / "torn.gz"
    packed = gzip.compress(lines.encode())
    path.write_bytes(packed[: len(packed) // 2])
    done = import_transcripts([path], tmp_path / "out.jsonl")
    kept = [t.session_id for t in open_transcripts(tmp_path / "out.jsonl")]
    assert kept == [f"s{i}" for i in range(len(kept))]
    assert 0 < len(kept) < 3000
    assert len(done.faults) == 1
    assert "gzip archive is cut off" in done.faults[0]
    assert f"The {len(kept)} sessions before it were read." in done.faults[0]


def test_unreadable_input_leaves_the_target_alone(tmp_path: Path) -> None:
    out = _file(tmp_path, "out.jsonl", "mine")
    with pytest.raises(UsageError, match=r"words\.txt"):
        import_transcripts([_file(tmp_path, "words.txt", "words")], out, force=True)
    with pytest.raises(UsageError, match="none of the 2 files could be read"):
        import_transcripts([_file(tmp_path, "words.txt", "words"), tmp_path / "absent"], out, force=True)
    assert out.read_text() == "mine\n"


def test_target_is_never_the_source_nor_replaced_unasked(tmp_path: Path) -> None:
    path = _file(tmp_path, "chat", TALK)
    link = tmp_path / "link"
    link.symlink_to(path)
    for to, why in ((path, "to be read"), (link, "to be read"), (tmp_path, "folder")):
        with pytest.raises(UsageError, match=why):
            import_transcripts([path], to, force=True)
    out = _file(tmp_path, "out.jsonl", "mine")
    with pytest.raises(UsageError, match="--force"):
        import_transcripts([path], out)
    assert out.read_text() == "mine\n"
    import_transcripts([path], out, force=True)
    assert len(list(open_transcripts(out))) == 1
    with pytest.raises(UsageError, match="to be read"):
        export_transcripts(path, path, "sharegpt", force=True)


def test_speakers_and_columns_reach_the_importer(tmp_path: Path) -> None:
    path = _file(tmp_path, "t.csv", "who,said", "Anna,Hello.", "Bo,Hi.")
    asked = Asked(None, {" Anna": "therapist", "BO": "patient"}, {"speaker": "who", "text": "said"})
    done = import_transcripts([path], tmp_path / "out.jsonl", asked)
    (t,) = open_transcripts(tmp_path / "out.jsonl")
    assert [x.speaker for x in t.turns] == ["therapist", "patient"]
    assert done.importers == {"csv_table.v1": 1}


def test_run_folder_is_exported(tmp_path: Path) -> None:
    run = RunFolder(tmp_path / "run")
    run.create()
    run.open_log(())
    played = [
        Trajectory(session_id=f"t/p/{i}", source="simulated", turns=(Turn(speaker="therapist", text="Hi."),))
        for i in range(2)
    ]
    for t in played:
        run.append(t)
    run.close_log()
    done, account = export_transcripts(run.path, tmp_path / "out.jsonl", "turnwise_trajectory")
    assert (done.sessions, account.heard) == (2, {})
    assert list(open_transcripts(tmp_path / "out.jsonl")) == played
    with pytest.raises(UsageError, match="--from"):
        export_transcripts(run.path, tmp_path / "x", "sharegpt", fmt="annomi")


def test_export_says_what_was_lost_in_reading_too(tmp_path: Path) -> None:
    done, account = export_transcripts(_file(tmp_path, "chat", TALK), tmp_path / "out.csv", "csv_table")
    assert done.turns == 3
    assert any("system" in what for what in account.losses)
    with pytest.raises(FormatError):
        export_transcripts(_file(tmp_path, "words", "words"), tmp_path / "x", "sharegpt")
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize("kind", ["jsonl", "csv", "txt"])
def test_memory_is_that_of_a_session_not_of_the_file(tmp_path: Path, kind: str) -> None:
    said = "I have been thinking about it for weeks now. " * 160
    n = 1000
    with (tmp_path / f"many.{kind}").open("w", encoding="utf-8") as file:
        if kind == "csv":
            file.write("session,speaker,text\n")
        elif kind == "txt":
            file.write("# turnwise plain text 1: a turn goes on in lines that begin with four spaces\n")
        for i in range(n):
            record = {"id": f"s{i}", "conversations": [{"from": "human", "value": said + str(i)}]}
            row, text = f"s{i},client,{said}{i}\n", f'# session "s{i}"\nPatient: {said}{i}\n'
            file.write({"jsonl": json.dumps(record) + "\n", "csv": row, "txt": text}[kind])
    size = (tmp_path / f"many.{kind}").stat().st_size
    tracemalloc.start()
    try:
        done = import_transcripts([tmp_path / f"many.{kind}"], tmp_path / "out.jsonl")
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert done.tally.sessions == n
    assert size > 7_000_000
    assert peak < size / 2


def test_line_over_the_limit_costs_one_session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "MAX_LINE", 500)
    path = _file(tmp_path, "chat", _chat(("user", "a"), id="a"), _chat(("user", "b" * 900)), _chat(("user", "c")))
    done = import_transcripts([path], None)
    assert (done.tally.sessions, done.tally.unreadable) == (3, 1)
    assert "line 2: longer than" in done.tally.faults[0]
