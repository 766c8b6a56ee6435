"""Folders of results: what is ours is kept or replaced on request, what is not is never touched."""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys

import pytest

import odonata as package
from examples import jobs, open_loop
from odonata.core import files
from odonata.errors import RunError, ScenarioError
from odonata.results import damaged
from odonata.results.store import MANIFEST, held
from odonata.scenario.text import to_toml

SHORT = {"warm_up": "0 s", "window": "500 ns"}
QUICK = open_loop(measure=SHORT)
SWEEP = open_loop(measure=SHORT, sweep={"seed": [1, 2, 3]})


class Told:
    """An observer that remembers."""

    def __init__(self):
        self.made, self.kept_labels, self.notes, self.runs = [], [], [], None

    def planned(self, runs):
        self.runs = runs

    def started(self, label):
        self.made.append(label)

    def progress(self, *_values):
        pass

    def finished(self, label):
        pass

    def failed(self, label, sentence):
        pass

    def kept(self, label):
        self.kept_labels.append(label)

    def note(self, text):
        self.notes.append(text)


def run(data, out, **options):
    told = Told()
    return package.run(data, out=out, observer=told, **options), told


def bytes_of(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*") if path.is_file()
    }  # fmt: skip


FOREIGN = {
    "summary.json": '{"total": 3}',
    "measurements.parquet": "mine",
    "index.parquet": "mine",
    "runs/exp1/log.txt": "mine",
    "figures/paper.pdf": "mine",
    "baseline-2019/notes.txt": "mine",
    MANIFEST: '{"packages": []}',
}


def lay(folder, names):
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(FOREIGN[name])


@pytest.mark.parametrize("names", [*([name] for name in FOREIGN), list(FOREIGN)])
def test_a_folder_of_others_is_refused_and_not_touched(names, tmp_path):
    lay(tmp_path, names)
    before = bytes_of(tmp_path)
    for options in ({}, {"overwrite": True}):
        for data in (QUICK, SWEEP):
            with pytest.raises(RunError, match="--out"):
                run(data, tmp_path, **options)
    assert bytes_of(tmp_path) == before


def test_what_others_put_among_results_stays(tmp_path):
    run(jobs(), tmp_path)
    mine = [name for name in FOREIGN if name.startswith(("figures", "runs"))]
    lay(tmp_path, ["figures/paper.pdf"])
    (tmp_path / "baseline-halo" / "mine.txt").write_text("mine")
    run(QUICK, tmp_path, overwrite=True)
    assert (tmp_path / "figures" / "paper.pdf").read_text() == "mine"
    assert (tmp_path / "baseline-halo" / "mine.txt").read_text() == "mine"
    assert not (tmp_path / "baseline-halo" / "summary.json").exists()
    lay(tmp_path, mine)
    with pytest.raises(RunError, match="runs, whose name Odonata needs"):
        run(SWEEP, tmp_path, overwrite=True)
    assert package.load(tmp_path).stop == "finished"


def test_a_manifest_lists_nothing_outside_of_its_folder(tmp_path):
    out, mine = tmp_path / "out", tmp_path / "mine.txt"
    mine.write_text("mine")
    run(QUICK, out)
    manifest = json.loads((out / MANIFEST).read_text())
    entry = {"bytes": 4, "sha256": ""}
    for name in ("../mine.txt", str(mine)):
        (out / MANIFEST).write_text(json.dumps(manifest | {"files": {name: entry}}))
        with pytest.raises(RunError, match="damaged"):
            run(QUICK, out, overwrite=True)
    (out / "there").symlink_to(tmp_path)
    listed = manifest["files"] | {"there/mine.txt": entry}
    (out / MANIFEST).write_text(json.dumps(manifest | {"files": listed}))
    run(QUICK, out, overwrite=True)
    assert mine.read_text() == "mine"


def test_a_finished_run_is_kept(tmp_path):
    run(jobs(), tmp_path)
    before = bytes_of(tmp_path)
    result, told = run(jobs(name="another name"), tmp_path)
    assert (told.made, told.kept_labels, told.runs) == ([], ["another name"], 0)
    assert result.jobs["halo"].slowdown
    assert bytes_of(tmp_path) == before
    _, told = run(jobs(), tmp_path, overwrite=True)
    assert told.made == ["jobs", "halo alone"]


def test_only_the_isolated_run_is_missing(tmp_path):
    run(jobs(), tmp_path, baseline=False)
    result, told = run(jobs(), tmp_path)
    assert (told.made, told.kept_labels) == (["halo alone"], ["jobs"])
    whole = package.run(jobs())
    assert result.jobs["halo"].slowdown == whole.jobs["halo"].slowdown
    for name in whole.tables():
        assert package.load(tmp_path).table(name).equals(whole.table(name)), name


def test_a_sweep_goes_on_where_it_was(tmp_path):
    whole, told = run(SWEEP, tmp_path / "whole")
    assert told.runs == 3
    out = tmp_path / "out"
    shutil.copytree(tmp_path / "whole", out)
    shutil.rmtree(out / "runs" / "seed=2")
    with pytest.raises(RunError, match="seed=2 is missing"):
        package.load(out)
    again, told = run(SWEEP, out)
    assert (told.made, told.kept_labels) == (["seed=2"], ["seed=1", "seed=3"])
    assert again.index.equals(whole.index)
    more, told = run(SWEEP | {"sweep": {"seed": [3, 1, 2, 4]}}, out)
    assert told.made == ["seed=4"]
    assert package.load(out).index["seed"].to_list() == more.index["seed"].to_list() == [3, 1, 2, 4]


@pytest.mark.parametrize(
    "other",
    [
        QUICK,
        SWEEP | {"seed": 9, "sweep": {"seed": [1, 2]}},
        SWEEP | {"routing": {"algorithm": "par"}},
        open_loop(measure={"warm_up": "0 s", "window": "1 us"}, sweep={"seed": [1, 2, 3]}),
    ],
)
def test_results_of_another_scenario_are_refused(other, tmp_path):
    run(SWEEP, tmp_path)
    before = bytes_of(tmp_path)
    with pytest.raises(RunError, match=r"nothing was run.*--out.*--overwrite"):
        run(other, tmp_path)
    assert bytes_of(tmp_path) == before
    run(other, tmp_path, overwrite=True)
    fresh, _ = run(other, tmp_path / "fresh")
    assert package.load(tmp_path).__class__ is fresh.__class__
    assert not (tmp_path / "unfinished").exists()


def test_results_of_another_engine_are_not_taken_for_ours(tmp_path, monkeypatch):
    run(QUICK, tmp_path)
    monkeypatch.setattr("odonata.scenario.model.ENGINE", "0.0.1+other")
    with pytest.raises(RunError, match="of another engine"):
        run(QUICK, tmp_path)


def test_what_has_changed_is_not_kept(tmp_path):
    run(QUICK, tmp_path)
    for change in (lambda path: path.write_bytes(path.read_bytes()[:-1]), lambda p: p.unlink()):
        change(tmp_path / "links.parquet")
        with pytest.raises(RunError, match=r"links\.parquet is missing or has changed"):
            run(QUICK, tmp_path)
        _, told = run(QUICK, tmp_path, overwrite=True)
        assert told.made == ["traffic"]
        assert package.load(tmp_path).table("links").height > 0


class Interrupting(Told):
    """Presses Ctrl-C once during a run: a second time would not wait for what is under way."""

    def __init__(self, label):
        super().__init__()
        self.label = label
        self.has_pressed = False

    def progress(self, *_values):
        if self.made[-1] == self.label and not self.has_pressed:
            self.has_pressed = True
            raise KeyboardInterrupt


def long(**changes):
    return open_loop(measure={"warm_up": "1 us", "window": "900 ms"}, **changes)


def test_a_partial_run_never_replaces_a_complete_one(tmp_path):
    run(QUICK, tmp_path)
    before = bytes_of(tmp_path)
    told = Interrupting("traffic")
    partial = package.run(long(), out=tmp_path, overwrite=True, observer=told)
    assert partial.stop == "interrupted"
    assert "are kept" in told.notes[0]
    after = bytes_of(tmp_path)
    assert {name: after[name] for name in before} == before
    assert package.load(tmp_path / "unfinished").stop == "interrupted"
    _, told = run(QUICK, tmp_path)
    assert told.kept_labels == ["traffic"]


def test_a_replacement_of_a_sweep_goes_on(tmp_path):
    run(QUICK, tmp_path)
    data = open_loop(sweep={"measure.window": ["2 us", "900 ms"]})
    told = Interrupting("window=900-ms")
    package.run(data, out=tmp_path, overwrite=True, observer=told)
    assert package.load(tmp_path).stop == "finished"
    other = open_loop(sweep={"measure.window": ["2 us", "3 us"]})
    _, told = run(other, tmp_path, overwrite=True)
    # The interrupted run belongs to another sweep: that one is given up as a whole.
    assert told.made == ["window=2-us", "window=3-us"]
    assert package.load(tmp_path).index["stop"].to_list() == ["finished"] * 2
    run(QUICK, tmp_path, overwrite=True)
    package.run(data, out=tmp_path, overwrite=True, observer=Interrupting("window=900-ms"))
    told = Interrupting("window=900-ms")
    package.run(data, out=tmp_path, overwrite=True, observer=told)
    assert told.kept_labels == ["window=2-us"]


def test_a_partial_run_is_made_again(tmp_path):
    data = open_loop(sweep={"measure.window": ["2 us", "900 ms"]})
    for expected in ([], ["window=2-us"]):
        told = Interrupting("window=900-ms")
        sweep = package.run(data, out=tmp_path, observer=told)
        assert told.kept_labels == expected
        assert sweep.index["stop"].to_list() == ["finished", "interrupted"]
        assert package.load(tmp_path).runs["window=900-ms"].stop == "interrupted"


def test_one_process_at_a_time(odonata, tmp_path):
    file, out = tmp_path / "s.toml", tmp_path / "out"
    file.write_text(to_toml(SWEEP))
    with held(out):
        done = odonata("run", file, "--out", out)
        assert done.returncode == 2
        assert f"process {os.getpid()} on " in done.stderr
        assert " since 20" in done.stderr
        assert "Traceback" not in done.stderr
    assert not out.exists()
    assert odonata("run", file, "--out", out).returncode == 0


def test_the_lock_holds_while_folders_change_places(tmp_path):
    out = tmp_path / "out"
    run(QUICK, out)
    before = out.stat().st_ino
    out.chmod(0o2750)
    with held(out, overwrite=True) as folder:
        folder.put(
            folder.place(""), "run", lambda place: (place / "summary.json").write_text("{}"), {}
        )
        folder.promote()
        with pytest.raises(RunError, match=f"is in use by process {os.getpid()} on"), held(out):
            pass
    assert sorted(path.name for path in out.iterdir()) == [MANIFEST, "summary.json"]
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    if sys.platform.startswith("linux"):
        assert out.stat().st_ino != before
    assert out.stat().st_mode & 0o7777 == 0o2750


def test_concurrent_sweeps_into_one_folder_do_not_mix(tmp_path):
    file, out = tmp_path / "s.toml", tmp_path / "out"
    file.write_text(to_toml(SWEEP | {"sweep": {"seed": list(range(12))}}))
    command = [sys.executable, "-m", "odonata", "run", file, "--out", out, "--quiet"]
    started = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for _ in range(3)]
    ends = [(process.communicate(timeout=100)[1], process.returncode) for process in started]
    assert {code for _, code in ends} <= {0, 2}, ends
    assert 0 in {code for _, code in ends}
    assert all(code == 0 or "is in use by" in text for text, code in ends), ends
    assert package.load(out).index["seed"].to_list() == list(range(12))


def test_names_are_no_patterns(odonata, tmp_path):
    file = tmp_path / "s.toml"
    named = QUICK["jobs"][0] | {"name": "res[1]*?"}
    data = jobs()
    data["jobs"][0]["name"] = "halo[1]"
    for seed, name in ((1, "res1"), (2, "res[1]")):
        file.write_text(to_toml(data | {"seed": seed}))
        assert odonata("run", file, "--out", name).returncode == 0
    tables = [package.load(tmp_path / name) for name in ("res1", "res[1]")]
    assert tables[0].summary["seed"] == 1
    assert not tables[0].table("links").equals(tables[1].table("links"))
    assert tables[1].table("links").equals(package.run(data | {"seed": 2}).table("links"))
    assert tables[1].baselines["halo[1]"].table("links").height > 0
    sweep = open_loop(jobs=[named], measure=SHORT, sweep={"seed": [1, 2]})
    run(sweep, tmp_path / "sweep[a]")
    assert odonata("report", "sweep[a]").returncode == 0
    for name, preset in (("net[1]", "dragonfly(2, 4, 2, 9)"), ("net1", "dragonfly(1, 2, 1, 3)")):
        assert odonata("topo", preset, "--edges", f"{name}.parquet").returncode == 0
    topology = {"kind": "file", "channels": "net[1].parquet"}
    file.write_text(to_toml(open_loop(system={"topology": topology}, measure=SHORT)))
    done = odonata("check", file, "--json")
    assert json.loads(done.stdout)["runs"][0]["forecast"]["nodes"] == 72, done.stderr


@pytest.mark.parametrize(
    ("out", "part"),
    [
        ("s.toml/below", "not a directory"),
        ("s.toml", "is a file"),
        ("x" * 300, "name too long"),
        ("/proc/nothing", "no such file"),
        ("/".join(["y" * 200] * 19), "the path is too long"),
        ("dangling", "exists"),
    ],
)
def test_what_cannot_be_written_is_found_before(out, part, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s.toml").write_text("x")
    (tmp_path / "dangling").symlink_to("nowhere")
    before = sorted(tmp_path.iterdir())
    told = Told()
    with pytest.raises(RunError, match=part):
        package.run(QUICK, out=out, observer=told)
    assert told.made == []
    assert sorted(tmp_path.iterdir()) == before


def test_names_that_are_too_long_are_found_before(tmp_path):
    data = jobs()
    data["jobs"][0]["name"] = "é" * 125
    told = Told()
    with pytest.raises(RunError, match="names of 255 bytes"):
        package.run(data, out=tmp_path, observer=told)
    assert told.made == []
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("mode", [0o500, 0o000])
def test_a_folder_without_permission_is_found_before(mode, tmp_path):
    if os.geteuid() == 0:
        pytest.skip("root may do everything")
    out = tmp_path / "out"
    run(QUICK, out)
    out.chmod(mode)
    told = Told()
    try:
        with pytest.raises(RunError, match="permission denied"):
            package.run(QUICK | {"seed": 5}, out=out, observer=told)
    finally:
        out.chmod(0o700)
    assert told.made == []


def limited():
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))


def test_a_file_size_limit_is_a_sentence(tmp_path):
    file, out = tmp_path / "s.toml", tmp_path / "out"
    file.write_text(to_toml(QUICK))
    command = [sys.executable, "-m", "odonata", "run", file, "--out", out]
    done = subprocess.run(command, preexec_fn=limited, capture_output=True, text=True, check=False)
    assert done.returncode == 2, done.stderr
    assert "file too large; free some space" in done.stderr
    assert "fault" not in done.stderr
    assert not out.exists()


def test_a_folder_that_is_removed_meanwhile(tmp_path):
    out = tmp_path / "out"

    class Removing(Told):
        def finished(self, _label):
            if len(self.made) == 2:
                shutil.rmtree(out)

    with pytest.raises(RunError, match="was removed or replaced during the run"):
        package.run(SWEEP, out=out, observer=Removing(), executor="serial")


@pytest.mark.parametrize(
    ("arguments", "redirection", "part"),
    [
        ("run s.toml", "> /dev/full", "no space left on device"),
        ("run s.toml --json", "> /dev/full", "no space left on device"),
        ("list routings", "> /dev/full", "no space left on device"),
        ("--help", "> /dev/full", "no space left on device"),
        ("run s.toml", ">&-", "standard output is closed"),
        ("topo theta", ">&-", "standard output is closed"),
    ],
)
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_output_that_nobody_takes(arguments, redirection, part, unbuffered, tmp_path):
    (tmp_path / "s.toml").write_text(to_toml(QUICK))
    done = subprocess.run(
        ["bash", "-c", f"exec {sys.executable} -m odonata {arguments} {redirection}"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
    )  # fmt: skip
    assert done.returncode == 2, done.stderr
    assert part in done.stderr
    assert "fault" not in done.stderr
    assert "Traceback" not in done.stderr


def test_nothing_is_left_where_nothing_ran(tmp_path):
    data = jobs()
    data["jobs"][0]["workload"]["grid"] = [3, 3, 4]
    with pytest.raises(ScenarioError):
        run(data, tmp_path / "a" / "b")
    assert list(tmp_path.iterdir()) == []


def test_a_reader_that_comes_while_the_index_is_replaced(tmp_path, monkeypatch):
    run(SWEEP, tmp_path)
    whole = []
    write = files.write_whole

    def looked_at(path, data, *, partial):
        write(path, data, partial=partial)
        whole.append(damaged(tmp_path))

    monkeypatch.setattr(files, "write_whole", looked_at)
    monkeypatch.setattr("odonata.campaign.assembly._SHOWN_EVERY_S", 0)
    monkeypatch.setattr("odonata.campaign.assembly._TIMES_COST", 0)
    run(SWEEP | {"sweep": {"seed": [1, 2, 3, 4]}}, tmp_path)
    # The manifest is right before and after the index is replaced.
    assert len(whole) > 8
    assert not any(whole)
    assert package.load(tmp_path).index.height == 4


@pytest.mark.parametrize("lacking", ["exchanged", "_share_lock", "_owner"])
def test_a_system_that_cannot_exchange_folders(lacking, tmp_path, monkeypatch):
    numbers = iter(range(100))
    answers = {"_owner": lambda _: next(numbers)}
    monkeypatch.setattr(
        f"odonata.results.store.folder.{lacking}", answers.get(lacking, lambda *_: False)
    )
    out = tmp_path / "out"
    run(QUICK, out)
    run(SWEEP, out, overwrite=True)
    assert package.load(out).index.height == 3
    assert damaged(out) == []
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    assert sorted(path.name for path in out.iterdir()) == [
        "index.parquet",
        MANIFEST,
        "runs",
        "summary.json",
    ]
