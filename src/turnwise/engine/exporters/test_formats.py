"""What is exported comes back: the same ids, turns and speakers, whatever was said."""

import csv
import gzip
import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from turnwise.core.checkers import sessions_for_checks
from turnwise.core.errors import UsageError
from turnwise.core.nouns import Cue, SessionSpec, Trajectory, Turn
from turnwise.engine.exporters.formats import FORMATS, export_sessions
from turnwise.engine.importers.detect import detect, open_transcripts

_AWKWARD = (
    "Therapist: I am the therapist.",
    "Patient:",
    "    Patient: indented",
    '# session "x"',
    "a\nb\n\nc",
    "\nstarts and ends\n",
    "\r",
    "a\r\nb\rc\r",
    'say "hi", and; \t go',
    '"',
    "🙂 😶‍🌫️ é e\u0301",
    "\ufeff\u2028\u2029\u0085\x0b\x0c\x1c",
    "\x00",
    "=1+1",
    "null",
    "NaN",
    "###STOP### END",
    "```json\n{}\n```",
    "user: x\nagent: y",
    "你好",
    " ",
    "",
    "n/a",
)
_TEXT = st.sampled_from(_AWKWARD) | st.text(st.characters(exclude_categories=["Cs"]), max_size=15)
_TURNS = st.lists(st.builds(Turn, speaker=st.sampled_from(["therapist", "patient"]), text=_TEXT), max_size=6)
_IDS = st.lists(
    (st.sampled_from(["a", "annomi-1", "annomi-x", "session-2", "1", "a ", ' "q", ', "x\ny", "#", "é"]) | _TEXT).filter(
        lambda x: bool(x.strip())
    ),
    min_size=1,
    max_size=4,
    unique=True,
)


@st.composite
def _corpora(draw: st.DrawFn) -> list[Trajectory]:
    source = draw(st.sampled_from(["imported", "AnnoMI", "ConvoKit", "simulated"]))
    found = [Trajectory(session_id=name, source=source, turns=tuple(draw(_TURNS))) for name in draw(_IDS)]
    return [*found, Trajectory(session_id="last", source=source, turns=(Turn(speaker="patient", text="x"),))]


def _key(t: Trajectory) -> tuple[str, tuple[Turn, ...]]:
    return t.session_id, t.turns


@pytest.mark.parametrize("name", FORMATS)
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(corpus=_corpora(), packed=st.booleans(), listed=st.booleans())
def test_round_trip(name: str, corpus: list[Trajectory], packed: bool, listed: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / (f"x{'.json' if listed else '.jsonl'}{'.gz' if packed else ''}")
        if name == "turnwise_trajectory":  # always one a line, as in a run folder
            out = Path(folder) / "x.jsonl"
        done = export_sessions(iter(corpus), out, name)
        kept = [t for t in corpus if t.turns or "empty" in FORMATS[name].holds]
        assert done.sessions == len(kept)
        assert sum(done.left_out.values()) == len(corpus) - len(kept)
        assert [_key(t) for t in open_transcripts(out, name)] == [_key(t) for t in kept]
        assert detect(out) == f"{name}.v1"
        # From the second time on nothing moves.
        again = list(open_transcripts(out))
        other = Path(folder) / ("y" + out.name[1:])
        export_sessions(iter(again), other, name)
        assert [_key(t) for t in open_transcripts(other, name)] == [_key(t) for t in again]


def _rich() -> Trajectory:
    return Trajectory(
        session_id="s1",
        source="simulated",
        spec=SessionSpec(case="c", patient="p.v1", therapist="t.v1", seed=1),
        turns=(
            Turn(speaker="therapist", text="<think>a</think>Hello."),
            Turn(speaker="patient", text="", cues=(Cue(kind="pause"),)),
        ),
        infos=(
            {"private": {"secret": "marker"}, "labels": {"main_therapist_behaviour": "question", "tone": "warm"}},
            {"state": {"trust": 0.5}, "timestamp": "00:01"},
        ),
        ending="patient_left",
        meta={"topic": "work", "site": 3},
    )


def test_everything_a_run_stores_comes_back(tmp_path: Path) -> None:
    out = tmp_path / "t.jsonl.gz"
    done = export_sessions([_rich()], out, "turnwise_trajectory")
    assert list(open_transcripts(out)) == [_rich()]
    assert done.record() == {"sessions": 1, "turns": 2, "left_out": {}, "not_kept": {}}


@pytest.mark.parametrize("name", FORMATS)
def test_what_a_format_cannot_hold_is_counted(tmp_path: Path, name: str) -> None:
    out = tmp_path / "out"
    done = export_sessions([_rich()], out, name)
    (again,) = open_transcripts(out)
    holds = FORMATS[name].holds
    lost = " ".join(done.losses)
    assert (again.turns[1].cues == _rich().turns[1].cues) == ("cues" in holds) == ("cues" not in lost)
    assert (again.ending == "patient_left") == ("ending" in holds) == ("how sessions ended" not in lost)
    assert (again.turns[0].text == _rich().turns[0].text) == ("plain" in holds) == ("<think>" not in lost)
    stored = json.dumps(again.model_dump(mode="json"))
    assert ("marker" in stored) == (FORMATS[name].infos is None) == ("infos of turns: private" not in lost)
    assert ("tone" in stored) == (FORMATS[name].infos is None)
    assert ("trust" in stored) == ("infos of turns: state" not in lost)
    assert ('"site": 3' in stored) == ("meta of sessions: site" not in lost)


@pytest.mark.parametrize("name", FORMATS)
def test_infos_can_be_kept_out_of_every_format(tmp_path: Path, name: str) -> None:
    done = export_sessions([_rich()], tmp_path / "out", name, infos=False)
    (again,) = open_transcripts(tmp_path / "out")
    assert not {"marker", "trust", "tone"} & set(json.dumps(again.model_dump(mode="json")).replace('"', " ").split())
    assert done.losses["infos of turns: private"] == 1


@pytest.mark.parametrize("name", FORMATS)
def test_session_that_failed_never_passes_for_a_whole_one(tmp_path: Path, name: str) -> None:
    turns = (Turn(speaker="therapist", text="Hello."),)
    bad = Trajectory(session_id="bad", source="x", turns=turns, ending="error", error="it broke")
    done = export_sessions([bad, _rich()], tmp_path / "out", name)
    found = {t.session_id: t for t in open_transcripts(tmp_path / "out")}
    if "ending" in FORMATS[name].holds:
        assert found["bad"].ending == "error"
    else:
        assert "bad" not in found
        assert sum(done.left_out.values()) == 1
    assert "s1" in found


def test_annomi_labels_come_back_with_their_annotators(tmp_path: Path) -> None:
    notes = [{"annotator_id": "1", "client_talk_type": "change"}, {"annotator_id": "2", "client_talk_type": "neutral"}]
    labels: dict[str, Any] = {"client_talk_type": "change", "annotations": notes}
    t = Trajectory(
        session_id="annomi-4",
        source="AnnoMI",
        turns=(Turn(speaker="patient", text="a"), Turn(speaker="patient", text="b")),
        infos=(
            {"labels": labels, "utterance_id": 5, "timestamp": "00:00:01"},
            {"labels": {"annotations": [{}]}, "utterance_id": 6},
        ),
        meta={"transcript_id": 4, "mi_quality": "low", "topic": "sleep", "n_annotators": 2, "source": "AnnoMI"},
    )
    done = export_sessions([t], tmp_path / "a.csv", "annomi")
    assert list(open_transcripts(tmp_path / "a.csv")) == [t]
    assert done.losses == {}


def test_convokit_corpus_keeps_its_ids_and_roles(tmp_path: Path) -> None:
    said = [
        {"id": "u1", "conversation_id": "c", "speaker": "anna", "text": "Hello.", "reply-to": None, "meta": {"m": 1}},
        {"id": "u2", "conversation_id": "c", "speaker": "bo", "text": "Hi.", "reply-to": "u1", "timestamp": 3},
    ]
    first = tmp_path / "first"
    first.mkdir()
    (first / "utterances.jsonl").write_text("\n".join(json.dumps(x) for x in said))
    roles = {"anna": {"meta": {"role": "therapist"}}, "bo": {"meta": {"role": "patient"}}}
    (first / "speakers.json").write_text(json.dumps(roles))
    export_sessions(open_transcripts(first), tmp_path / "second", "convokit")
    written = [json.loads(x) for x in (tmp_path / "second" / "utterances.jsonl").read_text().splitlines()]
    assert [(x["id"], x["speaker"], x["reply-to"], x["timestamp"]) for x in written] == [
        ("u1", "anna", None, None),
        ("u2", "bo", "u1", 3),
    ]
    assert written[0]["meta"] == {"m": 1}
    speakers = json.loads((tmp_path / "second" / "speakers.json").read_text())
    assert speakers == {name: {"meta": {"role": x["meta"]["role"]}, "vectors": []} for name, x in roles.items()}
    assert {p.name for p in (tmp_path / "second").iterdir()} == {
        "utterances.jsonl",
        "speakers.json",
        "conversations.json",
        "corpus.json",
        "index.json",
    }


@pytest.mark.parametrize("name", FORMATS)
def test_same_sessions_same_bytes_and_awkward_ones_survive(tmp_path: Path, name: str) -> None:
    sessions = [t for t in sessions_for_checks() if t.turns]
    for out in (tmp_path / "a.gz", tmp_path / "b.gz"):
        export_sessions(iter(sessions), out, name)
    assert [_key(t) for t in open_transcripts(tmp_path / "a.gz")] == [_key(t) for t in sessions]
    if name == "convokit":
        a, b = ((tmp_path / x / "utterances.jsonl").read_bytes() for x in ("a.gz", "b.gz"))
    else:
        a, b = ((tmp_path / x).read_bytes() for x in ("a.gz", "b.gz"))
        assert a.startswith(gzip.compress(b"")[:2])
    assert a == b


@pytest.mark.parametrize("name", FORMATS)
def test_failure_leaves_nothing_behind(tmp_path: Path, name: str) -> None:
    def torn() -> Any:
        yield _rich()
        raise UsageError("the source broke.")

    with pytest.raises(UsageError, match="the source broke"):
        export_sessions(torn(), tmp_path / "out", name)
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(UsageError, match="no session could be written"):
        export_sessions([], tmp_path / "out", name)
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_replaced_unasked(tmp_path: Path) -> None:
    there = tmp_path / "there"
    there.write_text("mine")
    with pytest.raises(UsageError, match="--force"):
        export_sessions([_rich()], there, "sharegpt")
    assert there.read_text() == "mine"
    export_sessions([_rich()], there, "sharegpt", force=True)
    with pytest.raises(UsageError, match="folder"):
        export_sessions([_rich()], there, "convokit", force=True)
    with pytest.raises(UsageError, match="folder"):
        export_sessions([_rich()], tmp_path, "sharegpt", force=True)
    with pytest.raises(UsageError, match="holds other files"):
        export_sessions([_rich()], tmp_path, "convokit", force=True)
    corpus = tmp_path / "corpus"
    export_sessions([_rich()], corpus, "convokit")
    with pytest.raises(UsageError, match="not empty"):
        export_sessions([_rich()], corpus, "convokit")
    export_sessions([_rich()], corpus, "convokit", force=True)


def test_unknown_format_gets_the_closest() -> None:
    with pytest.raises(UsageError, match="sharegpt"):
        export_sessions([_rich()], Path("x"), "sharegtp")


@pytest.mark.parametrize("name", ["csv_table", "annomi"])
def test_formulas_can_be_defused(tmp_path: Path, name: str) -> None:
    said = ["=1+1", "+1", "-1", "@x", "\tx", "\r=x", "one = two", "'=", ""]
    turns = tuple(Turn(speaker="patient", text=x) for x in said)
    sessions = [Trajectory(session_id="=a", source="x", turns=turns), _rich()]
    done = export_sessions(sessions, tmp_path / "safe.csv", name, defuse=True)
    with (tmp_path / "safe.csv").open(encoding="utf-8", newline="") as file:
        cells = [cell for row in csv.reader(file) for cell in row]
    assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@", "\t", "\r"))]
    assert {"'=1+1", "'+1", "one = two", "'=a"} <= set(cells)
    assert done.losses["cells that a spreadsheet would run (an apostrophe stands before them now)"] == 6 + len(said)
    export_sessions(sessions, tmp_path / "plain.csv", name)
    assert [x.text for x in next(iter(open_transcripts(tmp_path / "plain.csv"))).turns] == said


def test_formulas_are_nothing_outside_tables(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"--defuse has no effect on sharegpt.*csv_table"):
        export_sessions([_rich()], tmp_path / "x", "sharegpt", defuse=True)
