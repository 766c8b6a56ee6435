"""Runs a scenario: every point of its sweep, and the isolated baseline of each victim.

Baselines are shared between points that resolve to the same one. What has been run is on disk
before the next run starts, so that an interrupted sweep keeps its results.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from odonata import results
from odonata.campaign.conduct import SILENT, Campaign, Observer
from odonata.campaign.executors.choice import EXECUTORS, LAYOUTS, ExecutorName, LayoutName, Options
from odonata.campaign.rows import index_row, interrupted, stalled
from odonata.campaign.together.hosts import SSH, Host, parse
from odonata.campaign.together.together import Company, Started
from odonata.core import arguments
from odonata.core.errors import RunError, ScenarioError, suggestion
from odonata.results import Result, Sweep
from odonata.scenario import Scenario, sections
from odonata.scenario.build import Scenario as Built

__all__ = [
    "Observer",
    "index_row",
    "interrupted",
    "open_scenario",
    "run",
    "run_one",
    "stalled",
    "sweep",
]

MOST_THREADS = 1024


def run(  # noqa: PLR0913 - a user's words, each with its name
    scenario: Scenario | Built | str | Path | Mapping[str, Any],
    *,
    out: str | Path | None = None,
    overrides: Sequence[str] = (),
    threads: int | None = None,
    processes: int | None = None,
    hosts: str | Sequence[str] = (),
    start_with: str = SSH,
    company: Company | None = None,
    baseline: bool = True,
    overwrite: bool = False,
    regret: bool = False,
    without_each: bool = False,
    replicas: int | None = None,
    until_width: float | None = None,
    executor: ExecutorName | None = None,
    workers: int | None = None,
    scheduler: str | None = None,
    store: str | Path | None = None,
    layout: LayoutName | None = None,
    timing: bool = False,
    observer: Observer | None = None,
) -> Result | Sweep:
    """Run a scenario.

    Parameters
    ----------
    scenario : Scenario, path or mapping
        What to run: read, or built in Python (:mod:`odonata.build`); a text is the path of a file.
    out : str or pathlib.Path, optional
        Folder for the results; without it they stay in memory.
    overrides : sequence of str
        ``key=value`` settings; only for scenarios that are not read yet.
    threads : int, optional
        Threads of the simulator in each run; results do not depend on it. By default 1.
    processes : int, optional
        Processes that simulate each run together, with so many threads each; results do not
        depend on it. By default 1, or as many as `hosts`. Not with `executor` or `workers`: these
        carry several runs out at once.
    hosts : str or sequence of str
        Machines on which these processes are, by name, with or without a port: this one first. By
        default all are on this machine.
    start_with : str
        What starts a process on another machine; ``{host}`` is its name.
    company : Company, optional
        Other processes that are there already; the command line gives those of a launcher.
    baseline : bool
        Whether each victim also runs alone.
    overwrite : bool
        Whether results of other runs in `out` may be replaced; everything is run again.
    regret : bool
        Whether it is also run with each way of its policy for all messages; only for scenarios
        that are not read yet.
    without_each : bool
        Whether it is also run without each job beside which a victim remains, with the same
        seeds; only for scenarios that are not read yet.
    replicas : int, optional
        Runs of each variant with seeds of their own; by default as the scenario says.
    until_width : float, optional
        Add replicas until the 95 % interval of every headline is so narrow, as a share of its
        estimate: 0.02 is 2 %.
    executor : {"serial", "processes", "dask"}, optional
        Who carries runs out; by default this process what is short, processes on all cores what is
        not. Results do not depend on it.
    workers : int, optional
        Processes; by default as many as there are cores and as memory allows.
    scheduler : str, optional
        Address of a Dask scheduler; without one, Dask uses processes of this machine.
    store : str or pathlib.Path, optional
        Folder in which finished runs are kept for other campaigns, too.
    layout : {"folders", "packed"}, optional
        Whether every run of a sweep gets a folder of its own, or hundreds share a few files; by
        default folders up to 199 runs.
    timing : bool
        Whether ``engine.timing`` of every summary is to say where the time of each thread goes;
        runs are then carried out one after the other.
    observer : Observer, optional
        Is told how it goes.

    Returns
    -------
    Result or Sweep
        A sweep if the scenario has one, or replicas; where it is known which, :func:`run_one` and
        :func:`sweep` have the one type. After a keyboard interrupt: what there is, with
        ``interrupted`` as its ``stop``.

    Raises
    ------
    ScenarioError
        The scenario is wrong; nothing has been written.
    RunError
        Results cannot be written, or the folder holds something else.
    """
    for name, value in (("threads", threads), ("processes", processes), ("workers", workers)):
        if value is not None:
            arguments.whole(value, name, least=1, most=MOST_THREADS)
    if timing and (executor not in (None, "serial") or (workers or 1) > 1):
        raise RunError(
            "timed runs are executed one after the other; leave out the executor and workers."
        )
    if executor not in (None, *EXECUTORS):
        raise RunError(
            f"executor: {executor!r:.60} is not an executor.{suggestion(str(executor), EXECUTORS)}"
        )
    scenario = _asked(scenario, overrides, regret=regret, without_each=without_each,
                      replicas=replicas)  # fmt: skip
    _check_layout(layout, scenario)
    folder = None if out is None else arguments.path(out, "out")
    company = company or _company(processes, parse(hosts) if hosts else (), start_with)
    if company is not None and (executor or workers):
        raise RunError(
            "processes that simulate one run together cannot be combined with an executor or "
            "workers, which run several at once; give one of them."
        )
    options = Options(
        executor=executor, workers=workers, threads=threads, company=company, scheduler=scheduler,
        store=None if store is None else arguments.path(store, "store"), layout=layout,
        timed=timing,
    )  # fmt: skip
    experiment = Campaign(scenario, observer or SILENT, options, baseline=baseline)
    if until_width is None:
        return experiment.run(folder, overwrite=overwrite)
    width = arguments.number(until_width, "until_width")
    return _until(experiment, folder, width, overwrite=overwrite)


def _check_layout(layout: str | None, scenario: Scenario) -> None:
    if layout not in (None, *LAYOUTS):
        raise RunError(f"layout: {layout!r:.60} is not a layout.{suggestion(str(layout), LAYOUTS)}")
    if layout == "packed" and scenario.points.searched is not None:
        raise RunError("runs of a search (`knee`) have a folder each; leave `packed` out.")


def _company(processes: int | None, machines: Sequence[Host], start_with: str) -> Company | None:
    """The processes that are to be started; ``None`` for this one alone."""
    count = processes or len(machines) or 1
    if machines or count > 1:
        return Started(count, machines, start_with)
    return None


def run_one(  # noqa: PLR0913 - a user's words, each with its name
    scenario: Scenario | Built | str | Path | Mapping[str, Any],
    *,
    out: str | Path | None = None,
    overrides: Sequence[str] = (),
    threads: int | None = None,
    baseline: bool = True,
    overwrite: bool = False,
    observer: Observer | None = None,
) -> Result:
    """Run a scenario that is one run: :func:`run` where the type of what it gives is known.

    Parameters
    ----------
    scenario : Scenario, path or mapping
        What to run, without a sweep or replicas.
    out, overrides, threads, baseline, overwrite, observer
        As for :func:`run`.

    Returns
    -------
    Result
        The run, with those of its victims alone.

    Raises
    ------
    ScenarioError
        The scenario is wrong, or has several runs; nothing has been written.
    RunError
        Results cannot be written, or the folder holds something else.

    Examples
    --------
    >>> import odonata
    >>> data = {
    ...     "system": {"preset": "dragonfly(2, 4, 2, 9)"},
    ...     "routing": {"algorithm": "par"},
    ...     "jobs": [{"name": "all", "workload": {"kind": "barrier", "ranks": 8}}],
    ... }
    >>> odonata.run_one(data).jobs["all"].has_ended
    True
    """
    scenario = _asked(scenario, overrides)
    if scenario.sweep:
        raise ScenarioError(
            f"`{scenario.name}` has {len(scenario.points)} runs, over "
            f"{', '.join(scenario.sweep)}; run it with odonata.sweep."
        )
    found = run(scenario, out=out, threads=threads, baseline=baseline, overwrite=overwrite,
                observer=observer)  # fmt: skip
    assert isinstance(found, Result)  # noqa: S101 - it has no sweep
    return found


def sweep(  # noqa: PLR0913 - a user's words, each with its name
    scenario: Scenario | Built | str | Path | Mapping[str, Any],
    *,
    out: str | Path | None = None,
    overrides: Sequence[str] = (),
    threads: int | None = None,
    baseline: bool = True,
    overwrite: bool = False,
    regret: bool = False,
    without_each: bool = False,
    replicas: int | None = None,
    until_width: float | None = None,
    executor: ExecutorName | None = None,
    workers: int | None = None,
    scheduler: str | None = None,
    store: str | Path | None = None,
    layout: LayoutName | None = None,
    observer: Observer | None = None,
) -> Sweep:
    """Run a scenario with a sweep or replicas: :func:`run` where the type is known.

    Parameters
    ----------
    scenario : Scenario, path or mapping
        What to run; it has a sweep or replicas, or `replicas`, `until_width`, `regret` or
        `without_each` ask for several runs.
    out, overrides, threads, baseline, overwrite, regret, without_each
        As for :func:`run`.
    replicas, until_width, executor, workers, scheduler, store, layout, observer
        As for :func:`run`.

    Returns
    -------
    Sweep
        The runs, by place and by name.

    Raises
    ------
    ScenarioError
        The scenario is wrong, or one run only; nothing has been written.
    RunError
        Results cannot be written, or the folder holds something else.

    Examples
    --------
    >>> import odonata
    >>> data = {
    ...     "system": {"preset": "dragonfly(2, 4, 2, 9)"},
    ...     "routing": {"algorithm": "par"},
    ...     "jobs": [{"name": "all", "workload": {"kind": "barrier", "ranks": 8}}],
    ... }
    >>> odonata.sweep(data, replicas=5)
    Sweep(5 runs over seed)
    """
    scenario = _asked(scenario, overrides, regret=regret, without_each=without_each,
                      replicas=replicas)  # fmt: skip
    if not scenario.sweep and until_width is None:
        raise ScenarioError(
            f"`{scenario.name}` is one run: it has neither a sweep nor replicas; run it with "
            "odonata.run_one, or give replicas = 5."
        )
    found = run(
        scenario, out=out, threads=threads, baseline=baseline, overwrite=overwrite,
        until_width=until_width, executor=executor, workers=workers, scheduler=scheduler,
        store=store, layout=layout, observer=observer,
    )  # fmt: skip
    assert isinstance(found, Sweep)  # noqa: S101 - it has a sweep
    return found


def _asked(
    scenario: Scenario | Built | str | Path | Mapping[str, Any],
    overrides: Sequence[str],
    *,
    regret: bool = False,
    without_each: bool = False,
    replicas: int | None = None,
) -> Scenario:
    """The scenario that is meant, with as many replicas as are asked for."""
    if not isinstance(scenario, Scenario):
        settings = arguments.settings(overrides, "overrides")
        scenario = open_scenario(
            scenario, overrides=settings, regret=regret, without_each=without_each
        )
    if replicas is None:
        return scenario
    arguments.whole(replicas, "replicas", least=1, most=sections.MOST_REPLICAS)
    return scenario.with_replicas(replicas)


_FIRST_REPLICAS = 10
"""Replicas before a first look at the width: fewer stop too early by chance."""


def _until(
    experiment: Campaign, out: Path | None, width: float, *, overwrite: bool
) -> Result | Sweep:
    """Add replicas until intervals are narrow enough, at most twice as many at a time."""
    if not 0.0 < width < 1.0:
        raise RunError(f"a width of {width:g} cannot be reached; give a share such as 0.02.")
    count = max(experiment.scenario.replicas, _FIRST_REPLICAS)
    if out is not None and not overwrite and (out / results.INDEX).is_file():
        there = results.load(out)
        count = max(count, there.replicas if isinstance(there, Sweep) else 1)
    while True:
        experiment.scenario = experiment.scenario.with_replicas(count)
        found = experiment.run(out, overwrite=overwrite)
        overwrite = False  # what is there now is ours
        if not isinstance(found, Sweep) or any(interrupted(one) for one in found):
            return found
        wanted = found.replicas_for(width)
        if wanted is None or wanted <= count or count >= sections.MOST_REPLICAS:
            return found
        count = min(wanted, 2 * count, sections.MOST_REPLICAS)


def open_scenario(
    source: Built | str | Path | Mapping[str, Any],
    *,
    overrides: Sequence[str] = (),
    regret: bool = False,
    without_each: bool = False,
) -> Scenario:
    """Scenario of a file, of nested dictionaries, or built in Python."""
    if isinstance(source, Built):
        return source.check(overrides=overrides, regret=regret, without_each=without_each)
    if not isinstance(source, str | Path | Mapping):
        raise ScenarioError(
            f"{source!r:.60} is not a scenario; give the path of a file, nested dictionaries, or "
            "a Scenario of odonata.build."
        )
    if isinstance(source, Mapping):
        return Scenario.from_mapping(
            source, overrides=overrides, regret=regret, without_each=without_each
        )
    return Scenario.read(source, overrides=overrides, regret=regret, without_each=without_each)
