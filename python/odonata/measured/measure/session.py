"""A measurement in one allocation: what every rank does from beginning to end."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from odonata.core.errors import MeasurementError
from odonata.measured.measure import allocation, counters, gpcnet, gpcnet_session, host, modes
from odonata.measured.measure.benchmarks import BENCHMARKS, Benchmark
from odonata.measured.measure.clock import STARTS
from odonata.measured.measure.context import Context
from odonata.measured.measure.files import Row
from odonata.measured.measure.repeat import (
    Series,
    Table,
    Times,
    Tools,
    kept,
    repeated,
    rows_of_times,
)

if TYPE_CHECKING:
    from mpi4py import MPI

    from odonata.measured.measure.request import Request


def run(comm: MPI.Intracomm, request: Request, say: Callable[[str], None]) -> dict[str, Any]:
    """Measure; all ranks call it with the same request.

    Parameters
    ----------
    comm : mpi4py.MPI.Intracomm
        All ranks of the allocation.
    request : Request
        What is asked.
    say : callable
        Where sentences about the progress go; called on rank 0 only.

    Returns
    -------
    dict
        The record of the allocation, complete on rank 0.

    Raises
    ------
    MeasurementError
        On all ranks: the folder belongs to another allocation, a mode cannot be forced, there are
        too few nodes.
    """
    here = _ready(comm, request, say if comm.Get_rank() == 0 else (lambda _: None))
    _watch_host(here, "before")
    for name in request.benchmarks:
        if name == gpcnet.ISOLATED:
            gpcnet_session.isolated(here)
        elif name == gpcnet.LOAD:
            gpcnet_session.load(here)
        else:
            _benchmark(here, BENCHMARKS[name])
    _watch_host(here, "after")
    here.record["iterations"] = here.iteration
    if here.seat.rank == 0:
        here.write_record()
    return here.record


def _ready(comm: MPI.Intracomm, request: Request, say: Callable[[str], None]) -> Context:
    """Everything that can be refused, before the first iteration."""
    seats: list[allocation.Seat] = comm.allgather(allocation.seat(comm.Get_rank()))
    forced = modes.opened(request.modes, request.force)
    problems = [one for one in comm.allgather(forced if isinstance(forced, str) else "") if one]
    if problems or isinstance(forced, str):
        raise MeasurementError(problems[0])
    nodes = _numbered(
        str(one.rank // request.ranks_per_node) if request.ranks_per_node else one.host
        for one in seats
    )
    if gpcnet.LOAD in request.benchmarks and max(nodes) + 1 < gpcnet.FEWEST_NODES:
        raise MeasurementError(
            f"gpcnet needs {gpcnet.FEWEST_NODES} nodes, but there are {max(nodes) + 1}; use "
            "more, or try it with --ranks-per-node 1, which treats every rank as a node."
        )
    allocation.claim(comm, request.out)
    tools = Tools(forced, STARTS[request.start](comm), _counters(seats, comm.Get_rank(), request))
    here = Context(comm=comm, request=request, say=say, seats=seats, nodes=nodes, tools=tools)
    here.record |= allocation.record(seats, request)
    _tell(here)
    return here


def _counters(seats: list[allocation.Seat], rank: int, request: Request) -> counters.Counters:
    """Counters of this node on its first rank, nothing on the others."""
    hosts = [one.host for one in seats]
    if hosts.index(hosts[rank]) != rank:
        return counters.Nothing("another rank of the node reads them")
    return counters.opened(cxi=request.cxi or counters.CXI, patterns=request.counters)


def _tell(here: Context) -> None:
    """Say where we are and what is read, and keep it."""
    hosts = len({one.host for one in here.seats})
    names = ", ".join(filter(None, here.tools.modes.names)) or "what the machine does"
    job = allocation.job() or "no job"
    here.say(f"{len(here.seats)} ranks on {hosts} hosts ({job}); modes: {names}.")
    if hosts == 1:
        here.say("All ranks are on one host: the network is not measured.")
    mine = here.tools.counters
    why = mine.why if isinstance(mine, counters.Nothing) else ""
    if here.seat.rank == 0:
        here.record["counters"] = {"of": mine.series, "read": len(mine.names), "why_not": why}
        here.say(f"No counters: {why}." if why
                 else f"Counters: {len(mine.names)} of {mine.series} on every node.")  # fmt: skip
        here.write_record()


def _watch_host(here: Context, when: str) -> None:
    if not here.request.host_s:
        return
    here.comm.Barrier()
    found = here.comm.gather(host.watch(here.request.host_s), root=0)
    if found is None:
        return
    pairs = zip(here.seats, found, strict=True)
    here.write(f"host-{when}", itertools.chain.from_iterable(_detours(*one) for one in pairs))
    watched = sum(one.watched_ns for one in found)
    share = sum(int(one.lengths_ns.sum()) for one in found) / watched
    count = sum(len(one.lengths_ns) for one in found)
    here.say(f"Hosts {when}: {count} detours, {share:.3%} of the time.")


def _detours(seat: allocation.Seat, found: host.Detours) -> Iterable[Row]:
    common: dict[str, Any] = {"series": "host", "unit": "ns", "rank": seat.rank, "place": seat.host}
    detours = zip(found.begins_ns.tolist(), found.lengths_ns.tolist(), strict=True)
    for at, (begin, length) in enumerate(detours):
        yield Row(**common, quantity="detour", iteration=at, time_ns=float(begin),
                  value=float(length))  # fmt: skip
    yield Row(**common, quantity="watched", statistic="given", value=float(found.watched_ns))
    yield Row(**common, quantity="quantum", statistic="min", value=float(found.quantum_ns))


def _benchmark(here: Context, benchmark: Benchmark) -> None:
    parts = list[Iterable[Row]]()
    has_sizes = benchmark.sizes != (0,)
    for size in here.request.sizes if here.request.sizes and has_sizes else benchmark.sizes:
        step = benchmark.ready(here.comm, size)
        times = repeated(lambda _, step=step: step(), here.tools,  # type: ignore[misc]
                         here.rounds, pause_s=here.request.pause_s)  # fmt: skip
        whole = kept(here.comm, times, len(here.tools.modes.names))
        late = int((~whole).sum())
        left_out = f", {late} left out because a rank missed the start" if late else ""
        here.say(f"{benchmark.name}{f' {size} B' if size else ''}: {len(whole) - late} "
                 f"iterations{left_out}.")  # fmt: skip
        series = Series(name=benchmark.name, unit="ns", bytes=size or None, first=here.iteration,
                        quantity="comm_time" if benchmark.ends is None else "latency")  # fmt: skip
        if benchmark.ends is None:
            values = times.nanoseconds.astype(np.float64)
            parts.append(here.rows_of_ranks(here.comm, values, series, times, whole))
        else:
            between = benchmark.ends(len(here.seats))
            parts.append(rows_of_times(_halved(here, times, between, whole), series,
                                       here.conditions(series)))  # fmt: skip
        parts += here.comm.gather(here.counted(times, series), root=0) or ()
        here.iteration += len(whole)
    if here.seat.rank == 0:
        here.write(benchmark.name, itertools.chain.from_iterable(parts))


def _halved(
    here: Context, times: Times, ends: tuple[int, int], whole: np.typing.NDArray[np.bool_]
) -> Table:
    """Half the round trip as the first rank of a pair saw it."""
    place = " ".join(dict.fromkeys(here.seats[end].host for end in ends))
    return Table(times.nanoseconds[None, :] / 2.0, [None], [place], times.begins_ns, whole)


def _numbered(names: Iterable[str]) -> list[int]:
    """Numbers from 0 in the order in which names appear.

    Examples
    --------
    >>> _numbered(["b", "b", "a"])
    [0, 0, 1]
    """
    known = dict[str, int]()
    return [known.setdefault(name, len(known)) for name in names]
