"""The command line that every fitting script has: fit on one thread, then write, or check against what ships."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

READING = Path(__file__).resolve().parents[1] / "src" / "turnwise" / "reading"


def as_json(content: Any) -> bytes:
    """Return a document as it is stored: sorted, so that the same content is the same bytes."""
    return (json.dumps(content, indent=2, sort_keys=True, ensure_ascii=False) + "\n").encode("utf-8")


def differing(made: Mapping[str, bytes], folder: Path) -> list[str]:
    """Return the paths whose bytes under ``folder`` are not those made now."""
    return [p for p, b in sorted(made.items()) if not (folder / p).is_file() or (folder / p).read_bytes() != b]


def parser_of(doc: str, *, corpora: bool = True, out: Path = READING) -> argparse.ArgumentParser:
    """Return the arguments that every fitting script takes; ``corpora`` where it fits on what lies outside."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    if corpora:
        parser.add_argument("data", type=Path, help="folder that holds the corpora")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a refit differs from what ships")
    parser.add_argument("--out", type=Path, default=out, help="the room to write into")
    return parser


def write_or_check(fit: Callable[[], Mapping[str, bytes]], asked: argparse.Namespace) -> int:
    """Fit, then write what was made, or say what differs (1) or that nothing does (0)."""
    from threadpoolctl import threadpool_limits

    with threadpool_limits(limits=1):  # sums over threads differ in their last bits
        made = fit()
    different = differing(made, asked.out)
    if asked.check:
        print("\n".join(f"differs: {p}" for p in different) or f"all {len(made)} files are the same")
        return 1 if different else 0
    for path, content in made.items():
        (asked.out / path).parent.mkdir(parents=True, exist_ok=True)
        (asked.out / path).write_bytes(content)
        print(f"{'wrote' if path in different else 'same'}: {path} ({len(content):,} bytes)")
    return 0


def command_line(
    doc: str, fit_all: Callable[[Path], Mapping[str, bytes]], argv: Sequence[str] | None, out: Path = READING
) -> int:
    """Run a script that needs no other argument; ``out`` is the room it writes into unless told otherwise."""
    asked = parser_of(doc, out=out).parse_args(argv)
    return write_or_check(lambda: fit_all(asked.data), asked)


def patients_line(doc: str, fit: Callable[[], Mapping[str, bytes]], argv: Sequence[str] | None) -> int:
    """Run a script that fits on what lies in this repository, and writes into the room of the patients."""
    parser = parser_of(doc, corpora=False, out=READING.parent / "patients")
    return write_or_check(fit, parser.parse_args(argv))
