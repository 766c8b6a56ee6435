"""What the simulator says of a run before it: whether it can be run, and how much its jobs send."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from odonata.core import native
from odonata.core.native import ConfigurationError
from odonata.scenario import Point
from odonata.scenario.inputs import Inputs, Prepared

REFERENCE = "kang2022-1056"
"""The system whose links and MPI costs are assumed where only what a job sends matters."""


def check(
    point: Point, *, note: Callable[[str], None] | None = None, executes: bool = False
) -> dict[str, Any]:
    """Forecast of one run: virtual channels, packets, memory, time.

    Parameters
    ----------
    point : Point
        Of a scenario.
    note : callable, optional
        Is told of oddities.
    executes : bool
        Whether programs of jobs are executed; if not, their ranks do nothing.

    Returns
    -------
    dict
        As the simulator says it.

    Raises
    ------
    ScenarioError
        It cannot be run.
    """
    return checked(point, Inputs(note, executes=executes).of(point))


def checked(point: Point, ready: Prepared) -> dict[str, Any]:
    """The same of a run whose files are read."""
    try:
        return native.check(ready.config, ready.traces, ready.texts)
    except ConfigurationError as error:
        raise point.error(error.path, error.sentence) from None


def topology(point: Point) -> tuple[dict[str, Any], dict[str, Any]]:
    """The system of one run: sizes as ``odonata topo --json`` has them, and channels by column.

    Raises
    ------
    ScenarioError
        It cannot be built.
    """
    ready = Inputs(executes=False).of(point)
    try:
        return native.topology(ready.config, ready.texts)
    except ConfigurationError as error:
        raise point.error(error.path, error.sentence) from None


def demand(point: Point) -> list[dict[str, Any]]:
    """How hard each MPI job of one run presses on the network, alone and without contention.

    Returns
    -------
    list of dict
        As :func:`odonata.core.native.demand` says it, without the pace.

    Raises
    ------
    ScenarioError
        It cannot be run.
    """
    ready = Inputs().of(point)
    try:
        found = native.demand(ready.config, ready.traces, ready.texts)
        return [one and {key: one[key] for key in one if key != "pace"} for one in found]
    except ConfigurationError as error:
        raise point.error(error.path, error.sentence) from None
