"""What a scenario asks for: every point, every replica, and the isolated run of each victim."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from odonata.campaign.task import Task, found_of
from odonata.inputs import Inputs
from odonata.scenario import Point, Scenario
from odonata.scenario.resolve import victims


@dataclass(frozen=True, slots=True)
class Planned:
    """A point of a scenario and the tasks of which its result is made.

    Parameters
    ----------
    index : int
        Which point.
    name : str
        Of the point; empty if it is the only one.
    key : str
        Of its own task.
    alone : dict
        Key of the isolated run of each victim.
    """

    index: int
    name: str
    key: str
    alone: Mapping[str, str]

    @property
    def keys(self) -> tuple[str, ...]:
        """Of all its tasks, its own first."""
        return (self.key, *self.alone.values())


class Plan:
    """The tasks of a scenario, made when they are asked for.

    Parameters
    ----------
    scenario : Scenario
        What is asked for.
    inputs : Inputs
        Files that its points name.
    baseline : bool
        Whether each victim also runs alone.
    """

    def __init__(self, scenario: Scenario, inputs: Inputs, *, baseline: bool) -> None:
        self.scenario = scenario
        self._inputs = inputs
        self._places: dict[str, tuple[int, str | None]] = {}
        self.points: list[Planned] = []
        self.memory_bytes: dict[int, int] = {}
        for index, point in enumerate(scenario.points):
            if point.traces or point.files:
                inputs.of(point)
            alone = {job: self._alone_key(point, job) for job in _victims(point, baseline=baseline)}
            planned = Planned(index, point.name, point.run_hash(inputs.digests), alone)
            self.points.append(planned)
            self._places.setdefault(planned.key, (index, None))
            for job, key in alone.items():
                self._places.setdefault(key, (index, job))

    def __len__(self) -> int:
        """Tasks; what several points share counts once."""
        return len(self._places)

    def __iter__(self) -> Iterator[str]:
        """Keys of the tasks, each point's own before its isolated runs."""
        return iter(self._places)

    def __contains__(self, key: str) -> bool:
        """Whether a task has that key."""
        return key in self._places

    def label(self, key: str) -> str:
        """What users call a task."""
        index, job = self._places[key]
        name = self.points[index].name
        if job is None:
            return name or self.scenario.name
        return f"{name}, {job} alone" if name else f"{job} alone"

    def point(self, key: str) -> Point:
        """The run of a task, as a point of the scenario."""
        index, job = self._places[key]
        point = self.scenario.points[index]
        return point if job is None else point.alone(job)

    def task(self, key: str, *, is_here: bool = False) -> Task:
        """A task by its key; paths of files are relative if it stays in this process."""
        point = self.point(key)
        has_files = bool(point.traces or point.files)
        config = _absolute(point) if has_files and not is_here else point.config
        return Task(
            key=key,
            label=self.label(key),
            name=self.scenario.name,
            scenario_hash=point.scenario_hash(self._inputs.digests),
            config=json.dumps(config),
            digests=found_of(point, self._inputs.digests),
            memory_bytes=self.memory_bytes.get(self._places[key][0], 0),
        )

    def _alone_key(self, point: Point, job: str) -> str:
        """Fingerprint of a baseline: of silent jobs, only what decides their nodes counts."""
        alone = point.alone(job)
        jobs = [_silent(entry) for entry in alone.config["jobs"]]
        same = Point("", {}, {**alone.config, "jobs": jobs}, {}, point.document)
        return same.run_hash(self._inputs.digests)


def plan(
    scenario: Scenario, *, baseline: bool = True, inputs: Inputs | None = None
) -> Plan:  # fmt: skip
    """Tasks of a scenario, keyed by what decides their outcome.

    Parameters
    ----------
    scenario : Scenario
        What is asked for.
    baseline : bool
        Whether each victim also runs alone.
    inputs : Inputs, optional
        Files that were read already.

    Returns
    -------
    Plan
        Points with the keys of their tasks.

    Raises
    ------
    ScenarioError
        A file that it names is missing or damaged.

    Examples
    --------
    >>> from odonata import Scenario
    >>> found = plan(
    ...     Scenario.from_mapping(
    ...         {
    ...             "replicas": 3,
    ...             "system": {"preset": "dragonfly(2, 4, 2, 9)"},
    ...             "routing": {"algorithm": "minimal"},
    ...             "jobs": [{"workload": {"kind": "open-loop", "load": 0.3}}],
    ...             "measure": {"window": "5 us"},
    ...         }
    ...     )
    ... )
    >>> len(found), [found.label(key) for key in found]
    (3, ['replica=0', 'replica=1', 'replica=2'])
    """
    return Plan(scenario, inputs or Inputs(), baseline=baseline)


def _victims(point: Point, *, baseline: bool) -> list[str]:
    """Jobs that get a baseline: victims that are not alone anyway."""
    jobs = point.config["jobs"]
    return victims(jobs) if baseline and len(jobs) > 1 else []


def _silent(job: Mapping[str, Any]) -> Mapping[str, Any]:
    ranks = job["workload"].get("ranks")
    if not job.get("muted") or ranks is None or job["workload"]["kind"] == "trace":
        return job
    return {"muted": True, "placement": job["placement"], "workload": {"kind": "", "ranks": ranks}}


def _absolute(point: Point) -> dict[str, Any]:
    """Configuration of a run that may be made in another folder."""
    config: dict[str, Any] = copy.deepcopy(point.config)
    for table in point.traces:
        workload = config["jobs"][table.job]["workload"]
        for name in ("path", "noise"):
            if workload.get(name):
                workload[name] = str(Path(workload[name]).absolute())
    for use in point.files:
        *tables, last = use.key
        here: Any = config
        for part in tables:
            here = here[part]
        here[last] = str(Path(use.path).absolute())
    return config
