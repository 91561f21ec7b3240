"""Play sessions against a real inference server: real HTTP, real tokenizer, real sampling, a tiny random model.

    python tools/real_stack.py --server .venv-stack/bin

What is shown is that the pieces fit: a model built on the spot (``tools/tiny_model.py``) behind ``transformers
serve`` on the loopback plays four sessions as the therapist, then words one patient. What it says has no sense, so
nothing is shown about therapy, and every wording of it has to be refused.
"""

from __future__ import annotations

import argparse
import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NoReturn

MODEL = "openai-api/tiny/tiny"
PATIENTS, EPOCHS, TURNS = ("alun", "keisha"), 2, 3
_STARTS, _RUNS = 300, 420
"""Seconds that the server may take to start, and a run to be played and scored."""


def fail(why: str, log: Path | None = None) -> NoReturn:
    """Say what is broken, with the end of the server's log, and stop."""
    if log is not None and log.exists():
        print(*log.read_text(errors="replace").splitlines()[-25:], sep="\n", file=sys.stderr)
    raise SystemExit(f"stack: {why}")


def free_port() -> int:
    """Return a port of the loopback that nobody listens on now."""
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])


def answers(url: str) -> bool:
    """Whether the server says that it is well."""
    try:
        with urllib.request.urlopen(url, timeout=5) as reply:
            return bool(reply.status == 200)
    except OSError:
        return False


@contextmanager
def serving(bin_folder: Path, folder: Path) -> Iterator[str]:
    """Serve the model of ``folder/tiny`` while the block runs; yield the address."""
    (folder / "hub" / "hub").mkdir(parents=True)  # without it the list of models is a server error
    env = {**os.environ, "HF_HOME": str(folder / "hub"), "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"}
    port, log = free_port(), folder / "server.log"
    command = [bin_folder / "python", bin_folder / "transformers", "serve", "tiny"]
    command += ["--host", "127.0.0.1", "--port", str(port), "--device", "cpu"]
    with log.open("w") as out:
        server = subprocess.Popen(list(map(str, command)), cwd=folder, env=env, stdout=out, stderr=out)
        try:
            until = time.monotonic() + _STARTS
            while not answers(f"http://127.0.0.1:{port}/health"):
                if server.poll() is not None:
                    fail(f"the server ended with {server.returncode} before it answered", log)
                if time.monotonic() > until:
                    fail(f"the server did not answer within {_STARTS} s", log)
                time.sleep(0.5)
            yield f"http://127.0.0.1:{port}/v1"
            if server.poll() is not None:
                fail(f"the server ended with {server.returncode} in the middle", log)
        finally:
            server.terminate()
            try:
                server.wait(30)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()


def turnwise(url: str, *arguments: str) -> None:
    """Run a command of ours as a user would, with the server as the service ``tiny``."""
    env = {**os.environ, "TINY_BASE_URL": url, "TINY_API_KEY": "none", "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-c", "from turnwise.apps.cli import main; main()", *arguments]
    done = subprocess.run(command, env=env, timeout=_RUNS, check=False, capture_output=True, text=True)
    if done.returncode:
        fail(f"'turnwise {' '.join(arguments)}' ended with {done.returncode}:\n{done.stdout}{done.stderr}")


def sessions_in(run: Path) -> list[dict[str, Any]]:
    """Return the stored sessions of a run folder."""
    lines = (run / "trajectories.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def check(what: bool, why: str) -> None:
    """Stop where something is not as it has to be."""
    if not what:
        fail(why)


def spent(run: Path) -> dict[str, Any]:
    """Return what the run folder says of the model's calls; some must have been counted on both sides."""
    record = json.loads((run / "run.json").read_text(encoding="utf-8"))
    check(record["status"] == "finished", f"{run} is {record['status']}")
    found: dict[str, Any] = record["models"].get(MODEL) or {}
    counted = all((found.get(k) or 0) > 0 for k in ("calls", "tokens_in", "tokens_out"))
    check(counted and not found["faults"], f"calls and tokens are not counted, or calls failed: {found}")
    return found


def as_therapist(url: str, run: Path) -> str:
    """Play the model as therapist and check the run folder."""
    turnwise(url, "run", "--therapist", MODEL, "--patients", ",".join(PATIENTS), "--epochs", str(EPOCHS), "--turns",
             str(TURNS), "--max-tokens", "24", "--patience", "60", "--no-ladder", "--out", str(run))  # fmt: skip
    found = sessions_in(run)
    wanted = len(PATIENTS) * EPOCHS
    check(len({s["session_id"] for s in found}) == len(found) == wanted, f"{len(found)} sessions instead of {wanted}")
    for s in found:
        check(s["ending"] != "error", f"{s['session_id']}: {s['error']}")
        said = [t["text"] for t in s["turns"] if t["speaker"] == "therapist"]
        check(bool(said) and all(x.strip() for x in said), f"{s['session_id']}: the therapist said nothing")
    use, turns = spent(run), sum(t["speaker"] == "therapist" for s in found for t in s["turns"])
    check(use["calls"] == turns, f"{use['calls']} calls for {turns} therapist turns")
    return f"therapist: {len(found)} sessions, {turns} turns, {use['tokens_in']} tokens in, {use['tokens_out']} out"


def as_patient(url: str, run: Path) -> str:
    """Let the model word a patient, and check that no senseless word of it was said."""
    turnwise(url, "run", "--therapist", "reflector", "--patients", f"stateful:{MODEL}:alun", "--epochs", "1", "--turns",
             "4", "--max-tokens", "24", "--patience", "60", "--no-ladder", "--out", str(run))  # fmt: skip
    (session,) = sessions_in(run)
    check(session["ending"] != "error", f"{session['session_id']}: {session['error']}")
    wording = [info["wording"] for info in session["infos"] if "wording" in info]
    refused, use = sum(len(w["refused"]) for w in wording), spent(run)
    check(refused == use["calls"], f"{use['calls']} drafts, {refused} of them refused")
    check(all(w["by"] != "model" for w in wording), "a senseless wording was said")
    return f"patient: {len(wording)} turns, {refused} senseless drafts, all refused"


def main(arguments: Sequence[str] | None = None) -> None:
    """Build, serve, play, check."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--server", type=Path, required=True, help="bin folder of the environment with transformers")
    bin_folder = parser.parse_args(arguments).server.absolute()
    if not (bin_folder / "transformers").exists():
        fail(f"{bin_folder} holds no transformers; 'make stack' makes it")
    begun = time.monotonic()
    with TemporaryDirectory(prefix="turnwise-stack-") as name:
        folder = Path(name)
        tiny = [bin_folder / "python", Path(__file__).with_name("tiny_model.py"), folder / "tiny"]
        made = subprocess.run(list(map(str, tiny)), timeout=_STARTS, check=False, capture_output=True, text=True)
        if made.returncode:
            fail(f"the tiny model could not be built:\n{made.stdout}{made.stderr}")
        with serving(bin_folder, folder) as url:
            print(as_therapist(url, folder / "therapist"))
            print(as_patient(url, folder / "patient"))
    print(f"stack: sessions over real HTTP with a real inference server, {time.monotonic() - begun:.0f} s")


if __name__ == "__main__":
    main()
