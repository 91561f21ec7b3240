"""What models cost: tokens that were used, tokens that would be, and a price where a table of prices is given."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from turnwise.core.errors import FormatError
from turnwise.engine.recording import CALLS, Call, calls_in
from turnwise.engine.store import sentence_for

__all__ = ["Price", "Spent", "read_prices", "record_of", "spent_in"]


class Price(BaseModel):
    """Price of a million tokens, in whatever currency the table is in."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    input: float = Field(ge=0, allow_inf_nan=False)
    output: float = Field(ge=0, allow_inf_nan=False)


@dataclass(slots=True)
class Spent:
    """Calls of one model and their tokens. ``unsplit`` counts calls whose provider did not split them."""

    calls: int = 0
    faults: int = 0
    tokens: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    unsplit: int = 0

    def price(self, price: Price | None) -> float | None:
        """Return what it costs, or ``None`` where the price or a part of the tokens is not known.

        Examples
        --------
        >>> Spent(calls=1, tokens=3, tokens_in=2, tokens_out=1).price(Price(input=1e6, output=1e6))
        3.0
        """
        if price is None or self.unsplit:
            return None
        return (self.tokens_in * price.input + self.tokens_out * price.output) / 1e6


def read_prices(path: Path) -> dict[str, Price]:
    """Read a YAML table: model string to ``{input, output}``, the prices of a million tokens.

    Raises
    ------
    UsageError, FormatError : there is no such file, or it is no such table.
    """
    from turnwise.core.bounded_yaml import MOST_CHARACTERS, read_yaml

    try:
        with path.open(encoding="utf-8") as file:
            content = read_yaml(file.read(MOST_CHARACTERS + 1), path)
        return TypeAdapter(dict[str, Price]).validate_python(content or {})
    except OSError as fault:
        raise sentence_for(fault, path) from fault
    except ValidationError as fault:
        first = fault.errors()[0]
        where = ".".join(map(str, first["loc"])) or "the table"
        raise FormatError(path, where, first["msg"], "write e.g. openai/NAME: {input: 2.5, output: 10}") from None
    except UnicodeDecodeError:
        raise FormatError(path, "", "is not UTF-8", "save it as UTF-8 text") from None


def spent_in(path: Path) -> dict[str, Spent]:
    """Return what every model of a run folder was asked and answered, from its recorded calls; faults are counted."""
    found: dict[str, Spent] = {}
    if not (path / CALLS).exists():
        return found
    for call in calls_in(path / CALLS):
        _add(found, call)
    return dict(sorted(found.items()))


def _add(found: dict[str, Spent], call: Call) -> None:
    one = found.setdefault(call.asked, Spent())
    if call.fault is not None:
        one.faults += 1
        return
    one.calls += 1
    one.tokens += call.usage
    if call.tokens_in is None or call.tokens_out is None:
        one.unsplit += 1
    else:
        one.tokens_in += call.tokens_in
        one.tokens_out += call.tokens_out


def record_of(path: Path, prices: Mapping[str, Price]) -> dict[str, dict[str, Any]]:
    """Return what ``run.json`` says of the models of a run folder."""
    return {
        model: {
            "calls": s.calls,
            "faults": s.faults,
            "tokens": s.tokens,
            "tokens_in": None if s.unsplit else s.tokens_in,
            "tokens_out": None if s.unsplit else s.tokens_out,
            "price": s.price(prices.get(model)),
        }
        for model, s in spent_in(path).items()
    }
