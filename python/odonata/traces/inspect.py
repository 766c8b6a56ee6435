"""What is in a trace, and what would keep it from being replayed."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from odonata import native
from odonata.traces.operations import (
    COLLECTIVES,
    ONE_SIZE,
    RECEIVES,
    ROOTED,
    SENDS,
    Columns,
    Operation,
    has_streams,
)

_SHOWN = 5
"""Problems of one kind that are spelled out; the others are counted."""


def _rank_of_operation(columns: Columns) -> npt.NDArray[np.int64]:
    offsets: npt.NDArray[np.int64] = columns["rank_offsets"].astype(np.int64)
    counts = offsets[1:] - offsets[:-1]
    return np.repeat(np.arange(len(counts), dtype=np.int64), counts)


def describe(columns: Columns) -> dict[str, Any]:
    """Count operations, messages and bytes.

    Parameters
    ----------
    columns : dict of str to numpy.ndarray
        The table.

    Returns
    -------
    dict of str to object
        See :meth:`odonata.traces.TraceData.info`.
    """
    op = columns["op"]
    counts = np.bincount(op, minlength=256)
    is_send = np.isin(op, SENDS)
    durations = np.add.reduceat(
        np.append(columns["duration_ps"], np.uint64(0)), columns["rank_offsets"][:-1].astype(int)
    )
    empty = np.diff(columns["rank_offsets"].astype(np.int64)) == 0
    durations[empty] = 0
    sizes = np.diff(columns["comm_offsets"].astype(np.int64))
    begins = op == Operation.ITERATION_BEGIN
    per_rank = np.bincount(_rank_of_operation(columns)[begins]) if begins.any() else np.zeros(1)
    graph = {}
    if has_streams(columns):
        graph = {"streams": _streams(columns), "edges": len(columns["after"])}
    return {
        "ranks": len(columns["rank_offsets"]) - 1,
        "operations": len(op),
        "operations_by_kind": {o.name.lower(): int(counts[o]) for o in Operation if counts[o]},
        "messages": int(is_send.sum()),
        "message_bytes": int(columns["bytes"][is_send].sum()),
        "collective_bytes": int(columns["bytes"][np.isin(op, COLLECTIVES)].sum()),
        "compute_ns_max": float(durations.max(initial=0)) / 1000,
        "compute_ns_mean": float(durations.mean()) / 1000 if len(durations) else 0.0,
        "communicators": [int(size) for size in sizes],
        "iterations": int(per_rank.max()),
    } | graph


def _streams(columns: Columns) -> int:
    """Count the streams of the rank that has most."""
    if not len(columns["op"]):
        return 0
    pairs = np.stack([_rank_of_operation(columns), columns["stream"].astype(np.int64)])
    return int(np.bincount(np.unique(pairs, axis=1)[0]).max())


def _job_ranks(columns: Columns, where: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
    """Translate the peers of some operations from communicator ranks to job ranks; -1: any."""
    comm, peer = columns["comm"][where].astype(np.int64), columns["peer"][where].astype(np.int64)
    begin = columns["comm_offsets"].astype(np.int64)[comm]
    members = columns["comm_members"].astype(np.int64)
    known = members[np.clip(begin + peer, 0, max(len(members) - 1, 0))]
    return np.where(peer < 0, -1, known)


def _bad_references(columns: Columns) -> list[str]:
    """Find operations that name a communicator or a rank that does not exist."""
    op, comm, peer = columns["op"], columns["comm"].astype(np.int64), columns["peer"]
    sizes = np.diff(columns["comm_offsets"].astype(np.int64))
    talks = np.isin(op, (*SENDS, *RECEIVES, *COLLECTIVES))
    no_comm = talks & (comm >= len(sizes))
    problems = []
    if no_comm.any():
        problems.append(
            f"{int(no_comm.sum())} operations name a communicator that the trace does not have "
            f"(largest: {int(comm[no_comm].max())}, known: 0 to {len(sizes) - 1})"
        )
    addressed = np.isin(op, (*SENDS, *RECEIVES, *ROOTED)) & ~no_comm
    size = sizes[np.where(addressed, comm, 0)] if len(sizes) else np.zeros(len(op), dtype=np.int64)
    wild = np.isin(op, RECEIVES) & (peer == -1)
    outside = addressed & ~wild & ((peer < 0) | (peer >= size))
    if outside.any():
        first = int(np.flatnonzero(outside)[0])
        problems.append(
            f"{int(outside.sum())} operations name a rank outside of their communicator (first: "
            f"{Operation(int(op[first])).name.lower()} with rank {int(peer[first])} of "
            f"{int(size[first])})"
        )
    return problems


def _message_keys(columns: Columns, kinds: tuple[Operation, ...]) -> npt.NDArray[np.int64]:
    """Return (communicator, source, destination, tag, bytes) of every send or receive."""
    where = np.isin(columns["op"], kinds)
    here, peer = _rank_of_operation(columns)[where], _job_ranks(columns, where)
    source, target = (here, peer) if kinds == SENDS else (peer, here)
    comm, tag = columns["comm"][where].astype(np.int64), columns["tag"][where].astype(np.int64)
    size = columns["bytes"][where].astype(np.int64)
    return np.stack([comm, source, target, tag, size], axis=1)


def _count(keys: npt.NDArray[np.int64]) -> dict[tuple[int, ...], int]:
    rows, counts = np.unique(keys[:, :4], axis=0, return_counts=True)
    pairs = zip(rows.tolist(), counts.tolist(), strict=True)
    return {tuple(row): count for row, count in pairs}


def _take(pool: dict[tuple[int, ...], int], wanted: tuple[int, ...], count: int) -> int:
    """Take messages that a receive with wildcards may match; return how many were found."""
    comm, source, target, tag = wanted
    found = 0
    for key in [k for k in pool if k[0] == comm and k[2] == target]:
        if source not in {-1, key[1]} or tag not in {-1, key[3]}:
            continue
        taken = min(pool[key], count - found)
        found += taken
        pool[key] -= taken
    return found


def _unmatched_messages(columns: Columns) -> list[str]:
    """Compare sends with receives by (communicator, source, destination, tag)."""
    sends = _count(_message_keys(columns, SENDS))
    receives = _count(_message_keys(columns, RECEIVES))
    missing_sends: dict[tuple[int, ...], int] = {}
    exact = {k: n for k, n in receives.items() if -1 not in (k[1], k[3])}
    for key, wanted in exact.items():
        found = min(wanted, sends.get(key, 0))
        if found:
            sends[key] -= found
        if wanted > found:
            missing_sends[key] = wanted - found
    for key in (k for k in receives if k not in exact):
        found = _take(sends, key, receives[key])
        if receives[key] > found:
            missing_sends[key] = receives[key] - found
    left = {key: count for key, count in sends.items() if count}
    return _sentences("sent", "received", left) + _sentences("received", "sent", missing_sends)


def _sentences(done: str, missing: str, pool: dict[tuple[int, ...], int]) -> list[str]:
    problems = []
    for (comm, source, target, tag), count in list(pool.items())[:_SHOWN]:
        noun = "1 message" if count == 1 else f"{count} messages"
        origin = "any rank" if source < 0 else f"rank {source}"
        mark = "any tag" if tag < 0 else f"tag {tag}"
        problems.append(
            f"{noun} from {origin} to rank {target} with {mark} on communicator {comm} "
            f"{'is' if count == 1 else 'are'} {done} but never {missing}"
        )
    rest = sum(list(pool.values())[_SHOWN:])
    if rest:
        problems.append(
            f"{rest} more {'message is' if rest == 1 else 'messages are'} {done} but never "
            f"{missing}"
        )
    return problems


def _different_sizes(columns: Columns) -> list[str]:
    """Find receives that are smaller than the message that arrives (in matching order)."""
    sends, receives = _message_keys(columns, SENDS), _message_keys(columns, RECEIVES)
    if (receives[:, [1, 3]] == -1).any() or len(sends) != len(receives):
        return []
    sends = sends[np.lexsort(sends[:, 3::-1].T)]
    receives = receives[np.lexsort(receives[:, 3::-1].T)]
    if (sends[:, :4] != receives[:, :4]).any():
        return []
    smaller = receives[:, 4] < sends[:, 4]
    if not smaller.any():
        return []
    comm, source, target, tag, size = sends[smaller][0].tolist()
    return [
        f"{int(smaller.sum())} receives are smaller than their message (first: {size} bytes from "
        f"rank {source} to rank {target} with tag {tag} on communicator {comm})"
    ]


_Calls = tuple[npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any]]
"""Operations, roots and sizes of the collectives of a rank on a communicator, in order.

Where every rank has a size of its own it is 0 here.
"""


def _calls(columns: Columns) -> dict[tuple[int, int], _Calls]:
    """Group the collectives by communicator and rank."""
    where = np.flatnonzero(np.isin(columns["op"], COLLECTIVES))
    comm, rank = columns["comm"][where], _rank_of_operation(columns)[where]
    size = np.where(np.isin(columns["op"], ONE_SIZE), columns["bytes"], 0)
    order = np.lexsort((rank, comm))  # stable: the calls of a rank stay in program order
    where, comm, rank = where[order], comm[order], rank[order]
    changes = np.flatnonzero((comm[1:] != comm[:-1]) | (rank[1:] != rank[:-1])) + 1
    found = {}
    for part in np.split(np.arange(len(where)), changes):
        if len(part):
            key = (int(comm[part[0]]), int(rank[part[0]]))
            at = where[part]
            found[key] = (columns["op"][at], columns["peer"][at], size[at])
    return found


def _unequal_collectives(columns: Columns) -> list[str]:
    """Compare the sequence of collectives of the members of each communicator."""
    calls = _calls(columns)
    none = (columns["op"][:0], columns["peer"][:0], columns["bytes"][:0])
    offsets = columns["comm_offsets"].astype(np.int64)
    problems = []
    for number in sorted({comm for comm, _ in calls}):
        members = columns["comm_members"][offsets[number] : offsets[number + 1]].tolist()
        first = calls.get((number, members[0]), none)
        for member in members[1:]:
            other = calls.get((number, member), none)
            if not all(np.array_equal(a, b) for a, b in zip(first, other, strict=True)):
                problems.append(_difference(number, (members[0], first), (member, other)))
                break
    return problems


def _difference(
    comm: int,
    one: tuple[int, _Calls],
    other: tuple[int, _Calls],
) -> str:
    (rank_a, calls_a), (rank_b, calls_b) = one, other
    pairs = zip(*(values.tolist() for values in (*calls_a, *calls_b)), strict=False)
    for number, (op_a, root_a, size_a, op_b, root_b, size_b) in enumerate(pairs):
        if (op_a, root_a, size_a) != (op_b, root_b, size_b):
            return (
                f"collective {number} on communicator {comm} is {_call(op_a, root_a, size_a)} on "
                f"rank {rank_a} but {_call(op_b, root_b, size_b)} on rank {rank_b}"
            )
    return (
        f"rank {rank_a} calls {len(calls_a[0])} collectives on communicator {comm} but rank "
        f"{rank_b} calls {len(calls_b[0])}"
    )


def _call(op: int, root: int, size: int) -> str:
    kind = Operation(op)
    text = kind.name.lower()
    if kind in ONE_SIZE:
        text += f" of {size} bytes"
    return f"{text} (root {root})" if kind in ROOTED else text


def find_problems(columns: Columns) -> list[str]:
    """Look for what would keep the trace from being replayed.

    Parameters
    ----------
    columns : dict of str to numpy.ndarray
        The table.

    Returns
    -------
    list of str
        One sentence per problem: messages without a partner, receives that are too small,
        collectives that differ among the members of a communicator, references to nothing.
    """
    problems = _bad_references(columns)
    if problems:
        return problems
    problems = _unmatched_messages(columns) + _different_sizes(columns)
    if not has_streams(columns):
        return problems + _unequal_collectives(columns)
    # Only the simulator knows in which order the collectives of a graph may start.
    found = None if problems else native.trace_problem(columns)
    return problems if found is None else [found]
