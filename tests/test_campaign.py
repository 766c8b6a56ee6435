"""Campaigns: who carries tasks out does not matter, nothing runs twice, failures stop nobody."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import logging
import os
import random
import signal
import subprocess
import sys
import time
from multiprocessing import Pipe
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import odonata as package
from examples import jobs, open_loop
from lengths import IS_LONG
from odonata import cli
from odonata.campaign import Done, Failure, plan, run_task
from odonata.campaign.executors.dask import Cluster
from odonata.campaign.executors.processes import Processes
from odonata.core import native
from odonata.core import packed as packed_tables
from odonata.errors import InternalError, RunError
from odonata.output import report
from odonata.results import damaged
from odonata.results.packed_runs import packed_runs
from odonata.results.store import MANIFEST
from odonata.results.store.folder import NEXT
from odonata.results.store.log import LOG, Log
from odonata.scenario import Scenario
from odonata.scenario.text import to_toml

SHORT = {"warm_up": "500 ns", "window": "1 us"}
MANY = jobs(replicas=4, sweep={"routing.algorithm": ["minimal", "par"]})
SEEDS = open_loop(measure=SHORT, replicas=6)


class Told:
    """Remembers what was run."""

    def __init__(self):
        self.ran, self.kept_labels, self.failures, self.notes, self.runs = [], [], {}, [], None

    def planned(self, runs):
        self.runs = runs

    def started(self, label):
        pass

    def progress(self, *_values):
        pass

    def finished(self, label):
        self.ran.append(label)

    def failed(self, label, sentence):
        self.failures[label] = sentence

    def kept(self, label):
        self.kept_labels.append(label)

    def note(self, text):
        self.notes.append(text)


def run(data, out=None, **options):
    told = Told()
    return package.run(data, out=out, observer=told, **options), told


def numbers(sweep):
    """Everything but what a run cost."""
    found = []
    for name, result in sweep.runs.items():
        for one in (result, *result.baselines.values()):
            summary = {**one.summary, "engine": None}
            tables = {key: one.table(key).to_dict(as_series=False) for key in one.tables()}
            found.append((name, summary, tables))
    return found


@pytest.fixture(scope="module")
def serial(tmp_path_factory):
    return run(MANY, tmp_path_factory.mktemp("serial") / "out", executor="serial")


def test_processes_give_what_one_process_gives(serial, tmp_path):
    sweep, told = run(MANY, tmp_path / "out", executor="processes", workers=2)
    assert numbers(sweep) == numbers(serial[0])
    assert sweep.index.equals(serial[0].index)
    assert sorted(told.ran) == sorted(serial[1].ran)
    assert told.runs == len(told.ran) == 16
    assert damaged(tmp_path / "out") == []
    assert not (tmp_path / "out" / LOG).exists(), "the log has gone with its last task"
    in_memory, _ = run(MANY, executor="processes", workers=2)
    assert numbers(in_memory) == numbers(serial[0])


@pytest.fixture(scope="module")
def packed(tmp_path_factory):
    out = tmp_path_factory.mktemp("packed") / "out"
    sweep, told = run(MANY, out, executor="processes", workers=2, layout="packed")
    assert sorted(told.ran) == sorted(plan(Scenario.from_mapping(MANY)).labels())
    return sweep


def test_packed_runs_are_those_with_a_folder_each(serial, packed):
    assert sorted(path.name for path in packed.directory.iterdir()) == [
        "index.parquet", "odonata-manifest.json", "packed", "runs.parquet", "summary.json",
    ]  # fmt: skip
    loaded = package.load(packed.directory)
    for sweep in (packed, loaded):
        assert numbers(sweep) == numbers(serial[0])
        assert sweep.index.equals(serial[0].index)
        assert [run.scenario for run in sweep] == [run.scenario for run in serial[0]]
        for name in ("jobs", "links", "ranks", "iterations"):
            assert sweep.table(name).equals(serial[0].table(name)), name
    assert damaged(packed.directory) == []
    one = package.load(packed.directory / "runs" / loaded.index["run"][3])
    assert one.summary == loaded[3].summary


def test_a_query_finds_packed_runs(serial, packed):
    for sql in ("SELECT run, \"routing.algorithm\", job, max(comm_time_ns) AS t FROM ranks "
                "GROUP BY ALL ORDER BY ALL", "SELECT * FROM jobs",
                "SELECT victim, count(*) AS n FROM alone_links GROUP BY victim"):  # fmt: skip
        one, other = (package.query(sweep.directory, sql) for sweep in (serial[0], packed))
        assert one.drop("engine", strict=False).equals(other.drop("engine", strict=False)), sql


def test_packed_runs_can_be_saved_and_reported(packed, tmp_path):
    loaded = package.load(packed.directory)
    saved = loaded.save(tmp_path / "saved")
    again = package.load(saved)
    assert (saved / "runs").is_dir()
    assert numbers(again) == numbers(loaded)
    assert package.run(MANY, out=saved, observer=(told := Told())).index.equals(packed.index)
    assert told.ran == []


def test_a_packed_run_is_reported_as_its_refusal_says(packed, tmp_path):
    run_of = packed.directory / "runs" / packed.index["run"][0]
    with pytest.raises(RunError, match="has no folder of its own") as refused:
        report.write(run_of)
    assert f"odonata report {packed.directory}" in str(refused.value)
    assert "--overwrite" not in str(refused.value), "it would run everything again, and pack it"
    saved = package.load(run_of).save(tmp_path / "FOLDER")
    assert report.write(saved).is_file()


def test_what_every_replica_says_is_said_once(monkeypatch):
    real = native.run

    def talking(config, *others, **options):
        found = real(config, *others, **options)
        more = {"notes": ["mind this", f"only {asked(config)['seed']}"]}
        return dataclasses.replace(found, summary=found.summary | more)

    monkeypatch.setattr(native, "run", talking)
    _, told = run(SEEDS, executor="serial")
    assert [text for text in told.notes if "mind" in text] == ["replica=0: mind this"]
    assert len(told.notes) == 7


def test_a_packed_sweep_may_grow_and_is_not_mixed_with_another(packed, tmp_path):
    out = tmp_path / "out"
    short = MANY | {"replicas": 2}
    run(short, out, executor="serial", layout="packed")
    with pytest.raises(RunError, match="another scenario"):
        run(short | {"seed": 77}, out, layout="packed")
    sweep, told = run(MANY, out, executor="serial", layout="packed")
    assert (told.runs, len(told.ran)) == (8, 8)
    assert numbers(sweep) == numbers(packed)
    with pytest.raises(RunError, match="does not have"):
        run(short, out, layout="packed")
    _, told = run(short, out, executor="serial", layout="packed", overwrite=True)
    assert len(told.ran) == 8
    assert len(list((out / "packed").iterdir())) == 1
    file = next((out / "packed").rglob("ranks.parquet"))
    file.write_bytes(file.read_bytes()[:-3])
    assert damaged(out) == [file.relative_to(out).as_posix()]
    with pytest.raises(RunError, match=r"ranks\.parquet is missing or has changed"):
        run(short, out, layout="packed")


def test_a_failed_and_an_interrupted_run_of_a_packed_sweep(monkeypatch, tmp_path):
    seeds = [point.config["seed"] for point in Scenario.from_mapping(SEEDS).points]
    failing(monkeypatch, seeds[1:3], InternalError("the simulation broke off", "where"))
    sweep, _ = run(SEEDS, tmp_path / "out", executor="serial", layout="packed")
    assert (len(sweep), len(sweep.failures)) == (4, 2)
    monkeypatch.undo()
    failing(monkeypatch, seeds[2:3], KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt):
        run(SEEDS, tmp_path / "out", executor="serial", layout="packed")
    monkeypatch.undo()
    sweep, told = run(SEEDS, tmp_path / "out", executor="serial", layout="packed")
    assert told.ran == ["replica=2"]
    assert len(sweep) == 6


def test_a_task_is_a_pure_function_of_what_travels(serial):
    planned = plan(Scenario.from_mapping(MANY))
    assert len(planned) == 16
    for key, result in zip(list(planned)[:2], (serial[0][0], serial[0][0].baselines["halo"]),
                           strict=True):  # fmt: skip
        task = planned.task(key)
        assert task.key == key
        done = run_task(task)
        assert isinstance(done, Done)
        again = Done.decoded(b"".join(done.encoded()))
        assert again.summary == done.summary
        same = again.summary["network"]
        assert json.loads(json.dumps(same)) == result.summary["network"]
        assert again.packed == done.packed


@pytest.mark.parametrize("data", [SEEDS, MANY], ids=["open-loop", "jobs"])
def test_packed_tables_are_the_tables(data):
    config = Scenario.from_mapping(data).points[0].config
    plain = native.run(config, {}).tables
    packed = native.run(json.dumps(config), {}, packed=True).packed
    raw = sum(8 * len(values) for table in plain.values() for values in table.values())
    assert len(packed) < 0.55 * raw, "short numbers are stored as such"
    joined = packed_tables.joined([packed, packed])
    assert [name for name, *_ in joined] == list(plain)
    for name, runs, rows, columns in joined:
        assert list(runs) == [0, 1]
        assert set(rows) == {len(next(iter(plain[name].values())))}
        assert list(columns) == list(plain[name])
        for column, values in columns.items():
            if isinstance(values, tuple):
                values = [values[1][code] for code in values[0]]  # noqa: PLW2901 - their words
            np.testing.assert_array_equal(values, [*plain[name][column]] * 2)
        [(alone, *_, own)] = packed_tables.joined([packed], name)
        assert (alone, list(own)) == (name, list(columns))
    assert packed_tables.names(packed) == list(plain)
    for cut in (0, 3, 4, 5, len(packed) // 3, len(packed) - 1):
        with pytest.raises(ValueError, match="damaged"):
            packed_tables.joined([packed[:cut]])
    with pytest.raises(ValueError, match="run 1 are damaged"):
        packed_tables.joined([packed, packed + b"x"])


def test_a_store_is_shared_by_campaigns(tmp_path):
    store = tmp_path / "shared" / "store"
    first, told = run(SEEDS, tmp_path / "one", store=store)
    assert len(told.ran) == 6
    again, told = run(SEEDS | {"name": "other"}, tmp_path / "two", store=store)
    assert told.ran == []
    assert (told.runs, len(told.kept_labels)) == (0, 6)
    assert [one.summary["name"] for one in again] == ["other"] * 6
    assert [one.table("links").equals(two.table("links"))
            for one, two in zip(first, again, strict=True)] == [True] * 6  # fmt: skip
    more, told = run(SEEDS | {"replicas": 8}, store=store, executor="processes", workers=2)
    assert (len(more), len(told.ran)) == (8, 2)


def test_a_store_with_a_damaged_end_is_read_up_to_it(tmp_path):
    store = tmp_path / "store"
    run(SEEDS, store=store, executor="serial")
    (file,) = store.iterdir()
    data = file.read_bytes()
    whole = list(Log(store))
    assert len(whole) == 6
    for cut in (len(data) - 1, len(data) // 2, 3, 0):
        file.write_bytes(data[:cut])
        log = Log(store)
        assert all(log.read(key) is not None for key in log)
        file.write_bytes(data)
    file.write_bytes(data[:-10] + b"x" * 10)  # the last one is not what was written
    _, told = run(SEEDS, store=store, executor="serial")
    assert len(told.ran) == 1


def asked(config):
    """What the simulator is given, which may be text."""
    return json.loads(config) if isinstance(config, str) else config


def failing(monkeypatch, seeds, error):
    real = native.run

    def broken(config, *others, **options):
        if asked(config)["seed"] in seeds:
            raise error
        return real(config, *others, **options)

    monkeypatch.setattr(native, "run", broken)


def test_a_failed_run_stops_nobody(monkeypatch, tmp_path, capsys):
    (tmp_path / "many.toml").write_text(to_toml(SEEDS))
    seeds = [point.config["seed"] for point in Scenario.from_mapping(SEEDS).points]
    failing(monkeypatch, seeds[1:3], InternalError("the simulation broke off", "where"))
    command = ["run", str(tmp_path / "many.toml"), "--out", str(tmp_path / "out")]
    assert cli.main([*command, "--executor", "serial", "--json"]) == 1
    shown = capsys.readouterr()
    assert "2 runs failed" in shown.err
    assert "replica=1 and 1 more: the simulation broke off" in shown.err
    said = json.loads(shown.out)
    assert said["failures"] == dict.fromkeys(("replica=1", "replica=2"), "the simulation broke off")
    assert len(said["runs"]) == 4
    monkeypatch.undo()
    sweep, told = run(SEEDS, tmp_path / "out")
    assert told.ran == ["replica=1", "replica=2"]
    assert len(sweep) == 6


def test_a_failed_baseline_leaves_the_run_without_it(monkeypatch, tmp_path):
    real = native.run

    def broken(config, *others, **options):
        if any(job.get("muted") for job in asked(config)["jobs"]):
            raise native.ConfigurationError("jobs[0]", "it cannot be alone.")
        return real(config, *others, **options)

    monkeypatch.setattr(native, "run", broken)
    data = jobs(replicas=2)
    sweep, told = run(data, tmp_path / "out", executor="serial")
    assert list(told.failures) == ["replica=0, halo alone", "replica=1, halo alone"]
    assert [one.jobs["halo"].slowdown for one in sweep] == [None, None]
    monkeypatch.undo()
    sweep, told = run(data, tmp_path / "out", executor="serial")
    assert told.ran == ["replica=0, halo alone", "replica=1, halo alone"]
    assert all(one.jobs["halo"].slowdown > 1 for one in sweep)


def test_a_process_that_dies_costs_only_its_task(monkeypatch, tmp_path):
    started = []
    real = Processes._start

    def start(self, work):
        started.append(real(self, work))
        return started[-1]

    monkeypatch.setattr(Processes, "_start", start)
    # No process has all that is left in its queue, so that a killed one is missed.
    monkeypatch.setattr("odonata.campaign.executors.processes._MOST_QUEUED", 2)

    class Killing(Told):
        def finished(self, label):
            super().finished(label)
            if len(self.ran) in (3, 9):
                started[-1].process.kill()

    told = Killing()
    out = tmp_path / "out"
    sweep = package.run(MANY, out=out, observer=told, executor="processes", workers=1)
    assert len(sweep) == 8
    assert not told.failures
    assert len(told.ran) == len(set(told.ran)) == 16
    assert len(started) == 3
    assert [one.process.wait() for one in started[:2]] == [-signal.SIGKILL] * 2


def test_a_task_that_kills_its_process_fails_after_two_tries(monkeypatch, tmp_path):
    poison = Scenario.from_mapping(SEEDS).points[2].config["seed"]
    (tmp_path / "sitecustomize.py").write_text(
        "import json, os, sys\n"
        "import odonata.core.native as native\n"
        "real = native.run\n"
        "def run(config, *others, **options):\n"
        f"    if json.loads(config)['seed'] == {poison}:\n"
        "        os.kill(os.getpid(), 9)\n"
        "    return real(config, *others, **options)\n"
        "if 'worker' in ' '.join(sys.orig_argv):\n"
        "    native.run = run\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    sweep, told = run(SEEDS, tmp_path / "out", executor="processes", workers=1)
    assert list(told.failures) == ["replica=2"]
    assert "died 2 times (signal 9)" in told.failures["replica=2"]
    assert len(sweep) == 5
    assert sweep.has_faults


def test_a_process_does_nothing_for_a_parent_that_is_dead(tmp_path):
    """What is in the pipe may be older than the death: somebody else goes on with it by then."""
    found = plan(Scenario.from_mapping(SEEDS))
    tasks = [found.task(key) for key in found]
    assert worked(tmp_path / "alive", tasks, is_alive=True) == len(tasks)
    assert worked(tmp_path / "dead", tasks, is_alive=False) == 0


def worked(folder, tasks, *, is_alive):
    """How many tasks a process has logged for a parent that has died before it looks, or not."""
    ours, theirs = Pipe()
    process = subprocess.Popen(
        [sys.executable, "-m", "odonata.campaign.executors.worker", str(theirs.fileno()),
         str(os.getpid())],
        pass_fds=[theirs.fileno()],
    )  # fmt: skip
    theirs.close()
    ours.send((1, folder))
    ours.send(tasks)
    done = 0
    while is_alive and done < len(tasks):
        done += sum(message[0] == "returned" for message in ours.recv())
    if is_alive:
        ours.send(None)
    else:
        ours.close()
    assert process.wait(60) == (0 if is_alive else 1)
    return len(list(Log(folder)))


def test_ctrl_c_keeps_what_processes_have(tmp_path):
    data = open_loop(measure=SHORT, sweep={"measure.window": ["1 us", "900 ms", "800 ms"]})

    class Interrupting(Told):
        def __init__(self):
            super().__init__()
            self.running = set()

        def progress(self, label, *_values):
            before = len(self.running)
            if "00-ms" in label:  # on a slow host the short run shows its progress too
                self.running.add(label)
            if (before, len(self.running)) == (1, 2):  # once: a second one would not wait
                raise KeyboardInterrupt

    begin = time.monotonic()
    sweep = package.run(data, out=tmp_path / "out", observer=Interrupting(),
                        executor="processes", workers=2)  # fmt: skip
    assert time.monotonic() - begin < 60
    assert sweep.index["stop"].to_list() == ["finished", "interrupted", "interrupted"]


def test_files_travel_by_their_place(tmp_path, monkeypatch):
    """A worker works elsewhere: paths are absolute, contents are compared."""
    monkeypatch.chdir(tmp_path)
    Path("ranks.txt").write_text(" ".join(map(str, reversed(range(27)))))
    data = jobs(seed=1, replicas=3)
    data["jobs"][0]["placement"] = {"kind": "contiguous", "mapping": {"file": "ranks.txt"}}
    sweep, _ = run(data, executor="processes", workers=1, baseline=False)
    assert numbers(sweep) == numbers(run(data, executor="serial", baseline=False)[0])
    found = plan(Scenario.from_mapping(data), baseline=False)
    task = found.task(next(iter(found)))
    assert str(tmp_path) in task.config
    Path("ranks.txt").write_text(" ".join(map(str, range(27))))
    done = run_task(task)
    assert isinstance(done, Failure)
    assert "an input file has changed" in done.sentence


SIXTY = jobs(replicas=15, sweep={"routing.algorithm": ["minimal", "par"]}, name="sixty")
"""30 runs and their baselines."""


def finished(out):
    """Keys of what is there: among the results, and in the log, each with its count."""
    there = set(packed_runs(out).packed)
    for manifest in out.rglob(MANIFEST):
        # What is in a hidden folder has not taken its place; of these, one goes on to do so.
        above = manifest.relative_to(out).parts
        if any(part.startswith(".") and part != NEXT for part in above[:-1]):
            continue
        runs = json.loads(manifest.read_text()).get("runs", {})
        there |= {one["hash"] for one in runs.values() if one["stop"] == "finished"}
    logged = list(Log(out / LOG)) if (out / LOG).is_dir() else []
    return there, logged


def records(out):
    """How often each key was appended, over all files of the log."""
    from odonata.results.store.log import _scanned  # noqa: PLC0415 - what readers never need

    counts = {}
    for _, places in _scanned(out / LOG):
        for key, _ in places:
            counts[key] = counts.get(key, 0) + 1
    return counts


def killed_at_random(start, folder, kills, seed, also=lambda *_: 0.0):
    """Kill a campaign, again and again, until that often; count what runs twice or is lost.

    `also` may break something else before it, and says how much of the time that took.
    """
    draw = random.Random(seed)  # noqa: S311 - not a secret
    wanted = set(plan(Scenario.from_mapping(SIXTY)))
    assert len(wanted) == 60
    begin = time.monotonic()
    assert start(folder / "timed").wait() == 0
    longest = time.monotonic() - begin
    made = completed = 0
    while made < kills:
        out = folder / f"{completed}"
        before = set()
        while True:
            process = start(out)
            patience = draw.uniform(0.2, 1.0) * longest
            try:
                code = process.wait(timeout=patience - also(process, patience))
                assert code == 0, seed
                break
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                process.wait()
                made += 1
            time.sleep(0.2)  # processes of a killed parent see that it has gone
            there, logged = finished(out)
            assert before <= there | set(logged), (seed, made, "lost")
            counts = records(out)
            assert all(count == 1 for count in counts.values()), (seed, made, "run twice")
            before = there | set(logged)
            if made >= kills:
                assert start(out).wait() == 0
                break
        completed += 1
        sweep = package.load(out)
        assert len(sweep) == 30
        assert damaged(out) == []
        assert set().union(*finished(out)) == wanted
        assert not (out / LOG).exists()
    return made, completed


def command(scenario, out, *options):
    return subprocess.Popen(
        [sys.executable, "-m", "odonata", "run", scenario, "--out", out, "--quiet", *options],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("executor", "layout"),
    [
        ("processes", "packed"),
        *([("processes", "folders"), ("serial", "folders")] if IS_LONG else []),
    ],
)
def test_a_campaign_killed_at_random_instants_goes_on(executor, layout, tmp_path):
    scenario = tmp_path / "sixty.toml"
    scenario.write_text(to_toml(SIXTY))
    options = ["--executor", executor, "--workers", "2", "--layout", layout]
    seed = random.randrange(10_000)  # noqa: S311 - not a secret
    kills = 25 if IS_LONG else 1
    made, completed = killed_at_random(
        lambda out: command(scenario, out, *options), tmp_path, kills, seed
    )
    print(f"{made} kills, {completed} campaigns")  # noqa: T201 - for the record


@pytest.fixture
def cluster():
    distributed = pytest.importorskip("distributed")
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    from odonata.campaign.executors.dask import _Local  # noqa: PLC0415 - with Dask only

    with _Local(distributed, 2) as local:
        yield local


def test_a_dask_cluster_of_which_a_worker_is_killed(cluster, serial, tmp_path):
    class Killing(Told):
        def finished(self, label):
            super().finished(label)
            if len(self.ran) == 4:
                cluster.processes[0].kill()

    told = Killing()
    sweep = package.run(MANY, out=tmp_path / "out", observer=told, executor="dask",
                        scheduler=cluster.address)  # fmt: skip
    assert numbers(sweep) == numbers(serial[0])
    assert not told.failures
    assert len(told.ran) == len(set(told.ran)) == 16


def test_a_bundle_that_died_with_its_worker_is_asked_for_again():
    """Between its end and the question for what it has returned; Dask says "lost" then."""
    returned = []
    task = SimpleNamespace(key="a", label="task a")
    work = SimpleNamespace(
        wanted=lambda: iter(["a"]), task=lambda *_, **_more: task, started=lambda _key: None,
        returned=lambda key, found: returned.append((key, found)),
    )  # fmt: skip
    states = iter(["lost", "pending", "finished"])

    class Future:
        def __init__(self, bundle):
            self.status = next(states)
            self.result = lambda: [(one.key, Failure("as asked"), 0.0) for one in bundle]

        def release(self):
            pass

    client = SimpleNamespace(
        nthreads=lambda: {"worker": 1}, submit=lambda _function, bundle, *_, **_more: Future(bundle)
    )
    distributed = SimpleNamespace(wait=lambda futures, **_: SimpleNamespace(done=futures))
    Cluster("tcp://nowhere:1", 1)._loop(work, client, distributed, None)
    assert returned == [("a", Failure("as asked"))]
    assert next(states, None) is None


@pytest.mark.long
@pytest.mark.parametrize("layout", ["packed", "folders"])
def test_a_campaign_through_dask_goes_on_when_it_and_workers_are_killed(cluster, layout, tmp_path):
    scenario = tmp_path / "sixty.toml"
    scenario.write_text(to_toml(SIXTY))
    options = ["--executor", "dask", "--scheduler", cluster.address, "--layout", layout]
    cluster._left = 1_000  # as many as die here
    deaths, draw = 0, random.Random()  # noqa: S311 - not a secret

    def kill_a_worker(process, patience):
        nonlocal deaths
        earlier = draw.uniform(0.0, patience)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=earlier)
        worker = draw.choice(cluster.processes)
        worker.kill()
        worker.wait()
        cluster.keep_up()
        deaths += 1
        return earlier

    seed = random.randrange(10_000)  # noqa: S311 - not a secret
    made, completed = killed_at_random(
        lambda out: command(scenario, out, *options), tmp_path, 25, seed, kill_a_worker
    )
    assert deaths >= made >= 25
    print(f"{made} kills, {deaths} workers, {completed} campaigns")  # noqa: T201 - for the record


def test_a_scheduler_that_is_not_there(monkeypatch):
    distributed = pytest.importorskip("distributed")
    real = distributed.Client
    monkeypatch.setattr(
        distributed,
        "Client",
        lambda address, timeout: real(address, timeout="0.2s"),  # noqa: ARG005
    )
    with pytest.raises(RunError, match="does not answer"):
        run(SEEDS, executor="dask", scheduler="tcp://127.0.0.1:9")


def test_without_dask_there_is_a_sentence(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(RunError, match=r"odonata\[dask\]"):
        run(SEEDS, executor="dask")
