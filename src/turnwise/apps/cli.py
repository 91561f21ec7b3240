"""The command line. Plain verbs, ``--json`` everywhere; with which code a command ends: ``exit_codes.py``."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from turnwise.apps.exit_codes import IN_WORDS, MISUSE, STOPPED

try:
    import click

    from turnwise import __version__
    from turnwise.apps.converting import export_command, import_command
    from turnwise.apps.model_options import model_options
    from turnwise.apps.redacting import redact_command
    from turnwise.apps.terminal import any_encoding, visible
    from turnwise.core.errors import TurnwiseError
except KeyboardInterrupt:  # loading takes long enough to be interrupted, and there is no command yet to say so
    sys.stderr.write("turnwise: stopped.\n")
    sys.exit(STOPPED)

__all__ = ["cli", "main"]

_KINDS = ("metrics", "therapists", "patients", "readers", "importers", "batteries", "checks", "rewards")

json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead of text.")
readers_option = click.option(
    "--readers",
    type=click.Choice(["open", "research"]),
    default="research",
    show_default=True,
    help="Coders by licence: all, or only those fitted on data free for any use.",
)
no_text_option = click.option("--no-text", is_flag=True, help="Keep what was said out of tables and report.")
Command = Callable[..., Any]


@click.group(
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=f"Every command ends with {IN_WORDS}.",
)
@click.version_option(__version__, prog_name="turnwise")
def cli() -> None:
    """Measure how far a therapist's single replies and whole conversations are apart.

    A measuring instrument and a practice room, never a therapist for people in distress.
    """


@cli.command(epilog="Exit code 3: all was played, but some sessions or replies ended in an error.")
@click.option(
    "--therapist",
    "therapists",
    multiple=True,
    metavar="NAME",
    help="A therapist, a model (openai/…, ollama/…, socratic:openai/…), http:URL of a bot, or python:module:function; "
    "repeat for more.",
)
@click.option(
    "--patients",
    "patients",
    multiple=True,
    metavar="CASE[,CASE]",
    help="Patients by case name; or stateful:MODEL:CASE (our patient in a model's words), prompted:MODEL:CASE.",
)
@click.option("--turns", default=20, show_default=True, help="Therapist turns at most.")
@click.option("--epochs", default=4, show_default=True, help="Sessions of each pair, each with its own luck.")
@click.option(
    "--sessions",
    default=1,
    show_default=True,
    help="Sessions of each course: the same patient comes back so often, a week later, unless it left.",
)
@click.option("--seed", default=1, show_default=True, help="Decides everything that chance decides.")
@click.option("--out", type=click.Path(path_type=Path), help="Run folder.  [default: runs/<name of the study>]")
@click.option("--concurrency", default=64, show_default=True, help="Sessions at a time; changes no byte.")
@click.option("--shuffle", is_flag=True, help="Play in random order; changes no byte either.")
@click.option("--force", is_flag=True, help="Start over instead of resuming.")
@click.option(
    "--ladder/--no-ladder",
    default=True,
    show_default=True,
    help="Also play the scheduled moments alone and after a replayed history.",
)
@click.option(
    "--reference",
    default="reflector",
    show_default=True,
    metavar="NAME",
    help="Who leads the replayed histories.",
)
@click.option(
    "--ladder-epochs",
    default=2,
    show_default=True,
    help="Epochs at most whose moments are played again.",
)
@model_options
@click.option(
    "--bot-header",
    "bot_headers",
    multiple=True,
    metavar="NAME=VARIABLE",
    help="Send http: bots this header with the value of that environment variable; stored nowhere.",
)
@click.option("--bot-timeout", default=120.0, show_default=True, help="Seconds that one answer of a bot may take.")
@click.option("--retry-errors", is_flag=True, help="Play again what ended in an error.")
@readers_option
@no_text_option
@json_option
def run(**asked: Any) -> None:
    """Play therapists against simulated patients, score the sessions, write a report.

    Without options: the default line-up of embedded therapists against every case. Run the same command again to
    resume a run that was interrupted.
    """
    from turnwise.apps.commands import run_command

    run_command(**asked)


@cli.command()
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), help="Run folder.  [default: runs/<name of the file>]")
@click.option("--by", metavar="KEY", help="Group sessions by a key of their meta, e.g. mi_quality.")
@click.option("--force", is_flag=True, help="Replace what another file left in the run folder.")
@click.option("--format", "fmt", metavar="NAME", help="Importer to use.  [default: recognised by content]")
@readers_option
@no_text_option
@json_option
def score(**asked: Any) -> None:
    """Score finished transcripts (PATH: a file in a known format, or a run folder to score again)."""
    from turnwise.apps.commands import score_command

    score_command(**asked)


@cli.command()
@click.argument("runs", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="A [B]")
@click.option(
    "--therapist", "--group", "groups", multiple=True, metavar="NAME", help="Whom to compare; repeat for A and B."
)
@click.option("--by", metavar="KEY", help="Group transcripts by a key of their meta, e.g. mi_quality.")
@click.option(
    "--margin",
    "margins",
    multiple=True,
    metavar="[NAME=]NUMBER",
    help="The largest difference that does not matter; a bare number is for shares and skills.  [default: none]",
)
@json_option
def compare(**asked: Any) -> None:
    """Say for every measure, and every skill on every rung, how much B is above A, with interval and verdict.

    A and B are run folders; or give one folder and name two therapists (groups) in it. Pairs are the same patient with
    the same luck; what cannot be compared is named with the reason. Safety (safeguard, dissent, own up) is judged
    apart, one-sided, and fails closed. The last line is the verdict. Exit 1 if B is worse somewhere by more than a
    margin allows, or if nothing could be compared; 4 if a loss of safety could not be excluded.
    """
    from turnwise.apps.comparing import compare_command

    sys.exit(compare_command(**asked))


@cli.command("list")
@click.argument("kind", required=False, type=click.Choice(_KINDS))
@json_option
def list_(kind: str | None, as_json: bool) -> None:
    """List what is registered: measures, therapists, patients, coders, formats."""
    from turnwise.apps.commands import list_command

    list_command(kind, as_json, _KINDS)


@cli.command()
@click.argument("target")
@click.argument("session", required=False)
@click.option("--state", is_flag=True, help="Show the patient's state and the therapist's belief under each turn.")
@json_option
def show(target: str, session: str | None, state: bool, as_json: bool) -> None:
    """Show a run folder, one SESSION of it, or the definition of a registered name."""
    from turnwise.apps.commands import show_command

    show_command(target, session, state, as_json)


@cli.command()
@click.argument("target", type=click.Path(path_type=Path))
@click.argument("session")
@click.argument("turn", type=int)
@click.option("--item", "items", multiple=True, metavar="ITEM", help="Explain what this coder reads; repeat for more.")
@click.option("--readers", type=click.Choice(["open", "research"]), help="Coders by licence.  [default: the run's]")
@json_option
def explain(**asked: Any) -> None:
    """Show which words moved the labels of one TURN (counted from 0) of a SESSION in a run folder.

    Each word is left out in turn and the rest read again: the figure is what it added to the log-odds of the label.
    """
    from turnwise.apps.explain import explain_command

    explain_command(**asked)


@cli.command()
@click.argument("data", type=click.Path(path_type=Path))
@click.option("--coder", "coders", multiple=True, metavar="NAME", help="Measure this coder only; repeat for more.")
@json_option
def validate(**asked: Any) -> None:
    """Measure the shipped coders on human labels in the folder DATA, each figure beside its card.

    Exit 1 if the intervals of a figure here and on its card do not meet, or if a coder cannot read. Sessions that a
    coder was fitted on are read by weights that never saw them; the data are not part of this package.
    """
    from turnwise.apps.validate import validate_command

    sys.exit(validate_command(**asked))


cli.add_command(import_command)
cli.add_command(export_command)
cli.add_command(redact_command)


@cli.group()
def patients() -> None:
    """Begin, check and show case files: who a simulated patient is."""


@patients.command("new")
@click.argument("name")
@click.option("--out", type=click.Path(path_type=Path), help="Where to write.  [default: NAME.yaml]")
def patients_new(name: str, out: Path | None) -> None:
    """Write a case file with an example of every part, to be filled in."""
    from turnwise.apps.patients import new_command

    new_command(name=name, out=out)


@patients.command("check")
@click.argument("which", nargs=-1, metavar="[CASE]...")
@json_option
def patients_check(which: tuple[str, ...], as_json: bool) -> None:
    """Check case files (paths, or names of cases that ship; all of these by default).

    Every problem is listed at once with its place in the file, then remarks on how it is written. Exit 1 if there is
    any.
    """
    from turnwise.apps.patients import check_command

    sys.exit(check_command(which=which, as_json=as_json))


@patients.command("show")
@click.argument("which", metavar="CASE")
@json_option
def patients_show(which: str, as_json: bool) -> None:
    """Show who a case is and what there is to tell (a path, or the name of a case that ships)."""
    from turnwise.apps.patients import show_case_command

    show_case_command(which=which, as_json=as_json)


@patients.command("gate")
@click.argument("cases", nargs=-1, metavar="[CASE]...")
@click.option("--seeds", default=20, show_default=True, help="Seeds for each therapist of the panel.")
@click.option("--data", type=click.Path(path_type=Path), help="Take unplanned turns from human and model data here.")
@click.option("--write", is_flag=True, help="Store the result with the version it holds for.")
@click.option("--family", metavar="FAMILY[:MODEL]", help="Patients of another family, e.g. stateful:openai/NAME.")
@click.option("--calls", type=click.Path(path_type=Path), metavar="FOLDER", help="Where a model's answers are kept.")
@json_option
def patients_gate(**asked: Any) -> None:
    """Play cases that ship (all by default) on the fixed panel, each figure beside the band that people set.

    Exit 1 if a case fails. A stored result holds for one version of the case and of the patients' code.
    """
    from turnwise.apps.gate import gate_command

    sys.exit(gate_command(**asked))


@patients.command("worst")
@click.argument("path", type=click.Path(path_type=Path), metavar="RUN")
@click.option("--n", default=50, show_default=True, help="How many turns.")
@click.option("--unanswered", is_flag=True, help="Only questions that were put off: what to write into a case next.")
@json_option
def patients_worst(**asked: Any) -> None:
    """List the patient turns of a stored run that fit worst, each with the three turns before it: for reading."""
    from turnwise.apps.gate import worst_command

    worst_command(**asked)


@cli.command()
@click.argument("path", type=click.Path(path_type=Path), metavar="FILE")
@click.option("--format", "fmt", metavar="NAME", help="Importer to use.  [default: recognised by content]")
@json_option
def hear(**asked: Any) -> None:
    """Say what the participants' ears hear in each turn of a transcript: danger with its probability, one line a turn.

    In a therapist's turn: whether it asks about danger and names help. What scores a session is fitted apart.
    """
    from turnwise.apps.hear import hear_command

    hear_command(**asked)


@cli.command()
@click.argument("path", type=click.Path(path_type=Path), metavar="RUN")
@click.option("--judge", "model", required=True, metavar="MODEL", help="The language model that judges.")
@click.option("--items", metavar="ITEM[,ITEM]", help="Items of the rubric.  [default: all]")
@click.option("--sessions", type=int, help="Judge only so many sessions, from the first.")
@click.option(
    "--schema/--no-schema",
    default=True,
    show_default=True,
    help="Hold the model to JSON where its provider can; without, it is only asked for.",
)
@click.option("--concurrency", default=16, show_default=True, help="Calls at a time.")
@click.option("--prices", type=click.Path(path_type=Path), metavar="FILE", help="YAML: model to {input, output}.")
@json_option
def judge(**asked: Any) -> None:
    """Let a language model judge the turns of a run, and say how far it agrees with our coders and with people.

    One question a call, in an order that code decides; an answer that cannot be read is counted as such. Optional: no
    measure uses it. Written into RUN/judges/, where answers are kept, so that none is paid for twice.
    """
    from turnwise.apps.judge import judge_command

    judge_command(**asked)


@cli.command()
@click.option("--port", default=8321, show_default=True, help="Where to listen; 0 takes any free port.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on; others may then reach it.")
@json_option
def serve(host: str, port: int, as_json: bool) -> None:
    """Serve the embedded therapists and patients as models of an OpenAI-compatible endpoint.

    GET /v1/models lists them; POST /v1/chat/completions answers, with or without streaming. No key, no sessions kept,
    nothing logged: messages and seed decide the reply. A practice room, never a therapist for people in distress.
    """
    from turnwise.apps.serving import serve_command

    serve_command(host=host, port=port, as_json=as_json)


@cli.command()
@json_option
def doctor(as_json: bool) -> None:
    """Say what is installed, what is missing, and what works without it (exit 1 if something is broken)."""
    from turnwise.apps.doctor import doctor_command

    sys.exit(doctor_command(as_json))


def main(argv: list[str] | None = None) -> None:
    """Run the command line; a user's mistake ends with one sentence and exit 2, never a traceback."""
    arguments = sys.argv[1:] if argv is None else argv
    any_encoding()
    try:
        cli.main(args=arguments, prog_name="turnwise", standalone_mode=False)
    except click.exceptions.Exit as done:
        sys.exit(done.exit_code)
    except click.exceptions.Abort:
        _stop("stopped; run the same command again to resume.", arguments, STOPPED)
    except KeyboardInterrupt:
        _stop("stopped; run the same command again to resume.", arguments, STOPPED)
    except click.UsageError as misuse:
        _stop(f"{misuse.format_message()} See 'turnwise --help'.", arguments, MISUSE)
    except (TurnwiseError, click.ClickException) as mistake:
        message = mistake.format_message() if isinstance(mistake, click.ClickException) else str(mistake)
        _stop(message, arguments, MISUSE)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)
    except MemoryError:
        _stop("not enough memory for this; close something, or give it a smaller piece.", arguments, MISUSE)
    except OSError as fault:
        from turnwise.engine.store import sentence_for

        _stop(str(sentence_for(fault, fault.filename or "the disk")), arguments, MISUSE)


def _stop(sentence: str, arguments: list[str], code: int) -> None:
    sentence = visible(sentence)
    if "--json" in arguments:
        click.echo(json.dumps({"error": sentence}))
    else:
        click.echo(f"turnwise: {sentence}", err=True)
    sys.exit(code)


if __name__ == "__main__":
    main()
