"""What a run reads beside its scenario: traces, wiring, allocations, learnt tables; each once."""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from odonata import measured, traces
from odonata.core import native
from odonata.core.errors import MeasurementError, TextError, TraceError
from odonata.core.native import Trace
from odonata.scenario import Point, TraceUse, text_files


@dataclass(frozen=True, slots=True)
class Prepared:
    """A run with everything it needs.

    Parameters
    ----------
    config : dict
        What the simulator takes; lists of nodes and ranks filled in.
    traces : dict
        Columns of traces by path.
    texts : dict
        Content of other files by path.
    """

    config: dict[str, Any]
    traces: dict[str, Trace]
    texts: dict[str, str]


class Inputs:
    """Files that scenarios name.

    Parameters
    ----------
    note : callable, optional
        Is told of what a trace holds and cannot be replayed, and which programs are executed.
    executes : bool
        Whether programs of jobs are executed; if not, their ranks do nothing.

    Attributes
    ----------
    kept_traces : pathlib.Path or None
        Folder in which converted traces are kept, if any.
    """

    def __init__(self, note: Callable[[str], None] | None = None, *, executes: bool = True) -> None:
        self._note = note
        self._executes = executes
        self.kept_traces: Path | None = None
        self._traces: dict[str, Trace] = {}
        self._texts: dict[str, str] = {}
        self._ranks: dict[str, list[int]] = {}
        self._digests: dict[str, str] = {}

    @property
    def digests(self) -> Mapping[str, str]:
        """Fingerprint of the content of each file, by path."""
        return self._digests

    def of(self, point: Point) -> Prepared:
        """Everything that `point` reads.

        Raises
        ------
        ScenarioError
            A file is missing, damaged or of another kind; says where it is named.
        """
        config = copy.deepcopy(point.config)
        found = self._tables(point, config)
        others = {}
        for use in point.files:
            try:
                self._read_text(use.path, use.kind)
            except TextError as error:
                raise point.document.error(use.key, str(error)) from None
            if use.kind == "allocation":
                config["jobs"][use.key[1]]["placement"]["text"] = self._texts[use.path]
            elif use.kind == "mapping":
                config["jobs"][use.key[1]]["placement"]["mapping"] = self._ranks[use.path]
            else:
                others[use.path] = self._texts[use.path]
        return Prepared(config, found, others)

    def _tables(self, point: Point, config: dict[str, Any]) -> dict[str, Trace]:
        """Read what jobs replay, and name it in the configuration as it is named here."""
        found = {}
        for use in point.traces:
            try:
                if use.name not in self._traces:
                    self._read_trace(use)
            except TraceError as error:
                raise point.document.error(use.key, str(error)) from None
            found[use.name] = self._traces[use.name]
            workload = config["jobs"][use.job]["workload"]
            workload["path"] = use.name
            if use.noise:
                # The detours are in the table, which is scaled already.
                workload["compute_scale"] = 1.0
        return found

    def _read_text(self, path: str, kind: text_files.Kind) -> None:
        if kind == "mapping":
            if path not in self._ranks:
                self._ranks[path] = text_files.ranks(path)
                self._digests[path] = _digest(repr(self._ranks[path]))
        elif path not in self._texts:
            self._texts[path] = _detours(path) if kind == "noise" else text_files.read(path, kind)
            self._digests[path] = _digest(self._texts[path])

    def _read_trace(self, use: TraceUse) -> None:
        path = use.path
        data = self._table(use)
        problems = data.check()
        if problems:
            raise TraceError(_cannot(use, problems))
        if data.unsupported and self._note is not None:
            names = ", ".join(f"{name} ({count})" for name, count in data.unsupported.items())
            self._note(f"trace {path}: not replayed: {names}")
        columns = native.Table.of(data.columns)
        if use.noise:
            detours = traces.noise.read(Path(use.noise))
            scale = float(use.workload["compute_scale"])
            seed = use.seed + (use.job << 64)
            columns = traces.noise.lengthen(columns, detours, seed, scale)
        digest = hashlib.sha256()
        for name in sorted(columns):
            digest.update(name.encode())
            for part in columns.parts(name):
                digest.update(part.tobytes())
        self._traces[use.name] = columns
        self._digests[use.name] = digest.hexdigest()

    def _table(self, use: TraceUse) -> traces.TraceData:
        """The operations of a job, read or evaluated."""
        path = Path(use.path)
        match use.workload["kind"]:
            case "program" if not self._executes:
                return traces.program.idle(path, use.workload["ranks"])
            case "program":
                if self._note is not None:
                    self._note(f"program {path}: its Python is executed, with your rights")
                arguments = use.workload.get("arguments", [])
                return traces.program.read(path, use.workload["ranks"], arguments)
            case "profile":
                return traces.profile.read(path)
            case _:
                from odonata.traces import cache  # noqa: PLC0415 - tables, which few runs need

                return cache.read(path, self.kept_traces)


def _cannot(use: TraceUse, problems: list[str]) -> str:
    """Say why a job cannot be replayed: of a trace the first reason, another command has all."""
    kind, path = use.workload["kind"], use.path
    shown = 1 if kind == "trace" else 3
    more = f" (and {len(problems) - shown} more)" if len(problems) > shown else ""
    remedy = f"`odonata trace check {path}` lists everything." if kind == "trace" else "correct it."
    return f"{kind} {path} cannot be replayed: {'; '.join(problems[:shown])}{more}; {remedy}"


def _detours(name: str) -> str:
    """The detours of a recording, as the simulator reads them; of a table those of one rank."""
    path = Path(name)
    values = None
    try:
        if {".csv", ".parquet"} & set(path.suffixes):
            frame = measured.read([path]).frame
            detours = frame.filter(quantity="detour").drop_nulls("time_ns").sort("rank", "time_ns")
            if (rank := detours["rank"].first()) is not None:
                detours = detours.filter(rank=rank)
            values = detours.select("time_ns", "value").to_numpy()
        return traces.noise.text(path, values)
    except (TraceError, MeasurementError) as error:
        raise TextError(str(error)) from None


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
