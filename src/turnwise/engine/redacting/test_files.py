"""Out and back: the exact original over awkward text, nothing of it in the output, the map apart and private."""

import json
import stat
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from turnwise.core.errors import FormatError, UsageError
from turnwise.core.nouns import Cue, Trajectory, Turn
from turnwise.engine.converting import import_transcripts
from turnwise.engine.exporters.turnwise_jsonl import as_transcript, export_jsonl
from turnwise.engine.redacting.files import Wanted, known_names, redact_file, restore_file
from turnwise.engine.redacting.placeholders import Labels
from turnwise.engine.redacting.sessions import redact_session, restore_session

PIECES = "Anna ANNA anna's [NAME_1] [NAME_2] [AGE_1]] [[ \\ \" 😀 é e\u0301 ß İ".split()
PIECES += "Leeds 07700900123 a@b.example I'm 34 , . ! ’s".split()
PIECES += ["Dr. Levin", "my sister Zdeňka", " ", "", "3 May 2019", "\n", "\t", "\u2028", "\u202e"]
AWKWARD = st.lists(st.sampled_from(PIECES) | st.text(max_size=6), max_size=12).map("".join) | st.text(max_size=40)
JSONS = st.recursive(
    st.none() | st.integers() | AWKWARD, lambda x: st.lists(x, max_size=2) | st.dictionaries(AWKWARD, x, max_size=2)
)


def _session(texts: list[str], beside: Any = None, detail: str = "") -> Trajectory:
    turns = tuple(
        Turn(
            speaker="patient" if i % 2 else "therapist",
            text=text,
            cues=(Cue(kind="tone", detail=detail),) if detail else (),
        )
        for i, text in enumerate(texts)
    )
    infos = tuple({"note": beside} for _ in turns) if beside is not None else ()
    return Trajectory(
        session_id="anna weber", source="clinic", turns=turns, infos=infos, meta={"who": beside, "age": 34}
    )


@given(st.lists(AWKWARD, max_size=4), JSONS, AWKWARD, st.sets(st.sampled_from(["note", "who", "age", "id", "source"])))
def test_what_was_taken_out_can_be_put_back_exactly(texts: list[str], beside: Any, detail: str, keep: set[str]) -> None:
    record = as_transcript(_session(texts, beside, detail))
    new, undo, _ = redact_session(record, "session_0001", keep=keep)
    undo = json.loads(json.dumps(undo))
    new = json.loads(json.dumps(new))
    back, changed = restore_session(new, undo)
    assert json.dumps(back) == json.dumps(record)
    assert changed == 0


@given(st.lists(AWKWARD, min_size=1, max_size=4))
@example(["AnnaAnna0Leeds"])
def test_a_name_that_is_known_is_nowhere_in_the_output(texts: list[str]) -> None:
    told = [f"{text} Quuxley Brompt-Ott {text}" for text in texts]
    record = as_transcript(_session(told, {"Quuxley": "Quuxley"}, "Quuxley said"))
    new, _, counts = redact_session(record, "session_0001", known=["Quuxley Brompt-Ott", "Quuxley"])
    assert "quuxley" not in json.dumps(new).lower()
    # Beside a known place without a space between ("AnnaAnna0Leeds") it goes with the place and counts as one.
    assert counts["NAME"] + counts["PLACE"] >= len(texts)


def test_one_person_has_one_placeholder_and_two_have_two() -> None:
    texts = ["Anna Weber's mother, Mrs Weber, rang ANNA.", "anna and Tom", "Tom Weber", "[NAME_1] was said"]
    new, _, _ = redact_session(as_transcript(_session(texts)), "s")
    said = [t["text"] for t in new["turns"]]
    assert said[0] == "[NAME_2]'s mother, [NAME_2], rang [NAME_2]."
    assert said[1:] == ["[NAME_2] and [NAME_3]", "[NAME_3]", "[NAME_1] was said"]


def test_numbers_are_the_same_however_they_are_spaced() -> None:
    labels = Labels()
    assert labels.of("PHONE", "07700 900-123") == labels.of("PHONE", "07700900123") == "[PHONE_1]"


def test_only_words_stay_unless_a_key_is_kept() -> None:
    record = as_transcript(_session(["Hm."], "Anna rang"))
    new, _, _ = redact_session(record, "session_0001")
    assert new == {
        "id": "session_0001",
        "turns": [{"speaker": "therapist", "text": "Hm."}],
        "ending": "unknown",
        "meta": {"redacted": "turnwise.redaction/1"},
    }
    kept, _, _ = redact_session(record, "session_0001", keep={"who", "age", "note"})
    assert kept["meta"] == {"who": "[NAME_1] rang", "age": 34, "redacted": "turnwise.redaction/1"}
    assert kept["turns"][0]["note"] == "[NAME_1] rang"


def test_what_was_changed_since_gets_its_placeholders_back() -> None:
    new, undo, _ = redact_session(as_transcript(_session(["I saw Anna.", "Anna!"])), "s")
    new["turns"][0]["text"] = "Yes: I saw [NAME_1], not [NAME_9]."
    back, changed = restore_session(new, undo)
    assert changed == 1
    assert [t["text"] for t in back["turns"]] == ["Yes: I saw Anna, not [NAME_9].", "Anna!"]
    del new["turns"][1]
    assert restore_session(new, undo).record["turns"][0]["text"] == "Yes: I saw Anna, not [NAME_9]."


SAID = "Therapist: Hello Anna.\nPatient: My brother Zoltan lives in Leeds.\nTherapist: Zoltan?\nPatient: Yes.\n"


@pytest.mark.parametrize("ending", ["jsonl", "jsonl.gz"])
def test_files_out_and_back_are_what_import_writes(tmp_path: Path, ending: str) -> None:
    source = tmp_path / "a.txt"
    source.write_text(SAID)
    (tmp_path / "apart").mkdir()
    out, secret, back = tmp_path / f"out.{ending}", tmp_path / "apart" / "map.jsonl", tmp_path / "back.jsonl"
    done = redact_file(source, out, map_to=secret)
    assert (done.sessions, done.turns) == (1, 4)
    assert done.record()["replaced"] == {"PLACE": 1, "NAME": 3}
    restored = restore_file(out, secret, back)
    assert (restored.sessions, restored.changed, restored.unknown) == (1, 0, 0)
    import_transcripts([source], tmp_path / "imported.jsonl")
    assert back.read_bytes() == (tmp_path / "imported.jsonl").read_bytes()
    for path in (secret, back):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.txt", "apart", "back.jsonl", "imported.jsonl", out.name]


def test_names_of_speakers_are_looked_for(tmp_path: Path) -> None:
    source = tmp_path / "a.txt"
    source.write_text("Marigold: Hello.\nBoffin: i am boffin and you are marigold\n")
    wanted = Wanted(speakers={"Marigold": "therapist", "Boffin": "patient"})
    redact_file(source, tmp_path / "out.jsonl", wanted)
    assert "i am [NAME_1] and you are [NAME_2]" in (tmp_path / "out.jsonl").read_text()


def test_a_session_that_cannot_be_read_does_not_tell_why_in_the_output(tmp_path: Path) -> None:
    source = tmp_path / "a.jsonl"
    source.write_text(
        '{"id": "a", "turns": [{"speaker": "client", "text": "Hm."}]}\n{"id": "b", "turns": [{"speaker": "Zoltan"}]}\n'
    )
    done = redact_file(source, tmp_path / "out.jsonl")
    assert (done.sessions, done.unreadable) == (2, 1)
    assert "Zoltan" not in (tmp_path / "out.jsonl").read_text()


def test_maps_are_refused_where_they_would_be_passed_on(tmp_path: Path) -> None:
    source = tmp_path / "a.txt"
    source.write_text(SAID)
    with pytest.raises(UsageError, match="may not lie beside out"):
        redact_file(source, tmp_path / "out.jsonl", map_to=tmp_path / "map.jsonl")
    with pytest.raises(UsageError, match="a file to be read"):
        redact_file(source, source, force=True)
    (tmp_path / "out.jsonl").write_text("mine")
    with pytest.raises(UsageError, match="--force"):
        redact_file(source, tmp_path / "out.jsonl")
    assert (tmp_path / "out.jsonl").read_text() == "mine"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.txt", "out.jsonl"]


def test_wrong_and_damaged_maps_are_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "apart").mkdir()
    out, secret = tmp_path / "out.jsonl", tmp_path / "apart" / "map.jsonl"
    export_jsonl([_session(["I saw Anna."])], tmp_path / "in.jsonl")
    redact_file(tmp_path / "in.jsonl", out, map_to=secret)
    head, line = secret.read_text().splitlines()
    with pytest.raises(FormatError, match="is not a map"):
        restore_file(out, out, tmp_path / "back.jsonl")
    for text, words in (
        (head, "no session of"),
        (f'{head}\n{{"id": 3}}', "line 2: is damaged"),
        (f"{head}\n{line[:-9]}", "not valid JSON"),
    ):
        secret.write_text(text)
        with pytest.raises((FormatError, UsageError), match=words):
            restore_file(out, secret, tmp_path / "back.jsonl")
    assert not (tmp_path / "back.jsonl").exists()


def test_lists_of_names_skip_remarks(tmp_path: Path) -> None:
    (tmp_path / "n.txt").write_text("# family\nAnna Weber\n\n  Zoltan \n")
    assert known_names(tmp_path / "n.txt") == ["Anna Weber", "Zoltan"]


def test_a_line_with_two_names_is_two_names(tmp_path: Path) -> None:
    (tmp_path / "n.txt").write_text("Nobody, Else\nZoltan; Nobody\n")
    assert known_names(tmp_path / "n.txt") == ["Nobody", "Else", "Zoltan"]
