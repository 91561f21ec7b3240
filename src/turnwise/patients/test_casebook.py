"""Case files: all load, all hold together, and a malformed one is told everything at once."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest

from turnwise.core.errors import FormatError, UsageError
from turnwise.patients.casebook import case_ids, load_case, parse_case, read_case_file
from turnwise.patients.lint import lint_case, spoken
from turnwise.patients.words import words_of

GOOD = "\n".join(
    line for line in Path(__file__).with_name("cases").joinpath("alun.yaml").read_text(encoding="utf-8").splitlines()
)


@pytest.mark.parametrize("name", case_ids())
def test_a_case_loads_and_keeps_its_truth_from_the_intake(name: str) -> None:
    case = load_case(name)
    assert case.id == name
    assert case.licence == "Apache-2.0"
    assert "not clinician-reviewed" in case.source
    assert case.truth["tellings"]
    assert set(case.intake.model_dump()) == {"age", "gender", "referral"}
    assert case.intake.referral
    assert load_case(name) is case


@pytest.mark.parametrize("name", case_ids())
def test_a_case_is_written_as_the_brief_asks(name: str) -> None:
    notes = lint_case(read_case_file(name))
    assert notes == []


def test_cases_are_three_opposite_styles() -> None:
    assert {read_case_file(n).voice.style for n in case_ids()} >= {"reserved", "upset", "verbose"}


def test_cases_share_no_phrases() -> None:
    def grams(name: str) -> set[tuple[str, ...]]:
        return {
            tuple(w[i : i + 6]) for s in spoken(read_case_file(name)) for w in [words_of(s)] for i in range(len(w) - 5)
        }

    for a, b in combinations(case_ids(), 2):
        assert len(grams(a) & grams(b)) <= 3, (a, b)


def test_a_case_can_be_read_from_a_path(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(GOOD, encoding="utf-8")
    assert load_case(path).id == load_case(str(path)).id == "alun"
    with pytest.raises(FormatError, match="is not there"):
        load_case(tmp_path / "nobody.yaml")


def test_further_questions_beside_a_case_are_read_with_it(tmp_path: Path) -> None:
    path, more = tmp_path / "mine.yaml", tmp_path / "questions" / "mine.yaml"
    path.write_text(GOOD, encoding="utf-8")
    first = read_case_file("alun").tellings[0].id
    before = len(load_case(path).truth["tellings"][0]["asks"])
    more.parent.mkdir()
    more.write_text(f'{first}: ["What would you call it yourself?"]\nnobody: [x]\nname: what\n', encoding="utf-8")
    with pytest.raises(FormatError) as told:
        load_case(path)
    assert "2 problems" in str(told.value)
    assert "questions[nobody]" in str(told.value)
    assert "questions[name]: holds a str" in str(told.value)
    more.write_text(f'{first}: ["What would you call it yourself?"]\n', encoding="utf-8")
    assert len(load_case(path).truth["tellings"][0]["asks"]) == before + 1


def test_an_unknown_case_names_those_there_are() -> None:
    with pytest.raises(UsageError, match="alun"):
        load_case("nobody")


def test_every_problem_of_shape_is_said_at_once_with_its_place() -> None:
    broken = GOOD.replace(
        "level: 0, function: answer, mentions: [delyth]", "level: 7, function: sings, mentions: [delyth]", 1
    )
    broken = broken.replace("style: reserved", "style: grumpy", 1)
    with pytest.raises(FormatError) as caught:
        parse_case(broken, "alun.yaml")
    message = str(caught.value)
    assert "3 problems" in message
    for place in ("alun.yaml", "tellings[come1].level", "tellings[come1].function", "voice.style", "reserved"):
        assert place in message


def test_every_broken_reference_is_said_at_once() -> None:
    broken = GOOD.replace("leads_to: [come2]", "leads_to: [nowhere]", 1).replace("spine: [come1,", "spine: [gone,", 1)
    with pytest.raises(FormatError) as caught:
        parse_case(broken, "alun.yaml")
    assert "2 problems" in str(caught.value)
    assert "tellings[come1].leads_to: names the unknown telling 'nowhere'" in str(caught.value)
    assert "spine: names the unknown telling 'gone'" in str(caught.value)


HOSTILE = ("[" * 100_000, "id: " + "9" * 1_000_000, "id: 1" + ":59" * 300_000, "a: &a [*a]\n")


@pytest.mark.parametrize("text", ["- a\n- b\n", "id: [unclosed\n", "id: x\n", *HOSTILE], ids=lambda x: x[:9])
def test_what_is_no_case_is_refused_in_words(text: str) -> None:
    with pytest.raises(FormatError, match=r"mine\.yaml"):
        parse_case(text, "mine.yaml")


@pytest.mark.parametrize("part", ["questions", "further"])
def test_what_stands_beside_a_case_is_read_within_the_same_bounds(part: str) -> None:
    with pytest.raises(
        FormatError, match=rf"{part} of mine\.yaml, line 1, column 65: holds values more than 64 levels"
    ):
        parse_case(GOOD, "mine.yaml", **{part: "[" * 100_000})


def test_an_unknown_key_is_an_error_and_not_silence() -> None:
    with pytest.raises(FormatError, match="shoe_size"):
        parse_case(GOOD + "\nshoe_size: 9\n", "alun.yaml")
