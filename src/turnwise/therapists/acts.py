"""What the Socratic therapist can do: moves with their kind, intensity, stage, and what each is worth when.

Values are the therapist's own, small tables of act by stance and act by need; they know nothing of how any simulated
patient reckons.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from turnwise.core.nouns import FloatArray
from turnwise.therapists.stance import STANCES, ActClass
from turnwise.therapists.tracking.needs import NEEDS

__all__ = ["ACTS", "NEED_VALUES", "NO_ACT", "STANCE_VALUES", "Act"]


@dataclass(frozen=True, slots=True)
class Act:
    """A move with its kind, intensity in [0, 1], Padesky stage and value by stance and by need.

    Stages: 1 informational questions, 2 empathic listening, 3 summary, 4 analytical or synthesising.
    ``value`` runs in the order of ``STANCES``; ``meets`` holds what the move is worth where a need is there, and
    needs that are not named are worth 0.
    """

    move: str
    kind: ActClass
    intensity: float
    stage: int
    value: tuple[float, ...]
    meets: Mapping[str, float] = field(default_factory=dict)


NO_ACT: tuple[float, ...] = (0.0,) * len(STANCES)
_ASKED = {"request": -0.7, "bait": -0.6, "insight": -0.3}  # a question or a reflection where an answer is due
_PRESSES = {"disclosure": -0.7, "invalidation": -1.0, "request": -0.9, "bait": -0.2, "insight": -0.4, "risk": -1.0}

ACTS: Mapping[str, Act] = {
    act.move: act
    for act in (
        #                                           engaged  raw  ambiv  resist withdr none
        Act("open_question", "question", 0.1, 1, (0.42, 0.05, 0.30, -0.20, 0.05, 0.35),
            {**_ASKED, "thin": 0.5, "invalidation": -0.5, "disclosure": -0.3}),
        Act("small_question", "question", 0.1, 1, (0.30, 0.00, 0.25, -0.25, 0.05, 0.25),
            {**_ASKED, "thin": 0.9, "invalidation": -0.5, "disclosure": -0.4}),
        Act("agenda", "question", 0.1, 1, (0.55, 0.05, 0.45, -0.10, 0.10, 0.40), {**_ASKED, "disclosure": -0.4}),
        Act("check_in", "question", 0.1, 1, (0.10, -0.15, 0.10, -0.10, 0.05, 0.10),
            {**_ASKED, "disclosure": -0.6, "distortion": -0.4, "invalidation": -0.6, "hint": -0.4, "thin": 0.2}),
        Act("receive", "support", 0.0, 2, (1.00, 0.80, 0.80, 0.60, 0.60, 0.80), {}),
        Act("ask_feeling", "question", 0.2, 2, (0.40, 0.30, 0.25, -0.30, -0.05, 0.25),
            {**_ASKED, "disclosure": 0.5, "invalidation": -0.5}),
        Act("reflect_feeling", "support", 0.0, 2, (0.95, 1.00, 0.60, 0.25, 0.25, 0.40),
            {**_ASKED, "disclosure": 1.0, "invalidation": 0.2}),
        Act("reflect_content", "support", 0.0, 2, (0.85, 0.60, 0.62, 0.25, 0.28, 0.50),
            {**_ASKED, "disclosure": 0.4, "invalidation": 0.2, "thin": -0.3}),
        Act("attend", "support", 0.0, 2, (0.95, 0.95, 0.62, 0.10, 0.25, 0.50),
            {**_ASKED, "disclosure": 1.0, "thin": -0.4, "invalidation": -0.4}),
        Act("stay", "support", 0.0, 2, (-0.15, 0.55, 0.05, 0.10, 0.30, 0.05), {**_ASKED, "thin": -0.3}),
        Act("normalise", "support", 0.0, 2, (0.00, 0.35, 0.20, 0.15, 0.25, 0.10), _ASKED),
        Act("summarise", "support", 0.1, 3, (0.62, 0.25, 0.60, 0.05, 0.05, 0.30), {**_ASKED, "invalidation": -0.3}),
        Act("ask_thought", "challenge", 0.3, 4, (0.66, -0.10, 0.35, -0.50, -0.40, 0.15), {**_PRESSES, "thin": -0.2}),
        Act("ask_view", "question", 0.25, 4, (1.00, 0.20, 0.55, -0.40, -0.30, 0.30),
            {**_PRESSES, "disclosure": -0.4, "distortion": 1.0, "thin": -0.3}),
        Act("ask_other_view", "challenge", 0.38, 4, (1.00, -0.20, 0.45, -0.90, -0.60, 0.10),
            {**_PRESSES, "disclosure": 0.9, "distortion": 1.2, "thin": -0.3}),
        Act("ask_different", "question", 0.25, 4, (0.75, -0.20, 0.45, -0.60, -0.20, 0.35),
            {**_PRESSES, "thin": 0.5}),
        Act("ask_more", "question", 0.25, 4, (1.10, 0.00, 0.60, -0.60, -0.30, 0.40),
            {**_PRESSES, "thin": -0.2}),
        Act("ask_both_sides", "question", 0.27, 4, (1.25, -0.10, 0.50, -0.60, -0.40, 0.20),
            {**_PRESSES, "distortion": 0.6, "thin": -0.2}),
        Act("ask_evidence", "challenge", 0.40, 4, (1.10, -0.50, 0.25, -0.80, -0.60, 0.05),
            {**_PRESSES, "distortion": 0.5}),
        Act("ask_exception", "challenge", 0.42, 4, (1.45, -0.45, 0.35, -0.95, -0.75, 0.05),
            {**_PRESSES, "distortion": 0.6}),
        Act("ask_alternative", "challenge", 0.42, 4, (1.40, -0.50, 0.30, -0.95, -0.70, 0.00),
            {**_PRESSES, "distortion": 0.6}),
        Act("synthesise", "challenge", 0.44, 4, (1.40, -0.45, 0.40, -0.80, -0.60, 0.05),
            {**_PRESSES, "distortion": 0.4, "insight": 0.2}),
        Act("next_step", "question", 0.4, 4, (0.55, -0.50, 0.10, -0.80, -0.50, 0.00), {**_PRESSES, "insight": 0.3}),
        Act("take_away", "question", 0.2, 4, (0.60, 0.00, 0.30, -0.40, -0.10, 0.20), {**_ASKED, "disclosure": -0.4}),
        Act("step_back", "support", 0.0, 2, (-0.35, 0.00, 0.05, 1.00, 0.30, 0.00),
            {"invalidation": 1.5, "request": -0.5}),
        Act("give_room", "support", 0.0, 2, (-0.45, 0.15, -0.05, 0.45, 0.85, -0.05),
            {"invalidation": 0.6, "request": -0.7}),
        Act("consolidate", "support", 0.2, 4, (0.20, 0.05, 0.20, -0.20, -0.20, 0.05),
            {"insight": 2.2, "invalidation": -0.5}),
        Act("test_insight", "challenge", 0.36, 4, (0.20, -0.30, 0.10, -0.80, -0.60, 0.00),
            {**_PRESSES, "insight": 2.2}),
        Act("check_hint", "question", 0.2, 2, (0.10, 0.10, 0.10, -0.30, -0.05, 0.05),
            {**_ASKED, "hint": 1.5, "invalidation": -0.6}),
        Act("give", "offer", 0.2, 1, (-0.60, -1.20, -0.50, -0.50, -0.60, -0.50), {"request": 2.9}),
        Act("hold", "support", 0.3, 4, (-0.50, -0.50, -0.40, -0.30, -0.40, -0.40), {"bait": 2.6}),
    )
}  # fmt: skip
"""Everything that may be chosen by value; what is owed first (risk, identity, a goodbye) is not chosen but due."""

STANCE_VALUES: FloatArray = np.array([act.value for act in ACTS.values()])
"""(acts, stances)"""
NEED_VALUES: FloatArray = np.array([[act.meets.get(need, 0.0) for need in NEEDS] for act in ACTS.values()])
"""(acts, needs)"""
