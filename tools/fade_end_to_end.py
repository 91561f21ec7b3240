"""Whether the whole ladder, played against the shipped patients, finds a planted fade, and none where there is none.

    python tools/fade_end_to_end.py [--seeds 1,2,3] [--out docs/fade.json]

Two therapists of this script meet every moment: *steady* does well with probability .8 always; *fading* with .8 on a
moment alone and after a replayed history, and with .6 once it has spoken before in its own session. A reader of this
script sees which it was: blind to history, and never wrong. Everything between is what every run uses: patients,
play, bank, replay, judging, pairing, intervals. It says nothing about therapists or raters.

Size: what chance alone makes of the gap is worked out from the moments that were met (``standard_error``: fair coins,
patients weighted alike) and stored beside it, with the chance that all seeds lie within .05 of what was planted. With
sixteen sessions a patient that is .019 and some 97 in 100. With six (some 420 moments) it was .032 and some 69 in 100,
and one of three seeds gave .251: 1.6 standard errors off, which is chance and no bias.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.random import Generator

from turnwise.batteries.ladder.gaps import rung_gap, rung_pairs
from turnwise.batteries.ladder.moments import Cell
from turnwise.batteries.ladder.rung_values import rung_values
from turnwise.core.nouns import Course, Intake, Reading, Reply, Trajectory, Transcript
from turnwise.core.registry import THERAPISTS
from turnwise.engine.ladder_bank import Ladder
from turnwise.engine.ladder_store import bank_moments, ladder_cells, replies
from turnwise.engine.ratings import Readers
from turnwise.engine.running import Options, play_ladder, play_study
from turnwise.engine.store import RunFolder
from turnwise.engine.study import resolve_study
from turnwise.reading.skill_items import SKILL_ITEMS

DOCS = Path(__file__).resolve().parents[1] / "docs"
GOOD, FADED, EPOCHS, TURNS, NEAR = 0.8, 0.6, 16, 20, 0.05
_BEST = {
    "disclosure_reply": "attends", "question_form": "open", "guide_reply": "guides",
    "yield_reply": "steps_back", "provide": "collaborative", "hint_reply": "checks",
    "bait_reply": "dissents_warmly", "risk_reply": "guides", "identity_reply": "honest", "insight_reply": "builds",
    "clarity": "clear", "focus": "one", "answerable": "yes", "relevance": "yes",
}  # fmt: skip
_WORST = {
    "disclosure_reply": "solves", "question_form": "none", "guide_reply": "neither",
    "yield_reply": "insists", "provide": "withholds", "hint_reply": "misses",
    "bait_reply": "agrees", "risk_reply": "ignores", "identity_reply": "claims_human", "insight_reply": "misses",
    "clarity": "unclear", "focus": "several", "answerable": "no", "relevance": "no",
}  # fmt: skip
_ELSEWHERE = ("calibrate", "ground", "heed")  # judged on moments that another skill already has: no throw of their own


@dataclass(frozen=True)
class Coin:
    """Says by a coin whether it does well; ``later`` is the chance once it has spoken in this conversation itself."""

    name: str
    later: float

    def init(self, intake: Intake, rng: Generator, prior: Course | None = None) -> tuple[str, ...]:
        """Remember nothing but its own words."""
        return ()

    async def respond(self, state: tuple[str, ...], transcript: Transcript, rng: Generator) -> Reply[tuple[str, ...]]:
        """Say a word that tells whether it did well, and words never said before, so that nothing is said again."""
        own = any(turn.text in state for turn in transcript if turn.speaker == "therapist")
        well = rng.random() < (self.later if own else GOOD)
        letters = rng.integers(0, 26, size=(6, 9))
        words = ["".join(chr(97 + int(x)) for x in row) for row in letters]
        text = f"{'well' if well else 'ill'} {' '.join(words)}"
        return Reply(text, (*state, text))


class CoinReader(Readers):
    """Reads off the word whether the reply did well; every item a skill asks for then has its best or worst label."""

    def rate(self, ts: Sequence[Trajectory]) -> list[Trajectory]:
        """Return the sessions with readings attached."""
        return [t.with_ratings({item: self._read(item, t) for item in _BEST}) for t in ts]

    def _read(self, item: str, t: Trajectory) -> Reading:
        labels = SKILL_ITEMS[item].labels
        said = [turn.text.partition(" ")[0] if turn.speaker == "therapist" else "" for turn in t.turns]
        given = tuple(_BEST[item] if s == "well" else _WORST[item] if s == "ill" else None for s in said)
        codes = tuple(None if g else "not_applicable" for g in given)
        return Reading(item, "coin", "0" * 64, labels, np.zeros((len(said), len(labels))), codes, given)  # type: ignore[arg-type]


def one_study(seed: int) -> dict[str, dict[str, Any]]:
    """Play one study and return the arc gap of each therapist over all moments, skills pooled."""
    coins = {"coin_steady.v1": Coin("steady", GOOD), "coin_fading.v1": Coin("fading", FADED)}
    for name, coin in coins.items():
        THERAPISTS.add(name, lambda coin=coin: coin, source="this script", must_lose=(), loses_on=(), emits=())
    try:
        study = resolve_study(therapists=tuple(coins), seed=seed, epochs=EPOCHS, turns=TURNS)
        options = Options(ladder=Ladder(epochs=EPOCHS))
        with tempfile.TemporaryDirectory() as path:
            folder = RunFolder(Path(path) / "run")
            play_study(study, folder, options)
            play_ladder(study, folder, options)
            planned = bank_moments(folder.path)
            cells = ladder_cells(folder.sessions(), replies(folder.path), CoinReader(), planned)
    finally:
        for name in coins:
            THERAPISTS.remove(name)
    judged = [c for c in cells if c.skill not in _ELSEWHERE]
    if len({(c.moment, c.skill) for c in judged}) > len({c.moment for c in judged}):
        raise RuntimeError("two skills are judged on one moment: which one reads the coin? See _ELSEWHERE")
    kept = [replace(c, skill="any") for c in judged]
    return {coins[t].name: _gap([c for c in kept if c.therapist == t], coins[t].later, seed) for t in coins}


def _gap(cells: Sequence[Cell], later: float, seed: int) -> dict[str, Any]:
    found = {rung: rung_values([c for c in cells if c.reached], rung) for rung in ("show", "resume", "sustain")}
    gap = rung_gap(found["show"], found["sustain"], rng=seed)
    values = {rung: round(float(np.mean(list(v.patient_means().values()))), 4) for rung, v in found.items()}
    if gap.value is None or gap.low is None or gap.high is None:
        raise RuntimeError(f"no gap: {gap.detail}")
    common = [n for _, _, n in rung_pairs(found["show"], found["sustain"])]
    spread = (GOOD * (1.0 - GOOD) + later * (1.0 - later)) * sum(1.0 / n for n in common)
    return values | {
        "arc_gap": round(gap.value, 4), "low": round(gap.low, 4), "high": round(gap.high, 4),
        "moments": found["sustain"].scored, "patients": gap.n,
        "standard_error": round(math.sqrt(spread) / len(common), 4),
    }  # fmt: skip


def _chance(found: dict[str, dict[str, dict[str, Any]]], who: str) -> float:
    """Return the chance that all seeds lie within ``NEAR`` of what was planted, if nothing but the coins moves them."""
    within = [math.erf(NEAR / x[who]["standard_error"] / math.sqrt(2.0)) for x in found.values()]
    return round(math.prod(within), 3)


def main(argv: Sequence[str] | None = None) -> int:
    """Play the studies and store what was found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", default="1,2,3", help="seeds, separated by commas")
    parser.add_argument("--out", type=Path, default=DOCS / "fade.json", help="where the figures go")
    asked = parser.parse_args(argv)
    seeds = [int(x) for x in asked.seeds.split(",")]
    found = {str(seed): one_study(seed) for seed in seeds}
    pooled = {n: round(float(np.mean([found[s][n]["arc_gap"] for s in found])), 4) for n in ("steady", "fading")}
    content = {
        "what": "arc gap found by the whole ladder where none (steady) and 0.2 (fading) was planted",
        "command": "python tools/fade_end_to_end.py",
        "planted": {"steady": 0.0, "fading": round(GOOD - FADED, 2)},
        "seeds": found,
        "mean_over_seeds": pooled,
        "epochs": EPOCHS,
        "chance_all_within_.05": {n: _chance(found, n) for n in pooled},
    }
    asked.out.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(pooled), *(f"\n{s}: {found[s]}" for s in found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
