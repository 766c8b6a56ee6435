"""One simulation as a task: what it needs travels with it, and what it returns is bytes."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from odonata import native
from odonata.errors import Error, InternalError
from odonata.inputs import Inputs, Prepared
from odonata.native import Column, ConfigurationError
from odonata.scenario import Point
from odonata.scenario.document import Document
from odonata.watch import Watch

_NUMBERS = {"<u8": np.uint64, "<f8": np.float64, "|b1": np.bool_}


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One simulation.

    Parameters
    ----------
    key : str
        Fingerprint of what decides its outcome, the engine included.
    label : str
        What users call it.
    name : str
        Of the scenario.
    scenario_hash : str
        Fingerprint without the engine.
    config : str
        The resolved configuration as JSON; paths of files are absolute.
    digests : tuple of str
        Fingerprints of the contents of the files that it reads, in their order.
    memory_bytes : int
        What it will need, as far as is known; 0: unknown.
    """

    key: str
    label: str
    name: str
    scenario_hash: str
    config: str
    digests: tuple[str, ...] = ()
    memory_bytes: int = 0

    @property
    def point(self) -> Point:
        """The same as a run of a scenario, without its file."""
        return Point("", {}, json.loads(self.config), {}, Document({}, self.label, Path()))


@dataclass(frozen=True, slots=True)
class Done:
    """What a task returns.

    Parameters
    ----------
    summary : dict
        Content of ``summary.json``.
    tables : dict
        Columns by name, by table.
    stall : str or None
        Diagnosis of a stalled run.
    """

    summary: dict[str, Any]
    tables: dict[str, dict[str, Column]]
    stall: str | None

    @property
    def stop(self) -> str:
        """Why it ended."""
        return str(self.summary["stop"])

    def encoded(self) -> list[bytes | memoryview]:
        """Parts of bytes from which :meth:`decoded` makes the same."""
        buffers: list[bytes | memoryview] = []
        tables: dict[str, list[list[Any]]] = {}
        for name, columns in self.tables.items():
            entries = tables[name] = []
            for column, values in columns.items():
                if isinstance(values, list):
                    known = {text: number for number, text in enumerate(dict.fromkeys(values))}
                    codes = np.fromiter((known[text] for text in values), np.uint32, len(values))
                    entries.append([column, "text", codes.nbytes, list(known)])
                    buffers.append(codes.data.cast("B"))
                else:
                    array = np.ascontiguousarray(values)
                    entries.append([column, array.dtype.str, array.nbytes, None])
                    buffers.append(array.data.cast("B") if array.nbytes else b"")
        head = {"summary": self.summary, "stall": self.stall, "tables": tables}
        text = json.dumps(head, ensure_ascii=False, separators=(",", ":")).encode()
        return [len(text).to_bytes(8, "little"), text, *buffers]

    @classmethod
    def decoded(cls, data: bytes) -> Done:
        """The opposite of :meth:`encoded`.

        Raises
        ------
        ValueError, KeyError, TypeError
            The bytes are something else.
        """
        start = 8 + int.from_bytes(data[:8], "little")
        head = json.loads(data[8:start])
        tables: dict[str, dict[str, Column]] = {}
        for name, entries in head["tables"].items():
            columns: dict[str, Column] = {}
            for column, kind, length, texts in entries:
                part = data[start : start + length]
                start += length
                if kind == "text":
                    columns[column] = [texts[code] for code in np.frombuffer(part, np.uint32)]
                else:
                    columns[column] = np.frombuffer(part, _NUMBERS[kind])
            tables[name] = columns
        return cls(head["summary"], tables, head["stall"])


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a task has no result.

    Parameters
    ----------
    sentence : str
        What is wrong and what to do.
    path : str
        Place in the configuration that is to blame; may be empty.
    is_fault : bool
        Whether it is ours, or that of the machine, not of the input.
    details : str
        For a report of a fault.
    """

    sentence: str
    path: str = ""
    is_fault: bool = False
    details: str = ""


class Listener(Protocol):
    """Is told how a task goes."""

    def progress(self, simulated_ps: int, packets: int, fraction: float) -> None:
        """The task has come so far."""

    def note(self, text: str) -> None:
        """Something to look at before trusting the result."""


class _Deaf:
    def progress(self, simulated_ps: int, packets: int, fraction: float) -> None: ...
    def note(self, text: str) -> None: ...


def run_task(
    task: Task,
    inputs: Inputs | None = None,
    *,
    threads: int = 1,
    listener: Listener | None = None,
    interrupt: Callable[[], bool] | None = None,
) -> Done | Failure:
    """Carry out a task: a pure function of it, but for what the run cost.

    Parameters
    ----------
    task : Task
        What to run.
    inputs : Inputs, optional
        Files that were read already.
    threads : int
        Of the simulator.
    listener : Listener, optional
        Is told how it goes.
    interrupt : callable, optional
        Asked a few times a second; true ends the task with what there is, as Ctrl-C does.

    Returns
    -------
    Done or Failure
        A failure is what is wrong with the task, or with the simulator.
    """
    listener = listener or _Deaf()
    point = task.point
    inputs = Inputs(listener.note) if inputs is None else inputs
    try:
        ready = inputs.of(point) if task.digests else Prepared(point.config, {}, {})
        if found_of(point, inputs.digests) != task.digests:
            return Failure(f"{task.label}: a file has changed meanwhile; run it again.")
        return _ran(task, point, ready, threads=threads, listener=listener, interrupt=interrupt)
    except ConfigurationError as error:
        return Failure(error.sentence, error.path)
    except InternalError as error:
        return Failure(str(error), is_fault=True, details=error.details)
    except Error as error:
        return Failure(str(error))


def found_of(point: Point, digests: Mapping[str, str]) -> tuple[str, ...]:
    """Fingerprints of the contents of the files of a run, in their order."""
    names = [use.name for use in point.traces] + [use.path for use in point.files]
    return tuple(digests.get(name, "") for name in names)


def _ran(
    task: Task, point: Point, ready: Prepared, *, threads: int, listener: Listener,
    interrupt: Callable[[], bool] | None,
) -> Done:  # fmt: skip
    watch = Watch(point, listener)
    wall, cpu = time.perf_counter(), time.process_time()
    outcome = native.run(
        ready.config,
        ready.traces,
        ready.texts,
        threads=threads,
        progress=watch.progress,
        interrupt=(lambda: watch.must_stop() or interrupt()) if interrupt else watch.must_stop,
    )
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    for note in outcome.summary.get("notes", ()):
        listener.note(f"{task.label}: {note}")
    summary = {
        "schema": 1,
        "name": task.name,
        "odonata_version": native.VERSION,
        "scenario_hash": task.scenario_hash,
        **outcome.summary,
    }
    # A silent job only keeps its nodes: it has no results.
    summary["jobs"] = _audible(outcome.summary["jobs"])
    engine = _engine(summary.get("engine", {}), wall, cpu, threads)
    summary["engine"] = engine | {"rss_bytes_max": watch.memory.look()}
    return Done(summary, outcome.tables, outcome.stall)


def _audible(jobs: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    return [
        {key: value for key, value in job.items() if key != "muted"}
        for job in jobs
        if not job.get("muted")
    ]


def _engine(engine: Mapping[str, Any], wall: float, cpu: float, threads: int) -> dict[str, Any]:
    hops = engine.get("packet_hops", 0)
    return {
        "wall_s": wall,
        "cpu_s": cpu,
        "threads": threads,
        **engine,
        "packet_hops_per_s": hops / wall if wall > 0 else 0.0,
    }
