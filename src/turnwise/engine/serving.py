"""The embedded participants behind an endpoint: which models there are, and what each says to a list of messages."""

from __future__ import annotations

import inspect
from typing import Any

from turnwise.core.errors import BoundaryError, FormatError, RegistryError, UsageError
from turnwise.core.nouns import Reply
from turnwise.core.registry import PATIENTS, THERAPISTS
from turnwise.engine.chat import as_transcript, intake_of
from turnwise.engine.completions import NOTICE, ChatRequest, Refused
from turnwise.engine.discovery import discover
from turnwise.engine.luck import Luck
from turnwise.engine.patient_names import parted, resolve_patient
from turnwise.engine.replaying import Replayer, Seat, SessionOver
from turnwise.engine.study import Cast, Study, cast_of

__all__ = ["House"]


class House:
    """Everybody who can be talked to. Keeps no session: every request brings its own."""

    def __init__(self, replayer: Replayer | None = None) -> None:
        from turnwise.reading.ears.direct import DirectEar

        discover()
        self._ear = DirectEar()  # replies are made in several threads, which no batch may join
        self._replayer = replayer or Replayer()
        self._casts: dict[tuple[str, str], Cast] = {}

    def models(self) -> list[dict[str, Any]]:
        """Return the models as ``GET /v1/models`` lists them: every embedded therapist, every case."""
        from turnwise.patients.casebook import case_ids

        known = [(f"therapist/{e.base}", e.summary) for e in THERAPISTS.newest() if _is_embedded(e.obj)]
        known += [(f"patient/{case}", "a simulated patient; not clinician-reviewed") for case in case_ids()]
        return [_model(name, summary) for name, summary in known]

    def model(self, name: str) -> dict[str, Any]:
        """Return one model.

        Raises
        ------
        Refused : there is none of that name (with the closest one).
        """
        kind, who, _ = self._resolved(name)
        summary = THERAPISTS.get(who).summary if kind == "therapist" else PATIENTS.get(parted(who)[0]).summary
        return _model(name, summary)

    async def reply(self, request: ChatRequest, luck: Luck | None = None) -> Reply[Any]:
        """Return what the model says to the messages.

        Without ``luck`` the seed decides alone: epoch 0, of the patient where a patient is asked, so that the reply
        is that of an ordinary session with that seed.

        Raises
        ------
        Refused : there is no such model, the messages are none, or the participant failed.
        """
        kind, who, cast = self._resolved(request.model)
        try:
            told, turns = as_transcript(request.messages, "therapist" if kind == "therapist" else "patient")
            return await self._replayer.reply(_seat(who, cast, told, luck, request.seed), turns)
        except SessionOver as fault:
            raise Refused(400, str(fault), "session_over", "messages") from fault
        except (FormatError, UsageError) as fault:
            raise Refused(400, str(fault), "invalid_messages", "messages") from fault
        except BoundaryError as fault:
            raise Refused(500, str(fault), "participant_failed") from fault

    def _resolved(self, model: str) -> tuple[str, str, Cast]:
        """Return kind, full name and cast of a model. Registered names only: a request never makes us call others."""
        kind, _, name = model.partition("/")
        try:
            if kind == "therapist":
                who = THERAPISTS.get(name).name
            elif kind == "patient":
                who = resolve_patient(name)
            else:
                raise RegistryError("models are called therapist/NAME or patient/CASE; GET /v1/models lists them.")
            return kind, who, self._cast(kind, who)
        except (RegistryError, UsageError) as fault:
            raise Refused(404, f"There is no such model: {fault}", "model_not_found", "model") from fault

    def _cast(self, kind: str, who: str) -> Cast:
        if (kind, who) not in self._casts:
            therapists, patients = ((who,), ()) if kind == "therapist" else ((), (who,))
            alone = Study(therapists=therapists, patients=patients, seed=0, epochs=1, turns=1, versions={})
            self._casts[kind, who] = cast_of(alone, self._ear)
        return self._casts[kind, who]


def _seat(who: str, cast: Cast, told: str, luck: Luck | None, seed: int) -> Seat:
    if who in cast.therapists:
        return Seat(who, "therapist", cast.therapists[who], intake_of(told), luck or Luck.of(seed, ""))
    family, case = parted(who)
    mine = luck or Luck.of(seed, f"{family}/{case}")
    return Seat(who, "patient", cast.patients[family], cast.cases[case], mine)


def _is_embedded(factory: Any) -> bool:
    return "lm" not in inspect.signature(factory).parameters


def _model(name: str, summary: str) -> dict[str, Any]:
    return {
        "id": name,
        "object": "model",
        "created": 0,
        "owned_by": "turnwise",
        "description": summary,
        "notice": NOTICE,
    }
