from __future__ import annotations

import numpy as np
import pytest

from turnwise.core.checkers import sessions_for_checks
from turnwise.core.nouns import Trajectory, Turn
from turnwise.core.registry import READERS
from turnwise.reading.coder import load_coder
from turnwise.reading.ears.hearing import BEHAVIOURS, TALK
from turnwise.reading.raters.client_talk import client_talk
from turnwise.reading.raters.therapist_behaviour import therapist_behaviour
from turnwise.reading.session_reader import SessionReader
from turnwise.reading.training_sessions import fingerprint, training_folds
from turnwise.reading.window import windows_of

NAMES = ("client_talk.v1", "therapist_behaviour.v1")
SPEAKER = {"client_talk.v1": "patient", "therapist_behaviour.v1": "therapist"}


def _session(sid: str, *texts: str) -> Trajectory:
    turns = tuple(Turn(speaker="patient" if i % 2 else "therapist", text=x) for i, x in enumerate(texts))
    return Trajectory(session_id=sid, source="test", turns=turns)


ONE = _session(
    "one", "What brings you?", "I want to stop smoking.", "You want to stop.", "Yes, but I like it.", "Okay."
)
TWO = _session("two", "How are you?", "  ", "Ich bin heute sehr traurig.", "Estoy muy cansado, pero no sé.")


def test_every_rater_is_registered_with_its_labels() -> None:
    assert {e.name for e in READERS} >= set(NAMES)
    assert READERS.get("therapist_behaviour").spec["labels"] == BEHAVIOURS == therapist_behaviour().labels
    assert READERS.get("client_talk").spec["labels"] == TALK == client_talk().labels


@pytest.mark.parametrize("name", NAMES)
def test_a_reading_is_parallel_to_the_turns_and_says_what_was_not_read(name: str) -> None:
    reader = READERS.get(name).obj()
    for t, reading in zip([ONE, TWO], reader.read([ONE, TWO]), strict=True):
        assert reading.p.shape == (len(t.turns), len(reader.labels))
        assert (reading.coder, reading.sha256, reading.item) == (name, reader.sha256, reader.item)
        assert np.isnan(reading.p).all(axis=1).tolist() == [c is not None for c in reading.codes]
        for turn, code in zip(t.turns, reading.codes, strict=True):
            assert (code == "not_applicable") == (turn.speaker != SPEAKER[name])


def test_blank_and_foreign_turns_have_their_own_reasons() -> None:
    [talk] = client_talk().read([TWO])
    [behaviour] = therapist_behaviour().read([TWO])
    assert talk.codes == ("not_applicable", "empty", "not_applicable", "out_of_scope")
    assert behaviour.codes == (None, "not_applicable", "out_of_scope", "not_applicable")
    assert behaviour.values()[0] == "question"


@pytest.mark.parametrize("name", NAMES)
def test_awkward_sessions_are_read_or_excused(name: str) -> None:
    ts = sessions_for_checks()
    together = READERS.get(name).obj().read(ts)
    for t, reading in zip(ts, together, strict=True):
        assert len(reading.codes) == len(t.turns)
        [alone] = READERS.get(name).obj().read([t])
        assert alone.p.tobytes() == reading.p.tobytes()
        assert alone.codes == reading.codes


@pytest.mark.parametrize("name", NAMES)
def test_a_training_session_is_read_by_weights_that_never_saw_it(name: str) -> None:
    coder, speaker = load_coder(name, "raters"), SPEAKER[name]
    doctored = {fingerprint(ONE.turns): 2}
    [held_out, free] = SessionReader(name, speaker, folds=doctored).read([ONE, TWO])  # type: ignore[arg-type]
    [plain, same] = SessionReader(name, speaker, folds={}).read([ONE, TWO])  # type: ignore[arg-type]
    assert (held_out.coder, free.coder, plain.coder) == (f"{name}+oof", name, name)
    mine = [i for i, turn in enumerate(ONE.turns) if turn.speaker == speaker]
    windows = [windows_of(ONE.turns)[i] for i in mine]
    assert held_out.p[mine].tobytes() == coder.read(windows, "fold2").tobytes()
    assert plain.p[mine].tobytes() == coder.read(windows, "full").tobytes()
    assert not np.allclose(held_out.p[mine], plain.p[mine])
    assert free.p.tobytes() == same.p.tobytes()


def test_every_shipped_coder_has_the_fold_of_every_training_session() -> None:
    folds = set(training_folds().values())
    assert len(training_folds()) == 86
    for name in NAMES:
        assert set(load_coder(name, "raters").fits) == {"full"} | {f"fold{k}" for k in folds}


def test_the_shipped_table_is_what_readers_use_and_hides_the_texts() -> None:
    assert all(len(k) == 16 and set(k) <= set("0123456789abcdef") for k in training_folds())
    assert fingerprint(ONE.turns) not in training_folds()


def test_a_fingerprint_ignores_the_file_format_and_nothing_else() -> None:
    spaced = _session("x", " what BRINGS you? ", "I want to\u00a0stop  smoking.", *[t.text for t in ONE.turns[2:]])
    assert fingerprint(spaced.turns) == fingerprint(ONE.turns)
    assert fingerprint(ONE.turns[:-1]) != fingerprint(ONE.turns)
    swapped = [Turn(speaker="patient" if t.speaker == "therapist" else "therapist", text=t.text) for t in ONE.turns]
    assert fingerprint(swapped) != fingerprint(ONE.turns)
    joined = [Turn(speaker="therapist", text="a b"), Turn(speaker="therapist", text="c")]
    assert fingerprint(joined) != fingerprint(
        [Turn(speaker="therapist", text="a"), Turn(speaker="therapist", text="b c")]
    )
