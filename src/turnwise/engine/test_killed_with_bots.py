"""A run against a bot is killed: what was finished is not asked for again, and every session is there once."""

from __future__ import annotations

import os
import signal
import time
from collections import Counter
from pathlib import Path

import pytest

from killed_runs import killed_in_the_middle
from loopback_bot import QUICK, TURNS, Asked, Bot, Does, completion, played
from turnwise.engine.luck import LUCK_HEADER
from turnwise.engine.outside_http import HttpTherapist, read_address
from turnwise.engine.store import RunFolder

EPOCHS, TOGETHER = 8, 2
TESTS = Path(__file__).resolve().parents[3] / "tests"
PLAY = """
import sys
from pathlib import Path
sys.path[:0] = [{tests!r}]
from loopback_bot import QUICK, played
from turnwise.engine.outside_http import HttpTherapist, read_address
played(Path({out!r}), HttpTherapist(read_address({url!r}), QUICK), epochs={epochs}, concurrency={together})
"""


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX systems")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL], ids=["SIGINT", "SIGKILL"])
def test_what_was_finished_is_asked_for_once(tmp_path: Path, how: signal.Signals) -> None:
    def slow(number: int, asked: Asked) -> Does:
        time.sleep(0.1)
        return completion(f"Turn {len(asked.document['messages'])}.")

    out = tmp_path / "run"
    with Bot(slow) as bot:
        told = {"tests": str(TESTS), "out": str(out), "url": bot.url, "epochs": EPOCHS, "together": TOGETHER}
        killed_in_the_middle(PLAY.format(**told), out, how)
        finished = {f"/{session.rpartition('/')[2]}" for session in RunFolder(out).finished()}
        assert 3 <= len(finished) < EPOCHS
        before = len(bot.asked)
        sessions = played(out, HttpTherapist(read_address(bot.url), QUICK), epochs=EPOCHS, concurrency=TOGETHER)
        later = bot.asked[before:]
    assert [t.ending for t in sessions] == ["max_turns"] * EPOCHS
    assert len({t.session_id for t in sessions}) == EPOCHS
    assert len(later) == (EPOCHS - len(finished)) * TURNS, "each unfinished session from its beginning, and no other"
    assert not [a for a in later if a.headers[LUCK_HEADER.lower()][-2:] in finished]
    asked = Counter((a.headers[LUCK_HEADER.lower()], len(a.document["messages"])) for a in bot.asked)
    assert len(asked) == EPOCHS * TURNS
    assert sum(asked.values()) - len(asked) <= TOGETHER * TURNS, "only what was under way is asked for twice"
