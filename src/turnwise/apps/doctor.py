"""What is installed, what is missing, and what works without it."""

from __future__ import annotations

import importlib.util
import platform
import shutil
import sys
from importlib.metadata import PackageNotFoundError, version

import click

from turnwise import __version__
from turnwise.apps.terminal import print_json

__all__ = ["doctor_command"]

_CORE = (
    "numpy",
    "scipy",
    "pydantic",
    "pyyaml",
    "click",
    "rich",
    "pyarrow",
    "jinja2",
    "model2vec",
    "POT",
    "plotly",
    "httpx2",
)
_EXTRAS = {
    "inspect": ("inspect_ai", "runs with language models through Inspect"),
    "train": ("trl", "training of models"),
    "ray": ("ray", "scoring on several machines"),
    "web": ("fastapi", "turnwise serve, an OpenAI-compatible endpoint"),
    "deep": ("onnxruntime", "the transformer reader"),
    "fit": ("sklearn", "fitting the coders again (tools/)"),
}


def _package(name: str) -> tuple[str, bool, str]:
    try:
        return name, True, version(name)
    except PackageNotFoundError:
        return name, False, f"not installed: pip install {name}"


def _parts() -> list[tuple[str, bool, str]]:
    """Try the pieces that every run needs; a broken one is named with what it said."""
    found: list[tuple[str, bool, str]] = []

    def attempt(what: str, action: object) -> None:
        try:
            found.append((what, True, str(action())))  # type: ignore[operator]
        except Exception as fault:
            found.append((what, False, f"{type(fault).__name__}: {fault}"))

    def plugins() -> str:
        from turnwise.core.registry import REGISTRIES
        from turnwise.engine.discovery import discover

        discover()
        return ", ".join(f"{len(r)} {kind}" for kind, r in REGISTRIES.items() if len(r))

    def encoder() -> str:
        from turnwise.reading.encoder import encode

        return f"ok, {encode(['a test']).shape[1]} dimensions"

    def coders() -> str:
        from turnwise.core.registry import READERS

        return ", ".join(f"{e.name} {e.obj().sha256[:8]}" for e in READERS.newest())

    def cases() -> str:
        from turnwise.patients.casebook import case_ids, load_case

        return ", ".join(load_case(c).id for c in case_ids())

    for what, action in (("plugins", plugins), ("encoder", encoder), ("coders", coders), ("cases", cases)):
        attempt(what, action)
    return found


def doctor_command(as_json: bool) -> int:
    """Print the state of this installation; return 1 if something that every run needs is broken."""
    core = [_package(name) for name in _CORE] + _parts()
    extras = {
        name: {"installed": importlib.util.find_spec(module) is not None, "for": purpose}
        for name, (module, purpose) in _EXTRAS.items()
    }
    healthy = all(ok for _, ok, _ in core)
    document = {
        "turnwise": __version__,
        "python": platform.python_version(),
        "executable": sys.executable,
        "core": {name: {"ok": ok, "detail": detail} for name, ok, detail in core},
        "extras": extras,
        "browser": shutil.which("chromium") or shutil.which("google-chrome"),
        "healthy": healthy,
    }
    if as_json:
        print_json(document)
        return 0 if healthy else 1
    click.echo(f"turnwise {__version__}, Python {document['python']} at {sys.executable}\n")
    for name, ok, detail in core:
        click.echo(f"  {'ok ' if ok else 'BAD'}  {name:<12} {detail}")
    click.echo("\nextras (all optional):")
    for name, (_, purpose) in _EXTRAS.items():
        state = "installed" if extras[name]["installed"] else f"missing: pip install 'turnwise[{name}]'"
        click.echo(f"       {name:<12} {purpose}: {state}")
    click.echo(
        "\neverything a default run needs works."
        if healthy
        else "\nsomething every run needs is broken; see BAD above."
    )
    return 0 if healthy else 1
