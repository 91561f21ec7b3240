"""What is said of danger, by step and by answer, and the help that is named with it once: ``safety_lines.yaml``."""

from __future__ import annotations

from collections.abc import Mapping

import yaml

from turnwise.reading.package_data import text_of

__all__ = ["HELP", "PARTING", "SAFETY_LINES", "with_help"]

_LINES: Mapping[str, list[str]] = yaml.safe_load(text_of("turnwise.therapists", "safety_lines.yaml"))
HELP: Mapping[str, tuple[str, ...]] = {k: tuple(v) for k, v in _LINES.items() if k.startswith("help")}
"""Sentences that say where help is; named once, after the first answer, or at once where danger is near."""
PARTING: tuple[str, ...] = tuple(_LINES["parting"])
"""A goodbye, where danger was spoken of."""
SAFETY_LINES: Mapping[str, tuple[str, ...]] = {k: tuple(v) for k, v in _LINES.items() if k not in (*HELP, "parting")}
"""Bank → lines; which bank a step takes is chosen in ``staying_safe``."""


def with_help(line: str, sentence: str) -> str:
    """Return a line with a sentence of help before its last sentence, so that it still ends with its question.

    Examples
    --------
    >>> with_help("I hear that. Is it close?", "A crisis line is there.")
    'I hear that. A crisis line is there. Is it close?'
    """
    head, mark, last = line.rpartition(". ")
    return f"{head}{mark}{sentence} {last}" if mark else f"{sentence} {line}"
