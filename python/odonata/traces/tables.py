"""Operations in a table: a row per operation, as CSV or Parquet."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import polars as pl

from odonata.core import files
from odonata.core.errors import Error, TraceError, suggestion
from odonata.traces import sequences
from odonata.traces.graphs import GraphProgram
from odonata.traces.operations import ROOTED, Operation
from odonata.traces.table import TraceData, assemble

_COLUMNS = ("rank", "step", "operation", "peer", "bytes", "tag", "after", "time", "stream")
_WAITS = {Operation.WAIT, Operation.WAITALL, Operation.WAITANY, Operation.WAITSOME, Operation.TEST}


def read(path: Path) -> TraceData:
    """Read a table of operations.

    Parameters
    ----------
    path : pathlib.Path
        CSV or Parquet with the columns ``rank``, ``step``, ``operation`` and, where they are
        needed, ``peer``, ``bytes``, ``tag``, ``after``, ``time``, ``stream``; see
        ``docs/programs.md``.

    Returns
    -------
    TraceData
        The operations of all ranks.

    Raises
    ------
    odonata.errors.TraceError
        If the table is damaged or a row cannot be; says which.
    """
    frame = _frame(path)
    if frame["rank"].null_count():
        raise TraceError(f"trace {path}: a row has no `rank`; give every row one")
    present = set(frame["rank"].to_list())
    ranks = max(present, default=-1) + 1
    missing = [rank for rank in range(min(ranks, len(present) + 1)) if rank not in present]
    if missing or not ranks:
        which = f"rank {missing[0]} has" if missing else "no rank has"
        raise TraceError(f"trace {path}: {which} rows; give every rank at least one")
    programs = [GraphProgram() for _ in range(ranks)]
    steps: list[dict[int, int]] = [{} for _ in range(ranks)]
    for number, row in enumerate(frame.iter_rows(named=True), start=1):
        try:
            _take(row, programs[row["rank"]], steps[row["rank"]], ranks)
        except (Error, ValueError) as error:
            raise TraceError(f"trace {path}: row {number}: {error}") from None
        except OverflowError:
            words = "a number needs more than 64 bits"
            raise TraceError(f"trace {path}: row {number}: {words}") from None
    for program in programs:
        program.finish()
    return TraceData(
        columns=assemble(programs, [range(ranks)], has_streams=True),
        origin={"format": "table", "name": path.stem},
    )


def _frame(path: Path) -> pl.DataFrame:
    try:
        if path.suffix == ".csv":
            kinds = {"time": pl.String, "after": pl.String, "bytes": pl.String}
            frame = pl.read_csv(path, schema_overrides=kinds, infer_schema_length=None)
        else:
            frame = files.read_parquet(path, is_ours=False)
        _check(frame.columns)
        whole = [
            name for name in ("rank", "step", "peer", "tag", "stream") if name in frame.columns
        ]
        frame = frame.with_columns(pl.col(whole).cast(pl.Int64))
        return frame.with_columns(pl.col("rank").cast(pl.UInt32))
    except (
        OSError, pl.exceptions.PolarsError, pl.exceptions.PanicException, TraceError, ValueError,
    ) as error:  # fmt: skip
        words = (str(error).strip() or type(error).__name__).splitlines()[0][:200]
        raise TraceError(f"trace {path}: it is not a table of operations ({words})") from error


def _check(columns: list[str]) -> None:
    for name in columns:
        if name not in _COLUMNS:
            raise TraceError(f"its column `{name}` is not known.{suggestion(name, _COLUMNS)}")
    for name in _COLUMNS[:3]:
        if name not in columns:
            raise TraceError(f"its column `{name}` is missing")


def _take(row: Mapping[str, Any], program: GraphProgram, steps: dict[int, int], ranks: int) -> None:
    name, step = row["operation"], row["step"]
    known = {operation.name.lower(): operation for operation in Operation}
    operation = known.get(str(name).strip().lower())
    if operation is None:
        raise TraceError(f"`{str(name)[:40]}` is not an operation.{suggestion(str(name), known)}")
    if step is None or row["rank"] is None or step in steps:
        raise TraceError(f"step {step} is missing or duplicated; number the steps of a rank")
    after = _after(row.get("after"))
    unknown = [one for one in after or () if one not in steps]
    if operation in _WAITS:
        if unknown or not after:
            raise TraceError(f"it waits for step {unknown[:1] or 'none'}, which did not begin")
        steps[step] = _add_wait(row, operation, program, [steps[one] for one in after])
        return
    if unknown:
        raise TraceError(f"it comes after step {unknown[0]}, which is not above it")
    values = _values(row, operation, ranks)
    if operation in sequences.BEGINS:
        values["request"] = program.new_request()
    position = program.add_on(operation, _stream(row), follows=after is None, **values)
    for one in after or ():
        program.edges.add(position, steps[one])
    steps[step] = position


def _add_wait(
    row: Mapping[str, Any], operation: Operation, program: GraphProgram, begun: list[int]
) -> int:
    requests = [program.get("request", position) for position in begun]
    position = program.add_on(operation, _stream(row), follows=True, request=requests[0])
    if operation not in {Operation.WAIT, Operation.TEST}:
        program.set_list(position, requests)
    return position


def _stream(row: Mapping[str, Any]) -> int:
    stream = row.get("stream") or 0
    if not 0 <= stream < 65_536:
        raise TraceError(f"stream {stream} is not from 0 to 65535")
    return int(stream)


def _after(value: object) -> list[int] | None:
    """Steps that an operation comes after; ``None``: the one above it."""
    if value is None or value == "":
        return None
    if isinstance(value, list):
        return [int(one) for one in value]
    words = str(value).replace(";", " ").replace(",", " ").split()
    return [] if words == ["-"] else [int(word) for word in words]


def _values(row: Mapping[str, Any], operation: Operation, ranks: int) -> dict[str, int]:
    if operation == Operation.COMPUTE:
        time = row.get("time")
        if time is None:
            raise TraceError("a computation has a `time`, such as `3 ms`")
        text = str(time)
        number = float(text) if text.replace(".", "", 1).isdigit() else text
        return {"duration_ps": sequences.as_ps(number)}
    peer, tag, size = row.get("peer"), row.get("tag"), row.get("bytes")
    is_receive = operation in {Operation.RECV, Operation.IRECV, Operation.FLUSH}
    needs_peer = operation in ROOTED or operation.name.lower() in _MESSAGES
    if needs_peer and peer is None:
        raise TraceError(f"`{operation.name.lower()}` has a `peer`")
    peer = 0 if peer is None else int(peer)
    if not (-1 if is_receive else 0) <= peer < ranks:
        raise TraceError(f"peer {peer} is not a rank: ranks go from 0 to {ranks - 1}")
    tag = 0 if tag is None else int(tag)
    if not -1 <= tag < 2**31:
        raise TraceError(f"tag {tag} is not a valid tag")
    text = "0" if size is None else str(size).strip()
    return {
        "peer": peer,
        "tag": tag,
        "bytes": sequences.as_bytes(int(text) if text.isdigit() else text),
    }


_MESSAGES = {"send", "ssend", "isend", "issend", "recv", "irecv", "put", "get", "flush"}
