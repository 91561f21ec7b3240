"""Names of people: by lists, by title, by what is said before them, by a capital that nothing else explains."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from turnwise.engine.redacting.cues import (
    ADJECTIVES,
    CALLED,
    DOES,
    KIN,
    NOT_NAMES,
    PARTICLES,
    RELATIONS,
    SMALL_TITLES,
    TITLES,
)
from turnwise.engine.redacting.lexicon import Lexicon
from turnwise.engine.redacting.spans import Span
from turnwise.engine.redacting.tokens import Token

__all__ = ["people"]

_ACTS = DOES - frozenset("will would just and is was always never still needs needs won't can't".split())
_TIGHT = re.compile(r"[ \u00a0]{1,2}|\.? ?(?=$)|\. ", re.ASCII)


def _close(token: Token) -> bool:
    """Whether only a space (or the full stop of a title or initial) stands before the word."""
    return bool(_TIGHT.fullmatch(token.gap))


class _Reader:
    """Looks at the words of one text with the lists in hand."""

    def __init__(self, tokens: Sequence[Token], lists: Lexicon) -> None:
        self._t = tokens
        self._l = lists

    def spans(self) -> Iterator[Span]:
        i = 0
        while i < len(self._t):
            begin = self._begins(i)
            if begin is None:
                i += 1
                continue
            start, core = begin
            last = self._to(core)
            yield Span(self._t[start].start, self._t[last].end, "NAME")
            i = last + 1

    def _begins(self, i: int) -> tuple[int, int] | None:
        """Return where a name begins that begins at ``i`` (title included) and where its first own word stands."""
        t = self._t[i]
        if (
            t.plain in ADJECTIVES
            and t.capital
            and i + 1 < len(self._t)
            and self._t[i + 1].capital
            and _close(self._t[i + 1])
        ):
            after = self._begins(i + 1)
            if after is not None and _close(self._t[i + 1]):
                return i, after[1]
        if t.plain in KIN or t.plain in SMALL_TITLES or (t.plain in TITLES and t.capital):
            j = i + 1
            if j < len(self._t) and _close(self._t[j]) and self._after_title(t, self._t[j]):
                return i, j
        return (i, i) if self._is_name(i) else None

    def _after_title(self, title: Token, t: Token) -> bool:
        if t.plain in NOT_NAMES or (t.opens and not title.capital and title.plain not in ("mr", "mrs", "ms", "dr")):
            return False
        if t.capital:
            return t.plain not in self._l.known
        sure = title.plain in ("mr", "mrs", "ms", "mx", "dr", "prof")
        return (
            t.plain in self._l.given
            or (not self._l.ordinary(t.plain) and len(t.plain) > 2)
            or (sure and len(t.plain) > 3)
        )

    def _is_name(self, i: int) -> bool:
        t = self._t[i]
        if t.plain in NOT_NAMES:
            return False
        if t.plain in self._l.known and not t.owns:
            return t.plain in self._l.unsure and (self._unsure_after_cue(i) or self._unsure_opens(i))
        if t.plain in self._l.given and (t.capital or len(t.plain) > 2):
            return True
        if "-" in t.plain and t.capital:
            return any(p in self._l.given or p in self._l.family for p in t.plain.split("-")) or t.marked
        if t.plain in self._l.unsure:
            return t.marked or self._unsure_opens(i) or self._unsure_after_cue(i)
        if self._l.ordinary(t.plain):
            return t.marked and self._cued(i) and not t.shouted
        if t.marked and len(t.plain) > 1:
            return not (t.shouted and len(t.plain) <= 5)
        return self._unknown(i)

    def _unsure_opens(self, i: int) -> bool:
        t = self._t[i]
        if not t.capital or not t.opens:
            return False
        following = self._t[i + 1] if i + 1 < len(self._t) else None
        if t.owns:
            return True
        if following is None or not _close(following):
            return False
        if following.plain in ("is", "was", "and") and i + 2 < len(self._t):
            return self._t[i + 2].plain in ("my", "i", "me") or self._t[i + 2].marked
        return following.plain in _ACTS or following.marked

    def _unsure_after_cue(self, i: int) -> bool:
        return self._t[i].marked or (
            self._related(i) and self._t[i].plain not in self._l.known and not self._common_next(i)
        )

    def _common_next(self, i: int) -> bool:
        """Whether a small word that may be a name stands where a verb or noun would ("my dad will come")."""
        return not self._t[i].capital and self._t[i].plain in self._l.common

    def _unknown(self, i: int) -> bool:
        """Whether a word that is in no list is a name: it has a capital, or a cue stands before it."""
        t = self._t[i]
        if len(t.plain) < 3:
            return False
        if t.capital:
            return not t.shouted or len(t.plain) > 5
        return self._cued(i)

    def _cued(self, i: int) -> bool:
        return self._related(i) or (
            i > 0 and self._t[i - 1].plain in CALLED and self._t[i].gap in (" ", ", ", " '", ' "')
        )

    def _related(self, i: int) -> bool:
        """Whether "my sister", "his ex", "her name is" stands before word ``i``."""
        if i == 0:
            return False
        before, gap = self._t[i - 1].plain, self._t[i].gap
        if before in ("is", "was") and i > 1:
            return self._t[i - 2].plain == "name" and gap == " "
        if before not in RELATIONS or gap not in (" ", ", ", ": ", " (", " - "):
            return False
        if gap != " " and not self._t[i].capital:
            return self._t[i].plain in self._l.given
        return (i > 1 and self._t[i - 2].plain not in ("a", "no", "any")) or before in ("called", "named")

    def _to(self, i: int) -> int:
        """Return the last word of a name that has begun: further names, initials, particles."""
        j = i
        while j + 1 < len(self._t) and _close(self._t[j + 1]) and not self._t[j].owns:
            following = self._t[j + 1]
            if self._continues(self._t[j], following):
                j += 1
            elif (after := self._past_particles(j + 1)) is not None and self._t[j].capital:
                j = after
            else:
                break
        return j

    def _past_particles(self, i: int) -> int | None:
        """Return where the capital stands after one or two particles ("van der Berg") that begin at ``i``."""
        for j in (i, i + 1):
            if j + 1 >= len(self._t) or self._t[j].plain not in PARTICLES or not _close(self._t[j + 1]):
                return None
            if self._t[j + 1].capital:
                return j + 1
        return None

    def _continues(self, t: Token, following: Token) -> bool:
        word = following.plain
        if word in NOT_NAMES or following.gap.startswith("."):
            return following.capital and len(t.plain) == 1 and word not in NOT_NAMES
        if following.capital and t.capital:
            return word not in self._l.known and (
                len(word) == 1 or word in self._l.family or not self._l.ordinary(word) or following.marked
            )
        if following.capital or self._l.ordinary(word):
            return False
        # A word that no list has, in small letters after a first name, is its surname more often than not.
        unknown = t.plain in self._l.given and len(word) > 3 and word not in self._l.unsure
        return word in self._l.family or word in self._l.given or unknown


def people(tokens: Sequence[Token], lists: Lexicon) -> list[Span]:
    """Return where people (and pets) are named, titles included, possessive endings not.

    Examples
    --------
    >>> from turnwise.engine.redacting.lexicon import lexicon
    >>> from turnwise.engine.redacting.tokens import tokens_of
    >>> text = "my sister anna saw Dr. Levin-Ott"
    >>> [text[s.start : s.end] for s in people(tokens_of(text), lexicon())]
    ['anna', 'Dr. Levin-Ott']
    """
    return list(_Reader(tokens, lists).spans())
