"""Chats: what was heard becomes turns, what nobody heard is counted, what was thought is hidden."""

import json
from pathlib import Path
from typing import Any

import pytest

from turnwise.core.errors import FormatError
from turnwise.core.nouns import Trajectory
from turnwise.engine.importers.detect import open_transcripts

CHAT = [{"role": "user", "content": "I cannot sleep."}, {"role": "assistant", "content": "Since when?"}]


def _read(tmp_path: Path, text: str) -> list[Trajectory]:
    path = tmp_path / "chat"
    path.write_text(text, encoding="utf-8")
    return list(open_transcripts(path))


def _one(tmp_path: Path, *messages: Any, **more: Any) -> Trajectory:
    (t,) = _read(tmp_path, json.dumps({"messages": list(messages), **more}))
    return t


@pytest.mark.parametrize("indent", [None, 0, 2])
@pytest.mark.parametrize(
    ("value", "ids"),
    [
        ({"messages": CHAT}, 1),
        (CHAT, 1),
        ([{"messages": CHAT}], 1),
        ([{"messages": CHAT}, {"messages": CHAT[:1]}, {"messages": CHAT}], 3),
    ],
)
def test_objects_lists_and_bare_messages(tmp_path: Path, value: Any, ids: int, indent: int | None) -> None:
    found = _read(tmp_path, json.dumps(value, indent=indent))
    assert [t.ending for t in found] == ["unknown"] * ids
    assert len({t.session_id for t in found}) == ids
    assert [(x.speaker, x.text) for x in found[0].turns] == [
        ("patient", "I cannot sleep."),
        ("therapist", "Since when?"),
    ]
    assert found[0].infos == ()


def test_lines_with_ids_and_without(tmp_path: Path) -> None:
    lines = [{"id": "x", "messages": CHAT}, CHAT, {"conversation_id": 9, "messages": CHAT, "model": "m"}]
    found = _read(tmp_path, "\n".join(json.dumps(x) for x in lines))
    assert [t.session_id for t in found] == ["x", "line-2", "9"]
    assert found[2].meta == {"conversation_id": 9, "model": "m"}


def test_list_with_one_record_a_line(tmp_path: Path) -> None:
    record = json.dumps({"messages": CHAT})
    assert len(_read(tmp_path, f"[{record},\n{record}]\n")) == 2
    assert len(_read(tmp_path, f"[\n{record},\n{record}\n]\n")) == 2


def test_what_nobody_hears_is_counted(tmp_path: Path) -> None:
    t = _one(
        tmp_path,
        {"role": "system", "content": "Be kind."},
        CHAT[0],
        {"role": "assistant", "content": None, "tool_calls": [{"id": "c"}]},
        {"role": "tool", "content": "42"},
        {"role": "developer", "content": "Now."},
        {"role": "assistant", "content": "Since when?", "name": "bot", "tool_calls": [{"id": "d"}]},
        metadata={"model": "m"},
    )
    assert [x.text for x in t.turns] == ["I cannot sleep.", "Since when?"]
    assert t.meta == {"model": "m", "skipped_messages": {"developer": 1, "system": 1, "tool": 1, "tool_calls": 1}}
    assert t.infos == ({"message_index": 1}, {"name": "bot", "tool_calls": [{"id": "d"}], "message_index": 5})


def test_parts_of_content_are_joined(tmp_path: Path) -> None:
    parts = [{"type": "text", "text": "One."}, {"type": "image_url", "image_url": {}}, {"type": "text", "text": "Two."}]
    t = _one(tmp_path, {"role": "user", "content": parts}, {"role": "assistant", "content": ["Three."]})
    assert [x.text for x in t.turns] == ["One.\nTwo.", "Three."]
    assert t.infos[0] == {"skipped_parts": {"image_url": 1}}


@pytest.mark.parametrize(
    ("content", "said", "thought"),
    [
        ("<think>Go slow.</think>\n\nHello.", "Hello.", "Go slow."),
        ("<THINK>a</THINK>Hello. <thinking>b\nc</thinking>How?", "Hello. How?", "a\n\nb\nc"),
        ("Go slow.</think>Hello.", "Hello.", "Go slow."),
        ("Hello. <think>and then", "Hello.", "and then"),
        ("<think>never came to speak", "", "never came to speak"),
        ("<think></think>Hello.", "Hello.", ""),
    ],
)
def test_hidden_reasoning_goes_to_a_private_field(tmp_path: Path, content: str, said: str, thought: str) -> None:
    t = _one(tmp_path, CHAT[0], {"role": "assistant", "content": content})
    assert t.turns[1].text == said
    assert t.infos[1] == {"private": {"thinking": thought}}


def test_reasoning_beside_the_content_is_private_too(tmp_path: Path) -> None:
    part = {"type": "thinking", "thinking": "b"}
    content = [part, {"type": "text", "text": "<think>c</think>Hello."}]
    t = _one(tmp_path, {"role": "assistant", "content": content, "reasoning_content": "a"})
    assert t.turns[0].text == "Hello."
    assert t.infos == ({"private": {"thinking": "a\n\nb\n\nc"}},)


def test_text_without_reasoning_is_untouched(tmp_path: Path) -> None:
    t = _one(tmp_path, {"role": "user", "content": "  I <3 you. \n"})
    assert t.turns[0].text == "  I <3 you. \n"


def test_refusal_is_what_was_said(tmp_path: Path) -> None:
    t = _one(tmp_path, CHAT[0], {"role": "assistant", "content": None, "refusal": "I cannot help with that."})
    assert t.turns[1].text == "I cannot help with that."
    assert t.infos[1] == {"refusal": "I cannot help with that."}


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        ({"messages": [{"role": "narrator", "content": "x"}]}, "message 0 is spoken by 'narrator'"),
        ({"messages": [{"content": "x"}]}, "does not say who speaks"),
        ({"messages": [{"role": "user"}]}, "has no content"),
        ({"messages": [{"role": "user", "content": 4}]}, "content that is a number"),
        ({"messages": [{"role": "user", "content": [{"type": "text"}]}]}, "part of content without text"),
        ({"messages": ["x"]}, "message 0 is text"),
        ({"messages": None}, "messages that are null"),
        ({"prompt": 1}, "has no messages"),
        ({"messages": CHAT, "ccd": {}, "num_patient_turns": 1}, "swap the two roles"),
    ],
)
def test_bad_chat_among_good_ones(tmp_path: Path, bad: Any, why: str) -> None:
    good = {"messages": CHAT}
    for text in (json.dumps([good, bad, good], indent=1), "\n".join(json.dumps(x) for x in (good, bad, good))):
        found = _read(tmp_path, text)
        assert [t.ending for t in found] == ["unknown", "error", "unknown"]
        assert why in str(found[1].error)


def test_half_a_surrogate_pair_in_a_document(tmp_path: Path) -> None:
    bad = '{"id": "b", "messages": [{"role": "user", "content": "\\ud83d"}]}'
    found = _read(tmp_path, f"[{json.dumps({'messages': CHAT})}, {bad}]")
    assert [(t.session_id, t.ending) for t in found] == [("item-1", "unknown"), ("b", "error")]


@pytest.mark.parametrize("text", ['[{"messages": [', '[{"messages": []}] trailing', '[{"messages": ' + "[" * 9000])
def test_damaged_document_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(FormatError):
        _read(tmp_path, text)


@pytest.mark.parametrize("bare", [{"content": None}, {"content": None, "reasoning_content": "hm"}, {"reasoning": "hm"}])
def test_one_empty_reply_does_not_cost_the_session(tmp_path: Path, bare: dict[str, Any]) -> None:
    t = _one(tmp_path, CHAT[0], {"role": "assistant", **bare}, CHAT[0], CHAT[1])
    assert [x.text for x in t.turns] == ["I cannot sleep.", "", "I cannot sleep.", "Since when?"]


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        ({"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": "Tue"}]}, "tool_result"),
        ({"role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "cal"}]}, "tool_calls"),
        ({"role": "assistant", "content": [{"type": "thinking", "thinking": "a"}, {"type": "tool_use"}]}, "tool_calls"),
        ({"role": "assistant", "content": [{"type": "text", "text": ""}, {"type": "tool_use"}]}, "tool_calls"),
        ({"role": "assistant", "content": [{"type": "reasoning", "reasoning": "a"}], "tool_calls": [{}]}, "tool_calls"),
        ({"role": "assistant", "content": " ", "tool_calls": [{}]}, "tool_calls"),
    ],
)
def test_talk_with_a_tool_is_no_silence(tmp_path: Path, message: dict[str, Any], kind: str) -> None:
    t = _one(tmp_path, *CHAT, message, *CHAT)
    assert [x.text for x in t.turns] == ["I cannot sleep.", "Since when?"] * 2
    assert t.meta == {"skipped_messages": {kind: 1}}


def test_message_with_words_beside_a_tool_is_a_turn(tmp_path: Path) -> None:
    parts = [{"type": "tool_result", "content": "Tue"}, {"type": "text", "text": "And now?"}]
    t = _one(tmp_path, {"role": "user", "content": parts}, {"role": "user", "content": [{"type": "image_url"}]})
    assert [x.text for x in t.turns] == ["And now?", ""]


@pytest.mark.parametrize(
    "times",
    [
        ({"timestamp": 20}, {"timestamp": 10}),
        ({"created_at": "2026-01-02T10:00:05Z"}, {"created_at": "2026-01-02T10:00:01Z"}),
        ({"turn_index": 1}, {"turn_index": 0}),
    ],
)
def test_chat_that_runs_backwards_is_refused(tmp_path: Path, times: tuple[dict[str, Any], dict[str, Any]]) -> None:
    chat = [{**message, **at} for message, at in zip(CHAT, times, strict=True)]
    found = _read(tmp_path, json.dumps([{"messages": CHAT}, {"messages": chat}, {"messages": chat[::-1]}]))
    assert [t.ending for t in found] == ["unknown", "error", "unknown"]
    assert "turn 1 is earlier than one before it" in str(found[1].error)
