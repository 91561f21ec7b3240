"""``turnwise compare``: two runs, or two groups of one, as a table of differences with a word each. No arithmetic."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from turnwise.apps.exit_codes import CHECK_FAILED, FINE, UNDETERMINED
from turnwise.apps.report_words import count, decimals, number
from turnwise.apps.terminal import bare_table, consoles, print_json, print_table, visible

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

__all__ = ["compare_command"]

Row = Mapping[str, Any]
_PANELS = {"bond": "panel: bond", "safety": "panel: safety", "epistemic": "panel: epistemic cost"}
_ABOUT = {"therapist": "about the therapist", "simulator": "simulator, by construction", "session": "about the session"}
_SKILLS = "skills, on each rung"
_FIRST = "safety, over all rungs: primary, one-sided, corrected apart"
_EXIT_OF = {"worse": CHECK_FAILED, "undetermined": UNDETERMINED}
_WIDE = 100
_STYLES = {"better": "green", "worse": "red", "higher": "bold", "lower": "bold", "undetermined": "yellow"}
_SHOWN = tuple(_STYLES)


def compare_command(
    *, runs: tuple[Path, ...], groups: tuple[str, ...], by: str | None, margins: tuple[str, ...], as_json: bool
) -> int:
    """Compare and show; return 1 if B is worse or nothing could be compared, 4 where safety is undetermined, else 0."""
    from turnwise.engine.comparing import compare

    found = compare(runs, groups=groups, by=by, margins=margins)
    if as_json:
        print_json(found)
    else:
        stdout, _ = consoles()
        several = len(found["comparisons"]) > 1
        for comparison in found["comparisons"]:
            _print(comparison, several, stdout)
        for line in _last_words(found):
            stdout.print(visible(line), soft_wrap=True)
    return CHECK_FAILED if found["failed"] or not found["family"] else _EXIT_OF.get(found["verdict"]["word"], FINE)


def _print(comparison: Row, several: bool, stdout: Any) -> None:
    for side in ("a", "b"):
        stdout.print(visible(f"{side.upper()}  {_side(comparison[side])}"), soft_wrap=True, style="bold")
    stdout.print(f"B − A, {_pairing(comparison['pairing'])}", style="dim")
    for line in comparison["notes"]:
        stdout.print(visible(f"note: {line}"), soft_wrap=True, style="dim")
    scored = [row for row in comparison["rows"] if row["value"] is not None]
    rows = [row for row in scored if row["verdict"] in _SHOWN] if several else scored
    if rows:
        stdout.print()
        print_table(stdout, _table(rows, stdout.width))
    for line in _notes(comparison, len(scored) - len(rows), several):
        stdout.print(visible(line), soft_wrap=True, style="dim")
    stdout.print()


def _side(side: Row) -> str:
    units = count(side["units"], side["unit"], "series" if side["unit"] == "series" else None)
    return f"{side['label']}  ({side['run']}: {count(side['sessions'], 'session')}, {units})"


def _pairing(how: str) -> str:
    return how if how == "not paired" else f"paired: {how}"


def _sections(rows: Sequence[Row]) -> Iterator[tuple[str, list[Row]]]:
    found: dict[str, list[Row]] = {title: [] for title in (_FIRST, _SKILLS, *_PANELS.values(), *_ABOUT.values())}
    of_kind = {"safety": _FIRST, "skill": _SKILLS}
    for row in rows:
        title = of_kind.get(row["kind"]) or _PANELS.get(row["panel"] or "") or _ABOUT[row["about"]]
        found[title].append(row)
    yield from ((title, of) for title, of in found.items() if of)


def _table(rows: Sequence[Row], width: int) -> Table:
    from rich.text import Text

    wide = width >= _WIDE
    table = bare_table()
    table.add_column("", overflow="fold")
    for name in (*(("A", "B") if wide else ()), "B − A", "interval", "p*", "n"):
        table.add_column(name, justify="right", overflow="fold")
    table.add_column("", min_width=len("no difference shown"), overflow="fold")
    for title, of in _sections(rows):
        table.add_row(Text(visible(title), style="dim italic"))
        for row in of:
            table.add_row(*_cells(row, wide))
    return table


def _cells(row: Row, wide: bool) -> list[Text]:
    from rich.text import Text

    name = _name(row).replace("_", " ")
    places = decimals((row["value"], row["low"], row["high"]))
    interval = "–" if row["low"] is None else f"{_figure(row['low'], places)} to {_figure(row['high'], places)}"
    n = str(row["n"]) if row["n"] == row["n_total"] else f"{row['n']}/{row['n_total']}"
    own = [_figure(row[side], max(2, places)) for side in ("a", "b")] if wide else []
    numbers = [*own, _figure(row["value"], places), interval, _p(row["p_adjusted"]), n]
    return [Text(visible(name)), *map(Text, numbers), Text(_verdict(row), style=_STYLES.get(row["verdict"], "dim"))]


def _figure(x: float, places: int) -> str:
    """Return a number without the zero before its point."""
    text = number(x, places)
    return text.replace("0.", ".", 1) if text.lstrip("−").startswith("0.") else text


def _p(p: float | None) -> str:
    return "–" if p is None else "<.001" if p < 0.001 else f"{p:.3f}".replace("0.", ".", 1)


def _verdict(row: Row) -> str:
    if row["verdict"] == "equivalent":
        return "equivalent (within the margin)"
    return f"{row['verdict']}, within the margin" if row["within_margin"] else str(row["verdict"])


def _name(row: Row) -> str:
    return f"{row['name']} {row['rung'] or ''}".rstrip()


def _reasons(row: Row) -> str:
    """Return why there is no value without the counts, which --json has."""
    return re.sub(r"\b(?:of )?\d+ | \(\d+ ", lambda m: " (" if "(" in m[0] else "", str(row["detail"]))


def _notes(comparison: Row, hidden: int, several: bool) -> list[str]:
    lines = [""]
    if hidden:
        counts = comparison["counts"]
        told = [f"{counts[k]} {k}" for k in ("equivalent", "no difference shown") if counts.get(k)]
        lines.append(f"the others: {', '.join(told)} (--json has them all)")
    nothing: dict[str, list[str]] = {}
    for row in comparison["rows"]:
        if row["value"] is None and not several:
            nothing.setdefault(_reasons(row), []).append(_name(row))
    lines += [f"unscored: {', '.join(names)}: {why}" for why, names in nothing.items()]
    refused: dict[str, list[str]] = {}
    for entry in comparison["not_compared"]:
        refused.setdefault(entry["why"], []).append(entry["what"])
    lines += [f"not compared: {', '.join(names)}: {why}" for why, names in refused.items()]
    return lines


def _last_words(found: Row) -> list[str]:
    lines = [f"not compared: {x['what']}: {x['why']}" for x in found["left_out"]]
    if not found["family"]:
        return [*lines, "nothing could be compared"]
    lines.append(
        f"p*: {found['correction']}. A difference is shown where p* is at most {found['q']:g} and the "
        f"{found['level']:.0%} interval leaves out zero; 'no difference shown' does not mean that there is none."
    )
    lines.append(
        "n: pairs with a value on both sides (of moments, of sessions; of patients where luck differs) / all there are."
    )
    if found["margins"]:
        given = ", ".join(f"{name} {value:g}" for name, value in found["margins"].items())
        lines.append(f"margin: {given}. Equivalent: the interval lies inside it, over at least 8 patients or series.")
    else:
        lines.append("without --margin nothing is called equivalent.")
    return [*lines, _one_line(found["verdict"])]


def _one_line(verdict: Row) -> str:
    """Return the verdict on B in one line: what a gate acts on."""
    word, said = verdict["word"], []
    if verdict["worse"]:
        said.append(f"worse in B: {', '.join(verdict['worse'])}")
    if verdict["undetermined"]:
        said.append(
            f"safety undetermined: {', '.join(verdict['undetermined'])} (a loss of "
            "--margin, else .25, could not be excluded: more patients or epochs, or what has no value above)"
        )
    if word == "pass":
        said.append("safeguard, dissent and own up held, nothing else is worse")
    if word == "not measured":
        said.append("nothing is worse; safety was not measured (no ladder, or transcripts)")
    return f"verdict: {word.upper()}: {'; '.join(said)}"
