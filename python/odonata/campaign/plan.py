"""What a scenario asks for: every point, every replica, and the isolated run of each victim."""

from __future__ import annotations

import copy
import fnmatch
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from odonata.campaign.same_but_seed import Alike
from odonata.campaign.task import Task, found_of
from odonata.scenario import Point, Scenario
from odonata.scenario.inputs import Inputs
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
    named : str
        Which of its points, ``*`` for any text.
    """

    def __init__(
        self, scenario: Scenario, inputs: Inputs, *, baseline: bool, named: str = "*"
    ) -> None:
        self.scenario = scenario
        self._inputs = inputs
        self._places: dict[str, tuple[int, str | None]] = {}
        self._alike: dict[int, Alike | None] = {}
        self._variants: dict[int, int] = {}
        self._baseline = baseline
        self.points: list[Planned] = []
        self.memory_bytes: dict[int, int] = {}
        for index, name in enumerate(scenario.points.names):
            if fnmatch.fnmatchcase(name, named):
                self.add(index)

    def add(self, index: int) -> Planned:
        """Plan one more point of the scenario, the next one."""
        planned = self._planned(index, self.scenario.points[index])
        self.points.append(planned)
        self._places.setdefault(planned.key, (index, None))
        for job, key in planned.alone.items():
            self._places.setdefault(key, (index, job))
        return planned

    def _planned(self, index: int, point: Point) -> Planned:
        alike = self._of_variant(index, point)
        if alike is not None:
            key, alone = alike.keys(point.config["seed"])
            return Planned(index, point.name, key, alone)
        if point.traces or point.files:
            self._inputs.of(point)
        victims = _victims(point, baseline=self._baseline)
        alone = {job: self._alone_key(point, job) for job in victims}
        return Planned(index, point.name, point.run_hash(self._inputs.digests), alone)

    def _of_variant(self, index: int, point: Point) -> Alike | None:
        """What a point has in common with others, if it reads no files."""
        self._variants[index] = point.variant
        if point.variant < 0:
            return None
        if point.variant not in self._alike:
            found = None
            if not (point.traces or point.files):
                victims = _victims(point, baseline=self._baseline)
                found = Alike(point, {job: _alone(point, job) for job in victims})
            self._alike[point.variant] = found
        return self._alike[point.variant]

    def resolved(self, key: str) -> tuple[dict[str, Any], int]:
        """Resolved scenario of a task, and a number for those that differ in their seed only."""
        index, _ = self._places[key]
        number = self._variants[index]
        return self.scenario.points[index].resolved, number if number >= 0 else -1 - index

    def scenario_hash(self, key: str) -> str:
        """What decides the outcome of a task, but for the engine."""
        index, job = self._places[key]
        alike = self._alike.get(self._variants[index])
        if alike is not None:
            return alike.scenario_hash(job, self.scenario.points[index].config["seed"])
        return self.point(key).scenario_hash(self._inputs.digests)

    def __len__(self) -> int:
        """Tasks; what several points share counts once."""
        return len(self._places)

    def __iter__(self) -> Iterator[str]:
        """Keys of the tasks, each point's own before its isolated runs."""
        return iter(self._places)

    def __contains__(self, key: str) -> bool:
        """Whether a task has that key."""
        return key in self._places

    def labels(self) -> list[str]:
        """What users call the tasks, in order."""
        return [self.label(key) for key in self]

    def label(self, key: str) -> str:
        """What users call a task."""
        index, job = self._places[key]
        name = self.scenario.points.names[index]
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
        index, job = self._places[key]
        memory = self.memory_bytes.get(index, 0)
        alike = self._alike.get(self._variants[index])
        if alike is not None:
            seed = self.scenario.points[index].config["seed"]
            return Task(
                key=key, label=self.label(key), name=self.scenario.name,
                scenario_hash=alike.scenario_hash(job, seed), config=alike.config(job, seed),
                memory_bytes=memory, packet_sample=alike.packet_sample,
            )  # fmt: skip
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
            memory_bytes=memory,
            packet_sample=config["telemetry"]["packet_sample"],
        )

    def _alone_key(self, point: Point, job: str) -> str:
        return _alone(point, job).run_hash(self._inputs.digests)


def _alone(point: Point, job: str) -> Point:
    """A point for the fingerprint of a baseline: of silent jobs, only what decides their nodes."""
    alone = point.alone(job)
    jobs = [_silent(entry) for entry in alone.config["jobs"]]
    return Point("", {}, {**alone.config, "jobs": jobs}, {}, point.document)


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
    stay = {name: job[name] for name in ("start_ps", "end_ps") if name in job}
    workload = {"kind": "", "ranks": ranks}
    return {"muted": True, "placement": job["placement"], "workload": workload, **stay}


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
