"""The driver that fuzzes the readers in turn; ``fuzz/readers.py`` itself is for long runs."""

from __future__ import annotations

import re
import sys

import pytest


@pytest.fixture(scope="module")
def fuzz(repository):
    pytest.importorskip("otf2", reason="needs the optional package otf2")
    sys.path.insert(0, str(repository / "fuzz"))
    import readers  # noqa: PLC0415 - beside the package

    return readers


def test_right_files_are_taken(fuzz, tmp_path):
    for name, entry in fuzz.PYTHON.items():
        for number, case in enumerate(entry.cases()):
            place = tmp_path / f"{name}-{number}"
            place.mkdir()
            fuzz.write(case, place)
            assert fuzz.load(place) == case
            assert fuzz.attempt(name, place, sum(map(len, case.values()))) == "taken", name
    for name, make in fuzz.COMPILED.items():
        for content in make():
            assert content, name


def test_every_compiled_target_is_driven(fuzz, repository):
    manifest = (repository / "fuzz" / "Cargo.toml").read_text("utf-8")
    assert re.findall(r'\[\[bin\]\]\nname = "(.*)"', manifest) == sorted(fuzz.COMPILED)


def test_turns_add_up_and_go_on(fuzz, tmp_path, capsys):
    names = ["codes", "chakra-json"]
    for _ in range(2):
        assert fuzz.drive(names, tmp_path, 0.02, 0.3) == 0
    fuzz.summary(names, tmp_path)
    shown = capsys.readouterr().out.splitlines()[-2:]
    for name, line in zip(names, shown, strict=True):
        count = fuzz._count(tmp_path / name)
        assert line.split()[:2] == [name, str(count["inputs"])]
        assert count["faults"] == 0
        assert count["inputs"] > 0
        assert list((tmp_path / name / "corpus").iterdir())


def test_the_same_numbers_are_the_same_inputs(fuzz):
    case = fuzz.PYTHON["codes"].cases()[0]
    first, second = (fuzz.mutate(case, fuzz.random.Random("codes 7"), is_text=True)
                     for _ in range(2))  # fmt: skip
    assert first == second != case


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("raise KeyError(7)", "KeyError: 7"),
        ("raise Error('two\\nlines')", "no sentence"),
        ("bytearray(200_000_000)", "bytes of memory for files of"),
        ("os.abort()", "exit code -6"),
    ],
)
def test_a_broken_promise_is_kept_and_can_be_repeated(fuzz, tmp_path, monkeypatch, body, words):
    """A canary: a reader that fails at its third input, and only there."""
    script = tmp_path / "readers.py"
    script.write_text(
        "import os, sys\n"
        f"sys.path[:0] = [{str(fuzz.HERE)!r}, {str(fuzz.HERE.parent / 'python')!r}]\n"
        "import inputs\n"
        "from odonata.errors import Error\n"
        "from pathlib import Path\n"
        "seen = []\n"
        "def read(path):\n"
        "    seen.append(path)\n"
        "    if len(seen) == 3:\n"
        f"        {body}\n"
        "inputs.PYTHON['canary'] = inputs.Entry(lambda: [{'file': b'a b'}], read)\n"
        f"sys.argv[0] = {str(fuzz.HERE / 'readers.py')!r}\n"
        "exec(compile(open(sys.argv[0]).read(), sys.argv[0], 'exec'),\n"
        "     {'__name__': '__main__', '__file__': sys.argv[0]})\n"
    )
    monkeypatch.setattr(fuzz, "HERE", tmp_path)
    monkeypatch.setitem(fuzz.PYTHON, "canary", fuzz.PYTHON["codes"])
    tried = fuzz.slice_python("canary", tmp_path / "out", 5)
    assert tried["faults"] == 1
    (fault,) = (tmp_path / "out" / "canary" / "faults").glob("*.txt")
    assert words in fault.read_text("utf-8")
    assert fuzz.load(fault.with_suffix("")).keys() == {"file"}
