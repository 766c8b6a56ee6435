"""Workloads as small Python programs: ``def rank(me, size)`` yields what the rank does.

The function is evaluated once per rank, before the simulation; what it yields becomes the internal
form of a trace. It cannot react to what happens in the simulation, but it can name wildcards and
wait for any of several requests.
"""

from __future__ import annotations

import traceback
from collections.abc import Generator, Iterable, Sequence
from pathlib import Path
from types import CodeType
from typing import Any

from odonata.core import files
from odonata.core.errors import Error, TraceError, suggestion
from odonata.traces import sequences
from odonata.traces.operations import Operation
from odonata.traces.sequences import Call
from odonata.traces.table import RankProgram, TraceData, assemble

_MOST = 50_000_000
"""Most operations of all ranks."""

_MOST_OF_A_RANK = 5_000_000
"""Most operations of a rank: what a program without end is told after some ten seconds."""


def read(path: Path, ranks: int, arguments: Sequence[float] = ()) -> TraceData:
    """Evaluate a program for every rank.

    Parameters
    ----------
    path : pathlib.Path
        Python file with a function ``rank``.
    ranks : int
        Ranks of the job.
    arguments : sequence of float
        What ``rank`` is given behind its number and the number of ranks; whole numbers as such.

    Returns
    -------
    TraceData
        The operations of all ranks.

    Raises
    ------
    odonata.errors.TraceError
        If the file cannot be read, is no program, or fails; says in which line.
    """
    function = _function(path)
    given = [int(value) if value == int(value) else value for value in arguments]
    communicators = Communicators(ranks)
    programs = []
    left = _MOST
    for rank in range(ranks):
        program = RankProgram()
        try:
            left = _evaluate(function(rank, ranks, *given), program, communicators, rank, left)
        except TraceError as error:
            message = f"program {path}: rank {rank}: {error}"
            raise TraceError(message) from None
        except Exception as error:
            raise _failed(path, error, f"rank {rank}") from error
        programs.append(program)
    return TraceData(
        columns=assemble(programs, communicators.members, drop=frozenset({Operation.NOTHING})),
        origin={"format": "program", "name": path.stem},
    )


def idle(path: Path, ranks: int) -> TraceData:
    """Take a program without executing it: its ranks do nothing.

    Parameters
    ----------
    path, ranks
        As for :func:`read`.

    Returns
    -------
    TraceData
        A job of so many ranks.

    Raises
    ------
    odonata.errors.TraceError
        If the file cannot be read, or is no Python.
    """
    _compiled(path)
    return TraceData(
        columns=assemble((RankProgram() for _ in range(ranks)), [range(ranks)]),
        origin={"format": "program", "name": path.stem},
    )


class Communicators:
    """Communicators by their members; number 0 has all ranks."""

    def __init__(self, ranks: int) -> None:
        self.members: list[tuple[int, ...]] = [tuple(range(ranks))]
        self._numbers = {self.members[0]: 0}

    def number(self, members: tuple[int, ...], rank: int) -> int:
        """The number of a communicator that ``rank`` uses; none means all."""
        if not members:
            return 0
        if rank not in members:
            raise TraceError(f"it is not a member of the communicator {list(members)[:8]}")
        outside = [one for one in members if not 0 <= one < len(self.members[0])]
        if outside or len(set(members)) < len(members):
            raise TraceError(f"the communicator {list(members)[:8]} has duplicate or unknown ranks")
        if members not in self._numbers:
            self._numbers[members] = len(self.members)
            self.members.append(members)
        return self._numbers[members]


def _compiled(path: Path) -> CodeType:
    try:
        files.require_file(path)
        text = path.read_text("utf-8")
    except (OSError, ValueError) as error:
        words = error.strerror if isinstance(error, OSError) else error
        if isinstance(error, UnicodeDecodeError):
            words = "it is not text"
        raise TraceError(f"program {path}: cannot be read ({words}); check the path") from error
    try:
        return compile(text, str(path), "exec")
    except Exception as error:
        raise _failed(path, error, "") from error


def _function(path: Path) -> Any:  # noqa: ANN401 - whatever the file defines
    code = _compiled(path)
    namespace: dict[str, Any] = {
        "__name__": "program", "__file__": str(path), "ANY": sequences.ANY, **sequences.NAMES,
    }  # fmt: skip
    try:
        exec(code, namespace)  # noqa: S102 - the user's own program
    except Exception as error:
        raise _failed(path, error, "") from error
    function = namespace.get("rank")
    if not callable(function):
        names = [name for name in namespace if callable(namespace[name])]
        hint = suggestion("rank", [name for name in names if name not in sequences.NAMES])
        message = f"program {path}: it has no function `rank(me, size)`; define one.{hint}"
        raise TraceError(message)
    return function


def _failed(path: Path, error: Exception, where: str) -> TraceError:
    """Say what broke in a program, and in which of its lines."""
    lines = [
        frame.lineno
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename == str(path)
    ]
    line = getattr(error, "lineno", None) if isinstance(error, SyntaxError) else None
    number = line or (lines[-1] if lines else None)
    place = ", ".join(words for words in (f"line {number}" if number else "", where) if words)
    said = str(error).splitlines()[0][:200] if str(error) else ""
    words = said if isinstance(error, Error) else f"{type(error).__name__}: {said}"
    return TraceError(f"program {path}{', ' if place else ''}{place}: {words}; fix the program")


def _evaluate(
    calls: Generator[Call, int | None, None] | Iterable[Call] | None,
    program: RankProgram,
    communicators: Communicators,
    rank: int,
    left: int,
) -> int:
    """Take what a rank yields; return how many operations all ranks may still have."""
    if calls is None:
        return left
    calls = iter(calls)
    answering = calls.send if isinstance(calls, Generator) else lambda _: next(calls)
    answer: int | None = None
    first = left
    while True:
        try:
            call = answering(answer)
        except StopIteration:
            return left
        if not isinstance(call, Call):
            valid = ", ".join(sequences.NAMES)
            raise TraceError(
                f"it yields {call!r:.60}, which is not an operation; operations are {valid}"
            )
        left -= 1
        if left < 0:
            raise TraceError(f"the program has more than {_MOST} operations; does it end?")
        if first - left > _MOST_OF_A_RANK:
            raise TraceError(f"it has more than {_MOST_OF_A_RANK} operations; does it end?")
        answer = add(program, call, communicators, rank)


_COMPUTE = Operation.COMPUTE
_WAITS = frozenset({Operation.WAITALL, Operation.WAITANY})
_FROM_ANY = frozenset({Operation.RECV, Operation.IRECV, Operation.FLUSH})


def add(program: RankProgram, call: Call, communicators: Communicators, rank: int) -> int | None:
    """Append an operation to a rank; return the number of the request that it begins."""
    operation = call.operation
    if operation is _COMPUTE:
        program.add_compute(call.duration_ps)
        return None
    if call.requests or operation in _WAITS:
        _add_wait(program, call)
        return None
    comm = communicators.number(call.members, rank)
    size = len(communicators.members[comm])
    least = -1 if operation in _FROM_ANY else 0
    if not least <= call.peer < size:
        raise TraceError(f"{operation.name.lower()} names rank {call.peer} of {size}")
    if not -1 <= call.tag < 2**31:
        raise TraceError(f"{operation.name.lower()} has tag {call.tag}, which is not a valid tag")
    if call.sizes and len(call.sizes) != size:
        raise TraceError(f"{operation.name.lower()} has {len(call.sizes)} sizes for {size} ranks")
    begins = call.begins
    request = program.new_request() if begins else 0
    position = program.add_message(operation, call.peer, comm, call.tag, call.size, request)
    if call.sizes:
        program.set_list(position, call.sizes)
    return request if begins else None


def _add_wait(program: RankProgram, call: Call) -> None:
    requests = list(call.requests)
    # What `yield` returns for an operation without request is None.
    begun = range(program.request_count)
    unknown = [one for one in requests if one not in begun]
    if unknown:
        raise TraceError(
            f"it waits for {unknown[0]!r:.40}, which no `yield isend(...)` or `yield irecv(...)` "
            "has returned"
        )
    if call.operation == Operation.WAITANY and len(requests) > 1:
        position = program.add(Operation.WAITANY)
        program.set_list(position, requests)
    else:
        program.add_wait(requests)
