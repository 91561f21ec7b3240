"""How long a whole turn of an embedded patient takes on one core: hearing, deciding and wording together.

Usage: OMP_NUM_THREADS=1 python benchmarks/patient_turn.py [--json]

Three patients are asked the frozen therapist turns of the conformance gate, which nobody wrote for them, through
the ear that a run uses: one session at a time (nothing to hear together) and 32 at once (heard in blocks, as in
a run). CPU time, the best of several repeats. The loading of cases and weights is left out. Every repeat begins with
nothing remembered of earlier questions; ``asked_again`` is the share of questions within one that the same patient was
asked before, word for word (in a default run of embedded therapists about as many: .55, counted once). ``all_new_ms``
is the same with nothing ever asked before: the price of a language model's questions. ``by_itself_ms`` is one
session after the other, timed from the therapist's words to the patient's, without what plays it (event loop, batches,
seeding). Beside it stands the same turn heard only.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Callable, Coroutine
from typing import Any

from turnwise.core.nouns import Turn
from turnwise.core.seeds import generator
from turnwise.engine.conformance_turns import frozen_turns
from turnwise.engine.microbatch import BatchedEar
from turnwise.patients import ranking
from turnwise.patients.casebook import load_case
from turnwise.patients.stateful import stateful
from turnwise.reading.ears import intents, questions
from turnwise.reading.ears.direct import DirectEar, hear_block
from turnwise.reading.window import CONTEXT, Window

CASES, SEEDS, REPEATS = ("alun", "keisha", "tobias"), 6, 5
LINES = (
    *frozen_turns().script,
    *(u.text for u in frozen_turns().unplanned if u.length == "short"),
)


def forget() -> None:
    """Forget every question that was read before."""
    for memory in (ranking.begun_before, intents.read_plain, questions.surface):
        memory.cache_clear()


async def talk(case: str, seed: int, ear: Any, *, all_new: bool = False, patient: Any = None) -> int:
    """Play one session; return the number of turns. ``all_new``: as if nothing had ever been asked before."""
    patient, key = patient or stateful(ear=ear), f"stateful.v1/{case}"
    state = patient.init(load_case(case), generator(seed, key, 0, "patient", -1))
    heard: tuple[Turn, ...] = ()
    for i in range(20):
        if all_new:
            forget()
        heard += (Turn(speaker="therapist", text=LINES[(seed * 7 + i) % len(LINES)]),)
        reply = await patient.respond(state, heard, generator(seed, key, 0, "patient", len(heard)))
        heard += (Turn(speaker="patient", text=reply.text),)
        state = reply.state
        if reply.closes:
            break
    return len(heard) // 2


async def one_by_one() -> int:
    """Play the sessions one after the other."""
    ear = BatchedEar(hear_block)
    return sum([await talk(case, seed, ear) for case in CASES for seed in range(SEEDS)])


async def all_new() -> int:
    """Play the sessions one after the other, no question of which was ever asked before."""
    ear = BatchedEar(hear_block)
    return sum([await talk(case, seed, ear, all_new=True) for case in CASES for seed in range(SEEDS)])


async def together() -> int:
    """Play the sessions at once."""
    ear = BatchedEar(hear_block)
    return sum(await asyncio.gather(*(talk(case, seed, ear) for case in CASES for seed in range(SEEDS))))


class _Timed:
    """A patient that notes how much CPU time it takes from the therapist's words to its own."""

    def __init__(self) -> None:
        self.patient = stateful(ear=DirectEar())
        self.seconds = 0.0

    def init(self, *given: Any) -> Any:
        """Return the state before the first word."""
        return self.patient.init(*given)

    async def respond(self, *given: Any) -> Any:
        """Hear and answer."""
        start = time.process_time()
        reply = await self.patient.respond(*given)
        self.seconds += time.process_time() - start
        return reply


def _by_itself() -> float:
    """Return the CPU milliseconds of a turn without what plays it: no event loop, no batches, no seeding."""
    one = _Timed()
    turns = sum(asyncio.run(talk(case, seed, None, patient=one)) for case in CASES for seed in range(SEEDS))
    return 1_000 * one.seconds / turns


async def only_heard() -> int:
    """Hear as many turns one by one, with a short history."""
    ear, n = BatchedEar(hear_block), 0
    for seed in range(SEEDS * len(CASES)):
        for i in range(20):
            line = Turn(speaker="therapist", text=LINES[(seed * 7 + i) % len(LINES)])
            await ear.hear(Window(line, (Turn(speaker="patient", text="I don't know."),)[-CONTEXT:]))
            n += 1
    return n


def _played(play: Callable[[], Coroutine[Any, Any, int]]) -> float:
    """Return the CPU milliseconds of a turn with all that plays it."""
    start = time.process_time()
    turns = asyncio.run(play())
    return 1_000 * (time.process_time() - start) / turns


def least(measured: Callable[[], float]) -> float:
    """Return the least of several repeats, each with nothing remembered; the first only warms up."""
    found = []
    for _ in range(REPEATS + 1):
        forget()
        found.append(measured())
    return round(min(found[1:]), 3)


def milliseconds(play: Callable[[], Coroutine[Any, Any, int]]) -> float:
    """Return the least CPU milliseconds a turn over several repeats."""
    return least(lambda: _played(play))


def figures() -> dict[str, float]:
    """Return the milliseconds of a turn: one session at a time, many at once, all questions new, and heard only."""
    alone = milliseconds(one_by_one)
    asked = ranking.begun_before.cache_info()
    return {
        "one_by_one_ms": alone,
        "asked_again": round(asked.hits / (asked.hits + asked.misses), 2),
        "by_itself_ms": least(_by_itself),
        "together_ms": milliseconds(together),
        "all_new_ms": milliseconds(all_new),
        "only_heard_ms": milliseconds(only_heard),
    }


def main() -> int:
    """Print the figures."""
    found = figures()
    print(json.dumps(found) if "--json" in sys.argv else "\n".join(f"{k:16s} {v:8.3f}" for k, v in found.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
