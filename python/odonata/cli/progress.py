"""Progress of an experiment on standard error."""

from __future__ import annotations

import contextlib
import math
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from rich.markup import escape
from rich.progress import (
    BarColumn,
    Progress,
    TaskProgressColumn,
    TextColumn,
    TimeElapsedColumn,
)
from rich.table import Column

from odonata.cli.screen import screen
from odonata.cli.words import duration, printable

_EVERY_S = 10.0
"""Where there is no terminal, something is said so often."""

_SOON_S = 2.0
"""What takes longer is said to go on."""


_BAR = 16
"""Columns of the bar on a terminal."""

_LOOK_S = 0.5
_MOST_LINES = 4
"""Runs that are named at a time."""

_MOST_TOLD = 200
"""Up to so many runs, the end of each is a line."""


@dataclass(slots=True)
class _Run:
    """A run that goes on."""

    start: float
    fraction: float = 0.0
    told: str = ""
    """How far it was when it was last asked."""


class ProgressBar:
    """One line that stays in its place on a terminal; without one, lines from time to time.

    The line has how many runs are done, a bar, the time that is left, and what goes on. Only
    failures and notes leave a line of their own on a terminal.

    Parameters
    ----------
    quiet : bool
        Show notes only.
    """

    def __init__(self, *, quiet: bool) -> None:
        self._console = screen(to_stderr=True)
        self._quiet = quiet
        self._is_live = self._console.is_terminal and not self._console.is_dumb_terminal
        self._bars = Progress(
            TextColumn("{task.description}", table_column=Column(no_wrap=True)),
            BarColumn(bar_width=_BAR),
            TaskProgressColumn(table_column=Column(no_wrap=True)),
            TimeElapsedColumn(table_column=Column(no_wrap=True)),
            TextColumn("{task.fields[left]}", table_column=Column(no_wrap=True)),
            TextColumn(
                "{task.fields[now]}", markup=False,
                table_column=Column(no_wrap=True, overflow="ellipsis", ratio=1),
            ),
            console=self._console,
            transient=True,
            expand=True,
            disable=quiet or not self._is_live,
        )  # fmt: skip
        self._line = self._bars.add_task("", total=None, left="", now="preparing")
        self._running: dict[str, _Run] = {}
        self._kept = 0
        self._planned = 0
        self._done = 0
        self._begun = self._spoken = time.monotonic()
        self._took: dict[str, float] = {}
        self._doing = ""
        self._is_over = threading.Event()

    def __enter__(self) -> Self:
        """Start drawing."""
        self._bars.start()
        if not self._quiet and not self._is_live:
            threading.Thread(target=self._go_on, daemon=True).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        place: TracebackType | None,
    ) -> None:
        """Leave a clean screen behind."""
        self._is_over.set()
        self._bars.stop()
        if self._kept and self._is_live and not self._quiet:
            many = f"{self._kept} {'run is' if self._kept == 1 else 'runs are'}"
            self._console.print(f"{many} kept from earlier; --overwrite runs them again.")

    @contextlib.contextmanager
    def doing(self, what: str) -> Iterator[None]:
        """Show that something goes on that is no run."""
        self._doing, self._spoken = what, time.monotonic() - _EVERY_S + _SOON_S
        self._show()
        try:
            yield
        finally:
            self._doing = ""
            self._show()

    def _go_on(self) -> None:
        """Say every few seconds what goes on, also while runs say nothing themselves."""
        while not self._is_over.wait(_LOOK_S):
            if time.monotonic() - self._spoken >= _EVERY_S:
                self._speak()

    def _speak(self) -> None:
        """Lines about what goes on."""
        now = self._spoken = time.monotonic()
        lines = [self._doing] if self._doing else []
        for label, run in list(self._running.items())[:_MOST_LINES]:
            name = f"{label}: " if self._planned > 1 else ""
            spent = duration((now - run.start) * 1e9)
            lines.append(f"{name}{run.told or f'begins, {spent}'}")
        if not lines:
            spent = duration((now - self._begun) * 1e9)
            lines.append(f"{self._done}/{self._planned} runs, {spent}" if self._planned else
                         f"preparing, {spent}")  # fmt: skip
        for line in lines:
            print(printable(line), file=sys.stderr, flush=True)

    def planned(self, runs: int) -> None:
        """So many runs will be made."""
        self._planned, self._done = runs, 0
        self._begun = self._spoken = time.monotonic()
        self._bars.reset(self._line)
        self._show()

    def started(self, label: str) -> None:
        """A run starts."""
        if label not in self._running:
            self._running[label] = _Run(time.monotonic())
            self._show()

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
        part = f"{fraction:.0%} " if known else ""
        run.told = f"{part}{rate} {left}".rstrip()
        self._show()

    def _show(self) -> None:
        """Write the line: how many runs are done, what goes on, how long the others take."""
        planned = max(self._planned, 1)
        done = self._done + sum(run.fraction for run in self._running.values())
        spent = time.monotonic() - self._begun
        left = ""
        if 0.01 * planned < done < planned and spent > 1:
            left = f"{duration(spent * (planned - done) / done * 1e9)} left"
        label, run = next(iter(self._running.items()), ("", None))
        now = self._doing or (f"{label} {run.told}" if run else "")
        self._bars.update(
            self._line, total=planned if done else None, completed=done, left=left, now=now.strip(),
            description=f"{self._done}/{planned} runs" if planned > 1 else "",
        )  # fmt: skip

    def took(self, label: str, seconds: float) -> None:
        """The run took so long where it was carried out; what is heard of it may come later."""
        self._took[label] = seconds

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
        self._show()
        # Of thousands of runs nobody reads the names.
        is_due = self._planned <= _MOST_TOLD or now - self._spoken >= _EVERY_S
        is_told = failure or (is_due and not self._is_live)
        if self._quiet or not is_told:
            self._took.pop(label, None)
            return
        self._spoken = now
        # The process of a short run says that it has begun when it is over already.
        seconds = self._took.pop(label, None if run is None else now - run.start)
        spent = "" if seconds is None else f": {duration(seconds * 1e9)}"
        count = f"[dim]{self._done}/{max(self._planned, self._done)}[/]"
        self._console.print(f"{count} {escape(label)}{failure or spent}", soft_wrap=True)

    def kept(self, label: str) -> None:
        """The run is there from earlier."""
        self._kept += 1
        if not self._quiet and not self._is_live:
            self._console.print(f"[dim]kept[/] {escape(label)}: it is there from earlier; "
                                "--overwrite runs it again")  # fmt: skip

    def note(self, text: str) -> None:
        """Something to look at before trusting the result."""
        self._console.print(f"[yellow]note:[/] {escape(text)}")
