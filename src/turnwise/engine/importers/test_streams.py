"""Files as they come: packed, marked, torn, missing."""

import codecs
import gzip
import os
import tracemalloc
from pathlib import Path

import pytest

from turnwise.core.errors import FormatError, TurnwiseError, UsageError
from turnwise.engine.importers import streams
from turnwise.engine.importers.detect import open_transcripts
from turnwise.engine.importers.streams import lines, read_head, shown, whole_text

TEXT = "first: café\r\n\nthird: 你好\u2028still third\n"
SESSIONS = 5_000
EXPECTED = ["first: café", "", "third: 你好\u2028still third"]
PLAIN_SESSION = '{"id": "a", "turns": [{"speaker": "client", "text": "It is hard."}]}\n'


def _file(tmp_path: Path, data: bytes) -> Path:
    path = tmp_path / "named.wrongly.csv"
    path.write_bytes(data)
    return path


@pytest.mark.parametrize(
    "data",
    [
        TEXT.encode(),
        TEXT.encode("utf-8-sig"),
        TEXT.encode("utf-16"),
        codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"),
        TEXT.encode("utf-32"),
    ],
    ids=["utf-8", "utf-8-sig", "utf-16-le", "utf-16-be", "utf-32"],
)
@pytest.mark.parametrize("packed", [False, True])
def test_encoding_and_compression_are_read_from_the_content(tmp_path: Path, data: bytes, packed: bool) -> None:
    path = _file(tmp_path, gzip.compress(data) if packed else data)
    found = list(lines(path))
    assert [x.text for x in found] == EXPECTED
    assert [x.number for x in found] == [1, 2, 3]
    assert all(x.problem is None for x in found)
    assert whole_text(path) == TEXT
    assert read_head(path, 7) == "first: "


@pytest.mark.parametrize("mark", [b"", codecs.BOM_UTF8])
def test_wrong_byte_is_named_by_its_place_in_the_file(tmp_path: Path, mark: bytes) -> None:
    data = mark + b"good\n" + "caf\u00e9\n".encode("latin-1") + b"good again\n"
    at = data.index(b"\xe9")
    found = list(lines(_file(tmp_path, data)))
    assert [x.problem is None for x in found] == [True, False, True]
    assert f"byte {at} (0xe9)" in str(found[1].problem)
    with pytest.raises(FormatError, match=f"byte {at}.*UTF-8"):
        whole_text(_file(tmp_path, data))


def test_wholly_latin1_file_is_refused_with_byte_and_remedy(tmp_path: Path) -> None:
    line = '{"id": "a", "turns": [{"speaker": "client", "text": "caf\u00e9"}]}\n'.encode("latin-1")
    with pytest.raises(FormatError, match=rf"byte {line.index(0xE9)} .*save the file as UTF-8"):
        list(open_transcripts(_file(tmp_path, line * 3)))


def test_utf16_that_stops_inside_a_character_is_refused(tmp_path: Path) -> None:
    path = _file(tmp_path, "ab\ncd".encode("utf-16") + b"\x00")
    with pytest.raises(FormatError, match="UTF-16"):
        list(lines(path))


@pytest.mark.parametrize("cut", [3, 12, 40, -9, -1])
def test_truncated_gzip_is_refused(tmp_path: Path, cut: int) -> None:
    packed = gzip.compress("".join(f"{i} {i * i % 977}\n" for i in range(3000)).encode())
    with pytest.raises(FormatError, match="gzip archive is cut off"):
        list(lines(_file(tmp_path, packed[:cut])))


def test_damaged_gzip_is_refused(tmp_path: Path) -> None:
    packed = bytearray(gzip.compress(PLAIN_SESSION.encode() * 50))
    packed[len(packed) // 2] ^= 0xFF
    with pytest.raises(FormatError, match="gzip archive"):
        list(lines(_file(tmp_path, bytes(packed))))


def test_what_cannot_be_opened_is_one_sentence_with_a_remedy(tmp_path: Path) -> None:
    for path, what in (
        (tmp_path / "absent.jsonl", "no such file"),
        (tmp_path, "folder"),
        (_file(tmp_path, b"") / "below", "a part of the path is a file"),
        (Path("/dev/null"), "not a regular file"),
        (Path("a\0b"), "cannot be opened|no such file"),
    ):
        with pytest.raises(UsageError, match=what) as caught:
            read_head(path)
        assert str(caught.value).count("\n") == 0
        with pytest.raises(TurnwiseError):
            list(open_transcripts(path))
    with pytest.raises(FormatError, match="empty"):
        read_head(_file(tmp_path, b""))
    with pytest.raises(FormatError, match="empty"):
        read_head(_file(tmp_path, gzip.compress(b"")))


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may read everything")
def test_file_without_permission(tmp_path: Path) -> None:
    path = _file(tmp_path, b"x")
    path.chmod(0)
    with pytest.raises(UsageError, match="no permission"):
        read_head(path)


def test_permission_refused_by_the_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = _file(tmp_path, b"x")

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(UsageError, match="no permission to read it"):
        read_head(path)


def test_line_without_end_does_not_fill_the_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "MAX_LINE", 1000)
    path = _file(tmp_path, b"a" * 5500 + b"\nshort\n" + b"b" * 1001)
    found = list(lines(path))
    assert [(x.number, x.text, x.problem is None) for x in found] == [
        (1, "", False),
        (2, "short", True),
        (3, "", False),
    ]


def test_large_document_is_refused_with_the_way_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "MAX_WHOLE", 1000)
    with pytest.raises(FormatError, match="JSON Lines"):
        list(open_transcripts(_file(tmp_path, b'[{"messages": []},\n' * 100)))


def test_memory_does_not_grow_with_the_corpus(tmp_path: Path) -> None:
    path = tmp_path / "many.jsonl.gz"
    said = "I have been thinking about it for weeks now. " * 25
    with gzip.open(path, "wt", encoding="utf-8", compresslevel=1) as file:
        for i in range(SESSIONS):
            file.write(f'{{"id": "s{i}", "turns": [{{"speaker": "client", "text": "{said}{i}"}}]}}\n')
    tracemalloc.start()
    try:
        count = sum(len(t.turns) for t in open_transcripts(path))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert count == SESSIONS
    # The corpus holds 5.6 MB of text; ids and one session at a time need well below that.
    assert peak < 3 * 2**20


def test_shown_is_printable_and_bounded() -> None:
    assert shown("a\nb\x1b[0m") == "a\\nb\\x1b[0m"
    assert shown("\udc80x") == "\\udc80x"
    assert len(shown("x" * 9999, 10)) == 11
