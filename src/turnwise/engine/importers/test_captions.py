"""Captions: numbers, timings and comments are never words; who speaks is told by a name or by a voice."""

from pathlib import Path

import pytest

from turnwise.core.errors import FormatError
from turnwise.core.nouns import Trajectory
from turnwise.engine.importers.account import Account
from turnwise.engine.importers.captions import said_lines
from turnwise.engine.importers.detect import detect, open_transcripts
from turnwise.engine.importers.plain_text import label_of
from turnwise.engine.importers.streams import Line


def _read(tmp_path: Path, text: str, account: Account | None = None) -> Trajectory:
    path = tmp_path / "talk.txt"
    path.write_bytes(text.encode())
    assert detect(path, account) == "plain_text.v1"
    (t,) = open_transcripts(path, account=account)
    return t


def _said(t: Trajectory) -> list[tuple[str, str]]:
    return [(x.speaker, x.text) for x in t.turns]


SRT = """1
00:00:01,000 --> 00:00:03,000
Therapist: What was the
hardest hour?

2
00:00:04,000 --> 00:00:06,000
Client: Four
42

3
00:00:07,000 --> 00:00:09,000
in the morning.
4
00:00:10,000 --> 00:00:12,000
Therapist: <i>Four</i>, then.
"""

VTT = """WEBVTT - a session
Kind: captions

NOTE
Therapist: this is a comment

cue-one/7-0
00:01.000 --> 00:03.000 align:start
<v Anna Berg>What was the
hardest hour?</v>

00:04.000 --> 00:06.000
<v.loud Bo>Four &amp; a half.</v><v Anna Berg>Four.</v>
"""


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_numbers_and_timings_are_no_words(tmp_path: Path, ends: str) -> None:
    account = Account()
    t = _read(tmp_path, SRT.replace("\n", ends), account)
    assert _said(t) == [
        ("therapist", "What was the\nhardest hour?"),
        ("patient", "Four\n42\nin the morning."),
        ("therapist", "Four, then."),
    ]
    assert [x["timestamp"] for x in t.infos] == ["00:00:01,000", "00:00:04,000", "00:00:10,000"]
    assert t.meta == {}
    assert [n.n for n in account.losses.values()] == [4]


def test_voices_say_who_speaks_and_comments_are_counted(tmp_path: Path) -> None:
    account = Account({"anna berg": "therapist", "bo": "patient"})
    t = _read(tmp_path, VTT, account)
    assert _said(t) == [
        ("therapist", "What was the\nhardest hour?"),
        ("patient", "Four & a half."),
        ("therapist", "Four."),
    ]
    assert t.meta == {}
    assert {what.partition(" ")[0]: n.n for what, n in account.losses.items()} == {"lines": 4, "cues": 2}


def test_captions_without_a_known_speaker_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.vtt"
    path.write_text("WEBVTT\n\n00:01.000 --> 00:03.000\nAnna: Hello.\n\n00:04.000 --> 00:06.000\nBo: Hi.\n")
    with pytest.raises(FormatError, match="--speaker 'Anna'=patient"):
        list(open_transcripts(path, "plain_text"))


def test_line_with_nothing_but_a_time_is_no_word(tmp_path: Path) -> None:
    account = Account()
    t = _read(
        tmp_path, "[00:01]\nTherapist: When?\nClient: At\n4:30\n00:01:30\nTherapist: So early.\nClient: Yes.\n", account
    )
    assert _said(t) == [
        ("therapist", "When?"),
        ("patient", "At\n4:30"),
        ("therapist", "So early."),
        ("patient", "Yes."),
    ]
    assert t.infos == ({"timestamp": "00:01"}, {}, {"timestamp": "00:01:30"}, {})
    assert [n.n for n in account.losses.values()] == [2]


@pytest.mark.parametrize("line", ["<v <v ", "<v.", "<c <c ", "- ", "a ", "12:34 ", "Client (", "> * ", " ", "[00:01 "])
def test_no_line_takes_long_to_be_read(line: str) -> None:
    text = [Line(1, "WEBVTT"), Line(2, ""), Line(3, line * 20_000), Line(4, "a" * 39 + line * 20_000)]
    assert not any(label_of(x.line.text) for x in said_lines(text, lambda *_: None))
