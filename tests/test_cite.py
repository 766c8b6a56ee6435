"""``odonata cite`` and CITATION.cff say the same, and name the sources of what runs used."""

from __future__ import annotations

import json
import re
import tomllib

import pytest
import yaml

import odonata
from odonata.cli import main
from odonata.output import citation
from odonata.scenario import Scenario, registry
from odonata.scenario.presets import presets


@pytest.fixture(scope="module")
def cff(repository):
    return yaml.safe_load((repository / "CITATION.cff").read_text("utf-8"))


def test_citation_file_is_valid(cff, repository):
    """Required keys, names and types of the Citation File Format 1.2.0."""
    assert cff["cff-version"] == "1.2.0"
    assert {"cff-version", "message", "title", "authors"} <= set(cff)
    assert set(cff) <= {
        "abstract", "authors", "cff-version", "commit", "contact", "date-released", "doi",
        "identifiers", "keywords", "license", "license-url", "message", "preferred-citation",
        "references", "repository", "repository-artifact", "repository-code", "title", "type",
        "url", "version",
    }  # fmt: skip
    assert cff["type"] == "software"
    assert cff["authors"] == [{"name": citation.AUTHORS}]
    assert all(isinstance(cff[key], str) and cff[key] for key in ("message", "title", "abstract"))
    assert all(isinstance(word, str) for word in cff["keywords"])
    cargo = tomllib.loads((repository / "Cargo.toml").read_text("utf-8"))
    project = tomllib.loads((repository / "pyproject.toml").read_text("utf-8"))["project"]
    assert str(cff["version"]) == cargo["workspace"]["package"]["version"] == odonata.__version__
    assert " OR ".join(cff["license"]) == project["license"]
    assert cff["keywords"] == project["keywords"]


def test_codemeta_and_changelog_say_the_same(cff, repository):
    meta = json.loads((repository / "codemeta.json").read_text("utf-8"))
    project = tomllib.loads((repository / "pyproject.toml").read_text("utf-8"))["project"]
    assert (meta["version"], meta["dateModified"]) == (cff["version"], cff["date-released"])
    assert (meta["description"], meta["keywords"]) == (project["description"], cff["keywords"])
    assert [one["name"] for one in meta["author"]] == [one["name"] for one in cff["authors"]]
    assert [one.rpartition("/")[2] for one in meta["license"]] == cff["license"]
    assert meta["softwareRequirements"] == [f"Python {project['requires-python']}"]
    section = (
        (repository / "CHANGELOG.md").read_text("utf-8").partition(f"## {cff['version']}\n")[2]
    )
    assert section.split()[0] == f"{cff['date-released']}."


def test_command_and_file_say_the_same(cff, capsys):
    assert main(["cite"]) == 0
    said = capsys.readouterr().out
    assert f"{cff['authors'][0]['name']}: {cff['title']}. Version {cff['version']}." in said
    assert " or ".join(cff["license"]) in said
    assert main(["cite", "--format", "bibtex"]) == 0
    entry = capsys.readouterr().out
    assert re.fullmatch(r"@misc\{odonata,\n(  \w+ = \{.*\},\n)+\}\n", entry)
    assert entry.count("{") == entry.count("}")
    assert f"author = {{{{{cff['authors'][0]['name']}}}}}" in entry
    assert main(["cite", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["title"], data["version"], data["uses"]) == (cff["title"], cff["version"], [])


def test_a_folder_names_the_sources_of_what_was_run(tmp_path, scenarios, capsys):
    sweep = ['sweep."routing.algorithm"=["minimal", "par"]', "system.mpi.collectives=mpich"]
    odonata.sweep(scenarios / "small.toml", overrides=sweep, out=tmp_path / "out", baseline=False)
    found = {(one.kind, one.name): one.source for one in citation.uses(tmp_path / "out")}
    routings, workloads = registry.family("routings"), registry.family("workloads")
    assert found["routing", "par"] == routings["par"].source
    assert ("routing", "ugal-group") not in found  # the file has it, no run had
    assert found["workload", "halo3d"] == workloads["halo3d"].source
    assert found["collectives", "mpich"] == registry.family("profiles")["mpich"].source
    (system,) = [name for kind, name in found if kind == "system"]
    assert system.startswith("dragonfly(2, 4, 2, 9)")
    assert found["system", system] == presets()["dragonfly"].source
    assert next(iter(found))[0] == "system"
    for way in ("text", "bibtex"):
        assert main(["cite", str(tmp_path / "out"), "--format", way]) == 0
        said = capsys.readouterr().out
        assert all(f"{kind} {name}: {source}." in said for (kind, name), source in found.items())


def test_every_scenario_of_the_repository_has_its_sources(scenarios):
    for path in scenarios.glob("*.toml"):
        found = citation.uses(path)
        assert found == list(dict.fromkeys(found))
        assert all(one.source and "docs/" not in one.source for one in found)
        kinds = [one.kind for one in found]
        assert kinds[0] == "system", path
        for point in Scenario.read(path).points:
            algorithm = point.resolved["routing"]["algorithm"]
            if registry.family("routings")[algorithm].source:
                assert ("routing", algorithm) in [(one.kind, one.name) for one in found]


def test_what_cannot_be_read_is_said(tmp_path, capsys):
    assert main(["cite", str(tmp_path)]) == 2
    assert "holds no results" in capsys.readouterr().err
    assert main(["cite", str(tmp_path / "none.toml")]) == 2
