"""GPCNeT in a session: who is a victim, who a congestor, and when they begin and end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, cast

import numpy as np

from odonata.measured.measure import gpcnet
from odonata.measured.measure.context import Context
from odonata.measured.measure.files import Row
from odonata.measured.measure.repeat import AtOnce, Series, repeated

if TYPE_CHECKING:
    from mpi4py import MPI


def isolated(here: Context) -> None:
    """All tests of network_test, on all ranks, slice by slice at once."""
    rank = here.seat.rank
    place = here.nodes[:rank].count(here.nodes[rank])
    comm = _split(here, place)
    _gathered(here, gpcnet.ISOLATED,
              _victims(here, comm, gpcnet.VICTIMS + gpcnet.MORE, "isolated"))  # fmt: skip


def load(here: Context) -> None:
    """Victims alone, every congestor once alone, then victims while congestors go on."""
    everyone = gpcnet.roles(here.nodes, here.request.congestors, here.request.seed)
    mine = everyone[here.seat.rank]
    here.record["gpcnet"] = {
        "victims": [rank for rank, one in enumerate(everyone) if one.congestor is None],
        "congestors": {kind: [rank for rank, one in enumerate(everyone) if one.congestor == kind]
                       for kind in here.request.congestors},
    }  # fmt: skip
    colours = sorted({(one.congestor or "", one.slice) for one in everyone})
    comm = _split(here, colours.index((mine.congestor or "", mine.slice)))
    if mine.congestor is None:
        passes, rows = None, _victim(here, comm, everyone)
    else:
        passes, rows = _congestor(here, comm, mine.congestor), []
    first = next(rank for rank, one in enumerate(everyone) if one.congestor is None)
    here.iteration = here.comm.bcast(here.iteration, root=first)
    found = here.comm.gather(passes, root=0)
    if found is not None:
        fewest = min(one for one in found if one is not None)
        here.record["gpcnet"]["passes_of_congestors"] = fewest
        here.say(f"gpcnet: {len(here.record['gpcnet']['victims'])} ranks were victims; "
                 f"congestors made {fewest} passes or more meanwhile.")  # fmt: skip
    _gathered(here, gpcnet.LOAD, rows)


def _split(here: Context, colour: int) -> MPI.Intracomm:
    """The ranks of one colour, in their order."""
    return cast("MPI.Intracomm", here.comm.Split(colour, here.seat.rank))


def _victim(here: Context, comm: MPI.Intracomm, everyone: Sequence[gpcnet.Role]) -> list[Row]:
    ranks = [rank for rank, one in enumerate(everyone) if one.congestor is None]
    victims = here.comm.Create_group(here.comm.Get_group().Incl(ranks))
    rows = _victims(here, comm, gpcnet.VICTIMS, "isolated")
    here.comm.Barrier()  # congestors run once alone
    here.comm.Barrier()
    rows += _victims(here, comm, gpcnet.VICTIMS, "congested")
    victims.Barrier()
    if victims.Get_rank() == 0:
        gpcnet.stop(here.comm, everyone)
    return rows


def _congestor(here: Context, comm: MPI.Intracomm, kind: str) -> int:
    here.comm.Barrier()
    congestor = gpcnet.Congestor(comm, kind)
    congestor.one_pass()
    here.comm.Barrier()
    passes = congestor.until(lambda: gpcnet.told_to_stop(here.comm))
    congestor.close()
    return passes


def _victims(
    here: Context, comm: MPI.Intracomm, tests: Sequence[gpcnet.Victim], condition: str
) -> list[Row]:
    """Tests on one slice; rows of its times on its first rank, of counters where they are read.

    Where modes take turns, they are the condition, and the series says the rest.
    """
    by_turns = len(here.tools.modes.names) > 1
    tools = replace(here.tools, start=AtOnce())
    found = list[Row]()
    for test in tests:
        step, close = test.ready(comm, np.random.default_rng(here.request.seed))
        comm.Barrier()
        times = repeated(step, tools, here.rounds, pause_s=here.request.pause_s)
        close()
        values = np.array([test.value(int(one)) for one in times.nanoseconds])
        series = Series(
            name=f"{test.name}, {condition}" if by_turns else test.name, quantity=test.quantity,
            unit="B/s" if test.quantity == "bandwidth" else "ns", bytes=test.bytes,
            first=here.iteration, condition=None if by_turns else condition,
        )  # fmt: skip
        whole = np.ones(len(values), dtype=np.bool_)
        found += here.rows_of_ranks(comm, values, series, times, whole)
        found += here.counted(times, series)
        here.iteration += len(values)
        here.say(f"{test.name}, {condition}: {len(values)} iterations.")
    return found


def _gathered(here: Context, name: str, rows: list[Row]) -> None:
    """Rows of all slices into one file."""
    found = here.comm.gather(rows, root=0)
    if found is not None:
        here.write(name, (row for one in found for row in one))
