"""Which luck a step is played with, as something that can be sent: so that a session over HTTP is the same session."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator

from turnwise.core.seeds import Role, generator, stable_hash

__all__ = ["LUCK_HEADER", "Luck", "luck_of"]

LUCK_HEADER = "X-Turnwise-Luck"
_FORM = re.compile(r"(\d{1,19})/(\d{1,20})/(\d{1,9})")


@dataclass(frozen=True, slots=True)
class Luck:
    """The seed, the hashed key (whom the luck belongs to) and the epoch of ``core.seeds.generator``.

    Examples
    --------
    >>> luck = Luck.of(7, "stateful.v1/alun", 2)
    >>> here = generator(7, "stateful.v1/alun", 2, "patient", 3).random()
    >>> bool(luck.rng("patient", 3).random() == here), Luck.read(str(luck)) == luck
    (True, True)
    """

    seed: int
    key: int
    epoch: int

    @classmethod
    def of(cls, seed: int, key: str, epoch: int = 0) -> Luck:
        """Return the luck of ``key`` in an epoch."""
        return cls(seed, stable_hash(key), epoch)

    @classmethod
    def read(cls, text: str) -> Luck | None:
        """Return what ``str`` wrote, or ``None`` where the text is something else."""
        found = _FORM.fullmatch(text.strip())
        luck = cls(*(int(x) for x in found.groups())) if found else None
        return luck if luck is not None and luck.seed < 2**63 and luck.key < 2**64 else None

    def __str__(self) -> str:
        return f"{self.seed}/{self.key}/{self.epoch}"

    def rng(self, role: Role, turn: int) -> Generator:
        """Return the generator of one step, as ``core.seeds.generator`` does."""
        recipe = list(_entropy(generator(self.seed, "", self.epoch, role, turn)))
        recipe[1] = self.key
        return np.random.Generator(np.random.PCG64(np.random.SeedSequence(recipe)))


def _entropy(rng: Generator) -> list[Any]:
    given = getattr(getattr(rng.bit_generator, "seed_seq", None), "entropy", None)
    return list(given) if isinstance(given, list | tuple) else []


def luck_of(rng: Generator) -> Luck | None:
    """Return the luck of a generator that ``core.seeds.generator`` made, or ``None`` for any other.

    Examples
    --------
    >>> luck_of(generator(7, "stateful.v1/alun", 2, "therapist", 4)) == Luck.of(7, "stateful.v1/alun", 2)
    True
    >>> luck_of(np.random.default_rng(3)) is None
    True
    """
    recipe = _entropy(rng)
    if len(recipe) != 5 or not all(isinstance(x, int) for x in recipe):
        return None
    return Luck(recipe[0], recipe[1], recipe[2])
