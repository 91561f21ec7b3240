"""What a group of sessions is called, everywhere by the same name: tables, report, comparisons."""

from __future__ import annotations

import json
from typing import Any

__all__ = ["NO_VALUE", "group_named"]

NO_VALUE = "(no value)"
"""The group of sessions whose meta has nothing under the key they are grouped by."""


def group_named(value: Any) -> str:
    """Return the group that a value of a session's meta names; nothing, or blank text, names ``NO_VALUE``.

    Examples
    --------
    >>> group_named("high"), group_named(3), group_named(" "), group_named(None)
    ('high', '3', '(no value)', '(no value)')
    """
    if value is None or (isinstance(value, str) and not value.strip()):
        return NO_VALUE
    return value if isinstance(value, str) else json.dumps(value)
