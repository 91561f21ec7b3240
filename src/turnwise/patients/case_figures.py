"""What a case file holds, counted: for ``turnwise patients check`` and for the documentation."""

from __future__ import annotations

from collections import Counter
from typing import Any

from turnwise.patients.lint import spoken
from turnwise.patients.schema import CaseFile
from turnwise.reading.ears.intents import INTENTS

__all__ = ["case_figures"]


def case_figures(case: CaseFile) -> dict[str, Any]:
    """Return counts of what was written: no judgement of how well.

    Examples
    --------
    >>> from turnwise.patients.casebook import read_case_file
    >>> figures = case_figures(read_case_file("alun"))
    >>> figures["levels"][3], figures["topics"]
    (6, 12)
    """
    beats = [len(b.split()) for t in case.tellings for b in t.beats]
    by_id = {t.id: t for t in case.tellings}
    planned = [by_id[s.telling].moment for s in case.schedule]
    return {
        "spoken_words": sum(len(line.split()) for line in spoken(case)),
        "tellings": len(case.tellings),
        "levels": [sum(t.level == level for t in case.tellings) for level in range(4)],
        "topics": len(case.topics),
        "beats": len(beats),
        "beat_words_mean": round(sum(beats) / len(beats), 1),
        "beats_over_25_words": round(sum(n > 25 for n in beats) / len(beats), 3),
        "asks": sum(len(t.asks) for t in case.tellings),
        "intents": len({a for t in case.tellings for a in t.answers} & set(INTENTS)),
        "propositions": dict(Counter(p.answer for p in case.propositions)),
        "facts": len(case.facts),
        "absent": len(case.absent),
        "planned_moments": dict(Counter(m.value if m else "none" for m in planned)),
        "probes": len(case.probes),
    }
