"""One simulation as a task: what it needs travels with it, and what it returns is bytes."""

from __future__ import annotations

import json
import struct
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from odonata.campaign.watch import Watch
from odonata.core import native
from odonata.core.errors import Error, InternalError
from odonata.core.native import ConfigurationError
from odonata.scenario import Point
from odonata.scenario.document import Document
from odonata.scenario.inputs import Inputs, Prepared


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
    packet_sample : int
        Every how many packets one is recorded, which takes more; 0: none.
    """

    key: str
    label: str
    name: str
    scenario_hash: str
    config: str
    digests: tuple[str, ...] = ()
    memory_bytes: int = 0
    packet_sample: int = 0

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
    packed : bytes
        Its tables, see :func:`odonata.core.packed.joined`.
    stall : str or None
        Diagnosis of a stalled run.
    """

    summary: dict[str, Any]
    packed: bytes
    stall: str | None

    @property
    def stop(self) -> str:
        """Why it ended."""
        return str(self.summary["stop"])

    def encoded(self) -> list[bytes]:
        """Parts of bytes from which :meth:`decoded` makes the same."""
        text = json.dumps(self.summary, ensure_ascii=False, separators=(",", ":")).encode()
        stall = b"" if self.stall is None else self.stall.encode()
        return [_LENGTHS.pack(len(text), len(stall)), text, stall, self.packed]

    @classmethod
    def decoded(cls, data: bytes) -> Done:
        """The opposite of :meth:`encoded`.

        Raises
        ------
        ValueError, KeyError, TypeError
            The bytes are something else.
        """
        if len(data) < _LENGTHS.size:
            raise ValueError("too few bytes")
        first, second = _LENGTHS.unpack_from(data)
        middle = _LENGTHS.size + first
        end = middle + second
        stall = data[middle:end].decode()
        return cls(json.loads(data[_LENGTHS.size : middle]), data[end:], stall or None)


_LENGTHS = struct.Struct("<II")


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


def run_task(  # noqa: PLR0913 - how it is run, by name
    task: Task,
    inputs: Inputs | None = None,
    *,
    threads: int = 1,
    listener: Listener | None = None,
    interrupt: Callable[[], bool] | None = None,
    simulate: Callable[..., native.Outcome] | None = None,
    timed: bool = False,
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
    simulate : callable, optional
        What runs it in place of :func:`odonata.core.native.run`.
    timed : bool
        Whether its summary is to say where its time goes.

    Returns
    -------
    Done or Failure
        A failure is what is wrong with the task, or with the simulator.
    """
    listener = listener or _Deaf()
    ready: Prepared | str = task.config
    try:
        if task.digests:
            inputs = Inputs(listener.note) if inputs is None else inputs
            point = task.point
            ready = inputs.of(point)
            if found_of(point, inputs.digests) != task.digests:
                return Failure(
                    f"{task.label}: an input file has changed since the start; run it again."
                )
        return _ran(task, ready, threads=threads, listener=listener, interrupt=interrupt,
                    simulate=partial(simulate or native.run, timed=timed))  # fmt: skip
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
    task: Task, ready: Prepared | str, *, threads: int, listener: Listener,
    interrupt: Callable[[], bool] | None, simulate: Callable[..., native.Outcome],
) -> Done:  # fmt: skip
    given = (ready, {}) if isinstance(ready, str) else (ready.config, ready.traces, ready.texts)
    watch = Watch(task.packet_sample, listener)
    wall, cpu = time.perf_counter(), time.process_time()
    outcome = simulate(
        *given,
        threads=threads,
        progress=watch.progress,
        interrupt=(lambda: watch.must_stop() or interrupt()) if interrupt else watch.must_stop,
        packed=True,
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
    return Done(summary, outcome.packed, outcome.stall)


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
