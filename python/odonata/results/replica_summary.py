"""What the replicas of a sweep say, as its ``summary.json``."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import polars as pl

from odonata.analysis import replicas
from odonata.analysis.quantiles import LEVEL
from odonata.core import native
from odonata.results.sweep import Sweep


def sweep_summary(sweep: Sweep) -> dict[str, Any]:
    """What the replicas of a sweep say, variant by variant: content of its ``summary.json``.

    Returns
    -------
    dict
        ``replicas``, ``level`` of the intervals, ``variants`` with the swept keys, figures of
        the ``network`` and of ``jobs``, each with ``_low`` and ``_high``; ``differences``.
    """
    found = sweep.intervals()
    keys = [key for key in sweep.keys if key != replicas.SEED]
    parts = found.partition_by(keys, maintain_order=True) if keys else [found]
    return {
        "schema": 1,
        "odonata_version": native.VERSION,
        "replicas": sweep.replicas,
        "level": LEVEL,
        "variants": [_variant(part, keys) for part in parts if len(part)],
        "differences": sweep.differences().to_dicts(),
    }


def _variant(part: pl.DataFrame, keys: list[str]) -> dict[str, Any]:
    network: dict[str, Any] = {}
    jobs: dict[str, dict[str, Any]] = {}
    for row in part.iter_rows(named=True):
        owner = network
        if row["job"] is not None:
            owner = jobs.setdefault(row["job"], {"name": row["job"]})
        owner[row["quantity"]] = row["value"]
        owner[f"{row['quantity']}_low"] = row["value_low"]
        owner[f"{row['quantity']}_high"] = row["value_high"]
    swept = {key: part[key][0] for key in keys}
    counted = max(part["replicas"].to_list())
    return {"swept": swept, "replicas": counted, "network": network, "jobs": [*jobs.values()]}


def summary_bytes(sweep: Sweep) -> bytes | None:
    """The same as bytes of the file; ``None`` without replicas."""
    if sweep.replicas == 1:
        return None
    return (json.dumps(sweep_summary(sweep), indent=2, ensure_ascii=False) + "\n").encode()


def wide_words(given: Sequence[float], written: Callable[[float], str]) -> str:
    """What replicas that are far apart do, in words.

    Returns
    -------
    str
        How many are at how much, or from where to where they go; nothing where they are close.
    """
    if not replicas.is_wide(given):
        return ""
    groups = replicas.parted(given)
    if groups is None:
        return f"{len(given)} replicas are from {written(min(given))} to {written(max(given))}"
    count, upper, lower = groups
    return (f"{count} of {len(given)} replicas are at {written(upper)} or more, the others at "
            f"{written(lower)} or less")  # fmt: skip
