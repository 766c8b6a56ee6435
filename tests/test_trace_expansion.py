"""Collectives written out as messages: who gets what, in how many messages, for every size."""

from __future__ import annotations

from collections import defaultdict, deque

import pytest

import odonata
from odonata.errors import TraceError
from odonata.traces import Operation, goal_writer, read
from odonata.traces.expansion import FIRST_TAG, Expansion

SIZES = (1, 2, 3, 4, 5, 7, 8, 11, 16)
MIB = 1 << 20


def table(folder, kind, size, root=0):
    """A program in which each rank calls one collective, of sizes that may differ."""
    own = {"gatherv": "100 + me", "scatterv": "100 + me"}.get(kind, "1000")
    call = {
        "alltoallv": "alltoallv([10 * me + to for to in range(size)])",
        "gatherv": None,
        "scatterv": None,
        "ialltoallv": None,
        "barrier": "barrier()",
    }.get(kind, f"{kind}({own}{f', root={root}' if kind in ROOTED else ''})")
    if call is None:  # no name of a program: as rows
        lines = ["rank,step,operation,peer,bytes"]
        sizes = [1000 if kind == "ialltoallv" else 100 + me for me in range(size)]
        lines += [f"{me},0,{kind},{root},{sizes[me]}" for me in range(size)]
        file = folder / f"{kind}-{size}.csv"
        file.write_text("\n".join(lines) + "\n")
        return read(file)
    file = folder / "own.py"
    file.write_text(f"def rank(me, size):\n    yield {call}\n")
    return odonata.traces.program.read(file, size)


ROOTED = ("bcast", "reduce", "gather", "scatter")


class Delivery:
    """Walks all ranks through their rounds: what each knows of whom, and all messages."""

    def __init__(self, trace, size):
        expansion, starts = Expansion(trace.columns), trace.columns["rank_offsets"]
        self.rounds = [deque(expansion.rounds(int(starts[me]), me)) for me in range(size)]
        self.known = [{me} for me in range(size)]
        self.queues = defaultdict(deque)
        self.begun = [False] * size
        self.messages = []
        while sum(self.step(me) for me in range(size)):
            pass
        assert not any(self.rounds), "a rank waits for a message that nobody sends"
        assert not any(self.queues.values()), "a message that nobody receives"

    def step(self, me):
        """Begin or end a round of a rank, if it can."""
        if not self.rounds[me]:
            return False
        now = self.rounds[me][0]
        if not self.begun[me]:
            self.begin(me, [one for one in now if one.is_send])
            return True
        wanted = [one for one in now if not one.is_send]
        if not all(self.queues[one.peer, me] for one in wanted):
            return False
        for one in wanted:
            carried, length = self.queues[one.peer, me].popleft()
            assert length == one.size
            self.known[me] |= carried
        self.rounds[me].popleft()
        self.begun[me] = False
        return True

    def begin(self, me, sends):
        """Send what was known before the round."""
        self.begun[me] = True
        for one in sends:
            self.queues[me, one.peer].append((set(self.known[me]), one.size))
            self.messages.append((me, one.peer, one.size))


KNOWN = {
    **dict.fromkeys(("barrier", "allreduce", "iallreduce", "allgather", "alltoall"), "all"),
    **dict.fromkeys(("reduce", "gather", "gatherv"), "root"),
    **dict.fromkeys(("bcast", "scatter", "scatterv"), "of root"),
    "scan": "before",
}
"""Who must have heard of whom."""


@pytest.mark.parametrize("kind", KNOWN)
@pytest.mark.parametrize("size", SIZES)
def test_everybody_hears_of_whom_it_must(tmp_path, kind, size):
    root, everybody = size // 2, set(range(size))
    known = Delivery(table(tmp_path, kind, size, root), size).known
    match KNOWN[kind]:
        case "all":
            assert all(own == everybody for own in known)
        case "root":
            assert known[root] == everybody
        case "of root":
            assert all(root in own for own in known)
        case "before":
            assert known == [set(range(me + 1)) for me in range(size)]


def allreduces(size):
    power = 1 << (size.bit_length() - 1)
    return power * (power.bit_length() - 1) + 2 * (size - power)


COUNTS = {
    "barrier": lambda n: (n * (n - 1).bit_length(), 1),
    "bcast": lambda n: (n - 1, 1000),
    "reduce": lambda n: (n - 1, 1000),
    "allreduce": lambda n: (allreduces(n), 1000),
    "iallreduce": lambda n: (allreduces(n), 1000),
    "allgather": lambda n: (n * (n - 1), 1000),
    "alltoall": lambda n: (n * (n - 1), 1000),
    "scan": lambda n: (n - 1, 1000),
}
"""Messages, and the bytes of each, of a number of ranks."""


@pytest.mark.parametrize("kind", COUNTS)
@pytest.mark.parametrize("size", SIZES)
def test_messages_are_as_many_as_the_textbook_says(tmp_path, kind, size):
    messages = Delivery(table(tmp_path, kind, size, size // 2), size).messages
    count, length = COUNTS[kind](size)
    assert [one[2] for one in messages] == [length] * count


PAIRS = {
    "ialltoallv": lambda _me, to, size, _root: 1000 // size + (to < 1000 % size),
    "alltoallv": lambda me, to, _size, _root: 10 * me + to,
    "reduce_scatter": lambda _me, to, size, _root: 1000 // size + (to < 1000 % size),
    "gather": lambda _me, to, _size, root: 1000 * (to == root),
    "gatherv": lambda me, to, _size, root: (100 + me) * (to == root),
    "scatter": lambda me, _to, _size, root: 1000 * (me == root),
    "scatterv": lambda me, to, _size, root: (100 + to) * (me == root),
}
"""Bytes from one rank to another."""


@pytest.mark.parametrize("kind", PAIRS)
@pytest.mark.parametrize("size", SIZES)
def test_each_pair_exchanges_its_own_bytes(tmp_path, kind, size):
    root = size // 2
    messages = Delivery(table(tmp_path, kind, size, root), size).messages
    pairs = ((me, to, PAIRS[kind](me, to, size, root)) for me in range(size) for to in range(size))
    assert sorted(messages) == [one for one in pairs if one[0] != one[1] and one[2]]


PROGRAM = """
def rank(me, size):
    half = [one for one in range(size) if one % 2 == me % 2]
    for _ in range(3):
        yield compute("1 us")
        begun = yield iallreduce("2 MiB")
        yield send((me + 1) % size, 8, tag=1) if me else recv(size - 1, 8, tag=1)
        yield recv((me - 1) % size, 8, tag=1) if me else send(1, 8, tag=1)
        yield allreduce("1 MiB", comm=half)
        yield wait(begun)
        yield bcast("64 KiB", root=2)
        yield alltoall(100, comm=half)
        yield barrier()
"""


def test_a_schedule_with_collectives_is_replayed_to_its_end(tmp_path):
    (tmp_path / "own.py").write_text(PROGRAM)
    trace = odonata.traces.program.read(tmp_path / "own.py", 6)
    file = goal_writer.write(trace, tmp_path / "own.goal")
    goal = read(file)
    assert goal.check() == []
    assert set(goal.columns["op"].tolist()) <= {Operation.COMPUTE, Operation.SEND, Operation.RECV,
                                                Operation.NOTHING}  # fmt: skip
    of_collectives = goal.columns["tag"] >= FIRST_TAG
    assert len(set(goal.columns["tag"][of_collectives].tolist())) == 3 * (3 + 2 * 2)
    result = odonata.run(
        {
            "name": "goal", "seed": 1, "routing": {"algorithm": "minimal"},
            "system": {"preset": "dragonfly(2, 4, 2, 9)"},
            "jobs": [{"name": "own", "workload": {"kind": "trace", "path": str(file)}}],
        },
        baseline=False,
    )  # fmt: skip
    assert result.summary["stop"] == "finished"
    is_send = goal.columns["op"] == Operation.SEND
    large = 2 * allreduces(3) * MIB + allreduces(6) * 2 * MIB + 5 * (64 << 10)
    small = 6 * 8 + 2 * 3 * 2 * 100 + 6 * 3
    assert goal.columns["bytes"][is_send].sum() == 3 * (large + small)


def test_what_cannot_be_written_out_is_told(tmp_path):
    rows = "rank,step,operation,peer,bytes,tag\n0,0,allreduce,,8,\n0,1,allreduce,,8,\n"
    (tmp_path / "own.csv").write_text(rows + "1,0,allreduce,,8,\n")
    with pytest.raises(
        TraceError, match="rank 1 calls 1 collectives on communicator 0, and another"
    ):
        goal_writer.write(read(tmp_path / "own.csv"), tmp_path / "own.goal")
    rows = "rank,step,operation,peer,bytes,tag\n0,0,barrier,,,\n0,1,send,1,8,1000000\n"
    (tmp_path / "own.csv").write_text(rows + "1,0,barrier,,,\n1,1,recv,0,8,1000000\n")
    with pytest.raises(TraceError, match="collectives and messages with tag 1000000"):
        goal_writer.write(read(tmp_path / "own.csv"), tmp_path / "own.goal")
    assert not (tmp_path / "own.goal").exists()
