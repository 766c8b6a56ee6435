"""What every picture of a report is drawn on, and how it is stored."""

from __future__ import annotations

import io
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

if TYPE_CHECKING:
    from pathlib import Path

    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.cm import ScalarMappable

PAGE_WIDTH = 10.0
"""Inches."""

PANELS = 48
"""Panels of one picture: small multiples of as many variants as a reader can compare."""

PLACES = 12
"""Variants that get a place on the x axis; more get a row each."""

ROWS = 120
"""Variants that get a row of their own in one picture."""

_FEW = 8
"""Panels up to which there is room for large ones."""

_LETTERS_PER_INCH = 12.5
"""Of a legend."""


@dataclass(frozen=True, kw_only=True)
class Picture:
    """A picture of the report.

    Attributes
    ----------
    name : str
        File name without its ending.
    title, caption, alternative : str
        Heading, explanation, and text for readers who do not see it.
    svg, png : bytes
        The picture.
    width : float
        Its width on the page, inches.
    table : polars.DataFrame
        Its numbers.
    note : str
        What had to be left out; empty if nothing.
    """

    name: str
    title: str
    caption: str
    alternative: str
    svg: bytes
    png: bytes
    width: float
    table: pl.DataFrame
    note: str = ""


@dataclass(frozen=True)
class Sketch:
    """Words of a picture, as :class:`Picture` has them."""

    name: str
    title: str
    caption: str
    alternative: str
    note: str = ""


class Shown(Figure):
    """A figure that notebooks show although no window system of matplotlib knows it."""

    def _repr_png_(self) -> bytes:
        buffer = io.BytesIO()
        self.savefig(buffer, format="png", dpi=110)
        return buffer.getvalue()


@dataclass(frozen=True)
class Drawing:
    """A figure with its words and its numbers, not stored yet."""

    sketch: Sketch
    figure: Figure
    table: pl.DataFrame


def panel_size(panels: int, width: float, height: float) -> tuple[float, float]:
    """Size of a panel: as wished if there are few, smaller if there are many."""
    if panels <= _FEW:
        return width, height
    shrunk = min(1.0, (PAGE_WIDTH / 4) / width)
    return width * shrunk, max(height * shrunk, 1.7)


def new_figure(panels: int, width: float, height: float) -> tuple[Figure, list[Axes]]:
    """Make a grid of panels that is at most as wide as the page."""
    columns = max(1, min(panels, int(PAGE_WIDTH // width)))
    rows = math.ceil(panels / columns)
    columns = math.ceil(panels / rows)
    figure = Shown(figsize=(max(width * columns, 4.6), height * rows + 0.35), layout="constrained")
    FigureCanvasAgg(figure)
    grid = figure.subplots(rows, columns, squeeze=False)
    flat = list(grid.flat)
    for unused in flat[panels:]:
        unused.set_axis_off()
    return figure, flat[:panels]


def legend(figure: Figure, axes: list[Axes]) -> None:
    """Put one legend for all panels above them."""
    entries: dict[str, Artist] = {}
    for one in axes:
        handles, labels = one.get_legend_handles_labels()
        for handle, label in zip(handles, labels, strict=True):
            entries.setdefault(label, handle)
    if not any(label.endswith("alone") for label in entries):
        entries = {label.removesuffix(" beside"): handle for label, handle in entries.items()}
    if len(entries) > 1:
        room = int(figure.get_figwidth() * _LETTERS_PER_INCH)
        columns = max(1, room // (max(map(len, entries)) + 7))
        figure.legend(
            list(entries.values()),
            list(entries),
            loc="outside upper center",
            ncols=min(len(entries), columns, 6),
        )


def outer_labels(figure: Figure, panels: list[Axes]) -> None:
    """Label the axes once for all panels, which must have the same ones; few keep their own."""
    spec = panels[0].get_subplotspec()
    if spec is None or len(panels) <= _FEW:
        return
    columns = spec.get_gridspec().ncols
    figure.supylabel(panels[0].get_ylabel(), fontsize=9)
    for place, axes in enumerate(panels):
        axes.set_ylabel("")
        if place % columns:
            axes.tick_params(labelleft=False)
        if place + columns < len(panels):
            axes.tick_params(labelbottom=False)
            axes.set_xlabel("")


def colour_bar(figure: Figure, shown: ScalarMappable, panels: list[Axes], label: str) -> None:
    """Put one bar of colours for all panels beside them, or below where there are many rows."""
    spec = panels[0].get_subplotspec()
    rows = 1 if spec is None else spec.get_gridspec().nrows
    if rows <= 2:
        bar = figure.colorbar(shown, ax=panels, shrink=0.8, aspect=30, pad=0.02)
    else:
        bar = figure.colorbar(
            shown, ax=panels, location="bottom", shrink=0.5, aspect=50, pad=0.02, anchor=(0.0, 1.0)
        )
    bar.set_label(label)
    bar.outline.set_visible(False)


def store(drawing: Drawing, folder: Path) -> Picture:
    """Write a picture and its numbers as files."""
    sketch, figure = drawing.sketch, drawing.figure
    svg, png = folder / f"{sketch.name}.svg", folder / f"{sketch.name}.png"
    figure.savefig(svg, metadata={"Date": None, "Creator": None})
    # Where everything stands is settled; working it out again takes as long as drawing.
    figure.set_layout_engine("none")
    figure.savefig(png, metadata={"Software": None})
    drawing.table.write_csv(folder / f"{sketch.name}.csv")
    return Picture(
        name=sketch.name,
        title=sketch.title,
        caption=sketch.caption,
        alternative=sketch.alternative,
        svg=svg.read_bytes(),
        png=png.read_bytes(),
        width=figure.get_figwidth(),
        table=drawing.table,
        note=sketch.note,
    )


def listed(names: list[str]) -> str:
    """Names as words of a sentence."""
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]


def variant_names(frame: pl.DataFrame) -> str:
    """Variants of a frame as words of a sentence; of many, their number."""
    names = frame["variant"].unique(maintain_order=True).to_list()
    return listed(names) if len(names) <= PLACES else f"{len(names)} variants"
