"""Other shapes, failed links, classes and learning, end to end as a user starts them."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET

import polars as pl
import pytest

import odonata as package
from examples import jobs, open_loop
from odonata.scenario.presets import presets
from odonata.scenario.text import to_toml

LENGTHS = {
    "local": {"latency": "3.75 ns", "longest_latency": "12 ns"},
    "global": {"latency": "25 ns", "longest_latency": "175 ns"},
}
"""Copper of 0.75 m to 2.4 m in a group, fibre of 5 m to 35 m between groups."""

SHAPES = ("dragonfly(2, 4, 2, 9)", "megafly(2, 4, 4, 5, 1)")


@pytest.fixture
def write(tmp_path):
    def write(data, name="s.toml"):
        file = tmp_path / name
        file.write_text(to_toml(data))
        return file

    return write


def told(done):
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_channels_that_were_written_are_read_as_the_same_network(odonata, write, shape, ending):
    edges = f"edges.{ending}"
    first = told(odonata("topo", shape, "--edges", edges, "--json"))
    again = write(open_loop(system={"topology": {"kind": "file", "channels": edges}}))
    second = told(odonata("topo", again, "--json"))
    for key in ("nodes", "routers", "groups", "diameter_hops", "links_per_group_pair"):
        assert first[key] == second[key], key
    assert odonata("run", again, "--quiet").returncode == 0


def test_one_group_has_nothing_between_groups(odonata, write, tmp_path):
    """Without columns for groups, a list of channels is one group: its bisection is not known."""
    told(odonata("topo", "dragonfly(2, 4, 2, 9)", "--edges", "edges.csv", "--json"))
    edges = pl.read_csv(tmp_path / "edges.csv").drop(
        "source_group", "target_group", "bandwidth_bytes_per_s", "latency_ns"
    )
    local = edges.with_columns(pl.col("kind").str.replace("global", "local"))
    local.write_csv(tmp_path / "one.csv")
    listed = write(open_loop(system={"topology": {"kind": "file", "channels": "one.csv"}}))
    for system in (listed, "dragonfly(1, 4, 2, 1)"):
        summary = told(odonata("topo", system, "--json"))
        between = ("links_per_group_pair", "minimal_paths", "nonminimal_paths", "bisection_links",
                   "bisection_bytes_per_s")  # fmt: skip
        assert [summary[key] for key in between] == [None] * len(between)
        shown = odonata("topo", system).stdout
        assert "groups  " in shown
        assert "bisection" not in shown
        assert "per pair" not in shown


@pytest.mark.parametrize("shape", [*SHAPES, "theta", "mubarak2019-megafly-8448"])
def test_systems_are_drawn(odonata, tmp_path, shape):
    summary = told(odonata("topo", shape, "--svg", "a.svg", "--json"))
    root = ET.parse(tmp_path / "a.svg").getroot()  # noqa: S314 - our own text
    names = [title.text or "" for title in root.iter("{http://www.w3.org/2000/svg}title")]
    assert sum(name.startswith("router ") for name in names) == summary["routers"]
    assert odonata("topo", shape, "--svg", "a.png").returncode == 2


def test_systems_have_their_published_sizes(odonata):
    theta = told(odonata("topo", "theta", "--json"))
    assert (theta["nodes"], theta["routers"], theta["groups"]) == (3456, 864, 9)
    assert set(theta["links_per_group_pair"].values()) == {48}
    megafly = told(odonata("topo", "mubarak2019-megafly-8448", "--json"))
    assert (megafly["nodes"], megafly["routers"]) == (8448, 33 * 32)
    assert set(megafly["links_per_group_pair"].values()) == {8}
    dragonfly = told(odonata("topo", "mubarak2019-dragonfly-8320", "--json"))
    assert set(dragonfly["links_per_group_pair"].values()) == {2}
    for name, nodes, links in (("frontier", 37_888, 4), ("aurora", 84_992, 2), ("alps", 10_752, 8)):
        found = told(odonata("topo", name, "--json"))["group_kinds"]["compute"]
        assert (found["nodes"], found["links_per_group_pair"]) == (nodes, links)
    for name, links in (("edison", 24), ("piz-daint", 24), ("cori", 12)):
        found = told(odonata("topo", name, "--json"))
        assert set(found["links_per_group_pair"].values()) == {links}


def test_frontier_has_what_its_operators_publish(odonata):
    found = told(odonata("topo", "frontier", "--json"))
    compute, io = found["group_kinds"]["compute"], found["group_kinds"]["io"]
    assert (compute["groups"], compute["routers_per_group"], compute["machine_nodes"]) == (
        74,
        32,
        9472,
    )
    assert compute["global_links_per_group"] == 292
    assert round(compute["taper"], 2) == 0.57
    assert compute["global_bytes_per_s"] == 74 * 73 // 2 * 4 * 25_000_000_000
    assert (io["groups"], io["routers_per_group"]) == (5, 16)
    assert found["links_between_kinds"]["compute-io"]["most"] == 2
    assert (compute["nodes_in_service"], compute["nics_in_service"]) == (9408, 37_632)
    assert (compute["local_links_per_router"], io["local_links_per_router"]) == (31, 15)
    assert found["nodes_out_of_service"] == compute["nodes_out_of_service"] == 64
    assert "nodes_out_of_service" not in io
    shown = " ".join(odonata("topo", "frontier").stdout.split())
    for row in (
        "compute: groups 74",
        "compute: routers per group 32",
        "compute: nodes 9,472",
        "compute: nodes in service 9,408",
        "compute nodes 9,408 9,408 OLCF",
        "NICs of compute nodes 37,632 37,632 OLCF",
        "global over injection bandwidth of a compute group 57 % 57.0 %",
        "compute: links per group pair 4",
        "compute: global links per group 292",
        "compute: taper 57.0 %",
        "io: groups 5",
        "management: groups 1",
    ):
        assert row in shown


def test_aurora_has_the_bisection_that_is_published(odonata):
    compute = told(odonata("topo", "aurora", "--json"))["group_kinds"]["compute"]
    assert compute["machine_nodes"] == 10_624
    assert round(2 * compute["bisection_bytes_per_s"] / 1e15, 2) == 0.69


MACHINES = [name for name, preset in presets().items() if preset.published]


def test_every_machine_says_what_is_published():
    wanted = {"alps", "aurora", "frontier", "isambard-ai", "jupiter", "leonardo", "lumi", "lumi-g",
              "perlmutter"}  # fmt: skip
    assert set(MACHINES) == wanted


@pytest.mark.parametrize("name", MACHINES)
def test_a_preset_has_what_is_published_or_says_why_not(odonata, name):
    published = told(odonata("topo", name, "--json"))["published"]
    assert len(published) == len(presets()[name].published) >= 4
    for one in published:
        assert one["agrees"] != ("differs" in one), one
        assert one["source"], one
    totals = [one for one in published if "nodes" in one["key"] or "bytes_per_s" in one["key"]]
    assert totals
    assert all(one["agrees"] for one in totals)
    assert "published" not in told(odonata("topo", "theta", "--json"))


def test_the_nics_of_a_node_of_aurora_are_on_one_switch(odonata):
    for name, routers in (("aurora", 5600), ("frontier", 9856 // 16), ("alps", 24 * 8)):
        found = told(odonata("topo", name, "--json"))
        assert found["placement_units"]["router"] == routers


def test_the_nics_of_a_machine_are_not_called_its_nodes(odonata):
    shown = " ".join(odonata("topo", "frontier").stdout.split())
    assert "network ends (NICs) 39,424 nodes 9,856" in shown
    assert "NICs per node 4" in shown
    assert told(odonata("topo", "frontier", "--json"))["machine_nodes"] == 9856
    assert "network ends" not in odonata("topo", "kang2022-1056").stdout


def test_the_wiring_of_mfnetsim_is_that_of_its_file(odonata, shared, tmp_path):
    import numpy as np  # noqa: PLC0415

    file = shared / "data" / "reference" / "mfnetsim" / "conf" / "network" / "dally-1056-inter"
    told(odonata("topo", "mfnetsim-1056", "--edges", "e.parquet", "--json"))
    found = pl.read_parquet(tmp_path / "e.parquet").filter(pl.col("kind") == "global")
    pairs = found.select("source_router", "target_router").rows()
    wanted = np.fromfile(file, dtype=np.int32).reshape(-1, 2)
    assert sorted(pairs) == sorted(map(tuple, wanted.tolist()))


def test_theta_is_read_from_its_dump(odonata, write, shared):
    file = shared / "data" / "topology" / "aries" / "theta.interconnect.xz"
    topology = {"kind": "aries-interconnect", "interconnect": str(file)}
    from_dump = write(open_loop(system={"preset": "theta", "topology": topology}))
    one, two = (told(odonata("topo", what, "--json")) for what in (from_dump, "theta"))
    for key in ("nodes", "routers", "diameter_hops", "links_per_group_pair", "bisection_links"):
        assert one[key] == two[key], key


def test_failed_links_are_missing_and_drawn_by_the_seed(odonata, write, tmp_path):
    def edges(failures, seed):
        system = {"preset": "dragonfly(2, 4, 4, 9)", "failures": failures}
        file = write(open_loop(system=system, seed=seed))
        told(odonata("topo", file, "--edges", "e.parquet", "--json"))
        frame = pl.read_parquet(tmp_path / "e.parquet").drop_nulls("source_router")
        return set(
            frame.drop_nulls("target_router").select("source_router", "target_router").rows()
        )

    whole = edges({"fraction": 0.0}, 1)
    assert whole - edges({"links": [[0, 1]]}, 1) == {(0, 1), (1, 0)}
    one, two = edges({"fraction": 0.1}, 1), edges({"fraction": 0.1}, 2)
    assert one != two
    assert one < whole
    assert one == edges({"fraction": 0.1}, 1)
    nowhere = write(open_loop(system={"preset": "dragonfly(2, 4, 2, 9)",
                                      "failures": {"links": [[0, 35]]}}))  # fmt: skip
    done = odonata("check", nowhere)
    assert done.returncode == 2
    assert "failures" in done.stderr


def test_what_was_learnt_is_kept_and_used(odonata, write, tmp_path):
    routing = {"algorithm": "q-adaptive", "save_table": True}
    workload = {"kind": "open-loop", "pattern": "adversarial", "shift": 1, "load": 0.3,
                "message": "512 B"}  # fmt: skip
    data = open_loop(routing=routing, jobs=[{"name": "a", "workload": workload}],
                     measure={"warm_up": "0 ps", "window": "100 us"},
                     telemetry={"series_bin": "5 us"})  # fmt: skip
    told(odonata("run", write(data), "--out", "first", "--json"))
    first = package.load(tmp_path / "first")
    table = first.table("q_table")
    assert table.columns == ["router", "group", "slot", "port", "estimate_ns"]
    data["routing"] = {"algorithm": "q-adaptive", "load_table": "first/q_table.parquet"}
    told(odonata("run", write(data, "t.toml"), "--out", "second", "--json"))
    second = package.load(tmp_path / "second")
    assert "q_table" not in second.tables()
    latencies = [run.summary["network"]["packet_latency_ns"]["mean"] for run in (first, second)]
    assert latencies[1] < 0.5 * latencies[0]
    hashes = {run.summary["scenario_hash"] for run in (first, second)}
    table.filter(pl.col("router") != 0).write_parquet(tmp_path / "first" / "q_table.parquet")
    done = odonata("run", tmp_path / "t.toml", "--out", "third")
    assert done.returncode == 2
    assert "routing.load_table" in done.stderr
    assert len(hashes) == 2


def test_classes_keep_a_victim_from_waiting(odonata, write, tmp_path):
    qos = {"window": "2 us", "classes": [{"name": "high", "cap": "80 %"},
                                         {"name": "low", "cap": "20 %"}]}  # fmt: skip
    slow = []
    for name in ("low", "high"):
        data = jobs(system={"preset": "dragonfly(2, 4, 2, 9)", "qos": qos})
        data["jobs"][0]["class"] = name
        told(odonata("run", write(data), "--out", name, "--json"))
        result = package.load(tmp_path / name)
        slow.append(result.jobs["halo"].comm_time_ns)
        assert set(result.table("link_classes")["class"]) == {"low", name}
    assert slow[1] < slow[0]


def test_a_single_class_has_its_row_on_every_link():
    qos = {"classes": [{"name": "only", "assured": "50 %"}]}
    data = jobs(system={"preset": "dragonfly(2, 4, 2, 9)", "qos": qos})
    result = package.run(data, baseline=False)
    used = result.table("links").filter(pl.col("bytes") > 0)
    one = result.table("link_classes")
    assert set(one["class"]) == {"only"}
    assert one.select("link", "bytes", "packets").equals(used.select("link", "bytes", "packets"))


@pytest.mark.parametrize("ranks_per_node", [1, 2])
def test_a_stripe_that_no_message_reaches_changes_nothing(ranks_per_node):
    results = []
    for stripe in ({}, {"stripe": "1 TiB"}):
        data = jobs(system={"preset": "dragonfly(4, 4, 2, 9)", "node": {"nics": 2, **stripe}})
        for job in data["jobs"]:
            job["ranks_per_node"] = ranks_per_node
        results.append(package.run(data, baseline=False))
    without, with_stripe = results
    assert without.summary["jobs"] == with_stripe.summary["jobs"]
    for name in ("ranks", "links", "latency"):
        assert without.table(name).equals(with_stripe.table(name)), name


def test_an_allocation_file_places_jobs_line_by_line(odonata, write, tmp_path):
    lines = (range(1, 72, 2), range(0, 72, 2))
    text = "".join(f"{' '.join(map(str, nodes))}\n" for nodes in lines)
    (tmp_path / "alloc").write_text(text)
    data = jobs()
    for job in data["jobs"]:
        job["placement"] = {"kind": "list", "file": "alloc"}
    data["jobs"][0]["placement"]["mapping"] = "shuffled"
    told(odonata("run", write(data), "--out", "r", "--no-baseline", "--json"))
    ranks = package.load(tmp_path / "r").table("ranks")
    odd = ranks.filter(pl.col("job") == "halo")["node"]
    assert (odd % 2 == 1).all()
    assert not odd.is_sorted()
    assert (ranks.filter(pl.col("job") == "noise")["node"] % 2 == 0).all()
    (tmp_path / "alloc").write_text("1 2 x\n")
    done = odonata("run", tmp_path / "s.toml", "--out", "wrong")
    assert done.returncode == 2
    assert "line 1" in done.stderr


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("theta-uniform", ["measure.window=500 ns", "measure.warm_up=200 ns"]),
        ("megafly-qos", []),
        ("q-adaptive", ["measure.window=20 us"]),
        ("failed-links", ["measure.window=2 us"]),
    ],
)
def test_scenarios_of_the_repository_run(odonata, scenarios, name, settings):
    options = [word for text in settings for word in ("--set", text)]
    done = odonata("run", scenarios / f"{name}.toml", "--out", "r", "--json", *options)
    report = told(done)
    runs = report.get("runs", [report])
    assert {run["stop"] for run in runs} <= {"finished", "time-limit"}
    assert odonata("report", "r").returncode == 0


def test_requests_that_nobody_answers_are_refused(odonata, write):
    done = odonata("check", write(open_loop(system={"preset": "dragonfly(2, 4, 2, 9)",
                                                    "nic": {"outstanding": 4}})))  # fmt: skip
    assert done.returncode == 2
    assert "nic.response" in done.stderr


def test_no_job_gets_a_node_that_is_out_of_service(odonata, write, tmp_path):
    node = {"nics": 2, "out_of_service": [[0, 29], [34, 35]]}
    data = jobs(system={"preset": "dragonfly(2, 4, 2, 9)", "node": node})
    for job in data["jobs"]:
        job["placement"] = {"kind": "random-node"}
        job["workload"] = {"kind": "halo3d", "ranks": 2, "face": "1 KiB", "iterations": 1}
    told(odonata("run", write(data), "--out", "r", "--no-baseline", "--json"))
    ends = package.load(tmp_path / "r").table("ranks")["node"].to_list()
    # Node n has port n mod 2 of routers 2 (n div 2) and the next: the first of its ends is here.
    assert {end // 4 * 2 + end % 2 for end in ends} == {30, 31, 32, 33}
    data["jobs"][0]["placement"] = {"kind": "list", "nodes": [31, 34]}
    done = odonata("check", write(data))
    assert done.returncode != 0
    assert "node 34" in done.stderr
    assert "out of service" in done.stderr


def test_lengths_of_cables_are_told_and_written(odonata, write, tmp_path):
    file = write(open_loop(system={"preset": "slingshot(4, 4, 1, 5)", "links": LENGTHS}))
    found = told(odonata("topo", file, "--edges", "e.csv", "--json"))
    # Four routers: 6 directed pairs are neighbours, 4 are two apart, 2 three. Five groups in rows
    # of three: of 10 pairs 5 are neighbours, 4 are two apart, 1 is three.
    assert found["latency_ns"] == {
        "local": {"least": 3.75, "mean": 6.5, "most": 12.0},
        "global": {"least": 25.0, "mean": 70.0, "most": 175.0},
    }
    edges = pl.read_csv(tmp_path / "e.csv").filter(pl.col("kind") == "global")
    far = edges.filter(pl.col("source_group") == 2, pl.col("target_group") == 3)
    assert far["latency_ns"].to_list() == [175.0]
    shown = " ".join(odonata("topo", file).stdout.split())
    assert "latency of global links [ns] 25 to 175, mean 70" in shown
    alike = told(odonata("topo", "dragonfly(2, 4, 2, 9)", "--json"))
    assert "latency_ns" not in alike
    for links, words in (
        ({"host": {"longest_latency": "1 us"}}, "links to nodes"),
        ({"local": {"groups_per_row": 2}}, "links between groups"),
        ({"global": {"latency": "3 ns", "longest_latency": "2 ns"}}, "at least as much"),
    ):
        system = {"preset": "dragonfly(2, 4, 2, 9)", "links": links}
        done = odonata("run", write(open_loop(system=system)), "--out", "r")
        assert done.returncode == 2
        assert words in done.stderr


def test_packets_take_as_long_as_their_cables(odonata, write, tmp_path):
    """Packets to the group beside the own one and to the farthest one, alone in the network."""
    system = {"preset": "slingshot(4, 4, 1, 5)", "links": LENGTHS}
    system["router"] = {"architecture": "voq"}  # no ticks of a crossbar
    data = jobs(system=system, routing={"algorithm": "minimal"})
    del data["jobs"][1]
    job = data["jobs"][0]
    job["workload"] = {"kind": "halo3d", "ranks": 2, "face": "64 B", "iterations": 1}
    times = []
    for far in (16, 48):
        job["placement"] = {"kind": "list", "nodes": [32, far]}
        told(odonata("run", write(data), "--out", f"r{far}", "--no-baseline", "--json"))
        summary = package.load(tmp_path / f"r{far}").jobs["halo"].summary
        times.append(summary["packet_latency_ns"]["mean"])
    # 150 ns between groups, and 4.125 ns inside either of them.
    assert times[1] - times[0] == pytest.approx(158.25, abs=0.01)
