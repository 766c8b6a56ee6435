"""``odonata noise --beside``: one's own noise beside what is published, and beside a simulation."""

from __future__ import annotations

from typing import Any

import polars as pl
from rich.console import Console

from odonata.campaign import experiment
from odonata.cli.listing import Listing
from odonata.cli.progress import ProgressBar
from odonata.cli.screen import tell
from odonata.cli.words import printable
from odonata.core.errors import MeasurementError, suggestion
from odonata.output import noise as room
from odonata.output.noise import beside
from odonata.output.noise.findings import Findings
from odonata.scenario import machine
from odonata.scenario.presets import presets

_VICTIMS = 16
_CONGESTORS = 24
_ITERATIONS = 50
_MOST = "3 ms"
"""Simulated time: without congestion control a victim may hardly get on."""

_LONG = 65_536
"""Bytes from which on messages have a table of their own."""

_RATIOS = ("qcd", "max/median", "slowdown", "slowdown-p99", "impact", "impact-p99")


def simulated(name: str) -> tuple[pl.DataFrame, str]:
    """Pairs and a collective on the preset of a machine, alone and beside congestors.

    Parameters
    ----------
    name : str
        Of the machine.

    Returns
    -------
    polars.DataFrame
        In the columns of :func:`odonata.output.noise.beside.own`.
    str
        What was run.

    Raises
    ------
    MeasurementError
        No preset has this name.
    """
    if name not in presets():
        raise MeasurementError(f"--simulate: no preset is called `{name}`."
                               f"{suggestion(name, presets())}")  # fmt: skip
    system = machine.named(name)
    with ProgressBar(quiet=False) as bar:
        result = experiment.run_one(_scenario(system), observer=bar)
    frame = room.form_of(result, source="simulated").filter(
        pl.col("quantity").is_in(["latency", "comm_time"])
    )
    found = beside.own(Findings(series=room.summary(frame)))
    slow = {name: job.slowdown for name, job in result.jobs.items() if name in result.baselines}
    cut = [name for name in slow if not result.jobs[name].has_ended]
    is_beside = pl.col("condition") == "beside"
    slowdown = pl.col("distance").replace_strict(slow, default=None, return_dtype=pl.Float64)
    ranks = {name: str(job.summary["ranks"]) for name, job in result.jobs.items()}
    found = found.filter(pl.col("distance").is_in(list(slow))).sort("condition").with_columns(
        slowdown=pl.when(is_beside).then(slowdown),
        nodes=pl.col("distance").replace_strict(ranks, default=None, return_dtype=pl.String),
    )  # fmt: skip
    return found, (
        f"{_ITERATIONS} ping-pongs of 1 B of three pairs of nodes and {_ITERATIONS} allreduces of "
        f"8 B of {_VICTIMS} random nodes on the preset `{name}`, each alone and all beside an "
        f"alltoall and an incast of GPCNeT on {_CONGESTORS} random nodes each; one rank per node, "
        "one seed, no noise of hosts."
        + (
            f" After {_MOST} not ended, so that only what had ended counts: {', '.join(cut)}."
            if cut
            else ""
        )
    )


def _scenario(system: machine.Machine) -> dict[str, Any]:
    summary = system.summary
    kind = (summary.get("group_kinds") or {}).get("compute", {})
    size = kind.get("machine_nodes_per_group") or kind.get("nodes_per_group")
    size = size or summary["nodes"] // summary["groups"]
    node = system.point.config["system"].get("node", {})
    out = {one for first, last in node.get("out_of_service", ()) for one in range(first, last + 1)}

    def from_(first: int) -> int:
        return next(one for one in range(first, first + len(out) + 1) if one not in out)

    pairs = {"same switch": (0, 1), "same group": (2, from_(size // 2 + 2)),
             "other group": (3, from_(size * (summary["groups"] // 3) + 3))}  # fmt: skip
    repeated = {"iterations": _ITERATIONS, "compute": "0 ns"}
    jobs: list[dict[str, Any]] = [
        {"name": where, "role": "victim", "placement": {"kind": "list", "nodes": [*nodes]},
         "workload": {"kind": "ping-pong", "ranks": 2, "message": "1 B", **repeated}}
        for where, nodes in pairs.items()
    ]  # fmt: skip
    jobs.append({"name": "allreduce", "role": "victim", "placement": "random-node",
                 "workload": {"kind": "allreduce", "ranks": _VICTIMS, "message": "8 B",
                              **repeated}})  # fmt: skip
    jobs += [
        {"name": kind, "role": "aggressor", "placement": "random-node",
         "workload": {"kind": kind, "ranks": _CONGESTORS}}
        for kind in ("gpcnet-alltoall", "gpcnet-incast")
    ]  # fmt: skip
    routing = {} if system.routing else {"routing": {"algorithm": "par"}}
    return {"name": f"beside-{system.name}", "system": system.table, **routing, "jobs": jobs,
            "stop": {"time": _MOST}}  # fmt: skip


def print_beside(parts: dict[str, pl.DataFrame], missing: pl.DataFrame, console: Console) -> None:
    """Print a table for each quantity and unit.

    Parameters
    ----------
    parts : dict
        Frames in the columns of :mod:`odonata.output.noise.beside`, by whose they are.
    missing : polars.DataFrame
        Machines and quantities without a published number.
    """
    every = pl.concat([frame.with_columns(pl.lit(whose).alias("whose")) for whose, frame in
                       parts.items()], how="diagonal_relaxed")  # fmt: skip
    sources = every["source"].drop_nulls().unique(maintain_order=True).to_list()
    is_long = (pl.col("bytes") >= _LONG).fill_null(value=False).alias("long")
    key = [pl.col("quantity"), pl.col("unit").fill_null("ratio"), is_long]
    for (quantity, unit, long), part in every.group_by(key, maintain_order=True):
        title = str(quantity) if unit in ("ns", "ratio") else f"{quantity} [{unit}]"
        title += " of long messages" if long else ""
        table = Listing(printable(title), all_in="`--json` has everything")
        table.labels("whose", "bytes", "nodes", "where", "condition")
        used = [one for one in beside.STATISTICS if part[one].null_count() < len(part)]
        times = [one for one in used if one not in _RATIOS]
        ratios = [one for one in used if one in _RATIOS]
        (table.times if unit == "ns" else table.numbers)(*times)
        table.numbers(*ratios).labels("source")
        for row in part.sort("bytes", nulls_last=True, maintain_order=True).iter_rows(named=True):
            texts = (row["machine"] or row["whose"], row["bytes"], row["nodes"], row["distance"],
                     row["condition"])  # fmt: skip
            table.row(*("" if one is None else printable(str(one)) for one in texts),
                      *(row[one] for one in (*times, *ratios)),
                      f"[{sources.index(row['source']) + 1}]")  # fmt: skip
        table.print(console)
    for number, source in enumerate(sources, 1):
        tell(console, f"[{number}] {source}")
    for (name,), part in missing.group_by("machine", maintain_order=True):
        tell(console, f"No published number of {name} was found: {', '.join(part['quantity'])}.")
