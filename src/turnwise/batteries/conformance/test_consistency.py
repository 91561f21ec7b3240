"""Everything is asked again, in forms that mean the same; a contradiction is seen, and nothing else is called one."""

from __future__ import annotations

from itertools import pairwise

import pytest

from turnwise.batteries.conformance.asking import APART, Interview, declarative, interviews, negated
from turnwise.batteries.conformance.consistency import contradictions, contradictions_within, differing
from turnwise.batteries.conformance.test_made_sessions import Line, made, replies, said
from turnwise.core.nouns import Case, Intake, Trajectory


def case(n_facts: int = 2, propositions: tuple[str, ...] = ("do you sleep", "where is that")) -> Case:
    truth = {
        "facts": [
            {"key": f"f{i}", "ask": [f"what is the number of thing {i}"], "say": f"{i}."} for i in range(n_facts)
        ],
        "propositions": [{"id": f"p{i}", "ask": [ask], "answer": "yes"} for i, ask in enumerate(propositions)],
    }
    return Case(id="c", intake=Intake(), truth=truth, source="x", licence="x")


@pytest.mark.parametrize(
    ("question", "no", "statement"),
    [
        ("Do you drink?", "Don't you drink?", "So you drink?"),
        ("Is he still at home?", "Isn't he still at home?", "So he is still at home?"),
        ("Have you any friends?", "Haven't you any friends?", None),
        ("Does she know?", "Doesn't she know?", None),
        ("Is it him or her?", None, None),
        ("Is your father alive?", None, None),
        ("What is it?", None, None),
    ],
)
def test_forms_are_made_by_rule_or_not_at_all(question: str, no: str | None, statement: str | None) -> None:
    assert (negated(question), declarative(question)) == (no, statement)


def test_every_thing_is_asked_again_fifteen_turns_later() -> None:
    made_of = interviews(case(n_facts=9))
    asked = [(a.key, a.form, a.turn) for i in made_of for a in i.asked]
    assert {key for key, _, _ in asked} == {*(f"f{i}" for i in range(9)), "p0", "p1"}
    for interview in made_of:
        turns: dict[str, list[int]] = {}
        for a in interview.asked:
            turns.setdefault(a.key, []).append(a.turn)
            assert interview.lines[a.turn].endswith("?")
        assert all(b - a == APART for t in turns.values() for a, b in pairwise(t))
        assert all(len(t) >= 2 for t in turns.values())
    assert [form for key, form, _ in asked if key == "p0"] == ["plain", "negated", "declarative"]
    assert [form for key, form, _ in asked if key == "p1"] == ["plain", "plain"]
    assert "What is the number of thing 0?" in made_of[0].lines
    assert interviews(case().model_copy(update={"truth": {}})) == ()


def answered(interview: Interview, replies_to: dict[str, list[Line]]) -> Trajectory:
    at = {a.turn: a.key for a in interview.asked}
    left = {key: list(lines) for key, lines in replies_to.items()}
    lines: list[Line] = []
    for i, line in enumerate(interview.lines):
        lines += [line, left[at[i]].pop(0) if left.get(at.get(i, "")) else ("Mm.", said("minimal"))]
    return made(*lines)


YES, NO = ("Yes. Most nights.", said("yes_no", "p0")), ("No, not really.", said("yes_no", "p0"))


def test_a_yes_and_a_no_to_the_same_thing_contradict() -> None:
    (interview,) = [i for i in interviews(case()) if any(a.key == "p0" for a in i.asked)]
    same = contradictions([(interview, answered(interview, {"p0": [YES, YES, YES]}))])
    assert same[:2] == (0.0, 1)
    torn = contradictions([(interview, answered(interview, {"p0": [YES, NO]}))])
    assert torn[:2] == (1.0, 1)
    assert "Most nights" in torn.detail
    assert "proposition plain 1 of 1" in torn.detail
    assert "proposition declarative 0 of 1" in torn.detail


def test_numbers_of_a_fact_have_to_agree() -> None:
    (interview,) = [i for i in interviews(case()) if any(a.key == "f0" for a in i.asked)]
    three, four = ("Three.", said("fact", "f0")), ("Like I said, four of them.", said("repeated"))
    kept = ("Like I said, three.", said("repeated"))
    assert contradictions([(interview, answered(interview, {"f0": [three, four]}))]).value == 1.0
    assert contradictions([(interview, answered(interview, {"f0": [three, kept]}))]).value == 0.0


def test_what_is_no_answer_contradicts_nothing() -> None:
    (interview,) = [i for i in interviews(case()) if any(a.key == "p0" for a in i.asked)]
    put_off = ("No. Not that.", said("guard"))
    assert contradictions([(interview, answered(interview, {"p0": [YES, put_off, YES]}))]).value == 0.0
    assert contradictions([(interview, answered(interview, {}))]).code == "no_answer"
    assert contradictions([]).code == "not_applicable"


def test_a_patient_without_a_record_is_judged_by_its_words() -> None:
    (interview,) = [i for i in interviews(case()) if any(a.key == "p0" for a in i.asked)]
    t = answered(interview, {"p0": ["Yes.", "No."]})
    bare = t.model_copy(update={"infos": ()})
    assert contradictions([(interview, bare)]).value == 1.0


def test_telling_apart() -> None:
    assert not differing("Well. I couldn't say.", "No.", fact=False)
    assert not differing("Yes.", "Like I said, yeah.", fact=False)
    assert differing("Oh no.", "Of course.", fact=False)
    assert not differing("At 7 or 8.", "At eight.", fact=False)
    assert differing("At seven.", "At eight.", fact=True)


def test_inside_an_ordinary_session_the_same_rule_holds() -> None:
    assert [c.key for c in contradictions_within(replies(YES, "Hm.", NO))] == ["p0"]
    assert contradictions_within(replies(YES, YES, ("No.", said("yes_no", "p1")))) == []
    assert contradictions_within(replies("Yes.", "No.")) == []
