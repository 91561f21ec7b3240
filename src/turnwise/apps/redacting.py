"""``turnwise redact``: transcripts without what says who somebody is, and back with the map."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from turnwise.apps.converting import SIDES, pairs
from turnwise.apps.terminal import consoles, print_json, progress, visible
from turnwise.core.errors import UsageError

__all__ = ["redact_command"]

_PATH = click.Path(path_type=Path)
_LIMIT = (
    "rules and lists, no guarantee: some names stay (docs/privacy.md says how many); read the result"
    " before you share it"
)


@click.command("redact")
@click.argument("source", type=_PATH, metavar="FILE")
@click.option("--out", required=True, type=_PATH, metavar="FILE", help="Where to write (.gz compresses).")
@click.option(
    "--map",
    "map_file",
    type=_PATH,
    metavar="FILE",
    help="Keep what was taken out here, in another folder than --out; only you may read it.  [default: kept nowhere]",
)
@click.option("--restore", is_flag=True, help="FILE was redacted: put back what --map holds, exactly.")
@click.option(
    "--known", type=_PATH, metavar="FILE", help="Names that are known to occur, one a line or parted by commas."
)
@click.option(
    "--speaker",
    "speakers",
    multiple=True,
    metavar="NAME=SIDE",
    help="Who is who: therapist, patient, or skip; the name is also looked for in what was said. Repeat for more.",
)
@click.option(
    "--keep",
    multiple=True,
    metavar="KEY",
    help="Keep what stands beside the words under this key (texts in it are redacted too); repeat for"
    " more.  [default: only the words]",
)
@click.option("--format", "fmt", metavar="NAME", help="Importer to use.  [default: recognised by content]")
@click.option("--force", is_flag=True, help="Replace what is at --out and --map.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead of text.")
def redact_command(*, restore: bool, **asked: Any) -> None:
    """Take names, places, contacts, ages, dates, numbers, employers and schools out of transcripts in any known format.

    Each becomes a placeholder ([NAME_1]), the same for the same person throughout a session. Ids of sessions become
    session_0001 and so on. Rules and lists for English, no guarantee: read the result before you share it.
    """
    if restore:
        _restore(**asked)
    else:
        _redact(**asked)


def _redact(*, source: Path, out: Path, map_file: Path | None, as_json: bool, force: bool, **asked: Any) -> None:
    from turnwise.engine.redacting.files import Wanted, known_names, redact_file

    speakers = {}
    for name, side in pairs(asked["speakers"], "--speaker", "Anna=therapist").items():
        if side.lower() not in SIDES:
            raise UsageError(f"--speaker {name}={side}: the side is {', '.join(SIDES)}.")
        speakers[name] = SIDES[side.lower()]
    known = known_names(asked["known"]) if asked["known"] else []
    wanted = Wanted(asked["fmt"], speakers, known, frozenset(asked["keep"]))
    stdout, stderr = consoles()
    with progress(stderr, "redacting", None, quiet=as_json) as bar:
        done = redact_file(source, out, wanted, map_to=map_file, force=force, on_session=bar.step)
    record = done.record() | {"out": str(out), "map": None if map_file is None else str(map_file), "note": _LIMIT}
    if as_json:
        print_json(record)
        return
    found = ", ".join(f"{kind} {n:,}" for kind, n in record["replaced"].items()) or "nothing"
    lines = [f"{done.sessions:,} sessions, {done.turns:,} turns, {done.words:,} words", f"replaced: {found}"]
    if done.unreadable:
        lines.append(f"{done.unreadable:,} sessions could not be read and are empty here")
    if done.never_met:
        lines.append(f"given with --known and never found: {', '.join(done.never_met)}")
    if record["left_out"]:
        lines.append(f"left out beside the words (--keep KEY keeps one): {', '.join(record['left_out'])}")
    lines.append(f"written: {out}")
    lines.append(
        f"map: {map_file} (undoes this; only you may read it)" if map_file else "no map was kept: this cannot be undone"
    )
    for line in [*lines, _LIMIT]:
        stdout.print(visible(line), soft_wrap=True)


def _restore(*, source: Path, out: Path, map_file: Path | None, as_json: bool, force: bool, **asked: Any) -> None:
    from turnwise.engine.redacting.files import restore_file

    if map_file is None:
        raise UsageError("--restore needs --map FILE: the map that was written when the file was redacted.")
    useless = [f"--{'speaker' if k == 'speakers' else 'format' if k == 'fmt' else k}" for k, v in asked.items() if v]
    if useless:
        raise UsageError(f"{useless[0]} has no effect with --restore; leave it out.")
    done = restore_file(source, map_file, out, force=force)
    record = done.record() | {"out": str(out)}
    if as_json:
        print_json(record)
        return
    stdout, _ = consoles()
    lines = [f"{done.sessions:,} sessions, {done.turns:,} turns restored: {out} (only you may read it)"]
    if done.changed:
        lines.append(
            f"{done.changed:,} turns were changed since: there placeholders were put back, spelling may differ"
        )
    if done.unknown:
        lines.append(f"{done.unknown:,} sessions are not in the map and stay as they are")
    for line in lines:
        stdout.print(visible(line), soft_wrap=True)
