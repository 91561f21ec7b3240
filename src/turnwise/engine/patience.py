"""When to stop asking somebody outside who is not there: the rest of what it was to say ends as an error at once."""

from __future__ import annotations

from turnwise.core.errors import BoundaryError

__all__ = ["AWAY", "IN_A_ROW", "Patience"]

IN_A_ROW = 5
"""So often may somebody not be there, one time after another, each after all attempts."""
AWAY = frozenset((401, 403, 404, 410, 502, 503, 504))
"""Statuses that say that nobody is behind an address, or nobody who answers us. An overload (429) is not among them."""


class Patience:
    """Counts how often in a row a bot or model was not there. One for each, as long as the run: it is not asked again.

    A fault of an answer is no absence: who answers, however badly, is there.

    Examples
    --------
    >>> patience = Patience(most=2)
    >>> for _ in range(2):
    ...     patience.check()
    ...     patience.missed("it cannot be reached")
    >>> patience.check()
    Traceback (most recent call last):
    turnwise.core.errors.BoundaryError: not asked again, after 2 times in a row: it cannot be reached
    """

    def __init__(self, most: int = IN_A_ROW) -> None:
        self._most, self._missed, self._why = most, 0, ""

    def check(self) -> None:
        """Raise where it was not there too often.

        Raises
        ------
        BoundaryError : it is not asked again in this run; the last reason is named.
        """
        if self._missed >= self._most:
            raise BoundaryError(f"not asked again, after {self._most} times in a row: {self._why}")

    def missed(self, why: str) -> None:
        """Take note that it was not there."""
        self._missed, self._why = self._missed + 1, why

    def heard(self) -> None:
        """Take note that it answered."""
        self._missed = 0
