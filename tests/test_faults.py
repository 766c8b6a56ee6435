"""A fault of the program: exit code 1, a sentence that asks for a report, details in a file."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from examples import open_loop
from odonata import cli
from odonata.core import native
from odonata.errors import InternalError
from odonata.scenario.text import to_toml


@pytest.mark.parametrize(
    ("fault", "detail"),
    [
        (InternalError("the simulation broke off", "at crates/somewhere.rs:7"), "somewhere.rs:7"),
        (ZeroDivisionError("division by zero"), "ZeroDivisionError"),
    ],
)
def test_a_fault_is_reported_and_not_shown(fault, detail, tmp_path, monkeypatch, capsys):
    def broken(*_arguments, **_options):
        raise fault

    monkeypatch.setattr(native, "run", broken)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    file = tmp_path / "s.toml"
    file.write_text(to_toml(open_loop()))
    assert cli.main(["run", str(file), "--out", str(tmp_path / "out"), "--json"]) == 1
    captured = capsys.readouterr()
    assert "Traceback" not in captured.err + captured.out
    assert "please report it" in captured.err
    assert json.loads(captured.out)["exit_code"] == 1
    kept = Path(re.search(r"file (\S+\.txt)", captured.err)[1])
    assert detail in kept.read_text()
    assert "Traceback" in kept.read_text()
    assert not (tmp_path / "out").exists()


def test_a_reader_that_has_gone_is_no_fault():
    command = [sys.executable, "-m", "odonata", "list", "collectives"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(timeout=60) == 0
