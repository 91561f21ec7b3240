"""Speech is loosened as much as people's is, and nothing that was to be said is lost."""

from __future__ import annotations

import itertools
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.patients.casebook import case_ids, read_case_file
from turnwise.patients.schema import Speech
from turnwise.patients.speech import Missing, begun, favoured, habits, joined, lacking, loosened
from turnwise.patients.words import words_of

TALKS = Speech(
    rate=1.0,
    begins=("Um,", "Well,", "I mean,"),
    agrees=("Yeah,", "Mm,"),
    within=("you know", "like", "um"),
    trails=("you know", "and that"),
    acks=("Yeah.",),
)
BEATS = st.deferred(
    lambda: st.sampled_from([b for name in case_ids()[:6] for t in read_case_file(name).tellings for b in t.beats])
)
NOBODY: frozenset[str] = frozenset()


def _in_order(inner: list[str], outer: list[str]) -> bool:
    rest = iter(outer)
    return all(word in rest for word in inner)


@given(st.lists(BEATS, min_size=1, max_size=4), st.integers(0, 10_000))
def test_every_word_that_was_written_is_still_said_in_its_order(beats: list[str], seed: int) -> None:
    said = loosened(beats, TALKS, Missing(12.0, 3.0, 2.0), NOBODY, np.random.default_rng(seed), raw=False)
    assert len(said) == len(beats)
    for before, after in zip(beats, said, strict=True):
        assert _in_order(words_of(before), words_of(after)), (before, after)
        assert not re.search(r",,| ,|, \.|  ", after), after


@given(st.lists(BEATS, min_size=1, max_size=4), st.integers(0, 100))
def test_whoever_lacks_nothing_speaks_as_written(beats: list[str], seed: int) -> None:
    assert loosened(beats, TALKS, Missing(), NOBODY, np.random.default_rng(seed), raw=False) == beats


def test_what_somebody_quotes_is_left_as_it_was_said() -> None:
    quoted = ["He said, 'you were never any good at it, and you know it', and he went out to the car."]
    for seed in range(50):
        assert (
            loosened(quoted, TALKS, Missing(30.0, 10.0, 10.0), NOBODY, np.random.default_rng(seed), raw=False) == quoted
        )


def test_nothing_trails_after_what_is_raw() -> None:
    only = Speech(rate=1.0, trails=("you know",))
    beat = ["I found him in the kitchen on the Sunday morning."]
    many = [loosened(beat, only, Missing(40.0), NOBODY, np.random.default_rng(i), raw=False) for i in range(60)]
    assert any(x[0].endswith(", you know.") for x in many)
    for seed in range(60):
        said = loosened(beat, only, Missing(40.0), NOBODY, np.random.default_rng(seed), raw=True)
        assert "you know" not in said[0]


def test_as_many_fillers_come_as_are_lacking() -> None:
    # Recovery: long plain text has room for all of them, so that what comes is what was asked for.
    text = [
        "I went to the shop on the corner, and I saw him there with his dog, and he waved at me from the door."
    ] * 40
    extra = []
    for seed in range(60):
        said = loosened(text, TALKS, Missing(3.0), NOBODY, np.random.default_rng(seed), raw=True)
        extra.append(sum(len(re.findall(r"you know|like,|um,|Um,|Well,|I mean|just|And I", x)) for x in said))
    words = sum(len(t.split()) for t in text)
    per_100 = 100 * float(np.mean(extra)) / words
    # They stand for what is said elsewhere too (two thirds of speech comes through here); some draws fall out.
    assert 3.0 < per_100 < 4.5


@pytest.mark.parametrize("modality", ["spoken", "typed"])
def test_lengths_follow_the_people_they_were_drawn_from(modality: str) -> None:
    h = habits(modality)
    for kind, grid in h.words.items():
        lengths = [h.length(kind, u) for u in np.linspace(0, 1, 101)]
        assert lengths == sorted(lengths)
        assert (lengths[0], lengths[-1]) == (grid[0], grid[-1])
        # The table's own share of short turns is the share of draws that come out short.
        short = float(np.mean([h.length(kind, u) <= 3.0 for u in np.linspace(0, 1, 2001)]))
        assert abs(short - h.short[kind]) < 0.06, (kind, short)


def test_a_beginning_does_not_come_again_at_once_and_agrees_only_with_what_it_goes_along_with() -> None:
    h = habits("spoken")
    for seed in range(200):
        rng = np.random.default_rng(seed)
        assert begun(TALKS, h, "reflection", ("Um,", "Well,", "Yeah,"), rng, goes_along=True) in ("", "I mean,", "Mm,")
        assert begun(TALKS, h, "open", (), rng, goes_along=False) in ("", *TALKS.begins)


def test_names_and_i_keep_their_capital_after_a_beginning() -> None:
    assert joined("Um,", "I was late.", NOBODY) == "Um, I was late."
    assert joined("Um,", "Dr Mullan rang.", NOBODY) == "Um, Dr Mullan rang."
    assert joined("Um,", "Manus rang.", frozenset(("Manus",))) == "Um, Manus rang."
    assert joined("Um,", "The phone rang.", NOBODY) == "Um, the phone rang."
    assert joined("Well,", "Well, it rang.", NOBODY) == "Well, it rang."


def test_whoever_writes_loosely_lacks_less() -> None:
    h = habits("spoken")
    assert lacking(TALKS, h, 0.0).fillers == h.fillers
    assert lacking(TALKS, h, h.fillers + 1.0).fillers == 0.0
    assert lacking(Speech(), h, 0.0) == Missing()


@pytest.mark.parametrize("name", case_ids())
def test_every_case_has_a_way_of_talking_that_keeps_to_its_own_rules(name: str) -> None:
    voice = read_case_file(name).voice
    speech = voice.speech
    assert speech.rate > 0
    assert min(len(speech.begins), len(speech.acks)) >= 5
    assert all(x.endswith(",") for x in (*speech.begins, *speech.agrees))
    assert all(1 <= len(x.split()) <= 3 for x in speech.acks), speech.acks
    said = " ".join((*speech.begins, *speech.agrees, *speech.within, *speech.trails, *speech.acks)).lower()
    assert not [x for x in voice.never_says if re.search(rf"\b{re.escape(x.lower())}\b", said)]


def test_what_is_put_in_does_not_stand_close_together() -> None:
    text = ["I went to the shop on the corner, and I saw him there with his dog, and he waved at me from the door."]
    once = Speech(rate=1.0, within=("you know", "like", "um"), trails=("and that",))
    for seed in range(200):
        said = loosened(text, once, Missing(60.0), NOBODY, np.random.default_rng(seed), raw=False)[0]
        places = [m.start() for m in re.finditer(r"\b(?:you know|like|um|just)\b", said)]
        assert all(b - a >= 16 for a, b in itertools.pairwise(places)), said


def test_as_many_words_come_twice_as_are_lacking() -> None:
    text = [
        "I went to the shop on the corner, and I saw him there with his dog, and he waved at me from the door."
    ] * 20
    words = sum(len(t.split()) for t in text)
    for missing, at_least, at_most in ((Missing(repeats=2.0), 2.0, 3.2), (Missing(restarts=1.0), 0.7, 1.6)):
        found = []
        for seed in range(80):
            said = loosened(text, TALKS, missing, NOBODY, np.random.default_rng(seed), raw=False)
            found.append(sum(len(re.findall(r"\b((?:\w+ ){0,2}\w+), \1\b", x, re.IGNORECASE)) for x in said))
        assert at_least < 100 * float(np.mean(found)) / words < at_most


def test_favourites_come_as_often_as_people_have_them() -> None:
    rng, last, counts = np.random.default_rng(1), "", dict.fromkeys(TEN, 0)
    for _ in range(4000):
        last = favoured([x for x in TEN if x != last], rng)
        counts[last] += 1
    commonest = max(counts.values()) / 4000
    assert commonest == max(counts[TEN[0]], 0) / 4000
    assert 0.3 < commonest < 0.45  # people: .37 (human_speech.json, favourite)


TEN = tuple(f"ack {i}" for i in range(10))
