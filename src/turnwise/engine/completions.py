"""Chat completions in OpenAI's shape: what a request has to be, and what the answers and refusals look like."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from turnwise import __version__
from turnwise.core.errors import TurnwiseError
from turnwise.core.nouns import Reply, Speaker
from turnwise.engine.chat import SILENCE, as_transcript

__all__ = ["NOTICE", "ChatRequest", "Refused", "as_chunks", "as_completion", "as_refusal", "read_request"]

NOTICE = (
    "turnwise is a measuring instrument and a practice room with simulated participants. "
    "It is not a therapist, and not for people in distress: "
    "if you need help now, turn to your local emergency number or a crisis line."
)
_MOST_MESSAGES = 1_100  # a session has at most 500 turns of a therapist
_PIECE = re.compile(r"\s*\S+\s*")


class Refused(TurnwiseError):
    """A request that is not answered: status, code and field as OpenAI's errors have them."""

    def __init__(self, status: int, message: str, code: str, param: str | None = None) -> None:
        super().__init__(message)
        self.status, self.code, self.param = status, code, param


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """What is read of a request. Settings of sampling (temperature, top_p, max_tokens) mean nothing here."""

    model: str
    messages: tuple[Any, ...]
    seed: int
    stream: bool
    usage: bool = False
    """Whether the last chunk of a stream is to say how much was said."""


def read_request(body: bytes) -> ChatRequest:
    """Return the request in a body.

    Raises
    ------
    Refused : it is not one, or asks for what embedded participants cannot do.

    Examples
    --------
    >>> read_request(b'{"model": "patient/alun", "messages": [{"role": "user", "content": "Hello."}]}').seed
    1
    """
    try:
        document = json.loads(body)
    except (ValueError, RecursionError):
        raise Refused(400, "The body is not JSON.", "invalid_json") from None
    if not isinstance(document, dict):
        raise Refused(400, "The body is not a JSON object with model and messages.", "invalid_json")
    model, messages = document.get("model"), document.get("messages")
    if not isinstance(model, str) or not model:
        raise Refused(400, "Name a model; GET /v1/models lists them.", "missing_model", "model")
    if not isinstance(messages, list):
        raise Refused(400, "messages is not a list of role and content.", "invalid_messages", "messages")
    if len(messages) > _MOST_MESSAGES:
        raise Refused(400, f"There are more than {_MOST_MESSAGES:,} messages.", "too_many_messages", "messages")
    _refuse_what_cannot_be(document)
    seed = document.get("seed")
    seed = 1 if seed is None else seed
    if type(seed) is not int or not 0 <= seed < 2**63:
        raise Refused(400, "seed is not a whole number from 0 to 2**63 - 1.", "invalid_seed", "seed")
    options = document.get("stream_options")
    usage = isinstance(options, dict) and options.get("include_usage") is True
    return ChatRequest(model, tuple(messages), seed, document.get("stream") is True, usage)


def _refuse_what_cannot_be(document: Mapping[str, Any]) -> None:
    """Refuse what would be answered otherwise than asked; what merely has no effect is let pass."""
    if document.get("n") not in (None, 1):
        raise Refused(400, "n must be 1: one seed gives one reply.", "unsupported_value", "n")
    wanted = document.get("response_format")
    if wanted is not None and not (isinstance(wanted, dict) and wanted.get("type") == "text"):
        raise Refused(400, "Participants answer in words only.", "unsupported_value", "response_format")
    if document.get("tool_choice") not in (None, "auto", "none"):
        raise Refused(400, "Participants call no tools.", "unsupported_value", "tool_choice")
    if document.get("stream") not in (None, True, False):
        raise Refused(400, "stream is neither true nor false.", "unsupported_value", "stream")


def as_refusal(refused: Refused) -> dict[str, Any]:
    """Return a refusal in the shape of OpenAI's errors."""
    kind = "server_error" if refused.status >= 500 else "invalid_request_error"
    return {"error": {"message": str(refused), "type": kind, "param": refused.param, "code": refused.code}}


def _head(request: ChatRequest, kind: str, created: int) -> dict[str, Any]:
    asked = json.dumps([request.model, request.seed, request.messages], default=str).encode()
    return {
        "id": f"chatcmpl-{hashlib.sha256(asked).hexdigest()[:24]}",
        "object": kind,
        "created": created,
        "model": request.model,
        "system_fingerprint": f"turnwise-{__version__}",
    }


def _beside(reply: Reply[Any]) -> dict[str, Any]:
    """Return what the words do not say. Never the state behind them: that is what a therapist has to find out."""
    return {"closes": reply.closes, "notice": NOTICE}


def _content(reply: Reply[Any]) -> str:
    return reply.text if reply.text.strip() else SILENCE


def _usage(request: ChatRequest, reply: Reply[Any]) -> dict[str, int]:
    """Return how much was read and said, counted in words: nothing here is cut into tokens, and nothing is paid."""
    own: Speaker = "patient" if request.model.startswith("patient/") else "therapist"
    told, turns = as_transcript(request.messages, own)
    read, said = len(told.split()) + sum(turn.n_words for turn in turns), len(reply.text.split())
    return {"prompt_tokens": read, "completion_tokens": said, "total_tokens": read + said}


def as_completion(request: ChatRequest, reply: Reply[Any], created: int) -> dict[str, Any]:
    """Return a reply as a chat completion; ``turnwise.closes`` says which ending it brings about, if any.

    ``usage`` counts words.
    """
    message = {"role": "assistant", "content": _content(reply), "refusal": None}
    choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": "stop"}
    beside = {"usage": _usage(request, reply), "turnwise": _beside(reply)}
    return _head(request, "chat.completion", created) | {"choices": [choice]} | beside


def as_chunks(request: ChatRequest, reply: Reply[Any], created: int) -> Iterator[dict[str, Any]]:
    """Yield a reply as the chunks of a stream, a few words each; joined they are the reply.

    Where usage is asked for, one more chunk says it, without a choice, as OpenAI's do.
    """
    head = _head(request, "chat.completion.chunk", created) | ({"usage": None} if request.usage else {})

    def chunk(delta: dict[str, Any], finish: str | None = None, **more: Any) -> dict[str, Any]:
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
        return head | {"choices": [choice]} | more

    yield chunk({"role": "assistant", "content": ""})
    yield from (chunk({"content": piece}) for piece in _PIECE.findall(_content(reply)))
    yield chunk({}, "stop", turnwise=_beside(reply))
    if request.usage:
        yield head | {"choices": [], "usage": _usage(request, reply)}
