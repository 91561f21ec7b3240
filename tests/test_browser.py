"""The report in a real browser: it loads nothing, says nothing to the console, fits a phone, proves its numbers."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from turnwise.apps.report import write_report
from turnwise.apps.test_report_example import EXCHANGES, GROUPS, HOSTILE, make_folder
from turnwise.apps.test_report_ladder import ladder, with_ladder

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: pip install '.[dev]'")
CHROMIUM = shutil.which("chromium")
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="no chromium on this machine: apt-get install chromium"),
]
# A fresh profile and these flags keep the browser from calling home, so that a request is the page's own.
_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
WIDTHS = (1280, 390)


class Watched:
    """A page, and everything it asked for or complained about."""

    def __init__(self, page: Any, address: str) -> None:
        self.page, self.address = page, address
        page.set_default_timeout(180_000)  # a busy machine is no fault of the page
        self.requests: list[str] = []
        self.complaints: list[str] = []
        page.on("request", lambda r: self.requests.append(r.url))
        page.on("console", lambda m: self.complaints.append(f"{m.type}: {m.text}"))
        page.on("pageerror", lambda e: self.complaints.append(str(e)))

    def open(self, address: str = "", width: int = 1280) -> Any:
        self.page.set_viewport_size({"width": width, "height": 860})
        self.page.goto("about:blank")
        self.requests.clear()
        self.complaints.clear()
        self.page.goto(self.address + address)
        self.page.wait_for_function("document.querySelectorAll('.plot .main-svg').length > 0")
        return self.page


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    where = tmp_path_factory.mktemp("reports")
    with_ladder(where / "ladder", ladder())
    return {
        "run": write_report(make_folder(where / "run")).as_uri(),
        "score": write_report(make_folder(where / "score", played=False)).as_uri(),
        "quiet": write_report(make_folder(where / "quiet", no_text=True)).as_uri(),
        "ladder": (where / "ladder" / "report.html").as_uri(),
    }


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with tempfile.TemporaryDirectory() as profile, sync_api.sync_playwright() as p:
        context = p.chromium.launch_persistent_context(
            profile, executable_path=CHROMIUM, headless=True, args=list(_FLAGS)
        )
        yield context
        context.close()


@pytest.fixture
def watched(browser: Any, reports: dict[str, str]) -> Iterator[Watched]:
    page = browser.new_page()
    yield Watched(page, reports["run"])
    page.close()


# A page is loaded in either scheme and at either width, and the scheme changed after that: each kind is seen in all
# four ways, and loaded half as often.
@pytest.mark.parametrize("kind", ["run", "score", "quiet", "ladder"])
@pytest.mark.parametrize(("width", "schemes"), [(1280, ("light", "dark")), (390, ("dark", "light"))])
def test_it_loads_nothing_complains_of_nothing_and_fits(
    watched: Watched, reports: dict[str, str], kind: str, width: int, schemes: tuple[str, str]
) -> None:
    watched.address = reports[kind]
    watched.page.emulate_media(color_scheme=schemes[0])
    page = watched.open(width=width)
    page.locator("#sessions").scroll_into_view_if_needed()
    page.locator("#definitions details > summary").first.click()
    nothing_more_and_fits(watched, page, width)
    page.emulate_media(color_scheme=schemes[1])
    nothing_more_and_fits(watched, page, width)


def nothing_more_and_fits(watched: Watched, page: Any, width: int) -> None:
    outside = [url for url in watched.requests if not url.startswith(("file:", "data:"))]
    assert outside == []
    assert [url for url in watched.requests if url.startswith("file:")] == [watched.address]
    assert watched.complaints == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    for svg in page.locator(".plot .main-svg").all():
        box = svg.bounding_box()
        assert box is None or box["x"] + box["width"] <= width + 1


def test_the_page_cannot_reach_out_even_if_it_wanted(watched: Watched) -> None:
    page = watched.open()
    blocked = page.evaluate("fetch('https://example.invalid/').then(() => 'reached', () => 'blocked')")
    assert blocked == "blocked"
    assert any("Content Security Policy" in line for line in watched.complaints)


def test_a_number_leads_to_the_turns_it_came_from(watched: Watched) -> None:
    page = watched.open()
    row = page.locator("#numbers tbody tr").nth(0)
    assert row.locator("th").inner_text().startswith("socratic")
    row.locator("td a.cell").nth(0).click()
    page.wait_for_selector(".turn.hit")
    assert page.locator("#origin b").inner_text() == "Reflection share · socratic"
    assert page.locator("#list .pick").count() == 6
    assert page.locator("#list .pick .score").count() == 6
    hits = page.locator(".turn.hit").all()
    assert hits
    for turn in hits:
        assert "therapist" in (turn.get_attribute("class") or "")
        assert "reflection" in turn.locator(".top").inner_text()
    others = page.locator(".turn.therapist:not(.hit)").all()
    assert others
    assert all("base" in (turn.get_attribute("class") or "") for turn in others)
    assert not any("reflection" in turn.locator(".top").inner_text() for turn in others)
    assert len(hits) + len(others) == EXCHANGES


@pytest.mark.parametrize("metric", ["reflection_share", "insist_rate"])
@pytest.mark.parametrize("kind", ["run", "score"])
def test_the_marked_turns_are_those_that_were_counted(
    watched: Watched, reports: dict[str, str], kind: str, metric: str
) -> None:
    watched.address = reports[kind]
    page = watched.open(f"#metric={metric}")
    seen = 0
    for i in range(page.locator("#list .pick").count()):
        page.locator("#list .pick").nth(i).click()
        score = page.locator("#list .pick[aria-current=true] .score")
        hits, others = (page.locator(f".turn.{mark}").count() for mark in ("hit", "base"))
        if "none" in (score.get_attribute("class") or ""):
            assert hits == others == 0
            continue
        seen += 1
        assert score.inner_text() == f"{hits / (hits + others):.2f}"
        assert page.locator(".proof p").first.inner_text().endswith(f", n {hits + others}")
    assert seen > 3


def test_a_truth_number_leads_to_patient_turns_with_the_value_in_bold(watched: Watched) -> None:
    page = watched.open("#metric=trust_slope&group=advisor.v1")
    assert page.locator(".turn.hit").count() == page.locator(".turn.patient").count() > 0
    assert page.locator(".turn.hit .values b").first.inner_text().startswith("trust ")


def test_a_number_about_pushback_shows_the_pushback_and_what_came_next(watched: Watched) -> None:
    page = watched.open("#metric=insist_rate&group=socratic.v1")
    pushback = page.locator(".turn.cue")
    assert pushback.count() == 1
    assert "invalidation (emergent)" in pushback.inner_text()
    at = int((pushback.get_attribute("id") or "").removeprefix("turn-"))
    answer = page.locator(".turn.hit, .turn.base")
    assert answer.count() == 1
    assert answer.get_attribute("id") == f"turn-{at + 1}"
    insisted = "therapist input" in answer.locator(".top").inner_text()
    assert insisted == ("hit" in (answer.get_attribute("class") or ""))


def test_an_unscored_number_leads_to_the_reasons(watched: Watched) -> None:
    page = watched.open("#metric=insist_rate&group=silent.v1")
    assert page.locator("#list .score.none").all_inner_texts() == ["no denominator"] * 6
    assert "the patient never resisted" in page.locator(".proof").inner_text()
    assert page.locator(".turn.hit").count() == 0


def test_a_deep_link_opens_one_turn_of_one_session(watched: Watched) -> None:
    page = watched.open("#session=socratic.v1%2Fstateful.v1%2Fmira%2F1&turn=5")
    assert page.locator("#detail h3").inner_text() == "socratic · mira"
    assert page.locator("#turn-5").evaluate("e => e.classList.contains('here')")
    box = page.locator("#turn-5").bounding_box()
    assert box is not None
    assert 0 <= box["y"] <= 860


def test_filters_narrow_the_list_and_the_address_follows(watched: Watched) -> None:
    page = watched.open()
    page.select_option("#filters select[name=group]", "advisor.v1")
    page.select_option("#filters select[name=ending]", "patient_left")
    page.select_option("#filters select[name=metric]", "talk_share")
    assert page.locator("#list .pick").count() == 4
    assert "group=advisor.v1" in page.evaluate("location.hash")
    page.select_option("#filters select[name=order]", "up")
    values = [float(x.replace("−", "-")) for x in page.locator("#list .score").all_inner_texts()]
    assert values == sorted(values)


def test_hostile_words_are_shown_as_words(watched: Watched) -> None:
    page = watched.open("#session=socratic.v1%2Fstateful.v1%2Falun%2F0")
    title = page.title()
    assert "owned" not in title
    assert "example <i>run</i>" in title
    said = page.locator(".turn .said").all_inner_texts()
    assert f"0: {HOSTILE[0]}" in said
    assert any("\\x1b[31mred\\x1b[0m and \\u202eright" in x for x in said)
    assert page.locator(".turn .said *").count() == 0
    assert page.locator("#detail img, #detail script").count() == 0


def test_without_text_the_turns_say_so(watched: Watched, reports: dict[str, str]) -> None:
    watched.address = reports["quiet"]
    page = watched.open("#metric=reflection_share&group=socratic.v1")
    assert all("not kept" in x for x in page.locator(".turn .said").all_inner_texts())
    assert page.locator(".turn.hit").count() > 0


def test_what_can_be_touched_is_large_enough_and_reachable_by_keyboard(watched: Watched) -> None:
    page = watched.open("#metric=reflection_share&group=socratic.v1", width=390)
    small = page.evaluate(
        """() => [...document.querySelectorAll('button, select, summary, .cell')]
            .filter(e => e.offsetParent && !e.closest('.pop')).map(e => [e.className, e.getBoundingClientRect()])
            .filter(([_, b]) => b.height < 40).map(([name, b]) => name + ' ' + b.height)"""
    )
    assert small == []
    first = page.locator("#numbers a.cell").first
    first.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(".turn.hit")


def test_validity_is_one_tap_away(watched: Watched) -> None:
    page = watched.open(width=390)
    page.locator("#numbers .info").first.click()
    pop = page.locator(".pop:popover-open")
    assert "macro-F1 .73 [.70, .76]" in pop.inner_text()
    assert "none known" in pop.inner_text()
    box = pop.bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
    pop.locator("a").click()
    page.wait_for_selector("#def-reflection_share[open]")


def test_a_group_can_be_taken_out_of_the_curves(watched: Watched) -> None:
    page = watched.open()
    lines = "document.querySelector('[data-figure=curve-0]').data.filter(t => t.visible !== false).length"
    before = page.evaluate(lines)
    page.locator(f"[data-toggle='{GROUPS[0]}']").click()
    assert page.evaluate(lines) == before * (len(GROUPS) - 1) // len(GROUPS)
    assert page.locator(f"[data-toggle='{GROUPS[0]}']").get_attribute("aria-pressed") == "false"


def test_it_prints(watched: Watched, tmp_path: Path) -> None:
    page = watched.open("#metric=reflection_share&group=socratic.v1")
    page.emulate_media(media="print")
    assert not page.locator("#filters").is_visible()
    assert page.locator("#numbers table").first.is_visible()
    pdf = page.pdf(path=str(tmp_path / "report.pdf"), format="A4")
    page.emulate_media(media="screen")
    assert pdf.startswith(b"%PDF")


@pytest.mark.parametrize("width", WIDTHS)
def test_the_ladder_is_the_first_picture_and_large_enough_to_read(
    watched: Watched, reports: dict[str, str], width: int
) -> None:
    watched.address = reports["ladder"]
    page = watched.open(width=width)
    pictures = page.locator("svg[role=img]")
    assert pictures.count() == 2
    assert page.locator("main figure").first.locator("svg[role=img]").count() == 1
    for svg in pictures.all():
        box = svg.bounding_box()
        assert box is not None
        assert 0 <= box["x"] <= box["x"] + box["width"] <= width
        letters = svg.locator("text").first.evaluate("e => e.getBoundingClientRect().height")
        assert letters >= 11
