"""Write docs/ from what is registered, so that no page can say what the code does not.

Usage: python tools/make_docs.py [--check]     (--check: write nothing, exit 1 if a page has drifted)
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

from markdown_pieces import definition, table
from skills_page import skills_page
from socratic_page import socratic_page
from tracker_page import tracker_page
from turnwise.apps.exit_codes import IN_WORDS
from turnwise.core.registry import (
    CHECKS,
    CORPUS_METRICS,
    IMPORTERS,
    METRICS,
    PATIENTS,
    READERS,
    REWARDS,
    THERAPISTS,
    Entry,
    Registry,
)
from turnwise.engine.discovery import discover
from turnwise.reading.cards import Card

DOCS = Path(__file__).resolve().parents[1] / "docs"
NOTE = "<!-- Written by `make docs`; edit the docstring or the decorator instead. -->"
ABOUT = {
    "therapist": "the therapist",
    "simulator": "the simulator, by construction",
    "session": "the session as a whole",
}
_WHOSE = {"reads": "reads turns of", "bundle": "bundle"}


def bounds(pair: tuple[float, float]) -> str:
    """Return an interval in words, e.g. ``0 to 1``."""

    def end(x: float) -> str:
        return ("−∞" if x < 0 else "∞") if math.isinf(x) else f"{x:g}".replace("-", "−")

    return f"{end(pair[0])} to {end(pair[1])}"


def _rows(registry: Registry[Any], *keys: str) -> list[list[object]]:
    return [[f"`{e.name}`", e.summary, *(e.spec.get(k) for k in keys)] for e in registry]


def _section(title: str, registry: Registry[Any], **columns: str) -> str:
    """Return a titled table of a registry with the given spec keys; nothing if it is empty."""
    if not len(registry):
        return ""
    head = ["name", "what it is", *columns.values()]
    return f"## {title}\n\n" + table(head, _rows(registry, *columns))


def _metric_row(e: Entry[Any]) -> list[object]:
    spec = e.spec
    return [
        f"`{e.name}`",
        e.summary,
        spec["unit"],
        bounds(spec["bounds"]),
        {"none": "neither"}.get(spec["orientation"], spec["orientation"]),
        spec["needs"],
        ABOUT[spec["about"]],
        spec["source"],
    ]


def metrics_page() -> str:
    """Measures: one table, then every definition in full."""
    head = ["name", "what it is", "unit", "bounds", "better", "needs", "about", "source"]
    return "\n\n".join(
        [
            "# Measures",
            "Each is pure and reads one session. What cannot be computed is *unscored* with a code and a "
            "sentence, never a default. *needs* names the coder's labels (`reading:…`) or the simulation's "
            "own knowledge (`truth:…`) without which it is unscored. *about* says who the number speaks of; "
            "what holds by construction of the simulator is never called a finding.",
            table(head, map(_metric_row, METRICS)),
            _section("Measures of many sessions", CORPUS_METRICS, unit="unit", orientation="better", source="source"),
            _section("Checks", CHECKS, needs="needs", source="source"),
            _section("Rewards", REWARDS, exploits="how it can be gamed", needs="needs", source="source"),
            "## Definitions",
            *map(definition, METRICS),
        ]
    )


def patients_page() -> str:
    """Patient families and the cases they can play."""
    from turnwise.patients.casebook import case_ids, load_case

    cases = [load_case(name) for name in case_ids()]
    unreviewed = all("not clinician-reviewed" in c.source for c in cases)
    rows = [(f"`{c.id}`", c.intake.age, c.intake.gender, c.intake.referral, c.source, c.licence) for c in cases]
    return "\n\n".join(
        [
            "# Simulated patients",
            "A *family* is how a patient changes from turn to turn; a *case* is who the patient is. "
            "A therapist is given the intake of a case and nothing else. "
            + ("No case has been reviewed by a clinician." if unreviewed else "Which were reviewed, *source* says."),
            _section("Families", PATIENTS, emits="emits", source="source"),
            "## Cases",
            table(["case", "age", "gender", "referral", "source", "licence"], rows),
            *_gate(),
        ]
    )


def _gate() -> list[str]:
    """The stored figures of the conformance gate, over the cases, beside people's and published ones."""
    from turnwise.batteries.conformance.measures import MEASURES
    from turnwise.batteries.conformance.published import PUBLISHED
    from turnwise.engine.conformance_store import human, load_stored
    from turnwise.patients.casebook import load_case

    stored = load_stored().patients
    bands = human(load_case("alun"))
    rows = []
    for m in MEASURES:
        values = sorted(x for row in stored.values() if (x := row["figures"].get(m.name, {}).get("value")) is not None)
        band = m.band(bands)
        ends = "to".join(f" {'–' if e is None else format(e, '.3g')} " for e in (band.low, band.high)).strip()
        spread = " / ".join(format(values[i], ".3g") for i in (0, len(values) // 2, -1)) if values else None
        said = "; ".join(f"{r.who}: {r.value} ({r.source})" for r in PUBLISHED if r.measure == m.name)
        rows.append([f"`{m.name}`", m.unit, spread, ends, "yes" if m.gated else None, band.source, said])
    passed = [name.partition(":")[2] for name, row in sorted(stored.items()) if not row["fails"]]
    head = ["figure", "unit", "lowest / middle / highest case", "band (spoken)", "gated", "where the band is from",
            "published beside it"]  # fmt: skip
    return [
        "## Conformance gate",
        f"Stored by `turnwise patients gate --write`, on a fixed panel of therapists: {len(passed)} of {len(stored)} "
        f"cases pass every gated figure ({', '.join(passed)}). Bands of people are of the case's modality; those "
        "shown are for speech. Unplanned questions are the frozen, written set. Passing says that a patient is not "
        "unlike people in these figures, not that it is like one.",
        table(head, rows),
    ]


def therapists_page() -> str:
    """Therapists; the foils say where they have to lose."""
    return "\n\n".join(
        [
            "# Therapists",
            "Some are good, some deliberately bad or partial: a foil names the skills, panels and "
            "measures on which it has to lose, and a measure on which no foil loses is not worth reporting.",
            _section(
                "Embedded",
                THERAPISTS,
                must_lose="has to lose skills and panels",
                loses_on="has to lose on",
                emits="emits",
                source="source",
            ),
        ]
    )


def importers_page() -> str:
    """Formats of transcripts, in and out."""
    from turnwise.engine.exporters.formats import FORMATS
    from turnwise.engine.importers.csv_table import FIELDS
    from turnwise.engine.importers.streams import MAX_LINE, MAX_WHOLE

    columns = "; ".join(f"{field}: {', '.join(f'`{x}`' for x in names)}" for field, names in FIELDS.items())
    line, whole = MAX_LINE // 2**20, MAX_WHOLE // 2**20
    rows = [(f"`{name}`", x.summary, _held(x)) for name, x in FORMATS.items()]
    return "\n\n".join(
        [
            "# Formats of transcripts",
            "`turnwise score FILE` recognises the format by content, never by the name of the file. A session "
            "that cannot be used is stored with ending `error` and counted; the others are scored.",
            "`turnwise import FILE... --to OURS.jsonl` converts to our own format and says what did not come through "
            "as it stood; `--explain` says where, who was taken for whom, and writes nothing unless `--to` is given. "
            "`--speaker Anna=therapist` places a speaker whose name says nothing (`=skip` leaves the turns out), "
            "`--map text=utterance --map speaker=who` names the columns of a table. Columns known by name are "
            f"{columns}.",
            f"JSON Lines, tables and text are read one session at a time, lines of up to {line} MiB; a JSON document "
            f"that is not one record a line is held in memory, up to {whole} MiB. Nothing in a file is run, unpickled "
            "or followed as a path. What a session's owner could not hear (thoughts, plans, profiles) lies under "
            "`private`, which no measure reads.",
            _section("Importers", IMPORTERS, fmt="format", source="source"),
            "## Exporters",
            "`turnwise export RUN_OR_FILE --format NAME --out FILE`; the importer of the same name reads each of them "
            "back: the same ids, turns and speakers (marks like `<think>` aside, which readers of model output move "
            "to a private field). What a format has no place for is counted and printed; sessions that ended `error` "
            "are left out where a format cannot say so.",
            table(["name", "what is written", "beside ids, turns and speakers it keeps"], rows),
        ]
    )


def _held(x: Any) -> str:
    words = {"infos": x.infos, "meta": x.meta}
    held = [key if kept is None else f"{key} ({', '.join(kept)})" for key, kept in words.items() if kept != ()]
    return ", ".join([*held, *sorted(x.holds - {"plain", "empty"})])


def readers_page() -> str:
    """Coders with the figures of their cards."""
    return "\n\n".join(
        [
            "# Coders",
            "What scores the turns. The figures come from the card beside each coder's weights; how they were "
            "measured, and where the coders fail, is in [validity.md](validity.md).",
            _section(
                "Registered",
                READERS,
                item="rates",
                labels="labels",
                reads="reads turns of",
                kind="labels a turn",
                bundle="bundle",
            ),
            _cards(),
        ]
    )


def _card(card: Card, side: str) -> str:
    """Return one coder's card in words."""
    labels = table(
        ["label", "F1 out of fold", "turns"],
        [(f"`{x}`", f"{card.f1_by_label[x]:.3f}", card.data.by_label.get(x)) for x in card.labels],
    )
    floors, calibration = card.floors, card.calibration
    lines = [
        f"- **Data:** {card.data.name} ({card.data.source}), {card.data.turns:,} turns in {card.data.groups:,} groups; "
        f"bundle: {card.bundle}; licence: {card.licence}",
        *(f"- **Also learned from:** {words.rstrip('.')}." for words in card.extra_data),
        f"- **Measured:** {card.validation.rstrip('.')}. Refit with `{card.fit_command}`.",
        f"- **Over the floors:** TF-IDF {floors.tfidf}, paired gain {floors.gain_over_tfidf}; length alone "
        f"{floors.length}, paired gain {floors.gain_over_length}.",
        f"- **People and papers:** {card.ceiling_sentence()}{_published(card)}.",
        f"- **Calibration:** ECE {calibration.ece:.3f} (debiased {calibration.debiased_ece:.3f}; chance alone stays "
        f"under {calibration.null_95:.3f}), AUROC of confidence {_number(calibration.auroc)}.",
        *(f"- **{name}:** {found} of {found.n:,}." for name, found in card.extra_figures.items()),
        f"- **Out of scope:** {card.scope}",
        *(f"- **Confound, {c.name}:** {c.value:.3f}, {c.says.rstrip('.')}." for c in card.confounds),
        *(
            f"- **Invariance, {i.name}:** {i.share_moved:.3f} of {i.n} pairs change their label, the probability by "
            f"{i.mean_change:.3f} on average ({i.says})."
            for i in card.invariance
        ),
        f"- **Weights:** sha256 `{card.sha256[:16]}`",
    ]
    title = f"### {card.coder} ({'ear' if side == 'ears' else 'rater'})"
    return "\n\n".join([title, card.definition, labels, "\n".join(lines)])


def _published(card: Card) -> str:
    p = card.published
    if p is None:
        return ""
    return f"; published: {p.metric} {p.value:.2f} ({p.source}{': ' + p.note if p.note else ''})"


def _number(x: float | None) -> str:
    return "–" if x is None else f"{x:.3f}"


def _cards() -> str:
    from turnwise.reading.cards import cards

    every = [(side, card) for side in ("raters", "ears") for card in cards(side)]
    rows = [
        (
            f"`{c.coder}`",
            "ear" if side == "ears" else "rater",
            c.macro_f1_cv.n,
            c.macro_f1_cv,
            c.accuracy_cv,
            _number(c.ceiling.macro_f1 if c.ceiling else None),
            c.floors.gain_over_tfidf,
            c.floors.length,
            f"{c.floors.constant:.3f}",
            f"{c.calibration.debiased_ece:.3f} ({c.calibration.null_95 - c.calibration.null_mean:.3f})",
        )
        for side, c in every
    ]
    head = ["coder", "side", "turns", "macro-F1", "accuracy", "one person", "gain over TF-IDF", "length alone"]
    return "\n\n".join(
        [
            "## Figures",
            "Raters score; ears are what participants hear with. Out of fold, with intervals over groups; *accuracy* "
            "is the share of turns whose whole answer is right; *one person* is the macro-F1 of one human coder "
            "against the majority of the others; the gain is paired, over a TF-IDF pipeline in the same folds. The "
            "last column is the debiased calibration error, with what a perfectly calibrated coder would stay under "
            "in brackets.",
            table([*head, "always the same", "calibration error"], rows),
            "## Cards",
            *(_card(c, side) for side, c in every),
        ]
    )


def _commands(command: click.Command, path: tuple[str, ...]) -> list[tuple[tuple[str, ...], click.Command]]:
    found = [(path, command)]
    if isinstance(command, click.Group):
        for name in sorted(command.commands):
            found += _commands(command.commands[name], (*path, name))
    return found


def _help(command: click.Command, path: tuple[str, ...]) -> str:
    # A fixed width: the page must not depend on the terminal it was written in.
    context = click.Context(command, info_name=" ".join(path), terminal_width=100, max_content_width=100)
    context.help_option_names = ["-h", "--help"]
    return "\n".join(line.rstrip() for line in command.get_help(context).splitlines())


def cli_page() -> str:
    """Every command's own help text."""
    from turnwise.apps.cli import cli

    parts = ["# The command line", f"`--json` on every command; {IN_WORDS}."]
    parts += [f"## {' '.join(path)}\n\n```text\n{_help(c, path)}\n```" for path, c in _commands(cli, ("turnwise",))]
    return "\n\n".join(parts)


PAGES: dict[str, Callable[[], str]] = {
    "metrics.md": metrics_page,
    "patients.md": patients_page,
    "therapists.md": therapists_page,
    "importers.md": importers_page,
    "skills.md": skills_page,
    "socratic.md": socratic_page,
    "tracker.md": tracker_page,
    "readers.md": readers_page,
    "cli.md": cli_page,
}


def pages() -> dict[str, str]:
    """Return the text of every generated page by file name."""
    discover(third_parties=False)
    text = {name: "\n\n".join(part for part in make().split("\n\n") if part.strip()) for name, make in PAGES.items()}
    return {name: f"{NOTE}\n\n{body}\n" for name, body in text.items()}


def drifted(folder: Path = DOCS) -> list[str]:
    """Return the names of the pages that differ from what would be written."""

    def there(name: str) -> str | None:
        path = folder / name
        return path.read_text(encoding="utf-8") if path.exists() else None

    return [name for name, text in pages().items() if there(name) != text]


def main(argv: Sequence[str] | None = None) -> int:
    """Write the pages, or check them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a page has drifted")
    parser.add_argument("--out", type=Path, default=DOCS, help="folder of the pages")
    asked = parser.parse_args(argv)
    if asked.check:
        names = drifted(asked.out)
        print("\n".join(f"{name} has drifted from the code: run 'make docs'." for name in names) or "docs are current.")
        return 1 if names else 0
    asked.out.mkdir(parents=True, exist_ok=True)
    for name, text in pages().items():
        (asked.out / name).write_text(text, encoding="utf-8")
    print(f"wrote {len(PAGES)} pages to {asked.out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
