"""Counters by the machine's names: tables, views, listings, exports that are read back."""

from __future__ import annotations

import itertools
import json
import re

import polars as pl
import pytest

from odonata import RunError, load, measured, run
from odonata.cli import main
from odonata.errors import Error
from odonata.measured import form
from odonata.output import exports
from odonata.results.measurements import form_of
from odonata.scenario.counters import counters, find

ARIES = {
    "preset": "theta",
    "topology": {"groups": 2, "rows": 2, "columns": 4, "global_ports_per_router": 2},
}
JOBS = [
    {
        "name": "a2a",
        "role": "victim",
        "placement": "contiguous",
        "workload": {"kind": "alltoall", "ranks": 8, "message": "2 KiB", "iterations": 2},
    },
    {
        "name": "noise",
        "role": "background",
        "placement": "contiguous",
        "workload": {"kind": "open-loop", "load": 0.3, "message": "512 B"},
    },
]
FLIT_BYTES = 16


def scenario(**more):
    telemetry = {"counters": True, **more.pop("telemetry", {})}
    return {"system": ARIES, "routing": {"algorithm": "adaptive-0"}, "jobs": JOBS,
            "telemetry": telemetry, **more}  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("counters") / "sampled"


@pytest.fixture(scope="module")
def sampled(folder):
    run(scenario(telemetry={"counter_interval": "3 us"}), out=folder, baseline=False)
    return load(folder)


@pytest.fixture(scope="module")
def slingshot():
    """A NIC of Cassini in a small system."""
    system = {"preset": "dragonfly(2, 4, 2, 9)", "nic": {"counters": "cassini"}}
    return run(scenario(system=system, routing={"algorithm": "minimal"}), baseline=False)


def at_the_end(frame):
    return frame.filter(pl.col("time_ns") == frame["time_ns"].max())


def total(frame, *names):
    return frame.filter(pl.col("counter").is_in(list(names)))["value"].sum()


def test_readings_begin_at_zero_and_never_go_back(sampled):
    for name in ("counters", "nic_counters"):
        table = sampled.table(name)
        keys = [one for one in ("router", "port", "node") if one in table.columns]
        steps = table.sort("time_ns", maintain_order=True).select(
            pl.col("value").cast(pl.Int64).diff().over([*keys, "counter"]).alias("step")
        )["step"]
        assert steps.min() >= 0
        first = table.filter(pl.col("time_ns") == 0)
        assert len(first)
        assert first["value"].sum() == 0
        times = table["time_ns"].unique().sort()
        assert times[1] == 3_000
        # What never counted has no row.
        assert at_the_end(table)["value"].min() > 0


def test_what_tiles_count_is_what_links_carried(sampled):
    links = sampled.table("links")
    end = at_the_end(sampled.table("counters"))
    network, processor = end.filter(pl.col("tile") < 50), end.filter(pl.col("tile") >= 50)
    nics = at_the_end(sampled.table("nic_counters"))
    sent = total(
        nics, "AR_NIC_NETMON_ORB_EVENT_CNTR_REQ_FLITS", "AR_NIC_RSPMON_NPT_EVENT_CNTR_NL_FLITS"
    )
    arrived = total(processor, "INQ_PRF_INCOMING_FLIT_VC0", "INQ_PRF_INCOMING_FLIT_VC4")
    # At most what is on the wires lies between the two ends.
    assert 0 <= sent - arrived < 0.01 * sent
    between = links.filter(pl.col("kind") != "host")["bytes"].sum()
    flits = total(network, "INQ_PRF_INCOMING_FLIT_TOT") * FLIT_BYTES
    assert 0.98 * between < flits < 1.01 * between
    channels = [f"INQ_PRF_INCOMING_FLIT_VC{vc}" for vc in range(8)]
    assert total(network, *channels) == total(network, "INQ_PRF_INCOMING_FLIT_TOT")
    stalls = links.filter(pl.col("kind") != "host")["stall_ns"].sum() / 1.25
    columns = total(network, "COLBUF_PERF_STALL_RQ:COL_BUF_PERF_STALL_RQ",
                    "COLBUF_PERF_STALL_RS:COL_BUF_PERF_STALL_RS")  # fmt: skip
    assert columns > 0.98 * stalls > 0


def test_the_user_sees_the_own_routers_and_they_are_the_same(sampled):
    own = run(
        scenario(telemetry={"counter_interval": "3 us", "counter_view": "user"}), baseline=False
    )
    nodes = sampled.table("ranks").filter(pl.col("job") == "a2a")["node"]
    seen = sampled.table("nic_counters").filter(pl.col("node").is_in(nodes.to_list()))
    assert own.table("nic_counters").equals(seen)
    host = sampled.table("links").filter(
        pl.col("target_node").is_in(nodes.cast(pl.Float64).to_list())
    )
    routers = host["source_router"].unique().to_list()
    tiles = sampled.table("counters").filter(pl.col("router").is_in(routers))
    assert own.table("counters").equals(tiles)
    assert len(tiles) < len(sampled.table("counters"))


def test_without_an_interval_there_is_one_reading(sampled):
    counters = run(scenario(), baseline=False).table("counters")
    assert "time_ns" not in counters.columns
    assert counters.equals(at_the_end(sampled.table("counters")).drop("time_ns"))


@pytest.mark.parametrize(
    ("telemetry", "words"),
    [
        ({"counters": False, "counter_interval": "1 us"}, "`counter_interval` is about counters"),
        ({"counters": False, "counter_view": "user"}, "`counter_view` is about counters"),
        ({"counter_view": "usr"}, "user"),
    ],
)
def test_settings_that_mean_nothing_are_refused(telemetry, words):
    with pytest.raises(Error, match=words):
        run(scenario(telemetry=telemetry))


def test_cassini_nics_have_their_own_names(slingshot):
    nics = slingshot.table("nic_counters")
    packets = slingshot.jobs["a2a"].summary["packets"] + slingshot.jobs["noise"].summary["packets"]
    bins = [f"pct_req_rsp_latency_{number}" for number in range(32)]
    sizes = next(one for one in counters() if one.name.startswith("hni_rx_ok_")).names
    classes = [f"hni_pkts_recv_by_tc_{number}" for number in range(8)]
    for names in (bins, sizes, classes):
        assert abs(total(nics, *names) - packets) < 0.02 * packets, names[0]
    assert set(nics["counter"]) <= {name for one in counters() for name in one.names}


def test_simulated_counters_have_the_form_of_measured_ones(sampled):
    found = form_of(sampled).filter(pl.col("statistic") == form.TOTAL)
    stall = found.filter(pl.col("quantity") == "INQ_PRF_ROWBUS_STALL_CNT")
    assert stall["unit"].unique().to_list() == ["cycles"]
    assert stall["place"].str.contains(r"^router \d+ tile \d+ port \d+$").all()


def test_aries_ncl_is_read_back(sampled, tmp_path):
    exports.export(sampled, "aries-ncl", tmp_path / "ncl", job="a2a")
    frame = measured.read([tmp_path / "ncl"]).frame
    ranks = sampled.table("ranks").filter(pl.col("job") == "a2a").sort("rank")
    links = sampled.table("links").filter(pl.col("target_node").is_not_nan())
    router_of = dict(zip(links["target_node"].cast(pl.Int64), links["source_router"], strict=True))
    readers = {}
    for rank, node in ranks.select("rank", "node").iter_rows():
        readers.setdefault(router_of[node], rank)
    table = sampled.table("counters").filter(pl.col("router").is_in(list(readers)))
    machine = [name for one in counters() if not one.is_derived for name in one.names]
    end = at_the_end(table).filter(pl.col("counter").is_in(machine))
    assert len(end) > 100
    counted = frame.group_by("rank", "place", "quantity").agg(pl.col("value").sum())
    counted = {row[:3]: row[3] for row in counted.iter_rows()}
    for router, tile, name, value in end.select("router", "tile", "counter", "value").iter_rows():
        place = f"tile {tile // 10},{tile % 10}"
        assert counted[readers[router], place, name] == value, (router, place, name)
    times = frame.filter(pl.col("quantity") == "comm_time")
    assert times["value"].max() == 3_000
    # All 25 counters of each tile that has counted anything.
    one = frame.filter(pl.col("place") == "tile 0,0")
    assert one["quantity"].n_unique() == 25


def test_the_text_of_aries_ncl_is_read_back(sampled, tmp_path):
    exports.export(sampled, "aries-ncl-text", tmp_path / "ncl", job="a2a")
    text = measured.read([tmp_path / "ncl"]).frame
    exports.export(sampled, "aries-ncl", tmp_path / "bin", job="a2a")
    binary = measured.read([tmp_path / "bin"]).frame.filter(pl.col("place").is_not_null())
    key = ["rank", "place", "quantity", "iteration"]
    both = text.filter(pl.col("value") > 0).join(binary, on=key, how="left")
    assert len(both) > 1_000
    assert (both["value"] == both["value_right"]).all()


def test_ldms_is_read_back(sampled, tmp_path):
    exports.export(sampled, "ldms", tmp_path / "ldms", everything=True)
    found = measured.read([tmp_path / "ldms"]).frame
    assert found["statistic"].unique().to_list() == [form.TOTAL]
    for name in ("INQ_PRF_ROWBUS_STALL_CNT", "INQ_PRF_INCOMING_FLIT_VC4"):
        table = sampled.table("counters").filter(pl.col("counter") == name)
        mine = table.group_by("time_ns").agg(pl.col("value").sum()).sort("time_ns")
        theirs = found.filter(pl.col("quantity") == name)
        theirs = theirs.group_by("time_ns").agg(pl.col("value").sum()).sort("time_ns")
        assert mine["value"].to_list() == theirs["value"].to_list()
        assert (mine["time_ns"] - theirs["time_ns"]).abs().max() < 1e-3
    name = "AR_NIC_NETMON_ORB_EVENT_CNTR_REQ_FLITS"
    mine = at_the_end(sampled.table("nic_counters")).filter(pl.col("counter") == name).sort("node")
    theirs = at_the_end(found.filter(pl.col("quantity") == name)).sort("place")
    assert mine["value"].to_list() == theirs["value"].to_list()


def test_the_set_of_nics_of_ldms_has_their_own_names_only(sampled, tmp_path):
    exports.export(sampled, "ldms", tmp_path / "ldms", everything=True)
    routers, nics = (
        pl.read_csv(tmp_path / "ldms" / f"aries_{kind}_mmr.csv") for kind in ("rtr", "nic")
    )
    real = {name for row in counters() if not row.is_derived for name in row.names}
    assert nics.columns[5:]
    assert all(name.startswith("AR_NIC_") and name in real for name in nics.columns[5:])
    links = [name for name in routers.columns if name.startswith("AR_NL_")]
    assert links
    for name in links:
        table = sampled.table("nic_counters").filter(pl.col("counter") == name)
        assert routers[name].sum() == table["value"].sum() > 0


def test_times_of_cassini_have_nine_decimals(slingshot, tmp_path):
    exports.export(slingshot, "cassini", tmp_path / "telemetry", job="a2a")
    lines = "".join(file.read_text() for file in (tmp_path / "telemetry").iterdir()).splitlines()
    times = {line.rpartition("@")[2] for line in lines}
    assert all(re.fullmatch(r"\d+\.\d{9}", time) for time in times)
    assert max(map(float, times)) * 1e9 <= slingshot.summary["simulated_ns"]


@pytest.mark.parametrize("every", ["100 ns", "1 us", "7 us", "1 s"])
def test_no_counter_is_read_after_the_end_of_the_run(every):
    result = run(scenario(telemetry={"counter_interval": every}), baseline=False)
    end = result.summary["simulated_ns"]
    for name in ("counters", "nic_counters"):
        times = result.table(name)["time_ns"].unique().sort().to_list()
        assert times[0] == 0
        assert times[-1] == end
        steps = [later - sooner for sooner, later in itertools.pairwise(times)]
        step = {"100 ns": 100.0, "1 us": 1e3, "7 us": 7e3, "1 s": 1e9}[every]
        assert all(one == step for one in steps[:-1])
        assert steps[-1] >= step / 2 or len(steps) == 1


def test_cassini_telemetry_is_read_back(slingshot, tmp_path):
    exports.export(slingshot, "cassini", tmp_path / "telemetry", job="a2a")
    found = measured.read([tmp_path / "telemetry"]).frame
    nodes = slingshot.table("ranks").filter(pl.col("job") == "a2a")["node"].to_list()
    own = slingshot.table("nic_counters").filter(pl.col("node").is_in(nodes))
    rows = own.select("node", "counter", "value").iter_rows()
    mine = {(f"nid{node:05d} cxi0", name): value for node, name, value in rows}
    theirs = {row[:2]: row[2] for row in found.select("place", "quantity", "value").iter_rows()}
    assert theirs == mine


def test_nics_of_a_node_are_those_of_one_computer(tmp_path):
    system = {"preset": "dragonfly(2, 4, 2, 9)", "nic": {"counters": "cassini"},
              "node": {"nics": 2, "wiring": "spread"}}  # fmt: skip
    result = run(scenario(system=system, routing={"algorithm": "minimal"}), baseline=False)
    exports.export(result, "cassini", tmp_path / "telemetry", everything=True)
    found = measured.read([tmp_path / "telemetry"]).frame
    hosts = exports.seen(result, None, everything=True).hosts
    assert sorted(hosts.values()) == [(host, nic) for host in range(36) for nic in range(2)]
    # Two ends a router: the first computer has the first end of the first two routers.
    assert [hosts[end] for end in range(4)] == [(0, 0), (1, 0), (0, 1), (1, 1)]
    assert set(found["place"]) <= {f"nid{host:05d} cxi{nic}" for host, nic in hosts.values()}
    sent = found.filter(pl.col("quantity") == "hni_sts_tx_ok_octets")["value"].sum()
    assert sent == total(result.table("nic_counters"), "hni_sts_tx_ok_octets")


def test_exports_that_cannot_be_are_refused(sampled, slingshot, tmp_path):
    for result, form_, job, words in (
        (sampled, "cassini", None, "no counters by Cassini's names"),
        (sampled, "arie-ncl", None, "Did you mean `aries-ncl`"),
        (sampled, "ldms", "a2", "Did you mean `a2a`"),
        (slingshot, "aries-ncl", "nobody", "there is no job"),
    ):
        with pytest.raises(RunError, match=words):
            exports.export(result, form_, tmp_path / "out", job=job)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine").write_text("x")
    with pytest.raises(RunError, match="something already"):
        exports.export(sampled, "ldms", tmp_path / "full")
    without = run(scenario(telemetry={"counters": False}), baseline=False)
    with pytest.raises(RunError, match=r"telemetry\.counters=true"):
        exports.export(without, "ldms", tmp_path / "out")


def test_the_command_line_exports_lists_and_shows(sampled, folder, tmp_path, capsys):
    assert sampled.tables()
    assert (
        main(["export", str(folder), "--format", "ldms", "--out", str(tmp_path / "x"), "--json"])
        == 0
    )
    files = json.loads(capsys.readouterr().out)["files"]
    assert [name.rpartition("/")[2] for name in files] == ["aries_rtr_mmr.csv", "aries_nic_mmr.csv"]
    assert main(["list", "counters", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["entries"]) == len(counters())
    assert main(["show", "counter", "AR_RTR_4_7_INQ_PRF_ROWBUS_STALL_CNT", "--json"]) == 0
    assert "row bus" in json.loads(capsys.readouterr().out)["entries"][0]["hardware"]
    assert main(["show", "counter", "INQ_PRF_ROWBUS_STAL_CNT"]) == 2
    assert "INQ_PRF_ROWBUS_STALL_CNT" in capsys.readouterr().err


def test_every_name_of_the_machines_lists_is_known(shared):
    """Names that tools ask for, but for those between single NICs and processor tiles."""
    folder = shared / "data" / "counters" / "aries_names"
    if not folder.is_dir():
        pytest.skip("the shared data is absent")
    names = {
        name
        for path in sorted(folder.iterdir())
        for line in path.read_text().splitlines()
        if (name := line.strip()).startswith("AR_") and "PTILE_" not in name
    }
    assert len(names) > 1_000
    unknown = sorted(name for name in names if not find(name))
    assert unknown == []
