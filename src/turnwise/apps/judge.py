"""``turnwise judge``: what a language model says of the turns of a run, beside our coders and people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from turnwise.apps.model_options import prices_from, spent_line
from turnwise.apps.terminal import consoles, print_json, progress, visible

__all__ = ["PAGE", "judge_command", "judge_page"]

PAGE = "judge.html"
_SHOWN = 200


def judge_command(*, path: Path, model: str, as_json: bool, **asked: Any) -> None:
    """Judge, show the agreement, and write the page with the turns on which judge and coder differ.

    ``asked`` holds the options as the command line names them: items, sessions, schema, concurrency, prices.
    """
    from turnwise.batteries.rubric.items import ITEMS
    from turnwise.engine.judging import Judging, judge_run
    from turnwise.engine.store import replacing

    named = tuple(x.strip() for x in (asked["items"] or ",".join(ITEMS)).split(",") if x.strip())
    how = Judging(
        model, named, asked["sessions"], asked["schema"], asked["concurrency"], prices=prices_from(asked["prices"])
    )
    stdout, stderr = consoles()
    with progress(stderr, "judging turns", None, quiet=as_json) as bar:
        record = judge_run(path, how, bar.step)
    judged, folder = record.pop("judged"), Path(record["folder"])
    with replacing(folder / PAGE) as temporary:
        temporary.write_text(judge_page(record, judged, path), encoding="utf-8")
    if as_json:
        print_json(record)
        return
    for line in _lines(record):
        stdout.print(visible(line), soft_wrap=True)
    stdout.print(visible(f"{folder}: judgements.parquet, judge.json, {PAGE}"), style="dim", soft_wrap=True)


def _lines(record: Mapping[str, Any]) -> list[str]:
    lines = [f"{record['judge']} judged {record['sessions']} sessions by {record['rubric']}; {record['note']}"]
    for item, counts in record["answers"].items():
        lines.append(f"  {item}: " + ", ".join(f"{what} {n}" for what, n in counts.items()))
    lines.append("agreement (Cohen's kappa, 95 % interval over sessions):")
    lines += [f"  {_agreement(row)}" for row in record["agreement"]] or ["  nothing that two of them read"]
    return lines + (spent_line({record["judge"]: record["cost"]}) if record["cost"] else [])


def _agreement(row: Mapping[str, Any]) -> str:
    who = f"{row['item']}, {row['between'][0]} and {row['between'][1]}"
    if row["kappa"] is None:
        return f"{who}: unscored ({row['code']}: {row['detail']}), n {row['n']}"
    interval = "" if row["low"] is None else f" [{row['low']:.2f}, {row['high']:.2f}]"
    n = f"n {row['n']} in {row['groups']} sessions"
    return f"{who}: {row['kappa']:.2f}{interval}, same label {row['agreement']:.0%}, {n}"


def judge_page(record: Mapping[str, Any], judged: Sequence[Any], path: Path) -> str:
    """Return the page: agreement, and the turns that judge and coder see differently, everything escaped."""
    from jinja2 import Environment, StrictUndefined

    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    source = (files("turnwise.apps") / "templates" / "judge.html.j2").read_text(encoding="utf-8")
    differing = _differing(judged, path)
    page = environment.from_string(source)
    rows = [_agreement(row) for row in record["agreement"]]
    return page.render(record=record, rows=rows, shown=differing[:_SHOWN], n=len(differing))


def _differing(judged: Sequence[Any], path: Path) -> list[dict[str, Any]]:
    from turnwise.core.nouns import Rating
    from turnwise.engine.judge_agreement import stored_labels

    coded, found = stored_labels(path), []
    for one in judged:
        for item, said in one.answers.items():
            label = coded.get((one.session.session_id, one.turn, item))
            if isinstance(said, Rating) and label is not None and label[0] != said.value:
                row = {"where": f"{one.session.session_id}, turn {one.turn}", "item": item, "coder": label[0]}
                row |= {"judge": str(said.value), "reason": said.rationale}
                row |= {"text": visible(one.session.turns[one.turn].text)}
                found.append(row)
    return found
