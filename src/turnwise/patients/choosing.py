"""Choose one of several things that the therapist gave back: "Which of them weighs most?"."""

from __future__ import annotations

import re

import numpy as np

from turnwise.patients.banks import draw
from turnwise.patients.plans import Plan, Situation
from turnwise.reading.encoder import encode

__all__ = ["chosen"]

_ASKS = re.compile(
    r"\bwhich(?: one)?(?: of (?:them|those|these|the (?:two|three|four)))?\b.{0,30}"
    r"\b(?:weigh|matter|bother|troubl|hurt|hard|heav|wors|most|bigg|first|start|strong|close)"
)
_OPTIONS = re.compile(r";|,| (?=and )| (?=or )")
_LEAST_WORDS = 3
_PLACES = (
    ("The first one.", "The first, I think.", "The first thing you said."),
    ("The second one.", "The second, I'd say.", "The middle one."),
    ("The last one.", "The last, I think.", "The last thing you said."),
)


def chosen(s: Situation) -> Plan | None:
    """Return the plan for a question that lists things and asks which; ``None`` where nothing was listed.

    What weighs most is what was told with the strongest feeling; things that nothing was told about come last.
    """
    q = s.taken.question
    if q is None or not _ASKS.search(q.plain):
        return None
    before = s.taken.text.rsplit(q.text, 1)[0]
    listed = re.split(r"[.?!:]", before.strip().rstrip(".?!:"))[-1]
    items = [x.strip() for x in _OPTIONS.split(listed) if len(x.split()) >= _LEAST_WORDS]
    told = [i for i, name in enumerate(s.index.order) if name in s.memory.said]
    if len(items) < 2 or not told:
        return None
    near = encode(items) @ s.index.vectors[told].T
    weight = np.array([s.index.tellings[s.index.order[i]].intensity + 0.1 * s.index.levels[i] for i in told])
    felt = [float(near[k].max() + weight[int(near[k].argmax())]) for k in range(len(items))]
    best = int(np.argmax(felt))
    place = 0 if best == 0 else 2 if best == len(items) - 1 else 1
    line = draw(_PLACES[place], s.memory, s.rng)
    return Plan("chose", f"of what was given back: {items[best]}", (line,)) if line else None
