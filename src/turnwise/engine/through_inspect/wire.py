"""What Inspect's clients do on the way to the wire, and need not or must not."""

from __future__ import annotations

import importlib
import logging
from contextlib import AbstractContextManager, nullcontext, suppress
from functools import cache
from typing import Any

from turnwise.engine.answers import refusal_in, words_of

__all__ = ["read_as_ours", "send_as_is", "share_certificates", "stay_there", "trace_no_call", "unheard"]


_OTHER_WAYS = frozenset({"stream", "stream_options", "timeout", "extra_query", "extra_body"})


def _is_json(value: object) -> bool:
    if isinstance(value, list):
        return all(map(_is_json, value))
    if isinstance(value, dict):
        return all(map(_is_json, value.values()))
    return value is None or isinstance(value, str | int | float)


def _plain_body(asked: dict[str, Any]) -> dict[str, Any] | None:
    """Return what is asked as the body of a request, where its messages are text alone, else ``None``."""
    body = {name: value for name, value in asked.items() if type(value).__name__ not in ("NotGiven", "Omit")}
    messages = body.get("messages")
    if not isinstance(messages, list) or not all(
        isinstance(m, dict) and all(isinstance(v, str) for v in m.values()) for m in messages
    ):
        return None
    rest = (value for name, value in body.items() if name != "messages")
    return body if _OTHER_WAYS.isdisjoint(body) and all(map(_is_json, rest)) else None


def send_as_is(model: Any) -> None:
    """Spare OpenAI's client its walk over the messages: it tries each against every kind of message there is.

    For a session of ten turns that walk is about a third of our CPU for a call (``benchmarks/models.py``), and it
    changes nothing in messages that are text alone: such a request goes through the client's own ``post``. Other
    clients, other requests and other versions of the client are left as they are.
    """
    client = getattr(model.api, "client", None)
    completions: Any = getattr(getattr(client, "chat", None), "completions", None)
    if client is None or not type(completions).__module__.startswith("openai."):
        return
    create = completions.create

    async def created(*args: Any, extra_headers: Any = None, **asked: Any) -> Any:
        body = None if args else _plain_body(asked)
        if body is None:
            return await create(*args, extra_headers=extra_headers, **asked)
        from openai.types.chat import ChatCompletion

        options = {"headers": extra_headers or {}, "security": {"bearer_auth": True}}
        return await client.post("/chat/completions", cast_to=ChatCompletion, body=body, options=options)

    completions.create = created


def read_as_ours(model: Any) -> None:
    """Read an answer of OpenAI's client as :mod:`turnwise.engine.answers` does, before Inspect reads it.

    Parts of content are joined, and an error in an answer whose status is 200 is raised as one that Inspect asks again
    after. What else an answer holds is left to Inspect.
    """
    completions: Any = getattr(getattr(getattr(model.api, "client", None), "chat", None), "completions", None)
    if not type(completions).__module__.startswith("openai."):
        return
    create = completions.create

    async def created(*args: Any, **asked: Any) -> Any:
        answer = await create(*args, **asked)
        if type(answer).__name__ != "ChatCompletion":
            return answer
        told = answer.model_dump(warnings=False)
        refused = refusal_in(told)
        if refused is not None:
            from inspect_ai.model._openai import OpenAIResponseError

            code = "server_error" if refused.again else "refused"
            raise OpenAIResponseError(code, f"the endpoint answered with an error: {refused.sentence}")
        for choice in answer.choices or ():
            message: Any = getattr(choice, "message", None)
            if isinstance(getattr(message, "content", None), list):
                words = words_of(message.model_dump(warnings=False))
                message.content = words.said
                if words.thought:
                    message.reasoning_content = words.thought
        return answer

    completions.create = created


@cache
def _context() -> Any:
    import httpx2

    return httpx2.create_ssl_context()


def share_certificates(model: Any) -> None:
    """Read the certificates of the system once, and not for each client: it takes as long as several calls."""
    settings = getattr(getattr(getattr(model.api, "http_client", None), "_transport", None), "_kwargs", None)
    if isinstance(settings, dict) and settings.get("verify", True) is True and settings.get("trust_env", True):
        with suppress(ImportError, AttributeError):  # another version of the client: then each reads them
            settings["verify"] = _context()


def trace_no_call() -> None:
    """Keep Inspect from writing two lines a call to its trace, a file outside the run folder that nobody asked for."""
    logging.getLogger("inspect_ai.model._model").setLevel(logging.INFO)
    logging.getLogger("inspect_ai.model._providers.util.hooks").setLevel(logging.INFO)


def stay_there(model: Any) -> None:
    """Follow no redirect: what was said goes to the endpoint that was named, and to no other."""
    client = getattr(model.api, "client", None)
    http: Any
    for http in (getattr(model.api, "http_client", None), client, getattr(client, "_client", None)):
        if getattr(http, "follow_redirects", None) is True:
            http.follow_redirects = False


class _Unheard:
    """Takes note of no call."""

    def on_pending(self, event: Any) -> None:
        pass

    def on_complete(self, event: Any) -> None:
        pass


def unheard() -> AbstractContextManager[Any]:
    """Keep a call out of Inspect's transcript where there is no sample that it belongs to.

    Inspect would keep it in memory for as long as the task lives that made the call: in a long run, all of them.
    """
    try:
        in_sample = importlib.import_module("inspect_ai.log._samples").sample_active() is not None
        sink = importlib.import_module("inspect_ai.model._model").use_model_event_sink
    except (ImportError, AttributeError):  # another version of Inspect: then it keeps them
        return nullcontext()
    return nullcontext() if in_sample else sink(_Unheard())
