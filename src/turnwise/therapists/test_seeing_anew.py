"""A new view: which words hold it, what only announces or comments on it, and what is none."""

import numpy as np
import pytest

from turnwise.therapists.guiding import candidates
from turnwise.therapists.ledger import Ledger
from turnwise.therapists.reflecting import heard_in
from turnwise.therapists.seeing_anew import new_view, old_view, sees_anew


@pytest.mark.parametrize(
    "text",
    [
        "She asks good questions, so maybe I tell her the rest.",
        "So maybe I'll ring him on Friday.",
        "So maybe next week then.",
        "She's perhaps thirty.",
        "He is probably at work by now.",
        "Maybe it was five o'clock.",
        "Perhaps it was a week before that.",
        "Maybe we should stop here.",
        "He's maybe older than me.",
    ],
)
def test_a_plan_an_offer_and_a_guess_are_no_new_view(text: str) -> None:
    assert not sees_anew(text)


@pytest.mark.parametrize(
    ("text", "view"),
    [
        ("Perhaps it is not lost. Perhaps it is resting.", "Perhaps it is not lost. Perhaps it is resting"),
        (
            "Turns out my aunt was only shy. I could not tell you, frankly, what she felt.",
            "Turns out my aunt was only shy",
        ),
        (
            "Perhaps he only came for the music. It is a bigger mistake than it looks.",
            "Perhaps he only came for the music",
        ),
        ("It came to me in the lift, Morag sings off key and nobody minds.", "Morag sings off key and nobody minds"),
        (
            "It has only now occurred to me that people may like him for his stammer.",
            "people may like him for his stammer",
        ),
        (
            "I always said I wanted the garden tidy, and I'm not sure it's tidy I'm after.",
            "I'm not sure it's tidy I'm after",
        ),
        ("I took her card for a reproach. Maybe it wasn't.", "I took her card for a reproach. Maybe it wasn't"),
        ("Okay, he might have been saving me the seat.", "he might have been saving me the seat"),
    ],
)
def test_the_words_that_hold_the_new_view_are_quoted(text: str, view: str) -> None:
    assert sees_anew(text)
    assert new_view(heard_in(text)) == view
    assert view.lower() in candidates("consolidate", Ledger(), heard_in(text), np.random.default_rng(1))[0].text.lower()


@pytest.mark.parametrize(
    ("text", "before"),
    [
        (
            "I always thought my uncle never listened, when he read his paper. I think he might be.",
            "my uncle never listened",
        ),
        (
            "I'd got it in my head I owe my cousin Bram at the garage for that lift. Maybe I don't.",
            "I owe my cousin Bram at the garage for that lift",
        ),
        ("I believed she wanted paying. Now I am not sure.", "she wanted paying"),
    ],
)
def test_where_the_new_view_hangs_on_the_old_the_old_is_said_back_with_its_doubt(text: str, before: str) -> None:
    turn = heard_in(text)
    assert old_view(turn) == before
    lines = candidates("consolidate", Ledger(), turn, np.random.default_rng(1))
    assert lines[0].id.startswith("consolidate_unsure")
    assert lines[0].quoted == (before,)


def test_a_new_thought_is_not_guarded_against_relapse_at_once() -> None:
    lines = candidates("test_insight", Ledger(), heard_in("Maybe he was only shy."), np.random.default_rng(1))
    assert lines
    assert not any(w in line.text for line in lines for w in ("hold on to", "comes back", "bears it out"))
