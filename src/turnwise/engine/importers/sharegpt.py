"""ShareGPT: ``{"id", "conversations": [{"from": "human", "value": "…"}, {"from": "gpt", "value": "…"}]}``.

The shape in which many training sets of conversations are passed on, without a paper of its own.
``human`` is the patient and ``gpt`` the therapist.
"""

from __future__ import annotations

from types import MappingProxyType

from turnwise.core.registry import importer
from turnwise.engine.importers.account import Account
from turnwise.engine.importers.layouts import Layout, LayoutImporter

__all__ = ["LAYOUT", "sharegpt"]

LAYOUT = Layout(
    source="ShareGPT",
    turns="conversations",
    who=("from", "role"),
    text=("value", "content"),
    words=MappingProxyType({"human": "patient", "gpt": "therapist", "chatgpt": "therapist", "model": "therapist"}),
)
"""What ShareGPT calls the parts of a session."""


@importer(
    name="sharegpt.v1",
    fmt="ShareGPT, JSON or JSON Lines with conversations of from and value",
    source="a convention of training sets, no paper",
)
def sharegpt(account: Account | None = None) -> LayoutImporter:
    """ShareGPT conversations: human is the patient, gpt the therapist."""
    return LayoutImporter(LAYOUT, account or Account())
