"""Small right traces of every format, made from nothing or by the writers of the package."""

from __future__ import annotations

import struct
from pathlib import Path

from odonata import traces
from odonata.traces import chakra_writer, goal_writer

_MAGIC = 0xFFAADD44554D5049
_FOOTER = 0xF007FEE7
_END = 293
_CALLS = {
    "Send": 0, "Recv": 1, "Isend": 8, "Irecv": 12, "Wait": 13, "Waitall": 18, "Waitsome": 20,
    "Send_init": 26, "Recv_init": 30, "Start": 31, "Startall": 32, "Sendrecv": 33,
    "Type_contiguous": 35, "Barrier": 52, "Bcast": 53, "Gather": 54, "Alltoallv": 61,
    "Allreduce": 65, "Comm_dup": 84, "Comm_split": 86, "Get_processor_name": 114, "Init": 124,
    "Finalize": 125, "Accumulate": 141, "Get": 142, "Put": 143, "Win_complete": 144,
    "Win_create": 145, "Win_fence": 146, "Win_get_group": 148, "Win_lock": 149, "Win_post": 150,
    "Win_start": 151, "Win_test": 152, "Win_unlock": 153, "Win_wait": 154, "File_open": 230,
}  # fmt: skip
WORLD, INT, DOUBLE = 2, 9, 14
_SIZES = [0, 0, *[1] * 4, 4, 2, 2, 4, 4, 8, 8, 4, 8, 16, 8, 8, 8, 1, 0, 0, 8, 12, 12, 6, 8, 20]
"""Bytes of the datatypes of MPI, by DUMPI's number."""


def _text(text: str) -> bytes:
    return struct.pack(">I", len(text)) + text.encode()


def _array(values: list[int]) -> bytes:
    return struct.pack(f">{len(values) + 1}i", len(values), *values)


class DumpiFile:
    """One file of a DUMPI trace, record by record; a call takes 1 us and comes 2 us after the last.

    Parameters
    ----------
    version : tuple of int
        Of the format.
    """

    def __init__(self, version: tuple[int, int, int] = (1, 1, 0)) -> None:
        self._version = version
        self._body = bytearray(struct.pack(">QII", _MAGIC, 0, 0))
        self._clock = 0

    def call(self, name: str, fields: str = "", *values: int, tail: bytes = b"") -> None:
        """Append a record: ``fields`` are letters of :mod:`struct`, ``tail`` comes behind them."""
        self._clock += 2000
        begin, self._clock = self._clock, self._clock + 1000
        self._body += struct.pack(">HBH", _CALLS[name], 0x4B, 0)
        self._body += struct.pack(">HIHI", 0, begin, 0, self._clock)
        self._body += struct.pack(f">{fields}", *values) + tail

    def content(self) -> bytes:
        """The whole file."""
        data = bytearray(self._body)
        data += struct.pack(">H", _END)
        header = len(data)
        data += struct.pack(">3BQH4sH3sII", *self._version, 0, 4, b"host", 3, b"ann", 0, 0)
        sizes = len(data)
        data += _array(_SIZES)
        footer = len(data)
        data += struct.pack(">Q", _FOOTER) + bytes(8 * 291)
        data += struct.pack(">8Q", _MAGIC, sizes, 0, 0, header, 8, footer, 0)
        return bytes(data)


def _windows(file: DumpiFile, left: int, right: int) -> None:
    """One-sided calls of every kind."""
    file.call("Win_create", "iihhh", 64, 4, 0, WORLD, 3)
    file.call("Win_fence", "bh", 0, 3)
    file.call("Put", "ihiiihh", 2, INT, right, 0, 2, INT, 3)
    file.call("Get", "ihiiihh", 3, INT, left, 0, 3, INT, 3)
    file.call("Win_fence", "bh", 0, 3)
    file.call("Win_lock", "bibh", 1, right, 0, 3)
    file.call("Accumulate", "ihiiihbh", 5, INT, right, 0, 5, INT, 3, 3)
    file.call("Win_unlock", "ih", right, 3)
    file.call("Win_get_group", "hh", 3, 6)
    file.call("Win_post", "hbh", 6, 0, 3)
    file.call("Win_start", "hbh", 6, 0, 3)
    file.call("Put", "ihiiihh", 7, INT, right, 0, 7, INT, 3)
    file.call("Win_complete", "h", 3)
    file.call("Win_test", "hi", 3, 0)
    file.call("Win_wait", "h", 3)


def write_dumpi(folder: Path, ranks: int = 3) -> Path:
    """A DUMPI trace with a call of every kind that the reader treats in its own way."""
    folder.mkdir(parents=True, exist_ok=True)
    no_status = struct.pack(">I", 0)
    for rank in range(ranks):
        left, right = (rank - 1) % ranks, (rank + 1) % ranks
        file = DumpiFile()
        file.call("Init", tail=struct.pack(">I", 1) + _text("./a"))
        file.call("Get_processor_name", tail=_text("host") + struct.pack(">i", 4))
        file.call("Irecv", "ihiihi", 4, DOUBLE, left, 7, WORLD, 2)
        file.call("Isend", "ihiihi", 4, DOUBLE, right, 7, WORLD, 3)
        file.call("Waitall", "i", 2, tail=_array([2, 3]) + no_status)
        # A receive from anybody, whose status says from whom.
        file.call("Irecv", "ihiihi", 1, INT, -1, -1, WORLD, 4)
        file.call("Send", "ihiih", 1, INT, right, 8, WORLD)
        status = struct.pack(">IiiBBi", 1, 4, left, 0, 0, 8)
        file.call(
            "Waitsome", "i", 1, tail=_array([4]) + struct.pack(">i", 1) + _array([0]) + status
        )
        file.call("Send_init", "ihiihi", 2, INT, right, 9, WORLD, 5)
        file.call("Recv_init", "ihiihi", 2, INT, left, 9, WORLD, 6)
        file.call("Startall", "i", 2, tail=_array([5, 6]))
        file.call("Waitall", "i", 2, tail=_array([5, 6]) + no_status)
        file.call("Sendrecv", "ihiiihiih", 3, INT, right, 1, 3, INT, left, 1, WORLD, tail=no_status)
        file.call("Comm_split", "hiih", WORLD, rank % 2, -rank, 4)
        file.call("Allreduce", "ihbh", 2, DOUBLE, 3, 4)
        file.call("Type_contiguous", "ihh", 5, DOUBLE, 28)
        file.call("Bcast", "ihih", 2, 28, 1, WORLD)
        root = (3, DOUBLE) if rank == 0 else ()
        file.call("Gather", f"iihih{'ih' if root else ''}", rank, 3, DOUBLE, 0, WORLD, *root)
        counts, places = [rank + 1] * ranks, [0] * ranks
        received = [source + 1 for source in range(ranks)]
        tail = _array(counts) + _array(places) + struct.pack(">h", INT)
        tail += _array(received) + _array(places) + struct.pack(">hh", INT, WORLD)
        file.call("Alltoallv", "i", ranks, tail=tail)
        file.call("Put", "ihiiihh", 1, INT, right, 0, 1, INT, 1)  # of a window without beginning
        _windows(file, left, right)
        file.call("Barrier", "h", WORLD)
        file.call("Finalize")
        (folder / f"small-{rank:04}.bin").write_bytes(file.content())
    (folder / "small.meta").write_text(f"hostname=host\nnumprocs={ranks}\nfileprefix=small\n")
    return folder / "small.meta"


def write_allprof(folder: Path, ranks: int = 3) -> Path:
    """A liballprof trace with a call of every kind that the reader treats in its own way."""
    folder.mkdir(parents=True, exist_ok=True)
    for rank in range(ranks):
        left, right = (rank - 1) % ranks, (rank + 1) % ranks
        comm, kind = f"91,{rank},{ranks}", "11,8,8"
        size = (ranks + 1) // 2 if rank % 2 == 0 else ranks // 2
        half = f"95,{rank // 2},{size}"
        calls = [
            f"Irecv:500:4:{kind}:{left}:7:{comm}:1000",
            f"Isend:500:4:{kind}:{right}:7:{comm}:1008",
            "Waitall:2:1000:0",
            f"Irecv:500:4:{kind}:-1:8:{comm}:1000",
            f"Send:500:4:{kind}:{right}:8:{comm}",
            "Wait:1000:0",
            f"Sendrecv:500:2:{kind}:{right}:1:600:2:{kind}:{left}:1:{comm}:0",
            f"Comm_split:{comm}:{rank % 2}:{rank}:700",
            f"Allreduce:1:2:3:{kind}:3:{half}",
            f"Reduce:1:2:3:{kind}:3:1:{comm}",
            f"Gather:1:3:{kind}:2:3:{kind}:0:{comm}",
            f"Alltoallv:1:2:{','.join(['2'] * ranks)}:3:{','.join(['0'] * ranks)}:{kind}"
            f":4:5:{','.join(['2'] * ranks)}:6:{','.join(['0'] * ranks)}:{kind}:{comm}",
            f"Comm_rank:{comm}:800",
            f"Win_fence:0:{rank}",
            f"Barrier:{comm}",
        ]
        lines = ["# htor's PMPI Tracer 0.9 Output File", "", f"MPI_Init:-:1:2:{1_000_000 + rank}"]
        for number, call in enumerate(calls):
            name, arguments = call.split(":", 1)
            begin = 1_000_010 + 10 * number
            lines.append(f"MPI_{name}:{begin}.500000:{arguments}:{begin + 5}")
        lines.append("MPI_Finalize:1001000:-")
        (folder / f"trace-rank-{rank}.txt").write_text("\n".join(lines) + "\n")
    return folder / "trace-rank-0.txt"


def write_simgrid(folder: Path) -> Path:
    """A time-independent trace with an action of every kind."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = []
    for rank in range(3):
        left, right = (rank - 1) % 3, (rank + 1) % 3
        lines += [
            f"{rank} {action}"
            for action in (
                "init 1",
                "compute 2e3",
                "sleep 1e-6",
                f"irecv {left} 7 10",
                f"isend {right} 7 10 1",
                f"test {left} {rank} 7",
                f"wait {left} {rank} 7",
                "waitall",
                "comm_size 3",
                "barrier",
                "bcast 4 1 6",
                "reduce 3 50 2",
                "allreduce 2 1e3 0",
                "scan -1 0 2",
                "alltoall 5 5 1 1",
                "gather 3 3 1 0 0",
                "scatter 3 3 1",
                "allgather 2 2",
                "allgatherv 1 1 1 1",
                "gatherv 2 2 2 2 0",
                "scatterv 2 2 2 2 1",
                "alltoallv 6 2 2 2 6 2 2 2",
                "reducescatter 1 2 3 500 1",
                "win_create 9",
                "finalize",
            )
        ]
    target = folder / "actions.txt"
    target.write_text("\n".join(lines) + "\n")
    return target


def write_goal(folder: Path) -> Path:
    """A GOAL schedule, by the writer of the package."""
    folder.mkdir(parents=True, exist_ok=True)
    return goal_writer.write(traces.read(write_table(folder / "table")), folder / "small.goal")


def write_goal_binary(folder: Path) -> Path:
    """A GOAL schedule as `txt2bin` writes it: two ranks, three operations each."""
    folder.mkdir(parents=True, exist_ok=True)
    ranks = []
    for rank in range(2):
        # Waits for, kind, peer, size, tag, CPU, NIC, then counts and places of the two lists.
        nodes = [
            (0, 3, 0, 500, 0, 0, 0, 1, 0, 0, 1),
            (1, 1 + rank, 1 - rank, 64, 5, 0, 0, 1, 1, 0, 2),
            (1, 2 - rank, 1 - rank, 32, 6, 1, 0, 0, 2, 0, 2),
        ]
        content = struct.pack("<III", len(nodes), 1, 0)
        content += b"".join(struct.pack("<IBIQIBBIIII", *node) for node in nodes)
        ranks.append(content + struct.pack("<II", 1, 2))
    places, at = b"", 4 + 2 + 16 * len(ranks)
    for content in ranks:
        places += struct.pack("<QQ", at, at + len(content))
        at += len(content)
    target = folder / "small.bin"
    head = struct.pack("<QIBB", 4223, len(ranks), 1, 0)
    target.write_bytes(head + places + b"".join(ranks))
    return target


def write_chakra(folder: Path) -> Path:
    """A Chakra trace, by the writer of the package."""
    folder.mkdir(parents=True, exist_ok=True)
    table = write_table(folder / "table", collectives=True)
    return chakra_writer.write(traces.read(table), folder / "small.et")[0]


_TABLE = """rank,step,operation,peer,bytes,tag,after,time,stream
0,1,compute,,,,,3 us,
0,2,isend,1,64 KiB,5,,,
0,3,irecv,1,8,6,-,,1
0,4,waitall,,,,2 3,,
1,1,recv,0,65536,5,,,
1,2,send,0,8,6,1,,
1,3,compute,,,,-,500,
"""


def write_table(folder: Path, *, collectives: bool = False) -> Path:
    """A table of operations."""
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / "small.csv"
    rows = "0,5,allreduce,,8,,,,\n1,4,allreduce,,8,,2 3,,\n" if collectives else ""
    target.write_text(_TABLE + rows)
    return target
