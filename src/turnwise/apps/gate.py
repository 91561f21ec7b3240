"""``turnwise patients gate`` and ``worst``: the conformance gate, and the turns that fit worst."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from turnwise.apps.terminal import consoles, print_json, progress, visible
from turnwise.core.errors import UsageError
from turnwise.core.registry import closest

if TYPE_CHECKING:
    from turnwise.batteries.conformance.judging import Judged
    from turnwise.core.nouns import Case, Score

__all__ = ["gate_command", "worst_command"]

_SEEDS = 20


def _asked(cases: tuple[str, ...]) -> tuple[str, ...]:
    from turnwise.patients.casebook import case_ids

    known = case_ids()
    for name in cases:
        if name not in known:
            otherwise = f"known: {', '.join(known)}."
            raise UsageError(f"no case {name!r} ships; {closest(name, known, 0.4, otherwise)}")
    return tuple(dict.fromkeys(cases)) or known


def gate_command(
    *,
    cases: tuple[str, ...],
    seeds: int,
    data: Path | None,
    write: bool,
    as_json: bool,
    family: str | None = None,
    calls: Path | None = None,
) -> int:
    """Play the gate, show each figure beside its band; return 1 if a case fails, else 0."""
    from turnwise.batteries.conformance.judging import figures_of, judge
    from turnwise.engine.conformance import FAMILY, PANEL, Panel, coders
    from turnwise.engine.conformance_store import code_sha, human, write_stored
    from turnwise.engine.conformance_turns import turns_from_data

    if seeds < 2:
        raise UsageError(f"--seeds {seeds} is not possible: give a whole number from 2.")
    if write and family is not None:
        raise UsageError("only results of the default family are stored: leave out --family, or --write.")
    if write and seeds != _SEEDS:
        raise UsageError(f"only a result of {_SEEDS} seeds is stored: leave out --seeds, or --write.")
    code_sha()  # what is played is what the modules were when the process began
    names = _asked(cases)
    panel = Panel(seeds=seeds)
    if data is not None:
        unplanned, source = turns_from_data(data)
        panel = Panel(seeds=seeds, unplanned=unplanned, source=source)
    stdout, stderr = consoles()
    readers = coders()
    done: dict[str, tuple[Case, dict[str, Score], dict[str, Any]]] = {}
    judged: dict[str, tuple[Judged, ...]] = {}
    with progress(stderr, "gating", len(names), quiet=as_json) as bar:
        for name in names:
            played = _played(name, family, calls, panel, readers)
            figures = figures_of(played, human(played.case))
            what = {"therapists": list(PANEL), "seeds": seeds, "turns": panel.turns, "unplanned": panel.source}
            done[f"{FAMILY}:{name}"] = (played.case, figures, what)
            judged[name] = judge(figures, human(played.case))
            bar.step()
    if as_json:
        print_json(_document(judged))
    else:
        _print_gate(judged, stdout)
    if write:
        write_stored(_stored_at(), done)
    return 1 if any(j.fails for rows in judged.values() for j in rows) else 0


def _played(name: str, family: str | None, folder: Path | None, panel: Any, readers: Any) -> Any:
    """Play one case: the default family, or the one that was named, whose model's calls are kept in ``folder``."""
    from turnwise.engine.conformance import play_family, play_shipped

    if family is None:
        return play_shipped(name, panel, readers)
    from turnwise.engine.casting import Calls
    from turnwise.engine.patient_names import model_of

    if model_of(family) is not None and folder is None:
        raise UsageError("--family with a model needs --calls FOLDER, where its answers are kept and paid for once.")
    return play_family(f"{family}:{name}", panel, readers, Calls(log=False), folder or Path())


def _stored_at() -> Path:
    import turnwise
    from turnwise.engine.conformance_store import PASSED

    return Path(turnwise.__file__).parent / "batteries" / "conformance" / PASSED


def _document(judged: dict[str, tuple[Judged, ...]]) -> dict[str, Any]:
    from turnwise.batteries.conformance.published import PUBLISHED

    return {
        "cases": {
            name: {"passed": not any(j.fails for j in rows), "figures": [j.document() for j in rows]}
            for name, rows in judged.items()
        },
        "published": [{"measure": r.measure, "who": r.who, "value": r.value, "source": r.source} for r in PUBLISHED],
    }


def _print_gate(judged: dict[str, tuple[Judged, ...]], stdout: Any) -> None:
    from turnwise.batteries.conformance.published import PUBLISHED

    for name, rows in judged.items():
        fails = [j.measure.name for j in rows if j.fails]
        stdout.print(visible(f"{name}: {'fails ' + ', '.join(fails) if fails else 'passes'}"), style="bold")
        for j in rows:
            value = _number(j.score.value) if j.score.value is not None else str(j.score.code)
            mark = "FAIL" if j.fails else "out" if j.verdict == "fail" else "" if j.measure.gated else "-"
            band = (
                "" if j.band.low is None and j.band.high is None else f"[{_number(j.band.low)}, {_number(j.band.high)}]"
            )
            detail = f"  {j.score.detail}" if j.score.detail and mark in ("FAIL", "out") else ""
            line = f"  {mark:<4} {j.measure.name:<23} {value:>8} {j.measure.unit:<19} {band:<16} n {j.score.n}{detail}"
            stdout.print(visible(line), style="red" if j.fails else None, soft_wrap=True)
    bands = {j.measure.name: j.band.source for rows in judged.values() for j in rows}
    stdout.print("bands (FAIL keeps a case from passing, 'out' and '-' are only reported):", style="bold")
    for measure, source in bands.items():
        stdout.print(visible(f"  {measure}: {source}"), style="dim", soft_wrap=True)
    stdout.print("published, for comparison:", style="bold")
    for r in PUBLISHED:
        stdout.print(visible(f"  {r.measure}, {r.who}: {r.value} ({r.source})"), style="dim", soft_wrap=True)


def _number(x: float | None) -> str:
    return "" if x is None else f"{x:.3g}"


def worst_command(*, path: Path, n: int, unanswered: bool, as_json: bool) -> None:
    """Show the patient turns of a stored run that fit worst, each with the three turns before it."""
    from turnwise.batteries.conformance.lowest import lowest
    from turnwise.engine.store import RunFolder
    from turnwise.engine.whole_runs import require_whole

    if n < 1:
        raise UsageError(f"--n {n} is not possible: give a whole number from 1.")
    require_whole(path, "sessions")
    found = lowest(RunFolder(path).sessions(), n, unanswered=unanswered)
    if as_json:
        print_json([low.document() for low in found])
        return
    _print_worst(found, path)


def _print_worst(found: Sequence[Any], path: Path) -> None:
    stdout, _ = consoles()
    if not found:
        stdout.print(visible(f"{path}: no patient turn here says how it was chosen (only simulated patients do)."))
    for number, low in enumerate(found, 1):
        fit = "not ranked" if low.fit is None else f"fit {low.fit:.2f}"
        stdout.print(
            visible(f"{number}. {low.session} turn {low.turn}: {fit}, {low.kind}"), style="bold", soft_wrap=True
        )
        stdout.print(visible(f"   {'; '.join(low.reasons)}"), style="dim", soft_wrap=True)
        for turn in low.before:
            stdout.print(visible(f"   {'T' if turn.speaker == 'therapist' else 'P'}  {turn.text}"), soft_wrap=True)
        stdout.print(visible(f"   P> {low.said}"), style="bold", soft_wrap=True)
