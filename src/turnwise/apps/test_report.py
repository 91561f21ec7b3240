from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from turnwise.apps.report import embedded_json, write_report
from turnwise.apps.report_data import Limits
from turnwise.apps.test_report_example import GROUPS, HOSTILE, METRICS, make_folder
from turnwise.core.errors import UsageError


class _Page(HTMLParser):
    """What a browser would see: tags with attributes, the text of scripts, the text of table cells."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[tuple[dict[str, str | None], str]] = []
        self.cells: list[tuple[list[tuple[str, dict[str, str | None]]], str]] = []
        self.open: list[str] = []
        self.html = html
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.append((tag, dict(attrs)))
        self.open.append(tag)
        if tag == "script":
            self.scripts.append((dict(attrs), ""))
        if tag == "td":
            self.cells.append(([], ""))
        elif "td" in self.open and self.cells:
            self.cells[-1][0].append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        while self.open and self.open.pop() != tag:
            pass

    def handle_data(self, text: str) -> None:
        if self.open and self.open[-1] == "script":
            attributes, before = self.scripts[-1]
            self.scripts[-1] = (attributes, before + text)
        elif "td" in self.open:
            inside, before = self.cells[-1]
            self.cells[-1] = (inside, before + text)

    def document(self, name: str) -> Any:
        texts = [text for attributes, text in self.scripts if attributes.get("id") == name]
        assert len(texts) == 1
        return json.loads(texts[0], parse_constant=pytest.fail)


def read(folder: Path, **more: Any) -> _Page:
    return _Page(write_report(folder, **more).read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_folder(tmp_path_factory.mktemp("run") / "example")


@pytest.fixture(scope="module")
def page(folder: Path) -> _Page:
    return read(folder)


def test_it_lies_in_the_folder_and_equal_input_gives_equal_bytes(folder: Path) -> None:
    path = write_report(folder)
    first = path.read_bytes()
    assert path == folder / "report.html"
    assert write_report(folder).read_bytes() == first
    assert len(first) < 12_000_000


def test_hostile_words_are_data_and_nothing_else(page: _Page) -> None:
    said = {turn["x"] for s in page.document("data")["sessions"] for turn in s["turns"]}
    assert "0: </script><script>document.title='owned'</script>" in said
    assert "\\x1b[31mred\\x1b[0m and \\u202eright to left\\u202c #1" in said
    assert any("<img src=x onerror=" in x for x in said)
    assert [tag for tag, _ in page.tags].count("script") == 5
    assert not [1 for tag, _ in page.tags if tag in {"img", "iframe", "i run"}]
    assert not [name for _, attributes in page.tags for name in attributes if name.startswith("on")]


def test_hostile_names_are_escaped_in_the_tables(page: _Page) -> None:
    assert "example <i>run" not in page.html
    assert "example &lt;i&gt;run&lt;/i&gt;" in page.html


def test_nothing_is_loaded_from_anywhere(page: _Page) -> None:
    for tag, attributes in page.tags:
        for name in ("src", "href", "action", "poster", "data", "srcset"):
            value = attributes.get(name)
            assert value is None or value.startswith("#") or value == "data:,", (tag, name, value)
    policy = [a["content"] for tag, a in page.tags if a.get("http-equiv") == "Content-Security-Policy"]
    assert policy
    assert "default-src 'none'" in str(policy[0])
    own = [text for attributes, text in page.scripts if len(text) < 1_000_000 and not attributes.get("id")]
    assert own
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", "".join(own))
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b", "".join(own))


def test_every_number_has_its_n_and_leads_somewhere(page: _Page) -> None:
    cells = [(inside, text) for inside, text in page.cells if any(a.get("class") == "value" for _, a in inside)]
    assert len(cells) == len(GROUPS) * len(METRICS) - 1
    groups, metrics = {*GROUPS}, {*METRICS}
    for inside, text in cells:
        assert re.search(r"\bn \d+ of \d+", text)
        href = next(str(a["href"]) for tag, a in inside if tag == "a")
        found = re.fullmatch(r"#metric=(\w+)&group=([\w.]+)", href)
        assert found
        assert found[1] in metrics
        assert found[2] in groups


def test_an_unscored_cell_says_why_and_how_often(page: _Page) -> None:
    unscored_cells = [" ".join(text.split()) for _, text in page.cells if text.strip().startswith("unscored")]
    assert any("6 no denominator" in text and "n 0 of 6" in text for text in unscored_cells)


def test_what_was_observed_stands_beside_what_was_counted(page: _Page) -> None:
    assert sum("as observed" in text and "3 left" in text for _, text in page.cells) == len(METRICS)


def test_the_page_carries_each_session_with_its_own_score_or_reason(page: _Page) -> None:
    data = page.document("data")
    assert len(data["sessions"]) == data["total"] == 18
    for s in data["sessions"]:
        assert set(s["scores"]) == set(METRICS)
        for cell in s["scores"].values():
            assert cell[0] is not None or (cell[2] and data["details"][cell[3]])
    silent = next(s for s in data["sessions"] if s["group"] == "silent.v1")
    assert silent["scores"]["insist_rate"][2] == "no_denominator"


def test_turns_carry_labels_moments_and_state(page: _Page) -> None:
    data = page.document("data")
    turns = [turn for s in data["sessions"] for turn in s["turns"]]
    assert {data["items"][r[0]] for turn in turns for r in turn["r"]} == {"therapist_behaviour", "client_talk"}
    moments = {tuple(turn["m"]) for turn in turns if "m" in turn}
    assert moments == {("disclosure", "truth", True), ("invalidation", "truth", False)}
    assert set(data["state_keys"]) == {"trust", "distress"}
    assert all(turn["s"] == "p" for turn in turns if "v" in turn)
    assert all(len(turn["r"]) == 1 for turn in turns)


def test_risk_tables_share_the_axis_of_their_curves(page: _Page) -> None:
    figures = page.document("figures")
    over_time = {k: f for k, f in figures.items() if k.startswith("curve") or k == "attendance"}
    assert len(over_time) == 3
    for figure in over_time.values():
        rows = [t for t in figure["data"] if t.get("yaxis") == "y2"]
        assert len(rows) == len(GROUPS)
        assert all(set(t["x"]) <= set(figure["layout"]["xaxis"]["tickvals"]) for t in rows)
        assert rows[0]["text"][-1] == "6"
        assert all("xaxis" not in t for t in figure["data"])
        assert figure["layout"]["yaxis2"]["domain"][1] < figure["layout"]["yaxis"]["domain"][0]


def test_no_text_leaves_no_word_of_a_session_in_the_page(tmp_path: Path) -> None:
    page = read(make_folder(tmp_path / "quiet", no_text=True))
    assert {turn["x"] for s in page.document("data")["sessions"] for turn in s["turns"]} == {None}
    assert "document.title" not in page.html
    assert "--no-text" in page.html


def test_transcripts_have_no_attendance_and_show_separation_and_faults(tmp_path: Path) -> None:
    page = read(make_folder(tmp_path / "scored", played=False))
    ids = {a.get("id") for _, a in page.tags}
    assert "separation" in ids
    assert "contrasts" not in ids
    assert "attendance" not in page.document("figures")
    assert "line 3: &lt;script&gt;bad&lt;/script&gt;" in page.html
    assert "turnwise score &#39;my file.csv&#39; --by mi_quality" in page.html
    assert {s["group"] for s in page.document("data")["sessions"]} == {*GROUPS, "(could not be read)"}


def test_groups_stay_known_when_the_words_are_left_out(tmp_path: Path) -> None:
    data = read(make_folder(tmp_path / "quiet", played=False, no_text=True)).document("data")
    assert {g["group"] for g in data["groups"]} <= {s["group"] for s in data["sessions"]}


def test_of_two_sessions_with_one_id_the_first_is_shown_whole(tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    folder = make_folder(tmp_path / "twice")
    before = read(folder).document("data")["sessions"][0]
    for name in ("sessions", "scores", "turns", "ratings"):
        table = pq.read_table(folder / f"{name}.parquet")
        mine = table.filter(pa.compute.equal(table["session_id"], before["id"]))
        again = mine
        if name == "sessions":
            again = mine.set_column(mine.column_names.index("ending"), "ending", pa.array(["error"]))
        pq.write_table(pa.concat_tables([table, again]), folder / f"{name}.parquet")
    data = read(folder).document("data")
    assert data["sessions"][0] == before
    assert (len(data["sessions"]), data["total"]) == (18, 19)


def test_a_large_run_is_cut_evenly_and_says_so(folder: Path) -> None:
    page = read(folder, limits=Limits(sessions=7))
    data = page.document("data")
    per_group = [sum(s["group"] == g for s in data["sessions"]) for g in GROUPS]
    assert sorted(per_group) == [2, 2, 3]
    assert data["total"] == 18
    assert "This page carries 7 of 18 sessions" in page.html


def test_a_page_that_would_be_too_large_carries_fewer_sessions(folder: Path) -> None:
    whole = read(folder).document("data")["sessions"]
    budget = len(json.dumps(whole)) // 2
    part = read(folder, limits=Limits(characters=budget)).document("data")["sessions"]
    assert 0 < len(part) < len(whole)
    assert len(json.dumps(part)) < 1.1 * budget


def test_a_folder_without_a_scored_run_is_refused_with_a_remedy(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="holds no scored run"):
        write_report(tmp_path)
    folder = make_folder(tmp_path / "x")
    (folder / "turns.parquet").unlink()
    with pytest.raises(UsageError, match=r"turns\.parquet is missing"):
        write_report(folder)


def test_nan_never_reaches_the_page() -> None:
    with pytest.raises(ValueError, match="JSON"):
        embedded_json({"value": float("nan")})


def test_embedded_json_survives_a_round_trip() -> None:
    document = {"a": [*HOSTILE, "\u2028\u2029&<>"], "b": None}
    text = embedded_json(document)
    assert json.loads(text) == document
    assert not set(text) & set("<>&\u2028\u2029")
