from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from turnwise.apps.cli import main
from turnwise.engine.corpora.annomi import ANNOMI, KEYS


def _run(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as end:
        main(["validate", *args])
    said = capsys.readouterr()
    return int(end.value.code or 0), said.out, said.err


def _write(folder: Path, labels: tuple[str, str], n: int = 30) -> None:
    """Write sessions of two kinds of turns, labelled as said."""
    path = folder / ANNOMI.file
    path.parent.mkdir(parents=True)
    with gzip.open(path, "wt", encoding="utf-8") as f:
        for s in range(n):
            texts = (f"What do you think about that, number {s}?", f"Okay. Mm-hmm. {s}")
            turns = [
                {"speaker": "therapist", "text": text, "labels": {KEYS["therapist_behaviour"]: label}}
                for text, label in zip(texts, labels, strict=True)
            ]
            f.write(json.dumps({"id": f"s{s}", "turns": turns, "meta": {}}) + "\n")


def test_wrong_labels_end_in_exit_one_and_say_which_figure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _write(tmp_path, ("other", "question"))
    code, out, _ = _run(capsys, str(tmp_path), "--coder", "therapist_behaviour")
    assert code == 1
    assert "beyond both intervals: therapist_behaviour.v1 on annomi: macro-F1" in out
    assert "not here: " in out
    code, out, _ = _run(capsys, str(tmp_path), "--json", "--coder", "therapist_behaviour.v1")
    document = json.loads(out)
    assert code == 1
    assert document["coders"][0]["figures"]["macro_f1"]["card"]["n"] > 2_000
    assert len(document["differing"]) == 2


def test_a_coder_without_labels_here_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _write(tmp_path, ("question", "other"), n=2)
    _, out, _ = _run(capsys, str(tmp_path), "--json")
    measured = {m["coder"] for m in json.loads(out)["coders"]}
    assert "therapist_behaviour.v1" in measured


@pytest.mark.parametrize("args", [(), ("--coder", "mood")])
def test_misuse_ends_in_exit_two(tmp_path: Path, capsys: pytest.CaptureFixture[str], args: tuple[str, ...]) -> None:
    code, _, err = _run(capsys, str(tmp_path), *args)
    assert code == 2
    assert err.startswith("turnwise: ")
