"""Tokens are counted from what was recorded, prices come from the user's table, and a rehearsal asks nobody."""

from __future__ import annotations

from pathlib import Path

import pytest

from model_studies import SMALL_LADDER, played, small_study
from turnwise.core.contracts import Completion
from turnwise.core.errors import TurnwiseError
from turnwise.engine.casting import Calls
from turnwise.engine.model_settings import CallSettings
from turnwise.engine.recording import Call, Recording
from turnwise.engine.rehearsal import TOKENS_A_REPLY, rehearse
from turnwise.engine.running import Options
from turnwise.engine.spending import Price, read_prices, record_of

CALLED = (
    Call(key="a", asked="openai/x", usage=30, tokens_in=20, tokens_out=10),
    Call(key="b", asked="openai/x", usage=3, tokens_in=1, tokens_out=2),
    Call(key="c", asked="openai/x", fault="no"),
    Call(key="d", asked="ollama/y", usage=9),
)


def test_calls_of_a_run_are_added_up_and_priced(tmp_path: Path) -> None:
    recording = Recording(tmp_path / "calls.jsonl")
    assert recording.find("a") is None
    for call in CALLED:
        recording.keep(call)
    recording.close()
    assert record_of(tmp_path, {"openai/x": Price(input=1.0, output=10.0), "ollama/y": Price(input=1, output=1)}) == {
        "ollama/y": {"calls": 1, "faults": 0, "tokens": 9, "tokens_in": None, "tokens_out": None, "price": None},
        "openai/x": {
            "calls": 2,
            "faults": 1,
            "tokens": 33,
            "tokens_in": 21,
            "tokens_out": 12,
            "price": pytest.approx(141e-6),
        },
    }
    assert record_of(tmp_path / "nothing", {}) == {}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("openai/x: 3", "openai/x"),
        ("openai/x: {input: -1, output: 2}", "openai/x.input"),
        ("openai/x: {input: 1}", "openai/x.output"),
        ("openai/x: {input: .nan, output: 1}", "openai/x.input"),
        ("[1, 2]", "the table"),
        ("a: [", "no YAML"),
        ("[" * 100_000, "64 levels"),
        ("a: " + "9" * 1_000_000, "64 signs"),
    ],
)
def test_a_table_of_prices_that_is_none_says_where(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "p.yaml").write_text(text)
    with pytest.raises(TurnwiseError, match=said):
        read_prices(tmp_path / "p.yaml")


@pytest.mark.parametrize("line", [b"{}\n", b"[" * 100_000 + b"\n", b"\xff\n", b"3\n"])
def test_a_damaged_recording_is_one_sentence(tmp_path: Path, line: bytes) -> None:
    (tmp_path / "calls.jsonl").write_bytes(line)
    with pytest.raises(TurnwiseError, match=r"calls\.jsonl"):
        record_of(tmp_path, {})


def test_prices_are_read(tmp_path: Path) -> None:
    (tmp_path / "p.yaml").write_text("openai/x: {input: 2.5, output: 10}\n")
    assert read_prices(tmp_path / "p.yaml") == {"openai/x": Price(input=2.5, output=10)}
    with pytest.raises(TurnwiseError, match="no such file"):
        read_prices(tmp_path / "none.yaml")


def test_a_rehearsal_counts_what_is_then_asked(tmp_path: Path) -> None:
    class Counted:
        asked = 0

        async def generate(self, system: str, turns: object, *, seed: int) -> Completion:
            Counted.asked += 1
            return Completion(f"I see, and that makes {Counted.asked}. What happened then?", 1, "stop")

    study = small_study("openai/x", patients=("alun", "keisha"), epochs=3, turns=14)
    options = Options(ladder=SMALL_LADDER, calls=Calls(CallSettings(max_tokens=200)))
    (expected,) = rehearse(study, options, {"openai/x": Price(input=1e6, output=0)})
    assert expected.model == "openai/x"
    assert expected.price == expected.tokens_in
    assert expected.tokens_out == expected.calls * TOKENS_A_REPLY
    assert expected.most_tokens_out == expected.calls * 200
    played(study, tmp_path / "run", ladder=SMALL_LADDER, stand_in=lambda name: Counted())
    assert expected.calls == pytest.approx(Counted.asked, rel=0.1)


def test_embedded_studies_cost_nothing() -> None:
    assert rehearse(small_study("reflector"), Options(), {}) == []
