"""Write the list of ordinary English words that the redaction knows, from this project's own written speech.

Usage: python tools/common_words.py

A word counts when it stands in small letters in the written examples or the cases; given names are taken out, unless
they are words too. Nothing of any data set is read.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

from turnwise.engine.redacting.lexicon import phrases_of, plain, words_of

ROOT = Path(__file__).resolve().parents[1]
WORDS = ROOT / "src" / "turnwise" / "engine" / "redacting" / "words"
_WORD = re.compile(r"(?<![\w’'-])[a-z]+(?:['’][a-z]+)?(?![\w’'-])")
_SOURCES = (("tools/written", "*.jsonl"), ("src/turnwise/patients/cases", "*.yaml"))
_PER_LINE = 16
_PLACES_AND_WORDS = set(
    "bath china cork derby hull mobile nice reading split turkey chad essen rich lodz kiel hue".split()
)
_TYPED_SMALL = set("ali barlow becker kerr pham ruiz tran walsh dunn clark pena".split())
"""Family names that stand in small letters in examples of typed speech."""


def main() -> None:
    """Count, filter, write."""
    counts: Counter[str] = Counter()
    for folder, pattern in _SOURCES:
        for path in sorted((ROOT / folder).rglob(pattern)):
            if "identifiers" not in path.parts:
                counts.update(plain(w) for w in _WORD.findall(path.read_text(encoding="utf-8")))
    names = words_of("given.txt") - words_of("given_also_words.txt") | _TYPED_SMALL
    names |= {place[0] for place in phrases_of("places.txt") if len(place) == 1} - _PLACES_AND_WORDS
    kept = sorted(w for w in counts if w not in names and len(w) > 1)
    lines = [" ".join(kept[i : i + _PER_LINE]) for i in range(0, len(kept), _PER_LINE)]
    head = "# Ordinary words, from this project's own written speech (tools/common_words.py)."
    (WORDS / "common.txt").write_text("\n".join([head, *lines]) + "\n", encoding="utf-8")
    print(f"{len(kept):,} words")


if __name__ == "__main__":
    main()
