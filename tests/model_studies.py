"""Play a small study with models, without scoring it: what the tests and benchmarks of the Inspect engine share."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from turnwise.core.nouns import Trajectory
from turnwise.engine.casting import Calls, opened_cast
from turnwise.engine.ladder_bank import Ladder, with_reference
from turnwise.engine.model_settings import CallSettings
from turnwise.engine.running import Options, play_ladder, play_study
from turnwise.engine.store import RunFolder
from turnwise.engine.study import Study, resolve_study

__all__ = ["IMPATIENT", "SMALL_LADDER", "everything_in", "played", "small_study"]

IMPATIENT = CallSettings(patience=60, retries=2, first_pause=0.01, arguments={"max_retries": 0})
"""No pauses worth the name: a test should not wait for a server that will not come back."""


def small_study(*therapists: str, **more: Any) -> Study:
    asked: dict[str, Any] = {"patients": ("alun",), "epochs": 1, "turns": 3, "calls": IMPATIENT} | more
    return resolve_study(therapists=therapists or ("openai-api/loop/m",), **asked)


def played(study: Study, path: Path, **more: Any) -> list[Trajectory]:
    """Play ``study`` into ``path`` (with its ladder where ``ladder`` is given) and return its sessions."""
    settings = more.pop("settings", IMPATIENT)
    stand_in = more.pop("stand_in", None)
    calls = Calls(
        settings,
        replay=more.pop("replay", None),
        log=more.pop("log", False),
        processes=more.pop("processes", 1),
        stand_in=stand_in,
    )
    ladder = more.pop("ladder", None)
    options = Options(calls=calls, ladder=ladder and ladder.resolved(), **more)
    everyone = with_reference(study, options.ladder) if options.ladder else study
    folder = RunFolder(path)
    with opened_cast(everyone, path, calls, force=options.force, slots=options.concurrency) as cast:
        play_study(study, folder, options, cast=cast)
        play_ladder(study, folder, replace(options), cast=cast)
    return list(folder.sessions())


def everything_in(path: Path) -> dict[str, str]:
    """Return every file of a run folder as text, Inspect's logs unpacked."""
    found = {}
    for file in sorted(p for p in path.rglob("*") if p.is_file()):
        if file.suffix == ".eval":
            from inspect_ai.log import read_eval_log

            log = read_eval_log(str(file), resolve_attachments=True)
            found[str(file)] = json.dumps(log.model_dump(mode="json"), ensure_ascii=False)
        else:
            found[str(file)] = file.read_text(encoding="utf-8", errors="replace")
    return found


SMALL_LADDER = Ladder("reflector", 1)
