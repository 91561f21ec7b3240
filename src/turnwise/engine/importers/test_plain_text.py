"""Plain text: who speaks stands at the start of a line; what only looks like a speaker is never merged unseen."""

from pathlib import Path

import pytest

from turnwise.core.errors import FormatError
from turnwise.core.nouns import Trajectory
from turnwise.engine.importers.account import Account
from turnwise.engine.importers.detect import detect, open_transcripts
from turnwise.engine.importers.plain_text import HEADER


def _write(tmp_path: Path, text: str, name: str = "talk.txt") -> Path:
    path = tmp_path / name
    path.write_bytes(text.encode())
    return path


def _read(path: Path, account: Account | None = None, fmt: str | None = None) -> list[Trajectory]:
    return list(open_transcripts(path, fmt, account=account))


def _said(t: Trajectory) -> list[tuple[str, str]]:
    return [(x.speaker, x.text) for x in t.turns]


@pytest.mark.parametrize(
    "text",
    [
        "Therapist: How are you?\nReally?\n\nClient: Fine.\nClient: Or not.\n",
        "T: How are you?\nReally?\nC: Fine.\nC: Or not.\n",
        "**Therapist:** How are you?\nReally?\n\n**Patient:** Fine.\n\n**Patient**: Or not.\n",
        "[00:01] COUNSELOR: How are you?\nReally?\n[00:02] seeker: Fine.\n0:03 seeker: Or not.",
        "supporter : How are you?  \nReally?\r\nSeeker:Fine.\r\nseeker:   Or not.\r\n",
    ],
)
def test_common_ways_to_write_who_speaks(tmp_path: Path, text: str) -> None:
    path = _write(tmp_path, text)
    assert detect(path) == "plain_text.v1"
    (t,) = _read(path)
    assert t.session_id == "talk"
    assert [(who, said.replace("  \n", "\n")) for who, said in _said(t)] == [
        ("therapist", "How are you?\nReally?"),
        ("patient", "Fine."),
        ("patient", "Or not."),
    ]


def test_time_stamps_and_what_stands_before_are_kept(tmp_path: Path) -> None:
    account = Account()
    (t,) = _read(_write(tmp_path, "Session 3\n\n[00:01:02] T: Hello.\nC: Hi.\n"), account)
    assert t.infos == ({"timestamp": "00:01:02"}, {})
    assert t.meta == {"before_the_first_turn": "Session 3"}
    assert any("before the first speaker" in what for what in account.losses)


def test_line_that_looks_like_a_speaker_is_part_of_the_turn_and_noted(tmp_path: Path) -> None:
    account = Account()
    text = "T: Three things.\nNote: breathe.\nObserver: (coughs)\nC: See http://x.org: it says so.\nhttps://y.org\n"
    (t,) = _read(_write(tmp_path, text), account)
    assert t.turns[0].text == "Three things.\nNote: breathe.\nObserver: (coughs)"
    assert t.turns[1].text == "See http://x.org: it says so.\nhttps://y.org"
    assert t.meta["not_taken_for_speakers"] == {"Note": 1, "Observer": 1}
    assert len([what for what in account.losses if "part of the turn above" in what]) == 2


@pytest.mark.parametrize(
    ("line", "stamp"),
    [
        ("Client (00:00:15): Bad.", "00:00:15"),
        ("Client [00:15]: Bad.", "00:15"),
        ("Client 00:00:15: Bad.", "00:00:15"),
        ("Client, 0:15: Bad.", "0:15"),
        ("**Client** (00:15): Bad.", "00:15"),
        ("\u200eClient: Bad.", None),
        ("\u2067[00:15] \u200bClient\u2069: Bad.", "00:15"),
        ("- Client: Bad.", None),
        ("> > Client: Bad.", None),
        ("\u2022 Client: Bad.", None),
        ("Client\uff1a Bad.", None),
    ],
)
def test_line_that_begins_like_a_speaker_is_a_turn(tmp_path: Path, line: str, stamp: str | None) -> None:
    (t,) = _read(_write(tmp_path, f"Therapist: How was the week?\n{line}\nTherapist: Bad, you say.\nClient: Yes.\n"))
    assert _said(t)[1:3] == [("patient", "Bad."), ("therapist", "Bad, you say.")]
    assert (t.infos[1]["timestamp"] if t.infos else None) == stamp


def test_every_line_with_a_colon_that_became_part_of_a_turn_is_counted(tmp_path: Path) -> None:
    account = Account()
    text = "therapist: Welcome.\nana: i drank.\nAna:\nTherapist and Client: (laugh)\nclient: me too.\n"
    _read(_write(tmp_path, text), account)
    assert {what.partition(", read")[0]: loss.n for what, loss in account.losses.items()} == {
        "lines that begin with 'ana:'": 1,
        "other lines with a colon near their beginning": 2,
    }


def test_names_in_small_letters_are_asked_about_too(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="'ana' may be speakers"):
        _read(_write(tmp_path, "therapist: Welcome.\nana: i drank.\n"), fmt="plain_text")


def test_names_nobody_knows_are_asked_about_instead_of_merged(tmp_path: Path) -> None:
    path = _write(tmp_path, "Therapist: Hello.\nAnna: Hi.\nTherapist: So?\nAnna: Hm.\n")
    with pytest.raises(FormatError, match=r"'Anna' may be speakers; .*--speaker 'Anna'=patient"):
        _read(path, fmt="plain_text")
    account = Account({"anna": "patient"})
    assert detect(path, account) == "plain_text.v1"
    (t,) = _read(path, account)
    assert _said(t)[1] == ("patient", "Hi.")
    assert account.heard == {("Therapist", "therapist"): 2, ("Anna", "patient"): 2}


def test_speaker_who_is_to_be_skipped_is_counted(tmp_path: Path) -> None:
    account = Account({"observer": "skip"})
    (t,) = _read(_write(tmp_path, "T: Hello.\nObserver: coughs\nand coughs\nC: Hi.\n"), account)
    assert _said(t) == [("therapist", "Hello."), ("patient", "Hi.")]
    assert account.losses["turns of 'Observer', left out as asked"].n == 1


def test_text_without_speakers_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="no line begins with a speaker"):
        _read(_write(tmp_path, "Dear diary,\nit rained.\n"), fmt="plain_text")


def test_wrong_byte_is_named_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_bytes(b"T: Hello.\nC: caf\xe9.\n")
    with pytest.raises(FormatError, match=r"line 2: byte 16 \(0xe9\) is not UTF-8"):
        _read(path)


# --- text of our own --------------------------------------------------------------------------


def test_own_text_keeps_what_looks_like_a_speaker(tmp_path: Path) -> None:
    text = f'{HEADER}\n\n# session "a b"\nTherapist: Patient: no.\n    Therapist: still me\n    \n    end\nPatient: \n'
    (t,) = _read(_write(tmp_path, text))
    assert t.session_id == "a b"
    assert _said(t) == [("therapist", "Patient: no.\nTherapist: still me\n\nend"), ("patient", "")]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("Client: Hi.", "begins neither with Therapist: nor Patient:"),
        ("loose", "begins neither with"),
        ("    before any turn", "none has begun"),
    ],
)
def test_damage_in_own_text_stays_with_its_session(tmp_path: Path, line: str, why: str) -> None:
    text = f'{HEADER}\n# session "a"\nPatient: x\n# session "b"\n{line}\n# session "c"\nPatient: y\n# session c\n'
    found = _read(_write(tmp_path, text))
    assert [(t.session_id, t.ending) for t in found] == [
        ("a", "unknown"),
        ("b", "error"),
        ("c", "unknown"),
        ("line-8", "error"),
    ]
    assert "line 5" in str(found[1].error)
    assert why in str(found[1].error)
    assert "does not name its session" in str(found[3].error)


def test_later_version_of_own_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="version that is not known"):
        _read(_write(tmp_path, HEADER.replace(" 1:", " 2:") + "\nPatient: x\n"))


# --- VERA-MH ----------------------------------------------------------------------------------

BLOCKS = "user: I am fine.\n\nTherapist: that is a word of mine.\n\nagent: Breathing: try it.\nUser: not a block\n"


def test_vera_blocks_split_only_at_its_own_words(tmp_path: Path) -> None:
    folder = tmp_path / "p_gpt-x__a_model-y__t30__r2__2026-01-02"
    folder.mkdir()
    path = _write(folder, BLOCKS, "ab12_Invented Person_gpt-x_run2.txt")
    assert detect(path) == "vera_mh.v1"
    account = Account()
    (t,) = _read(path, account)
    assert t.session_id == "ab12_Invented Person_gpt-x_run2"
    assert _said(t) == [
        ("patient", "I am fine.\n\nTherapist: that is a word of mine."),
        ("therapist", "Breathing: try it.\nUser: not a block"),
    ]
    assert t.meta == {
        "hash": "ab12",
        "persona": "Invented Person",
        "model": "gpt-x",
        "run": "2",
        "patient_model": "gpt-x",
        "agent_model": "model-y",
        "turns": "30",
        "runs": "2",
        "date": "2026-01-02",
    }
    assert account.losses == {}


def test_vera_file_of_another_name_is_read_all_the_same(tmp_path: Path) -> None:
    (t,) = _read(_write(tmp_path, BLOCKS))
    assert (t.session_id, t.meta) == ("talk", {})
