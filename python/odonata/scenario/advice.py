"""What ``odonata advise`` is asked: the table ``[advise]`` of a scenario.

The candidates are the combinations of its ``[sweep]``. The table does not change any run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from odonata.core.errors import suggestion
from odonata.scenario.document import Document, Key, dotted, split_dotted
from odonata.scenario.fields import Field, read_table

ADVISE = "advise"

SLOWDOWN, COMM_TIME, ITERATION_TIME, PACKET_LATENCY, MAKESPAN, FAIRNESS = QUANTITIES = (
    "slowdown", "comm_time", "iteration_time", "packet_latency", "makespan", "fairness",
)  # fmt: skip
"""What can be compared; of each job but for the last two, which are of the whole mix."""

STATISTICS = ("mean", "p50", "p95", "p99", "max")
LOWEST, HIGHEST = DIRECTIONS = ("lowest", "highest")

_WHICH = (
    Field("quantity", "choice", "what is compared", choices=QUANTITIES),
    Field("job", "text", "whose; default: all that have it, their geometric mean", default=None),
    Field("statistic", "choice", "mean, quantile or maximum: of ranks, iterations or packets",
          default="mean", choices=STATISTICS),
)  # fmt: skip

OBJECTIVE = (
    *_WHICH,
    Field("direction", "choice", "which end is best; default: the lowest, of fairness the highest",
          default=None, choices=DIRECTIONS),
)  # fmt: skip
"""Keys of an objective."""

CONDITION = (
    Field("quantity", "choice", "what may not get much worse", choices=QUANTITIES,
          default=COMM_TIME),
    Field("job", "text", "whose; default: each job that has it, one by one", default=None),
    _WHICH[2],
    Field("worse_by_at_most", "share", "how much worse than in the base case it may be",
          maximum=10_000_000),
)  # fmt: skip
"""Keys of a condition."""

FIELDS = (
    Field("objective", "table", "what is compared: a quantity, a table, or a list of two tables",
          default=None),
    Field("difference", "share", "difference that does not matter", default=20_000, minimum=1_000,
          maximum=500_000),
    Field("confidence", "share", "probability with which the answer is right", default=950_000,
          minimum=500_001, maximum=999_999),
    Field("conditions", "list", "what a candidate must keep to, as tables", default=None,
          rows=CONDITION, owner="a condition"),
    Field("fixed", "list", "swept keys that keep the value of the scenario", default=None),
    Field("first_seeds", "count", "seeds of every candidate before the first one is dropped",
          default=6, minimum=3, maximum=1000),
    Field("most_seeds", "count", "seeds after which the race ends in any case", default=200,
          minimum=3, maximum=10_000),
)  # fmt: skip
"""Keys of ``[advise]``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """A number of a run.

    Parameters
    ----------
    quantity : str
        One of :data:`QUANTITIES`.
    job : str or None
        Whose; ``None``: of all jobs that have it.
    statistic : str
        One of :data:`STATISTICS`.
    direction : str
        Which end is best.
    worse_by_at_most : float or None
        Of a condition: share by which it may be worse than in the base case.
    key : Key
        Where it is asked for.
    """

    quantity: str
    job: str | None = None
    statistic: str = "mean"
    direction: str = LOWEST
    worse_by_at_most: float | None = None
    key: Key = (ADVISE,)

    @property
    def name(self) -> str:
        """What it is, in words."""
        whose = f" of {self.job}" if self.job else ""
        which = "" if self.statistic == "mean" else f" ({self.statistic})"
        return f"{NAMES[self.quantity]}{which}{whose}"


NAMES = {
    SLOWDOWN: "slowdown",
    COMM_TIME: "communication time",
    ITERATION_TIME: "time of an iteration",
    PACKET_LATENCY: "packet latency",
    MAKESPAN: "makespan",
    FAIRNESS: "fairness",
}
"""Quantities in words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """What is asked.

    Parameters
    ----------
    objectives : tuple of Wish
        One or two; empty: the default of the scenario.
    conditions : tuple of Wish
        What candidates must keep to.
    fixed : tuple of Key
        Swept keys that keep the value of the scenario.
    difference : float
        That does not matter, as a share.
    error : float
        Probability with which the answer may be wrong.
    first, most : int
        Seeds.
    """

    objectives: tuple[Wish, ...]
    conditions: tuple[Wish, ...]
    fixed: tuple[Key, ...]
    difference: float
    error: float
    first: int
    most: int


def read(document: Document) -> Advice:
    """The table ``[advise]`` of a scenario; defaults where it has none.

    Raises
    ------
    ScenarioError
        Says what is wrong with it, and where.
    """
    table = document.data.get(ADVISE, {})
    given = table.get("objective") if isinstance(table, dict) else None
    plain = {**table, "objective": {}} if isinstance(given, str | list) else table
    values = read_table(plain, FIELDS, document, (ADVISE,), owner=f"[{ADVISE}]")
    if values["most_seeds"] < values["first_seeds"]:
        raise document.error(
            (ADVISE, "most_seeds"), "these are fewer than `first_seeds`; raise it."
        )
    return Advice(
        objectives=_objectives(given, document),
        conditions=tuple(
            _wish(condition, document, (ADVISE, "conditions", index))
            for index, condition in enumerate(values.get("conditions", ()))
        ),
        fixed=_fixed(values.get("fixed", ()), document),
        difference=values["difference"] / 1e6,
        error=1.0 - values["confidence"] / 1e6,
        first=values["first_seeds"],
        most=values["most_seeds"],
    )


_OBJECTIVE: Key = (ADVISE, "objective")


def _objectives(given: object, document: Document) -> tuple[Wish, ...]:
    if given is None:
        return ()
    if isinstance(given, str):
        given = {"quantity": given}
    several = given if isinstance(given, list) else [given]
    if not 1 <= len(several) <= 2:
        raise document.error(_OBJECTIVE, "give one objective, or two to see the Pareto set.")
    found = []
    for index, entry in enumerate(several):
        key: Key = (*_OBJECTIVE, index) if isinstance(given, list) else _OBJECTIVE
        plain = {"quantity": entry} if isinstance(entry, str) else entry
        values = read_table(plain, OBJECTIVE, document, key, owner="an objective")
        found.append(_wish(values, document, key))
    return tuple(found)


def _wish(values: Mapping[str, Any], document: Document, key: Key) -> Wish:
    quantity, job, statistic = values["quantity"], values.get("job"), values["statistic"]
    if quantity in (MAKESPAN, FAIRNESS):
        for name, default in (("job", None), ("statistic", "mean")):
            if values.get(name, default) != default:
                raise document.error(
                    (*key, name), f"{NAMES[quantity]} is of the whole mix; leave this out."
                )
    at_most = values.get("worse_by_at_most")
    return Wish(
        quantity=quantity, job=job, statistic=statistic,
        direction=values.get("direction") or (HIGHEST if quantity == FAIRNESS else LOWEST),
        worse_by_at_most=None if at_most is None else at_most / 1e6, key=key,
    )  # fmt: skip


def _fixed(given: Sequence[object], document: Document) -> tuple[Key, ...]:
    """Keys that must be swept: others are fixed anyway, and a misspelt one would say nothing."""
    sweep = document.data.get("sweep")
    swept = list(sweep) if isinstance(sweep, dict) else []
    by_key = {dotted(split_dotted(name)): name for name in swept}
    found = []
    for index, name in enumerate(given):
        place: Key = (ADVISE, "fixed", index)
        if not isinstance(name, str):
            raise document.error(place, "a key in quotes is expected.")
        key = split_dotted(name)
        if dotted(key) not in by_key:
            raise document.error(place, f"`{name}` is not swept.{suggestion(name, swept)}")
        found.append(key)
    return tuple(found)
