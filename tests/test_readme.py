"""What the documentation promises works: commands, links, the Python example."""

from __future__ import annotations

import json
import re
import shlex
import sys
import tomllib

import pytest

from examples import open_loop
from odonata import traces
from odonata.cli.arguments import parser
from odonata.errors import TraceError
from odonata.scenario import Scenario

PAGES = ["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "docs/scenario.md", "docs/results.md",
         "docs/limitations.md"]  # fmt: skip


def blocks(text, language=""):
    return re.findall(rf"^```{language}\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def readme(repository):
    return (repository / "README.md").read_text("utf-8")


def test_every_command_is_understood_and_its_scenario_valid(readme, repository):
    commands = [
        shlex.split(line, comments=True)
        for block in blocks(readme)
        for line in block.splitlines()
        if "odonata " in line
    ]
    assert len(commands) >= 8
    for words in commands:
        assert words[0] == ".venv/bin/odonata", words
        options = parser().parse_args(words[1:])
        if "scenario" in options:
            Scenario.read(repository / options.scenario, overrides=options.overrides)


def test_every_command_says_how_long_it_takes(readme):
    lines = [line for block in blocks(readme) for line in block.splitlines() if line]
    silent = [line for line in lines if not re.search(r"# \d+ (s|min)\b", line)]
    assert silent == []


def test_make_targets_exist(repository):
    makefile = (repository / "Makefile").read_text("utf-8")
    targets = set(re.findall(r"^([a-z]+):", makefile, flags=re.MULTILINE))
    for page in PAGES:
        text = (repository / page).read_text("utf-8")
        assert set(re.findall(r"^make ([a-z]+)", text, flags=re.MULTILINE)) <= targets, page


def test_links_lead_somewhere(repository):
    for page in PAGES:
        path = repository / page
        for target in re.findall(r"\]\(([^)#]+)\)", path.read_text("utf-8")):
            if not target.startswith("http"):
                assert (path.parent / target).exists(), f"{page}: {target}"


def test_the_python_example_runs(readme, repository, monkeypatch):
    (example,) = blocks(readme, "python")
    monkeypatch.chdir(repository)
    printed = []
    exec(compile(example, "README.md", "exec"), {"print": printed.append})  # noqa: S102
    assert printed[0] >= 1
    assert "stall_ns" in printed[1].columns


def test_the_scenario_of_the_page_is_valid(repository):
    text, *parts = blocks((repository / "docs/scenario.md").read_text("utf-8"), "toml")
    assert len(Scenario.from_text(text).points) == 9
    assert tomllib.loads(text)["schema"] == 1
    # The others show some keys; with what they leave out they are scenarios.
    for part in parts:
        data = open_loop() | tomllib.loads(part)
        if "topology" not in data["system"]:
            data["system"] = open_loop()["system"] | data["system"]
        for job in data["jobs"]:
            job.setdefault("workload", open_loop()["jobs"][0]["workload"])
        assert Scenario.from_mapping(data).points


def test_a_missing_reader_names_the_packages_of_its_extra(repository, monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "_otf2", None)
    extras = tomllib.loads((repository / "pyproject.toml").read_text("utf-8"))["project"]
    (package,) = extras["optional-dependencies"]["otf2"]
    anchor = tmp_path / "traces.otf2"
    anchor.touch()
    with pytest.raises(TraceError, match=re.escape(f"pip install '{package}'")):
        traces.read(anchor)


def test_one_speed_is_stated_everywhere(readme, repository):
    """README has the range of the standard cases; page, README and reports mean the same by it."""
    page = (repository / "docs" / "performance.md").read_text("utf-8")
    rates = json.loads((repository / "benches" / "rates.json").read_text("utf-8"))
    speeds = [one for case in rates["cases"] if case["series"] == "A" for one in case["rate"]]
    said = re.search(r"(\d+) to (\d+) million packet-hops per second of one core", readme)
    assert [int(one) for one in said.groups()] == [round(min(speeds)), round(max(speeds))]
    of_reports = (repository / "python/odonata/output/report/page.html").read_text("utf-8")
    assert "Million packet-hops per s of one core" in of_reports
    assert "packet-hops over the processor time" in of_reports
    assert "packet-hops over processor time" in page.replace("\n", " ")
