"""A therapist behind a URL: the session so far is posted as a chat, and the answer is its turn.

Written as ``http:URL`` or plainly as the URL; ``#model=NAME`` after it says which model to ask for, ``#shape=simple``
that only ``{"messages": […]}`` is sent. The answer is an OpenAI chat completion or ``{"reply": "…"}``.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import Any, Literal
from urllib.parse import parse_qsl, urlsplit, urlunsplit

from numpy.random import Generator

from turnwise.core.errors import BoundaryError, UsageError
from turnwise.core.model_turns import keep_private
from turnwise.core.nouns import Course, Intake, Reply, Transcript
from turnwise.engine.answers import BUSY, refusal_in, texts_in, words_of
from turnwise.engine.asking import SECRET_NAME, Asking, as_reply, without_secrets
from turnwise.engine.chat import as_messages
from turnwise.engine.luck import LUCK_HEADER, luck_of
from turnwise.engine.patience import AWAY, Patience

__all__ = ["Address", "HttpTherapist", "read_address"]

_MOST_BYTES = 2 * 1024 * 1024
_LONGEST_WAIT_S = 30.0
_TIMED_OUT_TWICE = 2
_LOOPBACK = frozenset(("localhost", "127.0.0.1", "::1"))
_HEADER = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}")
_OURS = frozenset(("host", "content-length", "content-type", "transfer-encoding", "connection", LUCK_HEADER.lower()))
_SHORTEST_SECRET = 8


@dataclass(frozen=True, slots=True)
class Address:
    """Where a bot is and what it is asked for; written in full into the run as the therapist's name."""

    url: str
    model: str = "default"
    shape: Literal["openai", "simple"] = "openai"

    @property
    def name(self) -> str:
        """The therapist's full name: the same address always gives the same one.

        Examples
        --------
        >>> Address("http://localhost:8000/chat", model="mine").name
        'http:http://localhost:8000/chat#model=mine'
        """
        options = [] if self.model == "default" else [f"model={self.model}"]
        options += [] if self.shape == "openai" else [f"shape={self.shape}"]
        return f"http:{self.url}" + ("#" + "&".join(options) if options else "")


def read_address(name: str) -> Address:
    """Return the address that a therapist's name gives.

    Raises
    ------
    UsageError : it is no http address, or holds something secret (names of therapists are stored in the run).

    Examples
    --------
    >>> read_address("http:https://bot.example/v1/chat/completions#model=mine").model
    'mine'
    >>> read_address("http://localhost:8000/chat").url
    'http://localhost:8000/chat'
    """
    written = name.removeprefix("http:") if re.match(r"http:https?:", name) else name
    try:
        parts = urlsplit(written)
        _ = parts.port
    except ValueError:
        raise UsageError(f"{_shown(name)} is not an address; write http:https://HOST/PATH.") from None
    if parts.scheme not in ("http", "https") or not parts.hostname or re.search(r"\s", written):
        raise UsageError(f"{_shown(name)} is not an address; write http:https://HOST/PATH.")
    secret = [k for k, _ in parse_qsl(parts.query, keep_blank_values=True) if SECRET_NAME.search(k)]
    if parts.username is not None or parts.password is not None or secret:
        what = f"{secret[0]!r} in it" if secret else "a user name or password in it"
        raise UsageError(
            f"the address of a bot at {parts.hostname} has {what}, and addresses are stored with the run; "
            "send it as a header instead: --bot-header NAME=ENVIRONMENT_VARIABLE."
        )
    address = Address(urlunsplit(parts._replace(fragment="")))
    for key, value in parse_qsl(parts.fragment, keep_blank_values=True, strict_parsing=False):
        if key == "model" and value:
            address = replace(address, model=value)
        elif key == "shape" and value in ("openai", "simple"):
            address = replace(address, shape=value)  # type: ignore[arg-type]
        else:
            raise UsageError(
                f"the address of a bot at {parts.hostname}: after # only model=NAME and shape=openai or shape=simple "
                f"are known, not {key!r}."
            )
    return address


def _shown(name: str) -> str:
    """Return a name without what may be secret in it."""
    return repr(re.sub(r"//[^/@]*@", "//…@", re.sub(r"[?#].*", "…", name, flags=re.DOTALL))[:200])


def _secrets(headers: Mapping[str, str]) -> dict[str, str]:
    """Return the headers with their values, read from the environment now and stored nowhere."""
    found = {}
    for header, variable in headers.items():
        if not _HEADER.fullmatch(header) or header.lower() in _OURS:
            raise UsageError(f"--bot-header {header!r}: this header cannot be set; name another.")
        value = os.environ.get(variable)
        if value is None:
            raise UsageError(f"--bot-header {header}: there is no environment variable {variable!r}; export it first.")
        if not value.isascii() or not value.isprintable() or value != value.strip() or not value:
            raise UsageError(
                f"--bot-header {header}: what {variable} holds cannot be sent as a header "
                "(it is empty, or has line breaks, outer spaces or letters beyond ASCII)."
            )
        found[header] = value
    return found


class _Away(Exception):
    """The bot is away or overloaded (``there``): worth asking again. Says so in a sentence, and when."""

    def __init__(self, sentence: str, wait_s: float = 0.0, most: int = 1_000, *, there: bool = False) -> None:
        super().__init__(sentence)
        self.wait_s, self.most, self.there = wait_s, most, there


class HttpTherapist:
    """Posts the intake and the transcript, takes the answer. It carries nothing from turn to turn."""

    stateless = True

    def __init__(self, address: Address, asking: Asking) -> None:
        self._address, self._how = address, asking
        self._headers = _secrets(asking.headers)
        words = [w for value in self._headers.values() for w in (value, value.split()[-1])]
        self._secrets = [w for w in words if len(w) >= _SHORTEST_SECRET]
        self._patience = Patience()
        self._client: Any = None
        self._loop: asyncio.AbstractEventLoop | None = None

    def __repr__(self) -> str:
        return f"HttpTherapist({self._address.name!r})"

    def init(self, intake: Intake, rng: Generator, prior: Course | None = None) -> Intake:
        """Return the intake, which every request repeats."""
        return intake

    async def respond(self, state: Intake, transcript: Transcript, rng: Generator) -> Reply[Intake]:
        """Return the bot's answer to the session so far.

        Raises
        ------
        BoundaryError : it is away, overloaded after all attempts, too slow, or its answer cannot be read.
        """
        document: dict[str, Any] = {"messages": as_messages(state, transcript)}
        luck = luck_of(rng)
        if self._address.shape == "openai":
            document = {"model": self._address.model, **document, "seed": int(rng.integers(2**31))}
        headers = {"content-type": "application/json", "accept": "application/json", **self._headers}
        headers |= {LUCK_HEADER: str(luck)} if luck else {}
        reply = _read_answer(await self._ask(json.dumps(document).encode(), headers))
        return Reply(reply.text, state, reply.info, reply.closes, reply.cues)

    async def aclose(self) -> None:
        """Close the connections; the next request opens others."""
        client, self._client = self._client, None
        if client is not None:
            await client.aclose()

    async def _ask(self, body: bytes, headers: Mapping[str, str]) -> dict[str, Any]:
        self._patience.check()
        for attempt in range(1, self._how.attempts + 1):
            try:
                raw = await self._once(body, headers)
                self._patience.heard()
                return self._understood(raw)
            except _Away as fault:
                if attempt >= min(self._how.attempts, fault.most):
                    times = f" (asked {attempt} times)" if attempt > 1 else ""
                    self._patience.heard() if fault.there else self._patience.missed(f"{fault}{times}")
                    raise BoundaryError(f"{fault}{times}") from None
                pause = self._how.pause_s * 2 ** (attempt - 1)
                await asyncio.sleep(min(_LONGEST_WAIT_S, max(pause, fault.wait_s)))
        raise BoundaryError("the bot was never asked: attempts must be at least 1")

    def _understood(self, raw: str) -> dict[str, Any]:
        """Return the document of an answer that holds no key and is no error."""
        answer = _document(raw)
        if any(secret in text for text in (raw, *texts_in(answer)) for secret in self._secrets):
            raise BoundaryError("the bot's answer repeats a header that holds a key; it is not stored")
        refused = None if "reply" in answer else refusal_in(answer)
        if refused is not None:
            sentence = without_secrets(f"the bot answered with an error: {refused.sentence}")
            raise _Away(sentence, there=True) if refused.again else BoundaryError(sentence)
        return answer

    async def _once(self, body: bytes, headers: Mapping[str, str]) -> str:
        # What the client says of a fault may quote a header, so none of it is passed on.
        import httpx2

        try:
            async with asyncio.timeout(self._how.timeout_s):
                return await self._exchange(body, headers)
        except (TimeoutError, httpx2.TimeoutException):
            slow = f"the bot did not answer within {self._how.timeout_s:g} s"
            raise _Away(slow, most=_TIMED_OUT_TWICE) from None
        except httpx2.ConnectError:
            raise _Away("the bot cannot be reached (refused, unknown host, or no secure connection)") from None
        except (httpx2.NetworkError, httpx2.RemoteProtocolError):
            raise _Away("the bot closed the connection before its answer was complete") from None
        except httpx2.DecodingError:
            raise BoundaryError("the bot's answer cannot be decompressed") from None
        except (httpx2.RequestError, httpx2.InvalidURL) as fault:
            raise BoundaryError(f"the bot cannot be asked ({type(fault).__name__})") from None

    async def _exchange(self, body: bytes, headers: Mapping[str, str]) -> str:
        client = await self._opened()
        async with client.stream("POST", self._address.url, content=body, headers=headers) as response:
            status = int(response.status_code)
            if status in BUSY:
                wait_s = _seconds(response.headers.get("retry-after"))
                raise _Away(f"the bot answered {_status(status)}", wait_s, there=status not in AWAY)
            if not 200 <= status < 300:
                hint = "; give the address it redirects to" if 300 <= status < 400 else ""
                sentence = f"the bot answered {_status(status)}{hint}"
                raise _Away(sentence, most=1) if status in AWAY else BoundaryError(sentence)
            parts, size = [], 0
            async for part in response.aiter_bytes():
                size += len(part)
                if size > _MOST_BYTES:
                    raise BoundaryError(f"the bot answered with more than {_MOST_BYTES // 2**20} MiB")
                parts.append(part)
        try:
            return b"".join(parts).decode("utf-8-sig")
        except UnicodeDecodeError:
            raise BoundaryError("the bot's answer is not UTF-8 text") from None

    async def _opened(self) -> Any:
        """Return the client of the running event loop; connections cannot move from one loop to another."""
        loop = asyncio.get_running_loop()
        if self._client is None or self._loop is not loop:
            import httpx2

            # What the transport tells a debugging log quotes headers, and a bot may send a key back in one.
            logging.getLogger("httpcore2").setLevel(logging.WARNING)
            parts = urlsplit(self._address.url)
            self._client = httpx2.AsyncClient(
                timeout=self._how.timeout_s,
                limits=httpx2.Limits(max_connections=None, max_keepalive_connections=64),
                follow_redirects=False,  # another host would be sent the headers and the words
                verify=parts.scheme == "https",  # without TLS there is nothing to verify, and loading roots is slow
                trust_env=parts.hostname not in _LOOPBACK,
            )
            self._loop = loop
        return self._client


def _status(code: int) -> str:
    try:
        return f"{code} ({HTTPStatus(code).phrase})"
    except ValueError:
        return str(code)


def _seconds(text: str | None) -> float:
    """Return how long ``Retry-After`` asks to wait; a date or nonsense is 0."""
    return float(text) if text and re.fullmatch(r"\d{1,6}(\.\d{1,6})?", text.strip()) else 0.0


def _document(raw: str) -> dict[str, Any]:
    try:
        answer = json.loads(raw)
    except (ValueError, RecursionError):
        raise BoundaryError("the bot's answer is not JSON") from None
    if not isinstance(answer, dict):
        raise BoundaryError("the bot's answer is not a JSON object")
    return answer


def _read_answer(answer: dict[str, Any]) -> Reply[None]:
    """Return the turn in an answer: an OpenAI chat completion, or ``{"reply": "…"}`` with ``closes`` if it likes."""
    if "reply" in answer:
        return as_reply(answer["reply"], closes=answer.get("closes") is True)
    try:
        choice = answer["choices"][0]
        _ = choice["message"]["content"]
        words = words_of(choice["message"])
    except (KeyError, IndexError, TypeError, AttributeError):
        raise BoundaryError("the bot's answer has neither choices[0].message.content nor reply") from None
    more = answer.get("turnwise")
    closes = isinstance(more, dict) and more.get("closes") == "therapist_closed"
    info = _info(answer, choice)
    if words.thought:
        keep_private(info, words.thought)
    return as_reply(words.said, info, closes=closes)


def _info(answer: dict[str, Any], choice: dict[str, Any]) -> dict[str, Any]:
    """Return what is worth keeping beside the words: tokens, and why it stopped if not of itself."""
    usage, stop = answer.get("usage"), choice.get("finish_reason")
    tokens = (
        {k: usage[k] for k in ("prompt_tokens", "completion_tokens") if type(usage.get(k)) is int}
        if isinstance(usage, dict)
        else {}
    )
    info: dict[str, Any] = {"usage": tokens} if tokens else {}
    if isinstance(stop, str) and stop != "stop":
        info["finish_reason"] = stop[:40]
    return info
