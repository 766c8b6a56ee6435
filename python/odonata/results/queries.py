"""One query over all tables of a folder of results, in SQL."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from odonata.core.errors import RunError, suggestion
from odonata.results import all_tables
from odonata.results.sweep import INDEX, Runs, Sweep, load

ALONE = "alone_"
"""What the tables of isolated runs begin with."""


def catalogue(directory: str | Path) -> dict[str, pl.LazyFrame]:
    """Tables of a folder of results, all runs of a sweep together.

    Parameters
    ----------
    directory : str or pathlib.Path
        A run or a sweep.

    Returns
    -------
    dict of str to polars.LazyFrame
        By name, sorted: each table of the runs with the columns ``run`` and the swept keys in
        front (of a single run, ``run`` alone); each table of isolated runs under its name with
        ``alone_`` before it, and a column ``victim``; ``index`` of a sweep, ``intervals`` and
        ``differences`` of replicas, ``saturation`` of a sweep over a load.

    Raises
    ------
    RunError
        The folder holds no results, or they are damaged.
    """
    directory = Path(directory)
    results = load(directory)
    if isinstance(results, Sweep):
        runs, about = results.runs, results.index.select("run", *results.keys)
    else:
        name = str(results.summary.get("name") or "")
        runs, about = Runs({name: results}), pl.DataFrame({"run": [name]})
    parts = all_tables.tables(runs, runs.packs, about)
    isolated = all_tables.tables(runs, runs.packs, about, alone=True)
    parts |= {ALONE + name: frames for name, frames in isolated.items()}
    found = {
        name: pl.concat(frames, how="diagonal_relaxed") for name, frames in sorted(parts.items())
    }
    if isinstance(results, Sweep):
        found[INDEX.partition(".")[0]] = results.index.lazy()
        if results.replicas > 1:
            found["intervals"] = results.intervals().lazy()
            found["differences"] = results.differences().lazy()
        saturation = results.saturation()
        if not saturation.is_empty():
            found["saturation"] = saturation.lazy()
    return found


def query(directory: str | Path, sql: str) -> pl.DataFrame:
    """Ask all tables of a folder of results at once.

    Parameters
    ----------
    directory : str or pathlib.Path
        A run or a sweep, as `odonata run` has written it.
    sql : str
        A query in the dialect of polars: ``SELECT``, ``JOIN``, ``GROUP BY``, ``ORDER BY``, common
        table expressions. Names of swept keys hold dots: put them into double quotes.

    Returns
    -------
    polars.DataFrame
        The answer.

    Raises
    ------
    RunError
        The folder holds no results, they are damaged, or the query cannot be understood.

    Examples
    --------
    ``odonata.query("results/small", "SELECT job, max(comm_time_ns) FROM ranks GROUP BY job")``
    """
    directory, found = Path(directory), dict[str, pl.LazyFrame]()
    try:
        found = catalogue(directory)
        with pl.SQLContext(found) as context:
            return context.execute(sql, eager=True)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError) as error:
        first = (str(error).strip().splitlines() or ["it cannot be executed"])[0][:300]
        raise RunError(f"query of {directory}: {first}.{_hint(sql, list(found))}") from None


def _hint(sql: str, names: list[str]) -> str:
    """What to do: the nearest table to one that there is not, or the tables there are."""
    if not names:
        return " A table is damaged; run it again."
    words = sql.replace(",", " ").replace("(", " ").replace(")", " ").split()
    after = [
        words[at + 1].strip('"')
        for at, word in enumerate(words[:-1])
        if word.lower() in {"from", "join"}
    ]
    unknown = next((name for name in after if name not in names), None)
    hint = suggestion(unknown, names) if unknown else f" Tables: {', '.join(names)}."
    return f"{hint} `odonata query DIR` lists tables and columns."
