"""How far a judge agrees with our coders and with people, on the turns that both read: kappa with an interval."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from turnwise.batteries.rubric.items import ITEMS
from turnwise.core.nouns import Rating, Trajectory
from turnwise.engine.corpora.corpus import Corpus
from turnwise.engine.corpora.finding import every_corpus
from turnwise.engine.stored_tables import as_stored, stored_rows
from turnwise.stats.agreement import cohen_kappa

if TYPE_CHECKING:
    from turnwise.engine.judging import Judged

__all__ = ["agreements", "human_label", "stored_labels"]

_SEED = 1
_DRAWS = 2000


@dataclass(frozen=True, slots=True)
class _Label:
    """One turn as up to three raters have it, and the sessions that are drawn together with it."""

    judge: str | None
    coder: str | None
    people: str | None
    group: str


def human_label(t: Trajectory, turn: int, item: str) -> tuple[str | None, str]:
    """Return what people said of a turn of a known corpus, and the group its session belongs to."""
    for corpus in every_corpus():
        if item in corpus.gold and _is_from(t, corpus):
            said = corpus.gold[item](t, turn)
            if isinstance(said, str):
                return said, corpus.group_of(t)
    return None, t.session_id


def _is_from(t: Trajectory, corpus: Corpus) -> bool:
    return t.spec is None and t.source.lower().split()[:1] == [corpus.name.partition("_")[0]]


def stored_labels(path: Path) -> dict[tuple[str, int, str], tuple[str, str]]:
    """Return the stored label of every turn and rubric item, and the coder that gave it."""
    if not (path / "ratings.parquet").exists():
        return {}
    columns = ("session_id", "turn", "item", "coder", "value")
    rows = stored_rows(path, "ratings", columns, [("item", "in", list(ITEMS))])
    with as_stored(path):
        return {
            (r["session_id"], r["turn"], r["item"]): (r["value"], r["coder"]) for r in rows if r["value"] is not None
        }


def agreements(path: Path, judged: Sequence[Judged]) -> list[dict[str, Any]]:
    """Return one row for each item and pair of raters: judge and coder, judge and people, coder and people.

    The last stands beside the others as the yardstick on the same turns. Turns that one of the two did not read are
    left out and counted. ``value`` is ``None`` with a code where kappa is not defined.
    """
    coded = stored_labels(path)
    found = []
    for item in ITEMS:
        labels, coders = _labels(judged, item, coded)
        if not labels:
            continue
        for a, b in (("judge", "coder"), ("judge", "people"), ("coder", "people")):
            row = _row(item, (a, b), labels)
            if row is not None:
                found.append(row | {"coders": sorted(coders)})
    return found


def _labels(
    judged: Sequence[Judged], item: str, coded: Mapping[tuple[str, int, str], tuple[str, str]]
) -> tuple[list[_Label], set[str]]:
    labels, coders = [], set()
    for one in judged:
        if item not in one.answers:
            continue
        said = one.answers[item]
        coder = coded.get((one.session.session_id, one.turn, item))
        people, group = human_label(one.session, one.turn, item)
        if coder is not None:
            coders.add(coder[1])
        judge = str(said.value) if isinstance(said, Rating) else None
        labels.append(_Label(judge, coder[0] if coder else None, people, group))
    return labels, coders


def _row(item: str, pair: tuple[str, str], labels: Sequence[_Label]) -> dict[str, Any] | None:
    options = list(ITEMS[item].options)
    read: Callable[[_Label, str], str | None] = getattr
    a, b = ([read(x, who) for x in labels] for who in pair)
    x, y = (list(_indices(said, options)) for said in (a, b))
    if all(v != v for v in x) or all(v != v for v in y):
        return None
    groups = [v.group for v in labels]
    k = cohen_kappa(x, y, len(options), rng=_SEED, clusters=groups, draws=_DRAWS)
    return {
        "item": item,
        "between": list(pair),
        "kappa": k.kappa.value,
        "low": k.kappa.low,
        "high": k.kappa.high,
        "n": k.kappa.n,
        "groups": len({g for g, u, v in zip(groups, x, y, strict=True) if u == u and v == v}),
        "left_out": len(labels) - k.kappa.n,
        "agreement": k.agreement.value,
        "code": k.kappa.code,
        "detail": k.kappa.detail,
    }


def _indices(said: Sequence[str | None], options: Sequence[str]) -> Iterator[float]:
    for x in said:
        yield float(options.index(x)) if x in options else float("nan")
