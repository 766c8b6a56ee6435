"""DUMPI, liballprof and SimGrid traces: what is read equals a second, naive count."""

from __future__ import annotations

import re
import struct
import sys
import tarfile
from collections import Counter

import numpy as np
import pytest

from odonata.errors import TraceError
from odonata.traces import Operation, read


@pytest.fixture(scope="module")
def corpus(repository):
    sys.path.insert(0, str(repository / "fuzz"))
    import trace_corpus  # noqa: PLC0415 - beside the package

    return trace_corpus


@pytest.fixture(scope="module")
def recorded(shared):
    return shared / "data" / "traces"


def rows(trace, rank, *names):
    """Columns of one rank's operations."""
    first, last = trace.columns["rank_offsets"][rank : rank + 2].astype(int)
    return list(zip(*(trace.columns[name][first:last].tolist() for name in names), strict=True))


# DUMPI


def ascii_calls(text):
    """Calls of the ascii form of a file: name, fields, begin and end in ns."""
    calls = []
    for line in text.splitlines():
        if found := re.match(r"MPI_(\w+) (entering|returning) at walltime (\d+)\.(\d+)", line):
            name, moment, seconds, fraction = found.groups()
            time = int(seconds) * 10**9 + int(fraction)
            if moment == "entering":
                calls.append([name, {}, time, 0])
            else:
                calls[-1][3] = time
        elif calls and (found := re.match(r"\S+ (\w+)=\[?(-?\d+)", line)):
            calls[-1][1][found[1]] = int(found[2])
    return calls


def test_dumpi_equals_its_ascii_form(recorded):
    folder = recorded / "dumpi" / "testtrace_4"
    trace = read(folder)
    expected, last = [], None
    names = {"Isend": 3, "Recv": 2, "Wait": 5, "Barrier": 7, "Allreduce": 10}
    for name, fields, begin, end in ascii_calls((folder / "testtrace-0000.txt").read_text()):
        if last is not None and begin > last:
            if expected and expected[-1][0] == 0:
                expected[-1] = (0, 0, 0, 0, expected[-1][4] + 1000 * (begin - last))
            else:
                expected.append((0, 0, 0, 0, 1000 * (begin - last)))
        last = end
        if name in names:
            peer = fields.get("dest", fields.get("source", 0)) if name in {"Isend", "Recv"} else 0
            size = 4 * fields.get("count", 0)
            expected.append((names[name], peer, size, fields.get("tag", 0), 0))
    assert rows(trace, 0, "op", "peer", "bytes", "tag", "duration_ps") == expected
    assert trace.check() == []
    assert trace.rank_count == 4
    assert trace.unsupported == {}
    assert read(folder / "testtrace.meta").info() == trace.info()
    assert read(folder / "testtrace-0002.bin").info() == trace.info()


def naive_dumpi(data):
    """Names of the calls of a file and bytes of its sends, for the few calls of `testbgp_7`."""
    names = {124: "Init", 81: "Comm_size", 82: "Comm_rank", 72: "Comm_group", 76: "Group_incl",
             85: "Comm_create", 52: "Barrier", 8: "Isend", 12: "Irecv", 18: "Waitall",
             60: "Alltoall", 125: "Finalize"}  # fmt: skip
    fixed = {"Comm_size": 6, "Comm_rank": 6, "Comm_group": 4, "Comm_create": 6, "Barrier": 2,
             "Isend": 20, "Irecv": 20, "Alltoall": 14, "Finalize": 0}  # fmt: skip
    sizes, at, calls, sent = {14: 8}, 16, Counter(), 0

    def word(place):
        return struct.unpack_from(">i", data, place)[0]

    while (number := struct.unpack_from(">H", data, at)[0]) != 293:
        name = names[number]
        calls[name] += 1
        at += 3 + 2 + 24  # number, mask and thread; two clocks
        if name == "Isend":
            sent += word(at) * sizes[struct.unpack_from(">H", data, at + 4)[0]]
        if name == "Init":
            count, at = word(at), at + 4
            for _ in range(count):
                at += 4 + word(at)
        elif name == "Group_incl":
            at += 6 + 4 + 4 * word(at + 6) + 2
        elif name == "Waitall":
            at += 4 + 4 + 4 * word(at + 4)
            at += 4 + 14 * word(at)
        else:
            at += fixed[name]
    return calls, sent


def test_dumpi_of_blue_gene_equals_a_naive_count(recorded):
    folder = recorded / "dumpi" / "testbgp_7"
    trace = read(folder)
    calls, sent = Counter(), 0
    for file in folder.glob("*.bin"):
        of_rank, bytes_of_rank = naive_dumpi(file.read_bytes())
        calls += of_rank
        sent += bytes_of_rank
    info = trace.info()
    kinds = info["operations_by_kind"]
    for name in ("Isend", "Irecv", "Waitall", "Barrier", "Alltoall"):
        assert kinds[name.lower()] == calls[name], name
    assert info["message_bytes"] == sent
    assert info["communicators"] == [7, 7]
    assert trace.unsupported == trace.places == {}
    assert any("MPI_Comm_create (7) costs nothing" in note for note in trace.notes)
    assert trace.check() == []


def test_one_sided_calls_of_dumpi(corpus, tmp_path):
    trace = read(corpus.write_dumpi(tmp_path))
    kept = {Operation.PUT, Operation.GET, Operation.FLUSH, Operation.FENCE}
    found = [row for row in rows(trace, 0, "op", "peer", "bytes") if row[0] in kept]
    fence, flush = (Operation.FENCE, 0, 0), [(Operation.FLUSH, peer, 0) for peer in range(3)]
    assert found == [
        fence, (Operation.PUT, 1, 8), (Operation.GET, 2, 12), fence,
        (Operation.PUT, 1, 20), flush[1], (Operation.PUT, 1, 28), *flush,
    ]  # fmt: skip
    # Posts and starts, completions and waits: empty messages on a communicator of their own.
    beside = [row for row in rows(trace, 1, "op", "peer", "tag", "comm") if row[3] == 2]
    assert beside == [
        (op, peer, tag, 2)
        for op, tag in (
            (Operation.SEND, 0), (Operation.RECV, 0), (Operation.SEND, 1), (Operation.RECV, 1),
        )
        for peer in range(3)
    ]  # fmt: skip


def test_every_kind_of_dumpi_record(corpus, tmp_path):
    trace = read(corpus.write_dumpi(tmp_path))
    assert trace.check() == []
    assert trace.unsupported == {"MPI_Put": 3}
    assert trace.info()["communicators"] == [3, 2, 3]
    found = rows(trace, 0, "op", "peer", "bytes", "tag")
    assert (Operation.IRECV, 2, 32, 7) in found
    assert (Operation.IRECV, 2, 4, 8) in found  # from anybody, settled by its status
    assert [row for row in found if row[0] == Operation.ISEND] == [
        (Operation.ISEND, 1, 32, 7), (Operation.ISEND, 1, 8, 9), (Operation.ISEND, 1, 12, 1),
    ]  # fmt: skip
    assert (Operation.BCAST, 1, 80, 0) in found  # a datatype of five doubles
    c = trace.columns
    at = int(np.flatnonzero(c["op"] == Operation.ALLTOALLV)[2])
    sizes = c["aux"][int(c["aux_begin"][at]) :][: int(c["aux_count"][at])]
    assert sizes.tolist() == [12, 12, 12, 4, 8, 12]
    # Members by key: rank 2 before rank 0.
    assert c["comm_members"].tolist() == [0, 1, 2, 2, 0, 0, 1, 2]
    durations = [row[0] for row in rows(trace, 0, "duration_ps") if row[0]]
    assert set(durations) == {2_000_000, 4_000_000, 6_000_000}


@pytest.mark.parametrize("cut", [10, 60, 200, 1200])
def test_a_dumpi_file_that_is_cut_is_refused_with_its_name(corpus, tmp_path, cut):
    corpus.write_dumpi(tmp_path)
    file = tmp_path / "small-0001.bin"
    file.write_bytes(file.read_bytes()[:-cut])
    with pytest.raises(TraceError, match=r"small-0001\.bin: .*truncated or damaged"):
        read(tmp_path)


def test_a_missing_rank_is_named(corpus, tmp_path):
    corpus.write_dumpi(tmp_path)
    (tmp_path / "small-0001.bin").unlink()
    with pytest.raises(TraceError, match="the file of rank 1 is missing"):
        read(tmp_path)


# liballprof


def naive_allprof(lines):
    sent, calls = 0, Counter()
    for line in lines:
        words = line.split(":")
        name = words[0].removeprefix("MPI_")
        calls[name] += line.startswith("MPI_")
        if name in {"Send", "Isend"}:
            sent += int(words[3]) * int(words[4].split(",")[1])
    return calls, sent


def check_allprof(trace, texts):
    calls, sent = Counter(), 0
    for text in texts:
        of_rank, bytes_of_rank = naive_allprof(text.splitlines())
        calls += of_rank
        sent += bytes_of_rank
    info = trace.info()
    assert info["messages"] == calls["Send"] + calls["Isend"]
    assert info["message_bytes"] == sent
    for name in ("Recv", "Irecv", "Wait", "Barrier", "Bcast", "Allreduce"):
        assert info["operations_by_kind"].get(name.lower(), 0) == calls[name], name
    assert trace.unsupported == {}
    assert trace.check() == []


def test_sweep3d_equals_a_naive_count(recorded):
    folder = recorded / "pmpi" / "sweep3d-2x2"
    check_allprof(read(folder), [file.read_text() for file in folder.glob("*.txt")])


def test_milc_in_an_archive_equals_a_naive_count(recorded):
    archive = recorded / "pmpi" / "milc_4ranks_daint_2022.tar.xz"
    with tarfile.open(archive) as members:
        files = [members.extractfile(member) for member in members if member.isfile()]
        texts = [file.read().decode() for file in files]
    trace = read(archive)
    check_allprof(trace, texts)
    # 62 s, as the times of its lines say.
    assert 55e9 < trace.info()["compute_ns_max"] < 62e9


def test_every_kind_of_allprof_line(corpus, tmp_path):
    trace = read(corpus.write_allprof(tmp_path))
    assert trace.check() == []
    assert trace.unsupported == {"MPI_Win_fence": 3}
    assert trace.places["MPI_Win_fence"] == "line 17 of rank 0"
    assert trace.info()["communicators"] == [3, 2]
    found = rows(trace, 1, "op", "peer", "bytes", "tag")
    assert (Operation.IRECV, -1, 32, 8) in found
    assert (Operation.REDUCE, 1, 24, 0) in found
    durations = [row[0] for row in rows(trace, 1, "duration_ps") if row[0]]
    assert durations[0] == 9_500_000  # from 1,000,001 to 1,000,010.5 us


def test_a_broken_line_is_named(corpus, tmp_path):
    file = corpus.write_allprof(tmp_path)
    lines = file.read_text().splitlines()
    file.write_text("\n".join([*lines[:5], "MPI_Send:12:1:many:11,8,8:1:8:91,0,3:13"]))
    with pytest.raises(TraceError, match=r"rank-0.txt: line 6: `MPI_Send`: argument 2 is `many`"):
        read(tmp_path)


# SimGrid


def naive_simgrid(files):
    """Actions by name, and bytes of the sends; sizes count doubles after ``init 1``."""
    actions, sent = Counter(), 0
    for file in files:
        elements = {}
        for line in file.read_text().splitlines():
            match line.split():
                case [rank, "init", *words]:
                    elements[rank] = 8 if words else 1
                case [rank, "send" | "isend" as name, _, _, size]:
                    actions[name] += 1
                    sent += int(float(size)) * elements[rank]
                case [_, name, *_]:
                    actions[name] += 1
    return actions, sent


def simgrid_traces(folder):
    unit = sorted((folder / "replay_unit").glob("actions_*.txt"))
    pair = [folder / "replay_unit" / f"actions{rank}.txt" for rank in range(2)]
    many = sorted((folder / "ti_traces_32_1").iterdir())
    listed = (folder / "replay_unit" / "split_traces", pair)
    return [(pair[0], pair), listed, (folder / "ti_traces_32_1", many), *((f, [f]) for f in unit)]


def test_simgrid_traces_equal_a_naive_count(recorded):
    for path, files in simgrid_traces(recorded / "simgrid_ti"):
        trace = read(path)
        actions, sent = naive_simgrid(files)
        info = trace.info()
        kinds = info["operations_by_kind"]
        assert info["message_bytes"] == sent, path
        assert trace.check() == [], path
        assert trace.unsupported == {}, path
        for name in ("send", "recv", "isend", "irecv", "barrier", "bcast", "reduce", "allreduce",
                     "alltoall", "alltoallv", "allgatherv", "gather"):  # fmt: skip
            assert kinds.get(name, 0) == actions[name], (path, name)
        assert kinds.get("reduce_scatter", 0) == actions["reducescatter"]


def test_sizes_of_a_simgrid_action_follow_its_datatypes(corpus, tmp_path):
    trace = read(corpus.write_simgrid(tmp_path))
    assert trace.check() == []
    assert trace.unsupported == {"win_create": 3}
    assert trace.places == {"win_create": f"line 24 of {tmp_path / 'actions.txt'}"}
    found = rows(trace, 0, "op", "peer", "bytes")
    assert (Operation.ISEND, 1, 40) in found  # ten integers
    assert (Operation.IRECV, 2, 80) in found  # ten doubles, the default after `init 1`
    assert (Operation.BCAST, 1, 4) in found  # bytes
    assert (Operation.GATHER, 1, 24) in found


def test_a_line_that_is_no_action_is_named(tmp_path):
    file = tmp_path / "actions.txt"
    file.write_text("0 init\n0 send 1 0 many\n")
    with pytest.raises(TraceError, match=r"actions.txt: line 2: `send`: argument 3 is `many`"):
        read(file)


def test_a_rank_without_lines_is_named(tmp_path):
    file = tmp_path / "actions.txt"
    file.write_text("0 init\n3000000 init\n")
    with pytest.raises(TraceError, match="rank 1 has no line, but rank 3000000 has"):
        read(file)


def test_two_traces_in_a_folder_are_refused(corpus, tmp_path):
    corpus.write_simgrid(tmp_path)
    (tmp_path / "other.txt").write_text("0 init\n0 barrier\n")
    with pytest.raises(TraceError, match="holds several traces"):
        read(tmp_path)


def test_an_unknown_file_is_told_what_is_known(tmp_path):
    file = tmp_path / "notes.txt"
    file.write_text("hello\n")
    with pytest.raises(
        TraceError, match=r"its format is not known; the known formats are: .*DUMPI.*SimGrid"
    ):
        read(file)


def test_a_damaged_archive_is_refused(recorded, tmp_path):
    whole = (recorded / "pmpi" / "milc_4ranks_daint_2022.tar.xz").read_bytes()
    file = tmp_path / "cut.tar.xz"
    file.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(TraceError, match="the archive cannot be unpacked"):
        read(file)
