"""How often ears and raters differ on turns that simulated patients and embedded therapists say.

Participants act on what the ears hear, measures count what the raters read. Where the two share
their errors, a therapist could be rewarded for what both mistake; where they differ, both are at work.
"""

from __future__ import annotations

import asyncio
from typing import Any

from turnwise.core.nouns import Trajectory
from turnwise.core.registry import READERS
from turnwise.engine.batch import default_cast, play_many
from turnwise.engine.study import resolve_study
from turnwise.engine.validating import as_document
from turnwise.reading.ears.direct import hear_block
from turnwise.reading.window import windows_of
from turnwise.stats.bootstrap import bootstrap_mean

THERAPISTS = ("socratic", "reflector", "advisor")
EPOCHS, SEED = 4, 1
ITEMS = ("therapist_behaviour", "client_talk")


def played() -> list[Trajectory]:
    """Return the sessions of a small study: every case with three unlike therapists."""
    study = resolve_study(therapists=THERAPISTS, seed=SEED, epochs=EPOCHS)
    found: list[Trajectory] = []
    asyncio.run(play_many(study.specs(), default_cast(study), on_done=found.append))
    return sorted(found, key=lambda t: t.session_id)


def heard_and_read() -> dict[str, Any]:
    """Return per item how often ear and rater give another label, with an interval over cases and therapists."""
    sessions = played()
    out: dict[str, Any] = {"sessions": len(sessions), "therapists": list(THERAPISTS), "seed": SEED, "items": {}}
    heard = [hear_block(windows_of(t.turns)) for t in sessions]
    for item in ITEMS:
        apart, pair = [], []
        for t, ears, reading in zip(sessions, heard, READERS.get(item).obj().read(sessions), strict=True):
            labels = reading.labels
            for hearing, value in zip(ears, reading.values(), strict=True):
                p = hearing.p.get(item)
                if p is not None and value is not None:
                    apart.append(float(labels[int(p.argmax())] != value))
                    pair.append("/".join(t.session_id.split("/")[:3]))
        out["items"][item] = as_document(bootstrap_mean(apart, clusters=pair, rng=20_261_121))
    return out
