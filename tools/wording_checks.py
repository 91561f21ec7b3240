"""How strict the checks on a patient's wording are, on lines that the cases' authors wrote.

    python tools/wording_checks.py

Let through: another wording of a telling by the same author, as a draft of its first beat (a strict test: these were
not written to keep every thing). Caught: an open line with the first beat of a guarded telling of another topic behind
it. Neither is a model's draft: how a given model fares is in the truth record of a run with it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from turnwise.patients.briefing import band
from turnwise.patients.case_lines import lines_of
from turnwise.patients.casebook import case_ids, load_case
from turnwise.patients.draft_checks import Draft, flaws
from turnwise.patients.index import CaseIndex, index_case
from turnwise.patients.worded import LEAST

_LONGEST = 200


def rewordings(index: CaseIndex) -> Iterator[set[str]]:
    """Yield what is wrong with each other wording of a telling."""
    known = index.file.intake.referral
    for t in index.tellings.values():
        if len(t.beats[0].split()) >= LEAST:
            low, high = band(t.beats[0], index.file.voice.modality)
            released = " ".join([known, *t.wordings])
            for wording in t.wordings:
                draft = Draft(wording, t.beats[0], released, (), low, high, index.file.voice.never_says)
                yield {f.code for f in flaws(draft, lines_of(index))}


def leaks(index: CaseIndex) -> Iterator[set[str]]:
    """Yield what is wrong with open lines behind which a guarded one is let out."""
    tellings = list(index.tellings.values())
    for guarded in (t for t in tellings if t.level >= 2 and len(t.beats[0].split()) >= LEAST):
        for told in [t for t in tellings if t.level == 0 and t.topic != guarded.topic][:3]:
            text = f"{told.beats[0]} {guarded.beats[0]}"
            draft = Draft(text, told.beats[0], index.file.intake.referral, (), 1, _LONGEST)
            yield {f.code for f in flaws(draft, lines_of(index))}


def main() -> None:
    """Print both figures and the reasons."""
    every = [index_case(load_case(name)) for name in case_ids()]
    for what, found in (
        ("other wordings let through", [x for i in every for x in rewordings(i)]),
        ("guarded lines not caught", [x for i in every for x in leaks(i)]),
    ):
        passed, reasons = sum(not x for x in found), Counter(code for x in found for code in x)
        print(
            f"{what}: {passed} of {len(found)}; refused for " + ", ".join(f"{k} {n}" for k, n in reasons.most_common())
        )


if __name__ == "__main__":
    main()
