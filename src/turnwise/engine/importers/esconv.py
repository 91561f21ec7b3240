"""ESConv and FailedESConv as their authors release them: a JSON list of dialogues with ``dialog``.

A turn's ``annotation`` (the supporter's strategy, the seeker's feedback) becomes its labels; what
the survey and the seeker's situation say stays in meta. Texts end in white space there, which is
cut off. The copy in ``usr`` and ``sys`` that other projects pass on is read too. CC BY-NC 4.0.
(Liu et al. 2021, ACL.)
"""

from __future__ import annotations

from types import MappingProxyType

from turnwise.core.registry import importer
from turnwise.engine.importers.account import Account
from turnwise.engine.importers.layouts import Layout, LayoutImporter

__all__ = ["LAYOUT", "esconv"]

LAYOUT = Layout(
    source="ESConv",
    turns="dialog",
    who=("speaker",),
    text=("content", "text"),
    marks=("emotion_type", "problem_type", "survey_score", "situation", "experience_type"),
    words=MappingProxyType({"usr": "patient", "sys": "therapist"}),
    labels=("annotation", "strategy", "feedback"),
    thinks=False,
    trimmed=True,
)
"""What ESConv calls the parts of a session."""


@importer(name="esconv.v1", fmt="ESConv, JSON list of dialogues with dialog", source="Liu et al. 2021, ACL")
def esconv(account: Account | None = None) -> LayoutImporter:
    """ESConv and FailedESConv dialogues of a help-seeker and a supporter, with strategies and survey."""
    return LayoutImporter(LAYOUT, account or Account())
