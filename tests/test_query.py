"""One query over all tables of a folder of results, and sweeps as sequences of runs."""

from __future__ import annotations

import json

import polars as pl
import pytest

import odonata as package
from odonata import RunError
from odonata.results import queries


@pytest.fixture(scope="module")
def sweep(tmp_path_factory, scenarios):
    folder = tmp_path_factory.mktemp("query") / "small"
    scenario = package.Scenario.read(
        scenarios / "small.toml", overrides=['sweep."routing.algorithm"=["minimal", "par"]']
    )
    return package.run(scenario, out=folder)


def test_a_sweep_is_a_sequence_of_its_runs(sweep):
    names = list(sweep.runs)
    assert len(sweep) == 2
    assert [run.summary["name"] for run in sweep] == [sweep[n].summary["name"] for n in names]
    assert sweep[0].directory == sweep[names[0]].directory == sweep[-2].directory
    assert sweep.keys == ["routing.algorithm"]
    for wrong in (2, -3):
        with pytest.raises(IndexError, match="the sweep has 2"):
            sweep[wrong]
    with pytest.raises(RunError, match=f"Did you mean `{names[0]}`"):
        sweep[names[0][:-1]]


def test_a_table_of_all_runs_has_the_swept_keys(sweep):
    ranks = sweep.table("ranks")
    assert ranks.columns[:2] == ["run", "routing.algorithm"]
    assert len(ranks) == sum(len(run.table("ranks")) for run in sweep)
    one = ranks.filter(pl.col("routing.algorithm") == "par").drop("run", "routing.algorithm")
    assert one.equals(sweep[1].table("ranks"))
    with pytest.raises(RunError, match="Did you mean `ranks`"):
        sweep.table("rank")


@pytest.fixture(scope="module")
def packed(tmp_path_factory, scenarios):
    folder = tmp_path_factory.mktemp("packed") / "small"
    scenario = package.Scenario.read(
        scenarios / "small.toml", overrides=['sweep."routing.algorithm"=["minimal", "par"]']
    )
    return package.run(scenario, out=folder, layout="packed")


def test_both_layouts_are_read_as_the_same_tables(sweep, packed):
    assert len(packed.runs.packs.packed)
    folders, parts = (queries.catalogue(one.directory) for one in (sweep, packed))
    assert folders.keys() == parts.keys()
    for name in folders.keys() - {"index"}:
        one, other = (found[name].collect() for found in (folders, parts))
        assert one.columns == other.columns
        assert one.equals(other), name
    for name in ("ranks", "jobs"):
        assert sweep.table(name).equals(packed.table(name))
        assert sweep[0].scan(name).collect().equals(packed[0].scan(name).collect())
    with pytest.raises(RunError, match="Did you mean `ranks`"):
        sweep[0].scan("rank")


def test_a_packed_run_alone_has_all_its_tables(sweep, packed):
    name = next(iter(sweep.runs))
    one, other = (queries.catalogue(each.directory / "runs" / name) for each in (sweep, packed))
    assert one.keys() == other.keys()
    assert all(one[table].collect().equals(other[table].collect()) for table in one)


def test_a_query_sees_all_runs_and_isolated_ones_apart(sweep):
    answer = package.query(
        sweep.directory,
        'SELECT "routing.algorithm" AS routing, job, avg(comm_time_ns) AS mean, count(*) AS n '
        'FROM ranks GROUP BY "routing.algorithm", job ORDER BY routing, job',
    )
    assert answer.select("routing", "job", "n").rows() == [
        ("minimal", "halo", 27), ("minimal", "reduce", 32), ("par", "halo", 27),
        ("par", "reduce", 32),
    ]  # fmt: skip
    for row in answer.iter_rows(named=True):
        run = next(r for r in sweep if r.scenario["routing"]["algorithm"] == row["routing"])
        assert row["mean"] == pytest.approx(run.jobs[row["job"]].comm_time_ns)
    alone = package.query(sweep.directory, "SELECT DISTINCT victim, job FROM alone_ranks")
    assert alone.rows() == [("halo", "halo")]


def test_tables_can_be_joined(sweep):
    answer = package.query(
        sweep.directory,
        "SELECT a.run, a.rank, a.comm_time_ns / b.comm_time_ns AS slowdown FROM ranks a "
        "JOIN alone_ranks b ON a.run = b.run AND a.rank = b.rank AND a.job = b.job",
    )
    assert len(answer) == 54
    assert answer["slowdown"].min() > 0.5


def test_the_catalogue_names_tables_and_columns(sweep):
    found = queries.catalogue(sweep.directory)
    assert {"index", "ranks", "alone_ranks", "links", "jobs"} <= set(found)
    single = queries.catalogue(sweep[0].directory)
    assert single["ranks"].collect_schema().names()[0] == "run"
    assert "index" not in single


def test_the_command_line(odonata, sweep, tmp_path):
    listing = odonata("query", sweep.directory)
    assert "ranks: run, routing.algorithm, job, rank" in listing.stdout
    sql = "SELECT job, max(rank) AS last FROM ranks GROUP BY job ORDER BY job"
    done = odonata("query", sweep.directory, sql, "--out", tmp_path / "a.csv", "--json")
    assert json.loads(done.stdout)["rows"] == [
        {"job": "halo", "last": 26}, {"job": "reduce", "last": 31}
    ]  # fmt: skip
    assert pl.read_csv(tmp_path / "a.csv")["last"].to_list() == [26, 31]
    assert "2 rows" in odonata("query", sweep.directory, sql).stdout


@pytest.mark.parametrize(
    ("sql", "words"),
    [
        ("SELECT * FROM rank", "Did you mean `ranks`"),
        ("SELECT colour FROM ranks", "colour"),
        ("SELEKT", "Tables: "),
        ("", "Tables: "),
        ("DROP TABLE ranks", "query of"),
    ],
)
def test_what_is_wrong_is_answered_with_a_sentence(odonata, sweep, sql, words):
    done = odonata("query", sweep.directory, sql)
    if sql.startswith("DROP"):  # of what was read, not of the files
        assert (sweep[0].directory / "ranks.parquet").is_file()
        return
    assert done.returncode == 2, done.stdout
    assert words in done.stderr
    assert "Traceback" not in done.stderr


def test_damaged_and_missing_results_are_refused(sweep, tmp_path):
    import shutil  # noqa: PLC0415 - here only

    with pytest.raises(RunError, match="holds no results"):
        package.query(tmp_path, "SELECT 1")
    copy = tmp_path / "copy"
    shutil.copytree(sweep[0].directory, copy)
    (copy / "ranks.parquet").write_bytes(b"PAR1 nothing")
    with pytest.raises(RunError, match="query of"):
        package.query(copy, "SELECT * FROM ranks")
