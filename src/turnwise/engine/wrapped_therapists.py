"""``socratic:THERAPIST``: the Socratic controller around a therapist that ships with this package."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from turnwise.core.errors import RegistryError
from turnwise.core.registry import THERAPISTS
from turnwise.reading.ears.hearing import Ear

__all__ = ["around", "inner_of", "wrapped_name"]

_PREFIX = "socratic:"


def inner_of(name: str) -> str | None:
    """Return the name inside ``socratic:…``, or ``None`` where there is none or it is a model string.

    Examples
    --------
    >>> inner_of("socratic:advisor"), inner_of("socratic"), inner_of("socratic:openai/some-model")
    ('advisor', None, None)
    """
    rest = name.removeprefix(_PREFIX)
    return rest if rest != name and "/" not in rest else None


def wrapped_name(name: str) -> str:
    """Return the name with its version, as tables have it: of a wrapped therapist, or else of a registered one.

    Raises
    ------
    RegistryError : there is no such therapist, or it is itself wrapped.
    """
    inner = inner_of(name)
    if inner is None:
        return THERAPISTS.get(name).name
    if inner_of(inner) is not None:
        raise RegistryError(f"{name!r} wraps twice; write {_PREFIX}{inner.removeprefix(_PREFIX)} instead.")
    return _PREFIX + THERAPISTS.get(inner).name


def around(name: str, ear: Ear, make: Callable[[str], Any]) -> Any:
    """Return the therapist of ``name``, wrapped if its name says so; ``make`` builds a registered one by name."""
    inner = inner_of(name)
    if inner is None:
        return make(name)
    from turnwise.therapists.wrapping import wrapped

    return wrapped(make(inner), ear)
