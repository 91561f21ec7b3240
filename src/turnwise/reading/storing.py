"""How weights are kept: text as bytes, numbers on a grid, so that the same fit is the same file."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from turnwise.core.nouns import FloatArray

__all__ = ["lines_of", "text_of", "to_grid"]


def text_of(lines: Sequence[str]) -> npt.NDArray[np.uint8]:
    """Return lines as bytes for a safetensors file (whose own metadata has no fixed order)."""
    return np.frombuffer("\n".join(lines).encode("utf-8"), dtype=np.uint8)


def lines_of(stored: npt.NDArray[np.generic]) -> tuple[str, ...]:
    """Return the lines stored by ``text_of``.

    Examples
    --------
    >>> lines_of(text_of(["a b", "c"]))
    ('a b', 'c')
    """
    text = stored.tobytes().decode("utf-8")
    return tuple(text.split("\n")) if text else ()


def to_grid(x: FloatArray, grid: float) -> npt.NDArray[np.int16]:
    """Return weights as int16 multiples of ``1 / grid``: a refit that differs in the last bits is the same file.

    Raises
    ------
    ValueError : a weight is too large for the grid; the penalty was too weak.

    Examples
    --------
    >>> to_grid(np.array([0.5, -0.25]), 4096.0).tolist()
    [2048, -1024]
    """
    scaled = np.round(np.asarray(x, dtype=np.float64) * grid)
    if scaled.size and np.abs(scaled).max() > np.iinfo(np.int16).max:
        raise ValueError(f"a weight of {np.abs(x).max():.2f} does not fit the grid; raise the penalty")
    return scaled.astype(np.int16)
