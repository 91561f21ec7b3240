"""What any first interview asks: one catalogue for all cases, each question in many wordings.

Who is at home, what work, what a day looks like: a counsellor asks it of everybody, in words of their own. A case only
says which of its entries answers which (``everyday:`` in its file), and understands all wordings of the catalogue. It
is a list of questions, not of subjects: nobody is asked all of them, and nothing here says when to ask.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import yaml

from turnwise.reading.package_data import text_of

__all__ = ["EVERYDAY", "everyday"]

EVERYDAY = "everyday.yaml"
_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@cache
def everyday() -> dict[str, tuple[str, ...]]:
    """Return the questions by name, each with its wordings: lower case, no question mark.

    Examples
    --------
    >>> len(everyday()) > 50, "who do you live with" in everyday()["home"]
    (True, True)
    """
    found = yaml.load(text_of("turnwise.patients", EVERYDAY), Loader=_Loader)  # noqa: S506  # both loaders are the safe ones
    return {str(name): tuple(map(str, asks)) for name, asks in found.items()}
