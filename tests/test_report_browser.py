"""The report in a real browser: it fits, prints whole, has a dark theme, and plots can be zoomed.

Needs playwright and Chromium (`apt install chromium`, or `playwright install chromium`).
"""

from __future__ import annotations

import shutil

import pytest

from odonata.output import report
from report_runs import write_sweep

JOBS = {"fft3d": (16, 5.4e6), "halo3d": (16, 2.0e7)}


@pytest.fixture(scope="module")
def browser():
    driver = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
    with driver.sync_playwright() as started:
        try:
            made = started.chromium.launch(executable_path=found, args=["--no-sandbox"])
        except driver.Error as error:
            pytest.skip(f"there is no Chromium to start: {str(error).splitlines()[0]}")
        yield made
        made.close()


@pytest.fixture(scope="module")
def page(browser, tmp_path_factory):
    pytest.importorskip("plotly", reason="plotly is not installed")
    folder = tmp_path_factory.mktemp("browser")
    write_sweep(folder, jobs=JOBS, points=[("minimal", 1, 1.8), ("par", 1, 1.3)])
    path = report.write(folder, interactive=True)
    opened = browser.new_page(viewport={"width": 1200, "height": 900})
    opened.wrong = []
    opened.asked = []
    opened.on("pageerror", lambda error: opened.wrong.append(str(error)))
    opened.on("request", lambda request: opened.asked.append(request.url))
    opened.goto(path.as_uri())
    return opened


def widths(page):
    """Of every table: how wide it is, and how wide the room is that it has."""
    return page.evaluate(
        "[...document.querySelectorAll('.wide')].filter(one => one.offsetParent)"
        ".map(one => [one.querySelector('table').scrollWidth, one.clientWidth])"
    )


def test_nothing_is_asked_of_the_network(page):
    assert [url for url in page.asked if not url.startswith(("file:", "data:", "blob:"))] == []
    assert page.wrong == []


def test_tables_are_whole_on_paper(page):
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 703, "height": 1000})  # A4 less its margins
    try:
        shown = widths(page)
        assert len(shown) >= 3
        assert all(table <= room + 1 for table, room in shown)
        beyond = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
        assert beyond <= 0
        assert (
            page.evaluate("getComputedStyle(document.querySelector('details')).display") == "none"
        )
    finally:
        page.emulate_media(media="screen")
        page.set_viewport_size({"width": 1200, "height": 900})


def contrast(page, selector):
    """Ratio of the luminances of text and page, as WCAG defines it."""
    return page.evaluate(
        """selector => {
          const numbers = text => text.match(/[0-9.]+/g).slice(0, 3).map(Number);
          const light = colour => {
            const [r, g, b] = numbers(colour).map(v => v / 255)
              .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
            return 0.2126 * r + 0.7152 * g + 0.0722 * b;
          };
          const one = document.querySelector(selector);
          const pair = [light(getComputedStyle(one).color),
                        light(getComputedStyle(document.body).backgroundColor)].sort();
          return (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05);
        }""",
        selector,
    )


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_is_readable_in_both_themes(page, theme):
    page.emulate_media(color_scheme=theme)
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert ground == ("rgb(255, 255, 255)" if theme == "light" else "rgb(20, 25, 31)")
    for selector in ("h1", "p", "dt", ".note", "summary", "th"):
        assert contrast(page, selector) > 4.5, selector
    # Pictures are drawn on white; they keep it.
    paper = page.evaluate("getComputedStyle(document.querySelector('figure img')).backgroundColor")
    assert paper in ("rgb(255, 255, 255)", "rgba(0, 0, 0, 0)")
    page.emulate_media(color_scheme="light")


def test_plots_are_drawn_when_they_are_opened(page):
    zooms = page.locator("details.zoom")
    assert zooms.count() == 2
    assert page.locator(".js-plotly-plot").count() == 0
    for number in range(zooms.count()):
        zooms.nth(number).locator("summary").click()
    page.wait_for_selector(".js-plotly-plot .main-svg")
    drawn = page.evaluate(
        "[...document.querySelectorAll('.js-plotly-plot')].map(one => one.data.length)"
    )
    assert drawn == [6, 4]  # of two variants: tails, of the victim alone too; throughput
    page.evaluate(
        "Plotly.relayout(document.querySelector('.js-plotly-plot'), {'xaxis.range': [2, 3]})"
    )
    assert page.evaluate("document.querySelector('.js-plotly-plot').layout.xaxis.range") == [2, 3]
    assert page.wrong == []


def test_a_narrow_screen_scrolls_tables_not_the_page(page):
    page.set_viewport_size({"width": 400, "height": 800})
    try:  # open plots take a moment to follow
        page.wait_for_function("document.documentElement.scrollWidth <= window.innerWidth")
    finally:
        page.set_viewport_size({"width": 1200, "height": 900})


def hints(page):
    """Of every picture: whether it is wider than its column, and how high its hint is."""
    return page.evaluate(
        """[...document.querySelectorAll('figure')].map(one => [
          one.scrollWidth > one.clientWidth + 1,
          parseFloat(getComputedStyle(one, '::before').height) || 0,
          getComputedStyle(one, '::before').content])"""
    )


def test_wide_pictures_scroll_with_a_hint_on_a_phone(page):
    before = page.viewport_size
    page.set_viewport_size({"width": 420, "height": 860})
    found = hints(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 420
    assert any(wide for wide, _, _ in found)
    for wide, height, said in found:
        assert (height > 5) == wide
        assert "scroll sideways" in said
    # A picture that fits says nothing.
    page.evaluate("document.querySelector('figure').style.setProperty('--natural', '200px')")
    assert hints(page)[0][:2] == [False, 0]
    page.set_viewport_size(before)
    assert all(said in ("none", "normal") and not wide for wide, _, said in hints(page))
