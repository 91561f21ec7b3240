"""The learnt ear for voiced thoughts ranks thoughts above facts that look like them, and its weights decide."""

from __future__ import annotations

import numpy as np

from turnwise.reading.encoder import encode
from turnwise.therapists.reflecting import heard_in
from turnwise.therapists.target_thoughts import clauses_of, likeness, thought_in
from turnwise.therapists.voiced_thoughts import ASPECTS, Clause, VoicedThoughts, load_voiced_thoughts, numbers_of

PAIRS = (
    ("There's no point asking, she will say no like everybody else.", "There's no bus from here after ten."),
    ("They only ask me because they feel sorry for me.", "They only ask me when the boiler is off."),
    ("Dinner was ruined, the whole evening was a failure.", "Dinner was at eight, the whole family came."),
    ("A decent son would have been there.", "My son would have been ten in May."),
    ("Whatever I do, it will go wrong in the end.", "Whatever I cook, he eats it in the end."),
)  # fmt: skip


def chance(text: str) -> float:
    return float(load_voiced_thoughts().chances(clauses_of(text), text).max(initial=0.0))


def test_thoughts_are_likelier_than_facts_in_their_form_in_four_pairs_of_five() -> None:
    # Not in all: by its form "Whatever I cook, he eats it in the end." is taken for one.
    assert sum(chance(thought) > chance(fact) for thought, fact in PAIRS) >= 4


def test_it_hears_what_no_net_knows() -> None:
    text = "There's no point asking, she will say no like everybody else."
    assert all(likeness(c.words) < 2.0 for c in clauses_of(text))
    assert thought_in(heard_in(text), asked=True, distorted=False)[0]


def test_what_is_asked_or_empty_holds_no_clause() -> None:
    assert clauses_of("Why does it always go wrong?") == []
    assert load_voiced_thoughts().chances([], "").shape == (0,)


def test_numbers_are_named_and_weights_decide() -> None:
    clause = Clause("I'm a burden to her", True, 4.0)
    x = numbers_of([clause], "I think I'm a burden to her.")
    assert x.shape[1] == len(ASPECTS) + 2 * encode(["a"]).shape[1]
    assert x[0, ASPECTS.index("told")] == 1.0
    nothing = VoicedThoughts(np.zeros(x.shape[1]), 0.0)
    assert nothing.chances([clause], "I think I'm a burden to her.").tolist() == [0.5]
