"""The report on made-up results: contents, self-containment, odd cases."""

from __future__ import annotations

import base64
import re
from html.parser import HTMLParser

import polars as pl
import pytest

from odonata.errors import RunError
from odonata.output import report
from odonata.output.report.figures import PICTURES, styled
from odonata.output.report.gather import collect
from odonata.output.report.headline import sentences
from report_runs import write_experiment, write_sweep

JOBS = {"fft3d": (16, 5.4e6), "halo3d": (16, 2.0e7)}
OPEN = {"uniform": (72, None)}


class Page(HTMLParser):
    """Collects what the tests ask about a page."""

    def __init__(self, text):
        super().__init__()
        self.headings, self.images, self.links, self.cells, self.stack = [], [], [], [], []
        self.text = ""
        self.feed(text)
        assert self.stack == []

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        self.links += [v for k, v in attrs if k in {"href", "src"} and not v.startswith("data:")]
        if tag == "img":
            self.images.append(attributes)
        if tag not in {"img", "meta", "br"}:
            self.stack.append(tag)

    def handle_endtag(self, tag):
        assert self.stack.pop() == tag

    def handle_data(self, data):
        self.text += data
        if self.stack and self.stack[-1] == "h2":
            self.headings.append(data)
        if self.stack and self.stack[-1] in {"td", "th"}:
            self.cells.append(" ".join(data.split()))


def page_of(folder):
    path = report.write(folder)
    assert path == folder / "report.html"
    return Page(path.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def single(tmp_path_factory):
    folder = tmp_path_factory.mktemp("single") / "run"
    summary = write_experiment(folder, jobs=JOBS, routing="par")
    return folder, summary, page_of(folder)


@pytest.fixture(scope="module")
def sweep(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sweep")
    points = [(r, seed, f) for r, f in (("minimal", 1.8), ("par", 1.3)) for seed in (1, 2)]
    write_sweep(folder, jobs=JOBS, points=points)
    return folder, page_of(folder)


def test_single_run_has_all_pictures(single):
    folder, _, page = single
    assert page.headings == [
        "Summary",
        "Communication time",
        "Packet latency",
        "Tail of the packet latency",
        "Throughput over time",
        "Use of links by kind and job",
        "Congestion between groups",
        "Links that stalled longest",
        "Engine",
        "What to do",
        "How to repeat the runs",
    ]
    names = {path.name for path in (folder / "figures").iterdir()}
    for name in ("communication_time", "packet_latency", "throughput", "congestion"):
        assert {f"{name}.svg", f"{name}.png", f"{name}.csv"} <= names


def test_page_refers_to_no_other_file(single, sweep):
    for page in (single[2], sweep[1]):
        assert page.links == []
    text = (single[0] / "report.html").read_text(encoding="utf-8")
    assert not re.search(r"(?:src|href)=[\"'](?!data:)", text)
    assert not re.search(r"url\(|@import|<script|<link", text)


def test_every_picture_is_embedded_whole_and_has_a_text(single):
    folder, _, page = single
    assert len(page.images) == 6
    for image in page.images:
        assert len(image["alt"]) > 40
        kind, _, data = image["src"].partition(";base64,")
        assert kind == "data:image/svg+xml"
        stored = {path.read_bytes() for path in (folder / "figures").glob("*.svg")}
        assert base64.b64decode(data) in stored


def test_summary_shows_the_numbers_of_the_run(single):
    _, summary, page = single
    job = summary["jobs"][0]
    assert f"{job['slowdown']:.2f}×" in page.text  # noqa: RUF001 - the sign of "times"
    assert f"{job['packet_latency_ns']['p99'] / 1000:#.4g} µs" in page.cells
    mean = job["comm_time_ns"]["mean"] / 1e6
    assert any(cell.startswith(f"{mean:#.4g} ±") for cell in page.cells)
    for fact in ("made-up", "0.1.0", "hash-par-1", "dragonfly(2, 4, 2, 9)", "finished"):
        assert fact in page.text
    assert "odonata run scenario.resolved.toml --out again" in page.text
    engine = summary["engine"]
    speed = engine["packet_hops"] / engine["cpu_s"] / 1e6
    assert "Million packet-hops per s of one core" in page.text
    assert f"{speed:#.3g}" in page.cells


def test_no_warning_for_a_finished_run(single):
    assert "Not every run finished" not in single[2].text


def test_sweep_groups_seeds_and_compares_routings(sweep):
    folder, page = sweep
    overview = pl.read_csv(folder / "figures" / "overview.csv")
    assert overview["variant"].to_list() == ["minimal", "minimal", "par", "par"]
    assert overview["runs"].to_list() == [2] * 4
    first = overview.row(0, named=True)
    assert first["slowdown_low"] <= first["slowdown"] <= first["slowdown_high"]
    assert "range over seeds" in page.text
    assert page.headings[:2] == ["Overview", "Summary"]
    assert "odonata run runs/par-2/scenario.resolved.toml --out again/runs/par-2" in page.text


def test_numbers_of_pictures_pool_the_ranks_of_all_seeds(sweep):
    folder, _ = sweep
    frame = pl.read_csv(folder / "figures" / "communication_time.csv")
    picked = frame.filter(
        (pl.col("variant") == "par") & (pl.col("job") == "fft3d") & (pl.col("setting") == "beside")
    ).row(0, named=True)
    ranks = pl.concat(
        pl.read_parquet(folder / "runs" / f"par-{seed}" / "ranks.parquet") for seed in (1, 2)
    ).filter(pl.col("job") == "fft3d")
    assert picked["comm_time_ns_mean"] == pytest.approx(ranks["comm_time_ns"].mean())
    assert picked["comm_time_ns_std"] == pytest.approx(ranks["comm_time_ns"].std(ddof=0))
    assert (picked["runs"], picked["ranks"]) == (2, 16)


def test_open_loop_run_shows_load_instead_of_communication_time(tmp_path):
    write_experiment(tmp_path / "run", jobs=OPEN, load=0.5)
    page = page_of(tmp_path / "run")
    assert "Communication time" not in page.headings
    assert "Offered load" in page.cells
    assert "0.5000" in page.cells


def test_sweep_over_load_draws_latency_over_load(tmp_path):
    points = [(load, 1, 1 + load) for load in (0.1, 0.5, 0.9)]
    write_sweep(tmp_path, jobs=OPEN, points=points, key="jobs.0.workload.load")
    page = page_of(tmp_path)
    first = page.images[0]["alt"]
    assert first.startswith("Line charts of packet latency and accepted load"), "picture first"
    assert page.text.index("Overview") < page.text.index("Left: packet latency")
    assert page.text.index("Left: packet latency") < page.text.index("Summary")
    frame = pl.read_csv(tmp_path / "figures" / "load_latency.csv")
    assert frame["offered_load"].to_list() == [0.1, 0.5, 0.9]
    assert frame["accepted_load"].to_list() == [0.1, 0.5, 0.8]
    assert frame["variant"].unique().to_list() == ["minimal"]


@pytest.mark.parametrize(
    ("stop", "words"),
    [
        ("time-limit", "time limit"),
        ("interrupted", "was interrupted"),
        ("stalled", "stalled (see diagnosis"),
    ],
)
def test_unfinished_run_is_announced(tmp_path, stop, words):
    write_experiment(tmp_path / "run", jobs=JOBS, stop=stop)
    page = page_of(tmp_path / "run")
    assert "Not every run finished" in page.text
    assert words in " ".join(page.text.split())


def test_diagnosis_of_a_stalled_run_is_on_the_page(tmp_path):
    write_experiment(tmp_path / "run", jobs=JOBS, stop="stalled")
    (tmp_path / "run" / "diagnosis.txt").write_text("rank 3 waits for rank 5 & rank 7")
    page = page_of(tmp_path / "run")
    assert "rank 3 waits for rank 5 & rank 7" in page.text


def test_run_that_recorded_nothing_still_has_a_page(tmp_path):
    write_experiment(tmp_path / "run", jobs=JOBS, stop="stalled")
    for table in (tmp_path / "run").rglob("*.parquet"):
        table.unlink()
    page = page_of(tmp_path / "run")
    assert page.images == []
    assert "No link stalled" in page.text


def test_names_are_escaped(tmp_path):
    write_experiment(tmp_path / "run", jobs={"<b>&job": (4, 1e6), "two": (4, 1e6)})
    page = page_of(tmp_path / "run")
    assert "<b>&job" in page.text
    assert "b" not in page.stack


def test_same_results_give_the_same_bytes(tmp_path):
    write_experiment(tmp_path / "run", jobs=JOBS)
    first = report.write(tmp_path / "run").read_bytes()
    assert report.write(tmp_path / "run").read_bytes() == first
    assert not list((tmp_path / "run").glob(".*"))


def test_all_of_many_variants_are_shown(tmp_path):
    """Never the first 8 of 20: rows for all, and a panel for each."""
    names = [f"routing-{number}" for number in range(20)]
    write_sweep(tmp_path, jobs=JOBS, points=[(name, 1, 1 + n / 10) for n, name in enumerate(names)])
    study = collect(tmp_path)
    with styled():
        panels = PICTURES["throughput"](study).figure.axes
        rows = PICTURES["communication_time"](study)
        ranked = PICTURES["ranking"](study)
    assert [axes.get_title(loc="left") for axes in panels] == names
    for axes in rows.figure.axes:
        assert len(axes.get_yticks()) == 20
    assert rows.sketch.note == ""
    assert set(ranked.table["variant"]) == set(names)
    (text,) = sentences(study)
    assert "fft3d: of 20 variants, routing-0 has the lowest slowdown" in text
    assert "They differ in routing.algorithm (routing-0 against routing-19)." in text


def test_swept_text_speaks_for_itself_and_numbers_carry_their_name(tmp_path):
    points = [(pattern, 1, 1.0) for pattern in ("uniform", "adversarial")]
    write_sweep(tmp_path / "a", jobs=JOBS, points=points, key="jobs.0.workload.pattern")
    points = [(size, 1, 1.0) for size in (512, 1024)]
    write_sweep(tmp_path / "b", jobs=JOBS, points=points, key="system.packet.size")
    for name, labels in (("a", ["uniform", "adversarial"]), ("b", ["size 512", "size 1024"])):
        page_of(tmp_path / name)
        overview = pl.read_csv(tmp_path / name / "figures" / "overview.csv")
        assert overview["variant"].unique(maintain_order=True).to_list() == labels


def test_bin_in_which_the_run_ends_is_not_drawn(tmp_path):
    write_experiment(tmp_path / "run", jobs=OPEN)
    path = tmp_path / "run" / "series.parquet"
    series = pl.read_parquet(path).with_columns(
        pl.col("time_ns").cast(pl.Float64), bin_ns=pl.lit(10_000.0)
    )
    late = series.head(1).with_columns(time_ns=pl.lit(2_995_000.0))
    pl.concat([series, late]).write_parquet(path)
    page_of(tmp_path / "run")
    drawn = pl.read_csv(tmp_path / "run" / "figures" / "throughput.csv")
    assert drawn["time_ns"].max() < 2_990_000


def test_folder_without_results_is_refused(tmp_path):
    with pytest.raises(RunError, match="holds no results"):
        report.write(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_damaged_results_are_refused(tmp_path):
    write_experiment(tmp_path / "run", jobs=JOBS)
    (tmp_path / "run" / "summary.json").write_text("{")
    with pytest.raises(RunError, match="damaged"):
        report.write(tmp_path / "run")


def test_classes_and_learning_have_pictures_where_there_are_any(tmp_path, single):
    folder = tmp_path / "run"
    write_experiment(folder, jobs=JOBS, routing="q-adaptive", classes=("high", "low"))
    page = page_of(folder)
    assert {"Learning over time", "Traffic classes"} <= set(page.headings)
    shares = pl.read_csv(folder / "figures" / "traffic_classes.csv")
    assert set(shares["class"]) == {"high", "low"}
    assert shares["share"].is_between(0, 1).all()
    by_kind = shares.pivot("class", index="kind", values="share")
    assert (by_kind["high"] > by_kind["low"]).all()
    errors = pl.read_csv(folder / "figures" / "learning.csv").filter(pl.col("job") == "fft3d")
    assert errors["table_error_ns_mean"].is_sorted(descending=True)
    assert not {"Learning over time", "Traffic classes"} & set(single[2].headings)


def test_unfinished_runs_enter_no_mean(tmp_path):
    """Two seeds ended, one was interrupted after a tenth of its time; of `par` none has ended."""
    points = [("minimal", 1, 1.5), ("minimal", 2, 0.1), ("minimal", 3, 1.5), ("par", 1, 0.2)]
    write_sweep(tmp_path, jobs=JOBS, points=points, cut=(1, 3))
    page = page_of(tmp_path)
    overview = pl.read_csv(tmp_path / "figures" / "overview.csv")
    first = overview.row(0, named=True)
    assert (first["runs"], first["unfinished"]) == (3, 1)
    ranks = pl.concat(
        pl.read_parquet(tmp_path / "runs" / f"minimal-{seed}" / "ranks.parquet") for seed in (1, 3)
    ).filter(pl.col("job") == "fft3d")
    assert first["beside_ns_mean"] == pytest.approx(ranks["comm_time_ns"].mean())
    assert first["slowdown_low"] > 1.3
    last = overview.filter(pl.col("variant") == "par").row(0, named=True)
    assert last["unfinished"] == 1
    assert all(last[name] is None for name in ("beside_ns_mean", "slowdown", "latency_ns_p99"))
    bars = pl.read_csv(tmp_path / "figures" / "communication_time.csv")
    beside = bars.filter(pl.col("setting") == "beside")
    assert beside["variant"].to_list() == ["minimal", "minimal"]
    assert beside["runs"].to_list() == [2, 2]
    boxes = pl.read_csv(tmp_path / "figures" / "packet_latency.csv")
    packets = boxes.filter((pl.col("setting") == "beside") & (pl.col("job") == "fft3d"))["packets"]
    assert packets.to_list() == [40_000]
    words = " ".join(page.text.split())
    assert "1 of 3 runs unfinished" in words
    assert "not all ranks of the job finished; such runs are in no mean" in words
    assert "Left out: fft3d under 2 variants (2 of 4 runs)" in words


def test_a_job_that_was_absent_is_named(tmp_path):
    write_experiment(tmp_path / "short", jobs=JOBS, overlap=0.571)
    page = page_of(tmp_path / "short")
    assert "Overlap" in page.cells
    assert "57.1 %" in page.cells
    words = " ".join(page.text.split())
    assert "halo3d communicated for only 57 % of the span of fft3d" in words
    write_experiment(tmp_path / "long", jobs=JOBS, overlap=0.96)
    page = page_of(tmp_path / "long")
    assert "96.0 %" in page.cells
    assert "Read these numbers with" not in page.text


def test_saturation_is_marked(tmp_path):
    points = [(load, 1, 1 + load) for load in (0.1, 0.5, 0.9)]
    write_sweep(tmp_path, jobs=OPEN, points=points, key="jobs.0.workload.load")
    page = page_of(tmp_path)
    frame = pl.read_csv(tmp_path / "figures" / "load_latency.csv")
    assert frame["saturated"].to_list() == [False, False, True]
    words = " ".join(page.text.split())
    assert "The network is saturated in 1 of 3 runs" in words
    assert "in 1 of 3 runs" in words
    assert page.cells.count("yes") == 1


@pytest.mark.parametrize(
    ("system", "words"),
    [
        (
            'name = "theta"\ntopology = { kind = "aries", groups = 9, rows = 6, columns = 16, '
            "nodes_per_router = 4, global_ports_per_router = 4 }",
            "theta; Aries: 9 groups of 6 rows and 16 columns of routers with 4 nodes and 4 global",
        ),
        (
            'topology = { kind = "megafly", groups = 9, leaf_routers_per_group = 4, nodes_per_leaf '
            "= 3, spine_routers_per_group = 5, links_per_group_pair = 2 }",
            "megafly: 9 groups of 4 leaf routers with 3 nodes each and 5 spine routers, 2 links",
        ),
        (
            'name = "frontier"\ntopology = { kind = "dragonfly", groups = 74, routers_per_group = '
            "32, nodes_per_router = 16, global_ports_per_router = 7 }\nnode = { nics = 4 }",
            "frontier; dragonfly: 74 groups of 32 routers with 16 network ends (4 of a node of",
        ),
        (
            'topology = { kind = "dragonfly", groups = 3, routers_per_group = 2, nodes_per_router '
            "= 1, global_ports_per_router = 2, links_per_group_pair = 1, more_groups = [{ name = "
            '"io", groups = 2, routers_per_group = 1, nodes_per_router = 1, '
            "global_ports_per_router = 4 }] }",
            "io: 2 groups of 1 routers",
        ),
        ('topology = { kind = "file", channels = "net.csv" }', "the channels of net.csv"),
    ],
)
def test_the_system_is_described(tmp_path, system, words):
    write_experiment(tmp_path / "run", jobs=OPEN, load=0.5, system=system)
    text = " ".join(page_of(tmp_path / "run").text.split())
    assert words in text
    assert "None" not in text
