"""What the gate plays with one patient, ready to be measured, and the human figures of the same modality."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from turnwise.batteries.conformance.asking import Interview
from turnwise.batteries.conformance.fitting import Unplanned
from turnwise.core.nouns import Case, Trajectory

__all__ = ["Human", "Played", "human_of", "modality_of"]


@dataclass(frozen=True, slots=True)
class Played:
    """All sessions of one patient that the gate looks at.

    Attributes
    ----------
    case : who the patient is.
    panel : the therapists of the panel times the seeds, with readings attached.
    alike : one script of therapist lines under every seed.
    interviews : everything asked again, with what was asked when.
    unplanned : an opening line, then therapist turns nobody planned for.
    """

    case: Case
    panel: tuple[Trajectory, ...]
    alike: tuple[Trajectory, ...] = ()
    interviews: tuple[tuple[Interview, Trajectory], ...] = ()
    unplanned: tuple[tuple[tuple[Unplanned, ...], Trajectory], ...] = ()

    @property
    def spoken_to(self) -> Sequence[Trajectory]:
        """Sessions of the panel in which the therapist says a word: human bands come from conversations."""
        return [t for t in self.panel if any(x.speaker == "therapist" and _has_word(x.text) for x in t.turns)]


def _has_word(text: str) -> bool:
    return any(c.isalnum() for c in text)


def modality_of(case: Case) -> str:
    """Return whether a case speaks or types (spoken where it does not say)."""
    voice = case.truth.get("voice")
    modality = voice.get("modality") if isinstance(voice, dict) else None
    return "typed" if modality == "typed" else "spoken"


@dataclass(frozen=True, slots=True)
class Human:
    """What ``bands.json`` holds of the modality of one case (figures of human sessions)."""

    modality: str
    source: str
    figures: Mapping[str, Any]

    def quantile(self, name: str, q: int) -> float:
        """Return a quantile over dialogues of a figure of single dialogues."""
        return float(self.figures["dialogues"][name]["quantiles"][str(q)])


def human_of(bands: Mapping[str, Any], case: Case) -> Human:
    """Return the human figures in the modality of a case."""
    modality = modality_of(case)
    figures = bands["modalities"][modality]
    return Human(modality, f"{figures['data']['name']}, {modality}", figures)
