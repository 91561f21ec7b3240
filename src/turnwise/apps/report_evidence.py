"""Which turns a number came from: one declarative rule per metric, carried out by the page.

A rule never computes the metric again. It only says which turns of a session to show: those that
entered the numerator (``hit``) and the others that were counted with them (``base``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

__all__ = ["evidence"]

Rule = dict[str, Any]
_SPEAKER = {"therapist_behaviour": "therapist", "client_talk": "patient"}


def _labels(item: str, labels: Sequence[str], words: str) -> Rule:
    return {"kind": "labels", "item": item, "labels": list(labels), "words": words}


_INPUT = ["therapist_input"]
_AFTER = {"item": "client_talk", "labels": ["sustain"]}
_RULES: dict[str, Rule] = {
    "reflection_share": _labels("therapist_behaviour", ["reflection"], "therapist turns read as reflection"),
    "input_share": _labels("therapist_behaviour", _INPUT, "therapist turns read as input (advice, information)"),
    "question_share": _labels("therapist_behaviour", ["question"], "therapist turns read as question"),
    "rq_ratio": _labels("therapist_behaviour", ["reflection", "question"], "turns read as reflection or question"),
    "change_talk_share": _labels("client_talk", ["change"], "patient turns read as change talk"),
    "sustain_talk_share": _labels("client_talk", ["sustain"], "patient turns read as sustain talk"),
    "insist_rate": _labels("therapist_behaviour", _INPUT, "therapist input straight after pushback")
    | {"after": _AFTER, "base_words": "other therapist turns straight after pushback"},
    "step_back_rate": _labels("therapist_behaviour", ["reflection", "question", "other"], "no input after pushback")
    | {"after": _AFTER, "base_words": "other therapist turns straight after pushback"},
    "talk_share": {"kind": "words", "words": "the therapist's turns", "base_words": "the patient's turns"},
    "stayed": {"kind": "last", "words": "the last turn, where the session ended"},
}


def evidence(name: str, spec: Mapping[str, Any]) -> Rule:
    """Return the rule of a metric: its own, or one that follows from what the metric says it needs.

    Examples
    --------
    >>> evidence("trust_slope", {"needs": ("truth:state.trust",)})["keys"]
    ['trust']
    >>> evidence("reflection_share", {})["labels"]
    ['reflection']
    >>> evidence("n_turns", {})["kind"]
    'all'
    """
    needs = [str(need).partition(":") for need in spec.get("needs", ())]
    keys = [key.removeprefix("state.") for kind, _, key in needs if kind == "truth"]
    items = [key for kind, _, key in needs if kind == "reading"]
    rule = _RULES.get(name)
    if rule is None and keys:
        rule = {"kind": "truth", "keys": keys, "words": "patient turns, with the simulated values it reads"}
    if rule is None and items:
        rule = {"kind": "read", "items": items, "words": f"turns read by {' and '.join(items)}"}
    if rule is None:
        rule = {"kind": "all", "words": "all turns: this measure reads the whole session"}
    base = {"labels": "other turns of that speaker which were read and counted"}.get(rule["kind"], "")
    speaker = _SPEAKER.get(rule.get("item", ""), "")
    if base and speaker:
        base = f"the other {speaker} turns, which count in the denominator"
    return {"base_words": base} | rule
