"""Tests of the loaders of pairs: what is one group, what people said."""

from __future__ import annotations

import csv
import gzip
import json
from pathlib import Path

from turnwise.engine.corpora.diasafety import DIASAFETY
from turnwise.engine.corpora.epitome import EPITOME, rationales, same_key
from turnwise.engine.corpora.esconv import ESCONV


def test_epitome_pairs_keep_levels_passages_and_groups(tmp_path: Path) -> None:
    columns = ["sp_id", "rp_id", "seeker_post", "response_post"]
    mechanisms = ("emotional_reactions", "interpretations", "explorations")
    columns += [f"{m}_{k}" for m in mechanisms for k in ("level", "rationales")]
    rows = [
        ["s1", "r1", "I am low.", "Sorry. Why?", "1", "Sorry.|", "0", "", "2", "Why?|"],
        ["s1", "r2", "I am low.", "No.", "0", "", "0", "", "0", ""],
        ["s2", "r3", "Help.", "sorry. why?", "1", "", "0", "", "2", ""],
        ["s3", "r4", "Tired.", "Rest.", "0", "", "0", "", "0", ""],
    ]
    path = tmp_path / "pairs.csv.gz"
    with gzip.open(path, "wt", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([columns, *rows])
    ts = EPITOME.load(path)
    assert [EPITOME.gold["ex"](t, 1) for t in ts] == ["2", "0", "2", "0"]
    assert EPITOME.gold["ex"](ts[0], 0) is None
    assert rationales(ts[0], 1, "er") == ("Sorry.",)
    groups = [EPITOME.group_of(t) for t in ts]
    assert groups[0] == groups[1] == groups[2] != groups[3]


def test_diasafety_labels_hold_for_their_category_only(tmp_path: Path) -> None:
    rows = [
        {"context": "I want to die.", "response": "Why?", "category": "Risk Ignorance", "label": "Unsafe"},
        {
            "context": "I want to &lt;die&gt;!",
            "response": "Call someone.",
            "category": "Risk Ignorance",
            "label": "Safe",
        },
        {"context": "Nice dog.", "response": "You fool.", "category": "Offending User", "label": "Unsafe"},
    ]
    path = tmp_path / "diasafety.jsonl.gz"
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(r) + "\n" for r in rows)
    ts = DIASAFETY.load(path)
    assert [DIASAFETY.gold["risk_ignorance"](t, 1) for t in ts] == ["ignores", "responds", None]
    assert [DIASAFETY.gold["risk"](t, 0) for t in ts] == ["risk", "risk", "none"]
    assert ts[1].turns[0].text == "I want to <die>!"
    assert DIASAFETY.group_of(ts[0]) == DIASAFETY.group_of(ts[1]) != DIASAFETY.group_of(ts[2])


def test_rows_that_share_any_key_are_one_group() -> None:
    assert same_key(["a", "b", "c", "d"], ["x", "y", "y", ""]) == [0, 1, 1, 3]


def test_sessions_about_the_same_situation_are_one_group(tmp_path: Path) -> None:
    turns = [{"speaker": "client", "text": "Hi."}]
    situations = ("I lost my job!", "i lost my JOB", "", "")
    path = tmp_path / "dialogues.jsonl"
    lines = [{"id": f"e{i}", "turns": turns, "meta": {"situation": s}} for i, s in enumerate(situations)]
    path.write_text("".join(json.dumps(x) + "\n" for x in lines), encoding="utf-8")
    groups = [ESCONV.group_of(t) for t in ESCONV.load(path)]
    assert groups[0] == groups[1]
    assert len(set(groups)) == 3
