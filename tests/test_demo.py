"""`odonata demo`: the first picture, and the scenarios that come with the package."""

from __future__ import annotations

import json

from odonata.cli import main
from odonata.scenario import Scenario


def test_the_first_picture(tmp_path, capsys):
    assert main(["demo", "--out", str(tmp_path / "demo"), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert any(path.endswith("communication_time.png") for path in told["pictures"])
    for path in [told["report"], *told["pictures"]]:
        assert (tmp_path / path).stat().st_size > 1000


def test_scenarios_and_schema_are_inside_the_package(tmp_path, repository, capsys):
    assert main(["demo", "--scenarios", str(tmp_path / "s")]) == 0
    assert "small.toml" not in capsys.readouterr().err
    copied = {str(path.relative_to(tmp_path / "s")) for path in (tmp_path / "s").rglob("*.*")}
    ours = {str(path.relative_to(repository / "scenarios"))
            for path in (repository / "scenarios").rglob("*.*")}  # fmt: skip
    assert copied == ours
    assert Scenario.read(tmp_path / "s" / "real-trace.toml").points
    schema = repository / "python" / "odonata" / "scenario.schema.json"
    assert json.loads(schema.read_text("utf-8"))["title"]
    assert main(["demo", "--scenarios", str(tmp_path / "s")]) == 2
    assert "is there already" in capsys.readouterr().err
