"""What a study would ask of models, found by rehearsing a part of it with a stand-in that costs nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from turnwise.core.contracts import Completion
from turnwise.core.nouns import Turn
from turnwise.engine.casting import Calls, models_of, opened_cast
from turnwise.engine.ladder_bank import with_reference
from turnwise.engine.model_messages import model_messages
from turnwise.engine.running import Options, play_ladder, play_study
from turnwise.engine.spending import Price, Spent
from turnwise.engine.store import RunFolder
from turnwise.engine.study import Study

__all__ = ["CHARACTERS_A_TOKEN", "TOKENS_A_REPLY", "Expected", "rehearse"]

_MOST_PATIENTS = 6
CHARACTERS_A_TOKEN = 4
TOKENS_A_REPLY = 60
"""Assumed of a reply (about 45 words of English); what a model really writes is not known before it is asked."""
_FILLER = "I hear that, and I would like to understand it better. What was that like for you, number {n}? " * 2


class _StandIn:
    """Answers with filler, and counts what it was asked."""

    def __init__(self) -> None:
        self.spent = Spent()

    async def generate(self, system: str, turns: Sequence[Turn], *, seed: int) -> Completion:
        """Count a call."""
        characters = sum(len(m["content"]) for m in model_messages(system, turns))
        self.spent.calls += 1
        self.spent.tokens_in += characters // CHARACTERS_A_TOKEN
        self.spent.tokens_out += TOKENS_A_REPLY
        return Completion(_FILLER.format(n=self.spent.calls).strip(), 0, "stop")


@dataclass(frozen=True, slots=True)
class Expected:
    """What one model would be asked: estimates, and what cannot be exceeded."""

    model: str
    calls: int
    tokens_in: int
    tokens_out: int
    most_tokens_out: int | None
    """Every reply as long as ``--max-tokens`` allows; ``None`` where it allows anything."""
    price: float | None

    def record(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return {name: getattr(self, name) for name in self.__slots__}


def rehearse(study: Study, options: Options, prices: Mapping[str, Price]) -> list[Expected]:
    """Return what each model of a study would be asked, sessions and ladder; no model is reached.

    Up to six of the patients are played for one epoch, and what that asks for is scaled to the whole study. Calls that
    would have to be made again after a fault are not in it.
    """
    models = models_of(study)
    if not models:
        return []
    some = study.patients[:: max(1, -(-len(study.patients) // _MOST_PATIENTS))]
    small = study.model_copy(update={"therapists": tuple(models), "patients": some, "epochs": 1})
    share = len(study.patients) / len(some)
    live, both = _played(small, options)
    scale_live = share * study.epochs
    climbed = min(study.epochs, options.ladder.epochs) if options.ladder else 0
    found = []
    for model in sorted(set(models.values())):
        a, b = live[model], both[model]
        calls = round(scale_live * a.calls + share * climbed * (b.calls - a.calls))
        use = Spent(
            calls=calls,
            tokens_in=round(scale_live * a.tokens_in + share * climbed * (b.tokens_in - a.tokens_in)),
            tokens_out=calls * TOKENS_A_REPLY,
        )
        longest = options.calls.settings.max_tokens
        most = None if longest is None else calls * longest
        price = use.price(prices.get(model))
        found.append(Expected(model, calls, use.tokens_in, use.tokens_out, most, price))
    return found


def _played(small: Study, options: Options) -> tuple[dict[str, Spent], dict[str, Spent]]:
    """Return what was asked after the live sessions, and after the ladder as well."""
    stand_ins: dict[str, _StandIn] = {}

    def model(name: str) -> _StandIn:
        return stand_ins.setdefault(name, _StandIn())

    with TemporaryDirectory() as folder:
        path, ladder = Path(folder), options.ladder.resolved() if options.ladder else None
        how = Options(concurrency=options.concurrency, ladder=ladder, calls=Calls(stand_in=model))
        everyone = with_reference(small, ladder) if ladder else small
        with opened_cast(everyone, path, how.calls) as cast:
            play_study(small, RunFolder(path), how, cast=cast)
            live = {name: _copy(s.spent) for name, s in stand_ins.items()}
            play_ladder(small, RunFolder(path), how, cast=cast)
    return live, {name: s.spent for name, s in stand_ins.items()}


def _copy(s: Spent) -> Spent:
    return Spent(s.calls, s.faults, s.tokens, s.tokens_in, s.tokens_out, s.unsplit)
