"""``turnwise compare`` says which way and how sure, fits a terminal, and fails where B is worse."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from turnwise.engine.test_comparing_example import Made, make_run

Cli = Callable[..., tuple[int, str, str]]
TWO = Made(shift={"good.v1": 0.15, "plain.v1": 0.0})


def test_better_worse_and_unsure_are_said_with_what_they_rest_on(cli: Cli, tmp_path: Path) -> None:
    folder = make_run(tmp_path / "run", TWO)
    code, out, err = cli("compare", folder, "--therapist", "plain", "--therapist", "good", "--margin", "stayed=.1")
    assert (code, err) == (0, "")
    assert "B  good" in out
    assert "paired: same patient and epoch" in out
    assert "about the therapist" in out
    (line,) = (x for x in out.splitlines() if x.startswith("reflection share"))
    assert line.split()[-2:] == ["24", "better"]
    assert "Benjamini-Hochberg over the 7 differences" in out
    assert "does not mean that there is none" in out
    assert "margin: stayed 0.1" in out


@pytest.mark.parametrize("columns", ["80", "120"])
def test_it_fits_the_terminal(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, columns: str) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    _, out, _ = cli("compare", make_run(tmp_path / "run", TWO))
    table = out[out.index("interval") :].partition("\n\n")[0]
    assert max(map(len, table.splitlines())) <= int(columns)
    assert "no difference shown" in table
    assert "…" not in table


def test_worse_fails_and_json_says_where(cli: Cli, tmp_path: Path) -> None:
    folder = make_run(tmp_path / "run", TWO)
    code, out, _ = cli("compare", folder, "--json")
    found = json.loads(out)
    assert code == 1
    assert "reflection_share" in found["failed"]
    assert "attune sustain" in found["failed"]
    assert cli("compare", folder, folder)[0] == 0


def test_a_line_up_shows_what_differs_and_counts_the_rest(cli: Cli, tmp_path: Path) -> None:
    a = make_run(tmp_path / "a", TWO)
    b = make_run(tmp_path / "b", Made(shift={"good.v1": 0.15, "plain.v1": 0.3, "new.v1": 0.0}))
    code, out, _ = cli("compare", a, b)
    assert code == 0
    assert "the others: 7 no difference shown" in out
    assert "not compared: new.v1: it is in B only" in out


def test_nothing_to_compare_fails(cli: Cli, tmp_path: Path) -> None:
    a = make_run(tmp_path / "a", Made(metrics={"reflection_share": 1}, ladder=False))
    b = make_run(tmp_path / "b", Made(metrics={"reflection_share": 1}, ladder=False, weights="dd" * 8))
    code, out, _ = cli("compare", a, b)
    assert code == 1
    assert "nothing could be compared" in out
    assert "score both again" in out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("run",), "holds 3 groups"),
        (("run", "--therapist", "god", "--therapist", "plain"), "did you mean 'good.v1'"),
        (("run", "run", "--margin", "much"), "--margin much"),
        (("run", "nowhere"), "nowhere"),
        (("run", "run", "run"), "two run folders"),
        ((), "A"),
    ],
)
def test_misuse_is_one_sentence_and_exit_2(cli: Cli, tmp_path: Path, arguments: tuple[str, ...], words: str) -> None:
    make_run(tmp_path / "run", Made(shift={"good.v1": 0.1, "plain.v1": 0.0, "third.v1": 0.0}))
    code, out, err = cli("compare", *arguments)
    assert (code, out) == (2, "")
    assert err.startswith("turnwise: ")
    assert len(err.strip().splitlines()) == 1
    assert words in err


def test_hostile_names_are_shown_not_obeyed(cli: Cli, tmp_path: Path) -> None:
    _, out, _ = cli("compare", make_run(tmp_path / "run", Made(shift={"a\x1b[31m": 0.0, "[b]x[/b]": 0.0})))
    assert "\x1b[31m" not in out
    assert "[b]x[/b]" in out


@pytest.mark.parametrize("nothing", ["", " ", None])
def test_group_without_a_value_has_one_name(cli: Cli, tmp_path: Path, nothing: str | None) -> None:
    turns = [{"speaker": "therapist", "text": "How are you?"}, {"speaker": "patient", "text": "I feel bad."}]
    rows = [{"id": f"{arm}{i}", "meta": {"arm": arm}, "turns": turns} for arm in (nothing, "B") for i in range(2)]
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, rows)))
    _, table, _ = cli("score", "a.jsonl", "--by", "arm", "--out", "run")
    assert "(no value)  2" in table
    assert "(no value)" in (tmp_path / "run" / "report.html").read_text(encoding="utf-8")
    for name in ("(no value)", ""):
        for more in ((), ("--by", "arm")):
            _, out, err = cli("compare", "run", "--group", name, "--group", "B", *more)
            assert "A  (no value)  (run: 2 sessions" in out, err
