"""``tools/record.sh``: with stand-ins for what Debian packages, which may not be installed."""

from __future__ import annotations

import os
import subprocess

import pytest

pytest.importorskip("otf2", reason="needs the optional package otf2")

MPIRUN = """#!/bin/sh
echo "$@" > "$CALLS"
while [ "$1" != "-o" ]; do shift; done
{record}
"""


def record(repository, tmp_path, *words, recording="true", tools=("mpirun", "eztrace")):
    """Run the script with stand-ins: ``recording`` is what mpirun does with the folder in $2."""
    bin_ = tmp_path / "bin"
    bin_.mkdir()
    for tool in tools:
        (bin_ / tool).write_text(MPIRUN.format(record=recording))
        (bin_ / tool).chmod(0o755)
    for tool in ("dirname", "id", "mktemp", "rm", "find", "mkdir", "cp"):
        (bin_ / tool).symlink_to(f"/usr/bin/{tool}")
    environment = {**os.environ, "PATH": str(bin_), "CALLS": str(tmp_path / "calls")}
    command = ["/bin/sh", repository / "tools" / "record.sh", *words]
    return subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )


def test_a_program_is_recorded_converted_and_checked(repository, tmp_path):
    trace = repository / "tests" / "data" / "eztrace-lammps-4"
    recording = f'mkdir -p "$2" && cp -r "{trace}" "$2/program_trace"'
    done = record(repository, tmp_path, "4", "t.npz", "./app", "-x", "a b", recording=recording)
    assert done.returncode == 0, done.stderr
    assert "can be replayed, with these omissions" in done.stdout
    assert (tmp_path / "t.npz").exists()
    said = (tmp_path / "calls").read_text()
    assert "-np 4 eztrace -t openmpi -o" in said
    assert said.endswith("./app -x a b\n")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["4", "t.npz"], "tools/record.sh RANKS TARGET.npz PROGRAM"),
        (["four", "t.npz", "./app"], "'four' is not a number of ranks"),
        (["0", "t.npz", "./app"], "'0' is not a number of ranks"),
        (["4", "t.otf2", "./app"], "'t.otf2' is not a file *.npz"),
        (["4", "t.npz", "./app"], "no trace was written"),
    ],
)
def test_what_is_wrong_is_said(repository, tmp_path, words, sentence):
    done = record(repository, tmp_path, *words)
    assert (done.returncode, sentence in done.stderr) == (2, True), done.stderr
    assert not list(tmp_path.glob("*.npz"))


def test_a_program_that_fails_leaves_nothing(repository, tmp_path):
    done = record(repository, tmp_path, "4", "t.npz", "./app", recording="exit 1")
    assert (done.returncode, "ended with an error" in done.stderr) == (2, True)


def test_missing_tools_are_named(repository, tmp_path):
    done = record(repository, tmp_path, "4", "t.npz", "./app", tools=("mpirun",))
    assert done.returncode == 2
    assert "eztrace is not installed; on Debian: apt install openmpi-bin eztrace" in done.stderr
