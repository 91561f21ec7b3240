"""Figures as plain specifications. Colours are names (``@g0``, ``@ink``) that the page fills in per theme.

Every figure over time carries its own risk table, on the same axis: a curve whose patients have
left is read with the number that is still there under it.
"""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from turnwise.apps.report_words import title
from turnwise.apps.terminal import visible

__all__ = ["BANDS_TOGETHER", "GROUPS_SHOWN", "attendance_figure", "curve_figures", "forest_figures"]

Figure = dict[str, Any]
GROUPS_SHOWN = 8
BANDS_TOGETHER = 3
_ROW, _PLOT = 19, 230
_DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot", "solid", "dash")


def _safe(label: object, longest: int = 12) -> str:
    """Return a label for plotly, which would otherwise obey some tags in it."""
    text = visible(str(label))
    return html.escape(text if len(text) <= longest else text[: longest - 1] + "…", quote=False)


def _axis(**more: Any) -> dict[str, Any]:
    plain = {"fixedrange": True, "zeroline": False, "gridcolor": "@grid", "linecolor": "@rule", "tickcolor": "@rule"}
    return plain | {"automargin": False, "tickfont": {"size": 11}} | more


def _layout(height: int, **more: Any) -> dict[str, Any]:
    return {
        "height": height,
        "margin": {"l": 96, "r": 14, "t": 10, "b": 12},
        "paper_bgcolor": "@clear",
        "plot_bgcolor": "@clear",
        "font": {"family": "system-ui, sans-serif", "size": 12, "color": "@ink"},
        "showlegend": False,
        "hovermode": "x unified",
        "hoverlabel": {"bgcolor": "@paper", "bordercolor": "@rule", "font": {"color": "@ink", "size": 12}},
        "dragmode": False,
        **more,
    }


def _stepped(points: Sequence[tuple[Any, Any, Any]]) -> list[tuple[Any, Any, Any]]:
    """Hold each value until the next one comes, as the line above it does."""
    held = [(nxt[0], now[1], now[2]) for now, nxt in pairwise(points)]
    return [point for pair in zip(points, [*held, points[-1]], strict=True) for point in pair] if points else []


def _band(row: Mapping[str, Any], colour: str, shape: str) -> Figure:
    there = zip(row["x"], row["low"], row["high"], strict=True)
    points = [(x, low, high) for x, low, high in there if low is not None and high is not None]
    points = _stepped(points) if shape == "hv" else points
    return {
        "type": "scatter",
        "mode": "lines",
        "x": [x for x, _, _ in points] + [x for x, _, _ in reversed(points)],
        "y": [high for _, _, high in points] + [low for _, low, _ in reversed(points)],
        "fill": "toself",
        "fillcolor": colour,
        "line": {"width": 0},
        "hoverinfo": "skip",
    }


def _line(row: Mapping[str, Any], values: str, group: Mapping[str, Any], shape: str = "linear") -> list[Figure]:
    colour, which = f"@g{group['index'] % GROUPS_SHOWN}", group["group"]
    band = _band(row, f"{colour}/{group['veil']}", shape) | {"meta": which, "name": "band"}
    line = {
        "type": "scatter",
        "mode": "lines",
        "name": _safe(group["label"], 20),
        "x": row["x"],
        "y": row[values],
        "line": {"color": colour, "width": 2, "dash": _DASHES[group["index"] % len(_DASHES)], "shape": shape},
        "hovertemplate": "%{y:.2f}",
        "meta": which,
    }
    return [band, line]


def _ticks(last: int) -> list[int]:
    step = next((s for s in (1, 2, 5, 10, 20, 50) if last <= 6 * s), 100)
    return [1, *(x for x in range(step, last + 1, step) if x > 1)]


def _counts(at: int, ticks: Sequence[int], group: Mapping[str, Any], x: Sequence[int], n: Sequence[int]) -> Figure:
    """Write one row of the risk table."""
    there = dict(zip(x, n, strict=True))
    shown = [t for t in ticks if t in there]
    return {
        "type": "scatter",
        "mode": "text",
        "x": shown,
        "y": [at] * len(shown),
        "text": [str(there[t]) for t in shown],
        "textfont": {"size": 11, "color": "@ink"},
        "yaxis": "y2",
        "hoverinfo": "skip",
        "cliponaxis": False,
        "meta": group["group"],
    }


def _with_risk(
    traces: list[Figure], risk: Sequence[tuple[Mapping[str, Any], Sequence[int], Sequence[int]]], said: str, **axes: Any
) -> Figure:
    """Put rows of counts under a plot, at its own ticks."""
    rows = len(risk)
    height = _PLOT + _ROW * rows + 72
    inner = height - 22
    top = (_ROW * rows) / inner
    ticks = axes["xaxis"]["tickvals"]
    traces += [_counts(rows - 1 - row, ticks, *counts) for row, counts in enumerate(risk)]
    names = [f"{_safe(g['label'])} <span style='color:@g{g['index'] % GROUPS_SHOWN}'>●</span>" for g, _, _ in risk]
    y2 = _axis(
        domain=[0, top],
        range=[-0.6, rows - 0.4],
        tickvals=[rows - 1 - i for i in range(rows)],
        ticktext=names,
        showgrid=False,
        anchor="x",
        ticks="",
        showline=False,
    )
    between = 50 / inner if rows else 0
    axes["yaxis"] |= {"domain": [top + between, 1], "anchor": "free", "position": 0}
    axes["xaxis"] |= {"anchor": "y", "position": top + between, "showgrid": False}
    if rows:
        head = {
            "text": said,
            "xref": "paper",
            "yref": "paper",
            "x": 0,
            "y": top,
            "xanchor": "right",
            "yanchor": "bottom",
        }
        head |= {"showarrow": False, "xshift": -6, "font": {"size": 11, "color": "@soft"}}
        axes["annotations"] = [head]
    return {"data": traces, "layout": _layout(height, **axes, **({"yaxis2": y2} if rows else {}))}


def _drawn(groups: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return the groups that get a line; many bands over each other have to be fainter to be read."""
    shown = groups[:GROUPS_SHOWN]
    veil = 0.13 if len(shown) <= BANDS_TOGETHER else 0.07
    return {g["group"]: {**g, "veil": veil} for g in shown}


def curve_figures(summary: Mapping[str, Any], groups: Sequence[Mapping[str, Any]]) -> list[Figure]:
    """Return one figure per trajectory: lines with interval bands, the risk table under the axis."""
    index = _drawn(groups)
    attendance = {row["group"]: row for row in summary.get("attendance", ())}
    figures: list[Figure] = []
    for key in dict.fromkeys(row["key"] for row in summary.get("curves", ())):
        rows = [r for r in summary["curves"] if r["key"] == key and r["group"] in index]
        if not rows:
            continue
        traces = [trace for row in rows for trace in _line(row, "value", index[row["group"]])]
        risk = []
        for row in rows:
            there = attendance.get(row["group"]) if "held" not in row else {"x": row["x"], "at_risk": row["held"]}
            x, n = (there["x"], there["at_risk"]) if there else (row["x"], row.get("n", []))
            if len(x) == len(n):
                risk.append((index[row["group"]], x, n))
        last = max(row["x"][-1] for row in rows)
        xaxis = _axis(title={"text": "", "standoff": 4}, tickvals=_ticks(last), range=[0.5, last + 0.5])
        bounded = {"range": [-0.02, 1.02]} if attendance and _in_unit(rows) else {}
        yaxis = _axis(nticks=5, **bounded)
        still = ("still there", "how many are still there") if attendance else ("n", "how many have a value")
        still = ("held", "how many sessions were held") if "held" in rows[0] else still
        figure = _with_risk(traces, risk, still[0], xaxis=xaxis, yaxis=yaxis)
        caption = f"By {rows[0]['x_title']}; below: {still[1]}."
        figures.append(figure | {"title": title(rows[0]["title"]), "caption": caption})
    return figures


def _in_unit(rows: Sequence[Mapping[str, Any]]) -> bool:
    return all(0 <= v <= 1 for row in rows for side in ("low", "value", "high") for v in row[side] if v is not None)


def attendance_figure(summary: Mapping[str, Any], groups: Sequence[Mapping[str, Any]]) -> Figure | None:
    """Return the share of sessions still going on, with how many those are; ``None`` for transcripts."""
    index = _drawn(groups)
    rows = [row for row in summary.get("attendance", ()) if row["group"] in index]
    if not rows:
        return None
    traces = [trace for row in rows for trace in _line(_held(row), "share", index[row["group"]], "hv")]
    last = max(row["x"][-1] for row in rows)
    first = min(row["x"][0] for row in rows)
    ticks = [first, *(x for x in _ticks(last) if x > first and (x > 1 or last <= 6))]
    xaxis = _axis(tickvals=ticks, range=[first - 0.5, last + 0.5])
    risk = [(index[row["group"]], row["x"], row["at_risk"]) for row in rows]
    yaxis = _axis(nticks=5, range=[-0.02, 1.04])
    figure = _with_risk(traces, risk, "still there", xaxis=xaxis, yaxis=yaxis)
    return figure | {"bands": BANDS_TOGETHER}


def _held(row: Mapping[str, Any]) -> dict[str, Any]:
    """Draw the last step as long as it holds instead of ending in a vertical stroke."""
    sides = {side: [*row[side], row[side][-1]] for side in ("share", "low", "high")}
    return {**row, **sides, "x": [*row["x"], row["x"][-1] + 0.5]}


def forest_figures(
    summary: Mapping[str, Any], groups: Sequence[Mapping[str, Any]], metrics: Sequence[str]
) -> list[Figure]:
    """Return one small forest plot per measure: each group's paired difference to the reference."""
    index = {g["group"]: g for g in groups}
    figures: list[Figure] = []
    for metric in metrics:
        rows = [r for r in summary.get("contrasts", ()) if r["metric"] == metric and r["value"] is not None]
        if not rows:
            continue
        traces = [_whisker(row, index[row["group"]], len(rows) - 1 - i) for i, row in enumerate(rows)]
        names = [_safe(index[r["group"]]["label"]) for r in rows]
        yaxis = _axis(
            tickvals=[len(rows) - 1 - i for i in range(len(rows))],
            ticktext=names,
            range=[-0.7, len(rows) - 0.3],
            showgrid=False,
        )
        xaxis = _axis(nticks=5, rangemode="tozero")
        layout = _layout(64 + 26 * len(rows), xaxis=xaxis, yaxis=yaxis, hovermode="closest")
        layout["margin"] = {"l": 96, "r": 14, "t": 6, "b": 34}
        line = {"color": "@ink", "width": 1}
        layout["shapes"] = [{"type": "line", "x0": 0, "x1": 0, "y0": 0, "y1": 1, "yref": "paper", "line": line}]
        figures.append({"metric": metric, "data": traces, "layout": layout})
    return figures


def _whisker(row: Mapping[str, Any], group: Mapping[str, Any], y: int) -> Figure:
    value, low, high = row["value"], row["low"], row["high"]
    colour = f"@g{group['index'] % GROUPS_SHOWN}"
    clear = low is not None and high is not None and (low > 0 or high < 0)
    bars = {}
    if low is not None and high is not None:
        bars = {
            "error_x": {
                "type": "data",
                "symmetric": False,
                "array": [high - value],
                "arrayminus": [value - low],
                "color": colour,
                "thickness": 2,
                "width": 0,
            }
        }
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [value],
        "y": [y],
        "marker": {
            "color": colour if clear else "@paper",
            "size": 9,
            "symbol": "circle",
            "line": {"color": colour, "width": 2},
        },
        "hovertemplate": f"{_safe(group['label'], 24)}: %{{x:.3f}}<extra></extra>",
        "meta": row["group"],
        **bars,
    }
