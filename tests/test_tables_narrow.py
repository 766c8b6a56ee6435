"""Tables at 80 columns: labels are whole, what is left out is said, nothing is cut off."""

from __future__ import annotations

import io
import json
import re
from types import SimpleNamespace

import polars as pl
import pytest
from rich.console import Console

from examples import jobs
from odonata import load, noise, run
from odonata.analysis import replicas
from odonata.cli import main
from odonata.cli import speed_set as speed
from odonata.cli.listing import Listing, plain
from odonata.cli.outcome import print_results
from odonata.cli.progress import ProgressBar
from odonata.cli.screen import tell
from odonata.cli.spread import print_replicas
from odonata.cli.words import duration
from odonata.scenario import registry
from odonata.scenario.counters import counters
from odonata.scenario.presets import presets

LONG = "a-job-with-a-name-that-is-rather-long"


@pytest.fixture
def narrow(monkeypatch):
    """A terminal of 80 columns."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "dumb")


@pytest.fixture
def shown(narrow, capsys):  # noqa: ARG001 - sets the environment
    def shown(*words):
        assert main([str(word) for word in words]) == 0
        text = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", capsys.readouterr().out)
        assert "…" not in text
        return text

    return shown


def table_lines(text, title):
    """Lines from a title to the next empty line after the rows."""
    lines = text[text.index(title) :].splitlines()
    ends = [number for number, line in enumerate(lines) if not line.strip()]
    return lines[: ends[1] if len(ends) > 1 else None]


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    folder = tmp_path_factory.mktemp("narrow") / "out"
    one = {"name": LONG, "workload": {"kind": "halo3d", "ranks": 8, "iterations": 1,
           "face": "16 KiB", "compute": "0 us"}}  # fmt: skip
    beside = {"name": "traffic-beside", "role": "background",
              "workload": {"kind": "open-loop", "ranks": 32, "load": 0.6}}  # fmt: skip
    data = jobs(jobs=[one, beside], replicas=5, sweep={
        "routing.algorithm": ["minimal", "valiant-group"],
        f"jobs.{LONG}.placement.kind": ["contiguous", "random-router"],
    })  # fmt: skip
    run(data, out=folder)
    return folder


LABELS = ("minimal", "valiant-group", "contiguous", "random-router", LONG)


def on(width, show):
    """What is shown on a terminal of so many columns; in a file if it is none."""
    console = Console(width=width or 80, record=True, file=io.StringIO(), color_system=None,
                      force_terminal=bool(width))  # fmt: skip
    show(console)
    return console.export_text()


@pytest.mark.parametrize("width", [40, 80, 120, 200])
def test_labels_of_results_are_whole_at_any_width(results, width):
    sweep = load(results)
    text = on(width, lambda console: print_replicas(sweep, console))
    assert "…" not in text
    assert all(word in text for word in ("minimal", "valiant-group", "contiguous", "slowdown"))
    together = re.sub(r"\s+", "", text)  # at 40 columns a name may go on in the next line
    assert all(word in (together if width == 40 else text) for word in LABELS)
    one = sweep.runs[next(iter(sweep.runs))]
    text = on(width, lambda console: print_results(one, console))
    assert "…" not in text
    together = re.sub(r"\s+", "", text)
    assert all(word in together for word in (LONG, "traffic-beside", "minimal"))
    if width == 80:
        assert "Not shown for lack of room" in text
        assert all(len(line.rstrip()) <= 80 for line in table_lines(text, "Jobs:"))
    if width == 200:
        assert all(word in text for word in ("alone", "co-running", "p99", "overlap"))
        assert "Not shown" not in text


def test_a_narrow_table_says_how_wide_a_terminal_must_be(results):
    one = next(iter(load(results).runs.values()))
    text = on(80, lambda console: print_results(one, console))
    said = re.sub(r"\s+", " ", text)
    needed = int(re.search(r"A terminal of (\d+) columns shows them", said)[1])
    first = "Jobs: communication"
    assert "p99" in on(needed, lambda console: print_results(one, console)).partition(first)[2]
    assert "Not shown" in on(needed - 1, lambda console: print_results(one, console))


@pytest.mark.parametrize("width", [60, 80, 200])
def test_slowdowns_of_two_victims_under_four_routings_are_never_cut(width):
    """With 32 figures of the variants, the last slowdowns were hidden; now they come first."""
    routings = ("minimal", "par", "ugal-node", "valiant-node")
    quantities = ("slowdown", "comm_time_ns_mean", "packet_latency_ns_mean",
                  "packet_latency_ns_p99")  # fmt: skip
    index = pl.DataFrame([
        {"run": f"{routing}-{seed}", "routing.algorithm": routing, "seed": seed, "stop": "finished",
         **{f"{job}.{quantity}": 1.25 + 0.01 * seed for job in ("fft", "halo")
            for quantity in quantities}}
        for routing in routings for seed in range(5)
    ])  # fmt: skip
    keys = ["routing.algorithm", "seed"]
    sweep = SimpleNamespace(
        index=index, keys=keys, replicas=5, replicas_for=lambda _: 900,
        intervals=lambda: replicas.intervals(index, keys),
        differences=lambda: replicas.differences(index, keys),
    )  # fmt: skip
    text = on(width, lambda console: print_replicas(sweep, console))
    together = re.sub(r"\s+", " ", text)
    rows = re.findall(r"(minimal|par|ugal-node|valiant-node) (fft|halo) slowdown 1.27 (1.2\d+) to",
                      together)  # fmt: skip
    blocks = re.findall(r"algorithm (\S+) job (\S+) quantity slowdown estimate \[x\] 1.27 95 % "
                        r"interval \[x\] (\S+) to", together)  # fmt: skip
    assert len({row[:2] for row in [*rows, *blocks]}) == 8, text


def test_sentences_wrap_to_the_terminal_at_words():
    said = "Give `odonata run FILE --without-each` again, in results/a-folder-with-a-long-name."
    text = on(30, lambda console: tell(console, said, indent="  "))
    assert all(len(line.rstrip()) <= 45 and line.startswith("  ") for line in text.splitlines())
    assert "--without-each" in text
    assert on(0, lambda console: tell(console, said)).rstrip("\n") == said


def test_lists_at_80_columns_have_whole_names(shown):
    for kind, names in (
        ("systems", [preset.signature for preset in presets().values()]),
        ("routings", registry.family("routings")),
        ("workloads", registry.family("workloads")),
        ("collectives", registry.family("collectives")),
        ("counters", [one.name for one in counters()]),
        ("mpi", [field.name for field in registry.mpi_parameters()]),
    ):
        text = shown("list", kind)
        lines = {line.split("  ")[0].strip() for line in text.splitlines()}
        assert {name for name in names if len(name) <= 60} <= lines


def test_entries_at_80_columns_are_whole(shown):
    for kind, name in (("routings", "par"), ("mpi", "eager_limit"), ("workloads", "halo3d")):
        text = shown("show", kind, name)
        parameters = {"mpi": [name]}.get(kind) or [
            field.name for field in registry.family(kind)[name].parameters
        ]
        assert all(re.search(rf"(?m)^ ?{one} ", text) for one in parameters)
    text = shown("show", "counters", "INQ_PRF_ROWBUS_STALL_CNT")
    assert "network tile" in text
    text = shown("topo", "dragonfly(2, 4, 2, 9)")
    assert "directed channels" in text
    assert "average of minimal hops" in text


def test_a_query_at_80_columns(shown, results):
    names = "run, job, rank, node, bytes_sent, messages_sent, comm_time_ns, mpi_time_ns"
    text = shown("query", results, f"SELECT {names} FROM ranks LIMIT 3")  # noqa: S608 - ours
    assert LONG in text
    assert "Not shown for lack of room" in text or "mpi_time_ns" in text


@pytest.mark.parametrize("name", ["osu", "imb", "ldms", "netgauge", "table", "ariesncl", "cxi"])
def test_noise_at_80_columns(shown, repository, name):
    folder = repository / "tests" / "data" / "noise" / name
    text = shown("noise", folder)
    series = {row for row in noise.read(folder).frame["series"] if name in ("osu", "imb")}
    together = re.sub(r"\s+", "", text)
    assert all(re.sub(r"\s+", "", one) in together for one in series)
    rows = [line for line in text.splitlines() if re.search(r"\d  +\d", line)]
    assert rows
    assert all(len(line.rstrip()) <= 80 for line in rows)


def test_a_comparison_at_80_columns(shown, repository):
    folder = repository / "tests" / "data" / "noise"
    for name in ("osu", "netgauge"):
        text = shown("noise", folder / name, "--against", folder / name)
        assert "verdict" in text
    assert "ng_netnoise_mpi_lat" in text


def test_the_speed_set_at_80_columns(shown, monkeypatch):
    numbers = dict.fromkeys(
        ["packet_hops_per_s", "packet_hops_per_s_min", "packet_hops_per_s_max", "ns_per_hop",
         "cpu_ns_per_hop", "events_per_hop", "memory_bytes", "memory_bytes_per_node"], 12345678.0,
    )  # fmt: skip
    names = [case.name for case in speed.choose(None, quick=False)]
    monkeypatch.setattr(
        speed, "measure", lambda *_, **__: [{"case": n, "ratio": 3.5, **numbers} for n in names]
    )
    text = shown("bench")
    assert all(name in text for name in names)
    assert "ratio" in text


@pytest.mark.usefixtures("narrow")
def test_progress_is_one_line_that_stays_in_its_place(capsys, monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    with ProgressBar(quiet=False) as bar:
        bar.planned(3)
        for name in (LONG, LONG * 2):
            bar.started(name)
            bar.progress(name, 10**6, 1000, 0.5)
            bar._bars.refresh()
        bar.finished(LONG)
        bar.kept("earlier")
        bar.failed(LONG * 2, "no memory")
    told = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "\r", capsys.readouterr().err)
    lines = [line.rstrip() for line in told.split("\n")]
    shown = [part for line in lines for part in line.split("\r") if part.strip()]
    assert all(len(part) <= 80 for part in shown if "failed" not in part)
    assert any("0/3 runs" in part and LONG[:10] in part for part in shown)
    # What stays is the failure and what was kept; a run that has finished leaves no line.
    assert not any(part.startswith(f"1/3 {LONG}") for part in shown)
    assert "no memory" in told
    assert "1 run is kept from earlier" in told


def test_times_of_a_column_have_one_unit():
    table = Listing("T").labels("job").times("alone", "beside").numbers("share", form=".1%")
    table.row("a", 15_570.0, 1.2e6, 1e-16)
    table.row("b", 480.0, "unfinished", -1e-15)
    table.row("c", 1.137e-13, None, 0.25)
    text = on(80, table.print)
    assert "alone [us]" in text
    assert "beside [us]" in text
    rows = [line.split() for line in text.splitlines() if line.strip()[:1] in "abc"]
    assert ["a", "15.6", "1200", "0.0%"] in rows
    assert ["b", "0.480", "unfinished", "0.0%"] in rows
    assert ["c", "0", "25.0%"] in rows


def test_nothing_is_left_out_of_a_file(results):
    one = next(iter(load(results).runs.values()))
    text = on(0, lambda console: print_results(one, console))
    assert all(word in text for word in ("alone", "co-running", "p99", "overlap"))
    assert "Not shown" not in text


def test_intervals_have_the_unit_of_their_column():
    table = Listing().labels("job").times("time", "interval")
    table.row("a", 2e6, (1.5e6, 2.5e6))
    assert "1.50 to 2.50" in on(80, table.print)


@pytest.mark.parametrize(
    ("value", "text"),
    [(1.137e-13, "0 ns"), (-1.137e-13, "0 ns"), (-6.06e5, "-606 us"), (0.25, "0.25 ns")],
)
def test_dust_is_nothing(value, text):
    assert duration(value) == text


def test_numbers_have_no_exponent():
    assert [plain(one) for one in (1e-7, 9.996, 1e9, -12.345)] == [
        "0.000000100", "10.0", "1000000000", "-12.3",
    ]  # fmt: skip


@pytest.mark.parametrize("folder", ["osu", "imb", "netgauge", "ldms", "cassini", "table"])
def test_measured_files_at_80_columns(shown, folder, repository):
    place = repository / "tests" / "data" / "noise" / folder
    told = json.loads(shown("noise", place, "--json"))
    text = shown("noise", place)
    together = re.sub(r"\s+", "", text)
    known = {row["series"] for name in ("series", "given") for row in told[name]}
    assert all(re.sub(r"\s+", "", name) in together for name in known)
    assert "└" not in text


def test_noise_of_runs_at_80_columns(shown, results):
    text = shown("noise", results, "--series", LONG)
    together = re.sub(r"\s+", "", text)
    assert all(word in together for word in LABELS)
    assert "Not shown for lack of room" in text
