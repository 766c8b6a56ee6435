"""`odonata noise` as a user has it: tables, JSON, pictures, and what it refuses."""

from __future__ import annotations

import json

import polars as pl
import pytest
from rich.console import Console

import odonata as package
from odonata import noise
from odonata.cli.noise import FORMATS
from odonata.cli.noise_tables import print_moved
from odonata.results import Result


@pytest.fixture(scope="module")
def examples(repository):
    return repository / "tests" / "data" / "noise"


@pytest.fixture(scope="module")
def small(tmp_path_factory, scenarios):
    """A victim with many iterations beside another job, and alone; three seeds."""
    folder = tmp_path_factory.mktemp("noise") / "small"
    scenario = package.Scenario.read(
        scenarios / "small.toml",
        overrides=["jobs.0.workload.iterations=12", "sweep.seed=[1, 2, 3, 4, 5]"],
    )
    return package.run(scenario, out=folder)


def one_object(done):
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_names_of_formats_are_those_of_the_readers():
    assert tuple(one.name for one in noise.FORMATS) == FORMATS


def test_tables_on_the_screen(odonata, examples):
    done = odonata("noise", examples / "netgauge", examples / "table" / "alternated.csv")
    assert done.returncode == 0, done.stderr
    for words in ("QCD", "max/median", "adaptive-3", "lower", "Host noise of", "too few",
                  "slowest more often"):  # fmt: skip
        assert words in done.stdout, words


def test_json_has_every_number(odonata, examples):
    found = one_object(odonata("noise", examples, "--json"))
    assert found["skipped"] == []
    assert len(found["sources"]) > 20
    assert {one["counter"] for one in found["counters"]} >= {"INQ_PRF_ROWBUS_STALL_CNT"}
    assert found["alternated"][0]["verdict"] == "lower"
    assert [round(one["impact_p99"], 1) for one in found["impact"]] == [4.0, 2.0, 5.0]
    assert found["compared"] is None


def test_against_compares_series_of_the_same_name(odonata, examples, tmp_path):
    given = pl.read_csv(examples / "table" / "alternated.csv")
    given.with_columns(pl.col("value") * 2).write_csv(tmp_path / "slow.csv")
    done = odonata("noise", tmp_path / "slow.csv", "--against", examples / "table", "--json")
    for row in one_object(done)["compared"]:
        assert row["median_ratio"] == pytest.approx(2.0)
        assert row["median_ratio_low"] is None, "it drifts over the whole series"
        assert row["verdict"] is None
    for name, factor in (("one", 1), ("two", 2)):
        mixed = given.drop("iteration").with_columns(pl.col("value") * factor)
        mixed.write_csv(tmp_path / f"{name}.csv")
    done = odonata("noise", tmp_path / "two.csv", "--against", tmp_path / "one.csv", "--json")
    for row in one_object(done)["compared"]:
        assert row["median_ratio_low"] < 2.0 < row["median_ratio_high"]
        assert row["verdict"] == "higher"


def test_pictures_of_both_worlds(odonata, examples, small, tmp_path):
    measured = one_object(odonata("noise", examples / "netgauge", "--plot", tmp_path / "m",
                                  "--json"))  # fmt: skip
    run = small.directory / "runs" / "seed=1"
    simulated = one_object(odonata("noise", run, "--plot", tmp_path / "s", "--json"))
    names = {path.rpartition("/")[2] for path in measured["pictures"]}
    assert {"boxes-latency.png", "cumulative-latency.png", "slowest-ring-4-16.png"} <= names
    names = {path.rpartition("/")[2] for path in simulated["pictures"]}
    assert {"boxes-comm-time.png", "cumulative-comm-time.png"} <= names
    assert any(name.startswith("slowest-halo") for name in names)
    for path in (tmp_path / "m").iterdir():
        assert path.read_bytes().startswith(b"\x89PNG"), path


def test_simulated_iterations_take_the_form(small):
    run = next(iter(small.runs.values()))
    frame = noise.form_of(run)
    assert dict(frame.schema) == dict(noise.SCHEMA)
    times = frame.filter(
        (pl.col("quantity") == "comm_time") & (pl.col("series") == "halo")
        & (pl.col("condition") == "beside")
    )  # fmt: skip
    table = run.table("iterations").filter(pl.col("job") == "halo")
    assert times["value"].to_list() == table["comm_time_ns"].to_list()
    assert times["iteration"].max() == 11
    alone = frame.filter((pl.col("condition") == "alone") & (pl.col("quantity") == "comm_time"))
    assert len(alone) == len(times)
    assert frame.filter(pl.col("quantity") == "slowdown")["value"].item() == pytest.approx(
        run.jobs["halo"].slowdown
    )


def test_sampled_counters_of_a_run_become_rates():
    table = pl.DataFrame({"router": [0, 0], "port": [3, 3], "counter": ["flits"] * 2,
                          "time_ns": [0.0, 1000.0], "value": [0, 500]})  # fmt: skip
    run = Result({"name": "a", "jobs": [], "simulated_ns": 1000.0}, frames={"counters": table})
    found = noise.rates(noise.form_of(run)).frame.row(0, named=True)
    assert (found["place"], found["rate_per_s"]) == ("router 0 port 3", 5e8)
    assert noise.findings(noise.form_of(run)).moved.is_empty(), "those of measurements are told"


def test_slowdowns_over_seeds_are_printed(odonata, small):
    done = odonata("noise", small.directory, "--json", "--series", "halo")
    (row,) = one_object(done)["slowdowns"]
    assert (row["job"], row["seeds"]) == ("halo", 5)
    assert row["slowdown_low"] <= row["slowdown"] <= row["slowdown_high"]
    shown = odonata("noise", small.directory, "--series", "halo").stdout
    assert "Slowdown over seeds" in shown


def test_slowdowns_over_seeds_have_an_interval(small):
    row = noise.slowdowns(small).row(0, named=True)
    expected = [run.jobs["halo"].slowdown for run in small.runs.values()]
    assert (row["job"], row["seeds"]) == ("halo", 5)
    logs = pl.Series(expected).log()
    half = 2.7764 * logs.std() / 5**0.5  # Student's t, 4 degrees of freedom
    assert row["slowdown_low"] == pytest.approx(2.718281828 ** (logs.mean() - half), rel=1e-5)
    assert row["slowdown_high"] == pytest.approx(2.718281828 ** (logs.mean() + half), rel=1e-5)
    with pytest.raises(package.Error, match="`seed` is no key"):
        noise.slowdowns(package.Sweep(index=pl.DataFrame({"run": ["a"]}), runs={}))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nothing.out"], "no such file"),
        (["prose.txt"], "format is not known"),
        (["alternated.csv", "--series", "allreduse"], "Did you mean `allreduce`"),
        (["alternated.csv", "--format", "osuu"], "Did you mean `osu`"),
        (["alternated.csv", "--format", "osu"], "no OSU test"),
        (["alternated.csv", "--against", "prose.txt"], "format is not known"),
        (["alternated.csv", "--seed", "-1"], "is not a whole number"),
    ],
)
def test_what_is_wrong_is_answered_with_a_sentence(odonata, examples, tmp_path, arguments, words):
    (tmp_path / "prose.txt").write_text("It was a dark and stormy night.\n")
    (tmp_path / "alternated.csv").write_bytes((examples / "table/alternated.csv").read_bytes())
    done = odonata("noise", *arguments)
    assert done.returncode == 2
    assert words in done.stderr
    assert "Traceback" not in done.stderr


def test_the_commands_of_the_page_work(odonata, repository):
    page = (repository / "docs" / "noise.md").read_text("utf-8")
    commands = [line.partition("#")[0].split()[1:] for line in page.splitlines()
                if line.startswith("odonata noise tests/")]  # fmt: skip
    assert len(commands) >= 4
    for command in commands:
        done = odonata(*command, cwd=repository)
        assert done.returncode == 0, (command, done.stderr)


def test_the_python_of_the_page_works(repository, monkeypatch, capsys):
    page = (repository / "docs" / "noise.md").read_text("utf-8")
    monkeypatch.chdir(repository)
    exec(page.partition("```python\n")[2].partition("```")[0], {})  # noqa: S102 - our own page
    assert "ng_netnoise_mpi_lat" in capsys.readouterr().out


def test_counters_alone_are_printed(odonata, examples):
    found = one_object(odonata("noise", examples / "ldms", "--json"))
    moved = {(row["quantity"], row["place"]): row for row in found["moved"]}
    stall = moved["INQ_PRF_ROWBUS_STALL_CNT", "nid00012 tile 0,0"]
    assert (stall["delta"], stall["windows"], stall["last"]) == (16190.0, 5, 20630.0)
    assert stall["rate_per_s"] == pytest.approx(323.8)
    # Someone has set this one back: the window in which it fell is left out.
    assert moved["INQ_PRF_ROWBUS_STALL_CNT", "nid00013 tile 0,0"]["windows"] == 4
    (rate,) = found["stated"]
    assert (rate["quantity"], rate["places"]) == ("load.rate", 2)
    assert rate["minimum"] <= rate["mean"] <= rate["maximum"]
    shown = odonata("noise", examples / "ldms").stdout
    for words in ("Counters by node", "increased at", "nid00012 tile 0,0", "16190"):
        assert words in shown, words
    assert "no noise can be computed" not in shown


def test_counters_that_were_read_once_say_so(odonata, examples):
    shown = odonata("noise", examples / "cassini").stdout
    assert "single reading" in shown
    assert "hni_tx_paused_0" in shown


def test_a_counter_is_not_said_to_have_moved_at_all_places_where_a_table_has_no_others(capsys):
    counted = noise.table(source="a", world="measured", series="NIC", unit="count",
                          quantity=["flits", "flits", "stalls", "stalls"], statistic="delta",
                          place=["NIC 0", "NIC 1", "NIC 0", "NIC 1"],
                          value=[5.0, 6.0, 7.0, 0.0])  # fmt: skip
    print_moved(noise.findings(counted).moved, Console(width=120))
    lines = [line.split() for line in capsys.readouterr().out.splitlines() if "(NIC)" in line]
    flits, stalls = lines
    assert (flits[3], stalls[3:6]) == ("2", ["1", "of", "2"])


def test_counts_without_a_time_have_no_rate():
    counted = noise.table(source="a", world="measured", series="links", quantity=["flits"] * 3,
                          unit="count", statistic="delta", place=["a", "b", "b"],
                          value=[5.0, 6.0, 7.0])  # fmt: skip
    rows = noise.findings(counted).moved.rows(named=True)
    assert [(row["place"], row["delta"], row["rate_per_s"]) for row in rows] == [
        ("a", 5.0, None), ("b", 13.0, None)
    ]  # fmt: skip
