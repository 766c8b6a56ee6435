"""The compiled simulator; only ``odonata.core.native`` imports it."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

Column: TypeAlias = NDArray[np.generic] | list[str]

PackedColumn: TypeAlias = NDArray[np.generic] | tuple[NDArray[np.uint32], list[str]]
"""Values; of text the numbers of its words, and these."""

Inputs: TypeAlias = tuple[dict[str, Table | Mapping[str, NDArray[np.generic]]], dict[str, str]]
"""Traces (tables, or arrays by name) and other texts, by path."""

CollectiveCall: TypeAlias = tuple[str, str, int, int, int, list[int], list[int]]
"""Members with the names ``kind, algorithm, rank, size, root, sizes, incoming``."""

VERSION: str
SOURCES: str
MODEL: int
MPI_SHIM: str
DEBUG_BUILD: bool

class SimulationError(Exception):
    """Input that cannot be simulated: (path in the configuration, sentence)."""

class LostError(Exception):
    """Another process of the same run is gone, or cannot go on: (sentence,)."""

class RefusedError(LostError):
    """Process 0 is there, and refuses this process."""

class InternalError(Exception):
    """A fault of the simulator: (sentence, where it happened)."""

def run(
    config_json: str,
    inputs: Inputs,
    threads: int,
    callbacks: tuple[Callable[[int, int, float], None] | None, Callable[[], bool] | None, bool],
    packed: bool,
    team: Team | None = None,
) -> tuple[str, dict[str, dict[str, Column]] | bytes, str | None] | None:
    """Run one configuration: summary (JSON), tables or packed tables, diagnosis of a stall.

    Only process 0 of a team has them.
    """

class Team:
    """A process among those that simulate together."""

    address: str

    @staticmethod
    def lead(
        host: str, processes: int, beside: int, secret: str, task: str, port: int | None = None
    ) -> Team: ...
    @staticmethod
    def join(
        address: str,
        rank: int,
        processes: int,
        beside: int,
        secret: str,
        task: str,
        build: str | None = None,
        port: int = 0,
    ) -> Team: ...
    def gather(self, interrupt: Callable[[], bool] | None = None) -> None: ...

class Meeting:
    """A process among those of a launcher."""

    address: str

    @staticmethod
    def lead(name: str, port: int, processes: int, secret: str, task: str) -> Meeting: ...
    @staticmethod
    def join(address: str, rank: int, processes: int, secret: str, task: str) -> Meeting: ...
    @staticmethod
    def over_mpi(shim: Path, processes: int, task: str) -> Meeting: ...
    rank: int
    def team(self, channel: int, beside: int) -> Team: ...
    def finish(self) -> None: ...
    def gather(self) -> None: ...
    def send(self, other: int, message: bytes) -> None: ...
    def receive(self, other: int) -> bytes: ...
    def is_broken(self) -> bool: ...

def packed_names(run: bytes) -> list[tuple[str, int]]:
    """Names of the packed tables of a run, and the rows of each."""

def joined_tables(
    runs: list[bytes],
    table: str | None = None,
    rows: tuple[int, int] | None = None,
) -> list[tuple[str, NDArray[np.uint64], NDArray[np.uint64], dict[str, PackedColumn]]]:
    """Tables of many runs: name, numbers of the runs that have it, rows of each, columns."""

def check(
    config_json: str,
    inputs: Inputs,
) -> str:
    """Check one configuration without running it (JSON)."""

def demand(
    config_json: str,
    inputs: Inputs,
) -> str:
    """How hard the MPI jobs of one configuration press on its network (JSON)."""

def offered(
    config_json: str,
    inputs: Inputs,
    instants_ps: list[int],
) -> str:
    """Packets that open-loop jobs will have created at each of some instants (JSON)."""

def registry() -> str:
    """Every family with its members and their parameters (JSON)."""

def operations() -> str:
    """Codes of the operations of traces, and what each of them is (JSON)."""

def topology(
    config_json: str, texts: Mapping[str, str] | None = None
) -> tuple[str, dict[str, Column]]:
    """Summary (JSON) and directed channels of the network of one configuration."""

class Table:
    """The table of a trace, packed."""

    def names(self) -> list[str]: ...
    def length(self, name: str) -> int: ...
    def part(self, name: str, begin: int, end: int) -> NDArray[Any]: ...
    def at(self, name: str, at: int) -> int: ...
    def facts(self) -> str: ...
    def problems(self) -> list[str]: ...
    def problem(self) -> str | None: ...
    def collectives(self, rank: int) -> list[int]: ...
    def heap_bytes(self) -> int: ...
    def packed(self, name: str, block: int) -> tuple[bytes, int | None]: ...

class Builder:
    """A table that is being made."""

    def __init__(
        self, *, has_streams: bool = False, like: Table | None = None, without: str | None = None
    ) -> None: ...
    def extend(self, name: str, array: NDArray[Any]) -> None: ...
    def extend_packed(self, name: str, packed: bytes, length: int) -> bool: ...
    def append(self, rank: Rank, drop: bytes) -> None: ...
    def add_communicator(self, members: list[int]) -> None: ...
    def fault(self) -> str | None: ...
    def finish(self) -> Table: ...

class Rank:
    """The program of one rank of a trace."""

    def __new__(cls, *, has_streams: bool = False) -> Self: ...
    def __len__(self) -> int: ...
    def push(
        self,
        op: int,
        peer: int = 0,
        comm: int = 0,
        tag: int = 0,
        size: int = 0,
        request: int = 0,
    ) -> int: ...
    def put_on(self, stream: int, follows: bool) -> None: ...
    def get(self, name: str, at: int) -> int: ...
    def put(self, name: str, at: int, value: int) -> None: ...
    def part(self, name: str, begin: int, end: int) -> NDArray[Any]: ...
    def compute(self, duration_ps: int) -> None: ...
    def set_list(self, at: int, values: Sequence[int]) -> None: ...
    def truncate(self, length: int) -> None: ...
    def clear(self) -> None: ...
    def set_streams(self, ends: Sequence[int]) -> None: ...
    def set_edges(self, edges: NDArray[np.uint64]) -> None: ...
    def stuck(self) -> int | None: ...
    def close(self) -> None: ...

class Numbers:
    """Whole numbers from 0 on, packed."""

    def __len__(self) -> int: ...
    def __getitem__(self, at: int) -> int: ...
    def __setitem__(self, at: int, value: int) -> None: ...
    def append(self, value: int) -> None: ...
    def up_to(self, value: int) -> int: ...
    def part(self, begin: int, end: int) -> NDArray[np.uint64]: ...
    def clear(self) -> None: ...
    def close(self) -> None: ...

def trace_table(columns: Mapping[str, NDArray[np.generic]]) -> Table:
    """The table of arrays by name."""

def read_trace(kind: str, files: list[Path]) -> tuple[Table, str]:
    """A trace, and what else there is to say of it (JSON)."""

def collective_rounds(call: CollectiveCall) -> list[list[tuple[bool, int, int]]]:
    """Messages of one rank in a collective: sent or not, peer, bytes; together if at once."""
