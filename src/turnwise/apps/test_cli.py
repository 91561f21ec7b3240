"""A user's mistake ends with one sentence that names the place and the remedy, and exit 2."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet as pq
import pytest

GOOD = {
    "id": "s1",
    "turns": [
        {"speaker": "counselor", "text": "How have you been this week?"},
        {"speaker": "client", "text": "Not great. I keep drinking, and I want to stop."},
        {"speaker": "counselor", "text": "You want to stop, and it has been a hard week."},
        {"speaker": "client", "text": "Yes. I am going to try again."},
    ],
}
Cli = Callable[..., tuple[int, str, str]]


def sessions(folder: Path) -> list[dict[str, object]]:
    return pq.read_table(folder / "sessions.parquet").to_pylist()  # type: ignore[no-any-return]


def one_sentence(err: str) -> bool:
    lines = [x for x in err.strip().splitlines() if x]
    return len(lines) == 1 and lines[0].startswith("turnwise: ") and lines[0].endswith((".", "?", ")"))


WHOLE_FILE_MISTAKES = {
    "missing": (None, "no such file"),
    "empty": (b"", "empty"),
    "blank": (b"\n\n  \n", "blank"),
    "only rubbish": (b"\x00\x01\x02\x03" * 50, ""),
    "prose": (b"Dear diary, today I went to the sea.\n" * 5, ""),
    "truncated json": (json.dumps(GOOD).encode()[:60], ""),
    "broken gzip": (gzip.compress(json.dumps(GOOD).encode())[:40], ""),
    "latin-1": ((json.dumps(GOOD, ensure_ascii=False).replace("great", "gr\xe4t") + "\n").encode("latin-1"), "UTF-8"),
}


@pytest.mark.parametrize("name", WHOLE_FILE_MISTAKES)
def test_unusable_files_are_named_with_a_remedy(name: str, cli: Cli, tmp_path: Path) -> None:
    content, words = WHOLE_FILE_MISTAKES[name]
    path = tmp_path / "file.jsonl"
    if content is not None:
        path.write_bytes(content)
    code, out, err = cli("score", path, "--out", "o")
    assert (code, out) == (2, "")
    assert one_sentence(err), err
    assert "file.jsonl" in err
    assert words in err
    assert not (tmp_path / "o" / "run.json").exists()


def dump(*records: object) -> bytes:
    return b"".join(json.dumps(r).encode() + b"\n" for r in records)


DATA = {
    "bom": b"\xef\xbb\xbf" + dump(GOOD),
    "crlf": dump(GOOD).replace(b"\n", b"\r\n"),
    "renamed gzip": gzip.compress(dump(GOOD)),
    "long turn": dump(GOOD | {"turns": [*GOOD["turns"], {"speaker": "user", "text": "word " * 20_000}]}),
    "other script": dump(GOOD | {"turns": [{"speaker": "therapist", "text": "你好吗？"}, *GOOD["turns"]]}),
    "one turn": dump(GOOD | {"turns": GOOD["turns"][:1]}),
    "one speaker": dump(GOOD | {"turns": GOOD["turns"][::2]}),
    "neighbours": dump(GOOD | {"turns": [GOOD["turns"][0], *GOOD["turns"]]}),
}


@pytest.mark.parametrize("name", DATA)
def test_odd_but_honest_files_are_scored(name: str, cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "file.txt").write_bytes(DATA[name])
    code, out, _ = cli("score", "file.txt", "--out", "o", "--json")
    assert code == 0
    assert json.loads(out)["sessions"] == 1
    (row,) = sessions(tmp_path / "o")
    assert row["session_id"] == "s1"
    assert row["ending"] == "unknown"


BAD_SESSIONS = {
    "unknown speaker": {"id": "bad", "turns": [{"speaker": "dog", "text": "woof"}]},
    "no turns": {"id": "bad"},
    "turns of the wrong kind": {"id": "bad", "turns": "hello"},
    "text of the wrong kind": {"id": "bad", "turns": [{"speaker": "client", "text": 7}]},
    "duplicate id": GOOD,
}


@pytest.mark.parametrize("name", BAD_SESSIONS)
def test_a_bad_session_is_stored_counted_and_named_and_the_others_are_scored(
    name: str, cli: Cli, tmp_path: Path
) -> None:
    (tmp_path / "f.jsonl").write_bytes(dump(GOOD, BAD_SESSIONS[name], GOOD | {"id": "s2"}))
    code, out, _ = cli("score", "f.jsonl", "--out", "o")
    assert code == 0
    assert "1 sessions could not be used" in out or "1 session could not be used" in out
    rows = {str(r["session_id"]): r for r in sessions(tmp_path / "o")}
    assert len(rows) == 3
    (bad,) = [r for r in rows.values() if r["ending"] == "error"]
    assert "line 2" in str(bad["error"]) or "session 2" in str(bad["error"])
    assert rows["s1"]["talk_share"] == rows["s2"]["talk_share"] is not None
    assert bad["talk_share"] is None


def test_a_truncated_last_line_is_one_bad_session(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "f.jsonl").write_bytes(dump(GOOD, GOOD | {"id": "s2"})[:-30])
    code, out, _ = cli("score", "f.jsonl", "--out", "o", "--json")
    assert code == 0
    assert json.loads(out)["endings"] == {"error": 1, "unknown": 1}


MISUSES = {
    ("run", "--therapist", "socratik"): "did you mean 'socratic'",
    ("run", "--patients", "alum"): "did you mean 'alun'",
    ("run", "--turns", "0"): "--turns 0",
    ("run", "--turns", "many"): "many",
    ("run", "--epochs", "-1"): "--epochs -1",
    ("run", "--seed", "-1"): "--seed -1",
    ("run", "--concurrency", "0"): "--concurrency 0",
    ("run", "--reference", "reflektor"): "did you mean 'reflector'",
    ("run", "--ladder-epochs", "0"): "--ladder-epochs 0",
    ("run", "--therapist", "silent", "--therapist", "silent"): "named twice",
    ("show", "reflection_sahre"): "did you mean 'reflection_share'",
    ("show", "nowhere", "s1"): "nowhere",
    ("list", "metric"): "metric",
    ("sing",): "sing",
}


@pytest.mark.parametrize("arguments", MISUSES, ids=" ".join)
def test_misuse_is_answered_with_a_remedy(arguments: tuple[str, ...], cli: Cli) -> None:
    code, out, err = cli(*arguments)
    assert (code, out) == (2, "")
    assert one_sentence(err), err
    assert MISUSES[arguments] in err


def test_a_folder_without_permission(cli: Cli, tmp_path: Path) -> None:
    if os.geteuid() == 0:
        target = Path("/proc/nowhere/o")  # root may write everywhere but here
    else:
        (tmp_path / "locked").mkdir(mode=0o500)
        target = tmp_path / "locked" / "o"
    code, _, err = cli("run", "--turns", "2", "--epochs", "1", "--out", target)
    assert code == 2
    assert one_sentence(err.splitlines()[-1])


def test_out_is_a_file(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "o").write_text("mine")
    (tmp_path / "f.jsonl").write_bytes(dump(GOOD))
    code, _, err = cli("score", "f.jsonl", "--out", "o")
    assert code == 2
    assert one_sentence(err)
    assert (tmp_path / "o").read_text() == "mine"


def test_what_was_said_is_shown_and_not_obeyed(cli: Cli, tmp_path: Path) -> None:
    hostile = "\x1b[2J\x1b[31m[bold red]<script>alert(1)</script>[/]\u202e"
    turns = [{"speaker": "therapist", "text": hostile}, {"speaker": "patient", "text": hostile}]
    (tmp_path / "f.jsonl").write_bytes(dump({"id": hostile, "turns": turns}))
    code, out, err = cli("score", "f.jsonl", "--out", "o")
    assert code == 0
    assert "\x1b" not in out + err
    code, out, _ = cli("show", "o", hostile)
    assert code == 0
    assert "\x1b" not in out
    assert "\u202e" not in out
    assert "[bold red]<script>alert(1)</script>[/]" in out
    page = (tmp_path / "o" / "report.html").read_text(encoding="utf-8")
    assert "<script>alert(1)" not in page


def test_no_text_leaves_no_word_behind(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "f.jsonl").write_bytes(dump(GOOD))
    assert cli("score", "f.jsonl", "--out", "o", "--no-text")[0] == 0
    for path in (tmp_path / "o").iterdir():
        assert b"drinking" not in path.read_bytes(), path.name


def test_run_then_show_then_score_again(cli: Cli, tmp_path: Path) -> None:
    asked = ("run", "--therapist", "reflector", "--patients", "alun", "--turns", "3", "--epochs", "2", "--out", "r")
    code, out, err = cli(*asked)
    assert code == 0
    assert "reflector" in out
    assert "report: r/report.html" in out
    assert "--seed 1" in err  # the resolved settings, ready to be fed back
    before = (tmp_path / "r" / "trajectories.jsonl").read_bytes()
    tables = {p.name: p.read_bytes() for p in (tmp_path / "r").glob("*.parquet")}
    assert cli("score", "r")[0] == 0
    assert {p.name: p.read_bytes() for p in (tmp_path / "r").glob("*.parquet")} == tables
    assert cli(*asked)[0] == 0
    assert (tmp_path / "r" / "trajectories.jsonl").read_bytes() == before
    session = json.loads(before.splitlines()[0])["session_id"]
    code, out, _ = cli("show", "r", session, "--state")
    assert code == 0
    assert "trust" in out
    code, out, _ = cli("score", "r/trajectories.jsonl", "--out", "again", "--json")
    assert code == 0
    assert json.loads(out)["sessions"] == 2


def test_list_show_doctor_speak_json(cli: Cli) -> None:
    for arguments in (("list",), ("show", "reflection_share"), ("doctor",)):
        code, out, _ = cli(*arguments, "--json")
        assert code == 0
        assert json.loads(out)
        code, out, _ = cli(*arguments)
        assert code == 0
        assert len(out.splitlines()) > 3


def test_results_of_another_file_are_never_overwritten_in_silence(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(dump(GOOD))
    (tmp_path / "b.jsonl").write_bytes(dump(GOOD | {"id": "other"}))
    assert cli("score", "a.jsonl", "--out", "o")[0] == 0
    before = {p.name: p.read_bytes() for p in (tmp_path / "o").iterdir()}
    code, _, err = cli("score", "b.jsonl", "--out", "o")
    assert code == 2
    assert "another file (a.jsonl)" in err
    assert {p.name: p.read_bytes() for p in (tmp_path / "o").iterdir()} == before
    assert cli("score", "b.jsonl", "--out", "o", "--force")[0] == 0
    assert [r["session_id"] for r in sessions(tmp_path / "o")] == ["other"]
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "report.html").write_text("mine")
    assert cli("score", "a.jsonl", "--out", "mine")[0] == 2
    assert (tmp_path / "mine" / "report.html").read_text() == "mine"


def test_a_quiet_scoring_leaves_no_earlier_words_behind(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(dump(GOOD))
    assert cli("score", "a.jsonl", "--out", "o")[0] == 0
    code, _, err = cli("score", "a.jsonl", "--out", "o", "--no-text")
    assert code == 2
    assert "what was said" in err
    assert cli("score", "a.jsonl", "--out", "o", "--no-text", "--force")[0] == 0
    assert not any(b"drinking" in p.read_bytes() for p in (tmp_path / "o").iterdir())


def test_names_in_bad_lines_stay_out_of_a_quiet_scoring(cli: Cli, tmp_path: Path) -> None:
    bad = {"id": "bad", "turns": [{"speaker": "SECRETNAME Smith", "text": "hi"}]}
    (tmp_path / "a.jsonl").write_bytes(dump(GOOD, bad))
    assert cli("score", "a.jsonl", "--out", "o", "--no-text")[0] == 0
    assert not any(b"SECRETNAME" in p.read_bytes() for p in (tmp_path / "o").iterdir())


def test_two_files_of_one_name_do_not_meet(cli: Cli, tmp_path: Path) -> None:
    for folder in ("x", "y"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "v1.2.jsonl").write_bytes(dump(GOOD))
        assert cli("score", f"{folder}/v1.2.jsonl")[0] == 0
    assert len(list((tmp_path / "runs").iterdir())) == 2


def test_a_grouping_that_no_session_knows_is_refused_before_anything_is_written(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(dump(GOOD))
    code, _, err = cli("score", "a.jsonl", "--out", "o", "--by", "nope")
    assert code == 2
    assert "'nope'" in err
    assert not (tmp_path / "o" / "sessions.parquet").exists()


def test_one_broken_line_does_not_take_the_comparison_away(cli: Cli, tmp_path: Path) -> None:
    records = [GOOD | {"id": f"s{i}", "meta": {"arm": "ab"[i % 2]}} for i in range(6)]
    (tmp_path / "a.jsonl").write_bytes(dump(*records) + b"{broken\n")
    code, out, _ = cli("score", "a.jsonl", "--out", "o", "--by", "arm", "--json")
    assert code == 0
    assert len(json.loads(out)["summary"]["separation"]) > 10


def test_a_damaged_record_names_a_way_to_keep_the_sessions(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(dump(GOOD))
    assert cli("score", "a.jsonl", "--out", "o")[0] == 0
    for damage in ("{}", "{broken", "[]"):
        (tmp_path / "o" / "run.json").write_text(damage)
        code, _, err = cli("score", "o")
        assert code == 2
        assert "trajectories.jsonl --out NEW" in err
    assert cli("score", "o/trajectories.jsonl", "--out", "saved")[0] == 0


def test_a_bot_that_changes_folder_changes_nothing(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    home = tmp_path / "home"
    home.mkdir()
    (home / "roving.py").write_text(
        f"import os\nos.chdir({str(elsewhere)!r})\ndef reply(m):\n    os.chdir('/')\n    return 'What is hardest?'\n"
    )
    monkeypatch.chdir(home)
    monkeypatch.setattr(sys, "path", [p for p in sys.path if p])
    monkeypatch.delitem(sys.modules, "roving", raising=False)
    few = ("--patients", "alun", "--turns", 1, "--epochs", 1, "--no-ladder")
    code, out, err = cli("run", "--therapist", "python:roving:reply", *few, "--out", "run")
    assert code == 0, err
    assert "report: run/report.html" in out
    assert (home / "run" / "report.html").exists()
    assert not list(elsewhere.iterdir())


def test_a_stop_while_it_is_loaded_is_one_line() -> None:
    stopped = (
        "import sys\nclass Stop:\n def find_spec(self, name, *_):\n  if name == 'click': raise KeyboardInterrupt\n"
    )
    code = stopped + "sys.meta_path.insert(0, Stop())\nimport turnwise.apps.cli"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (130, "turnwise: stopped.\n")


def test_a_run_with_errors_has_an_exit_code_of_its_own_and_says_why(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "gone.py").write_text(
        "n = [0]\ndef reply(m):\n    n[0] += 1\n    raise ConnectionRefusedError('nobody')\n"
    )
    monkeypatch.setattr(sys, "path", [p for p in sys.path if p])
    monkeypatch.delitem(sys.modules, "gone", raising=False)
    few = ("--patients", "alun", "--turns", 14, "--epochs", 2, "--concurrency", 1, "--out", "run")
    for _ in range(2):  # and when it is found finished
        code, _, err = cli("run", "--therapist", "python:gone:reply", *few)
        assert code == 3
        said = [line for line in err.splitlines() if line.startswith("turnwise: ")]
        assert len(said) == 1
        assert said[0].startswith("turnwise: 2 of 2 sessions and ")
        assert "nobody" in said[0]
        assert "run again with --retry-errors" in said[0]
        assert sys.modules["gone"].n == [5], "two sessions, three moments, and no more"
    code, out, _ = cli("run", "--therapist", "python:gone:reply", *few, "--json")
    assert code == 3
    assert json.loads(out)["failed"]["sessions"] == 2
    assert cli("score", "run", "--no-text")[0] == 0
    assert "nobody" not in (tmp_path / "run" / "run.json").read_text()
    assert cli("run", "--therapist", "reflector", *few[:-1], "fine", "--no-ladder")[0] == 0
