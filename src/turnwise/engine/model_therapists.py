"""Therapists that speak through a language model: what a model string stands for before a call is made."""

from __future__ import annotations

import hashlib
import inspect
import re
import sys
from typing import Any

from turnwise.core.contracts import LanguageModel
from turnwise.core.errors import UsageError
from turnwise.engine.therapist_names import Outside, Ports

__all__ = ["around", "bare_model", "checked_model_string", "control"]

_MODEL = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*(?:/[^\s/]+)+")
_LONGEST = 200


def checked_model_string(model: str, name: str) -> str:
    """Return ``model`` if it has the form ``provider/model``; nothing is looked up and nothing is called.

    Raises
    ------
    UsageError : it has not.
    """
    if len(model) > _LONGEST or not _MODEL.fullmatch(model) or not model.isprintable():
        raise UsageError(
            f"{name[:_LONGEST]!r} is no model string; write provider/model, e.g. openai/NAME, ollama/NAME, or "
            "openai-api/SERVICE/NAME for any compatible endpoint."
        )
    return model


def _port(ports: Ports, model: str) -> LanguageModel:
    if ports.models is None:
        raise UsageError(f"{model!r} is a language model, and this command reaches none.")
    return ports.models(model)


def bare_model(name: str) -> Outside:
    """Return the model of that name with our short prompt (see :mod:`turnwise.therapists.bare_model`)."""
    from turnwise.therapists import bare_model as file

    model = checked_model_string(name, name)

    def build(ports: Ports) -> Any:
        return file.bare_model(lm=_port(ports, model))

    return Outside(name, build, {"prompt:bare_model.v1": _hash(file.PROMPT)}, model)


def around(name: str) -> Outside:
    """Return the Socratic controller around what is named behind ``socratic:``: a therapist, a bot or a model.

    Raises
    ------
    UsageError : what is named is neither registered nor of the form of a bot or a model.
    """
    from turnwise.core.registry import THERAPISTS
    from turnwise.engine.therapist_names import outside
    from turnwise.therapists.wrapper import instructing

    rest = name.partition(":")[2]
    versions = {"prompt:socratic_model.v1": _hash(inspect.getsource(instructing))}
    if rest in THERAPISTS:
        entry = THERAPISTS.get(rest)
        wanted = inspect.signature(entry.obj).parameters
        if "lm" in wanted:
            raise UsageError(f"{rest!r} needs a language model itself; write socratic:provider/model.")
        return Outside(
            f"socratic:{entry.name}",
            lambda ports: _wrapped(entry.obj(**({"ear": ports.ear} if "ear" in wanted else {})), ports),
        )
    bot = outside(rest)
    if bot is not None and bot.model is None:
        return Outside(f"socratic:{bot.name}", lambda ports: _wrapped(bot.build(ports), ports), bot.versions)
    model = checked_model_string(rest, name)
    return Outside(name, lambda ports: _wrapped(_port(ports, model), ports), versions, model)


def _wrapped(inner: Any, ports: Ports) -> Any:
    from turnwise.therapists.wrapping import wrapped

    return wrapped(inner, ports.ear)


def control(name: str) -> Outside:
    """Return a control for models: ``best_prompt:MODEL``, or ``best_of_n:MODEL`` at as many calls as the wrapper."""
    from turnwise.core.registry import THERAPISTS

    prefix, _, rest = name.partition(":")
    model = checked_model_string(rest, name)
    entry = THERAPISTS.get(prefix)
    takes_ear = "ear" in inspect.signature(entry.obj).parameters

    def build(ports: Ports) -> Any:
        return entry.obj(lm=_port(ports, model), **({"ear": ports.ear} if takes_ear else {}))

    return Outside(name, build, {f"prompt:{entry.name}": _hash(_source(entry.obj))}, model)


def _hash(prompt: str) -> str:
    return hashlib.sha256(prompt.encode()).hexdigest()[:16]


def _source(made: Any) -> str:
    """Return the text of the file that a factory stands in: whatever could move a word of its prompt."""
    return inspect.getsource(sys.modules[made.__module__])
