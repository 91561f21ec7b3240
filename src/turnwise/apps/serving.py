"""``turnwise serve``: embedded participants behind an OpenAI-compatible endpoint. Nothing that is said is logged."""

from __future__ import annotations

import html
import importlib.util
import ipaddress
import json
import socket
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

import click

from turnwise.apps.terminal import visible
from turnwise.core.errors import UsageError

if TYPE_CHECKING:
    from turnwise.engine.completions import Refused
    from turnwise.engine.serving import House

__all__ = ["MOST_BYTES", "application", "listening", "serve_command"]

MOST_BYTES = 2 * 1024 * 1024
"""Of one request: the longest session there can be, at a hundred words a turn, has less."""
_MOST_CONNECTIONS = 1_000
_LOCAL_NAMES = frozenset(("localhost", "127.0.0.1", "::1"))
_UNREAD = frozenset(
    ("wrong_host", "wrong_origin", "wrong_content_type", "ambiguous_length", "request_too_large", "request_too_slow")
)
_PAGE_HEADERS = {
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
}
Endpoint = Callable[[Any], Awaitable[Any]]


def application(house: House, *, local: bool = True, most_bytes: int = MOST_BYTES) -> Any:
    """Return the endpoint as an ASGI application (FastAPI).

    Parameters
    ----------
    house : who can be talked to.
    local : whether it listens on loopback only; then requests that a web page smuggles in under another host name
        are refused.
    most_bytes : the largest request that is read.
    """
    from fastapi import FastAPI
    from fastapi.responses import HTMLResponse, JSONResponse, StreamingResponse
    from starlette.exceptions import HTTPException

    from turnwise.apps.serving_limits import Workers, body_of
    from turnwise.engine.completions import Refused, as_chunks, as_completion, read_request

    workers = Workers()

    async def models(request: Any) -> Any:
        return JSONResponse({"object": "list", "data": house.models()})

    async def model(request: Any) -> Any:
        return JSONResponse(house.model(request.path_params["name"]))

    async def complete(request: Any) -> Any:
        body, luck = await body_of(request, most_bytes), _luck(request)

        async def made() -> dict[str, Any] | list[dict[str, Any]]:
            asked = read_request(body)
            reply, now = await house.reply(asked, luck), int(time.time())
            return list(as_chunks(asked, reply, now)) if asked.stream else as_completion(asked, reply, now)

        answer = await workers.answer(made)
        if isinstance(answer, list):
            return StreamingResponse(_events(answer), media_type="text/event-stream")
        return JSONResponse(answer)

    async def page(request: Any) -> Any:
        return HTMLResponse(_page(house.models()), headers=_PAGE_HEADERS)

    async def elsewhere(request: Any, fault: Any) -> Any:
        sentence = f"There is no {request.method} here; see /v1/models and POST /v1/chat/completions."
        code = "not_found" if fault.status_code == 404 else "not_allowed"
        return _refusal(Refused(fault.status_code, sentence, code))

    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None)
    app.add_exception_handler(HTTPException, elsewhere)
    app.add_route("/", _guarded(page, local), methods=["GET"])
    app.add_route("/v1/models", _guarded(models, local), methods=["GET"])
    app.add_route("/v1/models/{name:path}", _guarded(model, local), methods=["GET"])
    app.add_route("/v1/chat/completions", _guarded(complete, local), methods=["POST"])
    return app


def _refusal(refused: Refused) -> Any:
    from fastapi.responses import JSONResponse

    from turnwise.engine.completions import as_refusal

    # What was not read of a request is not waited for either.
    headers = {"connection": "close"} if refused.code in _UNREAD else {}
    return JSONResponse(as_refusal(refused), refused.status, headers)


def _guarded(endpoint: Endpoint, local: bool) -> Endpoint:
    """Return the endpoint with every refusal and fault answered in OpenAI's shape, and none of it logged."""
    from turnwise.apps.serving_limits import refuse_other_pages
    from turnwise.engine.completions import Refused

    async def guard(request: Any) -> Any:
        try:
            if local and request.url.hostname not in _LOCAL_NAMES:
                raise Refused(403, "This server answers on this machine only, under localhost.", "wrong_host")
            refuse_other_pages(request)
            return await endpoint(request)
        except Refused as refused:
            return _refusal(refused)
        except Exception as fault:  # the server's log would quote it, and it may quote what was said
            return _refusal(Refused(500, f"The server failed ({type(fault).__name__}).", "server_failed"))

    return guard


def _luck(request: Any) -> Any:
    from turnwise.engine.completions import Refused
    from turnwise.engine.luck import LUCK_HEADER, Luck

    given = request.headers.get(LUCK_HEADER)
    luck = Luck.read(given) if given is not None else None
    if given is not None and luck is None:
        raise Refused(400, f"{LUCK_HEADER} is not SEED/KEY/EPOCH in whole numbers.", "invalid_luck", LUCK_HEADER)
    return luck


def _events(chunks: Iterable[dict[str, Any]]) -> Iterator[bytes]:
    for chunk in chunks:
        yield b"data: " + json.dumps(chunk).encode() + b"\n\n"
    yield b"data: [DONE]\n\n"


def _page(models: list[dict[str, Any]]) -> str:
    from turnwise.engine.completions import NOTICE

    rows = "".join(
        f"<tr><td><code>{html.escape(m['id'])}</code></td><td>{html.escape(m['description'])}</td></tr>" for m in models
    )
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>turnwise serve</title><style>'
        "body{font:1rem/1.5 system-ui,sans-serif;max-width:46rem;margin:3rem auto;padding:0 1rem;color:#222;"
        "background:#fff}.notice{border:2px solid #a33;padding:.7rem 1rem;font-weight:600}"
        "td{padding:.15rem .8rem .15rem 0;vertical-align:top}</style></head><body><h1>turnwise serve</h1>"
        f'<p class="notice" role="note">{html.escape(NOTICE)}</p>'
        "<p>Embedded participants behind OpenAI's chat completions: <code>POST /v1/chat/completions</code> with "
        "<code>model</code>, <code>messages</code> and, if you like, <code>seed</code> and <code>stream</code>. "
        "No key is needed. Every request brings the whole session; temperature, top_p and max_tokens have no effect. "
        "For a patient you are the <code>user</code> and speak first; for a therapist the patient is the "
        "<code>user</code>.</p>"
        f"<table>{rows}</table></body></html>"
    )


def _is_local(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def listening(host: str, port: int) -> socket.socket:
    """Return a socket bound to ``host`` and ``port`` (0: any free one).

    Raises
    ------
    UsageError : the port is taken, not allowed, or there is no such host.
    """
    where = f"{host}:{port}"
    try:
        family, kind, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        bound = socket.socket(family, kind)
    except (OSError, UnicodeError, OverflowError):
        raise UsageError(f"cannot listen on {where}: no such address on this machine; try --host 127.0.0.1.") from None
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(address)
        bound.listen(128)  # whoever asks as soon as the address is printed waits and is answered
    except OSError as fault:
        bound.close()
        raise UsageError(
            f"cannot listen on {where}: {(fault.strerror or 'refused').lower()}; choose another --port or --host."
        ) from None
    return bound


def _refuse_without_extra() -> None:
    missing = [name for name in ("fastapi", "uvicorn") if importlib.util.find_spec(name) is None]
    if missing:
        raise UsageError(
            f"turnwise serve needs the extra [web] ({' and '.join(missing)} missing): pip install 'turnwise[web]'."
        )


def serve_command(*, host: str, port: int, as_json: bool) -> None:
    """Serve until stopped."""
    _refuse_without_extra()
    import uvicorn

    from turnwise.apps.serving_limits import read_in_time
    from turnwise.engine.serving import House

    if not 0 <= port <= 65_535:
        raise UsageError(f"--port {port} is not possible: give a whole number from 0 to 65535.")
    bound = listening(host, port)
    try:
        house, local = House(), _is_local(host)
        shown = f"[{host}]" if ":" in host else host
        url = f"http://{shown}:{bound.getsockname()[1]}/v1"
        if not local:
            click.echo(
                f"turnwise: warning: on {visible(host)} everybody who can reach this machine can use this server; "
                "it asks for no key and does not encrypt.",
                err=True,
            )
        click.echo(json.dumps({"url": url}) if as_json else f"turnwise serve: {visible(url)}   (Ctrl-C stops it)")
        config = uvicorn.Config(
            application(house, local=local),
            http=read_in_time(),
            limit_concurrency=_MOST_CONNECTIONS,
            access_log=False,
            log_config=None,
            log_level="error",
            lifespan="off",
            ws="none",
            server_header=False,
            proxy_headers=False,
            timeout_graceful_shutdown=3,
        )
        uvicorn.Server(config).run(sockets=[bound])
    except KeyboardInterrupt:
        click.echo("turnwise serve: stopped.", err=True)
    finally:
        bound.close()
