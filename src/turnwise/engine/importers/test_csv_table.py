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
        ("a,0,client,x\nb,0,client,z\na,1,client,y\nc,0,client,x\n", ["a"], "goes on after others"),
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


@pytest.mark.parametrize("mark", ["nan", "NaN", "None", "null", "<NA>", "NA"])
def test_mark_for_a_missing_value_is_no_word(tmp_path: Path, mark: str) -> None:
    account = Account()
    path = _write(tmp_path, f"speaker,text,mood\ntherapist,How?,{mark}\nclient, {mark},low\nclient,None of it.,low\n")
    (t,) = open_transcripts(path, account=account)
    assert [x.text for x in t.turns] == ["How?", "", "None of it."]
    assert t.infos[1] == {"mood": "low", "written_as": f" {mark}"}
    assert [(loss.n, loss.where) for loss in account.losses.values()] == [(1, "line 3")]


def test_row_whose_session_is_missing_belongs_to_none(tmp_path: Path) -> None:
    found = list(open_transcripts(_write(tmp_path, "session,speaker,text\na,client,x\nb,client,y\nnan,client,z\n")))
    assert [(t.session_id, t.ending) for t in found] == [("a", "unknown"), ("b", "error"), ("line-4", "error")]


def test_no_piece_of_a_session_passes_for_the_session(tmp_path: Path) -> None:
    rows = "1,therapist,a\n2,therapist,b\n1,client,c\n2,client,d\n3,client,e\n1,client,f\n"
    found = list(open_transcripts(_write(tmp_path, "session_id,speaker,text\n" + rows)))
    assert [(t.session_id, t.ending) for t in found] == [("1", "error"), ("2", "error"), ("3", "unknown")]
    assert "line 4" in str(found[0].error)
    with pytest.raises(FormatError, match="none of the 2 records"):
        list(open_transcripts(_write(tmp_path, "session_id,speaker,text\n" + rows.replace("3,client,e\n", ""))))


@pytest.mark.parametrize(
    ("column", "times", "right"),
    [
        ("timestamp", ("00:01", "", "00:09"), True),
        ("timestamp", ("00:09", "", "00:01"), False),
        ("Start Time", ("9", "9", "10"), True),
        ("Start Time", ("9", "10", "8"), False),
        ("created_at", ("2026-01-02 10:00", "2026-01-02 11:00", "2026-01-02 10:30"), False),
        ("time", ("23:59:58", "00:00:05", "00:00:09"), True),
        ("time", ("3.5", "1.2", "2.0"), True),
        ("turn", ("0.0", "1.0", "2.0"), True),
    ],
)
def test_rows_are_in_order_of_time_or_an_error(
    tmp_path: Path, column: str, times: tuple[str, ...], right: bool
) -> None:
    rows = "".join(f"a,client,x,{at}\n" for at in times)
    found = list(open_transcripts(_write(tmp_path, f"session,speaker,text,{column}\n{rows}b,client,x,\n")))
    assert [t.ending for t in found if t.session_id == "a"] == ["unknown" if right else "error"]
    if not right:
        assert "line 4" in str(found[0].error)
