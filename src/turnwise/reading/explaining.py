"""Which words moved a label: leave each one out and read again.

The same for every coder, whatever it is made of, because it asks the coder itself. It says what
the coder used, not why a person would give that label, and not what the words mean.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from turnwise.core.errors import UndefinedError
from turnwise.core.nouns import FloatArray, Turn
from turnwise.reading.scope import scope_code
from turnwise.reading.window import Window

__all__ = ["MOST_PIECES", "Explanation", "explain"]

MOST_PIECES = 120
"""A turn of more words is left out in runs of words, so that one explanation stays quick."""

ReadWindows = Callable[[Sequence[Window]], FloatArray]


@dataclass(frozen=True, slots=True)
class Explanation:
    """What moved one label of one turn.

    Attributes
    ----------
    label, p : the label explained, and its probability.
    words : pieces of the turn in order, each with what it added to the log-odds of the label, in
        nats: positive spoke for it. Effects do not add up to the whole, because words work together.
    context : what the preceding turns added, in nats; ``None`` where there are none.
    """

    label: str
    p: float
    words: tuple[tuple[str, float], ...]
    context: float | None

    def strongest(self, n: int = 8) -> tuple[tuple[str, float], ...]:
        """Return the ``n`` pieces that moved the label most, strongest first (ties in order of speech)."""
        return tuple(sorted(self.words, key=lambda w: -abs(w[1]))[:n])


def _log_odds(p: FloatArray) -> FloatArray:
    inside = np.clip(p, 1e-9, 1.0 - 1e-9)
    return np.asarray(np.log(inside) - np.log1p(-inside))


def _pieces(text: str) -> list[list[str]]:
    words = text.split()
    size = -(-len(words) // MOST_PIECES)
    return [words[i : i + size] for i in range(0, len(words), size)] if words else []


def explain(window: Window, read: ReadWindows, labels: Sequence[str], label: str | None = None) -> Explanation:
    """Return which words of a turn moved its label.

    Parameters
    ----------
    window : the turn with what came before.
    read : windows in, probabilities (n, L) out; a coder's own reading.
    labels : the coder's label order.
    label : the label to explain; by default the most probable one.

    Raises
    ------
    UndefinedError : the turn is blank or out of scope, so no label was given.
    ValueError : ``label`` is not one of ``labels``.

    Examples
    --------
    >>> window = Window(Turn(speaker="therapist", text="How so ?"))
    >>> def marks(windows):
    ...     asks = np.array([0.9 if "?" in w.turn.text else 0.2 for w in windows])
    ...     return np.stack([asks, 1 - asks], axis=1)
    >>> found = explain(window, marks, ("question", "other"))
    >>> found.label, found.strongest(1)[0][0], found.context
    ('question', '?', None)
    """
    code = scope_code(window.turn.text)
    if code is not None:
        raise UndefinedError(code, "this turn was not coded, so there is no label to explain")
    pieces = _pieces(window.turn.text)
    rest = ([w for j, piece in enumerate(pieces) if j != i for w in piece] for i in range(len(pieces)))
    without = [_said(window, words) for words in rest]
    alone = [Window(window.turn, ())] if window.before else []
    p = np.asarray(read([window, *without, *alone]))
    at = int(p[0].argmax()) if label is None else list(labels).index(label)
    odds = _log_odds(p[:, at])
    moved = odds[0] - odds[1 : 1 + len(pieces)]
    words = tuple((" ".join(piece), float(m)) for piece, m in zip(pieces, moved, strict=True))
    return Explanation(labels[at], float(p[0, at]), words, float(odds[0] - odds[-1]) if alone else None)


def _said(window: Window, words: Sequence[str]) -> Window:
    return Window(Turn(speaker=window.turn.speaker, text=" ".join(words), cues=window.turn.cues), window.before)
