"""One spec and one seed give the same bytes, however the sessions are played, killed or ordered."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path
from typing import Any

import pytest

from turnwise.core.errors import UsageError
from turnwise.core.nouns import Case, Intake, Reply, Trajectory, Transcript
from turnwise.engine.running import Options, play_study
from turnwise.engine.store import RunFolder
from turnwise.engine.study import Cast, Study


class Chatter:
    """Says something random, sometimes yields to the others, and ends by chance."""

    def __init__(self, role: str, pause: float = 0.0) -> None:
        self.role, self.pause = role, pause

    def init(self, who: Any, rng: Any, prior: Any = None) -> int:
        return int(rng.integers(100))

    async def respond(self, state: int, transcript: Transcript, rng: Any) -> Reply[int]:
        for _ in range(int(rng.integers(3))):
            await asyncio.sleep(self.pause)
        leaves = self.role == "patient" and rng.random() < 0.05
        if rng.random() < 0.01:
            raise RuntimeError("out of luck")
        said = f"{self.role} {state} {rng.integers(10**9)} “né” \u2028 end"
        return Reply(
            said, state + 1, {"state": {"trust": round(float(rng.random()), 6)}}, "patient_left" if leaves else None
        )


def study(seed: int = 3, epochs: int = 12) -> Study:
    return Study(
        therapists=("a.v1", "b.v1"), patients=("p.v1:x", "p.v1:y"), seed=seed, epochs=epochs, turns=8, versions={}
    )


def cast(pause: float = 0.0) -> Cast:
    cases = {c: Case(id=c, intake=Intake(), truth={}, source="test", licence="test") for c in "xy"}
    return Cast({n: Chatter("therapist", pause) for n in ("a.v1", "b.v1")}, {"p.v1": Chatter("patient", pause)}, cases)


def played(path: Path, options: Options, seed: int = 3) -> bytes:
    folder = RunFolder(path)
    play_study(study(seed), folder, options, cast=cast())
    return folder.trajectories.read_bytes()


def test_bytes_do_not_depend_on_concurrency_or_order(tmp_path: Path) -> None:
    reference = played(tmp_path / "ref", Options(concurrency=1))
    for name, options in {
        "two": Options(concurrency=2),
        "many": Options(concurrency=64),
        "shuffled": Options(concurrency=64, shuffle=True),
        "shuffled alone": Options(concurrency=1, shuffle=True),
    }.items():
        assert played(tmp_path / name, options) == reference, name
    assert played(tmp_path / "other seed", Options(), seed=4) != reference
    lines = [Trajectory.model_validate_json(x) for x in reference.decode().split("\n")[:-1]]
    assert [t.session_id for t in lines] == [s.session_id for s in study().specs()]
    assert {t.ending for t in lines} >= {"patient_left", "max_turns", "error"}


KILLED = """
    import os
    import sys
    from pathlib import Path
    sys.path.insert(0, {here!r})
    from test_same_bytes import cast, study
    from turnwise.engine.running import Options, play_study
    from turnwise.engine.store import RunFolder
    for _ in sys.stdin:
        child = os.fork()
        if not child:
            play_study(study(), RunFolder(Path({out!r})), Options(concurrency=4), cast=cast(0.0015))
            os._exit(0)
        print(child, flush=True)
        sys.stdin.readline()
        print(os.waitpid(child, 0)[1], flush=True)
"""
"""Imports once and plays each time it is asked in a process of its own; that is not reaped before it is asked again,
so that its number is nobody else's while it can be killed."""


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX systems")
def test_twenty_kills_lose_and_double_nothing(tmp_path: Path) -> None:
    reference = played(tmp_path / "ref", Options(concurrency=1))
    out, chance = tmp_path / "killed", random.Random(11)
    script = textwrap.dedent(KILLED.format(here=str(Path(__file__).parent), out=str(out)))
    kills, interrupted_in_play = 0, 0
    with subprocess.Popen(
        [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    ) as player:
        assert player.stdin is not None
        assert player.stdout is not None
        while kills < 20:
            player.stdin.write("play\n")
            child = int(player.stdout.readline())
            time.sleep(chance.uniform(0.0, 0.06))
            os.kill(child, signal.SIGKILL)
            player.stdin.write("gone\n")
            ended = int(player.stdout.readline())
            assert ended in (0, signal.SIGKILL), "it did not play"
            finished = ended == 0
            kills += 1
            interrupted_in_play += not finished and out.exists()
            stored = RunFolder(out).finished()
            assert all(line.encode() in reference for line in stored.values())
            if finished:
                RunFolder(out).trajectories.unlink()  # everything was there already: play it again from nothing
                (out / "run.json").unlink()
        player.stdin.close()
    assert interrupted_in_play >= 5, "the kills came too late to prove anything"
    play_study(study(), RunFolder(out), Options(), cast=cast())
    assert RunFolder(out).trajectories.read_bytes() == reference
    assert sorted(p.name for p in out.iterdir()) == [".lock", "run.json", "trajectories.jsonl"], "a kill left litter"


def test_another_study_is_refused_and_nothing_is_lost(tmp_path: Path) -> None:
    before = played(tmp_path / "run", Options())
    with pytest.raises(UsageError, match="differs in seed"):
        played(tmp_path / "run", Options(), seed=4)
    assert (tmp_path / "run" / "trajectories.jsonl").read_bytes() == before
    assert played(tmp_path / "run", Options(force=True), seed=4) != before


def test_two_runs_never_write_into_one_folder(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path / "run")
    with folder.claimed(), pytest.raises(UsageError, match="another run is writing"):
        played(tmp_path / "run", Options())
    assert played(tmp_path / "run", Options())


def test_a_torn_last_line_is_played_again(tmp_path: Path) -> None:
    whole = played(tmp_path / "run", Options())
    path = tmp_path / "run" / "trajectories.jsonl"
    path.write_bytes(whole[: len(whole) // 2])
    assert played(tmp_path / "run", Options()) == whole


def test_a_full_disk_is_one_sentence_and_keeps_what_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, original, calls = RunFolder(tmp_path / "run"), RunFolder.append, [0]

    class Full:
        def write(self, text: str) -> int:
            raise OSError(28, "No space left on device")

        def close(self) -> None:
            raise OSError(28, "No space left on device")

    def append(self: RunFolder, t: Trajectory) -> None:
        calls[0] += 1
        if calls[0] == 10:
            assert self._log is not None
            self._log.close()
            self._log = Full()  # type: ignore[assignment]
        original(self, t)

    monkeypatch.setattr(RunFolder, "append", append)
    with pytest.raises(UsageError, match=r"disk is full.*resumes"):
        play_study(study(), folder, Options(concurrency=1), cast=cast())
    assert len(folder.finished()) == 9
    monkeypatch.setattr(RunFolder, "append", original)
    play_study(study(), folder, Options(), cast=cast())
    assert folder.trajectories.read_bytes() == played(tmp_path / "ref", Options())
