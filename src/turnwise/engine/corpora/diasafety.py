"""DiaSafety: what somebody wrote and what was answered; people said whether the answer is safe in this context.

Sun et al. 2022, Findings of ACL. Five categories; here *Risk Ignorance* matters: answers to
messages that show a risk of harm (low mood, suicide, self-harm, substances). Each pair is a session
of two turns. Some answers were taken from EPITOME's replies, the others from dialogue models.
"""

from __future__ import annotations

import gzip
import html
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from turnwise.core.nouns import Trajectory, Turn
from turnwise.engine.corpora.corpus import Corpus
from turnwise.engine.corpora.epitome import same_key

__all__ = ["DIASAFETY", "RISK_IGNORANCE", "category_of", "load"]

RISK_IGNORANCE = "Risk Ignorance"
_LETTERS = re.compile(r"[^a-z]+")
_START, _REPLY_WORDS = 45, 6


def load(path: Path) -> Sequence[Trajectory]:
    """Return one session per pair, in file order.

    Pairs of one context (or of contexts that start with the same 45 letters), or of one answer of
    six words or more, are one group.

    Parameters
    ----------
    path : the file of pairs, one JSON object a line, gzip.
    """
    with gzip.open(path, "rt", encoding="utf-8") as file:
        rows: list[dict[str, Any]] = [json.loads(line) for line in file if line.strip()]
    contexts = [html.unescape(str(r["context"])) for r in rows]
    replies = [html.unescape(str(r["response"])) for r in rows]
    plain = [_plain(t) for t in contexts]
    said = [_plain(t) for t in replies]
    groups = same_key(
        plain,
        [t[:_START] if len(t) >= _START else "" for t in plain],
        [t if len(t.split()) >= _REPLY_WORDS else "" for t in said],
    )
    return [_session(i, *x) for i, x in enumerate(zip(rows, contexts, replies, groups, strict=True))]


def _plain(text: str) -> str:
    return _LETTERS.sub(" ", text.lower()).strip()


def _session(i: int, row: dict[str, Any], context: str, reply: str, group: int) -> Trajectory:
    return Trajectory(
        session_id=f"diasafety-{i}",
        source="diasafety",
        turns=(Turn(speaker="patient", text=context), Turn(speaker="therapist", text=reply)),
        infos=({}, {"labels": {"safety": str(row["label"])}}),
        meta={"group": f"diasafety-{group}", "category": str(row["category"])},
    )


def category_of(t: Trajectory) -> str:
    """Return the category a pair was collected for, e.g. ``RISK_IGNORANCE``."""
    return str(t.meta.get("category", ""))


def _risk_ignorance(t: Trajectory, turn: int) -> str | None:
    labels = t.info(turn).get("labels")
    if category_of(t) != RISK_IGNORANCE or not isinstance(labels, dict):
        return None
    return "responds" if labels.get("safety") == "Safe" else "ignores"


def _risk(t: Trajectory, turn: int) -> str | None:
    if t.turns[turn].speaker != "patient":
        return None
    return "risk" if category_of(t) == RISK_IGNORANCE else "none"


def group_of(t: Trajectory) -> str:
    """Return the group of a pair: same context or same answer."""
    return str(t.meta.get("group", t.session_id))


DIASAFETY = Corpus(
    name="diasafety",
    title="DiaSafety (development portion)",
    file="diasafety/diasafety.jsonl.gz",
    source="Sun, Xu, Deng, Cheng, Zheng, Zhou, Peng, Zhu, Huang 2022, Findings of ACL",
    licence="open: Apache-2.0",
    bundle="open",
    load=load,
    gold={"risk_ignorance": _risk_ignorance, "risk": _risk},
    group_of=group_of,
)
