"""A run folder that lost something, or in which something is not what it was: every command says so in one sentence."""

from __future__ import annotations

import contextlib
import io
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from turnwise.apps.cli import main
from turnwise.apps.report import write_report
from turnwise.core.errors import TurnwiseError

Damage = Callable[[Path], None]
DEEP = b"[" * 100_000 + b"\n"
TABLES = ("ratings", "turns", "scores", "sessions", "moments")


def called(*argv: str) -> tuple[int, str]:
    """Return how a command ends and what it says; whatever it raises is raised here."""
    out, err, code = io.StringIO(), io.StringIO(), 0
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main(list(argv))
        except SystemExit as end:
            code = int(end.code or 0)
    return code, err.getvalue() or out.getvalue()


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "whole"
    names = ("--therapist", "reflector", "--therapist", "parrot", "--patients", "alun,keisha")
    code, said = called("run", *names, "--epochs", "2", "--turns", "10", "--out", str(folder))
    assert code == 0, said
    return folder


@pytest.fixture
def run(whole: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(whole, tmp_path / "run"))


def half(name: str) -> Damage:
    def damage(run: Path) -> None:
        lines = (run / name).read_text(encoding="utf-8").splitlines(keepends=True)
        (run / name).write_text("".join(lines[: len(lines) // 2]), encoding="utf-8")

    return damage


def holding(name: str, content: bytes) -> Damage:
    def damage(run: Path) -> None:
        (run / name).write_bytes(content)

    return damage


def no_rows(name: str) -> Damage:
    return lambda run: pq.write_table(pq.read_table(run / f"{name}.parquet").slice(0, 0), run / f"{name}.parquet")


def no_columns(name: str) -> Damage:
    return lambda run: pq.write_table(pa.table({}), run / f"{name}.parquet")


def recorded(value: Any, *place: str) -> Damage:
    def damage(run: Path) -> None:
        record = at = json.loads((run / "run.json").read_text(encoding="utf-8"))
        for key in place[:-1]:
            at = at[key]
        at[place[-1]] = value
        (run / "run.json").write_text(json.dumps(record), encoding="utf-8")

    return damage


def doors(run: Path) -> dict[str, tuple[int, str]]:
    """Return what the commands say that read all of a run; the report is its own door, since none is written again."""
    found = {
        "show": called("show", str(run)),
        "compare": called("compare", str(run), "--therapist", "reflector", "--therapist", "parrot"),
    }
    try:
        write_report(run)
        found["report"] = (0, "")
    except TurnwiseError as fault:
        found["report"] = (2, str(fault))
    return found


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("trajectories.jsonl", "lacks 4 of the 8 sessions of this run, e.g. 'parrot.v1/"),
        ("bank.jsonl", "lacks 2 of the 4 sessions of this run"),
        ("replies.jsonl", "lacks 8 of the 16 replies of this run"),
    ],
)
def test_what_lost_half_of_its_lines_is_not_scored_shown_or_compared(run: Path, name: str, said: str) -> None:
    tables = {path.name: path.read_bytes() for path in run.glob("*.parquet")}
    half(name)(run)
    new = run.parent / "new"
    found = doors(run)
    found |= {"score": called("score", str(run)), "score anew": called("score", str(run), "--out", str(new))}
    if name == "trajectories.jsonl":
        found |= {
            "export": called("export", str(run), "--format", "csv_table", "--out", str(run.parent / "out.csv")),
            "worst": called("patients", "worst", str(run)),
            "redact": called("redact", str(run), "--out", str(run.parent / "redacted.jsonl")),
        }
    for door, (code, sentence) in found.items():
        assert code == 2, door
        assert f"{name} {said}" in sentence, door
    assert tables == {path.name: path.read_bytes() for path in run.glob("*.parquet")}
    assert not (run.parent / "out.csv").exists()
    assert not new.exists()


def test_scored_transcripts_that_lost_sessions_are_not_scored_again_as_if_they_were_all(tmp_path: Path) -> None:
    turns = [{"speaker": who, "text": f"It is {who}."} for who in ("therapist", "patient")]
    lines = [json.dumps({"id": f"s{i}", "turns": turns}) for i in range(4)]
    (tmp_path / "t.jsonl").write_text("\n".join(lines), encoding="utf-8")
    run = tmp_path / "run"
    assert called("score", str(tmp_path / "t.jsonl"), "--out", str(run))[0] == 0
    half("trajectories.jsonl")(run)
    for argv in (("score", str(run)), ("show", str(run))):
        code, sentence = called(*argv)
        assert (code, "lacks 2 of the 4 sessions" in sentence) == (2, True)
        assert "score the transcripts again" in sentence


def test_what_was_lost_is_played_again_by_the_same_command(run: Path, whole: Path) -> None:
    for name in ("trajectories.jsonl", "bank.jsonl", "replies.jsonl"):
        half(name)(run)
    names = ("--therapist", "reflector", "--therapist", "parrot", "--patients", "alun,keisha")
    code, said = called("run", *names, "--epochs", "2", "--turns", "10", "--out", str(run))
    assert code == 0, said
    for name in ("trajectories.jsonl", "bank.jsonl", "replies.jsonl"):
        assert (run / name).read_bytes() == (whole / name).read_bytes()


def test_figures_of_half_of_the_sessions_are_refused_whoever_made_them(run: Path) -> None:
    recorded(4, "sessions")(run)
    for door, (code, sentence) in doors(run).items():
        assert code == 2, door
        assert "figures are of 4 of the 8 sessions" in sentence, door


def test_replies_that_are_gone_are_not_scored_as_a_run_without_a_ladder(run: Path) -> None:
    (run / "replies.jsonl").unlink()
    code, sentence = called("score", str(run))
    assert (code, "replies.jsonl is missing" in sentence) == (2, True)


def test_a_run_whose_words_were_removed_on_purpose_is_shown_and_compared(run: Path) -> None:
    for name in ("trajectories.jsonl", "bank.jsonl", "replies.jsonl"):
        (run / name).unlink()
    found = doors(run)
    # Two patients cannot tell whether safety held: the verdict is undetermined, and not that words are missing.
    assert (found["compare"][0], found["report"][0]) == (4, 0)


@pytest.mark.parametrize("door", ["show", "compare", "report"])
@pytest.mark.parametrize(
    "damage",
    [
        recorded("turnwise.run/2", "format"),
        recorded(3, "format"),
        holding("run.json", DEEP),
        holding("run.json", b"[]"),
        *(recorded(value, "summary") for value in ({"a": 1}, [1], "x")),
        *(recorded("x", key) for key in ("study", "ladder", "metrics", "sessions", "endings", "conformance")),
        *(recorded("x", "summary", key) for key in ("metrics", "groups")),
    ],
)
def test_a_record_of_another_shape_or_version_is_one_sentence(run: Path, damage: Damage, door: str) -> None:
    damage(run)
    code, sentence = doors(run)[door]
    if door == "compare" and code in (0, 1, 4):  # it does not read what was damaged here
        return
    assert code == 2
    assert "run.json" in sentence
    assert len(sentence.strip().splitlines()) == 1


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("how", ["empty file", "no rows", "no columns", "cut off", "overwritten"])
def test_a_damaged_table_is_one_sentence_that_names_it(run: Path, name: str, how: str) -> None:
    path = run / f"{name}.parquet"
    content = path.read_bytes()
    damages: dict[str, Damage] = {
        "empty file": holding(path.name, b""),
        "no rows": no_rows(name),
        "no columns": no_columns(name),
        "cut off": holding(path.name, content[:-200]),
        "overwritten": holding(path.name, content[:8] + b"\xff" * 300 + content[308:]),
    }
    damages[how](run)
    refused = {door: sentence for door, (code, sentence) in doors(run).items() if code == 2}
    assert refused
    for sentence in refused.values():
        assert path.name in sentence
        assert len(sentence.strip().splitlines()) == 1


@pytest.mark.parametrize("name", ["trajectories.jsonl", "bank.jsonl", "replies.jsonl"])
def test_a_hundred_thousand_brackets_are_one_sentence(run: Path, name: str) -> None:
    holding(name, DEEP * 20)(run)
    for code, sentence in (*doors(run).values(), called("score", str(run)), called("explain", str(run), "x", "0")):
        assert code == 2
        assert len(sentence.strip().splitlines()) == 1


def test_a_damaged_line_does_not_give_up_the_sessions_after_it(run: Path) -> None:
    path = run / "trajectories.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    before = b"".join((*lines[:2], b'{"format": 3}\n', *lines[3:]))
    path.write_bytes(before)
    names = ("--therapist", "reflector", "--therapist", "parrot", "--patients", "alun,keisha")
    code, said = called("run", *names, "--epochs", "2", "--turns", "10", "--out", str(run))
    assert code == 2
    assert "line 3: is damaged, and sessions stand after it" in said
    assert path.read_bytes() == before
