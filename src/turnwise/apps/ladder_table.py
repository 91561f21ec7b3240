"""The ladder in a terminal: what a therapist shows on a moment alone, what is left of it live, and the difference."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from turnwise.apps.terminal import WIDEST_NAME, bare_table, short, visible
from turnwise.engine.embedded import all_embedded

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

__all__ = ["ladder_notes", "ladder_tables"]

_SKILL_WIDTH = 16
"""Columns that one skill takes: an interval and its distance from the next."""
Rows = Mapping[tuple[str, str, str], Mapping[str, Any]]


def _rows(ladder: Mapping[str, Any]) -> Rows:
    return {(row["therapist"], row["skill"], row["measure"]): row for row in ladder["gaps"]}


def _skills(rows: Rows) -> tuple[list[str], list[str]]:
    """Return the skills that have a gap for some therapist, and those that have none."""
    every = list(dict.fromkeys(skill for _, skill, _ in rows))
    there = {skill for (_, skill, measure), row in rows.items() if measure == "arc_gap" and row["value"] is not None}
    return [s for s in every if s in there], [s for s in every if s not in there]


def ladder_tables(ladder: Mapping[str, Any], labels: Mapping[str, str], width: int = 80) -> Iterator[Table]:
    """Yield tables of therapists and skills: show → sustain, and the arc gap between them with its interval.

    Parameters
    ----------
    ladder : the ``ladder`` section of a run's summary.
    labels : therapist → how it is named in the headline table, in that order.
    width : columns of the terminal; as many skills stand side by side as it can hold without breaking a name.
    """
    rows = _rows(ladder)
    skills, _ = _skills(rows)
    name = min(WIDEST_NAME, max((len(visible(label)) for label in labels.values()), default=0))
    at_once = max(1, (width - max(name, len("show → sustain")) - 1) // _SKILL_WIDTH)
    for first in range(0, len(skills), at_once):
        yield _table(rows, skills[first : first + at_once], labels, name)


def _table(rows: Rows, skills: Sequence[str], labels: Mapping[str, str], name: int) -> Table:
    from rich.text import Text

    table = bare_table()
    table.add_column("show → sustain\narc gap", min_width=name, max_width=WIDEST_NAME, overflow="fold")
    for skill in skills:
        table.add_column(skill.replace("_", " "), justify="right", no_wrap=True)
    for therapist, label in labels.items():
        table.add_row(Text(visible(label)), *(_cell(rows, therapist, skill) for skill in skills))
    return table


def _cell(rows: Rows, therapist: str, skill: str) -> Text:
    from rich.text import Text

    show, sustain, gap = (rows.get((therapist, skill, m)) for m in ("show", "sustain", "arc_gap"))
    if gap is None or gap["value"] is None:
        return Text("–", style="dim")
    interval = "" if gap["low"] is None else f"\n{short(gap['low'])} to {short(gap['high'])}"
    few = f"\nn {gap['n']}/{gap['n_patients']}"
    both = f"{_value(show)} → {_value(sustain)}"
    return Text(both) + Text(f"\n{short(gap['value'])}") + Text(interval + few, style="dim")


def _value(row: Mapping[str, Any] | None) -> str:
    return "–" if row is None or row["value"] is None else short(row["value"])


def ladder_notes(ladder: Mapping[str, Any], played: Mapping[str, Any] | None) -> list[str]:
    """Return what has to be said under the tables: what they are not, what they rest on, what is missing."""
    embedded = all_embedded({row["therapist"] for row in ladder["gaps"]})
    lines = [str(ladder["note"] if embedded else ladder["about"])]
    if _skills(_rows(ladder))[0]:
        lines.append("arc gap = show − sustain, paired within patients; n: moments on both rungs / patients")
    if played and not ladder["moments"]:
        lines.append(
            "ladder: none. No scheduled moment came in sessions this short, so no skill could be judged; "
            "give --turns 16 or more (20 is the default)"
        )
    elif played:
        lines.append(
            f"ladder: {ladder['moments']} scheduled moments of {played['bank_sessions']} sessions led by "
            f"{played['reference']}, met live (sustain), {played.get('replayed_moments', 'all')} of them alone (show) "
            "and after a replayed history (resume, with all else: gap.parquet)"
        )
    if ladder.get("courses"):
        lines.append(str(ladder["courses"]))
    _, without = _skills(_rows(ladder))
    if without:
        lines.append(f"without a gap, for want of readings or of moments: {', '.join(without)}")
    return lines
