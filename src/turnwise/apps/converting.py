"""``turnwise import`` and ``turnwise export``: sessions in and out of other formats, and what was lost on the way."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from turnwise.apps.terminal import consoles, print_json, progress, visible
from turnwise.core.errors import UsageError

if TYPE_CHECKING:
    from turnwise.engine.importers.account import Side

__all__ = ["SIDES", "export_command", "import_command", "pairs"]

SIDES: Mapping[str, Side] = {"therapist": "therapist", "patient": "patient", "client": "patient", "skip": "skip"}
_PATH = click.Path(path_type=Path)
_MANY = 12


@click.command("import")
@click.argument("files", nargs=-1, required=True, type=_PATH, metavar="FILE...")
@click.option(
    "--to", type=_PATH, metavar="FILE", help="Where to write (.gz compresses).  [default: NAME.turnwise.jsonl]"
)
@click.option("--format", "fmt", metavar="NAME", help="Importer to use.  [default: recognised by content]")
@click.option(
    "--speaker",
    "speakers",
    multiple=True,
    metavar="NAME=SIDE",
    help="Who is who: therapist, patient, or skip to leave the turns out; repeat for more.",
)
@click.option(
    "--map",
    "columns",
    multiple=True,
    metavar="WHAT=COLUMN",
    help="Which column of a table is the speaker, text, session or turn; repeat for more. "
    "Several columns that together name a session: session=A+B.",
)
@click.option("--explain", is_flag=True, help="Say what was recognised, kept and lost; without --to, write nothing.")
@click.option("--force", is_flag=True, help="Replace the file at --to.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead of text.")
def import_command(**asked: Any) -> None:
    """Convert transcripts in any known format to ours ('turnwise list importers'), and say what was lost.

    JSON Lines, tables and text are read one session at a time, lines of up to 64 MiB; a JSON document that is not one
    record a line is held in memory, up to 256 MiB. Exit 1 if a file could not be read to its end.
    """
    sys.exit(_import(**asked))


@click.command("export")
@click.argument("source", type=_PATH, metavar="RUN_OR_FILE")
@click.option(
    "--format",
    "name",
    required=True,
    metavar="NAME",
    help="turnwise_jsonl, turnwise_trajectory, openai_chat, sharegpt, convokit, annomi, csv_table or plain_text.",
)
@click.option("--out", required=True, type=_PATH, help="File to write (.gz compresses); for convokit, a folder.")
@click.option("--from", "fmt", metavar="NAME", help="Importer to read with.  [default: recognised by content]")
@click.option(
    "--infos/--no-infos",
    default=True,
    show_default=True,
    help="Also write what turns carry beyond the words (labels, a simulation's truth), where the format has a place.",
)
@click.option(
    "--defuse",
    is_flag=True,
    help="In a table, put ' before every cell that begins with = + - @, a tab or a carriage return: spreadsheets run "
    "such cells as formulas.",
)
@click.option("--force", is_flag=True, help="Replace what is at --out.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead of text.")
def export_command(**asked: Any) -> None:
    """Write the sessions of a run folder, or of a file in any known format, in another format.

    'turnwise import' reads each of them back. Says what the format has no place for.
    """
    _export(**asked)


def pairs(given: Sequence[str], option: str, example: str) -> dict[str, str]:
    """Return what an option that takes NAME=VALUE was given, each name once."""
    found = {}
    for text in given:
        name, sign, value = text.rpartition("=") if option == "--speaker" else text.partition("=")
        if not sign or not name.strip() or not value.strip():
            raise UsageError(f"{option} {text!r} is not understood: write it like {option} {example}.")
        if name.strip() in found:
            raise UsageError(f"{option} names {name.strip()!r} twice; say it once.")
        found[name.strip()] = value.strip()
    return found


def _import(
    *,
    files: tuple[Path, ...],
    to: Path | None,
    fmt: str | None,
    explain: bool,
    force: bool,
    as_json: bool,
    **asked: Any,
) -> int:
    from turnwise.engine.converting import Asked, import_transcripts
    from turnwise.engine.importers.layouts import name_of

    speakers = {}
    for name, side in pairs(asked["speakers"], "--speaker", "Anna=therapist").items():
        if side.lower() not in SIDES:
            raise UsageError(f"--speaker {name}={side}: the side is {', '.join(SIDES)}.")
        speakers[name] = SIDES[side.lower()]
    columns = pairs(asked["columns"], "--map", "text=utterance")
    if to is None and not explain:
        to = Path(f"{name_of(files[0].absolute())}.turnwise.jsonl")
    stdout, stderr = consoles()
    with progress(stderr, "reading", None, quiet=as_json) as bar:
        done = import_transcripts(files, to, Asked(fmt, speakers, columns), force=force, on_session=bar.step)
    record = done.record()
    if as_json:
        print_json(record)
    else:
        for line in _account(record, whole=explain):
            stdout.print(visible(line), soft_wrap=True)
    return 1 if done.faults else 0


def _account(record: Mapping[str, Any], *, whole: bool) -> list[str]:
    turns = record["turns"]
    told = f"{turns['therapist']:,} of the therapist, {turns['patient']:,} of the patient"
    lines = [
        f"read as {x['name']} ({x['format']})" + (f": {x['files']} files" if x["files"] > 1 else "")
        for x in record["formats"]
    ]
    lines.append(f"{record['sessions']:,} sessions, {sum(turns.values()):,} turns ({told})")
    if whole:
        lines += _list("speakers:", [f"{x['name']!r} is the {x['side']}: {x['turns']:,}" for x in record["speakers"]])
        lines += _kept(record)
    lines += _list("not as it stood in the file:", [_loss(x, whole) for x in record["losses"]])
    lines += _list("worth a look:", _oddities(record))
    bad = record["unreadable_sessions"]
    if bad:
        lines += _list(f"{bad:,} sessions could not be used (stored as errors):", record["errors"], bad)
    lines += _list("not read to the end:", record["files_not_read_to_the_end"])
    if whole and not record["losses"]:
        lines.append("nothing else was left out or changed")
    lines.append(f"written: {record['to']}" if record["to"] else "nothing was written (name a file with --to)")
    return lines if whole or not record["losses"] else [*lines, "(--explain says where, and who was taken for whom)"]


def _list(title: str, items: Sequence[str], total: int | None = None) -> list[str]:
    if not items:
        return []
    more = (len(items) if total is None else total) - len(items[:_MANY])
    return [title, *(f"  {x}" for x in items[:_MANY]), *([f"  … and {more:,} more (--json)"] if more > 0 else [])]


def _loss(x: Mapping[str, Any], whole: bool) -> str:
    return f"{x['what']}: {x['n']:,}" + (f" (first: {x['first']})" if whole and x["first"] else "")


def _kept(record: Mapping[str, Any]) -> list[str]:
    lines = []
    for key, of in (("kept_beside_turns", "turns"), ("kept_beside_sessions", "sessions")):
        if record[key]:
            lines.append(f"kept beside the {of}: " + ", ".join(f"{name} ({n:,})" for name, n in record[key].items()))
    return lines


def _oddities(record: Mapping[str, Any]) -> list[str]:
    from turnwise.engine.importers.tally import ODDITIES

    return [f"{record[key]:,} {words}" for key, words in ODDITIES.items() if record[key]]


def _export(*, source: Path, name: str, out: Path, as_json: bool, **how: Any) -> None:
    from turnwise.engine.converting import export_transcripts

    done, account = export_transcripts(source, out, name, **how)
    losses = account.lost_record()
    record = {"out": str(out), "format": name, **done.record(), "losses_in_reading": losses}
    if as_json:
        print_json(record)
        return
    stdout, _ = consoles()
    lines = [f"{done.sessions:,} sessions, {done.turns:,} turns, written as {name}: {out}"]
    lines += _list("sessions left out:", [f"{n:,} {reason}" for reason, n in done.left_out.items()])
    lines += _list("no place in this format:", [f"{what}: {n:,}" for what, n in done.losses.items()])
    lines += _list("lost in reading already:", [_loss(x, True) for x in losses])
    for line in lines:
        stdout.print(visible(line), soft_wrap=True)
