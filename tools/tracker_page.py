"""What the tracker of human clients' talk foretells, as a section of a generated page."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from markdown_pieces import table

__all__ = ["tracker_section"]

DOCS = Path(__file__).resolve().parents[1] / "docs"
PAST = {
    "coded": "The past as people coded it",
    "read": "The past as readers of the text alone make it out (what a therapist in a live session has)",
}


def _losses(found: Mapping[str, Any], what: Mapping[str, str]) -> str:
    quality = found["by_quality"]
    head = ["forecast", "from", "log loss", *(f"{q}-quality sessions (n {v['n']})" for q, v in quality.items())]
    rows = [
        [f"`{name}`", what[name], f"{loss:.3f}", *(f"{v[name]:.3f}" for v in quality.values())]
        for name, loss in found["log_loss"].items()
    ]
    return table(head, rows)


def _gains(found: Mapping[str, Any]) -> str:
    def between(pair: list[float]) -> str:
        return f"[{pair[0]:+.3f}, {pair[1]:+.3f}]"

    rows = [
        [f"`{g['of']}` over `{g['over']}`", f"{g['gain']:+.3f}", between(g["interval"]["transcripts"]),
         between(g["interval"]["series"])]
        for g in found["gains"]
    ]  # fmt: skip
    return table(["gain", "nats a turn", "95 % over transcripts", "95 % over series"], rows)


def tracker_section() -> str:
    """Return the section, from docs/tracker.json."""
    d = json.loads((DOCS / "tracker.json").read_text(encoding="utf-8"))
    parts = [
        "## What tracking foretells of human clients",
        f"The kind of a client's next turn (change, neutral or sustain talk, AnnoMI: {d['n']:,} turns of "
        f"{d['transcripts']} transcripts in {d['series']} series), given everything before it. {d['method']}. "
        f"Made by `{d['command']}`. From human data.",
    ]
    for past, title in PAST.items():
        parts += [f"### {title}", _losses(d[past], d["what"]), _gains(d[past])]
    sizes = ", ".join(f"{k}: {v:.3f}" for k, v in sorted(d["coded"]["stances"].items()))
    parts += [
        f"With other numbers of stances the tracker's log loss is {sizes}. The reader of client turns is right on "
        f"{d['read']['reader_accuracy']:.0%} of them, held out.",
        "Not shown by this:",
        "\n".join(f"- {line}" for line in d["not_shown"]),
        "### How far factored beliefs come from exact ones",
        f"{d['factored']['what']} (`{d['factored']['command']}`).",
        table(
            ["spread of the coupling", "a variable stays with", "mean", "95th percentile", "largest"],
            [[r["coupling"], r["stay"], r["mean"], r["p95"], r["largest"]] for r in d["factored"]["rows"]],
        ),
    ]
    return "\n\n".join(parts)
