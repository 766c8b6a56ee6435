"""Recipes and scripts of a release say what pyproject.toml says; archives hold what is promised."""

from __future__ import annotations

import contextlib
import re
import runpy
import shutil
import subprocess
import sys
import tomllib
import types
from pathlib import Path

import pytest


@pytest.fixture(scope="module")
def project(repository):
    return tomllib.loads((repository / "pyproject.toml").read_text("utf-8"))


@pytest.fixture(scope="module")
def version(repository):
    text = (repository / "Cargo.toml").read_text("utf-8")
    return tomllib.loads(text)["workspace"]["package"]["version"]


@pytest.mark.parametrize("script", ["release.sh", "vendor.sh", "setup.sh", "record.sh", "audit.sh"])
def test_scripts_are_taken_by_a_shell(script, repository):
    path = repository / "tools" / script
    assert path.stat().st_mode & 0o100, f"{path} cannot be executed"
    subprocess.run(["bash", "-n", path], check=True)


def test_recipes_need_what_the_package_needs(project, repository):
    needed = {re.split(r">=", one)[0]: one.partition(">=")[2]
              for one in project["project"]["dependencies"]}  # fmt: skip
    spack = (repository / "packaging" / "spack" / "package.py").read_text("utf-8")
    found = dict(
        re.findall(r'depends_on\("py-([\w-]+)@([\d.]+):", type=\("build", "run"\)\)', spack)
    )
    assert found == needed
    conda = (repository / "packaging" / "conda" / "meta.yaml").read_text("utf-8")
    run = conda.partition("  run:\n")[2].partition("\n\n")[0]
    found = dict(re.findall(r"- ([\w-]+) >=([\d.]+)", run))
    assert found.pop("python") == project["project"]["requires-python"].removeprefix(">=")
    assert found == needed


def test_recipes_are_of_this_version(version, repository):
    spack = (repository / "packaging" / "spack" / "package.py").read_text("utf-8")
    assert f'version("{version}"' in spack
    conda = (repository / "packaging" / "conda" / "meta.yaml").read_text("utf-8")
    assert f'set version = "{version}"' in conda
    assert f"\n## {version}" in (repository / "CHANGELOG.md").read_text("utf-8")


def test_scenarios_travel_with_the_package(project, repository):
    link = repository / "python" / "odonata" / "examples"
    assert link.resolve() == repository / "scenarios"
    (included,) = project["tool"]["maturin"]["include"]
    assert included == {"path": "python/odonata/examples/**/*", "format": ["sdist", "wheel"]}


def test_release_refuses_what_is_not_committed(repository, tmp_path):
    copy = tmp_path / "copy"
    (copy / "tools").mkdir(parents=True)
    for name in ("tools/release.sh", "Cargo.toml", "CHANGELOG.md"):
        (copy / name).write_bytes((repository / name).read_bytes())
    subprocess.run(["git", "init", "-q", copy], check=True)
    done = subprocess.run(["bash", "tools/release.sh"], cwd=copy, capture_output=True, text=True,
                          check=False)  # fmt: skip
    assert done.returncode == 1
    assert "the tree has changes" in done.stderr


DIRECTIVES = {"conflicts", "depends_on", "extends", "license", "maintainers", "patch", "provides",
              "requires", "resource", "variant", "version"}  # fmt: skip
"""What the packaging guide of Spack lists for the body of a package."""


class Recipe(dict):
    """Stands for ``from spack.package import *``: what the guide names, and nothing else."""

    def __init__(self):
        self.said, self.ran = [], []
        super().__init__(
            {name: self._directive(name) for name in DIRECTIVES},
            PythonPackage=object, run_before=self._phase, run_after=self._phase,
            on_package_attributes=lambda **_: self._same, working_dir=contextlib.chdir,
            copy=shutil.copy, which=lambda name: lambda *words: self._run(name, *words),
            Executable=lambda path: lambda *words: self._run(str(path), *words),
        )  # fmt: skip

    def _directive(self, name):
        return lambda *words, **more: self.said.append((name, words, more))

    def _run(self, *words):
        self.ran.append(words)
        for target in ("libodonata_aries.so", "libodonata_fi.so"):
            Path("target/release").mkdir(parents=True, exist_ok=True)
            Path("target/release", target).touch()

    @staticmethod
    def _same(function):
        return function

    def _phase(self, phase):
        assert phase in {"install", "build"}  # of PythonPackage
        return self._same


@pytest.fixture
def recipe(repository, monkeypatch):
    """The recipe, carried out with stand-ins for Spack."""
    stands_for, module = Recipe(), types.ModuleType("spack.package")
    vars(module).update(stands_for)
    monkeypatch.setitem(sys.modules, "spack", types.ModuleType("spack"))
    monkeypatch.setitem(sys.modules, "spack.package", module)
    path = repository / "packaging" / "spack" / "package.py"
    return stands_for, runpy.run_path(str(path))["Odonata"]


def test_the_recipe_of_spack_is_one(recipe, version, project, repository):
    said = {name: [] for name in DIRECTIVES}
    for name, words, more in recipe[0].said:
        said[name].append((words, more))
    ((released, where),) = said["version"]
    assert released == (version,)
    assert set(where) == {"url", "sha256"}
    for (spec,), more in said["depends_on"]:
        assert re.fullmatch(r"[a-z0-9-]+(@[\d.]*:?[\d.]*)?", spec), spec
        assert set(more) <= {"type", "when"}
        types_ = (more["type"],) if isinstance(more["type"], str) else more["type"]
        assert set(types_) <= {"build", "link", "run", "test"}
    rust = next(spec for (spec,), _ in said["depends_on"] if spec.startswith("rust@"))
    cargo = tomllib.loads((repository / "Cargo.toml").read_text("utf-8"))
    assert rust == f"rust@{cargo['workspace']['package']['rust-version']}:"
    assert project["build-system"]["requires"] == ["maturin>=1.9.4,<2"]
    assert "py-maturin@1.9.4:1" in [spec for (spec,), _ in said["depends_on"]]


def test_the_recipe_of_spack_builds_the_libraries_of_a_checkout(recipe, tmp_path):
    stands_for, package = recipe
    it = package()
    it.stage = types.SimpleNamespace(source_path=str(tmp_path))
    it.build_preload_libraries()
    assert stands_for.ran == []  # of an archive, which has no sources of them
    (tmp_path / "crates" / "aries-preload").mkdir(parents=True)
    (tmp_path / "python" / "odonata").mkdir(parents=True)
    it.build_preload_libraries()
    assert stands_for.ran[0][:3] == ("cargo", "build", "--release")
    found = {path.name for path in (tmp_path / "python" / "odonata").iterdir()}
    assert found == {"libodonata_aries.so", "libodonata-fi.so"}
    it.prefix = types.SimpleNamespace(bin=types.SimpleNamespace(odonata="bin/odonata"))
    with contextlib.chdir(tmp_path):
        it.check()
    assert stands_for.ran[-1] == ("bin/odonata", "doctor")
