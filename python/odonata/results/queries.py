"""One query over all tables of a folder of results, in SQL."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from odonata.core.errors import RunError, suggestion
from odonata.results.packed_parts import TASK
from odonata.results.run import Result
from odonata.results.sweep import INDEX, Sweep, beside, load

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
        ``differences`` of replicas.

    Raises
    ------
    RunError
        The folder holds no results, or they are damaged.
    """
    directory = Path(directory)
    results = load(directory)
    parts: dict[str, list[pl.LazyFrame]] = {}
    if isinstance(results, Sweep) and results.runs.together is not None:
        _add_packed(parts, results)
    for about, run in _runs(results):
        if run.source is not None:
            _add_jobs(parts, run, about)
            continue
        _add(parts, run, about, "")
        for victim, alone in run.baselines.items():
            about_alone = about.with_columns(pl.lit(victim).alias("victim"))
            _add(parts, alone, about_alone, ALONE)
    found = {
        name: pl.concat(frames, how="diagonal_relaxed") for name, frames in sorted(parts.items())
    }
    if isinstance(results, Sweep):
        found[INDEX.partition(".")[0]] = results.index.lazy()
        if results.replicas > 1:
            found["intervals"] = results.intervals().lazy()
            found["differences"] = results.differences().lazy()
    return found


def _runs(results: Result | Sweep) -> list[tuple[pl.DataFrame, Result]]:
    """What tells each run from the others, in one row, and the run."""
    if isinstance(results, Sweep):
        rows = results.index.select("run", *results.keys).iter_slices(1)
        return list(zip(rows, results, strict=True))
    return [(pl.DataFrame({"run": [str(results.summary.get("name") or "")]}), results)]


def _add(
    parts: dict[str, list[pl.LazyFrame]], run: Result, about: pl.DataFrame, start: str
) -> None:
    if run.directory is None:
        return
    for path in sorted(run.directory.glob("*.parquet")):
        frame = pl.scan_parquet(path, glob=False)
        there = set(frame.collect_schema().names())
        new = [pl.lit(about[name][0], dtype=about[name].dtype).alias(name)
               for name in about.columns if name not in there]  # fmt: skip
        parts.setdefault(start + path.stem, []).append(frame.select(*new, pl.all()))


def _add_packed(parts: dict[str, list[pl.LazyFrame]], sweep: Sweep) -> None:
    """Tables of all packed runs at once, and those of their isolated runs."""
    packs = sweep.runs.together
    assert packs is not None  # noqa: S101 - the caller has asked
    about = sweep.index.select("run", *sweep.keys).lazy()
    own = [(name, key) for name, (key, _) in packs.runs.items()]
    alone = [(name, key, victim) for name, (_, keys) in packs.runs.items()
             for victim, key in keys.items()]  # fmt: skip
    texts = {"run": pl.String, TASK: pl.String}
    tasks = pl.LazyFrame(own, schema=texts, orient="row")
    victims = pl.LazyFrame(alone, schema={**texts, "victim": pl.String}, orient="row")
    for name, scan in packs.packed.scans().items():
        parts.setdefault(name, []).append(beside(scan, about, tasks))
        if alone:
            parts.setdefault(ALONE + name, []).append(beside(scan, about, victims))


def _add_jobs(parts: dict[str, list[pl.LazyFrame]], run: Result, about: pl.DataFrame) -> None:
    """The tables of jobs of a packed run and its isolated runs, which no part holds."""
    owners = [("", run, about)]
    owners += [(ALONE, alone, about.with_columns(pl.lit(victim).alias("victim")))
               for victim, alone in run.baselines.items()]  # fmt: skip
    for start, one, known in owners:
        jobs = one.table("jobs")
        new = known.select(name for name in known.columns if name not in jobs.columns)
        row = new.select(pl.all().repeat_by(len(jobs)).explode())
        parts.setdefault(f"{start}jobs", []).append(row.hstack(jobs).lazy())


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
        first = (str(error).strip().splitlines() or ["it cannot be carried out"])[0][:300]
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
