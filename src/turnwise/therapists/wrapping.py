"""The Socratic controller around a language model, or around any other therapist: plan, draft, validate, fall back.

The controller perceives and plans. A model words the plan, or another therapist says what it would say;
the validator reads it; a faulty draft is revised with the reason of its fault, and after that our own
wording is said. Reasoner, guide and validator may be three different models (Nie et al. 2024).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.random import Generator
from pydantic import JsonValue

from turnwise.core.contracts import LanguageModel, Therapist
from turnwise.core.model_turns import thoughts_of
from turnwise.core.nouns import Course, Intake, Reply, Transcript
from turnwise.core.registry import therapist
from turnwise.reading.ears.hearing import Ear
from turnwise.therapists.reflecting import Line
from turnwise.therapists.socratic import Plan, Seen, Socratic, SocraticState
from turnwise.therapists.validator.checking import MAX_CHARS, faults_in
from turnwise.therapists.validator.faults import REASONS, Fault
from turnwise.therapists.validator.situation import Situation
from turnwise.therapists.wrapper.calling import Answered, ask, of_calls
from turnwise.therapists.wrapper.hearing_itself import act_heard
from turnwise.therapists.wrapper.instructing import instruction, revision
from turnwise.therapists.wrapper.reasoning import reasoned
from turnwise.therapists.wrapper.reviewing import review
from turnwise.therapists.wrapper.sound_lines import sound_line

__all__ = ["Wrapped", "WrappedState", "socratic_model", "wrapped"]

REVISIONS = 2


@dataclass(frozen=True, slots=True)
class WrappedState:
    """The controller's state, the wrapped therapist's, what the referral said, and how the calls have gone."""

    mind: SocraticState
    inner: Any = None
    intake: Intake = field(default_factory=Intake)
    calls: int = 0
    unreached: int = 0
    prior: bool = False


@dataclass
class _Turn:
    """What happened while one turn was made."""

    calls: list[Answered] = field(default_factory=list)
    interventions: list[dict[str, JsonValue]] = field(default_factory=list)

    def note(self, faults: Sequence[Fault], attempt: int) -> None:
        for fault in faults:
            self.interventions.append(
                {"fault": fault.kind, "attempt": attempt, "reason": fault.reason, "span": fault.span[:200]}
            )

    def failed(self, why: str, attempt: int) -> None:
        self.interventions.append({"fault": "no_draft", "attempt": attempt, "reason": why, "span": ""})


class Wrapped:
    """Holds the controller and the ports, no state.

    Parameters
    ----------
    ear : what the controller hears with.
    inner : another therapist, whose drafts are taken first, or ``None``.
    guide : the model that words the plan, and that revises a faulty draft; or ``None``.
    reasoner : the model that proposes how likely the patient's words are under each stance; or ``None``.
    validator : the model that answers the named questions about a draft; or ``None``. Our rules come first and last.
    revisions : how often a faulty draft may be worded again.
    """

    def __init__(
        self,
        ear: Ear,
        *,
        inner: Therapist[Any] | None = None,
        guide: LanguageModel | None = None,
        reasoner: LanguageModel | None = None,
        validator: LanguageModel | None = None,
        revisions: int = REVISIONS,
    ) -> None:
        self._decides = Socratic(ear)
        self._inner = inner
        self._guide = guide
        self._reasoner = reasoner
        self._validator = validator
        self._revisions = revisions

    def init(self, intake: Intake, rng: Generator, prior: Course | None = None) -> WrappedState:
        """Return the state before the first word."""
        mind = self._decides.init(intake, rng, prior)
        inner = self._inner.init(intake, rng, prior) if self._inner is not None else None
        return WrappedState(mind, inner, intake, prior=bool(prior and prior.session_ids))

    async def respond(self, state: WrappedState, transcript: Transcript, rng: Generator) -> Reply[WrappedState]:
        """Plan, have it worded or said, validate, revise, and say what holds up."""
        did = _Turn()
        ours, theirs = (np.random.default_rng(rng.integers(2**63, size=4)) for _ in range(2))
        mind, seen = await self._decides.perceive(state.mind, transcript)
        mind = await self._reason(mind, seen, did, theirs)
        plan = self._decides.plan(mind, seen, ours)
        s = _situation(state, mind, plan, transcript)
        draft, inner = await self._inner_draft(state, transcript, theirs, did)
        text, by = await self._worded(plan, mind, s, draft, did, theirs)
        if not text:
            text, own = sound_line((plan.line.text,), s, ours)
            by = "rule" if own else "spare"
        told = plan if by == "rule" else _as_said(plan, text, s, theirs=by == "inner")
        return self._settled(
            state, replace_inner=inner, reply=self._decides.settle(mind, seen, told, text), by=by, did=did
        )

    async def _reason(self, mind: SocraticState, seen: Seen | None, did: _Turn, rng: Generator) -> SocraticState:
        if self._reasoner is None or seen is None or seen.update is None:
            return mind  # nothing was said, or the same words again: the same evidence counts once
        belief, why, calls = await reasoned(mind.belief, seen.text, self._reasoner, seed=_seed(rng))
        did.calls += calls
        if why:
            did.interventions.append({"fault": "no_proposal", "attempt": 0, "reason": why, "span": ""})
        return replace(mind, belief=belief)

    async def _inner_draft(
        self, state: WrappedState, transcript: Transcript, rng: Generator, did: _Turn
    ) -> tuple[str | None, Any]:
        """Return what the wrapped therapist would say, and its state; ``None`` when there is none or it failed."""
        if self._inner is None:
            return None, None
        try:
            reply = await self._inner.respond(state.inner, transcript, rng)
            text = reply.text if isinstance(reply.text, str) else None
        except Exception as fault:  # code outside our control: its failure is data
            did.failed(f"the wrapped therapist failed ({type(fault).__name__})", 0)
            return None, state.inner
        if text is None or not text.strip():
            did.failed("the wrapped therapist said nothing", 0)
            return None, reply.state
        return text[: MAX_CHARS + 1], reply.state

    async def _worded(
        self, plan: Plan, mind: SocraticState, s: Situation, draft: str | None, did: _Turn, rng: Generator
    ) -> tuple[str, str]:
        """Return a text without a fault and who worded it, or an empty text."""
        if plan.duty:  # what safety and honesty oblige to is never left to somebody else's words
            did.interventions.append(
                {"fault": "duty", "attempt": 0, "reason": f"{plan.duty} is answered by rule", "span": ""}
            )
            return "", ""
        faults: Sequence[Fault] = ()
        if draft is not None:
            faults = await self._faults(draft, s, did, rng)
            if not faults:
                return draft, "inner"
            did.note(faults, 0)
        if self._guide is None:
            return "", ""
        base = instruction(plan, mind.ledger, s)
        first = 0 if draft is None else 1
        for attempt in range(first, self._revisions + 1):
            system = revision(base, draft, faults) if draft is not None and faults else base
            answered = await ask(self._guide, system, s.transcript, seed=_seed(rng))
            did.calls.append(answered)
            if answered.failed:
                did.failed(answered.failed, attempt)
                continue
            draft = answered.text
            faults = await self._faults(draft, s, did, rng)
            if not faults:
                return draft, "model"
            did.note(faults, attempt)
        return "", ""

    async def _faults(self, text: str, s: Situation, did: _Turn, rng: Generator) -> Sequence[Fault]:
        """Return what is wrong with a draft: by our rules, by the plan, and then by the validating model."""
        found = faults_in(text, s)
        if not found and _harder_than_planned(text, s):
            found = (Fault("too_hard", 0, len(text), text[:200], REASONS["too_hard"]),)
        if found or self._validator is None:
            return found
        fault, answered = await review(self._validator, text, s.transcript, seed=_seed(rng))
        did.calls.append(answered)
        return (fault,) if fault is not None else ()

    def _settled(
        self, state: WrappedState, *, replace_inner: Any, reply: Reply[SocraticState], by: str, did: _Turn
    ) -> Reply[WrappedState]:
        calls = state.calls + len(did.calls)
        unreached = state.unreached + sum(not a.reached for a in did.calls)
        info: dict[str, JsonValue] = {
            **reply.info,
            "worded_by": by,
            "interventions": list(did.interventions),
            "fell_back": by in ("rule", "spare"),
        }
        if did.calls:
            info |= {"lm": of_calls(did.calls), **thoughts_of(*did.calls)}
        # So far: on the last turn this speaks for the whole session.
        info["endpoint_dead"] = calls > 0 and unreached == calls
        after = replace(state, mind=reply.state, inner=replace_inner, calls=calls, unreached=unreached)
        return Reply(reply.text, after, info, reply.closes)


def _situation(state: WrappedState, mind: SocraticState, plan: Plan, transcript: Transcript) -> Situation:
    return Situation(
        transcript, state.intake, act=plan.act, belief=mind.belief, bears=mind.known.bears, prior=state.prior
    )


def _seed(rng: Generator) -> int:
    return int(rng.integers(2**31 - 1))


_MARGIN = 0.25  # how far a challenge may go beyond what is expected to be borne, where none was planned


def _harder_than_planned(text: str, s: Situation) -> bool:
    """Whether a draft challenges where the plan does not, and more than can be borne."""
    if s.act is None or s.act.kind == "challenge" or s.bears is None:
        return False
    heard = act_heard(text, s)
    return heard.kind == "challenge" and heard.intensity > s.bears + _MARGIN


def _as_said(plan: Plan, text: str, s: Situation, *, theirs: bool) -> Plan:
    """Return the plan as it was carried out: another therapist's draft may have made another move."""
    line = Line("worded", text)
    return replace(plan, line=line, act=act_heard(text, s)) if theirs else replace(plan, line=line)


def wrapped(
    inner_or_lm: Therapist[Any] | LanguageModel,
    ear: Ear,
    *,
    reasoner: LanguageModel | None = None,
    guide: LanguageModel | None = None,
    validator: LanguageModel | None = None,
    revisions: int = REVISIONS,
) -> Wrapped:
    """Return the controller around a therapist or around a language model.

    What reaches the patient has passed the validator. Every intervention stands in
    ``info["interventions"]`` (fault, attempt, reason, span), ``info["worded_by"]`` says whose words a turn
    has (``model``, ``inner``, ``rule`` = our wording of the plan, ``spare`` = a line that always holds), and
    ``info["endpoint_dead"]`` is true while no call of the session has reached its model.

    Parameters
    ----------
    inner_or_lm : what has ``respond`` is a therapist, what has ``generate`` a language model (then it is the guide).
    ear : what the controller hears with.
    reasoner, guide, validator : other models for the three parts; ``guide`` defaults to ``inner_or_lm`` if that is one.
    revisions : how often a faulty draft is worded again, >= 0.

    Raises
    ------
    TypeError : ``inner_or_lm`` is neither.

    Examples
    --------
    >>> from turnwise.reading.ears.direct import DirectEar
    >>> from turnwise.therapists.advisor import advisor
    >>> isinstance(wrapped(advisor(), DirectEar()), Wrapped)
    True
    """
    ports = {"reasoner": reasoner, "validator": validator, "revisions": max(0, revisions)}
    if hasattr(inner_or_lm, "respond"):
        return Wrapped(ear, inner=inner_or_lm, guide=guide, **ports)  # type: ignore[arg-type]
    if not hasattr(inner_or_lm, "generate"):
        raise TypeError(f"{type(inner_or_lm).__name__} is neither a therapist nor a language model.")
    return Wrapped(ear, guide=guide or inner_or_lm, **ports)  # type: ignore[arg-type]


@therapist(
    name="socratic_model.v1",
    source="definition of this project; reasoner, guide and validator after Nie et al. (2024, CaiTI)",
    emits=("act.move", "belief", "worded_by", "interventions", "fell_back", "endpoint_dead"),
)
def socratic_model(*, ear: Ear, lm: LanguageModel) -> Wrapped:
    """Decide as ``socratic`` decides and let a language model find the words, validated before they are said.

    Named ``socratic:MODEL``. It is compared with ``best_of_n`` at equal calls and with ``best_prompt``.

    Parameters
    ----------
    ear : what it hears with.
    lm : the model that words.
    """
    return wrapped(lm, ear)
