"""The tables of the report as rows of ready words: value, interval, n, reason. No arithmetic."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from turnwise.apps.course_table import COUNTS, course_rows
from turnwise.apps.report_data import Sessions
from turnwise.apps.report_words import ABOUT, ENDING, arrow, count, decimals, is_bound, number, reason, title
from turnwise.apps.terminal import visible

__all__ = ["contrast_tables", "courses_table", "definitions", "endings_table", "headline_table", "separation_table"]

Row = Mapping[str, Any]
Groups = Sequence[Mapping[str, Any]]


def link(metric: str, group: str | None = None) -> str:
    """Return the address inside the page of the sessions behind a number.

    Examples
    --------
    >>> link("stayed", "a b&c")
    '#metric=stayed&group=a+b%26c'
    """
    return "#" + urlencode({"metric": metric} | ({"group": group} if group is not None else {}))


def _interval(row: Row, places: int) -> str:
    if row["low"] is None or row["high"] is None:
        return "no interval"
    return f"[{number(row['low'], places)}, {number(row['high'], places)}]"


def _places(rows: Sequence[Row]) -> int:
    return decimals(x for row in rows for x in (row["value"], row["low"], row["high"]))


def _codes(codes: Mapping[str, int]) -> str:
    return ", ".join(f"{n} {reason(code)}" for code, n in codes.items())


def _strip(row: Row, span: tuple[float, float]) -> dict[str, float] | None:
    """Place an interval on the common scale of its column, in percent, for the small picture under it."""
    low, high = span
    if row["value"] is None or high <= low:
        return None
    scale = 100.0 / (high - low)
    ends = (row["low"], row["value"], row["high"])
    a, b, c = ((row["value"] if x is None else x) for x in ends)
    return {k: round(3 + 0.94 * (x - low) * scale, 2) for k, x in (("low", a), ("value", b), ("high", c))}


def _span(rows: Sequence[Row]) -> tuple[float, float]:
    ends = [x for row in rows for x in (row["low"], row["value"], row["high"]) if x is not None]
    return (min(ends), max(ends)) if ends else (0.0, 0.0)


def _cell(row: Row, places: int, span: tuple[float, float], unit: str) -> dict[str, Any]:
    n = f"n {row['n']} of {row['n_total']}"
    missing = _codes(row.get("codes") or {})
    if row["value"] is None:
        why = missing or f"{row['n_total']} {reason(row['code'])}"
        shown = {"value": None, "interval": why, "hover": visible(row.get("detail") or why)}
    else:
        units = count(row.get("units", 0), unit, "series" if unit == "series" else None)
        shown = {
            "value": f"{'bound ' if is_bound(row) else ''}{number(row['value'], places)}",
            "interval": "" if is_bound(row) else _interval(row, places),
            "hover": f"{row['level']:.0%} interval, {visible(row['method'])}, over {units}; {n} sessions scored",
        }
    notes = [missing] if missing and row["value"] is not None else []
    left, observed = row.get("n_left", 0), row.get("observed")
    if left and observed is not None and row["value"] is not None:
        as_observed = number(observed, places)
        if is_bound(row):
            notes.append(f"the worst it can be: as observed {as_observed} in {row['n_observed']}; {left} left")
        elif as_observed != shown["value"]:
            notes.append(f"as observed {as_observed}; {left} left")
    href = link(row["metric"], row["group"])
    return shown | {"n": n, "notes": notes, "href": href, "strip": _strip(row, span)}


def _column(record: Row, metric: str) -> dict[str, Any]:
    summary = record["summary"]
    sign, way = arrow(summary["orientation"].get(metric))
    badge, meaning = ABOUT.get(summary["about"].get(metric, ""), ("not stated", ""))
    validity = summary["validity"].get(metric) or {}
    return {
        "metric": metric,
        "title": visible(title(metric, summary.get("titles"))),
        "arrow": sign,
        "way": way,
        "unit": visible(summary["units"].get(metric, "")),
        "about": summary["about"].get(metric, ""),
        "badge": badge,
        "meaning": meaning,
        "coder": visible(validity.get("coder") or "none"),
        "figure": visible(validity.get("figure") or "none known"),
        "ceiling": visible(validity.get("ceiling") or "none known"),
        "href": link(metric),
    }


def headline_table(record: Row, groups: Groups, metrics: Sequence[str]) -> dict[str, Any]:
    """Return columns (measures) and rows (groups) of one table; every cell has its n and its address."""
    rows = {(row["group"], row["metric"]): row for row in record["summary"]["metrics"]}
    unit = record["summary"].get("unit", "session")
    by_metric = {m: [rows[g["group"], m] for g in groups if (g["group"], m) in rows] for m in metrics}
    shape = {m: (_places(of), _span(of)) for m, of in by_metric.items()}

    def cells(group: Mapping[str, Any]) -> list[Any]:
        found = [(m, rows.get((group["group"], m))) for m in metrics]
        return [None if row is None else _cell(row, *shape[m], unit) for m, row in found]

    def said(group: Mapping[str, Any]) -> str:
        units = count(group["units"], unit, "series" if unit == "series" else None)
        sessions = count(group["sessions"], "session")
        return sessions if unit == "session" else f"{sessions}, {units}"

    body = [{"group": g, "size": said(g), "cells": cells(g)} for g in groups]
    return {"columns": [_column(record, m) for m in metrics], "rows": body}


def contrast_tables(record: Row, groups: Groups, metrics: Sequence[str]) -> list[dict[str, Any]]:
    """Return one small table of paired differences per measure."""
    labels = {g["group"]: g for g in groups}
    found = []
    for metric in metrics:
        rows = [r for r in record["summary"].get("contrasts", ()) if r["metric"] == metric]
        if not rows:
            continue
        places = _places(rows)
        body = [
            {
                "group": labels[r["group"]],
                "value": number(r["value"], places) if r["value"] is not None else None,
                "interval": _interval(r, places) if r["value"] is not None else reason(r["code"]),
                "hover": visible(r.get("detail") or r["method"]),
                "n": f"n {r['n']} of {r['n_total']} pairs" if "n_total" in r else f"n {r['n']} pairs",
                "href": link(metric, r["group"]),
            }
            for r in rows
        ]
        reference = labels[rows[0]["reference"]]["label"]
        found.append({"column": _column(record, metric), "reference": reference, "rows": body})
    return found


def separation_table(record: Row, metrics: Sequence[str]) -> list[dict[str, Any]]:
    """Return how well each measure alone tells the two groups apart."""
    rows = {row["metric"]: row for row in record["summary"].get("separation", ())}
    found = [
        {
            "column": _column(record, m),
            "hover": visible(rows[m].get("detail") or rows[m].get("method", "")),
            "positive": visible(rows[m]["positive"]),
            "negative": visible(rows[m]["negative"]),
            "value": number(rows[m]["value"], 2) if rows[m]["value"] is not None else None,
            "interval": _interval(rows[m], 2) if rows[m]["value"] is not None else reason(rows[m]["code"]),
            "n": f"n {rows[m]['n']}",
            "href": link(m),
        }
        for m in metrics
        if m in rows
    ]
    return sorted(found, key=lambda row: row["value"] is None)


def endings_table(sessions: Sessions, groups: Groups) -> dict[str, Any]:
    """Return how the sessions of each group ended, as counts."""
    counted = sessions.endings()
    if not any(g["group"] in counted for g in groups):
        groups = [{"group": name, "label": "all sessions", "index": 7} for name in counted]
    kinds = [e for e in ENDING if any(counted[g["group"]][e] for g in groups if g["group"] in counted)]
    rows = []
    for g in groups:
        of: Mapping[str, int] = counted.get(g["group"], Counter())
        parts = [(kind, of.get(kind, 0), urlencode({"group": g["group"], "ending": kind})) for kind in kinds]
        rows.append({"group": g, "parts": parts, "total": sum(n for _, n, _ in parts)})
    return {"kinds": [(kind, ENDING[kind]) for kind in kinds], "rows": rows}


def courses_table(record: Row, groups: Groups) -> dict[str, Any]:
    """Return how many sessions of courses were held, and where the patients' state stood at the end of each."""
    keys, rows = course_rows(record["summary"])
    index = {g["group"]: g for g in groups}
    values = {key: [row["ends"][key] for row in rows if key in row["ends"]] for key in keys}
    places = {key: decimals(x for cell in values[key] for x in cell) for key in keys}

    def ends(row: Row) -> list[str]:
        return [_end(row["ends"].get(key, (None, None, None)), places[key]) for key in keys]

    body = [
        {"group": index[r["group"]], "session": r["session"], "counts": [r[k] for k in COUNTS], "ends": ends(r)}
        for r in sorted(
            (r for r in rows if r["group"] in index), key=lambda r: (index[r["group"]]["index"], r["session"])
        )
    ]
    return {"counts": list(COUNTS.values()), "ends": keys, "rows": body}


def _end(cell: Sequence[float | None], places: int) -> str:
    value, low, high = cell
    if value is None or low is None or high is None:
        return number(value, places)
    return f"{number(value, places)} {_interval({'low': low, 'high': high}, places)}"


def definitions(record: Row, specs: Mapping[str, Row], metrics: Sequence[str]) -> list[dict[str, Any]]:
    """Return what each measure is: definition, unit, bounds, needs, source, validity."""
    found = []
    for metric in metrics:
        spec = specs[metric]
        found.append(
            _column(record, metric)
            | {
                "name": spec["name"],
                "summary": visible(spec.get("summary") or ""),
                "bounds": _bounds(spec.get("bounds")),
                "needs": ", ".join(visible(str(n)) for n in spec.get("needs", ())) or "words and speakers only",
                "source": visible(str(spec.get("source") or "not recorded")),
            }
        )
    return found


def _bounds(bounds: tuple[float, float] | None) -> str:
    if bounds is None:
        return "bounds not recorded"
    infinite = {float("inf"): "no upper bound", float("-inf"): "no lower bound"}
    low, high = (infinite.get(x, f"{x:g}".replace("-", "−")) for x in bounds)
    return f"{low} to {high}"
