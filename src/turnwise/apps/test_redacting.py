"""The door to redaction: plain words, no name in them, one sentence for a mistake."""

import json
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

Cli = Callable[..., tuple[int, str, str]]
TEXT = "Therapist: Hello.\nPatient: My sister Zdenka is 34 and lives in Leeds.\n"


@pytest.fixture
def said(tmp_path: Path) -> Path:
    (tmp_path / "apart").mkdir()
    path = tmp_path / "said.txt"
    path.write_text(TEXT)
    return path


def test_out_and_back(cli: Cli, said: Path, tmp_path: Path) -> None:
    code, out, err = cli("redact", said, "--out", "r.jsonl", "--map", "apart/m.jsonl")
    assert code == 0
    assert "1 sessions, 2 turns, 10 words" in out
    assert "replaced: AGE 1, PLACE 1, NAME 1" in out
    assert "no guarantee" in out
    assert "Zdenka" not in out + err
    assert "Zdenka" not in (tmp_path / "r.jsonl").read_text()
    assert stat.S_IMODE((tmp_path / "apart" / "m.jsonl").stat().st_mode) == 0o600
    code, out, _ = cli("redact", "--restore", "r.jsonl", "--map", "apart/m.jsonl", "--out", "b.jsonl")
    assert (code, "1 sessions, 2 turns restored" in out) == (0, True)
    assert cli("import", said, "--to", "i.jsonl")[0] == 0
    assert (tmp_path / "b.jsonl").read_bytes() == (tmp_path / "i.jsonl").read_bytes()


def test_without_a_map_it_says_that_there_is_no_way_back(cli: Cli, said: Path, tmp_path: Path) -> None:
    code, out, _ = cli("redact", said, "--out", "r.jsonl", "--known", _names(tmp_path, "hello"))
    assert (code, "cannot be undone" in out) == (0, True)
    assert json.loads((tmp_path / "r.jsonl").read_text())["turns"][0]["text"] == "[NAME_1]."
    record = json.loads(cli("redact", said, "--out", "r.jsonl", "--force", "--json")[1])
    assert record["replaced"] == {"AGE": 1, "PLACE": 1, "NAME": 1}
    assert record["map"] is None


def _names(tmp_path: Path, text: str) -> Path:
    (tmp_path / "names.txt").write_text(text)
    return tmp_path / "names.txt"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("said.txt",), "--out"),
        (("absent.txt", "--out", "r.jsonl"), "no such file"),
        (("said.txt", "--out", "r.jsonl", "--map", "m.jsonl"), "may not lie beside"),
        (("said.txt", "--out", "r.jsonl", "--speaker", "Anna=friend"), "the side is"),
        (("said.txt", "--out", "r.jsonl", "--known", "absent.txt"), "no such file"),
        (("said.txt", "--out", "b.jsonl", "--restore"), "--restore needs --map"),
        (("said.txt", "--out", "b.jsonl", "--restore", "--map", "said.txt"), "is not"),
        (("said.txt", "--out", "b.jsonl", "--restore", "--map", "said.txt", "--keep", "x"), "--keep has no effect"),
    ],
)
def test_mistakes_are_one_sentence(
    cli: Cli, said: Path, tmp_path: Path, arguments: tuple[str, ...], words: str
) -> None:
    code, out, err = cli("redact", *arguments)
    assert (code, out) == (2, "")
    assert words in err
    assert len([x for x in err.splitlines() if x.startswith("turnwise:")]) == 1
    assert sorted(p.name for p in tmp_path.iterdir()) == ["apart", "said.txt"]


def test_names_that_were_given_and_never_occur_are_listed(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "t.txt").write_text("Therapist: so ze\u0301phyrine came\nClient: with d'umbrage and fizzwick\n")
    (tmp_path / "n.txt").write_text("Zéphyrine\nD’Umbrage\nFizz-Wick\nNobody, Else\n")
    asked = ("redact", "t.txt", "--known", "n.txt", "--out", "o.jsonl", "--force")
    code, out, _ = cli(*asked)
    assert code == 0
    assert "given with --known and never found: Nobody, Else\n" in out
    assert "replaced: NAME 3\n" in out
    _, out, _ = cli(*asked, "--json")
    assert json.loads(out)["known_never_met"] == ["Nobody", "Else"]
