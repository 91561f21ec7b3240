"""Patients of ours in a language model's words: what happens is decided by the patient, the model only words it.

Every draft is checked by code against the decision; one that fails is asked for again with the reason, and after the
last try the author's own wording is said. What is said of danger to self is never reworded.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from numpy.random import Generator
from pydantic import JsonValue

from turnwise.core.contracts import Completion, LanguageModel
from turnwise.core.errors import UsageError
from turnwise.core.model_turns import about, seed_of, thoughts_of
from turnwise.core.nouns import Case, Course, Reply, Transcript
from turnwise.patients.briefing import Brief, band, instruction, manner
from turnwise.patients.case_lines import lines_of
from turnwise.patients.draft_checks import Draft, Flaw, flaws, spoken_part
from turnwise.patients.memory import Carried
from turnwise.patients.stateful import Stateful

__all__ = ["DRAFTS", "LEAST", "Worded", "worded"]

DRAFTS = 3
"""Drafts a model may make of one turn."""
LEAST = 4
"""Words below which there is nothing to word: "Mm." is said as it is."""
_READ = 20_000
"""Characters of a draft that are looked at: enough to see that it is too long."""
_AGAIN = "\n\nA draft of yours was not said:\n{draft}\nWhat was wrong with it:\n{reasons}\nWord it again."
_SHOWN = 400


class _Spoken(NamedTuple):
    """What is said in the end, and who worded it after which refusals."""

    text: str
    by: str
    calls: tuple[Completion, ...] = ()
    refused: tuple[tuple[Flaw, ...], ...] = ()

    def info(self, authored: str) -> dict[str, JsonValue]:
        """Return what the truth record tells of the wording."""
        refused: list[JsonValue] = [[f"{f.code}: {f.why}" for f in draft] for draft in self.refused]
        told: dict[str, JsonValue] = {"by": self.by, "refused": refused, "authored": authored}
        info: dict[str, JsonValue] = {"wording": told}
        return {**info, "lm": about(*self.calls), **thoughts_of(*self.calls)} if self.calls else info


class Worded:
    """A patient of ours whose turns a model words. Holds both ports, no state."""

    def __init__(self, inner: Stateful, lm: LanguageModel, drafts: int = DRAFTS) -> None:
        self._inner, self._lm, self._drafts = inner, lm, drafts

    def init(self, case: Case, rng: Generator, prior: Course | None = None) -> Carried:
        """Return the inner patient's state before the first word."""
        return self._inner.init(case, rng, prior)

    def next_session(self, state: Carried, rng: Generator, weeks: float) -> Carried:
        """Return the inner patient's state before the first word of the next session."""
        return self._inner.next_session(state, rng, weeks)

    async def respond(self, state: Carried, transcript: Transcript, rng: Generator) -> Reply[Carried]:
        """Let the patient decide, then the model word it; the decision and all that follows from it stay."""
        decided = await self._inner.respond(state, transcript, rng)
        spoken = await self._spoken(state, decided, transcript, rng)
        info = {**decided.info, **spoken.info(decided.text), "said": _said_in(spoken.text, decided)}
        return Reply(spoken.text, decided.state, info, decided.closes, decided.cues)

    async def _spoken(self, state: Carried, decided: Reply[Carried], transcript: Transcript, rng: Generator) -> _Spoken:
        if len(decided.text.split()) < LEAST or _of_danger(state, decided):
            return _Spoken(decided.text, "author")
        index, own = state.index, tuple(t.text for t in transcript if t.speaker == "patient")
        said: Any = decided.info.get("said")
        low, high = band(decided.text, index.file.voice.modality)
        told = index.tellings.get(str(said["telling"]))
        brief = Brief(decided.text, manner(decided.state.mind, told), low, high, own)
        released = _released(state, decided, transcript)
        system, last = instruction(index, brief), ""
        calls: list[Completion] = []
        refused: list[tuple[Flaw, ...]] = []
        for _ in range(self._drafts):
            completion = await self._lm.generate(system + last, transcript, seed=seed_of(rng))
            calls.append(completion)
            text = spoken_part(completion.text[:_READ])
            draft = Draft(text, decided.text, released, own, low, high, index.file.voice.never_says)
            wrong = flaws(draft, lines_of(index))
            if not wrong:
                return _Spoken(text, "model", tuple(calls), tuple(refused))
            refused.append(tuple(wrong))
            last = _AGAIN.format(draft=text[:_SHOWN], reasons="\n".join(f"- {f.why}" for f in wrong))
        return _Spoken(decided.text, "author after refusals", tuple(calls), tuple(refused))


def _said_in(text: str, decided: Reply[Carried]) -> dict[str, JsonValue]:
    """Return the record of what was said; a model words a planned moment and what leads up to it in one."""
    said: Any = decided.info["said"]
    kept = said["words"] and text.endswith(said["words"])
    return {**said, "words": said["words"] if kept or not said["words"] else text}


def _released(state: Carried, decided: Reply[Carried], transcript: Transcript) -> str:
    """Return all that may be known: intake, what was said, and other wordings of what was told or is told now."""
    index, said = state.index, decided.state.memory.said
    others = (w for name in said if name in index.tellings for w in index.tellings[name].wordings)
    lines = (*state.memory.lines, *others, *(t.text for t in transcript))
    return " ".join([index.file.intake.referral, *lines])


def _of_danger(state: Carried, decided: Reply[Carried]) -> bool:
    said: Any = decided.info.get("said")
    told = {said["telling"], *said["also"]}
    risky = {*state.index.risky, *(state.index.propositions[i].id for i in state.index.risk_props)}
    return said["kind"] == "risk" or decided.info.get("moment") == "risk" or bool(told & risky)


def worded(inner: Any, lm: LanguageModel, name: str) -> Worded:
    """Return a patient of ours in the words of a model.

    Parameters
    ----------
    inner : a patient of a family that decides before it words (``stateful``, ``fitted``, ``contrary``).
    lm : the model.
    name : what was asked for, for the message.

    Raises
    ------
    UsageError : patients of this family do not decide what is said before they word it.
    """
    if not isinstance(inner, Stateful):
        raise UsageError(f"{name!r}: patients of that family cannot be worded by a model; write stateful:MODEL:CASE.")
    return Worded(inner, lm)
