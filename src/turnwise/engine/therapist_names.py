"""What ``--therapist`` may name: a registered therapist, or by prefix one that lives outside this package.

One table from prefix to resolver. A resolver is called before the first token is spent: it checks the name, refuses
what cannot work in one sentence, and hands back how the therapist is built later. To add a kind of outside therapist,
write its resolver in a file of its own and add one line to :data:`PREFIXES`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from turnwise.core.contracts import LanguageModel, Therapist
from turnwise.core.errors import RegistryError
from turnwise.core.registry import THERAPISTS, closest
from turnwise.engine.asking import DEFAULT_ASKING, Asking
from turnwise.reading.ears.hearing import Ear

__all__ = ["PREFIXES", "Models", "Outside", "Ports", "outside", "resolved_name"]

Models = Callable[[str], LanguageModel]
"""From a model string (``openai/gpt-…``) to the port that speaks to it."""


@dataclass(frozen=True, slots=True)
class Ports:
    """What the engine lends a therapist when it is built. Who needs no model never touches ``models``."""

    ear: Ear
    asking: Asking = DEFAULT_ASKING
    models: Models | None = None


@dataclass(frozen=True, slots=True)
class Outside:
    """A therapist that is not registered: its name in tables, how it is built, and what else could move a byte of it.

    ``versions`` becomes part of the study: another value there is another study (the hash of a file, a setting).
    ``model`` is the model string that it speaks through, if it does; only such therapists need the extra [inspect].
    """

    name: str
    build: Callable[[Ports], Therapist[Any]]
    versions: Mapping[str, str] = field(default_factory=dict)
    model: str | None = None


Resolver = Callable[[str], Outside]
"""Called with the whole name, as it was given."""


def _http(name: str) -> Outside:
    from turnwise.engine.outside_http import HttpTherapist, read_address

    address = read_address(name)
    return Outside(address.name, lambda ports: HttpTherapist(address, ports.asking))


def _python(name: str) -> Outside:
    from turnwise.engine.outside_python import load_object, python_therapist, source_versions

    thing = load_object(name)
    return Outside(name, lambda ports: python_therapist(name, thing, ports.asking), source_versions(name))


def _model(name: str) -> Outside:
    from turnwise.engine.model_therapists import bare_model

    return bare_model(name)


def _socratic(name: str) -> Outside:
    from turnwise.engine.model_therapists import around

    return around(name)


def _control(name: str) -> Outside:
    from turnwise.engine.model_therapists import control

    return control(name)


PREFIXES: dict[str, Resolver] = {
    "socratic": _socratic,  # socratic:openai/gpt-… or socratic:advisor  the controller around a model or a therapist
    "best_prompt": _control,  # best_prompt:openai/gpt-…  the same model with the best single prompt
    "best_of_n": _control,  # best_of_n:openai/gpt-…  the same model, the best of several drafts
    "http": _http,  # http:URL#model=…  a deployed bot, asked by POST
    "https": _http,  # the URL alone, as people paste it
    "python": _python,  # python:package.module:object  a function of messages, or a therapist
}
"""``prefix:rest`` → resolver. What has no such prefix and holds a ``/`` is a model string."""


def outside(name: str) -> Outside | None:
    """Return the outside therapist that ``name`` stands for, or ``None`` where it can only be a registered one.

    Raises
    ------
    UsageError : the name has the form of an outside therapist, and something in it cannot work.

    Examples
    --------
    >>> outside("socratic") is None
    True
    >>> outside("https://bot.example/chat").name
    'http:https://bot.example/chat'
    >>> outside("openai/some-model").name
    'openai/some-model'
    """
    prefix, colon, _ = name.partition(":")
    if colon and "/" not in prefix:  # else the colon is part of a model's name: ollama/llama3:8b
        return PREFIXES[prefix](name) if prefix in PREFIXES else None
    return _model(name) if "/" in name else None


def resolved_name(name: str) -> str:
    """Return the name with its version, as tables have it.

    Raises
    ------
    RegistryError : it is neither registered nor of the form of an outside therapist (with the closest match).
    UsageError : see :func:`outside`.
    """
    found = outside(name)
    if found is not None:
        return found.name
    if name not in THERAPISTS and ":" in name:
        known = sorted(PREFIXES)
        hint = closest(name.partition(":")[0], known, 0.5, f"known: {', '.join(f'{p}:' for p in known)}.")
        raise RegistryError(f"no therapist is of the form {name!r}; {hint}")
    return THERAPISTS.get(name).name
