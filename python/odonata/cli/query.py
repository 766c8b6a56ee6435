"""``odonata query``: one SQL query over all tables of a folder of results."""

from __future__ import annotations

import argparse
import json
import math
from pathlib import Path
from typing import Any

import polars as pl

from odonata.cli.listing import Listing
from odonata.cli.options import Commands, add_json
from odonata.cli.screen import screen
from odonata.cli.words import printable
from odonata.core.errors import RunError
from odonata.results import queries

_MOST_ROWS = 100
"""Rows on the screen."""


def add(commands: Commands) -> None:
    """Put ``query`` among the commands."""
    command = commands.add_parser(
        "query",
        description="One SQL query over all tables of results: each table holds all runs of a "
        "sweep, with `run` and the swept keys in front. Without SQL, tables and columns are "
        "listed.",
    )
    command.add_argument("directory", type=Path, metavar="DIR", help="results of `odonata run`")
    command.add_argument("sql", metavar="SQL", nargs="?", help="such as 'SELECT job, "
                         "avg(comm_time_ns) FROM ranks GROUP BY job'")  # fmt: skip
    command.add_argument(
        "--out", type=Path, metavar="FILE", help="write the answer (.csv, .parquet)"
    )
    add_json(command)
    command.set_defaults(command=query)


def query(options: argparse.Namespace) -> int:
    """``odonata query``."""
    if options.sql is None:
        return _list(options)
    answer = queries.query(options.directory, options.sql)
    if options.out is not None:
        _write(answer, options.out)
    if options.json:
        rows = [{name: _plain(value) for name, value in row.items()}
                for row in answer.iter_rows(named=True)]  # fmt: skip
        print(json.dumps({"exit_code": 0, "columns": answer.columns, "rows": rows}))
        return 0
    console = screen()
    shown = Listing(f"{len(answer)} rows", all_in="`--out FILE` and `--json` have all")
    for name, dtype in answer.schema.items():
        (shown.numbers if dtype.is_numeric() else shown.labels)(printable(name))
    for row in answer.head(_MOST_ROWS).iter_rows():
        shown.row(*(_text(value) for value in row))
    shown.print(console)
    if len(answer) > _MOST_ROWS:
        console.print(f"... and {len(answer) - _MOST_ROWS} more rows: --out FILE writes all.",
                      markup=False)  # fmt: skip
    if options.out is not None:
        console.print(f"Table: {options.out}", markup=False, soft_wrap=True)
    return 0


def _list(options: argparse.Namespace) -> int:
    """Tables and their columns."""
    found = {
        name: frame.collect_schema().names()
        for name, frame in queries.catalogue(options.directory).items()
    }
    if options.json:
        print(json.dumps({"exit_code": 0, "tables": found}))
        return 0
    console = screen()
    for name, columns in found.items():
        console.print(printable(f"{name}: {', '.join(columns)}"), markup=False, soft_wrap=True)
    return 0


def _write(answer: pl.DataFrame, path: Path) -> None:
    match path.suffix:
        case ".csv":
            answer.write_csv(path)
        case ".parquet":
            answer.write_parquet(path)
        case _:
            raise RunError(f"{path}: a table is written as .csv or .parquet; name it so.")


def _plain(value: Any) -> Any:  # noqa: ANN401 - a value of a table
    """A value as JSON has it."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value if isinstance(value, bool | int | float | str | None) else str(value)


def _text(value: Any) -> str:  # noqa: ANN401 - a value of a table
    if value is None:
        return ""
    return f"{value:.6g}" if isinstance(value, float) else printable(str(value))
