"""Every wrong scenario is refused with place, valid choices and a remedy."""

from __future__ import annotations

import pytest

from odonata.errors import ScenarioError
from odonata.scenario import Scenario

GOOD = """\
schema = 1
name = "good"
[system]
preset = "dragonfly(2, 4, 2, 9)"
[routing]
algorithm = "minimal"
[[jobs]]
name = "halo"
role = "victim"
placement = "random-node"
workload = { kind = "halo3d", ranks = 27, grid = [3, 3, 3], face = "16 KiB", iterations = 2 }
[stop]
time = "1 ms"
"""


def refused(text, tmp_path, overrides=()):
    file = tmp_path / "wrong.toml"
    file.write_text(text)
    with pytest.raises(ScenarioError) as caught:
        Scenario.read(file, overrides=overrides)
    return str(caught.value).replace(f"{tmp_path}/", "")


def test_the_good_scenario_is_good():
    assert Scenario.from_text(GOOD).points


@pytest.mark.parametrize(
    ("old", "new", "parts"),
    [
        ("[stop]", "[stopp]", ["line 12", "`stopp`", "Did you mean `stop`?", "measure"]),
        ("role =", "roll =", ["line 9", "`jobs[0].roll`", "Did you mean `role`?", "placement"]),
        ('"victim"', '"victm"', ["line 9", "Did you mean `victim`?", "aggressor, background"]),
        ("face =", "faze =", ["line 11", "`jobs[0].workload.faze`", "`face`", "halo3d"]),
        ('"16 KiB"', '"16 ns"', ["line 11", "workload.face", "not a unit of bytes", "KiB"]),
        ('"16 KiB"', "16", ["line 11", "has no unit", '"512 B"']),
        ('"1 ms"', '"1 parsec"', ["line 13", "`stop.time`", "`parsec`", "ps, ns, us, ms, s"]),
        ('"1 ms"', '"0 s"', ["line 13", "too small", "1 ps"]),
        ('"halo3d"', '"halo3"', ["line 11", "workload", "Did you mean `halo3d`?", "fft3d"]),
        ('"random-node"', '"random"', ["line 10", "placement", "random-node", "contiguous"]),
        ('"minimal"', '"q-adaptiv"', ["line 6", "routing", "minimal", "ugal-group", "par"]),
        ('"minimal"', "7", ["line 5", "`algorithm`", "ugal-node"]),
        ('algorithm = "minimal"', "bias = 3", ["line 5", "`routing`", "Valid: minimal"]),
        ("preset =", "present =", ["line 4", "`system.present`", "Did you mean `preset`?"]),
        ("(2, 4, 2, 9)", "(2, 4)", ["line 4", "p, a, h, g"]),
        ('"dragonfly(2, 4, 2, 9)"', '"kang-1056"', ["line 4", "kang2022-1056", "booksim-1056"]),
        ("ranks = 27", 'ranks = "27"', ["line 11", "whole number", "Leave the quotes out."]),
        ("iterations = 2", 'overlap = "true"', ["line 11", "Leave the quotes out."]),
        ('"minimal"', '"PAR"', ["line 6", "Did you mean `par`?"]),
        ('"16 KiB"', '"0 B"', ["line 11", "too small", "1 B"]),
        ('"16 KiB"', '"16 kilobytes"', ["line 11", "`kilobytes`"]),
        ("ranks = 27", "ranks = -1", ["line 11", "whole number of at least 0"]),
        ("ranks = 27", "ranks = true", ["line 11", "whole number"]),
        ("iterations = 2", "iterations = 2.5", ["line 11", "whole number"]),
        ("iterations = 2", "compute = nan", ["line 11", "`jobs[0].workload.compute`"]),
        ("schema = 1", "schema = 2", ["line 1", "schema = 1"]),
        ('name = "good"', 'name = "a/b"', ["line 2", "`name`", "without slashes"]),
        ('name = "good"', "seed = -1", ["line 2", "`seed`", "2^63"]),
        ('name = "good"', f"seed = {2**64 - 1}", ["line 2", "`seed`", "-2^63 to 2^63 - 1"]),
        ("schema = 1", "measure = 5", ["line 1", "`measure`", "not a table"]),
        ('time = "1 ms"', '"time" = 1 ms', ["line 13", "not valid TOML"]),
        ("[routing]", "[routing", ["line 5", "not valid TOML"]),
        ("[routing]\n", "", ["wrong.toml", "algorithm"]),
    ],
)
def test_wrong_values(old, new, parts, tmp_path):
    assert old in GOOD
    message = refused(GOOD.replace(old, new), tmp_path)
    assert message.startswith("wrong.toml")
    for part in parts:
        assert part in message, message


def test_missing_tables(tmp_path):
    assert "Presets:" in refused("", tmp_path)
    assert "halo3d" in refused(GOOD[: GOOD.index("[[jobs]]")], tmp_path)
    assert "Valid: minimal" in refused(
        GOOD.replace('[routing]\nalgorithm = "minimal"\n', ""), tmp_path
    )


def test_two_jobs_of_one_name(tmp_path):
    job = GOOD[GOOD.index("[[jobs]]") : GOOD.index("[stop]")]
    message = refused(GOOD + job, tmp_path)
    assert "two jobs are called" in message
    assert "`jobs[1].name`" in message


@pytest.mark.parametrize(
    ("sweep", "parts"),
    [
        ("sweep = 3", ["`sweep`", "table"]),
        ("[sweep]\nseed = 3", ["line 15", "list"]),
        ("[sweep]\nseed = []", ["line 15", "at least one"]),
        ('[sweep]\n"jobs.9.role" = ["victim"]', ["line 15", "no element 9"]),
        ('[sweep]\n"routing.algorithm" = ["minimal", "pur"]', ["line 15", "`par`"]),
        ('[sweep]\n"seed" = [1]\nseed2 = [3]', ["line 16", "`seed2`", "`seed`"]),
        (f"[sweep]\nseed = {list(range(400))}\n'stop.time' = {['1 ms'] * 400}", ["160000 runs"]),
    ],
)
def test_wrong_sweeps(sweep, parts, tmp_path):
    text = sweep + "\n" + GOOD if sweep.startswith("sweep =") else GOOD + sweep
    message = refused(text, tmp_path)
    for part in parts:
        assert part in message, message


@pytest.mark.parametrize(
    ("override", "parts"),
    [
        ("seed", ["--set seed", "key=value"]),
        ("routing.algorithm=minimall", ["--set routing.algorithm", "Did you mean `minimal`?"]),
        ("jobs.3.role=victim", ["--set jobs.3.role", "valid: 0 to 0"]),
        ("jobs.hallo.role=victim", ["--set jobs.hallo.role", "Did you mean `halo`?"]),
        ("mesure.window=1 us", ["--set mesure.window", "`measure`"]),
        ('stop.time="1 kB"', ["--set stop.time", "not a unit of time"]),
        ('a="', ["--set a", "not valid TOML"]),
        ("=1", ["empty"]),
        ("jobs.0.workload.grid.0.x=1", ["--set jobs.0", "not a table"]),
        ("measure.window=1 parsec", ["--set measure.window", "`parsec`"]),
    ],
)
def test_wrong_overrides(override, parts, tmp_path):
    message = refused(GOOD, tmp_path, [override])
    for part in parts:
        assert part in message, message


def test_files_that_cannot_be_read(tmp_path):
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe\x00")
    for name, part in [("none.toml", "no such file"), (".", "directory"), ("binary.toml", "UTF-8")]:
        with pytest.raises(ScenarioError, match=part):
            Scenario.read(tmp_path / name)
    with pytest.raises(ScenarioError, match="text, numbers, lists"):
        Scenario.from_mapping({"seed": object()})
