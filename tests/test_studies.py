"""Studies: rows are read and refused with a place, quantities are computed, runs made and kept."""

from __future__ import annotations

import csv
import itertools
import json
import math
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from odonata.campaign.executors.choice import Options
from odonata.campaign.executors.processes import Processes
from odonata.campaign.work import Serial
from odonata.cli import main
from odonata.core.native import ENGINE, MODEL
from odonata.studies import (
    AGREES,
    CANNOT,
    DIFFERS,
    FITTED,
    NOT_RUN,
    StudyIndex,
    pages,
    picture,
    verdicts,
)
from odonata.studies import claims as claims_module
from odonata.studies.records import Records
from odonata.studies.runs import StudyRuns
from odonata.studies.sources import Sources

HEADER = "id,claim,where,quantity,unit,relation,published,tolerance,assumed,fitted,cannot,reason"
SLOW = 'mean(""small"", ""ranks.comm_time_ns"", job=""halo"")'
ALONE = 'mean(""small"", ""ranks.comm_time_ns"", job=""halo"", alone=""halo"")'
ROWS = [
    'nodes,a,b,"topology(""dragonfly(2, 4, 2, 9)"", ""nodes"")",,value,72,,,,,',
    f'slow,a,b,"{SLOW} / {ALONE}",times,value,1.0,5%,,,,',
    f'slower,a,b,"{SLOW} / {ALONE}",times,at-least,2,,,,,as it is',
    f'chosen,a,b,"{SLOW} / {ALONE}",times,value,1.0,5%,,by looking,,',
    "never,a,b,,,,,,,,no trace,",
    "later,a,b,,,,,,,,,",
]


@pytest.fixture
def study(tmp_path, repository):
    """A study of one run and its baseline."""
    folder = tmp_path / "studies" / "demo" / "fig1"
    folder.mkdir(parents=True)
    text = (repository / "scenarios" / "small.toml").read_text("utf-8")
    (folder.parent / "small.toml").write_text(text, "utf-8")
    (folder / "expected.csv").write_text("\n".join([HEADER, *ROWS]) + "\n", "utf-8")
    return tmp_path / "studies"


def said(study, *words):
    """Exit code of a command about the study."""
    action, *rest = words
    return main(["study", action, *rest, "--studies", str(study)])


def found(study, capsys, *patterns):
    capsys.readouterr()
    assert said(study, "judge", *patterns, "--json") == 0
    return {one["id"]: one for one in json.loads(capsys.readouterr().out)["claims"]}


def test_a_study_is_run_and_judged_from_what_is_stored(study, capsys):
    before = found(study, capsys)
    assert {before[one]["verdict"] for one in ("slow", "slower", "chosen", "later")} == {NOT_RUN}
    assert said(study, "run", "--quiet", "--executor", "serial") == 0
    after = found(study, capsys)
    assert {name: one["verdict"] for name, one in after.items()} == {
        "nodes": AGREES, "slow": AGREES, "slower": DIFFERS, "chosen": FITTED, "never": CANNOT,
        "later": NOT_RUN,
    }  # fmt: skip
    assert after["slow"]["simulated"] == pytest.approx(0.9963, abs=1e-3)
    assert after["slower"]["reason"] == "as it is"
    assert after["slow"]["runs"] == ["small", "small, halo alone"]
    records = Records(study / "demo")
    assert {one.engine for one in records.runs.values()} == {f"{ENGINE}.model-{MODEL}"}
    assert {one.seed for one in records.runs.values()} == {7}
    with (study / "demo" / "verdicts.csv").open(encoding="utf-8") as file:
        assert [row["verdict"] for row in csv.DictReader(file)] == [
            one["verdict"] for one in after.values()
        ]


def test_a_run_is_shared_resumed_and_made_again_where_it_is_stale(study):
    index = StudyIndex(study)
    runs = StudyRuns(index, index.needing(["slow"]))
    assert len(runs.wanted) == 2
    assert {*next(iter(runs.wanted.values())).claims} == {"slow", "slower", "chosen"}
    assert said(study, "run", "slow", "--quiet", "--executor", "serial") == 0
    assert not StudyRuns(index, index.needing([])).wanted
    table = study / "demo" / "runs.csv"
    stored = table.read_text("utf-8")
    table.write_text(stored.replace(ENGINE, "0.0.1+other"), "utf-8")
    (one,) = verdicts.judge(index.chosen(["slow"]), Sources(index.studies["demo"].folder))
    assert one.verdict == AGREES
    assert not one.other_code
    assert not StudyRuns(index, index.needing([]), stale=True).wanted
    table.write_text(stored.replace(f".model-{MODEL}", f".model-{MODEL + 1}"), "utf-8")
    index = StudyIndex(study)
    (one,) = verdicts.judge(index.chosen(["slow"]), Sources(index.studies["demo"].folder))
    assert one.verdict == AGREES
    assert len(one.other_code) == 2
    assert not StudyRuns(index, index.needing([])).wanted
    assert len(StudyRuns(index, index.needing([]), stale=True).wanted) == 2


STORING = """
import sys
from pathlib import Path
from odonata.studies.records import Record, Records
name, about = sys.argv[2], {"scenario_hash": "a", "run_hash": "b", "engine": "0.2.0", "seed": 1,
                            "stop": "finished", "wall_s": 1.0, "cpu_s": 1.0, "packet_hops": 9}
records = Records(Path(sys.argv[1]))
for number in range(30):
    records.store(Record(run=f"{name} {number}", **about), {"x": float(number)})
"""


def test_a_run_that_lacks_a_number_gives_the_others_again(study, capsys):
    """Chosen claims read it, and only the last of them lacks a number: the others keep theirs."""
    path = study / "demo" / "fig1" / "expected.csv"
    assert said(study, "run", "slow", "--quiet", "--executor", "serial") == 0
    more = 'more,a,b,"max(""small"", ""ranks.comm_time_ns"", job=""halo"")",ns,at-least,1,,,,,'
    path.write_text("\n".join([HEADER, *ROWS, more]) + "\n", "utf-8")
    # As an earlier engine of the same model left it.
    runs = study / "demo" / "runs.csv"
    records = Records(study / "demo")
    for record in records.runs.values():
        runs.write_text(runs.read_text("utf-8").replace(record.run_hash, "0" * 16), "utf-8")
    assert said(study, "run", "--quiet", "--executor", "serial") == 0
    after = found(study, capsys, "slow", "more")
    assert [after[one]["verdict"] for one in ("slow", "more")] == [AGREES, AGREES]


def test_two_processes_may_store_runs_of_one_study(tmp_path):
    names = ("one", "other")
    both = [subprocess.Popen([sys.executable, "-c", STORING, tmp_path, name]) for name in names]
    assert [process.wait(timeout=120) for process in both] == [0, 0]
    after = Records(tmp_path)
    expected = {f"{name} {number}": {"x": float(number)} for name in names for number in range(30)}
    assert after.values == expected
    assert set(after.runs) == set(expected)
    assert {path.name for path in tmp_path.iterdir()} == {"runs.csv", "values.csv"}


def test_a_result_of_a_changed_scenario_judges_nothing(study, capsys):
    assert said(study, "run", "--quiet", "--executor", "serial") == 0
    scenario = study / "demo" / "small.toml"
    scenario.write_text(scenario.read_text("utf-8").replace("seed = 7", "seed = 8"), "utf-8")
    one = found(study, capsys)["slow"]
    assert one["verdict"] == NOT_RUN
    assert "changed" in one["reason"]


def test_a_run_of_a_changed_scenario_leaves_the_one_before(study, capsys):
    assert said(study, "run", "--quiet", "--executor", "serial") == 0
    before = found(study, capsys)["slow"]
    scenario = study / "demo" / "small.toml"
    text = scenario.read_text("utf-8")
    scenario.write_text(text.replace("seed = 7", "seed = 8"), "utf-8")
    assert said(study, "run", "--quiet", "--executor", "serial") == 0
    assert found(study, capsys)["slow"]["simulated"] != before["simulated"]
    # As another scenario file that a claim reads, which shared its run with this one.
    scenario.write_text(text, "utf-8")
    assert found(study, capsys)["slow"] == before


def test_one_run_under_two_names_is_made_and_stored_once(study, capsys):
    folder = study / "demo"
    (folder / "other.toml").write_text((folder / "small.toml").read_text("utf-8"), "utf-8")
    row = f'both,a,b,"{SLOW} - {SLOW.replace("small", "other")}",ns,value,0,,,,,'
    (folder / "fig1" / "expected.csv").write_text(f"{HEADER}\n{row}\n", "utf-8")
    assert said(study, "run", "--quiet", "--executor", "serial") == 0
    assert list(Records(folder).runs) == ["small"]
    assert found(study, capsys)["both"]["verdict"] == AGREES


def test_what_is_alone_beside_different_absent_jobs_is_made_once(study):
    """It is one simulation of several scenarios, and each of them has its numbers then."""
    folder = study / "demo"
    text = (folder / "small.toml").read_text("utf-8")
    changed = text.replace("ranks = 32, iterations = 2", "ranks = 32, iterations = 3")
    (folder / "other.toml").write_text(changed, "utf-8")
    other = ALONE.replace("small", "other")
    rows = [f'here,a,b,"{ALONE}",ns,at-least,1,,,,,', f'there,a,b,"{other}",ns,at-least,1,,,,,']
    (folder / "fig1" / "expected.csv").write_text("\n".join([HEADER, *rows]) + "\n", "utf-8")
    assert len(StudyRuns(StudyIndex(study), StudyIndex(study).needing([])).wanted) == 1
    assert said(study, "run", "--quiet", "--executor", "serial") == 0
    assert not StudyRuns(StudyIndex(study), StudyIndex(study).needing([])).wanted
    assert len(Records(folder).runs) == 2


def test_spans_of_iterations_are_a_table(study, capsys):
    folder = study / "demo" / "fig1"
    spans = 'max(""small"", ""spans.time_ns"", job=""halo"")'
    ranks = 'max(""small"", ""iterations.comm_time_ns"", job=""halo"")'
    (folder / "expected.csv").write_text(
        f'{HEADER}\nlonger,a,b,"{spans} - {ranks}",ns,sign,+,,,,,\n'
        'ranks,a,b,"value(""small"", ""spans.ranks"", job=""halo"", iteration=1)",,value,27,,,,,\n',
        "utf-8",
    )
    assert said(study, "run", "--quiet", "--executor", "serial") == 0
    assert {one["verdict"] for one in found(study, capsys).values()} == {AGREES}


def test_what_a_benchmark_counts_is_a_table(study, capsys):
    """A latency is half an iteration; a bandwidth, 16 messages over the time of one."""
    folder = study / "demo" / "fig1"
    for kind in ("latency", "bandwidth"):
        workload = f'{{ kind = "gpcnet-{kind}", ranks = 8, rings = 2, iterations = 2 }}'
        (folder.parent / f"{kind}.toml").write_text(
            f'schema = 1\nname = "{kind}"\n[system]\npreset = "dragonfly(2, 4, 2, 9)"\n'
            '[routing]\nalgorithm = "minimal"\n[[jobs]]\nname = "ring"\n'
            f"workload = {workload}\n",
            "utf-8",
        )
    counted = '""benchmark.value"", job=""ring"", rank=3, iteration=3'
    time = '""iterations.comm_time_ns"", job=""ring"", rank=3, iteration=3'
    rows = (
        f'bytes,a,b,"value(""bandwidth"", {counted}) * value(""bandwidth"", {time})",B,value,'
        '"16 * 131072 * 1e9",1e-9%,,,,\n',
        f'same,a,b,"value(""latency"", {counted}) * 2 - value(""latency"", {time})",,value,'
        "0,1e-6,,,,\n",
    )
    (folder / "expected.csv").write_text(f"{HEADER}\n{''.join(rows)}", "utf-8")
    assert said(study, "run", "--quiet", "--executor", "serial") == 0
    assert {name: one["verdict"] for name, one in found(study, capsys).items()} == {
        "bytes": AGREES, "same": AGREES,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "sentence"),
    [('kind = "benchmrk"', "Did you mean `benchmark`?"), ("kind =", "study.toml")],
)
def test_claims_about_benchmarks_are_counted_apart(study, capsys, text, sentence):
    folder = study / "other"
    folder.mkdir()
    (folder / "expected.csv").write_text(f"{HEADER}\nalone,a,b,1,,value,1,,,,,\n", "utf-8")
    (folder / "study.toml").write_text('kind = "benchmark"\n', "utf-8")
    assert said(study, "list") == 0
    told = capsys.readouterr().out
    assert "6 claims: 1 agrees" in told
    assert "1 claims about benchmarks: 1 agrees" in told
    assert said(study, "page") == 0
    page = (study / "README.md").read_text("utf-8")
    assert page.index("[demo]") < page.index("Claims about benchmarks") < page.index("[other]")
    (folder / "study.toml").write_text(text, "utf-8")
    assert said(study, "list") == 2
    assert sentence in capsys.readouterr().err


def test_traffic_of_others_on_the_routers_of_a_job_is_a_table(study, capsys):
    folder = study / "demo" / "fig1"
    both = 'sum(""small"", ""foreign.bytes"", job=""halo"")'
    others = 'sum(""small"", ""foreign.foreign_bytes"", job=""halo"")'
    (folder / "expected.csv").write_text(
        f'{HEADER}\nothers,a,b,"[{others}, {both} - {others}]",bytes,sign,+,,,,,\n', "utf-8"
    )
    assert said(study, "run", "--quiet", "--executor", "serial") == 0
    assert {one["verdict"] for one in found(study, capsys).values()} == {AGREES}


def test_a_budget_takes_the_cheapest_verdict_first(study):
    index = StudyIndex(study)
    runs = StudyRuns(index, index.needing([]))
    costs = iter((5.0, 1.0))
    for wanted in runs.wanted.values():
        wanted.cost_s = next(costs)
    assert runs.ordered(0.5) == []
    assert len(runs.ordered(6.0)) == 2


@pytest.mark.parametrize(("cost_s", "is_here"), [(1.0, True), (60.0, False), (math.nan, False)])
def test_long_runs_leave_no_core_idle_while_the_first_is_made(study, monkeypatch, cost_s, is_here):
    index = StudyIndex(study)
    runs = StudyRuns(index, index.needing([]))
    for wanted in runs.wanted.values():
        wanted.cost_s = cost_s
    begun = []
    monkeypatch.setattr(Serial, "one", lambda *_: not begun.append("here"))
    monkeypatch.setattr(Processes, "run", lambda *_: begun.append("processes"))
    runs.carry_out(runs.ordered(), options=Options(workers=2))
    assert begun == (["here", "here"] if is_here else ["processes"])


def test_a_dry_run_says_what_it_would_cost(study, capsys):
    assert said(study, "run", "--dry", "--json", "--quiet") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["missing"] == 2
    assert all(one["cost_s"] > 0 for one in told["planned"])
    assert told["made"] == []


def test_pages_and_lists_have_every_claim(study, capsys, tmp_path):
    assert said(study, "list") == 0
    assert "6 claims: 1 agrees" in capsys.readouterr().out
    assert said(study, "list", "demo/fig1") == 0
    assert said(study, "show", "slow", "never") == 0
    assert "no trace" in capsys.readouterr().out
    assert said(study, "run", "--quiet", "--executor", "serial") == 0
    assert said(study, "page", "--out", str(tmp_path / "out")) == 0
    page = (tmp_path / "out" / "demo" / "README.md").read_text("utf-8")
    assert all(f"`{name}`" in page for name in StudyIndex(study).claims)
    assert "verdicts.svg" in page
    assert "<svg" in (tmp_path / "out" / "demo" / "verdicts.svg").read_text("utf-8")


TABLE = """
[families]
time = "time"
ratio = "over alone"

[[table]]
name = "times"
title = "Times of ranks"
rows = [
    [{ job = "halo" }],
    [{ beside = "alone", more = ', alone="{job}"' }, { beside = "other", more = "" }],
]
columns = [
    { head = "beside", text = "{beside}" },
    { head = "ms", quantity = "[{time} / 1e6, {time} / 1e6]", form = "{:.3f} and {:.1e}" },
    { head = "plain", quantity = "1 + 1" },
]
[table.names]
time = 'mean("small", "ranks.comm_time_ns", job="{job}"{more})'

[[table]]
name = "kept"
file = "kept.csv"
rows = ["jobs.csv"]
columns = [
    { head = "job", text = "{job}" },
    { head = "time_ns", quantity = 'max("small", "ranks.comm_time_ns", job="{job}")' },
    { head = "low", quantity = 'median_low("small", "spans.time_ns", job="{job}")' },
    { head = "none", quantity = "{nothing}" },
]
names = { nothing = "" }
"""


def test_tables_are_shown_and_written_from_what_is_stored(study, capsys):
    folder = study / "demo"
    rows = [row.replace("slow,", "halo-time,").replace("slower,", "halo-ratio,") for row in ROWS]
    (folder / "fig1" / "expected.csv").write_text("\n".join([HEADER, *rows]) + "\n", "utf-8")
    (folder / "study.toml").write_text(TABLE, "utf-8")
    (folder / "jobs.csv").write_text("job\nhalo\n", "utf-8")
    (folder / "kept.csv").write_text("job,time_ns,low,none\nold,5,,\nhalo,1,,\n", "utf-8")
    assert said(study, "page") == 0
    page = (folder / "README.md").read_text("utf-8")
    assert "| alone | not run | 2 |" in page
    assert "halo,1,," in (folder / "kept.csv").read_text("utf-8")
    assert said(study, "run", "--dry", "--json", "--quiet", "demo") == 0
    planned = json.loads(capsys.readouterr().out.splitlines()[-1])["planned"]
    assert "demo/times/2" in [name for one in planned for name in one["claims"]]
    assert said(study, "run", "--quiet", "--executor", "serial", "demo/kept") == 0
    assert said(study, "page") == 0
    kept = [row.split(",") for row in (folder / "kept.csv").read_text("utf-8").split("\n")]
    assert kept[1] == ["old", "5", "", ""]
    assert kept[2][0] == "halo"
    assert float(kept[2][1]) > 1000
    assert kept[2][2:] == ["", ""], "two iterations are too few for an interval"
    assert said(study, "run", "--quiet", "--executor", "serial") == 0
    capsys.readouterr()
    assert said(study, "page") == 0
    page = (folder / "README.md").read_text("utf-8")
    assert re.search(r"\| other \| [\d.]+ and [\d.]+e[-+]\d+ \| 2 \|", page)
    assert "| claims | time (`-time`): value 1 ± 5% | over alone (`-ratio`): at-least 2 |" in page
    assert re.search(r"\| `halo` \| [\d.]+ agrees \| [\d.]+ differs \[1\] \|\n", page)
    assert "\n| 1 | as it is |\n" in page
    assert "| `chosen` |" in page


def test_a_page_that_somebody_writes_keeps_its_text(study, capsys):
    page = study / "demo" / "mine.md"
    (study / "demo" / "study.toml").write_text('page = "mine.md"\n', "utf-8")
    page.write_text("# Mine\n\nHands off.\n", "utf-8")
    assert said(study, "page") == 2
    assert "put the lines `<!-- study: claims -->`" in capsys.readouterr().err
    page.write_text("# Mine\n\n<!-- study: claims -->\n", "utf-8")
    assert said(study, "page") == 2
    assert "has no `<!-- /study: claims -->`" in capsys.readouterr().err
    page.write_text("# Mine\n\n<!-- study: claims -->\n<!-- /study: claims -->\n\nEnd.\n", "utf-8")
    for _ in range(2):
        assert said(study, "page") == 0
        found = page.read_text("utf-8")
        assert found.startswith("# Mine\n\n<!-- study: claims -->\n\n| study |")
        assert found.endswith("<!-- /study: claims -->\n\nEnd.\n")
        assert found.count("`slow`") == 1
    (study / "demo" / "README.md").write_text(f"# demo\n\n{pages._GENERATED}\n", "utf-8")
    (study / "demo" / "study.toml").write_text("", "utf-8")
    assert said(study, "page") == 0, "a page of an earlier release is written anew"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("pages = 1", "there is no key `pages`. Did you mean `page`?"),
        ("families = 1", "names have texts or numbers"),
        ("[[table]]\nname = 'a b'", "`name` is letters"),
        ("[[table]]\nname = 'a'", "columns: give a list"),
        ("[[table]]\nname = 'a'\ncolumns = [{ head = 'x' }]", "a `text` or a `quantity`"),
        ("[[table]]\nname = 'a'\ncolumns = [{ head = 'x', text = '' }]\nrows = ['no.csv']",
         "no.csv"),
        ("[[table]]\nname = 'a'\ncolumns = [{ head = 'x', text = '{y}' }]\nnames = { x = 1 }",
         "there is no name `y`. Valid: x."),
        ("[[table]]\nname = 'a'\ncolumns = [{ head = 'x', text = '{y}' }]\nnames = { y = '{y}' }",
         "names stand in each other"),
        ("[[table]]\nname = 'a'\ncolumns = [{ head = 'x', quantity = '1', form = '{}{}' }]",
         "does not fit 1 numbers"),
        ("[[table]]\nname = 'a'\nfile = 'a.csv'\ncolumns = [{ head = 'x', quantity = '[1, 2]' }]",
         "one number in a cell"),
        ("[[table]]\nname = 'a'\ncolumns = [{ head = 'x', quantity = 'mean()' }]",
         "a list of numbers is needed"),
    ],
)  # fmt: skip
def test_a_bad_table_is_refused(study, capsys, text, sentence):
    (study / "demo" / "study.toml").write_text(text, "utf-8")
    assert said(study, "page") == 2
    assert sentence in capsys.readouterr().err


def test_columns_of_files_are_lists(study, capsys):
    folder = study / "demo" / "fig1"
    (folder / "a.csv").write_text("x,y,g\n1,2,0\n2,4,0\n4,8,0\n1,,1\n", "utf-8")
    x, y = (f'each(""a.csv"", ""{name}"", g=0)' for name in "xy")
    rows = [
        f'fits,a,b,"r_squared({x}, {y} - 1)",,value,1,,,,,',
        f'all,a,b,"{y}",,value,"[2, 4, 8]",,,,,',
        'none,a,b,"total(""a.csv"", ""y"", g=9)",,value,0,,,,,',
        'half,a,b,"half_width([1, 2, 3])",,value,2.484,0.001,,,,',
        'runs,a,b,"each(""small"", ""ranks.comm_time_ns"")",,value,1,,,,,',
    ]  # fmt: skip
    (folder / "expected.csv").write_text("\n".join([HEADER, *rows[:-1]]) + "\n", "utf-8")
    assert {one["verdict"] for one in found(study, capsys).values()} == {AGREES}
    (folder / "expected.csv").write_text("\n".join([HEADER, rows[-1]]) + "\n", "utf-8")
    assert said(study, "judge") == 2
    assert "`each` reads files" in capsys.readouterr().err


def test_what_counters_count_in_an_iteration_is_a_table(study, capsys):
    with (study / "demo" / "small.toml").open("a", encoding="utf-8") as file:
        file.write('\n[telemetry]\ncounters = true\ncounter_interval = "1 us"\n')
    of = 'job=""halo"", counter=""INQ_PRF_INCOMING_FLIT_TOT"")'
    total, largest = (f'sum(""small"", ""counted.{name}"", {of}' for name in ("total", "largest"))
    row = f'counted,a,b,"[{total} - {largest}, {largest}]",flits,sign,+,,,,,'
    (study / "demo" / "fig1" / "expected.csv").write_text(f"{HEADER}\n{row}\n", "utf-8")
    assert said(study, "run", "--quiet", "--executor", "serial") == 0
    assert {one["verdict"] for one in found(study, capsys).values()} == {AGREES}


def test_a_measured_file_is_judged(study, capsys):
    folder = study / "demo" / "fig1"
    (folder / "mine.csv").write_text("size,time_us\n8,18.1\n8,18.9\n1024,40.0\n", "utf-8")
    row = f'mine,a,b,"{SLOW} / 1e3",us,value,"mean(""mine.csv"", ""time_us"", size=8)",5%,,,,'
    (folder / "expected.csv").write_text(f"{HEADER}\n{row}\n", "utf-8")
    assert said(study, "run", "--quiet", "--executor", "serial") == 0
    one = found(study, capsys)["mine"]
    assert one["published"] == pytest.approx(18.5)
    assert one["verdict"] == AGREES


OSU = """# OSU MPI Allreduce Latency Test v7.4
# Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations
8                      18.50              4.61             25.83        1000
"""


def test_a_log_of_a_benchmark_is_judged(study, capsys):
    folder = study / "demo" / "fig1"
    (folder / "osu.txt").write_text(OSU, "utf-8")
    published = 'value(""osu.txt"", ""value"", bytes=8, statistic=""mean"") / 1e3'
    row = f'mine,a,b,"{SLOW} / 1e3",us,value,"{published}",5%,,,,'
    (folder / "expected.csv").write_text(f"{HEADER}\n{row}\n", "utf-8")
    assert said(study, "run", "--quiet", "--executor", "serial") == 0
    one = found(study, capsys)["mine"]
    assert one["published"] == pytest.approx(18.5)
    assert one["verdict"] == AGREES


@pytest.mark.parametrize(
    ("unit", "published", "expected"),
    [("us", 18.5, 0), ("ns", 18_500.0, 0), ("ms", 0.0185, 0), ("GB/s", None, 2), ("", 18_500.0, 0)],
)
def test_a_number_of_a_file_is_in_the_unit_of_its_claim(study, capsys, unit, published, expected):
    folder = study / "demo" / "fig1"
    (folder / "osu.txt").write_text(OSU, "utf-8")
    reading = 'value(""osu.txt"", ""value"", bytes=8, statistic=""mean"")'
    rows = [f'mine,a,b,"{reading}",{unit},value,"{reading}",0,,,,',
            f'list,a,b,"[{reading}]",{unit},value,"[{reading}]",0,,,,',
            f'computed,a,b,"{reading} / 1e3",us,value,18.5,0,,,,']  # fmt: skip
    (folder / "expected.csv").write_text("\n".join([HEADER, *rows]) + "\n", "utf-8")
    if expected:
        assert said(study, "judge") == expected
        assert "is in ns, and the unit of the claim is `GB/s`" in capsys.readouterr().err
        return
    judged = found(study, capsys)
    assert judged["mine"]["published"] == pytest.approx(published)
    assert judged["list"]["published"] == [pytest.approx(published)]
    assert {one["verdict"] for one in judged.values()} == {AGREES}


def test_rows_of_different_units_are_not_put_together(study, capsys):
    folder = study / "demo" / "fig1"
    (folder / "osu.txt").write_text(OSU, "utf-8")
    row = 'mine,a,b,"max(""osu.txt"", ""value"", bytes=8)",us,value,1,0,,,,'
    (folder / "expected.csv").write_text(f"{HEADER}\n{row}\n", "utf-8")
    assert said(study, "judge") == 2
    assert "have the units count, ns" in capsys.readouterr().err


BAD = [
    ('x,a,b,"meen(""small"", ""ranks.comm_time_ns"")",,value,1,,,,,', "Did you mean `mean`?"),
    ('x,a,b,"mean(""smal"", ""ranks.comm_time_ns"")",,value,1,,,,,', "Did you mean `small`?"),
    ('x,a,b,"mean(""small"", ""r.t"", alone=""hallo"")",,value,1,,,,,', "Did you mean `halo`?"),
    ("x,a,b,1,,valeu,1,,,,,", "Did you mean `value`?"),
    ("x,a,b,1,,value,,,,,,", "published: `value` needs a number"),
    ("x,a,b,1,,value,1,ten,,,,", "`ten` is not a tolerance"),
    ("x,a,b,1 +,,value,1,,,,,", "is not an expression"),
    ("x,a,b,1 / 0,,value,1,,,,,", "has no value"),
    ("x,a,b,().__class__,,value,1,,,,,", "is not allowed"),
    ("x,a,b,open(1),,value,1,,,,,", "there is no function `open`"),
    ("x,a,b,[1 for _ in x],,value,1,,,,,", "is not allowed"),
    ("x,a,b,one,,value,1,,,,,", "`one` is not known"),
    ('x,a,b,"topology(""dragonfly(2, 4, 2, 9)"", ""nods"")",,value,1,,,,,', "Did you mean `nodes`"),
    ('x,a,b,"topology(""kang2022-1065"", ""nodes"")",,value,1,,,,,', "`kang2022-1056`"),
    ('x,a,b,"mean(""mine.csv"", ""a"")",,value,1,,,,,', "there is no file `mine.csv`"),
    (
        'x,a,b,"mean(""mine.csv"", ""a"")",,value,1,,,,,',
        "`odonata study run demo/TABLE`, then `odonata study page`, write one",
    ),
    ("x,a,b,9e999,,value,1,,,,,", "not a finite number"),
    ("x,a,b", "has 3 cells and the header 12"),
    (",a,b,,,,,,,,,", "`id` is empty"),
    ("x,a,b,,,,,,,,,\nx,a,b,,,,,,,,,", "already used in"),
]


@pytest.mark.parametrize(("row", "sentence"), BAD)
def test_a_bad_row_is_refused_at_its_place(study, capsys, row, sentence):
    (study / "demo" / "fig1" / "expected.csv").write_text(f"{HEADER}\n{row}\n", "utf-8")
    assert said(study, "judge") == 2
    told = capsys.readouterr().err
    assert sentence in told
    assert "expected.csv" in told


def test_bad_words_and_tables_are_refused(study, capsys, tmp_path):
    assert said(study, "show", "slowr") == 2
    assert "Did you mean `slower`?" in capsys.readouterr().err
    assert said(tmp_path / "none", "list") == 2
    assert said(study, "run", "--budget", "soon") == 2
    expected = study / "demo" / "fig1" / "expected.csv"
    text = expected.read_text("utf-8")
    expected.write_text(text.replace("quantity", "quantty", 1), "utf-8")
    assert said(study, "list") == 2
    assert "Did you mean `quantity`?" in capsys.readouterr().err
    expected.write_text(text, "utf-8")
    (study / "demo" / "runs.csv").write_text("nonsense\n", "utf-8")
    assert said(study, "list") == 2
    assert "runs.csv" in capsys.readouterr().err


def test_a_column_that_is_not_there_is_named_after_the_run(study, capsys):
    row = 'x,a,b,"mean(""small"", ""ranks.comm_tim_ns"", job=""halo"")",,value,1,,,,,'
    (study / "demo" / "fig1" / "expected.csv").write_text(f"{HEADER}\n{row}\n", "utf-8")
    assert said(study, "run", "--quiet", "--executor", "serial") == 2
    assert "Did you mean `comm_time_ns`?" in capsys.readouterr().out


@pytest.mark.parametrize(("low", "high"), [(0.8, 1.25), (0.1, 3.0), (0.05, 40.0)])
def test_labels_of_the_picture_do_not_overlap(low, high):
    ticks = picture.ticks(low, high)
    assert 1.0 in ticks
    share = [math.log(b / a) / math.log(high / low) for a, b in itertools.pairwise(ticks)]
    assert len(ticks) >= 3
    assert min(share) > 0.06


IDS = {"desensi2019": 78, "groves2017": 32, "kang2022": 91, "mubarak2019": 52, "wang2018": 70}
BENCHMARKS = {"gpcnet": 61}
MACHINES = {"frontier": 5, "machines2024": 147}
OTHERS = {"adaptive": 41, "bine2025": 43, "kang2021": 39}
QUESTIONS = {"controllers": 50, "serving": 8, "spraying": 260}


@pytest.fixture(scope="module")
def index(repository):
    return StudyIndex(repository / "studies")


def test_the_ledger_has_every_claim(index):
    kinds = {
        "paper": IDS, "other-paper": OTHERS, "benchmark": BENCHMARKS, "machine": MACHINES,
        "question": QUESTIONS,
    }  # fmt: skip
    for kind, expected in kinds.items():
        found = index.of_kind(kind).items()
        assert {name: len(study.claims) for name, study in found} == expected
    assert len(index.claims) == sum(sum(expected.values()) for expected in kinds.values())


def test_stored_results_give_the_stored_verdicts_tables_and_pages(repository, tmp_path):
    for name in ("studies", "scenarios", "docs/studies"):
        shutil.copytree(repository / name, tmp_path / name, ignore=shutil.ignore_patterns("scan"))
    for action in ("judge", "page"):
        assert said(tmp_path / "studies", action) == 0
    for folder in ("studies", "docs/studies"):
        for path in (tmp_path / folder).rglob("*"):
            there = repository / path.relative_to(tmp_path)
            same = path.is_dir() or path.read_bytes() == there.read_bytes()
            assert same, f"{there} is not what `odonata study judge` and `page` write"
    for path in (tmp_path / "docs" / "studies").glob("[a-z]*.md"):
        tables, _, _ = path.read_text("utf-8").partition("<!-- study: claims -->")
        assert "| not run |" not in tables, f"{path.name}: a run of a table is missing"


def test_tables_of_the_repository_that_are_files_can_be_run(index):
    """Every row names runs that its scenarios have."""
    rows = [one for one in index.readers.values() if one.id.startswith("desensi")]
    named = index.needing(["desensi2019/results", "desensi2019/counters"])
    assert named == [one for one in rows if one.where in ("results", "counters")]
    runs = StudyRuns(index, named, again=True)
    assert len(runs.wanted) == 2 * 38 + 12
    assert not StudyRuns(index, index.needing(["desensi2019"])).wanted


def test_claims_of_the_repository_can_be_judged_or_say_why_not(index):
    for claim in index.claims.values():
        asked = verdicts.checked(claim)
        assert not (claim.cannot and asked), claim.place
        assert bool(claim.relation) == bool(claim.quantity), claim.place


def test_a_stored_run_is_repeated(index, tmp_path, repository):
    """The cheapest stored run of the repository still gives the stored numbers, to the last bit."""
    stored = Records(repository / "studies" / "mubarak2019")
    label = "shares/monitor=static"
    copied = tmp_path / "studies"
    folder = copied / "mubarak2019" / "sec6"
    folder.mkdir(parents=True)
    source = repository / "studies" / "mubarak2019"
    (folder / "shares.toml").write_bytes((source / "shares.toml").read_bytes())
    rows = [index.claims["mubarak-sec6-shares"]]
    with (folder / "expected.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(claims_module.COLUMNS)
        writer.writerows([getattr(one, name) for name in claims_module.COLUMNS] for one in rows)
    assert said(copied, "run", "--quiet", "--executor", "serial") == 0
    again = Records(copied / "mubarak2019")
    assert again.values[f"sec6/{label}"] == stored.values[label]
    assert Path(again.runs[f"sec6/{label}"].run)
