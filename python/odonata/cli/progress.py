"""Progress of an experiment on standard error."""

from __future__ import annotations

import math
import sys
import time
from dataclasses import dataclass
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


_MOST_TOLD = 200
"""Up to so many runs, the end of each is a line."""


@dataclass(slots=True)
class _Run:
    """A run that goes on."""

    task: TaskID
    start: float
    fraction: float = 0.0


class ProgressBar:
    """A bar for the campaign and one per run, with rate and time left; lines without a terminal.

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
        self._whole: TaskID | None = None
        self._running: dict[str, _Run] = {}
        self._planned = 0
        self._done = 0
        self._begun = self._spoken = time.monotonic()

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
        self._planned, self._done = runs, 0
        self._begun = self._spoken = time.monotonic()
        if self._whole is not None:
            self._bars.remove_task(self._whole)
            self._whole = None
        if runs > 1:
            self._whole = self._bars.add_task(f"{runs} runs", total=runs, rate="", left="")

    def started(self, label: str) -> None:
        """A run starts."""
        if label not in self._running:
            task = self._bars.add_task(label, total=1.0, rate="", left="")
            self._running[label] = _Run(task, time.monotonic())

    def progress(self, label: str, simulated_ps: int, packets: int, fraction: float) -> None:
        """The run has come so far; ``fraction`` is NaN where nobody knows the end."""
        self.started(label)
        run = self._running[label]
        now = time.monotonic()
        elapsed = now - run.start
        if elapsed <= 0:
            return
        rate = f"{packets / elapsed / 1e6:.2f} M packets/s, {simulated_ps / 1e6:.1f} us simulated"
        left = ""
        if 0 < fraction < 1 and elapsed > 1:
            left = f"{duration(elapsed * (1 - fraction) / fraction * 1e9)} left"
        known = math.isfinite(fraction)
        run.fraction = min(fraction, 1.0) if known else 0.0
        self._bars.update(
            run.task, total=1.0 if known else None, completed=run.fraction, rate=rate, left=left
        )
        self._show_whole(now)
        plain = not self._quiet and not self._console.is_terminal
        if plain and now - self._spoken >= _EVERY_S:
            self._spoken = now
            part = f"{fraction:.0%} " if known else ""
            name = f"{label}: " if self._planned > 1 else ""
            print(f"{name}{part}{rate} {left}".rstrip(), file=sys.stderr, flush=True)

    def _show_whole(self, now: float) -> None:
        """Of a campaign: how many runs are done, and how long the others take at this rate."""
        if self._whole is None:
            return
        done = self._done + sum(run.fraction for run in self._running.values())
        left = ""
        if done > 0.01 * self._planned and now - self._begun > 1:
            rest = (now - self._begun) * max(self._planned - done, 0.0) / done
            left = f"{duration(rest * 1e9)} left"
        self._bars.update(
            self._whole, completed=done, left=left, description=f"{self._done}/{self._planned} runs"
        )

    def finished(self, label: str) -> None:
        """The run has ended."""
        self._ended(label, "")

    def failed(self, label: str, sentence: str) -> None:
        """The run has no result."""
        self._ended(label, f": [red]failed:[/] {escape(sentence.removeprefix(f'{label}: '))}")

    def _ended(self, label: str, failure: str) -> None:
        self._done += 1
        now = time.monotonic()
        run = self._running.pop(label, None)
        if run is not None:
            self._bars.remove_task(run.task)
        self._show_whole(now)
        # Of thousands of runs nobody reads the names.
        is_told = self._planned <= _MOST_TOLD or now - self._spoken >= _EVERY_S or failure
        if self._quiet or not is_told:
            return
        self._spoken = now
        # A short run may be over before its process says that it has begun.
        spent = "" if run is None else f": {duration((now - run.start) * 1e9)}"
        count = f"[dim]{self._done}/{max(self._planned, self._done)}[/]"
        self._console.print(f"{count} {escape(label)}{failure or spent}", soft_wrap=True)

    def kept(self, label: str) -> None:
        """The run is there from earlier."""
        if not self._quiet:
            self._console.print(f"[dim]kept[/] {escape(label)}: it is there from earlier; "
                                "--overwrite runs it again")  # fmt: skip

    def note(self, text: str) -> None:
        """Something to look at before trusting the result."""
        self._console.print(f"[yellow]note:[/] {escape(text)}")
