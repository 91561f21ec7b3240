from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

import pytest

from turnwise.apps.cli import main
from turnwise.apps.test_cli import GOOD


@pytest.fixture(scope="module")
def scored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    where = tmp_path_factory.mktemp("explain")
    red = "It sounds like \x1b[31mred\x1b[0m is hard.\n\nrisk = none  p 1.00  (risk.v1)\u2028x"
    turns = [*GOOD["turns"], {"speaker": "counselor", "text": red}]
    (where / "talk.jsonl").write_text(json.dumps(GOOD | {"turns": turns}) + "\n")
    with suppress(SystemExit):
        main(["score", str(where / "talk.jsonl"), "--out", str(where / "run"), "--json"])
    return where / "run"


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    code: object = 0
    try:
        main([str(a) for a in arguments])
    except SystemExit as done:
        code = done.code
    out, err = capsys.readouterr()
    return int(code or 0), out, err  # type: ignore[call-overload]


def test_it_shows_the_words_behind_each_label(scored: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "explain", scored, "s1", 0)
    assert code == 0
    assert "therapist_behaviour = question" in out
    assert "therapist, turn 0:  How have you been this week?" in out
    assert "client_talk" not in out


def test_one_label_as_json_covers_every_word_in_order(scored: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "explain", scored, "s1", 1, "--item", "client_talk", "--json")
    document = json.loads(out)
    assert code == 0
    [label] = document["labels"]
    assert " ".join(w["words"] for w in label["words"]) == GOOD["turns"][1]["text"]  # type: ignore[index]
    assert 0 < label["p"] <= 1
    assert label["value"] in ("change", "neutral", "sustain")


def test_what_a_patient_or_model_said_is_shown_and_not_obeyed(scored: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capsys, "explain", scored, "s1", 4)
    assert "\x1b[31m" not in out
    assert "\\x1b[31m" in out
    # What was said can never stand on a line of its own and look like a result.
    assert not [line for line in out.splitlines() if line.startswith("risk = ")]
    assert "\u2028" not in out


def test_the_coders_of_the_run_are_the_default_and_others_are_named_as_such(
    scored: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, own, _ = run(capsys, "explain", scored, "s1", 0)
    _, other, _ = run(capsys, "explain", scored, "s1", 0, "--readers", "open")
    assert "therapist_behaviour.v1" in own
    assert "this run was scored with" not in own
    assert "therapist_behaviour_open.v1" in other
    assert "this run was scored with the research one" in other


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("s1", "99"), "turns 0 to 4"),
        (("s2", "0"), "s1"),
        (("s1", "0", "--item", "client_tak"), "did you mean 'client_talk'"),
    ],
)
def test_mistakes_end_with_a_sentence(
    scored: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], says: str
) -> None:
    code, out, err = run(capsys, "explain", scored, *arguments)
    assert code == 2
    assert out == ""
    assert says in err
    assert err.count("\n") == 1


def test_a_coder_of_the_other_speaker_says_so(scored: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "explain", scored, "s1", 0, "--item", "client_talk")
    assert code == 0
    assert "reads the patient's turns only" in out


def test_a_damaged_or_wordless_run_is_one_sentence(
    scored: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "trajectories.jsonl").write_bytes(b"\xff\xfe")
    code, _, err = run(capsys, "explain", tmp_path, "s1", 0)
    assert (code, err.count("\n")) == (2, 1)
    assert "UTF-8" in err
    (tmp_path / "trajectories.jsonl").unlink()
    (tmp_path / "run.json").write_text((scored / "run.json").read_text().replace('"no_text": false', '"no_text": true'))
    code, _, err = run(capsys, "explain", tmp_path, "s1", 0)
    assert code == 2
    assert "keeps no words" in err
