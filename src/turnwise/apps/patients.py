"""``turnwise patients``: begin, check and show case files."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path
from typing import Any

import click

from turnwise.apps.terminal import consoles, print_json, visible
from turnwise.core.errors import FormatError, UsageError

__all__ = ["check_command", "new_command", "show_case_command"]

_ID = re.compile(r"^[a-z][a-z0-9_]*$")


def new_command(*, name: str, out: Path | None) -> None:
    """Write a case file to fill in; a file that is there already is left alone."""
    from turnwise.engine.store import plain_target, replacing

    if not _ID.match(name):
        raise UsageError(f"a case cannot be named {name!r}: use small letters, digits and _ (for example 'anna').")
    path = out or Path(f"{name}.yaml")
    plain_target(path)
    if path.exists():
        raise UsageError(f"{path} is already there; give another place with --out.")
    text = files("turnwise.patients").joinpath("new_case.yaml").read_text(encoding="utf-8")
    with replacing(path) as temporary:
        temporary.write_text(text.replace("id: new_case", f"id: {name}", 1), encoding="utf-8")
    click.echo(f"{path}: fill it in, then 'turnwise patients check {path}' (how: docs/writing-a-case.md).")


def _read(which: str) -> Any:
    from turnwise.patients.casebook import read_case_file, read_case_path

    return read_case_path(Path(which)) if which.endswith((".yaml", ".yml")) else read_case_file(which)


def check_command(*, which: tuple[str, ...], as_json: bool) -> int:
    """Check case files; return 1 if one has a problem or a remark, else 0."""
    from turnwise.patients.case_figures import case_figures
    from turnwise.patients.casebook import case_ids, read_case_file
    from turnwise.patients.lint import lint_case, shared_phrases

    shipped = [read_case_file(name) for name in case_ids()]
    found: list[dict[str, Any]] = []
    for name in which or case_ids():
        try:
            case = _read(name)
        except FormatError as fault:
            found.append({"case": name, "problems": str(fault).split("; "), "remarks": [], "figures": None})
            continue
        remarks = [*lint_case(case), *shared_phrases(case, shipped)]
        found.append({"case": name, "problems": [], "remarks": remarks, "figures": case_figures(case)})
    if as_json:
        print_json(found)
    else:
        _print_checks(found)
    return 1 if any(f["problems"] or f["remarks"] for f in found) else 0


def _print_checks(found: list[dict[str, Any]]) -> None:
    stdout, _ = consoles()
    for f in found:
        verdict = "cannot be played" if f["problems"] else f"{len(f['remarks'])} remarks" if f["remarks"] else "fine"
        stdout.print(visible(f"{f['case']}: {verdict}"), style="bold", soft_wrap=True)
        for line in (*f["problems"], *f["remarks"]):
            stdout.print(visible(f"  - {line}"), soft_wrap=True)
        if f["figures"]:
            shown = (f"{k.replace('_', ' ')} {_short(v)}" for k, v in f["figures"].items())
            stdout.print("  " + "; ".join(shown), style="dim", soft_wrap=True)


def _short(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{n} {k}" for k, n in value.items())
    return "/".join(map(str, value)) if isinstance(value, list) else str(value)


def show_case_command(*, which: str, as_json: bool) -> None:
    """Show who a case is: intake, voice, formulation, plan and what there is to tell, by topic."""
    case = _read(which)
    if as_json:
        print_json(case.model_dump(mode="json"))
        return
    stdout, _ = consoles()

    def line(text: str = "", style: str = "") -> None:
        stdout.print(visible(text), style=style or None, soft_wrap=True)

    line(f"{case.id}: {case.intake.age}, {case.intake.gender}  (not clinician-reviewed)", "bold")
    line(f"  {case.intake.referral}")
    v, f = case.voice, case.formulation
    line(f"  voice: {v.style}, {v.region}, {v.modality}; resistance: {f.resistance}; risk: {f.risk.level}")
    for belief in f.core_beliefs:
        line(f"  belief ({belief.family}, {belief.conviction:g}): {belief.text}")
    line("  planned moments:")
    by_id = {t.id: t for t in case.tellings}
    for s in case.schedule:
        t = by_id[s.telling]
        line(f"    turns {s.earliest}-{s.latest}: {t.moment.value if t.moment else '-'}  {t.beats[0]}")
    for name in case.topics:
        own = [t for t in case.tellings if t.topic == name]
        line(f"  {name} ({len(own)})", "bold")
        for t in sorted(own, key=lambda t: t.level):
            line(f"    {t.level} {t.id}: {t.beats[0]}")
