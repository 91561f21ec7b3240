"""Learn how the levels of a patient move and show, for the Socratic therapist (therapists/tracking/levels.json).

    python tools/fit_levels.py ../shared/data [--check]

Sessions of an exploring therapist with simulated patients of four kinds: `fitted`, whose movements were learnt from
human transcripts, `stateful_drawn`, whose sizes of change are drawn anew for each patient, each on its own, and
`moved_little` and `moved_much`, in whom they lie together on one side of what is likeliest. Each is a kind of person
with tables of its own, and what is tracked is the kind and the band together: the first moves against the others, and a
mean of all would say that nobody moves. Half of the cases give the tables, the other half the tempers. How well
tracking does in a family that a fit never saw is measured with one family left out (tools/socratic_page.py).
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
from scipy.linalg import block_diag

from refitting import as_json, command_line
from simulated_levels import Seen, banded, played
from turnwise.belief.chain import Chain
from turnwise.belief.observation import Table, fit_temper_in_time, table_from_counts
from turnwise.core.nouns import FloatArray
from turnwise.patients.casebook import case_ids
from turnwise.therapists.markers import MARKERS
from turnwise.therapists.recognising import CALLS
from turnwise.therapists.tracking.levels import ACT_GROUPS, BANDS, PLAIN, VARIABLES, level_evidence, states_of
from turnwise.therapists.tracking.talking_here import ANSWERS

OUT = Path(__file__).resolve().parents[1] / "src" / "turnwise" / "therapists" / "tracking"
FAMILIES, SEED, EPOCHS, NOISE = ("fitted", "stateful_drawn", "moved_little", "moved_much"), 977, 16, 1.0
SHARES: Mapping[str, float] = {
    "fitted": 0.25, "stateful_drawn": 0.15, "moved_little": 0.3, "moved_much": 0.3, "stateful": 0.7
}  # fmt: skip
"""How likely each kind of person is at first: a judgement, made with an eye on how often sets of 80 % hold the truth in
`stateful_low` and `stateful_high`, which are therefore no test of it; the contrary families are. Early alliances mostly
hold or grow (Kivlighan & Shaughnessy 2000, J Couns Psychol 47(3)); those that only wear off are kept, so that one is
believed who shows it."""
_OUTCOMES: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys((*MARKERS, "feeling"), ("yes", "no")),
    "call": CALLS,
    "length": ("short", "usual", "long"),
    "length_pressed": ("short", "usual", "long"),
    "taken_up": ("yes", "no"),
    "here": ANSWERS,
    "talk": ("change", "neutral", "sustain"),
}
_ASKED_FOR = 1.0  # the same of signs that were asked for: few, and plain
_STRENGTH = 8.0  # pseudo-observations of every table; a row of the chain leans towards staying where it is


def cuts_of(sessions: Sequence[Seen], at: int) -> FloatArray:
    """Return cuts of one variable that leave a fifth of all turns in each band; of the edge, 0 is one."""
    level = np.concatenate([s.level[:, at] for s in sessions])
    if VARIABLES[at] == "edge":
        below, above = level[level < 0.0], level[level >= 0.0]
        return np.asarray([*np.quantile(below, (1 / 3, 2 / 3)), 0.0, np.median(above)])
    return np.asarray(np.quantile(level, np.arange(1, len(BANDS)) / len(BANDS)))


def tables_of(sessions: Sequence[Seen], everybody: Sequence[Seen], at: int, cuts: FloatArray) -> dict[str, Table]:
    """Return what each kind of sign says about one variable; what was asked for is answered by all kinds alike."""
    out = {}
    for kind, outcomes in _OUTCOMES.items():
        counts = np.zeros((len(BANDS), len(outcomes)))
        for s in everybody if kind in PLAIN else sessions:
            for shown, band in zip(s.shown, banded(s.level[:, at], cuts), strict=True):
                if (seen := shown.get(kind)) is not None:
                    counts[band, outcomes.index(seen)] += 1
        strength = _ASKED_FOR if kind in PLAIN else _STRENGTH
        out[kind] = table_from_counts(BANDS, outcomes, counts, strength=strength, breadth=None)
    return out


def chain_of(sessions: Sequence[Seen], at: int, cuts: FloatArray) -> Chain:
    """Return how one variable starts and moves after each group of acts."""
    k = len(BANDS)
    first = np.full(k, 1.0)
    moves = np.zeros((len(ACT_GROUPS), k, k))
    for s in sessions:
        bands = banded(s.level[:, at], cuts)
        first[bands[0]] += 1
        for before, after, group in zip(bands[:-1], bands[1:], s.groups[1:], strict=True):
            moves[ACT_GROUPS.index(group), before, after] += 1
    overall = moves.sum(axis=0) + 2.0 * np.eye(k) + 0.1
    overall /= overall.sum(axis=1, keepdims=True)
    moves = moves + _STRENGTH * overall
    return Chain(first / first.sum(), moves / moves.sum(axis=2, keepdims=True))


def evidence(s: Seen, tables: Mapping[str, Table], temper: float) -> FloatArray:
    """Return the log likelihood of each patient turn, (T, K): 1 and 0 as ``temper`` for both parts of it apart."""
    return np.array([level_evidence(tables, shown, temper) for shown in s.shown])


def _centres(level: FloatArray, bands: npt.NDArray[np.int64], cuts: FloatArray) -> list[float]:
    """Return the mean of each band; of one that nothing fell into (two cuts are one), the cut."""
    places = range(len(BANDS))
    return [float(level[bands == k].mean()) if (bands == k).any() else float(cuts[max(0, k - 1)]) for k in places]


def _together(chains: Mapping[str, Chain]) -> Chain:
    """Return one chain over kind and band: everybody stays of their kind, each kind with its share at first."""
    shares = np.array([SHARES[family] for family in chains])
    moves = [block_diag(*(c.transitions[i] for c in chains.values())) for i in range(len(ACT_GROUPS))]
    first = [share * c.initial for share, c in zip(shares / shares.sum(), chains.values(), strict=True)]
    return Chain(np.concatenate(first), np.array(moves))


def _stacked(kinds: Sequence[str], tables: Sequence[Mapping[str, Table]]) -> dict[str, Table]:
    """Return the tables of all kinds, one under the other."""
    return {
        sign: Table(states_of(kinds), one.outcomes, np.concatenate([t[sign].log_p for t in tables]))
        for sign, one in tables[0].items()
    }


def learnt(learn: Mapping[str, Sequence[Seen]], temper: Mapping[str, Sequence[Seen]]) -> dict[str, dict[str, object]]:
    """Return the document of every variable, by kind of person: tables from some cases, tempers from others."""
    variables: dict[str, dict[str, object]] = {}
    everybody = [s for own in learn.values() for s in own]
    for at, name in enumerate(VARIABLES):
        cuts = cuts_of(everybody, at)
        level = np.concatenate([s.level[:, at] for s in everybody])
        centres = _centres(level, banded(level, cuts), cuts)
        tables = _stacked(list(learn), [tables_of(own, everybody, at, cuts) for own in learn.values()])
        chain = _together({family: chain_of(own, at, cuts) for family, own in learn.items()})
        runs = [
            (
                evidence(s, tables, 1.0) - evidence(s, tables, 0.0),
                [ACT_GROUPS.index(g) for g in s.groups],
                (banded(s.level[:, at], cuts) + i * len(BANDS)).tolist(),
            )
            for i, own in enumerate(temper.values())
            for s in own
        ]
        plain = [evidence(s, tables, 0.0) for own in temper.values() for s in own]
        found = fit_temper_in_time(chain, runs, untempered=plain)
        variables[name] = {
            "kinds": list(learn),
            "cuts": np.round(cuts, 5).tolist(),
            "centres": np.round(centres, 5).tolist(),
            "initial": np.round(chain.initial, 5).tolist(),
            "transitions": np.round(chain.transitions, 5).tolist(),
            "tables": {kind: table.document() for kind, table in tables.items()},
            "temper": round(found.value, 4),
            "log_loss": round(found.loss, 4),
            "log_loss_untempered": round(found.loss_untempered, 4),
            "n": found.n,
        }
    return variables


def fit(_: Path) -> Mapping[str, bytes]:
    """Return levels.json."""
    cases = case_ids()
    halves = [
        {family: played(family, half, epochs=EPOCHS, seed=SEED, noise=NOISE) for family in FAMILIES}
        for half in (cases[0::2], cases[1::2])
    ]
    about = {
        "families": FAMILIES, "seed": SEED, "epochs": EPOCHS, "noise": NOISE,
        "learnt_on": list(cases[0::2]), "tempered_on": list(cases[1::2]),
    }  # fmt: skip
    return {"levels.json": as_json({"about": about, "variables": learnt(*halves)})}


if __name__ == "__main__":
    sys.exit(command_line(__doc__, fit, None, OUT))
