"""Rooms below the engine touch nothing outside: no clock, no environment, no file, no global randomness."""

from __future__ import annotations

from pathlib import Path

import pytest

from laws import LOWER_ROOMS, Breach, side_effects

PACKAGE = Path(__file__).resolve().parents[1] / "src" / "turnwise"

# (file, law): why it is fine there. Whatever is listed and no longer needed fails too.
ALLOWED: dict[tuple[str, str], str] = {
    (
        "reading/package_data.py",
        "file",
    ): "the one place where the room reads its package data, through importlib.resources",
    (
        "patients/casebook.py",
        "file",
    ): "cases ship as package data, and a clinician's own case file is read from its path",
}

FORBIDDEN = [
    ("import time", "clock"),
    ("from time import perf_counter", "clock"),
    ("from datetime import datetime as dt\nx = dt.now()", "clock"),
    ("import datetime\nx = datetime.datetime.utcnow()", "clock"),
    ("import datetime\nx = datetime.date.today()", "clock"),
    ("import os\nx = os.environ['HOME']", "environment"),
    ("from os import environ\nx = dict(environ)", "environment"),
    ("import os\nx = os.getenv('HOME')", "environment"),
    ("import random", "global randomness"),
    ("from random import choice", "global randomness"),
    ("import numpy as np\nx = np.random.rand(3)", "global randomness"),
    ("import numpy as np\nnp.random.seed(0)", "global randomness"),
    ("from numpy import random as r\nx = r.normal()", "global randomness"),
    ("from numpy.random import default_rng\nx = default_rng()", "global randomness"),
    ("import numpy as np\nx = np.random.default_rng(None)", "global randomness"),
    ("import uuid", "global randomness"),
    ("import importlib\nx = importlib.import_module('json')", "dynamic import"),
    ("from importlib import import_module as load\nx = load('json')", "dynamic import"),
    ("x = __import__('json')", "dynamic import"),
    ("exec('1')", "dynamic code"),
    ("x = eval('1')", "dynamic code"),
    ("x = open('f')", "file"),
    ("from pathlib import Path\nx = Path('f').read_text()", "file"),
    ("from pathlib import Path\nPath('f').write_bytes(b'')", "file"),
    ("print('hello')", "output"),
    ("x = hash('salted')", "salted hash"),
    ("import pickle", "pickle"),
    ("import joblib", "pickle"),
    ("import subprocess", "process"),
    ("def f():\n    import sklearn.linear_model", "fitting belongs in tools"),
]
HARMLESS = [
    "import numpy as np\nx = np.random.default_rng(3)\ny: np.random.Generator",
    "import numpy as np\nx = np.random.Generator(np.random.PCG64(np.random.SeedSequence([1, 2])))",
    "import re\nx = re.compile('a')",
    "from importlib.resources import files\nx = files('turnwise')",
    "from datetime import timedelta\nx = timedelta(1)",
    "import hashlib\nx = hashlib.sha256(b'').hexdigest()",
    "def now(time):\n    return time",
]


def _package_with(tmp_path: Path, room: str, code: str, name: str = "plugin.py") -> Path:
    (tmp_path / room).mkdir()
    (tmp_path / room / name).write_text(code + "\n", encoding="utf-8")
    return tmp_path


def test_rooms_below_the_engine_have_no_side_effects() -> None:
    breaches = [b for b in side_effects(PACKAGE) if (b.path, b.law) not in ALLOWED]
    assert not breaches, "\n".join(f"{b.path}:{b.line}: {b.law} ({b.what})" for b in breaches)


def test_no_exception_outlives_its_reason() -> None:
    needed = {(b.path, b.law) for b in side_effects(PACKAGE)}
    assert set(ALLOWED) <= needed
    assert all(len(reason.split()) > 4 for reason in ALLOWED.values())


@pytest.mark.parametrize(("code", "law"), FORBIDDEN)
def test_the_law_sees_every_forbidden_construct(tmp_path: Path, code: str, law: str) -> None:
    found = side_effects(_package_with(tmp_path, "metrics", code))
    assert law in {b.law for b in found}
    assert {b.path for b in found} == {"metrics/plugin.py"}


@pytest.mark.parametrize("code", HARMLESS)
def test_the_law_leaves_the_harmless_alone(tmp_path: Path, code: str) -> None:
    assert side_effects(_package_with(tmp_path, "stats", code)) == []


@pytest.mark.parametrize("room", LOWER_ROOMS)
def test_the_law_looks_into_every_lower_room(tmp_path: Path, room: str) -> None:
    assert side_effects(_package_with(tmp_path, room, "x = 1\nimport time")) == [
        Breach(f"{room}/plugin.py", 2, "clock", "time")
    ]


@pytest.mark.parametrize(("room", "name"), [("engine", "plugin.py"), ("apps", "plugin.py"), ("core", "test_plugin.py")])
def test_upper_rooms_and_tests_may(tmp_path: Path, room: str, name: str) -> None:
    assert side_effects(_package_with(tmp_path, room, "import time", name)) == []
