"""The plain comparator: a language model that is told the whole case and does everything itself.

No state, no gate on what is told, no check: what a patient that is only prompted does is to be seen in the gate and
in the measures. Whatever it knows it may let out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from numpy.random import Generator

from turnwise.core.contracts import LanguageModel
from turnwise.core.model_turns import about, asked, thoughts_of
from turnwise.core.nouns import Case, Course, Cue, Ending, Reply, Transcript
from turnwise.core.registry import patient
from turnwise.patients.index import index_case
from turnwise.patients.schema import CaseFile, Telling

__all__ = ["LEAVES", "PROMPT", "Prompted", "case_told", "prompted"]

LEAVES: Mapping[str, Ending] = {"[leaves]": "patient_left", "[ends]": "patient_closed"}
"""What a reply ends with where it ends the session: told to the patient's model alone, so that no therapist's words
can bring it about but by bringing about the patient's."""

PROMPT = """\
You play a client in a counselling session, for the training and testing of counsellors. The counsellor speaks to you;
answer with the client's next turn only. Speak as this person would speak: in spoken words, most often one to three
sentences, sometimes less, now and then more; not more open, more insightful or more grateful than this person would be
with this counsellor at this point. What is marked guarded is told late, to somebody who has earned it, or never.
No stage directions, headings or notes. If the client walks out, end the turn with [leaves]; if the session has come to
its end and the client says goodbye, with [ends].

{case}"""
"""All that a prompted patient is told besides its case. Its hash is part of the study."""

_LEVELS = ("", "", " (guarded)", " (a secret)")
_MARK = re.compile(r"\s*(\[leaves\]|\[ends\])\s*$", re.IGNORECASE)


def case_told(file: CaseFile) -> str:
    """Return a whole case in words: who this is, what is believed, who is in this life, and what there is to tell."""
    v, f, intake = file.voice, file.formulation, file.intake
    lines = [
        f"You are {intake.age}, {intake.gender}. What the referral says: {intake.referral}",
        f"You talk: {v.style}, {v.modality}, from {v.region}; {v.sentence} sentences; humour: {v.humour or 'none'}.",
        f"You say now and then: {_listed(v.fillers)}. You never say: {_listed(v.never_says)}.",
        f"What you believe of yourself: {_listed([b.text for b in f.core_beliefs])}",
        f"Your rules: {_listed(f.rules)}. How you cope: {_listed(f.coping)}. What sets it off: {_listed(f.triggers)}.",
        f"What you value: {_listed(f.values)}. Your strengths: {_listed(f.strengths)}. Goals: {_listed(f.goals)}.",
        f"How you resist: {f.resistance}. Danger to yourself: {f.risk.level}. {f.risk.truth}",
    ]
    lines += [f"Your secret: {f.secret}"] if f.secret else []
    lines += ["People:"]
    lines += [f"- {p.names[0]}: {p.kind}, {p.age or 'age unknown'}, {p.lives}" for p in file.people.values()]
    for topic in file.topics:
        own = sorted((t for t in file.tellings if t.topic == topic), key=lambda t: t.level)
        lines += [f"What you could tell of {topic}:", *map(_telling, own)]
    lines += ["Also true:", *(f"- {' '.join(p.beats)}{_LEVELS[p.level]}" for p in file.propositions)]
    lines += [f"- {x.say}{_LEVELS[x.level]}" for x in file.facts]
    return "\n".join(lines)


def _telling(t: Telling) -> str:
    return f"- {' '.join(t.beats)}{_LEVELS[t.level]}"


def _listed(texts: Sequence[str]) -> str:
    return "; ".join(texts) or "nothing"


class Prompted:
    """Hands prompt and transcript to the model and says what it says. Holds the port, no state."""

    def __init__(self, lm: LanguageModel) -> None:
        self._lm = lm

    def init(self, case: Case, rng: Generator, prior: Course | None = None) -> str:
        """Return the prompt of this patient: the whole case."""
        return PROMPT.format(case=case_told(index_case(case).file))

    async def respond(self, state: str, transcript: Transcript, rng: Generator) -> Reply[str]:
        """Answer what was just said."""
        completion = await asked(self._lm, state, transcript, rng)
        text, closes = completion.text.strip(), None
        cues: tuple[Cue, ...] = ()
        mark = _MARK.search(text)
        if mark is not None:
            closes, text = LEAVES[mark[1].lower()], text[: mark.start()].strip()
            cues = () if text else (Cue(kind="movement", detail="goes"),)
        return Reply(text, state, {"lm": about(completion), **thoughts_of(completion)}, closes, cues)


@patient("prompted.v1", emits=("lm.calls",), source="definition of this project; the usual way of simulating patients")
def prompted(*, lm: LanguageModel) -> Prompted:
    """Patients whom a language model plays from a prompt that holds the whole case: the plain comparator.

    Named with its model and a case (``prompted:openai/…:alun``). Nothing is decided, gated or checked here, no moment
    is scheduled and no truth is known: measures that need the truth stay unscored, and the ladder has no rung for it.

    Parameters
    ----------
    lm : the model.
    """
    return Prompted(lm)
