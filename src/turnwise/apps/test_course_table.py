"""Sessions of courses in a terminal: who came, who left, and where patients stood at the end, at any width."""

from __future__ import annotations

from typing import Any

import pytest
from rich.console import Console

from turnwise.apps.course_table import course_table


def summary(errors: int = 0) -> dict[str, Any]:
    def row(session: int, held: int, left: int) -> dict[str, Any]:
        return {"group": "g", "session": session, "planned": 3, "held": held, "left": left, "not_held": 3 - held,
                "errors": errors}  # fmt: skip

    ends = {"group": "g", "x": [1, 2], "value": [0.5, 0.75], "low": [0.4, 0.7], "high": [0.6, 0.8]}
    return {
        "groups": [{"group": "g", "label": "never_advise"}],
        "courses": [row(1, 3, 1), row(2, 2, 0)],
        "curves": [{**ends, "key": f"course.{key}"} for key in ("trust", "distress", "openness", "conviction")],
    }


def printed(what: dict[str, Any], width: int) -> str:
    console = Console(width=width, record=True, force_terminal=False)
    with console.capture() as said:
        console.print(course_table(what))
    return said.get()


@pytest.mark.parametrize("width", [80, 120])
def test_names_counts_and_intervals_are_whole(width: int) -> None:
    text = printed(summary(), width)
    assert text.count("never_advise") == 1
    assert "3 of 3" in text
    assert "2 of 3" in text
    assert text.count(".40–.60") == 4
    assert "error" not in text


def test_errors_have_a_column_where_there_are_any() -> None:
    assert "error" in printed(summary(errors=1), 90)


def test_single_sessions_have_no_table() -> None:
    assert course_table({"groups": []}) is None
