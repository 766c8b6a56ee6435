"""Jobs from a scheduler log: they arrive, run what a rule gives them, and leave.

A ``[[jobs]]`` whose workload has ``kind = "occupancy"`` stands for all jobs of a stretch of a log
of any form. Each becomes a job of its own, with ``start`` and ``end``; the resolved scenario lists
them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from odonata.core.errors import TextError
from odonata.core.quantities import format_quantity
from odonata.scenario.document import Document, Key
from odonata.scenario.fields import Field, read_table

KIND = "occupancy"
"""What the workload of such a job is called."""

MOST_JOBS = 200
"""Jobs of a scenario that a log may make; all of a scenario are 255 at most."""

RULE = (
    Field("up_to", "count", "most ranks of a job that the rule is for", default=None, minimum=1),
    Field("workload", "table", "what such a job runs, without `ranks`"),
)
"""Keys of a rule."""

FIELDS = (
    Field("log", "path", "job log of any form that `odonata jobs` reads, packed or not"),
    Field("from", "time", "instant of the log, counted from its first start, that is the "
          "beginning of the run; default: 0", default=None),
    Field("span", "time", "how much of the log is taken"),
    Field("second", "time", "simulated time for which a second of the log stands; default: 1 us",
          default=None),
    Field("processors_per_rank", "number", "processors of the log that a rank stands for, or "
          "nodes where it counts nodes; the number of ranks is rounded up; default: 1",
          default=None, minimum=1e-6),
    Field("most", "count", "jobs taken at most, those that start first; default: 200",
          default=None, minimum=1, maximum=MOST_JOBS),
    Field("rules", "list", "tables with `workload` (without `ranks`) and `up_to`, the most ranks "
          "of a job that it is for; the first that fits is taken, one without `up_to` always fits",
          rows=RULE, owner="a rule"),
)  # fmt: skip
"""Keys beside ``kind``."""

_OWN = ("name", "role", "start", "end", "repeat", "muted")
"""Keys of a job that each of the jobs has of its own, or that make no sense for all of them."""


def is_occupancy(job: object) -> bool:
    """Whether an entry of ``[[jobs]]`` stands for the jobs of a log."""
    workload = job.get("workload") if isinstance(job, dict) else None
    return isinstance(workload, dict) and workload.get("kind") == KIND


def jobs_of(job: dict[str, Any], document: Document, key: Key) -> list[dict[str, Any]]:
    """Return the jobs that an entry stands for.

    Parameters
    ----------
    job : dict
        The entry, see :func:`is_occupancy`.

    Returns
    -------
    list of dict
        Entries of ``[[jobs]]``, in the order of their starts.

    Raises
    ------
    ScenarioError
        Wrong keys, a log that cannot be read, no job in the stretch, a job without a rule.
    """
    for name in _OWN[1:]:
        if name in job:
            raise document.error(
                (*key, name), f"jobs of a log are background that repeats; leave `{name}` out."
            )
    at = (*key, "workload")
    values = read_table(
        job["workload"], FIELDS, document, at, owner=f"workload `{KIND}`", also=("kind",)
    )
    for number, rule in enumerate(values["rules"]):
        if "ranks" in rule["workload"]:
            raise document.error(
                (*at, "rules", number, "workload"),
                "the log says how many ranks a job has; leave `ranks` out.",
            )
    shared = {name: value for name, value in job.items() if name not in {*_OWN, "workload"}}
    prefix = job.get("name", KIND)
    found = []
    for row in _rows(values, document, at):
        workload = _ruled(row["ranks"], values["rules"], document, (*at, "rules"))
        found.append(
            {
                "name": f"{prefix}-{row['job']}",
                "role": "background",
                "repeat": True,
                "start": format_quantity(row["start"], "time"),
                "end": format_quantity(row["end"], "time"),
                "workload": {**workload, "ranks": row["ranks"]},
                **shared,
            }
        )
    return found


def _rows(values: dict[str, Any], document: Document, key: Key) -> list[dict[str, Any]]:
    """Jobs that are there in the stretch: number, ranks, start and end (ps)."""
    from odonata.scenario import joblog  # noqa: PLC0415 - tables, which few scenarios need

    path = Path(values["log"])
    try:
        log = joblog.read(path)
    except TextError as error:
        raise document.error((*key, "log"), str(error)) from None
    second = values.get("second", 1_000_000)
    per_rank = values.get("processors_per_rank", 1.0)
    begin = log.span[0] + values.get("from", 0) / 1e12
    finish = begin + values["span"] / 1e12
    found = []
    for job, start, end, size in log.jobs.select("job", "start_s", "end_s", "size").iter_rows():
        if end <= begin or start >= finish:
            continue
        place = round((max(start, begin) - begin) * second)
        leave = round((end - begin) * second)
        ranks = -int(-size // per_rank)
        if leave > place:
            found.append({"job": job, "ranks": ranks, "start": place, "end": leave})
    if not found:
        raise document.error(
            (*key, "from"),
            f"no job of {path.name} runs in this stretch; `odonata jobs {path.name}` says "
            "how long the log is.",
        )
    return found[: values.get("most", MOST_JOBS)]


def _ruled(ranks: int, rules: list[dict[str, Any]], document: Document, key: Key) -> dict[str, Any]:
    for rule in rules:
        if ranks <= rule.get("up_to", ranks):
            found: dict[str, Any] = rule["workload"]
            return found
    raise document.error(
        key, f"no rule is for a job of {ranks} ranks; add one without `up_to` as the last."
    )
