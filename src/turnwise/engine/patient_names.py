"""What ``--patients`` may name: a case, a family and a case, or these with the language model that speaks.

``FAMILY:MODEL:CASE``: ``stateful:openai/NAME:alun`` is the embedded patient in a model's words, ``prompted:openai/
NAME:alun`` a model that plays the whole case by itself. The case stands behind the last colon, the family before the
first; a model string may hold colons of its own (``ollama/llama3:8b``).
"""

from __future__ import annotations

import inspect
from typing import Any, NamedTuple

from numpy.random import Generator

from turnwise.core.contracts import LanguageModel, ReturningPatient
from turnwise.core.errors import RegistryError, UsageError
from turnwise.core.nouns import Case, Course, Reply, Transcript
from turnwise.core.registry import PATIENTS, closest
from turnwise.core.seeds import luck_key
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
    return (_SameLuckAgain if isinstance(made, ReturningPatient) else _SameLuck)(made, name)


class _SameLuck:
    """Gives a patient that a model words the luck of the embedded one: with one seed, both decide the same."""

    def __init__(self, inner: Any, name: str) -> None:
        self._inner, self._name = inner, name

    def _rng(self, rng: Generator, case: str, session: int) -> Generator:
        return with_key(rng, luck_key(self._name, case, session))

    def init(self, case: Case, rng: Generator, prior: Course | None = None) -> _Lucky:
        """Return whose luck it is, and the inner patient's state."""
        session = len(prior.session_ids) + 1 if prior else 1
        return _Lucky(case.id, session, self._inner.init(case, self._rng(rng, case.id, session), prior))

    async def respond(self, state: _Lucky, transcript: Transcript, rng: Generator) -> Reply[_Lucky]:
        """Answer with the luck of the embedded patient."""
        said = await self._inner.respond(state.inner, transcript, self._rng(rng, state.case, state.session))
        return Reply(said.text, state._replace(inner=said.state), said.info, said.closes, said.cues)


class _SameLuckAgain(_SameLuck):
    """The same for a patient that comes back to a next session as the one it was."""

    def next_session(self, state: _Lucky, rng: Generator, weeks: float) -> _Lucky:
        """Return the state before the first word of the next session, with its own luck."""
        session = state.session + 1
        inner = self._inner.next_session(state.inner, self._rng(rng, state.case, session), weeks)
        return _Lucky(state.case, session, inner)


class _Lucky(NamedTuple):
    """Whose luck it is, in which session of a course, and the inner patient's state."""

    case: str
    session: int
    inner: Any
