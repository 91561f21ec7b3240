"""Our sessions in Inspect's logs, and back: an ``.eval`` file that the viewer opens and that loses nothing."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from turnwise import __version__
from turnwise.core.errors import FormatError, UsageError
from turnwise.core.nouns import TRAJECTORY_SCHEMA, Trajectory
from turnwise.engine.model_messages import model_messages
from turnwise.engine.store import replacing
from turnwise.engine.through_inspect.port import inspect_messages, need_inspect

__all__ = ["SESSION", "export_eval", "own_session", "public_of", "read_eval", "spoken"]

SESSION = "turnwise"
"""Under this key of a sample's metadata the whole session stands."""
_UNKNOWN = "1970-01-01T00:00:00+00:00"  # a log has to say when; a session does not know


def spoken(t: Trajectory) -> list[Any]:
    """Return the words of a session as Inspect's messages: the therapist is the assistant."""
    return inspect_messages(model_messages("", t.turns))


def public_of(t: Trajectory) -> dict[str, Any]:
    """Return what a log may say of a session beyond its words, where the patient's truth is not to be in it."""
    spec = t.spec.model_dump(mode="json", exclude={"schedule", "versions"}) if t.spec else {}
    return {"session_id": t.session_id, "ending": t.ending, "error": t.error, **spec}


def own_session(*places: Mapping[str, Any] | None) -> Trajectory | None:
    """Return the session that we stored in one of some mappings (metadata, store), if any holds one.

    Raises
    ------
    FormatError : what stands there is no session.
    """
    for place in places:
        for value in (place or {}).values():
            if isinstance(value, Mapping) and value.get("format") == TRAJECTORY_SCHEMA:
                try:
                    return Trajectory.model_validate(dict(value))
                except ValidationError as fault:
                    raise FormatError("the log", SESSION, fault.errors()[0]["msg"]) from fault
    return None


def _sample(t: Trajectory, number: int, seen: dict[str, int]) -> Any:
    from inspect_ai.log import EvalSample
    from inspect_ai.model import ModelOutput

    # Inspect names a file inside its archive by the id: a control character would cut it short.
    name = "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in t.session_id) or f"session {number}"
    seen[name] = seen.get(name, 0) + 1
    last = next((turn.text for turn in reversed(t.turns) if turn.speaker == "therapist"), "")
    therapist = t.spec.therapist if t.spec else t.source
    return EvalSample(
        id=name,
        epoch=seen[name],
        input=t.session_id,
        target="",
        messages=spoken(t),
        output=ModelOutput.from_content(therapist or "unknown", last),
        metadata={SESSION: t.model_dump(mode="json"), **public_of(t)},
    )


def export_eval(sessions: Iterable[Trajectory], path: Path) -> int:
    """Write ``sessions`` to ``path`` as a log of Inspect, whole or not at all; return how many.

    Each session is a sample; all of it (turns, cues, what each side emitted, how it ended) stands in the sample's
    metadata, from where :func:`read_eval` and ``turnwise import`` take it back unchanged. That includes what is
    private to the simulation: such a log is for those who may see a run folder.

    Raises
    ------
    UsageError : Inspect is not installed, there is no session, or the file cannot be written.
    """
    need_inspect("writing a log of Inspect")
    if path.suffix != ".eval":
        raise UsageError(f"{path}: name a log of Inspect FILE.eval.")
    seen: dict[str, int] = {}
    samples = [_sample(t, i, seen) for i, t in enumerate(sessions)]
    if not samples:
        raise UsageError(f"{path}: there is no session to write.")
    from inspect_ai.log import write_eval_log

    log = _log(samples)
    with replacing(path) as temporary:
        whole = temporary.with_suffix(".eval")
        try:
            write_eval_log(log, str(whole), format="eval")
            whole.replace(temporary)
        finally:
            whole.unlink(missing_ok=True)
    return len(samples)


def _log(samples: list[Any]) -> Any:
    from inspect_ai.log import EvalConfig, EvalDataset, EvalLog, EvalResults, EvalSpec, EvalStats

    ids = list(dict.fromkeys(s.id for s in samples))
    therapists = sorted({str(s.output.model) for s in samples})
    spec = EvalSpec(
        created=_UNKNOWN,
        task="turnwise/export",
        model=therapists[0] if len(therapists) == 1 else "several",
        dataset=EvalDataset(name="turnwise", samples=len(ids), sample_ids=ids),
        config=EvalConfig(epochs=max(s.epoch for s in samples)),
        packages={"turnwise": __version__},
    )
    results = EvalResults(total_samples=len(samples), completed_samples=len(samples))
    return EvalLog(
        status="success",
        eval=spec,
        results=results,
        stats=EvalStats(started_at=_UNKNOWN, completed_at=_UNKNOWN),
        samples=samples,
    )


def read_eval(path: Path) -> Iterator[Trajectory]:
    """Yield the sessions that turnwise stored in a log, one at a time; logs of others: ``turnwise import``.

    Raises
    ------
    UsageError : Inspect is not installed.
    FormatError : it is no log, or holds a sample that is not a session of ours.
    """
    need_inspect("reading a log of Inspect")
    from inspect_ai.log import read_eval_log_sample, read_eval_log_sample_summaries

    try:
        summaries = read_eval_log_sample_summaries(str(path))
    except Exception as fault:
        raise FormatError(path, "", f"is no log that Inspect can read ({type(fault).__name__})") from fault
    for summary in summaries:
        sample = read_eval_log_sample(str(path), summary.id, summary.epoch)
        found = own_session(sample.metadata, sample.store, *(s.metadata for s in (sample.scores or {}).values()))
        if found is None:
            where = f"sample {summary.id}"
            raise FormatError(path, where, "holds no session of turnwise", "read it with turnwise import")
        yield found


def inspect_is_there() -> bool:
    """Return whether the extra is installed."""
    return importlib.util.find_spec("inspect_ai") is not None
