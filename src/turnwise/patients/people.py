"""Name people so that nobody is spoken of before it is clear who they are."""

from __future__ import annotations

import re

from turnwise.patients.index import CaseIndex

__all__ = ["display", "introduce", "who_to_me"]

_RELATION = frozenset(
    "wife husband daughter son son-in-law grandson granddaughter friend neighbour brother sister girlfriend boyfriend "
    "coworker colleague manager supervisor ex-husband flatmate student".split()
)


def display(name: str) -> str:
    """Return a name as it is written (names in case files are lower-case patterns)."""
    return name if name.startswith("my ") else " ".join(w[:1].upper() + w[1:] for w in name.split())


_MINE = frozenset(
    "boss doctor gp uncle aunt niece nephew cousin partner roommate housemate landlord landlady lawyer mate ex ex-wife "
    "stepfather brother-in-law ex-boyfriend pastor priest".split()
)
_OWN = frozenset((*_RELATION, *_MINE, *"mother father grandmother grandfather stepmother boy lead dispatcher".split()))
_KNOWN_TO_ALL = frozenset(("mother", "father", "grandmother", "grandfather"))


def _who(kind: str) -> str:
    """Return who somebody is, to stand behind their name: "my boss", "the nurse", "Gary's mum"."""
    if kind[:1].isupper() or kind.startswith("the ") or "'s " in kind:
        return kind
    return f"my {kind}" if kind.lower() in _MINE else f"the {kind}"


def who_to_me(kind: str) -> str:
    """Return who somebody is, as a whole answer; ``""`` where the case's word for it cannot be said by the patient.

    Examples
    --------
    >>> who_to_me("granddaughter"), who_to_me("mother's boyfriend"), who_to_me("man on the next plot")
    ('My granddaughter.', "My mother's boyfriend.", 'The man on the next plot.')
    >>> who_to_me("nurse"), who_to_me("Kirsty's boy"), who_to_me("the magistrate he clerked for")
    ('A nurse.', "Kirsty's boy.", '')
    """
    if kind.isupper() or re.search(r"\b(?:he|she|they|his|her|their)\b", kind):
        return ""
    head = kind.split()[0].removesuffix("'s")
    if kind[:1].isupper():
        return f"{kind}."
    ours = kind.split()[-1] in _OWN and not re.search(r" (?:on|with|at|from|in|of) ", kind) and head != "church"
    if ours or ("'s " in kind and head in _OWN):
        return f"My {kind}."
    if kind.startswith("the ") or "'s " in kind or re.search(r" (?:on|with|at|from|in|of) ", kind):
        return f"The {kind.removeprefix('the ')}."
    return f"A{'n' if kind[0] in 'aeiou' else ''} {kind}."


def introduce(index: CaseIndex, beat: str, known: set[str]) -> tuple[str, set[str]]:
    """Put who they are before the first mention of somebody ("my daughter Delyth"); return who is known now."""
    now = set(known)
    for person in sorted(index.people_in(beat)):
        if person in now:
            continue
        now.add(person)
        p = index.file.people[person]
        if p.kind in _KNOWN_TO_ALL or re.search(rf"\b{re.escape(p.kind)}\b", beat, re.IGNORECASE):
            continue
        name = next((n for n in p.names if not n.startswith("my ")), "")
        shown = (
            re.search(rf"(?<!my )(?<!\w )\b{re.escape(name)}\b|\b{re.escape(name)}\b", beat, re.IGNORECASE)
            if name
            else None
        )
        if not shown or re.search(r"\b(?:my|our|his|her)\s+(?:\w+\s+)?$", beat[: shown.start()]):
            continue
        if p.kind not in _RELATION:
            after = beat[shown.end() :]
            if re.match(
                r" (?:was|is|has|had|does|did|says|said|comes|came|rings|rang|goes|went|will|would|can)\b", after
            ):
                beat = f"{beat[: shown.start()]}{display(shown.group())}, {_who(p.kind)},{after}"
        else:
            start = "My" if shown.start() == 0 or beat[: shown.start()].rstrip().endswith((".", "?", "!")) else "my"
            beat = f"{beat[: shown.start()]}{start} {p.kind} {display(shown.group())}{beat[shown.end() :]}"
    return beat, now
