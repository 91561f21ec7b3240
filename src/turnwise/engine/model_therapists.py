"""Therapists that speak through a language model: what a model string stands for before a call is made."""

from __future__ import annotations

import hashlib
import re
from typing import Any

from turnwise.core.contracts import LanguageModel
from turnwise.core.errors import UsageError
from turnwise.engine.therapist_names import Outside, Ports

__all__ = ["bare_model", "checked_model_string", "socratic_with_model"]

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


def socratic_with_model(name: str) -> Outside:
    """Return the Socratic controller worded by the model behind ``socratic:``."""
    from turnwise.therapists import socratic_worded as file

    model = checked_model_string(name.partition(":")[2], name)

    def build(ports: Ports) -> Any:
        return file.socratic_worded(ear=ports.ear, lm=_port(ports, model))

    return Outside(name, build, {"prompt:socratic_worded.v1": _hash(file.PROMPT)}, model)


def _hash(prompt: str) -> str:
    return hashlib.sha256(prompt.encode()).hexdigest()[:16]
