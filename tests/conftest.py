"""What several tests need: the command line as a user has it, and where things are."""

from __future__ import annotations

import importlib.util
import os
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

from forked import Commands
from lengths import IS_LONG
from odonata.traces import program

REPOSITORY = Path(__file__).resolve().parent.parent


def tool(name: str) -> ModuleType:
    """A program of `tools/`, as a module."""
    spec = importlib.util.spec_from_file_location(f"tool_{name}", REPOSITORY / f"tools/{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def pytest_collection_modifyitems(items):
    for item in items:
        if not IS_LONG and item.get_closest_marker("long"):
            item.add_marker(pytest.mark.skip(reason="takes minutes: make test-long"))


@pytest.fixture(scope="session", autouse=True)
def _programs_once():
    """A program of the repository is evaluated once by a process, and not for every verdict.

    What its ranks yield follows from its text if it opens nothing and imports `random` at most.
    """
    evaluate, known = program.read, {}

    def read(path, ranks, arguments=()):
        is_ours = path.is_file() and not {"studies", "scenarios"}.isdisjoint(path.parts)
        text = path.read_bytes() if is_ours else b"import"
        if re.search(rb"\bimport\b(?! random\n)|\bopen\b", text):
            return evaluate(path, ranks, arguments)
        asked = path.stem, text, ranks, tuple(map(repr, arguments))
        if asked not in known:
            known[asked] = evaluate(path, ranks, arguments)
        return known[asked]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(program, "read", read)
        yield


@pytest.fixture(scope="session")
def repository() -> Path:
    return REPOSITORY


@pytest.fixture(scope="session")
def scenarios() -> Path:
    return REPOSITORY / "scenarios"


@pytest.fixture(scope="session")
def shared() -> Path:
    """Data nobody here wrote; tests that need it are skipped where it is absent."""
    folder = Path(os.environ.get("ODONATA_SHARED", REPOSITORY.parent / "shared"))
    if not (folder / "data").is_dir():
        pytest.skip(f"no shared data at {folder}; set ODONATA_SHARED to its folder")
    return folder


@pytest.fixture(scope="session")
def commands():
    found = Commands()
    yield found
    found.close()


@pytest.fixture
def odonata(tmp_path, commands):
    """The command line in a process of its own, in an empty folder."""

    def call(*arguments, cwd=tmp_path, timeout=120):
        return commands.call(*arguments, cwd=cwd, timeout=timeout)

    return call
