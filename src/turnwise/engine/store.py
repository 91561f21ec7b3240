"""The run folder: what a run leaves behind, and how it survives being killed.

``trajectories.jsonl`` is appended to while sessions end and put into planned order when all are
there. Every other file is written beside its place and moved into it, so a reader never sees half
a file and a full disk never damages what was stored.
"""

from __future__ import annotations

import errno
import json
import os
import re
import stat
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TextIO

from pydantic import ValidationError

from turnwise import __version__
from turnwise.core.errors import FormatError, UsageError
from turnwise.core.nouns import Trajectory
from turnwise.core.registry import closest

__all__ = [
    "RECORD_FORMAT",
    "RESCUE",
    "TRAJECTORIES",
    "RunFolder",
    "free_target",
    "plain_target",
    "replacing",
    "sentence_for",
]

TRAJECTORIES = "trajectories.jsonl"
RECORD_FORMAT = "turnwise.run/1"
_OBJECTS = ("study", "ladder", "summary", "metrics", "input", "models", "endings", "conformance")
"""What is an object in every record, where it is there at all."""
_ID_FIRST = re.compile(rb'\{"format":"[^"]*","session_id":("(?:[^"\\]|\\.)*")')
"""How every line begins that is written here: its id is known before the rest of it is read."""
RESCUE = "sessions that are there can be scored into a new folder: turnwise score FOLDER/trajectories.jsonl --out NEW"


def sentence_for(fault: OSError, path: object) -> UsageError:
    """Turn an operating system's refusal into one sentence with a remedy."""
    remedies = {
        errno.ENOSPC: "the disk is full: free some space, then run the same command again (it resumes)",
        errno.EDQUOT: "your disk quota is used up: free some space, then run the same command again (it resumes)",
        errno.EACCES: "no permission: choose a folder you may write to with --out",
        errno.EPERM: "no permission: choose a folder you may write to with --out",
        errno.EROFS: "the file system is read-only: choose another folder with --out",
        errno.ENOTDIR: "part of the path is a file: choose another folder with --out",
        errno.EEXIST: "there is something else of that name already: choose another place with --out",
        errno.EISDIR: "this is a folder, a file was expected",
        errno.ENOENT: "there is no such file or folder: check the path",
        errno.ELOOP: "this is a link, and links are not followed here: remove it, or choose another folder with --out",
        errno.EEXIST: "this is no file: remove it, or choose another folder with --out",
        errno.EFBIG: "the file would be larger than allowed here: raise the limit, then run the same command again",
    }
    why = remedies.get(fault.errno or 0, (fault.strerror or str(fault)).lower())
    return UsageError(f"{path}: {why}.")


def _opened_here(path: Path, folder: Path) -> int:
    """Open a file of our own in ``folder``, made if it is not there: never what a link leads to, never a pipe."""
    no_links = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | no_links, 0o666)
        if stat.S_ISREG(os.fstat(handle).st_mode):
            return handle
        os.close(handle)
    except OSError as fault:
        there = path.is_symlink() or path.exists()
        raise sentence_for(fault, path if there else folder) from fault
    raise sentence_for(FileExistsError(errno.EEXIST, ""), path)


def plain_target(path: Path) -> None:
    """Refuse to write over what is no plain file (a link, a pipe, a device, a socket), whatever was forced.

    What is written appears by taking the place of what was there: of a link the file behind it would be left as it
    was, and a device would be gone for every program of the machine. A folder is not judged here.

    Raises
    ------
    UsageError : it is there and no plain file.

    Examples
    --------
    >>> plain_target(Path("no such file"))
    """
    try:
        mode = path.lstat().st_mode
    except (OSError, ValueError):
        return
    if stat.S_ISREG(mode) or stat.S_ISDIR(mode):
        return
    kinds = ((stat.S_ISLNK, "link"), (stat.S_ISFIFO, "pipe"), (stat.S_ISSOCK, "socket"))
    kind = next((name for test, name in kinds if test(mode)), "device")
    raise UsageError(f"{path}: this is a {kind}, not a plain file, and would be replaced; name a plain file to write.")


def free_target(path: Path, inputs: Iterable[Path] = (), *, option: str = "--out", force: bool = False) -> None:
    """Refuse a file to be written that is no plain file, is an input, or is there unless ``force`` is given.

    ``option`` is the option that named it. Checked before anything is read; ``replacing`` checks again.

    Raises
    ------
    UsageError : it may not be written, with what to do.
    """
    if path.is_dir():
        raise UsageError(f"{path}: this is a folder; name the file to write with {option}.")
    if any(x.exists() and path.exists() and x.samefile(path) for x in inputs):
        raise UsageError(f"{path}: this is a file to be read; choose another {option}.")
    plain_target(path)
    if path.exists() and not force:
        raise UsageError(f"{path}: there is such a file already; choose another {option}, or --force to replace it.")


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Hand out a temporary path beside ``path``; move it into place only if all went well.

    Raises
    ------
    UsageError : ``path`` is no plain file, or cannot be written.
    """
    plain_target(path)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        temporary.unlink(missing_ok=True)  # what lies there under our name, a link perhaps, is not written through
        yield temporary
        os.replace(temporary, path)
    except OSError as fault:
        raise sentence_for(fault, path) from fault
    finally:
        with suppress(OSError):
            temporary.unlink()


class RunFolder:
    """One run on disk. Opening it reads what is there; nothing in it is ever edited in place.

    ``log`` names the file that is appended to while playing: the sessions, or what else is played in lines that
    carry a ``session_id``.
    """

    def __init__(self, path: Path, log: str = TRAJECTORIES) -> None:
        self.path = path
        self._name = log
        self._log: TextIO | None = None

    def create(self) -> None:
        """Make the folder if it is not there, and make sure that it can be written to."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as fault:
            raise sentence_for(fault, self.path) from fault
        probe = self.path / ".writable"
        os.close(_opened_here(probe, self.path))
        with suppress(OSError):
            probe.unlink()

    @contextmanager
    def claimed(self) -> Iterator[None]:
        """Make the folder and keep every other process from writing into it while the block runs.

        What a killed process left half written is removed. The claim dies with its process.
        """
        self.create()
        try:
            import fcntl
        except ImportError:  # no such locks on this system: go on without
            yield
            return
        with os.fdopen(_opened_here(self.path / ".lock", self.path), "w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise UsageError(
                    f"{self.path}: another run is writing into this folder; wait for it, or choose another --out."
                ) from None
            for litter in self.path.glob(".*.tmp"):
                litter.unlink()
            yield

    @property
    def trajectories(self) -> Path:
        """Path of the sessions."""
        return self.path / self._name

    # --- run.json ---------------------------------------------------------------------------

    def read_record(self) -> dict[str, Any] | None:
        """Return ``run.json``, or ``None`` if there is none.

        Raises
        ------
        FormatError : it is damaged, or in a format of another version.
        """
        path = self.path / "run.json"
        try:
            record = json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None
        except OSError as fault:
            raise sentence_for(fault, path) from fault
        except RecursionError as fault:
            raise FormatError(path, "", "is damaged (nested too deeply)", RESCUE) from fault
        except ValueError as fault:
            raise FormatError(path, "", f"is damaged ({fault})", RESCUE) from fault
        if not isinstance(record, dict) or any(not isinstance(record.get(k) or {}, dict) for k in _OBJECTS):
            raise FormatError(path, "", "is not the record of a run", RESCUE)
        there = record.get("format", RECORD_FORMAT)  # while a run is played its record has none yet
        if there != RECORD_FORMAT:
            problem = f"is in the format {there!r:.60}, and this turnwise ({__version__}) reads {RECORD_FORMAT!r}"
            raise FormatError(path, "format", problem, f"install the version that wrote it; {RESCUE}")
        return record

    def write_record(self, record: dict[str, Any]) -> None:
        """Write ``run.json``."""
        self.write_text("run.json", json.dumps(record, indent=2, sort_keys=True, ensure_ascii=False) + "\n")

    def write_text(self, name: str, text: str) -> None:
        """Write one file of the folder, whole or not at all."""
        with replacing(self.path / name) as temporary:
            temporary.write_text(text, encoding="utf-8")

    # --- sessions ---------------------------------------------------------------------------

    def finished(self, *, errors: bool = True) -> dict[str, str]:
        """Return the stored line of every finished session by id; a last line that is torn is dropped.

        Raises
        ------
        FormatError : a line before the last one is damaged; what stands after it is not given up.

        Without ``errors``, what ended ``error`` does not count as finished.
        """
        done: dict[str, str] = {}
        try:
            with self.trajectories.open("rb") as file:
                unread = 0
                for number, raw in enumerate(file, 1):
                    if unread:
                        problem = "is damaged, and sessions stand after it"
                        remedy = f"remove that line to play its session again, or start over with --force; {RESCUE}"
                        raise FormatError(self.trajectories, f"line {unread}", problem, remedy)
                    if not raw.endswith(b"\n"):
                        break  # torn by a kill: this session is played again
                    line = raw.decode("utf-8")
                    try:
                        record = json.loads(line)
                        session = str(record["session_id"])
                    except (ValueError, KeyError, TypeError, RecursionError):
                        unread = number
                        continue
                    if errors or record.get("ending") != "error":
                        done.setdefault(session, line)
        except FileNotFoundError:
            return {}
        except UnicodeDecodeError as fault:
            raise FormatError(
                self.trajectories, "", f"is damaged ({fault.reason})", "start over with --force"
            ) from fault
        return done

    def open_log(self, keep: Sequence[str]) -> None:
        """Start appending, after rewriting the file to the ``keep`` lines (drops a torn tail)."""
        with replacing(self.trajectories) as temporary, temporary.open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(keep)
        self._log = self.trajectories.open("a", encoding="utf-8", newline="\n")

    def append(self, trajectory: Trajectory) -> None:
        """Store one finished session. Survives a kill from the moment it returns."""
        self.append_line(trajectory.model_dump_json())

    def append_line(self, line: str) -> None:
        """Store one finished line, as :meth:`append` does."""
        if self._log is None:
            raise UsageError(f"{self.path} is not open for appending.")
        try:
            self._log.write(line + "\n")
            self._log.flush()
        except OSError as fault:
            raise sentence_for(fault, self.trajectories) from fault

    def close_log(self) -> None:
        """Stop appending."""
        if self._log is not None:
            with suppress(OSError):  # a full disk was reported when it happened
                self._log.close()
            self._log = None

    def order(self, planned: Sequence[str]) -> None:
        """Put the sessions into planned order; each exactly once."""
        done = self.finished()
        lost = [s for s in planned if s not in done]
        if lost:
            raise UsageError(
                f"{self.path}: {len(lost)} sessions are missing, e.g. {lost[0]!r}; run again to play them."
            )
        with replacing(self.trajectories) as temporary, temporary.open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(done[s] for s in planned)

    def ids(self) -> Iterator[str]:
        """Yield the ids of the stored lines in order; of a torn or damaged line there is none."""
        with self.trajectories.open("rb") as file:
            for raw in file:
                begun = _ID_FIRST.match(raw)
                try:
                    yield str(json.loads(begun[1]) if begun else json.loads(raw)["session_id"])
                except (ValueError, LookupError, TypeError, RecursionError):
                    continue

    def session(self, session_id: str) -> Trajectory:
        """Return one stored session.

        Raises
        ------
        UsageError : there is none of that id (with the closest one).
        """
        names = []
        for t in self.sessions():
            if t.session_id == session_id:
                return t
            names.append(t.session_id)
        hint = closest(session_id, names, 0.3, "see sessions.parquet for the ids.")
        raise UsageError(f"no session {session_id!r} in {self.path}; {hint}")

    def sessions(self) -> Iterator[Trajectory]:
        """Yield the stored sessions one at a time."""
        try:
            with self.trajectories.open(encoding="utf-8") as file:
                for number, line in enumerate(file, 1):
                    try:
                        yield Trajectory.model_validate_json(line)
                    except ValidationError as fault:
                        problem = fault.errors()[0]["msg"]
                        raise FormatError(
                            self.trajectories, f"line {number}", problem, "run again with --force"
                        ) from fault
        except UnicodeDecodeError as fault:
            raise FormatError(self.trajectories, "", "is not UTF-8 text", "play or score again with --force") from fault
        except FileNotFoundError as fault:
            kept = (self.read_record() or {}).get("no_text")
            why = "the run keeps no words (--no-text)" if kept else f"is {self.path} a run folder?"
            raise UsageError(f"{self.trajectories} does not exist: {why}") from fault
