"""Files that a scenario names beside its traces, as text: wiring, learnt tables, lists of nodes.

The simulator takes text only; what is compressed or a Parquet table becomes text here. What the
text means, and whether it is right, the simulator decides: it names the lines.
"""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Literal

from odonata.core import files
from odonata.core.errors import TextError, suggestion

Kind = Literal["interconnect", "channels", "q-table", "allocation", "mapping", "noise"]
"""What a file is for."""

_COLUMNS: dict[Kind, tuple[str, ...]] = {
    "channels": ("kind", "source_node", "source_router", "target_node", "target_router"),
    "q-table": ("router", "group", "slot", "port", "estimate_ns"),
}
"""Columns that a table must have."""

_LARGEST = 1 << 29
"""Bytes of a file, and of what it holds when it is unpacked."""

_LONGEST_RANK = 9
"""Digits."""

_GIVE: dict[Kind, str] = {
    "interconnect": "the interconnect dump of the machine (plain text, .xz or .gz)",
    "channels": "a channel list that `odonata topo SYSTEM --edges FILE` has written",
    "q-table": "the table q_table of a run with `save_table = true`",
    "allocation": "an allocation file: node ids or nid[0-3,5], one line per job",
    "mapping": "a file with the rank of each node, separated by spaces",
    "noise": "a recording of detours, as Netgauge's `selfish` or `odonata measure` write them",
}
"""What to give where a file is not what it should be."""


def read(path: str | Path, kind: Kind) -> str:
    """Text of a file.

    Parameters
    ----------
    path : str or pathlib.Path
        The file; ``.xz`` and ``.gz`` are unpacked, Parquet becomes CSV.
    kind : Kind
        What it is for.

    Returns
    -------
    str
        Lines end in a line feed.

    Raises
    ------
    TextError
        It is missing, damaged, or not what it should be.
    """
    path = Path(path)
    try:
        data = files.unpacked(files.read_bytes(path, most=_LARGEST), most=_LARGEST)
        is_table = data.startswith(b"PAR1")
        text = (
            files.read_parquet(data, is_ours=False).write_csv()
            if is_table
            else data.decode("utf-8")
        )
    except OSError as error:
        raise TextError(f"{path}: {files.problem(error)}; give {_GIVE[kind]}.") from None
    except UnicodeDecodeError:
        raise TextError(f"{path}: the file is not text; give {_GIVE[kind]}.") from None
    except files.UnreadableError as error:
        raise TextError(f"{path}: {error}; give {_GIVE[kind]}.") from None
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    if not text.strip():
        raise TextError(f"{path}: the file is empty; give {_GIVE[kind]}.")
    if kind in _COLUMNS:
        _check_header(path, text, kind)
    return text


def _check_header(path: Path, text: str, kind: Kind) -> None:
    header = [name.strip() for name in next(csv.reader([text.partition("\n")[0]]), [])]
    for name in _COLUMNS[kind]:
        if name not in header:
            nearest = suggestion(name, header).partition(" Valid:")[0]
            raise TextError(
                f"{path}, line 1: there is no column `{name}`.{nearest} It has "
                f"{', '.join(header) or 'none'}; give {_GIVE[kind]}."
            )


def ranks(path: str | Path) -> list[int]:
    """Rank of each node of a job, in the order of its nodes.

    Parameters
    ----------
    path : str or pathlib.Path
        Whole numbers with white space or commas between them; ``#`` starts a comment.

    Returns
    -------
    list of int
        Every rank from 0 on, once.

    Raises
    ------
    TextError
        The file cannot be read or holds something else.
    """
    found: dict[int, int] = {}
    for number, line in enumerate(read(path, "mapping").splitlines(), 1):
        for word in line.partition("#")[0].replace(",", " ").split():
            if not word.isdecimal() or len(word) > _LONGEST_RANK:
                raise TextError(
                    f"{path}, line {number}: `{word[:40]}` is no rank; give {_GIVE['mapping']}."
                )
            rank = int(word)
            if rank in found:
                raise TextError(
                    f"{path}, line {number}: rank {rank} is also in line {found[rank]}; a mapping "
                    "names every rank once."
                )
            found[rank] = number
    missing = next((rank for rank in range(len(found)) if rank not in found), None)
    if missing is not None:
        raise TextError(
            f"{path}: rank {missing} is missing; a mapping names every rank from 0 on once."
        )
    return list(found)
