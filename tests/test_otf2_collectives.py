"""Sizes of collectives as Score-P records them, in place and not, and as EZTrace does."""

from __future__ import annotations

import pytest

import odonata
from odonata.traces import Operation, read, store
from odonata.traces.collectives import EZTRACE, SCOREP, Recorded, estimate_matrix

otf2 = pytest.importorskip("otf2", reason="needs the optional package otf2")
from otf2_traces import COLLECTIVES, Trace  # noqa: E402 - needs otf2

ROOT = 1
EQUAL = ["MPI_Allreduce", "MPI_Alltoall", "MPI_Allgather", "MPI_Reduce_scatter_block"]
ROOTED = ["MPI_Bcast", "MPI_Reduce", "MPI_Gather", "MPI_Gatherv", "MPI_Scatter", "MPI_Scatterv"]


def score_p(name, rank, blocks, *, in_place=False):
    """What Score-P writes (SCOREP_Mpi_Coll, version 2.0 to 9): bytes sent and received.

    ``blocks`` has the block of every rank; where all have the same size it is that of the call.
    """
    size, own, total = len(blocks), blocks[rank], sum(blocks)
    is_root = rank == ROOT
    at_root = in_place and is_root  # in rooted ones only the root can be in place
    part = 0 if at_root else own
    of_all = is_root * (total - at_root * own)
    partners = size - in_place
    others = total - in_place * own
    return {
        "MPI_Barrier": (0, 0),
        "MPI_Bcast": (is_root * size * own, own),
        "MPI_Reduce": (part, is_root * (size - at_root) * own),
        "MPI_Gather": (part, of_all),
        "MPI_Gatherv": (part, of_all),
        "MPI_Scatter": (of_all, part),
        "MPI_Scatterv": (of_all, part),
        "MPI_Allreduce": (partners * own, partners * own),
        "MPI_Alltoall": (partners * own, partners * own),
        "MPI_Allgather": (partners * own, partners * own),
        "MPI_Reduce_scatter_block": (partners * own, partners * own),
        "MPI_Allgatherv": (partners * own, others),
        "MPI_Reduce_scatter": (others, partners * own),
        "MPI_Scan": ((partners - rank) * own, (rank + 1 - in_place) * own),
        "MPI_Exscan": ((size - rank - 1) * own, rank * own),
        "MPI_Alltoallv": (others, others),
        "MPI_Alltoallw": (others, others),
    }[name]


def record(folder, name, blocks, *, in_place=False):
    """A trace of one call of a collective by all ranks."""
    with Trace(folder, len(blocks)) as trace:
        for rank, writer in enumerate(trace.ranks):
            sent, received = score_p(name, rank, blocks, in_place=in_place)
            root = ROOT if name in ROOTED else 0xFFFFFFFF
            writer.collective(name, sent, received, root=root)
    return folder


def sizes(trace):
    """The ``bytes`` entry of every rank, and its list."""
    c = trace.columns
    begins = c["aux_begin"].astype(int)
    lists = [
        c["aux"][begin : begin + int(count)].tolist()
        for begin, count in zip(begins, c["aux_count"], strict=True)
    ]
    return c["bytes"].tolist(), lists


def whole(name, blocks):
    """The ``bytes`` entry that is right, by rank; see docs/traces.md."""
    if name.startswith(("MPI_Reduce_scatter", "MPI_Alltoallv", "MPI_Alltoallw")):
        return [sum(blocks)] * len(blocks)
    return list(blocks)


@pytest.mark.parametrize("in_place", [False, True])
@pytest.mark.parametrize("size", [2, 3, 4, 8])
@pytest.mark.parametrize("name", [n for n in COLLECTIVES if not n.startswith("MPI_Alltoall")])
def test_every_collective_has_its_size(tmp_path, name, size, in_place):
    block = 1000 * size + 1  # of the two divisors only the right one fits
    blocks = [0 if name == "MPI_Barrier" else block] * size
    trace = read(record(tmp_path / "trace", name, blocks, in_place=in_place))
    assert trace.check() == []
    assert trace.unsupported == {}
    got, lists = sizes(trace)
    wanted = whole(name, blocks)
    if name in {"MPI_Gatherv", "MPI_Scatterv"} and in_place:
        wanted[ROOT] = 0  # its own part, which does not leave the rank
    assert got == wanted
    assert lists == [[]] * size
    told = any("read as in place" in note for note in trace.notes)
    even = {*EQUAL, "MPI_Allgatherv", "MPI_Reduce_scatter"}
    assert told == (in_place and name in even)


@pytest.mark.parametrize("in_place", [False, True])
@pytest.mark.parametrize("name", ["MPI_Gatherv", "MPI_Scatterv", "MPI_Allgatherv"])
def test_uneven_blocks_are_those_of_each_rank(tmp_path, name, in_place):
    blocks = [300, 20, 0, 7]
    trace = read(record(tmp_path / "trace", name, blocks, in_place=in_place))
    if in_place and name != "MPI_Allgatherv":
        blocks[ROOT] = 0
    assert sizes(trace)[0] == blocks
    assert not any("MPI_IN_PLACE" in note for note in trace.notes)


@pytest.mark.parametrize("in_place", [False, True])
@pytest.mark.parametrize("blocks", [[300, 20, 0, 8], [1, 2], [8] * 7 + [16]])
def test_uneven_reduce_scatter_has_its_blocks(tmp_path, blocks, in_place):
    trace = read(record(tmp_path / "t", "MPI_Reduce_scatter", blocks, in_place=in_place))
    assert sizes(trace) == ([sum(blocks)] * len(blocks), [blocks] * len(blocks))
    assert trace.check() == []


@pytest.mark.parametrize("name", EQUAL)
@pytest.mark.parametrize(("size", "percent"), [(2, 50), (4, 25), (8, 12.5)])
def test_what_only_divisibility_could_tell_is_noted(tmp_path, name, size, percent):
    block = 8 * size  # in place: (size - 1) * 8 * size, which fits both ways
    for in_place in (False, True):
        folder = record(tmp_path / f"t{in_place}", name, [block] * size, in_place=in_place)
        trace = read(folder)
        noted = [n for n in trace.notes if f"{percent:g} % too small if it was used" in n]
        fits_both = in_place or block % (size - 1) == 0
        assert bool(noted) == fits_both, trace.notes
        each = sizes(trace)[0][0] // (size if "scatter" in name else 1)
        assert each == (block * (size - 1) // size if in_place else block)


def test_alltoallv_keeps_the_sums_in_place_and_not(tmp_path):
    for in_place in (False, True):
        folder = record(tmp_path / f"t{in_place}", "MPI_Alltoallv", [30, 60, 90], in_place=in_place)
        sent, lists = sizes(read(folder))
        assert [sum(part) for part in lists] == sent
        assert sent == [180 - in_place * b for b in (30, 60, 90)]


@pytest.mark.parametrize("in_place", [False, True])
def test_all_collectives_of_a_trace_run_to_the_end(tmp_path, in_place):
    size = 8
    with Trace(tmp_path / "trace", size) as trace:
        for rank, writer in enumerate(trace.ranks):
            for name in COLLECTIVES:
                uneven = name.endswith("v") or name == "MPI_Reduce_scatter"
                blocks = [100 * r if uneven else 1000 for r in range(size)]
                root = ROOT if name in ROOTED else 0xFFFFFFFF
                sums = score_p(name, rank, blocks, in_place=in_place)
                writer.collective(name, *sums, root=root)
    store.save(read(tmp_path / "trace"), tmp_path / "t.npz")
    (tmp_path / "s.toml").write_text(
        'name = "all"\nsystem.preset = "dragonfly(2, 4, 2, 9)"\nrouting.algorithm = "minimal"\n'
        'jobs = [{ workload = { kind = "trace", path = "t.npz" } }]\n'
    )
    result = odonata.run(tmp_path / "s.toml", baseline=False)
    assert (result.stop, result.summary["jobs"][0]["ranks_finished"]) == ("finished", size)


def test_sizes_that_differ_among_ranks_are_a_problem(tmp_path):
    with Trace(tmp_path / "trace", 3) as trace:
        for rank, writer in enumerate(trace.ranks):
            writer.collective("MPI_Barrier")
            total = 3 * (40 if rank == 2 else 80)
            writer.collective("MPI_Allreduce", total, total)
    assert read(tmp_path / "trace").check() == [
        "collective 1 on communicator 0 is allreduce of 80 bytes on rank 0 but allreduce of 40 "
        "bytes on rank 2"
    ]


@pytest.mark.parametrize(
    ("name", "sent", "received", "wanted"),
    [
        ("bcast", [80, 80, 80], [80, 80, 80], [80, 80, 80]),
        ("reduce", [80, 80, 80], [80, 80, 80], [80, 80, 80]),
        ("allreduce", [80, 80, 80], [80, 80, 80], [80, 80, 80]),
        ("allgather", [1, 1, 1], [80, 80, 80], [80, 80, 80]),  # in place: the count to send is free
        ("alltoall", [1, 1, 1], [80, 80, 80], [80, 80, 80]),
        ("gather", [80, 5, 80], [7, 80, 7], [80, 80, 80]),
        ("scatter", [7, 80, 7], [80, 5, 80], [80, 80, 80]),
        ("gatherv", [30, 20, 10], [60, 60, 60], [30, 20, 10]),
        ("allgatherv", [30, 20, 10], [60, 60, 60], [30, 20, 10]),
        ("reduce_scatter", [60, 60, 60], [60, 60, 60], [60, 60, 60]),
    ],
)
def test_eztrace_records_the_arguments_of_the_call(name, sent, received, wanted):
    assert EZTRACE[name](Recorded(name, ROOT, sent, received)).each == wanted


@pytest.mark.parametrize("name", ["allgatherv", "reduce_scatter", "scan", "allreduce"])
def test_sums_that_fit_nothing_are_noted(name):
    found = SCOREP[name](Recorded(name, ROOT, [10, 11, 13], [7, 5, 3]))
    assert "match no size" in found.doubt


def test_estimated_matrix_without_known_receivers_is_even():
    assert estimate_matrix([9, 0, 3], [0, 0, 0]).tolist() == [[3, 3, 3], [0, 0, 0], [1, 1, 1]]


def test_codes_are_those_of_the_library():
    from odonata.traces.collectives import COLLECTIVE_CODES  # noqa: PLC0415

    names = {code: kind.name.upper() for code, kind in COLLECTIVE_CODES.items()}
    assert names == {getattr(otf2.CollectiveOp, n).value: n for n in names.values()}
    assert {kind.operation for kind in COLLECTIVE_CODES.values()} <= set(Operation)
