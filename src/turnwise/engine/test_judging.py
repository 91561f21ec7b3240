"""A judge's answers are kept, counted where they cannot be read, and compared with coders and people."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from turnwise.batteries.rubric.items import ITEMS
from turnwise.core.contracts import Completion
from turnwise.core.errors import BoundaryError, RegistryError, UsageError
from turnwise.core.nouns import Rating, Trajectory, Turn
from turnwise.engine.judge_agreement import human_label
from turnwise.engine.judging import JUDGEMENTS, Judging, judge_run, judge_sessions, rubric_sha

SAID = (
    ("therapist", "How have you slept?", "question"),
    ("patient", "Badly.", "neutral"),
    ("therapist", "You sleep badly.", "reflection"),
    ("patient", "I want to change that.", "change"),
    ("therapist", "Coffee keeps people awake.", "therapist_input"),
    ("patient", "I like my coffee.", "sustain"),
)
KEYS = {"therapist": "main_therapist_behaviour", "patient": "client_talk_type"}


def transcript(name: str) -> Trajectory:
    turns = tuple(Turn(speaker=who, text=text) for who, text, _ in SAID)
    infos = tuple({"labels": {KEYS[who]: label}} for who, _, label in SAID)
    return Trajectory(session_id=name, source="AnnoMI", turns=turns, infos=infos, meta={"series": name})


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """Return a scored folder of six transcripts in which the coder is always right but for the last turn."""
    names = [f"s{i}" for i in range(6)]
    lines = [transcript(n).model_dump_json() + "\n" for n in names]
    (tmp_path / "trajectories.jsonl").write_text("".join(lines), encoding="utf-8")
    rows = [
        {
            "session_id": n,
            "turn": i,
            "item": "therapist_behaviour" if who == "therapist" else "client_talk",
            "coder": "coder.v1",
            "value": "change" if i == 5 else label,
        }
        for n in names
        for i, (who, _, label) in enumerate(SAID)
    ]
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "ratings.parquet")
    return tmp_path


class Judge:
    """Answers from the marked turn of what it is shown: with what people said, or as a function of item and truth."""

    def __init__(self, does: Callable[[str, str], Any] = lambda item, truth: truth) -> None:
        self.does, self.asked = does, 0

    async def generate(self, system: str, turns: Sequence[Turn], *, seed: int) -> Completion:
        self.asked += 1
        item = next(name for name, x in ITEMS.items() if x.question in system)
        says = json.loads(turns[-1].text.splitlines()[-1])["says"]
        truth = next(label for _, text, label in SAID if text == says)
        said = self.does(item, truth if truth in ITEMS[item].options else next(iter(ITEMS[item].options)))
        if isinstance(said, Exception):
            raise said
        text = said if said.startswith("{") or not said else json.dumps({"answer": said, "reason": "It says so."})
        return Completion(text, 9, "stop", 6, 3, "m")


def rows_of(run: Path) -> list[dict[str, Any]]:
    (file,) = run.glob(f"judges/*/{JUDGEMENTS}")
    return list(pq.read_table(file).to_pylist())


def agreement(record: dict[str, Any], item: str, *between: str) -> dict[str, Any]:
    (row,) = (r for r in record["agreement"] if r["item"] == item and r["between"] == list(between))
    return row


HOW = Judging("openai/judge")


def test_a_judge_who_is_right_agrees_with_people_and_less_with_a_coder_who_is_not(run: Path) -> None:
    record = judge_run(run, HOW, stand_in=Judge())
    people = agreement(record, "client_talk", "judge", "people")
    assert (people["kappa"], people["n"], people["agreement"]) == (1.0, 18, 1.0)
    coder = agreement(record, "client_talk", "judge", "coder")
    assert coder["kappa"] == pytest.approx(0.5)
    assert coder["low"] <= coder["kappa"] <= coder["high"]
    assert coder["coders"] == ["coder.v1"]
    yardstick = agreement(record, "client_talk", "coder", "people")
    assert yardstick["kappa"] == pytest.approx(0.5)
    assert "truth" in record["note"]


def test_what_a_judge_says_beyond_measure_is_cut_and_says_so(run: Path) -> None:
    def at_length(item: str, truth: str) -> str:
        whole = json.dumps({"answer": truth, "reason": "word " * 600_000})
        return whole if item != "client_talk" else whole + "and more"

    for _ in range(2):  # the second time from the recording
        judge_run(run, HOW, stand_in=Judge(at_length))
        rows = rows_of(run)
        reasons = {r["reason"] for r in rows if r["value"] is not None}
        assert reasons
        assert all(x.endswith("… (cut of 2,999,999 characters)") and len(x) <= 400 for x in reasons)
        assert {r["code"] for r in rows if r["item"] == "client_talk"} == {"unparsed"}
        (calls,) = run.glob("judges/*/calls.jsonl")
        assert max(map(len, calls.read_text(encoding="utf-8").splitlines())) < 6_000


def test_navigation_is_ours_and_what_does_not_arise_says_so(run: Path) -> None:
    judge = Judge()
    record = judge_run(run, HOW, stand_in=judge)
    rows = rows_of(run)
    asked = [r for r in rows if r["code"] is None]
    assert judge.asked == len(asked) == 6 * (3 + 3 + 3), "behaviour, its one finer item, talk"
    closed = [r for r in rows if r["item"] == "question_type" and r["turn"] == 2]
    assert {(r["code"], r["detail"]) for r in closed} == {
        ("not_applicable", "arises only where therapist_behaviour is question")
    }
    assert record["answers"]["question_type"] == {"open": 6, "unscored: not_applicable": 12}
    assert {k: record["cost"][k] for k in ("calls", "faults", "tokens")} == {"calls": 54, "faults": 0, "tokens": 486}


def test_what_cannot_be_read_is_unscored_with_a_reason_and_leaves_the_denominator_visible(run: Path) -> None:
    what = {"client_talk": "perhaps", "therapist_behaviour": BoundaryError("the endpoint is away")}
    record = judge_run(run, HOW, stand_in=Judge(lambda item, truth: what.get(item, truth)))
    rows = rows_of(run)
    talk = [r for r in rows if r["item"] == "client_talk"]
    assert {(r["value"], r["code"]) for r in talk} == {(None, "unparsed")}
    away = [r for r in rows if r["item"] == "therapist_behaviour"]
    assert {(r["code"], r["detail"]) for r in away} == {("no_answer", "the endpoint is away")}
    finer = [r for r in rows if r["item"] == "question_type"]
    assert {r["code"] for r in finer} == {"no_reading"}
    assert len(rows) == 6 * (3 + 3 * 4)
    assert [r["between"] for r in record["agreement"]] == [["coder", "people"]] * 2


def test_a_judge_who_always_says_the_same_has_no_agreement_by_chance(run: Path) -> None:
    record = judge_run(run, HOW, stand_in=Judge(lambda item, truth: next(iter(ITEMS[item].options))))
    assert agreement(record, "client_talk", "judge", "people")["kappa"] == pytest.approx(0.0)


def test_nothing_is_asked_twice_and_nothing_of_the_run_is_touched(run: Path) -> None:
    before = {p.name: p.read_bytes() for p in run.iterdir()}
    first, again = Judge(), Judge()
    one = judge_run(run, HOW, stand_in=first)
    two = judge_run(run, HOW, stand_in=again)
    assert (first.asked, again.asked) == (54, 0)
    assert one["agreement"] == two["agreement"]
    assert {p.name: p.read_bytes() for p in run.iterdir() if p.is_file()} == before
    some = Judging("openai/other", sessions=2, items=("client_talk",))
    assert judge_run(run, some, stand_in=Judge())["cost"]["calls"] == 6
    assert len(list((run / "judges").iterdir())) == 2


def test_order_and_company_change_nothing() -> None:
    ts = [transcript(f"s{i}") for i in range(3)]
    models = {name: Judge() for name in ITEMS}
    alone = [asyncio.run(judge_sessions([t], Judging("m/x", concurrency=1), models)) for t in ts]
    together = asyncio.run(judge_sessions(ts, Judging("m/x", concurrency=8), models))
    assert [j.answers for one in alone for j in one] == [j.answers for j in together]
    assert all(isinstance(a, Rating | tuple) for j in together for a in j.answers.values())


def test_people_are_asked_of_their_own_corpus_only() -> None:
    t = transcript("s")
    assert human_label(t, 0, "therapist_behaviour") == ("question", "s")
    assert human_label(t.model_copy(update={"source": "mine"}), 0, "therapist_behaviour")[0] is None


def test_another_wording_is_another_rubric() -> None:
    assert rubric_sha(("client_talk",)) != rubric_sha(("therapist_behaviour",))
    assert rubric_sha(tuple(ITEMS)) == rubric_sha(tuple(reversed(tuple(ITEMS))))


@pytest.mark.parametrize(
    ("how", "kind", "said"),
    [
        (Judging("gpt"), UsageError, "no model string"),
        (Judging("a/b", items=("client_tlak",)), RegistryError, "client_talk"),
        (Judging("a/b", items=("question_type",)), UsageError, "name both"),
        (Judging("a/b", sessions=0), UsageError, "--sessions 0"),
    ],
)
def test_what_makes_no_sense_is_refused_before_a_call(
    run: Path, how: Judging, kind: type[Exception], said: str
) -> None:
    with pytest.raises(kind, match=said):
        judge_run(run, how, stand_in=Judge())
