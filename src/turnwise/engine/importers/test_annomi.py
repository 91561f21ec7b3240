"""AnnoMI tables: annotators folded into one utterance, majorities, damage kept to its transcript."""

import csv
import io
from pathlib import Path

import pytest

from turnwise.core.errors import FormatError
from turnwise.core.nouns import Trajectory
from turnwise.engine.importers.annomi import Annomi
from turnwise.engine.importers.detect import open_transcripts

HEADER = (
    "mi_quality,transcript_id,video_title,video_url,topic,utterance_id,interlocutor,timestamp,utterance_text,"
    "annotator_id,therapist_input_exists,therapist_input_subtype,reflection_exists,reflection_subtype,"
    "question_exists,question_subtype,main_therapist_behaviour,client_talk_type"
)
COLUMNS = HEADER.split(",")


def _row(transcript: int, utterance: int, who: str, text: str, label: str, annotator: int = 3) -> list[str]:
    therapist = who == "therapist"
    codes = ["False", "n/a", "False", "n/a", "True", "open", label, "n/a"] if therapist else [*["n/a"] * 7, label]
    start = ["high", str(transcript), "A film", "a link", "sleep", str(utterance), who, "00:00:07", text]
    return [*start, str(annotator), *codes]


def _table(tmp_path: Path, rows: list[list[str]], delimiter: str = ",", ends: str = "\n") -> Path:
    text = io.StringIO()
    csv.writer(text, delimiter=delimiter, lineterminator=ends).writerows([COLUMNS, *rows])
    path = tmp_path / "table.bin"
    path.write_bytes(text.getvalue().encode())
    return path


TWO = [
    _row(0, 0, "therapist", 'So, "fine"?\n\nReally?', "question"),
    _row(0, 1, "client", "Yes.", "neutral"),
    _row(0, 2, "client", "I want to stop.", "change"),
    _row(7, 0, "client", "", "sustain"),
]


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_utterances_become_turns(tmp_path: Path, delimiter: str, ends: str) -> None:
    first, second = open_transcripts(_table(tmp_path, TWO, delimiter, ends))
    assert (first.session_id, second.session_id) == ("annomi-0", "annomi-7")
    assert [(t.speaker, t.text) for t in first.turns] == [
        ("therapist", 'So, "fine"?\n\nReally?'),
        ("patient", "Yes."),
        ("patient", "I want to stop."),
    ]
    assert first.infos[0] == {
        "labels": {
            "main_therapist_behaviour": "question",
            "annotations": [
                {
                    "annotator_id": "3",
                    "main_therapist_behaviour": "question",
                    "reflection_exists": "False",
                    "question_exists": "True",
                    "question_subtype": "open",
                    "therapist_input_exists": "False",
                }
            ],
        },
        "utterance_id": 0,
        "timestamp": "00:00:07",
    }
    assert first.infos[2]["labels"] == {
        "client_talk_type": "change",
        "annotations": [{"annotator_id": "3", "client_talk_type": "change"}],
    }
    assert first.meta == {
        "transcript_id": 0,
        "mi_quality": "high",
        "topic": "sleep",
        "video_title": "A film",
        "video_url": "a link",
        "n_annotators": 1,
        "source": "AnnoMI",
    }
    assert second.turns[0].text == ""


def test_simple_form_without_annotators(tmp_path: Path) -> None:
    path = tmp_path / "simple.csv"
    path.write_text(
        "transcript_id,utterance_id,interlocutor,utterance_text,main_therapist_behaviour,client_talk_type\n"
        "0,5,therapist,Hello.,other,n/a\n0,6,client,Hi.,,neutral\n"
    )
    (t,) = open_transcripts(path)
    assert t.infos[0] == {
        "labels": {"main_therapist_behaviour": "other", "annotations": [{"main_therapist_behaviour": "other"}]},
        "utterance_id": 5,
    }
    assert t.infos[1]["utterance_id"] == 6
    assert t.meta["n_annotators"] == 1


@pytest.mark.parametrize(
    ("votes", "wins"),
    [
        (["other", "other", "question"], "other"),
        (["other", "question"], "question"),
        (["other", "therapist_input", "reflection"], "reflection"),
        (["therapist_input", "other", "other", "therapist_input", "question"], "therapist_input"),
    ],
)
def test_majority_and_its_ties(tmp_path: Path, votes: list[str], wins: str) -> None:
    rows = [_row(0, 0, "therapist", "Hm.", vote, i) for i, vote in enumerate(votes)]
    (t,) = Annomi().read(_table(tmp_path, rows))
    assert len(t.turns) == 1
    labels = t.infos[0]["labels"]
    assert isinstance(labels, dict)
    assert labels["main_therapist_behaviour"] == wins
    assert [a["main_therapist_behaviour"] for a in labels["annotations"]] == votes  # type: ignore[index,call-overload,union-attr]
    assert t.meta["n_annotators"] == len(votes)


@pytest.mark.parametrize(("votes", "wins"), [("sn", "neutral"), ("snc", "change"), ("ssn", "sustain")])
def test_ties_of_client_talk(tmp_path: Path, votes: str, wins: str) -> None:
    names = {"s": "sustain", "n": "neutral", "c": "change"}
    rows = [_row(0, 0, "client", "Hm.", names[v], i) for i, v in enumerate(votes)]
    (t,) = Annomi().read(_table(tmp_path, rows))
    assert t.infos[0]["labels"]["client_talk_type"] == wins  # type: ignore[index,call-overload]


def _endings(found: list[Trajectory]) -> list[tuple[str, bool]]:
    return [(t.session_id, t.ending == "error") for t in found]


def test_transcript_that_returns_is_an_error(tmp_path: Path) -> None:
    rows = [*TWO, _row(0, 3, "client", "Again.", "neutral"), _row(9, 0, "client", "x", "neutral")]
    found = list(open_transcripts(_table(tmp_path, rows)))
    assert _endings(found) == [("annomi-0", True), ("annomi-7", False), ("annomi-9", False)]
    assert "put the rows of a transcript together" in str(found[0].error)


@pytest.mark.parametrize(
    ("row", "why"),
    [
        (_row(3, 0, "narrator", "x", "neutral"), "spoken by 'narrator'"),
        (_row(3, 0, "client", "x", "neutral")[:-1], None),
        (
            ["high", "3", *_row(3, 0, "client", "x", "neutral")[2:5], "one", *_row(3, 0, "client", "x", "n")[6:]],
            "utterance_id",
        ),
    ],
)
def test_bad_row_spoils_its_transcript_only(tmp_path: Path, row: list[str], why: str | None) -> None:
    rows = [*TWO, row, _row(3, 1, "client", "y", "neutral"), _row(4, 0, "client", "z", "change")]
    found = list(open_transcripts(_table(tmp_path, rows)))
    states = dict(_endings(found))
    assert states["annomi-0"] is False
    assert states["annomi-3"] is True
    assert states["annomi-4"] is False
    # A row whose transcript cannot be told may have belonged to the one before it.
    assert states["annomi-7"] is (why is None)
    assert (why or "has 17 columns") in str(next(t for t in found if t.session_id == "annomi-3").error)


def test_missing_rows_are_noticed(tmp_path: Path) -> None:
    rows = [_row(0, 0, "client", "a", "neutral"), _row(0, 2, "client", "b", "neutral"), *TWO[3:]]
    found = list(open_transcripts(_table(tmp_path, rows)))
    assert _endings(found) == [("annomi-0", True), ("annomi-7", False)]
    assert "has utterance 2 after 0" in str(found[0].error)


def test_annotators_who_read_different_texts_are_an_error(tmp_path: Path) -> None:
    rows = [_row(0, 0, "client", "a", "neutral", 1), _row(0, 0, "client", "b", "neutral", 2), *TWO[3:]]
    assert _endings(list(open_transcripts(_table(tmp_path, rows)))) == [("annomi-0", True), ("annomi-7", False)]


def test_open_quotation_mark_never_swallows_a_turn_in_silence(tmp_path: Path) -> None:
    path = _table(tmp_path, [*TWO, *[_row(8, i, "client", "fine, then", "neutral") for i in range(4)]])
    whole = {t.session_id: len(t.turns) for t in open_transcripts(path)}
    clean = path.read_bytes()
    for at, byte in enumerate(clean):
        if byte != ord(","):
            continue
        path.write_bytes(clean[: at + 1] + b'"' + clean[at + 1 :])
        try:
            found = list(open_transcripts(path))
        except FormatError:
            continue
        lost = whole.keys() - {t.session_id for t in found if t.ending != "error"}
        kept = {t.session_id: len(t.turns) for t in found if t.ending != "error"}
        assert all(whole.get(k) == n for k, n in kept.items())
        assert not lost or any(t.ending == "error" for t in found)


def test_quotation_mark_that_swallows_the_last_row(tmp_path: Path) -> None:
    rows = [_row(5, 0, "client", "a", "neutral"), _row(5, 1, "client", "b, c", "neutral")]
    path = _table(tmp_path, [*rows, *TWO[3:], _row(8, 0, "client", "d", "neutral")])
    # Up to the quotation mark before "b" this is one long text, in a row with the right number of columns.
    path.write_bytes(path.read_bytes().replace(b",a,", b',"a,'))
    found = list(open_transcripts(path))
    assert _endings(found) == [("annomi-7", True), ("annomi-8", False)]
    assert "is a quotation mark open?" in str(found[0].error)


def test_undecodable_row(tmp_path: Path) -> None:
    path = _table(tmp_path, TWO)
    path.write_bytes(path.read_bytes().replace(b"I want", b"\xff want"))
    found = list(open_transcripts(path))
    assert _endings(found) == [("annomi-0", True), ("annomi-7", False)]
    assert "not UTF-8" in str(found[0].error)


def test_turn_of_a_hundred_thousand_characters(tmp_path: Path) -> None:
    (t,) = open_transcripts(_table(tmp_path, [_row(0, 0, "client", "a," * 50_000, "neutral")]))
    assert len(t.turns[0].text) == 100_000


def test_header_alone_holds_no_session(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="holds no session"):
        list(open_transcripts(_table(tmp_path, [])))


def test_mark_for_a_missing_value_is_no_word(tmp_path: Path) -> None:
    rows = [_row(3, 0, "therapist", "How?", "question"), _row(3, 1, "client", "nan", "neutral")]
    (t,) = open_transcripts(_table(tmp_path, rows))
    assert [x.text for x in t.turns] == ["How?", ""]
    assert t.infos[1]["written_as"] == "nan"
