"""Bots from outside: what they are sent, what becomes of every fault, and that nobody is asked twice."""

from __future__ import annotations

import asyncio
import gzip
import json
import re
import socket
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from loopback_bot import INTAKE, QUICK, TURNS, Asked, Bot, Does, completion, played
from turnwise.core.errors import BoundaryError, RegistryError, UsageError
from turnwise.core.nouns import Cue, Intake, Reply, Transcript, Turn
from turnwise.core.seeds import generator
from turnwise.engine.asking import MOST_CHARACTERS, Asking, as_reply
from turnwise.engine.chat import OPENER, SILENCE, as_messages, as_transcript, intake_of, intake_words
from turnwise.engine.luck import LUCK_HEADER, Luck, luck_of
from turnwise.engine.outside_http import HttpTherapist, read_address
from turnwise.engine.patience import IN_A_ROW
from turnwise.engine.study import resolve_study
from turnwise.engine.therapist_names import resolved_name


def over_http(url: str, how: Asking = QUICK) -> HttpTherapist:
    return HttpTherapist(read_address(f"http:{url}"), how)


def reply_to(therapist: Any, transcript: Transcript = ()) -> Reply[Any]:
    async def ask() -> Reply[Any]:
        try:
            return await therapist.respond(INTAKE, transcript, generator(1, "p.v1/x", 0, "therapist", 0))  # type: ignore[no-any-return]
        finally:
            await therapist.aclose()

    return asyncio.run(ask())


# --- what goes over the wire ------------------------------------------------------------------------


def test_a_bot_is_sent_the_intake_and_what_was_said_and_nothing_else(tmp_path: Path) -> None:
    with Bot(lambda n, asked: completion(f"reply {n}")) as bot:
        (t,) = played(tmp_path, over_http(bot.url + "#model=mine"))
        assert t.ending == "max_turns"
        assert [turn.text for turn in t.turns if turn.speaker == "therapist"] == ["reply 0", "reply 1", "reply 2"]
        assert [asked.path for asked in bot.asked] == ["/v1/chat/completions"] * TURNS
        for n, asked in enumerate(bot.asked):
            assert asked.document.keys() == {"model", "messages", "seed"}
            assert asked.document["model"] == "mine"
            assert asked.document["messages"] == as_messages(INTAKE, t.turns[: 2 * n])
        roles = [m["role"] for m in bot.asked[2].document["messages"]]
        assert roles == ["system", "user", "assistant", "user", "assistant", "user"]
        assert bot.asked[0].document["messages"][1]["content"] == OPENER
        seeds = [asked.document["seed"] for asked in bot.asked]
        assert len(set(seeds)) == TURNS
        bot.asked.clear()
        played(tmp_path / "again", over_http(bot.url + "#model=mine"))
        assert [asked.document["seed"] for asked in bot.asked] == seeds, "the run's seed decides the seeds sent"


def test_the_simple_shape_sends_messages_alone_and_takes_a_reply(tmp_path: Path) -> None:
    def script(n: int, asked: Asked) -> Does:
        return Does(json.dumps({"reply": f"turn {n}", "closes": n == 1}).encode())

    with Bot(script) as bot:
        (t,) = played(tmp_path, over_http(bot.url + "#shape=simple"))
        assert all(asked.document.keys() == {"messages"} for asked in bot.asked)
        assert len(bot.asked) == 2
        assert t.ending == "therapist_closed"


TEXT = st.text(st.characters(exclude_categories=("Cs",)), min_size=1).filter(lambda s: s.strip() and s != SILENCE)


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])  # many share this machine
@given(
    st.lists(st.tuples(st.sampled_from(["therapist", "patient"]), TEXT), max_size=6),
    st.integers(0, 120) | st.none(),
    st.sampled_from(["woman", "man", None]),
    st.text(st.characters(exclude_categories=("Cs",))),
)
def test_a_session_comes_back_from_messages_as_it_was(
    said: list[tuple[Any, str]], age: int | None, gender: str | None, referral: str
) -> None:
    turns = tuple(Turn(speaker=who, text=text) for who, text in said)
    intake = Intake(age=age, gender=gender, referral=referral)
    told, back = as_transcript(as_messages(intake, turns), "therapist")
    # Whoever hears the opener as the first word of a patient has asked for it.
    assert back == turns or turns[0].text == OPENER
    assert intake_of(told) == intake


def test_a_silence_crosses_as_a_silence() -> None:
    silent = Turn(speaker="therapist", text="", cues=(Cue(kind="pause"),))
    messages = as_messages(Intake(), (silent, Turn(speaker="patient", text="Hm.")))
    assert messages[1] == {"role": "assistant", "content": SILENCE}
    assert as_transcript(messages, "therapist")[1][0] == silent


def test_an_intake_that_says_nothing_is_not_sent() -> None:
    assert intake_words(Intake()) == ""
    assert as_messages(Intake(), ()) == [{"role": "user", "content": OPENER}]


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 2**63 - 1), st.text(max_size=20), st.integers(0, 1000), st.integers(-1, 50))
def test_luck_that_was_sent_is_the_luck_that_was_meant(seed: int, key: str, epoch: int, turn: int) -> None:
    here = generator(seed, key, epoch, "therapist", turn)
    sent = Luck.read(str(luck_of(here)))
    assert sent is not None
    assert sent.rng("therapist", turn).bit_generator.state == here.bit_generator.state


# --- faults ------------------------------------------------------------------------------------------

GOOD = completion("I am here.")
ENDS = {
    "a 404": (Does(status=404), 1, r"answered 404 \(Not Found\)"),
    "a 401": (Does(status=401, body=b'{"error": "key sk-12345678 is wrong"}'), 1, r"answered 401 \(Unauthorized\)$"),
    "a redirect": (
        Does(status=307, headers={"location": "http://127.0.0.1:9/"}),
        1,
        "give the address it redirects to",
    ),
    "a 500 that stays": (Does(status=500), 3, r"500 \(Internal Server Error\) \(asked 3 times\)"),
    "a 429 that stays": (Does(status=429, headers={"retry-after": "0"}), 3, "429"),
    "breaks off": (Does(GOOD.body[:20], breaks_off=True), 3, "closed the connection before its answer was complete"),
    "an empty body": (Does(), 1, "is not JSON"),
    "not JSON": (Does(b"<html>hello</html>"), 1, "is not JSON"),
    "a stream": (Does(b"data: {}\n\n", headers={"content-type": "text/event-stream"}), 1, "is not JSON"),
    "not UTF-8": (Does(b'{"reply": "\xff\xfe"}'), 1, "is not UTF-8"),
    "deep JSON": (Does(b"[" * 100_000), 1, "is not JSON"),
    "a list": (Does(b"[]"), 1, "is not a JSON object"),
    "no choices": (Does(b'{"choices": []}'), 1, "neither choices"),
    "another shape": (Does(b'{"answer": "hello"}'), 1, "neither choices"),
    "content that is null": (completion(None), 1, "NoneType instead of text"),
    "content that is a number": (completion(4), 1, "int instead of text"),
    "empty content": (completion("  \n"), 1, "answered with nothing"),
    "1 MB of content": (completion("word " * 210_000), 1, "1,050,000 characters; at most 100,000"),
    "3 MB": (Does(b" " * 3_000_000), 1, "more than 2 MiB"),
    "a bomb": (Does(gzip.compress(b" " * 50_000_000), headers={"content-encoding": "gzip"}), 1, "more than 2 MiB"),
    "a broken gzip": (Does(b"hello", headers={"content-encoding": "gzip"}), 1, "cannot be decompressed"),
    "an error in a 200": (
        Does(b'{"error": {"message": "Provider returned error", "code": 429}}'),
        3,
        r"answered with an error: Provider returned error, 429 \(asked 3 times\)",
    ),
    "a request refused in a 200": (Does(b'{"error": {"message": "no such model", "code": 404}}'), 1, "model, 404$"),
    "an error in a choice": (Does(b'{"choices": [{"error": {"message": "upstream"}}]}'), 3, "an error: upstream"),
    "a thought cut short": (completion("<think>He hides"), 1, "only thought and said nothing"),
    "a thought alone": (completion("<think>He hides.</think>\n"), 1, "only thought and said nothing"),
    "half a character": (Does(b'{"reply": "\\ud800"}'), 1, "lone surrogate"),
}


@pytest.mark.parametrize("how", ENDS)
def test_a_fault_ends_its_session_and_the_run_goes_on(tmp_path: Path, how: str) -> None:
    does, times, reason = ENDS[how]
    bad_asked = []

    def script(n: int, asked: Asked) -> Does:
        # The second turn of the first epoch goes wrong, however often it is asked.
        epoch, turns = asked.headers[LUCK_HEADER.lower()].rsplit("/", 1)[1], len(asked.document["messages"])
        if epoch != "0" or turns != 4:
            return GOOD
        bad_asked.append(n)
        return does

    with Bot(script) as bot:
        bad, good = played(tmp_path, over_http(bot.url), epochs=2)
    assert (bad.ending, len(bad.turns), good.ending, len(good.turns)) == ("error", 2, "max_turns", 2 * TURNS)
    assert bad.error is not None
    assert re.search(reason, bad.error), bad.error
    assert bad.error.startswith("therapist at turn 2: BoundaryError: the bot")
    assert len(bad_asked) == times
    assert "sk-12345678" not in bad.error


def test_a_bot_that_is_not_there_is_said_to_be_so() -> None:
    with socket.socket() as taken:  # bound but not listening: refuses
        taken.bind(("127.0.0.1", 0))
        with pytest.raises(BoundaryError, match=r"cannot be reached .* \(asked 3 times\)"):
            reply_to(over_http(f"http://127.0.0.1:{taken.getsockname()[1]}/"))


def test_a_bot_that_hangs_is_left_after_two_attempts() -> None:
    with Bot(lambda n, asked: Does(hangs=True)) as bot:
        with pytest.raises(BoundaryError, match=r"did not answer within 0.15 s \(asked 2 times\)"):
            reply_to(over_http(bot.url, Asking(timeout_s=0.15, attempts=4, pause_s=0.001)))
        assert len(bot.asked) == 2


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_burst_is_waited_out(tmp_path: Path, status: int) -> None:
    def script(n: int, asked: Asked) -> Does:
        return Does(status=status, headers={"retry-after": "0"}) if n in (0, 1, 4) else completion(f"reply {n}")

    with Bot(script) as bot:
        (t,) = played(tmp_path, over_http(bot.url))
        assert t.ending == "max_turns"
        assert len(bot.asked) == TURNS + 3


R, THOUGHT = "What is hardest about it?", "He hides something."
THINKING: dict[str, dict[str, Any]] = {
    "a closed block": {"content": f"<think>{THOUGHT}</think>\n{R}"},
    "a closing mark alone": {"content": f"{THOUGHT}</think>\n{R}"},
    "a cut block after words": {"content": f"{R}\n<thinking>{THOUGHT}"},
    "a part of its own": {"content": [{"type": "reasoning", "text": THOUGHT}, {"type": "text", "text": R}]},
    "a field of its own": {"content": R, "reasoning_content": THOUGHT},
}


@pytest.mark.parametrize("how", THINKING)
def test_what_a_bot_thinks_is_kept_private_and_heard_by_nobody(how: str) -> None:
    body = json.dumps({"choices": [{"message": {"role": "assistant", **THINKING[how]}}]}).encode()
    with Bot(lambda n, asked: Does(body)) as bot:
        reply = reply_to(over_http(bot.url))
    assert reply.text == R
    assert reply.info["private"] == {"thinking": THOUGHT}


@pytest.mark.parametrize(
    "message",
    [
        {"content": [{"type": "text", "text": "What is "}, {"type": "output_text", "text": "hardest?"}]},
        {"content": ["What is hardest?", {"type": "image_url", "image_url": {"url": "x"}}]},
        {"content": None, "refusal": "What is hardest?"},
    ],
)
def test_parts_of_an_answer_are_one_turn(message: dict[str, Any]) -> None:
    with Bot(lambda n, asked: Does(json.dumps({"choices": [{"message": message}]}).encode())) as bot:
        assert reply_to(over_http(bot.url)).text == "What is hardest?"


def test_a_bot_says_how_long_to_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []

    async def waited(seconds: float) -> None:
        waits.append(seconds)

    after = ["7", "900", "-3", "nan", "Wed, 21 Oct 2026 07:28:00 GMT"]
    script = [Does(status=503, headers={"retry-after": x}) for x in after] + [GOOD]
    monkeypatch.setattr("turnwise.engine.outside_http.asyncio.sleep", waited)
    with Bot(lambda n, asked: script[n]) as bot:
        assert reply_to(over_http(bot.url, Asking(attempts=6, pause_s=1.0))).text == "I am here."
    assert waits == [7.0, 30.0, 4.0, 8.0, 16.0]


def test_what_is_finished_is_not_asked_again_and_errors_only_when_wanted(tmp_path: Path) -> None:
    away = [True]

    def script(n: int, asked: Asked) -> Does:
        return Does(status=404) if away[0] and "/0" in asked.headers[LUCK_HEADER.lower()][-2:] else completion(f"{n}")

    with Bot(script) as bot:
        first = played(tmp_path, over_http(bot.url), epochs=3)
        assert [t.ending for t in first] == ["error", "max_turns", "max_turns"]
        assert len(bot.asked) == 1 + 2 * TURNS
        assert played(tmp_path, over_http(bot.url), epochs=3) == first
        assert len(bot.asked) == 1 + 2 * TURNS, "finished sessions were asked again"
        away[0] = False
        again = played(tmp_path, over_http(bot.url), epochs=3, retry_errors=True)
        assert [t.ending for t in again] == ["max_turns"] * 3
        assert again[1:] == first[1:]
        assert len(bot.asked) == 1 + 3 * TURNS


@settings(deadline=None)
@given(st.text(max_size=50) | st.none() | st.integers() | st.binary(max_size=5))
def test_whatever_a_bot_says_is_a_reply_or_a_sentence(said: Any) -> None:
    if isinstance(said, str) and said.strip() and len(said) <= MOST_CHARACTERS and said.isprintable():
        reply = as_reply(said)
        assert Turn(speaker="therapist", text=reply.text, cues=reply.cues).text == ("" if said == SILENCE else said)
    elif not isinstance(said, str) or not said.strip():
        with pytest.raises(BoundaryError, match="the bot answered with"):
            as_reply(said)


# --- names ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("http:", "is not an address"),
        ("http://", "is not an address"),
        ("http:ftp://x/y", "is not an address"),
        ("http://host:99999999/", "is not an address"),
        ("http://a b/", "is not an address"),
        ("https://user:hunter22@host/", "user name or password"),
        ("https://host/chat?api_key=hunter22", "'api_key' in it"),
        ("https://host/chat?Token=hunter22&x=1", "'Token' in it"),
        ("https://host/chat#speed=hunter22", "only model=NAME"),
        ("https://host/chat#shape=hunter22", "only model=NAME"),
        ("python:json", "write python:package.module:object"),
        ("python:json:", "write python:package.module:object"),
        ("python:../evil:x", "write python:package.module:object"),
        ("python:no_such_module_at_all:f", "cannot be imported"),
        ("python:json:nothing", "has no nothing"),
    ],
)
def test_a_name_that_cannot_work_is_refused_before_anything_is_played(name: str, reason: str) -> None:
    with pytest.raises(UsageError, match=reason) as caught:
        resolve_study(therapists=(name,), patients=("alun",))
    assert "hunter22" not in str(caught.value)


def test_an_unknown_prefix_gets_the_nearest() -> None:
    with pytest.raises(RegistryError, match="did you mean 'python'"):
        resolved_name("pyton:a:b")


def test_one_address_is_one_name() -> None:
    names = ("http:http://h/p#shape=simple&model=m", "http://h/p#model=m&shape=simple")
    assert {resolved_name(n) for n in names} == {"http:http://h/p#model=m&shape=simple"}
    assert resolved_name(resolved_name(names[0])) == resolved_name(names[0])
    with pytest.raises(UsageError, match="named twice"):
        resolve_study(therapists=names, patients=("alun",))


# --- who is not there ---------------------------------------------------------------------------------


def test_who_is_not_there_five_times_in_a_row_is_not_asked_again(tmp_path: Path) -> None:
    with Bot(lambda n, asked: Does(status=404)) as bot:
        sessions = played(tmp_path, over_http(bot.url), epochs=12, concurrency=1)
        assert len(bot.asked) == IN_A_ROW
    assert {t.ending for t in sessions} == {"error"}
    assert all("the bot answered 404 (Not Found)" in str(t.error) for t in sessions)
    assert sum("not asked again, after 5 times in a row" in str(t.error) for t in sessions) == 12 - IN_A_ROW


@pytest.mark.parametrize("status", [400, 429, 500])
def test_who_answers_badly_or_is_overloaded_is_there(tmp_path: Path, status: int) -> None:
    with Bot(lambda n, asked: Does(status=status, headers={"retry-after": "0"})) as bot:
        sessions = played(tmp_path, over_http(bot.url, Asking(attempts=1)), epochs=12, concurrency=1)
        assert len(bot.asked) == 12
    assert not [t for t in sessions if "not asked again" in str(t.error)]


def test_an_answer_in_between_counts_anew(tmp_path: Path) -> None:
    with Bot(lambda n, asked: GOOD if n % 5 == 4 else Does(status=404)) as bot:
        played(tmp_path, over_http(bot.url), epochs=12, concurrency=1)
        assert len(bot.asked) > 12
