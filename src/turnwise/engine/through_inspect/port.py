"""The door to language models: our ``LanguageModel`` port over Inspect's model API.

Clients, retries, back-off, rate limits and connection pools are Inspect's. What is ours is one sentence for each fault,
without the request, without a key; and a client for each event loop, because a run has several.
"""

from __future__ import annotations

import asyncio
import hashlib
import importlib.util
import warnings
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from turnwise.core.contracts import Completion
from turnwise.core.errors import BoundaryError, UsageError
from turnwise.core.model_turns import spoken_only
from turnwise.core.nouns import Speaker, Turn
from turnwise.core.registry import closest
from turnwise.engine.model_messages import model_messages
from turnwise.engine.model_settings import CallSettings
from turnwise.engine.patience import AWAY, Patience
from turnwise.engine.through_inspect.secrets import scrub, scrub_fault, without_secrets
from turnwise.engine.through_inspect.wire import read_as_ours, send_as_is, share_certificates, stay_there, unheard

__all__ = ["InspectModel", "completion_of", "fault_sentence", "inspect_messages", "need_inspect"]

_LONGEST_PAUSE = 60.0
_CALLS_A_CLIENT = 4  # a pool walks over all of its connections at every call: many small ones cost less than a large
_LONGEST_SENTENCE = 300
_SHORTEST_KEY = 8
_ABSENT = frozenset(("APIConnectionError", "APITimeoutError", "AttemptTimeoutError", "ConnectError", "TimeoutError"))
_PLAINLY = {
    "JSONDecodeError": "its answer is not JSON",
    "ValidationError": "its answer has not the shape of a chat completion",
}
"""What libraries say of these faults in words of their own, which quote what was received."""


def need_inspect(what: str) -> None:
    """Refuse in one line where the extra is missing.

    Raises
    ------
    UsageError : ``inspect_ai`` is not installed.
    """
    if importlib.util.find_spec("inspect_ai") is None:
        raise UsageError(f"{what} needs the extra [inspect]: pip install 'turnwise[inspect]'.")


def inspect_messages(messages: Sequence[dict[str, str]]) -> list[Any]:
    """Return chat messages as Inspect has them."""
    from inspect_ai.model import ChatMessageAssistant, ChatMessageSystem, ChatMessageUser

    kinds: dict[str, Any] = {
        "system": ChatMessageSystem,
        "user": ChatMessageUser,
        "assistant": ChatMessageAssistant,
    }
    return [kinds[m["role"]](content=m["content"], id=_id_of(n, m)) for n, m in enumerate(messages)]


def _id_of(place: int, message: dict[str, str]) -> str:
    """Return the same name for the same message at the same place: Inspect copies and logs what it knows only once."""
    words = f"{place} {message['role']} {message['content']}"
    return hashlib.blake2b(words.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


def completion_of(output: Any) -> Completion:
    """Return Inspect's ``ModelOutput`` as our completion.

    Raises
    ------
    BoundaryError : the answer holds no text that could be stored.
    """
    text, thinking = output.completion, _thought(output)
    try:
        (text + thinking).encode("utf-8")
    except UnicodeEncodeError:
        raise BoundaryError("the model answered with something that is no valid text") from None
    usage = output.usage
    said = Completion(
        text=text,
        usage=usage.total_tokens if usage else 0,
        stop=str(output.stop_reason),
        tokens_in=usage.input_tokens if usage else None,
        tokens_out=usage.output_tokens if usage else None,
        model=str(output.model or ""),
    )
    return spoken_only(said, thinking)


def _thought(output: Any) -> str:
    """Return the reasoning that Inspect found apart from the words."""
    parts = output.choices[0].message.content if output.choices else ""
    found = [p.reasoning for p in parts if p.type == "reasoning" and not p.redacted] if isinstance(parts, list) else []
    return "\n\n".join(x.strip() for x in found if x.strip())


def _innermost(fault: BaseException) -> BaseException:
    while type(fault).__name__ in ("RetryError", "ModelGenerateError") and fault.__cause__ is not None:
        fault = fault.__cause__
    return fault


def fault_kind(fault: BaseException) -> str:
    """Return what kind of fault it was and its status, never its words: servers quote what they were sent."""
    fault = _innermost(fault)
    status = getattr(fault, "status_code", None)
    return type(fault).__name__ + (f" (status {status})" if isinstance(status, int) else "")


def fault_sentence(fault: BaseException, *secrets: str | None) -> str:
    """Return one line on what went wrong: the innermost reason, without the request, without a key."""
    fault = _innermost(fault)
    plain = _PLAINLY.get(type(fault).__name__, "")
    if 300 <= (getattr(fault, "status_code", None) or 0) < 400:
        plain = "it redirects elsewhere, which is not followed; name the address it redirects to"
    if plain:
        return f"{fault_kind(fault)}: {plain}"
    why = " ".join(without_secrets(str(fault), *secrets).split())
    why = why if len(why) <= _LONGEST_SENTENCE else why[: _LONGEST_SENTENCE - 1] + "…"
    return f"{type(fault).__name__}: {why}" if why else type(fault).__name__


def _is_absence(fault: BaseException) -> bool:
    """Whether a fault says that nobody is there, rather than that somebody answered badly."""
    fault = _innermost(fault)
    return type(fault).__name__ in _ABSENT or getattr(fault, "status_code", None) in AWAY


@dataclass(slots=True)
class _Client:
    """One of Inspect's models with a connection pool of its own, and how many calls it is making."""

    model: Any
    busy: int = 0


class InspectModel:
    """One model behind Inspect's API, as the port that our therapists take."""

    def __init__(
        self,
        name: str,
        settings: CallSettings,
        *,
        speaks_as: Speaker = "therapist",
        slots: int = 64,
        schema: dict[str, Any] | None = None,
    ) -> None:
        need_inspect(f"the language model {name!r}")
        self.name = name
        self._settings, self._speaks_as, self._slots = settings, speaks_as, slots
        self._schema = schema
        self._clients: dict[int, tuple[asyncio.AbstractEventLoop, list[_Client]]] = {}
        self._spare: Any = None
        self._patience = Patience()

    def check(self) -> None:
        """Find the provider and its key; nothing is sent.

        Raises
        ------
        UsageError : there is no such provider, or its key or address is not set.
        """
        try:
            self._spare = self._spare or self._make()
        except Exception as fault:
            raise UsageError(_cannot_reach(self.name, fault)) from None

    def _make(self) -> Any:
        from inspect_ai.model import GenerateConfig, get_model
        from tenacity import wait_exponential_jitter

        chosen = self._settings
        config = GenerateConfig(
            temperature=chosen.temperature,
            max_tokens=chosen.max_tokens,
            max_retries=chosen.retries,
            attempt_timeout=chosen.patience,
            max_connections=self._slots,
            response_schema=_response_schema(self._schema),
        )
        model = get_model(self.name, config=config, memoize=False, **chosen.arguments)
        pause = wait_exponential_jitter(multiplier=chosen.first_pause, max=_LONGEST_PAUSE, jitter=chosen.first_pause)
        model.api.retry_wait = lambda: pause
        _quieten(model)
        send_as_is(model)
        read_as_ours(model)
        stay_there(model)
        share_certificates(model)
        return model

    def _client(self) -> _Client:
        """Return the least busy client of this loop; another one where all have their share of calls."""
        loop = asyncio.get_running_loop()
        for key, (known, _) in list(self._clients.items()):
            if known.is_closed():
                del self._clients[key]  # its connections died with their loop
        _, clients = self._clients.setdefault(id(loop), (loop, []))
        free = min(clients, key=lambda c: c.busy, default=None)
        if free is None or (free.busy >= _CALLS_A_CLIENT and len(clients) * _CALLS_A_CLIENT < self._slots):
            free = _Client(self._spare or self._make())
            self._spare = None
            clients.append(free)
        return free

    async def generate(self, system: str, turns: Sequence[Turn], *, seed: int) -> Completion:
        """Return the model's next turn.

        Raises
        ------
        BoundaryError : the call failed for good, with the reason in one sentence.
        """
        from inspect_ai.model import GenerateConfig

        try:
            self._patience.check()
        except BoundaryError as fault:
            raise BoundaryError(f"{self.name} failed: {fault}") from None
        messages = inspect_messages(model_messages(system, turns, speaks_as=self._speaks_as))
        client = self._client()
        client.busy += 1
        try:
            with unheard():
                output = await client.model.generate(messages, config=GenerateConfig(seed=seed))
            self._patience.heard()
            return completion_of(output)
        except BoundaryError:
            raise
        except Exception as fault:
            key = getattr(client.model.api, "api_key", None)
            why = fault_kind(fault) if self._speaks_as == "patient" else fault_sentence(fault, key)
            self._patience.missed(why) if _is_absence(fault) else self._patience.heard()
            raise BoundaryError(f"{self.name} failed: {why}") from None
        finally:
            client.busy -= 1

    async def aclose(self) -> None:
        """Close the clients of the running loop."""
        _, clients = self._clients.pop(id(asyncio.get_running_loop()), (None, []))
        for client in clients:
            with suppress(Exception):  # closing is a courtesy to the server
                await client.model.api.aclose()


def _response_schema(schema: dict[str, Any] | None) -> Any:
    """Return a JSON schema as Inspect hands it to providers that can hold a model to one."""
    if schema is None:
        return None
    from inspect_ai.model import ResponseSchema
    from inspect_ai.util import JSONSchema

    return ResponseSchema(name="answer", json_schema=JSONSchema.model_validate(schema), strict=True)


def _quieten(model: Any) -> None:
    """Keep keys out of what the provider raises or answers, before Inspect stores it in a log."""
    generate, api = model.api.generate, model.api
    # What pydantic thinks of an answer of the wrong shape would quote it on the terminal.
    warnings.filterwarnings("ignore", "Pydantic serializer warnings", UserWarning)

    async def scrubbed(*args: Any, **kwargs: Any) -> Any:
        key = getattr(api, "api_key", None)
        try:
            result = await generate(*args, **kwargs)
        except Exception as fault:
            scrub_fault(fault, key)
            raise
        output, call = result if isinstance(result, tuple) else (result, None)
        if isinstance(output, Exception):
            scrub_fault(output, key)
            if call is not None:
                call.response = scrub(call.response, key)
        elif key and len(key) >= _SHORTEST_KEY and key in repr(output):
            if call is not None:
                call.response = scrub(call.response, key)
            raise BoundaryError("the answer repeats the key that was sent; it is not stored")
        return result

    model.api.generate = scrubbed


def _cannot_reach(name: str, fault: Exception) -> str:
    said = " ".join(without_secrets(str(fault)).replace("[bold]", "").replace("[/bold]", "").split())
    if "not recognized" in said:
        provider = name.partition("/")[0]
        known = ("openai", "anthropic", "google", "mistral", "groq", "vllm", "ollama", "openai-api", "openrouter", "hf")
        hint = closest(provider, known, 0.5, f"e.g. {', '.join(known)}.")
        return f"no provider is called {provider!r}, and no registered therapist {name!r}; {hint}"
    return f"{name!r} cannot be reached: {said[:_LONGEST_SENTENCE]}"
