"""What the tests of models share: a loopback endpoint in the environment, and studies small enough to play at once."""

from __future__ import annotations

import gc
import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from scripted_server import Scripted, listening, plain_therapist

KEY = "sk-loopback-4f1d2c9e77"


@pytest.fixture
def loopback(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Scripted]]:
    """Start a scripted server and name it in the environment: ``openai-api/loop/ANY`` then speaks to it."""
    pytest.importorskip("inspect_ai", reason="needs the extra [inspect]")
    from inspect_ai.model import _model

    monkeypatch.setattr(_model, "_models", {})  # models that Inspect keeps know the address of another test
    with ExitStack() as stack:

        def start(script: Any = plain_therapist) -> Scripted:
            server = stack.enter_context(listening(script))
            monkeypatch.setenv("LOOP_BASE_URL", server.url)
            monkeypatch.setenv("LOOP_API_KEY", KEY)
            return server

        yield start
        # Inspect never closes what it keeps; here its loop is over, so that nobody can.
        _model._models.clear()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ResourceWarning)
            gc.collect()


@pytest.fixture
def run_folder(tmp_path: Path) -> Path:
    """Return a path for a run folder that is not there yet."""
    return tmp_path / "run"
