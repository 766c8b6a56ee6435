"""Lists that PBS, Torque and Flux write."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from odonata.scenario.joblogs import hosts
from odonata.scenario.joblogs.log import JobLog, Rows, instant
from odonata.scenario.joblogs.source import lines, refusal

FORMS = {
    "pbs": "PBS and Torque: files of accounting (records E and S), or qstat -x -f -F json",
    "flux": "Flux: flux jobs -A --json",
}
"""Each form, and what it is."""

ACCOUNT = re.compile(r"\d\d/\d\d/\d{4} \d\d:\d\d:\d\d;[A-Z];")
"""How a line of accounting begins."""

_UTC = "times without a zone are taken as UTC"
_PAIR = re.compile(r"(\S+?)=(\S*)")


def read_accounts(path: Path) -> JobLog:
    """Read a file of accounting of PBS or Torque.

    Raises
    ------
    TextError
        A line is none of its records.
    """
    names = {"job": "job", "start": "start", "end": "end", "size": "Resource_List.nodect",
             "nodes": "exec_host"}  # fmt: skip
    rows = Rows(path, names, hosts.of_pbs, open_end=True)
    started: dict[str, tuple[int, dict[str, Any]]] = {}
    for number, line in lines(path):
        if not line.strip():
            continue
        parts = line.split(";", 3)
        if not ACCOUNT.match(line) or len(parts) != 4:
            raise refusal(path, f"is no record `date;kind;job;values` (`{line[:60]}`).",
                          place=f"line {number}")  # fmt: skip
        kind, job = parts[1:3]
        if kind not in {"S", "E"}:
            continue
        pairs = dict(_PAIR.findall(parts[3]))
        values = {
            "job": job, "start": pairs.get("start"), "end": pairs.get("end"),
            "size": pairs.get("Resource_List.nodect"), "nodes": pairs.get("exec_host"),
            "user": pairs.get("user"), "name": pairs.get("jobname"),
        }  # fmt: skip
        if kind == "S":
            started[job] = (number, values)
        else:
            started.pop(job, None)
            rows.add(number, values)
    for number, values in started.values():
        rows.add(number, values)
    return rows.log("pbs")


def read_json(path: Path) -> JobLog:
    """Read what ``flux jobs --json`` or ``qstat -f -F json`` prints.

    Raises
    ------
    TextError
        It is no JSON, or something else.
    """
    text = "\n".join(line for _, line in lines(path))
    try:
        data = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        line = getattr(error, "lineno", 1)
        why = getattr(error, "msg", "it is nested too deeply")
        raise refusal(path, f"is no JSON ({why}).", place=f"line {line}") from None
    flux = data.get("jobs") if isinstance(data, dict) else None
    pbs = data.get("Jobs") if isinstance(data, dict) else None
    if isinstance(flux, list):
        names = {"job": "id", "start": "t_run", "end": "t_cleanup", "size": "nnodes",
                 "nodes": "nodelist"}  # fmt: skip
        return _entries(path, enumerate(flux, 1), names, hosts.expand, _of_flux).log("flux")
    if isinstance(pbs, dict):
        names = {"job": "name", "start": "stime", "end": "resources_used.walltime",
                 "size": "Resource_List.nodect", "nodes": "exec_host"}  # fmt: skip
        entries = enumerate(({"job": job, **_table(one)} for job, one in pbs.items()), 1)
        return _entries(path, entries, names, hosts.of_pbs, _of_pbs).log("pbs", notes=[_UTC])
    seen = ", ".join(data)[:100] if isinstance(data, dict) else type(data).__name__
    raise refusal(path, f"it is JSON without `jobs` (Flux: flux jobs --json) or `Jobs` (PBS: qstat "
                  f"-f -F json): {seen}.")  # fmt: skip


def _entries(
    path: Path,
    entries: Iterator[tuple[int, Any]],
    names: dict[str, str],
    listed: Callable[[str], list[str]],
    read: Callable[[dict[str, Any]], dict[str, Any]],
) -> Rows:
    rows = Rows(path, names, listed, place="job", open_end=True)
    for number, entry in entries:
        if not isinstance(entry, dict):
            raise rows.refusal(number, "is no table of values.")
        try:
            values = read(entry)
        except (ValueError, TypeError):
            shown = f"has `{entry.get('stime')}` as its stime, or no walltime H:M:S."
            raise rows.refusal(number, shown) from None
        rows.add(number, values)
    return rows


def _table(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _of_flux(entry: dict[str, Any]) -> dict[str, Any]:
    return {
        "job": entry.get("id"), "start": entry.get("t_run"),
        "end": entry.get("t_cleanup", entry.get("t_inactive")), "size": entry.get("nnodes"),
        "nodes": entry.get("nodelist"), "user": entry.get("username", entry.get("userid")),
        "name": entry.get("name"),
    }  # fmt: skip


def _of_pbs(entry: dict[str, Any]) -> dict[str, Any]:
    start = instant(entry["stime"]) if entry.get("stime") else None
    end = None
    if start is not None and entry.get("job_state") != "R":
        wall = str(_table(entry.get("resources_used")).get("walltime", ""))
        hours, minutes, seconds = (int(one) for one in wall.split(":"))
        end = start + 3600 * hours + 60 * minutes + seconds
    return {
        "job": entry.get("job"), "start": start, "end": end,
        "size": _table(entry.get("Resource_List")).get("nodect"), "nodes": entry.get("exec_host"),
        "user": entry.get("Job_Owner"), "name": entry.get("Job_Name"),
    }  # fmt: skip
