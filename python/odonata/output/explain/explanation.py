"""Why a job was slow, as sentences, their numbers and a picture."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
import polars as pl

from odonata.output import plots
from odonata.output.canvas import legend, new_figure

if TYPE_CHECKING:
    from pathlib import Path


@dataclass
class Explanation:
    """Why a job was slow.

    Attributes
    ----------
    job : str
        Whose time it is about.
    steps : list of tuple of str and str
        Heading and sentences, from the job down to links.
    facts : dict
        The numbers in them, by name.
    jobs : list of str
        All jobs of the run, in the order of their colours.
    delays, links : polars.DataFrame
        Who delayed the job, and where: what its picture shows; empty without blame.
    """

    job: str
    steps: list[tuple[str, str]] = field(default_factory=list)
    facts: dict[str, Any] = field(default_factory=dict)
    jobs: list[str] = field(default_factory=list)
    delays: pl.DataFrame = field(default_factory=pl.DataFrame)
    links: pl.DataFrame = field(default_factory=pl.DataFrame)

    def draw(self, path: Path) -> Path | None:
        """Store the picture of it: who delayed the job, and where; None without blame."""
        if self.delays.is_empty() or self.links.is_empty():
            return None
        with mpl.rc_context(dict(plots.RC)):
            figure, (left, right) = new_figure(2, 5.0, 3.2)
            plots.delays(self.delays, left, jobs=self.jobs)
            left.set_title(f"Who delayed {self.job}")
            plots.delaying_links(self.links, right, jobs=self.jobs)
            right.set_title("Links that the waits are charged to")
            legend(figure, [left, right])
            figure.savefig(path)
        return path
