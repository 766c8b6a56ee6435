"""Writes made-up results as ``docs/results.md`` has them, for tests of the report."""

from __future__ import annotations

import json

import numpy as np
import polars as pl

EDGES = np.unique(np.round(np.geomspace(100, 1e7, 900)).astype(np.uint64))


def statistics(values):
    values = np.asarray(values, dtype=float)
    return {
        "mean": values.mean(),
        "std": values.std(),
        "p50": float(np.quantile(values, 0.5)),
        "p95": float(np.quantile(values, 0.95)),
        "p99": float(np.quantile(values, 0.99)),
        "max": values.max(),
    }


class Machine:
    """A dragonfly's links; enough of them for a heat map."""

    def __init__(self, groups=9, routers=4, nodes=2):
        self.groups, self.routers, self.nodes = groups, routers, nodes

    def links(self, random, hot):
        rows = []
        for group in range(self.groups):
            for other in range(self.groups):
                pairs = self.routers * (self.routers - 1) if group == other else 1
                for lane in range(pairs):
                    kind = "local" if group == other else "global"
                    busy = random.uniform(0.05, 0.2) + (hot if (group + other) % 5 == 0 else 0)
                    rows.append(
                        {
                            "link": len(rows),
                            "kind": kind,
                            "source_router": group * self.routers + lane % self.routers,
                            "target_router": other * self.routers + (lane + 1) % self.routers,
                            "source_group": group,
                            "target_group": other,
                            "bytes": int(busy * 1e9),
                            "busy_ns": busy * 1e6,
                            "stall_ns": float(max(0.0, busy - 0.2)) * 1e6,
                            "saturated_ns": float(max(0.0, busy - 0.25)) * 1e6,
                            "congestion_index": min(busy, 1.0),
                        }
                    )
        return pl.DataFrame(rows).with_columns(
            pl.col("link", "source_router", "target_router", "source_group", "target_group").cast(
                pl.UInt64
            )
        )


def learnt(number):
    """What the series has of a routing that learns: errors fall, some bins have nothing."""
    return {
        "packets_delivered": 100 * (number % 7 > 0),
        "nonminimal_fraction": 0.3 if number % 7 else None,
        "table_updates": 300,
        "table_error_ns_mean": 500.0 / (1 + number),
    }


def by_class(links, classes):
    """What each class took of each link."""
    rows = [
        {"link": link, "class": name, "bytes": share // (2 + number), "packets": 1}
        for link, share in enumerate(links["bytes"])
        for number, name in enumerate(classes)
    ]
    return pl.DataFrame(rows, schema_overrides={"link": pl.UInt64} if rows else None)


def bin_of_series(number, job, delivered, *, learns):
    row = {
        "time_ns": number * 10_000,
        "job": job,
        "bytes_injected": delivered,
        "bytes_delivered": delivered,
        "latency_ns_mean": 900.0,
        "bin_ns": 10_000.0,
    }
    return row | learnt(number) if learns else row


def shared(number, jobs, overlap):
    """What the first job, a victim, says of the others."""
    if number > 0 or overlap is None:
        return {}
    return {"overlap": dict.fromkeys(list(jobs)[1:], overlap)}


def buckets(job, packets):
    """The latency table of a job."""
    counts, _ = np.histogram(packets, bins=EDGES)
    return [
        {"job": job, "latency_ns_low": a, "latency_ns_high": b, "packets": n}
        for a, b, n in zip(EDGES[:-1].tolist(), EDGES[1:].tolist(), counts.tolist(), strict=True)
        if n
    ]


def network(load, factor):
    """What a run says of the network; more than a load of 0.8 it cannot take."""
    return {
        "offered_load": load,
        "accepted_load": None if load is None else min(load, 0.8),
        "saturated": None if load is None else load > 0.8,
        "packet_latency_ns": statistics([500 * factor, 700 * factor]),
        "hops_mean": 3.2,
        "nonminimal_fraction": 0.2,
    }


def write_run(
    folder,
    *,
    jobs,
    seed=1,
    routing="minimal",
    factor=1.0,
    stop="finished",
    load=None,
    classes=(),
    missing=0,
    overlap=None,
    system='preset = "dragonfly(2, 4, 2, 9)"',
):
    """Write one run; `jobs` maps a name to (ranks, mean communication time in ns or None).

    Of each job, `missing` ranks have not ended; `overlap` is that of the first job with the others.
    """
    folder.mkdir(parents=True)
    random = np.random.default_rng([seed, len(routing), int(factor * 100)])
    tables = {"ranks": [], "latency": [], "series": [], "link_jobs": []}
    summaries = []
    for number, (name, (ranks, mean)) in enumerate(jobs.items()):
        packets = random.lognormal(6.5 + 0.3 * number, 0.5, 20_000) * factor
        entry = {
            "name": name,
            "role": "victim" if number == 0 else "aggressor",
            "ranks": ranks,
            "bytes_sent": 10**8,
            "messages_sent": 10**4,
            "packets": len(packets),
            "packet_latency_ns": statistics(packets),
            "hops_mean": 3.2,
            "nonminimal_fraction": 0.0 if routing == "minimal" else 0.37,
        }
        entry |= shared(number, jobs, overlap)
        if mean is not None:
            times = random.normal(mean * factor, mean * factor * 0.07, ranks)
            entry |= {"comm_time_ns": statistics(times), "ranks_finished": ranks - missing}
            tables["ranks"] += [
                {"job": name, "rank": r, "node": r, "comm_time_ns": t, "hops_mean": 3.1}
                for r, t in enumerate(times)
            ]
        summaries.append(entry)
        tables["latency"] += buckets(name, packets)
        for bin_number in range(300):
            wave = 1 + np.sin(bin_number / 15 + number)
            delivered = int(random.poisson(8e5 * wave / factor))
            row = bin_of_series(bin_number, name, delivered, learns=routing == "q-adaptive")
            tables["series"].append(row)
    links = Machine().links(random, hot=0.25 * factor)
    for link in range(len(links)):
        for number, name in enumerate(jobs):
            tables["link_jobs"].append(
                {"link": link, "job": name, "bytes": 1000 * (number + 1) + link, "packets": 3}
            )
    tables["link_jobs"] = pl.DataFrame(tables["link_jobs"]).with_columns(
        pl.col("link").cast(pl.UInt64)
    )
    tables["links"] = links
    tables["link_classes"] = by_class(links, classes)
    summary = {
        "schema": 1,
        "name": "made-up",
        "odonata_version": "0.1.0",
        "scenario_hash": f"hash-{routing}-{seed}",
        "seed": seed,
        "simulated_ns": 3.0e6,
        "stop": stop,
        "engine": {
            "wall_s": 1.234,
            "cpu_s": 1.2,
            "threads": 2,
            "packets": 40_000,
            "packet_hops": 130_000,
            "packet_hops_per_s": 1.05e7,
            "rss_bytes_max": 210 * 2**20,
        },
        "network": network(load, factor),
        "jobs": summaries,
    }
    for name, rows in tables.items():
        frame = rows if isinstance(rows, pl.DataFrame) else pl.DataFrame(rows)
        if not frame.is_empty():
            frame.write_parquet(folder / f"{name}.parquet", compression="zstd")
    scenario = (
        f'name = "made-up"\nseed = {seed}\n[system]\n{system}\n[routing]\nalgorithm = "{routing}"\n'
    )
    (folder / "scenario.resolved.toml").write_text(scenario)
    return summary


def finish(folder, summary):
    (folder / "summary.json").write_text(json.dumps(summary))


def write_experiment(folder, *, jobs, factor=1.6, **kinds):
    """Write a run with the isolated baseline of its first job."""
    summary = write_run(folder, jobs=jobs, factor=factor, **kinds)
    victim = next(iter(jobs))
    if len(jobs) > 1 and jobs[victim][1] is not None:
        baseline = folder / f"baseline-{victim}"
        kinds = {**kinds, "stop": "finished", "missing": 0, "overlap": None}
        alone = write_run(baseline, jobs={victim: jobs[victim]}, factor=1.0, **kinds)
        finish(baseline, alone)
        entry = summary["jobs"][0]
        entry["baseline_comm_time_ns"] = alone["jobs"][0]["comm_time_ns"]
        alone_ns = alone["jobs"][0]["comm_time_ns"]["mean"]
        if entry["ranks_finished"] == entry["ranks"]:
            entry["slowdown"] = entry["comm_time_ns"]["mean"] / alone_ns
    finish(folder, summary)
    return summary


def write_sweep(folder, *, jobs, points, key="routing.algorithm", cut=()):
    """Write a sweep; `points` are (value of the key, seed, factor) tuples.

    Those at the positions of `cut` were interrupted.
    """
    rows = []
    for place, (value, seed, factor) in enumerate(points):
        name = f"{value}-{seed}"
        routing = value if key == "routing.algorithm" else "minimal"
        load = value if key.endswith(".load") else None
        kinds = {"routing": routing, "seed": seed, "factor": factor, "load": load}
        if place in cut:
            kinds |= {"stop": "interrupted", "missing": 3}
        write_experiment(folder / "runs" / name, jobs=jobs, **kinds)
        rows.append(
            {"run": name, key: value, "seed": seed, "scenario_hash": "x", "stop": "finished"}
        )
    pl.DataFrame(rows).write_parquet(folder / "index.parquet")
    return folder
