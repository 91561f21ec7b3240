"""Whether the bad therapists of a run lose where they have to: on skills of the ladder and on panels."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any, get_args

from turnwise.batteries.ladder.losing import LEAST_PATIENTS, ByPatient, Loss, Met, beyond, dominated_by, losses
from turnwise.core.registry import METRICS, THERAPISTS, Panel
from turnwise.engine.summary import Summary

__all__ = ["instrument_check", "panel_values"]

_PANELS: tuple[str, ...] = get_args(Panel)


def panel_values(summary: Summary) -> dict[str, dict[str, dict[str, float]]]:
    """Return ``"panel: metric"`` → therapist → patient → mean over its sessions, turned so that higher is better.

    Only metrics that belong to a panel, have a better side and can be read alone: who repairs one rupture in ten, at
    once, has the best latency.
    """
    out: dict[str, dict[str, dict[str, float]]] = {}
    for entry in METRICS.newest():
        panel, better = entry.spec.get("panel"), entry.spec["orientation"]
        if panel is None or better == "none" or entry.spec["given"] is not None:
            continue
        found: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
        for therapist, patient, value in summary.values(entry):
            found[therapist][patient].append(value if better == "higher" else -value)
        out[f"{panel}: {entry.base}"] = {
            t: {p: sum(v) / len(v) for p, v in sorted(own.items())} for t, own in sorted(found.items())
        }
    return out


def instrument_check(
    skills: Mapping[str, ByPatient],
    panels: Mapping[str, ByPatient],
    met: Mapping[str, Mapping[str, frozenset[Met]]] = {},
) -> dict[str, Any]:
    """Return whether the therapists of a run lose where their registration says, and who is dominated by whom.

    A therapist loses on a panel if it loses on one of its metrics; the row shows the one it loses on most clearly.
    Who is not registered (a model) has nothing to lose. ``lures``: how each foil stands where it was built to please;
    ``dominated_by`` leaves these places out, ``dominated_everywhere`` does not. Panels and skills are never added up.
    """
    values = {**skills, **panels}
    there = sorted({t for by in values.values() for t in by})
    known = {t: THERAPISTS.get(t).spec for t in there if t in THERAPISTS}
    lures = {t: [place for x in spec.get("lures", ()) for place in _places(x, values)] for t, spec in known.items()}
    rows: list[Loss] = []
    for therapist, spec in known.items():
        for where in spec["must_lose"]:
            metrics = [name for name in panels if name.startswith(f"{where}: ")] if where in _PANELS else [where]
            found = losses(values, {therapist: metrics or [where]}, lures=lures)
            rows.append(replace(max(found, key=_clearly), where=where) if len(found) == 1 else max(found, key=_clearly))
    return {
        "losses": [asdict(x) for x in rows],
        "lures": [asdict(x) | {"leads": _leads(x)} for x in losses(values, lures)],
        "dominated_by": {t: dominated_by(values, t, lures=lures.get(t, ()), met=met) for t in there},
        "dominated_everywhere": {t: dominated_by(values, t, met=met) for t in there},
    }


def _places(name: str, values: Mapping[str, ByPatient]) -> list[str]:
    """Return the skill or the metrics of a panel that a lure names."""
    return [place for place in values if place == name or place.endswith(f": {name}")]


def _leads(x: Loss) -> bool | None:
    """Whether a foil is ahead of everybody else, by something that matters; ``None``: nothing can be said."""
    if x.by.high is None or x.by.n < LEAST_PATIENTS:
        return None
    return beyond(x.by) < 0


def _clearly(x: Loss) -> tuple[bool, bool, float]:
    return bool(x.loses), x.loses is not None, -1e9 if x.by.low is None else x.by.low
