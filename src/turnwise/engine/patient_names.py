"""What ``--patients`` may name: a case, a family and a case, or these with the language model that speaks.

``FAMILY:MODEL:CASE``: ``stateful:openai/NAME:alun`` is the embedded patient in a model's words, ``prompted:openai/
NAME:alun`` a model that plays the whole case by itself. The case stands behind the last colon, the family before the
first; a model string may hold colons of its own (``ollama/llama3:8b``).
"""

from __future__ import annotations

import inspect
from typing import Any

from numpy.random import Generator

from turnwise.core.contracts import LanguageModel
from turnwise.core.errors import RegistryError, UsageError
from turnwise.core.nouns import Case, Course, Reply, Transcript
from turnwise.core.registry import PATIENTS, closest
from turnwise.engine.luck import with_key
from turnwise.engine.model_therapists import checked_model_string
from turnwise.engine.therapist_names import Models
from turnwise.reading.ears.hearing import Ear

__all__ = ["DEFAULT_FAMILY", "built_patient", "family_of", "model_of", "parted", "resolve_patient"]

DEFAULT_FAMILY = "stateful"


def parted(patient: str) -> tuple[str, str]:
    """Return family (with its model, if it has one) and case of a resolved name.

    Examples
    --------
    >>> parted("stateful.v1:ollama/llama3:8b:alun")
    ('stateful.v1:ollama/llama3:8b', 'alun')
    """
    family, _, case = patient.rpartition(":")
    return family, case


def model_of(family: str) -> str | None:
    """Return the model string that speaks for a family of patients, or ``None`` for an embedded one.

    Examples
    --------
    >>> model_of("stateful.v1:ollama/llama3:8b"), model_of("stateful.v1")
    ('ollama/llama3:8b', None)
    """
    return family.partition(":")[2] or None


def family_of(family: str) -> str:
    """Return the registered family without its model.

    Examples
    --------
    >>> family_of("stateful.v1:ollama/llama3:8b")
    'stateful.v1'
    """
    return family.partition(":")[0]


def resolve_patient(asked: str) -> str:
    """Return ``CASE``, ``FAMILY:CASE`` or ``FAMILY:MODEL:CASE`` with the family and its version.

    Raises
    ------
    RegistryError : there is no such family or case (with the closest match).
    UsageError : the family needs a model and none is named, or what is named is no model.
    """
    from turnwise.patients.casebook import case_ids

    known_cases = case_ids()
    before, case = parted(asked)
    if case not in known_cases:
        hint = closest(case, known_cases, 0.4, f"known: {', '.join(known_cases)}.")
        if "/" in case:
            hint = f"name a case behind the model, e.g. {asked}:{known_cases[0]}."
        raise RegistryError(f"unknown patient {asked!r}; {hint}")
    family, _, model = before.partition(":")
    if "/" in family:
        raise UsageError(
            f"{asked!r} does not say how the model plays the patient: write stateful:{asked} (decisions by us, words "
            f"by the model) or prompted:{asked} (the model alone)."
        )
    entry = PATIENTS.get(family or DEFAULT_FAMILY)
    if not model:
        if "lm" in inspect.signature(entry.obj).parameters:
            raise UsageError(f"{asked!r} needs a language model; write {entry.base}:provider/model:{case}.")
        return f"{entry.name}:{case}"
    return f"{entry.name}:{checked_model_string(model, asked)}:{case}"


def built_patient(family: str, ear: Ear, models: Models | None) -> Any:
    """Build the patients of one family, with the model that speaks for them.

    Raises
    ------
    UsageError : no model can be reached here, or the family cannot be worded by one.
    """
    name, model = family_of(family), model_of(family)
    entry = PATIENTS.get(name)
    wanted = inspect.signature(entry.obj).parameters
    ports: dict[str, Any] = {"ear": ear} if "ear" in wanted else {}
    if model is None:
        return entry.obj(**ports)
    if models is None:
        raise UsageError(f"{family!r} speaks through a language model, and this command reaches none.")
    from turnwise.patients.worded import worded

    lm: LanguageModel = models(model)
    alone = "lm" in wanted
    made = entry.obj(**ports, lm=lm) if alone else worded(entry.obj(**ports), lm, family)
    return _SameLuck(made, name)


class _SameLuck:
    """Gives a patient that a model words the luck of the embedded one: with one seed, both decide the same."""

    def __init__(self, inner: Any, name: str) -> None:
        self._inner, self._name = inner, name

    def init(self, case: Case, rng: Generator, prior: Course | None = None) -> tuple[str, Any]:
        """Return whose luck it is, and the inner patient's state."""
        key = f"{self._name}/{case.id}"
        return key, self._inner.init(case, with_key(rng, key), prior)

    async def respond(self, state: tuple[str, Any], transcript: Transcript, rng: Generator) -> Reply[tuple[str, Any]]:
        """Answer with the luck of the embedded patient."""
        key, inner = state
        said = await self._inner.respond(inner, transcript, with_key(rng, key))
        return Reply(said.text, (key, said.state), said.info, said.closes, said.cues)
