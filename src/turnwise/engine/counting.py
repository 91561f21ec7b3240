"""With which value a session enters aggregates and comparisons: losing a patient can never raise one."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

__all__ = ["LEFT", "counted"]

LEFT = ("patient_left", "patient_faded", "not_held")
"""Endings in which a simulated patient went before the session was over, or had left before and did not come."""


def counted(
    value: float | None, spec: Mapping[str, Any], *, left: bool, attended: int, planned: int | None
) -> float | None:
    """Return the value with which a session counts.

    Definition: in a session that a simulated patient left, planned turns that were never reached count as not met: a
    mean over turns takes them in at its worst bound, any other oriented measure counts at its worst bound, and has no
    value where that bound is infinite. A planned session to which the patient did not come any more counts at the worst
    bound of every oriented measure. Elsewhere the value itself.

    Parameters
    ----------
    value : as measured, ``None`` where unscored.
    spec : of the measure: ``orientation``, ``bounds`` and ``over``.
    left, attended, planned : whether the patient left, and how many of how many patient turns there were.

    Examples
    --------
    >>> spec = {"orientation": "higher", "bounds": (0.0, 1.0), "over": "turns"}
    >>> counted(0.8, spec, left=True, attended=5, planned=10), counted(0.8, spec, left=False, attended=5, planned=10)
    (0.4, 0.8)
    """
    orientation, bounds = spec["orientation"], spec["bounds"]
    reached_all = planned is not None and attended >= planned
    if not left or reached_all or orientation == "none" or (spec["over"] == "planned" and attended):
        return value
    worst = float(bounds[0] if orientation == "higher" else bounds[1])
    if not math.isfinite(worst):
        return None
    if value is None or spec["over"] != "turns" or not attended:
        return worst
    share = attended / max(1, planned or 1)
    return share * value + (1.0 - share) * worst
