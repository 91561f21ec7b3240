"""Our measures as an Inspect scorer: one value for each, and the reason where there is none."""

from __future__ import annotations

import threading
from functools import cache
from typing import Any

from turnwise.core.measure import measure
from turnwise.core.nouns import Trajectory, Turn
from turnwise.core.registry import METRICS
from turnwise.engine.chat import OPENER, SILENCE
from turnwise.engine.discovery import discover
from turnwise.engine.ratings import DEFAULT_BUNDLE, Readers
from turnwise.engine.through_inspect.logs import SESSION, own_session

__all__ = ["define_session_scores", "scored", "session_in"]

_READING = threading.Lock()


@cache
def _readers(bundle: str) -> Readers:
    discover()
    return Readers.load(bundle)


def session_in(state: Any) -> Trajectory:
    """Return the session of a sample: as we stored it, or else what its messages say (the user is the patient)."""
    store = dict(state.store.items()) if state.store is not None else {}
    found = own_session(state.metadata, store, state.output.metadata)
    if found is not None:
        return found
    turns: list[Turn] = []
    for message in state.messages:
        if message.role not in ("user", "assistant") or (not turns and message.text == OPENER):
            continue
        text = "" if message.text == SILENCE else message.text
        turns.append(Turn(speaker="patient" if message.role == "user" else "therapist", text=text))
    return Trajectory(session_id=f"{state.sample_id}/{state.epoch}", source="Inspect", turns=tuple(turns))


def scored(t: Trajectory, bundle: str = DEFAULT_BUNDLE) -> tuple[dict[str, float], dict[str, str]]:
    """Return every measure of a session that has a value, and for the others why they have none."""
    with _READING:  # coders are shared, and samples are scored in threads
        (t,) = _readers(bundle).rate([t])
    values: dict[str, float] = {}
    reasons: dict[str, str] = {}
    for entry in METRICS.newest():
        score = measure(entry, t)
        if score.value is None:
            reasons[entry.base] = f"{score.code}: {score.detail}"
        else:
            values[entry.base] = float(score.value)
    return values, reasons


def define_session_scores() -> Any:
    """Return the scorer ``turnwise/session_scores``, registered with Inspect."""
    from inspect_ai.scorer import Score, mean, scorer, stderr

    def session_scores(readers: str = DEFAULT_BUNDLE) -> Any:
        """Score a session by every measure of turnwise; what has no value is NaN here, with its reason in metadata.

        Reads samples of turnwise/sessions, exported runs, and any log in which the user is the patient.

        Args:
            readers: Coders by licence: "research" (all) or "open".
        """

        async def score(state: Any, target: Any) -> Any:
            from anyio.to_thread import run_sync

            t = session_in(state)
            values, reasons = await run_sync(scored, t, readers)
            unscored = dict.fromkeys(reasons, float("nan"))
            return Score(
                value=dict(sorted({**values, **unscored}.items())),
                answer=t.ending,
                explanation=t.error,
                # In the score too: what a killed evaluation leaves behind keeps scores, and no store.
                metadata={SESSION: t.model_dump(mode="json"), "unscored": reasons},
            )

        return score

    return scorer(metrics={"*": [mean(), stderr()]})(session_scores)
