"""A language model with a short prompt and nothing else: what every other way of using it is compared with."""

from __future__ import annotations

from numpy.random import Generator

from turnwise.core.contracts import LanguageModel
from turnwise.core.course import known_of
from turnwise.core.model_turns import LONGEST_REPLY, about, asked, seed_of, thoughts_of
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


def intake_lines(intake: Intake, prior: Course | None = None) -> str:
    """Return an intake in words, one line for each thing that is known; ``prior`` are earlier sessions.

    Examples
    --------
    >>> print(intake_lines(Intake(age=41, referral="Sleeps badly.")))
    - age: 41
    - referral: Sleeps badly.
    """
    known = {"age": intake.age, "gender": intake.gender, "referral": intake.referral.strip()}
    lines = (*(f"{what}: {said}" for what, said in known.items() if said), *known_of(prior))
    return "\n".join(f"- {line}" for line in lines) or "- nothing"


class BareModel:
    """Hands the transcript to the model and says what it says. Holds the port, no state."""

    stateless = True
    """It may be asked at any turn without having led the ones before."""

    def __init__(self, lm: LanguageModel) -> None:
        self._lm = lm

    def init(self, intake: Intake, rng: Generator, prior: Course | None = None) -> str:
        """Return the prompt of this client: what the model is told before the first word."""
        return PROMPT.format(intake=intake_lines(intake, prior))

    async def respond(self, state: str, transcript: Transcript, rng: Generator) -> Reply[str]:
        """Open the session, or answer what was just said."""
        completion = await asked(self._lm, state, transcript, rng)
        return Reply(completion.text.strip(), state, {"lm": about(completion), **thoughts_of(completion)})


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
