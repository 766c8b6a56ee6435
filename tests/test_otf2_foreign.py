"""Traces that are large, cut, or come from writers with habits of their own."""

from __future__ import annotations

import subprocess
import sys

import pytest

from odonata.errors import TraceError
from odonata.traces import Operation, read

pytest.importorskip("otf2", reason="needs the optional package otf2")
from otf2.enums import GroupType, Paradigm

from otf2_traces import Trace, ping_pong

SMALLEST_CHUNK = 256 * 1024


def test_a_file_cut_in_a_later_chunk_does_not_loop(tmp_path):
    """The library then reads what its buffer still holds of the chunk before, over and over."""
    folder = tmp_path / "trace"
    with Trace(folder, 1, chunk_size_events=SMALLEST_CHUNK) as trace:
        for _ in range(9_500):
            trace.ranks[0].collective("MPI_Barrier")
    file = folder / "traces" / "0.evt"
    content = file.read_bytes()
    assert SMALLEST_CHUNK < len(content) < 2 * SMALLEST_CHUNK
    for cut in (2, 3, 7, 13, 20):
        file.write_bytes(content[:-cut])
        with pytest.raises(TraceError, match=r"traces/0\.evt \(MPI Rank 0.*truncated or damaged"):
            read(folder)


def test_what_stands_behind_the_mark_of_the_end_is_left_alone(tmp_path):
    """SST/macro ends its files with a line end; a chunk may be filled up."""
    whole = read(ping_pong(tmp_path / "trace"))
    file = tmp_path / "trace" / "traces" / "0.evt"
    content = file.read_bytes()
    for more in (b"\n", bytes(9)):
        file.write_bytes(content + more)
        again = read(tmp_path / "trace").columns
        assert all((again[name] == whole.columns[name]).all() for name in again)


def write_threads(folder, *, name="step", announced=None, is_mpi=False):
    """What a recorder without MPI writes: regions of the program."""
    with Trace(folder, 2, is_mpi=is_mpi) as trace:
        for rank in trace.ranks:
            for _ in range(44):
                rank.call(name)
        if announced is not None:
            trace.announce(0, announced)
    return folder


def test_a_trace_without_mpi_is_told_so_whatever_it_announces(tmp_path):
    for number, announced in enumerate((None, 15)):
        folder = write_threads(tmp_path / f"t{number}", announced=announced)
        with pytest.raises(TraceError, match=r"it holds no MPI .* nothing to replay") as error:
            read(folder)
        assert "damaged" not in str(error.value)


def test_mpi_without_a_list_of_ranks_is_told_so(tmp_path):
    with pytest.raises(TraceError, match="calls of MPI, but not which location is which rank"):
        read(write_threads(tmp_path / "trace", name="MPI_Barrier"))


def test_more_records_than_announced_are_read_with_a_note(tmp_path):
    whole = read(ping_pong(tmp_path / "whole"))
    with Trace(tmp_path / "trace", 2) as trace:
        trace.announce(1, 3)
        trace.ranks[0].call("MPI_Send", trace.ranks[0].send(1, 8))
        trace.ranks[1].call("MPI_Recv", trace.ranks[1].recv(0, 8))
        trace.ranks[1].call("MPI_Send", trace.ranks[1].send(0, 8))
        trace.ranks[0].call("MPI_Recv", trace.ranks[0].recv(1, 8))
        trace.announce(1, 3)
    found = read(tmp_path / "trace")
    assert (found.info()["messages"], found.check()) == (2, [])
    assert any("1 locations with more records than announced" in note for note in found.notes)
    assert not any("announced" in note for note in whole.notes)


def test_fewer_records_than_announced_are_a_damage(tmp_path):
    with Trace(tmp_path / "trace", 1) as trace:
        trace.ranks[0].collective("MPI_Barrier")
        trace.announce(0, 5)
    with pytest.raises(TraceError, match=r"has 4 of its 5 records.*truncated or damaged"):
        read(tmp_path / "trace")


def test_a_folder_named_like_an_anchor_file_is_a_folder(tmp_path):
    (tmp_path / "traces.otf2").mkdir()
    for path in (tmp_path, tmp_path / "traces.otf2"):
        with pytest.raises(TraceError, match="this is a folder, and it holds no anchor file"):
            read(path)


def test_a_missing_file_of_definitions_is_named(tmp_path):
    folder = ping_pong(tmp_path / "trace")
    (folder / "traces.def").unlink()
    with pytest.raises(TraceError, match=r"its file of definitions traces\.def is missing"):
        read(folder)


def test_a_missing_file_of_a_rank_is_named(tmp_path):
    folder = ping_pong(tmp_path / "trace")
    (folder / "traces" / "1.evt").unlink()
    with pytest.raises(TraceError, match=r"traces/1\.evt \(MPI Rank 1.*does not exist"):
        read(folder)


LIMITED = """
import resource, sys
from pathlib import Path
from odonata.traces import Operation, read
import numpy, otf2
resource.setrlimit(resource.RLIMIT_NOFILE, (24, 24))
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
trace = read(Path(sys.argv[1]))
print(trace.rank_count, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


def test_locations_are_open_one_at_a_time(tmp_path):
    ranks = 64
    with Trace(tmp_path / "trace", ranks) as trace:
        for rank in trace.ranks:
            rank.collective("MPI_Barrier")
    command = [sys.executable, "-c", LIMITED, str(tmp_path / "trace")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    found, kilobytes = map(int, done.stdout.split())
    assert found == ranks
    # A chunk of 1 MiB per location at once would be 64,000.
    assert kilobytes < 30_000


def test_a_synchronous_send_stays_one(tmp_path):
    with Trace(tmp_path / "trace", 2) as trace:
        one, two = trace.ranks
        one.call("MPI_Ssend", one.send(1, 8))
        one.call("MPI_Issend", one.isend(1, 8, 1))
        one.call("MPI_Wait", one.sent(1))
        two.call("MPI_Recv", two.recv(0, 8))
        two.call("MPI_Recv", two.recv(0, 8))
    found = read(tmp_path / "trace")
    assert found.info()["operations_by_kind"] == {"ssend": 1, "issend": 1, "wait": 1, "recv": 2}
    assert found.info()["messages"] == 2
    assert found.check() == []


IMPATIENT = """
import sys, threading
from pathlib import Path
from odonata.errors import TraceError
from odonata.traces import otf2_library, read
otf2_library._PATIENCE_S = 0.5
if "stuck" in sys.argv:
    otf2_library.load().Reader_Open = lambda *_: threading.Event().wait()
try:
    read(Path(sys.argv[1]))
except TraceError as error:
    print(error)
"""


def test_a_library_that_does_not_come_back_is_left_behind(tmp_path):
    """Damaged files make such calls, but which ones do depends on the memory of the machine."""
    folder = ping_pong(tmp_path / "trace")
    command = [sys.executable, "-c", IMPATIENT, str(folder), "stuck"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    wanted = "the anchor file cannot be read (the OTF2 library does not return within 0.5 s)"
    assert wanted in done.stdout


def test_an_anchor_file_of_four_billion_properties_is_refused(tmp_path):
    """The library finds no memory for them, or looks for each of them."""
    folder = ping_pong(tmp_path / "trace")
    anchor = folder / "traces.otf2"
    content = bytearray(anchor.read_bytes())
    content[45:49] = b"\xff\xff\xff\xff"
    anchor.write_bytes(content)
    command = [sys.executable, "-c", IMPATIENT, str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert "the anchor file cannot be read" in done.stdout


def test_a_converter_may_put_all_ranks_in_one_process_and_sizes_at_roots(tmp_path):
    """So does the one of SST from DUMPI: a group without members stands for MPI_COMM_SELF, too."""
    with Trace(tmp_path / "trace", 1, is_mpi=False) as trace:
        trace.ranks += [trace.thread(0, f"Thread {number}") for number in (1, 2)]
        trace.locations = [rank.location for rank in trace.ranks]
        kinds = {"paradigm": Paradigm.MPI, "members": tuple(trace.locations)}
        trace.definitions.group("", group_type=GroupType.COMM_LOCATIONS, **kinds)
        trace.world = trace.communicator("MPI_COMM_WORLD", range(3))
        alone = trace.communicator("MPI_COMM_SELF", ())
        for me, rank in enumerate(trace.ranks):
            rank.collective("MPI_Bcast", *((4096, 4096) if me == 1 else (0, 0)), root=1)
            rank.collective("MPI_Allreduce", 8, 8, comm=alone)
    data = read(tmp_path / "trace")
    is_bcast = data.columns["op"] == Operation.BCAST
    assert data.columns["bytes"][is_bcast].tolist() == [4096] * 3
    assert any("3 collectives of a single rank" in note for note in data.notes)
    assert data.unsupported == {}
    assert data.check() == []


def test_handles_of_communicators_are_no_omissions_of_their_calls(tmp_path):
    """Score-P 8 and later records a collective in `MPI_Init`, `MPI_Comm_free` and others."""
    with Trace(tmp_path / "trace", 2) as trace:
        for rank in trace.ranks:
            rank.call("MPI_Init", rank.handle("CREATE"))
            rank.call("MPI_Comm_dup", rank.handle("CREATE"))
            rank.call("MPI_Comm_idup", rank.begun(7))
            rank.call("MPI_Wait", rank.ended("MPI_Handle", 7))
            rank.call("MPI_Comm_free", rank.handle("DESTROY"))
            rank.call("MPI_Finalize", rank.handle("DESTROY"))
    data = read(tmp_path / "trace")
    assert data.unsupported == {}
    assert any("ranks in MPI_Comm_dup (2), MPI_Comm_idup (2) costs nothing" in note
               for note in data.notes)  # fmt: skip
    assert any("MPI_Comm_free (2), MPI_Finalize (2), MPI_Init (2)" in note for note in data.notes)


@pytest.mark.parametrize("ending", ["_c", "_f08", "_f08ts", "_", "__", "()"])
def test_other_forms_of_a_call_are_the_same_call(tmp_path, ending):
    """Large counts of MPI 4, the languages, and what recorders add."""
    with Trace(tmp_path / "trace", 2) as trace:
        one, two = trace.ranks
        one.call(f"MPI_Ssend{ending}", one.send(1, 64))
        two.call(f"MPI_Recv{ending}", two.recv(0, 64))
    data = read(tmp_path / "trace")
    assert Operation.SSEND in data.columns["op"]
    assert data.unsupported == {}
