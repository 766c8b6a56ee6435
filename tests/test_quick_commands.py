"""A command imports what it needs: those that only look something up are there in a blink."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from odonata.cli import command_tree
from odonata.cli.arguments import parser

LOADED = """
import json, sys
from odonata.__main__ import main
sys.argv = ["odonata", *sys.argv[1:]]
try:
    main()
finally:
    print(json.dumps(sorted(sys.modules)), file=sys.stderr)
"""
LIBRARIES = {"filelock", "jinja2", "matplotlib", "numpy", "polars", "psutil", "rich", "scipy"}
STAND_INS = {"filelock", "numpy", "numpy.typing", "polars"}


def loaded(*words, cwd):
    """Libraries, and packages of Odonata, that a command line has imported."""
    done = subprocess.run(
        [sys.executable, "-c", LOADED, *words], cwd=cwd, capture_output=True, text=True, check=True,
    )  # fmt: skip
    names = json.loads(done.stderr.splitlines()[-1])
    libraries = {one.partition(".")[0] for one in {*names} - STAND_INS} & LIBRARIES
    packages = {one.split(".")[1] for one in names if one.startswith("odonata.")}
    return libraries, packages - {"__main__", "_core"}


@pytest.mark.parametrize("words", [["--version"], ["--help"]])
def test_what_the_program_says_of_itself_needs_no_library(words, tmp_path):
    # Of results it is the module by which pictures are found once somebody asks for them.
    assert loaded(*words, cwd=tmp_path) == (set(), {"cli", "core", "results"})


@pytest.mark.parametrize(
    "words", [["list"], ["list", "routings", "--json"], ["show", "workloads", "halo3d"]]
)
def test_what_is_looked_up_needs_no_tables(words, tmp_path):
    assert loaded(*words, cwd=tmp_path) == (
        {"rich"}, {"cli", "core", "measured", "results", "scenario", "traces"},
    )  # fmt: skip


def test_a_check_needs_no_tables(repository, tmp_path):
    libraries, packages = loaded("check", str(repository / "scenarios/small.toml"), cwd=tmp_path)
    assert libraries == {"rich"}
    assert not packages & {"advise", "studies"}


def test_a_signal_while_a_command_is_imported_ends_it_in_a_sentence():
    program = """
import signal, sys
class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == "odonata.cli.describe":
            signal.raise_signal(signal.SIGINT)
sys.meta_path.insert(0, Interrupting())
sys.argv = ["odonata", "list"]
from odonata.__main__ import main
sys.exit(main())
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (3, "odonata: stopped before the command began.\n")


def test_a_signal_while_a_data_class_is_made_ends_like_any_other(tmp_path):
    """Python notes that a text was interrupted, and would end by the signal at its end."""
    (tmp_path / "sitecustomize.py").write_text(
        "import signal, sys\n"
        "class Interrupting:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'odonata.cli.describe':\n"
        "            exec('signal.raise_signal(signal.SIGINT)', {'signal': signal})\n"
        "sys.meta_path.insert(0, Interrupting())\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "odonata", "list"], capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (3, "odonata: stopped before the command began.\n")


def test_a_library_that_was_put_off_is_loaded_when_something_of_it_is_used():
    program = """
import sys
from odonata.core.lazy import put_off
put_off("numpy", "numpy.typing", "polars")
import numpy as np
import numpy.typing as npt
import polars as pl
assert "numpy._core" not in sys.modules
assert sys.modules["numpy"] is np
column: npt.NDArray = np.arange(4)
assert column.sum() == 6
assert isinstance(column, sys.modules["numpy"].ndarray)
assert npt.NDArray is sys.modules["numpy.typing"].NDArray
assert "polars.series" not in sys.modules
assert pl.Series(column).to_list() == [0, 1, 2, 3]
try:
    np.nosuch
except AttributeError as error:
    print(error)
"""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "nosuch" in done.stdout


WHOLE = command_tree.read(parser())


@pytest.mark.parametrize("command", WHOLE.commands, ids=lambda one: one.path[0])
def test_a_command_that_is_called_has_all_its_arguments(command):
    """And the others their names and lines: where no command is named, nothing more is known."""
    found = command_tree.read(parser(["--bogus", command.path[0], "list"]))
    assert next(one for one in found.commands if one.path == command.path) == command
    lines = [(one.path, one.help) for one in WHOLE.commands]
    assert [(one.path, one.help) for one in found.commands] == lines
