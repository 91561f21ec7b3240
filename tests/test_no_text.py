"""With --no-text nothing that was said, and nothing that came beside it, reaches a table, the"
" report, run.json or a terminal."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from turnwise.apps.cli import main
from turnwise.core.nouns import Score, Trajectory
from turnwise.core.registry import METRICS, metric

WORDS = (
    "I feel so alone with {}.",
    "You always {} me!",
    "What about {}?",
    "No, {}. No. {} hurts, I want to die.",
    "So {}…",
)
PLAYED = ("trajectories.jsonl", "bank.jsonl", "replies.jsonl", "calls.jsonl")
"""What --no-text leaves as it is where turnwise itself played: the sessions, so that they can be scored again."""


class Marks:
    """Makes words that occur nowhere else, and looks for them."""

    def __init__(self, seed: int) -> None:
        self._rng = np.random.default_rng(seed)
        self.made: list[str] = []

    def __call__(self) -> str:
        mark = "zq" + "".join(chr(97 + int(i)) for i in self._rng.integers(0, 26, 9)) + "qz"
        self.made.append(mark)
        return mark

    def told(self, text: str) -> list[str]:
        low = text.lower()  # once: a report is five million characters, and the marks are hundreds
        return [m for m in self.made if m in low]


def _stored(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield every file of a folder as text; tables are unpacked."""
    import pyarrow.parquet as pq

    for path in sorted(folder.rglob("*")):
        if path.suffix == ".parquet":
            yield path.name, json.dumps(pq.read_table(path).to_pylist(), default=str)
        elif path.is_file():
            yield path.name, path.read_text(encoding="utf-8")


def _turn(i: int, mark: Marks) -> dict[str, Any]:
    text = WORDS[i % len(WORDS)].replace("{}", mark())
    return {"speaker": "patient" if i % 2 else "therapist", "text": text, "cues": [{"kind": "tone", "detail": mark()}]}


def _transcripts(mark: Marks) -> str:
    """Return sessions of the plain format: labels, meta, a torn turn, an error, all marked."""
    good = [_turn(i, mark) | {"labels": mark(), "moment": mark(), "state": {"thought": mark()}} for i in range(12)]
    rows: list[dict[str, Any]] = [
        {"id": "one", "source": "a", "turns": good, "meta": {"note": mark(), "quality": "high"}},
        {"id": "two", "turns": [{"speaker": mark(), "text": mark()}]},
        {"id": "three", "turns": [], "ending": "error", "error": f"turn 3: the bot said {mark()}"},
        {"id": "one", "turns": [{"speaker": "patient", "text": mark()}]},
    ]
    return "".join(json.dumps(r) + "\n" for r in rows)


def _trajectories(mark: Marks) -> str:
    """Return sessions that somebody's tool played, with everything a turn can emit, all marked."""
    spec = {"case": "alun", "patient": "standard", "therapist": "somebody's", "seed": 1}
    rows = []
    for name, therapist in (("a", "somebody's"), ("b", "reflector")):
        infos = [
            {
                "moment": mark() if i % 4 else "disclosure",
                "scheduled": True,
                "act": {"move": f"{mark()} it"} if i % 3 else f"{mark()} now",
                "state": {
                    "trust": 0.5,
                    "thought": mark(),
                    mark() + " x": 1,
                    "told": [mark()],
                    "belief": {"w": mark(), "n": 0.1},
                },
                "belief": {mark(): 0.2},
                "thought": mark(),
            }
            for i in range(12)
        ]
        rows.append(
            {
                "format": "turnwise.trajectory/1",
                "session_id": name,
                "source": "played",
                "spec": spec | {"therapist": therapist},
                "turns": [_turn(i, mark) for i in range(12)],
                "infos": infos,
                "ending": "max_turns",
                "meta": {"note": mark()},
            }
        )
    rows.append(rows[0] | {"session_id": "c", "ending": "error", "error": f"it raised {mark()}"})
    return "".join(json.dumps(r) + "\n" for r in rows)


@pytest.fixture
def quoting() -> Iterator[None]:
    """Register two measures of somebody else's that quote, one by failing."""

    def quotes(t: Trajectory) -> Score:
        """Quote. A measure that somebody else wrote."""
        return (
            Score(1.0, 1, None, t.turns[0].text)
            if len(t.turns) % 2
            else Score(None, 0, "undetermined", t.turns[-1].text)
        )

    def fails(t: Trajectory) -> Score:
        """Fail. A measure that somebody else wrote."""
        raise ValueError(t.turns[0].text)

    for function in (quotes, fails):
        metric(
            f"{function.__name__}.v1",
            unit="share",
            bounds=(0.0, 1.0),
            orientation="none",
            source="a test",
        )(function)
    yield
    for function in (quotes, fails):
        METRICS.remove(f"{function.__name__}.v1")


def _run(arguments: list[str], capfd: pytest.CaptureFixture[str]) -> tuple[int, str]:
    try:
        main(arguments)
        code = 0
    except SystemExit as done:
        code = int(done.code or 0)
    out, err = capfd.readouterr()
    return code, out + err


@pytest.mark.parametrize(("make", "how"), [(_transcripts, ()), (_trajectories, ("--json",))])
@pytest.mark.usefixtures("quoting")
def test_scoring_tells_no_word(
    make: Any, how: tuple[str, ...], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    mark = Marks(7)
    (tmp_path / "in.jsonl").write_text(make(mark), encoding="utf-8")
    folder = tmp_path / "out"
    code, said = _run(["score", str(tmp_path / "in.jsonl"), "--out", str(folder), "--no-text", *how], capfd)
    assert code == 0
    for command in (["show", str(folder)], ["show", str(folder), "--json"]):
        said += _run(command, capfd)[1]
    told = {name: mark.told(text) for name, text in [*_stored(folder), ("terminal", said)]}
    assert {name: found for name, found in told.items() if found} == {}
    assert {"turns.parquet", "scores.parquet", "report.html", "run.json", "RETENTION.md"} <= told.keys()
    assert not (folder / "trajectories.jsonl").exists()
    # The test would see it: without the flag the words are there.
    assert _run(["score", str(tmp_path / "in.jsonl"), "--out", str(tmp_path / "loud")], capfd)[0] == 0
    loud = {name for name, text in _stored(tmp_path / "loud") if mark.told(text)}
    assert {"turns.parquet", "scores.parquet", "sessions.parquet", "report.html", "trajectories.jsonl"} <= loud


def test_a_file_that_cannot_be_read_at_all_is_not_quoted(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    mark = Marks(3)
    (tmp_path / "in.jsonl").write_text(json.dumps({"id": "x", "turns": [{"speaker": mark(), "text": mark()}]}) + "\n")
    code, said = _run(["score", str(tmp_path / "in.jsonl"), "--out", str(tmp_path / "out"), "--no-text"], capfd)
    assert code == 2
    assert mark.told(said) == []
    assert "line 1" in said
    assert mark.told(_run(["score", str(tmp_path / "in.jsonl"), "--out", str(tmp_path / "out")], capfd)[1])


def test_playing_tells_no_word_but_in_the_sessions_themselves(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    mark = Marks(5)
    word, broken = mark(), mark()
    bot = (
        f"def talk(messages):\n    n = len(messages)\n    if n > 6:\n        raise ValueError('{broken}')\n"
        f"    return 'It sounds as if {word} hurts. ' + '{word}? ' * n\n"
    )
    (tmp_path / "marked_bot.py").write_text(bot)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    asked = ["run", "--therapist", "python:marked_bot:talk", "--patients", "alun", "--turns", "6", "--epochs", "1"]
    code, said = _run([*asked, "--out", "out", "--no-text"], capfd)
    assert code == 3, "the bot raises in the middle"
    said += _run(["show", "out"], capfd)[1] + _run(["score", "out", "--no-text"], capfd)[1]
    told = {name: mark.told(text) for name, text in [*_stored(tmp_path / "out"), ("terminal", said)]}
    assert told["trajectories.jsonl"]
    assert {name: found for name, found in told.items() if found and name not in PLAYED} == {}
    note = (tmp_path / "out" / "RETENTION.md").read_text()
    assert all(f"`{name}`" in note for name, found in told.items() if found and name in PLAYED)
    # A quiet copy is quiet, and words that lie there from before are not left beside quiet tables.
    assert _run(["score", "out", "--out", "copy", "--no-text"], capfd)[0] == 0
    assert [name for name, text in _stored(tmp_path / "copy") if mark.told(text)] == []
    assert _run(["score", "out", "--out", "both"], capfd)[0] == 0
    code, said = _run(["score", "out", "--out", "both", "--no-text"], capfd)
    assert code == 2
    assert "what was said" in said
