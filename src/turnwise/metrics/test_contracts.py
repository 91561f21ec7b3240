"""Every registered measure of this room, over every awkward session: tested by existing."""

import importlib
import pkgutil

import numpy as np
import pytest

import turnwise.metrics
from turnwise.core.checkers import check_metric, sessions_for_checks
from turnwise.core.contracts import SeriesMetric
from turnwise.core.measure import measure
from turnwise.core.nouns import Ending, SessionSpec, Trajectory, Turn
from turnwise.core.registry import METRICS
from turnwise.metrics.test_panel_sessions import panel_sessions
from turnwise.metrics.test_sessions import BEHAVIOURS, PLAYED_ENDINGS, TALK, labelled, read, with_replies

MODULES = [
    importlib.import_module(f"turnwise.metrics.{m.name}")
    for m in pkgutil.iter_modules(turnwise.metrics.__path__)
    if not m.name.startswith("test_")
]
ENTRIES = [e for e in METRICS if getattr(e.obj, "__module__", "").startswith("turnwise.metrics.")]


def with_readings(t: Trajectory, seed: int, unread: float = 0.2) -> Trajectory:
    rng = np.random.default_rng(seed)
    size = {"therapist": len(BEHAVIOURS), "patient": len(TALK)}
    rows = [
        rng.dirichlet(np.ones(size[turn.speaker])) if turn.text.strip() and rng.random() >= unread else None
        for turn in t.turns
    ]
    return read(t, rows)


def simulated(seed: int, ending: Ending, held: int, planned: int) -> Trajectory:
    """A played session with truth in its infos: states at patient turns, acts at therapist turns."""
    rng = np.random.default_rng(seed)
    turns, infos = [], []
    for k in range(held):
        trust, distress, reactance, conviction = rng.random(4).round(3).tolist()
        turns += [Turn(speaker="therapist", text="And then?"), Turn(speaker="patient", text="word " * (k % 4))]
        state = {"trust": trust, "distress": distress, "reactance": reactance, "conviction": conviction}
        infos += [
            {"act": "reflect"} if k % 2 else {},
            {"state": state, "moment": "invalidation" if rng.random() < 0.4 else None},
        ]
    spec = SessionSpec(case="c", patient="p", therapist="t", seed=seed, max_turns=planned)
    error = "patient at turn 3: ValueError: it broke" if ending == "error" else None
    return Trajectory(
        session_id=f"{ending} {held}/{planned}", source="simulated", spec=spec, turns=tuple(turns), infos=tuple(infos),
        ending=ending, error=error,
    )  # fmt: skip


def every_session() -> list[Trajectory]:
    endings: tuple[Ending, ...] = (*PLAYED_ENDINGS, "error", "unknown")
    played = [simulated(s, e, held, 12) for s, e in enumerate(endings) for held in (0, 1, 2, 3, 12)]
    bare = sessions_for_checks() + played
    read_ones = [with_readings(t, seed) for seed, t in enumerate(bare)]
    nothing_read = [read(t, [None] * len(t.turns)) for t in bare]
    pushed = with_replies(labelled("iSiSqCiC"), {2: "steps_back"})
    return [*bare, *read_ones, *nothing_read, *panel_sessions(), pushed]


SESSIONS = every_session()


def test_every_plugin_module_registers_what_it_exports():
    by_module = {}
    for entry in ENTRIES:
        by_module.setdefault(entry.obj.__module__, []).append(entry)
    for module in MODULES:
        for entry in by_module.get(module.__name__, []):
            assert module.__name__.rsplit(".", 1)[1] == entry.base, "one file, one measure, its versions beside it"
            own = entry.base if entry.name.endswith(".v1") else f"{entry.base}_{entry.name.rsplit('.', 1)[1]}"
            assert getattr(module, own) is entry.obj
            assert own in module.__all__


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda e: e.name)
def test_contract(entry):
    check_metric(entry, SESSIONS)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda e: e.name)
def test_the_sessions_reach_a_value_and_a_reason(entry):
    scores = [measure(entry, t) for t in SESSIONS]
    assert any(s.value is not None for s in scores)
    assert any(s.code not in (None, "session_error", "empty") for s in scores)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda e: e.name)
def test_called_by_itself_it_gives_a_reason_instead_of_raising(entry):
    for t in SESSIONS:
        score = entry.obj(t)
        assert (score.value is None) == (score.code is not None)


@pytest.mark.parametrize("entry", [e for e in ENTRIES if isinstance(e.obj, SeriesMetric)], ids=lambda e: e.name)
def test_series_has_one_finite_value_or_nan_per_turn(entry):
    for t in SESSIONS:
        series = entry.obj.series(t)
        assert series.dtype == np.float64
        assert series.shape == (len(t.turns),)
        assert not np.isinf(series).any()
        assert np.array_equal(series, entry.obj.series(t), equal_nan=True)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda e: e.name)
def test_documented_with_definition_limits_bounds_and_source(entry):
    doc = entry.obj.__doc__
    for part in ("Definition:", "Not ", "Returns", "Undefined", "References", "Examples"):
        assert part in doc, part
    assert entry.summary.endswith((".", "(proxy).")), entry.summary


def test_whatever_needs_truth_is_about_the_simulator():
    for entry in ENTRIES:
        if any(str(need).startswith("truth:") for need in entry.spec["needs"]):
            assert entry.spec["about"] == "simulator", entry.name
