"""Which turns a number came from: one declarative rule per metric, carried out by the page.

A rule never computes the metric again. It only says which turns of a session to show: those that
entered the numerator (``hit``) and the others that were counted with them (``base``).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["evidence"]

Rule = dict[str, Any]
_BEHAVIOUR, _TALK = "therapist_behaviour", "client_talk"


def _share(item: str, label: str, words: str) -> Rule:
    who = "therapist" if item == _BEHAVIOUR else "patient"
    others = f"other {who} turns that were read: the denominator"
    return {"kind": "labels", "item": item, "hit": [label], "base": None, "words": words, "base_words": others}


def _ratio(item: str, hit: str, base: str, words: str, base_words: str) -> Rule:
    return {"kind": "labels", "item": item, "hit": [hit], "base": [base], "words": words, "base_words": base_words}


def _after_pushback(act: str, words: str) -> Rule:
    others = "other therapist turns straight after a pushback: the denominator"
    more = {"base_words": others, "cue_words": "patient turns that pushed back"}
    return {"kind": "exchange", "act": act, "words": words} | more


def _turns_of(speaker: str, words: str) -> Rule:
    return {"kind": "speaker", "speaker": speaker[0], "words": words}


_RULES: dict[str, Rule] = {
    "reflection_share": _share(_BEHAVIOUR, "reflection", "therapist turns read as reflection"),
    "input_share": _share(_BEHAVIOUR, "therapist_input", "therapist turns read as input (advice, information)"),
    "question_share": _share(_BEHAVIOUR, "question", "therapist turns read as question"),
    "rq_ratio": _ratio(_BEHAVIOUR, "reflection", "question", "reflections", "questions: the denominator"),
    "change_talk_share": _ratio(
        _TALK, "change", "sustain", "patient turns read as change talk", "read as sustain talk: the denominator"
    ),
    "insist_rate": _after_pushback(
        "challenge", "therapist turns that press on straight after a pushback: input that does not step back"
    ),
    "step_back_rate": _after_pushback(
        "support", "therapist turns straight after a pushback without input, or with input that steps back"
    ),
    "talk_share": _turns_of("therapist", "therapist turns, by their words") | {"base_words": "patient turns"},
    "therapist_words_per_turn": _turns_of("therapist", "therapist turns, by their words"),
    "patient_words_per_turn": _turns_of("patient", "patient turns, by their words"),
    "rupture_rate": _turns_of("patient", "patient turns: some are markers of a rupture"),
    "emotion_information_yield": _turns_of("patient", "patient turns: new emotions, and what followed them"),
    "turns_attended_share": _turns_of("patient", "patient turns that were held"),
    "stayed": {"kind": "last", "words": "the last turn: where the session ended"},
}


def evidence(name: str, spec: Mapping[str, Any]) -> Rule:
    """Return the rule of a metric: its own, or one that follows from what the metric says it needs.

    Examples
    --------
    >>> evidence("trust_slope", {"needs": ("truth:state.trust",)})["keys"]
    ['trust']
    >>> evidence("reflection_share", {})["hit"]
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
    return {"base_words": "", "cue_words": ""} | rule
