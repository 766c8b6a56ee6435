"""What every run must keep, whatever was simulated: what ``attack.py`` looks at after each one.

Only what follows from the results and the resolved configuration, so that it holds at any edge.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np

from odonata.core.native import Outcome
from odonata.scenario import registry

_ENDS = ("finished", "time-limit", "precision")
"""How a run may end that nobody stops."""

_CALL_PS, _PER_BYTE_PS = 4_000_000, 1_000
"""More than what the presets of MPI with costs take for a message, and for a byte of it."""

_DEVIATIONS = 6.0
"""Of the number of messages of random sources: exceeded once in a thousand million draws."""

judged: Counter[str] = Counter()
"""How often a promise could be judged that few runs make."""


class BrokenPromiseError(Exception):
    """A promise of the simulator that does not hold; the message says which."""


def expect(holds: bool, promise: str) -> None:  # noqa: FBT001 - an assertion that stays on
    """Make sure that a promise holds."""
    if not holds:
        raise BrokenPromiseError(promise)


def keep_all(config: Mapping[str, Any], outcome: Outcome) -> None:
    """Look at every promise about one run."""
    books(config, outcome)
    bounds(config, outcome)
    loads(config, outcome)
    congestors(config, outcome)


def seen(outcome: Outcome) -> dict[str, Any]:
    """Everything but the number of threads."""
    summary = json.loads(json.dumps(outcome.summary))
    summary["engine"].pop("threads")
    found: dict[str, Any] = {"summary": json.dumps(summary), "stall": outcome.stall}
    for name, columns in outcome.tables.items():
        for column, values in columns.items():
            whole = values.tobytes() if isinstance(values, np.ndarray) else tuple(values)
            found[f"{name}.{column}"] = whole
    return found


def books(config: Mapping[str, Any], outcome: Outcome) -> None:
    """What was sent has arrived or is on its way."""
    tables, engine = outcome.tables, outcome.summary["engine"]

    def total(table: str, column: str) -> int:
        return int(np.sum(np.asarray(tables[table][column]), dtype=np.uint64))

    def nodes(column: str) -> int:  # whose ranks all have the same number
        ranks = tables["ranks"]
        return int(sum(dict(zip(ranks["node"], ranks[column], strict=True)).values()))

    sent, arrived = total("series", "bytes_injected"), total("series", "bytes_delivered")
    flying, packets = engine["packets_in_flight"], engine["packets"]
    if "stripe_bytes" not in config["system"].get("node", {}):  # over NICs that are no rank's own
        expect(sent == nodes("bytes_sent"), "bytes of nodes and of the series")
        expect(packets == nodes("packets_received"), "packets of nodes and of the run")
    expect(arrived <= sent, f"{arrived} bytes arrived of {sent}")
    expect(packets == total("series", "packets_delivered"), "packets of series and of the run")
    expect(flying >= 0 and (flying > 0 or arrived == sent), "bytes are lost")
    if not config["system"]["nic"].get("response_bytes"):
        expect(flying == 0 or arrived < sent, "packets without bytes are on their way")
    if flying == 0:
        expect(total("links", "packets") == engine["packet_hops"], "packets of links")
    ways = zip(tables["links"]["kind"], tables["links"]["packets"], strict=True)
    expect(sum(int(n) for kind, n in ways if kind == "host") >= packets, "packets of host links")
    for table in {"link_series", "link_job_series"} & set(tables):
        expect(total("links", "bytes") == total(table, "bytes"), f"bytes of links in {table}")


def _check_end(stop: str, stall: str | None) -> None:
    """Nobody stalls who does not wait for the dead."""
    if stall is not None and " is dead: its node " in stall:
        expect(stop == "stalled", "a diagnosis of a run that did not stall")
        return
    expect(stop in _ENDS, f"it is {stop}")
    expect(stall is None, "a diagnosis of a run that did not stall")


def bounds(config: Mapping[str, Any], outcome: Outcome) -> None:
    """No figure is where it cannot be."""
    summary, tables = outcome.summary, outcome.tables
    _check_end(summary["stop"], outcome.stall)
    simulated = summary["simulated_ns"]
    limit = config["stop"]["time_ps"] / 1e3
    # NICs are simulated up to the limit, and routers the way into one of them further.
    system = config["system"]
    way = (system["links"]["host"]["latency_ps"] + system["router"]["latency_ps"]) / 1e3
    most = (limit + way) * (1 + 1e-12)
    expect(0 <= simulated <= most, f"simulated {simulated} ns of {limit} ns")
    if summary["stop"] == "time-limit":
        expect(simulated >= limit, f"the limit is {limit} ns and {simulated} ns were simulated")
    for part in (summary["network"], *summary["jobs"]):
        latency = part.get("packet_latency_ns") or {}
        ordered = [latency.get(key) for key in ("p50", "p95", "p99", "max")]
        if None not in ordered:
            expect(ordered == sorted(ordered), f"percentiles {ordered}")
            expect(0 <= latency["mean"] <= latency["max"] * (1 + 1e-9), f"latency {latency}")
            # Counted is what starts on its last channel in the window of the end: at most 2^37 ps.
            most_ns = simulated * (1 + 1e-5) + 2**37 / 1e3 + way
            expect(latency["max"] <= most_ns, f"latency {latency} after {simulated} ns")
        for key in ("nonminimal_fraction",):
            expect(0 <= (part.get(key) or 0) <= 1, f"{key} {part.get(key)}")
        if (accepted := part.get("accepted_load")) is not None:
            expect(accepted >= 0, f"accepted load {accepted}")
    busy = np.asarray(tables["links"]["busy_ns"], dtype=float)
    most = max(simulated, limit) + 2**37 / 1e3 + _longest_packet_ns(config)
    expect(bool(np.all(busy >= 0) and np.all(busy <= most)), "links busy for longer than the run")
    for column in ("stall_ns", "saturated_ns", "congestion_index"):
        values = np.asarray(tables["links"][column], dtype=float)
        expect(bool(np.all(values >= 0) and np.all(np.isfinite(values))), column)
    for column in ("comm_time_ns", "mpi_time_ns"):
        times = np.asarray(tables["ranks"][column], dtype=float)
        times = times[~np.isnan(times)]
        expect(bool(np.all(times >= 0) and np.all(times <= most)), f"{column} beyond the run")


def _longest_packet_ns(config: Mapping[str, Any]) -> float:
    system = config["system"]
    slowest = min(link["bandwidth_bytes_per_s"] for link in system["links"].values())
    lanes = [event.get("lanes_ppm", 0) for event in system.get("failures", {}).get("events", ())]
    # A packet that is on its way when lanes fail goes on over those that are left.
    left = min((ppm for ppm in lanes if ppm), default=1_000_000) / 1e6
    return 2e9 * 65_536 / (slowest * left)


def loads(config: Mapping[str, Any], outcome: Outcome) -> None:
    """No job gets more through than its sources create.

    What is delivered in the window was created before its end, and maybe before its begin. The
    bound is what the sources create on average from time 0 to the end of the window, with the noise
    of the number of messages, and with one more message or burst of every source.
    """
    measure = config.get("measure")
    if measure is None:
        return
    until = min(measure["warm_up_ps"] + measure["window_ps"], config["stop"]["time_ps"])
    rate = config["system"]["links"]["host"]["bandwidth_bytes_per_s"] / 1e12
    for job, part in zip(config["jobs"], outcome.summary["jobs"], strict=True):
        offered, accepted = part.get("offered_load"), part.get("accepted_load")
        if offered is None or accepted is None:
            continue
        # Of short bursts with long pauses nothing is left of twelve digits.
        expect(offered >= 0, f"offered load {offered} of a job that accepts {accepted}")
        wire, batch, senders = _source(config, job["workload"])
        created = offered * rate * until * senders / wire
        noise = _DEVIATIONS * math.sqrt((created + 1) * batch) + senders * batch
        most = (created + noise) * wire / (rate * measure["window_ps"] * senders)
        expect(accepted <= most, f"accepted load {accepted} of {offered}, at most {most}")
        judged["loads"] += 1


def _source(config: Mapping[str, Any], workload: Mapping[str, Any]) -> tuple[float, float, int]:
    """Of an open-loop job: bytes of a message, messages that come at once, and sources."""
    packet = config["system"]["packet"]
    payload = packet["size_bytes"] - packet["header_bytes"]
    wire = workload["message"] + -(-workload["message"] // payload) * packet["header_bytes"]
    senders = workload["ranks"]
    if workload["pattern"] == "incast":
        senders -= workload["hot_nodes"]
    at_once = workload["ranks"] if workload["pattern"] in ("all-to-all", "rotating") else 1
    if (burst := workload.get("burst")) is not None:
        rate = config["system"]["links"]["host"]["bandwidth_bytes_per_s"] / 1e12
        gap = workload.get("interval") or wire / (workload["load"] * rate)
        at_once *= 1 + math.ceil(burst / gap)
    return wire, 1 + at_once, max(senders, 1)


def congestors(config: Mapping[str, Any], outcome: Outcome) -> None:
    """No job that starts again and again falls silent while others run."""
    system, tables = config["system"], outcome.tables
    series, ranks = tables["series"], tables["ranks"]
    end_ps = outcome.summary["simulated_ns"] * 1e3
    names = np.asarray(series["job"])
    is_free = system["nic"].get("congestion", "none") == "none" and "qos" not in system
    for job, part in zip(config["jobs"], outcome.summary["jobs"], strict=True):
        if not job.get("repeat") or job.get("muted") or "end_ps" in job or "failure" in part:
            continue
        own = names == job["name"]
        sent, arrived = (
            np.asarray(series[f"bytes_{how}"])[own] for how in ("injected", "delivered")
        )
        if not sent.sum() or not is_free:
            continue
        computed = np.asarray(ranks["compute_time_ns"])[np.asarray(ranks["job"]) == job["name"]]
        width = float(series["bin_ns"][0]) * 1e3
        each = int(sent.sum()) / (1 + part["repetitions"])
        most = _costs(config, job, each) + 1e3 * float(computed.max()) + 2 * width
        if most > end_ps / 2:
            continue
        last = 1e3 * float(np.asarray(series["time_ns"])[own][(sent > 0) | (arrived > 0)].max())
        is_silent = sent.sum() == arrived.sum() and end_ps - last > most
        expect(not is_silent, f"{job['name']} is silent from {last} ps to {end_ps} ps")
        judged["congestors"] += 1


def _costs(config: Mapping[str, Any], job: Mapping[str, Any], sent: float) -> float:
    """Time that a repetition takes at most without a byte on any link, ps; compute aside."""
    system, mpi = config["system"], config["system"]["mpi"]
    free = mpi.get("preset") == "ideal"
    per_byte = 0 if free else 2 * _PER_BYTE_PS
    fixed = 0 if free else _CALL_PS
    for field in registry.mpi_parameters():
        cost = mpi.get(field.name, 0) if field.kind == "time" else 0
        if "per_byte" in field.name or field.name == "receive_copy":
            per_byte += cost
        else:
            fixed += cost
    links = system["links"].values()
    way = sum(link["latency_ps"] for link in links) + 2 * system["router"]["latency_ps"]
    way += 1e12 * sum(
        system["packet"]["size_bytes"] / link["bandwidth_bytes_per_s"] for link in links
    )
    times = registry.family("workloads")[job["workload"]["kind"]].parameters
    own = sum(job["workload"].get(field.name) or 0 for field in times if field.kind == "time")
    return 4 * (way + fixed) + per_byte * sent + own
