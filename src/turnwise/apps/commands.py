"""What the commands do: ask the engine, show what it says. No arithmetic here."""

from __future__ import annotations

import hashlib
import re
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, redirect_stdout
from pathlib import Path
from typing import Any

import click

from turnwise.apps.course_table import course_table
from turnwise.apps.exit_codes import SOME_FAILED
from turnwise.apps.headline import HEADLINE
from turnwise.apps.ladder_table import ladder_notes, ladder_tables
from turnwise.apps.model_options import calls_from, prices_from, print_plan, spent_line
from turnwise.apps.terminal import consoles, print_json, print_table, progress, session_lines, summary_table, visible
from turnwise.core.errors import FormatError, RegistryError, TurnwiseError, UsageError
from turnwise.core.registry import closest

__all__ = ["list_command", "run_command", "score_command", "show_command"]


def _fold(words: str, width: int) -> str:
    return words if len(words) <= width else words[: width - 1] + "…"


def run_command(
    *,
    therapists: tuple[str, ...],
    patients: tuple[str, ...],
    out: Path | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Play and score a study, then show its table and where the report lies."""
    from turnwise.engine.asking import Asking
    from turnwise.engine.ladder_bank import Ladder
    from turnwise.engine.running import Options, run_study
    from turnwise.engine.study import resolve_study

    home = Path.cwd()  # a bot may change the folder, as soon as it is loaded
    options |= {k: home / options[k] for k in ("replay", "prices") if options[k] is not None}
    names = tuple(name for group in patients for name in group.split(",") if name)
    numbers = {k: options[k] for k in ("seed", "epochs", "turns", "sessions")}
    calls = calls_from(options)
    with _our_own_output():
        study = resolve_study(therapists=therapists, patients=names, calls=calls.settings, **numbers)
    if options["concurrency"] < 1:
        raise UsageError(f"--concurrency {options['concurrency']} is not possible: give a whole number from 1.")
    ladder = Ladder(options["reference"], options["ladder_epochs"]).resolved() if options["ladder"] else None
    chosen = Options(
        **{k: options[k] for k in ("concurrency", "no_text", "force", "shuffle", "readers", "retry_errors")},
        ladder=ladder,
        calls=calls,
        prices=prices_from(options["prices"]),
        asking=Asking(headers=_headers(options["bot_headers"]), timeout_s=options["bot_timeout"]),
    )
    folder = out or Path("runs") / f"study-{study.sha256()[:8]}"
    stdout, stderr = consoles()
    if options["dry_run"]:
        print_plan(study, chosen, stdout, as_json=as_json)
        return
    if not as_json:
        stderr.print(f"turnwise run {_as_flags(study)} {_ladder_flags(ladder)} --out {folder}", style="dim")
    total = len(study.therapists) * len(study.patients) * study.epochs * study.sessions
    with (
        _our_own_output(),
        progress(stderr, "playing", total, quiet=as_json) as playing,
        progress(stderr, "ladder", None, quiet=as_json or ladder is None) as climbing,
        progress(stderr, "scoring", total, quiet=as_json) as scoring,
    ):
        record = run_study(
            study, home / folder, chosen, on_session=playing.step, on_reply=climbing.of, on_scored=scoring.at
        )
    _finish(record, folder, as_json, stdout, home)
    _end_with_what_failed(record)


def _end_with_what_failed(record: dict[str, Any]) -> None:
    from turnwise.engine.failed import failed_sentence

    if record.get("failed"):
        click.echo(f"turnwise: {visible(failed_sentence(record['failed']))}", err=True)
        sys.exit(SOME_FAILED)


def _our_own_output() -> AbstractContextManager[Any]:
    """Send what a bot of somebody else prints to where faults go: standard output holds our answer alone."""
    return redirect_stdout(sys.stderr)


def _headers(given: Sequence[str]) -> dict[str, str]:
    """Return header → environment variable. A key given in place of a variable's name is not shown again."""
    pairs = [item.partition("=") for item in given]
    if not all(header and re.fullmatch(r"[A-Za-z_]\w*", variable) for header, _, variable in pairs):
        raise UsageError("--bot-header is not possible: write NAME=VARIABLE, the value is read from the environment.")
    return {header.strip(): variable for header, _, variable in pairs}


def _as_flags(study: Any) -> str:
    flags = [f"--therapist {t}" for t in study.therapists] + [f"--patients {p}" for p in study.patients]
    flags += [f"--turns {study.turns}", f"--epochs {study.epochs}"]
    flags += [f"--sessions {study.sessions}"] if study.sessions > 1 else []
    return " ".join([*flags, f"--seed {study.seed}"])


def _ladder_flags(ladder: Any) -> str:
    return f"--reference {ladder.reference} --ladder-epochs {ladder.epochs}" if ladder else "--no-ladder"


def score_command(
    *,
    path: Path,
    out: Path | None,
    as_json: bool,
    by: str | None,
    fmt: str | None,
    **options: Any,
) -> None:
    """Score transcripts, then show the table and where the report lies."""
    from turnwise.engine.quiet import quiet
    from turnwise.engine.running import rescore
    from turnwise.engine.scoring import Scoring, score_file

    stdout, stderr = consoles()
    is_run = path.is_dir() and (path / "run.json").exists()
    if is_run and fmt:
        raise UsageError(f"{path} is a run folder, so --format {fmt} has no effect; leave it out.")
    folder = out or (path if is_run else Path("runs") / _slug(path))
    how = Scoring(no_text=options["no_text"], readers=options["readers"])
    with progress(stderr, "reading", None, quiet=as_json) as bar:
        if is_run:
            record = rescore(path, folder, by=by, how=how, on_scored=bar.at)
        else:
            force = options["force"]
            try:
                record = score_file(path, folder, by=by, fmt=fmt, how=how, force=force, on_progress=bar.at)
            except FormatError as fault:
                if not (how.no_text and fault.where):
                    raise
                raise UsageError(f"{path}: {quiet(f'{fault.where}: {fault.problem}', True)}.") from None
    _finish(record, folder, as_json, stdout)


def _slug(path: Path) -> str:
    """Name a folder after a file; where it lies is hashed in, so that two files of one name do not meet."""
    stem = re.sub(r"(?:\.(?:jsonl?|csv|txt|gz))+$", "", path.name, flags=re.IGNORECASE)
    where = hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:6]
    return f"{re.sub(r'[^A-Za-z0-9_.-]+', '-', stem).strip('-.') or 'scored'}-{where}"


def _finish(record: dict[str, Any], folder: Path, as_json: bool, stdout: Any, home: Path = Path()) -> None:
    """Write the report and show the table; ``folder`` is named as it was given, and lies in ``home``."""
    from turnwise.apps.report import write_report
    from turnwise.engine.stored_tables import as_stored

    try:
        report = folder / write_report(home / folder).name
    except TurnwiseError:
        (home / folder / "report.html").unlink(missing_ok=True)  # a report of other tables is worse than none
        raise
    if as_json:
        print_json(record | {"report": str(report)})
        return
    with as_stored(folder):
        _print_results(record, stdout)
    stdout.print(f"\nreport: {report}", soft_wrap=True)


def _print_results(record: dict[str, Any], stdout: Any) -> None:
    print_table(stdout, summary_table(record, _headline(record)))
    for line in _notes(record):
        stdout.print(visible(line), style="dim")
    courses = course_table(record["summary"])
    if courses is not None:
        stdout.print()
        print_table(stdout, courses)
    ladder = record["summary"].get("ladder")
    if ladder:
        stdout.print()
        labels = {g["group"]: g["label"] for g in record["summary"]["groups"]}
        for table in ladder_tables(ladder, labels, stdout.width):
            print_table(stdout, table)
            stdout.print()
        for line in ladder_notes(ladder, record.get("ladder")):
            stdout.print(visible(line), style="dim")


def _headline(record: dict[str, Any]) -> list[str]:
    return [name for name in HEADLINE[record["kind"]] if name in record["metrics"]]


def _notes(record: dict[str, Any]) -> list[str]:
    endings = ", ".join(f"{name.replace('_', ' ')} {n}" for name, n in record["endings"].items())
    lines = ["", f"{record['sessions']:,} sessions, {record['turns']:,} turns; endings: {endings}"]
    lines += spent_line(record.get("models") or {})
    bad = record["endings"].get("error", 0)
    if bad:
        lines.append(f"{bad} sessions could not be used, the others are scored:")
        lines += [f"  {e['session_id']}: {_fold(e['error'], 200)}" for e in record["errors"][:5]]
        lines += [f"  … and {bad - 5} more (run.json, sessions.parquet)"] if bad > 5 else []
    if any(row.get("n_left") for row in record["summary"]["metrics"]):
        lines.append("sessions the patient left count unreached turns at the worst bound; 'seen' is the plain mean")
    if record["endings"].get("not_held"):
        lines.append("who leaves does not come back: planned sessions that were not held count at the worst bound too")
    if "bundle" in record:
        lines.append(f"coders: {record['bundle']} bundle; on what data they were fitted, and their licences: run.json")
    if record["kind"] == "run" and record["conformance"]["status"] != "passed":
        lines.append(f"provisional: {record['conformance']['detail']}")
    lines += [f"note: {w}" for w in record["warnings"]]
    return lines


def list_command(kind: str | None, as_json: bool, kinds: Sequence[str]) -> None:
    """List the registries."""
    from turnwise.core.registry import REGISTRIES
    from turnwise.engine.discovery import discover
    from turnwise.patients.casebook import case_ids

    discover()
    found: dict[str, list[dict[str, Any]]] = {}
    for name in (kind,) if kind else kinds:
        found[name] = [{"name": e.name, "summary": e.summary, **e.spec} for e in REGISTRIES[name].newest()]
    cases = list(case_ids()) if kind in (None, "patients") else []
    if as_json:
        print_json(found | ({"cases": cases} if cases else {}))
        return
    stdout, _ = consoles()
    for name, rows in found.items():
        if rows or kind:
            stdout.print(name, style="bold")
        for row in rows:
            stdout.print(f"  {row['name']:<28} {_fold(row['summary'], max(40, stdout.width - 32))}")
        if name == "patients" and cases:
            stdout.print(f"  cases: {', '.join(cases)}")
    if not kind:
        stdout.print("\n'turnwise show NAME' prints a definition.", style="dim")


def show_command(target: str, session: str | None, state: bool, as_json: bool) -> None:
    """Show a run, a session, or a definition."""
    if session is None and not Path(target).exists():
        _show_definition(target, as_json)
        return
    from turnwise.engine.store import RunFolder

    folder = RunFolder(Path(target))
    if session is None:
        _show_run(folder, as_json)
        return
    t = folder.session(session)
    if as_json:
        print_json(t.model_dump(mode="json"))
        return
    stdout, _ = consoles()
    for line in session_lines(t, state=state):
        stdout.print(line, soft_wrap=True)


def _show_run(folder: Any, as_json: bool) -> None:
    from turnwise.engine.stored_tables import as_stored
    from turnwise.engine.whole_runs import require_whole

    record = folder.read_record()
    if record is None:
        raise UsageError(f"{folder.path} is not a run folder: it has no run.json.")
    if "summary" not in record:
        raise UsageError(f"{folder.path} holds an unfinished run; run the same command again to resume it.")
    require_whole(folder.path)
    if as_json:
        print_json(record)
        return
    stdout, _ = consoles()
    with as_stored(folder.path):
        _print_results(record, stdout)
    stdout.print("\nsessions:", style="dim")
    for i, t in enumerate(folder.sessions()):
        if i == 12:
            stdout.print(f"  … of {record['sessions']}", style="dim")
            break
        stdout.print(f"  {visible(t.session_id)}  ({len(t.turns)} turns, {t.ending})", soft_wrap=True)


def _show_definition(name: str, as_json: bool) -> None:
    import inspect

    from turnwise.core.registry import REGISTRIES
    from turnwise.engine.discovery import discover

    discover()
    hits = [(kind, r.get(name)) for kind, r in REGISTRIES.items() if name in r]
    if not hits:
        every = sorted({e.base for r in REGISTRIES.values() for e in r})
        hint = closest(name, every, 0.4, "'turnwise list' shows all names.")
        raise RegistryError(f"{name!r} is neither a run folder nor a registered name; {hint}")
    documents = [
        {"kind": kind, "name": e.name, **e.spec, "definition": inspect.getdoc(e.obj) or ""} for kind, e in hits
    ]
    if as_json:
        print_json(documents)
        return
    stdout, _ = consoles()
    for document in documents:
        stdout.print(f"{document['name']}  ({document['kind']})", style="bold")
        for key in ("unit", "bounds", "orientation", "needs", "about", "emits", "must_lose", "loses_on", "source"):
            if document.get(key):
                stdout.print(f"  {key}: {document[key]}", soft_wrap=True)
        stdout.print("\n" + document["definition"], soft_wrap=True)
