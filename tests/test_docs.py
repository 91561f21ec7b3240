"""What the pages say is what the code does: generated pages have not drifted, and every example runs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import make_docs
import validate_reading
from laws import ROOMS
from turnwise.core.checkers import check_metric, sessions_for_checks
from turnwise.core.registry import METRICS, REGISTRIES
from turnwise.engine.discovery import discover
from turnwise.engine.tables import TableWriter
from turnwise.reading.cards import cards

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")


@pytest.fixture
def registries() -> Iterator[None]:
    """Forget what an example registers."""
    before = {kind: {e.name for e in r} for kind, r in REGISTRIES.items()}
    yield
    for kind, registry in REGISTRIES.items():
        for name in {e.name for e in registry} - before[kind]:
            registry.remove(name)


def _run_examples(page: Path) -> dict[str, object]:
    names: dict[str, object] = {"__name__": "example"}
    for code in BLOCK.findall(page.read_text(encoding="utf-8")):
        exec(compile(code, str(page), "exec"), names)
    return names


def test_generated_pages_have_not_drifted() -> None:
    assert make_docs.drifted() == [], "run 'make docs'"


def test_drift_is_seen(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert make_docs.main(["--out", str(tmp_path)]) == 0
    assert make_docs.main(["--check", "--out", str(tmp_path)]) == 0
    (tmp_path / "metrics.md").write_text("an older truth", encoding="utf-8")
    (tmp_path / "cli.md").unlink()
    assert make_docs.main(["--check", "--out", str(tmp_path)]) == 1
    assert capsys.readouterr().out.count("drifted") == 2


def test_every_registered_name_is_documented() -> None:
    discover(third_parties=False)
    text = "".join(p.read_text(encoding="utf-8") for p in PAGES)
    names = [e.name for registry in REGISTRIES.values() for e in registry]
    assert len(names) > 20
    assert [n for n in names if f"`{n}`" not in text] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
@pytest.mark.usefixtures("registries")
def test_every_python_example_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    _run_examples(page)


@pytest.mark.usefixtures("registries")
def test_the_first_example_of_contributing_is_a_metric_that_works() -> None:
    known = {e.name for e in METRICS}
    _run_examples(ROOT / "CONTRIBUTING.md")
    (added,) = [e for e in METRICS if e.name not in known]
    check_metric(added, sessions_for_checks())
    (usual,) = [t for t in sessions_for_checks() if t.session_id == "usual"]
    assert added.obj(usual) == (1.0, 6, None, "")


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_links_lead_somewhere(page: Path) -> None:
    missing = [x for x in LINK.findall(page.read_text(encoding="utf-8")) if not (page.parent / x).exists()]
    assert missing == []


def test_readme_names_the_rooms_and_exactly_the_empty_ones() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `(\w+)` \| (.*) \|$", text, re.MULTILINE))
    assert list(rows) == list(ROOMS)
    for room, row in rows.items():
        doc = (ROOT / "src" / "turnwise" / room / "__init__.py").read_text(encoding="utf-8")
        assert ("still empty" in row) == ("Still empty." in doc), room


def test_every_target_of_make_is_explained_and_every_file_it_runs_is_there() -> None:
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    phony = re.search(r"^\.PHONY: (.*)$", text, re.MULTILINE)
    assert phony
    assert set(phony.group(1).split()) == set(re.findall(r"^([a-z]+):.* ## \S", text, re.MULTILINE))
    scripts = re.findall(r"(?:tools|benchmarks)/\w+\.py", text)
    assert scripts
    assert [s for s in scripts if not (ROOT / s).exists()] == []


def test_run_folder_page_names_every_column(tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    text = (ROOT / "docs" / "run-folder.md").read_text(encoding="utf-8")
    sections = {part.split("\n", 1)[0]: part for part in text.split("\n## ")}
    with TableWriter(tmp_path, metrics=[]):
        pass
    for path in sorted(tmp_path.glob("*.parquet")):
        cells = re.findall(r"^\| (`.*?) \|", sections[path.name], re.MULTILINE)
        written = {name for cell in cells for name in re.findall(r"`(\w+)`", cell)}
        assert written == set(pq.read_schema(path).names), path.name


def test_changelog_keeps_its_form() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    releases = re.split(r"^## ", text, flags=re.MULTILINE)[1:]
    assert releases[0].startswith("[Unreleased]")
    kinds = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security", "Comparability"}
    for release in releases:
        headings = re.findall(r"^### (.*)$", release, re.MULTILINE)
        assert "Comparability" in headings
        assert set(headings) <= kinds


WRITTEN = ("skill_examples", "claim_examples")


def test_validity_page_diagrams_figures_and_cards_agree() -> None:
    page = ROOT / "docs" / "validity.json"
    stored = page.read_text(encoding="utf-8")
    written = validate_reading.documents(stored, page)
    assert [p.name for p, text in written.items() if p.read_text(encoding="utf-8") != text] == []
    assert set((ROOT / "docs" / "img").glob("reliability-*.svg")) <= set(written)
    figures, shipped = json.loads(stored), {card.coder: card for card in cards("raters")}
    assert figures["differing"] == []
    # Coders measured on written examples are measured again by the script that fits them.
    assert {m["coder"] for m in figures["coders"]} == {n for n, card in shipped.items() if card.corpus not in WRITTEN}
    for m in figures["coders"]:
        card = shipped[m["coder"]]
        assert m["sha256"] == card.sha256, "run 'make validate DATA=...'"
        if card.corpus == m["corpus"] and m["data_of_the_card"]:
            assert m["figures"]["macro_f1"]["measured"]["value"] == pytest.approx(card.macro_f1, abs=5e-3)
            assert m["figures"]["macro_f1"]["card"] == card.macro_f1_cv.model_dump()
            assert m["calibration"]["debiased_ece"] == pytest.approx(card.calibration.debiased_ece, abs=2e-3)


def test_the_page_of_coders_gives_the_figures_of_the_cards() -> None:
    text = (ROOT / "docs" / "readers.md").read_text(encoding="utf-8")
    for side in ("raters", "ears"):
        for card in cards(side):
            assert str(card.macro_f1_cv) in text
            assert str(card.floors.gain_over_tfidf) in text
            assert card.sha256[:16] in text
            assert card.licence in text
