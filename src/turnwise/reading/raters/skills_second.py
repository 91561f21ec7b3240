"""The second reader of skills: other examples and other features, to see whether results hold.

Definitions of the items stand in ``turnwise.reading.skill_items``; how well each reads, on written examples by
hands that trained nothing and on real turns that two readers coded, on its card.
"""

from __future__ import annotations

from turnwise.core.registry import reader
from turnwise.reading.session_reader import SessionReader
from turnwise.reading.skill_coder import skill_reader
from turnwise.reading.skill_items import labels_of


@reader(name="moment_second.v1", item="moment", labels=labels_of("moment"), reads="patient", bundle="second")
def moment_second() -> SessionReader:
    """Kind of moment of a patient's turn: one of ten, or none, read a second time."""
    return skill_reader("moment_second.v1", "skills_second.v1")


@reader(
    name="question_form_second.v1",
    item="question_form",
    labels=labels_of("question_form"),
    reads="therapist",
    bundle="second",
)
def question_form_second() -> SessionReader:
    """Form of a therapist's main question: none, open, closed or leading, read a second time."""
    return skill_reader("question_form_second.v1", "skills_second.v1")


@reader(
    name="question_target_second.v1",
    item="question_target",
    labels=labels_of("question_target"),
    reads="therapist",
    bundle="second",
)
def question_target_second() -> SessionReader:
    """What a therapist's main question asks for, one of seven, read a second time."""
    return skill_reader("question_target_second.v1", "skills_second.v1")


@reader(name="advice_second.v1", item="advice", labels=labels_of("advice"), reads="therapist", bundle="second")
def advice_second() -> SessionReader:
    """Advice in a therapist's turn: none, unasked or with permission, read a second time."""
    return skill_reader("advice_second.v1", "skills_second.v1")


@reader(name="provide_second.v1", item="provide", labels=labels_of("provide"), reads="therapist", bundle="second")
def provide_second() -> SessionReader:
    """How a request is met: collaboratively, flatly or not, read a second time."""
    return skill_reader("provide_second.v1", "skills_second.v1")


@reader(
    name="bait_reply_second.v1", item="bait_reply", labels=labels_of("bait_reply"), reads="therapist", bundle="second"
)
def bait_reply_second() -> SessionReader:
    """What is done with a bait: agreed, dissented from warmly or coldly, sidestepped, read a second time."""
    return skill_reader("bait_reply_second.v1", "skills_second.v1")


@reader(
    name="identity_reply_second.v1",
    item="identity_reply",
    labels=labels_of("identity_reply"),
    reads="therapist",
    bundle="second",
)
def identity_reply_second() -> SessionReader:
    """What is said when asked who or what it is: honest, claims to be human, dodges, read a second time."""
    return skill_reader("identity_reply_second.v1", "skills_second.v1")


@reader(
    name="risk_reply_second.v1", item="risk_reply", labels=labels_of("risk_reply"), reads="therapist", bundle="second"
)
def risk_reply_second() -> SessionReader:
    """Furthest step after a statement of danger: ignores, notices, confirms or guides, read a second time."""
    return skill_reader("risk_reply_second.v1", "skills_second.v1")


@reader(
    name="overreaction_second.v1",
    item="overreaction",
    labels=labels_of("overreaction"),
    reads="therapist",
    bundle="second",
)
def overreaction_second() -> SessionReader:
    """Whether distress without danger is met with a crisis script, read a second time."""
    return skill_reader("overreaction_second.v1", "skills_second.v1")


@reader(
    name="normalising_second.v1",
    item="normalising",
    labels=labels_of("normalising"),
    reads="therapist",
    bundle="second",
)
def normalising_second() -> SessionReader:
    """Whether a therapist's turn normalises, read a second time."""
    return skill_reader("normalising_second.v1", "skills_second.v1")


@reader(name="stance_second.v1", item="stance", labels=labels_of("stance"), reads="therapist", bundle="second")
def stance_second() -> SessionReader:
    """Support, mild or strong challenge of a therapist's turn, read a second time."""
    return skill_reader("stance_second.v1", "skills_second.v1")


@reader(
    name="authorship_second.v1", item="authorship", labels=labels_of("authorship"), reads="therapist", bundle="second"
)
def authorship_second() -> SessionReader:
    """Whose new view is in a therapist's turn, read a second time."""
    return skill_reader("authorship_second.v1", "skills_second.v1")


@reader(
    name="yield_reply_second.v1",
    item="yield_reply",
    labels=labels_of("yield_reply"),
    reads="therapist",
    bundle="second",
)
def yield_reply_second() -> SessionReader:
    """What is done after pushback: steps back, insists or ignores, read a second time."""
    return skill_reader("yield_reply_second.v1", "skills_second.v1")


@reader(
    name="disclosure_reply_second.v1",
    item="disclosure_reply",
    labels=labels_of("disclosure_reply"),
    reads="therapist",
    bundle="second",
)
def disclosure_reply_second() -> SessionReader:
    """What is done with a told feeling: attended to, solved or passed over, read a second time."""
    return skill_reader("disclosure_reply_second.v1", "skills_second.v1")


@reader(
    name="hint_reply_second.v1", item="hint_reply", labels=labels_of("hint_reply"), reads="therapist", bundle="second"
)
def hint_reply_second() -> SessionReader:
    """What is done with a hint: checked, assumed or missed, read a second time."""
    return skill_reader("hint_reply_second.v1", "skills_second.v1")


@reader(
    name="insight_reply_second.v1",
    item="insight_reply",
    labels=labels_of("insight_reply"),
    reads="therapist",
    bundle="second",
)
def insight_reply_second() -> SessionReader:
    """What is done with a patient's new view: built on, echoed or missed, read a second time."""
    return skill_reader("insight_reply_second.v1", "skills_second.v1")


@reader(name="clarity_second.v1", item="clarity", labels=labels_of("clarity"), reads="therapist", bundle="second")
def clarity_second() -> SessionReader:
    """Whether a question is clear, read a second time."""
    return skill_reader("clarity_second.v1", "skills_second.v1")


@reader(name="focus_second.v1", item="focus", labels=labels_of("focus"), reads="therapist", bundle="second")
def focus_second() -> SessionReader:
    """Whether one thing is asked, read a second time."""
    return skill_reader("focus_second.v1", "skills_second.v1")


@reader(
    name="answerable_second.v1", item="answerable", labels=labels_of("answerable"), reads="therapist", bundle="second"
)
def answerable_second() -> SessionReader:
    """Whether a question can be answered from own experience, read a second time."""
    return skill_reader("answerable_second.v1", "skills_second.v1")


@reader(name="relevance_second.v1", item="relevance", labels=labels_of("relevance"), reads="therapist", bundle="second")
def relevance_second() -> SessionReader:
    """Whether a question serves what is talked about, read a second time."""
    return skill_reader("relevance_second.v1", "skills_second.v1")


@reader(
    name="guide_reply_second.v1",
    item="guide_reply",
    labels=labels_of("guide_reply"),
    reads="therapist",
    bundle="second",
)
def guide_reply_second() -> SessionReader:
    """What is done with a distorted thought: guided, gathered about or neither, read a second time."""
    return skill_reader("guide_reply_second.v1", "skills_second.v1")
