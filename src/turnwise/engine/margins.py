"""The largest differences that do not matter, as stated by the user before looking."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from turnwise.core.errors import UsageError
from turnwise.core.registry import METRICS, SKILLS, closest

__all__ = ["Margins"]


@dataclass(frozen=True, slots=True)
class Margins:
    """``shares`` holds for skills and for measures between 0 and 1, ``own`` for one measure or skill each."""

    shares: float | None = None
    own: Mapping[str, float] = field(default_factory=dict)

    @classmethod
    def parse(cls, given: Sequence[str], metrics: Collection[str]) -> Margins:
        """Return the margins of ``--margin`` options: ``"0.1"`` or ``"NAME=2"``.

        Examples
        --------
        >>> Margins.parse(["0.1", "talk_share=.2"], {"talk_share"}).of("talk_share")
        0.2
        """
        shares, own, known = None, {}, sorted({*metrics, *(e.base for e in SKILLS.newest())})
        for option in given:
            name, _, number = option.rpartition("=")
            if name and name not in known:
                hint = closest(name, known, 0.5, "'turnwise list metrics' shows all names.")
                raise UsageError(f"--margin {option}: neither a measure of these runs nor a skill; {hint}")
            if name:
                own[name] = _above_zero(option, number)
            else:
                shares = _above_zero(option, number)
        return cls(shares, own)

    def of(self, name: str) -> float | None:
        """Return the margin of a measure or skill; ``None`` where none was stated, or not in its unit."""
        if name in self.own:
            return self.own[name]
        bounded = name not in METRICS or tuple(METRICS.get(name).spec["bounds"]) == (0.0, 1.0)
        return self.shares if bounded else None

    def named(self) -> dict[str, float]:
        """Return the margins as JSON."""
        return ({} if self.shares is None else {"shares and skills": self.shares}) | dict(self.own)


def _above_zero(option: str, number: str) -> float:
    try:
        value = float(number)
    except ValueError:
        value = math.nan
    if not (value > 0.0 and math.isfinite(value)):
        raise UsageError(f"--margin {option} is not possible: give a number above 0, or NAME=NUMBER.")
    return value
