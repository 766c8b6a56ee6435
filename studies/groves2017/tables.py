"""The tables of docs/studies/groves2017.md, from what the runs have left."""

from __future__ import annotations

import numpy as np
import polars as pl

from odonata import noise

ALL, BEST = 512, "best of all"

PUBLISHED = {
    "INQ_PRF_INCOMING_FLIT_VC0": (0.32, 0.19, 0.65),
    "INQ_PRF_INCOMING_FLIT_VC1": (0.44, 0.63, 0.69),
    "INQ_PRF_INCOMING_FLIT_VC2": (0.23, 0.25, 0.58),
    "INQ_PRF_INCOMING_FLIT_VC3": (0.02, 0.01, 0.25),
    "INQ_PRF_INCOMING_FLIT_VC4": (0.21, 0.09, 0.09),
    "INQ_PRF_INCOMING_FLIT_VC5": (0.26, 0.10, 0.07),
    "INQ_PRF_INCOMING_PKT_VC2_FILTER_FLIT2_CNT": (0.21, 0.70, 0.68),
    "INQ_PRF_INCOMING_PKT_VC4_FILTER_FLIT4_CNT": (0.20, 0.26, 0.25),
    "INQ_PRF_ROWBUS_2X_USAGE_CNT": (0.06, 0.00, 0.21),
    "INQ_PRF_INCOMING_FLIT_TOT": (0.19, 0.19, 0.71),
    "INQ_PRF_ROWBUS_STALL_CNT": (0.22, 0.48, 0.71),
}
"""Table I of Groves et al. 2017: R squared over all iterations, above the 90th and the 95th
percentile of the time."""

_SEED = 2017
_KEYS = ("ranks", "bytes", "iteration")


def printed(iterations: pl.DataFrame, counters: pl.DataFrame) -> str:
    """All tables of the page, as Markdown."""
    if ALL not in iterations["ranks"]:
        return f"No case of {ALL} ranks has run yet: the tables need them.\n"
    parts = [
        "### Counters against time, 512 ranks, as counted",
        _table_one(iterations, counters, by_interval=False),
        "### The same, by interval",
        _table_one(iterations, counters, by_interval=True),
        "### What was planted",
        _planted(iterations, counters),
        "### Message size and ranks against time",
        _figures(iterations),
    ]
    return "\n\n".join(parts) + "\n"


def joined(
    iterations: pl.DataFrame, counters: pl.DataFrame, *, by_interval: bool
) -> tuple[pl.DataFrame, list[str], np.ndarray]:
    """Iterations of 512 ranks in the order of running, names of counters, and their values."""
    of_all = iterations.filter(pl.col("ranks") == ALL)
    both = of_all.join(counters, on=_KEYS, how="inner", maintain_order="left")
    names = [name for name in counters.columns if name not in _KEYS]
    values = both.select(pl.col(names).fill_null(0.0)).to_numpy().astype(np.float64)
    if by_interval:
        spans = (both["end_ns"] - both["start_ns"]).to_numpy()
        values = values / spans[:, None]
    varies = np.ptp(values, axis=0) > 0
    return both, [name for name, kept in zip(names, varies, strict=True) if kept], values[:, varies]


def explained(iterations: pl.DataFrame, counters: pl.DataFrame) -> pl.DataFrame:
    """What every counter explains, as counted and by interval: a row per counter and percentile."""
    frames = []
    for how, by_interval in (("as counted", False), ("by interval", True)):
        both, names, values = joined(iterations, counters, by_interval=by_interval)
        found = noise.counters_against_time(
            both["slowest_ns"].to_numpy(), names, values, rng=np.random.default_rng(_SEED)
        )
        frames.append(found.select(pl.lit(how).alias("how"), pl.all()))
    return pl.concat(frames)


def planted(iterations: pl.DataFrame, counters: pl.DataFrame) -> pl.DataFrame:
    """Time, planted load and flits counted per ns of every iteration of 512 ranks."""
    both, names, values = joined(iterations, counters, by_interval=True)
    flits = values[:, names.index("INQ_PRF_INCOMING_FLIT_TOT")]
    return both.select(*_KEYS, "slowest_ns", "planted_gb_per_s").with_columns(flits_per_ns=flits)


def _table_one(iterations: pl.DataFrame, counters: pl.DataFrame, *, by_interval: bool) -> str:
    both, names, values = joined(iterations, counters, by_interval=by_interval)
    found = noise.counters_against_time(
        both["slowest_ns"].to_numpy(), names, values, rng=np.random.default_rng(_SEED)
    )
    lines = [
        "| counter | paper: all, > 90 %, > 95 % | here: all | p | ahead | > 90 % | p | ahead "
        "| > 95 % | p | ahead |",
        "|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    for name in [*PUBLISHED, *(n for n in names if n not in PUBLISHED), BEST]:
        rows = found.filter(pl.col("counter") == name).sort("above").rows(named=True)
        theirs = PUBLISHED.get(name)
        paper = "-" if theirs is None else ", ".join(f"{value:.2f}" for value in theirs)
        cells = [cell for row in rows for cell in _cells(row)] or ["does not vary", *[""] * 8]
        lines.append(f"| {name if name == BEST else f'`{name}`'} | {paper} | {' | '.join(cells)} |")
    best = found.filter(pl.col("counter") == BEST).sort("above")
    counts = ", ".join(str(count) for count in best["iterations"])
    chance = ", ".join(f"{value:.2f}" for value in best["r_squared_chance"] if value is not None)
    lines += ["", f"Iterations: {counts}. Best of {len(names)} counters by chance: {chance}."]
    return "\n".join(lines)


def _cells(row: dict[str, float | None]) -> list[str]:
    return [
        _said(row["r_squared"], "{:.2f}"),
        _said(row["p_adjusted"], "{:.3f}"),
        _said(row["r_squared_ahead"], "{:.2f}"),
    ]


def _said(value: float | None, form: str) -> str:
    return "-" if value is None else form.format(value)


def _planted(iterations: pl.DataFrame, counters: pl.DataFrame) -> str:
    """The load that was put in, against the time, and against the counters by interval."""
    lines = ["| 512 ranks, R2 of | against time | > 90 % | against the planted load |",
             "|---|---|---|---|"]  # fmt: skip
    both, names, values = joined(iterations, counters, by_interval=True)
    times, load = both["slowest_ns"].to_numpy(), both["planted_gb_per_s"].to_numpy()
    is_slow = times > np.quantile(times, 0.9)
    rows = [
        ("planted load of the others", load),
        ("what the others' NICs sent", both["sent_gb_per_s"].to_numpy()),
        ("payload", both["bytes"].to_numpy().astype(float)),
        *(
            (f"`{name}` by interval", values[:, names.index(name)])
            for name in PUBLISHED
            if name in names
        ),
    ]
    for name, values_of in rows:
        slow = noise.r_squared(values_of[is_slow], times[is_slow])
        lines.append(
            f"| {name} | {noise.r_squared(values_of, times):.2f} | {slow:.2f} "
            f"| {noise.r_squared(values_of, load):.2f} |"
        )
    return "\n".join(lines)


def _figures(iterations: pl.DataFrame) -> str:
    """Figs. 2 and 3: payload against the slowest and the fastest rank; Fig. 4: by ranks."""
    lines = ["| ranks | payload | iterations | R2 of payload, slowest | fastest "
             "| median, us | largest over median |", "|---|---|---|---|---|---|---|"]  # fmt: skip
    for ranks in (32, ALL):
        of = iterations.filter(pl.col("ranks") == ranks)
        if of["bytes"].n_unique() > 1:
            size = of["bytes"].to_numpy()
            fits = [noise.r_squared(size, of[name].to_numpy())
                    for name in ("slowest_ns", "fastest_ns")]  # fmt: skip
            lines.append(_line(of, f"{ranks}", "all", fits))
    same = iterations.filter(pl.col("bytes") == 512)
    for (ranks,), of in same.sort("ranks").group_by("ranks", maintain_order=True):
        lines.append(_line(of, f"{ranks}", "512 B", None))
    return "\n".join(lines)


def _line(of: pl.DataFrame, ranks: str, payload: str, fits: list[float] | None) -> str:
    times = of["slowest_ns"].to_numpy()
    said = ["-", "-"] if fits is None else [f"{fit:.2f}" for fit in fits]
    median = float(np.median(times))
    cells = [
        ranks,
        payload,
        f"{len(of)}",
        *said,
        f"{median / 1e3:.1f}",
        f"{times.max() / median:.2f}",
    ]
    return f"| {' | '.join(cells)} |"
