"""AnnoMI: motivational interviewing transcripts with behaviour codes, as a table of utterances.

The full form repeats an utterance for every annotator; the simple form has one row each. The
label of an utterance is the majority of its annotators, ties going to the first of the coding
order below (Wu et al. 2022, ICASSP; Wu et al. 2023, Future Internet 15(3)). What only our
development data add (topic class, series of one source) is not in the table and not made up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from turnwise.core.nouns import Speaker, Trajectory, Turn
from turnwise.core.registry import importer
from turnwise.engine.importers.account import Account
from turnwise.engine.importers.records import BadRecord, Unreadable, sessions
from turnwise.engine.importers.streams import shown
from turnwise.engine.importers.tables import Header, Row, Rows, headers, returning, whole_number

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


def _header(line: str) -> Header | None:
    """Return the column names and the delimiter, if ``line`` is a header of such a table."""
    return next((header for header in headers(line) if set(_NEEDED) <= set(header.names)), None)


@dataclass(slots=True)
class _Open:
    """A transcript whose rows are still coming."""

    name: str
    account: Account
    table: Rows
    turns: list[Turn] = field(default_factory=list)
    infos: list[dict[str, Any]] = field(default_factory=list)
    meta: dict[str, Any] = field(default_factory=dict)
    fault: tuple[str, str] | None = None
    session_id: str = ""

    def __post_init__(self) -> None:
        self.session_id = f"annomi-{self.name}"

    def blame(self, where: str, problem: str) -> None:
        self.fault = self.fault or (where, problem)

    def add(self, row: dict[str, str], where: str) -> None:
        at = whole_number(row["utterance_id"])
        if at is None:
            raise BadRecord("has an utterance_id that is no whole number")
        last = self.infos[-1]["utterance_id"] if self.infos else at - 1  # an excerpt need not begin at 0
        if at not in (last, last + 1):
            raise BadRecord(f"has utterance {at} after {last}; rows are missing or out of order")
        first = at == last + 1
        speaker = self._speaker(row["interlocutor"], f"utterance {at}", first)
        written: dict[str, Any] = {}
        text = self.table.words(row["utterance_text"], written, self.account, where)
        if first:
            if not self.turns and row.get("session_id", "").strip():
                self.session_id = row["session_id"]  # what our own export calls it
            self.turns.append(Turn(speaker=speaker, text=text))
            info: dict[str, Any] = {"labels": {"annotations": []}, "utterance_id": at, **written}
            if row.get("timestamp", ""):
                info["timestamp"] = row["timestamp"]
            self.infos.append(info)
        elif (speaker, text) != (self.turns[-1].speaker, self.turns[-1].text):
            raise BadRecord(f"repeats utterance {at} with another speaker or text")
        else:
            self.account.lost("rows of further annotators (folded into the labels of the turn)")
        found = {k: row[k] for k in _ANNOTATION if row.get(k, "") not in _ABSENT}
        self.infos[-1]["labels"]["annotations"].append(found)
        if not self.meta:
            self.meta = {k: row[k] for k in ("mi_quality", "topic", "video_title", "video_url") if row.get(k)}

    def _speaker(self, word: str, where: str, first: bool) -> Speaker:
        """Return the side; the rows of further annotators are no further turns, so they are not counted."""
        side = self.account.speaker(word, where) if first else self.account.side_of(word.strip().lower())
        if side is None or side == "skip":
            raise BadRecord(f"{where} cannot be left out: the utterances of this format are numbered")
        return side

    def close(self) -> Trajectory | Unreadable:
        if self.fault:
            self.account.rollback()
            return Unreadable(*self.fault, self.session_id)
        most = 0
        for info in self.infos:
            notes = info["labels"]["annotations"]
            most = max(most, len(notes))
            info["labels"] = _majorities(notes) | {"annotations": notes}
        self.account.commit()
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


def _table(path: Path) -> Rows:
    return Rows(path, _header, f"the columns {', '.join(_NEEDED)}", "use a CSV file as released by AnnoMI")


def _rows(table: Rows) -> Iterator[Row]:
    for where, row, problem in table:
        if row is not None and any("\n" in row.get(name, "") for name in _CODES):
            yield Row(where, None, problem or "has a line break in a column of codes; is a quotation mark open?")
        elif row is not None and table.is_missing(row["transcript_id"]):
            yield Row(where, None, problem or "has no transcript_id")
        else:
            yield Row(where, row, problem)


def _transcripts(path: Path, account: Account) -> Iterator[Trajectory | Unreadable]:
    now = None
    lost: tuple[str, str] | None = None
    told: set[str] = set()
    table = _table(path)
    pieces = returning((x.cells["transcript_id"].strip(), x.where) for x in _rows(_table(path)) if x.cells)
    for where, row, problem in _rows(table):
        if row is None:
            # Whose row it was cannot be known: the transcripts before and after it may lack a turn.
            lost = (where, problem or "cannot be read")
            if now:
                now.blame(*lost)
            continue
        name = row["transcript_id"].strip()
        if now is None or name != now.name:
            if now and now.name not in told:
                yield now.close()
                told |= {now.name} & pieces.keys()
            now = _Open(name, account, table)
            if name in pieces:
                why = f"transcript {shown(name, 40)} goes on after others; put the rows of a transcript together"
                now.blame(pieces[name], why)
        if lost:
            now.blame(*lost)
            lost = None
        if problem:
            now.blame(where, problem)
        try:
            now.add(row, where)
        except BadRecord as fault:
            now.blame(where, str(fault))
    if now and now.name not in told:
        yield now.close()
    elif lost and not now:
        yield Unreadable(*lost, lost[0].replace(" ", "-"))


class Annomi:
    """Reads the tables AnnoMI is released as; a session is called ``annomi-<transcript_id>``."""

    source = "AnnoMI"

    def __init__(self, account: Account | None = None) -> None:
        self._account = account or Account()

    def detect(self, head: str, /) -> bool:
        """Whether the first line is the header of such a table."""
        first = next((x for x in head.split("\n") if x.strip()), "")
        return _header(first.rstrip("\r")) is not None

    def read(self, path: Path, /) -> Iterator[Trajectory]:
        """Yield the transcripts of ``path``, the damaged ones as ``error``."""
        return sessions(path, _transcripts(path, self._account), self.source)


@importer(name="annomi.v1", fmt="AnnoMI, CSV of utterances, full or simple", source="Wu et al. 2022, ICASSP")
def annomi(account: Account | None = None) -> Annomi:
    """AnnoMI transcripts of motivational interviewing, as CSV (full or simple form)."""
    return Annomi(account)
