"""Say what patients answer to the questions of whole sessions, and how much of it answers (tools/live_questions.jsonl).

    python tools/live_replies.py [--json] [--all-known]

Each question is put at its place: after the same words, with the same told before, by a patient who trusts somewhat.
Known questions in just these words are left out of the comparison (``--all-known`` keeps them), since many stand there
because of this list; what else was written for it stays, so this is a development set and no test. What is told is
right or wrong by the verdicts of those who judged the six likeliest answers of the day; what was not among them is not
judged.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from question_corpus import FITS, WRONG, Question, excluded, indices, live_questions
from turnwise.core.nouns import Turn
from turnwise.core.seeds import generator
from turnwise.patients import matching, ranking
from turnwise.patients.index import CaseIndex
from turnwise.patients.listening import take
from turnwise.patients.memory import Memory
from turnwise.patients.mind import Mind
from turnwise.patients.planner import decide
from turnwise.patients.plans import Situation
from turnwise.reading.ears.direct import hear_block
from turnwise.reading.ears.questions import read_heard
from turnwise.reading.window import Window

TRUST, TURN = 0.62, 6
"""Of the patient who is asked: half open, past the first turns."""
JUDGED = ("tell", "fact", "yes_no", "risk")


def _said_last(index: CaseIndex, words: str) -> str:
    """Return the telling of which most was in the patient's last words."""
    held = {t.id: sum(len(beat) for beat in t.beats if beat[:-1] in words) for t in index.file.tellings}
    best = max(held, key=lambda name: held[name])
    return best if held[best] else ""


def reply_to(index: CaseIndex, q: Question, *, as_new: bool) -> tuple[str, str]:
    """Return the kind of the reply, and what is told in it (a telling, fact or proposition; may be none)."""
    live = q.live
    assert live is not None
    last = index.tellings.get(_said_last(index, live.before))
    turns = (Turn(speaker="patient", text=live.before or "Mm."), Turn(speaker="therapist", text=live.turn))
    memory = Memory(
        said=live.told,
        lines=(turns[0].text, *(last.beats[:1] if last else ())),
        last=last.id if last else "",
        topic=live.topic or "",
        focus=live.focus,
        pending=last.beats[1:] if last else (),
    )
    hearing = hear_block([Window(turns[1], turns[:1])])[0]
    taken = take(index, memory, turns, hearing, read_heard(hearing, live.turn))
    ranking.begun_before.cache_clear()
    own, word_for_word = ranking.begun_before, matching._word_for_word
    if as_new:
        ranking.begun_before = lambda index, reading: ranking._begun(index, reading, excluded(q))  # type: ignore[assignment]
        matching._word_for_word = lambda index: {}  # type: ignore[assignment]
    try:
        found = matching.candidates(index, memory, taken)
    finally:
        ranking.begun_before, matching._word_for_word = own, word_for_word
    rng = generator(1, f"{q.case}/{q.text}", 0, "patient", 3)
    plan = decide(Situation(index, Mind(trust=TRUST, turn=TURN), memory, taken, rng), found)
    return plan.kind, plan.telling or plan.key


def verdict_of(q: Question, kind: str, told: str) -> str:
    """Return whether what is told answers: by the mean of its verdicts, ``"not judged"`` where it has none."""
    assert q.live is not None
    if kind not in JUDGED:
        return "no answer of the case"
    if told not in q.live.verdicts:
        return "not judged"
    mean = q.live.mean(told)
    return "fits" if mean >= FITS else "wrong" if mean <= WRONG else "doubtful"


def figures(*, as_new: bool) -> dict[str, Any]:
    """Return shares of all questions: by kind of reply, and of what is told by verdict."""
    indexed = indices()
    rows = list(_rows(indexed, as_new=as_new))
    n, told = len(rows), Counter(v for _, v in rows)
    judged = told["fits"] + told["doubtful"] + told["wrong"]
    return {
        "questions": n,
        "kinds": {kind: round(k / n, 3) for kind, k in Counter(kind for kind, _ in rows).most_common()},
        "told": {verdict: round(k / n, 3) for verdict, k in told.most_common()},
        "wrong_of_judged": round(told["wrong"] / max(1, judged), 3),
    }


def _rows(indexed: dict[str, CaseIndex], *, as_new: bool) -> Iterator[tuple[str, str]]:
    for q in live_questions(indexed):
        kind, told = reply_to(indexed[q.case], q, as_new=as_new)
        yield kind, verdict_of(q, kind, told)


def main(argv: Sequence[str] | None = None) -> int:
    """Print the figures."""
    asked = sys.argv[1:] if argv is None else list(argv)
    found = figures(as_new="--all-known" not in asked)
    if "--json" in asked:
        print(json.dumps(found, indent=2))
        return 0
    print(f"{found['questions']} questions; of what is told and was judged {found['wrong_of_judged']:.1%} is wrong")
    for name in ("told", "kinds"):
        print("\n".join(f"  {name} {key:22s} {share:6.1%}" for key, share in found[name].items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
