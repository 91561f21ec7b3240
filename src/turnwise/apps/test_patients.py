"""``turnwise patients``: a file to fill in, every problem at once, who a case is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from turnwise.apps.cli import main


def run(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, str, str]:
    code = 0
    try:
        main(["patients", *argv])
    except SystemExit as done:
        code = int(done.code or 0)
    out, err = capsys.readouterr()
    return code, out, err


def test_a_new_case_can_be_read_and_is_told_what_it_lacks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "anna.yaml"
    assert run(capsys, "new", "anna", "--out", str(path))[0] == 0
    assert path.read_text(encoding="utf-8").count("id: anna") == 1
    code, out, _ = run(capsys, "check", str(path), "--json")
    [found] = json.loads(out)
    assert code == 1
    assert found["problems"] == []
    assert any("tellings: 3 of at least 100" in r for r in found["remarks"])
    code, _, err = run(capsys, "new", "anna", "--out", str(path))
    assert code == 2
    assert "already there" in err


def test_every_problem_is_told_at_once_with_its_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "anna.yaml"
    run(capsys, "new", "anna", "--out", str(path))
    text = path.read_text(encoding="utf-8")
    broken = text.replace("pronoun: he", "pronoun: hee").replace("leads_to: [open2]", "leads_to: [open9]")
    path.write_text(broken.replace('swears: "no"', "swears: no"), encoding="utf-8")
    code, out, _ = run(capsys, "check", str(path))
    assert code == 1
    assert "cannot be played" in out
    for place in ("people.sam.pronoun", "tellings[open1].leads_to", "voice.swears", "put it in quotes"):
        assert place in out


def test_a_case_that_ships_is_fine_and_can_be_shown(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "check", "chidi")
    assert code == 0
    assert out.startswith("chidi: fine")
    code, out, _ = run(capsys, "show", "chidi")
    assert code == 0
    assert "not clinician-reviewed" in out
    assert "planned moments" in out
    assert json.loads(run(capsys, "show", "chidi", "--json")[1])["id"] == "chidi"


@pytest.mark.parametrize(
    ("argv", "sentence"),
    [
        (("show", "nobody"), "no case 'nobody'"),
        (("check", "no.yaml"), "is not there"),
        (("new", "Anna!"), "small letters"),
    ],
)
def test_mistakes_are_one_sentence(
    argv: tuple[str, ...],
    sentence: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = run(capsys, *argv)
    assert code in (1, 2)
    assert sentence in out + err
    assert "Traceback" not in err
