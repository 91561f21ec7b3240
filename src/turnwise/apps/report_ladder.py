"""The ladder in the report: a small picture per skill, the same as a table, and the instrument's own check.

Places on the page are computed here, numbers are not: every figure comes from ``run.json``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, get_args

from turnwise.apps.report_words import count, number
from turnwise.apps.terminal import short, visible
from turnwise.core.errors import RegistryError
from turnwise.core.registry import SKILLS, Skill
from turnwise.engine.embedded import all_embedded

__all__ = ["instrument_check", "ladder_figure"]

Row = Mapping[str, Any]
Rows = Mapping[tuple[str, str, str], Row]
_RUNGS = ("show", "resume", "sustain")
_WIDTH, _LEFT, _RIGHT, _TOP, _ROW, _LANE = 360, 100, 306, 24, 25, 6.5
_LONGEST = 14
_ORDER: tuple[str, ...] = get_args(Skill)


def ladder_figure(record: Row, groups: Sequence[Row]) -> dict[str, Any] | None:
    """Return what the first picture needs, or ``None`` for a run without a ladder."""
    ladder = record["summary"].get("ladder")
    if not ladder or not ladder.get("gaps"):
        return None
    rows: Rows = {(row["therapist"], row["skill"], row["measure"]): row for row in ladder["gaps"]}
    labels = _labels(rows, groups)
    skills = sorted({skill for _, skill, _ in rows}, key=lambda s: (_ORDER.index(s) if s in _ORDER else 99, s))
    drawn = [s for s in skills if any(_value(rows, t, s, "arc_gap") is not None for t in labels)]
    played = record.get("ladder") or {}
    return {
        "label": ladder["note"] if all_embedded(labels) else ladder["about"],
        "moments": ladder["moments"],
        "reference": visible(str(played.get("reference", "the reference therapist"))),
        "width": _WIDTH,
        "row": _ROW,
        "panels": [_panel(rows, skill, labels, record) for skill in drawn],
        "without": [(_title(s), _why(rows, s, labels)) for s in skills if s not in drawn],
        "table": [_table(rows, skill, labels) for skill in drawn],
        "check": instrument_check(ladder.get("check"), labels),
    }


def _labels(rows: Rows, groups: Sequence[Row]) -> dict[str, str]:
    """Return therapist → name, in the order of the other tables."""
    there = list(dict.fromkeys(therapist for therapist, _, _ in rows))
    known = {g["group"]: g["label"] for g in groups if g["group"] in there}
    return known | {t: visible(t) for t in there if t not in known}


def _title(skill: str) -> str:
    words = visible(skill.replace("_", " "))
    return words[:1].upper() + words[1:]


def _value(rows: Rows, therapist: str, skill: str, measure: str) -> float | None:
    row = rows.get((therapist, skill, measure))
    return None if row is None else row["value"]


def _why(rows: Rows, skill: str, labels: Mapping[str, str]) -> str:
    found = [rows[t, skill, "arc_gap"]["detail"] for t in labels if (t, skill, "arc_gap") in rows]
    if any(" undetermined" in detail for detail in found):
        return "undetermined: a rater it needs is below its floor on such turns; its card says by how much"
    said = found[0].partition(": ")[2] if found else ""
    return visible(said.partition("; ")[0] or "no moment has a value on both rungs")


# --- one picture -----------------------------------------------------------------------------------


def _panel(rows: Rows, skill: str, labels: Mapping[str, str], record: Row) -> dict[str, Any]:
    lines = [_line(rows, skill, t, label, i) for i, (t, label) in enumerate(labels.items())]
    there = [rows[t, skill, r] for t in labels for r in _RUNGS if _value(rows, t, skill, r) is not None]
    bottom = _TOP + _ROW * len(lines)
    coder, ceiling = _validity(skill, record)
    return {
        "skill": visible(skill),
        "title": _title(skill),
        "n": f"{_range([r['n'] for r in there])} moments, {_range([r['n_patients'] for r in there])} patients",
        "height": bottom + 20,
        "top": _TOP,
        "bottom": bottom,
        "ticks": [{"x": _x(v), "text": text} for v, text in ((0.0, "0"), (0.5, ".5"), (1.0, "1"))],
        "gap_x": _WIDTH - 4,
        "name_x": _LEFT - 8,
        "lines": lines,
        "desc": " ".join(line["hover"] + "." for line in lines),
        "coder": coder,
        "ceiling": ceiling,
    }


def _range(values: Sequence[int]) -> str:
    low, high = min(values), max(values)
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def _x(value: float) -> float:
    return round(_LEFT + (_RIGHT - _LEFT) * value, 1)


def _line(rows: Rows, skill: str, therapist: str, label: str, at: int) -> dict[str, Any]:
    y = _TOP + _ROW * at + _ROW / 2
    found = {rung: rows.get((therapist, skill, rung)) for rung in _RUNGS}
    marks = [_mark(rung, row, y + (lane - 1) * _LANE) for lane, (rung, row) in enumerate(found.items())]
    gap = rows.get((therapist, skill, "arc_gap"))
    said = [f"{rung} {_words(row)}" for rung, row in (*found.items(), ("arc gap", gap))]
    return {
        "cell": visible(therapist) + "\n" + skill,
        "label": label if len(label) <= _LONGEST else label[: _LONGEST - 1] + "…",
        "y": y,
        "line": y + _ROW / 2,
        "marks": [m for m in marks if m],
        "gap": "–" if gap is None or gap["value"] is None else short(gap["value"]),
        "beyond_zero": gap is not None and gap["low"] is not None and (gap["low"] > 0 or gap["high"] < 0),
        "hover": f"{label}: {'; '.join(said)}",
    }


def _mark(rung: str, row: Row | None, y: float) -> dict[str, Any] | None:
    if row is None or row["value"] is None:
        return None
    ends = (None, None) if row["low"] is None else (_x(row["low"]), _x(row["high"]))
    return {"rung": rung, "x": _x(row["value"]), "y": round(y, 1), "low": ends[0], "high": ends[1]}


def _words(row: Row | None) -> str:
    if row is None or row["value"] is None:
        return "unscored"
    return f"{number(row['value'], 2)} {_interval(row)}, n {row['n']}"


def _interval(row: Row) -> str:
    return "no interval" if row["low"] is None else f"[{number(row['low'], 2)}, {number(row['high'], 2)}]"


def _validity(skill: str, record: Row) -> tuple[str, str]:
    """Return what the least reliable coder of a skill is known to do, and how well people agree on it."""
    from turnwise.reading.cards import load_card

    readers = record.get("readers") or {}
    cards = []
    for item in next((e.spec["needs"] for e in SKILLS.newest() if e.base == skill), ()):
        try:
            card = load_card(item, "raters")
        except RegistryError:
            continue
        # The card of other weights says nothing about these.
        cards += [card] if readers.get(card.coder) == card.sha256 else []
    if not cards:
        return "none known for the coders of this run", "none known"
    worst = min(cards, key=lambda card: card.macro_f1)
    return visible(f"{worst.coder}: {worst.figure_sentence()}"), visible(worst.ceiling_sentence())


# --- tables ----------------------------------------------------------------------------------------


def _table(rows: Rows, skill: str, labels: Mapping[str, str]) -> dict[str, Any]:
    measures = (*_RUNGS, "arc_gap")
    body = [
        {
            "label": label,
            "cell": visible(therapist) + "\n" + skill,
            "cells": [_cell(rows.get((therapist, skill, m))) for m in measures],
        }
        for therapist, label in labels.items()
    ]
    return {"title": _title(skill), "rows": body}


def _cell(row: Row | None) -> dict[str, str]:
    if row is None or row["value"] is None:
        why = "" if row is None else visible(row["detail"])
        return {"value": "unscored", "interval": "", "n": "", "hover": why}
    n = f"n {row['n']} of {count(row['n_patients'], 'patient')}"
    return {"value": number(row["value"], 2), "interval": _interval(row), "n": n, "hover": visible(row["detail"])}


_VERDICT = {True: ("holds", "holds"), False: ("does not hold", "fails"), None: ("nothing to say", "silent")}


def instrument_check(check: Row | None, labels: Mapping[str, str]) -> dict[str, Any] | None:
    """Return whether each foil loses where it has to, and who is dominated by whom, as words."""
    if not check:
        return None
    losses: Sequence[Row] = check["losses"]
    dominated: Mapping[str, str | None] = check["dominated_by"]
    foils = list(dict.fromkeys(row["therapist"] for row in losses))
    name = {t: labels.get(t, visible(t)) for t in [*foils, *dominated]}
    return {
        "foils": [{"label": name[f], **_foil([r for r in losses if r["therapist"] == f], labels)} for f in foils],
        "places": len(losses),
        "counts": [sum(row["loses"] is k for row in losses) for k in (True, False, None)],
        "dominated": [(name[t], labels.get(by, visible(by))) for t, by in dominated.items() if by is not None],
        "lures": [_lure(row, name) for row in check.get("lures", ()) if row["leads"] is not None],
        "free_foils": [name[t] for t, by in dominated.items() if by is None and t in foils],
        "free": [name[t] for t, by in dominated.items() if by is None and t not in foils],
    }


def _lure(row: Row, name: Mapping[str, str]) -> str:
    """Return how a foil stands where it was built to please, in words; ``by`` is how far the best other is ahead."""
    by = row["by"]
    there = "leads" if row["leads"] else "does not lead"
    ends = f"[{number(by['low'], 2)}, {number(by['high'], 2)}]"
    who, where = name.get(row["therapist"], visible(row["therapist"])), _title(row["where"]).lower()
    return f"{who} {there} {where} (the best other is ahead by {number(by['value'], 2)} {ends})"


def _foil(losses: Sequence[Row], labels: Mapping[str, str]) -> dict[str, Any]:
    """Return the rows of one foil; where nothing can be said is one line."""
    said = [row for row in losses if row["loses"] is not None]
    rows = []
    for row in said:
        words, kind = _VERDICT[row["loses"]]
        by = row["by"]
        rows.append(
            {
                "where": _title(row["where"]),
                "value": number(row["value"], 2),
                "best": labels.get(row["best"], visible(row["best"])),
                "by": number(by["value"], 2),
                "interval": _interval(by),
                "n": f"n {count(by['n'], 'patient')}",
                "verdict": words,
                "kind": kind,
            }
        )
    silent = [_title(row["where"]).lower() for row in losses if row["loses"] is None]
    return {"rows": rows, "silent": ", ".join(silent)}
