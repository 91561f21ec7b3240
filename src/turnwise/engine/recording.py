"""Every answer of a model is kept in the run folder: what was paid for once is never asked again, and it replays.

``calls.jsonl`` holds one line a call: the hash of all that was asked, and what came back. A killed run goes on from
it in the middle of a session; given to ``--replay``, it stands for the models, offline and byte for byte.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import FileIO
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from turnwise.core.contracts import Completion, LanguageModel
from turnwise.core.errors import BoundaryError, FormatError, UsageError
from turnwise.core.model_turns import spoken_only
from turnwise.core.nouns import Speaker, Turn
from turnwise.engine.model_messages import model_messages
from turnwise.engine.model_settings import CallSettings
from turnwise.engine.store import replacing, sentence_for

__all__ = ["CALLS", "Call", "Recorded", "Recording", "call_key", "calls_in"]

CALLS = "calls.jsonl"


class Call(BaseModel):
    """One line of a recording: what was asked (as a hash) and what came of it. ``fault`` replaces the answer."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    key: str
    asked: str = ""
    """The model string that was called."""
    text: str = ""
    usage: int = 0
    stop: str = ""
    tokens_in: int | None = None
    tokens_out: int | None = None
    model: str = ""
    thinking: str = ""
    """What the model thought and did not say."""
    fault: str | None = None

    def completion(self) -> Completion:
        """Return the answer, or raise the fault again."""
        if self.fault is not None:
            raise BoundaryError(self.fault)
        said = Completion(self.text, self.usage, self.stop, self.tokens_in, self.tokens_out, self.model)
        return spoken_only(said, self.thinking)  # recordings of earlier versions have thoughts among the words


def call_key(
    model: str,
    settings: CallSettings,
    system: str,
    turns: Sequence[Turn],
    seed: int,
    *,
    speaks_as: Speaker = "therapist",
) -> str:
    """Return the hash of everything that decides a call: model, settings, messages, seed."""
    asked = [model, settings.versions(), model_messages(system, turns, speaks_as=speaks_as), seed]
    return hashlib.sha256(json.dumps(asked, sort_keys=True, ensure_ascii=False).encode()).hexdigest()[:32]


class Recording:
    """The calls of a run, on disk and in memory. Nothing is read or written before the first call.

    ``fresh`` starts over instead of going on after what is there.
    """

    def __init__(self, path: Path, *, fresh: bool = False) -> None:
        self.path = path
        self._fresh = fresh
        self._opened = False
        self._calls: dict[str, Call] = {}
        self._log: FileIO | None = None

    @classmethod
    def to_replay(cls, path: Path) -> Recording:
        """Open the recording of ``path`` (a run folder, or its ``calls.jsonl``) in place of the models.

        Raises
        ------
        UsageError : there is none.
        FormatError : it cannot be read.
        """
        file = path / CALLS if path.is_dir() else path
        if not file.exists():
            raise UsageError(f"{file} does not exist; --replay takes a run folder with recorded calls, or its {CALLS}.")
        recording = cls(file)
        recording._opened = True
        recording._read(keep_faults=True)
        return recording

    def _open(self) -> None:
        """Start to record, after what is there. Earlier faults are dropped: those calls are tried again."""
        self._opened = True
        if not self._fresh and self.path.exists():
            self._read(keep_faults=False)
        with replacing(self.path) as temporary, temporary.open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(call.model_dump_json(exclude_defaults=True) + "\n" for call in self._calls.values())
        self._log = FileIO(self.path, "a")

    def close(self) -> None:
        """Stop recording."""
        if self._log is not None:
            self._log.close()
            self._log = None

    def find(self, key: str) -> Call | None:
        """Return what came of a call earlier, if it was made.

        Raises
        ------
        FormatError : the file that is there is no recording.
        """
        if not self._opened:
            self._open()
        return self._calls.get(key)

    def keep(self, call: Call) -> None:
        """Store one call. It survives a kill from the moment this returns.

        Raises
        ------
        UsageError : the disk refuses.
        """
        if call.fault is None:
            self._calls[call.key] = call
        if self._log is None:  # a recording that is replayed stays as it is
            return
        try:
            # A whole line in one piece: several processes may append to this file.
            line = call.model_dump_json(exclude_defaults=True).encode() + b"\n"
            while line:
                line = line[self._log.write(line) :]
        except OSError as fault:
            raise sentence_for(fault, self.path) from fault

    @contextmanager
    def lent(self) -> Iterator[None]:
        """Let processes that are forked in the block record here too; what they recorded is known after it."""
        if not self._opened:
            self._open()
        try:
            yield
        finally:
            if self._log is not None:
                self._read(keep_faults=False)

    def __len__(self) -> int:
        return len(self._calls)

    def _read(self, *, keep_faults: bool) -> None:
        for call in calls_in(self.path):
            known = self._calls.get(call.key)
            # An answer stands before a fault of the same call, whichever came first.
            if call.fault is None or (keep_faults and known is None):
                self._calls[call.key] = call


def calls_in(path: Path) -> Iterator[Call]:
    """Yield the calls of a recording in order; a last line that a kill has torn was never answered.

    Raises
    ------
    FormatError : a line is no call.
    UsageError : the file cannot be opened.
    """
    try:
        with path.open(encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                if not line.endswith("\n"):
                    break
                try:
                    yield Call.model_validate_json(line)
                except ValidationError as fault:
                    problem = fault.errors()[0]["msg"]
                    raise FormatError(path, f"line {number}", problem, "is it a recording of calls?") from fault
    except UnicodeDecodeError as fault:
        raise FormatError(path, "", "is not UTF-8 text", "is it a recording of calls?") from fault
    except OSError as fault:
        raise sentence_for(fault, path) from fault


class Recorded:
    """A model behind a recording: asks only what was never answered. ``lm=None``: there is only the recording."""

    def __init__(
        self,
        name: str,
        settings: CallSettings,
        recording: Recording,
        lm: LanguageModel | None,
        *,
        speaks_as: Speaker = "therapist",
    ) -> None:
        self._name, self._settings, self._recording, self._lm = name, settings, recording, lm
        self._speaks_as: Speaker = speaks_as

    async def generate(self, system: str, turns: Sequence[Turn], *, seed: int) -> Completion:
        """Return the recorded answer, or the model's own, which is then recorded."""
        key = call_key(self._name, self._settings, system, turns, seed, speaks_as=self._speaks_as)
        found = self._recording.find(key)
        if found is not None:
            return found.completion()
        if self._lm is None:
            raise BoundaryError(
                f"the recording holds no answer of {self._name} to this; was it made with another prompt, setting, "
                "patient or version?"
            )
        try:
            answer = await self._lm.generate(system, turns, seed=seed)
        except Exception as fault:
            self._recording.keep(Call(key=key, asked=self._name, fault=str(fault)))
            raise
        self._recording.keep(Call(key=key, asked=self._name, **_fields(answer)))
        return answer


def _fields(answer: Completion) -> dict[str, Any]:
    names = ("text", "usage", "stop", "tokens_in", "tokens_out", "model")
    return {name: getattr(answer, name) for name in names} | {"thinking": getattr(answer, "thinking", "")}
