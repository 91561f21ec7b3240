"""Inspect logs (``.eval``, or its JSON form), read by Inspect's own reader: a sample is a session.

``user`` is the patient and ``assistant`` the therapist. Where an auditor played the user (Petri), the
session is what the target saw and said last, so that what was rolled back is not in it. A session
that turnwise itself stored in a log comes back unchanged. Samples are read one at a time; a log in
JSON has to be held whole. Nothing that a log points to (files, images, attachments elsewhere) is
opened. Needs the extra ``inspect``.
"""

from __future__ import annotations

import importlib.util
import io
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from turnwise.core.errors import FormatError, UsageError
from turnwise.core.nouns import TRAJECTORY_SCHEMA, Trajectory
from turnwise.core.registry import importer
from turnwise.engine.importers.account import Account
from turnwise.engine.importers.openai_chat import heard
from turnwise.engine.importers.records import BadRecord, Unreadable, parse_json, sessions
from turnwise.engine.importers.shapes import scan
from turnwise.engine.importers.streams import MAX_WHOLE, read_head, shown, whole_text

__all__ = ["InspectLog", "inspect_log"]

_ZIP = "PK\x03\x04"
_MEMBERS = ("_journal/start.json", "header.json", "samples/")
_AUDITED = ("auditor", "target")


def _is_archive(head: str) -> bool:
    return head.startswith(_ZIP) and any(name in head for name in _MEMBERS)


class InspectLog:
    """Reads the samples of one log."""

    source = "Inspect"

    def __init__(self, account: Account | None = None) -> None:
        self._account = account or Account()

    def detect(self, head: str, /) -> bool:
        """Whether this is an archive with the parts of a log, or a JSON document that begins like one."""
        keys = scan(head.lstrip()).keys
        return _is_archive(head) or (keys.get("eval") == "{" and {"version", "status"} <= keys.keys())

    def read(self, path: Path, /) -> Iterator[Trajectory]:
        """Yield the samples of ``path`` as sessions, the unreadable ones as ``error``.

        Raises
        ------
        UsageError : Inspect is not installed.
        """
        if importlib.util.find_spec("inspect_ai") is None:
            problem = "reading Inspect logs needs Inspect, which is not installed: pip install 'turnwise[inspect]'"
            raise UsageError(f"{shown(path)}: {problem}.")
        return sessions(path, self._samples(path), self.source)

    def _samples(self, path: Path) -> Iterator[Trajectory | Unreadable]:
        head = read_head(path)
        log, samples = _opened_archive(path) if _is_archive(head) else _opened_json(path)
        about = _about(log)
        many = (log.eval.config.epochs or 1) > 1
        for where, sample in samples:
            if isinstance(sample, str):
                yield Unreadable(where, sample, where)
                continue
            name = f"{sample.id}/{sample.epoch}" if many else str(sample.id)
            found: Trajectory | Unreadable
            try:
                found = self._session(sample, name, about)
                self._account.commit(where)
            except (BadRecord, ValidationError, ValueError) as fault:
                self._account.rollback()
                found = Unreadable(where, shown(fault, 300), name)
            yield found

    def _session(self, sample: Any, name: str, about: Mapping[str, Any]) -> Trajectory:
        own = _stored(sample)
        if own is not None:
            return own
        given = _seen_by_target(sample) if about.get("audited") else sample.messages
        # By way of JSON, so that what could not be stored again is found here.
        messages = [parse_json(x.model_dump_json(exclude_none=True)) for x in given]
        turns, infos, skipped = heard(messages, self._account)
        error = None
        if sample.error is not None:
            error = f"the log says that this sample failed: {shown(sample.error.message, 300)}"
        self._account.lost("stores of samples (what a solver kept for itself)", int(bool(sample.store)))
        hidden = parse_json(sample.model_dump_json(include={"metadata", "target"}))
        meta = {**about["meta"], "epoch": sample.epoch}
        meta |= {"private": hidden} | ({"skipped_messages": dict(sorted(skipped.items()))} if skipped else {})
        if sample.scores:
            scores = {key: {"value": score.value} for key, score in sample.scores.items()}
            meta["scores"] = parse_json(_json_of(scores))
        if sample.limit is not None:
            meta["limit"] = str(sample.limit.type)
        return Trajectory(
            session_id=name,
            source=self.source,
            turns=turns,
            infos=infos,
            ending="error" if error else "unknown",
            error=error,
            meta=meta,
        )


def _json_of(value: Any) -> str:
    from pydantic_core import to_json

    return to_json(value, inf_nan_mode="null").decode()


def _about(log: Any) -> dict[str, Any]:
    spec = log.eval
    roles = {str(role): str(config.model) for role, config in (spec.model_roles or {}).items()}
    meta = {"task": spec.task, "model": str(spec.model)} | ({"model_roles": roles} if roles else {})
    return {"meta": meta, "audited": all(role in roles for role in _AUDITED)}


def _stored(sample: Any) -> Trajectory | None:
    """Return the session that turnwise put into the sample, if it did."""
    places = [sample.metadata, sample.store, *((s.metadata or {}) for s in (sample.scores or {}).values())]
    for place in places:
        for value in place.values():
            if isinstance(value, dict) and value.get("format") == TRAJECTORY_SCHEMA:
                return Trajectory.model_validate(parse_json(_json_of(value)))
    return None


def _seen_by_target(sample: Any) -> list[Any]:
    """Return the target's last conversation: what went into its last call, and what came out."""
    for event in reversed(sample.events):
        if event.event == "model" and event.role == "target" and event.output.choices:
            return [*event.input, event.output.choices[0].message]
    raise BadRecord("has an auditor and a target, but no call to the target is in the log")


def _opened_archive(path: Path) -> tuple[Any, Iterable[tuple[str, Any]]]:
    from inspect_ai.log import read_eval_log, read_eval_log_sample, read_eval_log_sample_summaries

    name = str(path.absolute())
    try:
        with zipfile.ZipFile(path) as archive:
            large = {x.filename for x in archive.infolist() if x.file_size > MAX_WHOLE}
        if large - {x for x in large if x.startswith("samples/")}:
            raise FormatError(shown(path), "", f"holds more than {MAX_WHOLE // 2**20} MiB in one part", "split the log")
        log = read_eval_log(name, header_only=True, format="eval")
        summaries = read_eval_log_sample_summaries(name, format="eval")
    except FormatError:
        raise
    except Exception as fault:
        raise _unreadable(path, fault) from fault
    left_out = set() if _about(log)["audited"] else {"events"}

    def samples() -> Iterator[tuple[str, Any]]:
        for summary in summaries:
            where = f"sample {shown(summary.id, 60)} epoch {summary.epoch}"
            if f"samples/{summary.id}_epoch_{summary.epoch}.json" in large:
                yield where, f"is larger than {MAX_WHOLE // 2**20} MiB"
                continue
            try:
                yield (
                    where,
                    read_eval_log_sample(
                        name,
                        summary.id,
                        summary.epoch,
                        resolve_attachments=True,
                        format="eval",
                        exclude_fields=left_out,
                    ),
                )
            except Exception as fault:
                yield where, f"cannot be read ({type(fault).__name__}: {shown(fault, 200)})"

    return log, samples()


def _opened_json(path: Path) -> tuple[Any, Iterable[tuple[str, Any]]]:
    from inspect_ai.log import read_eval_log

    text = whole_text(path)
    try:
        log = read_eval_log(io.BytesIO(text.encode()), resolve_attachments=True, format="json")
    except Exception as fault:
        raise _unreadable(path, fault) from fault
    return log, ((f"sample {shown(x.id, 60)} epoch {x.epoch}", x) for x in log.samples or [])


def _unreadable(path: Path, fault: Exception) -> FormatError:
    problem = f"is not a log that Inspect can read ({type(fault).__name__}: {shown(fault, 200)})"
    return FormatError(shown(path), "", problem, "check it with 'inspect log dump', or copy the file again")


@importer(
    name="inspect_log.v1",
    fmt="Inspect logs, .eval or JSON (needs the extra 'inspect')",
    source="UK AI Security Institute 2024, Inspect; Petri",
)
def inspect_log(account: Account | None = None) -> InspectLog:
    """Inspect logs, one session a sample: user (auditor) is the patient, assistant (target) the therapist."""
    return InspectLog(account)
