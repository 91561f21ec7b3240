"""``turnwise validate``: our coders on human data, each figure beside its card."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from turnwise.apps.terminal import bare_table, consoles, print_json, print_table, visible

__all__ = ["validate_command"]


def validate_command(*, data: Path, coders: tuple[str, ...], as_json: bool) -> int:
    """Measure and show; return 1 if a figure lies beyond its card's interval or a coder is broken, else 0."""
    from turnwise.engine.validating import validate

    found = validate(data, coders)
    if as_json:
        print_json(found)
        return _exit_code(found)
    stdout, _ = consoles()
    print_table(stdout, _table(found))
    for line in _notes(found):
        stdout.print(visible(line), soft_wrap=True)
    return _exit_code(found)


def _exit_code(found: Mapping[str, Any]) -> int:
    return 1 if found["differing"] or found["broken"] else 0


def _table(found: Mapping[str, Any]) -> Any:
    from rich.text import Text

    table = bare_table()
    table.add_column("coder", no_wrap=True)
    for name in ("macro-F1\nhere", "\ncard", "accuracy\nhere", "\ncard", "\nECE"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("", justify="right")
    for m in found["coders"]:
        f1, share = m["figures"]["macro_f1"], m["figures"]["accuracy"]
        cells = [_interval(x[side]) for x in (f1, share) for side in ("measured", "card")]
        ece = _short(m["calibration"]["debiased_ece"], 3) if "calibration" in m else "–"
        row = [f"{m['coder']}\n{m['corpus']}, {m['n']:,}", *cells, ece, _verdict(m["figures"])]
        table.add_row(*(Text(visible_lines(cell)) for cell in row))
    return table


def visible_lines(cell: str) -> str:
    """Return a cell of one or two lines with every control character made visible."""
    return "\n".join(visible(line) for line in cell.split("\n"))


def _interval(f: Mapping[str, Any] | None) -> str:
    if f is None:
        return "–"
    if f["value"] is None:
        return str(f["code"]).replace("_", " ")
    ends = "" if f["low"] is None else f"\n{_short(f['low'], 2)}–{_short(f['high'], 2)}"
    return _short(f["value"], 3) + ends


def _short(x: float, places: int) -> str:
    """Return a share without its leading zero, as wide as a terminal of 80 columns allows."""
    text = f"{x:.{places}f}".replace("-", "−")
    return text if text.lstrip("−").startswith("1") else text.replace("0.", ".", 1)


def _verdict(figures: Mapping[str, Any]) -> str:
    if any(f["differs"] for f in figures.values()):
        return "off"
    if any(f["card"] is None for f in figures.values()):
        return "–"
    if any(f["measured"]["low"] is None for f in figures.values()):
        return "few"
    return "ok"


def _notes(found: Mapping[str, Any]) -> list[str]:
    lines = [""]
    for c in found["corpora"]:
        unusable = f", {c['unusable']} unusable" if c["unusable"] else ""
        lines.append(f"{c['name']}: {c['title']}, {c['sessions']:,} sessions{unusable} ({c['file']})")
    if found["missing"]:
        lines.append("not here: " + ", ".join(f"{c['name']} ({c['file']})" for c in found["missing"]))
    if found["unmeasured"]:
        lines.append("not measured, for want of human labels here: " + ", ".join(found["unmeasured"]))
    lines.append("Under each coder: the corpus and how many turns. ECE is debiased.")
    lines.append("ok: the intervals here and on the card meet; off: they do not; few: one group only, no interval.")
    lines.append("Sessions a coder was fitted on are read by weights that never saw them.")
    lines += [f"broken: {name}: {fault}" for name, fault in found["broken"].items()]
    return [*lines, *(f"beyond both intervals: {sentence}" for sentence in found["differing"])]
