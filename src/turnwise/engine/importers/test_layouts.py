"""Sessions that are one JSON object: each system's keys, what was private stays private, nothing is lost in silence."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.core.nouns import Trajectory
from turnwise.engine.importers.account import Account
from turnwise.engine.importers.detect import detect, open_transcripts
from turnwise.engine.importers.layouts import name_of

SECRET = "a marker that no turn may hold"


def _read(tmp_path: Path, value: Any, name: str, *, account: Account | None = None) -> list[Trajectory]:
    path = tmp_path / "talk 3.json"
    path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    assert detect(path) == name
    return list(open_transcripts(path, account=account))


def _said(t: Trajectory) -> list[tuple[str, str]]:
    return [(x.speaker, x.text) for x in t.turns]


def test_patienthub_keeps_the_profile_private_and_is_called_after_its_file(tmp_path: Path) -> None:
    messages = [{"role": "Therapist", "content": "Hello."}, {"role": "Client", "content": "Hm."}]
    value = {"profile": {"secret": SECRET}, "messages": messages, "num_turns": 1, "usage": {"total_cost": 0.1}}
    (t,) = _read(tmp_path, value, "patienthub.v1")
    assert (t.session_id, t.source) == ("talk 3", "PatientHub")
    assert _said(t) == [("therapist", "Hello."), ("patient", "Hm.")]
    assert t.meta == {"num_turns": 1, "usage": {"total_cost": 0.1}, "private": {"profile": {"secret": SECRET}}}


def test_chat_with_a_profile_is_still_a_chat(tmp_path: Path) -> None:
    value = {"profile": "x", "messages": [{"role": "user", "content": "Hi."}]}
    (t,) = _read(tmp_path, value, "openai_chat.v1")
    assert _said(t) == [("patient", "Hi.")]


def test_psi_bench_has_its_roles_the_other_way_round(tmp_path: Path) -> None:
    messages = [
        {"role": "assistant", "content": ""},
        {"role": "user", "content": "How are you?"},
        {"role": "assistant", "content": ""},
        {"role": "user", "content": "I see."},
    ]
    account = Account()
    value = {"messages": messages, "profile": {"p": 1}, "num_patient_turns": 2, "ccd": {"core_beliefs": SECRET}}
    (t,) = _read(tmp_path, value, "psi_bench.v1", account=account)
    # Only the message that opens the session is the program's; a later empty one is a patient who says nothing.
    assert _said(t) == [("therapist", "How are you?"), ("patient", ""), ("therapist", "I see.")]
    assert [x["message_index"] for x in t.infos] == [1, 2, 3]
    assert t.meta["skipped_messages"] == {"opening": 1}
    assert t.meta["private"] == {"profile": {"p": 1}, "ccd": {"core_beliefs": SECRET}}
    assert [loss.n for what, loss in account.losses.items() if "program wrote" in what] == [1]


def test_mindeval_opening_silence_and_thoughts(tmp_path: Path) -> None:
    interaction = [
        {"role": "user", "content": "Hello"},
        {"role": "assistant", "content": "Welcome."},
        {"role": "user", "content": "..."},
        {"role": "assistant", "content": "Hello"},
        {"role": "user", "content": "Hello"},
    ]
    value = {
        "member_profile": {"narrative": SECRET},
        "interaction": interaction,
        "clinician_thinking_traces": ["c1", "c2"],
        "member_thinking_traces": ["m1", ""],
    }
    account = Account()
    (t,) = _read(tmp_path, json.dumps(value), "mindeval.v1", account=account)
    assert _said(t) == [("therapist", "Welcome."), ("patient", ""), ("therapist", "Hello"), ("patient", "Hello")]
    assert [x.get("private") for x in t.infos] == [{"thinking": "c1"}, {"thinking": "m1"}, {"thinking": "c2"}, None]
    assert t.infos[1]["written_as"] == "..."
    assert t.meta["private"] == {"member_profile": {"narrative": SECRET}}
    assert any("empty replies" in what for what in account.losses)


@pytest.mark.parametrize("traces", [["only one"], "text", None, [1, 2, 3, 4, 5]])
def test_thoughts_that_belong_to_no_turn_stay_with_the_session(tmp_path: Path, traces: Any) -> None:
    interaction = [{"role": "assistant", "content": "a"}, {"role": "user", "content": "b"}] * 2
    value = {"member_profile": {}, "interaction": interaction, "clinician_thinking_traces": traces}
    (t,) = _read(tmp_path, json.dumps(value), "mindeval.v1")
    assert t.meta["private"].get("clinician_thinking_traces") == traces
    assert not any("private" in x for x in t.infos)


def test_sage_scores_can_be_recomputed(tmp_path: Path) -> None:
    def session(name: str, points: list[int]) -> dict[str, Any]:
        first = {"role": "user", "content": "我很难过。", "emotion-point": points[0]}
        later: list[dict[str, Any]] = []
        for point in points[1:]:
            later.append({"role": "assistant", "content": "<think>plan</think>我在听。"})
            planned = {"planning": {"activity": SECRET}, "thinking": SECRET}
            later.append({"role": "user", "content": "嗯。", "emotion-point": point, **planned})
        about = {"id": name, "emo_point": points[-1], "scene": SECRET, "player": SECRET, "task": "t", "topic": "x"}
        return about | {"history": [first, *later]}

    lines = "\n".join(json.dumps(session(n, p), ensure_ascii=False) for n, p in (("a", [50, 40, 65]), ("b", [30, 1])))
    found = _read(tmp_path, lines, "sage.v1")
    assert sum(int(t.meta["emo_point"]) for t in found) / len(found) == 33.0  # type: ignore[arg-type]
    points = [x["emotion-point"] for x in found[0].infos if "emotion-point" in x]
    assert points == [50, 40, 65]
    for t in found:
        assert SECRET not in " ".join(x.text for x in t.turns)
        assert t.turns[1].text == "我在听。"
        assert t.infos[2]["private"]["planning"] == {"activity": SECRET}
        assert set(t.meta) == {"emo_point", "topic", "private"}


def test_psycheval_case_becomes_its_sessions(tmp_path: Path) -> None:
    dialogue = [{"role": "Counselor", "text": "<think>secret</think>你好。"}, {"role": "Client", "text": "嗯。"}]
    sessions = [
        {"session_number": 1, "session_goals": SECRET, "session_dialogue": dialogue},
        {"session_number": 2, "session_dialogue": None},
        "torn",
    ]
    case = {"client_id": "c9", "theoretical": "cbt", "client_info": {"x": SECRET}, "sessions": sessions}
    account = Account()
    found = _read(tmp_path, case, "psycheval.v1", account=account)
    assert [(t.session_id, t.ending) for t in found] == [("c9/1", "unknown"), ("c9/2", "error"), ("c9/3", "error")]
    assert _said(found[0]) == [("therapist", "你好。"), ("patient", "嗯。")]
    assert found[0].infos[0] == {"private": {"thinking": "secret"}}
    assert found[0].meta["private"] == {"session_goals": SECRET, "client_info": {"x": SECRET}}
    assert found[0].meta["client_id"] == "c9"
    assert "sessions[1]" in str(found[1].error)
    # What an unreadable session contributed does not count.
    assert dict(account.heard) == {("Counselor", "therapist"): 1, ("Client", "patient"): 1}


def test_esconv_strategies_are_labels_and_texts_are_trimmed(tmp_path: Path) -> None:
    dialog = [
        {"speaker": "seeker", "annotation": {"feedback": "4"}, "content": " Hello \n"},
        {"speaker": "supporter", "annotation": {"strategy": "Question"}, "content": "<think>so</think>?"},
        {"speaker": "sys", "strategy": "Others", "text": "Bye."},
    ]
    survey = {"seeker": {"initial_emotion_intensity": "5"}}
    account = Account()
    value = [{"emotion_type": "fear", "survey_score": survey, "situation": "s", "dialog": dialog}]
    (t,) = _read(tmp_path, value, "esconv.v1", account=account)
    assert _said(t) == [("patient", "Hello"), ("therapist", "<think>so</think>?"), ("therapist", "Bye.")]
    assert [x["labels"] for x in t.infos] == [{"feedback": "4"}, {"strategy": "Question"}, {"strategy": "Others"}]
    assert t.meta == {"emotion_type": "fear", "survey_score": survey, "situation": "s"}
    assert account.losses["white space around a text (cut off)"].n == 1


def test_sharegpt_counts_what_nobody_hears(tmp_path: Path) -> None:
    turns = [
        {"from": "system", "value": "x"},
        {"from": "human", "value": "Hi.", "weight": 0},
        {"from": "gpt", "value": "<think>a</think>Hello."},
        {"from": "function_call", "value": "{}"},
    ]
    account = Account()
    (t,) = _read(tmp_path, {"conversations": turns, "model": "m"}, "sharegpt.v1", account=account)
    assert _said(t) == [("patient", "Hi."), ("therapist", "Hello.")]
    assert t.infos[0] == {"weight": 0, "message_index": 1}
    assert t.meta == {"model": "m", "skipped_messages": {"function_call": 1, "system": 1}}
    assert sum(loss.n for loss in account.losses.values()) == 3
    assert next(iter(account.losses.values())).where == "line 1, conversations[0]"


def test_sharegpt_null_is_an_empty_turn_and_a_call_is_none(tmp_path: Path) -> None:
    turns = [
        {"from": "human", "value": None},
        {"from": "gpt", "value": None, "tool_calls": [{}]},
        {"from": "gpt", "value": "Hello."},
    ]
    account = Account()
    (t,) = _read(tmp_path, {"conversations": turns}, "sharegpt.v1", account=account)
    assert _said(t) == [("patient", ""), ("therapist", "Hello.")]
    assert t.meta == {"skipped_messages": {"tool_calls": 1}}
    assert account.losses["texts that are null (an empty turn now)"].n == 1


def test_turns_that_run_backwards_are_refused(tmp_path: Path) -> None:
    turns = [{"from": "human", "value": "Hi.", "timestamp": 9}, {"from": "gpt", "value": "Hello.", "timestamp": 3}]
    found = _read(tmp_path, [{"conversations": turns[:1]}, {"conversations": turns}], "sharegpt.v1")
    assert [t.ending for t in found] == ["unknown", "error"]
    assert "turn 1 is earlier" in str(found[1].error)


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        ({"conversations": [{"from": "narrator", "value": "x"}]}, "--speaker 'narrator'=patient"),
        ({"conversations": [{"value": "x"}]}, "does not say who speaks"),
        ({"conversations": [{"from": "human"}]}, "conversations[0] has no text"),
        ({"conversations": [{"from": "human", "value": 3}]}, "a text that is a number"),
        ({"conversations": ["x"]}, "conversations[0] is text"),
        ({"conversations": {}}, "conversations that are an object"),
        ({"id": "x"}, "has no 'conversations'"),
        (["x"], "is a list"),
    ],
)
def test_bad_record_among_good_ones_is_an_error_with_its_place(tmp_path: Path, bad: Any, why: str) -> None:
    good = {"conversations": [{"from": "human", "value": "Hi."}]}
    found = _read(tmp_path, "\n".join(json.dumps(x) for x in (good, bad, good)), "sharegpt.v1")
    assert [t.ending for t in found] == ["unknown", "error", "unknown"]
    assert "line 2" in str(found[1].error)
    assert why in str(found[1].error)


def test_speakers_that_the_user_names_go_first(tmp_path: Path) -> None:
    turns = [{"from": who, "value": who} for who in ("Anna", "human", "System", "gpt")]
    account = Account({"anna": "patient", "human": "therapist", "system": "patient", "gpt": "skip"})
    (t,) = _read(tmp_path, {"conversations": turns}, "sharegpt.v1", account=account)
    assert _said(t) == [("patient", "Anna"), ("therapist", "human"), ("patient", "System")]
    assert account.heard["gpt", "skip"] == 1
    assert account.losses["turns of 'gpt', left out as asked"].n == 1


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20))
def test_name_of_a_file_is_never_empty(stem: str) -> None:
    assert name_of(Path("folder") / f"{stem}.jsonl.gz")
