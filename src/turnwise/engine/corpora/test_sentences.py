from __future__ import annotations

import csv
import gzip
from pathlib import Path

import numpy as np
import pytest

from turnwise.core.nouns import Trajectory, Turn
from turnwise.engine.corpora.annomi_subtypes import ANNOMI_SUBTYPES, shares_of
from turnwise.engine.corpora.bolt import BOLT, CLIENT, THERAPIST
from turnwise.engine.corpora.mi_sentences import CODES, MI_SENTENCES
from turnwise.engine.corpora.near_duplicates import groups_of, near_duplicates
from turnwise.reading.sentence_coder import load_sentence_coder


def _write(path: Path, rows: list[dict[str, str]]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with gzip.open(path, "wt", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


def test_bolt_has_one_session_per_text_with_all_its_labels(tmp_path: Path) -> None:
    said = [("therapist", "so you feel sad about it", "Reflections on Emotions"), ("client", "i quit", CLIENT[0])]
    said += [
        ("therapist", "so you feel sad about it", "Normalizing"),
        ("therapist", "So you feel sad about it!", "Planning"),
    ]
    rows = [{"speaker": s, "published_split": "", "text": t, "label": x} for s, t, x in said]
    ts = BOLT.load(_write(tmp_path / "b.csv.gz", rows))
    assert [len(t.turns) for t in ts] == [1, 1, 1]
    assert BOLT.gold["bolt_therapist"](ts[0], 0) == {"Reflections on Emotions", "Normalizing"}
    assert BOLT.gold["bolt_therapist"](ts[1], 0) is None
    assert BOLT.gold["bolt_client"](ts[1], 0) == {CLIENT[0]}
    assert BOLT.group_of(ts[0]) == BOLT.group_of(ts[2]) != BOLT.group_of(ts[1])


def test_sentences_of_one_question_are_one_group(tmp_path: Path) -> None:
    texts = ["You could talk to him about it.", "It takes a lot of courage to ask.", "What do you think he would say?"]
    rows = [{"Text": t, "Ground truth (index)": "0", "Ground truth": CODES[0], "Prediction": "Other"} for t in texts]
    path = _write(tmp_path / "mi_sentences" / "mi.csv.gz", rows)
    assert len({MI_SENTENCES.group_of(t) for t in MI_SENTENCES.load(path)}) == 3
    answers = [{"questionID": "1", "answerText": f"Hello.  {texts[0]}"}, {"questionID": "1", "answerText": texts[2]}]
    _write(tmp_path / "counsel_chat" / "answers.csv.gz", answers)
    ts = MI_SENTENCES.load(path)
    assert MI_SENTENCES.group_of(ts[0]) == MI_SENTENCES.group_of(ts[2]) != MI_SENTENCES.group_of(ts[1])
    assert MI_SENTENCES.gold["mi_code"](ts[0], 0) == {CODES[0]}


def _turn(*annotations: dict[str, str], speaker: str = "therapist") -> Trajectory:
    return Trajectory(
        session_id="s",
        source="test",
        turns=(Turn.model_validate({"speaker": speaker, "text": "How so?"}),),
        infos=({"labels": {"annotations": list(annotations)}},),
    )


def test_a_subtype_needs_half_of_the_annotators() -> None:
    none, opened, closed = {}, {"question_subtype": "open"}, {"question_subtype": "closed"}
    gold = ANNOMI_SUBTYPES.gold["question_type"]
    assert gold(_turn(opened, none), 0) == "open"
    assert gold(_turn(opened, none, none), 0) is None
    assert gold(_turn(closed, opened), 0) == "open"
    assert gold(_turn(closed, closed, opened), 0) == "closed"
    assert gold(_turn(opened, speaker="patient"), 0) is None
    shares = shares_of("question_type", _turn(closed, closed, opened, none), 0)
    assert shares is not None
    np.testing.assert_allclose(shares, [1 / 3, 2 / 3])
    assert ANNOMI_SUBTYPES.gold["input_type"](_turn({"therapist_input_subtype": "options"}), 0) is None


def test_groups_are_closed_and_short_texts_are_not_thrown_together() -> None:
    assert groups_of(5, [(3, 4), (0, 3)]) == [0, 1, 2, 0, 0]
    assert near_duplicates(["I see.", "Okay.", "i see", "I see what you mean by that now"]) == []
    assert near_duplicates(["Okay.", "okay.", "Okay"]) == [(0, 1)]


@pytest.mark.parametrize(
    ("item", "labels"), [("bolt_therapist", THERAPIST), ("bolt_client", CLIENT), ("mi_code", CODES)]
)
def test_shipped_coders_have_the_labels_of_their_corpus(item: str, labels: tuple[str, ...]) -> None:
    assert load_sentence_coder(f"{item}.v1").labels == labels
