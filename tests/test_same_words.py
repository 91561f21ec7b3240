"""A planned moment has the same words whoever the therapist is, whatever was said before it or leads up to it."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import pytest

from played_sessions import played
from turnwise.batteries.ladder.moments import moment_key
from turnwise.patients.casebook import case_ids

THERAPISTS = ("socratic", "reflector", "advisor")


@pytest.mark.parametrize("case", case_ids())
def test_the_words_of_a_planned_moment_are_the_same_with_every_therapist(case: str) -> None:
    found: dict[tuple[int, str], list[str]] = defaultdict(list)
    for (_, _, epoch), t in played(*THERAPISTS, epochs=2, cases=(case,)).items():
        infos: list[tuple[str, Any]] = [
            (turn.text, t.info(i)) for i, turn in enumerate(t.turns) if turn.speaker == "patient"
        ]
        met = [(moment_key(info), text, info["said"]) for text, info in infos if info["scheduled"]]
        assert len({key for key, _, _ in met}) == len(met), "a planned moment comes once"
        assert not [info for _, info in infos if info["said"]["words"] and not info["scheduled"]]
        for key, text, said in met:
            assert said["words"]
            assert text == said["words"] or text.endswith(f" {said['words']}")
            found[epoch, key].append(said["words"])
    again = {key: words for key, words in found.items() if len(words) > 1}
    assert len(again) >= 5
    assert {key: set(words) for key, words in again.items()} == {key: {words[0]} for key, words in again.items()}
