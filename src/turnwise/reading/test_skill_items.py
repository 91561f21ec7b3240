"""Coarse items of the skill raters: taught and judged by what coders said of the finer one, and by nothing else."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from coded_turns import CodedOnce, Coding, figures_on_real
from skill_examples import Example, label_of, of_item
from skill_fit import coded_weight, taught_by
from turnwise.reading.skill_items import SKILL_ITEMS

COARSE = {item: about for item, about in SKILL_ITEMS.items() if about.of}
SAID = ("It's my fault.", "I always lose.", "Nobody came.", "He left.")


def _example(label: str, n: int) -> Example:
    return Example("a", "authorship", label, SAID[n % 4], f"You could see that in {n} ways.", "short", 0)


def _coded(label: str, n: int) -> CodedOnce:
    return CodedOnce("simulated", f"s:{n}", {"authorship": label}, "", SAID[n % 4], f"Perhaps it is {n} things.")


@pytest.mark.parametrize("item", COARSE)
def test_a_coarse_item_merges_every_label_of_a_finer_one_into_its_own(item: str) -> None:
    about = COARSE[item]
    fine = SKILL_ITEMS[about.of]
    assert not fine.of
    assert set(about.merged) == set(fine.labels)
    assert set(about.merged.values()) == set(about.labels)
    assert 1 < len(about.labels) < len(fine.labels)
    assert (about.speaker, about.moment) == (fine.speaker, fine.moment)


def test_a_coder_s_label_is_read_as_the_coarse_item_has_it() -> None:
    assert label_of("hands_over", {"authorship": "patient"}) == "no"
    assert label_of("hands_over", {"authorship": "therapist", "hands_over": "no"}) == "yes"
    assert label_of("authorship", {"authorship": "patient"}) == "patient"
    assert label_of("hands_over", {"advice": "none"}) == label_of("advice", {}) == "na"
    assert label_of("question_stage", {"question_target": "na"}) == "na"


def test_examples_of_a_coarse_item_are_those_of_the_finer_one() -> None:
    written = [_example("therapist", 0), _example("none", 1), _example("patient", 2)]
    written.append(Example("a", "advice", "none", "", "Go on.", "short", 0))
    assert [(e.item, e.label) for e in of_item(written, "hands_over")] == [
        ("hands_over", x) for x in ("yes", "no", "no")
    ]
    assert of_item(written, "authorship") == written[:3]


def test_labels_weigh_the_same_after_merging() -> None:
    written = [_example(x, n) for n, x in enumerate(("therapist", "none", "patient", "none"))]
    coded = [_coded(x, n) for n, x in enumerate(("therapist", "none", "none", "none", "patient"))]
    t = taught_by("hands_over", written, coded, Path("nowhere"))
    yes = t.y == COARSE["hands_over"].labels.index("yes")
    assert yes.tolist() == [True, False, False, False, True, False, False, False, False]
    own, turns = t.weight[:4], t.weight[4:]
    for part, of_part, mean in ((own, yes[:4], 1.0), (turns, yes[4:], coded_weight("hands_over"))):
        assert part[of_part].sum() == pytest.approx(part[~of_part].sum())
        assert part.mean() == pytest.approx(mean)


def test_coders_who_differ_only_within_a_coarse_label_agree_on_it() -> None:
    rng = np.random.default_rng(5)
    found = []
    for n in range(60):
        p = "therapist" if n % 3 == 0 else "none"
        q = p if p == "therapist" else str(rng.choice(["patient", "none"]))
        found.append(Coding(n, "simulated", f"s:{n}", {"authorship": p}, {"authorship": q}))
    fine = figures_on_real("authorship", found, [c.p["authorship"] for c in found])
    coarse = figures_on_real("hands_over", found, [label_of("hands_over", c.p) for c in found])
    assert fine is not None
    assert coarse is not None
    assert fine["coders"].value < 1.0
    assert (coarse["labels"], coarse["coders"].value, coarse["rater"].value) == (["yes", "no"], 1.0, 1.0)
