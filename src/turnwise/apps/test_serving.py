"""``turnwise serve`` over real loopback HTTP: sessions are those played in process, and nobody's words are logged."""

from __future__ import annotations

import asyncio
import json
import logging
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

fastapi = pytest.importorskip("fastapi", reason="needs the extra [web]")
uvicorn = pytest.importorskip("uvicorn", reason="needs the extra [web]")

from served import HELLO, Server  # noqa: E402
from turnwise.apps import serving  # noqa: E402
from turnwise.apps.conftest import Cli  # noqa: E402
from turnwise.apps.serving import application  # noqa: E402
from turnwise.core.nouns import Case, Reply, SessionSpec, Trajectory, Transcript  # noqa: E402
from turnwise.core.play import play  # noqa: E402
from turnwise.engine.asking import Asking  # noqa: E402
from turnwise.engine.batch import default_cast  # noqa: E402
from turnwise.engine.chat import SILENCE  # noqa: E402
from turnwise.engine.completions import NOTICE  # noqa: E402
from turnwise.engine.luck import LUCK_HEADER, Luck, luck_of  # noqa: E402
from turnwise.engine.outside_http import HttpTherapist, read_address  # noqa: E402
from turnwise.engine.replaying import Replayer  # noqa: E402
from turnwise.engine.running import Options, play_ladder, play_study  # noqa: E402
from turnwise.engine.serving import House  # noqa: E402
from turnwise.engine.store import RunFolder  # noqa: E402
from turnwise.engine.study import Cast, resolve_study  # noqa: E402

CASES = ("alun", "keisha", "renata", "tobias")
THERAPISTS = ("socratic", "eliza", "amnesiac", "silent", "hotline")
LONG = json.dumps({"model": "patient/alun", "messages": [{"role": "user", "content": "so " * 40_000}]}).encode()
FIRST = b"""{"model": "patient/alun", "messages":
    [{"role": "assistant", "content": "Hello."}, {"role": "user", "content": "Hi, what brings you?"}]}"""


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with Server(application(House())) as there:
        yield there


# --- the same sessions --------------------------------------------------------------------------------


class HttpPatient:
    """A patient over HTTP, as a client would write one."""

    def __init__(self, url: str, case: str, client: httpx2.AsyncClient) -> None:
        self._url, self._model, self._client = f"{url}/v1/chat/completions", f"patient/{case}", client

    def init(self, case: Case, rng: Any, prior: Any = None) -> None:
        return None

    async def respond(self, state: None, transcript: Transcript, rng: Any) -> Reply[None]:
        role = {"therapist": "user", "patient": "assistant"}
        messages = [{"role": role[t.speaker], "content": t.text or SILENCE} for t in transcript]
        headers = {LUCK_HEADER: str(luck_of(rng))}
        document = {"model": self._model, "messages": messages}
        answer = (await self._client.post(self._url, json=document, headers=headers)).raise_for_status().json()
        return Reply(answer["choices"][0]["message"]["content"], None, closes=answer["turnwise"]["closes"])


def over_http(url: str, therapist: str) -> HttpTherapist:
    return HttpTherapist(read_address(f"http:{url}/v1/chat/completions#model=therapist/{therapist}"), Asking())


def both_ways(url: str, specs: list[SessionSpec], cast: Cast, *, patients: bool) -> list[tuple[Trajectory, Trajectory]]:
    async def one(spec: SessionSpec, client: httpx2.AsyncClient) -> tuple[Trajectory, Trajectory]:
        case, patient, therapist = cast.cases[spec.case], cast.patients[spec.patient], cast.therapists[spec.therapist]
        here = await play(spec, case, patient, therapist)
        elsewhere: Any = HttpPatient(url, spec.case, client) if patients else patient
        far = await play(spec, case, elsewhere, therapist if patients else there[spec.therapist])
        return here, far

    there = {name: over_http(url, name) for name in cast.therapists}

    async def every() -> list[tuple[Trajectory, Trajectory]]:
        async with httpx2.AsyncClient(trust_env=False, timeout=60, verify=False) as client:
            pairs = list(await asyncio.gather(*(one(spec, client) for spec in specs)))
        for therapist in there.values():
            await therapist.aclose()
        return pairs

    return asyncio.run(every())


@pytest.mark.parametrize("side", ["therapist", "patient"])
def test_twenty_of_twenty_sessions_over_http_are_those_played_in_process(server: Server, side: str) -> None:
    study = resolve_study(therapists=THERAPISTS, patients=CASES, seed=11, epochs=1, turns=4)
    pairs = both_ways(server.url, study.specs(), default_cast(study), patients=side == "patient")
    same = [here.turns == far.turns and here.ending == far.ending for here, far in pairs]
    assert (sum(same), len(same)) == (20, 20)
    assert all(here.ending != "error" for here, _ in pairs)
    assert len({here.turns for here, _ in pairs}) == 20, "sessions that are all alike prove nothing"


def test_the_ladder_over_http_has_the_replies_of_the_ladder_in_process(server: Server, tmp_path: Path) -> None:
    name = f"{server.url}/v1/chat/completions#model=therapist/socratic"
    study = resolve_study(therapists=("socratic", name), patients=("keisha",), seed=2, epochs=2, turns=8)
    options = Options(asking=Asking(timeout_s=60))
    play_study(study, RunFolder(tmp_path), options)
    play_ladder(study, RunFolder(tmp_path), options)
    for log in ("trajectories.jsonl", "replies.jsonl"):
        said: dict[bool, list[object]] = {True: [], False: []}
        for line in (tmp_path / log).read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            who = row.get("therapist") or row["spec"]["therapist"]
            said[who.startswith("http:")].append([row["ending"], row.get("reply") or row.get("turns")])
        assert said[True] == said[False]
        assert len(said[True]) >= 2
        assert "error" not in {ending for ending, _ in said[True]}  # type: ignore[misc]


def test_without_a_memory_the_server_says_the_same() -> None:
    study = resolve_study(therapists=("socratic",), patients=("renata",), seed=5, epochs=1, turns=5)
    with Server(application(House(Replayer(kept=0)))) as forgetful:
        for side in (True, False):
            pairs = both_ways(forgetful.url, study.specs(), default_cast(study), patients=side)
            assert all(here.turns == far.turns for here, far in pairs)


def test_a_seed_is_enough_to_meet_the_patient_of_an_ordinary_session(server: Server) -> None:
    answers = [server.post(HELLO | {"seed": seed}).json()["choices"][0]["message"] for seed in (1, 1, 2, 3, 4)]
    luck = str(Luck.of(3, "stateful.v1/renata", 0))
    again = server.post(HELLO, headers={LUCK_HEADER: luck}).json()["choices"][0]["message"]
    assert answers[0] == answers[1] == server.post(HELLO).json()["choices"][0]["message"]
    assert again == answers[3]
    assert len({a["content"] for a in answers}) > 1


# --- the shape ------------------------------------------------------------------------------------------


def test_a_completion_has_openais_shape_and_says_what_it_is_not(server: Server) -> None:
    answer = server.post(HELLO).json()
    assert answer["object"] == "chat.completion"
    assert answer["choices"][0].keys() >= {"index", "message", "finish_reason"}
    assert answer["choices"][0]["message"]["role"] == "assistant"
    assert answer["turnwise"] == {"closes": None, "notice": NOTICE}


def test_a_stream_is_the_same_reply_in_pieces(server: Server) -> None:
    response = server.post(HELLO | {"stream": True})
    assert response.headers["content-type"].startswith("text/event-stream")
    events = [line.removeprefix("data: ") for line in response.text.split("\n\n") if line]
    assert events[-1] == "[DONE]"
    pieces = [json.loads(e)["choices"][0]["delta"].get("content", "") for e in events[:-1]]
    assert len(pieces) > 5
    assert "".join(pieces) == server.post(HELLO).json()["choices"][0]["message"]["content"]


def test_usage_is_said_in_words_and_in_the_last_chunk_when_asked_for(server: Server) -> None:
    answer = server.post(HELLO).json()
    said = len(answer["choices"][0]["message"]["content"].split())
    usage = {"prompt_tokens": 5, "completion_tokens": said, "total_tokens": 5 + said}
    assert answer["usage"] == usage

    def chunks(**more: Any) -> list[dict[str, Any]]:
        text = server.post(HELLO | {"stream": True} | more).text
        return [json.loads(line.removeprefix("data: ")) for line in text.split("\n\n")[:-2]]

    *before, last = chunks(stream_options={"include_usage": True})
    assert (last["choices"], last["usage"]) == ([], usage)
    assert {chunk["usage"] for chunk in before} == {None}
    assert not [chunk for chunk in chunks() if "usage" in chunk]


def test_models_and_page_say_that_this_is_no_therapist(server: Server) -> None:
    models = server.get("/v1/models").json()
    names = [m["id"] for m in models["data"]]
    assert {"therapist/socratic", "therapist/silent", "patient/renata", "patient/alun"} <= set(names)
    assert models["object"] == "list"
    assert all(m["notice"] == NOTICE for m in models["data"])
    assert server.get("/v1/models/patient/renata").json()["id"] == "patient/renata"
    page = server.get("/")
    assert "not for people in distress" in page.text
    assert "patient/renata" in page.text
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert "<script" not in page.text


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "code"),
    [
        ("POST", "/v1/chat/completions", b"{", 400, "invalid_json"),
        ("POST", "/v1/chat/completions", b'{"model": "gpt", "messages": []}', 404, "model_not_found"),
        ("POST", "/v1/chat/completions", b'{"model": "patient/alun", "messages": []}', 400, "invalid_messages"),
        ("POST", "/v1/chat/completions", b" " * 3_000_000, 413, "request_too_large"),
        ("POST", "/v1/chat/completions", LONG, 400, "invalid_messages"),
        ("POST", "/v1/chat/completions", FIRST, 400, "invalid_messages"),
        ("GET", "/v1/chat/completions", b"", 405, "not_allowed"),
        ("GET", "/v1/models/patient/nobody", b"", 404, "model_not_found"),
        ("GET", "/admin", b"", 404, "not_found"),
        ("GET", "/docs", b"", 404, "not_found"),
    ],
)
def test_every_refusal_has_openais_shape(
    server: Server, method: str, path: str, body: bytes, status: int, code: str
) -> None:
    headers = {"content-type": "application/json"}
    response = httpx2.request(method, server.url + path, content=body, headers=headers, trust_env=False, timeout=30)
    error = response.json()["error"]
    assert (response.status_code, error["code"]) == (status, code)
    assert error.keys() == {"message", "type", "param", "code"}
    assert error["message"]


def test_a_page_of_another_host_cannot_use_it(server: Server) -> None:
    refused = server.get("/v1/models", headers={"host": "evil.example"})
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "wrong_host")
    assert server.get("/v1/models", headers={"host": "localhost:1234"}).status_code == 200


def test_luck_that_is_none_is_refused(server: Server) -> None:
    response = server.post(HELLO, headers={LUCK_HEADER: "lots"})
    assert (response.status_code, response.json()["error"]["code"]) == (400, "invalid_luck")


def test_a_session_that_ended_is_over(server: Server) -> None:
    messages: list[dict[str, str]] = []
    for _ in range(6):
        messages.append({"role": "user", "content": "Our time is up for today. Goodbye, and take care."})
        answer = server.post({"model": "patient/renata", "messages": messages}).json()
        messages.append(answer["choices"][0]["message"])
        if answer["turnwise"]["closes"]:
            break
    assert answer["turnwise"]["closes"] in ("patient_left", "patient_faded", "patient_closed")
    after = server.post({"model": "patient/renata", "messages": [*messages, messages[0]]})
    assert (after.status_code, after.json()["error"]["code"]) == (400, "session_over")


def test_nothing_that_is_said_is_logged(caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]) -> None:
    class Broken(House):
        async def reply(self, *_: Any) -> Any:
            raise RuntimeError("secret words")

    said = {"role": "user", "content": "secret words"}
    with caplog.at_level(logging.DEBUG):
        for house in (House(), Broken()):
            with Server(application(house)) as there:
                answer = there.post({"model": "patient/alun", "messages": [said]})
                there.post({"model": "patient/alun", "messages": [said | {"role": "secret words"}]})
    assert answer.json()["error"]["message"] == "The server failed (RuntimeError)."
    out, err = capfd.readouterr()
    ours = [r.getMessage() for r in caplog.records if not r.name.startswith(("httpx2", "httpcore2"))]
    assert "secret words" not in out + err + "".join(ours)


# --- the command --------------------------------------------------------------------------------------


def test_a_taken_port_is_one_sentence(cli: Cli) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        code, _, err = cli("serve", "--port", taken.getsockname()[1])
    assert code == 2
    assert "already in use; choose another --port or --host" in err


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [(("--port", 70000), "from 0 to 65535"), (("--host", "no.such.host.invalid"), "no such address on this machine")],
)
def test_an_address_that_cannot_be_is_one_sentence(cli: Cli, arguments: tuple[object, ...], reason: str) -> None:
    code, _, err = cli("serve", *arguments)
    assert code == 2
    assert reason in err


@pytest.mark.parametrize(("host", "warned"), [("127.0.0.1", False), ("localhost", False), ("0.0.0.0", True)])
def test_who_else_can_reach_it_is_said(cli: Cli, monkeypatch: pytest.MonkeyPatch, host: str, warned: bool) -> None:
    def stopped(self: Any, sockets: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(uvicorn.Server, "run", stopped)
    code, out, err = cli("serve", "--host", host, "--port", 0, "--json")
    assert code == 0
    assert json.loads(out)["url"].startswith(f"http://{host}:")
    assert ("no key" in err) == warned
    assert "stopped" in err


def test_without_the_extra_one_line_names_it(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving.importlib.util, "find_spec", lambda name: None)
    code, _, err = cli("serve")
    assert code == 2
    assert err.strip().endswith("(fastapi and uvicorn missing): pip install 'turnwise[web]'.")
    assert len(err.strip().splitlines()) == 1
