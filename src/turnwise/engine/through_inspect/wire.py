"""What Inspect's clients do on the way to the wire, and need not or must not."""

from __future__ import annotations

import importlib
from contextlib import AbstractContextManager, nullcontext
from typing import Any

__all__ = ["send_as_is", "stay_there", "unheard"]


def _is_plain(messages: object) -> bool:
    return isinstance(messages, list) and all(
        isinstance(m, dict) and all(isinstance(v, str) for v in m.values()) for m in messages
    )


def send_as_is(model: Any) -> None:
    """Spare OpenAI's client its walk over the messages: it tries each against every kind of message there is.

    For a session of ten turns that walk is about a third of our CPU for a call (``benchmarks/models.py``), and it
    changes nothing in messages that are text alone. They go as ``extra_body``, which the client merges into the same
    body. Other clients, other messages and other versions of the client are left as they are.
    """
    completions: Any = getattr(getattr(getattr(model.api, "client", None), "chat", None), "completions", None)
    if not type(completions).__module__.startswith("openai."):
        return
    create = completions.create

    async def created(*args: Any, **asked: Any) -> Any:
        messages, more = asked.get("messages"), asked.get("extra_body") or {}
        if args or not _is_plain(messages) or not isinstance(more, dict) or "messages" in more:
            return await create(*args, **asked)
        return await create(**asked | {"messages": [], "extra_body": {"messages": messages, **more}})

    completions.create = created


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
