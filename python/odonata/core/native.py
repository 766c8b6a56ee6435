"""The door to the compiled simulator: plain dictionaries and arrays in and out."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from odonata import _core
from odonata.core.errors import Error, InternalError, TraceError

compiled = _core
"""The compiled module, for other files of this room."""

Column: TypeAlias = "npt.NDArray[np.generic] | list[str]"
"""Values of one column of a table."""

Trace: TypeAlias = "Mapping[str, npt.NDArray[np.generic]]"
"""A trace in columns: the internal dependency-graph form."""

VERSION: str = _core.VERSION
"""Version of the simulator, the same as that of the package."""

ENGINE: str = f"{VERSION}+{_core.SOURCES}"
"""Version and fingerprint of the sources of the simulator: another engine, maybe other numbers."""

MODEL: int = _core.MODEL
"""Engines of the same number have the same golden tables: where no golden moved, no number did."""

joined_tables = _core.joined_tables
"""See :func:`odonata.core.packed.joined`."""

packed_names = _core.packed_names
"""See :func:`odonata.core.packed.names`."""

DEBUG_BUILD: bool = _core.DEBUG_BUILD
"""Whether the simulator checks every invariant and is many times slower than it could be."""


class ConfigurationError(Error):
    """The simulator refuses a configuration.

    Parameters
    ----------
    path : str
        Place in the configuration such as ``jobs[1].workload.grid``; may be empty.
    sentence : str
        What is wrong and what to do.
    """

    def __init__(self, path: str, sentence: str) -> None:
        super().__init__(sentence)
        self.path = path
        self.sentence = sentence


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one run returns.

    Parameters
    ----------
    summary : dict
        Content of ``summary.json`` without version, hash and wall time.
    tables : dict
        Columns by name, by table; empty if they are packed.
    stall : str or None
        Diagnosis of a stalled run.
    packed : bytes
        The tables for :func:`joined_tables`, if that was asked for.
    """

    summary: dict[str, Any]
    tables: dict[str, dict[str, Column]]
    stall: str | None
    packed: bytes = b""


Progress = Callable[[int, int, float], None]
"""Called with simulated time (ps), packets delivered, and the fraction done (0 to 1)."""


@contextlib.contextmanager
def refusals() -> Iterator[None]:
    """Errors of the compiled module as those of this room."""
    try:
        yield
    except _core.SimulationError as error:
        raise ConfigurationError(*error.args) from None
    except _core.RefusedError as error:
        raise RefusedError(*error.args) from None
    except _core.LostError as error:
        raise LostError(*error.args) from None
    except _core.InternalError as error:
        raise InternalError(*error.args) from None


class LostError(Error):
    """Another process of the same simulation is gone, or cannot go on."""


class RefusedError(LostError):
    """Process 0 is there, and refuses this process."""


class Team:
    """The part of this process in a simulation of several."""

    def __init__(self, inner: _core.Team) -> None:
        self.inner = inner

    @classmethod
    def lead(
        cls, host: str, processes: int, *, beside: int, secret: str, task: str,
        port: int | None = None,
    ) -> Team:  # fmt: skip
        """Process 0, which the others reach at `host`.

        Parameters
        ----------
        host : str
            An address of this machine, or its name among others.
        processes : int
            How many there are.
        beside : int
            How many of them are on this machine, whose memory they share.
        secret : str
            What only they know.
        task : str
            Fingerprint of what is to be run.
        port : int, optional
            At which it listens, 0 for any, if some are on other machines.

        Raises
        ------
        LostError
            The address is not of this machine.
        """
        with refusals():
            return cls(_core.Team.lead(host, processes, beside, secret, task, port))

    @classmethod
    def join(  # noqa: PLR0913 - what process 0 has told, by name
        cls, address: str, rank: int, processes: int, *, beside: int, secret: str, task: str,
        build: str | None = None, port: int = 0,
    ) -> Team:  # fmt: skip
        """Another process.

        Parameters
        ----------
        address : str
            Where process 0 listens.
        rank : int
            Its number, from 1.
        processes, beside, secret, task
            As for :meth:`lead`.
        build : str, optional
            For tests: what it says of its own build.
        port : int
            At which it listens itself; 0: at any.
        """
        with refusals():
            inner = _core.Team.join(
                address, rank, processes, beside, secret, task, build=build, port=port
            )
            return cls(inner)

    @property
    def address(self) -> str:
        """Where process 0 listens, before all others are there."""
        return self.inner.address

    def gather(self, interrupt: Callable[[], bool] | None = None) -> None:
        """Wait for all others, at most 10 minutes; or join them.

        Parameters
        ----------
        interrupt : callable, optional
            As for :func:`run`.

        Raises
        ------
        RefusedError
            Process 0 has another build or another task; it says so.
        LostError
            Another process is not there.
        """
        with refusals():
            self.inner.gather(interrupt)


def run(  # noqa: PLR0913 - what it runs, and who is told of it
    config: Mapping[str, Any] | str,
    traces: Mapping[str, Trace],
    texts: Mapping[str, str] | None = None,
    *,
    threads: int = 1,
    progress: Progress | None = None,
    interrupt: Callable[[], bool] | None = None,
    packed: bool = False,
    timed: bool = False,
    team: Team | None = None,
) -> Outcome:
    """Run one resolved configuration, or the part of this process in a team.

    The interpreter is free while it runs. A keyboard interrupt ends it within a fraction of a
    second; the outcome then holds what there is so far and ``stop`` is ``interrupted``.

    Parameters
    ----------
    config : mapping or str
        Resolved run configuration, or the same as JSON.
    traces : mapping
        Columns of the traces by the path under which jobs name them.
    texts : mapping, optional
        Content of every other file by the path under which the configuration names it.
    threads : int
        Threads of the simulator in each process; the outcome does not depend on it.
    progress : callable, optional
        Told how far the run is, a few times a second.
    interrupt : callable, optional
        Asked a few times a second; true ends the run.
    packed : bool
        Whether the tables are to be bytes, which cost no objects of Python.
    timed : bool
        Whether the summary is to say where the time of the run goes; the same in all processes.
    team : Team, optional
        The processes that simulate together, after :meth:`Team.gather`; by default this one alone.

    Returns
    -------
    Outcome
        Summary and tables, which do not depend on the processes; empty in all but process 0.

    Raises
    ------
    ConfigurationError
        The configuration cannot be simulated, or not in so many processes.
    LostError
        Another process is gone, or cannot go on.
    InternalError
        A fault of the simulator.
    """
    text = config if isinstance(config, str) else json.dumps(config)
    callbacks = progress, interrupt, timed
    inner = None if team is None else team.inner
    with refusals():
        found = _core.run(text, _inputs(traces, texts), threads, callbacks, packed, inner)
    if found is None:
        return Outcome({}, {}, None)
    summary, tables, stall = found
    if isinstance(tables, bytes):
        return Outcome(json.loads(summary), {}, stall, tables)
    return Outcome(json.loads(summary), tables, stall)


def _asked(
    question: Callable[..., str],
    config: Mapping[str, Any],
    traces: Mapping[str, Trace],
    texts: Mapping[str, str] | None,
    *more: object,
) -> Any:  # noqa: ANN401 - JSON
    """Answer of the simulator about a configuration that is not run."""
    with refusals():
        return json.loads(question(json.dumps(config), _inputs(traces, texts), *more))


def check(
    config: Mapping[str, Any],
    traces: Mapping[str, Trace],
    texts: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Check one configuration without running it.

    Parameters
    ----------
    config, traces, texts
        As for :func:`run`.

    Returns
    -------
    dict
        Virtual channels needed, forecast of packets, memory and time, and ``warnings``: sentences
        on limits of the setting that look like congestion.

    Raises
    ------
    ConfigurationError
        The configuration cannot be simulated.
    InternalError
        A fault of the simulator.
    """
    report: dict[str, Any] = _asked(_core.check, config, traces, texts)
    return report


def demand(
    config: Mapping[str, Any],
    traces: Mapping[str, Trace],
    texts: Mapping[str, str] | None = None,
) -> list[dict[str, Any]]:
    """How hard the MPI jobs of one configuration press on its network.

    Parameters
    ----------
    config, traces, texts
        As for :func:`run`.

    Returns
    -------
    list of dict
        Per job that is not open-loop traffic: bytes, messages, time without contention (ns),
        injection rate (B/s), peak ingress volume (bytes); `whole` if it ran to its end, `share` of
        it otherwise; `packets`, and `pace`: instants (ns) with the packets that had arrived then;
        `warning`, a sentence, if the MPI library holds it back.

    Raises
    ------
    ConfigurationError
        The configuration cannot be simulated.
    InternalError
        A fault of the simulator.
    """
    jobs: list[dict[str, Any]] = _asked(_core.demand, config, traces, texts)
    return jobs


def offered(
    config: Mapping[str, Any],
    traces: Mapping[str, Trace],
    texts: Mapping[str, str] | None = None,
    *,
    instants_ps: Sequence[int],
) -> list[list[int] | None]:
    """Packets that the open-loop jobs of one configuration will have created, without a network.

    Parameters
    ----------
    config, traces, texts
        As for :func:`run`.
    instants_ps : sequence of int
        Up to when, ascending, ps.

    Returns
    -------
    list of list of int or None
        Per job and instant; ``None`` for jobs that are not open-loop traffic.

    Raises
    ------
    ConfigurationError
        The configuration cannot be simulated.
    InternalError
        A fault of the simulator.
    """
    instants = list(instants_ps)
    found: list[list[int] | None] = _asked(_core.offered, config, traces, texts, instants)
    return found


def topology(
    config: Mapping[str, Any], texts: Mapping[str, str] | None = None
) -> tuple[dict[str, Any], dict[str, Column]]:
    """Summary and directed channels of a network.

    Parameters
    ----------
    config : mapping
        Resolved run configuration; jobs and routing are ignored.
    texts : mapping, optional
        As for :func:`run`.

    Returns
    -------
    tuple of dict
        Sizes and wiring; columns of the channel list.

    Raises
    ------
    ConfigurationError
        The shape is impossible.
    InternalError
        A fault of the simulator.
    """
    with refusals():
        summary, channels = _core.topology(json.dumps(config), *([texts] if texts else []))
    return json.loads(summary), channels


Rank = _core.Rank
"""The program of one rank, packed."""

Numbers = _core.Numbers
"""Whole numbers from 0 on, packed."""

Builder = _core.Builder
"""Puts a table together: from arrays, packed columns, or the programs of ranks."""

_PART = 1 << 18
"""Values that are unpacked at a time."""


class Table(Mapping[str, "npt.NDArray[Any]"]):
    """The table of a trace: packed; a column becomes an array when it is asked for.

    Parameters
    ----------
    core : _core.Table
        What the compiled simulator has.
    """

    __slots__ = ("core",)

    def __init__(self, core: _core.Table) -> None:
        self.core = core

    @classmethod
    def of(cls, columns: Trace) -> Table:
        """Pack columns, if they are not.

        Raises
        ------
        ConfigurationError
            A column is missing, or of another type.
        """
        if isinstance(columns, Table):
            return columns
        with refusals():
            return cls(_core.trace_table(dict(columns)))

    def __getitem__(self, name: str) -> npt.NDArray[Any]:
        return self.core.part(name, 0, self.core.length(name))

    def __iter__(self) -> Iterator[str]:
        return iter(self.core.names())

    def __len__(self) -> int:
        return len(self.core.names())

    def length(self, name: str) -> int:
        """Return the number of values of a column."""
        return self.core.length(name)

    def parts(self, name: str) -> Iterator[npt.NDArray[Any]]:
        """Unpack a column part by part."""
        length = self.core.length(name)
        for begin in range(0, length, _PART):
            yield self.core.part(name, begin, min(begin + _PART, length))

    def packed(self) -> Iterator[tuple[str, int, bytes]]:
        """Give pieces of about 128 KiB for :meth:`unpacked`: column, its length, bytes."""
        for name in self:
            block: int | None = 0
            while block is not None:
                piece, block = self.core.packed(name, block)
                yield name, self.core.length(name), piece

    @classmethod
    def unpacked(cls, pieces: Iterable[tuple[str, int, bytes]]) -> Table | None:
        """Put pieces together again; ``None`` if they are no whole table."""
        builder = Builder()
        lengths: dict[str, int] = {}
        for name, length, piece in pieces:
            lengths[name] = length
            if not builder.extend_packed(name, piece, length):
                return None
        if builder.fault() is not None:
            return None
        table = cls(builder.finish())
        is_whole = all(table.length(name) == length for name, length in lengths.items())
        return table if is_whole and lengths.keys() == set(table) else None


def _inputs(traces: Mapping[str, Trace], texts: Mapping[str, str] | None) -> _core.Inputs:
    given: dict[str, Any] = {
        name: one.core if isinstance(one, Table) else dict(one) for name, one in traces.items()
    }
    return given, dict(texts or {})


def read_trace(kind: str, files: Sequence[Path]) -> tuple[Table, dict[str, Any]]:
    """Read a trace with a reader in compiled code.

    Parameters
    ----------
    kind : str
        Name of the format.
    files : sequence of pathlib.Path
        One per rank in the order of the ranks, or the one file of all.

    Returns
    -------
    tuple
        The table; ``unsupported``, ``places``, ``hints``, ``local_calls`` and ``origin``.

    Raises
    ------
    TraceError
        A file is damaged or of another kind.
    InternalError
        A fault of the reader.
    """
    try:
        table, about = _core.read_trace(kind, list(files))
    except _core.SimulationError as error:
        _, sentence = error.args
        raise TraceError(f"trace {sentence}") from None
    except _core.InternalError as error:
        raise InternalError(*error.args) from None
    return Table(table), json.loads(about)


class CollectiveCall(NamedTuple):
    """One rank of a collective.

    Attributes
    ----------
    kind, algorithm : str
        The collective and its algorithm, as the parameters of MPI have them.
    rank, size, root : int
        The rank, the number of ranks, and the root, which is one of the ranks.
    sizes, incoming : list of int
        Bytes of the blocks that the rank sends and of those that it receives: one number for all,
        or one for each rank.
    """

    kind: str
    algorithm: str
    rank: int
    size: int
    root: int
    sizes: list[int]
    incoming: list[int]


def collective_rounds(call: CollectiveCall) -> list[list[tuple[bool, int, int]]]:
    """Write out a collective: the messages of one rank.

    Parameters
    ----------
    call : CollectiveCall
        The rank and its collective.

    Returns
    -------
    list of list of tuple
        ``(is_send, peer, bytes)`` of the messages that go at once, each list after the one before.
    """
    try:
        return _core.collective_rounds(call)
    except _core.InternalError as error:
        raise InternalError(*error.args) from None


@lru_cache(maxsize=1)
def operations() -> list[dict[str, Any]]:
    """Operations of traces: ``name``, ``code``, and whether they are messages, collectives, ..."""
    known: list[dict[str, Any]] = json.loads(_core.operations())
    return known


@lru_cache(maxsize=1)
def registry() -> dict[str, Any]:
    """Every family of the simulator: members, summaries, sources, parameters.

    ``mpi`` is a list of parameters; ``tables`` has the parameters of every other table by name.
    """
    families: dict[str, Any] = json.loads(_core.registry())
    return families
