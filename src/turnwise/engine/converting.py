"""From anybody's transcripts to ours, with an account of what was recognised and what was lost; and out again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any

from turnwise.core.errors import FormatError, UsageError
from turnwise.core.nouns import Trajectory
from turnwise.core.registry import IMPORTERS
from turnwise.engine.exporters.formats import Exported, export_sessions, format_named
from turnwise.engine.exporters.turnwise_jsonl import export_jsonl
from turnwise.engine.importers.account import Account, Side
from turnwise.engine.importers.detect import detect, open_transcripts
from turnwise.engine.importers.layouts import name_of
from turnwise.engine.importers.streams import shown
from turnwise.engine.importers.tally import Tally
from turnwise.engine.store import TRAJECTORIES, RunFolder, free_target
from turnwise.engine.whole_runs import require_whole

__all__ = ["Asked", "Imported", "export_transcripts", "import_transcripts"]

OnSession = Callable[[object], None]


@dataclass(frozen=True, slots=True)
class Asked:
    """What the user said of the files: format, who is who, which column is what."""

    fmt: str | None = None
    speakers: Mapping[str, Side] = field(default_factory=dict)
    columns: Mapping[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class Imported:
    """An account of an import. ``faults`` are files that could not be read, or not to their end."""

    to: Path | None
    importers: Counter[str] = field(default_factory=Counter)
    account: Account = field(default_factory=Account)
    tally: Tally = field(default_factory=Tally)
    renamed: int = 0
    faults: list[str] = field(default_factory=list)

    def record(self) -> dict[str, Any]:
        """Return the account as JSON values: formats, speakers, counts, losses, faults."""
        known = {e.name: str(e.spec.get("fmt", e.summary)) for e in IMPORTERS}
        return {
            "to": None if self.to is None else str(self.to),
            "formats": [{"name": n, "format": known.get(n, ""), "files": k} for n, k in self.importers.items()],
            "speakers": [
                {"name": word, "side": side, "turns": n} for (word, side), n in self.account.heard.most_common()
            ],
            **self.tally.record(),
            "renamed_sessions": self.renamed,
            "losses": self.account.lost_record(),
            "files_not_read_to_the_end": list(self.faults),
        }


def import_transcripts(
    paths: Sequence[Path],
    to: Path | None,
    asked: Asked | None = None,
    *,
    force: bool = False,
    on_session: OnSession | None = None,
) -> Imported:
    """Read transcripts in any known format and store them as our own; return an account.

    Parameters
    ----------
    paths : files (or ConvoKit folders), each recognised by itself.
    to : where to write, one session a line, whole or not at all (``.gz`` compresses); ``None`` only reads.
    asked : what the user said of the files.
    force : replace what is at ``to``.
    on_session : called with every session.

    Returns
    -------
    The account. A file that is damaged in its middle gives the sessions before the damage, and a sentence.

    Raises
    ------
    FormatError, UsageError : nothing could be read, or ``to`` is taken, an input, or cannot be written.
    """
    asked = asked or Asked()
    done = Imported(to, account=Account({name.strip().lower(): side for name, side in asked.speakers.items()}))
    if to is not None:
        free_target(to, paths, option="--to", force=force)
    sessions = _all(paths, asked, done)
    first = next(sessions, None)  # so that files in which nothing can be read fail before anything is written
    if first is None:
        raise UsageError(done.faults[0] if len(done.faults) == 1 else _none_read(done.faults))

    def counted() -> Iterator[Trajectory]:
        for t in chain([first], sessions):
            done.tally.add(t)
            if on_session:
                on_session(t)
            yield t

    if to is None:
        for _ in counted():
            pass
    else:
        export_jsonl(counted(), to)
    return done


def _none_read(faults: Sequence[str]) -> str:
    return f"none of the {len(faults)} files could be read; the first: {faults[0]}"


def _all(paths: Sequence[Path], asked: Asked, done: Imported) -> Iterator[Trajectory]:
    taken: set[str] = set()
    several = len(paths) > 1
    names = Counter(path.name for path in paths)
    for path, label in zip(paths, _labels(paths), strict=True):
        done.account.file = "" if not several else path.name if names[path.name] == 1 else shown(path)
        count = 0
        try:
            for t in _opened(path, asked, done):
                count += 1
                yield _unlike(t, taken, name_of(path), label, done) if several else t
        except (FormatError, UsageError) as fault:
            done.account.rollback()
            before = f" The {count} sessions before it were read." if count else ""
            done.faults.append(f"{fault}{before}")


def _opened(path: Path, asked: Asked, done: Imported) -> Iterator[Trajectory]:
    fmt = asked.fmt or ("csv_table" if asked.columns else detect(path, done.account))
    found = open_transcripts(path, fmt, account=done.account, columns=asked.columns or None)
    done.importers[IMPORTERS.get(fmt).name] += 1
    return found


def _labels(paths: Sequence[Path]) -> list[str]:
    """Return what each file is called among the others: its name, after as many of its folders as tell it from them."""
    labels = {path.absolute(): name_of(path) for path in paths}
    for depth in range(1, max((len(path.parts) for path in labels), default=0) + 1):
        for whole in (True, False) if depth == 1 else (False, True):
            times = Counter(labels.values())
            for path in [path for path, label in labels.items() if times[label] > 1]:
                end = path.name if whole else name_of(path)
                labels[path] = shown("/".join([*path.parts[-depth:-1], end]), 400)
    return [labels[path.absolute()] for path in paths]


def _unlike(t: Trajectory, taken: set[str], bare: str, label: str, done: Imported) -> Trajectory:
    """Return ``t`` under an id that no file before has used: two files may both call their first session 1.

    A session that is called after its file (``bare``) is called after its ``label``, which says which file it is.
    """
    name = label if t.session_id == bare else t.session_id
    if name in taken and name != label:
        name = f"{label}/{name}"
    wanted, number = name, 2
    while name in taken:
        name, number = f"{wanted}#{number}", number + 1
    done.renamed += name != t.session_id
    taken.add(name)
    return t if name == t.session_id else t.model_copy(update={"session_id": name})


def export_transcripts(
    path: Path, out: Path, name: str, *, fmt: str | None = None, **how: bool
) -> tuple[Exported, Account]:
    """Write the sessions of a run folder, or of a file in any known format, in the format ``name``.

    ``how`` goes to ``export_sessions``: ``infos``, ``force``, ``defuse``.

    Returns
    -------
    What was written and what was not, and the account of the reading (empty for a run folder).

    Raises
    ------
    FormatError, UsageError : as ``export_sessions`` and ``open_transcripts`` say.
    """
    format_named(name)
    account = Account()
    if out.exists() and path.exists() and path.samefile(out):
        raise UsageError(f"{out}: this is what is to be read; choose another --out.")
    is_run = path.is_dir() and any((path / x).exists() for x in ("run.json", TRAJECTORIES))
    if is_run and fmt:
        raise UsageError(f"{path} is a run folder, so --from {fmt} has no effect; leave it out.")
    if is_run:
        require_whole(path, "sessions")
    sessions = RunFolder(path).sessions() if is_run else open_transcripts(path, fmt, account=account)
    return export_sessions(sessions, out, name, **how), account
