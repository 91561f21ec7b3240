"""What coders said of a turn, read as what the skill raters are taught and judged by."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from coded_turns import FOR_SECOND, SIMULATED, TRAINING, CodedOnce, coded_once, codings
from skill_examples import Example, label_of, of_item
from skill_fit import coded_weight, taught_by
from turnwise.reading.skill_items import SKILL_ITEMS, labels_of

SAID = ("It's my fault.", "I always lose.", "Nobody came.", "He left.")
FOUR = ("question_form", "question_target", "advice", "authorship")


@pytest.mark.parametrize("labels", list(product(*(labels_of(x) for x in FOUR))))
def test_guiding_is_asking_without_handing_over(labels: tuple[str, ...]) -> None:
    form, target, advice, author = labels
    handed = author == "therapist" or advice != "none"
    asks = {"experience": "gathers", "emotion": "gathers", "action": "neither"}.get(target, "guides")
    expected = asks if form in ("open", "closed") and not handed else "neither"
    assert label_of("guide_reply", dict(zip(FOUR, labels, strict=True))) == expected


def test_what_a_coder_left_open_is_not_made_up() -> None:
    fine = {"question_form": "open", "question_target": "evidence", "advice": "none", "authorship": "none"}
    for missing in FOUR:
        left = {x: label for x, label in fine.items() if x != missing}
        assert label_of("guide_reply", left) == label_of("guide_reply", left | {missing: "na"}) == "na"
    assert label_of("guide_reply", {"advice": "unasked"}) == "neither"
    assert label_of("guide_reply", {"question_form": "none", "question_target": "na"}) == "neither"
    assert label_of("authorship", {"authorship": "patient"}) == "patient"
    assert label_of("authorship", {"advice": "none"}) == label_of("guide_reply", {}) == "na"


def test_labels_weigh_the_same_in_examples_and_in_coded_turns() -> None:
    names = ("guides", "neither", "neither", "gathers")
    written = [Example("a", "guide_reply", x, SAID[n], f"{n}, you say?", "short", 0) for n, x in enumerate(names)]
    other = Example("a", "advice", "none", "", "Go on.", "short", 0)
    assert of_item([*written, other], "guide_reply") == written
    turns = [{"advice": x} for x in ("unasked", "with_permission", "none")]
    turns.append({"question_form": "open", "question_target": "emotion", "advice": "none", "authorship": "none"})
    coded = [CodedOnce("simulated", f"s:{n}", x, "", SAID[n], f"Perhaps it is {n}.") for n, x in enumerate(turns)]
    t = taught_by("guide_reply", written, coded, Path("nowhere"))
    found = [SKILL_ITEMS["guide_reply"].labels[y] for y in t.y]
    assert found == [*names, "neither", "neither", "gathers"]
    assert t.weight[:4].tolist() == pytest.approx([4 / 3, 2 / 3, 2 / 3, 4 / 3])
    assert t.weight[4:].tolist() == pytest.approx([coded_weight("guide_reply") * x for x in (0.75, 0.75, 1.5)])


def test_no_coded_turn_of_a_session_teaches_both_sets_or_teaches_and_tests_one_item() -> None:
    item = "disclosure_reply"
    first, second = (
        {(x.before, x.text) for x in coded_once(path) if x.text and label_of(item, x.labels) != "na"}
        for path in (TRAINING, FOR_SECOND)
    )
    tests = {(x.before, x.text) for x in codings(SIMULATED) if x.text and label_of(item, x.p) != "na"}
    assert len(first) > 700 < len(second)
    assert not first & second
    assert not tests & (first | second)
