"""The Socratic controller decides, a language model finds the words, the controller's checks have the last one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from numpy.random import Generator
from pydantic import JsonValue

from turnwise.core.contracts import Completion, LanguageModel
from turnwise.core.nouns import Course, Intake, Reply, Transcript
from turnwise.core.registry import therapist
from turnwise.reading.ears.hearing import Ear
from turnwise.therapists.bare_model import about, asked, intake_lines
from turnwise.therapists.duties import DUTIES
from turnwise.therapists.reflecting import Line
from turnwise.therapists.socratic import Socratic, SocraticState
from turnwise.therapists.validating import fault

__all__ = ["PROMPT", "SocraticWorded", "socratic_worded"]

PROMPT = """\
You word the next turn of a therapist in a text conversation. Someone else has decided what the turn is to do; say it
well, in one to three plain sentences, in your own words, and add no other move: no advice, no second question, no list.
Attribute to the client no feeling and no fact that the client has not voiced. Do not press for agreement.
What the referral says of the client:
{intake}
What this turn is to do: {move}{target}.
A plain version of it: {draft}{again}"""
"""All that the model is told on a turn. Its hash is part of the study."""

_AGAIN = "\nYour last wording was refused ({why}). It was: {words}"
_WORDED_BY_RULE = ("safety_check", *DUTIES)
"""Moves whose words carry safety or honesty: they are never left to a model."""
_TRIES = 2


class SocraticWorded:
    """Acts, beliefs and checks are those of :class:`Socratic`; holds it and the port, no state."""

    def __init__(self, ear: Ear, lm: LanguageModel) -> None:
        self._decides = Socratic(ear)
        self._lm = lm

    def init(self, intake: Intake, rng: Generator, prior: Course | None = None) -> tuple[SocraticState, str]:
        """Return the state before the first word, and what the referral says."""
        return self._decides.init(intake, rng, prior), intake_lines(intake)

    async def respond(
        self, state: tuple[SocraticState, str], transcript: Transcript, rng: Generator
    ) -> Reply[tuple[SocraticState, str]]:
        """Decide, have it worded, check; ask once more with the reason, then say the plain version."""
        before, intake = state
        decided = await self._decides.respond(before, transcript, rng)
        act: Mapping[str, Any] = decided.info["act"]  # type: ignore[assignment]
        if act["move"] in _WORDED_BY_RULE or decided.closes is not None:
            return _plain(decided, intake, _info(decided, "rule", []))
        done: list[Completion] = []
        again, refused = "", ""
        for _ in range(_TRIES):
            brief = PROMPT.format(
                intake=intake,
                move=str(act["move"]).replace("_", " "),
                target=f", about “{act['target']}”" if act["target"] else "",
                draft=decided.text,
                again=again,
            )
            done.append(await asked(self._lm, brief, transcript, rng))
            words = done[-1].text.strip()
            # The plain version's own words were noted as said: the wording is judged by what was said before.
            refused = fault(Line("worded", words), None, _without(decided.state, before), decided.state.belief) or ""
            if not refused:
                after = _said(decided.state, before, words)
                return Reply(words, (after, intake), _info(decided, "model", done), None, decided.cues)
            again = _AGAIN.format(why=refused, words=words)
        return _plain(decided, intake, _info(decided, f"rule: {refused}", done))


def _plain(decided: Reply[SocraticState], intake: str, info: dict[str, JsonValue]) -> Reply[tuple[SocraticState, str]]:
    return Reply(decided.text, (decided.state, intake), info, decided.closes, decided.cues)


def _without(after: SocraticState, before: SocraticState) -> Any:
    return replace(after.ledger, said=before.ledger.said)


def _said(after: SocraticState, before: SocraticState, words: str) -> SocraticState:
    return replace(after, ledger=replace(after.ledger, said=before.ledger.said | {words}))


def _info(decided: Reply[SocraticState], worded_by: str, done: list[Completion]) -> dict[str, JsonValue]:
    calls: dict[str, JsonValue] = {"lm": about(*done)} if done else {}
    return {**decided.info, "worded_by": worded_by, **calls}


@therapist(
    name="socratic_worded.v1",
    source="definition of this project; verify-then-speak after Nie et al. (2024, CaiTI)",
    emits=("act.move", "belief", "worded_by"),
)
def socratic_worded(*, ear: Ear, lm: LanguageModel) -> SocraticWorded:
    """Decide as ``socratic`` decides and let a language model word it, under the same checks.

    Named ``socratic:MODEL``. A wording that repeats, quotes what was not said, attributes a feeling nobody voiced or
    leads is refused; after two refusals the controller's plain version is said. ``worded_by`` says whose words a turn
    has. Turns about risk, identity and the goodbye are always the controller's own.

    Parameters
    ----------
    ear : what it hears with.
    lm : the model that words.
    """
    return SocraticWorded(ear, lm)
