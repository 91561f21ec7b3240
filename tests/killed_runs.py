"""A run in a process of its own that is killed once some of its sessions are stored."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

__all__ = ["killed_in_the_middle"]

_STORED = 3
"""Sessions that are stored when the run is killed."""


def killed_in_the_middle(code: str, folder: Path, how: signal.Signals) -> None:
    """Run ``code``, which plays into ``folder``, and kill it with some sessions stored and others under way."""
    process = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.DEVNULL)
    stored = folder / "trajectories.jsonl"
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and not (stored.exists() and stored.read_bytes().count(b"\n") >= _STORED):
        assert process.poll() is None, "it ended before it could be killed"
        time.sleep(0.02)
    process.send_signal(how)
    process.wait(60)
    assert process.returncode != 0
