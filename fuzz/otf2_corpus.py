"""An OTF2 trace with records of every kind that the reader knows, by the writer of the tests."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "tests"))

from otf2_traces import COLLECTIVES, Trace


def write(folder: Path) -> None:
    """Write the trace into a folder that is there."""
    with Trace(folder / "trace", 3) as trace:
        half = trace.communicator("half", (0, 2))
        everybody = trace.group("everybody", (0, 1, 2))
        for number, rank in enumerate(trace.ranks):
            left, right = (number - 1) % 3, (number + 1) % 3
            rank.call("MPI_Init")
            rank.call("MPI_Isend", rank.isend(right, 64, 1, tag=2))
            rank.call("MPI_Irecv", rank.irecv(2))
            rank.call("MPI_Waitall", rank.sent(1), rank.received(left, 64, 2, tag=2))
            rank.call("MPI_Sendrecv", rank.send(right, 8), rank.recv(left, 8))
            for name in COLLECTIVES:
                rank.collective(name, sent=24, received=24, root=0)
            if number != 1:
                rank.collective("MPI_Allreduce", sent=16, received=16, comm=half)
            rank.call("MPI_Ibarrier", rank.begun(3))
            rank.call("MPI_Wait", rank.ended("MPI_Barrier", 3))
            rank.call("MPI_Win_create", rank.met())
            rank.call("MPI_Win_fence", rank.met())
            rank.call("MPI_Put", rank.put(right, 100, 4))
            rank.call("MPI_Get", rank.get(left, 100, 5))
            rank.call("MPI_Win_flush_all", rank.complete(4), rank.complete(5))
            rank.call("MPI_Accumulate", rank.atomic(right, "ACCUMULATE", 8, 0, 6))
            rank.call("MPI_Fetch_and_op", rank.atomic(right, "FETCH_AND_ADD", 8, 8, 7))
            rank.call("MPI_Win_unlock", rank.complete(6), rank.complete(7))
            rank.call("MPI_Win_post", rank.with_group(everybody))
            rank.call("MPI_Win_start", rank.with_group(everybody))
            rank.call("MPI_Win_complete", rank.with_group(everybody))
            rank.call("MPI_Win_wait", rank.with_group(everybody))
            rank.call("MPI_Win_fence", rank.met())
            rank.fork()
            rank.join()
            rank.call("MPI_Finalize")
