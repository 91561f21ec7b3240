"""The ladder in a terminal says what was shown, what was left of it, and that it is no finding."""

from __future__ import annotations

from typing import Any

from rich.console import Console

from turnwise.apps.ladder_table import ladder_notes, ladder_tables


def row(skill: str, measure: str, value: float | None, **more: Any) -> dict[str, Any]:
    ends = {"low": None, "high": None, "n": 8, "n_patients": 4, "detail": ""}
    return ends | {"therapist": "t.v1", "skill": skill, "measure": measure, "value": value} | more


LADDER: dict[str, Any] = {
    "note": "instrument check: not a finding",
    "about": "by construction",
    "moments": 8,
    "gaps": [
        *(row(f"skill_{i}", m, v) for i in range(7) for m, v in (("show", 0.75), ("sustain", 0.5))),
        *(row(f"skill_{i}", "arc_gap", 0.25, low=-0.1, high=0.6) for i in range(7)),
        row("unread", "show", None),
        row("unread", "sustain", 0.0),
        row("unread", "arc_gap", None, detail="empty: no reading"),
    ],
}


def printed(width: int = 110) -> str:
    console = Console(width=width, record=True, force_terminal=False)
    with console.capture() as said:
        for table in ladder_tables(LADDER, {"t.v1": "t\x1b[31m", "u.v1": "u"}):
            console.print(table)
    return said.get()


def test_each_skill_has_both_rungs_the_gap_and_its_interval() -> None:
    text = printed()
    assert text.count(".75 → .50") == 7
    assert text.count("−.10 to .60") == 7
    assert text.count("n 8/4") == 7
    assert "\x1b" not in text
    assert "unread" not in text, "a skill that nobody read has no column of zeros"
    assert max(map(len, text.splitlines())) <= 110


def test_the_notes_say_what_it_is_and_what_is_missing() -> None:
    first, *rest = ladder_notes(LADDER, {"bank_sessions": 2, "reference": "reflector.v1"})
    assert first == "by construction", "t.v1 is not one of ours"
    ours = {**LADDER, "gaps": [{**r, "therapist": "parrot.v1"} for r in LADDER["gaps"]]}
    assert ladder_notes(ours, None)[0] == "instrument check: not a finding"
    assert any("8 scheduled moments of 2 sessions led by reflector.v1" in line for line in rest)
    assert rest[-1].endswith(": unread")
    assert ladder_notes(LADDER | {"gaps": []}, None) == [first]
