"""Write ten whole sessions of the Socratic therapist to docs/sessions, drawn by seed and not by taste.

python tools/session_pages.py [--check]
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from pathlib import Path

import numpy as np

from turnwise.core.nouns import SessionSpec, Trajectory
from turnwise.core.play import play
from turnwise.core.registry import PATIENTS, THERAPISTS
from turnwise.engine.discovery import discover
from turnwise.patients.casebook import case_ids, load_case
from turnwise.reading.ears.direct import DirectEar

OUT = Path(__file__).resolve().parents[1] / "docs" / "sessions"
SEED, SESSIONS, TURNS = 31415, 10, 20


def drawn() -> list[SessionSpec]:
    """Return the recipes: cases without repetition, in the order the seed draws them."""
    cases = np.random.default_rng(SEED).permutation(case_ids())[:SESSIONS]
    who, whom = THERAPISTS.get("socratic").name, PATIENTS.get("stateful").name
    return [SessionSpec(case=str(c), patient=whom, therapist=who, seed=SEED, max_turns=TURNS) for c in cases]


def page(t: Trajectory, place: int) -> str:
    """Return one session as Markdown, with the act behind each therapist turn and the moment of each patient turn."""
    assert t.spec is not None
    lines = [
        f"# Session {place}: {t.spec.case}",
        f"Simulated patient `{t.spec.case}` (an invented person, not clinician-reviewed), therapist "
        f"`{t.spec.therapist}`, "
        f"seed {t.spec.seed}. Drawn by the seed, printed whole by `python tools/session_pages.py`. Ending: {t.ending}.",
    ]
    for turn, info in zip(t.turns, t.infos, strict=True):
        if turn.speaker == "therapist":
            act = info["act"]
            lines.append(f"**T** {turn.text} <sub>{act['move']}</sub>")  # type: ignore[index,call-overload]
        else:
            moment = f" <sub>{info['moment']}</sub>" if info.get("moment") else ""
            lines.append(f"**P** {turn.text}{moment}")
    return "\n\n".join(lines) + "\n"


def pages() -> dict[str, str]:
    """Return every page by file name."""
    discover(third_parties=False)
    ear = DirectEar()
    patient, therapist = PATIENTS.get("stateful").obj(ear=ear), THERAPISTS.get("socratic").obj(ear=ear)
    out = {}
    for place, spec in enumerate(drawn(), start=1):
        t = asyncio.run(play(spec, load_case(spec.case), patient, therapist))
        out[f"{place:02d}-{spec.case}.md"] = page(t, place)
    return out


def main() -> int:
    """Write the sessions, or say which have changed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a session reads otherwise now")
    asked = parser.parse_args()
    made = pages()
    changed = [
        n for n, text in made.items() if not (OUT / n).is_file() or (OUT / n).read_text(encoding="utf-8") != text
    ]
    if asked.check:
        print("\n".join(f"{n} has changed" for n in changed) or "sessions are current")
        return 1 if changed else 0
    OUT.mkdir(parents=True, exist_ok=True)
    for old in OUT.glob("*.md"):
        old.unlink()
    for name, text in made.items():
        (OUT / name).write_text(text, encoding="utf-8")
    print(f"wrote {len(made)} sessions to {OUT}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
