"""Sessions that the tests of the panels share: turns with labels of the skill raters, and random ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from hypothesis import strategies as st

from turnwise.core.nouns import Moment, Reading, SessionSpec, Trajectory, Turn
from turnwise.reading.skill_items import SKILL_ITEMS

CLAIMS = ("none", "supported", "unsupported", "contradicted")
LABELS: Mapping[str, tuple[str, ...]] = {
    **{item: about.labels for item, about in SKILL_ITEMS.items()},
    "claims": CLAIMS,
    "er": ("0", "1", "2"),
    "client_talk": ("change", "neutral", "sustain"),
    "mi_code": ("Affirm", "Support", "Other"),
}
OF_PATIENT = ("moment", "client_talk")
PATIENT_SAYS = (
    "I'm furious with my sister.",
    "I feel sad about Mum, and I'm ashamed of it.",
    "She decided about Mum without me, and I need to count in this family.",
    "Whatever you say.",
    "You're not listening, this homework is pointless.",
    "Fine.",
    "  ",
    "I'm scared that nobody ever stays, people always leave.",
    "My brother drove over on Tuesday with the old photographs from the attic.",
)
THERAPIST_SAYS = ("What was it that got to you?", "That's understandable, try to relax.", "You left him.", "", "I see.")


def session(*said: tuple[str, str, Mapping[str, str]], truth: bool = False) -> Trajectory:
    """Return a session of (``"t"`` or ``"p"``, words, labels by item); with ``truth`` moments are emitted, not read."""
    turns = tuple(Turn(speaker="patient" if who == "p" else "therapist", text=text) for who, text, _ in said)
    ratings = {}
    for item, labels in LABELS.items():
        decided, codes, p = [], [], np.full((len(said), len(labels)), np.nan)
        for i, (who, text, found) in enumerate(said):
            label = (
                found.get(item) if (item in OF_PATIENT) == (who == "p") and not (truth and item == "moment") else None
            )
            assert label is None or label in labels
            decided.append(label)
            codes.append(None if label is not None else "not_applicable" if text.strip() else "empty")
            if label is not None:
                p[i] = np.eye(len(labels))[labels.index(label)]
        ratings[item] = Reading(item, "test", "0" * 64, labels, p, tuple(codes), tuple(decided))
    spec = SessionSpec(case="c", patient="p", therapist="t", seed=1, max_turns=40) if truth else None
    infos = tuple({"moment": found.get("moment")} if who == "p" else {} for who, _, found in said) if truth else ()
    t = Trajectory(
        session_id="panel",
        source="test",
        turns=turns,
        infos=infos,
        spec=spec,
        ending="max_turns" if truth else "unknown",
    )
    return t.with_ratings(ratings)


def without(t: Trajectory, item: str) -> Trajectory:
    return t.with_ratings({k: v for k, v in t.ratings.items() if k != item})


def random_said(rng: np.random.Generator, n: int, alternate: bool = True) -> list[tuple[str, str, dict[str, str]]]:
    """Return ``n`` turns with random words and labels; every fifth turn or so was not read."""
    said = []
    for k in range(n):
        who = "tp"[k % 2] if alternate else "tp"[int(rng.integers(2))]
        text = str(rng.choice(PATIENT_SAYS if who == "p" else THERAPIST_SAYS))
        read = bool(text.strip()) and rng.random() < 0.8
        items = {i: x for i, x in LABELS.items() if (i in OF_PATIENT) == (who == "p")} if read else {}
        labels = {item: str(rng.choice(x)) for item, x in items.items()}
        said.append((who, text, labels))
    return said


def panel_sessions() -> list[Trajectory]:
    """Return random sessions, read and simulated, alternating and not."""
    found = []
    for seed in range(24):
        rng = np.random.default_rng(seed)
        said = random_said(rng, int(rng.integers(1, 40)), alternate=seed % 3 > 0)
        if seed % 2:
            names = [m.value for m in Moment]
            said = [(w, x, y | ({"moment": str(rng.choice(names))} if w == "p" else {})) for w, x, y in said]
        found.append(session(*said, truth=bool(seed % 2)))
    return found


seeds = st.integers(0, 2**32 - 1)
lengths = st.integers(0, 30)


def exchanges(said: Sequence[tuple[str, str, dict[str, str]]]) -> list[list[tuple[str, str, dict[str, str]]]]:
    """Cut turns that alternate into (therapist, patient) pairs."""
    return [list(said[k : k + 2]) for k in range(0, len(said) - 1, 2)]


def test_labels_read_back_and_truth_takes_the_place_of_what_was_read() -> None:
    said = (("t", "Hm?", {"er": "1"}), ("p", "No.", {"moment": "thin", "client_talk": "neutral"}))
    read, played = session(*said), session(*said, truth=True)
    assert read.reading("er").values() == ("1", None)
    assert read.reading("moment").values() == (None, "thin")
    assert played.reading("moment").values() == (None, None)
    assert played.info(1) == {"moment": "thin"}
