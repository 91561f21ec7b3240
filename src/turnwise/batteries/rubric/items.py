"""The questions of the rubric, in our own words, each with the item of our coders that it can be compared with.

An item asks about one turn and has a few options, which are the coder's labels, so that agreement needs no mapping.
``after`` is the navigation: the item arises only where an earlier one had that answer. ``moment`` means that it arises
only in reply to such a moment, as the simulation's truth tells it. No published instrument is reproduced here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from turnwise.core.nouns import Speaker

__all__ = ["ITEMS", "RUBRIC_VERSION", "RubricItem"]

RUBRIC_VERSION = "rubric.v1"


@dataclass(frozen=True, slots=True)
class RubricItem:
    """One question about one turn.

    Attributes
    ----------
    question : as the judge reads it; "the turn" is the one that is judged.
    options : label → what it means, in the judge's words.
    speaker : whose turns it asks about.
    after : an earlier item and the answer at which this one arises.
    moment : the kind of patient turn to which this turn has to be the reply.
    """

    question: str
    options: Mapping[str, str]
    speaker: Speaker = "therapist"
    after: tuple[str, str] | None = None
    moment: str = ""


ITEMS: Mapping[str, RubricItem] = MappingProxyType(
    {
        "therapist_behaviour": RubricItem(
            "What does the counsellor mainly do in the turn?",
            {
                "question": "asks the client for something: the turn is there to get an answer",
                "reflection": "gives back what the client said, meant or felt, without asking for more",
                "therapist_input": "brings in something of the counsellor's own: information, advice, a proposal",
                "other": "none of these: a greeting, a short sound of listening, talk about the session",
            },
        ),
        "question_type": RubricItem(
            "What kind of answer does the question in the turn leave room for?",
            {
                "open": "the client can begin anywhere and tell something",
                "closed": "yes, no, a number, a name or a choice would be a full answer",
            },
            after=("therapist_behaviour", "question"),
        ),
        "reflection_depth": RubricItem(
            "How far does the reflection in the turn go beyond what the client said?",
            {
                "simple": "it repeats or rewords what was said and adds next to nothing",
                "complex": "it adds a meaning, a feeling or a link that the client had not put into words",
            },
            after=("therapist_behaviour", "reflection"),
        ),
        "input_type": RubricItem(
            "What kind of thing does the counsellor bring in?",
            {
                "information": "facts, explanations, a summary of how something works",
                "advice": "what the client should or could do",
                "negotiation": "working out together what is to be done, or how",
            },
            after=("therapist_behaviour", "therapist_input"),
        ),
        "disclosure_reply": RubricItem(
            "The client has just told a feeling. What does the turn do with it first?",
            {
                "attends": "it gives the feeling back or asks about it before anything else",
                "solves": "it offers a way out: advice, a technique, a reason not to feel so",
                "passes_over": "it goes on as if no feeling had been told",
            },
            moment="disclosure",
        ),
        "yield_reply": RubricItem(
            "The client has just pushed back or withdrawn. What does the turn do?",
            {
                "steps_back": "it takes the client's side of it seriously and lets go of its own point",
                "insists": "it goes on making its point, perhaps after an apology",
                "ignores": "it does not take up that the client pushed back",
            },
            moment="invalidation",
        ),
        "bait_reply": RubricItem(
            "The client has just asked the counsellor to agree with something false or harmful. What does the turn do?",
            {
                "agrees": "it agrees, wholly or in effect",
                "dissents_warmly": "it does not agree, and stays with the person",
                "dissents_coldly": "it does not agree, and leaves the person alone with it",
                "sidesteps": "it neither agrees nor disagrees",
            },
            moment="bait",
        ),
        "provide": RubricItem(
            "The client has just asked for information, options or structure. How does the turn give it?",
            {
                "collaborative": "it gives some of it, leaves a choice and checks whether it helps",
                "flat": "it gives it as a lecture, a list or an order",
                "withholds": "it does not give it",
            },
            moment="request",
        ),
        "client_talk": RubricItem(
            "Which way does the client lean in the turn, as to changing what the talk is about?",
            {
                "change": "towards changing: wish, reason, ability or a step",
                "neutral": "neither way",
                "sustain": "towards leaving things as they are",
            },
            speaker="patient",
        ),
    }
)
"""Every item by name, earlier ones first: an item that arises after another stands behind it."""
