"""Text out of a file somebody gave us: plain or gzip, by content, a line at a time.

What a file is called proves nothing, so compression and encoding are read from the first bytes.
A line that is not valid text is handed on with the reason instead of ending the file; what
damages the file as a whole (a torn archive, a wrong encoding throughout) is a ``FormatError``.
"""

from __future__ import annotations

import errno
import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from turnwise.core.errors import FormatError, UsageError

__all__ = ["HEAD_CHARS", "MAX_LINE", "MAX_WHOLE", "Line", "lines", "read_head", "shown", "whole_text"]

HEAD_CHARS = 65_536
"""How much of a file an importer sees when it is asked whether the file is its own."""
MAX_LINE = 64 * 2**20
"""Longest line that is read, in bytes (64 MiB): a limit, so that no file can fill the memory."""
MAX_WHOLE = 256 * 2**20
"""Largest JSON document that is not one record a line, in bytes (256 MiB): it is parsed whole."""

_GZIP = b"\x1f\x8b"
_TORN = (EOFError, gzip.BadGzipFile, zlib.error)
_ENOUGH = 4096
# The longer mark first: the mark of UTF-32-LE begins with that of UTF-16-LE.
_WIDE = {b"\xff\xfe\x00\x00": "utf-32", b"\x00\x00\xfe\xff": "utf-32", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}
_UTF8_MARK = b"\xef\xbb\xbf"
_CONVERT = "save the file as UTF-8 and try again"
_REMEDIES = {
    errno.ENOENT: "there is no such file; check the path",
    errno.ENOTDIR: "a part of the path is a file; check the path",
    errno.EACCES: "no permission to read it; ask for read access or copy the file",
    errno.EPERM: "no permission to read it; ask for read access or copy the file",
    errno.ENAMETOOLONG: "the name is too long; check the path",
    errno.ELOOP: "the link leads to itself; check the path",
}


class Line(NamedTuple):
    """One line without its end; ``problem`` says why ``text`` cannot be used, if it cannot."""

    number: int
    text: str
    problem: str | None = None
    end: str = "\n"


def shown(text: object, limit: int = 2000) -> str:
    r"""Return ``text`` so that it can be stored and printed: no lone surrogates, no control characters, not endless.

    Examples
    --------
    >>> shown("a\ud800b")
    'a\\ud800b'
    """
    safe = str(text).encode("utf-8", "backslashreplace").decode("utf-8")
    safe = "".join(c if c.isprintable() else repr(c)[1:-1] for c in safe[: limit + 1])
    return safe if len(safe) <= limit else safe[:limit] + "…"


@contextmanager
def _opened(path: Path) -> Iterator[io.BufferedIOBase]:
    """Open ``path`` as decompressed bytes and turn every refusal into one sentence."""
    try:
        if path.is_dir():
            raise UsageError(f"{shown(path)}: this is a folder; name the file with the transcripts in it.")
        if path.exists() and not path.is_file():
            raise UsageError(f"{shown(path)}: not a regular file; save its content to a file first.")
        with path.open("rb") as raw:
            packed = raw.peek(2)[:2] == _GZIP
            with gzip.GzipFile(fileobj=raw, mode="rb") if packed else raw as stream:
                yield stream
    except _TORN as fault:
        problem = f"the gzip archive is cut off or damaged ({shown(fault).rstrip('.')})"
        raise FormatError(shown(path), "", problem, "copy or download the file again") from fault
    except OSError as fault:
        why = _REMEDIES.get(fault.errno or 0, f"cannot be read ({(fault.strerror or str(fault)).lower()})")
        raise UsageError(f"{shown(path)}: {why}.") from fault
    except ValueError as fault:  # a null byte in the path; decoding faults are caught where they arise
        raise UsageError(f"{shown(path)}: cannot be opened ({shown(fault)}); check the path.") from fault


def _wide_encoding(start: bytes) -> str | None:
    return next((encoding for mark, encoding in _WIDE.items() if start.startswith(mark)), None)


def read_head(path: Path, limit: int = HEAD_CHARS) -> str:
    """Return the first ``limit`` characters, decoded; bytes that are no text become U+FFFD.

    Raises
    ------
    FormatError : the file is empty, or its archive is damaged at the start.
    UsageError : there is no such file, it is a folder, or it may not be read.
    """
    with _opened(path) as stream:
        # Four bytes are the longest character of any encoding read here; one more for the byte order mark.
        raw, most = b"", 4 * (limit + 1)
        try:
            while len(raw) < most and (more := stream.read1(most - len(raw))):
                raw += more
        except _TORN:
            if len(raw) < _ENOUGH:
                raise
            # The damage comes later: whoever reads on is told of it after what stands before it.
    if not raw:
        raise FormatError(shown(path), "", "the file is empty", "name a file with transcripts in it")
    return raw.decode(_wide_encoding(raw) or "utf-8-sig", errors="replace")[:limit]


def lines(path: Path) -> Iterator[Line]:
    r"""Yield the lines of a text file, numbered from 1, without their ends (``\n`` or ``\r\n``).

    A byte order mark is removed. A line that is not valid UTF-8, or longer than ``MAX_LINE``, is
    yielded with its ``problem`` and the file goes on.

    Raises
    ------
    FormatError : damaged archive, or invalid UTF-16 / UTF-32 (lines cannot be told apart there).
    UsageError : there is no such file, it is a folder, or it may not be read.
    """
    with _opened(path) as stream:
        start = stream.read(4)
        rest = _Joined(start, stream)
        encoding = _wide_encoding(start)
        yield from _wide_lines(path, rest, encoding) if encoding else _utf8_lines(rest)


class _Joined(io.RawIOBase):
    """Bytes already taken from a stream, put back in front of it (an archive cannot be rewound for free)."""

    def __init__(self, start: bytes, rest: io.BufferedIOBase) -> None:
        self._start, self._rest = start, rest

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        data = self._start[: len(buffer)] or self._rest.read1(len(buffer))
        self._start = self._start[len(buffer) :]
        buffer[: len(data)] = data
        return len(data)


def _utf8_lines(stream: io.RawIOBase) -> Iterator[Line]:
    buffered = io.BufferedReader(stream, 2**17)
    number, offset = 0, 0
    while raw := buffered.readline(MAX_LINE + 1):
        number += 1
        start, offset, problem = offset, offset + len(raw), None
        if number == 1 and raw.startswith(_UTF8_MARK):
            raw, start = raw[len(_UTF8_MARK) :], len(_UTF8_MARK)
        if len(raw) > MAX_LINE:
            problem = f"longer than {MAX_LINE // 2**20} MiB; one session must fit on one line below that"
            while raw and not raw.endswith(b"\n"):
                raw = buffered.readline(MAX_LINE)
                offset += len(raw)
            raw = b""
        try:
            text = raw.decode("utf-8")
        except UnicodeDecodeError as fault:
            problem = f"byte {start + fault.start} (0x{raw[fault.start]:02x}) is not UTF-8; {_CONVERT}"
            text = raw.decode("utf-8", errors="replace")
        yield _line(number, text, problem)


def _line(number: int, text: str, problem: str | None = None) -> Line:
    bare = text.rstrip("\r\n")
    return Line(number, bare, problem, text[len(bare) :])


def _wide_lines(path: Path, stream: io.RawIOBase, encoding: str) -> Iterator[Line]:
    # Lone surrogates pass here: as in JSON escapes, they spoil one record and not the file.
    text = io.TextIOWrapper(io.BufferedReader(stream), encoding=encoding, errors="surrogatepass", newline="\n")
    number = 0
    try:
        while line := text.readline(MAX_LINE):
            number += 1
            yield _line(number, line)
    except UnicodeError as fault:
        problem = f"is marked as {encoding.upper()} but does not decode ({shown(fault)})"
        raise FormatError(shown(path), f"after line {number}", problem, _CONVERT) from fault


def whole_text(path: Path, what: str = "a JSON document") -> str:
    """Return the whole text of a file of at most ``MAX_WHOLE`` bytes (after decompression).

    Raises
    ------
    FormatError : too large, damaged, or not valid text; names the byte.
    UsageError : there is no such file, it is a folder, or it may not be read.
    """
    with _opened(path) as stream:
        raw = io.BytesIO()
        while more := stream.read(2**20):
            raw.write(more)
            if raw.tell() > MAX_WHOLE:
                problem = f"{what} of more than {MAX_WHOLE // 2**20} MiB would have to be held in memory at once"
                raise FormatError(shown(path), "", problem, "write one session a line (JSON Lines) instead")
    data = raw.getvalue()
    try:
        return data.decode(_wide_encoding(data) or "utf-8-sig")
    except UnicodeError as fault:
        at = getattr(fault, "start", None)
        where = "" if at is None else f"byte {at + (len(_UTF8_MARK) if data.startswith(_UTF8_MARK) else 0)}"
        raise FormatError(shown(path), where, "is not valid text", _CONVERT) from fault
