"""Pictures with a curve per job."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl
from matplotlib.ticker import FuncFormatter

from odonata.output.plots.style import PALETTE, job_colours, log_ticks, time_unit

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_DASHES = {"alone": (0, (4, 2)), "beside": "solid"}


def throughput(
    frame: pl.DataFrame,
    axes: Axes,
    *,
    jobs: list[str] | None = None,
    largest_ns: float | None = None,
) -> None:
    """Draw what each job gets through the network, over time (figure 5 of Kang et al. 2022).

    Parameters
    ----------
    frame : polars.DataFrame
        ``time_ns``, ``job``, ``throughput_gb_per_s``; equal bins.
    jobs : list of str, optional
        Order of the jobs, which decides their colours; by default that of the frame.
    largest_ns : float, optional
        Decides the unit of time; by default the largest value of the frame does.
    """
    names = jobs or frame["job"].unique(maintain_order=True).to_list()
    end = largest_ns or float(frame["time_ns"].max())  # type: ignore[arg-type]
    scale, symbol = time_unit(end)
    for job, colour in job_colours(names).items():
        rows = frame.filter(pl.col("job") == job).sort("time_ns")
        if rows.is_empty():
            continue
        axes.step(
            rows["time_ns"] / scale,
            rows["throughput_gb_per_s"],
            where="post",
            color=colour,
            linewidth=1.3,
            label=job,
        )
    axes.set_xlim(left=0)
    axes.set_ylim(bottom=0)
    axes.set_xlabel(f"time ({symbol})")
    axes.set_ylabel("throughput (GB/s)")


def latency_tail(
    frame: pl.DataFrame,
    axes: Axes,
    *,
    jobs: list[str] | None = None,
    largest_ns: float | None = None,
) -> None:
    """Draw which fraction of each job's packets took longer than a latency.

    Horizontal lines mark the 95th and 99th percentile. Dashed: the job alone.

    Parameters
    ----------
    frame : polars.DataFrame
        ``job``, ``setting`` (``alone`` or ``beside``), ``latency_ns``, ``fraction_above``.
    jobs : list of str, optional
        Order of the jobs, which decides their colours; by default that of the frame.
    largest_ns : float, optional
        As for :func:`throughput`.
    """
    names = jobs or frame["job"].unique(maintain_order=True).to_list()
    shown = frame.filter(pl.col("fraction_above") >= 1e-4)
    top = shown["latency_ns"].max() if len(shown) else frame["latency_ns"].max()
    scale, symbol = time_unit(largest_ns or float(top))  # type: ignore[arg-type]
    for job, colour in job_colours(names).items():
        for setting, dash in _DASHES.items():
            rows = shown.filter((pl.col("job") == job) & (pl.col("setting") == setting))
            if rows.is_empty():
                continue
            label = job if setting == "beside" else f"{job}, alone"
            axes.plot(
                rows["latency_ns"] / scale,
                rows["fraction_above"],
                color=colour,
                linestyle=dash,
                linewidth=1.4,
                label=label,
            )
    for fraction, name in ((0.05, "p95"), (0.01, "p99")):
        axes.axhline(fraction, color="#999999", linewidth=0.8, linestyle=":")
        axes.annotate(
            name,
            (1.0, fraction),
            xycoords=("axes fraction", "data"),
            xytext=(-2, 2),
            textcoords="offset points",
            ha="right",
            fontsize=8,
            color="#666666",
        )
    axes.set_xscale("log")
    log_ticks(axes.xaxis)
    axes.set_yscale("log")
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.set_ylim(1e-4, 1.2)
    axes.set_xlabel(f"packet latency ({symbol})")
    axes.set_ylabel("fraction of packets above")
    axes.grid(visible=True, axis="both", color="#EEEEEE")


def load_latency(frame: pl.DataFrame, axes: Axes, *, curves: list[str] | None = None) -> None:
    """Draw mean packet latency over offered load, a curve per routing or other setting.

    Solid: mean, dotted: 99th percentile. From the first saturated load on, the mean is dashed with
    hollow marks and the percentile is left out: both say how long was measured.

    Parameters
    ----------
    frame : polars.DataFrame
        Of one pattern: ``curve``, ``offered_load``, ``latency_ns_mean``, ``latency_ns_p99``,
        ``saturated``; where there are ``latency_ns_mean_low`` and ``latency_ns_mean_high``, they
        are drawn as bars, and ``zero_load_ns`` and ``limit`` as lines.
    curves : list of str, optional
        Order of the curves of all panels, which decides their colours; by default that of the
        frame.
    """
    scale, symbol = time_unit(float(frame["latency_ns_p99"].max()))  # type: ignore[arg-type]
    for curve, (rows, colour, mark) in _curves(frame, curves).items():
        steady = rows.head(_steady(rows))
        for name, dash, size in (("mean", "solid", 4.0), ("p99", "dotted", 2.5)):
            axes.plot(
                steady["offered_load"],
                steady[f"latency_ns_{name}"] / scale,
                label=curve if name == "mean" else "_",
                color=colour,
                linestyle=dash,
                linewidth=1.4,
                marker=mark,
                markersize=size,
            )
        _bars(axes, rows, "latency_ns_mean", (scale, colour))
        _saturated_part(axes, rows, (rows["latency_ns_mean"] / scale, colour, mark))
    for zero_load in _known(frame, "zero_load_ns"):
        axes.axhline(zero_load / scale, color=_THEORY, linewidth=0.9, linestyle=(0, (1, 2)))
        axes.annotate("zero load", (1.0, zero_load / scale), xycoords=("axes fraction", "data"),
                      xytext=(-2, 2), textcoords="offset points", ha="right", fontsize=7,
                      color=_THEORY)  # fmt: skip
    _limits(axes, frame)
    axes.set_yscale("log")
    log_ticks(axes.yaxis)
    axes.set_xlabel("offered load (fraction of injection bandwidth)")
    axes.set_ylabel(f"packet latency ({symbol})")
    axes.grid(visible=True, axis="both", color="#EEEEEE")


def accepted_load(frame: pl.DataFrame, axes: Axes, *, curves: list[str] | None = None) -> None:
    """Draw accepted over offered load, a curve per routing or other setting.

    Grey: what a network that takes everything accepts. From the first saturated load on, curves are
    dashed with hollow marks.

    Parameters
    ----------
    frame : polars.DataFrame
        Of one pattern: ``curve``, ``offered_load``, ``accepted_load``, ``saturated``; where there
        are ``accepted_load_low`` and ``accepted_load_high``, they are drawn as bars, and ``limit``
        as a line.
    curves : list of str, optional
        As for :func:`load_latency`.
    """
    top = float(frame["offered_load"].max())  # type: ignore[arg-type]
    axes.plot([0, top], [0, top], color="#999999", linewidth=0.8)
    for curve, (rows, colour, mark) in _curves(frame, curves).items():
        steady = rows.head(_steady(rows))
        axes.plot(
            steady["offered_load"],
            steady["accepted_load"],
            label=curve,
            color=colour,
            linewidth=1.4,
            marker=mark,
            markersize=4,
        )
        _bars(axes, rows, "accepted_load", (1.0, colour))
        _saturated_part(axes, rows, (rows["accepted_load"], colour, mark))
    _limits(axes, frame)
    axes.set_xlim(left=0)
    axes.set_ylim(bottom=0)
    axes.set_xlabel("offered load (fraction of injection bandwidth)")
    axes.set_ylabel("accepted load")
    axes.grid(visible=True, axis="both", color="#EEEEEE")


_THEORY = "#666666"
"""Colour of what theory says."""

_MARKS = "os^Dv"
"""Marks of the first eight curves, of the next eight, and so on: colours repeat, pairs do not."""


def _known(frame: pl.DataFrame, column: str) -> list[float]:
    """Different values of a column, as far as there is one."""
    return sorted(frame[column].drop_nulls().unique()) if column in frame.columns else []


def _limits(axes: Axes, frame: pl.DataFrame) -> None:
    """Draw where theory ends the curves, with what it is of."""
    top = float(frame["offered_load"].max())  # type: ignore[arg-type]
    for limit in _known(frame, "limit"):
        if limit > top or limit >= 1.0:  # nothing can inject more
            continue
        names = frame.filter(pl.col("limit") == limit)["limit_of"].unique(maintain_order=True)
        axes.axvline(limit, color=_THEORY, linewidth=0.9, linestyle=(0, (1, 2)))
        axes.annotate(f"limit of {', '.join(names)}, {limit:.3g}", (limit, 1.0),
                      xycoords=("data", "axes fraction"), xytext=(2, -2),
                      textcoords="offset points", rotation=90, va="top", fontsize=7,
                      color=_THEORY)  # fmt: skip


def _curves(
    frame: pl.DataFrame, order: list[str] | None
) -> dict[str, tuple[pl.DataFrame, str, str]]:
    """Rows of each curve by rising load, its colour and its mark."""
    names = order or frame["curve"].unique(maintain_order=True).to_list()
    found = {}
    for number, name in enumerate(names):
        rows = frame.filter(pl.col("curve") == name).sort("offered_load")
        if not rows.is_empty():
            mark = _MARKS[number // len(PALETTE) % len(_MARKS)]
            found[name] = rows, PALETTE[number % len(PALETTE)], mark
    return found


def _bars(axes: Axes, rows: pl.DataFrame, column: str, look: tuple[float, str]) -> None:
    """Draw the intervals of points that have one."""
    low, high = f"{column}_low", f"{column}_high"
    if low not in rows.columns:
        return
    told = rows.drop_nulls([low, high])
    scale, colour = look
    if told.is_empty():
        return
    reach = [(told[column] - told[low]) / scale, (told[high] - told[column]) / scale]
    axes.errorbar(told["offered_load"], told[column] / scale, yerr=reach, fmt="none",
                  ecolor=colour, elinewidth=1.0, capsize=2.5)  # fmt: skip


def _steady(rows: pl.DataFrame) -> int:
    """Number of points below the first saturated one."""
    marks = rows["saturated"].to_list() if "saturated" in rows.columns else []
    return marks.index(True) if True in marks else len(rows)


def _saturated_part(axes: Axes, rows: pl.DataFrame, look: tuple[pl.Series, str, str]) -> None:
    """Draw the rest of a curve, and how it gets there."""
    values, colour, mark = look
    first = _steady(rows)
    if first == len(rows):
        return
    before = max(first - 1, 0)
    axes.plot(rows["offered_load"][before:], values[before:], color=colour, linestyle=(0, (3, 2)),
              linewidth=1.1)  # fmt: skip
    axes.plot(rows["offered_load"][first:], values[first:], color=colour, linestyle="none",
              marker=mark, markersize=4.5, markerfacecolor="white")  # fmt: skip


LEARNING = {
    "latency_ns_mean": "mean latency",
    "nonminimal_fraction": "non-minimal fraction",
    "table_error_ns_mean": "error of estimates",
}
"""What :func:`learning_curve` draws, with the name of its axis."""


def learning_curve(
    frame: pl.DataFrame, axes: Axes, *, column: str, jobs: list[str] | None = None
) -> None:
    """Draw how a quantity changes while a routing learns, a curve per job.

    Parameters
    ----------
    frame : polars.DataFrame
        ``time_ns``, ``job``, and `column`.
    column : str
        A key of :data:`LEARNING`.
    jobs : list of str, optional
        Order of the jobs, which decides their colours; by default that of the frame.
    """
    names = jobs or frame["job"].unique(maintain_order=True).to_list()
    scale, symbol = time_unit(float(frame["time_ns"].max()))  # type: ignore[arg-type]
    factor, label = 1.0, LEARNING[column]
    largest = frame[column].max()
    if "_ns" in column and largest is not None:
        factor, unit = time_unit(float(largest))  # type: ignore[arg-type]
        label = f"{label} ({unit})"
    for job, colour in job_colours(names).items():
        rows = frame.filter(pl.col("job") == job).drop_nulls(column).sort("time_ns")
        if not rows.is_empty():
            axes.plot(
                rows["time_ns"] / scale, rows[column] / factor, color=colour, linewidth=1.3,
                label=job,
            )  # fmt: skip
    axes.set_xlim(left=0)
    axes.set_ylim(bottom=0)
    axes.set_xlabel(f"time ({symbol})")
    axes.set_ylabel(label)


def counter_rates(frame: pl.DataFrame, axes: Axes) -> None:
    """Draw how fast counters of one unit count, a curve per counter.

    Parameters
    ----------
    frame : polars.DataFrame
        ``time_ns``, ``counter``, ``unit`` (one for all), ``rate`` (units per ns).
    axes : matplotlib.axes.Axes
        Where to draw; names stand in it.
    """
    scale, symbol = time_unit(float(frame["time_ns"].max()))  # type: ignore[arg-type]
    names = frame["counter"].unique(maintain_order=True).to_list()
    for name, colour in job_colours(names).items():
        rows = frame.filter(pl.col("counter") == name).sort("time_ns")
        axes.step(rows["time_ns"] / scale, rows["rate"], where="pre", color=colour,
                  linewidth=1.2, label=name)  # fmt: skip
    axes.set_xlim(left=0)
    axes.set_ylim(bottom=0)
    axes.set_xlabel(f"time ({symbol})")
    axes.set_ylabel(f"{frame['unit'][0]} per ns")
    axes.legend(fontsize=5.5, loc="upper left", bbox_to_anchor=(0, -0.2), ncols=1)
