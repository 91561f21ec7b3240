"""Tests do not vanish unseen: each place keeps at least as many as it once had."""

from __future__ import annotations

from pathlib import Path

import pytest

from laws import count_tests

ROOT = Path(__file__).resolve().parents[1]
MINIMUM = {
    "src/turnwise/apps": 30,
    "src/turnwise/belief": 14,
    "src/turnwise/core": 28,
    "src/turnwise/engine": 90,
    "src/turnwise/metrics": 56,
    "src/turnwise/patients": 44,
    "src/turnwise/reading": 65,
    "src/turnwise/stats": 39,
    "src/turnwise/therapists": 40,
    "tests": 55,
}


@pytest.mark.parametrize(("place", "least"), MINIMUM.items())
def test_no_tests_were_lost(place: str, least: int) -> None:
    assert count_tests(ROOT / place) >= least


def test_counting_sees_functions_methods_and_coroutines(tmp_path: Path) -> None:
    code = "def test_a(): ...\nclass TestB:\n    def test_b(self): ...\nasync def test_c(): ...\ndef other(): ...\n"
    (tmp_path / "test_x.py").write_text(code, encoding="utf-8")
    (tmp_path / "x.py").write_text("def test_d(): ...\n", encoding="utf-8")
    assert count_tests(tmp_path) == 3
