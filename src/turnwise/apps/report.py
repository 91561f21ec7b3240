"""The report of a run folder: one HTML file that opens offline, loads nothing and proves its numbers.

No arithmetic: every aggregate comes from ``run.json``. What patients and models said is data; it is
embedded as escaped JSON and reaches the page only as text.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from turnwise.apps.headline import HEADLINE
from turnwise.apps.report_data import Limits, Sessions, browser_data, read_sessions
from turnwise.apps.report_evidence import evidence
from turnwise.apps.report_figures import BANDS_TOGETHER, GROUPS_SHOWN, attendance_figure, curve_figures, forest_figures
from turnwise.apps.report_ladder import ladder_figure
from turnwise.apps.report_moments import ladder_moments
from turnwise.apps.report_tables import (
    contrast_tables,
    courses_table,
    definitions,
    endings_table,
    headline_table,
    separation_table,
)
from turnwise.apps.report_words import ABOUT, ENDING, command_line, title, what_was_run
from turnwise.apps.terminal import visible
from turnwise.core.errors import UsageError

if TYPE_CHECKING:
    from jinja2 import Template

__all__ = ["embedded_json", "write_report"]

_ESCAPES = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}


def embedded_json(document: object) -> str:
    r"""Return JSON that cannot end the script element it stands in, and in which NaN is an error.

    Examples
    --------
    >>> embedded_json({"text": "</script>"})
    '{"text":"\\u003c/script\\u003e"}'
    """
    text = json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":"), sort_keys=True)
    for character, escaped in _ESCAPES.items():
        text = text.replace(character, escaped)
    return text.encode("utf-8", "replace").decode("utf-8")


def write_report(folder: Path, *, headline: Sequence[str] | None = None, limits: Limits | None = None) -> Path:
    """Write ``report.html`` into a run folder that was scored, and return where it is.

    Parameters
    ----------
    folder : a run folder with ``run.json`` and its four tables.
    headline : the measures of the first table; a choice by kind of run when not given.
    limits : how many sessions and turns the page may carry.

    Raises
    ------
    UsageError : the folder holds no scored run, or a table is missing.
    """
    from turnwise.engine.discovery import discover
    from turnwise.engine.store import RunFolder
    from turnwise.engine.stored_tables import as_stored
    from turnwise.engine.whole_runs import require_whole

    run = RunFolder(folder)
    record = run.read_record()
    if record is None or not record.get("summary"):
        raise UsageError(f"{folder} holds no scored run; play one with 'turnwise run', or score it again.")
    require_whole(folder)
    discover()
    with as_stored(folder):
        page = _rendered(folder, record, _headline(record, headline), limits)
    run.write_text("report.html", page)
    return folder / "report.html"


def _rendered(folder: Path, record: Mapping[str, Any], headline: Sequence[str], limits: Limits | None) -> str:
    from jinja2 import TemplateError

    try:
        return _render(folder, record, headline, limits)
    except TemplateError as fault:  # what the page needs is not in the record
        raise LookupError(str(fault)) from fault


def _headline(record: Mapping[str, Any], wanted: Sequence[str] | None) -> list[str]:
    there = list(dict.fromkeys(row["metric"] for row in record["summary"]["metrics"]))
    asked = wanted if wanted is not None else HEADLINE.get(str(record.get("kind")), ())
    return [m for m in asked if m in there] or there[:6]


def _spec(name: str, record: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the registry knows of a metric in the version that made the number."""
    from turnwise.core.registry import METRICS

    version = (record.get("metrics") or {}).get(name)
    full = f"{name}.v{version}"
    if full not in METRICS:
        return {"name": full if version is not None else name, "summary": ""}
    entry = METRICS.get(full)
    return {"name": entry.name, "summary": _definition(entry.obj), **entry.spec}


def _definition(obj: object) -> str:
    """Return what a metric's own documentation says before its technical part, as one paragraph."""
    text = (inspect.getdoc(obj) or "").split("\n\nReturns\n")[0].split("\n\nParameters\n")[0]
    return " ".join(text.replace("``", "").split())


def _groups(summary: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [{**g, "index": i, "label": visible(str(g["label"]))} for i, g in enumerate(summary["groups"])]


def _figures(summary: Mapping[str, Any], groups: Sequence[Mapping[str, Any]], headline: Sequence[str]) -> Any:
    forest = forest_figures(summary, groups, headline)
    curves = curve_figures(summary, groups)
    attendance = attendance_figure(summary, groups)
    figures = {f"forest-{f['metric']}": f for f in forest} | {f"curve-{i}": f for i, f in enumerate(curves)}
    return figures | ({"attendance": attendance} if attendance else {})


def _page(
    record: Mapping[str, Any], specs: Mapping[str, Any], groups: Sequence[Mapping[str, Any]], data: Mapping[str, Any]
) -> str:
    summary = record["summary"]
    titles = summary.get("titles")
    return embedded_json(
        {
            **data,
            "groups": [{k: g[k] for k in ("group", "label", "index")} for g in groups],
            "endings": ENDING,
            "no_text": bool(record.get("no_text")),
            "metrics": {
                name: {
                    "title": title(name, titles),
                    "unit": summary.get("units", {}).get(name, ""),
                    "evidence": evidence(name, spec),
                }
                for name, spec in specs.items()
            },
            "cells": {
                f"{row['metric']}\n{row['group']}": [
                    row["n"],
                    row["n_total"],
                    row.get("n_left", 0) if row.get("observed", row["value"]) != row["value"] else 0,
                ]
                for row in summary["metrics"]
            },
        }
    )


def _render(folder: Path, record: Mapping[str, Any], headline: Sequence[str], limits: Limits | None) -> str:
    from plotly.offline import get_plotlyjs

    summary = record["summary"]
    metrics = list(dict.fromkeys(row["metric"] for row in summary["metrics"]))
    specs = {name: _spec(name, record) for name in metrics}
    groups = _groups(summary)
    sessions: Sessions = read_sessions(folder, record)
    data = browser_data(folder, sessions, metrics, limits)
    data |= {"ladder": ladder_moments(folder, [g["group"] for g in groups])}
    figures = _figures(summary, groups, headline)
    others = [m for m in metrics if m not in headline]
    return _template().render(
        record=record,
        summary=summary,
        groups=groups,
        sentence=what_was_run(record),
        level=next((f"{row['level']:.0%}".replace("%", " %") for row in summary["metrics"]), "95 %"),
        command=command_line(record),
        about=ABOUT,
        ladder=ladder_figure(record, groups),
        headline=headline_table(record, groups, headline),
        others=headline_table(record, groups, others),
        contrasts=contrast_tables(record, groups, [*headline, *others]),
        separation=separation_table(record, [*headline, *others]),
        endings=endings_table(sessions, groups),
        courses=courses_table(record, groups),
        definitions=definitions(record, specs, [*headline, *others]),
        curves=[(name, f) for name, f in figures.items() if name.startswith("curve-")],
        forest=[(name, title(f["metric"], summary.get("titles"))) for name, f in figures.items() if "metric" in f],
        has_attendance="attendance" in figures,
        bands_together=BANDS_TOGETHER,
        groups_shown=min(len(groups), GROUPS_SHOWN),
        ungrouped=not {g["group"] for g in groups} & {row["group"] for row in sessions.rows},
        embedded=len(data["sessions"]),
        total=data["total"],
        plotlyjs=get_plotlyjs() if figures else "",
        data=_page(record, specs, groups, data),
        figures=embedded_json(figures),
        files=_files("report.css", "report.js", "figures.js"),
    )


def _files(*names: str) -> dict[str, str]:
    templates = files("turnwise.apps") / "templates"
    return {name: (templates / name).read_text(encoding="utf-8") for name in names}


def _template() -> Template:
    from jinja2 import DictLoader, Environment, StrictUndefined

    environment = Environment(
        autoescape=True,
        loader=DictLoader(_files("report.html.j2", "ladder.html.j2")),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["visible"] = lambda value: visible(str(value))
    return environment.get_template("report.html.j2")
