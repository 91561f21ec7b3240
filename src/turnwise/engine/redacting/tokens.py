"""A text as words with what can be seen of each: its place, its capital, whether it opens a sentence."""

from __future__ import annotations

import re
from dataclasses import dataclass

from turnwise.engine.redacting.lexicon import lexicon, plain

__all__ = ["Token", "is_shouted", "tokens_of"]

_LETTERS = r"(?:[^\W\d_][\u0300-\u036f]*)+"  # a mark may stand after its letter, as a character of its own
_WORD = re.compile(rf"{_LETTERS}(?:['’‘ʼ.-]?{_LETTERS})*")
_POSSESSIVE = re.compile(r"(?:['’‘ʼ][sS]|(?<=[sS])['’‘ʼ])$")
_OPENS = re.compile(r"(?:^|[.!?…:;\n*>\])\"“”—–]|\.\.|- )\s*[\"“”'‘’(\[*]*\s*$")
_MOSTLY = 0.6


@dataclass(frozen=True, slots=True)
class Token:
    """A word without its possessive ending. ``capital`` tells something only where it is not expected anyway."""

    start: int
    end: int
    plain: str
    capital: bool
    shouted: bool
    opens: bool
    owns: bool
    gap: str
    """What stands between the word before and this one."""

    @property
    def marked(self) -> bool:
        """Whether its capital says that it is a name: it stands inside a sentence and not in a shout."""
        return self.capital and not self.opens and not (self.shouted and len(self.plain) <= 5)


def is_shouted(text: str) -> bool:
    """Whether a text is written in capitals throughout, so that a capital says nothing."""
    letters = [c for c in text if c.isalpha()]
    return len(letters) > 3 and sum(c.isupper() for c in letters) > _MOSTLY * len(letters)


def tokens_of(text: str) -> list[Token]:
    """Return the words of ``text``; hyphens and apostrophes inside a word belong to it, full stops do not.

    Examples
    --------
    >>> [(t.plain, t.marked, t.owns) for t in tokens_of("I saw Ana’s mum.")]
    [('i', False, False), ('saw', False, False), ('ana', True, True), ('mum', False, False)]
    """
    shouting = is_shouted(text)
    out: list[Token] = []
    last = 0
    for m in _WORD.finditer(text):
        for start, end in _parts(m.group(), m.start()):
            word = text[start:end]
            own = _POSSESSIVE.search(word)
            bare = word[: own.start()] if own and len(word) > len(own.group()) + 1 else word
            gap = text[last:start]
            out.append(
                Token(
                    start=start,
                    end=start + len(bare),
                    plain=plain(bare),
                    capital=bare[:1].isupper() and not shouting,
                    shouted=(len(bare) > 1 and bare.removesuffix("s").isupper()) or (bool(own) and len(bare) == 1),
                    opens=bool(_OPENS.search(text[max(0, start - 12) : start])) or start == 0,
                    owns=bool(own),
                    gap=gap,
                )
            )
            last = end
    return out


def _parts(word: str, at: int) -> list[tuple[int, int]]:
    """Split at full stops ("out.Anna"), and at hyphens unless the parts belong to a name ("Jean-Paul")."""
    found = []
    for m in re.finditer(r"[^.]+", word):
        piece, start = m.group(), at + m.start()
        names = piece.split("-")
        stutter = any(
            names[0].lower().startswith(n.lower()) or n.lower().startswith(names[0].lower()) for n in names[1:]
        )
        if len(names) > 1 and (stutter or (not all(n[:1].isupper() for n in names) and not _of_names(names))):
            offset = 0
            for n in names:
                found.append((start + offset, start + offset + len(n)))
                offset += len(n) + 1
        else:
            found.append((start, start + len(piece)))
    return [(a, b) for a, b in found if b > a]


def _of_names(parts: list[str]) -> bool:
    return parts[0][:1].isupper() and len(parts) == 2 and not lexicon().ordinary(plain(parts[1]))
