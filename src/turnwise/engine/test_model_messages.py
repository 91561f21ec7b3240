"""Chat messages hold the transcript, in order and in roles that every endpoint accepts, and nothing else."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from turnwise.core.nouns import Speaker, Turn
from turnwise.engine.chat import OPENER, SILENCE
from turnwise.engine.model_messages import model_messages

TURNS = st.lists(
    st.builds(Turn, speaker=st.sampled_from(["therapist", "patient"]), text=st.text(max_size=20)), max_size=8
)


@given(TURNS, st.sampled_from(["therapist", "patient"]))
def test_roles_alternate_begin_with_the_other_side_and_lose_no_word(turns: list[Turn], me: Speaker) -> None:
    system, *said = model_messages("prompt", turns, speaks_as=me)
    assert system == {"role": "system", "content": "prompt"}
    assert [m["role"] for m in said] == [("user", "assistant")[i % 2] for i in range(len(said))]
    assert all(m["content"].strip() for m in said)
    words = [t.text if t.text.strip() else SILENCE for t in turns]
    begun = [] if turns and turns[0].speaker != me else [OPENER]
    expected = begun + words
    assert "\n".join(m["content"] for m in said) == "\n".join(expected)


def test_the_first_word_is_asked_for() -> None:
    assert model_messages("", []) == [{"role": "user", "content": OPENER}]
