"""A broken plugin fails loudly when it is discovered, with its name; a sound one needs one file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

from turnwise.core.errors import RegistryError
from turnwise.core.measure import measure
from turnwise.core.nouns import Trajectory, Turn
from turnwise.core.registry import METRICS
from turnwise.engine import discovery

SOUND = '''
from turnwise.core.nouns import Score
from turnwise.core.registry import metric

@metric("turns_seen.v1", unit="turns", bounds=(0, 1e9), orientation="none", source="a test")
def turns_seen(t):
    """Turns there are."""
    return Score(float(len(t.turns)), len(t.turns))
'''
BROKEN = {
    "syntax": ("def (", "SyntaxError"),
    "missing import": ("import nowhere_to_be_found", "ModuleNotFoundError"),
    "raises": ("1 / 0", "ZeroDivisionError"),
    "bad name": (SOUND.replace("turns_seen.v1", "TurnsSeen"), "snake_case"),
    "taken name": (SOUND.replace("turns_seen.v1", "talk_share.v1"), "registered twice"),
    "unknown option": (SOUND.replace("source=", "sauce="), "sauce"),
}


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], str]]:
    discovery.discover()
    counter = iter(range(100))

    def make(source: str) -> str:
        name = f"room_under_test_{abs(hash(tmp_path))}_{next(counter)}"
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("")
        (tmp_path / name / "plugin.py").write_text(source)
        (tmp_path / name / "test_plugin.py").write_text("raise RuntimeError('tests are not plugins')")
        return name

    monkeypatch.syspath_prepend(tmp_path)
    yield make
    METRICS.remove("turns_seen.v1")


def test_one_file_adds_a_metric(room: Callable[[str], str]) -> None:
    discovery.discover(room(SOUND))
    t = Trajectory(session_id="s", source="x", turns=(Turn(speaker="patient", text="hi"),))
    assert measure(METRICS.get("turns_seen"), t).value == 1.0


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_plugin_fails_loudly_with_its_name(name: str, room: Callable[[str], str]) -> None:
    source, words = BROKEN[name]
    with pytest.raises(RegistryError) as caught:
        discovery.discover(room(source))
    assert words in str(caught.value)
    assert "plugin" in str(caught.value) or "turns_seen" in str(caught.value) or "TurnsSeen" in str(caught.value)


def test_third_parties_are_found_through_entry_points(room: Callable[[str], str], monkeypatch: Any) -> None:
    name = room(SOUND)
    point = EntryPoint(name="theirs", value=f"{name}.plugin:turns_seen", group=discovery.ENTRY_POINT_GROUP)
    monkeypatch.setattr(discovery, "entry_points", lambda group: [point])
    monkeypatch.setattr(discovery, "_done", discovery._done - {discovery.ENTRY_POINT_GROUP})
    discovery.discover()
    assert "turns_seen" in METRICS
