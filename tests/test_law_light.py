"""``import turnwise`` and a default run stay light: asserted on ``sys.modules`` of a fresh process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

FRAMEWORKS = {"torch", "transformers", "inspect_ai", "trl", "ray", "pandas", "tensorflow", "jax"}
HEAVY = FRAMEWORKS | {
    "openai",
    "pyarrow",
    "model2vec",
    "tokenizers",
    "onnxruntime",
    "plotly",
    "fastapi",
    "ot",
    "jinja2",
    "sklearn",
}
HEAVY |= {"scipy.stats", "huggingface_hub", "httpx2"}


def _loaded_after(code: str, cwd: Path) -> set[str]:
    """Run ``code`` in a fresh process and return the modules it loaded."""
    code += "\nimport json, sys; open('modules.json', 'w').write(json.dumps(sorted(sys.modules)))"
    env = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "NO_COLOR": "1"}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=cwd, env=env, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return set(json.loads((cwd / "modules.json").read_text(encoding="utf-8")))


def _command(*args: str) -> str:
    lines = ["import sys", "from turnwise.apps.cli import main", f"sys.argv = {['turnwise', *args]!r}"]
    lines += ["try:", "    main()", "except SystemExit as end:", "    assert not end.code, end.code"]
    return "\n".join(lines)


def test_import_turnwise_loads_nothing_heavy(tmp_path: Path) -> None:
    loaded = _loaded_after("import turnwise", tmp_path)
    assert "turnwise" in loaded
    assert not HEAVY & loaded


@pytest.mark.parametrize("heavy", ["json.tool", "xml.dom"])
def test_the_check_itself_sees_what_is_loaded(tmp_path: Path, heavy: str) -> None:
    assert heavy in _loaded_after(f"import turnwise, {heavy}", tmp_path)


@pytest.mark.parametrize("args", [("--help",), ("run", "--help")])
def test_help_loads_nothing_heavy(tmp_path: Path, args: tuple[str, ...]) -> None:
    loaded = _loaded_after(_command(*args), tmp_path)
    assert "turnwise.apps.cli" in loaded
    assert not HEAVY & loaded


def test_a_default_run_loads_no_framework(tmp_path: Path) -> None:
    # Every therapist of a default run and its report, but one patient: the next fifteen load nothing else.
    loaded = _loaded_after(
        _command("run", "--patients", "alun", "--turns", "2", "--epochs", "1", "--out", "out"), tmp_path
    )
    assert "turnwise.core.play" in loaded
    assert not FRAMEWORKS & loaded
    assert (tmp_path / "out" / "trajectories.jsonl").exists()
