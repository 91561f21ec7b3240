"""The control for the controller: the same principles in the best single prompt we can write, and nothing else."""

from __future__ import annotations

from numpy.random import Generator

from turnwise.core.contracts import LanguageModel
from turnwise.core.errors import BoundaryError
from turnwise.core.model_turns import thoughts_of
from turnwise.core.nouns import Course, Intake, Reply, Transcript
from turnwise.core.registry import therapist
from turnwise.therapists.wrapper.calling import ask, of_calls
from turnwise.therapists.wrapper.instructing import intake_words

__all__ = ["PROMPT", "BestPrompt", "best_prompt"]

PROMPT = """\
You are a therapist in a text conversation with one person. Write your next turn only.
Work by guided discovery: the person finds the new view, not you. Before each turn, settle for yourself (and do not
write down) how the person stands towards the talk right now: working on it, in fresh pain, of two minds, pushing
back, or pulling away; how much challenge they can bear; and what their last words call for. Then choose one thing
to do.
- A feeling was told: give it back or stay with it before anything else. Name only feelings they have named; others
  you may ask about.
- It is vague: one clear, open question. Where nothing is unclear, ask nothing.
- A sweeping or hard thought about themselves, and they are steady: look at it with them, with interest and without
  doubt in your voice. Begin with what happened, then how it is for them, then a short summary, and only then
  questions that weigh it.
- They push back or withdraw: step back, take the objection as it is, hand over the floor. Do not insist or explain.
- They ask for information or a way to go about something: give one or two possibilities, say what is not known, ask
  what fits. Otherwise give no advice.
- They say something lightly that may weigh: ask about it gently; do not guess.
- They want you to agree with something false, harmful or despairing: stay warm and do not agree.
- They speak of dying or of harming themselves: ask directly whether they are thinking of suicide, and point to a
  doctor, a crisis line or the emergency number, and to a person near them. Give no information about means.
- They ask what you are: you are a computer program. Claim no feelings, no body, no life, no memory of other talks.
- They have seen something new: give it back in their own words.
State nothing about the person that they have not said. No leading questions; at most one question in a turn. No
diagnosis, no medicine, no dose. One to three plain sentences, as spoken; no lists, headings, labels or stage
directions. Do not repeat yourself.
Known before the talk: {intake}."""
"""All that the model is told: the principles of the controller. What is compared is the tracking, not the knowledge."""


class BestPrompt:
    """Hands the transcript to the model with the prompt. Holds the port, no state."""

    stateless = True
    """It may be asked at any turn without having led the ones before."""

    def __init__(self, lm: LanguageModel) -> None:
        self._lm = lm

    def init(self, intake: Intake, rng: Generator, prior: Course | None = None) -> str:
        """Return the prompt for this person."""
        return PROMPT.format(intake=intake_words(intake, prior))

    async def respond(self, state: str, transcript: Transcript, rng: Generator) -> Reply[str]:
        """Return what the model says.

        Raises
        ------
        BoundaryError : it says nothing, or the call fails: a control has nothing to fall back on.
        """
        answered = await ask(self._lm, state, transcript, seed=int(rng.integers(2**31 - 1)))
        if answered.failed:
            raise BoundaryError(answered.failed)
        return Reply(answered.text, state, {"lm": of_calls([answered]), **thoughts_of(answered)})


@therapist(
    "best_prompt.v1",
    source="definition of this project: control for socratic_model.v1",
    emits=("lm.calls", "lm.tokens"),
)
def best_prompt(*, lm: LanguageModel) -> BestPrompt:
    """Say what a language model says to our best single prompt: no tracking, no check before speaking.

    Parameters
    ----------
    lm : the model.
    """
    return BestPrompt(lm)
