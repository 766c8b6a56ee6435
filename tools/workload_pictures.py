"""Draws how each workload communicates, for its page: run with the package installed.

    .venv/bin/python tools/workload_pictures.py [NAME ...]

Each workload runs alone, with 64 ranks (or what is given below) on a 72-node dragonfly. The matrix
is that of all packets, the load that of the time series. Where a workload sends more than 60 MB,
its messages are scaled down; the picture says by how much.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import polars as pl
from matplotlib.axes import Axes
from matplotlib.colors import LogNorm, Normalize
from matplotlib.ticker import FuncFormatter, NullFormatter
from PIL import Image
from registry_pages import OTHERS

import odonata
from odonata.output.plots.style import HEAT, PALETTE, RC, time_unit
from odonata.scenario import Scenario, before, registry

FOLDER = Path(__file__).parents[1] / "docs" / "images" / "workloads"
RANKS = 64
MOST_BYTES = 60e6
LEAST_SCALE = 0.01
BINS = 128
SPECIAL: dict[str, dict[str, Any]] = {
    "ping-pong": {"ranks": 2, "iterations": 20},
    "lu": {"iterations": 1, "stages": 20},
    "lulesh": {"iterations": 1, "stages": 10},
    "layered-allbcast": {"iterations": 1},
    "bfs": {"scale": 16, "iterations": 1},
    "sssp": {"scale": 14, "iterations": 1},
    "nekbone": {"elements": 4, "orders": [4, 6, 1], "iterations": 2},
    "hpcg": {"points": 48, "iterations": 2},
    "inference": {"iterations": None, "layers": 4, "requests": 64, "rate": 4000.0, "prompt": 150},
}
"""Parameters where 64 ranks and two iterations do not fit, or take long; None: there is none."""

MUCH = 20
"""Ratio of the largest to the smallest above which colours are logarithmic."""


def rank_matrix(matrix: np.ndarray, axes: Axes) -> None:
    """Draw the bytes that each rank sends to each other one; logarithmic if they differ much.

    The picture is the last of ``axes.images``, for a colour bar. Pairs that send nothing stay grey.

    Parameters
    ----------
    matrix : numpy.ndarray
        Shape (ranks, ranks), bytes: rows send, columns receive; not all 0.
    """
    shown = np.where(matrix > 0, matrix, np.nan)
    least, most = float(np.nanmin(shown)), float(np.nanmax(shown))
    norm = LogNorm(least, most) if most > MUCH * least else Normalize(0, most)
    axes.set_facecolor("#E4E4E4")
    axes.imshow(shown, cmap=HEAT, norm=norm, interpolation="nearest", origin="upper")
    axes.grid(visible=False)
    axes.set_xlabel("to rank")
    axes.set_ylabel("from rank")


def load_over_time(series: pl.DataFrame, axes: Axes) -> None:
    """Draw the rate at which a job sends, over time.

    Parameters
    ----------
    series : polars.DataFrame
        ``time_ns``, ``bin_ns``, ``bytes_injected`` of one job, by time.
    """
    start = series["time_ns"].to_numpy()
    width = series["bin_ns"].to_numpy()
    size, unit = time_unit(float((start + width).max()))
    rate = series["bytes_injected"].to_numpy() / width
    edges = np.append(start, start[-1] + width[-1]) / size
    axes.stairs(rate, edges, fill=True, color=PALETTE[0])
    axes.set_xlim(0, edges[-1])
    axes.set_ylim(bottom=0)
    axes.set_xlabel(f"time, {unit}")
    axes.set_ylabel("sent by all ranks, GB/s")


def scenario(name: str, scale: float, bin_ns: float) -> dict[str, Any]:
    """A run of the workload alone."""
    given = {"kind": name, "ranks": RANKS, "iterations": 2, **SPECIAL.get(name, {})}
    workload = {key: value for key, value in given.items() if value is not None}
    if scale < 1:
        workload["size_scale"] = scale
    return {
        "name": name,
        "system": {"preset": "dragonfly(2, 4, 2, 9)"},
        "routing": {"algorithm": "par"},
        "jobs": [{"name": name, "role": "victim", "workload": workload}],
        "telemetry": {"packet_sample": 1, "series_bin": f"{bin_ns:.0f} ns"},
    }


def draw(name: str) -> Path:
    """Run and draw one workload."""
    demand = before.demand(Scenario.from_mapping(scenario(name, 1.0, 1000)).points[0])[0]
    scale = min(1.0, MOST_BYTES / max(demand["bytes_sent"], 1))
    scale = max(float(f"{scale:.1g}"), LEAST_SCALE) if scale < 1 else 1.0
    with tempfile.TemporaryDirectory() as folder:
        given = scenario(name, scale, max(demand["time_ns"] / BINS / 4, 1))
        result = odonata.run(given, out=Path(folder) / "run", baseline=False)
        nodes = result.table("ranks").select("node", "rank")
        packets = result.table("packets").select("source_node", "target_node", "bytes")
        series = result.table("series")
        iterations = result.table("iterations")["iteration"].n_unique()
    matrix = np.zeros((len(nodes), len(nodes)))
    number = dict(nodes.iter_rows())
    by_pair = packets.group_by("source_node", "target_node").agg(pl.col("bytes").sum())
    for source, target, size in by_pair.iter_rows():
        matrix[number[source], number[target]] = size
    series = few(series)
    about = f"{len(nodes)} ranks, {iterations} iteration{'s' if iterations > 1 else ''}"
    if scale < 1:
        about += f", messages x {scale:g}"
    return painted(name, about, matrix, series)


def few(series: pl.DataFrame) -> pl.DataFrame:
    """Bins joined until they are few enough to be seen."""
    while series.height > 2 * BINS:
        pairs = series.with_row_index("row").group_by(pl.col("row") // 2, maintain_order=True)
        series = pairs.agg(
            pl.col("time_ns").min(), pl.col("bin_ns").sum(), pl.col("bytes_injected").sum()
        ).drop("row")
    return series


def bytes_of(value: float, _: object) -> str:
    """Text of an amount on the scale."""
    for size, unit in ((1e9, "GB"), (1e6, "MB"), (1e3, "kB")):
        if value >= size:
            return f"{value / size:g} {unit}"
    return f"{value:g} B"


def painted(name: str, about: str, matrix: np.ndarray, series: pl.DataFrame) -> Path:
    """The picture: matrix and load side by side, in few colours."""
    mpl.use("Agg")
    from matplotlib import pyplot as plt  # noqa: PLC0415 - behind the choice of a backend

    FOLDER.mkdir(parents=True, exist_ok=True)
    path = FOLDER / f"{name}.png"
    with mpl.rc_context({**RC, "savefig.dpi": 80}):
        figure, (left, right) = plt.subplots(
            1, 2, figsize=(8.4, 3.2), width_ratios=[1, 1.5], layout="constrained"
        )
        rank_matrix(matrix, left)
        bar = figure.colorbar(left.images[-1], ax=left, shrink=0.9, format=FuncFormatter(bytes_of))
        bar.ax.yaxis.set_minor_formatter(NullFormatter())
        left.set_title("bytes from rank to rank")
        load_over_time(series, right)
        right.set_title(about, fontweight="normal", fontsize=8.5)
        figure.savefig(path, metadata={"Software": None})
        plt.close(figure)
    Image.open(path).convert("RGB").quantize(colors=64).save(path, optimize=True)
    return path


if __name__ == "__main__":
    every = [one for one in registry.family("workloads") if one not in OTHERS]
    for wanted in sys.argv[1:] or every:
        print(draw(wanted), flush=True)
