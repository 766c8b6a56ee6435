"""Tracks of a timeline: a process for each job, a thread for each rank, counters for links."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

_LINKS = 1
"""Process of the links."""

_JOB = 1_000_000
"""Processes of jobs have numbers this far apart; ranks, their threads, lie between."""


@dataclass(slots=True)
class Tracks:
    """Numbers and descriptions of tracks, made when they are asked for.

    Parameters
    ----------
    jobs : list of str
        Names, in order.
    """

    jobs: list[str]
    _made: dict[tuple[object, ...], dict[str, Any]] = field(default_factory=dict)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """Fields of the descriptor of each track, parents first."""
        return iter(self._made.values())

    def job(self, job: str) -> int:
        """Process of a job."""
        pid = _JOB * (1 + self.jobs.index(job))
        return self._track(("job", job), process={"pid": pid, "process_name": job})

    def rank(self, job: str, rank: int) -> int:
        """Thread of a rank."""
        self.job(job)
        pid = _JOB * (1 + self.jobs.index(job))
        thread = {"pid": pid, "tid": pid + 1 + rank, "thread_name": f"rank {rank}"}
        return self._track(("rank", job, rank), thread=thread)

    def flows(self, job: str, rank: int, name: str) -> int:
        """What a rank sends or receives, below its thread."""
        parent = self.rank(job, rank)
        return self._track(("flows", job, rank, name), name=name, parent_uuid=parent)

    def of_job(self, job: str, name: str, unit: str) -> int:
        """A counter of a job."""
        parent = self.job(job)
        return self._track(
            ("counter", job, name), name=name, parent_uuid=parent, counter={"unit_name": unit}
        )

    def link(self, name: str, unit: str) -> int:
        """A counter of a link."""
        process = {"pid": _LINKS, "process_name": "links"}
        parent = self._track(("links",), process=process)
        return self._track(
            ("link", name), name=name, parent_uuid=parent, counter={"unit_name": unit}
        )

    def _track(self, key: tuple[object, ...], **fields: object) -> int:
        made = self._made.setdefault(key, {"uuid": len(self._made) + 1, **fields})
        uuid: int = made["uuid"]
        return uuid
