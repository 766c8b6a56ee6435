"""Workloads from profiles: bytes per pair of ranks, a histogram of collectives, computation.

That is what profilers such as mpiP, IPM, TAU or Caliper leave. The sums of the profile are kept
exactly; how they are spread over iterations is an assumption, see ``docs/programs.md``.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from odonata.core import files
from odonata.core.errors import Error, TraceError, suggestion
from odonata.traces import sequences
from odonata.traces.operations import COLLECTIVES, ONE_SIZE, Operation
from odonata.traces.table import RankProgram, TraceData, assemble

_KEYS = ("ranks", "iterations", "compute", "matrix", "message", "collectives")
_COLLECTIVE_KEYS = ("operation", "bytes", "count", "root")
_MOST_MESSAGES = 50_000_000


def read(path: Path) -> TraceData:
    """Make the operations of a profile.

    Returns
    -------
    TraceData
        The operations of all ranks, with iterations.

    Raises
    ------
    odonata.errors.TraceError
        If the profile cannot be read or its values are impossible.
    """
    try:
        files.require_file(path)
        with path.open("rb") as stream:
            given = tomllib.load(stream)
        return _Profile(given, path.parent).trace(path.stem)
    except (OSError, ValueError, TypeError, Error) as error:
        words = (str(error).strip() or type(error).__name__).splitlines()[0][:300]
        raise TraceError(f"profile {path}: {words}; see docs/programs.md") from error


def _known(given: Mapping[str, Any], valid: tuple[str, ...]) -> None:
    for key in given:
        if key not in valid:
            raise TraceError(f"`{key}` is not a known key.{suggestion(key, valid)}")


def _count(given: Mapping[str, Any], key: str, default: int, least: int = 1) -> int:
    value = given.get(key, default)
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value < 2**31:
        raise TraceError(f"`{key}` is {value!r:.40}, but must be a whole number from {least} on")
    return value


class _Profile:
    """A profile, checked."""

    def __init__(self, given: Mapping[str, Any], folder: Path) -> None:
        _known(given, _KEYS)
        self._iterations = _count(given, "iterations", 1)
        self._compute_ps = sequences.as_ps(given.get("compute", 0))
        if self._compute_ps >= 2**62:
            raise TraceError("`compute` is above 2^62 ps, which is 53 days")
        self._message = sequences.as_bytes(given.get("message", 2**62))
        if not self._message:
            raise TraceError("`message` is 0 B; give at least 1 B")
        self._matrix = _matrix(given.get("matrix"), folder)
        self._ranks = _count(given, "ranks", len(self._matrix) or 1)
        if len(self._matrix) not in {0, self._ranks}:
            raise TraceError(
                f"`matrix` has {len(self._matrix)} rows, but there are {self._ranks} ranks"
            )
        self._collectives = [self._collective(entry) for entry in given.get("collectives", [])]

    def _collective(self, entry: Mapping[str, Any]) -> tuple[Operation, int, int, int]:
        _known(entry, _COLLECTIVE_KEYS)
        names = {kind.name.lower(): kind for kind in (*ONE_SIZE, Operation.BARRIER)}
        names = {name: kind for name, kind in names.items() if kind in COLLECTIVES}
        name = str(entry.get("operation"))
        if name not in names:
            raise TraceError(f"`{name:.40}` is not a collective.{suggestion(name, names)}")
        root = _count(entry, "root", 0, least=0)
        if root >= self._ranks:
            raise TraceError(f"root {root} is not a rank: there are {self._ranks} ranks")
        size = sequences.as_bytes(entry.get("bytes", 0))
        if size >= 2**62:
            raise TraceError(f"`bytes` of `{name}` is above 2^62 bytes")
        return names[name], root, size, _count(entry, "count", 1)

    def trace(self, name: str) -> TraceData:
        """The operations of all ranks."""
        messages = 0
        if len(self._matrix):
            per = self._matrix // self._iterations // self._message + 1
            messages = int(per[self._matrix > 0].sum()) * self._iterations
        if messages > _MOST_MESSAGES:
            raise TraceError(f"it makes {messages} messages; give larger ones or fewer iterations")
        programs = [RankProgram() for _ in range(self._ranks)]
        for rank, program in enumerate(programs):
            for iteration in range(self._iterations):
                self._iteration(program, rank, iteration)
        columns = assemble(programs, [range(self._ranks)], drop=frozenset())
        note = f"{self._iterations} iterations of equal shares: the profile has sums only"
        return TraceData(columns=columns, notes=(note,), origin={"format": "profile", "name": name})

    def _share(self, total: int, iteration: int) -> int:
        """What of a sum belongs to an iteration: remainders go to the first ones."""
        return total // self._iterations + (iteration < total % self._iterations)

    def _iteration(self, program: RankProgram, rank: int, iteration: int) -> None:
        program.add(Operation.ITERATION_BEGIN)
        program.add_compute(self._share(self._compute_ps, iteration))
        requests = []
        if len(self._matrix):
            for operation, sizes in (
                (Operation.IRECV, self._matrix[:, rank]),
                (Operation.ISEND, self._matrix[rank]),
            ):
                for peer in np.flatnonzero(sizes).tolist():
                    for size in self._parts(self._share(int(sizes[peer]), iteration)):
                        request = program.new_request()
                        program.add_message(operation, peer, 0, 0, size, request)
                        requests.append(request)
        if requests:
            program.add_wait(requests)
        for operation, root, size, count in self._collectives:
            for _ in range(self._share(count, iteration)):
                program.add(operation, peer=root, bytes=size)
        program.add(Operation.ITERATION_END)

    def _parts(self, size: int) -> list[int]:
        whole, rest = divmod(size, self._message)
        return [self._message] * whole + ([rest] if rest else [])


def _matrix(given: object, folder: Path) -> npt.NDArray[np.int64]:
    """Bytes from each rank (row) to each (column), in all."""
    if given is None:
        return np.zeros((0, 0), dtype=np.int64)
    if isinstance(given, str):
        files.require_file(folder / given)
        matrix = np.loadtxt(folder / given, delimiter=",", ndmin=2)
    else:
        matrix = np.array(given, dtype=float, ndmin=2)
    if matrix.shape[0] != matrix.shape[1]:
        rows, columns = matrix.shape
        raise TraceError(f"`matrix` has {rows} rows and {columns} columns, but must be square")
    if not np.isfinite(matrix).all() or (matrix < 0).any() or (matrix != matrix.round()).any():
        raise TraceError("`matrix` has values that are not whole numbers of bytes")
    if (matrix >= 2**62).any():
        raise TraceError("`matrix` has values above 2^62 bytes")
    whole: npt.NDArray[np.int64] = matrix.astype(np.int64)
    np.fill_diagonal(whole, 0)  # what a rank sends to itself does not leave it
    return whole
