"""Progress of an experiment on standard error."""

from __future__ import annotations

import math
import sys
import time
from types import TracebackType
from typing import Self

from rich.markup import escape
from rich.progress import (
    BarColumn,
    Progress,
    TaskID,
    TaskProgressColumn,
    TextColumn,
    TimeElapsedColumn,
)

from odonata.cli.screen import duration, screen

_EVERY_S = 10.0


class ProgressBar:
    """A bar per run with rate and time left; plain lines where there is no terminal.

    Parameters
    ----------
    quiet : bool
        Show notes only.
    """

    def __init__(self, *, quiet: bool) -> None:
        self._console = screen(to_stderr=True)
        self._quiet = quiet
        self._bars = Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=24),
            TaskProgressColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeElapsedColumn(),
            TextColumn("{task.fields[left]}"),
            console=self._console,
            transient=True,
            disable=quiet or not self._console.is_terminal,
        )
        self._task: TaskID | None = None
        self._planned = 0
        self._done = 0
        self._start = 0.0
        self._spoken = 0.0

    def __enter__(self) -> Self:
        """Start drawing."""
        self._bars.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        place: TracebackType | None,
    ) -> None:
        """Leave a clean screen behind."""
        self._bars.stop()

    def planned(self, runs: int) -> None:
        """So many runs will be made."""
        self._planned = runs

    def started(self, label: str) -> None:
        """A run starts."""
        self._start = self._spoken = time.monotonic()
        text = f"{self._done + 1}/{self._planned} {label}" if self._planned > 1 else label
        self._task = self._bars.add_task(text, total=1.0, rate="", left="")

    def progress(self, simulated_ps: int, packets: int, fraction: float) -> None:
        """The run has come so far; ``fraction`` is NaN where nobody knows the end."""
        now = time.monotonic()
        elapsed = now - self._start
        if elapsed <= 0 or self._task is None:
            return
        rate = f"{packets / elapsed / 1e6:.2f} M packets/s, {simulated_ps / 1e6:.1f} us simulated"
        left = ""
        if 0 < fraction < 1 and elapsed > 1:
            left = f"{duration(elapsed * (1 - fraction) / fraction * 1e9)} left"
        known = math.isfinite(fraction)
        self._bars.update(
            self._task,
            total=1.0 if known else None,
            completed=min(fraction, 1.0) if known else 0.0,
            rate=rate,
            left=left,
        )
        plain = not self._quiet and not self._console.is_terminal
        if plain and now - self._spoken >= _EVERY_S:
            self._spoken = now
            part = f"{fraction:.0%} " if known else ""
            print(f"{part}{rate} {left}".rstrip(), file=sys.stderr, flush=True)

    def finished(self, label: str) -> None:
        """The run has ended."""
        self._done += 1
        if self._task is not None:
            self._bars.remove_task(self._task)
            self._task = None
        if not self._quiet:
            spent = duration((time.monotonic() - self._start) * 1e9)
            self._console.print(f"[dim]{self._done}/{max(self._planned, self._done)}[/] "
                                f"{escape(label)}: {spent}")  # fmt: skip

    def kept(self, label: str) -> None:
        """The run is there from earlier."""
        if not self._quiet:
            self._console.print(f"[dim]kept[/] {escape(label)}: it is there from earlier; "
                                "--overwrite runs it again")  # fmt: skip

    def note(self, text: str) -> None:
        """Something to look at before trusting the result."""
        self._console.print(f"[yellow]note:[/] {escape(text)}")
