"""Messages of open-loop sources: when they were created, and when their last packet was there."""

from __future__ import annotations

import polars as pl

import odonata

SCENARIO = {
    "system": {"preset": "dragonfly(2, 4, 2, 9)"},
    "seed": 7,
    "routing": {"algorithm": "par"},
    "jobs": [
        {
            "name": "noise",
            "workload": {"kind": "open-loop", "ranks": 40, "load": 0.3, "message": "8 KiB"},
        },
        {
            "name": "halo",
            "role": "victim",
            "workload": {"kind": "halo3d", "ranks": 8, "iterations": 2},
        },
    ],
    "telemetry": {"message_sample": 1},
}
"""Open-loop traffic beside ranks, whose messages have always been in the table."""


def messages(**changes):
    return odonata.run_one({**SCENARIO, **changes}, baseline=False)


def test_every_message_of_a_source_is_a_row():
    result = messages()
    rows = result.table("messages").filter(pl.col("job") == "noise")
    assert set(rows["how"]) == {"open-loop"}
    assert set(rows["bytes"]) == {8192}
    assert (rows["source_rank"] != rows["target_rank"]).all()
    # Packets beyond those of whole messages are of messages that were under way at the end.
    each = 8192 // 512
    packets = result.summary["jobs"][0]["packets"]
    assert 0 <= packets - each * len(rows) < 40 * each * 4
    assert len(rows) > 200


def test_a_message_takes_its_serialization_and_the_way():
    result = messages(jobs=[{**SCENARIO["jobs"][0], "name": "noise"}],
                      measure={"warm_up": "0 us", "window": "60 us"})  # fmt: skip
    rows = result.table("messages")
    time = rows["arrived_ns"] - rows["sent_ns"]
    # 8 KiB at the 25 GB/s of a host link last 328 ns; three links and routers come to it.
    assert 328 < time.min() < 328 + 1000
    packets = result.summary["jobs"][0]["packet_latency_ns"]
    assert time.max() >= packets["p99"]
    assert time.mean() > packets["mean"]


def test_a_sample_is_a_part_and_threads_do_not_matter():
    whole = messages().table("messages")
    some = messages(telemetry={"message_sample": 4})
    part = some.table("messages")
    assert part.equals(whole.join(part, on=part.columns, how="semi", maintain_order="left"))
    noise = part.filter(pl.col("job") == "noise")
    assert len(noise) * 2 < len(whole.filter(pl.col("job") == "noise")) < len(noise) * 8
    again = odonata.run_one({**SCENARIO, "telemetry": {"message_sample": 4}},
                            baseline=False, threads=3)  # fmt: skip
    assert again.table("messages").equals(part)


def test_a_job_can_have_a_sample_of_its_own():
    whole = messages().table("messages")
    noise, halo = SCENARIO["jobs"]
    only = messages(jobs=[{**noise, "message_sample": 1}, halo], telemetry={})
    assert only.table("messages").equals(whole.filter(pl.col("job") == "noise"))
    rest = messages(jobs=[{**noise, "message_sample": 0}, halo])
    assert rest.table("messages").equals(whole.filter(pl.col("job") == "halo"))
    neither = messages(jobs=[{**noise, "message_sample": 0}, halo], telemetry={})
    assert "messages" not in neither.tables()
