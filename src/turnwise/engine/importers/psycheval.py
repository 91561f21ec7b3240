"""PsychEval: one JSON object a case, with several sessions in it; each becomes a session of its own.

A session is called ``<client_id>/<session_number>``, so that the sessions of a case stay together.
Every counselor's text opens with hidden reasoning, which goes to a private field: no measure may
read it. What the case knows of the client, the plan over all sessions and the goals are private too.
Texts are Chinese, CC BY-NC 4.0. (PsychEval 2026, arXiv 2601.01802.)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path

from turnwise.core.nouns import Trajectory
from turnwise.core.registry import importer
from turnwise.engine.importers.account import Account
from turnwise.engine.importers.layouts import Layout, built, named
from turnwise.engine.importers.records import Record, id_of, json_records, kind_of, read_records, sessions
from turnwise.engine.importers.shapes import shapes

__all__ = ["LAYOUT", "PsychEval", "psycheval"]

LAYOUT = Layout(
    source="PsychEval",
    turns="session_dialogue",
    text=("text",),
    hidden=("session_goals", "suggest_skills", "session_summary", "client_info_last", "client_info", "global_plan"),
    ids=("session_id",),
)
"""What PsychEval calls the parts of a session."""
_CASE = ("client_info", "global_plan", "theoretical")


class PsychEval:
    """Reads the sessions of cases."""

    def __init__(self, account: Account | None = None) -> None:
        self._account = account or Account()

    def detect(self, head: str, /) -> bool:
        """Whether some record is a case with sessions."""
        return any(
            ("sessions" not in s.keys or s.keys["sessions"] == "[")
            and "client_info" in s.keys
            and any(key in s.keys for key in ("sessions", "global_plan", "theoretical"))
            for s in shapes(head)
        )

    def read(self, path: Path, /) -> Iterator[Trajectory]:
        """Yield the sessions of ``path`` in the order of their case, the unreadable ones as ``error``."""
        records = _sessions_of(named(json_records(path), path))
        build = partial(built, LAYOUT, self._account)
        return sessions(path, read_records(records, build, *LAYOUT.ids, account=self._account), LAYOUT.source)


def _sessions_of(cases: Iterable[Record]) -> Iterator[Record]:
    for case in cases:
        value = case.value
        if case.problem or not isinstance(value, dict) or not isinstance(value.get("sessions"), list):
            problem = "has no list of sessions" if isinstance(value, dict) else f"is {kind_of(value)}, not a case"
            yield case._replace(problem=case.problem or problem)
            continue
        name = id_of(value, "client_id", "id") or case.fallback
        about = {key: value[key] for key in _CASE if key in value}
        rest = {key: x for key, x in value.items() if key not in (*_CASE, "sessions", "id")}
        for i, session in enumerate(value["sessions"]):
            where = f"{case.where}, sessions[{i}]"
            fallback = f"{name}/{id_of(session, 'session_number') or i + 1}"
            yield Record(where, fallback, {**rest, **session, **about} if isinstance(session, dict) else session)


@importer(
    name="psycheval.v1",
    fmt="PsychEval cases, JSON with client_info and sessions",
    source="PsychEval 2026, arXiv 2601.01802",
)
def psycheval(account: Account | None = None) -> PsychEval:
    """PsychEval cases, one session of ours for each of theirs; plans and hidden reasoning are private."""
    return PsychEval(account)
