"""Writer of GOAL schedules as text: for LogGOPSim and what reads its format."""

from __future__ import annotations

from pathlib import Path

from odonata.errors import TraceError
from odonata.traces.compiled import FIRST_COLLECTIVE_TAG
from odonata.traces.operations import RECEIVES, SENDS, Columns, Operation
from odonata.traces.steps import Step, job_rank, refuse_collectives, steps
from odonata.traces.table import TraceData

_TAG_BITS = 24


def write(trace: TraceData, path: Path) -> Path:
    """Write a schedule; computation is rounded to nanoseconds.

    Parameters
    ----------
    trace : TraceData
        What to write: point to point and computation.
    path : pathlib.Path
        The file.

    Returns
    -------
    pathlib.Path
        The file.

    Raises
    ------
    odonata.errors.TraceError
        If the trace has operations that GOAL does not have, or the file cannot be written.
    """
    columns = trace.columns
    refuse_collectives(columns, "GOAL")
    partial = path.with_name(f".{path.name}.partial")
    try:
        with partial.open("w", encoding="utf-8") as stream:
            stream.write(f"num_ranks {trace.rank_count}\n")
            for rank in range(trace.rank_count):
                stream.write(f"\nrank {rank} {{\n")
                for position, step in enumerate(steps(columns, rank)):
                    stream.write(_lines(columns, position, step))
                stream.write("}\n")
        partial.replace(path)
    except OSError as error:
        partial.unlink(missing_ok=True)
        message = f"trace {path}: cannot be written ({error.strerror}); choose another place"
        raise TraceError(message) from error
    except TraceError:
        partial.unlink(missing_ok=True)
        raise
    return path


def _lines(columns: Columns, position: int, step: Step) -> str:
    at, label = step.at, f"l{position}"
    cpu = f" cpu {step.stream}" if step.stream else ""
    if step.operation in SENDS or step.operation in RECEIVES:
        way = ("send", "to") if step.operation in SENDS else ("recv", "from")
        what = f"{way[0]} {int(columns['bytes'][at])}b {way[1]} {job_rank(columns, at)}"
        what += f" tag {_tag(columns, at)}"
    else:
        duration = int(columns["duration_ps"][at]) if step.operation == Operation.COMPUTE else 0
        what = f"calc {(duration + 500) // 1000}"
    lines = [f"{label}: {what}{cpu}\n"]
    lines += [f"{label} requires l{earlier}\n" for earlier in step.ends]
    lines += [f"{label} irequires l{earlier}\n" for earlier in step.starts]
    return "".join(lines)


def _tag(columns: Columns, at: int) -> int:
    """The tag; GOAL has no communicators, so that their number takes the upper bits."""
    comm, tag = int(columns["comm"][at]), int(columns["tag"][at])
    everybody = columns["comm_offsets"][1]
    members = columns["comm_offsets"][comm + 1] - columns["comm_offsets"][comm]
    if comm == 0 or (members == everybody and tag >= FIRST_COLLECTIVE_TAG):
        return tag
    if not 0 <= tag < 1 << _TAG_BITS or comm >= 1 << (31 - _TAG_BITS):
        message = (
            f"GOAL has no communicators, and tag {tag} of communicator {comm} does not fit beside "
            "its number"
        )
        raise TraceError(message)
    return comm << _TAG_BITS | tag
