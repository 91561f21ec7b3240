from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from turnwise.core.errors import UndefinedError
from turnwise.core.nouns import FloatArray, Trajectory, Turn
from turnwise.reading.explaining import MOST_PIECES, explain
from turnwise.reading.raters.therapist_behaviour import therapist_behaviour
from turnwise.reading.window import Window


def window(text: str, before: str = "") -> Window:
    heard = (Turn(speaker="patient", text=before),) if before else ()
    return Window(Turn(speaker="therapist", text=text), heard)


def counts_you(windows: Sequence[Window]) -> FloatArray:
    """A coder whose log-odds are twice the number of "you" less one, and one more after any turn before it."""
    odds = np.array([2.0 * w.turn.text.split().count("you") - 1.0 + bool(w.before) for w in windows])
    p = 1 / (1 + np.exp(-odds))
    return np.stack([1 - p, p], axis=1)


def test_leaving_a_word_out_shows_what_it_added() -> None:
    found = explain(window("are you there , you ?", "Hm."), counts_you, ("no", "yes"))
    assert (found.label, round(found.p, 3)) == ("yes", round(1 / (1 + np.exp(-4)), 3))
    assert [w for w, _ in found.words] == ["are", "you", "there", ",", "you", "?"]
    assert [round(m, 6) for _, m in found.words] == [0, 2, 0, 0, 2, 0]
    assert found.context == pytest.approx(1.0)
    assert [w for w, _ in found.strongest(2)] == ["you", "you"]


def test_another_label_can_be_asked_for_and_then_the_signs_turn() -> None:
    found = explain(window("you"), counts_you, ("no", "yes"), label="no")
    assert found.label == "no"
    assert found.words[0][1] == pytest.approx(-2.0)
    assert found.context is None


def test_a_long_turn_is_explained_in_runs_of_words() -> None:
    words = ["well"] * 5 * MOST_PIECES + ["you"]
    found = explain(window(" ".join(words)), counts_you, ("no", "yes"))
    assert len(found.words) <= MOST_PIECES
    assert " ".join(w for w, _ in found.words).split() == words
    assert max(found.words, key=lambda w: w[1])[0].endswith("you")


@pytest.mark.parametrize("text", ["", "   ", "你好，今天怎么样？"])
def test_what_was_not_coded_cannot_be_explained(text: str) -> None:
    with pytest.raises(UndefinedError):
        explain(window(text), counts_you, ("no", "yes"))


def test_a_shipped_coder_explains_a_question_by_what_asks() -> None:
    t = Trajectory(
        session_id="s",
        source="test",
        turns=(Turn(speaker="patient", text="Work was hard."), Turn(speaker="therapist", text="What happened then ?")),
    )
    found = therapist_behaviour().explain(t, 1)
    assert found.label == "question"
    assert found.strongest(1)[0][0] in ("What", "?")
    with pytest.raises(UndefinedError, match="reads the therapist"):
        therapist_behaviour().explain(t, 0)
