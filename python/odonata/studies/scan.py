"""Scans: claims and conclusions judged over the ranges of the unknown inputs of a study.

Each draw of values is a study of its own: every scenario that a claim reads runs with them, and
tables that are files are made of those runs. What was run is kept in the folder `scan` of the
study, and what it says in `scan.csv`.
"""

from __future__ import annotations

import csv
import fnmatch
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import polars as pl

from odonata.campaign.plan import Plan, Planned
from odonata.scenario import Scenario
from odonata.scenario.inputs import Inputs
from odonata.studies import claims, unknowns
from odonata.studies.claims import Claim, StudyError
from odonata.studies.conclusions import Scanned
from odonata.studies.expression import Reading
from odonata.studies.index import Study
from odonata.studies.measures import NoRowError
from odonata.studies.numbers import Value
from odonata.studies.records import Records, write_table
from odonata.studies.sources import FILES, NotRunError, Sources, Target
from odonata.studies.tables import Table
from odonata.studies.unknowns import Unknown
from odonata.studies.verdicts import AGREES, NOT_RUN, Verdict, shown

SCAN, FOLDER = "scan.csv", "scan"
_LEAST_SHARE, _LEAST_DRAWS = 0.25, 4
"""Of the draws that a region has to hold, so that it is no accident."""
_HOLDS = 0.9
"""Share of the draws of a region in which what is said of it holds."""


class Files:
    """Tables of a study that are files: what each row says, and what it reads.

    Parameters
    ----------
    study : Study
        Which.

    Attributes
    ----------
    recorded : set of str
        What rests on runs and nothing here can make again, such as a table of another program.
    """

    def __init__(self, study: Study) -> None:
        self.tables = {one.file: one for one in study.about.tables if one.file}
        self._asked = {file: list(table.asked()) for file, table in self.tables.items()}
        self.recorded = Records(study.folder).runs.keys() - self.tables.keys()

    def readings(self, reading: Reading) -> list[Reading]:
        """What the rows read that a reading of a file asks for."""
        where = dict(reading.where)
        found = [
            one
            for said, quantities in self._asked.get(reading.run, ())
            if all(_same(said[name], value) for name, value in where.items() if name in said)
            for quantity in quantities for one in quantity.readings
        ]  # fmt: skip
        return list(dict.fromkeys(found))


def _same(text: str, value: object) -> bool:
    """Whether a text of a row is what a reading asks for."""
    if isinstance(value, float):
        return text == f"{value:g}"
    return text in value if isinstance(value, tuple) else text == value


class DrawnSources(Sources):
    """Everything that the claims of one study read, with values of its unknown inputs.

    Parameters
    ----------
    study : Study
        Which.
    values : mapping
        Of its unknown inputs, by name.
    inputs : Inputs
        Files that were read already.
    records : Records
        What was run with any values.
    made : Files
        Its tables that are files.

    Attributes
    ----------
    values : mapping
        As above.
    used : set of str
        Unknown inputs that a scenario has that was read.
    """

    def __init__(
        self, study: Study, values: Mapping[str, float], inputs: Inputs, records: Records,
        made: Files,
    ) -> None:  # fmt: skip
        super().__init__(study.folder, inputs, records)
        self._unknowns, self.values, self._files = study.about.unknowns, values, made
        self.used: set[str] = set()
        self._drawn: dict[tuple[Path, int], Plan] = {}
        self._made: dict[str, pl.DataFrame] = {}

    def planned(self, path: Path, named: str) -> list[tuple[Planned, Plan]]:
        """As without values, a plan for each point: values are put behind those of a sweep."""
        points, found = self.scenario(path).points, []
        for index, name in enumerate(points.names):
            if not fnmatch.fnmatchcase(name, named):
                continue
            if (path, index) not in self._drawn:
                resolved = points[index].resolved
                self.used |= unknowns.there(resolved, self._unknowns)
                changed = unknowns.put(resolved, self._unknowns, self.values)
                scenario = Scenario.from_mapping(changed, folder=path.parent, called=str(path))
                self._drawn[path, index] = Plan(scenario, self.inputs, baseline=True)
            plan = self._drawn[path, index]
            found.append((replace(plan.points[0], name=name), plan))
        return found

    def targets(self, reading: Reading, folder: Path) -> list[Target]:
        """As without values, with these in the labels."""
        said = ", ".join(f"{name} {value:g}" for name, value in self.values.items())
        found = super().targets(reading, folder)
        return [replace(one, label=f"{one.label} ({said})", drawn_from=one.label) for one in found]

    def needed(self, reading: Reading, folder: Path) -> list[tuple[Target, Reading]]:
        """As without values, and for a table that is a file what its rows read."""
        if reading.run not in self._files.tables:
            return super().needed(reading, folder)
        rows, home = self._files.readings(reading), self._files.tables[reading.run].folder
        return [pair for one in rows for pair in self.needed(one, home)]

    def value(self, reading: Reading, folder: Path) -> Value:
        """As without values; a row that a table lacks was not run."""
        if reading.run in self._files.recorded and reading.run.endswith(FILES):
            raise NotRunError(reading.run, "no table of study.toml makes it for other values")
        try:
            return super().value(reading, folder)
        except NoRowError as error:
            raise NotRunError(reading.run, str(error)) from None

    def file(self, reading: Reading, folder: Path) -> pl.DataFrame:
        """As without values, and a table that is a file from the runs with them."""
        table = self._files.tables.get(reading.run)
        if table is None:
            return super().file(reading, folder)
        if table.file not in self._made:
            self._made[table.file] = _frame(table, self)
        if self._made[table.file].is_empty():
            raise NotRunError(table.file, "none of its runs was made")
        return self._made[table.file]


def drawn(study: Study, count: int) -> list[DrawnSources]:
    """What the claims of a study read with each of so many draws of its unknown inputs."""
    inputs, made, records = Inputs(), Files(study), Records(study.folder / FOLDER)
    return [
        DrawnSources(study, values, inputs, records, made)
        for values in unknowns.draws(study.about.unknowns, count)
    ]


def check(study: Study, used: set[str]) -> None:
    """Raise unless each unknown input is in a scenario that was read.

    Raises
    ------
    StudyError
        One is in none.
    """
    for one in study.about.unknowns:
        if one.name not in used:
            keys = "`, `".join(one.keys)
            raise StudyError(f"{study.folder}, unknown `{one.name}`: no scenario that is "
                             f"read has `{keys}`; correct `keys`.")  # fmt: skip


def _frame(table: Table, sources: Sources) -> pl.DataFrame:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([one.head for one in table.columns])
    writer.writerows(table.exact(sources))
    return pl.read_csv(io.StringIO(out.getvalue()), infer_schema_length=None)


@dataclass(frozen=True, slots=True)
class Draw:
    """What claims say with some values of unknown inputs.

    Parameters
    ----------
    values : mapping
        Value by name of the input.
    verdicts, simulated : dict
        Verdict, as a word, and what was simulated, by id of the claim.
    """

    values: Mapping[str, float]
    verdicts: dict[str, str]
    simulated: dict[str, str]


def write(study: Study, found: Sequence[tuple[Mapping[str, float], Sequence[Verdict]]]) -> Path:
    """Write ``scan.csv``: a row per draw and claim.

    What an earlier scan found of other claims stays, if it drew the same values.

    Returns
    -------
    pathlib.Path
        What was written.
    """
    path, header = study.folder / SCAN, _header(study)
    rows = {
        (*_drawn(study, number, values), one.claim.id): [shown(one.simulated), one.verdict]
        for number, (values, verdicts) in enumerate(found, 1) for one in verdicts
    }  # fmt: skip
    drawn = {key[:-1] for key in rows}
    before = list(csv.reader(io.StringIO(path.read_text("utf-8")))) if path.is_file() else []
    kept = {tuple(row[:-2]): row[-2:] for row in before[1:]} if before[:1] == [header] else {}
    if {key[:-1] for key in kept} == drawn:
        rows = kept | rows
    ordered = sorted(rows.items(), key=lambda row: int(row[0][0]))
    write_table(path, header, [[*key, *said] for key, said in ordered])
    return path


def _header(study: Study) -> list[str]:
    return ["draw", *(one.name for one in study.about.unknowns), "claim", "simulated", "verdict"]


def _drawn(study: Study, number: int, values: Mapping[str, float]) -> list[str]:
    """The beginning of the rows of a draw."""
    return [str(number), *(f"{values[one.name]:.6g}" for one in study.about.unknowns)]


def read(study: Study) -> list[Draw]:
    """The draws of ``scan.csv``; those alone that agree with the claim that the study fits.

    Raises
    ------
    StudyError
        The file is of other unknown inputs.
    """
    path = study.folder / SCAN
    if not path.is_file():
        return []
    columns = _header(study)
    names = columns[1:-3]
    remedy = f"repeat it: odonata study scan {study.name}."
    text = claims.text_of(path, remedy)
    if text.partition("\n")[0].split(",") != columns:
        raise StudyError(f"{path}: its columns are not {', '.join(columns)}; {remedy}")
    drawn: dict[str, Draw] = {}
    for place, row in claims.rows(text, path, columns, columns[:-2]):
        try:
            values = {name: float(row[name]) for name in names}
        except ValueError:
            raise StudyError(f"{place}: an input is no number; {remedy}") from None
        one = drawn.setdefault(row["draw"], Draw(values, {}, {}))
        one.verdicts[row["claim"]] = row["verdict"]
        one.simulated[row["claim"]] = row["simulated"]
    fit = study.about.fit
    return [one for one in drawn.values() if not fit or one.verdicts.get(fit) == AGREES]


@dataclass(frozen=True, slots=True)
class Region:
    """Where in the ranges of unknown inputs something holds.

    Parameters
    ----------
    text : str
        Such as ``with bias above 640 flits``; empty if there is no such region.
    holding, count : int
        Draws in it, and how many of them hold.
    """

    text: str
    holding: int
    count: int


def region(inputs: Sequence[Unknown], draws: Sequence[tuple[Mapping[str, float], bool]]) -> Region:
    """The largest part of the ranges in which nearly all draws hold, cut by one input.

    Examples
    --------
    >>> bias = Unknown(name="bias", about="", keys=(), low=0, high=10, unit="flits")
    >>> found = region([bias], [({"bias": float(at)}, at > 4) for at in range(1, 11)])
    >>> found.text, found.holding, found.count
    ('with bias above 4.5 flits', 6, 6)
    """
    parts = [Region("over all of their ranges", sum(holds for _, holds in draws), len(draws))]
    for one in inputs:
        at = sorted(draws, key=lambda draw: draw[0][one.name])
        for cut in range(1, len(at)):
            low, high = at[cut - 1][0][one.name], at[cut][0][one.name]
            middle = f"{(low * high) ** 0.5 if one.law == unknowns.LOG else (low + high) / 2:.3g}"
            for side, part in (("below", at[:cut]), ("above", at[cut:])):
                text = f"with {one.name} {side} {middle} {one.unit}".strip()
                parts.append(Region(text, sum(holds for _, holds in part), len(part)))
    least = max(_LEAST_DRAWS, _LEAST_SHARE * len(draws))
    good = [one for one in parts if one.count >= least and one.holding >= _HOLDS * one.count]
    return max(good, key=lambda one: (one.count, one.holding), default=Region("", 0, 0))


def scanned(study: Study, draws: Sequence[Draw], ids: Sequence[str]) -> Scanned:
    """Where claims of a study all agree, among draws in which all of them were judged."""
    judged = [one for one in draws if all(one.verdicts.get(id_, NOT_RUN) != NOT_RUN for id_ in ids)]
    held = [(one.values, all(one.verdicts[id_] == AGREES for id_ in ids)) for one in judged]
    where = region(study.about.unknowns, held)
    part = "" if where.holding == where.count else f", {where.holding} of {where.count} draws there"
    return Scanned(
        draws=len(held),
        holding=sum(holds for _, holds in held),
        region=where.text + part,
        surrounds=all(_surround(judged, one) for one in study.claims if one.id in ids),
    )


def _surround(draws: Sequence[Draw], claim: Claim) -> bool:
    """Whether a draw agrees with a claim, or draws lie on both sides of its number."""
    if any(one.verdicts[claim.id] == AGREES for one in draws):
        return True
    try:
        published = float(claim.published)
        above = {float(one.simulated[claim.id].replace(",", "")) > published for one in draws}
    except ValueError:  # several numbers, or another relation
        return False
    return claim.relation == "value" and len(above) > 1
