"""Any table of utterances: columns by name or by what the user says, damage kept to its session."""

from pathlib import Path

import pytest

from turnwise.core.errors import FormatError, UsageError
from turnwise.core.nouns import Trajectory
from turnwise.engine.importers.account import Account
from turnwise.engine.importers.csv_table import CsvTable
from turnwise.engine.importers.detect import detect, open_transcripts


def _write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "clinic.tsv"
    path.write_bytes(text.encode())
    return path


def _said(t: Trajectory) -> list[tuple[str, str]]:
    return [(x.speaker, x.text) for x in t.turns]


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_columns_with_common_names_are_found(tmp_path: Path, delimiter: str, ends: str) -> None:
    rows = [
        ["Session_ID", "Turn", "Speaker", "Text", "mood"],
        ["s1", "1", "client", '"One\nTwo, ""so"""', "low"],
        ["s1", "2", "therapist", "", " "],
        ["s2", "1", "client", "Hi.", ""],
    ]
    path = _write(tmp_path, ends.join(delimiter.join(row) for row in rows))
    assert detect(path) == "csv_table.v1"
    first, second = open_transcripts(path)
    assert (first.session_id, second.session_id) == ("s1", "s2")
    assert _said(first) == [("patient", 'One\nTwo, "so"'), ("therapist", "")]
    assert first.infos == ({"mood": "low", "Turn": 1}, {"Turn": 2})


def test_user_maps_columns_and_names_speakers(tmp_path: Path) -> None:
    path = _write(tmp_path, "pair,no,who,said\n1,1,Dr A,Hello.\n1,1,B,Hi.\n1,2,B,Again.\n2,1,B,Hm.\n")
    account = Account({"dr a": "therapist", "b": "patient"})
    columns = {"speaker": "who", "text": "said", "session": "pair+no"}
    found = list(open_transcripts(path, account=account, columns=columns))
    assert [t.session_id for t in found] == ["1/1", "1/2", "2/1"]
    assert _said(found[0]) == [("therapist", "Hello."), ("patient", "Hi.")]
    assert account.heard == {("Dr A", "therapist"): 1, ("B", "patient"): 3}


def test_table_without_a_session_is_one_session(tmp_path: Path) -> None:
    (t,) = open_transcripts(_write(tmp_path, "role,message\nuser,Hi.\nassistant,Hello.\n"))
    assert t.session_id == "clinic"
    assert _said(t) == [("patient", "Hi."), ("therapist", "Hello.")]


@pytest.mark.parametrize(
    ("columns", "why"),
    [
        ({"speaker": "whom"}, "there is no column 'whom'; there are 'who', 'said'"),
        ({"words": "said"}, "a column can be speaker, text, session, turn"),
        ({"speaker": "who"}, "has no header with a column for the speaker and one for the text"),
    ],
)
def test_mapping_that_fits_no_column_is_named(tmp_path: Path, columns: dict[str, str], why: str) -> None:
    path = _write(tmp_path, "who,said\nclient,Hi.\n")
    with pytest.raises((UsageError, FormatError)) as caught:
        list(open_transcripts(path, columns=columns))
    assert why in str(caught.value)


def test_mapping_is_refused_where_there_are_no_columns(tmp_path: Path) -> None:
    path = _write(tmp_path, '{"id": "a", "turns": []}\n')
    with pytest.raises(UsageError, match=r"turnwise_jsonl\.v1 has no columns to map"):
        open_transcripts(path, "turnwise_jsonl", columns={"text": "x"})


def test_two_columns_of_one_name_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="two columns called 'note'"):
        list(open_transcripts(_write(tmp_path, "speaker,text,note,note\nclient,Hi.,a,b\n")))


HEAD = "session,turn,speaker,text\n"


@pytest.mark.parametrize(
    ("rows", "errors", "why"),
    [
        ("a,0,client,x\na,1,nobody,y\nb,0,client,z\n", ["a"], "line 4: the row is spoken by 'nobody'"),
        ("a,1,client,x\na,0,client,y\nb,0,client,z\n", ["a"], "has turn 0 after 1"),
        ("a,one,client,x\nb,0,client,z\n", ["a"], "no whole number"),
        ("a,0,client,x\nb,0,client,z\na,1,client,y\nc,0,client,x\n", ["a#2"], "goes on after others"),
        ("a,0,client,x\nb,0,client\nc,0,client,z\nd,0,client,z\n", ["a", "c"], "has 3 columns where the header has 4"),
        ("a,0,client,x\n,0,client,z\nb,0,client,z\nc,0,client,z\n", ["a", "b"], "does not say to which session"),
        ('a,0,client,x\nb,0,client,"open\nc,0,client,z\n', ["a", "line-7"], "is a quotation mark open?"),
    ],
)
def test_damage_stays_with_the_sessions_it_may_touch(tmp_path: Path, rows: str, errors: list[str], why: str) -> None:
    rows += "".join(f"end,{i},client,x\n" for i in range(2))
    found = list(open_transcripts(_write(tmp_path, HEAD + "first,0,client,x\n" + rows)))
    assert [t.session_id for t in found if t.ending == "error"][: len(errors)] == errors
    assert why in str(next(t.error for t in found if t.ending == "error"))


def test_header_of_a_table_is_told_from_other_lines() -> None:
    detects = CsvTable().detect
    assert detects('"speaker","text"\n')
    assert not detects("speaker,words\n")
    assert not detects('{"speaker": 1, "text": 2}\n')
    assert not detects("Well, speaker, the text is long\n")
    assert not detects("transcript_id,utterance_id,interlocutor,utterance_text,speaker,text\n")
