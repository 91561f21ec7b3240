"""The contrary family: patients in whom one stated principle is turned round, so that theories can be told apart.

Same cases, same words, same rules; a switch changes the numbers that state one principle and
nothing else. A conclusion that holds in the principled family and in the contrary one with any
switch does not hang on that principle. Nobody is like this: it is a control, not a theory.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from turnwise.core.registry import patient
from turnwise.patients.change_sizes import VALUES, Sizes
from turnwise.patients.mind import Mind
from turnwise.patients.stateful import EMITS, Family, Stateful
from turnwise.reading.ears.hearing import Ear

__all__ = ["SWITCHES", "contrary", "contrary_sizes"]

SWITCHES: Mapping[str, Mapping[str, float]] = {
    "support": {"reflection_calms": 0.07},
    "edge": {"challenge_reactance": -0.12, "challenge_trust": 0.05, "challenge_invalidated": -3.0},
    "raw_advice": {"early_advice_reactance": -0.05, "early_advice_trust": 0.02, "raw_advice": -0.05},
    "invited_help": {"invited_help": -0.05, "invited_calms": 0.03, "invited_met": 0.0},
    "accuracy": {"fits_at_zero": 1.0, "fits_slope": -0.9, "wrong_feeling": 0.3},
    "assertion": {"told_conviction": -0.05},
    "own_evidence": {"insight_conviction": 0.07},
    "taken_up": {"view_given_back": 0.01, "view_gone_on_with": 0.02},
    "collusion": {"agrees_trust": -0.03, "agrees_conviction": -0.03, "agrees_soothes": 0.01},
    "repetition": {"repeat_decay": 1.7, "kind_decay": 1.6},
    "praise": {"praise_cap": 1.0, "praise_decay": 1.0},
    "parrot": {"near_copy": 0.2},
    "silence": {"silence_trust": 0.01},
    "insisting": {"insist_reactance": -0.06, "insist_trust": 0.02, "stepped_with": -0.05, "yield_reactance": 0.05},
    "unmet": {"leave_hazard": 0.0, "fade_hazard": 0.0},
    "natural_course": {"course_turned": -1.0},
    "telling": {"told_stirs": -0.15, "met_settles": -0.5, "raw_advice_stirs": -0.05},
}
"""Switch (a name of ``principles.PRINCIPLES``) to the numbers it changes."""


def contrary_sizes(breaks: str) -> Sizes:
    """Return the table with one principle turned round.

    Raises
    ------
    ValueError : there is no such switch; the message lists those there are.

    Examples
    --------
    >>> contrary_sizes("support")["reflection_calms"] > 0
    True
    """
    if breaks not in SWITCHES:
        raise ValueError(f"breaks={breaks!r} is no principle; known: {', '.join(SWITCHES)}.")
    return VALUES.but(f"contrary:{breaks}", **SWITCHES[breaks])


@patient(
    name="contrary.v1",
    emits=(*EMITS, "broken"),
    source="definition of this project: one principle of change turned round, drawn by the seed",
)
def contrary(*, ear: Ear, breaks: str | None = None) -> Stateful:
    """Patients who break one principle of change; which one is drawn from the seed and told in the truth record.

    ``breaks`` names the principle instead (also as families of their own, ``contrary_support.v1`` and so
    on, so that a stored session can be replayed from its recipe). A control and no theory of people.
    """
    if breaks is not None:
        sizes = contrary_sizes(breaks)
        return Stateful(ear, Family(sizes=lambda rng: sizes, tells=_tells))
    every = tuple(contrary_sizes(name) for name in SWITCHES)
    return Stateful(ear, Family(sizes=lambda rng: every[int(rng.integers(len(every)))], tells=_tells))


def _tells(mind: Mind) -> dict[str, str]:
    return {"sizes": mind.sizes.name, "broken": mind.sizes.name.removeprefix("contrary:")}


def _with(breaks: str) -> Callable[..., Stateful]:
    def family(*, ear: Ear) -> Stateful:
        return contrary(ear=ear, breaks=breaks)

    family.__doc__ = f"Patients who break the principle {breaks!r} (see contrary): a control, no theory of people."
    family.__name__ = family.__qualname__ = f"contrary_{breaks}"
    return family


for _name in SWITCHES:
    patient(
        name=f"contrary_{_name}.v1",
        emits=(*EMITS, "broken"),
        source="definition of this project: one principle of change turned round",
    )(_with(_name))
