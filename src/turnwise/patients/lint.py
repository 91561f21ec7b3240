"""What a case file must keep to beyond its types: references, coverage, and how it is written."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from turnwise.patients.schema import CaseFile
from turnwise.reading.ears.intents import INTENTS

__all__ = ["broken_references", "lint_case", "spoken"]

_CLINICAL = re.compile(
    r"\b(trigger(s|ed)?|trauma(tic)?|coping mechanism|boundaries|validate[sd]?|toxic|self-care|process (it|my)|"
    r"dysfunction\w*|maladaptive|cognit\w+|ruminat\w+|struggle with)\b",
    re.IGNORECASE,
)
_ENOUGH = {"tellings": 100, "propositions": 50, "facts": 50, "absent": 12, "probes": 40}
_INTENTS_COVERED = 40
_FIRST_BEAT = 22
_LONGEST_I_FEEL_SHARE = 0.04


def spoken(case: CaseFile) -> list[str]:
    """Return everything the patient can say, in file order (probes are not spoken)."""
    said = [b for t in case.tellings for b in (*t.beats, *t.wordings, *t.escalation, *t.disappointed)]
    said += [b for p in case.propositions for b in p.beats] + [f.say for f in case.facts]
    said += [a.say for a in case.absent] + [g for topic in case.topics.values() for g in topic.guard]
    said += [line.say for bank in case.advice_replies.values() for line in bank]
    return said + [line.say for name in type(case.reactions).model_fields for line in getattr(case.reactions, name)]


def _unknown(where: str, named: Iterable[str], known: Iterable[str], what: str) -> Iterator[str]:
    known = set(known)
    for name in named:
        if name not in known:
            yield f"{where}: names the unknown {what} {name!r}; expected one that the file defines"


def broken_references(case: CaseFile) -> list[str]:
    """Return every reference that leads nowhere, each with its place in the file and what was expected."""
    ids = [t.id for t in case.tellings]
    answers = {*ids, *(p.id for p in case.propositions), *(f.key for f in case.facts)}
    bad = [f"tellings: the id {i!r} stands {n} times; expected once" for i, n in Counter(ids).items() if n > 1]
    for t in case.tellings:
        where = f"tellings[{t.id}]"
        bad += _unknown(f"{where}.topic", [t.topic], case.topics, "topic")
        bad += _unknown(f"{where}.needs", t.needs, ids, "telling")
        bad += _unknown(f"{where}.leads_to", t.leads_to, ids, "telling")
        bad += _unknown(f"{where}.mentions", t.mentions, case.people, "person")
        bad += _unknown(f"{where}.answers", t.answers, INTENTS, "intent")
    for name, person in case.people.items():
        bad += _unknown(f"people.{name}.intro", [person.intro], ids, "telling")
    for name, topic in case.topics.items():
        bad += _unknown(f"topics.{name}.intro", [topic.intro], ids, "telling")
    for p in case.propositions:
        bad += _unknown(f"propositions[{p.id}].topic", [p.topic] if p.topic else [], case.topics, "topic")
    bad += _unknown("spine", case.spine, ids, "telling")
    bad += _unknown("schedule", [s.telling for s in case.schedule], ids, "telling")
    bad += [
        f"schedule[{s.telling}]: latest {s.latest} is before {s.earliest}"
        for s in case.schedule
        if s.latest < s.earliest
    ]
    track = case.insight_track
    bad += _unknown("insight_track.belief", [track.belief], [b.id for b in case.formulation.core_beliefs], "belief")
    for part in ("evidence", "insights", "steps", "may_never_come"):
        bad += _unknown(f"insight_track.{part}", getattr(track, part), ids, "telling")
    for name in type(case.reactions).model_fields:
        for line in getattr(case.reactions, name):
            bad += _unknown(f"reactions.{name}", line.needs, ids, "telling")
    for subject, bank in case.advice_replies.items():
        for line in bank:
            bad += _unknown(f"advice_replies.{subject}", line.needs, ids, "telling")
    for probe in case.probes:
        bad += _unknown(f"probes[{probe.ask[:40]!r}].accept", probe.accept, answers, "telling")
    return bad


def lint_case(case: CaseFile) -> list[str]:
    """Return remarks on how a case is written; none of them stops it from being played.

    Checks counts, intents covered, clinical words, semicolons, lines said twice, over-long first
    beats, tellings that answer nothing, and how many sentences begin with "I feel".
    """
    notes = [f"{k}: {len(getattr(case, k))} of at least {n}" for k, n in _ENOUGH.items() if len(getattr(case, k)) < n]
    covered = {a for t in case.tellings for a in t.answers}
    if len(covered) < _INTENTS_COVERED:
        notes.append(
            f"tellings: {len(covered)} of {len(INTENTS)} intents are answered, at least {_INTENTS_COVERED} wanted"
        )
    for t in case.tellings:
        if (n := len(t.beats[0].split())) > _FIRST_BEAT:
            notes.append(f"tellings[{t.id}]: the first beat has {n} words, at most {_FIRST_BEAT} wanted")
        if not t.answers and t.function == "answer":
            notes.append(f"tellings[{t.id}]: answers nothing")
    said = spoken(case)
    notes += [f"clinical word: {s!r}" for s in said if _CLINICAL.search(s)]
    notes += [f"semicolon: {s!r}" for s in said if ";" in s]
    notes += [f"said {n} times: {s!r}" for s, n in Counter(said).items() if n > 1 and len(s.split()) > 3]
    if sum(s.lower().startswith("i feel") for s in said) > _LONGEST_I_FEEL_SHARE * len(said):
        notes.append("more than 4 % of lines begin with 'I feel'")
    return notes
