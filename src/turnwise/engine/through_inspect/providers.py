"""Our embedded participants as Inspect models: ``turnwise/therapist/NAME`` and ``turnwise/patient/CASE``."""

from __future__ import annotations

from typing import Any

from turnwise.core.errors import UsageError
from turnwise.core.nouns import Intake, Speaker
from turnwise.engine.batch import default_ear
from turnwise.engine.chat import as_transcript, intake_of
from turnwise.engine.luck import Luck
from turnwise.engine.replaying import Replayer, Seat
from turnwise.engine.study import cast_of, resolve_study
from turnwise.engine.through_inspect.live import LUCK
from turnwise.therapists.bare_model import PROMPT

__all__ = ["Place", "define_provider", "place_of"]

_SEED = 1


class Place:
    """Whom a model string means, built once and shared by all samples."""

    def __init__(self, role: Speaker, name: str) -> None:
        self.role = role
        therapist, patient = (name, "alun") if role == "therapist" else ("silent", name)
        study = resolve_study(therapists=(therapist,), patients=(patient,))
        cast = cast_of(study, default_ear())
        self.name = study.therapists[0] if role == "therapist" else study.patients[0]
        family, _, self.case = study.patients[0].partition(":")
        self.told = cast.cases[self.case]
        self.participant: Any = cast.therapists[study.therapists[0]] if role == "therapist" else cast.patients[family]
        self.key = "" if role == "therapist" else f"{family}/{self.case}"


def place_of(model_name: str) -> Place:
    """Return who answers under a model name (``therapist/NAME``, ``patient/CASE``).

    Raises
    ------
    UsageError, RegistryError : there is nobody of that name.
    """
    role, _, name = model_name.partition("/")
    if role not in ("therapist", "patient") or not name:
        raise UsageError(
            f"no embedded participant is called {model_name!r}; write turnwise/therapist/NAME or turnwise/patient/CASE."
        )
    return Place("therapist" if role == "therapist" else "patient", name)


def _told(messages: list[Any], place: Place) -> tuple[str, tuple[Any, ...]]:
    chat = [{"role": m.role, "content": m.text} for m in messages if m.role in ("system", "user", "assistant")]
    return as_transcript(chat, place.role)


def _intake(words: str) -> Intake:
    """Return the intake in a system prompt: what our own prompt put there, or the whole prompt as a referral."""
    before = PROMPT.partition("{intake}")[0]
    lines = words.removeprefix(before) if words.startswith(before) else ""
    known = dict(line[2:].split(": ", 1) for line in lines.splitlines() if line.startswith("- ") and ": " in line)
    if not known:
        return intake_of(words)
    age = known.get("age", "")
    return Intake(
        age=int(age) if age.isdecimal() else None, gender=known.get("gender"), referral=known.get("referral", "")
    )


def define_provider() -> Any:
    """Return the model provider ``turnwise``, registered with Inspect."""
    from inspect_ai.model import GenerateConfig, ModelAPI, ModelOutput, modelapi

    class Embedded(ModelAPI):  # type: ignore[misc]
        """Answers a chat in which it is the assistant. Keeps no session: the messages and the luck decide."""

        def __init__(
            self,
            model_name: str,
            base_url: str | None = None,
            api_key: str | None = None,
            config: Any = GenerateConfig(),  # noqa: B008  # Inspect's own signature
            **model_args: Any,
        ) -> None:
            super().__init__(model_name, base_url, api_key, [], config)
            self._place = place_of(model_name)
            self._replayer = Replayer()

        def max_connections(self) -> int:
            return 1_000

        def connection_key(self) -> str:
            return str(self.model_name)

        async def generate(self, input: Any, tools: Any, tool_choice: Any, config: Any) -> Any:
            place = self._place
            words, turns = _told(input, place)
            luck = _luck(input) or Luck.of(_SEED if config.seed is None else config.seed, place.key)
            told = place.told if place.role == "patient" else _intake(words)
            seat = Seat(place.name, place.role, place.participant, told, luck)
            reply = await self._replayer.reply(seat, turns)
            output = ModelOutput.from_content(f"turnwise/{self.model_name}", reply.text)
            output.metadata = {"closes": reply.closes, "info": dict(reply.info)}
            return output

    def provider() -> Any:
        return Embedded

    return modelapi(name="turnwise")(provider)


def _luck(messages: list[Any]) -> Luck | None:
    for message in messages:
        text = (message.metadata or {}).get(LUCK)
        if isinstance(text, str):
            return Luck.read(text)
    return None
