"""The control at equal compute: as many drafts as the controller may make calls, the best one by what an ear hears."""

from __future__ import annotations

from numpy.random import Generator

from turnwise.core.contracts import LanguageModel
from turnwise.core.errors import BoundaryError, UsageError
from turnwise.core.model_turns import thoughts_of
from turnwise.core.nouns import Course, Intake, Reply, Transcript, Turn
from turnwise.core.registry import therapist
from turnwise.reading.ears.hearing import Ear
from turnwise.reading.ears.questions import read_heard
from turnwise.reading.window import CONTEXT, Window
from turnwise.therapists.best_prompt import PROMPT
from turnwise.therapists.wrapper.calling import Answered, ask, of_calls
from turnwise.therapists.wrapper.instructing import intake_words

__all__ = ["BestOfN", "best_of_n"]

DRAFTS = 3  # as many as the controller may ask for: one draft and two revisions
_LONG = 60  # words from which a turn is penalised


class BestOfN:
    """Asks ``n`` times with the best prompt and says the draft that sounds best. Holds the ports, no state."""

    stateless = True
    """It may be asked at any turn without having led the ones before."""

    def __init__(self, ear: Ear, lm: LanguageModel, n: int) -> None:
        self._ear = ear
        self._lm = lm
        self._n = n

    def init(self, intake: Intake, rng: Generator, prior: Course | None = None) -> str:
        """Return the prompt for this person."""
        return PROMPT.format(intake=intake_words(intake, prior))

    async def respond(self, state: str, transcript: Transcript, rng: Generator) -> Reply[str]:
        """Return the draft with the highest score; the first of equals.

        Raises
        ------
        BoundaryError : no draft came.
        """
        answers = [await ask(self._lm, state, transcript, seed=int(rng.integers(2**31 - 1))) for _ in range(self._n)]
        scored = [(await self._score(a, transcript), -i, a.text) for i, a in enumerate(answers) if not a.failed]
        if not scored:
            raise BoundaryError(answers[-1].failed)
        best = max(scored)
        scores = [round(x[0], 6) for x in scored]
        return Reply(best[2], state, {"lm": of_calls(answers), "scores": [*scores], **thoughts_of(*answers)})

    async def _score(self, answered: Answered, transcript: Transcript) -> float:
        """Return how much a draft sounds like listening: reflection and one open question, no input, not long."""
        turn = Turn(speaker="therapist", text=answered.text)
        hearing = await self._ear.hear(Window(turn, transcript[-CONTEXT:]))
        heard = read_heard(hearing, answered.text)
        score = heard.p_reflection + 0.6 * heard.p_question - heard.p_input
        score -= 0.5 * max(0, len(heard.questions) - 1)
        score -= 0.5 * heard.does("advice", "challenge", "accuse", "reassure", "praise", "counter")
        return float(score - max(0, heard.n_words - _LONG) / _LONG)


@therapist(
    "best_of_n.v1",
    source="definition of this project: control for socratic_model.v1 at equal calls",
    emits=("lm.calls", "scores"),
)
def best_of_n(*, ear: Ear, lm: LanguageModel, n: int = DRAFTS) -> BestOfN:
    """Say the best of ``n`` drafts by an ear's reading of the drafts alone: no tracking, no plan, no revision.

    Parameters
    ----------
    ear : what scores the drafts; never a rater.
    lm : the model.
    n : drafts a turn, >= 1.

    Raises
    ------
    UsageError : ``n`` is below 1.
    """
    if n < 1:
        raise UsageError(f"n is {n}; at least one draft is needed.")
    return BestOfN(ear, lm, n)
