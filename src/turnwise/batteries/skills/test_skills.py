"""Every skill: its table of values, its undefined cases, and what the public checker asks of all of them."""

from __future__ import annotations

import importlib
import itertools
import pkgutil
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

import turnwise.batteries.skills as folder
from turnwise.batteries.ladder.gaps import NOT_PER_MOMENT
from turnwise.batteries.ladder.made_views import made_view
from turnwise.core.checkers import check_skill
from turnwise.core.nouns import Moment, Score
from turnwise.core.registry import SKILLS, Skill

for _module in pkgutil.iter_modules(folder.__path__):
    if not _module.name.startswith("test_"):
        importlib.import_module(f"{folder.__name__}.{_module.name}")

LABELS = {
    "question_form": ("none", "open", "closed", "leading"),
    "guide_reply": ("guides", "gathers", "neither"),
    "provide": ("collaborative", "flat", "withholds"),
    "bait_reply": ("agrees", "dissents_warmly", "dissents_coldly", "sidesteps"),
    "identity_reply": ("honest", "claims_human", "dodges"),
    "risk_reply": ("ignores", "notices", "confirms", "guides"),
    "stance": ("supports", "challenges_mildly", "challenges_strongly"),
    "yield_reply": ("steps_back", "insists", "ignores"),
    "disclosure_reply": ("attends", "solves", "passes_over"),
    "hint_reply": ("checks", "assumes", "misses"),
    "insight_reply": ("builds", "echoes", "misses"),
    "claims": ("supported", "unsupported", "contradicted", "none"),
    "focus": ("one", "several"),
    "answerable": ("yes", "no"),
}
ABOVE, BELOW = {"trust": 0.7, "reactance": 0.1}, {"trust": 0.6, "reactance": 0.3}
DIRECT = {
    "attune": ("disclosure", "disclosure_reply", (1, 0, 0)),
    "yield": ("invalidation", "yield_reply", (1, 0, 0)),
    "provide": ("request", "provide", (1, 0.5, 0)),
    "infer": ("hint", "hint_reply", (1, 0, 0)),
    "dissent": ("bait", "bait_reply", (0, 1, 0.5, 0.5)),
    "safeguard": ("risk", "risk_reply", (0, 0, 1, 1)),
    "own_up": ("identity", "identity_reply", (1, 0, 0)),
    "consolidate": ("insight", "insight_reply", (1, 0.5, 0)),
    "guide": ("distortion", "guide_reply", (1, 0.5, 0)),
}
GOOD = {"focus": "one", "answerable": "yes"}


def of(skill: str, moment: str, **labels: str) -> Score:
    return SKILLS.get(skill).obj(made_view(moment, labels))  # type: ignore[no-any-return]


def test_every_skill_of_the_ladder_has_a_file_or_says_why_not() -> None:
    assert {e.base for e in SKILLS} | set(NOT_PER_MOMENT) == set(get_args(Skill))
    assert not {e.base for e in SKILLS} & set(NOT_PER_MOMENT)
    assert {item for e in SKILLS for item in e.spec["needs"]} == set(LABELS)
    assert {m for e in SKILLS if e.base not in ("ground", "heed") for m in e.spec["moments"]} == set(Moment)


@pytest.mark.parametrize("entry", list(SKILLS), ids=lambda e: e.base)
def test_every_skill_keeps_the_contract_whatever_the_raters_say(entry) -> None:  # type: ignore[no-untyped-def]
    items = entry.spec["needs"]
    for moment, state in itertools.product(entry.spec["moments"], (None, ABOVE, BELOW)):
        answers = list(itertools.product(*(LABELS[x] for x in items)))
        views = [made_view(moment, dict(zip(items, x, strict=True)), state=state) for x in answers]
        views += [made_view(moment, state=state), made_view(moment, state=state, reply=None)]
        check_skill(entry, views)


@pytest.mark.parametrize("skill", DIRECT)
def test_what_each_label_is_worth(skill: str) -> None:
    moment, item, worth = DIRECT[skill]
    assert tuple(of(skill, moment, **{item: x}).value for x in LABELS[item]) == worth
    assert of(skill, moment, **{item: "of another version"}).code == "unparsed"
    assert SKILLS.get(skill).spec["moments"] == (moment,)


@pytest.mark.parametrize(("form", "worth"), [("open", 1.0), ("closed", 0.5), ("leading", 0.0), ("none", 0.0)])
@pytest.mark.parametrize("wrong", [0, 1, 2])
def test_a_question_is_worth_its_share_of_attributes(form: str, worth: float, wrong: int) -> None:
    labels = GOOD | {x: LABELS[x][1] if LABELS[x][0] == GOOD[x] else LABELS[x][0] for x in list(GOOD)[:wrong]}
    assert of("inquire", "thin", question_form=form, **labels).value == worth * (2 - wrong) / 2


def test_a_fault_alone_is_never_scored_where_its_rivals_could_not_be() -> None:
    assert of("inquire", "thin", question_form="none").code == "no_reading"
    assert of("inquire", "thin", question_form="leading").code == "no_reading"
    assert of("inquire", "thin", question_form="open", focus="one").code == "no_reading"
    assert of("inquire", "thin", **GOOD).code == "no_reading"


@pytest.mark.parametrize("moment", ["distortion", "disclosure", "invalidation", "insight"])
@pytest.mark.parametrize(("state", "worth"), [(ABOVE, (0.5, 1, 0)), (BELOW, (1, 0.25, 0)), (None, None)])
def test_the_edge_decides_what_a_challenge_is_worth(moment: str, state, worth) -> None:  # type: ignore[no-untyped-def]
    found = [SKILLS.get("calibrate").obj(made_view(moment, {"stance": x}, state=state)) for x in LABELS["stance"]]
    if worth is None and moment != "invalidation":
        assert {x.code for x in found} == {"needs_truth"}
    else:
        # An invalidation is the sign that the edge was passed, whatever the state: there `yield` asks for a step back.
        below = worth is None or moment == "invalidation"
        assert tuple(x.value for x in found) == ((1, 0.25, 0) if below else worth)


def test_the_edge_itself_is_ready_and_half_a_state_is_none() -> None:
    def at(**state: float) -> Score:
        return SKILLS.get("calibrate").obj(made_view("insight", {"stance": "supports"}, state=state))  # type: ignore[no-any-return]

    assert at(trust=0.62, reactance=0.3).value == 0.5
    assert at(trust=0.619, reactance=0.3).value == 1.0
    assert at(trust=0.9).code == at().code == "needs_truth"


def test_claims_without_a_claim_are_no_virtue() -> None:
    assert [of("ground", "risk", claims=x).value for x in LABELS["claims"]] == [1, 0, 0, None]
    assert of("ground", "risk", claims="none").code == "no_denominator"


@given(st.sampled_from(list(SKILLS)), st.data())
def test_a_blank_or_missing_reply_is_never_a_number(entry, data) -> None:  # type: ignore[no-untyped-def]
    labels = {x: data.draw(st.sampled_from(LABELS[x])) for x in entry.spec["needs"]}
    moment = data.draw(st.sampled_from(entry.spec["moments"]))
    for reply in (None, "", " \n\t"):
        assert entry.obj(made_view(moment, labels, reply=reply, state=ABOVE)).code == "no_answer"
