"""Show and Resume: the same bytes in any order and after any kill; a bad cell is data; history changes what it must."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from turnwise.core.errors import RegistryError, UsageError
from turnwise.core.nouns import Case, Intake, Reply, Trajectory, Transcript
from turnwise.core.registry import THERAPISTS
from turnwise.engine.ladder_bank import BANK, Climb, Ladder, make_bank, scheduled_moments
from turnwise.engine.ladder_play import REPLIES, StoredReply, play_replies
from turnwise.engine.ladder_store import replies
from turnwise.engine.running import Options, play_ladder, play_study
from turnwise.engine.store import RunFolder
from turnwise.engine.study import Cast, Study

TURNS, EPOCHS = 6, 3
LADDER = Ladder("lead.v1", 2)


class Sufferer:
    """Brings up the same two moments at turns that hang on its luck; says who it spoke to."""

    def init(self, who: Case, rng: Any, prior: Any = None) -> tuple[int, int]:
        return int(rng.integers(1, 3)), int(rng.integers(3, 5))

    async def respond(self, state: tuple[int, int], transcript: Transcript, rng: Any) -> Reply[tuple[int, int]]:
        n = len(transcript) // 2
        key = {state[0]: "dad3", state[1]: "planned:thin2"}.get(n)
        said = {"moment": "thin", "scheduled": True, "said": {"telling": key}} if key else {"moment": None}
        return Reply(f"patient {n} {rng.integers(10**6)} after {transcript[-1].text!r}", state, said)


@dataclass
class Speaker:
    """A therapist of a test: counts its replies, or carries nothing, or fails or closes at a count."""

    counts: bool = True
    raises: int = -9
    closes: int = -9

    def init(self, who: Any, rng: Any, prior: Any = None) -> int | None:
        return 0 if self.counts else None

    async def respond(self, state: int | None, transcript: Transcript, rng: Any) -> Reply[int | None]:
        await asyncio.sleep(0)
        n = state if state is not None else -1
        if n == self.raises:
            raise RuntimeError("out of luck")
        last = transcript[-1].text if transcript else "nothing"
        text = f"reply {n} “né” {rng.integers(10**9)} to {last}"
        return Reply(text, None if state is None else n + 1, {"n": n}, "therapist_closed" if n == self.closes else None)


SPEAKERS = {"lead.v1": Speaker(), "count.v1": Speaker(), "blank.v1": Speaker(counts=False)}


def study(*therapists: str, seed: int = 3) -> Study:
    return Study(
        therapists=therapists or ("lead.v1", "count.v1", "blank.v1"),
        patients=("p.v1:x", "p.v1:y"),
        seed=seed,
        epochs=EPOCHS,
        turns=TURNS,
        versions={},
    )


def cast(**more: Speaker) -> Cast:
    cases = {c: Case(id=c, intake=Intake(), truth={}, source="test", licence="test") for c in "xy"}
    return Cast(SPEAKERS | {f"{k}.v1": v for k, v in more.items()}, {"p.v1": Sufferer()}, cases)


def climbed(path: Path, climb: Climb | None = None, **more: Speaker) -> RunFolder:
    climb = climb or Climb(study(), LADDER, path, cast(**more))
    folder = RunFolder(path)
    play_study(climb.study, folder, Options(), cast=climb.cast)
    play_replies(climb, make_bank(climb))
    return folder


def stored(path: Path) -> list[StoredReply]:
    return [StoredReply.model_validate_json(x) for x in (path / REPLIES).read_text("utf-8").split("\n")[:-1]]


def both(path: Path) -> tuple[bytes, bytes]:
    return (path / BANK).read_bytes(), (path / REPLIES).read_bytes()


def test_the_bank_takes_over_sessions_of_the_study_and_plays_only_what_is_not_there(tmp_path: Path) -> None:
    climbed(tmp_path / "in")
    bank = list(RunFolder(tmp_path / "in", BANK).sessions())
    assert [t.session_id for t in bank] == [f"lead.v1/p.v1/{c}/{e}" for c in "xy" for e in range(EPOCHS)]
    lines = set((tmp_path / "in" / "trajectories.jsonl").read_bytes().splitlines())
    assert set((tmp_path / "in" / BANK).read_bytes().splitlines()) <= lines
    other = Climb(study("count.v1"), LADDER, tmp_path / "out", cast())
    climbed(tmp_path / "out", other)
    assert (tmp_path / "out" / BANK).read_bytes() == (tmp_path / "in" / BANK).read_bytes()


def test_every_scheduled_moment_is_met_on_both_rungs(tmp_path: Path) -> None:
    climbed(tmp_path)
    bank = {t.session_id: t for t in RunFolder(tmp_path, BANK).sessions()}
    found = stored(tmp_path)
    keys = {(r.therapist, r.bank, r.rung, r.key) for r in found}
    assert len(keys) == len(found) == 3 * 4 * 2 * 2  # therapists, bank sessions, rungs, moments
    assert {r.key for r in found} == {"dad3", "thin2"}
    assert len({r.session_id for r in found}) == len(found)
    assert all(bank[r.bank].infos[r.turn]["scheduled"] for r in found)


def test_same_bytes_in_any_order(tmp_path: Path) -> None:
    climbed(tmp_path / "ref")
    reference = both(tmp_path / "ref")
    for name, more in {
        "again": {},
        "one": {"concurrency": 1},
        "shuffled": {"shuffle": True},
        "both": {"shuffle": True, "concurrency": 1},
    }.items():
        climbed(tmp_path / name, Climb(study(), LADDER, tmp_path / name, cast(), **more))
        assert both(tmp_path / name) == reference, name
    climbed(tmp_path / "seed", Climb(study(seed=4), LADDER, tmp_path / "seed", cast()))
    assert both(tmp_path / "seed") != reference


def test_a_killed_run_resumes_and_plays_nothing_twice(tmp_path: Path) -> None:
    climbed(tmp_path / "ref")
    bank, whole = both(tmp_path / "ref")
    lines = whole.splitlines(keepends=True)
    for cut in range(0, len(whole), len(whole) // 7):
        out = tmp_path / f"cut{cut}"
        play_study(study(), RunFolder(out), Options(), cast=cast())
        (out / BANK).write_bytes(bank[: cut % len(bank)])
        (out / REPLIES).write_bytes(whole[:cut])
        climb, seen = Climb(study(), LADDER, out, cast()), list[tuple[int, int]]()
        play_replies(climb, make_bank(climb), lambda *counts, into=seen: into.append(counts))  # type: ignore[misc]
        assert both(out) == (bank, whole)
        there = whole[:cut].count(b"\n")
        assert seen == [(n, len(lines)) for n in range(there + 1, len(lines) + 1)]


def test_a_full_disk_keeps_what_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    original, calls = RunFolder.append_line, [0]

    def append_line(self: RunFolder, line: str) -> None:
        calls[0] += "turnwise.reply/" in line
        if calls[0] == 5:
            raise UsageError("the disk is full")
        original(self, line)

    monkeypatch.setattr(RunFolder, "append_line", append_line)
    with pytest.raises(UsageError, match="full"):
        climbed(tmp_path / "run", Climb(study(), LADDER, tmp_path / "run", cast(), concurrency=1))
    assert len(RunFolder(tmp_path / "run", REPLIES).finished()) == 4
    monkeypatch.setattr(RunFolder, "append_line", original)
    climbed(tmp_path / "run")
    climbed(tmp_path / "ref")
    assert both(tmp_path / "run") == both(tmp_path / "ref")


def test_state_is_threaded_through_the_replayed_history_and_through_the_own_opening(tmp_path: Path) -> None:
    climbed(tmp_path)
    bank = {t.session_id: t for t in RunFolder(tmp_path, BANK).sessions()}
    for r in stored(tmp_path):
        if r.therapist == "blank.v1":
            assert r.info == {"n": -1}
        else:
            assert r.info == {"n": len(r.before) if r.rung == "show" else (r.turn + 1) // 2}
        assert r.reply is not None
        assert r.reply.text.endswith(bank[r.bank].turns[r.turn].text)


def test_a_stateless_therapist_says_the_same_whatever_came_before_and_who_else_plays(tmp_path: Path) -> None:
    climbed(tmp_path / "a")
    climbed(tmp_path / "b", Climb(study("blank.v1", "twin.v1"), LADDER, tmp_path / "b", cast(twin=Speaker(False))))

    def said(path: Path, name: str) -> dict[tuple[str, str, str], str]:
        return {(r.rung, r.bank, r.key): r.reply.text for r in stored(path) if r.therapist == name and r.reply}

    assert said(tmp_path / "a", "blank.v1") == said(tmp_path / "b", "blank.v1") == said(tmp_path / "b", "twin.v1")


def test_whoever_raises_or_closes_in_the_replay_leaves_error_cells(tmp_path: Path) -> None:
    who = study("breaks.v1", "closes.v1", "never.v1")
    company = cast(breaks=Speaker(raises=3), closes=Speaker(closes=0), never=Speaker(raises=0))
    climbed(tmp_path, Climb(who, LADDER, tmp_path, company))
    found = stored(tmp_path)
    assert all((r.ending == "error") == (r.error is not None) == (r.reply is None) for r in found)
    for r in found:
        at = (r.turn + 1) // 2 if r.rung == "resume" else 0
        if r.therapist == "never.v1":
            assert r.error == "therapist at turn 0: RuntimeError: out of luck"
        elif r.therapist == "breaks.v1":
            assert (r.error is not None) == (at >= 3), r
        elif r.rung == "show":
            assert r.error == "therapist closed at turn 0, before a moment came"
        else:
            assert r.error == "therapist closed at turn 0 of the replayed history"
    for t in replies(tmp_path):
        assert t.turns[-1].speaker == ("patient" if t.ending == "error" else "therapist")


def test_the_loader_gives_whole_sessions_again(tmp_path: Path) -> None:
    climbed(tmp_path)
    bank = {t.session_id: t for t in RunFolder(tmp_path, BANK).sessions()}
    for t, r in zip(replies(tmp_path), stored(tmp_path), strict=True):
        source = bank[r.bank]
        assert t.spec is not None
        assert source.spec is not None
        assert t.spec == source.spec.model_copy(update={"therapist": r.therapist})
        assert t.session_id == f"{t.spec.session_id}/{r.rung}/{r.key}"
        before = source.turns[: r.turn + 1]
        if r.rung == "show":
            assert [x.speaker for x in r.before] == ["therapist"] * (1 if r.turn == 1 else 2)
            before = (*r.before[:1], *((source.turns[1], r.before[1]) if r.turn > 1 else ()), source.turns[r.turn])
        assert t.turns == (*before, r.reply)
        assert t.infos[-2] == source.infos[r.turn]
        assert t.meta == {"rung": r.rung, "key": r.key, "position": r.turn, "moment": "thin", "bank": r.bank}


def test_a_greeting_is_said_before_a_moment_is_shown_and_once_for_all_of_them(tmp_path: Path) -> None:
    climbed(tmp_path)
    openings: dict[tuple[str, str], set[tuple[Any, ...]]] = {}
    for r in stored(tmp_path):
        if r.rung == "show":
            openings.setdefault((r.therapist, r.bank), set()).add(r.before[:1])
    assert {len(x) for x in openings.values()} == {1}


def test_a_reply_of_an_earlier_version_is_read_as_it_was_played(tmp_path: Path) -> None:
    climbed(tmp_path)
    (first, *_) = (r for r in stored(tmp_path) if r.rung == "show")
    bank = next(t for t in RunFolder(tmp_path, BANK).sessions() if t.session_id == first.bank)
    old = json.loads(first.model_dump_json()) | {"format": "turnwise.reply/1"}
    del old["before"]
    assert StoredReply.model_validate(old).whole(bank).turns == (bank.turns[first.turn], first.reply)


def test_a_reply_without_its_bank_is_named(tmp_path: Path) -> None:
    climbed(tmp_path)
    lines = (tmp_path / BANK).read_bytes().splitlines(keepends=True)
    (tmp_path / BANK).write_bytes(b"".join(lines[1:]))
    with pytest.raises(UsageError, match=r"bank\.jsonl"):
        list(replies(tmp_path))


def test_another_reference_is_refused_and_force_replaces_it(tmp_path: Path) -> None:
    climbed(tmp_path)
    before = both(tmp_path)
    other = Climb(study(), replace(LADDER, reference="count.v1"), tmp_path, cast())
    with pytest.raises(UsageError, match=r"lead\.v1 led, not count\.v1"):
        make_bank(other)
    assert both(tmp_path) == before
    forced = replace(other, force=True)
    play_replies(forced, make_bank(forced))
    assert {r.bank.partition("/")[0] for r in stored(tmp_path)} == {"count.v1"}


def test_a_reference_that_does_not_exist_and_epochs_that_make_no_sense(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    with pytest.raises(RegistryError, match="reflector"):
        play_ladder(study(), folder, Options(ladder=Ladder("reflektor")), cast=cast())
    with pytest.raises(UsageError, match="--ladder-epochs 0"):
        play_ladder(study(), folder, Options(ladder=Ladder(epochs=0)), cast=cast())
    assert play_ladder(study(), folder, Options(ladder=None)) == {}
    assert Ladder().resolved().reference == THERAPISTS.get("reflector").name


def test_a_moment_counts_once_and_only_if_somebody_could_answer_it() -> None:
    from turnwise.core.nouns import SessionSpec, Turn

    pair = (Turn(speaker="therapist", text="And?"), Turn(speaker="patient", text="Mm."))

    def info(key: str, scheduled: bool = True) -> dict[str, Any]:
        return {"moment": "thin", "scheduled": scheduled, "said": {"telling": key}}

    infos = ({}, info("a"), {}, info("planned:a"), {}, info("b", False), {}, info("c"))
    spec = SessionSpec(case="x", patient="p", therapist="t", seed=1, max_turns=4)
    t = Trajectory(session_id="s", source="simulated", turns=pair * 4, infos=infos, spec=spec)
    assert [(m.key, m.turn) for m in scheduled_moments(t)] == [("a", 1)]
    assert json.loads(t.model_dump_json())["infos"][1]["said"]["telling"] == "a"
