"""``turnwise patients``: a file to fill in, every problem at once, who a case is."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

Cli = Callable[..., tuple[int, str, str]]


def test_a_new_case_can_be_read_and_is_told_what_it_lacks(tmp_path: Path, cli: Cli) -> None:
    path = tmp_path / "anna.yaml"
    assert cli("patients", "new", "anna", "--out", str(path))[0] == 0
    assert path.read_text(encoding="utf-8").count("id: anna") == 1
    code, out, _ = cli("patients", "check", str(path), "--json")
    [found] = json.loads(out)
    assert code == 1
    assert found["problems"] == []
    assert any("tellings: 3 of at least 100" in r for r in found["remarks"])
    code, _, err = cli("patients", "new", "anna", "--out", str(path))
    assert code == 2
    assert "already there" in err


def test_every_problem_is_told_at_once_with_its_place(tmp_path: Path, cli: Cli) -> None:
    path = tmp_path / "anna.yaml"
    cli("patients", "new", "anna", "--out", str(path))
    text = path.read_text(encoding="utf-8")
    broken = text.replace("pronoun: he", "pronoun: hee").replace("leads_to: [open2]", "leads_to: [open9]")
    path.write_text(broken.replace('swears: "no"', "swears: no"), encoding="utf-8")
    code, out, _ = cli("patients", "check", str(path))
    assert code == 1
    assert "cannot be played" in out
    for place in ("people.sam.pronoun", "tellings[open1].leads_to", "voice.swears", "put it in quotes"):
        assert place in out


def test_a_case_that_ships_is_fine_and_can_be_shown(cli: Cli) -> None:
    code, out, _ = cli("patients", "check", "chidi")
    assert code == 0
    assert out.startswith("chidi: fine")
    code, out, _ = cli("patients", "show", "chidi")
    assert code == 0
    assert "not clinician-reviewed" in out
    assert "planned moments" in out
    assert json.loads(cli("patients", "show", "chidi", "--json")[1])["id"] == "chidi"


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
    cli: Cli,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    code, out, err = cli("patients", *argv)
    assert code in (1, 2)
    assert sentence in out + err
