"""Sessions made by hand, shared by the tests of this room."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from turnwise.core.nouns import Ending, SessionSpec, Trajectory, Turn

Line = str | tuple[str, Mapping[str, Any]]


def made(
    *lines: Line, therapist: str = "t", epoch: int = 0, ending: Ending = "max_turns", case: str = "c"
) -> Trajectory:
    """Therapist and patient in turn, the therapist first; a line may bring its truth record."""
    texts = [x if isinstance(x, str) else x[0] for x in lines]
    infos = [{} if isinstance(x, str) else dict(x[1]) for x in lines]
    speakers = ("therapist", "patient")
    return Trajectory(
        session_id=f"{therapist}/p/{case}/{epoch}",
        source="simulated",
        spec=SessionSpec(case=case, patient="p.v1", therapist=therapist, seed=1, epoch=epoch),
        turns=tuple(Turn(speaker=speakers[i % 2], text=x) for i, x in enumerate(texts)),  # type: ignore[arg-type]
        infos=tuple(infos),
        ending=ending,
    )


def replies(*texts: Line, therapist: str = "t", epoch: int = 0) -> Trajectory:
    """Only what the patient says matters: the therapist asks the same each time."""
    return made(*(x for text in texts for x in ("And then?", text)), therapist=therapist, epoch=epoch)


def said(kind: str, telling: str | None = None, **more: Any) -> dict[str, Any]:
    """A truth record as the patients write it."""
    return {"said": {"kind": kind, "telling": telling, "beats": []}, "alternatives": [], **more}


def ranked(*options: tuple[str, float]) -> list[dict[str, Any]]:
    return [{"telling": name, "score": score} for name, score in options]


def course(name: str, values: Sequence[float], therapist: str = "t", epoch: int = 0) -> Trajectory:
    """A session whose patient's state has the given values after each turn, the first before any."""
    lines: list[Line] = []
    for before, after in pairwise(values):
        lines += ["And?", ("Well.", {"state_before": {name: before}, "state": {name: after}})]
    return made(*lines, therapist=therapist, epoch=epoch)


def test_made_sessions_are_sessions() -> None:
    t = made("Hello?", ("Hello.", said("fact", "age")))
    assert [x.speaker for x in t.turns] == ["therapist", "patient"]
    assert t.info(1)["said"]["telling"] == "age"  # type: ignore[index, call-overload]
    assert len(course("distress", [0.1, 0.2, 0.3]).turns) == 4
