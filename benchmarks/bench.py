"""Speed and memory on this machine, each figure beside a peer measured in the same run.

Usage: python benchmarks/bench.py [--full] [--json]

- loop: what ``core.play`` adds to a bare asyncio loop that calls the same two participants.
- read: all raters of the default bundle on spoken turns, in batch, and the ears on one turn at a time.
- score: reading, measuring and writing a file of transcripts, beside a plain TF-IDF + logistic
  pipeline that only predicts one label a turn. Every size runs in a process of its own, because
  the peak of memory is a property of a process.
- bars: what was promised. A whole turn of an embedded patient (``patient_turn.py``, at most 1.0 ms), a session
  of 40 turns with all measures (at most 15 ms), both in CPU time of one core; and 100,000 turns from file to report
  (``--full``; else 10,000; at most 60 s and 1 GB for 100,000) as one waits for them, in as many processes as scoring
  takes. Memory is that of all its processes together, what they share counted once (Linux; elsewhere the first's).

Wall times depend on the machine and on who else is using it; the ratios depend on it less.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from memory import Memory, cpu_s
from turnwise import __version__
from turnwise.core.nouns import Case, Intake, Reply, SessionSpec, Trajectory, Turn
from turnwise.core.play import play

SESSIONS, TURNS, REPEATS = 100, 12, 5
SIZES, WHOLE, FULL = (1_000, 10_000), 100_000, 1_000_000
SESSION_TURNS = 40

_THERAPIST = (
    "It sounds as if {a} has been weighing on you.",
    "What happens just before you notice {a}?",
    "You could try to write down {a} every evening, and see what {b} does to it.",
    "So on one side there is {a}, and on the other {b}.",
    "Okay.",
    "Thank you for telling me about {a}; I can see that {b} is part of it too.",
)
_PATIENT = (
    "I don't know, it is mostly {a}.",
    "I want to change {a}, but then {b} comes and I give up.",
    "Nothing helps. {a} was there before, and it will be there again.",
    "Maybe I could start with {a}. I have been thinking of it since last week.",
    "Yes.",
    "My sister says that {a} is my own fault, and some days, with {b}, I believe her.",
)
_THINGS = ("the drinking", "my job", "not sleeping", "the quarrels at home", "being alone", "the exam", "the money")


class _Constant:
    """A participant that costs nothing, so that only the loop is timed."""

    def __init__(self, text: str) -> None:
        self.text = text

    def init(self, who: object, rng: object, prior: object = None) -> int:
        return 0

    async def respond(self, state: int, transcript: Sequence[Turn], rng: object) -> Reply[int]:
        return Reply(self.text, state + 1)


async def _bare(therapist: _Constant, patient: _Constant) -> list[str]:
    """Play the same session without a seed per step, a check, a record or an ending."""
    turns: tuple[Turn, ...] = ()
    t, p = therapist.init(None, None), patient.init(None, None)
    for _ in range(TURNS):
        said = await therapist.respond(t, turns, None)
        turns += (Turn(speaker="therapist", text=said.text),)
        answer = await patient.respond(p, turns, None)
        turns += (Turn(speaker="patient", text=answer.text),)
        t, p = said.state, answer.state
    return [turn.text for turn in turns]


def _best(run: Callable[[], object]) -> float:
    """Return the least CPU time of several repeats: the others were disturbed."""
    times = []
    for _ in range(REPEATS):
        gc.collect()
        start = time.process_time()
        run()
        times.append(time.process_time() - start)
    return min(times)


def bench_loop() -> dict[str, float]:
    """Return CPU milliseconds a turn of the session loop and of a bare one."""
    case = Case(id="bench", intake=Intake(), truth={}, source="bench", licence="bench")
    pair = _Constant("It is the quarrels at home."), _Constant("What happens then?")

    async def ours() -> None:
        specs = (
            SessionSpec(case="bench", patient="p", therapist="t", seed=i, max_turns=TURNS) for i in range(SESSIONS)
        )
        await asyncio.gather(*(play(spec, case, *pair) for spec in specs))

    async def bare() -> None:
        await asyncio.gather(*(_bare(pair[1], pair[0]) for _ in range(SESSIONS)))

    turns = SESSIONS * TURNS * 2
    a = 1000 * _best(lambda: asyncio.run(ours())) / turns
    b = 1000 * _best(lambda: asyncio.run(bare())) / turns
    return {"turns": turns, "ms_per_turn": a, "bare_ms_per_turn": b, "overhead_ms_per_turn": a - b, "ratio": a / b}


def _sentences(seed: int) -> Iterator[tuple[str, str]]:
    """Yield (speaker, text) without end; therapist and patient by turns."""
    rng = np.random.default_rng(seed)
    while True:
        for speaker, forms in (("therapist", _THERAPIST), ("patient", _PATIENT)):
            a, b = rng.choice(_THINGS, 2, replace=False)
            words = " ".join(forms[i].format(a=a, b=b) for i in rng.integers(len(forms), size=rng.integers(1, 4)))
            yield speaker, f"{words} It was the {rng.integers(1, 400)}th time."


def write_transcripts(path: Path, turns: int) -> None:
    """Write synthetic sessions of fixed length; nearly every turn differs, so no cache can help."""
    said = _sentences(7)
    with path.open("w", encoding="utf-8") as file:
        for number in range(turns // SESSION_TURNS):
            spoken = tuple(Turn.model_validate({"speaker": s, "text": x}) for s, x in islice(said, SESSION_TURNS))
            file.write(Trajectory(session_id=f"s{number}", source="bench", turns=spoken).model_dump_json() + "\n")


def _texts(path: Path) -> Iterator[str]:
    with path.open(encoding="utf-8") as file:
        for line in file:
            yield from (turn["text"] for turn in json.loads(line)["turns"])


def prepare_score(path: Path, out: Path) -> Callable[[], object]:
    """Return what scores the file through the engine, as ``turnwise score`` does."""
    from turnwise.engine.scoring import score_file

    return lambda: score_file(path, out)


def prepare_peer(path: Path, out: Path) -> Callable[[], object]:
    """Return what predicts one label a turn with a plain pipeline that was fitted before, streaming."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    texts = list(islice(_texts(path), 800))
    pipeline = make_pipeline(TfidfVectorizer(ngram_range=(1, 2)), LogisticRegression(max_iter=200))
    pipeline.fit(texts, [i % 4 for i in range(len(texts))])

    def predict() -> None:
        stream = _texts(path)
        with out.open("w", encoding="utf-8") as file:
            while block := list(islice(stream, 4096)):
                file.writelines(f"{label}\n" for label in pipeline.predict(block))

    return predict


def prepare_whole(path: Path, out: Path) -> Callable[[], object]:
    """Return what ``turnwise score`` does with a file: import, ratings, metrics, tables and the report."""
    from turnwise.apps.report import write_report
    from turnwise.engine.scoring import score_file

    def whole() -> None:
        score_file(path, out)
        write_report(out)

    return whole


def prepare_measures(path: Path, out: Path) -> Callable[[], object]:
    """Return what measures sessions, with every rater and metric: one by one, then in chunks as scoring does."""
    from turnwise.core.registry import METRICS
    from turnwise.engine.ratings import Readers
    from turnwise.engine.tables import score_session

    readers, sessions, metrics = Readers.load(), _sessions(path), METRICS.newest()
    readers.rate(sessions[:2])
    chunk = 2_048 // SESSION_TURNS

    def cpu_ms(some: Sequence[Trajectory]) -> float:
        start = time.process_time()
        for t in readers.rate(some):
            score_session(t, metrics)
        return 1000 * (time.process_time() - start) / len(some)

    def measure() -> dict[str, float]:
        half = len(sessions) // 2
        alone = [cpu_ms([t]) for t in sessions[2:half]]
        chunks = [cpu_ms(sessions[i : i + chunk]) for i in range(half, len(sessions) - chunk + 1, chunk)]
        return {"alone_ms": float(np.median(alone)), "in_chunks_ms": float(np.median(chunks))}

    return measure


def prepare_turn(path: Path, out: Path) -> Callable[[], object]:
    """Return what plays embedded patients and gives the milliseconds of a turn."""
    from patient_turn import figures

    return figures


def _sessions(path: Path) -> list[Trajectory]:
    with path.open(encoding="utf-8") as file:
        return [Trajectory.model_validate_json(line) for line in file]


def prepare_raters(path: Path, out: Path) -> Callable[[], object]:
    """Return what reads every session with every rater of the default bundle, weights loaded before."""
    from turnwise.engine.ratings import Readers

    readers, sessions = Readers.load(), _sessions(path)
    readers.rate(sessions[:2])
    if readers.faults:
        sys.exit(f"bench: {readers.faults}")
    chunk = 2_048 // SESSION_TURNS

    def read() -> None:
        for start in range(0, len(sessions), chunk):
            readers.rate(sessions[start : start + chunk])

    return read


def prepare_ears(path: Path, out: Path) -> Callable[[], object]:
    """Return what hears every turn by itself, one after the other."""
    from turnwise.reading.ears.direct import hear_block
    from turnwise.reading.window import windows_of

    windows = [w for t in _sessions(path) for w in windows_of(t.turns)]
    hear_block(windows[:2])

    def hear() -> None:
        for window in windows:
            hear_block([window])

    return hear


PREPARE = {"score": prepare_score, "peer": prepare_peer, "raters": prepare_raters, "ears": prepare_ears}
PREPARE |= {"whole": prepare_whole, "measures": prepare_measures, "turn": prepare_turn}
READ_TURNS = 12_000  # several of the chunks in which the engine reads


def _child(name: str, path: Path, out: Path) -> None:
    run = PREPARE[name](path, out)
    start, cpu = time.perf_counter(), cpu_s()
    with Memory() as memory:
        found = run()
    used = {"s": time.perf_counter() - start, "cpu_s": cpu_s() - cpu, "peak_mib": memory.peak_mib}
    print(json.dumps(used | (found if name in ("measures", "turn") and isinstance(found, dict) else {})))


def _measured(name: str, path: Path, out: Path) -> dict[str, float]:
    command = [sys.executable, __file__, "--child", name, str(path), str(out)]
    env = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"bench: {name} failed\n{done.stderr}")
    return dict(json.loads(done.stdout.splitlines()[-1]))


def bench_score(turns: int) -> dict[str, float]:
    """Return turns a second and peak memory of scoring, and of the peer."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "transcripts.jsonl"
        write_transcripts(path, turns)
        ours, peer = (_measured(name, path, Path(folder) / name) for name in ("score", "peer"))
    return {
        "turns": turns,
        "turns_per_s": turns / ours["s"],
        "cpu_us_per_turn": 1e6 * ours["cpu_s"] / turns,
        "peak_mib": ours["peak_mib"],
        "peer_turns_per_s": turns / peer["s"],
        "peer_peak_mib": peer["peak_mib"],
        "time_ratio": ours["s"] / peer["s"],
        "peak_ratio": ours["peak_mib"] / peer["peak_mib"],
    }


def bench_read() -> dict[str, float]:
    """Return turns a second of all raters in batch, milliseconds a turn of the ears, and the peer's turns a second."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "transcripts.jsonl"
        write_transcripts(path, READ_TURNS)
        used = {name: _measured(name, path, Path(folder) / name) for name in ("raters", "ears", "peer")}
    return {
        "turns": READ_TURNS,
        "raters_turns_per_s": READ_TURNS / used["raters"]["cpu_s"],
        "ears_ms_per_turn": 1000 * used["ears"]["cpu_s"] / READ_TURNS,
        "peer_turns_per_s": READ_TURNS / used["peer"]["cpu_s"],
        "raters_ratio": used["raters"]["cpu_s"] / used["peer"]["cpu_s"],
    }


def bench_bars(turns: int) -> dict[str, float]:
    """Return the figures that are promised: a patient's turn, a session's measures, ``turns`` from file to report."""
    with tempfile.TemporaryDirectory() as folder:
        path, few = Path(folder) / "transcripts.jsonl", Path(folder) / "few.jsonl"
        write_transcripts(path, turns)
        write_transcripts(few, READ_TURNS)
        turn, measures = (_measured(name, few, Path(folder) / name) for name in ("turn", "measures"))
        whole = _measured("whole", path, Path(folder) / "whole")
    return {
        "patient_turn_ms": turn["together_ms"],
        "patient_turn_by_itself_ms": turn["by_itself_ms"],
        "patient_turn_alone_ms": turn["one_by_one_ms"],
        "patient_turn_all_new_ms": turn["all_new_ms"],
        "session_ms": measures["in_chunks_ms"],
        "session_alone_ms": measures["alone_ms"],
        "turns": turns,
        "whole_s": whole["s"],
        "whole_cpu_s": whole["cpu_s"],
        "whole_peak_mib": whole["peak_mib"],
    }


def _report(result: dict[str, Any]) -> str:
    loop, read, bars = result["loop"], result["read"], result["bars"]
    lines = [
        f"turnwise {result['turnwise']}, Python {result['python']}, {result['cores']} cores, {result['system']}",
        "",
        f"session loop   {loop['ms_per_turn']:.4f} ms a turn; bare loop {loop['bare_ms_per_turn']:.4f}; "
        f"overhead {loop['overhead_ms_per_turn']:.4f} ms ({loop['ratio']:.1f} x), {loop['turns']:,} turns",
        "",
        f"raters         {read['raters_turns_per_s']:,.0f} turns/s in batch, all of them, one core; plain TF-IDF "
        f"with one label {read['peer_turns_per_s']:,.0f} ({read['raters_ratio']:.1f} x)",
        f"ears           {read['ears_ms_per_turn']:.3f} ms for a single turn",
        "",
        f"patient turn   {bars['patient_turn_ms']:.3f} ms, hearing included, as a run plays it (at most 1.0); "
        f"{bars['patient_turn_by_itself_ms']:.3f} by itself, {bars['patient_turn_alone_ms']:.3f} in one session alone "
        f"with its event loop and seeding, {bars['patient_turn_all_new_ms']:.3f} if no "
        "question was ever asked before",
        f"session        {bars['session_ms']:.1f} ms for all measures of {SESSION_TURNS} turns in chunks (at most 15); "
        f"{bars['session_alone_ms']:.1f} alone",
        f"file to report {bars['whole_s']:.1f} s ({bars['whole_cpu_s']:.1f} of CPU) and "
        f"{bars['whole_peak_mib']:,.0f} MiB for {bars['turns']:,} turns (at most 60 s and 1,000 for 100,000)",
        "",
        f"{'score':>12} {'turns/s':>9} {'peak MiB':>9} "
        f"{'peer turns/s':>13} {'peer MiB':>9} {'time x':>7} {'peak x':>7}",
    ]
    lines += [
        f"{r['turns']:>12,} {r['turns_per_s']:>9,.0f} {r['peak_mib']:>9,.0f} {r['peer_turns_per_s']:>13,.0f} "
        f"{r['peer_peak_mib']:>9,.0f} {r['time_ratio']:>7.1f} {r['peak_ratio']:>7.2f}"
        for r in result["score"]
    ]
    return "\n".join(lines)


def main(argv: Sequence[str] | None = None) -> int:
    """Run every benchmark and print it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--full", action="store_true", help=f"also score {FULL:,} turns")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument("--child", nargs=3, metavar=("NAME", "PATH", "OUT"), help=argparse.SUPPRESS)
    asked = parser.parse_args(argv)
    if asked.child:
        _child(asked.child[0], Path(asked.child[1]), Path(asked.child[2]))
        return 0
    result = {
        "turnwise": __version__,
        "python": platform.python_version(),
        "system": platform.system(),
        "cores": os.cpu_count(),
        "loop": bench_loop(),
        "read": bench_read(),
        "bars": bench_bars(WHOLE if asked.full else SIZES[-1]),
        "score": [bench_score(n) for n in (*SIZES, *((FULL,) if asked.full else ()))],
    }
    print(json.dumps(result, indent=2) if asked.json else _report(result))
    return 0


if __name__ == "__main__":
    sys.exit(main())
