"""Files of pictures of a frame: boxes, cumulative distributions, slowest ranks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import matplotlib as mpl
import polars as pl
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from odonata.analysis import picture_points
from odonata.analysis.slowest import slowest_ranks
from odonata.output import plots
from odonata.output.noise.labels import labelled

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_TOGETHER = 12
"""Series in one picture at most."""

_MOST = 60
"""Pictures at most: of the quantities and series that come first."""


def draw(frame: pl.DataFrame, folder: Path) -> list[Path]:
    """Write pictures of every quantity of a frame.

    Parameters
    ----------
    frame : polars.DataFrame
        In the form.
    folder : pathlib.Path
        Where to write; made if it is not there.

    Returns
    -------
    list of pathlib.Path
        The pictures (PNG): ``boxes-QUANTITY.png``, ``cumulative-QUANTITY.png`` (numbered beyond
        12 series), ``slowest-SERIES.png`` where samples have ranks and iterations.

    Raises
    ------
    OSError
        The folder cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for number, (name, size, paint) in enumerate(_pictures(frame)):
        if number == _MOST:
            break
        path = folder / f"{name}.png"
        with mpl.rc_context(dict(plots.RC)):
            figure = Figure(figsize=size, layout="constrained")
            FigureCanvasAgg(figure)
            axes = figure.subplots()
            paint(axes)
            figure.savefig(path, metadata={"Software": None})
        written.append(path)
    return written


_Picture = tuple[str, tuple[float, float], Callable[["Axes"], object]]


def _pictures(frame: pl.DataFrame) -> Iterator[_Picture]:
    samples = frame.filter((pl.col("statistic") == "sample") & pl.col("quantity").is_not_null())
    for part in samples.partition_by("quantity", "unit", maintain_order=True):
        yield from _of_quantity(part, str(part["quantity"][0]))
    ranked = samples.filter(pl.col("rank").is_not_null() & pl.col("iteration").is_not_null())
    if len(ranked):
        names = set[str]()
        found = labelled(slowest_ranks(ranked))
        for part in found.partition_by("label", maintain_order=True):
            if part["ranks"].max() > 1 and len(part) > 1:  # type: ignore[operator]
                name = _distinct(f"slowest-{_plain(str(part['label'][0]))}", names)
                yield name, (7.0, 3.4), _slowest(part)


def _of_quantity(samples: pl.DataFrame, quantity: str) -> Iterator[_Picture]:
    boxes, curves = (
        labelled(picture_points.boxes(samples)),
        labelled(picture_points.cumulative(samples)),
    )
    pages = range(0, len(boxes), _TOGETHER)
    for page, first in enumerate(pages, 1):
        some = boxes.slice(first, _TOGETHER)
        ending = f"-{page}" if len(pages) > 1 else ""
        longest = int(some["label"].str.len_chars().max())  # type: ignore[arg-type]
        size = (5.0 + 0.065 * longest, 0.42 * len(some) + 1.1)
        name = _plain(quantity)
        yield f"boxes-{name}{ending}", size, _boxes(some, quantity)
        lines = curves.filter(pl.col("label").is_in(some["label"].to_list()))
        yield (
            f"cumulative-{name}{ending}",
            (7.0, 3.6 + 0.2 * len(some)),
            _cumulative(lines, quantity),
        )


def _boxes(frame: pl.DataFrame, quantity: str) -> Callable[[Axes], object]:
    return lambda axes: plots.notched_boxes(frame, axes, quantity=quantity.replace("_", " "))


def _cumulative(frame: pl.DataFrame, quantity: str) -> Callable[[Axes], object]:
    def paint(axes: Axes) -> None:
        plots.cumulative(frame, axes, quantity=quantity.replace("_", " "))
        _legend(axes, longest=int(frame["label"].str.len_chars().max()))  # type: ignore[arg-type]

    return paint


def _slowest(frame: pl.DataFrame) -> Callable[[Axes], object]:
    def paint(axes: Axes) -> None:
        plots.slowest_ranks(frame, axes, quantity=str(frame["quantity"][0]).replace("_", " "))
        _legend(axes, longest=12)

    return paint


def _legend(axes: Axes, *, longest: int) -> None:
    """A legend below the picture, in as many columns as fit."""
    figure = axes.get_figure()
    if isinstance(figure, Figure):
        columns = max(1, min(3, 100 // (longest + 6)))
        figure.legend(loc="outside lower center", ncols=columns)


def _plain(name: str) -> str:
    """A name that any file system takes."""
    return re.sub(r"[^A-Za-z0-9.]+", "-", name).strip("-")[:80] or "series"


def _distinct(name: str, taken: set[str]) -> str:
    number, found = 2, name
    while found in taken:
        found, number = f"{name}-{number}", number + 1
    taken.add(found)
    return found
