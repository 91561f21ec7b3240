"""``turnwise judge`` at the door: what it prints, and that no words of a session or a judge are markup."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from turnwise.apps import judge
from turnwise.core.nouns import Rating, Trajectory, Turn
from turnwise.engine.judging import Judged

Cli = Callable[..., tuple[int, str, str]]
EVIL = "<script>alert(1)</script>\x1b[2J"
RECORD = {
    "judge": EVIL,
    "sessions": 1,
    "rubric": "rubric.v1",
    "note": "A judge.",
    "answers": {"client_talk": {"change": 1}},
    "agreement": [
        {
            "item": "client_talk",
            "between": ["judge", "coder"],
            "kappa": 0.5,
            "low": 0.2,
            "high": 0.7,
            "n": 9,
            "groups": 4,
        }
        | {"agreement": 0.75, "code": None, "detail": "", "groups": 4},
        {"item": "client_talk", "between": ["judge", "people"], "kappa": None, "low": None, "high": None, "n": 0}
        | {"agreement": None, "code": "empty", "detail": "nothing"},
    ],
    "cost": {"calls": 1, "faults": 0, "tokens": 3, "tokens_in": 2, "tokens_out": 1, "price": None},
}


def test_nothing_on_the_page_is_markup(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    t = Trajectory(session_id=f"s{EVIL}", source="x", turns=(Turn(speaker="patient", text=EVIL),))
    said = {"client_talk": Rating("client_talk", 0, "change", EVIL, "v", EVIL)}
    coded = {(t.session_id, 0, "client_talk"): (EVIL, "coder.v1")}
    monkeypatch.setattr("turnwise.engine.judge_agreement.stored_labels", lambda path: coded)
    page = judge.judge_page(RECORD, [Judged(t, 0, said)], tmp_path)
    assert "<script" not in page
    assert page.count("&lt;script&gt;") >= 5
    assert "judge change" in page
    assert "0.50 [0.20, 0.70]" in page


def test_agreement_in_words_says_why_there_is_none() -> None:
    lines = judge._lines(RECORD)
    assert any("0.50 [0.20, 0.70], same label 75%, n 9 in 4 sessions" in line for line in lines)
    assert any("unscored (empty: nothing), n 0" in line for line in lines)
    assert any("1 calls" in line for line in lines)


def test_a_folder_that_is_no_run_is_refused_in_one_line(cli: Cli, tmp_path: Path) -> None:
    code, _, err = cli("judge", str(tmp_path / "none"), "--judge", "openai/x")
    assert code == 2
    assert "does not exist" in err
    code, _, err = cli("judge", str(tmp_path), "--judge", "openai/x", "--items", "client_tlak")
    assert code == 2
    assert "client_talk" in err
