"""What is installed and what is missing, and what is said of it."""

from __future__ import annotations

import importlib.metadata
import json

from odonata.campaign import experiment
from odonata.cli import diagnosis, main


def by_name():
    return {one.what: one for one in diagnosis.examine()}


def test_nothing_is_broken_here(capsys):
    assert main(["doctor", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    states = {one["what"]: one["state"] for one in told["findings"]}
    assert states["trial run"] == states["package numpy"] == states["odonata"] == "ok"
    assert "broken" not in states.values()
    assert main(["doctor"]) == 0
    assert "packet-hops" in capsys.readouterr().out


def test_a_missing_package_is_named_with_what_to_do(monkeypatch, capsys):
    real = importlib.metadata.version

    def version(name):
        if name in {"polars", "otf2"}:
            raise importlib.metadata.PackageNotFoundError(name)
        return real(name)

    monkeypatch.setattr(importlib.metadata, "version", version)
    found = by_name()
    assert found["package polars"].state == "broken"
    assert "pip install 'polars'" in found["package polars"].says
    assert found["package otf2"].state == "missing"
    assert main(["doctor"]) == 1
    assert "BROKEN   package polars" in capsys.readouterr().out


def test_a_trial_run_with_other_numbers_is_told(monkeypatch):
    real = experiment.run

    def run(scenario):
        result = real(scenario)
        result.summary["jobs"][0]["bytes_sent"] += 1
        return result

    monkeypatch.setattr(experiment, "run", run)
    assert by_name()["trial run"].state == "broken"


def test_programs_that_are_not_there_are_not_faults(monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    found = by_name()
    assert found["program mpicc"].state == "missing"
    assert "docs/recording.md" in found["program mpicc"].says


def test_an_unpacked_source_is_no_fault(monkeypatch):
    def unknown(name):
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "requires", unknown)
    (found,) = [one for one in diagnosis.examine() if one.what.startswith("package ")]
    assert found.state == "missing"
    assert "without having been installed" in found.says
