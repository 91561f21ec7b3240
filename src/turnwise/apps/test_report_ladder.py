"""The first picture of a report: the ladder, what it is called, and whether the instrument catches its foils."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from turnwise.apps.report import write_report
from turnwise.apps.report_ladder import instrument_check, ladder_figure
from turnwise.apps.test_report_example import GROUPS, make_folder
from turnwise.engine.ladder_store import NOT_A_FINDING

EVIL = "<img src=x onerror=alert(1)>\x1b[31m"


def gap(therapist: str, skill: str, measure: str, value: float | None) -> dict[str, Any]:
    ends = {"low": None, "high": None} if value is None else {"low": value - 0.1, "high": value + 0.1}
    row = {"therapist": therapist, "skill": skill, "measure": measure, "value": value, "n": 8, "n_patients": 4}
    return row | ends | {"detail": "" if value is not None else f"empty: nobody said so {EVIL}; 3 unscored"}


def loss(therapist: str, where: str, loses: bool | None) -> dict[str, Any]:
    by = {"value": 0.5, "low": 0.25, "high": 0.75, "n": 4} if loses is not None else {"value": None, "n": 0}
    return {"therapist": therapist, "where": where, "value": 0.25, "best": GROUPS[0], "by": by, "loses": loses}


def ladder(therapists: tuple[str, ...] = GROUPS) -> dict[str, Any]:
    values = {"show": 0.75, "resume": 0.6, "sustain": 0.5, "arc_gap": 0.25}
    rows = [gap(t, s, m, v) for t in therapists for s in ("yield", "attune") for m, v in values.items()]
    rows += [gap(t, "infer", m, None) for t in therapists for m in values]
    losses = [loss("advisor.v1", "attune", True), loss("advisor.v1", "yield", False)]
    losses += [loss("advisor.v1", "bond", None), loss("silent.v1", "safety", None)]
    dominated = {GROUPS[0]: None, "advisor.v1": GROUPS[0], "silent.v1": None}
    by = {"value": -0.2, "low": -0.3, "high": -0.1, "n": 9}
    lure = {"therapist": "silent.v1", "where": "warmth", "value": 0.4, "best": GROUPS[0], "by": by, "leads": True}
    check = {"losses": losses, "lures": [lure], "dominated_by": dominated}
    note = {"note": NOT_A_FINDING, "about": "by construction of the simulator", "moments": 8}
    return note | {"gaps": rows, "check": check}


def with_ladder(folder: Path, found: dict[str, Any], **more: Any) -> str:
    make_folder(folder, **more)
    record = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    record["summary"]["ladder"] = found
    record["ladder"] = {"reference": EVIL}
    (folder / "run.json").write_text(json.dumps(record), encoding="utf-8")
    return write_report(folder).read_text(encoding="utf-8")


def section(html: str) -> str:
    found = re.search(r'<section id="ladder">.*?</section>', html, re.DOTALL)
    assert found
    return found[0]


def test_the_ladder_comes_first_and_says_what_it_is(tmp_path: Path) -> None:
    html = with_ladder(tmp_path / "run", ladder())
    assert html.index('<section id="ladder">') < html.index('<section id="numbers">')
    said = section(html)
    assert NOT_A_FINDING in said
    assert re.findall(r"<figcaption><b>(\w+)", said) == ["Attune", "Yield"], "in the order of the design"
    assert said.count('<circle class="mark sustain"') == said.count('<path class="mark resume"') == 2 * len(GROUPS) + 1
    assert "8 moments, 4 patients" in said
    assert "nobody said so" in said


def test_every_picture_has_a_title_and_a_description_of_its_own(tmp_path: Path) -> None:
    said = section(with_ladder(tmp_path / "run", ladder()))
    names = re.findall(r'aria-labelledby="([^"]+)"', said)
    assert len(names) == len(set(names)) == 2
    for name in " ".join(names).split():
        assert said.count(f'id="{name}"') == 1
    assert "show 0.75 [0.65, 0.85], n 8; resume 0.60" in said


def test_a_model_is_no_instrument_check(tmp_path: Path) -> None:
    said = section(with_ladder(tmp_path / "run", ladder((*GROUPS, "openai/some-model"))))
    assert NOT_A_FINDING not in said
    assert "by construction of the simulator" in said
    assert "openai/some" in said


def test_what_was_named_or_said_is_escaped(tmp_path: Path) -> None:
    html = with_ladder(tmp_path / "run", ladder((EVIL, *GROUPS)))
    assert "<img" not in html.replace("\\u003c", "")
    assert "\x1b" not in html
    assert "&lt;img src=x" in section(html)


def test_the_check_says_holds_does_not_hold_or_nothing(tmp_path: Path) -> None:
    found = instrument_check(ladder()["check"], {g: g.split(".")[0] for g in GROUPS})
    assert found is not None
    assert found["counts"] == [1, 1, 2]
    assert [row["verdict"] for row in found["foils"][0]["rows"]] == ["holds", "does not hold"]
    assert [foil["silent"] for foil in found["foils"]] == ["bond", "safety"]
    assert found["free_foils"] == ["silent"], "a foil that nobody dominates is a fault"
    assert found["dominated"] == [("advisor", "socratic")]
    assert found["lures"] == ["silent leads warmth (the best other is ahead by −0.20 [−0.30, −0.10])"]
    text = " ".join(re.sub(r"<[^>]+>", " ", section(with_ladder(tmp_path / "run", ladder()))).split())
    assert "Of 4 such places 1 hold and 1 does not; on 2 there is nothing to say" in text
    assert "nothing to say on bond" in text
    assert instrument_check(None, {}) is None


@pytest.mark.parametrize("played", [True, False])
def test_without_a_ladder_the_report_is_as_it_was(tmp_path: Path, played: bool) -> None:
    html = write_report(make_folder(tmp_path / "run", played=played)).read_text(encoding="utf-8")
    assert 'id="ladder"' not in html
    assert 'href="#ladder"' not in html


def test_a_ladder_of_an_earlier_version_has_no_check(tmp_path: Path) -> None:
    old = {k: v for k, v in ladder().items() if k != "check"}
    assert 'id="check"' not in with_ladder(tmp_path / "run", old, no_text=True)
    record = {"summary": {"ladder": old | {"gaps": []}}}
    assert ladder_figure(record, []) is None


def test_numbers_stay_inside_their_picture() -> None:
    wide = ladder()
    wide["gaps"][0] |= {"value": 1.0, "low": 0.0, "high": 1.0}
    figure = ladder_figure({"summary": {"ladder": wide}}, [])
    assert figure is not None
    for panel in figure["panels"]:
        for line in panel["lines"]:
            for mark in line["marks"]:
                assert 0 < mark["low"] <= mark["x"] <= mark["high"] < figure["width"]
                assert panel["top"] <= mark["y"] <= panel["bottom"]
