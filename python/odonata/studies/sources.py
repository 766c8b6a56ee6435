"""Where readings find their numbers: stored values, files, systems; and which run each needs."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import polars as pl

from odonata import measured
from odonata.analysis import foreign, latencies, spans
from odonata.analysis.counters import by_iteration
from odonata.analysis.frames import AnalysisError
from odonata.campaign.experiment import run_one
from odonata.campaign.plan import Plan, Planned
from odonata.core import files, native
from odonata.core.errors import RunError, nearest, suggestion
from odonata.core.quantities import QuantityError, parse_quantity
from odonata.measured.form import SAMPLE
from odonata.results.measurements import form_of
from odonata.results.run import Result
from odonata.scenario import Point, Scenario, registry
from odonata.scenario.inputs import Inputs
from odonata.scenario.presets import presets
from odonata.studies import measures
from odonata.studies.claims import StudyError
from odonata.studies.expression import EACH, IN_THE_UNIT, Reading
from odonata.studies.numbers import Value
from odonata.studies.records import Record, Records

_TABLES = (".csv", ".parquet")
_MEASURED = (".txt", ".log", ".out", ".dat", ".json")
FILES = (*_TABLES, *_MEASURED)
"""Endings of tables, and of what :mod:`odonata.measured` reads."""


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
    drawn_from : str
        Its label without values of unknown inputs, if there are some.
    """

    label: str
    key: str
    plan: Plan
    drawn_from: str = ""

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
    folder : pathlib.Path
        Of the study.
    inputs : Inputs, optional
        Files that were read already.
    records : Records, optional
        What was run, if it is not what the folder has.
    """

    def __init__(
        self, folder: Path, inputs: Inputs | None = None, records: Records | None = None
    ) -> None:
        self._folder = folder
        self.inputs = inputs or Inputs()
        self.records = records or Records(folder)
        self._scenarios: dict[Path, Scenario] = {}
        self._plans: dict[tuple[Path, str], Plan] = {}
        self._frames: dict[Path, pl.DataFrame] = {}
        self._topologies: dict[str, dict[str, Any]] = {}
        self._targets: dict[tuple[str, str, Path], list[Target]] = {}

    def targets(self, reading: Reading, folder: Path) -> list[Target]:
        """The runs that a reading needs; none if it reads a file or a system.

        Raises
        ------
        StudyError, ScenarioError
            There is no such scenario, run or job; the scenario is wrong.
        """
        if reading.function in ("topology", "setting") or reading.run.endswith(FILES):
            return []
        if reading.function == EACH:
            raise StudyError(f"`{EACH}` reads files; of a run numbers are kept, such as a mean.")
        asked = reading.run, reading.alone, folder
        if asked not in self._targets:
            self._targets[asked] = self._resolved(reading, folder)
        return self._targets[asked]

    def _resolved(self, reading: Reading, folder: Path) -> list[Target]:
        path, point = self._scenario(reading.run, folder)
        # An isolated run is known by the first point of the whole sweep that has it.
        named = "*" if reading.alone else point
        label = path.relative_to(self._folder).with_suffix("").as_posix()
        found = []
        for planned, plan in self.planned(path, named):
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
            names = self.scenario(path).points.names
            raise StudyError(f"`{label}` has no run `{point}`.{suggestion(point, names)}")
        return found

    def planned(self, path: Path, named: str) -> list[tuple[Planned, Plan]]:
        """Points of a scenario with names of a pattern, each with the plan that has its tasks."""
        if (path, named) not in self._plans:
            scenario = self.scenario(path)
            self._plans[path, named] = Plan(scenario, self.inputs, baseline=True, named=named)
        plan = self._plans[path, named]
        return [(one, plan) for one in plan.points]

    def needed(self, reading: Reading, folder: Path) -> list[tuple[Target, Reading]]:
        """What has to be read of which run, so that a reading has its number.

        Raises
        ------
        StudyError, ScenarioError
            As :meth:`targets`.
        """
        return [(target, reading) for target in self.targets(reading, folder)]

    def rests_on(self, reading: Reading, folder: Path) -> dict[str, Record | None]:
        """What a reading rests on: runs, or a file of which it is stored where it comes from."""
        if reading.run.endswith(FILES):
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
        inside = folder.relative_to(self._folder)
        return [folder, *(self._folder / part for part in inside.parents)]

    def _near(self, name: str, folder: Path) -> Path | None:
        return next((p for place in self._folders(folder) if (p := place / name).is_file()), None)

    def scenario(self, path: Path) -> Scenario:
        """A scenario of the study, read once."""
        if path not in self._scenarios:
            self._scenarios[path] = Scenario.read(path)
        return self._scenarios[path]

    def value(self, reading: Reading, folder: Path) -> Value:
        """The number of a reading, from what is stored; a list if it names several runs.

        Raises
        ------
        NotRunError
            A run was not made, or only of a scenario that has changed since.
        StudyError
            It cannot be read.
        """
        if reading.run.endswith(FILES):
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
            raise NotRunError(target.label, f"{why}{misspelt(reading)}")
        found = self.records.values.get(record.run, {}).get(reading.what)
        if found is None:
            why = f"{reading.what} was not kept when it was run"
            raise NotRunError(target.label, f"{why}{misspelt(reading)}")
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
            units = measures.rows(reading, self.file(reading, folder))["unit"].unique().sort()
            if len(units) > 1:
                raise StudyError(f"rows of `{reading.run}` have the units {', '.join(units)}; "
                                 f'choose some: unit="{units[0]}".')  # fmt: skip
            return str(units[0])
        found = re.search(r"_(ps|ns|us|ms)$", reading.column)
        return found[1] if found else None

    def _of_file(self, reading: Reading, folder: Path) -> Value:
        return measures.read(reading, self.file(reading, folder), reading.column)

    def file(self, reading: Reading, folder: Path) -> pl.DataFrame:
        """The table of a file.

        Raises
        ------
        StudyError
            It is not there, or no table.
        """
        path = self._near(reading.run, folder)
        if path is None:
            places = self._folders(folder)
            there = sorted({
                one.name for place in places for end in FILES for one in place.glob(f"*{end}")
            })  # fmt: skip
            raise StudyError(f"there is no file `{reading.run}` in {folder}, or above it in the "
                             f"study.{suggestion(reading.run, there)} `odonata study run "
                             f"{self._folder.name}/TABLE`, then `odonata study page`, write one "
                             "that a table of study.toml names.")  # fmt: skip
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
            return self.scenario(path).points[0]
        if system.partition("(")[0].strip() not in presets():
            raise StudyError(f"there is no system or scenario `{system}`."
                             f"{suggestion(system, presets())}")  # fmt: skip
        algorithm = next(iter(registry.family("routings")))
        scenario = Scenario.from_mapping({
            "system": {"preset": system}, "routing": {"algorithm": algorithm},
            "jobs": [{"workload": {"kind": "open-loop", "load": 0.1}}],
        }, called=system)  # fmt: skip
        return scenario.points[0]


class RunTables:
    """The tables of a run that has just been made, and those that are made of them."""

    def __init__(self, result: Result) -> None:
        self._result = result
        self._made: dict[str, pl.DataFrame] = {}

    def value(self, reading: Reading) -> float:
        """The number of a reading.

        Raises
        ------
        StudyError
            The run has no such table, column or row.
        """
        if reading.function == "summary":
            return _fact(_by_name(self._result.summary), reading.column, reading.run)
        table, _, column = reading.column.partition(".")
        if not column:
            raise StudyError(f"`{reading.column}` does not name a table; write ranks.comm_time_ns."
                             f"{suggestion(table, self._result.tables())}")  # fmt: skip
        try:
            frame = self._table(table)
        except (RunError, AnalysisError) as error:
            raise StudyError(str(error)) from None
        return float(measures.read(reading, frame, column))  # type: ignore[arg-type]

    def _table(self, name: str) -> pl.DataFrame:
        if name not in _MADE:
            return self._result.table(name)
        if name not in self._made:
            self._made[name] = _MADE[name](self._result)
        return self._made[name]


PROBABLY = "Did you mean"
"""How the end of a sentence begins that :func:`misspelt` gives."""


def misspelt(reading: Reading) -> str:
    """The end of a sentence about a column that was probably meant to be another one.

    Columns are those of a tiny run. A column that only other runs have is told from a wrong one by
    its spelling alone: the sentence is empty if no column is near.
    """
    table, _, column = reading.column.partition(".")
    there = _columns(table)
    for name in (column, reading.other, *(name for name, _ in reading.where)):
        near = nearest(name, there) if name and name not in there else None
        if near:
            return f"; `{table}` may have no column `{name}`. {PROBABLY} `{near}`?"
    return ""


@cache
def _columns(table: str) -> tuple[str, ...]:
    """Columns of a table of a run; none if the tiny run has no such table."""
    try:
        return tuple(_tiny()._table(table).columns)  # noqa: SLF001 - of the same file
    except (RunError, AnalysisError):
        return ()


@cache
def _tiny() -> RunTables:
    """The tables of a run of two jobs that records all that it can."""
    halo = {"kind": "halo3d", "ranks": 8, "iterations": 2}
    return RunTables(run_one({
        "system": {"preset": "dragonfly(2, 4, 2, 9)"}, "routing": {"algorithm": "minimal"},
        "jobs": [{"name": name, "workload": halo} for name in ("one", "other")],
        "stop": {"time": "1 ms"},
        "telemetry": {
            "packet_sample": 1, "message_sample": 1, "blame": True, "counters": True,
            "counter_interval": "10 us", "link_series": True,
        },
    }))  # fmt: skip


def _of(made: Callable[..., pl.DataFrame], *parts: str) -> Callable[[Result], pl.DataFrame]:
    """A function of tables as one of a run."""
    return lambda result: made(*(result.table(part) for part in parts))


def _counted(result: Result) -> pl.DataFrame:
    """What counters counted in each iteration."""
    there = [one for one in ("counters", "nic_counters") if one in result.tables()]
    there = there or ["counters"]  # which says what it takes
    return pl.concat(_of(by_iteration, "iterations", one)(result) for one in there)


def _messages(messages: pl.DataFrame) -> pl.DataFrame:
    """Messages with the time that each took."""
    return messages.with_columns(time_ns=pl.col("arrived_ns") - pl.col("sent_ns"))


def _benchmark(result: Result) -> pl.DataFrame:
    """Iterations of every rank, as the benchmarks count them: a latency may be half of one."""
    found = form_of(result).filter(
        (pl.col("statistic") == SAMPLE) & pl.col("iteration").is_not_null()
    )
    columns = ("rank", "iteration", "quantity", "unit", "bytes", "time_ns", "value")
    return found.select(pl.col("series").alias("job"), *columns)


_MADE: dict[str, Callable[[Result], pl.DataFrame]] = {
    "spans": _of(spans, "iterations"),
    "latencies": _of(latencies, "iterations", "packets"),
    "foreign": _of(foreign, "links", "link_jobs", "ranks"),
    "counted": _counted,
    "benchmark": _benchmark,
    "messages": _of(_messages, "messages"),
}
"""Tables that are made of those of a run."""


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
