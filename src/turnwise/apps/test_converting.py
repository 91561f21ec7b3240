"""The doors in and out: plain words, nothing lost in silence, one sentence for a mistake."""

import html
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

Cli = Callable[..., tuple[int, str, str]]
CHAT = {
    "id": "a",
    "topic": "sleep",
    "messages": [
        {"role": "system", "content": "x"},
        {"role": "user", "content": "Hi.\u001b[31m"},
        {"role": "assistant", "content": "Hello."},
    ],
}


def _chat(tmp_path: Path) -> Path:
    path = tmp_path / "chat.jsonl"
    path.write_text(json.dumps(CHAT) + "\n")
    return path


def test_import_says_what_was_lost_even_unasked(cli: Cli, tmp_path: Path) -> None:
    code, out, _ = cli("import", _chat(tmp_path))
    assert code == 0
    assert "read as openai_chat.v1" in out
    assert "1 sessions, 2 turns (1 of the therapist, 1 of the patient)" in out
    assert "messages of 'system', which nobody hears (counted in meta): 1" in out
    assert "written: chat.turnwise.jsonl" in out
    stored = json.loads((tmp_path / "chat.turnwise.jsonl").read_text())
    assert [x["text"] for x in stored["turns"]] == ["Hi.\u001b[31m", "Hello."]


def test_explain_looks_first_and_writes_only_if_told_where(cli: Cli, tmp_path: Path) -> None:
    path = _chat(tmp_path)
    code, out, _ = cli("import", path, "--explain")
    assert code == 0
    for words in (
        "'user' is the patient: 1",
        "kept beside the sessions: topic (1), skipped_messages (1)",
        "(first: line 1, message 0)",
        "nothing was written",
    ):
        assert words in out
    assert [p.name for p in tmp_path.iterdir()] == ["chat.jsonl"]
    code, out, _ = cli("import", path, "--explain", "--to", "x.jsonl.gz")
    assert (code, (tmp_path / "x.jsonl.gz").exists()) == (0, True)


def test_import_as_json(cli: Cli, tmp_path: Path) -> None:
    code, out, err = cli("import", _chat(tmp_path), "--json")
    record = json.loads(out)
    assert (code, err) == (0, "")
    assert record["to"] == "chat.turnwise.jsonl"
    assert record["losses"][0]["first"] == "line 1, message 0"


def test_speakers_and_columns_on_the_command_line(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("who,said\nA=B,Hello.\nBo,Hi.\n")
    named = ("--speaker", "A=B=therapist", "--speaker", "Bo=client", "--map", "speaker=who", "--map", "text=said")
    code, out, _ = cli("import", "t.csv", *named, "--explain")
    assert code == 0
    assert "'A=B' is the therapist: 1" in out


def test_file_that_cannot_be_read_among_others_exits_1(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "words.txt").write_text("words\n")
    code, out, _ = cli("import", "words.txt", _chat(tmp_path), "--to", "x.jsonl")
    assert code == 1
    assert "not read to the end:" in out
    assert "words.txt" in out
    assert (tmp_path / "x.jsonl").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("words.txt",), "known formats"),
        (("absent",), "no such file"),
        (("chat.jsonl", "--speaker", "Anna"), "--speaker Anna=therapist"),
        (("chat.jsonl", "--speaker", "Anna=friend"), "the side is therapist, patient, client, skip"),
        (("chat.jsonl", "--speaker", "a=skip", "--speaker", "a=patient"), "names 'a' twice"),
        (("chat.jsonl", "--map", "=x"), "--map text=utterance"),
        (("chat.jsonl", "--format", "opnai_chat"), "openai_chat"),
        (("chat.jsonl", "--map", "text=x", "--format", "openai_chat"), "leave --map out"),
        (("chat.jsonl", "--to", "words.txt"), "--force"),
        (("chat.jsonl", "--to", "no/where.jsonl"), "no such file or folder"),
    ],
)
def test_mistakes_of_import_are_one_sentence(cli: Cli, tmp_path: Path, arguments: tuple[str, ...], words: str) -> None:
    _chat(tmp_path)
    (tmp_path / "words.txt").write_text("words\n")
    code, out, err = cli("import", *arguments)
    assert (code, out) == (2, "")
    assert words in err
    lines = [x for x in err.splitlines() if x.startswith("turnwise:")]
    assert len(lines) == 1
    assert lines[0].endswith((".", ")", "?"))
    assert sorted(p.name for p in tmp_path.iterdir()) == ["chat.jsonl", "words.txt"]


def test_export_and_import_again(cli: Cli, tmp_path: Path) -> None:
    code, out, _ = cli("export", _chat(tmp_path), "--format", "plain_text", "--out", "x.txt")
    assert code == 0
    assert "1 sessions, 2 turns, written as plain_text: x.txt" in out
    assert "no place in this format:" in out
    assert "meta of sessions: topic: 1" in out
    assert "lost in reading already:" in out
    code, out, _ = cli("export", "x.txt", "--format", "convokit", "--out", "corpus", "--json")
    assert json.loads(out)["sessions"] == 1
    code, out, _ = cli("import", "corpus", "--to", "y.jsonl", "--json")
    assert json.loads(out)["turns"] == {"therapist": 1, "patient": 1}
    again = json.loads((tmp_path / "y.jsonl").read_text())
    assert [x["text"] for x in again["turns"]] == [x["content"] for x in CHAT["messages"][1:]]  # type: ignore[index]


def test_export_of_a_run_and_its_mistakes(cli: Cli, tmp_path: Path) -> None:
    code, _, err = cli("export", _chat(tmp_path), "--format", "sharegtp", "--out", "x")
    assert code == 2
    assert "sharegpt" in err
    code, _, err = cli("export", tmp_path, "--format", "sharegpt", "--out", "x")
    assert code == 2
    assert "folder without utterances.jsonl" in err
    (tmp_path / "run").mkdir()
    shutil.copy(tmp_path / "chat.jsonl", tmp_path / "run" / "trajectories.jsonl")
    code, _, err = cli("export", "run", "--format", "sharegpt", "--out", "x")
    assert code == 2
    assert "line 1" in err
    assert not (tmp_path / "x").exists()


def test_score_says_what_import_says(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "group.txt").write_text("Therapist: Welcome.\nAna: I drank.\nTherapist: So?\nClient: No.\n")
    _, imported, _ = cli("import", "group.txt", "--explain")
    said = "lines that begin with 'Ana:', read as part of the turn above: 1"
    odd = "1 turns after one of the same speaker (kept apart, none merged)"
    assert said in imported
    assert odd in imported
    notes = [f"not as it stood in the file: {said}", f"worth a look: {odd}"]
    for again in (("score", "group.txt", "--out", "run"), ("score", "run"), ("show", "run")):
        _, out, _ = cli(*again)
        assert all(f"note: {note}" in " ".join(out.split()) for note in notes)
        record = json.loads((tmp_path / "run" / "run.json").read_text(encoding="utf-8"))
        assert record["warnings"][:2] == notes
        page = html.unescape((tmp_path / "run" / "report.html").read_text(encoding="utf-8"))
        assert all(note in page for note in notes)
    assert record["reading"]["losses"] == [{"what": said.removesuffix(": 1"), "n": 1, "first": ""}]


def test_score_without_text_quotes_no_name(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "group.txt").write_text("Therapist: Welcome.\nMarjolein: I drank.\nTherapist: So?\nClient: No.\n")
    cli("score", "group.txt", "--out", "run")
    for again in (
        ("score", "group.txt", "--no-text", "--out", "quiet"),
        ("score", "run", "--no-text", "--out", "more"),
    ):
        _, out, _ = cli(*again)
        assert "places that 'turnwise import FILE --explain' names: 1" in " ".join(out.split())
        stored = [path.read_bytes() for path in (tmp_path / again[-1]).iterdir() if path.is_file()]
        assert not any(b"Marjolein" in content for content in stored)
