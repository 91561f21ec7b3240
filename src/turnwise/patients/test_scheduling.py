"""Planned moments: every kind about as often, whatever a case plans of it, and what goes before and after them."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from turnwise.patients.casebook import case_ids, load_case
from turnwise.patients.coming_back import planned_moments
from turnwise.patients.index import index_case
from turnwise.patients.matching import Candidates
from turnwise.patients.mind import Mind
from turnwise.patients.plans import Plan
from turnwise.patients.scheduling import _led, drawn
from turnwise.patients.schema import Scheduled
from turnwise.patients.test_felt import replies
from turnwise.patients.test_rebuffs import situation


def test_a_kind_comes_as_often_whether_a_case_plans_one_of_it_or_four() -> None:
    items = [Scheduled(telling=x, earliest=1 + 3 * i, latest=30) for i, x in enumerate(("t", "b1", "b2", "b3", "b4"))]
    kinds = {"t": "thin"} | {f"b{i}": "bait" for i in range(1, 5)}
    first = Counter(kinds[drawn(items, np.random.default_rng(seed), kinds)[0].telling] for seed in range(400))
    # Two of five are drawn. Without weights a single one would be among them in two draws of five.
    came = sum("t" in {p.telling for p in drawn(items, np.random.default_rng(s), kinds)} for s in range(400))
    assert came / 400 > 0.6
    assert set(first) == {"thin", "bait"}


def test_over_all_cases_no_kind_is_rare_and_danger_shows_where_there_is_any() -> None:
    came, planned = Counter[str](), Counter[str]()
    for case in case_ids():
        index = index_case(load_case(case))
        kinds = {x.telling: str(index.tellings[x.telling].moment) for x in index.file.schedule}
        planned.update(set(kinds.values()))
        for seed in range(60):
            moments = planned_moments(index, np.random.default_rng(seed))
            came.update({kinds[p.telling] for p in moments})
            assert [p.due for p in moments] == sorted(p.due for p in moments)
    share = {kind: came[kind] / (60 * planned[kind]) for kind in planned}
    assert all(share[kind] > 0.4 for kind in ("invalidation", "thin", "distortion", "bait", "request", "hint"))
    assert share["risk"] == 1.0
    assert share["identity"] < 0.7


@pytest.mark.parametrize("case", case_ids())
def test_in_every_session_of_every_case_comes_one_sign_of_danger_veiled_or_plain(case: str) -> None:
    index = index_case(load_case(case))
    came = Counter[str]()
    for seed in range(50):
        met = [p for p in planned_moments(index, np.random.default_rng(seed)) if p.telling in index.risky]
        assert [(index.tellings[p.telling].moment, 8 <= p.due <= 16) for p in met] == [("risk", True)], seed
        came[index.tellings[met[0].telling].function] += 1
    assert set(came) == {"hint", "volunteer"}
    assert min(came.values()) > 12, "with even chance"


def test_a_sign_of_danger_takes_nothing_from_the_other_moments_and_keeps_away_from_them() -> None:
    others = [Scheduled(telling=f"b{i}", earliest=1 + 2 * i, latest=5 + 2 * i) for i in range(8)]
    signs = [Scheduled(telling=x, earliest=9, latest=15) for x in ("veiled", "plain")]
    kinds = {x.telling: "bait" for x in others} | {x.telling: "risk" for x in signs}
    for seed in range(60):
        without = drawn(others, np.random.default_rng(seed), kinds)
        plan = drawn([*signs, *others], np.random.default_rng(seed), kinds)
        assert [p for p in plan if kinds[p.telling] == "bait"] == list(without)
        sign = next(p for p in plan if kinds[p.telling] == "risk")
        away = [turn for turn in range(9, 16) if all(abs(turn - p.due) > 1 for p in without)]
        assert sign.due in (away or range(9, 16))
        after = drawn([*signs, *others], np.random.default_rng(seed), kinds, {sign.telling})
        assert {p.telling for p in after if kinds[p.telling] == "risk"} == {"veiled", "plain"} - {sign.telling}


@pytest.mark.parametrize("case", case_ids())
def test_who_asks_plainly_about_danger_gets_an_answer_to_each_question(case: str) -> None:
    asked = ["Are you having thoughts of ending your life?", "Do you have a plan?", "What stops you?"]
    found = replies(case, ["What brings you here?", *asked])[1:]
    assert [why for _, why in found] == ["asked outright"] * 3
    assert len({text for text, _ in found}) == 3
    assert index_case(load_case(case)).file.formulation.risk.level != "none"


@pytest.mark.parametrize("case", ["alun", "renata", "selam", "winston"])
def test_who_is_asked_whom_they_could_tell_does_not_deny_a_plan(case: str) -> None:
    danger = "Have you had thoughts of ending your life?"
    after = ["Who is there that you could tell?", "Whom would you find it easiest to tell?", "What stayed with you?"]
    for seed in range(4):
        for asked in after:
            found = replies(case, ["What brings you here?", danger, asked], seed)
            assert found[-1][1] != "asked outright", (case, asked, found[-1])


def test_a_subject_that_is_left_to_somebody_is_taken() -> None:
    asked = ["What would you like to go on with?", "Where would you like to go from here?"]
    told = [
        replies(case, ["What brings you here?", x], seed)[-1][1]
        for case in ("jordan", "keisha", "teresa")
        for x in asked
        for seed in range(4)
    ]
    assert sum(why.startswith(("brings its own", "planned")) for why in told) > 0.6 * len(told)


@pytest.mark.parametrize(("sure", "leads"), [(0.5, False), (0.9, True)])
def test_only_a_sure_answer_stands_before_what_is_brought_up(sure: float, leads: bool) -> None:
    s = situation("alun", "How old are you?", Mind(turn=5))
    fact = next(f for f in s.index.facts if f.key == "age")
    c = Candidates(fact=fact.say, fact_key=fact.key, top=(("age", float(np.log(sure))),))
    t = s.index.tellings[s.index.file.schedule[0].telling]
    plan = _led(s, c, False, Plan("scheduled", "planned", t.beats, telling=t.id))
    assert plan.lead.startswith(fact.say) == leads
    assert plan.lead, "what is brought up instead of an answer is announced"


def test_a_name_is_sure_enough_to_stand_before_what_is_brought_up() -> None:
    s = situation("alun", "What is the nurse's name?", Mind(turn=5))
    c = Candidates(fact="Beena.", top=(("-", float(np.log(0.9))),))  # a name is no option of the ranking
    t = s.index.tellings[s.index.file.schedule[0].telling]
    assert _led(s, c, False, Plan("scheduled", "planned", t.beats, telling=t.id)).lead.startswith("Beena")
