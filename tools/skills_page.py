"""The page of the ladder: skills, rungs, and what is found of a gap that was planted."""

from __future__ import annotations

import json
from pathlib import Path

from markdown_pieces import definition, table
from turnwise.core.registry import SKILLS

__all__ = ["skills_page"]

DOCS = Path(__file__).resolve().parents[1] / "docs"


def skills_page() -> str:
    """The ladder: skills, what they are judged by, the rungs and what is subtracted."""
    head = ["name", "what it is", "moments", "items read in the reply", "needs truth", "source"]
    rows = [
        [f"`{e.name}`", e.summary, tuple(m.value for m in e.spec["moments"]), e.spec["needs"],
         "for some moments" if e.spec["may_need_truth"] else None, e.spec["source"]]
        for e in SKILLS
    ]  # fmt: skip
    return "\n\n".join(
        [
            "# The ladder: skills, moments, rungs",
            "A skill is judged on one *moment* (a patient turn that calls for it) and the reply it met, by the same "
            "raters on every rung: **show**, the moment alone; **resume**, after a history that a reference therapist "
            "led; **sustain**, inside the therapist's own session. *Arc gap* = show − sustain = *context cost* (show − "
            "resume) + *compounding* (resume − sustain), paired within patients; positive = the skill is lost on the "
            "way. A scheduled moment that never came counts as not met (`sustain_best` assumes the best). A reply "
            "that says again what was said before counts nothing. Nothing is averaged over skills.",
            "What the raters read (`readers.md`) is fitted on written examples and coded turns; a label that did not "
            "reach its floor is `undetermined`, and the moment unscored, where it would be given. Between embedded "
            "therapists and simulated patients every figure holds by construction: an instrument check.",
            table(head, rows),
            *_what_is_seen(),
            "## Definitions",
            *map(definition, SKILLS),
        ]
    )


def _what_is_seen() -> list[str]:
    """What the ladder finds of a gap that was planted: end to end, and in tables of scores."""
    fade, power = (json.loads((DOCS / f"{name}.json").read_text(encoding="utf-8")) for name in ("fade", "power"))
    played = [
        [seed, who, fade["planted"][who], f"{x['arc_gap']:.3f} [{x['low']:.3f}, {x['high']:.3f}]", x["moments"]]
        for seed, found in fade["seeds"].items()
        for who, x in found.items()
    ]
    drawn = [
        [r["patients"], r["sessions_per_patient"] * r["moments_per_session"], r["planted"], f"{r['mean_found']:.3f}",
         f"{r['covered']['value']:.2f}", f"{r['excludes_zero']['value']:.2f}"]
        for r in power["rows"]
    ]  # fmt: skip
    return [
        "## What it finds of a gap that was planted",
        f"Played against the shipped patients with a reader that is never wrong (`{fade['command']}`): a therapist "
        "that does equally well everywhere (*steady*), and one that does worse once it has spoken (*fading*).",
        table(["seed", "therapist", "planted", "arc gap found [95 %]", "moments met live"], played),
        f"In {power['studies']:,} simulated tables of scores a row (`{power['command']}`): how often the 95 % interval "
        "covers what was planted, and how often it leaves out zero (where nothing was planted: the error; else the "
        "power). With few patients the intervals are somewhat narrow.",
        table(["patients", "moments each", "planted", "mean found", "covered", "leaves out zero"], drawn),
    ]
