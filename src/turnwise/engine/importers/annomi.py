"""AnnoMI: motivational interviewing transcripts with behaviour codes, as a table of utterances.

The full form repeats an utterance for every annotator; the simple form has one row each. The
label of an utterance is the majority of its annotators, ties going to the first of the coding
order below (Wu et al. 2022, ICASSP; Wu et al. 2023, Future Internet 15(3)). What only our
development data add (topic class, series of one source) is not in the table and not made up.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from turnwise.core.errors import FormatError
from turnwise.core.nouns import Trajectory, Turn
from turnwise.core.registry import importer
from turnwise.engine.importers.records import BadRecord, Unreadable, sessions
from turnwise.engine.importers.roles import speaker_of
from turnwise.engine.importers.streams import Line, lines, shown

__all__ = ["Annomi", "annomi"]

_NEEDED = ("transcript_id", "interlocutor", "utterance_text", "utterance_id")
_ORDERS = {
    "main_therapist_behaviour": ("question", "reflection", "therapist_input", "other"),
    "client_talk_type": ("change", "neutral", "sustain"),
}
_ANNOTATION = (
    "annotator_id",
    "main_therapist_behaviour",
    "client_talk_type",
    "reflection_exists",
    "reflection_subtype",
    "question_exists",
    "question_subtype",
    "therapist_input_exists",
    "therapist_input_subtype",
)
_CODES = (*_ANNOTATION, "transcript_id", "interlocutor", "utterance_id", "timestamp", "mi_quality")
_ABSENT = ("", "n/a")


def _header(line: str) -> tuple[list[str], str] | None:
    """Return the column names and the delimiter, if ``line`` is a header of such a table."""
    for delimiter in ",;\t":
        try:
            names = [x.strip() for x in next(csv.reader([line], delimiter=delimiter), [])]
        except csv.Error:
            continue
        if set(_NEEDED) <= set(names):
            return names, delimiter
    return None


@dataclass(slots=True)
class _Open:
    """A transcript whose rows are still coming."""

    name: str
    turns: list[Turn] = field(default_factory=list)
    infos: list[dict[str, Any]] = field(default_factory=list)
    meta: dict[str, Any] = field(default_factory=dict)
    fault: tuple[str, str] | None = None

    @property
    def session_id(self) -> str:
        return f"annomi-{self.name}"

    def blame(self, where: str, problem: str) -> None:
        self.fault = self.fault or (where, problem)

    def add(self, row: dict[str, str]) -> None:
        number = row["utterance_id"].strip()
        if not number.isdecimal() or len(number) > 9:
            raise BadRecord("has an utterance_id that is no whole number")
        at = int(number)
        last = self.infos[-1]["utterance_id"] if self.infos else at - 1  # an excerpt need not begin at 0
        if at not in (last, last + 1):
            raise BadRecord(f"has utterance {at} after {last}; rows are missing or out of order")
        speaker, text = speaker_of(row["interlocutor"], f"utterance {at}"), row["utterance_text"]
        if at == last + 1:
            self.turns.append(Turn(speaker=speaker, text=text))
            info: dict[str, Any] = {"labels": {"annotations": []}, "utterance_id": at}
            if row.get("timestamp", ""):
                info["timestamp"] = row["timestamp"]
            self.infos.append(info)
        elif (speaker, text) != (self.turns[-1].speaker, self.turns[-1].text):
            raise BadRecord(f"repeats utterance {at} with another speaker or text")
        found = {k: row[k] for k in _ANNOTATION if row.get(k, "") not in _ABSENT}
        self.infos[-1]["labels"]["annotations"].append(found)
        if not self.meta:
            self.meta = {k: row[k] for k in ("mi_quality", "topic", "video_title", "video_url") if row.get(k)}

    def close(self) -> Trajectory | Unreadable:
        if self.fault:
            return Unreadable(*self.fault, self.session_id)
        most = 0
        for info in self.infos:
            notes = info["labels"]["annotations"]
            most = max(most, len(notes))
            info["labels"] = _majorities(notes) | {"annotations": notes}
        name: Any = int(self.name) if self.name.isdecimal() and len(self.name) < 10 else self.name
        return Trajectory(
            session_id=self.session_id,
            source="AnnoMI",
            turns=tuple(self.turns),
            infos=tuple(self.infos),
            meta={"transcript_id": name, **self.meta, "n_annotators": most, "source": "AnnoMI"},
        )


def _majorities(notes: list[dict[str, str]]) -> dict[str, str]:
    out = {}
    for key, order in _ORDERS.items():
        votes = Counter(x[key] for x in notes if x.get(key) in order)
        if votes:
            out[key] = min(votes, key=lambda label: (-votes[label], order.index(label)))
    return out


class _Rows:
    """The rows of the table, each with what is wrong with it; ``None`` where it cannot be told what row it was."""

    def __init__(self, path: Path) -> None:
        self._lines = lines(path)
        self._bad: str | None = None
        self.at = 0
        first = next((x for x in self._lines if x.text.strip()), Line(0, ""))
        header = _header(first.text)
        if header is None:
            problem = f"has no header with the columns {', '.join(_NEEDED)}"
            raise FormatError(shown(path), "line 1", problem, "use a CSV file as released by AnnoMI")
        self.names, self._delimiter = header

    def _texts(self) -> Iterator[str]:
        for line in self._lines:
            self.at = line.number
            self._bad = self._bad or line.problem
            yield line.text + "\n"

    def __iter__(self) -> Iterator[tuple[dict[str, str] | None, str | None]]:
        texts = self._texts()
        # After a fault a new reader starts on the next line; the lines before it are spent.
        while True:
            reader, ended = csv.reader(texts, delimiter=self._delimiter, strict=True), True
            try:
                for values in reader:
                    if "".join(values).strip() or self._bad:
                        yield self._row(values)
            except csv.Error as fault:
                ended = False
                yield None, f"is not valid CSV ({fault}); is a quotation mark open?"
            if ended:
                return

    def _row(self, values: list[str]) -> tuple[dict[str, str] | None, str | None]:
        problem, self._bad = self._bad, None
        if len(values) != len(self.names):
            return None, problem or f"has {len(values)} columns where the header has {len(self.names)}"
        row = dict(zip(self.names, values, strict=True))
        if any("\n" in row.get(name, "") for name in _CODES):
            return None, problem or "has a line break in a column of codes; is a quotation mark open?"
        if not row["transcript_id"].strip():
            return None, problem or "has no transcript_id"
        return row, problem


def _transcripts(path: Path) -> Iterator[Trajectory | Unreadable]:
    rows, now = _Rows(path), None
    lost: tuple[str, str] | None = None
    done: set[str] = set()
    for row, problem in rows:
        where = f"line {rows.at}"
        if row is None:
            # Whose row it was cannot be known: the transcripts before and after it may lack a turn.
            lost = (where, problem or "cannot be read")
            if now:
                now.blame(*lost)
            continue
        name = row["transcript_id"].strip()
        if now is None or name != now.name:
            if now:
                done.add(now.name)
                yield now.close()
            now = _Open(name)
            if name in done:
                now.blame(where, f"transcript {name} goes on after others; put the rows of a transcript together")
        if lost:
            now.blame(*lost)
            lost = None
        if problem:
            now.blame(where, problem)
        try:
            now.add(row)
        except BadRecord as fault:
            now.blame(where, str(fault))
    if now:
        yield now.close()
    elif lost:
        yield Unreadable(*lost, lost[0].replace(" ", "-"))


class Annomi:
    """Reads the tables AnnoMI is released as; a session is called ``annomi-<transcript_id>``."""

    source = "AnnoMI"

    def detect(self, head: str, /) -> bool:
        """Whether the first line is the header of such a table."""
        first = next((x for x in head.split("\n") if x.strip()), "")
        return _header(first.rstrip("\r")) is not None

    def read(self, path: Path, /) -> Iterator[Trajectory]:
        """Yield the transcripts of ``path``, the damaged ones as ``error``."""
        return sessions(path, _transcripts(path), self.source)


@importer(name="annomi.v1", fmt="AnnoMI, CSV of utterances, full or simple", source="Wu et al. 2022, ICASSP")
def annomi() -> Annomi:
    """AnnoMI transcripts of motivational interviewing, as CSV (full or simple form)."""
    return Annomi()
