"""What was run, and what was found: two small tables beside a study.

``runs.csv`` has a row per run with its fingerprint, the engine, the seed and what it cost;
``values.csv`` has the numbers that claims read from its tables. The tables themselves are not kept.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path

from odonata.core import files, native
from odonata.results.store.lock import locked
from odonata.studies.claims import StudyError

RUNS, VALUES = "runs.csv", "values.csv"
_LARGEST = 1 << 26
_DIGITS = 16
"""Of a fingerprint: enough to tell runs apart."""
_PATIENCE_S = 60.0
"""How long another process may take to store a run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A run that was made.

    Parameters
    ----------
    run : str
        Scenario and name of the run.
    scenario_hash : str
        Fingerprint of all that decides its outcome but the engine.
    run_hash : str
        The same with the engine.
    engine : str
        Version, fingerprint of the sources and, from model 1 on, number of the model of the
        simulator, as :func:`this_engine` has it.
    seed : int
        Of the run.
    stop : str
        Why it ended.
    wall_s, cpu_s : float
        What it took.
    packet_hops : int
        Routers that its packets went through.
    """

    run: str
    scenario_hash: str
    run_hash: str
    engine: str
    seed: int
    stop: str
    wall_s: float
    cpu_s: float
    packet_hops: int

    @property
    def is_of_this_model(self) -> bool:
        """Whether today's simulator has the same numbers, as far as its golden tables say."""
        return self.engine.endswith(_model())


def _model() -> str:
    return f".model-{native.MODEL}"


def this_engine() -> str:
    """Today's engine and the number of its model."""
    return f"{native.ENGINE}{_model()}"


def short(fingerprint: str) -> str:
    """The beginning of a fingerprint, as it is stored."""
    return fingerprint[:_DIGITS]


class Records:
    """The two tables of a study.

    Raises
    ------
    StudyError
        A table is damaged.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._by_hash: dict[str, Record] | None = None
        self._read()

    def _read(self) -> None:
        folder = self._folder
        self._by_hash = None
        self.runs: dict[str, Record] = {}
        self.values: dict[str, dict[str, float]] = {}
        for number, row in enumerate(_rows(folder / RUNS, [one.name for one in fields(Record)]), 2):
            record = _record(row, f"{folder / RUNS}:{number}")
            self.runs[record.run] = record
        for number, row in enumerate(_rows(folder / VALUES, ["run", "what", "value"]), 2):
            place = f"{folder / VALUES}:{number}"
            self.values.setdefault(row["run"], {})[row["what"]] = _float(row["value"], place)

    def of(self, scenario_hash: str) -> Record | None:
        """The run of a scenario, whatever it is called; ``None`` if it was not made."""
        if self._by_hash is None:
            self._by_hash = {one.scenario_hash: one for one in self.runs.values()}
        return self._by_hash.get(short(scenario_hash))

    def put(self, record: Record, values: Mapping[str, float]) -> None:
        """Take a run in; values of an earlier run of that scenario by another engine are gone.

        A run of another scenario that had the name is kept under a longer one: another claim may
        rest on it.
        """
        self._by_hash = None
        before = self.runs.get(record.run)
        if before is not None and before.scenario_hash != record.scenario_hash:
            kept = f"{before.run} ({before.scenario_hash})"
            self.runs[kept] = replace(before, run=kept)
            self.values[kept] = self.values.get(before.run, {})
            before = None
        if before is None or before.run_hash != record.run_hash:
            self.values[record.run] = {}
        self.runs[record.run] = record
        self.values.setdefault(record.run, {}).update(values)

    def store(self, record: Record, values: Mapping[str, float]) -> None:
        """Take a run in and write both tables, with what another process has stored meanwhile."""
        try:
            self._folder.mkdir(exist_ok=True)
            with locked(self._folder, timeout_s=_PATIENCE_S):
                self._read()
                self.put(record, values)
                self._write()
        except OSError as error:
            raise StudyError(
                f"{self._folder}: {files.problem(error)}; choose another folder."
            ) from None

    def _write(self) -> None:
        """Write both tables, each whole."""
        names = [one.name for one in fields(Record)]
        runs = [[asdict(record)[name] for name in names] for _, record in sorted(self.runs.items())]
        values = [
            [run, what, repr(value)]
            for run, found in sorted(self.values.items())
            for what, value in sorted(found.items())
        ]
        for name, header, rows in (
            (RUNS, names, [[_cell(one) for one in row] for row in runs]),
            (VALUES, ["run", "what", "value"], values),
        ):
            write_table(self._folder / name, header, rows)


def _cell(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def write_table(path: Path, header: list[str], rows: list[list[str]]) -> None:
    """Write a table as CSV; it appears under its name only when it is whole.

    Raises
    ------
    StudyError
        It cannot be written.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    write_text(path, out.getvalue())


def write_text(path: Path, text: str) -> None:
    """Write a file that appears under its name only when it is whole.

    Raises
    ------
    StudyError
        It cannot be written.
    """
    partial = path.with_name(f".{path.name}.partial")
    try:
        partial.write_text(text, encoding="utf-8")
        partial.replace(path)
    except OSError as error:
        partial.unlink(missing_ok=True)
        raise StudyError(f"{path}: {files.problem(error)}; choose another folder.") from None


def _rows(path: Path, header: list[str]) -> list[dict[str, str]]:
    if not path.exists():
        return []
    try:
        text = files.read_text(path, most=_LARGEST)
        found = list(csv.reader(io.StringIO(text), strict=True))
    except (OSError, UnicodeDecodeError, files.UnreadableError, csv.Error) as error:
        raise StudyError(f"{path}: {error}; restore the file from the repository.") from None
    if not found or found[0] != header or any(len(row) != len(header) for row in found):
        raise StudyError(f"{path}: the columns are not {', '.join(header)}; restore the file "
                         "from the repository, or remove it and run the study.")  # fmt: skip
    return [dict(zip(header, row, strict=True)) for row in found[1:]]


def _record(row: Mapping[str, str], place: str) -> Record:
    return Record(
        run=row["run"], scenario_hash=row["scenario_hash"], run_hash=row["run_hash"],
        engine=row["engine"], stop=row["stop"], seed=_whole(row["seed"], place),
        wall_s=_float(row["wall_s"], place), cpu_s=_float(row["cpu_s"], place),
        packet_hops=_whole(row["packet_hops"], place),
    )  # fmt: skip


def _float(text: str, place: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise StudyError(f"{place}: `{text}` is not a number; restore the file from the "
                         "repository.") from None  # fmt: skip


def _whole(text: str, place: str) -> int:
    if not text.isdecimal() or len(text) > 20:
        raise StudyError(f"{place}: `{text}` is not a whole number; restore the file from the "
                         "repository.")  # fmt: skip
    return int(text)
