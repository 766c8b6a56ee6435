"""Published measurements of real machines give the figures that the page states."""

from __future__ import annotations

import polars as pl
import pytest

from odonata import noise

DIFF_RACK = "daint_mc_rush_hours_diff_rack_default/2022_03_28_17_00_03.tar.xz"
SAME_SLOT = "daint_mc_rush_hour_same_slot_default/2022_03_30_18_14_05.tar.xz"
ALPS = "alps/2022_07_14_12_59_18.tar.xz"


@pytest.fixture(scope="module")
def read(shared):
    found = {}

    def archive(name):
        if name not in found:
            found[name] = noise.read(shared / "data" / "noise" / name).frame
        return found[name]

    return archive


def latency(frame):
    return frame.filter(pl.col("series") == "ng_netnoise_mpi_lat")


@pytest.mark.parametrize(
    ("archive", "machine"),
    [(DIFF_RACK, "Piz Daint (Aries), racks apart"), (SAME_SLOT, "Piz Daint, same slot"),
     (ALPS, "Alps (Slingshot), racks apart")],
)  # fmt: skip
def test_the_table_of_the_page_is_what_the_tool_computes(read, repository, archive, machine):
    page = (repository / "docs" / "noise.md").read_text("utf-8")
    (shown,) = [line.strip("| ").split(" | ") for line in page.splitlines()
                if line.startswith(f"| {machine}")]  # fmt: skip
    row = noise.summary(latency(read(archive))).row(0, named=True)
    p99 = row["p99"] / 1e3
    low, high = row["quartile_dispersion_low"], row["quartile_dispersion_high"]
    assert shown[1:] == [
        f"{row['count']:,}",
        f"{row['median'] / 1e3:.2f} us",
        f"{row['quartile_dispersion']:.3f} ({low:.3f} to {high:.3f})",
        f"{p99:.0f} us" if p99 > 100 else f"{p99:.2f} us",
        f"{row['maximum_over_median']:,.1f}",
    ]


def test_hosts_do_not_explain_the_noise_of_piz_daint(read):
    frame = read(DIFF_RACK)
    detours = frame.filter(pl.col("quantity") == "detour")["value"]
    watched = frame.filter(pl.col("quantity") == "watched")["value"].item()
    found = noise.slow_samples(latency(frame)["value"], detours, watched)
    assert round(found.slow.estimate, 3) == 0.398
    assert round(found.host_share, 3) == 0.036
    assert round(noise.host_noise(detours, watched).rate_per_s) == 502


def test_alps_is_less_noisy_than_piz_daint(read):
    row = noise.compare(latency(read(DIFF_RACK)), latency(read(ALPS))).row(0, named=True)
    assert row["verdict"] == "lower"  # the median is
    assert row["quartile_dispersion_ratio_low"] > 25  # and the noise is not


def test_collectives_of_piz_daint_end_with_their_slowest_rank(shared):
    frame = noise.read(shared / "data" / "noise" / "daint__collectives").frame
    ring = frame.filter(pl.col("series") == "pipelinedring_16_16")
    found = noise.slowest_ranks(ring)
    assert len(found) == 1000
    assert found["ranks"].unique().item() == 16
    assert noise.spread_of_extremes(found) > 1.5
