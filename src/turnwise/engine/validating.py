"""Measure the shipped coders on human labels in a folder, beside what their cards say.

The folder holds files of the corpora in ``engine/corpora``, or other portions of them. A session
that a coder was fitted on is read by weights that never saw it nor its group.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from turnwise.core.errors import FormatError, RegistryError, TurnwiseError, UsageError
from turnwise.core.nouns import Estimate, Reading, Trajectory
from turnwise.core.registry import READERS, Entry
from turnwise.engine.coder_figures import Coded, as_indices
from turnwise.engine.corpora.corpus import Corpus
from turnwise.engine.corpora.finding import every_corpus
from turnwise.engine.discovery import discover
from turnwise.reading.cards import Card, Figure, Kind, load_card
from turnwise.reading.session_reader import OUT_OF_FOLD

__all__ = ["Portion", "as_document", "coded_turns", "differs", "find_portions", "measure_coder", "validate"]


@dataclass(frozen=True, slots=True)
class Portion:
    """What a folder holds of one corpus: usable sessions in file order, and the file's hash."""

    corpus: Corpus
    sessions: tuple[Trajectory, ...]
    unusable: int
    sha256: str


def find_portions(
    folder: Path, corpora: Sequence[Corpus] | None = None
) -> tuple[tuple[Portion, ...], tuple[Corpus, ...]]:
    """Return what is there of the known corpora, and the corpora that are missing.

    Raises
    ------
    UsageError : there is no such folder, or it holds none of the corpora.
    FormatError : a file is not what its corpus is stored as.
    """
    if not folder.is_dir():
        raise UsageError(f"{folder} is not a folder; say where the human-labelled data are.")
    known = every_corpus() if corpora is None else tuple(corpora)
    missing = tuple(c for c in known if not (folder / c.file).is_file())
    if len(missing) == len(known):
        files = ", ".join(sorted({c.file for c in known}))
        raise UsageError(f"{folder} holds none of the corpora with human labels; looked for {files}.")
    found = []
    for corpus in known:
        if corpus not in missing:
            path = folder / corpus.file
            every = _loaded(corpus, path)
            usable = tuple(t for t in every if t.ending != "error")
            digest = hashlib.sha256(path.read_bytes()).hexdigest()
            found.append(Portion(corpus, usable, len(every) - len(usable), digest))
    return tuple(found), missing


def _loaded(corpus: Corpus, path: Path) -> tuple[Trajectory, ...]:
    """Return the sessions of a file; whatever is wrong with it is one sentence about that file."""
    remedy = f"copy or download it again; it has to be as {corpus.title} stores it"
    try:
        return tuple(corpus.load(path))
    except TurnwiseError:
        raise
    except EOFError as fault:
        raise FormatError(path, "", "the gzip archive is cut off", remedy) from fault
    except UnicodeDecodeError as fault:
        raise FormatError(path, "", "is not UTF-8 text", remedy) from fault
    except KeyError as fault:
        raise FormatError(path, "", f"has no column or an unknown value {fault.args[0]!r}", remedy) from fault
    except (OSError, ValueError, TypeError, AttributeError, LookupError, RecursionError) as fault:
        raise FormatError(path, "", f"cannot be read ({fault})", remedy) from fault


def differs(card: Figure, measured: Estimate) -> bool:
    """Whether a figure is not the card's: the two intervals have no value in common.

    Both uncertainties count, that of the card and that of this measurement. Where either interval
    is missing (one group only) nothing can be said, and nothing is.

    Examples
    --------
    >>> card = Figure(value=0.7, low=0.65, high=0.75, level=0.95, n=500, unit="group")
    >>> differs(card, Estimate(0.6, 0.5, 0.7, 0.95, 90, "")), differs(card, Estimate(0.5, 0.4, 0.6, 0.95, 90, ""))
    (False, True)
    """
    if measured.low is None or measured.high is None:
        return False
    return measured.high < card.low or measured.low > card.high


@dataclass(frozen=True, slots=True)
class _Labelled:
    gold: list[str]
    decided: list[str]
    p: list[Any]
    group: list[str]


def _as_value(said: str | frozenset[str] | None, labels: Sequence[str], kind: Kind) -> str | None:
    """Return what people said in a coder's own words; ``None`` where it cannot be said in them."""
    if said is None:
        return None
    if kind == "one":
        return said if isinstance(said, str) and said in labels else None
    held = {said} if isinstance(said, str) else said
    return "|".join(x for x in labels if x in held) or "none"


def coded_turns(
    portion: Portion, item: str, readings: Sequence[Reading], kind: Kind, labels: tuple[str, ...]
) -> tuple[Coded, int]:
    """Return the turns that people labelled and the coder read, and how many it did not read.

    Parameters
    ----------
    portion : sessions of a corpus that has labels for ``item``.
    item, kind, labels : the coder's.
    readings : what it says, parallel to the sessions.
    """
    gold_of, found, unread = portion.corpus.gold[item], _Labelled([], [], [], []), 0
    for t, reading in zip(portion.sessions, readings, strict=True):
        group = portion.corpus.group_of(t)
        values = reading.values()
        for i, code in enumerate(reading.codes):
            said = None if code == "not_applicable" else _as_value(gold_of(t, i), labels, kind)
            value = values[i]
            if said is None:
                continue
            if value is None:
                unread += 1
                continue
            found.gold.append(said)
            found.decided.append(value)
            found.p.append(reading.p[i])
            found.group.append(group)
    p = np.array(found.p, dtype=np.float64).reshape(len(found.gold), len(labels))
    gold, decided = (as_indices(x, labels, kind) for x in (found.gold, found.decided))
    return Coded(labels, kind, gold, decided, p, np.array(found.group, dtype=np.str_)), unread


def _figures(coded: Coded, card: Card | None) -> dict[str, Any]:
    measured = {"macro_f1": coded.macro_f1(), "accuracy": coded.accuracy()}
    stated = {"macro_f1": card.macro_f1_cv, "accuracy": card.accuracy_cv} if card else {}
    return {
        name: {
            "measured": as_document(found),
            "card": stated[name].model_dump() if card else None,
            "differs": differs(stated[name], found) if card else False,
        }
        for name, found in measured.items()
    }


def as_document(found: Estimate) -> dict[str, Any]:
    """Return an estimate as plain values, its numbers to four places."""
    return {k: round(v, 4) if isinstance(v, float) else v for k, v in asdict(found).items()}


def measure_coder(entry: Entry[Any], portion: Portion) -> dict[str, Any]:
    """Return how well one shipped coder reads one portion of a corpus, beside its card.

    The card's figures stand beside it where the portion is of the corpus they were measured on; a
    figure on any other corpus has nothing to differ from.
    """
    reader, corpus = entry.obj(), portion.corpus
    readings = reader.read(portion.sessions)
    kind: Kind = entry.spec["kind"]
    coded, unread = coded_turns(portion, reader.item, readings, kind, reader.labels)
    card = _card(entry.name)
    at_home = card is not None and card.corpus == corpus.name
    found: dict[str, Any] = {
        "coder": entry.name,
        "item": reader.item,
        "kind": kind,
        "bundle": entry.spec["bundle"],
        "corpus": corpus.name,
        "sha256": reader.sha256,
        "labels": list(reader.labels),
        "n": len(coded),
        "unread": unread,
        "groups": len(np.unique(coded.group)),
        "out_of_fold_sessions": sum(r.coder.endswith(OUT_OF_FOLD) for r in readings),
        "data_of_the_card": card is not None and card.data.sha256 == portion.sha256,
        "figures": _figures(coded, card if at_home else None),
    }
    if len(coded) and found["figures"]["macro_f1"]["measured"]["value"] is not None:
        found |= {
            "f1_by_label": coded.f1_by_label(),
            "card_f1_by_label": card.f1_by_label if card is not None and at_home else None,
            "confusion": coded.confusion(),
            "constant": coded.constant(),
            "calibration": coded.calibration(card.calibration.temperature if card else 1.0).model_dump(),
        }
    return found


def _card(name: str) -> Card | None:
    try:
        return load_card(name, "raters")
    except RegistryError:  # a third party's coder need not have one of our cards
        return None


def _entries(coders: Sequence[str]) -> list[Entry[Any]]:
    discover()
    return [READERS.get(name) for name in dict.fromkeys(coders)] if coders else READERS.newest()


def validate(folder: Path, coders: Sequence[str] = (), corpora: Sequence[Corpus] | None = None) -> Mapping[str, Any]:
    """Measure shipped coders on every corpus a folder holds, and say where a card no longer holds.

    Parameters
    ----------
    folder : holds corpus files under their usual names (``annomi/dialogues.jsonl.gz`` …).
    coders : names of registered readers; by default the newest of each.
    corpora : by default every one of ``engine/corpora``.

    Returns
    -------
    A document of plain values: ``corpora`` (what was there), ``missing``, ``coders`` (one entry for
    each coder and corpus it could be measured on), ``unmeasured`` (coders without a corpus here),
    ``broken`` (coders that could not read, each with what they said) and ``differing`` (a sentence for
    each figure whose interval does not meet the card's).

    Raises
    ------
    UsageError : no such folder, or none of the corpora in it.
    RegistryError : a name in ``coders`` is not a registered reader.
    FormatError : a file is not what its corpus is stored as.
    """
    entries = _entries(coders)
    items = {e.spec["item"] for e in entries}
    # A corpus nobody asked about, or without labels of its own, is not opened: a fault in it concerns no figure here.
    known = every_corpus() if corpora is None else tuple(corpora)
    portions, _ = find_portions(folder, [c for c in known if items & set(c.gold)])
    missing = [c for c in known if not (folder / c.file).is_file()]
    measured, broken = _measured(entries, portions)
    if measured and not any(m["n"] for m in measured):
        raise UsageError(f"{folder} holds no turn that people labelled and a coder can read; nothing was measured.")
    done = {m["coder"] for m in measured} | set(broken)
    return {
        "corpora": [
            {"name": p.corpus.name, "title": p.corpus.title, "file": p.corpus.file, "sha256": p.sha256}
            | {"sessions": len(p.sessions), "unusable": p.unusable}
            for p in portions
        ],
        "missing": [{"name": c.name, "title": c.title, "file": c.file} for c in missing],
        "coders": measured,
        "broken": broken,
        "unmeasured": [e.name for e in entries if e.name not in done],
        "differing": [_sentence(m, name, f) for m in measured for name, f in m["figures"].items() if f["differs"]],
    }


def _measured(
    entries: Sequence[Entry[Any]], portions: Sequence[Portion]
) -> tuple[list[dict[str, Any]], dict[str, str]]:
    """Measure what can be measured; a coder that fails stops none of the others."""
    measured, broken = [], {}
    for entry in entries:
        try:
            measured += [measure_coder(entry, p) for p in portions if entry.spec["item"] in p.corpus.gold]
        except Exception as fault:  # damaged weights, or a third party's mistake
            told = str(fault) if isinstance(fault, TurnwiseError) else f"{type(fault).__name__}: {fault}"
            broken[entry.name] = told
    return measured, broken


def _sentence(m: Mapping[str, Any], name: str, f: Mapping[str, Any]) -> str:
    here, card = f["measured"], f["card"]
    return (
        f"{m['coder']} on {m['corpus']}: {name.replace('_f1', '-F1')} {here['value']:.3f} "
        f"[{here['low']:.3f}, {here['high']:.3f}], but its card says {card['value']:.3f} "
        f"[{card['low']:.3f}, {card['high']:.3f}]"
    )
