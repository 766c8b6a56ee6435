"""The compiled simulator; only ``odonata.native`` imports it."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Column: TypeAlias = NDArray[np.generic] | list[str]

PackedColumn: TypeAlias = NDArray[np.generic] | tuple[NDArray[np.uint32], list[str]]
"""Values; of text the numbers of its words, and these."""

Inputs: TypeAlias = tuple[dict[str, Mapping[str, NDArray[np.generic]]], dict[str, str]]
"""Columns of traces and other texts, by path."""

VERSION: str
SOURCES: str
DEBUG_BUILD: bool

class SimulationError(Exception):
    """Input that cannot be simulated: (path in the configuration, sentence)."""

class InternalError(Exception):
    """A fault of the simulator: (sentence, where it happened)."""

def run(
    config_json: str,
    inputs: Inputs,
    threads: int,
    progress: Callable[[int, int, float], None] | None = None,
    interrupt: Callable[[], bool] | None = None,
) -> tuple[str, dict[str, dict[str, Column]], str | None]:
    """Run one configuration: summary (JSON), tables, diagnosis of a stall."""

def run_packed(
    config_json: str,
    inputs: Inputs,
    threads: int,
    progress: Callable[[int, int, float], None] | None = None,
    interrupt: Callable[[], bool] | None = None,
) -> tuple[str, bytes, str | None]:
    """Run one configuration: summary (JSON), tables as bytes, diagnosis of a stall."""

def joined_tables(
    runs: list[bytes],
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

def trace_problem(columns: Mapping[str, NDArray[np.generic]]) -> str | None:
    """Say what keeps a trace from being replayed, if anything does."""

def read_trace(kind: str, files: list[Path]) -> tuple[dict[str, NDArray[np.generic]], str]:
    """Columns of a trace, and what else there is to say of it (JSON)."""

def collective_rounds(
    names: tuple[str, str], place: tuple[int, int, int], sizes: tuple[list[int], list[int]]
) -> list[list[tuple[bool, int, int]]]:
    """Messages of one rank in a collective: sent or not, peer, bytes; together if at once."""
