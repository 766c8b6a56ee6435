"""Damaged binary files never surprise a reader; ``fuzz/binary.py`` is the same for long runs."""

from __future__ import annotations

import sys

import pytest

from lengths import longer

SEED = 20260101
CASES = longer(20, 40)
RECORDED = ["dumpi", "liballprof", "simgrid", "goal", "goal-binary", "chakra", "operations"]
MEASURED = ["osu", "imb", "ldms"]
NAMES = ["npz", "otf2", *RECORDED, "parquet", "xz", "gz", "ariesncl", "archive", "swf", "table",
         *MEASURED]  # fmt: skip
DARSHAN_CASES = longer(4, 8)
"""Fewer: a process of its own reads each."""


@pytest.fixture(scope="module")
def fuzz(repository):
    pytest.importorskip("otf2", reason="needs the optional package otf2")
    sys.path.insert(0, str(repository / "fuzz"))
    import binary  # noqa: PLC0415 - beside the package

    return binary


@pytest.mark.parametrize("name", NAMES)
def test_damaged_files_are_taken_or_refused(fuzz, name):
    answers, faults = fuzz.try_reader(name, number=CASES, seed=SEED)
    assert faults == []
    assert answers.total() == CASES
    # Of a trace or a log a changed number is often as good as the right one.
    assert answers["refused"] > CASES // (4 if name in {*RECORDED, *MEASURED, "swf"} else 2)


def test_damaged_logs_of_darshan_are_taken_or_refused(fuzz, shared):
    pytest.importorskip("darshan", reason="needs the optional package darshan")
    assert shared == fuzz.SHARED
    answers, faults = fuzz.try_reader("darshan", number=DARSHAN_CASES, seed=SEED)
    assert faults == []
    assert answers.total() == DARSHAN_CASES
    assert answers["refused"] > 0


def test_every_reader_is_tried(fuzz):
    assert sorted(fuzz.READERS) == sorted([*NAMES, "darshan"])


def test_right_files_are_taken(fuzz, tmp_path, monkeypatch):
    monkeypatch.setattr(fuzz, "damage", lambda content, _: content)
    monkeypatch.setattr(fuzz, "damage_text", lambda content, _: content)
    monkeypatch.setattr(fuzz, "_damaged_array", lambda values, _: values)
    monkeypatch.setattr("pathlib.Path.unlink", lambda _: None)
    for name, reader in fuzz.READERS.items():
        if name == "darshan":
            continue  # has a test of its own, where there is a log
        path = reader.make(fuzz.random.Random(1), tmp_path)
        reader.read(path)
        assert path.exists(), name


def test_a_crash_is_caught_and_can_be_repeated(fuzz, monkeypatch, tmp_path):
    """A canary: a reader that takes the process down at its third file."""
    script = tmp_path / "canary.py"
    script.write_text(
        "import os, sys\n"
        "first = int(sys.argv[sys.argv.index('--first') + 1])\n"
        "count = int(sys.argv[sys.argv.index('--number') + 1])\n"
        "for number in range(first, first + count):\n"
        "    print(number, end=' ', flush=True)\n"
        "    if number == 2:\n"
        "        os.abort()\n"
        "    print('refused', flush=True)\n"
    )
    monkeypatch.setattr(fuzz, "__file__", str(script))
    answers, (fault,) = fuzz.try_reader("npz", number=5, seed=7)
    assert answers == {"refused": 4}
    assert fault.startswith("npz, seed 7, case 2: ")
