"""What can go wrong, as one tree. Every message is one sentence: what, where, what to do.

::

    TurnwiseError
    ├── ContractError               a plugin broke its protocol
    ├── RegistryError               unknown or duplicate name (with the closest match)
    ├── FormatError                 a file we were asked to read is not what it claims
    ├── UsageError                  the request itself cannot be carried out
    ├── UndefinedError              a quantity has no value for this input
    │   └── ImpossibleObservation   every hypothesis has probability zero
    └── BoundaryError               code outside our control failed: recorded, counted, never fatal
"""

from __future__ import annotations

from turnwise.core.nouns import Reason

__all__ = [
    "BoundaryError",
    "ContractError",
    "FormatError",
    "ImpossibleObservation",
    "RegistryError",
    "TurnwiseError",
    "UndefinedError",
    "UsageError",
]


class TurnwiseError(Exception):
    """Root of everything this package raises on purpose."""


class ContractError(TurnwiseError):
    """A plugin returned or accepted something its protocol forbids."""


class RegistryError(TurnwiseError):
    """A name is unknown, taken, or not well formed."""


class FormatError(TurnwiseError):
    """A file is not what it claims to be: says path, place and what was expected."""

    def __init__(self, path: object, where: str, problem: str, remedy: str = "") -> None:
        self.path, self.where, self.problem, self.remedy = str(path), where, problem, remedy
        place = f"{path}, {where}" if where else str(path)
        super().__init__(f"{place}: {problem}" + (f"; {remedy}" if remedy else "") + ".")


class UsageError(TurnwiseError):
    """What was asked for cannot be done as asked (a user's mistake, not ours)."""


class UndefinedError(TurnwiseError):
    """A quantity has no value for this input; carries the machine-readable reason."""

    def __init__(self, code: Reason, detail: str) -> None:
        self.code: Reason = code
        self.detail = detail
        super().__init__(f"{code}: {detail}")


class ImpossibleObservation(UndefinedError):
    """Every hypothesis gives the observation probability zero; nothing is renormalised."""

    def __init__(self, detail: str = "every hypothesis gives the observation probability zero") -> None:
        super().__init__("undetermined", detail)


class BoundaryError(TurnwiseError):
    """Code outside our control failed while it was called (a model, a socket, a plugin)."""
