"""The page of the tracker of human clients' talk: what it foretells, and what it does not (docs/tracker.json)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from markdown_pieces import table
from turnwise.therapists.next_talk import TALK_ACTS, TALK_STANCES

__all__ = ["tracker_page"]

DOCS = Path(__file__).resolve().parents[1] / "docs"
TALK = ("change", "neutral", "sustain")
PAST = {
    "coded": "The past as people coded it",
    "read": "The past as readers of the text alone make it out (what a therapist in a live session has)",
}


def tracker_page() -> str:
    """Tracking human clients from turn to turn: figures, intervals, and what they do not show."""
    d: Mapping[str, Any] = json.loads((DOCS / "tracker.json").read_text(encoding="utf-8"))
    parts = [
        "# Tracking human clients",
        f"The kind of a client's next turn (change, neutral or sustain talk), given everything before it and the turn "
        f"the therapist makes. AnnoMI: {d['n']:,} turns of {d['transcripts']} transcripts in {d['series']} series. "
        f"{d['method'][0].upper()}{d['method'][1:]}. Made by `{d['command']}`. **From human data.** The fitted tracker "
        "is `turnwise.therapists.next_talk`.",
    ]
    for past, title in PAST.items():
        parts += [f"## {title}", _losses(d[past], d["what"]), "A gain is bold where both intervals lie above zero.",
                  _gains(d[past])]  # fmt: skip
    others = ", ".join(f"{name} {loss:.3f}" for name, loss in d["coded"]["other_sizes"].items())
    parts += [
        f"Other sizes of the tracker, where the past is coded: log loss {others}. The reader of client turns is right "
        f"on {d['read']['reader_accuracy']:.0%} of them, held out.",
        *_coders(d["across_coders"]),
        "## What is not shown",
        "\n".join(f"- {line}" for line in d["not_shown"]),
        *_stances(d["weights"]),
        "## How far factored beliefs come from exact ones",
        f"{d['factored']['what']} (`{d['factored']['command']}`; `turnwise.belief.factored`).",
        table(
            ["spread of the coupling", "a variable stays with", "mean", "95th percentile", "largest"],
            [[r["coupling"], r["stay"], r["mean"], r["p95"], r["largest"]] for r in d["factored"]["rows"]],
        ),
    ]
    return "\n\n".join(parts)


def _losses(found: Mapping[str, Any], what: Mapping[str, str]) -> str:
    part = found["by_part"]
    head = ["forecast", "from", "log loss", *(f"{name} (n {v['n']})" for name, v in part.items())]
    rows = [
        [f"`{name}`", what[name], f"{found['log_loss'][name]:.3f}", *(f"{v[name]:.3f}" for v in part.values())]
        for name in sorted(found["log_loss"], key=lambda x: (-found["log_loss"][x], x))
    ]
    return table(head, rows)


def _between(pair: Sequence[float]) -> str:
    return f"[{pair[0]:+.3f}, {pair[1]:+.3f}]"


def _gains(found: Mapping[str, Any]) -> str:
    rows = []
    for g in found["gains"]:
        by = g["interval"]
        mark = "**" if min(by["transcripts"][0], by["series"][0]) > 0 else ""
        rows.append([
            f"`{g['of']}` over `{g['over']}`", f"{mark}{g['gain']:+.3f}{mark}", _between(by["transcripts"]),
            _between(by["series"]),
        ])  # fmt: skip
    return table(["gain", "nats a turn", "95 % over transcripts", "95 % over series"], rows)


def _coders(d: Mapping[str, Any]) -> list[str]:
    names = [*d["same"]["log_loss"]]
    rows = [
        [title, *(f"{d[judge]['log_loss'][n]:.3f}" for n in names),
         ", ".join(f"{x:+.3f}" for x in d[judge]["gain_by_transcript"]["classifier_codes"])]
        for judge, title in (("same", "the same coder"), ("another", "the nine others"))
    ]  # fmt: skip
    return [
        "## Is it the client that lasts, or the coder?",
        f"{len(d['transcripts'])} transcripts ({d['n']} turns) were coded by {d['coders']} people each. The past as "
        "one of them coded it, and the client's next turn as the same person or another coded it; log loss, mean over "
        "transcripts. So few settle nothing: the gain of the tracker over `classifier_codes` is given for each one.",
        table(["judged by", *(f"`{n}`" for n in names), "gain in each transcript"], rows),
    ]


def _stances(weights: Mapping[str, Any]) -> list[str]:
    said = [
        [f"`{stance}`", *(f"{sum(by[i] for by in weights['talk'][k]) / len(TALK_ACTS):.2f}" for i in range(len(TALK)))]
        for k, stance in enumerate(TALK_STANCES)
    ]
    stays = [
        [f"`{act}`", *(f"{weights['moves'][a][k][k]:.2f}" for k in range(len(TALK_STANCES)))]
        for a, act in enumerate(TALK_ACTS)
    ]
    return [
        "## The fitted stances",
        "Named afterwards by what comes of them; talk is the mean over kinds of therapist turn.",
        table(["stance", *TALK], said),
        "Probability of staying, by the therapist's turn in between:",
        table(["therapist's turn", *(f"`{s}`" for s in TALK_STANCES)], stays),
    ]
