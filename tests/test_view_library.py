"""The WebGL library in the package is what tools/view/package-lock.json says."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess

import pytest

from lengths import IS_LONG
from odonata.output.view.page import LIBRARY


@pytest.fixture(scope="module")
def tool(repository):
    return repository / "tools" / "view"


@pytest.fixture(scope="module")
def library(repository):
    return repository / "python" / "odonata" / "output" / "view" / "app" / LIBRARY


@pytest.fixture(scope="module")
def head(library):
    return library.read_text("utf-8").partition("*/")[0]


@pytest.mark.parametrize("name", ["package-lock.json", "entry.js", "build.mjs"])
def test_it_was_made_from_what_is_there(name, tool, head):
    expected = hashlib.sha256((tool / name).read_bytes()).hexdigest()
    assert f"{name} sha256 {expected}" in head, "run `npm ci && npm run build` in tools/view"


def test_its_packages_are_those_of_the_lock_and_free(tool, head):
    lock = json.loads((tool / "package-lock.json").read_text("utf-8"))
    locked = {
        path.rpartition("node_modules/")[2]: about["version"]
        for path, about in lock["packages"].items()
        if path
    }
    told = re.findall(r"^(@?[\w./-]+) (\d+\.\d+\.\d+\S*) \((.+)\)$", head, re.MULTILINE)
    assert len(told) > 10
    for name, version, licence in told:
        assert locked[name] == version
        assert licence in {"MIT", "ISC", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0", "0BSD"}
    assert "Permission is hereby granted" in head
    assert all("integrity" in about for path, about in lock["packages"].items() if path)


def test_it_is_built_again_byte_for_byte(tool, library, tmp_path):
    if shutil.which("node") is None or shutil.which("npm") is None:
        pytest.skip("Node is not installed: it builds the library of the view")
    if not (tool / "node_modules").is_dir() and not IS_LONG:
        pytest.skip("run `npm ci` in tools/view, or make test-long")
    work = tmp_path / "view"
    shutil.copytree(tool, work, symlinks=True)
    if not (work / "node_modules").is_dir():
        found = subprocess.run(
            ["npm", "ci", "--ignore-scripts"], cwd=work, capture_output=True, check=False
        )
        if found.returncode:
            pytest.skip("the package registry cannot be reached")
    made = tmp_path / "library.js"
    subprocess.run(["node", "build.mjs", str(made)], cwd=work, check=True, capture_output=True)
    assert made.read_bytes() == library.read_bytes()
