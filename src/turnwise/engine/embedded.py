"""Whether a therapist ships with this package: what embedded participants do to each other is an instrument check."""

from __future__ import annotations

import inspect
from collections.abc import Iterable

from turnwise.core.registry import THERAPISTS
from turnwise.engine.discovery import discover

__all__ = ["all_embedded"]


def all_embedded(therapists: Iterable[str]) -> bool:
    """Return whether there are therapists and each is registered under its full name and needs no model.

    Examples
    --------
    >>> all_embedded([]), all_embedded(["openai/some-model"])
    (False, False)
    """
    names = list(therapists)
    if names:
        discover()
    names = [n.removeprefix("socratic:") for n in names]  # the controller ships with this package too
    known = {e.name: e.obj for e in THERAPISTS}
    names = [n.removeprefix("socratic:") for n in names]  # the controller around one of them ships too
    return bool(names) and all(n in known and "lm" not in inspect.signature(known[n]).parameters for n in names)
