from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from turnwise.apps.report import embedded_json, write_report
from turnwise.apps.report_data import Limits
from turnwise.core.errors import UsageError
from turnwise.core.nouns import Reading, Score, SessionSpec, Trajectory, Turn, unscored
from turnwise.core.registry import Entry
from turnwise.engine.tables import ScoredSession, TableWriter

HOSTILE = (
    "</script><script>document.title='owned'</script>",
    "<img src=x onerror=\"document.title='owned'\">",
    "\x1b[31mred\x1b[0m and \u202eright to left\u202c",
    "{{ 7 * 7 }} {% raw %} <!-- \u2028 ]]>",
    "plain words, and a line\nbreak & an <em>ampersand</em>",
)
BEHAVIOUR = ("question", "reflection", "therapist_input", "other")
TALK = ("change", "neutral", "sustain")
GROUPS = ("socratic.v1", "advisor.v1", "silent.v1")
CASES = ("alun", "mira")
EXCHANGES = 6
METRICS = {
    "reflection_share": ("share", (0.0, 1.0), "higher", ("reading:therapist_behaviour",), "therapist"),
    "insist_rate": (
        "share",
        (0.0, 1.0),
        "lower",
        ("reading:therapist_behaviour", "reading:client_talk"),
        "therapist",
    ),
    "trust_slope": ("per exchange", (-1.0, 1.0), "higher", ("truth:state.trust",), "simulator"),
    "stayed": ("share", (0.0, 1.0), "higher", (), "simulator"),
    "talk_share": ("share", (0.0, 1.0), "none", (), "session"),
}


def _reading(item: str, labels: tuple[str, ...], side: str, turns: tuple[Turn, ...], rng: Any) -> Reading:
    p = np.full((len(turns), len(labels)), np.nan)
    mine = [i for i, turn in enumerate(turns) if turn.speaker == side]
    p[mine] = rng.dirichlet(np.ones(len(labels)) * 0.4, size=len(mine))
    codes = tuple(None if turn.speaker == side else "not_applicable" for turn in turns)
    return Reading(item, f"{item}.v1", "ab" * 32, labels, p, codes)


def session(group: str, case: str, epoch: int, *, played: bool = True) -> Trajectory:
    """Return one synthetic session; its words are hostile on purpose."""
    rng = np.random.default_rng([GROUPS.index(group), CASES.index(case), epoch])
    left = group == "advisor.v1" and epoch % 2 == 0
    turns, infos = [], []
    for k in range(EXCHANGES // 2 if left else EXCHANGES):
        turns += [
            Turn(speaker="therapist", text="" if group == "silent.v1" else f"{k}: {HOSTILE[k % len(HOSTILE)]}"),
            Turn(speaker="patient", text=f"{HOSTILE[(k + 1) % len(HOSTILE)]} #{k}"),
        ]
        state = {"trust": 0.4 + 0.05 * k * (-1 if left else 1), "distress": 0.7 - 0.04 * k}
        infos += [{"act": "reflect"}, {"state": state} | ({"moment": "disclosure", "scheduled": True} if k == 1 else {})]
    spec = SessionSpec(case=case, patient="stateful.v1", therapist=group, seed=1, epoch=epoch, max_turns=EXCHANGES)
    said = tuple(turns)
    readings = {
        "therapist_behaviour": _reading("therapist_behaviour", BEHAVIOUR, "therapist", said, rng),
        "client_talk": _reading("client_talk", TALK, "patient", said, rng),
    }
    return Trajectory(
        session_id=spec.session_id if played else f"{case}-{group}-{epoch}",
        source="simulated" if played else "annomi",
        spec=spec if played else None,
        turns=said,
        infos=tuple(infos) if played else (),
        ending="patient_left" if left else "max_turns" if played else "unknown",
        meta={} if played else {"mi_quality": group},
    ).with_ratings(readings)


def scores(t: Trajectory) -> dict[str, Score]:
    """Return made-up scores, one of them without a value."""
    rng = np.random.default_rng(len(t.session_id))
    found = {name: Score(float(rng.uniform(-0.02, 1.0)), 6) for name in METRICS}
    if "silent" in t.session_id:
        found["insist_rate"] = unscored("no_denominator", "the patient never pushed back")
    return found


def entries() -> list[Entry[Any]]:
    """Return the metrics of the example, as a registry would hold them."""
    keys = ("unit", "bounds", "orientation", "needs", "about")
    return [Entry(f"{n}.v1", lambda t: t, dict(zip(keys, s, strict=True)) | {"source": "x"}) for n, s in METRICS.items()]


def summary(groups: tuple[str, ...], per_group: int, *, played: bool = True) -> dict[str, Any]:
    """Return an aggregate of the shape that the engine writes."""
    rng = np.random.default_rng(5)
    cells, contrasts = [], []
    for g in groups:
        for name in METRICS:
            value = round(float(rng.uniform(0.2, 0.8)), 6)
            row = {"group": g, "metric": name, "value": value, "low": value - 0.1, "high": value + 0.12}
            row |= {"level": 0.95, "n": per_group, "n_total": per_group, "units": 2, "method": "cluster bootstrap"}
            row |= {"code": None, "detail": "", "codes": {}, "observed": value, "n_left": 0}
            if g == "advisor.v1":
                row |= {"observed": value + 0.2, "n_left": per_group // 2}
            if (g, name) == ("silent.v1", "insist_rate"):
                row |= {"value": None, "low": None, "high": None, "n": 0, "code": "no_denominator"}
                row |= {"detail": "no session has a value", "codes": {"no_denominator": per_group}, "observed": None}
            cells.append(row)
            if g != groups[0] and played:
                contrasts.append(row | {"reference": groups[0], "value": row["value"] and row["value"] - 0.5})
                if row["value"] is not None:
                    contrasts[-1] |= {"low": row["value"] - 0.6, "high": row["value"] - 0.38}
    x = list(range(1, EXCHANGES + 1))
    curves = [
        {"group": g, "key": key, "title": f"{key.title()} (simulated)", "x_title": "exchange", "x": x}
        | {"n": [per_group] * len(x), "value": [0.4 + 0.03 * i * (1 - j) for i in x]}
        | {"low": [0.3 + 0.03 * i * (1 - j) for i in x], "high": [0.5 + 0.03 * i * (1 - j) for i in x]}
        for key in ("trust", "distress")
        for j, g in enumerate(groups)
    ]
    there = [{"group": g, "x": [0, *x], "at_risk": [per_group - i // 3 * j for i in [0, *x]]} for j, g in enumerate(groups)]
    for row in there:
        row["share"] = [n / per_group for n in row["at_risk"]]
        row |= {"low": [max(0.0, s - 0.1) for s in row["share"]], "high": [min(1.0, s + 0.1) for s in row["share"]]}
    one = {name: spec for name, spec in METRICS.items()}
    separation = [
        {"metric": m, "positive": groups[0], "negative": groups[1], "value": 0.7, "low": 0.6, "high": 0.8, "n": 12}
        | {"code": None}
        for m in METRICS
    ]
    return {
        "group_by": "therapist" if played else "mi_quality",
        "unit": "patient" if played else "series",
        "groups": [{"group": g, "label": g.split(".")[0], "sessions": per_group, "units": 2} for g in groups],
        "orientation": {n: s[2] for n, s in one.items()},
        "about": {n: s[4] for n, s in one.items()},
        "units": {n: s[0] for n, s in one.items()},
        "metrics": cells,
        "contrasts": contrasts,
        "separation": [] if played else separation,
        "curves": curves,
        "attendance": there if played else [],
        "validity": {
            n: {"coder": "therapist_behaviour.v1" if s[3] else None, "figure": "macro-F1 .73 [.70, .76]", "ceiling": "none known"}
            for n, s in one.items()
        },
    }


def make_folder(folder: Path, *, epochs: int = 3, played: bool = True, no_text: bool = False) -> Path:
    """Write a run folder by hand: synthetic sessions, made-up numbers."""
    folder.mkdir(parents=True, exist_ok=True)
    ts = [session(g, c, e, played=played) for g in GROUPS for c in CASES for e in range(epochs)]
    broken = Trajectory(session_id="broken <b>", source="annomi", ending="error", error="line 3: <script>bad</script>")
    ts += [] if played else [broken]
    with TableWriter(folder, entries(), no_text=no_text) as writer:
        writer.write([ScoredSession(t, scores(t)) for t in ts if t.ending != "error"])
        failed = dict.fromkeys(METRICS, unscored("session_error", "line 3"))
        writer.write([ScoredSession(t, failed) for t in ts if t.ending == "error"])
    record: dict[str, Any] = {
        "format": "turnwise.run/1",
        "kind": "run" if played else "score",
        "name": "example <i>run</i>",
        "turnwise": "0.1.0",
        "sessions": len(ts),
        "turns": sum(len(t.turns) for t in ts),
        "endings": {"max_turns": 15, "error": 1},
        "errors": [] if played else [{"session_id": "broken <b>", "error": "line 3: <script>bad</script>"}],
        "warnings": ["socratic, advisor, silent: intervals rest on 2 patients; with so few they are narrower than the truth"],
        "licences": {"readers": "CC BY-NC 4.0"},
        "readers": {"therapist_behaviour": "therapist_behaviour.v1 (abab)"},
        "metrics": dict.fromkeys(METRICS, 1),
        "conformance": {"status": "not run", "detail": "the conformance gate is not built yet"},
        "no_text": no_text,
        "summary": summary(GROUPS if played else GROUPS[:2], 2 * epochs, played=played),
    }
    study = {"therapists": list(GROUPS), "patients": [f"stateful.v1:{c}" for c in CASES], "seed": 1, "epochs": epochs}
    study |= {"turns": EXCHANGES, "versions": {"case:alun": "0123456789abcdef"}}
    record |= {"study": study} if played else {"by": "mi_quality", "input": {"path": "my file.csv", "sha256": "ff"}}
    (folder / "run.json").write_text(json.dumps(record), encoding="utf-8")
    return folder


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
    assert {tuple(turn["m"]) for turn in turns if "m" in turn} == {("disclosure", "truth", True)}
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
    assert "owned" not in page.html
    assert "--no-text" in page.html


def test_transcripts_have_no_attendance_and_show_separation_and_faults(tmp_path: Path) -> None:
    page = read(make_folder(tmp_path / "scored", played=False))
    ids = {a.get("id") for _, a in page.tags}
    assert "separation" in ids
    assert "contrasts" not in ids
    assert "attendance" not in page.document("figures")
    assert "line 3: &lt;script&gt;bad&lt;/script&gt;" in page.html
    assert "turnwise score &#39;my file.csv&#39; --by mi_quality" in page.html
    assert {s["group"] for s in page.document("data")["sessions"]} == {*GROUPS, "(no value)"}


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
