"""Recipes and scripts of a release say what pyproject.toml says; archives hold what is promised."""

from __future__ import annotations

import re
import subprocess
import tomllib

import pytest


@pytest.fixture(scope="module")
def project(repository):
    return tomllib.loads((repository / "pyproject.toml").read_text("utf-8"))


@pytest.fixture(scope="module")
def version(repository):
    text = (repository / "Cargo.toml").read_text("utf-8")
    return tomllib.loads(text)["workspace"]["package"]["version"]


@pytest.mark.parametrize("script", ["release.sh", "vendor.sh", "setup.sh", "record.sh"])
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
