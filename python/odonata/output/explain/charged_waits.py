"""What was charged to whom, of the packets that ranks wait for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

if TYPE_CHECKING:
    from odonata.results import Result

TRANSACTION = "transaction"
"""Column that tells requests from acknowledgements, which no rank waits for."""

REQUEST = "request"

_ROUNDING = 1e-9
"""Share of a whole below which a difference is that of rounded numbers."""


def table(run: Result, name: str) -> pl.DataFrame:
    """Return a table of a run; an empty frame if it has none."""
    return run.table(name) if name in run.tables() else pl.DataFrame()


def requests(run: Result) -> pl.DataFrame:
    """Return the rows of `blame` that are about packets for which ranks wait.

    Results of versions that do not tell requests from acknowledgements have all rows here; where
    packets are answered, they are of no use (see :func:`is_mixed`) and the frame is empty.
    """
    return _kept(run, table(run, "blame"))


def rank_requests(run: Result) -> pl.DataFrame:
    """Return the same of the table `blame_ranks`."""
    return _kept(run, table(run, "blame_ranks"))


def _kept(run: Result, charged: pl.DataFrame) -> pl.DataFrame:
    if TRANSACTION in charged.columns:
        return charged.filter(pl.col(TRANSACTION) == REQUEST)
    kept = charged.clear() if is_mixed(run) else charged
    return kept.with_columns(pl.lit(REQUEST).alias(TRANSACTION))


def answers(run: Result) -> pl.DataFrame:
    """Return the rows of `blame` that are about acknowledgements."""
    charged = table(run, "blame")
    if TRANSACTION not in charged.columns:
        return charged.clear()
    return charged.filter(pl.col(TRANSACTION) != REQUEST)


def is_mixed(run: Result) -> bool:
    """Whether waits of acknowledgements are among all others: results of an earlier version."""
    charged = table(run, "blame")
    if charged.is_empty() or TRANSACTION in charged.columns:
        return False
    size = str((run.scenario.get("system", {}).get("nic") or {}).get("response", "0 B"))
    return not size.startswith("0 ")


def dusted(value: float, whole: float) -> float:
    """Return 0 for what is no more than the rounding of a whole."""
    return 0.0 if abs(value) <= _ROUNDING * abs(whole) else value
