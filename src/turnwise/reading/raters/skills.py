"""Raters of skills: what a reply does with the moment it meets, fitted on written examples.

Definitions of the items stand in ``turnwise.reading.skill_items``; how well each reads, on written examples by
hands that trained nothing and on real turns that two readers coded, on its card.
"""

from __future__ import annotations

from turnwise.core.registry import reader
from turnwise.reading.session_reader import SessionReader
from turnwise.reading.skill_coder import skill_reader
from turnwise.reading.skill_items import labels_of


@reader(name="moment.v1", item="moment", labels=labels_of("moment"), reads="patient", bundle="open")
def moment() -> SessionReader:
    """Kind of moment of a patient's turn: one of ten, or none."""
    return skill_reader("moment.v1", "skills.v1")


@reader(
    name="question_form.v1", item="question_form", labels=labels_of("question_form"), reads="therapist", bundle="open"
)
def question_form() -> SessionReader:
    """Form of a therapist's main question: none, open, closed or leading."""
    return skill_reader("question_form.v1", "skills.v1")


@reader(
    name="question_target.v1",
    item="question_target",
    labels=labels_of("question_target"),
    reads="therapist",
    bundle="open",
)
def question_target() -> SessionReader:
    """What a therapist's main question asks for, one of seven."""
    return skill_reader("question_target.v1", "skills.v1")


@reader(name="advice.v1", item="advice", labels=labels_of("advice"), reads="therapist", bundle="open")
def advice() -> SessionReader:
    """Advice in a therapist's turn: none, unasked or with permission."""
    return skill_reader("advice.v1", "skills.v1")


@reader(name="provide.v1", item="provide", labels=labels_of("provide"), reads="therapist", bundle="open")
def provide() -> SessionReader:
    """How a request is met: collaboratively, flatly or not."""
    return skill_reader("provide.v1", "skills.v1")


@reader(name="bait_reply.v1", item="bait_reply", labels=labels_of("bait_reply"), reads="therapist", bundle="open")
def bait_reply() -> SessionReader:
    """What is done with a bait: agreed, dissented from warmly or coldly, sidestepped."""
    return skill_reader("bait_reply.v1", "skills.v1")


@reader(
    name="identity_reply.v1",
    item="identity_reply",
    labels=labels_of("identity_reply"),
    reads="therapist",
    bundle="open",
)
def identity_reply() -> SessionReader:
    """What is said when asked who or what it is: honest, claims to be human, dodges."""
    return skill_reader("identity_reply.v1", "skills.v1")


@reader(name="risk_reply.v1", item="risk_reply", labels=labels_of("risk_reply"), reads="therapist", bundle="open")
def risk_reply() -> SessionReader:
    """Furthest step after a statement of danger: ignores, notices, confirms or guides."""
    return skill_reader("risk_reply.v1", "skills.v1")


@reader(name="overreaction.v1", item="overreaction", labels=labels_of("overreaction"), reads="therapist", bundle="open")
def overreaction() -> SessionReader:
    """Whether distress without danger is met with a crisis script."""
    return skill_reader("overreaction.v1", "skills.v1")


@reader(name="normalising.v1", item="normalising", labels=labels_of("normalising"), reads="therapist", bundle="open")
def normalising() -> SessionReader:
    """Whether a therapist's turn normalises."""
    return skill_reader("normalising.v1", "skills.v1")


@reader(name="stance.v1", item="stance", labels=labels_of("stance"), reads="therapist", bundle="open")
def stance() -> SessionReader:
    """Support, mild or strong challenge of a therapist's turn."""
    return skill_reader("stance.v1", "skills.v1")


@reader(name="authorship.v1", item="authorship", labels=labels_of("authorship"), reads="therapist", bundle="open")
def authorship() -> SessionReader:
    """Whose new view is in a therapist's turn."""
    return skill_reader("authorship.v1", "skills.v1")


@reader(name="yield_reply.v1", item="yield_reply", labels=labels_of("yield_reply"), reads="therapist", bundle="open")
def yield_reply() -> SessionReader:
    """What is done after pushback: steps back, insists or ignores."""
    return skill_reader("yield_reply.v1", "skills.v1")


@reader(
    name="disclosure_reply.v1",
    item="disclosure_reply",
    labels=labels_of("disclosure_reply"),
    reads="therapist",
    bundle="open",
)
def disclosure_reply() -> SessionReader:
    """What is done with a told feeling: attended to, solved or passed over."""
    return skill_reader("disclosure_reply.v1", "skills.v1")


@reader(name="hint_reply.v1", item="hint_reply", labels=labels_of("hint_reply"), reads="therapist", bundle="open")
def hint_reply() -> SessionReader:
    """What is done with a hint: checked, assumed or missed."""
    return skill_reader("hint_reply.v1", "skills.v1")


@reader(
    name="insight_reply.v1", item="insight_reply", labels=labels_of("insight_reply"), reads="therapist", bundle="open"
)
def insight_reply() -> SessionReader:
    """What is done with a patient's new view: built on, echoed or missed."""
    return skill_reader("insight_reply.v1", "skills.v1")


@reader(name="clarity.v1", item="clarity", labels=labels_of("clarity"), reads="therapist", bundle="open")
def clarity() -> SessionReader:
    """Whether a question is clear."""
    return skill_reader("clarity.v1", "skills.v1")


@reader(name="focus.v1", item="focus", labels=labels_of("focus"), reads="therapist", bundle="open")
def focus() -> SessionReader:
    """Whether one thing is asked."""
    return skill_reader("focus.v1", "skills.v1")


@reader(name="answerable.v1", item="answerable", labels=labels_of("answerable"), reads="therapist", bundle="open")
def answerable() -> SessionReader:
    """Whether a question can be answered from own experience."""
    return skill_reader("answerable.v1", "skills.v1")


@reader(name="relevance.v1", item="relevance", labels=labels_of("relevance"), reads="therapist", bundle="open")
def relevance() -> SessionReader:
    """Whether a question serves what is talked about."""
    return skill_reader("relevance.v1", "skills.v1")


@reader(
    name="guide_reply.v1",
    item="guide_reply",
    labels=labels_of("guide_reply"),
    reads="therapist",
    bundle="open",
)
def guide_reply() -> SessionReader:
    """What is done with a distorted thought: guided, gathered about or neither."""
    return skill_reader("guide_reply.v1", "skills.v1")
