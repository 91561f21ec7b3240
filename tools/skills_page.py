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
            "that is blind to what went before counts less or nothing (below), on every rung by the same rule; alone "
            "there is nothing to be blind to. Nothing is averaged over skills.",
            "What the raters read (`readers.md`) is fitted on written examples and coded turns; a label that did not "
            "reach its floor is `undetermined`, and the moment unscored, where it would be given. Between embedded "
            "therapists and simulated patients every figure holds by construction: an instrument check.",
            table(head, rows),
            *_history(),
            *_what_is_seen(),
            *_known_groups(),
            "## Definitions",
            *map(definition, SKILLS),
        ]
    )


def _history() -> list[str]:
    """How well the history judgement reads, and how often it finds fault with people."""
    found = json.loads((DOCS / "history.json").read_text(encoding="utf-8"))
    pairs = [
        [name, *(_span(x[k]) for k in ("recall", "precision")), f"{x['false_alarms']['value']:.3f}", x["of_them_hard"]]
        for name, x in found["pairs"].items()
    ]
    kinds = list(next(iter(found["people"].values()))["kinds"])
    people = [[name, x["n"], _span(x), *(x["kinds"][k] for k in kinds)] for name, x in found["people"].items()]
    by_kind = [[k, *(x["recall_by_kind"][k] for x in found["pairs"].values())] for k in kinds]
    return [
        "## What is blind to history",
        "Every skill is worth its raw value less the part of the reply that does not know the conversation "
        "(`turnwise.reading.history`): what was said before, asked and answered, told unasked, refused, given back "
        "already, or opened again. Not a fault: the same answer to the same question, danger asked about again, what "
        f"the speaker marks as a return. Figures (`{found['command']}`) on written pairs, not observed, by one mind in "
        "two voices: they flatter.",
        table(["pairs", "recall", "precision", "false alarms", "of them hard cases"], pairs),
        table(["kind", *(f"recall, {name}" for name in found["pairs"])], by_kind),
        "Flags on human therapists in AnnoMI, turn by turn. Nobody labelled these turns; read by hand, some are real "
        "repetitions and most of `asks_again` are follow-ups on the same subject. A session has 33 "
        "therapist turns on average there (20 at most in a default run); far above these rates is not how people talk.",
        table(["therapists", "turns", "share with a flag", *kinds], people),
    ]


def _span(x: dict[str, float]) -> str:
    return f"{x['value']:.3f} [{x['low']:.3f}, {x['high']:.3f}]"


def _known_groups() -> list[str]:
    """Whether rates of skills tell good sessions of people from bad ones better than four behaviours do."""
    found = json.loads((DOCS / "known_groups.json").read_text(encoding="utf-8"))
    models = [
        [name, m["features"], _span(m["auc"]), None if m["gain"] is None else _span(m["gain"])]
        for name, m in found["models"].items()
    ]
    rates = [[f"`{n}`", x["n"], _span(x)] for n, x in found["features"]["ladder (raw)"].items()]
    n = found["sessions"]
    return [
        "## Known groups: good and bad sessions of people",
        f"{n['high']} sessions of high and {n['low']} of low quality in AnnoMI ({n['series']} series; the low ones are "
        f"staged), told apart by logistic models asked only about series they never saw (`{found['command']}`). "
        "**The skill rates are made of raw probabilities that the ladder itself withholds on transcripts, because "
        "most raters are below their floor there**: a study of whether there is something in them, not a licence to "
        "use a single label. *Only for the better*: a skill may speak for a session and never against it, as its "
        "definition has it; what a model gains beyond that, it gains from rates that read the wrong way round. Gain = "
        "AUC less that of the four behaviours as read, paired bootstrap over series.",
        table(["features", "how many", "AUC [95 %]", "gain over four behaviours [95 %]"], models),
        "Each skill's rate by itself (above .5: good sessions have more of it; one skill's value where its moment "
        "was likely, `heed` over all turns):",
        table(["rate", "sessions", "AUC [95 %]"], rates),
    ]


def _what_is_seen() -> list[str]:
    """What the ladder finds of a gap that was planted: end to end, and in tables of scores."""
    fade, power = (json.loads((DOCS / f"{name}.json").read_text(encoding="utf-8")) for name in ("fade", "power"))
    played = [
        [seed, who, fade["planted"][who], f"{x['arc_gap']:.3f} [{x['low']:.3f}, {x['high']:.3f}]", x["moments"]]
        for seed, found in fade["seeds"].items()
        for who, x in found.items()
    ]
    error = max(x["fading"]["standard_error"] for x in fade["seeds"].values())
    drawn = [
        [r["patients"], r["sessions_per_patient"] * r["moments_per_session"], r["planted"], f"{r['mean_found']:.3f}",
         f"{r['covered']['value']:.2f}", f"{r['excludes_zero']['value']:.2f}"]
        for r in power["rows"]
    ]  # fmt: skip
    return [
        "## What it finds of a gap that was planted",
        f"Played against the shipped patients with a reader that is never wrong (`{fade['command']}`): a therapist "
        "that does equally well everywhere (*steady*), and one that does worse once it has spoken (*fading*). "
        f"{fade['epochs']} sessions of each patient, all moments pooled: by chance alone the standard error of the gap "
        f"is {error:.3f}, and all seeds lie within .05 of what was planted in "
        f"{fade['chance_all_within_.05']['fading']:.0%} of such studies. A default run has four sessions of each "
        "patient, and so finds fades of that size in one skill only by chance.",
        table(["seed", "therapist", "planted", "arc gap found [95 %]", "moments met live"], played),
        f"In {power['studies']:,} simulated tables of scores a row (`{power['command']}`): how often the 95 % interval "
        "covers what was planted, and how often it leaves out zero (where nothing was planted: the error; else the "
        "power). With few patients the intervals are somewhat narrow.",
        table(["patients", "moments each", "planted", "mean found", "covered", "leaves out zero"], drawn),
    ]
