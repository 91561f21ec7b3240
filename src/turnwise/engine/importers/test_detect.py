"""One door for every format: recognition, duplicates, and whatever bytes people bring."""

import gzip
import json
import tempfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from turnwise.core.contracts import Importer
from turnwise.core.errors import ContractError, FormatError, RegistryError, TurnwiseError
from turnwise.core.nouns import SessionSpec, Trajectory, Turn
from turnwise.core.registry import IMPORTERS
from turnwise.engine.discovery import discover
from turnwise.engine.importers.detect import detect, open_transcripts

OWN = (
    '{"id": "a", "turns": [{"speaker": "therapist", "text": "How was the week?"},'
    ' {"speaker": "client", "text": "Long."}]}\n'
    '{"id": "b", "turns": [{"speaker": "seeker", "text": "I failed again."}]}\n'
)
ANNOMI = (
    "mi_quality,transcript_id,topic,utterance_id,interlocutor,timestamp,utterance_text,"
    "main_therapist_behaviour,client_talk_type\n"
    'high,1,sleep,0,therapist,00:00:01,"How, then, did you sleep?",question,n/a\n'
    "high,1,sleep,1,client,00:00:04,Badly.,n/a,neutral\n"
    "low,2,sleep,0,client,00:00:01,I will not stop.,n/a,sustain\n"
)
CHAT = (
    '{"id": "a", "messages": [{"role": "user", "content": "I cannot sleep."},'
    ' {"role": "assistant", "content": "Since when?"}]}\n'
    '{"id": "b", "messages": [{"role": "user", "content": "Hello."}]}\n'
)
CONVOKIT = (
    '{"id": "u1", "conversation_id": "a", "speaker": "client", "text": "Hi.", "reply-to": null, "meta": {}}\n'
    '{"id": "u2", "conversation_id": "a", "speaker": "therapist", "text": "Hello.", "reply-to": "u1", "meta": {}}\n'
    '{"id": "u3", "root": "b", "user": "client", "text": "Yes.", "reply-to": null, "meta": {}}\n'
)
STORED = "".join(
    Trajectory(
        session_id=f"t/p/{case}/0",
        source="simulated",
        spec=SessionSpec(case=case, patient="p.v1", therapist="t.v1", seed=3),
        turns=(Turn(speaker="therapist", text="Hello."), Turn(speaker="patient", text="Hm.")),
        infos=({"act": "greet"}, {"state": {"trust": 0.25}}),
        ending="max_turns",
    ).model_dump_json()
    + "\n"
    for case in ("alun", "bea")
)
SHAREGPT = (
    '{"id": "a", "conversations": [{"from": "human", "value": "I cannot sleep."}, {"from": "gpt", "value": "Oh?"}]}\n'
    '{"id": "b", "conversations": [{"from": "system", "value": "Be kind."}, {"from": "human", "value": "Hello."}]}\n'
)
ESCONV = json.dumps(
    [
        {"emotion_type": "fear", "problem_type": "work", "situation": "Invented.", "dialog": dialog}
        for dialog in (
            [
                {"speaker": "seeker", "annotation": {}, "content": "I am afraid of Monday.\n"},
                {"speaker": "supporter", "annotation": {"strategy": "Question"}, "content": "What is on Monday?\n"},
            ],
            [{"speaker": "usr", "text": "Hello."}],
        )
    ],
    indent=1,
)
PATIENTHUB = json.dumps(
    [
        {
            "profile": {"name": "Invented"},
            "messages": [{"role": "therapist", "content": "Hello."}, {"role": "client", "content": text}],
            "num_turns": 1,
            "usage": {"client": 0, "therapist": 0, "total_cost": 0},
        }
        for text in ("Hm.", "No.")
    ],
    indent=2,
)
PSI_BENCH = "".join(
    json.dumps(
        {
            "session_id": name,
            "num_patient_turns": 1,
            "messages": [
                {"role": "assistant", "content": ""},
                {"role": "user", "content": "How are you?"},
                {"role": "assistant", "content": "Tired."},
            ],
            "ccd": {"core_beliefs": "Invented."},
        }
    )
    + "\n"
    for name in "ab"
)
MINDEVAL = "".join(
    json.dumps(
        {
            "member_profile": {"age": 40},
            "interaction": [
                {"role": "user", "content": "Hello"},
                {"role": "assistant", "content": "Welcome."},
                {"role": "user", "content": text},
            ],
            "clinician_thinking_traces": ["Begin warmly."],
            "member_thinking_traces": ["I am wary."],
        }
    )
    + "\n"
    for text in ("Hi.", "...")
)
SAGE = "".join(
    json.dumps(
        {
            "id": name,
            "emo_point": 40,
            "scene": "An invented scene.",
            "history": [
                {"role": "user", "content": "I failed.", "emotion-point": 50},
                {"role": "assistant", "content": "That hurts."},
                {"role": "user", "content": "Yes.", "emotion-point": 40, "thinking": "He heard me.", "planning": {}},
            ],
        }
    )
    + "\n"
    for name in "ab"
)
PSYCHEVAL = json.dumps(
    {
        "theoretical": "cbt",
        "client_id": 7,
        "client_info": {"topic": "work"},
        "sessions": [
            {
                "session_number": n,
                "session_goals": "Invented.",
                "session_dialogue": [
                    {"role": "Counselor", "text": "<think>Go slow.</think>How was it?"},
                    {"role": "Client", "text": "Long."},
                ],
            }
            for n in (1, 2)
        ],
    },
    indent=4,
)
TEXT = (
    "# turnwise plain text 1: a turn goes on in lines that begin with four spaces\n\n"
    '# session "a"\nTherapist: How was\n    the week?\nPatient: Long.\n\n# session "b"\nPatient: Hello.\n'
)
VERA = "user: All of it.\n\nAll.\n\nagent: I hear you.\nuser: Thank you.\n\nagent: Go on.\n\nuser: It began in May.\n"
TABLE = "dialogue_id;turn;role;utterance\na;0;client;Hi.\na;1;therapist;Hello.\nb;0;client;Yes.\n"
INSPECT = json.dumps(
    {
        "version": 2,
        "status": "success",
        "eval": {
            "created": "2026-01-01T00:00:00+00:00",
            "task": "talk",
            "model": "mockllm/model",
            "dataset": {},
            "config": {},
        },
        "samples": [
            {
                "id": name,
                "epoch": 1,
                "input": "I cannot sleep.",
                "target": "",
                "messages": [
                    {"role": "system", "content": "Be kind."},
                    {"role": "user", "content": "I cannot sleep."},
                    {"role": "assistant", "content": "Since when?"},
                ],
            }
            for name in "ab"
        ],
    },
    indent=1,
)
SAMPLES = {
    "turnwise_jsonl.v1": OWN,
    "annomi.v1": ANNOMI,
    "openai_chat.v1": CHAT,
    "convokit.v1": CONVOKIT,
    "turnwise_trajectory.v1": STORED,
    "sharegpt.v1": SHAREGPT,
    "esconv.v1": ESCONV,
    "patienthub.v1": PATIENTHUB,
    "psi_bench.v1": PSI_BENCH,
    "mindeval.v1": MINDEVAL,
    "sage.v1": SAGE,
    "psycheval.v1": PSYCHEVAL,
    "plain_text.v1": TEXT,
    "vera_mh.v1": VERA,
    "csv_table.v1": TABLE,
    "inspect_log.v1": INSPECT,
}
"""A file of two sessions in every format (VERA-MH has one a file), with invented words."""
ONE_A_FILE = ("vera_mh.v1",)
NEEDS_EXTRA = {"inspect_log.v1": "inspect_ai"}


def _write(tmp_path: Path, data: str | bytes) -> Path:
    path = tmp_path / "file.dat"
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_every_format_is_recognised_and_read(tmp_path: Path, name: str, packed: bool, ends: str) -> None:
    data = ("\ufeff" + SAMPLES[name].replace("\n", ends)).encode()
    path = _write(tmp_path, gzip.compress(data) if packed else data)
    assert detect(path) == name
    if name in NEEDS_EXTRA and find_spec(NEEDS_EXTRA[name]) is None:
        pytest.skip(f"{NEEDS_EXTRA[name]} is not installed")
    by_name = list(open_transcripts(path, name.partition(".")[0]))
    found = list(open_transcripts(path))
    assert found == by_name
    assert len(found) == (1 if name in ONE_A_FILE else 2)
    assert all(t.ending != "error" and t.turns for t in found)
    assert {turn.speaker for t in found for turn in t.turns} == {"therapist", "patient"}
    # What was read can be stored and read again.
    assert [Trajectory.model_validate_json(t.model_dump_json()) for t in found] == found


def test_samples_cover_the_registry() -> None:
    discover("turnwise.engine.importers", third_parties=False)
    assert {e.name for e in IMPORTERS} == set(SAMPLES)


def test_no_importer_claims_the_file_of_another() -> None:
    discover("turnwise.engine.importers", third_parties=False)
    for name, text in SAMPLES.items():
        for cut in (len(text), len(text) // 2):
            claims = [e.name for e in IMPORTERS if e.obj().detect(text[:cut])]
            assert claims == [name]


def test_first_record_longer_than_the_head_is_recognised(tmp_path: Path) -> None:
    long = json.dumps({"id": "a", "turns": [{"speaker": "client", "text": "word " * 20_000}]})
    path = _write(tmp_path, long)
    assert detect(path) == "turnwise_jsonl.v1"
    (t,) = open_transcripts(path)
    assert len(t.turns[0].text) == 100_000


def test_torn_first_line_does_not_hide_the_format(tmp_path: Path) -> None:
    for name in ("turnwise_jsonl.v1", "openai_chat.v1", "convokit.v1", "turnwise_trajectory.v1"):
        path = _write(tmp_path, SAMPLES[name][:14] + "\n" + SAMPLES[name])
        found = list(open_transcripts(path))
        assert [t.ending == "error" for t in found].count(True) >= 1
        assert [t.ending == "error" for t in found].count(False) >= 1


@pytest.mark.parametrize(
    ("data", "looks"),
    [
        (b"PK\x03\x04rest", "zip archive"),
        (b"<!DOCTYPE html><p>", "web page"),
        (b'{"prompt": "a", "completion": "b"}\n', "the keys 'prompt', 'completion'"),
        (b"a,b,c\n1,2,3\n", "table with 3 columns"),
        (b"therapist: hello\n", "plain text"),
        (OWN.encode("utf-16-le"), "UTF-16 text without a byte order mark"),
        (b"\n \n", "blank"),
        (b"[1, 2]", "JSON without any keys"),
        (bytes(range(128, 256)), "not UTF-8"),
    ],
)
def test_unknown_format_says_what_it_looks_like_and_what_is_known(tmp_path: Path, data: bytes, looks: str) -> None:
    with pytest.raises(FormatError, match=looks) as caught:
        open_transcripts(_write(tmp_path, data))
    assert all(name in str(caught.value) for name in SAMPLES)


def test_file_that_two_formats_claim_is_asked_about(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="--format"):
        detect(_write(tmp_path, OWN + CHAT))


def test_unknown_format_name_gets_the_closest(tmp_path: Path) -> None:
    with pytest.raises(RegistryError, match="annomi"):
        open_transcripts(_write(tmp_path, ANNOMI), "anomi")


def test_second_session_of_one_id_is_an_error_and_counted(tmp_path: Path) -> None:
    line, other = OWN.splitlines(keepends=True)
    taken = line.replace('"a"', '"a#2"')
    found = list(open_transcripts(_write(tmp_path, line + line + taken + other + line)))
    assert [t.session_id for t in found] == ["a", "a#2", "a#2#2", "b", "a#3"]
    assert [t.ending for t in found] == ["unknown", "error", "error", "unknown", "error"]
    assert "session 2" in str(found[1].error)
    assert "'a'" in str(found[1].error)
    # The name of a duplicate never takes, or is taken by, the id of a real session.
    found = list(open_transcripts(_write(tmp_path, taken + line + line)))
    assert [(t.session_id, t.ending) for t in found] == [("a#2", "unknown"), ("a", "unknown"), ("a#3", "error")]


class _Broken:
    """An importer of a third party that fails."""

    def __init__(self, in_detect: bool) -> None:
        self.in_detect = in_detect

    def detect(self, head: str, /) -> bool:
        if self.in_detect:
            raise ZeroDivisionError
        return False

    def read(self, path: Path, /) -> Iterator[Trajectory]:
        yield Trajectory(session_id="x", source="y")
        raise KeyError("oops")


@pytest.mark.parametrize("in_detect", [True, False])
def test_fault_of_a_foreign_importer_is_named(tmp_path: Path, in_detect: bool) -> None:
    broken: Importer = _Broken(in_detect)
    path = _write(tmp_path, OWN)
    discover("turnwise.engine.importers", third_parties=False)
    IMPORTERS.add("broken.v1", lambda: broken)
    try:
        if in_detect:
            with pytest.raises(ContractError, match=r"broken\.v1"):
                detect(path)
        with pytest.raises(FormatError, match=r"broken\.v1 failed with KeyError"):
            list(open_transcripts(path, "broken"))
    finally:
        IMPORTERS.remove("broken.v1")


# --- whatever people bring --------------------------------------------------------------------

_NAMES = (
    "id turns speaker text cues meta messages role content format infos session_id conversation_id root kind ending "
    "error info private"
)
_JSONISH = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(_NAMES.split()),
            inner | st.sampled_from(["client", "assistant", "system", "turnwise.trajectory/1", "error", "<think>"]),
            max_size=5,
        )
    ),
    max_leaves=12,
)
_LINES = st.lists(
    _JSONISH.map(lambda x: json.dumps(x).encode()) | st.sampled_from([s.encode() for s in SAMPLES.values()]),
    min_size=1,
    max_size=5,
).map(b"\n".join)


@st.composite
def _mutated(draw: st.DrawFn) -> bytes:
    data = bytearray(draw(st.sampled_from(sorted(SAMPLES.values()))).encode())
    for _ in range(draw(st.integers(1, 6))):
        at = draw(st.integers(0, len(data) - 1))
        data[at : at + draw(st.integers(0, 40))] = (
            draw(
                st.binary(max_size=6)
                | st.sampled_from([b'"', b"\n", b"{", b"]", b"NaN", b'"\\ud800"', b"1e999", b"\\u0000"])
            )
            or b" "
        )
    return bytes(data)


@settings(max_examples=250, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.binary(max_size=200) | _LINES | _mutated(), packed=st.booleans(), forced=st.booleans(), which=st.data())
def test_arbitrary_bytes_give_sessions_or_one_sentence(
    data: bytes, packed: bool, forced: bool, which: st.DataObject
) -> None:
    fmt = which.draw(st.sampled_from(sorted(SAMPLES))) if forced else None
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x"
        path.write_bytes(gzip.compress(data) if packed else data)
        ids, sentence = [], ""
        try:
            for t in open_transcripts(path, fmt):
                ids.append(t.session_id)
                again = Trajectory.model_validate_json(t.model_dump_json())
                assert again == t
        except TurnwiseError as fault:
            sentence = str(fault)
        assert sentence.isprintable()
        assert len(ids) == len(set(ids))
