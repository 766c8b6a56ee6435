"""Ctrl-C ends a run within a second, with code 3 and results that can be read."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import polars as pl
import pytest

import odonata
from examples import jobs, open_loop
from odonata.cli import main
from odonata.core import native
from odonata.scenario import Scenario
from odonata.scenario.text import to_toml

LONG = {"warm_up": "1 us", "window": "900 ms"}


def interrupted(tmp_path, data, until, *arguments, number=signal.SIGINT):
    """Start a long scenario, interrupt it once ``until`` is said, and time its end.

    By the processor if that is less: other tests run beside this one.
    """
    file = tmp_path / "long.toml"
    file.write_text(to_toml(data))
    command = [sys.executable, "-m", "odonata", "run", str(file), "--out", str(tmp_path / "out")]
    environment = {**os.environ, "ODONATA_TEST": "1", "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        [*command, *arguments], stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        env=environment,
    ) as process:  # fmt: skip
        try:
            until(process)
            used, start = cpu_seconds(process), time.monotonic()
            process.send_signal(number)
            text = process.stderr.read()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            took = usage.ru_utime + usage.ru_stime - used
            return process.returncode, min(time.monotonic() - start, took), text
        finally:
            process.kill()


def simulating(process, seconds=1.0):
    """Wait until the simulator's own thread has worked for so long."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        for task in Path(f"/proc/{process.pid}/task").iterdir():
            try:
                fields = (task / "stat").read_text("ascii").rpartition(")")[2].split()
                name = (task / "comm").read_text("ascii").strip()
            except FileNotFoundError:  # the thread has just ended
                continue
            if name == "simulation" and seconds_of(fields) >= seconds:
                return
        time.sleep(0.05)
    pytest.fail("the simulation did not start")


def stat(process):
    """Fields of the process after its name."""
    return Path(f"/proc/{process.pid}/stat").read_text("ascii").rpartition(")")[2].split()


def cpu_seconds(process):
    return seconds_of(stat(process))


def seconds_of(fields):
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_run_ends_at_once_and_keeps_its_results(number, tmp_path):
    data = open_loop(measure=LONG)
    code, seconds, text = interrupted(tmp_path, data, simulating, number=number)
    assert code == 3, text
    assert seconds < 1.0
    assert "Traceback" not in text
    result = odonata.load(tmp_path / "out")
    assert result.stop == "interrupted"
    assert result.summary["simulated_ns"] > 0
    assert result.table("links")["bytes"].sum() > 0


def test_a_signal_at_the_very_end_of_a_command_is_no_fault(monkeypatch, capsys):
    """It comes while what signals did before the command is put back."""
    put = signal.signal

    def put_and_come(number, handler):
        found = put(number, handler)
        if number == signal.SIGTERM and handler is not signal.default_int_handler:
            raise KeyboardInterrupt
        return found

    monkeypatch.setattr(signal, "signal", put_and_come)
    assert main(["list", "routings"]) == 3
    assert "stopped" in capsys.readouterr().err


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_building_a_large_system_ends_at_once(tmp_path):
    data = open_loop(measure=LONG)
    data["system"] = {"preset": "dragonfly(8, 96, 8, 700)"}
    data["jobs"][0]["workload"]["ranks"] = 16

    def building(process):
        # Python alone has about 100 MB; whole, this system has more than a gigabyte.
        pages = 300 * 2**20 // os.sysconf("SC_PAGE_SIZE")
        while int(stat(process)[21]) < pages:
            assert process.poll() is None
            time.sleep(0.01)

    code, seconds, text = interrupted(tmp_path, data, building)
    assert code == 3, text
    assert seconds < 2.0
    assert "Traceback" not in text
    assert not (tmp_path / "out").exists(), "the system was whole, and the run had begun"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_a_sweep_keeps_the_runs_before(tmp_path):
    short = {"warm_up": "1 us", "window": "2 us"}
    data = open_loop(measure=short, sweep={"measure.window": ["2 us", "900 ms", "3 us"]})

    def second_run(process):
        while "window=2-us" not in process.stderr.readline():
            assert process.poll() is None
        before = cpu_seconds(process)
        while cpu_seconds(process) < before + 0.5:
            time.sleep(0.05)

    code, seconds, text = interrupted(tmp_path, data, second_run, "--executor", "serial")
    assert code == 3, text
    assert seconds < 1.0
    sweep = odonata.load(tmp_path / "out")
    assert sweep.index["stop"].to_list() == ["finished", "interrupted"]
    assert [run.stop for run in sweep.runs.values()] == ["finished", "interrupted"]


def test_a_caller_can_interrupt_from_another_thread():
    point = Scenario.from_mapping(open_loop(measure=LONG)).points[0]
    asked = []

    def enough():
        asked.append(1)
        return len(asked) > 2

    outcome = native.run(point.config, {}, interrupt=enough)
    assert outcome.summary["stop"] == "interrupted"
    assert len(asked) < 30


def test_an_exception_of_a_callback_ends_the_run():
    point = Scenario.from_mapping(open_loop(measure=LONG)).points[0]

    def broken(simulated_ps, packets, fraction):
        raise ValueError(f"{simulated_ps} {packets} {fraction}")

    with pytest.raises(ValueError, match=r"^\d+ \d+ [0-9.e+-]+$"):
        native.run(point.config, {}, progress=broken)


def test_progress_rises_to_the_end():
    data = open_loop(measure={"warm_up": "1 us", "window": "300 us"})
    point = Scenario.from_mapping(data).points[0]
    seen = []
    native.run(point.config, {}, progress=lambda *values: seen.append(values))
    assert seen
    assert seen == sorted(seen)
    assert all(0 <= fraction <= 1 for _, _, fraction in seen)


def test_the_time_limit_is_a_normal_end(tmp_path):
    result = odonata.run(jobs(stop={"time": "3 us"}), out=tmp_path / "out", baseline=False)
    assert result.stop == "time-limit"
    assert result.table("ranks").height == 63
    assert pl.read_parquet(tmp_path / "out" / "links.parquet").height > 0
