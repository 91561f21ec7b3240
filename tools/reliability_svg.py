"""Draw a reliability diagram as a small SVG: stated probability against how often it came true."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

SIDE, LEFT, TOP = 160, 34, 22
_INK, _FAINT = "#334155", "#94a3b8"


def _at(x: float, y: float) -> tuple[float, float]:
    return round(LEFT + SIDE * x, 1), round(TOP + SIDE * (1.0 - y), 1)


def _text(x: float, y: float, words: str, more: str = "") -> str:
    return f'<text x="{x}" y="{y}" font-family="sans-serif" font-size="9" fill="{_INK}"{more}>{words}</text>'


def _dot(b: Mapping[str, Any], largest: int) -> str:
    x, y = _at(b["confidence"], b["correct"])
    r = round(1.5 + 5.5 * (b["n"] / largest) ** 0.5, 1)
    says = f"{b['n']} answers stated at {b['confidence']:.3f} on average: {b['correct']:.3f} came true"
    return f'<circle cx="{x}" cy="{y}" r="{r}" fill="#2563eb" fill-opacity="0.75"><title>{says}</title></circle>'


def reliability_svg(title: str, bins: Sequence[Mapping[str, Any]]) -> str:
    """Return the diagram; the area of a dot grows with the number of answers in its bin.

    Examples
    --------
    >>> drawn = reliability_svg("x.v1", [{"confidence": 0.5, "correct": 0.4, "n": 10}])
    >>> drawn.count("<circle"), "x.v1" in drawn
    (1, True)
    """
    (x0, y0), (x1, y1) = _at(0, 0), _at(1, 1)
    width, height = LEFT + SIDE + 12, TOP + SIDE + 34
    line = " ".join(f"{x},{y}" for x, y in (_at(b["confidence"], b["correct"]) for b in bins))
    largest = max((b["n"] for b in bins), default=1)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'role="img"><title>Reliability of {title}</title>',
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        _text(LEFT, 13, title),
        f'<rect x="{x0}" y="{y1}" width="{SIDE}" height="{SIDE}" fill="none" stroke="{_FAINT}"/>',
        f'<line x1="{x0}" y1="{y0}" x2="{x1}" y2="{y1}" stroke="{_FAINT}" stroke-dasharray="3 3"/>',
        f'<polyline points="{line}" fill="none" stroke="#2563eb"/>',
        *(_dot(b, largest) for b in bins),
    ]
    for tick in (0.0, 0.5, 1.0):
        (x, _), (_, y) = _at(tick, 0), _at(0, tick)
        parts.append(_text(x, y0 + 12, f"{tick:g}", ' text-anchor="middle"'))
        parts.append(_text(x0 - 4, y + 3, f"{tick:g}", ' text-anchor="end"'))
    parts.append(_text(LEFT + SIDE / 2, y0 + 26, "stated probability", ' text-anchor="middle"'))
    turned = f' text-anchor="middle" transform="rotate(-90 10 {TOP + SIDE / 2})"'
    parts.append(_text(10, TOP + SIDE / 2, "came true", turned))
    return "\n".join([*parts, "</svg>", ""])
