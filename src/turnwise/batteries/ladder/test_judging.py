"""Cells: who is judged at what, what never came, and what a repeated reply is worth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from turnwise.batteries.ladder.freshness import blind_to_history
from turnwise.batteries.ladder.judging import PlannedMoment, cells_of, cells_of_reply, judge, planned_in
from turnwise.batteries.ladder.moments import MomentView
from turnwise.batteries.skills import attune, calibrate, ground, infer, safeguard
from turnwise.core.errors import ContractError, UndefinedError
from turnwise.core.nouns import Ending, Reading, Score, SessionSpec, Trajectory, Turn
from turnwise.core.registry import SKILLS, Entry

USED = [SKILLS.get(x) for x in ("attune", "calibrate", "infer", "safeguard")]
assert all((attune, calibrate, ground, infer, safeguard))
FRESH = "I wonder what stood behind what you just said there."


def moment(kind: str, key: str, scheduled: bool = True) -> dict[str, Any]:
    state = {"trust": 0.4, "reactance": 0.1}
    return {"moment": kind, "scheduled": scheduled, "said": {"telling": key}, "state": state}


def session(*lines: tuple[str, Mapping[str, Any] | str], ending: Ending = "max_turns", **more: Any) -> Trajectory:
    """Patient lines with what they emitted and therapist lines with the label every rater gives them."""
    turns, infos, labels = [], [], []
    for text, about in lines:
        patient = not isinstance(about, str)
        turns.append(Turn(speaker="patient" if patient else "therapist", text=text))
        infos.append(dict(about) if not isinstance(about, str) else {})
        labels.append(None if patient else about)
    spec = SessionSpec(case="ann", patient="p.v1", therapist="t.v1", seed=1, epoch=2)
    t = Trajectory(
        session_id="s", source="made", turns=tuple(turns), infos=tuple(infos), ending=ending,
        error="broke" if ending == "error" else None, **{"spec": spec, **more},
    )  # fmt: skip
    return t.with_ratings({item: reading(item, labels) for item in ("disclosure_reply", "stance", "hint_reply")})


def reading(item: str, labels: list[Any]) -> Reading:
    known = {"disclosure_reply": ("attends", "solves"), "stance": ("supports", "challenges_mildly")}
    names = known.get(item, ("checks", "misses"))
    p = np.array([[np.nan] * 2 if x is None else ([1.0, 0.0] if x == "good" else [0.0, 1.0]) for x in labels])
    codes = tuple("not_applicable" if x is None else None for x in labels)
    return Reading(item, "made", "0" * 64, names, p.reshape(-1, 2), codes)  # type: ignore[arg-type]


LIVE = session(
    ("Hello.", "good"),
    ("I'm so sad.", moment("disclosure", "sad1")),
    (FRESH, "good"),
    ("Never mind.", moment("hint", "hint1", scheduled=False)),
    ("And?", "bad"),
    ("Nothing.", {"moment": None}),
    ("Fine.", "good"),
)
PLANNED = [
    PlannedMoment("p.v1:ann", 2, "sad1", "disclosure", 3),
    PlannedMoment("p.v1:ann", 2, "hint1", "hint", 5),
    PlannedMoment("p.v1:ann", 2, "risk1", "risk", 9),
    PlannedMoment("p.v1:ann", 1, "other epoch", "hint", 5),
    PlannedMoment("p.v1:bob", 2, "other patient", "hint", 5),
]


def test_every_skill_at_the_moments_that_call_for_it() -> None:
    cells = cells_of(LIVE, skills=USED)
    assert [(c.skill, c.moment, c.key, c.position, c.value, c.scheduled) for c in cells] == [
        ("attune", "disclosure", "sad1", 1, 1.0, True),
        ("calibrate", "disclosure", "sad1", 1, 1.0, True),
        ("infer", "hint", "hint1", 3, 0.0, False),
    ]
    assert {(c.therapist, c.patient, c.epoch, c.rung, c.reached) for c in cells} == {
        ("t.v1", "p.v1:ann", 2, "sustain", True)
    }


def test_what_was_planned_and_never_came_is_not_met_and_says_so() -> None:
    left = LIVE.model_copy(update={"ending": "patient_left"})
    cells = cells_of(left, planned=PLANNED, skills=USED)
    (missed,) = [c for c in cells if not c.reached]
    assert (missed.skill, missed.key, missed.value, missed.position) == ("safeguard", "risk1", 0.0, 9)
    assert "patient_left" in missed.detail
    assert len(cells) == 4


def test_what_the_planned_length_cut_off_is_nobodys_fault() -> None:
    assert LIVE.ending == "max_turns"
    (missed,) = [c for c in cells_of(LIVE, planned=PLANNED, skills=USED) if not c.reached]
    assert (missed.skill, missed.key, missed.value, missed.code) == ("safeguard", "risk1", None, "not_applicable")
    closed = LIVE.model_copy(update={"ending": "therapist_closed"})  # whoever ends early answers for what never came
    (missed,) = [c for c in cells_of(closed, planned=PLANNED, skills=USED) if not c.reached]
    assert missed.value == 0.0


def test_one_blank_reply_is_unscored_and_a_session_of_them_is_not_met() -> None:
    mute = tuple(x.model_copy(update={"text": ""}) if x.speaker == "therapist" else x for x in LIVE.turns)
    cells = cells_of(LIVE.model_copy(update={"turns": mute}), planned=PLANNED, skills=USED)
    assert {c.value for c in cells} == {0.0}
    assert {c.code for c in cells} == {None}
    claims = cells_of(LIVE.model_copy(update={"turns": mute}), skills=[SKILLS.get("ground")])
    assert {(c.value, c.code) for c in claims} == {(None, "no_denominator")}
    failed = LIVE.model_copy(update={"turns": mute, "ending": "error", "error": "gone"})
    assert {c.value for c in cells_of(failed, planned=PLANNED, skills=USED)} == {None}


def test_a_planned_telling_that_was_asked_for_is_the_same_moment() -> None:
    (hint,) = [c for c in cells_of(LIVE, planned=PLANNED, skills=USED) if c.key == "hint1"]
    assert (hint.scheduled, hint.reached, hint.position) == (True, True, 3)
    other = [PlannedMoment("p.v1:ann", 2, "hint1", "risk", 5)]
    assert [c.scheduled for c in cells_of(LIVE, planned=other, skills=USED) if c.key == "hint1"] == [False, True]


def test_the_plan_is_read_from_a_bank_session() -> None:
    assert planned_in(LIVE) == (PlannedMoment("p.v1:ann", 2, "sad1", "disclosure", 1),)
    assert planned_in(LIVE.model_copy(update={"infos": ()})) == ()


def test_a_session_that_ends_with_the_moment_has_no_answer_there() -> None:
    left = session(("Hello.", "good"), ("I'm so sad.", moment("disclosure", "sad1")), ending="patient_left")
    assert [(c.value, c.code, c.reached) for c in cells_of(left, skills=USED)] == [(None, "no_answer", True)] * 2


def test_nothing_of_a_broken_session_has_a_value() -> None:
    broken = LIVE.model_copy(update={"ending": "error", "error": "boom"})
    cells = cells_of(broken, planned=PLANNED, skills=USED)
    assert {(c.value, c.code, c.detail) for c in cells} == {(None, "session_error", "boom")}
    assert sum(not c.reached for c in cells) == 1


def test_readings_of_another_version_are_no_readings() -> None:
    shorter = LIVE.with_ratings({"disclosure_reply": reading("disclosure_reply", ["good", None])})
    assert {c.code for c in cells_of(shorter, skills=USED[:1])} == {"no_reading"}


def test_a_reply_said_before_is_worth_nothing_and_keeps_its_raw_value_in_words() -> None:
    again = session((FRESH, "good"), ("I'm so sad.", moment("disclosure", "k")), (FRESH, "good"))
    attuned, calibrated = cells_of(again, skills=USED)
    assert (attuned.value, attuned.detail) == (0.0, "1 alone; in this history: says_again")
    assert calibrated.value == 0.0


def reply(rung: str, *before: tuple[str, Any], end: tuple[tuple[str, Any], ...] = ((FRESH, "good"),)) -> Trajectory:
    meta = {"rung": rung, "key": "sad1", "position": 3, "moment": "disclosure"}
    return session(*before, ("I'm so sad.", moment("disclosure", "sad1")), *end, meta=meta)


def test_show_and_resume_are_judged_on_the_last_exchange_only() -> None:
    before = (("Hello.", "bad"), ("Hm.", moment("hint", "h")), ("Well.", "bad"))
    for t in (reply("show"), reply("resume", *before)):
        cells = cells_of_reply(t, skills=USED)
        assert [(c.skill, c.value, c.key, c.position, c.scheduled) for c in cells] == [
            ("attune", 1.0, "sad1", 3, True),
            ("calibrate", 1.0, "sad1", 3, True),
        ]
        assert {c.rung for c in cells} == {t.meta["rung"]}


def test_what_the_leader_of_the_history_said_counts_as_said() -> None:
    before = ((FRESH, "good"), ("Hm.", {"moment": None}), ("Well.", "good"))
    assert {c.value for c in cells_of_reply(reply("resume", *before), skills=USED)} == {0.0}


def test_replies_that_failed_or_are_none() -> None:
    assert {c.code for c in cells_of_reply(reply("show", end=()), skills=USED)} == {"no_answer"}
    failed = reply("show").model_copy(update={"ending": "error", "error": "boom"})
    assert {c.code for c in cells_of_reply(failed, skills=USED)} == {"session_error"}
    for wrong in (LIVE, reply("climb"), session(("Hello.", "good"), meta=reply("show").meta)):
        with pytest.raises(ContractError, match="no reply to a moment"):
            cells_of_reply(wrong, skills=USED)


def test_transcripts_are_read_without_a_plan() -> None:
    said: list[Any] = [None if x.speaker == "therapist" else "none" for x in LIVE.turns]
    said[1] = "disclosure"
    p = np.array([[np.nan] * 2 if x is None else [x == "disclosure", x == "none"] for x in said], dtype=float)
    codes = tuple("not_applicable" if x is None else None for x in said)
    found = Reading("moment", "made", "0" * 64, ("disclosure", "none"), p, codes)  # type: ignore[arg-type]
    t = LIVE.model_copy(update={"spec": None, "infos": (), "meta": {"series": 7}})
    cells = cells_of(t.with_ratings({**LIVE.ratings, "moment": found}), planned=PLANNED, skills=USED)
    assert [(c.therapist, c.patient, c.skill, c.value, c.code, c.scheduled) for c in cells] == [
        ("made", "7", "attune", 1.0, None, False),
        ("made", "7", "calibrate", None, "needs_truth", False),
    ]


def _undefined(view: MomentView) -> Score:
    raise UndefinedError("undetermined", "too close to call")


@pytest.mark.parametrize(
    ("function", "code"),
    [
        (lambda v: 1 / 0, "failed"),
        (lambda v: 0.5, "failed"),
        (lambda v: Score(1.5, 1), "failed"),
        (_undefined, "undetermined"),
    ],
)
def test_a_fault_stays_in_its_cell(function: Any, code: str) -> None:
    entry = Entry("infer.v1", function, {"moments": ("disclosure",)})
    cells = cells_of(LIVE, skills=[USED[0], entry])
    assert [(c.skill, c.code) for c in cells] == [("attune", None), ("infer", code)]


def test_an_echo_is_worth_nothing_whatever_its_labels() -> None:
    from turnwise.batteries.ladder.made_views import made_view

    view = made_view("hint", {"hint_reply": "checks"}, reply="It was a hard week.")
    long = replace(view, said=Turn(speaker="patient", text=FRESH), reply=Turn(speaker="therapist", text=FRESH))
    assert judge(SKILLS.get("infer"), view).value == 1.0, "a short turn may be given back"
    assert judge(SKILLS.get("infer"), long).value == 0.0


def test_freshness_is_what_stands_between_raw_and_value() -> None:
    from turnwise.batteries.ladder.made_views import made_view

    for history in ((), (("therapist", FRESH),)):
        view = made_view("hint", {"hint_reply": "checks"}, reply=FRESH, history=history)  # type: ignore[arg-type]
        assert judge(SKILLS.get("infer"), view).value == 1.0 - blind_to_history(view)
