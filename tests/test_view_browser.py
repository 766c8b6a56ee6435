"""The interactive view in a real browser: it draws, and mouse and keys do what the page says.

Needs playwright and Chromium (`apt install chromium`, or `playwright install chromium`).
"""

from __future__ import annotations

import io
import shutil

import numpy as np
import polars as pl
import pytest
from PIL import Image

from odonata import load, run, view

HALO = {"kind": "halo3d", "ranks": 8, "grid": [2, 2, 2], "face": "16 KiB", "iterations": 2}
SCENARIO = {
    "name": "seen",
    "system": {"preset": "dragonfly(2, 4, 2, 9)"},
    "routing": {"algorithm": "par"},
    "jobs": [
        {"name": "victim", "role": "victim", "workload": HALO, "placement": "random-node"},
        {"name": "other", "role": "aggressor", "workload": {**HALO, "ranks": 27, "grid": [3, 3, 3]},
         "placement": "random-node"},
    ],
    "telemetry": {"blame": True, "link_series": True, "series_bin": "200 ns"},
}  # fmt: skip
# Without a graphics card: WebGL computed by the processor.
SOFTWARE = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"]


@pytest.fixture(scope="module")
def result(tmp_path_factory):
    folder = tmp_path_factory.mktemp("seen") / "run"
    run(SCENARIO, out=folder, baseline=False)
    view.write(load(folder), folder / view.PAGE)
    return load(folder)


@pytest.fixture(scope="module")
def browser():
    driver = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
    with driver.sync_playwright() as started:
        try:
            made = started.chromium.launch(executable_path=found, args=[*SOFTWARE, "--no-sandbox"])
        except driver.Error as error:
            pytest.skip(f"there is no Chromium to start: {str(error).splitlines()[0]}")
        yield made
        made.close()


@pytest.fixture(scope="module")
def opened(browser, result):
    page = browser.new_page(viewport={"width": 1000, "height": 560})
    page.set_default_timeout(60_000)
    page.wrong = []
    page.on("pageerror", lambda error: page.wrong.append(str(error)))
    page.on("console", lambda said: page.wrong.append(said.text) if said.type == "error" else None)
    page.on("request", lambda request: page.wrong.append(request.url)
            if not request.url.startswith(("file:", "blob:", "data:")) else None)  # fmt: skip
    page.goto((result.directory / view.PAGE).as_uri())
    page.wait_for_selector("html[data-ready]", state="attached", timeout=120_000)
    yield page
    assert page.wrong == []


@pytest.fixture
def page(opened):
    """The page as it is at first."""
    opened.keyboard.press("Escape")
    opened.evaluate(
        "odonataView.home(), odonataView.set({mode: 'use', job: -1, bin: -1, chosen: null})"
    )
    return opened


def values(page):
    return np.array(page.evaluate("Array.from(odonataView.values)"))


def test_it_is_drawn(page):
    page.wait_for_function("odonataView.scene.deck.metrics.framesRedrawn > 0 || "
                           "odonataView.scene.deck.isInitialized")  # fmt: skip
    for _ in range(40):
        shot = page.locator("#picture").screenshot()
        pixels = np.asarray(Image.open(io.BytesIO(shot)).convert("RGB")).astype(int)
        bright = (pixels.max(axis=2) > 60).mean()
        if bright > 0.01:
            break
        page.wait_for_timeout(250)
    assert bright > 0.01
    # On every side of the middle: a ring, not a corner.
    rows, columns = np.nonzero(pixels.max(axis=2) > 60)
    assert np.ptp(rows) > pixels.shape[0] * 0.6
    assert np.ptp(columns) > pixels.shape[0] * 0.6


def test_a_click_on_a_link_tells_who_and_when(page, result):
    busiest = result.table("links").filter(pl.col("kind") == "global").sort("bytes").tail(1)
    number = int(busiest["link"][0])
    page.wait_for_function(
        "(odonataView.scene.deck.getViewports()[0]?.zoom ?? 99) === odonataView.scene.view.zoom"
    )
    x, y = page.evaluate(
        """(number) => {
          const view = odonataView, at = view.columns.link.indexOf(number);
          const { source, target } = view.scene.ends;
          const spot = [0, 1].map((one) => 0.9 * source[2 * at + one] + 0.1 * target[2 * at + one]);
          return view.scene.deck.getViewports()[0].project(spot);
        }""",
        number,
    )
    box = page.locator("#picture").bounding_box()
    page.mouse.click(box["x"] + x, box["y"] + y)
    page.wait_for_function("odonataView.state.chosen !== null")
    chosen = page.evaluate("odonataView.columns.link[odonataView.state.chosen.at]")
    text = page.locator("#details").inner_text()
    assert f"Link {chosen}" in text
    assert page.evaluate("odonataView.state.chosen.kind") == "link"
    users = result.table("link_jobs").filter(pl.col("link") == chosen)
    assert users.height > 0
    assert "Who sent" in text
    assert all(job in text for job in users["job"])
    assert "In use most at" in text


def test_colours_at_a_time_are_those_of_the_table(page, result):
    series = result.table("link_job_series")
    bin_ns = result.table("link_series")["bin_ns"][0]
    at = int(series.group_by("time_ns").len().sort("len")["time_ns"][-1] / bin_ns)
    links = result.table("links").select("link")
    now = series.filter(pl.col("time_ns") == at * bin_ns)
    for job, rows in ((-1, now), (1, now.filter(pl.col("job") == "other"))):
        page.evaluate(f"odonataView.set({{bin: {at}, job: {job}}})")
        busy = rows.group_by("link").agg(pl.col("busy_ns").sum() / bin_ns)
        expected = links.join(busy, on="link", how="left").fill_null(0)["busy_ns"].to_numpy()
        assert np.allclose(values(page), expected, atol=2e-5)
    page.evaluate(f"odonataView.set({{mode: 'stall', bin: {at}}})")
    stalls = result.table("link_series").filter(pl.col("time_ns") == at * bin_ns)
    expected = links.join(stalls, on="link", how="left").fill_null(0)["stall_ns"] / bin_ns
    assert np.allclose(values(page), expected.to_numpy(), atol=2e-5)
    page.evaluate("odonataView.set({mode: 'through', job: 0, cause: true, bin: -1})")
    caused = result.table("blame").filter(pl.col("delaying") == "victim")
    summed = caused.group_by("link").agg(pl.col("through_ns").sum())
    expected = links.join(summed, on="link", how="left").fill_null(0)["through_ns"].to_numpy()
    assert np.allclose(values(page), expected, rtol=1e-4, atol=1e-3)


def test_everything_can_be_done_with_keys(page, result):
    page.evaluate("document.activeElement.blur()")
    seen = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        seen.add(page.evaluate("document.activeElement.id || document.activeElement.name || "
                               "document.activeElement.className"))  # fmt: skip
    assert {"mode", "wanted", "home", "help", "picture", "whole", "play", "time", "link"} <= seen
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("2")
    assert page.evaluate("odonataView.state.mode") == "stall"
    page.keyboard.press("n")
    first = page.evaluate("odonataView.state.chosen.at")
    stalls = result.table("links")["stall_ns"].to_numpy()
    assert stalls[first] == stalls.max()
    page.keyboard.press(".")
    assert page.evaluate("odonataView.state.bin") == 0
    page.focus("#time")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("odonataView.state.bin") == 2
    assert "to" in page.locator("#clock").inner_text()
    page.focus("#picture")
    before = page.evaluate("[...odonataView.scene.view.target, odonataView.scene.view.zoom]")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("+")
    after = page.evaluate("[...odonataView.scene.view.target, odonataView.scene.view.zoom]")
    assert after[0] > before[0]
    assert after[3] > before[3]
    page.keyboard.press("/")
    page.keyboard.type("victim")
    page.keyboard.press("Enter")
    assert "Communication time" in page.locator("#details").inner_text()
    assert page.evaluate("odonataView.state.job") == 0
    page.keyboard.press("Escape")
    page.focus("#picture")
    page.keyboard.press("Escape")
    assert page.evaluate("odonataView.state.chosen") is None


def test_a_job_is_chosen_with_the_mouse_and_the_address_remembers_it(page):
    page.get_by_role("button", name="other").click()
    assert page.evaluate("odonataView.state.job") == 1
    text = page.locator("#details").inner_text()
    assert "Who delayed it" in text
    assert "Links it uses most" in text
    address = page.evaluate("location.hash")
    assert "job=1" in address
    page.evaluate("odonataView.set({job: -1, chosen: null})")
    page.evaluate(f"location.hash = '{address}'")
    page.wait_for_function("odonataView.state.job === 1")


NO_WEBGL = """
const usual = HTMLCanvasElement.prototype.getContext;
HTMLCanvasElement.prototype.getContext = function (kind, ...more) {
  return kind === "webgl2" ? null : usual.call(this, kind, ...more);
};
"""


def test_without_webgl_the_lists_still_work(browser, result):
    page = browser.new_page()
    page.add_init_script(NO_WEBGL)
    page.goto((result.directory / view.PAGE).as_uri())
    page.wait_for_selector("html[data-ready]", state="attached", timeout=120_000)
    assert page.locator("#nowebgl").is_visible()
    page.locator("#top button").first.click()
    assert "Who sent" in page.locator("#details").inner_text()
    page.close()


FRAMES = [("kang2022-1056", 528, 16.6), ("dragonfly(8, 16, 8, 66)", 4224, 100)]
SPENT = """async (seconds) => {
  const view = odonataView, { bins } = view.facts.times;
  const begin = performance.now();
  let frames = 0;
  while (performance.now() - begin < seconds * 1000) {
    await new Promise(requestAnimationFrame);
    view.state.bin = frames % bins;
    view.paint(); view.clock(); view.drawTime();
    view.scene.pan(Math.sin(frames / 9) * 0.1, 0);
    frames += 1;
  }
  return frames;
}"""


@pytest.mark.long
@pytest.mark.parametrize(("system", "ranks", "most_ms"), FRAMES)
def test_a_frame_costs_the_page_little(browser, tmp_path, system, ranks, most_ms):
    """Processor time of the page per frame while time and place move; the graphics card apart."""
    load_of = {
        "kind": "open-loop",
        "pattern": "uniform",
        "load": 0.3,
        "message": "512 B",
        "ranks": ranks,
    }
    jobs = [{"name": name, "workload": load_of, "placement": "random-node"} for name in "ab"]
    run({"system": {"preset": system}, "routing": {"algorithm": "par"}, "jobs": jobs,
         "measure": {"warm_up": "1 us", "window": "9 us"},
         "telemetry": {"link_series": True, "series_bin": "100 ns"}},
        out=tmp_path / "run")  # fmt: skip
    view.write(load(tmp_path / "run"), tmp_path / "view.html")
    page = browser.new_page(viewport={"width": 1400, "height": 900})
    page.goto((tmp_path / "view.html").as_uri())
    page.wait_for_selector("html[data-ready]", state="attached", timeout=120_000)
    page.evaluate(SPENT, 10)  # what happens only once
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def spent():
        metrics = session.send("Performance.getMetrics")["metrics"]
        return next(one["value"] for one in metrics if one["name"] == "TaskDuration")

    before = spent()
    frames = page.evaluate(SPENT, 60)
    per_frame = (spent() - before) / frames * 1e3
    assert per_frame < most_ms, f"over {frames} frames"
    page.close()


LUMINANCE = """(selector) => {
  const style = getComputedStyle(document.querySelector(selector));
  const of = (colour) => {
    const [red, green, blue] = colour.match(/[\\d.]+/g).map((part) => {
      const value = Number(part) / 255;
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  let part = document.querySelector(selector), ground = style.backgroundColor;
  while (ground === "rgba(0, 0, 0, 0)") {
    part = part.parentElement;
    ground = getComputedStyle(part).backgroundColor;
  }
  return [of(style.color), of(ground)];
}"""
CORNER = """Array.from(document.querySelector("#details canvas").getContext("2d")
  .getImageData(2, 2, 1, 1).data).slice(0, 3)"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_by_day_and_by_night(browser, result, scheme):
    """Nothing is cut off at 420 pixels, and the panel has the colours that the screen asks for."""
    page = browser.new_page(viewport={"width": 420, "height": 860}, color_scheme=scheme)
    page.goto((result.directory / view.PAGE).as_uri())
    page.wait_for_selector("html[data-ready]", state="attached", timeout=120_000)
    page.locator("#top button").first.click()
    assert page.evaluate("document.documentElement.scrollWidth") <= 420
    outside = """[...document.querySelectorAll(
        'header *, footer *, #stage, aside > *')].filter((one) => {
      const box = one.getBoundingClientRect();
      return box.width && (box.right > 421 || box.left < 0);
    }).map((one) => one.id || one.tagName)"""
    assert page.evaluate(outside) == []
    for name, least in (("#time", 300), ("#flow", 300), ("#picture", 400)):
        assert page.locator(name).bounding_box()["width"] > least
    # The page scrolls to the end of the list, past the controls of time.
    last = page.locator("#top button").last
    last.scroll_into_view_if_needed()
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    box, bar = last.bounding_box(), page.locator("footer").bounding_box()
    assert box["y"] + box["height"] <= bar["y"] + 1
    for selector in ("h1", "#details h2", "#details dt", "#top button", "#home", "#keys kbd"):
        ink, ground = page.evaluate(LUMINANCE, selector)
        assert (ground < ink) == (scheme == "dark"), selector
        light, dark = max(ink, ground), min(ink, ground)
        assert (light + 0.05) / (dark + 0.05) > 4.5, selector
    assert (max(page.evaluate(CORNER)) < 60) == (scheme == "dark")
    page.emulate_media(color_scheme="light" if scheme == "dark" else "dark")
    page.wait_for_function(f"({CORNER})[0] {'>' if scheme == 'dark' else '<'} 100")
    page.close()
