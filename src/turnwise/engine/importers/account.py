"""An account of one reading: who was taken for whom, and what did not come through as it stood.

An importer that keeps one takes it as the keyword ``account`` of its factory; ``open_transcripts``
fills it. What a record contributed counts only once the record was read: a session that ends
``error`` is told of by its own sentence.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeAlias

from turnwise.core.nouns import Speaker
from turnwise.engine.importers.records import BadRecord
from turnwise.engine.importers.roles import role_of, speaker_of
from turnwise.engine.importers.streams import shown

__all__ = ["Account", "Loss", "Side", "no_words"]

Side: TypeAlias = Literal["therapist", "patient", "skip"]
_MOST_KINDS = 200


def no_words(account: Account, where: str) -> str:
    """Return the words of a turn whose text is null: none. One bad turn does not cost a session, but it is counted."""
    account.lost("texts that are null (an empty turn now)", where=where)
    return ""


class Loss(NamedTuple):
    """How often something did not come through as it stood, and where first."""

    n: int
    where: str


@dataclass(slots=True)
class Account:
    """Who was taken for whom, and what was lost.

    Parameters
    ----------
    given : sides of speakers that the user named, by name in lower case; ``"skip"`` leaves their turns out.
    file : name of the file that is read now, if there are several; begins the place of a loss.

    Examples
    --------
    >>> account = Account({"anna": "therapist"})
    >>> account.speaker("Anna", "turn 0"), account.speaker("client", "turn 1")
    ('therapist', 'patient')
    >>> account.lost("system messages", where="turn 2")
    >>> account.commit()
    >>> dict(account.heard), account.losses
    ({('Anna', 'therapist'): 1, ('client', 'patient'): 1}, {'system messages': Loss(n=1, where='turn 2')})
    """

    given: Mapping[str, Side] = field(default_factory=dict)
    heard: Counter[tuple[str, Side]] = field(default_factory=Counter)
    losses: dict[str, Loss] = field(default_factory=dict)
    file: str = ""
    _heard: Counter[tuple[str, Side]] = field(default_factory=Counter)
    _losses: list[tuple[str, int, str]] = field(default_factory=list)

    def speaker(self, word: object, where: str, words: Mapping[str, Speaker] | None = None) -> Speaker | None:
        """Return which side ``word`` names, ``None`` if the user wants its turns left out.

        ``words`` are names that the format gives a meaning of its own; what the user said goes first.

        Raises
        ------
        BadRecord : the name is unknown.
        """
        plain = word.strip().lower() if isinstance(word, str) else ""
        side = self.side_of(plain, words)
        if side is None:
            try:
                side = speaker_of(word, where)
            except BadRecord as fault:
                hint = f", or say who it is with --speaker {shown(word, 40)!r}=patient" if plain else ""
                raise BadRecord(f"{fault}{hint}") from fault
        self.hear(str(word), side)
        if side == "skip":
            self.lost(f"turns of {shown(word, 40)!r}, left out as asked", where=where)
            return None
        return side

    def side_of(self, name: str, words: Mapping[str, Speaker] | None = None) -> Side | None:
        """Return the side of a name in lower case, ``None`` if nobody knows it; counts nothing."""
        return self.given.get(name) or (words or {}).get(name) or role_of(name)

    def hear(self, word: str, side: Side) -> None:
        """Count one turn of a speaker called ``word`` that was taken for ``side``."""
        self._heard[word, side] += 1

    def lost(self, what: str, n: int = 1, where: str = "") -> None:
        """Count something that did not come through as it stood in the file; ``where`` is its place."""
        if n:
            self._losses.append((what, n, where))

    def lost_record(self) -> list[dict[str, object]]:
        """Return the losses as JSON values."""
        return [{"what": what, "n": loss.n, "first": loss.where} for what, loss in self.losses.items()]

    def commit(self, where: str = "") -> None:
        """Let what was noted since the last call count: its record was read. ``where`` is the record's place."""
        for (word, side), n in self._heard.items():
            key = shown(word.strip(), 40), side
            if key in self.heard or len(self.heard) < _MOST_KINDS:
                self.heard[key] += n
        for what, n, place in self._losses:
            if what not in self.losses and len(self.losses) >= _MOST_KINDS:
                what = "of other kinds"
            before = self.losses.get(what)
            at = ", ".join(x for x in (self.file, where, place) if x)
            self.losses[what] = Loss((before.n if before else 0) + n, before.where if before else at)
        self.rollback()

    def rollback(self) -> None:
        """Forget what was noted since the last call: its record could not be read."""
        self._heard.clear()
        self._losses.clear()
