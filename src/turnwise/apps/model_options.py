"""The options of ``turnwise run`` that concern language models: one place, so that the command line stays readable."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click

from turnwise.apps.terminal import print_json, visible

__all__ = ["calls_from", "model_options", "prices_from", "print_plan", "spent_line"]

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
    click.option(
        "--processes",
        type=click.IntRange(0, 64),
        default=0,
        help="Processes that share the sessions with models.  [default: as many as pay]",
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
    return Calls(settings=settings.checked(), replay=asked["replay"], log=asked["log"], processes=asked["processes"])


def prices_from(path: Path | None) -> dict[str, Any]:
    """Return the table of prices that was named, if one was.

    Raises
    ------
    UsageError, FormatError : it cannot be read.
    """
    from turnwise.engine.spending import read_prices

    return read_prices(path) if path is not None else {}


def print_plan(study: Any, options: Any, stdout: Any, *, as_json: bool) -> None:
    """Say what a study would ask of models, and what that costs; nothing is played for good, no model is reached."""
    from turnwise.engine.rehearsal import CHARACTERS_A_TOKEN, TOKENS_A_REPLY, rehearse

    sessions = len(study.therapists) * len(study.patients) * study.epochs
    found = rehearse(study, options, options.prices)
    if as_json:
        document = {"dry_run": True, "sessions": sessions, "models": [x.record() for x in found]}
        print_json(document)
        return
    stdout.print(f"dry run: {sessions:,} sessions of at most {study.turns} therapist turns; nothing was asked")
    if not found:
        stdout.print("no language model takes part; nothing to pay.")
        return
    for x in found:
        most = "any number" if x.most_tokens_out is None else f"{x.most_tokens_out:,} at most"
        price = "no price in the table" if x.price is None else f"price about {x.price:,.2f}"
        stdout.print(
            f"  {visible(x.model)}: about {x.calls:,} calls, {x.tokens_in:,} tokens in, {x.tokens_out:,} out ({most}); "
            f"{price if options.prices else 'give --prices FILE for a price'}",
            soft_wrap=True,
        )
    stdout.print(
        f"estimated by rehearsing some sessions with a stand-in: {CHARACTERS_A_TOKEN} characters a token, "
        f"{TOKENS_A_REPLY} tokens a reply; calls made again after faults come on top.",
        style="dim",
        soft_wrap=True,
    )


def spent_line(models: Mapping[str, Any]) -> list[str]:
    """Return one line for each model of a run: calls, tokens, and the price where there is one."""
    lines = []
    for model, s in models.items():
        split = "" if s["tokens_in"] is None else f" ({s['tokens_in']:,} in, {s['tokens_out']:,} out)"
        price = "" if s["price"] is None else f", price {s['price']:,.2f}"
        lines.append(f"{model}: {s['calls']:,} calls, {s['faults']:,} failed, {s['tokens']:,} tokens{split}{price}")
    return lines
