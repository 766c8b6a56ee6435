"""A scenario and the runs it asks for."""

from __future__ import annotations

import hashlib
import itertools
import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, overload

from odonata.core import files
from odonata.core.errors import ScenarioError
from odonata.core.native import ENGINE
from odonata.scenario import sections
from odonata.scenario.axes import SEED, Axis, axes_of, replica_axis, run_name
from odonata.scenario.document import Document, Key, dotted, parse_assignment, split_dotted
from odonata.scenario.fields import SUFFIXES
from odonata.scenario.regret import with_ways
from odonata.scenario.removal import with_removals
from odonata.scenario.resolve import name_of, replicas_of, resolve
from odonata.scenario.text_files import Kind

_REMEMBERED = 10_000
"""Runs of a sweep that stay in memory once they are resolved."""

_LARGEST_FILE = 1 << 24
"""Bytes of a scenario file."""

_HERE = Path()


@dataclass(frozen=True, slots=True)
class Point:
    """One run of a scenario.

    Parameters
    ----------
    name : str
        Folder of its results; empty if the scenario has no sweep.
    swept : dict
        Value of every swept key.
    config : dict
        What the simulator takes.
    resolved : dict
        The same as a scenario that can be run again.
    document : Document
        For messages about places.
    variant : int
        Points of a scenario with the same one differ in nothing but their seed; -1: unknown.
    """

    name: str
    swept: dict[str, Any]
    config: dict[str, Any]
    resolved: dict[str, Any]
    document: Document
    variant: int = -1

    @classmethod
    def of(cls, document: Document) -> Point:
        """The run of a scenario, its sweep left aside.

        Raises
        ------
        ScenarioError
            It cannot be run.
        """
        config, text = resolve(document)
        return cls("", {}, config, text, document)

    @property
    def traces(self) -> tuple[TraceUse, ...]:
        """What jobs replay: traces, programs and profiles."""
        found = []
        for index, job in enumerate(self.config["jobs"]):
            workload = job["workload"]
            if workload["kind"] in _REPLAYED:
                found.append(TraceUse(index, workload, self.config["seed"]))
        return tuple(found)

    @property
    def files(self) -> tuple[FileUse, ...]:
        """Every other file that the run reads, with the key that names it."""
        return tuple(_files(self.config))

    def alone(self, job: str) -> Point:
        """The isolated baseline of ``job``: it runs once, others keep their nodes, silent."""
        jobs = [
            {**entry, "muted": entry["name"] != job, "repeat": False}
            for entry in self.config["jobs"]
        ]
        return replace(self, config={**self.config, "jobs": jobs})

    def scenario_hash(self, digests: Mapping[str, str]) -> str:
        """Fingerprint of everything that decides the outcome.

        Parameters
        ----------
        digests : mapping
            Fingerprint of the content of every trace and other file, by path.

        Returns
        -------
        str
            SHA-256 of the canonical configuration, in hexadecimal digits.
        """
        config = json.loads(json.dumps(self.config))
        for table in self.traces:
            workload = config["jobs"][table.job]["workload"]
            workload["path"] = digests.get(table.name, table.path)
            # The noise is in the content of the table.
            workload.pop("noise", None)
        for use in self.files:
            *tables, last = use.key
            here = config
            for part in tables:
                here = here[part]
            here[last] = digests.get(use.path, use.path)
        canonical = json.dumps(config, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(canonical.encode()).hexdigest()

    def run_hash(self, digests: Mapping[str, str]) -> str:
        """Fingerprint of a run: everything that decides its outcome, and the engine.

        Two runs with the same one give the same tables, so that one of them is enough.

        Parameters
        ----------
        digests : mapping
            As for :meth:`scenario_hash`.

        Returns
        -------
        str
            SHA-256 in hexadecimal digits.
        """
        return hashlib.sha256(f"{self.scenario_hash(digests)} {ENGINE}".encode()).hexdigest()

    def error(self, path: str, sentence: str) -> ScenarioError:
        """What the simulator says about a place in the configuration, at its place in the file."""
        key = split_dotted(path) if path else ()
        key = _without_units(key, self.document)
        if key[:2] == ("system", "nic") and key[-1] in sections.OF_CONTROLLERS:
            kind = self.resolved["system"]["nic"]["congestion"]["kind"]
            key = (*key[:2], "congestion", str(key[-1]).removeprefix(f"{kind}_"))
        return self.document.error(key, sentence)


_REPLAYED = ("trace", "program", "profile")
"""Workloads that are tables of operations, made before the simulation."""


@dataclass(frozen=True, slots=True)
class TraceUse:
    """A table of operations that a job replays.

    Parameters
    ----------
    job : int
        Which job.
    workload : mapping
        Its workload, resolved.
    seed : int
        Of the scenario.
    """

    job: int
    workload: Mapping[str, Any]
    seed: int

    @property
    def path(self) -> str:
        """The file."""
        return str(self.workload["path"])

    @property
    def noise(self) -> str:
        """File of detours; empty: none."""
        return str(self.workload.get("noise", ""))

    @property
    def key(self) -> Key:
        """Where the file is named."""
        return ("jobs", self.job, "workload", "path")

    @property
    def name(self) -> str:
        """What tells this table from others: two jobs may run one program on different ranks."""
        parts = [self.path]
        if self.workload["kind"] == "program":
            parts.append(f"{self.workload['ranks']} ranks {self.workload.get('arguments', [])}")
        if self.noise:
            scale = self.workload["compute_scale"]
            parts.append(f"noise {self.noise} {scale} {self.seed} {self.job}")
        return " | ".join(parts)


@dataclass(frozen=True, slots=True)
class FileUse:
    """A file that a configuration names.

    Parameters
    ----------
    path : str
        Of the file.
    kind : Kind
        What it is for.
    key : Key
        Where it is named; in the configuration, its path stands there.
    """

    path: str
    kind: Kind
    key: Key


_IN_JOBS: tuple[tuple[Kind, Key], ...] = (
    ("q-table", ("routing", "load_table")),
    ("allocation", ("placement", "file")),
    ("mapping", ("placement", "mapping", "file")),
)
_IN_SYSTEM: tuple[tuple[Kind, Key], ...] = (
    ("interconnect", ("system", "topology", "interconnect")),
    ("channels", ("system", "topology", "channels")),
    ("q-table", ("routing", "load_table")),
)


def _files(config: Mapping[str, Any]) -> Iterator[FileUse]:
    places = [*_IN_SYSTEM]
    for index in range(len(config["jobs"])):
        places += [(kind, ("jobs", index, *key)) for kind, key in _IN_JOBS]
    detours = config["system"].get("host", {}).get("detours", ())
    places += [
        ("noise", ("system", "host", "detours", index, "noise")) for index in range(len(detours))
    ]
    for kind, key in places:
        path: Any = config
        for part in key:
            if isinstance(part, int):
                path = path[part]
            else:
                path = path.get(part) if isinstance(path, dict) else None
        if isinstance(path, str):
            yield FileUse(path, kind, key)


_LOAD = re.compile(r"load=[^,]*")
"""Of the name of a run."""


class Points(Sequence[Point]):
    """Runs of a scenario, resolved when they are asked for: a sweep may have 100,000.

    Parameters
    ----------
    document : Document
        The scenario, with its sweep.
    axes : sequence of Axis
        Swept keys; the last varies fastest.
    """

    def __init__(self, document: Document, axes: Sequence[Axis]) -> None:
        self._document = document
        self._axes = tuple(axes)
        self._keys = [axis.label or dotted(axis.target) for axis in self._axes]
        self._places = list(itertools.product(*(range(len(axis.values)) for axis in axes)))
        self._names: list[str] = []
        self._taken: set[str] = set()
        for places in self._places:
            self._name(places)
        self._remembered: dict[int, Point] = {}
        self._variants: dict[tuple[int, ...], tuple[Point, int]] = {}

    @property
    def document(self) -> Document:
        """The scenario, with its sweep."""
        return self._document

    @property
    def searched(self) -> Axis | None:
        """The load along which saturation is searched."""
        return next((axis for axis in self._axes if axis.knee), None)

    def curves(self) -> Iterator[dict[float, int]]:
        """Of each combination of the other keys, its loads and their places among the runs."""
        if self.searched is None:
            return
        at = self._axes.index(self.searched)
        found: dict[tuple[int, ...], dict[float, int]] = {}
        for index, places in enumerate(self._places):
            others = (*places[:at], *places[at + 1 :])
            found.setdefault(others, {})[self.searched.values[places[at]]] = index
        yield from found.values()

    def rank(self, index: int) -> tuple[float, ...]:
        """Where a run stands among the others: loads of a search stand in their order."""
        if self.searched is None:
            return (index,)
        return tuple(axis.values[at] if axis.knee else at
                     for axis, at in zip(self._axes, self._places[index], strict=True))  # fmt: skip

    def add(self, like: int, load: float) -> int:
        """One more run, with another load than that of a run; its place.

        Raises
        ------
        ScenarioError
            It cannot be run.
        """
        assert self.searched is not None  # noqa: S101 - nobody else asks
        at, values = self._axes.index(self.searched), self.searched.values
        if load not in values:
            values.append(load)
        places = self._places[like]
        self._places.append((*places[:at], values.index(load), *places[at + 1 :]))
        self._name(self._places[-1])
        return len(self._places) - 1

    @property
    def most_added(self) -> int:
        """How many runs a search adds at most."""
        if self.searched is None:
            return 0
        gaps = itertools.pairwise(sorted(self.searched.values))
        widest = max(high - low for low, high in gaps)
        halvings = max(0, math.ceil(math.log2(widest / self.searched.knee)))
        return halvings * len(list(self.curves()))

    def may_come(self, name: str) -> bool:
        """Whether a search may add a run of that name."""
        if self.searched is None:
            return False
        return _LOAD.sub("", name) in {_LOAD.sub("", one) for one in self._names}

    def _name(self, places: tuple[int, ...]) -> None:
        """Name one more run."""
        shown = [at if axis.label else axis.values[at]
                 for axis, at in zip(self._axes, places, strict=True)]  # fmt: skip
        swept = dict(zip(self._keys, shown, strict=True))
        name = run_name(swept, len(self._names), self._taken) if self._axes else ""
        self._names.append(name)
        self._taken.add(name)

    def __len__(self) -> int:
        """Number of runs."""
        return len(self._names)

    @property
    def names(self) -> Sequence[str]:
        """Of every run, in order; none of them is resolved for it."""
        return tuple(self._names)

    @overload
    def __getitem__(self, index: int) -> Point: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Point, ...]: ...
    def __getitem__(self, index: int | slice) -> Point | tuple[Point, ...]:
        """A run, or some of them.

        Raises
        ------
        ScenarioError
            It cannot be run.
        """
        if isinstance(index, slice):
            return tuple(self[one] for one in range(len(self))[index])
        index = range(len(self))[index]
        if index not in self._remembered:
            point = self._resolved(index)
            if len(self._remembered) >= _REMEMBERED:  # those of the same moment come together
                del self._remembered[next(iter(self._remembered))]
            self._remembered[index] = point
        return self._remembered[index]

    def __iter__(self) -> Iterator[Point]:
        """Every run, in order."""
        return (self[index] for index in range(len(self)))

    def _resolved(self, index: int) -> Point:
        if not self._axes:
            return Point.of(self._document)
        places = self._places[index]
        values = [(axis, axis.values[at]) for axis, at in zip(self._axes, places, strict=True)]
        swept = {dotted(axis.target): value for axis, value in values}
        # Runs that differ in their seed only are resolved once.
        variant = tuple(at for axis, at in zip(self._axes, places, strict=True) if not axis.is_seed)
        first, number = self._variants.get(variant, (None, -1))
        seed = next((value for axis, value in values if axis.is_seed), None)
        if first is None or seed is None or not _is_seed(seed):
            changes = [(axis.target, value, axis.origin) for axis, value in values]
            first = Point.of(self._document.changed_copy(changes))
            if len(self._variants) < _REMEMBERED:
                number = len(self._variants)
                self._variants[variant] = first, number
        config, text = first.config, first.resolved
        if seed is not None:
            config, text = {**config, "seed": seed}, {**text, "seed": seed}
        return Point(self._names[index], swept, config, text, first.document, number)


def _is_seed(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**63


@dataclass(frozen=True, slots=True)
class Scenario:
    """A validated scenario.

    Parameters
    ----------
    name : str
        Of the scenario.
    points : Points
        Its runs; one without a sweep.
    sweep : tuple of str
        Swept keys, in file order, and `seed` if there are replicas; empty for a single run.
    replicas : int
        Runs of each variant that the scenario asks for.
    """

    name: str
    points: Points
    sweep: tuple[str, ...]
    replicas: int = 1

    def with_replicas(self, count: int) -> Scenario:
        """The same scenario with another number of replicas.

        Parameters
        ----------
        count : int
            Runs of every point, each with a seed of its own; at least 1.

        Returns
        -------
        Scenario
            The other keys are as they were.

        Raises
        ------
        ScenarioError
            There cannot be so many, or its seeds are swept.
        """
        document = self.points.document.changed_copy([(("replicas",), count, "replicas")])
        swept = set(self.sweep) - ({dotted(SEED)} if self.replicas > 1 else set())
        return Scenario._made(
            document, [axis for axis in axes_of(document) if dotted(axis.target) in swept]
        )

    @classmethod
    def read(
        cls,
        path: str | Path,
        *,
        overrides: Sequence[str] = (),
        regret: bool = False,
        without_each: bool = False,
    ) -> Scenario:
        """Read a scenario file.

        Parameters
        ----------
        path : str or pathlib.Path
            TOML file.
        overrides : sequence of str
            ``key=value`` settings that replace what the file says.
        regret : bool
            Whether the scenario is also run with each way of its policy for all messages: a
            further swept key.
        without_each : bool
            Whether the scenario is also run without each job beside which a victim remains: a
            further swept key.

        Returns
        -------
        Scenario
            Validated, every run of its sweep.

        Raises
        ------
        ScenarioError
            The file cannot be read or the scenario is wrong.
        """
        document = read_document(path)
        return cls._from_document(document, overrides, regret=regret, without_each=without_each)

    @classmethod
    def from_text(
        cls, text: str, *, overrides: Sequence[str] = (), folder: Path = _HERE
    ) -> Scenario:
        """Read a scenario from TOML text.

        Parameters
        ----------
        text : str
            As in a scenario file.
        overrides : sequence of str
            As for :meth:`read`.
        folder : pathlib.Path
            Where relative paths start; by default the current one.

        Returns
        -------
        Scenario
            As for :meth:`read`.
        """
        document = Document.parse(text, name="<text>", folder=folder)
        return cls._from_document(document, overrides)

    @classmethod
    def from_mapping(
        cls,
        data: Mapping[str, Any],
        *,
        overrides: Sequence[str] = (),
        folder: Path = _HERE,
        called: str = "scenario",
        regret: bool = False,
        without_each: bool = False,
    ) -> Scenario:
        """Take a scenario as nested dictionaries, keys and units as in a scenario file.

        Parameters
        ----------
        data : mapping
            Tables, arrays, text, numbers.
        overrides : sequence of str
            As for :meth:`read`.
        folder : pathlib.Path
            As for :meth:`from_text`.
        called : str
            How messages call it.
        regret, without_each : bool
            As for :meth:`read`.

        Returns
        -------
        Scenario
            As for :meth:`read`.

        Raises
        ------
        ScenarioError
            A value has a type that a scenario file cannot hold, or the scenario is wrong.
        """
        try:
            plain = json.loads(json.dumps(data))
        except (TypeError, ValueError) as error:
            raise ScenarioError(
                f"{called}: {error}; use only text, numbers, lists and dictionaries."
            ) from None
        document = Document(plain, called, folder)
        return cls._from_document(document, overrides, regret=regret, without_each=without_each)

    @classmethod
    def _from_document(
        cls,
        document: Document,
        overrides: Sequence[str],
        *,
        regret: bool = False,
        without_each: bool = False,
    ) -> Scenario:
        document, fixed = set_from(document, overrides)  # what is fixed is not swept
        if regret:
            document = with_ways(document)
        axes = [axis for axis in axes_of(document) if axis.target not in fixed]
        if without_each:
            document = with_removals(document, Points(document, axes)[0].config["jobs"])
            axes = [axis for axis in axes_of(document) if axis.target not in fixed]
        return cls._made(document, axes)

    @classmethod
    def _made(cls, document: Document, axes: list[Axis]) -> Scenario:
        count = replicas_of(document)
        if count > 1:
            axes = [*axes, replica_axis(document, axes, count)]
        points = Points(document, axes)
        for _ in points:  # every one of them must be right
            pass
        sweep = tuple(dotted(axis.target) for axis in axes)
        return cls(name_of(document), points, sweep, count)


def read_document(path: str | Path) -> Document:
    """A scenario file as data.

    Raises
    ------
    ScenarioError
        It cannot be read, or is not TOML.
    """
    path = Path(path)
    try:
        text = files.read_text(path, most=_LARGEST_FILE)
    except UnicodeDecodeError:
        raise ScenarioError(f"{path}: the file is not UTF-8 text; save it as such.") from None
    except (OSError, files.UnreadableError) as error:
        problem = files.problem(error) if isinstance(error, OSError) else str(error)
        raise ScenarioError(
            f"{path}: {problem}; give the path of a scenario file, such as scenarios/demo.toml."
        ) from None
    return Document.parse(text, name=str(path), folder=path.parent)


def set_from(document: Document, overrides: Sequence[str]) -> tuple[Document, set[Key]]:
    """A scenario with what the command line sets, and the keys that are fixed by that."""
    document.check_values()
    changes = [(*parse_assignment(text), f"--set {text}") for text in overrides]
    document = document.changed_copy(changes)
    document.check_values()
    return document, {key for key, _, _ in changes}


def _without_units(key: Key, document: Document) -> Key:
    """``key`` of the configuration as a scenario writes it, as far as the file has it."""
    plain: Key = ()
    for part in key:
        text = str(part)
        for suffix in SUFFIXES.values():
            if isinstance(part, str) and (*plain, part) not in document.lines:
                text = text.removesuffix(suffix)
        plain = (*plain, text if isinstance(part, str) else part)
    return plain
