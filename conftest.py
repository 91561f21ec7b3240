"""Settings of every test: no property has a deadline, because no test asserts how fast a machine is."""

from __future__ import annotations

import gc
import signal

from hypothesis import settings

settings.register_profile("turnwise", deadline=None)
settings.load_profile("turnwise")

# What is begun in the background of a script ignores Ctrl-C, and so would every process that the tests interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_finish() -> None:
    """Take what collecting has imported out of the garbage collector's rounds: it stays until the end anyway.

    A million objects would else be walked over at each full round, and the tests of models ask for one each.
    """
    gc.collect()
    gc.freeze()
