"""Everything the gate measures, in one table: what it is computed from, its band, and where the band comes from.

A definition, what it is not, bounds, undefined cases and source stand in the docstring of the function
that computes each figure. Bands are human (``bands.json``) where a human figure is known; else
they are ours or the issue's, and ``source`` says so.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from turnwise.batteries.conformance.alike import different_openings, identical_replies, same_whatever_was_said
from turnwise.batteries.conformance.consistency import contradictions
from turnwise.batteries.conformance.courses import lost_at_best, lost_at_worst, recovered_at_best, variety
from turnwise.batteries.conformance.disclosure import levels_of, told_too_soon, usual_turn
from turnwise.batteries.conformance.fitting import fit_gap, fit_share, non_answers
from turnwise.batteries.conformance.lengths import (
    TYPED_ROW,
    outside_by_move,
    read_move,
    short_share,
    words_by_move,
    words_mean,
    words_median,
    words_of,
    words_spread,
)
from turnwise.batteries.conformance.played import Human, Played
from turnwise.batteries.conformance.talk import read_talk, talk_distance, transition_counts
from turnwise.batteries.conformance.wording import beats_again, diversity, question_fit, self_repetition, typical
from turnwise.core.nouns import Score
from turnwise.stats.distances import wasserstein

__all__ = ["MEASURES", "Band", "Measure"]

About: TypeAlias = Literal["patient", "panel"]
"""Whether the therapist cannot influence a figure (it may be checked in any run), or it needs the fixed panel."""


@dataclass(frozen=True, slots=True)
class Band:
    """Where a figure has to lie, ends included; ``None`` leaves an end open."""

    low: float | None
    high: float | None
    source: str


@dataclass(frozen=True, slots=True)
class Measure:
    """One figure of the gate. ``gated`` says whether lying outside the band fails a patient."""

    name: str
    unit: str
    of: Callable[[Played, Human], Score]
    band: Callable[[Human], Band]
    gated: bool = True
    about: About = "panel"


_ISSUE = "issue 4 (ours)"
_NO_BAND = "reported beside the gate; no bound is known"


def _fixed(low: float | None, high: float | None, source: str = _ISSUE) -> Callable[[Human], Band]:
    return lambda human: Band(low, high, source)


_OPEN = _fixed(None, None, _NO_BAND)


def _dialogues(name: str, low: int | None = 5, high: int | None = 95) -> Callable[[Human], Band]:
    """Band between two quantiles over human dialogues."""

    def band(human: Human) -> Band:
        ends = [None if q is None else human.quantile(name, q) for q in (low, high)]
        said = "-".join(f"{q} %" if q is not None else "" for q in (low, high))
        return Band(ends[0], ends[1], f"{said} of human dialogues ({human.source})")

    return band


def _by_move(p: Played, human: Human) -> Score:
    rows = {move: row["quantiles"] for move, row in human.figures["words_by_move"].items()}
    return outside_by_move(words_by_move(p.spoken_to, read_move), rows, TYPED_ROW if human.modality == "typed" else {})


def _talk(p: Played, human: Human) -> Score:
    return talk_distance(transition_counts(p.spoken_to, read_talk), human.figures["talk_read"]["counts"])


def _talk_band(human: Human) -> Band:
    far = float(human.figures["talk_read"]["distance_of_groups"]["quantiles"]["95"])
    return Band(None, far, f"as far as 95 % of human clients are from all others ({human.source})")


def _above_chance(human: Human) -> Band:
    fit = human.figures["question_fit"]
    high = float(fit["shuffled"]["quantiles"]["95"])
    return Band(
        high, None, f"above 95 % of shuffles of human answers, whose own fit is {fit['value']:.3f} ({human.source})"
    )


def _far(words: bool) -> Callable[[Played, Human], Score]:
    """Wasserstein-1 distance to people of words per turn, or of diversity per session."""

    def distance(p: Played, human: Human) -> Score:
        if words:
            own, theirs = [float(n) for n in words_of(p.spoken_to)], human.figures["words"]["grid"]
        else:
            own = [s.value for t in p.spoken_to if (s := diversity([t])).value is not None]
            theirs = human.figures["dialogues"]["mtld"]["grid"]
        found = wasserstein(own, theirs)
        return Score(found.value, len(own), found.code, found.detail)

    return distance


def _far_band(name: str) -> Callable[[Human], Band]:
    def band(human: Human) -> Band:
        high = float(human.figures["halves"][name]["quantiles"]["95"])
        return Band(None, high, f"95 % of random halves of the human dialogues ({human.source}): a floor, no bound")

    return band


MEASURES: tuple[Measure, ...] = (
    Measure("words_median", "words a turn", lambda p, h: words_median(p.spoken_to), _fixed(7, 20), about="patient"),
    Measure(
        "words_mean",
        "words a turn",
        lambda p, h: words_mean(p.spoken_to),
        _fixed(5, 30, "measures.md 23.1 (operational)"),
        about="patient",
    ),
    Measure("words_spread", "SD/mean", lambda p, h: words_spread(p.spoken_to), _fixed(0.8, None), about="patient"),
    Measure("words_outside_by_move", "share of moves", _by_move, _fixed(0, 0, "human 25-75 % by move; " + _ISSUE)),
    Measure(
        "short_share",
        "share of turns",
        lambda p, h: typical(p.spoken_to, short_share),
        _dialogues("short_share"),
        gated=False,
    ),
    Measure("words_distance", "words", _far(True), _far_band("words"), gated=False),
    Measure("mtld", "words a factor", lambda p, h: typical(p.spoken_to, diversity), _dialogues("mtld")),
    Measure("mtld_distance", "words a factor", _far(False), _far_band("mtld"), gated=False),
    Measure("talk_transitions", "JS distance", _talk, _talk_band),
    Measure(
        "question_fit",
        "share gained",
        lambda p, h: question_fit(p.spoken_to),
        _above_chance,
    ),
    Measure("beats_again", "beats", lambda p, h: beats_again(p.panel), _fixed(None, 0), about="patient"),
    Measure(
        "self_repetition",
        "share of 5-grams",
        lambda p, h: self_repetition(p.spoken_to),
        _fixed(None, 0.1, "shared/patients.md 6 (ours)"),
        about="patient",
    ),
    Measure("identical_over_seeds", "share of pairs", lambda p, h: identical_replies(p.alike), _fixed(None, 0.25)),
    Measure(
        "different_openings",
        "replies",
        lambda p, h: different_openings(p.alike),
        _fixed(3, None, "shared/patients.md 6 (ours)"),
    ),
    Measure(
        "same_whatever_was_said",
        "share of pairs",
        lambda p, h: same_whatever_was_said(p.spoken_to),
        _fixed(None, 0.25, "as for seeds (ours); a script has 1"),
    ),
    Measure(
        "contradictions",
        "things asked again",
        lambda p, h: contradictions(p.interviews),
        _fixed(None, 0, "shared/patients.md 6: one truth"),
        about="patient",
    ),
    Measure(
        "told_too_soon",
        "share of sessions",
        lambda p, h: told_too_soon(p.spoken_to, levels_of(p.case)),
        _fixed(None, 0.05, "ours; turns in disclosure.EARLIEST"),
    ),
    Measure(
        "guarded_at",
        "patient turn",
        lambda p, h: usual_turn(p.spoken_to, levels_of(p.case), 2),
        _OPEN,
        gated=False,
    ),
    Measure(
        "secret_at",
        "patient turn",
        lambda p, h: usual_turn(p.spoken_to, levels_of(p.case), 3),
        _OPEN,
        gated=False,
    ),
    Measure("path_shapes", "shapes", lambda p, h: variety(p.panel), _fixed(3, None)),
    Measure("recovered_at_best", "share of sessions", lambda p, h: recovered_at_best(p.panel), _fixed(None, 0.15)),
    Measure(
        "lost_at_best",
        "share of sessions",
        lambda p, h: lost_at_best(p.spoken_to),
        _fixed(None, 0.207, "Swift & Greenberg 2012, upper end for whole treatments"),
    ),
    Measure(
        "lost_at_worst",
        "share of sessions",
        lambda p, h: lost_at_worst(p.panel),
        _OPEN,
        gated=False,
    ),
    Measure(
        "fit_short",
        "share of questions",
        lambda p, h: fit_share(p.unplanned, "short"),
        _OPEN,
        gated=False,
    ),
    Measure("fit_long_minus_short", "difference", lambda p, h: fit_gap(p.unplanned), _fixed(-0.1, None)),
    Measure(
        "non_answers",
        "share of questions",
        lambda p, h: non_answers(p.spoken_to),
        _fixed(None, 0.15, "shared/patients.md 6 (ours)"),
        gated=False,
    ),
)
