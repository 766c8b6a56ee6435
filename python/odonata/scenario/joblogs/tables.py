"""Logs that are tables with names of columns: of machines, of Slurm, or lists of one's own."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from odonata.core import files
from odonata.core.errors import suggestion
from odonata.scenario.joblogs import hosts
from odonata.scenario.joblogs.log import JobLog, Rows
from odonata.scenario.joblogs.source import lines, refusal

_LONGEST_CELL = 1 << 24


@dataclass(frozen=True, slots=True)
class Form:
    """How a log names its columns.

    Parameters
    ----------
    name : str
        Of the form.
    about : str
        A line about it.
    columns : dict
        Names of what is needed: ``job``, ``start``, ``end``, ``size``; several are alternatives.
    more : dict
        Names of what may be there: ``nodes``, ``user``, ``name``, ``sent``.
    marks : tuple of str
        Columns by which it is known from the others.
    notes : tuple of str
        What a reader must know.
    open_end : bool
        Whether jobs without an end still run.
    """

    name: str
    about: str
    columns: dict[str, tuple[str, ...]]
    more: dict[str, tuple[str, ...]] = field(default_factory=dict)
    marks: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    open_end: bool = False


def _columns(job: str, start: str, end: str, size: str) -> dict[str, tuple[str, ...]]:
    names = {"job": job, "start": start, "end": end, "size": size}
    return {name: tuple(names[name].split()) for name in names}


_NO_ZONE = "times have no zone: they are taken as UTC"
FORMS = (
    Form(
        "aurora", "Aurora's DIM_JOB_COMPOSITE (CSV), and older tables of that name",
        _columns("COBALT_JOBID JOB_NAME", "START_TIMESTAMP", "END_TIMESTAMP", "NODES_USED"),
        {"user": ("USERNAME_GENID",)}, ("COBALT_JOBID",),
        (_NO_ZONE, "LOCATION is not read: how it lists nodes is not documented"),
    ),
    Form(
        "lassen", "Lassen's final_csm_allocation_history_hashed.csv, with "
        "final_csm_allocation_node_history.csv beside it if there are to be nodes",
        _columns("allocation_id", "begin_time", "end_time", "num_nodes"),
        {"user": ("hashed_user_id",)}, ("allocation_id",), (_NO_ZONE,),
    ),
    Form(
        "pm100", "PM100's job_table.parquet (Marconi100)",
        _columns("job_id", "start_time", "end_time", "num_nodes_alloc"),
        {"nodes": ("nodes",), "user": ("user_id",)}, ("cores_alloc_layout",),
    ),
    Form(
        "adastra", "Adastra's AdastaJobsMI250_15days.parquet",
        _columns("job_id", "start_time", "end_time", "num_nodes_alloc"),
        {"nodes": ("nodes",), "user": ("user_id",)}, ("num_nodes_alloc",),
    ),
    Form(
        "f-data", "F-DATA's months of Fugaku, YY_MM.parquet",
        _columns("jid", "sdt", "edt", "nnuma nnumr"),
        {"user": ("usr",), "name": ("jnam",)}, ("jid",),
    ),
    Form(
        "kestrel", "Kestrel's jobs (Parquet or CSV)",
        _columns("job_id", "start_time", "end_time", "nodes_required"),
        {"user": ("account",)}, ("nodes_required",), (_NO_ZONE,),
    ),
    Form(
        "sacct", "Slurm: sacct -a -X -P -o JobID,User,JobName,Start,End,NNodes,NodeList",
        _columns("JobID", "Start", "End", "NNodes AllocNodes"),
        {"nodes": ("NodeList",), "user": ("User",), "name": ("JobName",)}, ("JobID",),
        (_NO_ZONE,), open_end=True,
    ),
    Form(
        "list", "a list of your own: CSV with job,start,end,nodes (a count, or names such as "
        '"n[1-4,9]") and, if known, user,name,sent_bytes',
        _columns("job", "start", "end", "nodes"),
        {"user": ("user",), "name": ("name",), "sent": ("sent_bytes",)}, ("job", "nodes"),
    ),
)  # fmt: skip
"""Every form of table, in the order in which they are tried."""

_WORD_BYTES = 4


def delimiter(line: str) -> str:
    """What is between the columns of a heading; empty if it is none."""
    found = max("|,;\t", key=line.count)
    names = line.split(found)
    return found if len(names) > 2 and re.match(r'["A-Za-z_]', line) else ""


def read_text(path: Path) -> JobLog:
    """Read a table of text.

    Raises
    ------
    TextError
        It is of no known form, or damaged: with the line.
    """
    rows = _rows(path)
    number, names = next(rows)
    form = _form(path, names, f"line {number}")
    history = path.with_name(
        path.name.replace("allocation_history_hashed", "allocation_node_history")
    )
    if form.name == "lassen" and history != path and history.exists():
        return _of_lassen(path, form, names, rows, history)
    return _read(path, form, names, rows, place="line")


def read_parquet(path: Path) -> JobLog:
    """Read a table in Parquet; of its columns only those that are needed.

    Raises
    ------
    TextError
        It is of no known form, or damaged: with the row.
    """
    forms = []

    def chosen(names: list[str]) -> list[str]:
        forms.append(_form(path, names, "the heading"))
        return list(dict.fromkeys(names[at] for at in _places(forms[0], names).values()))

    try:
        frame = files.read_parquet(path, is_ours=False, chosen=chosen)
    except files.UnreadableError as error:
        raise refusal(path, f"{error}.") from None
    return _read(path, forms[0], frame.columns, enumerate(frame.iter_rows(), 1), place="row")


def _rows(path: Path) -> Iterator[tuple[int, Sequence[str]]]:
    """Rows of a table of text with the numbers of their lines, the heading first."""
    csv.field_size_limit(max(csv.field_size_limit(), _LONGEST_CELL))
    text = lines(path)
    number, first = next(one for one in text if one[1].strip() and one[1][0] != "#")
    between = delimiter(first)
    names = next(csv.reader([first], delimiter=between))
    yield number, [name.strip() for name in names]
    # Names of jobs may hold quotes, and Slurm does not double them.
    quote = None if between == "|" else '"'
    reader = csv.reader((line for _, line in text), delimiter=between, quotechar=quote)
    try:
        for row in reader:
            if row:
                at = number + reader.line_num
                if len(row) != len(names):
                    raise refusal(
                        path, f"has {len(row)} fields, and the heading {len(names)}.",
                        place=f"line {at}",
                    )  # fmt: skip
                yield at, row
    except csv.Error as error:
        raise refusal(path, f"{error}.", place=f"line {number + reader.line_num}") from None


def _form(path: Path, names: Sequence[str], place: str) -> Form:
    """The form of a heading."""
    for form in FORMS:
        if set(form.marks) <= set(names) and not _missing(form, names):
            return form
    like = max(FORMS, key=lambda form: (-len(_missing(form, names)), set(form.marks) <= set(names)))
    missing = _missing(like, names)
    shown = ", ".join(names)[:200]
    if len(missing) > 2:
        forms = "; ".join(f"{form.name}: {form.about}" for form in FORMS)
        what = f"has columns of no known form ({shown}). Tables that are read: {forms}."
        raise refusal(path, what, place=place)
    column = like.columns[missing[0]][0] if missing else like.marks[0]
    near = suggestion(column, names).partition(" Valid:")[0]
    raise refusal(
        path, f"has no column `{column}`.{near} It is most like `{like.name}` ({like.about}), and "
        f"has {shown}.", place=place,
    )  # fmt: skip


def _missing(form: Form, names: Sequence[str]) -> list[str]:
    return [one for one, known in form.columns.items() if not set(known) & set(names)]


def _places(form: Form, names: Sequence[str]) -> dict[str, int]:
    """Where each value stands in a row."""
    found = {}
    for one, known in (form.columns | form.more).items():
        there = [name for name in known if name in names]
        if there:
            found[one] = list(names).index(there[0])
    return found


def _read(
    path: Path,
    form: Form,
    names: Sequence[str],
    rows: Iterator[tuple[int, Sequence[Any]]],
    *,
    place: str,
    beside: Mapping[str, tuple[list[str], float]] | None = None,
) -> JobLog:
    places = _places(form, names)
    called = {one: names[at] for one, at in places.items()}
    found = Rows(path, called, hosts.expand, place=place, open_end=form.open_end)
    is_list = form.name == "list"
    for number, row in rows:
        values = {one: row[at] for one, at in places.items()}
        if form.name == "sacct" and "." in str(values["job"]):
            found.left_out["steps of a job"] += 1
            continue
        if is_list and not str(values["size"]).strip().isdecimal():
            values["nodes"] = values["size"] or None
            values["size"] = None
        if beside is not None:
            nodes, sent = beside.get(str(values["job"]), ([], 0.0))
            values |= {"nodes": nodes or None, "sent": sent or None}
        found.add(number, values)
    return found.log(form.name, notes=form.notes)


def _of_lassen(
    path: Path,
    form: Form,
    names: Sequence[str],
    rows: Iterator[tuple[int, Sequence[Any]]],
    history: Path,
) -> JobLog:
    """Jobs with the nodes, and the bytes that they sent, of the file beside theirs."""
    beside: dict[str, tuple[list[str], float]] = {}
    others = _rows(history)
    number, columns = next(others)
    for needed in ("allocation_id", "node_name", "ib_tx"):
        if needed not in columns:
            near = suggestion(needed, columns)
            raise refusal(history, f"has no column `{needed}`.{near}", place=f"line {number}")
    job, node, sent = (columns.index(one) for one in ("allocation_id", "node_name", "ib_tx"))
    for at, row in others:
        nodes, total = beside.setdefault(row[job], ([], 0.0))
        try:
            words = float(row[sent] or 0)
        except ValueError:
            raise refusal(
                history, f"has `{row[sent][:40]}` as its ib_tx.", place=f"line {at}"
            ) from None
        nodes.append(row[node])
        beside[row[job]] = (nodes, total + _WORD_BYTES * words)
    return _read(path, form, names, rows, place="line", beside=beside)
