"""Finished tasks of a large campaign on their way from the log into parts.

Executors append what they finish to a log. Hundreds of tasks at a time become one part, which costs
hardly more than a folder with the files of a single run; the log then lets go of them.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from odonata.campaign import rows
from odonata.campaign.plan import Plan, Planned
from odonata.campaign.task import taken_apart
from odonata.results import Result, summaries
from odonata.results.archive import Archive
from odonata.results.packed_parts import Item
from odonata.results.packed_runs import PackedRuns
from odonata.results.store.log import Log

PACKS_FROM = 200
"""Runs of a sweep from which on they are packed: of more nobody looks at single folders."""

_MOST_BYTES = 16 << 20
"""Of the tables that are packed at once."""

_EVERY_S = 10.0
_TIMES_COST = 400.0
"""Seconds between two parts: at least so many, and so many times the processor time of the last
one; what is finished can be looked at then, also of a campaign that goes on."""


class Packing:
    """Tasks that are not in a part yet, and runs that wait for it.

    Parameters
    ----------
    plan : Plan
        Tasks of the campaign.
    log : Log
        Where they are.
    archive : Archive
        Where parts go.
    is_ours : bool
        Whether the log may let go of what is packed.
    """

    def __init__(self, plan: Plan, log: Log, archive: Archive, *, is_ours: bool) -> None:
        self._plan = plan
        self._log = log
        self._archive = archive
        self._is_ours = is_ours
        self._keys: list[str] = []
        self._bytes = 0
        self._runs: list[Planned] = []
        self._summaries: dict[str, dict[str, Any]] = {}
        self._uses = Counter(key for planned in plan.points for key in planned.alone.values())
        self._scenarios: dict[int, str] = {}
        self._places: dict[int, tuple[str, Mapping[str, str]]] = {}
        self._next_time = time.monotonic() + _EVERY_S
        for key in plan:
            if key in log and not archive.has(key):
                self.add(key)

    @property
    def is_due(self) -> bool:
        """Whether it is time for a part."""
        return self._bytes >= _MOST_BYTES or time.monotonic() > self._next_time

    @property
    def has_work(self) -> bool:
        """Whether anything waits for a part."""
        return bool(self._keys or self._runs)

    @property
    def packed(self) -> PackedRuns:
        """The runs that are packed."""
        names = {self._plan.points[index].name: self._places[index] for index in self._places}
        return PackedRuns(self._archive.packed, names)

    def add(self, key: str) -> None:
        """A task that the log has."""
        self._keys.append(key)
        self._bytes += self._log.length(key)

    def run(self, planned: Planned) -> None:
        """All tasks of a run that can be had are there."""
        self._runs.append(planned)

    def pack(self) -> Iterator[tuple[Planned, dict[str, Any]]]:
        """Make a part; the runs that are whole by it, with their rows in the index.

        Raises
        ------
        RunError
            It cannot be written.
        """
        begun = time.process_time()
        while self._keys:
            self._pack(self._next())
        for planned in self._runs:
            row = self._row(planned)
            if row is not None:
                yield planned, row
        self._runs = []
        cost = _TIMES_COST * (time.process_time() - begun)
        self._next_time = time.monotonic() + max(_EVERY_S, cost)

    def _next(self) -> list[str]:
        """Keys of the next part."""
        size = count = 0
        for key in self._keys:
            size += self._log.length(key) if key in self._log else 0
            count += 1
            if size >= _MOST_BYTES:
                break
        keys, self._keys = self._keys[:count], self._keys[count:]
        self._bytes = max(0, self._bytes - size)
        return keys

    def _pack(self, keys: list[str]) -> None:
        items = [
            self._item(key, data) for key, data in self._log.read_many(keys) if data is not None
        ]
        if items:
            self._archive.put_part(items)
        if self._is_ours:
            self._log.forget([item.key for item in items])

    def _item(self, key: str, data: bytes) -> Item:
        text, stall, tables = taken_apart(data)
        summary = json.loads(text)
        if summary["name"] != self._plan.scenario.name:
            # Of another campaign in the same store.
            summary["name"] = self._plan.scenario.name
            text = json.dumps(summary, ensure_ascii=False, separators=(",", ":"))
        self._summaries[key] = summary
        return Item(key, summary["stop"], text, self._scenario(key), stall or None, tables)

    def _scenario(self, key: str) -> str:
        """Resolved scenario of a task, but for its seed, which is in the summary."""
        resolved, variant = self._plan.resolved(key)
        if variant not in self._scenarios:
            self._scenarios[variant] = json.dumps({**resolved, "seed": None}, ensure_ascii=False)
        return self._scenarios[variant]

    def _row(self, planned: Planned) -> dict[str, Any] | None:
        """Row of a run in the index; ``None`` if it is damaged."""
        summary = self._summary(planned.key)
        if summary is None:
            return None
        point = self._plan.scenario.points[planned.index]
        alone: dict[str, str] = {}
        for job, key in planned.alone.items():
            self._uses[key] -= 1
            isolated = self._summary(key) if summary["stop"] != "stalled" else None
            if isolated is not None:
                summaries.compare(summary, job, isolated)
                alone[job] = key
            if self._uses[key] <= 0:
                self._summaries.pop(key, None)
        self._summaries.pop(planned.key, None)
        self._places[planned.index] = (planned.key, alone)
        return rows.index_row(point, Result(summary))

    def _summary(self, key: str) -> dict[str, Any] | None:
        found = self._summaries.get(key)
        if found is None and key in self._archive.packed:
            found = self._archive.packed.find(key).summary
        return found
