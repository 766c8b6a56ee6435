"""Where readings find their numbers: stored values, files, systems; and which run each needs."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from odonata import measured
from odonata.analysis import foreign, latencies, spans
from odonata.campaign.plan import Plan
from odonata.core import files, native
from odonata.core.errors import RunError, suggestion
from odonata.core.quantities import QuantityError, parse_quantity
from odonata.measured.form import SAMPLE
from odonata.results.measurements import form_of
from odonata.results.run import Result
from odonata.scenario import Point, Scenario, registry
from odonata.scenario.inputs import Inputs
from odonata.scenario.presets import presets
from odonata.studies import measures
from odonata.studies.claims import StudyError
from odonata.studies.expression import IN_THE_UNIT, Reading
from odonata.studies.numbers import Value
from odonata.studies.records import Record, Records
from odonata.studies.shelf import Study

_TABLES = (".csv", ".parquet")
_MEASURED = (".txt", ".log", ".out", ".dat", ".json")
_FILES = (*_TABLES, *_MEASURED)
"""Endings of tables, and of what :mod:`odonata.measured` reads."""


SPANS = "spans"
"""A table that is made of ``iterations``: from the first rank that begins to the last that ends."""
LATENCIES = "latencies"
"""A table that is made of ``iterations`` and ``packets``: their mean latency in each iteration."""
FOREIGN = "foreign"
"""A table that is made of ``links``, ``link_jobs`` and ``ranks``: other jobs on a job's routers."""
BENCHMARK = "benchmark"
"""A table that is made of ``iterations``: what the benchmark counts after which a workload is
called."""
MESSAGES = "messages"
"""A table of the run, with ``time_ns`` from ``sent_ns`` to ``arrived_ns`` besides."""


@dataclass(frozen=True, slots=True)
class Target:
    """A run that a reading needs.

    Parameters
    ----------
    label : str
        Under which its results are stored.
    key : str
        Its fingerprint, the engine included.
    plan : Plan
        Which has its task.
    """

    label: str
    key: str
    plan: Plan

    @property
    def scenario_hash(self) -> str:
        """Its fingerprint without the engine."""
        return self.plan.scenario_hash(self.key)


class NotRunError(StudyError):
    """A number is not there since its run was not made.

    Parameters
    ----------
    label : str
        Of the run.
    why : str
        What is missing.
    """

    def __init__(self, label: str, why: str) -> None:
        super().__init__(f"{label}: {why}")
        self.label = label


class Sources:
    """Everything that the claims of one study read.

    Parameters
    ----------
    study : Study
        Whose.
    inputs : Inputs, optional
        Files that were read already.
    """

    def __init__(self, study: Study, inputs: Inputs | None = None) -> None:
        self._study = study
        self.inputs = inputs or Inputs()
        self.records = Records(study.folder)
        self._plans: dict[Path, Plan] = {}
        self._frames: dict[Path, pl.DataFrame] = {}
        self._topologies: dict[str, dict[str, Any]] = {}

    def targets(self, reading: Reading, folder: Path) -> list[Target]:
        """The runs that a reading needs; none if it reads a file or a system.

        Raises
        ------
        StudyError, ScenarioError
            There is no such scenario, run or job; the scenario is wrong.
        """
        if reading.function in ("topology", "setting") or reading.run.endswith(_FILES):
            return []
        path, point = self._scenario(reading.run, folder)
        plan = self._plan(path)
        label = path.relative_to(self._study.folder).with_suffix("").as_posix()
        found = []
        for planned in plan.points:
            if not fnmatch.fnmatchcase(planned.name, point):
                continue
            name = f"{label}/{planned.name}" if planned.name else label
            if not reading.alone:
                found.append(Target(name, planned.key, plan))
                continue
            if reading.alone not in planned.alone:
                raise StudyError(f"`{reading.run}` has no victim `{reading.alone}` that runs "
                                 "with other jobs."
                                 f"{suggestion(reading.alone, planned.alone)}")  # fmt: skip
            key = planned.alone[reading.alone]
            found.append(Target(f"{name}, {reading.alone} alone", key, plan))
        if not found:
            names = [planned.name for planned in plan.points]
            raise StudyError(f"`{label}` has no run `{point}`.{suggestion(point, names)}")
        return found

    def rests_on(self, reading: Reading, folder: Path) -> dict[str, Record | None]:
        """What a reading rests on: runs, or a file of which it is stored where it comes from."""
        if reading.run.endswith(_FILES):
            record = self.records.runs.get(reading.run)
            return {reading.run: record} if record else {}
        return {
            target.label: self.records.of(target.scenario_hash)
            for target in self.targets(reading, folder)
        }

    def _scenario(self, run: str, folder: Path) -> tuple[Path, str]:
        """File of a scenario, in the folder of the figure or above, and the name of the run."""
        name, _, point = run.partition("/")
        path = self._near(f"{name}.toml", folder)
        if path is None:
            folders = self._folders(folder)
            there = sorted({one.stem for place in folders for one in place.glob("*.toml")})
            raise StudyError(f"there is no scenario `{name}.toml` in {folder}, or above it in the "
                             f"study.{suggestion(name, there)}")  # fmt: skip
        return path, point

    def _folders(self, folder: Path) -> list[Path]:
        inside = folder.relative_to(self._study.folder)
        return [folder, *(self._study.folder / part for part in inside.parents)]

    def _near(self, name: str, folder: Path) -> Path | None:
        return next((p for place in self._folders(folder) if (p := place / name).is_file()), None)

    def _plan(self, path: Path) -> Plan:
        if path not in self._plans:
            self._plans[path] = Plan(Scenario.read(path), self.inputs, baseline=True)
        return self._plans[path]

    def value(self, reading: Reading, folder: Path) -> Value:
        """The number of a reading, from what is stored; a list if it names several runs.

        Raises
        ------
        NotRunError
            A run was not made, or only of a scenario that has changed since.
        StudyError
            It cannot be read.
        """
        if reading.run.endswith(_FILES):
            return self._of_file(reading, folder)
        if reading.function == "topology":
            return _fact(self._topology(reading.run, folder), reading.column, reading.run)
        if reading.function == "setting":
            resolved = self._point(reading.run, folder).resolved
            return _fact(resolved, reading.column, reading.run)
        found: list[Value] = [self._stored(one, reading) for one in self.targets(reading, folder)]
        return found if "*" in reading.run else found[0]

    def _stored(self, target: Target, reading: Reading) -> float:
        record = self.records.of(target.scenario_hash)
        if record is None:
            is_other = target.label in self.records.runs
            why = "its scenario has changed since it was run" if is_other else "not run"
            raise NotRunError(target.label, why)
        found = self.records.values.get(record.run, {}).get(reading.what)
        if found is None:
            raise NotRunError(target.label, f"{reading.what} was not kept when it was run")
        return found

    def unit(self, reading: Reading, folder: Path) -> str | None:
        """Unit in which a number of a reading is given, if it is known.

        Measured files say it in their column `unit`, tables in the names of their columns.

        Raises
        ------
        StudyError
            The file is not there, or rows of different units are put together.
        """
        if reading.function not in IN_THE_UNIT:
            return None
        if reading.run.endswith(_MEASURED) and reading.column == "value":
            units = measures.rows(reading, self._file(reading, folder))["unit"].unique().sort()
            if len(units) > 1:
                raise StudyError(f"rows of `{reading.run}` have the units {', '.join(units)}; "
                                 f'choose some: unit="{units[0]}".')  # fmt: skip
            return str(units[0])
        found = re.search(r"_(ps|ns|us|ms)$", reading.column)
        return found[1] if found else None

    def _of_file(self, reading: Reading, folder: Path) -> float:
        return measures.read(reading, self._file(reading, folder), reading.column)

    def _file(self, reading: Reading, folder: Path) -> pl.DataFrame:
        path = self._near(reading.run, folder)
        if path is None:
            places = self._folders(folder)
            there = sorted({
                one.name for place in places for end in _FILES for one in place.glob(f"*{end}")
            })  # fmt: skip
            raise StudyError(f"there is no file `{reading.run}` in {folder}, or above it in the "
                             f"study.{suggestion(reading.run, there)}")  # fmt: skip
        if path not in self._frames:
            self._frames[path] = _frame(path)
        return self._frames[path]

    def _topology(self, system: str, folder: Path) -> dict[str, Any]:
        if system not in self._topologies:
            point = self._point(system, folder)
            ready = self.inputs.of(point)
            try:
                found, _ = native.topology(ready.config, ready.texts)
            except native.ConfigurationError as error:
                raise StudyError(f"{system}: {error.sentence}") from None
            self._topologies[system] = found
        return self._topologies[system]

    def _point(self, system: str, folder: Path) -> Point:
        """A scenario of the study, or any run on a preset."""
        path = self._near(f"{system.partition('/')[0]}.toml", folder)
        if path is not None:
            return Scenario.read(path).points[0]
        if system.partition("(")[0].strip() not in presets():
            raise StudyError(f"there is no system or scenario `{system}`."
                             f"{suggestion(system, presets())}")  # fmt: skip
        algorithm = next(iter(registry.family("routings")))
        scenario = Scenario.from_mapping({
            "system": {"preset": system}, "routing": {"algorithm": algorithm},
            "jobs": [{"workload": {"kind": "open-loop", "load": 0.1}}],
        }, called=system)  # fmt: skip
        return scenario.points[0]

    @staticmethod
    def made(reading: Reading, result: Result) -> float:
        """The number of a reading, from a run that has just been made.

        Raises
        ------
        StudyError
            It has no such table, column or row.
        """
        if reading.function == "summary":
            return _fact(_by_name(result.summary), reading.column, reading.run)
        table, _, column = reading.column.partition(".")
        if not column:
            raise StudyError(f"`{reading.column}` does not name a table; write ranks.comm_time_ns."
                             f"{suggestion(table, result.tables())}")  # fmt: skip
        try:
            frame = _table(table, result)
        except RunError as error:
            raise StudyError(str(error)) from None
        return measures.read(reading, frame, column)


def _table(name: str, result: Result) -> pl.DataFrame:
    """A table of a run, or one that is made of its tables."""
    if name == SPANS:
        return spans(result.table("iterations"))
    if name == LATENCIES:
        return latencies(result.table("iterations"), result.table("packets"))
    if name == FOREIGN:
        return foreign(*(result.table(part) for part in ("links", "link_jobs", "ranks")))
    if name == BENCHMARK:
        return _counted(result)
    if name == MESSAGES:
        time = pl.col("arrived_ns") - pl.col("sent_ns")
        return result.table(name).with_columns(time.alias("time_ns"))
    return result.table(name)


def _counted(result: Result) -> pl.DataFrame:
    """Iterations of every rank, as the benchmarks count them: a latency may be half of one."""
    found = form_of(result).filter(
        (pl.col("statistic") == SAMPLE) & pl.col("iteration").is_not_null()
    )
    columns = ("rank", "iteration", "quantity", "unit", "bytes", "time_ns", "value")
    return found.select(pl.col("series").alias("job"), *columns)


def _by_name(summary: Mapping[str, Any]) -> dict[str, Any]:
    """A summary in which jobs have their names."""
    return {**summary, "jobs": {job["name"]: job for job in summary.get("jobs", [])}}


def _frame(path: Path) -> pl.DataFrame:
    if path.suffix in _MEASURED:
        return measured.read([path]).frame
    try:
        if path.suffix == ".parquet":
            return files.read_parquet(path, is_ours=False)
        files.require_file(path)
        return pl.read_csv(path, infer_schema_length=None, glob=False, comment_prefix="#")
    except (OSError, ValueError, pl.exceptions.PolarsError) as error:
        first = (str(error).strip().splitlines() or ["it is empty"])[0][:200]
        raise StudyError(
            f"{path}: it is not a table ({first}); give a file with a header line."
        ) from None


def _fact(table: Mapping[str, Any], path: str, of: str) -> float:
    """A number in nested tables, by the names on the way to it."""
    here: Any = table
    for part in path.split("."):
        if not isinstance(here, Mapping) or part not in here:
            names = list(here) if isinstance(here, Mapping) else []
            raise StudyError(f"`{of}` has no `{path}`: there is no `{part}`."
                             f"{suggestion(part, names)}")  # fmt: skip
        here = here[part]
    if isinstance(here, str):
        return _quantity(here, path)
    if not isinstance(here, int | float):
        names = list(here) if isinstance(here, Mapping) else []
        raise StudyError(f"`{path}` of `{of}` is not a number.{suggestion('', names)}")
    return float(here)


def _quantity(text: str, path: str) -> float:
    """A quantity with its unit in ns, bytes or bytes/s."""
    for dimension, scale in (("bytes", 1.0), ("time", 1e-3), ("bandwidth", 1.0)):
        try:
            return parse_quantity(text, dimension) * scale  # type: ignore[arg-type]
        except QuantityError:
            continue
    raise StudyError(f"`{path}` is `{text}`, not a number.")
