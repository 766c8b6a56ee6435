"""``tools/setup.sh`` with stand-ins for cargo, Python and maturin: what it asks them for, when."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest

_CARGO = """#!/bin/sh
mkdir -p target/release target/debug python/odonata
for built in release debug; do
  echo "$built" >target/$built/libodonata_aries.so
  echo "$built" >target/$built/libodonata_fi.so
done
echo "cargo $*" >>asked
"""

_PYTHON = """#!/bin/sh
case "$*" in
*"-m venv"*) mkdir -p "$3/bin"; cp "$0" "$3/bin/python"; cp odonata "$3/bin/odonata" ;;
*--target*) mkdir -p target/tools/bin; cp maturin target/tools/bin/maturin ;;
esac
case "$*" in *"pip install"*) echo "$*" >>asked ;; esac
"""

_MATURIN = """#!/bin/sh
echo "a line of maturin's own"
echo "maturin $*" >>asked
"""


@pytest.fixture
def tree(tmp_path, repository):
    """The scripts, and programs that only note what they are asked for."""
    shutil.copytree(repository / "tools", tmp_path / "tools",
                    ignore=shutil.ignore_patterns("view", "__pycache__"))  # fmt: skip
    (tmp_path / "bin").mkdir()
    stands = {"bin/cargo": _CARGO, "bin/python3": _PYTHON, "maturin": _MATURIN,
              "bin/cc": "#!/bin/sh\n", "bin/strip": "#!/bin/sh\n", "bin/ldconfig": "#!/bin/sh\n",
              "odonata": "#!/bin/sh\necho odonata 0\n"}  # fmt: skip
    for name, text in stands.items():
        (tmp_path / name).write_text(text, "utf-8")
        (tmp_path / name).chmod(0o755)
    return tmp_path


def set_up(tree, kind):
    """Lines that it prints, and what it asked other programs for."""
    environment = {"PATH": f"{tree / 'bin'}:{os.defpath}"}
    (tree / "asked").write_text("", "utf-8")
    done = subprocess.run(["tools/setup.sh", ".venv", kind], cwd=tree, env=environment,
                          capture_output=True, text=True, check=True)  # fmt: skip
    return done.stdout.splitlines(), (tree / "asked").read_text("utf-8")


def test_for_the_demo_it_installs_what_runs_need_and_builds_quickly(tree):
    lines, asked = set_up(tree, "run")
    assert "requirements-run.txt" in asked
    assert "requirements-dev.txt" not in asked
    assert "maturin develop --quiet --profile quick" in asked
    assert "cargo build" not in asked
    assert not [line for line in lines if "PAPI" in line or "libfabric" in line]
    assert lines[-1] == "odonata 0"
    for step in ("making the environment", "installing", "building the simulator"):
        (line,) = [line for line in lines if step in line]
        assert any(unit in line for unit in ("second", "minute", "min)"))


def test_afterwards_it_adds_what_tests_need_and_builds_the_release(tree):
    set_up(tree, "run")
    lines, asked = set_up(tree, "dev")
    assert "requirements-dev.txt" in asked
    assert "requirements-build.txt" not in asked  # it is there already
    assert "maturin develop --quiet --release" in asked
    assert "cargo build --profile release" in asked
    assert (tree / "python" / "odonata" / "libodonata-fi.so").is_file()
    assert "PAPI" in "".join(lines[lines.index("odonata 0") + 1 :])
    assert not [line for line in lines[: lines.index("odonata 0")] if "PAPI" in line]
    assert "pip install" not in set_up(tree, "dev")[1]


def test_for_tests_all_is_built_as_cargo_test_builds_it(tree):
    lines, asked = set_up(tree, "test")
    assert "requirements-dev.txt" in asked
    assert "maturin develop --quiet --profile dev" in asked
    assert "cargo build --profile dev" in asked
    assert "release" not in asked
    assert (tree / "python" / "odonata" / "libodonata-fi.so").read_text("utf-8") == "debug\n"
    assert "PAPI" in "".join(lines[lines.index("odonata 0") + 1 :])
    # The release build, afterwards, takes the place of all that.
    assert "pip install" not in set_up(tree, "dev")[1]
    assert (tree / "python" / "odonata" / "libodonata-fi.so").read_text("utf-8") == "release\n"


def test_what_cannot_be_built_is_shown(tree):
    set_up(tree, "run")
    maturin = tree / "target" / "tools" / "bin" / "maturin"
    maturin.write_text("#!/bin/sh\necho error: a reason >&2\nexit 1\n", "utf-8")
    with pytest.raises(subprocess.CalledProcessError) as caught:
        set_up(tree, "run")
    assert "error: a reason" in caught.value.stderr
    assert "could not be built" in caught.value.stderr
