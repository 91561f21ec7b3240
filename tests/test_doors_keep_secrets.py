"""What crosses to therapists elsewhere is the intake and what was said; keys cross nowhere else at all.

Every private text of a case gets a mark of its own. A mark may be met outside only in words that the patient spoke.
"""

from __future__ import annotations

import asyncio
import json
import logging
import random
import re
from pathlib import Path
from typing import Any

import pytest

from loopback_bot import Bot, Does, completion
from turnwise.apps.cli import main
from turnwise.core.errors import UsageError
from turnwise.core.nouns import Case, Intake
from turnwise.engine.asking import Asking
from turnwise.engine.batch import default_cast
from turnwise.engine.chat import as_messages
from turnwise.engine.completions import ChatRequest, as_chunks, as_completion
from turnwise.engine.ladder_store import replies
from turnwise.engine.luck import LUCK_HEADER
from turnwise.engine.outside_http import HttpTherapist, read_address
from turnwise.engine.outside_python import PythonTherapist
from turnwise.engine.running import Options, play_ladder, play_study
from turnwise.engine.serving import House
from turnwise.engine.store import RunFolder
from turnwise.engine.study import Cast, Study, resolve_study
from turnwise.patients.casebook import load_case

QUICK = Asking(timeout_s=20, attempts=2, pause_s=0.001)
MARK = re.compile(r"zq[a-z]{10}")
STRUCTURE = {"notes", "beliefs", "risk", "formulation", "secret", "rules", "coping", "triggers", "values", "goals"}


def marked(case: Case, chance: random.Random) -> tuple[Case, set[str]]:
    """Return the case with a mark behind every private text that is prose, and the marks."""
    marks: set[str] = set()

    def mark(value: Any, private: bool) -> Any:
        if isinstance(value, dict):
            return {k: mark(v, private or k in STRUCTURE) for k, v in value.items()}
        if isinstance(value, list):
            return [mark(v, private) for v in value]
        if isinstance(value, str) and " " in value:
            word = "zq" + "".join(chance.choices("abcdefghijklmnopqrstuvwxyz", k=10))
            marks.add(word)
            return f"{value} {word}"
        return value

    truth = {k: v if k == "intake" else mark(v, k in STRUCTURE) for k, v in case.truth.items()}
    return case.model_copy(update={"truth": truth}), marks


@pytest.fixture
def study() -> Study:
    return resolve_study(therapists=("eliza",), patients=("renata", "alun"), seed=4, epochs=1, turns=14)


def with_marks(study: Study, therapist: Any) -> tuple[Study, Cast, set[str]]:
    played = study.model_copy(update={"therapists": ("bot",)})
    embedded = default_cast(study.model_copy(update={"therapists": ("reflector.v1",)}))
    chance, cases, marks = random.Random(8), {}, set()
    for name in embedded.cases:
        cases[name], own = marked(load_case(name), chance)
        marks |= own
    return played, Cast({**embedded.therapists, "bot": therapist}, embedded.patients, cases), marks


def climbed(folder: Path, study: Study, cast: Cast) -> list[list[dict[str, str]]]:
    """Play sessions and ladder; return every list of messages that a therapist may have been shown."""
    options = Options(concurrency=4)
    play_study(study, RunFolder(folder), options, cast=cast)
    play_ladder(study, RunFolder(folder), options, cast=cast)
    may: list[list[dict[str, str]]] = []
    said: set[str] = set()
    for name in ("trajectories.jsonl", "bank.jsonl"):
        for t in RunFolder(folder, name).sessions():
            assert t.spec is not None
            assert t.ending != "error", t.error
            intake = cast.cases[t.spec.case].intake
            may += [as_messages(intake, t.turns[:n]) for n in range(len(t.turns))]
            said |= {turn.text for turn in t.turns if turn.speaker == "patient"}
    for t in replies(folder):
        assert t.spec is not None
        heard = [turn.text for turn in t.turns if turn.speaker == "patient"]
        assert all(any(spoken.endswith(text) for spoken in said) for text in heard), "a moment is what was said"
        may += [as_messages(cast.cases[t.spec.case].intake, t.turns[:n]) for n in range(len(t.turns))]
    return may


def test_no_mark_of_a_case_reaches_a_bot_over_http(tmp_path: Path, study: Study) -> None:
    with Bot(lambda n, asked: completion("What was that like for you?")) as bot:
        therapist = HttpTherapist(read_address(bot.url), QUICK)
        played, cast, marks = with_marks(study, therapist)
        may = climbed(tmp_path, played, cast)
    assert len(marks) > 200
    assert len(bot.asked) > 28, "the ladder asked nothing"
    for asked in bot.asked:
        assert asked.document.keys() == {"model", "messages", "seed"}
        assert asked.document["messages"] in may
        assert asked.document["model"] == "default"
        assert not MARK.search(json.dumps(asked.headers) + asked.path)
        assert re.fullmatch(r"\d+/\d+/\d+", asked.headers[LUCK_HEADER.lower()])
        unspoken = [m for m in asked.document["messages"] if m["role"] == "system"]
        assert not MARK.search(json.dumps(unspoken))
        assert "renata" not in json.dumps(unspoken).lower(), "the name of a case is not in its intake"


def test_no_mark_of_a_case_reaches_a_bot_in_python(tmp_path: Path, study: Study) -> None:
    seen: list[Any] = []

    async def bot(*everything: Any, **named: Any) -> str:
        assert not named
        seen.append(everything)
        return "What was that like for you?"

    played, cast, _ = with_marks(study, PythonTherapist(bot, QUICK))  # type: ignore[arg-type]
    may = climbed(tmp_path, played, cast)
    assert len(seen) > 28
    assert all(len(everything) == 1 and everything[0] in may for everything in seen)


def test_a_therapist_of_the_contract_is_given_an_intake_and_turns(tmp_path: Path, study: Study) -> None:
    from turnwise.core.nouns import Reply

    given: list[Any] = []

    class Nosy:
        def init(self, *everything: Any) -> None:
            given.extend(everything)

        async def respond(self, state: None, *everything: Any) -> Reply[None]:
            given.extend(everything)
            return Reply("What was that like for you?", None)

    played, cast, _ = with_marks(study, Nosy())
    climbed(tmp_path, played, cast)
    whats = {type(x).__name__ for x in given}
    assert whats == {"Intake", "Generator", "NoneType", "tuple"}
    assert not any(MARK.search(x.model_dump_json()) for x in given if isinstance(x, Intake))


def test_a_served_patient_tells_only_what_it_says() -> None:
    house = House()
    request = ChatRequest("patient/renata", ({"role": "user", "content": "Hello. How are you sleeping?"},), 1, True)
    house._cast("patient", "stateful.v1:renata")
    cast = house._casts["patient", "stateful.v1:renata"]
    cast.cases["renata"], marks = marked(cast.cases["renata"], random.Random(8))
    reply = asyncio.run(house.reply(request))
    assert reply.info["state"], "there is something to be kept private"
    for document in (as_completion(request, reply, 0), *as_chunks(request, reply, 0)):
        for choice in document["choices"]:
            choice.get("message", choice.get("delta", {})).pop("content", None)
        rest = json.dumps(document)
        assert not MARK.search(rest)
        assert not any(f'"{word}"' in rest for word in ("trust", "distress", "conviction", "telling"))
    assert len(marks) > 100


# --- keys ---------------------------------------------------------------------------------------------

KEY = "sk-Zt9verysecret0000"


def _files(folder: Path) -> str:
    return "".join(p.read_bytes().decode("latin-1") for p in folder.rglob("*") if p.is_file())


def _escaped(body: bytes) -> bytes:
    return body.replace(KEY.encode(), "".join(f"\\u{ord(c):04x}" for c in KEY).encode())


@pytest.mark.parametrize(
    "what",
    [
        "good",
        "echo in words",
        "echo beside the words",
        "echo that is escaped",
        "echo in an error",
        "echo in a header",
        "broken",
    ],
)
def test_a_key_is_sent_and_kept_nowhere(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
    what: str,
) -> None:
    answers = {
        "good": completion("What was that like?"),
        "echo in words": completion(f"You sent {KEY}."),
        "echo beside the words": completion("Hm.", usage={"prompt_tokens": 1}, turnwise={KEY: 1}),
        "echo that is escaped": Does(_escaped(completion("Hm.").body.replace(b'"stop"', f'"{KEY}"'.encode()))),
        "echo in an error": Does(f'{{"error": "wrong key {KEY}"}}'.encode(), status=401),
        "echo in a header": Does(status=302, headers={"location": f"http://127.0.0.1:9/{KEY}"}),
        "broken": Does(KEY.encode()),
    }
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MY_BOTS_KEY", f"Bearer {KEY}")
    with Bot(lambda n, asked: answers[what]) as bot, caplog.at_level(logging.DEBUG):
        arguments = ["run", "--therapist", bot.url, "--patients", "alun", "--turns", "2", "--epochs", "1"]
        arguments += ["--no-ladder", "--out", "out", "--bot-header", "Authorization=MY_BOTS_KEY"]
        if what == "good":
            main(arguments)
        else:
            with pytest.raises(SystemExit, match=r"^3$"):
                main(arguments)
        assert all(asked.headers["authorization"] == f"Bearer {KEY}" for asked in bot.asked)
        assert bot.asked
        assert all(KEY not in asked.raw.decode() for asked in bot.asked)
    out, err = capfd.readouterr()
    (t,) = RunFolder(tmp_path / "out").sessions()
    assert t.ending == ("max_turns" if what == "good" else "error")
    assert KEY not in out + err + _files(tmp_path) + caplog.text
    assert KEY not in repr(HttpTherapist(read_address(bot.url), Asking(headers={"Authorization": "MY_BOTS_KEY"})))


@pytest.mark.parametrize(
    ("header", "value", "reason"),
    [
        ("Authorization=NOT_SET_ANYWHERE", KEY, "no environment variable 'NOT_SET_ANYWHERE'"),
        (f"Authorization=Bearer {KEY}", KEY, "write NAME=VARIABLE"),
        ("Authorization=MY_BOTS_KEY", KEY + "\nX: y", "cannot be sent as a header"),
        ("Authorization=MY_BOTS_KEY", KEY + "é", "cannot be sent as a header"),
        ("Authorization=MY_BOTS_KEY", "", "cannot be sent as a header"),
        ("Host=MY_BOTS_KEY", KEY, "this header cannot be set"),
        ("A b=MY_BOTS_KEY", KEY, "this header cannot be set"),
        ("nothing", KEY, "write NAME=VARIABLE"),
    ],
)
def test_a_header_that_cannot_be_is_refused_without_its_value(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    header: str,
    value: str,
    reason: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MY_BOTS_KEY", value)
    with pytest.raises(SystemExit) as stopped:
        main(
            ["run", "--therapist", "http://127.0.0.1:9/", "--patients", "alun", "--bot-header", header, "--out", "out"]
        )
    out, err = capfd.readouterr()
    assert stopped.value.code == 2
    assert reason in err
    assert KEY not in out + err + _files(tmp_path)


def test_a_key_in_an_address_is_refused_before_it_is_stored(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as caught:
        read_address(f"https://host.example/chat?api_key={KEY}")
    assert KEY not in str(caught.value)
