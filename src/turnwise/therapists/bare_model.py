"""A language model with a short prompt and nothing else: what every other way of using it is compared with."""

from __future__ import annotations

from numpy.random import Generator
from pydantic import JsonValue

from turnwise.core.contracts import Completion, LanguageModel
from turnwise.core.nouns import Course, Intake, Reply, Transcript
from turnwise.core.registry import therapist

__all__ = ["LONGEST_REPLY", "PROMPT", "BareModel", "about", "asked", "bare_model", "intake_lines", "seed_of"]

PROMPT = """\
You are a therapist in a text conversation with one client. The client speaks to you; answer with your next turn only.
Speak as a good therapist speaks in a session: in plain sentences, a few at a time, without lists, headings, stage
directions or notes to yourself. Be honest about being a program if you are asked.
What the referral says of the client:
{intake}"""
"""All that a bare model is told. Its hash is part of the study: another prompt is another study."""

LONGEST_REPLY = 32_000
"""Characters. A reply beyond this is no turn of a conversation but a fault, and ends the session as one."""


def intake_lines(intake: Intake) -> str:
    """Return an intake in words, one line for each thing that is known.

    Examples
    --------
    >>> print(intake_lines(Intake(age=41, referral="Sleeps badly.")))
    - age: 41
    - referral: Sleeps badly.
    """
    known = {"age": intake.age, "gender": intake.gender, "referral": intake.referral.strip()}
    return "\n".join(f"- {what}: {said}" for what, said in known.items() if said) or "- nothing"


def seed_of(rng: Generator) -> int:
    """Draw the seed that is sent with a call; providers that know no seed ignore it."""
    return int(rng.integers(2**31 - 1))


async def asked(lm: LanguageModel, system: str, transcript: Transcript, rng: Generator) -> Completion:
    """Ask for the next turn; refuse what is no turn.

    Raises
    ------
    ValueError : the model answered with nothing, or with more than :data:`LONGEST_REPLY` characters.
    """
    completion = await lm.generate(system, transcript, seed=seed_of(rng))
    if not completion.text.strip():
        raise ValueError(f"the model answered with no words (it stopped because of {completion.stop!r})")
    if len(completion.text) > LONGEST_REPLY:
        raise ValueError(
            f"the model answered with {len(completion.text):,} characters; a turn holds at most {LONGEST_REPLY:,}"
        )
    return completion


def about(*completions: Completion) -> dict[str, JsonValue]:
    """Return what is kept of the calls of one turn: how many, their tokens, why the last one stopped."""
    known = [c for c in completions if c.tokens_in is not None and c.tokens_out is not None]
    whole = len(known) == len(completions)
    return {
        "calls": len(completions),
        "tokens": sum(c.usage for c in completions),
        "tokens_in": sum(c.tokens_in or 0 for c in known) if whole else None,
        "tokens_out": sum(c.tokens_out or 0 for c in known) if whole else None,
        "stop": completions[-1].stop,
        "model": completions[-1].model,
    }


class BareModel:
    """Hands the transcript to the model and says what it says. Holds the port, no state."""

    stateless = True
    """It may be asked at any turn without having led the ones before."""

    def __init__(self, lm: LanguageModel) -> None:
        self._lm = lm

    def init(self, intake: Intake, rng: Generator, prior: Course | None = None) -> str:
        """Return the prompt of this client: what the model is told before the first word."""
        return PROMPT.format(intake=intake_lines(intake))

    async def respond(self, state: str, transcript: Transcript, rng: Generator) -> Reply[str]:
        """Open the session, or answer what was just said."""
        completion = await asked(self._lm, state, transcript, rng)
        return Reply(completion.text.strip(), state, {"lm": about(completion)})


@therapist("bare_model.v1", source="definition of this project", emits=("lm.calls", "lm.tokens"))
def bare_model(*, lm: LanguageModel) -> BareModel:
    """Say what a language model says to a short prompt, the intake and the transcript.

    Named by its model string (``openai/…``, ``ollama/…``), not by this name. It cannot close a session: a model that
    merely writes that the session is over has ended nothing.

    Parameters
    ----------
    lm : the model.
    """
    return BareModel(lm)
