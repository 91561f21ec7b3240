"""Play a study into a run folder and score it. Resumes by itself; ``force`` starts over."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from turnwise.core.errors import FormatError, UsageError
from turnwise.core.nouns import Trajectory
from turnwise.core.seeds import generator
from turnwise.engine.asking import DEFAULT_ASKING, Asking
from turnwise.engine.batch import DEFAULT_CONCURRENCY, default_cast, play_many
from turnwise.engine.casting import Calls, opened_cast
from turnwise.engine.failed import failed_in
from turnwise.engine.importers.tally import quiet_reading, reading_notes
from turnwise.engine.ladder_bank import BANK, DEFAULT_LADDER, Climb, Ladder, bank_record, make_bank, with_reference
from turnwise.engine.ladder_play import REPLIES, OnReply, play_replies
from turnwise.engine.ladder_store import copy_replies, has_replies
from turnwise.engine.ratings import DEFAULT_BUNDLE
from turnwise.engine.retention import write_retention
from turnwise.engine.scoring import Scoring, score_sessions
from turnwise.engine.spending import Price, record_of
from turnwise.engine.store import RESCUE, TRAJECTORIES, RunFolder
from turnwise.engine.study import Cast, Study
from turnwise.engine.summary import Summary
from turnwise.engine.sweeping import swept_rarely
from turnwise.engine.whole_runs import require_whole
from turnwise.reading.cards import ears_licence

__all__ = ["Options", "play_ladder", "play_study", "rescore", "run_study"]

OnSession = Callable[[Trajectory], None]


@dataclass(frozen=True, slots=True)
class Options:
    """How a study is carried out. None of these can change a byte of a session that embedded participants play."""

    concurrency: int = DEFAULT_CONCURRENCY
    no_text: bool = False
    force: bool = False
    retry_errors: bool = False
    """Play again what ended ``error``: a bot that was away has not been measured."""
    readers: str = DEFAULT_BUNDLE
    shuffle: bool = False
    """Submit the sessions in a random order (to show that order does not matter)."""
    ladder: Ladder | None = DEFAULT_LADDER
    """Also play the scheduled moments alone and after a replayed history; ``None`` leaves the ladder out."""
    prices: Mapping[str, Price] = field(default_factory=dict)
    """Of a million tokens, by model string: what the calls cost then stands in ``run.json``."""
    asking: Asking = DEFAULT_ASKING
    """How therapists outside are asked; a slow or overloaded one may answer or not because of it."""
    calls: Calls = field(default_factory=Calls)
    """How language models are reached. What of it could change a byte is part of the study."""


def play_study(
    study: Study,
    folder: RunFolder,
    options: Options,
    *,
    on_session: OnSession | None = None,
    cast: Cast | None = None,
) -> int:
    """Play what is not yet there; return how many sessions were found finished.

    Raises
    ------
    UsageError : the folder holds another study, or cannot be written to.
    """
    with folder.claimed():
        _claim(folder, study, options.force)
        planned = {spec.session_id: spec for spec in study.specs()}
        found = {} if options.force else folder.finished(errors=not options.retry_errors)
        done = {k: v for k, v in found.items() if k in planned}
        todo = [spec for session_id, spec in planned.items() if session_id not in done]
        if options.shuffle:
            order = generator(study.seed, "submission order", 0, "study", 0).permutation(len(todo))
            todo = [todo[int(i)] for i in np.asarray(order)]
        if todo:
            _play_into(folder, done, todo, (study, options, cast, on_session))
        folder.order(list(planned))
    return len(done)


def play_ladder(
    study: Study,
    folder: RunFolder,
    options: Options,
    *,
    on_reply: OnReply | None = None,
    cast: Cast | None = None,
) -> dict[str, Any]:
    """Play the bank, Show and Resume of a study whose sessions are there; return what ``run.json`` says of them.

    Resumes as :func:`play_study` does. Without ``options.ladder`` nothing is played and nothing said.

    Raises
    ------
    UsageError : the folder's bank was led by another therapist, or cannot be written.
    RegistryError : there is no such reference therapist.
    """
    if options.ladder is None:
        return {}
    ladder = options.ladder.resolved()
    with folder.claimed():
        climb = Climb(
            study=study,
            ladder=ladder,
            path=folder.path,
            cast=cast or default_cast(with_reference(study, ladder), options.asking),
            concurrency=options.concurrency,
            force=options.force,
            shuffle=options.shuffle,
            retry_errors=options.retry_errors,
        )
        with swept_rarely():
            bank = make_bank(climb)
            play_replies(climb, bank, on_reply)
        return bank_record(bank, ladder)


def _play_into(folder: RunFolder, kept: dict[str, str], todo: list[Any], how: tuple[Any, ...]) -> None:
    study, options, cast, on_session = how
    folder.open_log(list(kept.values()))

    def store(t: Trajectory) -> None:
        folder.append(t)
        if on_session:
            on_session(t)

    try:
        there = cast or default_cast(study, options.asking)
        with swept_rarely():
            asyncio.run(play_many(todo, there, on_done=store, concurrency=options.concurrency, stored=kept))
    finally:
        folder.close_log()


def _claim(folder: RunFolder, study: Study, force: bool) -> None:
    """Refuse to mix two studies in one folder; note whose folder this is before the first session."""
    record = folder.read_record() if not force else None
    if record is not None and record.get("study_sha256") != study.sha256():
        raise UsageError(
            f"{folder.path} holds another study ({_difference(record, study)}); "
            "choose another --out, or --force to replace it."
        )
    if record is None:
        if not force and folder.trajectories.exists():
            raise UsageError(
                f"{folder.trajectories} exists without a run.json; choose another --out, or --force to replace it."
            )
        folder.write_record({"kind": "run", "status": "playing", **_identity(study)})


def _identity(study: Study) -> dict[str, Any]:
    return {"study": study.model_dump(mode="json"), "study_sha256": study.sha256()}


def _difference(record: dict[str, Any], study: Study) -> str:
    old, new = record.get("study"), study.model_dump(mode="json")
    if not isinstance(old, dict):
        return "a scored file" if record.get("kind") == "score" else "of an older format"
    differing = [k for k in new if old.get(k) != new[k]]
    return "differs in " + ", ".join(differing) if differing else "of an older format"


def run_study(
    study: Study,
    out: Path,
    options: Options,
    *,
    on_session: OnSession | None = None,
    on_reply: OnReply | None = None,
    on_scored: Callable[[int, int], None] | None = None,
) -> dict[str, Any]:
    """Play a study into ``out``, climb its ladder, score both; return the record written to ``run.json``."""
    out = out.absolute()  # a bot may change the folder
    if options.ladder is not None:
        options = replace(options, ladder=options.ladder.resolved())  # a misnamed reference is refused before play
    folder = RunFolder(out)
    everyone = with_reference(study, options.ladder) if options.ladder else study
    slots = options.concurrency
    with (
        threadpool_limits(limits=1),  # a turn's products are too small to gain by threads: they take twice as long
        opened_cast(everyone, out, options.calls, options.asking, force=options.force, slots=slots) as cast,
    ):
        found = play_study(study, folder, options, on_session=on_session, cast=cast)
        ladder = play_ladder(study, folder, options, on_reply=on_reply, cast=cast)
    gc.collect()  # sessions are large and done with: keep the peak of the next step low
    result = score_sessions(
        folder.sessions(),
        folder,
        summary=Summary(),
        how=Scoring(no_text=options.no_text, readers=options.readers, ladder=out if ladder else None),
        on_progress=on_scored,
    )
    record = result.record() | {
        "kind": "run",
        "status": "finished",
        "name": out.name,
        "no_text": options.no_text,
        "resumed_sessions": found,
        "ladder": ladder or None,
        "models": record_of(out, options.prices),
        **_identity(study),
    }
    # Participants hear with the same ears whatever bundle scores them: what they may be used for is said too.
    record["licences"] = record["licences"] | {"ears": ears_licence()}
    record |= failed_in(out, ladder=bool(ladder), no_text=options.no_text)
    folder.write_record(record)
    write_retention(folder, record)
    return record


def _refuse_words(before: Mapping[str, Any], path: Path, out: Path) -> None:
    """Refuse to leave words beside quiet tables. What a run played stays where it was played: it is the run."""
    if out != path:
        holding = [name for name in (TRAJECTORIES, BANK, REPLIES) if (out / name).exists()]
        if holding:
            raise UsageError(f"{out} holds what was said ({', '.join(holding)}); choose another --out for --no-text.")
    elif before.get("kind") == "score":
        raise UsageError(
            f"{path} holds what was said, from an earlier scoring without --no-text; choose another --out, "
            "or score the file itself again with --no-text --force."
        )


def rescore(
    path: Path,
    out: Path,
    *,
    by: str | None = None,
    how: Scoring | None = None,
    on_scored: Callable[[int, int], None] | None = None,
) -> dict[str, Any]:
    """Score the stored sessions of a run folder again, into it or into ``out``; nothing is played."""
    source, folder = RunFolder(path), RunFolder(out)
    before = source.read_record() or {}
    if before.get("status") == "playing":
        raise UsageError(f"{path} holds an unfinished run; run the same command again to resume it.")
    require_whole(path, "words")
    folder.create()
    if before.get("kind") not in ("run", "score"):
        raise FormatError(path / "run.json", "", "is not the record of a run", RESCUE)
    if not source.trajectories.exists():
        raise UsageError(f"{path} was scored without text and keeps no session; score the file itself again.")
    if how is not None and how.no_text:
        _refuse_words(before, path, out)
    by = by or before.get("by")
    summary = Summary(by=by)
    # Folders of earlier versions, and runs without a ladder, have no replies: the rest is scored as ever.
    climbed = path if before.get("ladder") and has_replies(path) else None
    how = replace(how or Scoring(), keep=out != path, ladder=climbed)
    result = score_sessions(source.sessions(), folder, summary=summary, how=how, on_progress=on_scored)
    if climbed and how.keep and not how.no_text:
        copy_replies(path, out)
    record = before | result.record() | {"no_text": how.no_text, "name": out.name, "by": by}
    record |= failed_in(path, ladder=climbed is not None, no_text=how.no_text) if record.pop("failed", None) else {}
    if record.get("reading"):
        record["reading"] = quiet_reading(record["reading"]) if how.no_text else record["reading"]
        record["warnings"] = [*reading_notes(record["reading"]), *record["warnings"]]
    folder.write_record(record)
    write_retention(folder, record)
    return record
