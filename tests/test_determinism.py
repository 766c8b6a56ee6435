"""The same scenario and seed give the same bytes, for any number of threads, in any process."""

from __future__ import annotations

import hashlib

import pytest

from examples import jobs, open_loop
from odonata.scenario.text import to_toml

SCENARIOS = {
    "open loop, minimal": open_loop(),
    "open loop, adaptive, near saturation": open_loop(
        routing={"algorithm": "ugal-g"},
        jobs=[{"workload": {"kind": "open-loop", "pattern": "adversarial", "load": 0.9}}],
        telemetry={"packet_sample": 3},
    ),
    "jobs, input and output queues": jobs(
        system={"preset": "dragonfly(2, 4, 2, 9)", "router": {"architecture": "cioq"}}
    ),
    "jobs beside open loop": jobs(
        jobs=[
            *jobs()["jobs"][:1],
            {
                "role": "background",
                "placement": "random-node",
                "workload": {"kind": "open-loop", "load": 0.3},
            },
        ]
    ),
}


def digests(folder):
    files = sorted(folder.rglob("*.parquet"))
    assert len(files) >= 5
    return {
        str(file.relative_to(folder)): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in files
    }


@pytest.mark.parametrize("name", SCENARIOS)
def test_same_bytes(name, odonata, tmp_path):
    file = tmp_path / "s.toml"
    file.write_text(to_toml(SCENARIOS[name]))
    found = []
    for folder, threads in (("one", 1), ("again", 1), ("two", 2), ("three", 3)):
        done = odonata("run", file, "--out", folder, "--threads", threads)
        assert done.returncode == 0, done.stderr
        found.append(digests(tmp_path / folder))
    assert all(other == found[0] for other in found[1:])


def test_another_seed_gives_other_bytes(odonata, tmp_path):
    file = tmp_path / "s.toml"
    file.write_text(to_toml(open_loop()))
    for seed in (1, 2):
        assert odonata("run", file, "--set", f"seed={seed}", "--out", seed).returncode == 0
    one, two = (digests(tmp_path / folder) for folder in ("1", "2"))
    assert one["links.parquet"] != two["links.parquet"]
