"""The options of ``turnwise run`` that concern language models: one place, so that the command line stays readable."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

__all__ = ["calls_from", "model_options"]

_OPTIONS = (
    click.option("--temperature", type=float, help="Of a model.  [default: the provider's]"),
    click.option("--max-tokens", default=1000, show_default=True, help="Tokens a model may write in one turn."),
    click.option("--patience", default=120, show_default=True, help="Seconds one call of a model may take."),
    click.option("--retries", default=5, show_default=True, help="Calls again after a fault that may pass."),
    click.option(
        "--model-arg",
        "model_args",
        multiple=True,
        metavar="KEY=VALUE",
        help="Handed to the provider as it is; never a key: keys come from the environment.",
    ),
    click.option(
        "--replay",
        type=click.Path(path_type=Path),
        metavar="RUN",
        help="Let the recorded calls of a run stand for its models: offline, byte for byte.",
    ),
    click.option(
        "--inspect-logs/--no-inspect-logs",
        "log",
        default=True,
        show_default=True,
        help="Keep Inspect's logs of model calls, for 'inspect view'.",
    ),
    click.option("--dry-run", is_flag=True, help="Say what models would be asked and what it costs; play nothing."),
    click.option(
        "--prices",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="YAML: model to {input, output}, per million tokens.",
    ),
)


def model_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options to a command, in the order above."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def calls_from(asked: dict[str, Any]) -> Any:
    """Return how models are called, from what was asked on the command line.

    Raises
    ------
    UsageError : a number or an argument makes no sense.
    """
    from turnwise.engine.casting import Calls
    from turnwise.engine.model_settings import CallSettings, parsed_arguments

    settings = CallSettings(
        temperature=asked["temperature"],
        max_tokens=asked["max_tokens"],
        patience=asked["patience"],
        retries=asked["retries"],
        arguments=parsed_arguments(asked["model_args"]),
    )
    return Calls(settings=settings.checked(), replay=asked["replay"], log=asked["log"])
