"""``turnwise explain``: which words moved the labels of one turn."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from turnwise.apps.terminal import consoles, print_json, visible
from turnwise.core.errors import RegistryError, UndefinedError, UsageError
from turnwise.core.registry import closest

__all__ = ["explain_command"]

_SHOWN, _NAMED = 4, 12  # words for each of many labels, and for one that was asked for
_BAR = 12  # characters of the longest bar
_FAINT = 0.05  # nats: what moves a label less is not worth a line


def explain_command(*, target: Path, session: str, turn: int, items: tuple[str, ...], **options: Any) -> None:
    """Explain every label of one turn, or those of the coders named."""
    from turnwise.engine.ratings import DEFAULT_BUNDLE, Readers
    from turnwise.engine.store import RunFolder

    folder = RunFolder(target)
    t = folder.session(session)
    if not 0 <= turn < len(t.turns):
        raise UsageError(f"session {session!r} has turns 0 to {len(t.turns) - 1}, not {turn}.")
    scored_with = (folder.read_record() or {}).get("bundle", DEFAULT_BUNDLE)
    bundle = options["readers"] or scored_with
    readers = Readers.load(bundle).readers
    known = sorted({r.item for r in readers.values()})
    for item in items:
        if item not in known:
            hint = closest(item, known, 0.4, f"it has {', '.join(known)}.")
            raise RegistryError(f"no coder of {item!r} in the {bundle} bundle; {hint}")
    chosen = [r for r in readers.values() if not items or r.item in items]
    found = [d for reader in chosen if (d := _explained(reader, t, turn, named=bool(items))) is not None]
    said = t.turns[turn]
    if options["as_json"]:
        document = {"session_id": session, "turn": turn, "speaker": said.speaker, "text": said.text, "labels": found}
        print_json(document)
        return
    stdout, _ = consoles()
    stdout.print(f"{said.speaker}, turn {turn}:  {_one_line(said.text) or '—'}", soft_wrap=True, style="bold")
    if bundle != scored_with:
        stdout.print(f"read by the {bundle} bundle; this run was scored with the {scored_with} one", style="dim")
    most = _NAMED if items else _SHOWN
    for line in _lines([d | {"text": said.text} for d in found], most):
        stdout.print(line, soft_wrap=True)


def _one_line(text: str) -> str:
    """Return a text on one line, so that what was said can never look like what this command says."""
    return visible(" ⏎ ".join(text.strip().splitlines()))


def _explained(reader: Any, t: Any, turn: int, *, named: bool) -> dict[str, Any] | None:
    try:
        reading = reader.read([t])[0]
        value = reading.values()[turn]
        # What is explained is what was decided; where nothing holds, what came closest.
        held = [x for x in (value or "").split("|") if x in reading.labels]
        found = reader.explain(t, turn, held[0] if held else None)
    except UndefinedError as why:
        # Asked for by name, a coder that does not read this turn says why; else it is just not shown.
        return {"item": reader.item, "coder": reader.coder, "code": why.code, "why": str(why)} if named else None
    document: dict[str, Any] = {
        "item": reader.item,
        "coder": reading.coder,
        "label": found.label,
        "value": value,
        "p": round(found.p, 4),
        "words": [{"words": words, "log_odds": round(moved, 4)} for words, moved in found.words],
        "context": None if found.context is None else round(found.context, 4),
    }
    spans = [list(span) for span in reader.spans(t, turn)] if value not in ("0", "none") else []
    return document | ({"spans": spans} if spans else {})


def _lines(found: list[dict[str, Any]], shown: int) -> Iterator[str]:
    if not found:
        yield "no coder read this turn (blank, or not in a language they know)."
    for document in found:
        if "code" in document:
            yield f"\n{document['item']}: {document['why']}"
            continue
        # A rule for rare labels or a threshold may decide otherwise than the highest probability.
        other = "" if document["value"] == document["label"] else f"  decided: {document['value']}"
        yield f"\n{document['item']} = {document['label']}  p {document['p']:.2f}{other}  ({document['coder']})"
        rows = sorted(document["words"], key=lambda w: -abs(w["log_odds"]))[:shown]
        rows = [w for w in rows if abs(w["log_odds"]) >= _FAINT]
        most = max((abs(w["log_odds"]) for w in rows), default=1.0)
        for w in rows:
            bar = ("+" if w["log_odds"] > 0 else "−") * max(1, round(_BAR * abs(w["log_odds"]) / most))
            yield f"  {w['log_odds']:+.2f}  {bar:<{_BAR}}  {_one_line(w['words'])}"
        if not rows:
            yield "  no single word moves it"
        context = document["context"]
        if context is not None and abs(context) >= _FAINT:
            yield f"  {context:+.2f}  the turns before it"
        for start, end, mechanism, p in document.get("spans", []):
            words = _one_line(document["text"][start:end])
            yield f"  carried by ({mechanism}, p {p:.2f}): {words}"
