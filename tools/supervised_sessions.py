"""Sessions of the Socratic therapist with what else it could have said at every turn, for supervisors to judge.

    python tools/supervised_sessions.py --seed 70001 --out FOLDER [--cases alun,dean] [--epochs 1]

Writes one JSON line a session (``sessions.jsonl``), from which ``fit_supervision.py`` plays the controller's own memory
again, and one text a session for reading, in which every candidate has a number.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.random import Generator

from turnwise.core.nouns import SessionSpec, Trajectory
from turnwise.core.play import play
from turnwise.core.registry import PATIENTS, THERAPISTS
from turnwise.engine.discovery import discover
from turnwise.patients.casebook import case_ids, load_case
from turnwise.reading.ears.direct import DirectEar
from turnwise.therapists.acts import ACTS
from turnwise.therapists.choosing import choose
from turnwise.therapists.guiding import candidates
from turnwise.therapists.reflecting import Line
from turnwise.therapists.socratic import Plan, Seen, Socratic, SocraticState
from turnwise.therapists.validating import fault

TURNS, SHOWN, BY_WORTH, AT_THE_THOUGHT = 20, 8, 3, 3


class Recording(Socratic):
    """The controller, keeping beside each turn what else it could have said."""

    def __init__(self, ear: DirectEar, seed: int) -> None:
        super().__init__(ear)
        self.kept: list[dict[str, Any]] = []
        self._rng = np.random.default_rng(seed)

    def settle(self, state: SocraticState, seen: Seen | None, plan: Plan, text: str) -> Any:
        """Return what the controller does, with the candidates written down."""
        others = [] if seen is None or plan.duty else self._others(state, seen, plan)
        self.kept.append({"said": _as_row(plan.act.move, plan.line, plan.target, plan.duty), "others": others})
        return super().settle(state, seen, plan, text)

    def _others(self, state: SocraticState, seen: Seen, plan: Plan) -> list[dict[str, Any]]:
        found: list[tuple[str, Line]] = []
        for act in (c.act for c in choose(state.known, state.ledger, seen.heard, self._rng, self.policy)):
            lines = [x for x in candidates(act.move, state.ledger, seen.heard, self._rng)
                     if fault(x, act, state.ledger, state.belief) is None and x.text != plan.line.text]  # fmt: skip
            seen_texts = {y.text for _, y in found}
            found += [(act.move, x) for x in _varied(lines, self._rng) if x.text not in seen_texts]
        first = [x for i, x in enumerate(found) if x[0] not in {y[0] for y in found[:i]}]
        work = [x for x in found if ACTS[x[0]].kind == "challenge" or x[0] == "ask_view"]
        drawn = [work[int(i)] for i in self._rng.permutation(len(work))[:AT_THE_THOUGHT]]
        shown = [*drawn, *(x for x in first if x not in drawn)][: BY_WORTH + len(drawn)]
        rest = [x for x in found if x not in shown]
        more = [rest[int(i)] for i in self._rng.permutation(len(rest))[: SHOWN - 1 - len(shown)]]
        return [_as_row(move, line, "", "") for move, line in (*shown, *more)]


def _varied(lines: Sequence[Line], rng: Generator) -> list[Line]:
    """Return the first line and up to two others whose frames differ from it."""
    if not lines:
        return []
    other = [x for x in lines[1:] if x.id.split(".")[0] != lines[0].id.split(".")[0]] or list(lines[1:])
    return [lines[0], *(other[int(i)] for i in rng.permutation(len(other))[:2])]


def _as_row(move: str, line: Line, target: str, duty: str) -> dict[str, Any]:
    return {"move": move, "id": line.id, "text": line.text, "quoted": list(line.quoted), "feeling": line.feeling,
            "target": target, "duty": duty}  # fmt: skip


def recorded(case: str, seed: int, epoch: int, therapist: str = "socratic") -> tuple[Trajectory, list[dict[str, Any]]]:
    """Return one session, and what could have been said at each therapist turn of it."""
    ear = DirectEar()
    who = Recording(ear, seed)
    spec = SessionSpec(case=case, patient=PATIENTS.get("stateful").name, therapist=THERAPISTS.get(therapist).name,
                       seed=seed, epoch=epoch, max_turns=TURNS)  # fmt: skip
    t = asyncio.run(play(spec, load_case(case), PATIENTS.get("stateful").obj(ear=ear), who))
    return t, who.kept


def as_text(t: Trajectory, kept: Sequence[dict[str, Any]], rng: Generator) -> tuple[str, list[list[int]]]:
    """Return the session with numbered candidates, and for each turn their order (0: what was said)."""
    lines, orders, at = [f"SESSION {t.spec.case if t.spec else ''}", ""], [], 0
    for turn in t.turns:
        if turn.speaker == "patient":
            lines += [f"P: {turn.text}", ""]
            continue
        row = kept[at]
        all_of = [row["said"], *row["others"]]
        order = [int(i) for i in rng.permutation(len(all_of))]
        orders.append(order)
        if len(all_of) > 1:
            lines.append(f"  turn {at}, replies that could come here:")
            lines += [f"    {at}.{n}: {all_of[i]['text']}" for n, i in enumerate(order)]
        else:
            lines.append(f"  turn {at}, reply: {at}.0")
        lines += [f"T: {turn.text}", ""]
        at += 1
    return "\n".join(lines) + "\n", orders


def main(argv: Iterable[str] | None = None) -> int:
    """Play the sessions and write them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--cases", default="")
    parser.add_argument("--out", type=Path, required=True)
    asked = parser.parse_args(None if argv is None else list(argv))
    discover(third_parties=False)
    cases = asked.cases.split(",") if asked.cases else case_ids()
    asked.out.mkdir(parents=True, exist_ok=True)
    with (asked.out / "sessions.jsonl").open("a", encoding="utf-8") as out:
        for case in cases:
            for epoch in range(asked.epochs):
                t, kept = recorded(case, asked.seed, epoch)
                name = f"{case}-{asked.seed}-{epoch}"
                text, orders = as_text(t, kept, np.random.default_rng([asked.seed, epoch]))
                (asked.out / f"{name}.txt").write_text(text, encoding="utf-8")
                row = {"session": name, "turns": [[x.speaker, x.text] for x in t.turns], "therapist": kept,
                       "orders": orders}  # fmt: skip
                out.write(json.dumps(row, ensure_ascii=False) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
