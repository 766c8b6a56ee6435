"""Tables of a system beyond sizes and buffers: more kinds of links, failures, traffic classes."""

from __future__ import annotations

import json

import pytest

from examples import jobs, open_loop
from odonata.errors import ScenarioError
from odonata.scenario import Scenario
from odonata.scenario.presets import expand, presets
from odonata.scenario.text import to_toml

CLASSES = [{"name": "high", "cap": "30 %"}, {"name": "low", "cap": "70 %"}]


def config(data):
    return Scenario.from_mapping(data).points[0].config


def system(**tables):
    return open_loop(system={"preset": "dragonfly(2, 4, 2, 9)", **tables})


def refused(data, *words):
    with pytest.raises(ScenarioError) as caught:
        Scenario.from_mapping(data)
    for word in words:
        assert word in str(caught.value)


def test_rows_and_columns_have_from_local_links_what_they_lack():
    found = config(system(links={"row": {"latency": "7 ns"}}))["system"]["links"]
    assert found["row"] == {"bandwidth_bytes_per_s": 25_000_000_000, "latency_ps": 7000}
    assert "column" not in found
    refused(system(links={"row": {"delay": "7 ns"}}), "system.links.row.delay", "latency")
    refused(system(links={"roe": {}}), "Did you mean `row`?")


def test_another_shape_leaves_the_sizes_of_the_preset_behind():
    shape = {
        "kind": "megafly",
        "groups": 5,
        "leaf_routers_per_group": 4,
        "spine_routers_per_group": 4,
        "nodes_per_leaf": 2,
        "links_per_group_pair": 1,
    }
    found = config(open_loop(system={"preset": "kang2022-1056", "topology": shape}))
    assert found["system"]["topology"] == shape
    assert found["system"]["packet"]["size_bytes"] == 512
    refused(
        open_loop(system={"topology": {"kind": "megafly", "groups": 5}}), "leaf_routers_per_group"
    )


def test_what_is_new_stays_out_of_the_configuration_at_its_default():
    told = config(system())["system"]
    assert "credit_return" not in told["router"]
    assert told["nic"] == {"buffer_packets": 30}
    assert not {"qos", "failures"} & set(told)
    resolved = Scenario.from_mapping(system()).points[0].resolved["system"]
    assert resolved["router"]["credit_return"] == "departure"
    assert resolved["nic"]["response"] == "0 B"
    told = config(system(router={"credit_return": "reservation", "host_buffer": "1 KiB"}))["system"]
    assert told["router"]["credit_return"] == "reservation"
    assert told["router"]["host_buffer_bytes"] == 1024
    told = config(system(nic={"response": "16 B", "outstanding": 1024}))["system"]["nic"]
    assert told == {"buffer_packets": 30, "response_bytes": 16, "outstanding": 1024}


def test_failures_are_pairs_or_a_fraction():
    found = config(system(failures={"links": [[0, 1], [3, 12]]}))["system"]["failures"]
    assert found == {"links": [[0, 1], [3, 12]]}
    found = config(system(failures={"fraction": 0.02}))["system"]["failures"]
    assert found == {"fraction": 0.02, "kinds": ["global"]}
    for wrong, *words in (
        ({"links": [[0, 1, 2]]}, "failures.links[0]", "pair"),
        ({"links": [[4, 4]]}, "two different routers"),
        ({"links": [["a", 1]]}, "pair of router ids"),
        ({"fraction": 1.5}, "too large"),
        ({"fraction": 0.1, "kinds": ["globl"]}, "Did you mean `global`?"),
        ({"fraction": 0.1, "kinds": ["host"]}, "host"),
        ({"kinds": ["global"]}, "fraction"),
        ({"link": []}, "Did you mean `links`?"),
    ):
        refused(system(failures=wrong), *words)


def test_nodes_out_of_service_are_ranges():
    found = config(system(node={"nics": 2, "out_of_service": [[3, 4]]}))["system"]["node"]
    assert found == {"nics": 2, "out_of_service": [[3, 4]]}
    assert "out_of_service" not in config(system(node={"nics": 2}))["system"]["node"]
    for wrong in ([3, 4], [[3]], [[3, "a"]], [[-1, 2]]):
        refused(system(node={"out_of_service": wrong}), "out_of_service[0]", "[9408, 9471]")


def test_classes_of_a_system_and_of_jobs():
    data = jobs(system={"preset": "dragonfly(2, 4, 2, 9)", "qos": {"classes": CLASSES}})
    data["jobs"][0] |= {
        "class": "high",
        "collective_class": "low",
        "small_class": {"name": "high", "below": "4 KiB"},
    }
    found = config(data)
    assert found["system"]["qos"] == {
        "window_ps": 5_000_000_000,
        "monitor": "static",
        "classes": [{"name": "high", "cap_ppm": 300_000}, {"name": "low", "cap_ppm": 700_000}],
    }
    first, second = found["jobs"]
    assert (first["class"], first["collective_class"]) == ("high", "low")
    assert first["small_class"] == {"class": "high", "below_bytes": 4096}
    assert second["class"] == "low"
    again = Scenario.from_text(to_toml(Scenario.from_mapping(data).points[0].resolved))
    assert again.points[0].config == found


def test_a_profile_is_its_classes():
    data = jobs(system={"preset": "slingshot(2, 4, 2, 9)", "qos": {"profile": "slingshot-hpc"}})
    found = config(data)
    classes = found["system"]["qos"]["classes"]
    assert [one["name"] for one in classes] == [
        "dedicated-access",
        "low-latency",
        "bulk-data",
        "best-effort",
        "ethernet",
    ]
    assert classes[1] == {
        "name": "low-latency",
        "assured_ppm": 150_000,
        "fabric_ppm": 150_000,
        "ceiling_ppm": 300_000,
        "priority": 7,
        "response_priority": 6,
    }
    assert [job["class"] for job in found["jobs"]] == ["best-effort"] * 2
    again = Scenario.from_text(to_toml(Scenario.from_mapping(data).points[0].resolved))
    assert again.points[0].config == found


@pytest.mark.parametrize(
    ("qos", "words"),
    [
        ({"classes": []}, ["0 classes", "cap"]),
        ({}, ["classes", "slingshot-hpc"]),
        ({"classes": CLASSES, "profile": "slingshot-hpc"}, ["either from `classes`", "profile"]),
        ({"profile": "slingshot-hcp"}, ["Did you mean `slingshot-hpc`?"]),
        ({"classes": [{"name": "a", "cap": "1 %", "assured": "1 %"}]}, ["either", "assured"]),
        ({"classes": [{"name": "a", "assured": "1 %", "ceiling": "101 %"}]}, ["too large"]),
        ({"classes": [*CLASSES, CLASSES[0]]}, ["two classes", '"high"']),
        ({"classes": [{"name": "a"}]}, ["qos.classes[0]", "cap"]),
        ({"classes": [{"name": "a", "cap": 0.3}]}, ["no unit", "30 %"]),
        ({"classes": [{"name": "a", "cap": "130 %"}]}, ["too large", "100 %"]),
        ({"classes": [{"name": "a", "cap": "30 GB"}]}, ["not a unit of share", "%"]),
        ({"classes": CLASSES, "monitor": "slide"}, ["Did you mean `sliding`?"]),
        ({"classes": CLASSES, "window": "5 GB"}, ["not a unit of time"]),
    ],
)
def test_wrong_classes_are_named(qos, words):
    refused(system(qos=qos), *words)


def test_jobs_name_classes_that_there_are():
    data = jobs()
    data["jobs"][0]["class"] = "high"
    refused(data, "jobs[0].class", "[system.qos]")
    data["system"] = {"preset": "dragonfly(2, 4, 2, 9)", "qos": {"classes": CLASSES}}
    data["jobs"][0]["class"] = "hihg"
    refused(data, "Did you mean `high`?")
    data["jobs"][0]["class"] = "high"
    data["jobs"][0]["small_class"] = {"name": "medium", "below": "1 KiB"}
    refused(data, "jobs[0].small_class.name", "Valid: high, low")
    data["jobs"][0]["small_class"] = {"name": "high", "below": "1 ns"}
    refused(data, "small_class.below", "not a unit of bytes")


def test_jobs_may_have_a_routing_of_their_own():
    data = jobs()
    data["jobs"][0]["routing"] = "minimal"
    data["jobs"][1]["routing"] = {"algorithm": "par"}
    first, second = config(data)["jobs"]
    assert first["routing"] == {"algorithm": "minimal"}
    assert second["routing"]["algorithm"] == "par"
    data["jobs"][0]["routing"] = "minimul"
    refused(data, "jobs[0].routing", "Did you mean `minimal`?")
    data["jobs"][0]["routing"] = {"algorithm": "minimal", "bias": 3}
    refused(data, "jobs[0].routing.bias")


def test_ranks_are_mapped_by_name_or_list():
    data = jobs()

    def mapped(mapping):
        data["jobs"][0]["placement"] = {"kind": "random-node", "mapping": mapping}
        return config(data)["jobs"][0]["placement"]

    assert "mapping" not in mapped("linear")
    assert mapped("shuffled")["mapping"] == "shuffled"
    assert mapped([1, 0, 2])["mapping"] == [1, 0, 2]
    for wrong, word in (("shufled", "Did you mean `shuffled`?"), ([0, 0], "exactly once"),
                        ([0, "a"], "whole numbers"), ({"fil": "x"}, "file")):  # fmt: skip
        with pytest.raises(ScenarioError, match=r"placement\.mapping") as caught:
            mapped(wrong)
        assert word in str(caught.value)


def test_every_table_of_a_preset_is_explained_by_a_comment():
    from importlib import resources  # noqa: PLC0415

    told = {"booksim-1056", "codes-dally-1056", "dragonfly", "kang2022-1056", "megafly"}
    for preset in set(presets()) - told:
        folder = resources.files("odonata") / "scenario" / "data" / "presets"
        text = (folder / f"{preset}.toml").read_text("utf-8")
        for block in text.split("\n\n"):
            name = block.rpartition("[system.")[2].partition("]")[0]
            plain = name in ("mpi", "nic", "packet") or preset == "aries"
            assert "[system." not in block or plain or block.startswith("#"), (preset, block)


@pytest.mark.parametrize(
    ("name", "nodes"),
    [("theta", 3456), ("wang2018-theta", 3456), ("mubarak2019-megafly-8448", 8448),
     ("mubarak2019-dragonfly-8320", 8320), ("mfnetsim-1056", 1056), ("frontier", 9472 * 4),
     ("aurora", 10624 * 8), ("alps", 2688 * 4), ("cori", 34 * 384), ("edison", 15 * 384)],
)  # fmt: skip
def test_presets_have_the_published_sizes(name, nodes):
    shape = expand(name)["topology"]
    if shape["kind"] == "megafly":
        per_group = shape["leaf_routers_per_group"] * shape["nodes_per_leaf"]
    elif shape["kind"] == "aries":
        per_group = shape["rows"] * shape["columns"] * shape["nodes_per_router"]
    else:
        per_group = shape["routers_per_group"] * shape["nodes_per_router"]
    assert shape["groups"] * per_group == nodes


SLINGSHOT_ROUTING = {"algorithm": "ugal-node", "ordered": "eager", "bias_percent": -5,
                     "weights": "hops", "bias_packets": 0}  # fmt: skip
MACHINES = {
    "frontier": ("cray-mpich-cxi", SLINGSHOT_ROUTING, None),
    "aurora": ("cray-mpich-cxi", SLINGSHOT_ROUTING, None),
    "alps": ("cray-mpich-cxi", SLINGSHOT_ROUTING, None),
    "lumi": ("cray-mpich-cxi", SLINGSHOT_ROUTING, None),
    "lumi-g": ("cray-mpich-cxi", SLINGSHOT_ROUTING, None),
    "perlmutter": ("cray-mpich-cxi", SLINGSHOT_ROUTING, None),
    "isambard-ai": ("cray-mpich-cxi", SLINGSHOT_ROUTING, None),
    "leonardo": ("cray-mpich-cxi", {"algorithm": "par"}, None),
    "jupiter": ("cray-mpich-cxi", {"algorithm": "par"}, None),
    "slingshot(2, 4, 2, 9)": ("cray-mpich-cxi", SLINGSHOT_ROUTING, None),
    "theta": ("cray-mpich-aries", {"algorithm": "adaptive-0"}, "adaptive-1"),
    "piz-daint": ("cray-mpich-aries", {"algorithm": "adaptive-0"}, "adaptive-1"),
    "cori": ("cray-mpich-aries", {"algorithm": "adaptive-0"}, "adaptive-1"),
    "aries(2, 4)": ("cray-mpich-aries", {"algorithm": "adaptive-0"}, "adaptive-1"),
    "edison": ("cray-mpich-aries", {"algorithm": "adaptive-1"}, None),
}


def on_machine(preset, **keys):
    data = jobs(system={"preset": preset}) | keys
    if "routing" not in keys:
        del data["routing"]
    return data


@pytest.mark.parametrize(("preset", "expected"), MACHINES.items())
def test_presets_of_machines_carry_mpi_and_routing(preset, expected):
    mpi, routing, alltoalls = expected
    (point,) = Scenario.from_mapping(on_machine(preset)).points
    own = presets()[preset.partition("(")[0]].system["mpi"]
    assert point.resolved["system"]["mpi"] == own
    assert own["preset"] == mpi
    assert routing.items() <= point.resolved["routing"].items()
    for job in point.resolved["jobs"]:
        found = [way["algorithm"] for way in job.get("alltoall_routing", ())]
        assert found == ([alltoalls] if alltoalls else [])
    # A result says by itself what was simulated.
    assert Scenario.from_text(to_toml(point.resolved)).points[0].config == point.config


def test_every_preset_of_a_machine_has_its_mpi_and_routing():
    modelled = {"booksim-1056", "codes-dally-1056", "dragonfly", "kang2022-1056", "megafly",
                "mfnetsim-1056", "mubarak2019-dragonfly-8320", "mubarak2019-megafly-8448",
                "wang2018-theta"}  # fmt: skip
    machines = {call.partition("(")[0] for call in MACHINES}
    assert set(presets()) == modelled | machines
    assert {name for name, preset in presets().items() if preset.routing} == machines


def test_what_a_scenario_says_of_routing_and_mpi_holds():
    data = on_machine("theta")
    data["jobs"][0]["routing"] = "minimal"
    data["jobs"][1]["alltoall_routing"] = "adaptive-3"
    data["system"]["mpi"] = {"preset": "ideal"}
    found = config(data)
    assert found["system"]["mpi"] == {"preset": "ideal"}
    assert "alltoall_routings" not in found["jobs"][0]
    assert [way["algorithm"] for way in found["jobs"][1]["alltoall_routings"]] == ["adaptive-3"]
    # An algorithm of its own has nothing of the machine's, parameters alone change it.
    own = config(on_machine("theta", routing={"algorithm": "adaptive-0"}))
    assert all("alltoall_routings" not in job for job in own["jobs"])
    changed = config(on_machine("frontier", routing={"bias_percent": 0}))["routing"]
    assert changed["algorithm"] == "ugal-node"
    assert changed["weights"] == "hops"
    assert "bias_percent" not in changed
    refused(on_machine("frontier", routing={"biass": 0}), "routing.biass", "Did you mean `bias`?")
    refused(on_machine("dragonfly(2, 4, 2, 9)"), "[routing] is missing")
    swept = on_machine("theta", sweep={"routing.algorithm": ["minimal", "adaptive-0"]})
    points = Scenario.from_mapping(swept).points
    assert [point.config["routing"]["algorithm"] for point in points] == ["minimal", "adaptive-0"]
    traffic = open_loop(system={"preset": "theta"})
    del traffic["routing"]
    assert "alltoall_routings" not in config(traffic)["jobs"][0]


def test_resolved_systems_are_plain_data():
    for preset in presets().values():
        assert json.loads(json.dumps(preset.system)) == preset.system
