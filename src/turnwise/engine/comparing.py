"""Two groups of sessions side by side: for every measure and every skill on every rung, how much B is above A.

Paired where the same patient (and the same luck) was met in both, else over different units. What cannot be compared
fairly (other versions of a coder or a measure, other histories) is refused by name. Nothing is averaged over measures,
skills or panels: there is one difference a row, and one correction for how many rows there are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeAlias

from turnwise.batteries.ladder.gaps import NOT_PER_MOMENT
from turnwise.batteries.ladder.moments import RUNGS
from turnwise.core.errors import UsageError
from turnwise.core.registry import METRICS, SKILLS
from turnwise.engine.compared_runs import Arm, ComparedRun
from turnwise.engine.differences import Difference, compared_metric, compared_rung, compared_safety
from turnwise.engine.discovery import discover
from turnwise.engine.embedded import all_embedded
from turnwise.engine.ladder_store import NOT_A_FINDING
from turnwise.engine.margins import Margins
from turnwise.engine.meeting import Meeting
from turnwise.engine.safety_gate import SAFETY, gate, with_safety_verdicts
from turnwise.engine.verdicts import Q, with_verdicts

__all__ = ["compare"]


def compare(
    paths: Sequence[Path], *, groups: Sequence[str] = (), by: str | None = None, margins: Sequence[str] = ()
) -> dict[str, Any]:
    """Return every difference B - A between two runs, or between two groups of one run, as JSON.

    Parameters
    ----------
    paths : A and B, or one folder that holds both groups.
    groups : therapists (or other groups). One folder: A and B. Two folders: one name means it in both, two names the
        first in A and the second in B, none every group that both hold (or the only one of each).
    by : a key of ``meta`` to group transcripts by, instead of how they were grouped when scored.
    margins : the largest differences that do not matter, ``"0.1"`` (for shares and skills) or ``"NAME=2"``.

    Raises
    ------
    UsageError : a folder is not a finished run, a group is not there, or it is not clear what to compare.

    References
    ----------
    Definition of this project; Benjamini & Hochberg (1995), see ``stats.multiplicity``.
    """
    discover()
    if not 1 <= len(paths) <= 2:
        raise UsageError("give two run folders, or one and the two groups in it.")
    a = ComparedRun(paths[0], by)
    b = a if len(paths) == 1 or paths[1] == paths[0] else ComparedRun(paths[1], by)
    pairs, left_out = _sides(a, b, groups, one=len(paths) == 1)
    allowed = Margins.parse(margins, {*a.metrics, *b.metrics})
    found = [_comparison(a.arm(x), b.arm(y)) for x, y in pairs]
    rows = with_verdicts([row for _, _, own, _ in found for row in own], allowed)
    safety = with_safety_verdicts([row for _, _, _, own in found for row in own], allowed)
    family = sum(row.p is not None for row in rows)
    comparisons = []
    for meeting, refused, own, primary in found:
        judged, rows = rows[: len(own)], rows[len(own) :]
        first, safety = safety[: len(primary)], safety[len(primary) :]
        comparisons.append(_document(meeting, refused, [*first, *judged]))
    failed = [name for c in comparisons for name in _failed(c, several=len(comparisons) > 1)]
    return {
        "format": "turnwise.compare/1",
        "difference": "B - A",
        "comparisons": comparisons,
        "left_out": left_out,
        "level": 0.95,
        "q": Q,
        "family": family,
        "correction": f"Benjamini-Hochberg over the {family} differences compared here, at {Q:g}",
        "margins": allowed.named(),
        "failed": failed,
        "verdict": gate(comparisons, failed),
    }


def _failed(comparison: Mapping[str, Any], *, several: bool) -> Iterator[str]:
    """Name where B is worse by more than a margin allows."""
    whose = f"{comparison['b']['label']}: " if several else ""
    for row in comparison["rows"]:
        if row["verdict"] == "worse" and not row["within_margin"]:
            place = "on every rung" if row["kind"] == "safety" else row["rung"] or ""
            yield f"{whose}{row['name']} {place}".rstrip()


# --- who is compared with whom ---------------------------------------------------------------------


def _sides(
    a: ComparedRun, b: ComparedRun, asked: Sequence[str], *, one: bool
) -> tuple[list[tuple[str, str]], list[dict[str, str]]]:
    if len(asked) > 2:
        raise UsageError(f"{len(asked)} groups were named; name the one that is A and the one that is B.")
    if one:
        return [_within_one(a, asked)], []
    if asked:
        return [(a.group(asked[0]), b.group(asked[-1]))], []
    first, second = a.groups(), b.groups()
    if len(first) == len(second) == 1:
        return [(first[0], second[0])], []
    both = [g for g in first if g in second]
    if not both:
        raise UsageError(
            f"{a.path} holds {_few(first)}, {b.path} holds {_few(second)}: name one of each with --therapist X "
            "--therapist Y."
        )
    alone = [(g, "A") for g in first if g not in both] + [(g, "B") for g in second if g not in both]
    return [(g, g) for g in both], [{"what": g, "why": f"it is in {side} only"} for g, side in alone]


def _within_one(run: ComparedRun, asked: Sequence[str]) -> tuple[str, str]:
    there = run.groups()
    if not asked and len(there) == 2:
        return there[0], there[1]
    if len(asked) != 2:
        what = "--therapist X --therapist Y" if run.played else "--group X --group Y (or --by KEY to group them anew)"
        raise UsageError(f"{run.path} holds {_few(there)}: give a second folder, or name two of them with {what}.")
    x, y = (run.group(name) for name in asked)
    if x == y:
        raise UsageError(f"both names mean {x!r}; name two groups, or give the folder twice.")
    return x, y


def _few(groups: Sequence[str]) -> str:
    shown = ", ".join(groups[:6]) + (", …" if len(groups) > 6 else "")
    return f"{len(groups)} group{'s' if len(groups) != 1 else ''} ({shown})"


# --- one comparison --------------------------------------------------------------------------------


_Found: TypeAlias = tuple[Meeting, list[dict[str, str]], list[Difference], list[Difference]]


def _comparison(a: Arm, b: Arm) -> _Found:
    """Return how two arms met, what was refused, the differences, and those of safety."""
    meeting = Meeting.of(a, b)
    refused: list[dict[str, str]] = []
    rows: list[Difference] = []
    for found in (*_skill_rows(meeting), *_metric_rows(meeting)):
        if isinstance(found, Difference):
            rows.append(found)
        else:
            refused.append(found)
    return meeting, refused, rows, list(_safety_rows(meeting))


def _safety_rows(meeting: Meeting) -> Iterator[Difference]:
    known = {e.base: e for e in SKILLS.newest()}
    for skill in SAFETY:
        if skill in known and not meeting.other_coders(known[skill].spec["needs"]):
            row = compared_safety(meeting, skill)
            if row is not None:
                yield row


def _refused(what: str, why: str) -> dict[str, str]:
    return {"what": what, "why": why}


def _metric_rows(meeting: Meeting) -> Iterator[Difference | dict[str, str]]:
    a, b = meeting.a.run, meeting.b.run
    for name in sorted({*a.metrics, *b.metrics}):
        versions = [run.metrics.get(name) for run in (a, b)]
        full = f"{name}.v{versions[0]}"
        if None in versions:
            yield _refused(name, f"measured in {'B' if versions[0] is None else 'A'} only; score the other again")
        elif versions[0] != versions[1]:
            yield _refused(name, f"other versions of the measure: v{versions[0]} in A, v{versions[1]} in B")
        elif full not in METRICS:
            yield _refused(name, f"{full} is not known here; score both again, or install what registers it")
        else:
            entry = METRICS.get(full)
            items = [x.partition(":")[2] for x in (*entry.spec["needs"], *entry.spec["may_read"]) if "reading:" in x]
            why = meeting.other_coders(items) or meeting.other_lengths()
            yield _refused(name, why) if why else compared_metric(meeting, entry)


def _skill_rows(meeting: Meeting) -> Iterator[Difference | dict[str, str]]:
    without = [side for side, arm in (("A", meeting.a), ("B", meeting.b)) if not arm.cells]
    if without:
        who = "neither has one" if len(without) == 2 else f"{without[0]} has none"
        yield _refused("the ladder", f"{who} (not played, or these are transcripts)")
        return
    known = {e.base: e for e in SKILLS.newest()}
    for skill in sorted({*meeting.a.cells, *meeting.b.cells}):
        if skill not in known:
            yield _refused(skill, "this skill is not known here")
            continue
        why = meeting.other_coders(known[skill].spec["needs"])
        if why:
            yield _refused(skill, why)
            continue
        for rung in RUNGS:
            other = meeting.other_history(rung)
            yield _refused(f"{skill} {rung}", other) if other else compared_rung(meeting, skill, rung)
    for skill, why in NOT_PER_MOMENT.items():
        yield _refused(skill, why)


def _side(arm: Arm) -> dict[str, Any]:
    return {
        "run": str(arm.run.path),
        "group": arm.group,
        "label": arm.label,
        "sessions": len(arm.sessions),
        "units": len({s.unit for s in arm.sessions}),
        "unit": "patient" if arm.run.played else "series",
    }


def _document(meeting: Meeting, refused: Sequence[dict[str, str]], rows: Sequence[Difference]) -> dict[str, Any]:
    embedded = meeting.a.run.played and meeting.b.run.played and all_embedded([meeting.a.group, meeting.b.group])
    return {
        "a": _side(meeting.a),
        "b": _side(meeting.b),
        "pairing": meeting.pairing,
        "notes": [*([NOT_A_FINDING] if embedded else []), *meeting.notes],
        "not_compared": list(refused),
        "counts": dict(sorted(Counter(row.verdict for row in rows).items())),
        "rows": [asdict(row) for row in rows],
    }
