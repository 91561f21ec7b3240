"""What a case file must keep to beyond its types: references, coverage, and how it is written."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from turnwise.core.nouns import Moment
from turnwise.patients.everyday import everyday
from turnwise.patients.schema import CaseFile, Telling
from turnwise.reading.ears.intents import INTENTS

__all__ = ["broken_references", "lint_case", "phrases", "shared_phrases", "spoken"]

_CLINICAL = re.compile(
    r"\b(trigger(s|ed)?|trauma(tic)?|coping mechanism|boundaries|validate[sd]?|toxic|self-care|process (it|my)|"
    r"dysfunction\w*|maladaptive|cognit\w+|ruminat\w+|struggle with)\b",
    re.IGNORECASE,
)
_ENOUGH = {"tellings": 100, "propositions": 50, "facts": 50, "absent": 12, "probes": 40}
_INTENTS_COVERED = 40
_EVERYDAY = 48  # questions of the catalogue that a case answers: not everybody has children
_FIRST_BEAT = 22
_LONGEST_I_FEEL_SHARE = 0.04
_ASKS = 3
_SPOKEN_WORDS = (4_000, 9_000)
_PLANNED = {"disclosure": 2, "bait": 2, "request": 2, "hint": 2, "insight": 2, "identity": 1, "thin": 1}
_SIGNS = {"hint": "veiled", "volunteer": "plain"}
_WINDOW, _FIRST_TURNS = 4, 4
_FOLLOW_UP = 18  # words of an answer to a question about a telling
_GRAM = 6
_SHARED_AT_MOST = 3


def spoken(case: CaseFile) -> list[str]:
    """Return everything the patient can say unless it is asked about what it told; probes are not spoken."""
    said = [b for t in case.tellings for b in (*t.beats, *t.wordings, *t.escalation, *t.disappointed)]
    said += [b for p in case.propositions for b in p.beats] + [f.say for f in case.facts]
    said += [a.say for a in case.absent] + [g for topic in case.topics.values() for g in topic.guard]
    said += [line.say for bank in case.advice_replies.values() for line in bank]
    said += [line.say for own in case.own_advice.values() for line in own.say]
    return said + [line.say for name in type(case.reactions).model_fields for line in getattr(case.reactions, name)]


def _unknown(where: str, named: Any, known: Iterable[Any], what: str) -> Iterator[str]:
    known = set(known)
    for name in named if isinstance(named, (list, tuple)) else []:
        if not isinstance(name, str) or name not in known:
            yield f"{where}: names the unknown {what} {name!r}, expected one that the file defines"


def _entries(content: Mapping[str, Any], section: str) -> list[Mapping[str, Any]]:
    """Return the entries of a list section that are mappings (what else stands there is told by its type)."""
    part = content.get(section)
    return [x for x in part if isinstance(x, dict)] if isinstance(part, (list, tuple)) else []


def _named(content: Mapping[str, Any], section: str) -> dict[str, Mapping[str, Any]]:
    part = content.get(section)
    return {str(k): v for k, v in part.items() if isinstance(v, dict)} if isinstance(part, dict) else {}


def _banks(content: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for section in ("reactions", "advice_replies"):
        part = content.get(section)
        for name, bank in part.items() if isinstance(part, dict) else ():
            yield f"{section}.{name}", bank
    for name, own in _named(content, "own_advice").items():
        yield f"own_advice.{name}.say", own.get("say")


def _ids(content: Mapping[str, Any], section: str, key: str = "id") -> list[str]:
    return [str(x[key]) for x in _entries(content, section) if key in x]


def broken_references(content: Mapping[str, Any]) -> list[str]:
    """Return every reference that leads nowhere, each with its place in the file and what was expected.

    ``content`` is the file as read, valid or not: a case whose types are wrong elsewhere is still
    told all of its references, so that one reading of the list mends everything.
    """
    ids = _ids(content, "tellings")
    topics, people = _named(content, "topics"), _named(content, "people")
    bad = [f"tellings: the id {i!r} stands {n} times, expected once" for i, n in Counter(ids).items() if n > 1]
    for t in _entries(content, "tellings"):
        where = f"tellings[{t.get('id', '?')}]"
        bad += _unknown(f"{where}.topic", [t["topic"]] if "topic" in t else [], topics, "topic")
        for key, known, what in (
            ("needs", ids, "telling"),
            ("leads_to", ids, "telling"),
            ("mentions", people, "person"),
            ("answers", INTENTS, "intent"),
        ):
            bad += _unknown(f"{where}.{key}", t.get(key), known, what)
    for section, parts in (("people", people), ("topics", topics)):
        for name, part in parts.items():
            bad += _unknown(f"{section}.{name}.intro", [part["intro"]] if "intro" in part else [], ids, "telling")
    for p in _entries(content, "propositions"):
        bad += _unknown(
            f"propositions[{p.get('id', '?')}].topic", [p["topic"]] if p.get("topic") else [], topics, "topic"
        )
    bad += _unknown("spine", content.get("spine"), ids, "telling")
    return [*bad, *_broken_plans(content, ids), *_broken_lines(content, ids)]


def _broken_plans(content: Mapping[str, Any], ids: list[str]) -> Iterator[str]:
    for s in _entries(content, "schedule"):
        yield from _unknown("schedule", [s.get("telling")], ids, "telling")
        first, last = s.get("earliest"), s.get("latest")
        if isinstance(first, int) and isinstance(last, int) and last < first:
            yield f"schedule[{s.get('telling')}]: latest {last} is before earliest {first}"
    track = content.get("insight_track")
    track = track if isinstance(track, dict) else {}
    formulation = content.get("formulation")
    beliefs = _ids(formulation, "core_beliefs") if isinstance(formulation, dict) else []
    yield from _unknown("insight_track.belief", [track["belief"]] if "belief" in track else [], beliefs, "belief")
    for part in ("evidence", "insights", "steps", "may_never_come"):
        yield from _unknown(f"insight_track.{part}", track.get(part), ids, "telling")


def _broken_lines(content: Mapping[str, Any], ids: list[str]) -> Iterator[str]:
    for where, bank in _banks(content):
        for line in bank if isinstance(bank, (list, tuple)) else ():
            if isinstance(line, dict):
                yield from _unknown(where, line.get("needs"), ids, "telling")
    answers = {*ids, *_ids(content, "propositions"), *_ids(content, "facts", "key"), *_ids(content, "absent", "key")}
    for probe in _entries(content, "probes"):
        yield from _unknown(f"probes[{str(probe.get('ask'))[:40]!r}].accept", probe.get("accept"), answers, "telling")


_ANSWERING = ("answer", "hint", "evidence")
_YES_NO = re.compile(r"(?:yes|no|yeah|nah|nope|aye)\b", re.IGNORECASE)


def _unplanned(case: CaseFile) -> Iterator[str]:
    """Say which kinds of moment a case plans too few of, and which planned tellings are no moment."""
    by_id: dict[str, Telling] = {t.id: t for t in case.tellings}
    planned = [by_id[s.telling] for s in case.schedule]
    for kind, wanted in _PLANNED.items():
        n = sum(t.moment == Moment(kind) for t in planned)
        if n < wanted:
            yield f"schedule: {n} of kind {kind!r}, at least {wanted} wanted"
    for s, t in zip(case.schedule, planned, strict=True):
        if t.needs:
            yield f"schedule[{t.id}]: comes whatever was said before, so it can need nothing, and needs {t.needs[0]!r}"
        if s.latest - s.earliest < _WINDOW - 1 and s.latest > _FIRST_TURNS:
            yield f"schedule[{t.id}]: a window of {s.latest - s.earliest + 1} turns, at least {_WINDOW} wanted"
    for function, how in _SIGNS.items():
        if not any(t.moment == Moment.RISK and t.function == function for t in planned):
            yield f"schedule: no {how} sign of danger (a {function} of kind 'risk'): one of the two comes in a session"


def _of_follow_ups(case: CaseFile) -> Iterator[str]:
    """Say what is amiss with what is said to questions about a telling."""
    said = Counter(x.lower() for x in spoken(case))
    for t in case.tellings:
        for f in t.further:
            where = f"tellings[{t.id}].further"
            if _YES_NO.match(f.say):
                yield f"{where}: begins with {f.say.split()[0]!r}, and answers no yes/no question"
            if (n := len(f.say.split())) > _FOLLOW_UP:
                yield f"{where}: {n} words, at most {_FOLLOW_UP} wanted: {f.say!r}"
            if len(f.ask) < _ASKS:
                yield f"{where}: {len(f.ask)} asks, at least {_ASKS} wanted: {f.say!r}"
            if said[f.say.lower()]:
                yield f"{where}: is said elsewhere too: {f.say!r}"
            said[f.say.lower()] += 1


def phrases(case: CaseFile) -> frozenset[tuple[str, ...]]:
    """Return every run of six words that the patient can say."""
    lines = (*spoken(case), *(f.say for t in case.tellings for f in t.further))
    said = [_WORDS.findall(line.lower().replace("’", "'")) for line in lines]
    return frozenset(tuple(words[i : i + _GRAM]) for words in said for i in range(len(words) - _GRAM + 1))


def shared_phrases(case: CaseFile, others: Iterable[CaseFile]) -> list[str]:
    """Return a remark for every other case with which this one shares more than a few phrases of six words."""
    own, notes = phrases(case), []
    for other in others:
        both = sorted(own & phrases(other))
        if other.id != case.id and len(both) > _SHARED_AT_MOST:
            shown = "; ".join(" ".join(gram) for gram in both[:3])
            notes.append(f"shares {len(both)} phrases of {_GRAM} words with case {other.id!r}, such as: {shown}")
    return notes


_WORDS = re.compile(r"[\w'-]+")


def lint_case(case: CaseFile) -> list[str]:
    """Return remarks on how a case is written; none of them stops it from being played.

    Checks counts, intents and everyday questions covered, clinical words, semicolons, lines said twice, over-long first
    beats, tellings that answer nothing or have too few ``asks``, mixed propositions that begin with
    a yes or a no, what is said to questions about a telling, kinds of scheduled moment, and how many
    sentences begin with "I feel".
    """
    notes = [f"{k}: {len(getattr(case, k))} of at least {n}" for k, n in _ENOUGH.items() if len(getattr(case, k)) < n]
    covered = {a for t in case.tellings for a in t.answers}
    if len(covered) < _INTENTS_COVERED:
        notes.append(
            f"tellings: {len(covered)} of {len(INTENTS)} intents are answered, at least {_INTENTS_COVERED} wanted"
        )
    if len(case.everyday) < _EVERYDAY:
        lacking = ", ".join(x for x in everyday() if x not in case.everyday)
        notes.append(f"everyday: {len(case.everyday)} questions answered, at least {_EVERYDAY} wanted; not: {lacking}")
    for t in case.tellings:
        if (n := len(t.beats[0].split())) > _FIRST_BEAT:
            notes.append(f"tellings[{t.id}]: the first beat has {n} words, at most {_FIRST_BEAT} wanted")
        if not t.answers and t.function == "answer":
            notes.append(f"tellings[{t.id}]: answers nothing")
        if t.answers and t.function in _ANSWERING and len(t.asks) < _ASKS:
            notes.append(f"tellings[{t.id}]: {len(t.asks)} asks, at least {_ASKS} wanted")
    notes += [
        f"propositions[{p.id}]: is mixed and begins with {p.beats[0].split()[0]!r}, expected neither yes nor no"
        for p in case.propositions
        if p.answer == "mixed" and _YES_NO.match(p.beats[0])
    ]
    notes += (*_of_follow_ups(case), *_unplanned(case))
    said = spoken(case)
    words = sum(len(line.split()) for line in said)
    if not _SPOKEN_WORDS[0] <= words <= _SPOKEN_WORDS[1]:
        notes.append(f"{words:,} spoken words, expected {_SPOKEN_WORDS[0]:,} to {_SPOKEN_WORDS[1]:,}")
    notes += [f"clinical word: {s!r}" for s in said if _CLINICAL.search(s)]
    notes += [f"semicolon: {s!r}" for s in said if ";" in s]
    notes += [f"said {n} times: {s!r}" for s, n in Counter(said).items() if n > 1 and len(s.split()) > 3]
    if sum(s.lower().startswith("i feel") for s in said) > _LONGEST_I_FEEL_SHARE * len(said):
        notes.append("more than 4 % of lines begin with 'I feel'")
    return notes
