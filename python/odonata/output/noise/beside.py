"""What is published of the noise of a machine, and one's own numbers in the same columns."""

from __future__ import annotations

import re
from functools import lru_cache
from importlib import resources

import polars as pl

from odonata.core.errors import MeasurementError, suggestion
from odonata.measured.form import NS_PER
from odonata.output.noise.findings import Findings

KEYS = ("machine", "fabric", "quantity", "bytes", "nodes", "distance", "condition", "unit",
        "source")  # fmt: skip
"""Columns that say what a row is about."""

STATISTICS = ("median", "mean", "p95", "p99", "qcd", "max/median", "slowdown", "slowdown-p99",
              "impact", "impact-p99")  # fmt: skip
"""Columns of numbers: times in ns but for the last six, which are ratios."""

_FAMILIES = ("allreduce", "alltoall", "allgather")
_GPCNET = {"lat": "gpcnet-latency", "bw": "gpcnet-bandwidth", "allreduce": "gpcnet-allreduce"}


@lru_cache(maxsize=1)
def every() -> pl.DataFrame:
    """The whole table: a row per number; without a value where none is published."""
    path = resources.files("odonata") / "output" / "noise" / "published.csv"
    texts = dict.fromkeys((*KEYS, "statistic"), pl.String)
    with path.open("rb") as stream:
        return pl.read_csv(stream, schema_overrides={**texts, "bytes": pl.Int64})


def published(name: str) -> tuple[pl.DataFrame, pl.DataFrame]:
    """What is published of a machine, or of all machines of a fabric.

    Parameters
    ----------
    name : str
        Such as ``lumi`` or ``slingshot``; case does not count.

    Returns
    -------
    polars.DataFrame
        :data:`KEYS` and :data:`STATISTICS`.
    polars.DataFrame
        Machines and quantities of which no number was found.

    Raises
    ------
    MeasurementError
        There is no such machine or fabric.
    """
    table, wanted = every(), name.strip().lower()
    known = [*table["machine"].unique(maintain_order=True), *table["fabric"].unique()]
    if wanted not in known:
        raise MeasurementError(f"no machine or fabric is called `{name}`.{suggestion(name, known)}")
    found = table.filter((pl.col("machine") == wanted) | (pl.col("fabric") == wanted))
    has_none = pl.col("value").is_null()
    missing = found.filter(has_none).select("machine", "quantity")
    # The unit of a ratio is none: it stands beside the times that it is of.
    times = found.filter(~has_none)
    unit = pl.when(pl.col("unit") == "ratio").then(None).otherwise("unit")
    keys = [key for key in KEYS if key != "unit"]
    times = times.with_columns(unit.alias("unit")).with_columns(
        pl.col("unit").fill_null(strategy="forward").over(keys)
    )
    wide = times.group_by(KEYS, maintain_order=True).agg(
        pl.col("value").filter(pl.col("statistic") == one).first().alias(one) for one in STATISTICS
    )
    return wide, missing


def own(found: Findings) -> pl.DataFrame:
    """Numbers of measured files or simulated runs in the same columns.

    Parameters
    ----------
    found : Findings
        Of them.
    """
    rows = [
        {"quantity": _family(row), "bytes": row["bytes"], "condition": row["condition"],
         "distance": row["series"], "unit": row["unit"], "source": row["source"],
         "median": row["median"], "p95": row["p95"], "p99": row["p99"],
         "qcd": row["quartile_dispersion"], "max/median": row["maximum_over_median"]}
        for row in found.series.iter_rows(named=True)
        if row["quantity"] in ("latency", "bandwidth") or _family(row) != row["quantity"]
    ]  # fmt: skip
    rows += [
        {"quantity": _family(row), "bytes": row["bytes"], "condition": row["condition"],
         "distance": row["series"], "unit": row["unit"], "source": row["source"],
         "mean": row["value"]}
        for row in found.given.iter_rows(named=True)
        if row["statistic"] == "mean" and row["quantity"] in ("latency", "bandwidth")
    ]  # fmt: skip
    for row in found.impact.iter_rows(named=True):
        words = row["series"].lower()
        kind = next((name for word, name in _GPCNET.items() if word in words), row["series"])
        size, factor = re.search(r"\((\d+) B\)", row["series"]), NS_PER.get(row["unit"], 1.0)
        for condition in ("isolated", "congested"):
            rows.append({
                "quantity": kind, "bytes": int(size[1]) if size else None, "condition": condition,
                "distance": row["series"], "source": row["source"],
                "unit": "ns" if row["unit"] in NS_PER else row["unit"],
                **{name: _times(row[f"{condition}_{name}"], factor) for name in ("mean", "p99")},
                **({} if condition == "isolated" else
                   {"impact": row["impact_mean"], "impact-p99": row["impact_p99"]}),
            })  # fmt: skip
    schema = {**dict.fromkeys(KEYS, pl.String), "bytes": pl.Int64,
              **dict.fromkeys(STATISTICS, pl.Float64)}  # fmt: skip
    return pl.DataFrame(rows, schema=schema)


def _times(value: float | None, factor: float) -> float | None:
    return None if value is None else value * factor


def _family(row: dict[str, str]) -> str:
    """What a series measures: a collective if its name has one, otherwise its quantity."""
    name = re.sub(r"[^a-z]", "", row["series"].lower())
    return next((one for one in _FAMILIES if one in name), row["quantity"])
