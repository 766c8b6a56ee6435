"""Finished tasks by key, wherever they are: one store that is put into, read from and compacted.

What returns is held in memory until the results of its points are written, or appended to a log.
The tasks of a large campaign go from the log into parts, hundreds at a time, which costs hardly
more than a folder with the files of a single run. What an earlier campaign has left in any of these
places is found in the same way.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from odonata.campaign.plan import Plan
from odonata.campaign.task import Done
from odonata.campaign.work import INTERRUPTED
from odonata.results import Result
from odonata.results.archive import Archive
from odonata.results.packed_parts import Item
from odonata.results.run import Unpacked
from odonata.results.store.log import LOG, Log, Place

_MOST_BYTES = 16 << 20
"""Of the tables that are packed at once."""


class Tasks:
    """The finished tasks of campaigns that follow each other; see :meth:`open`.

    Parameters
    ----------
    store : pathlib.Path, optional
        Folder of a log that other campaigns share; by default it is beside the results and goes
        when everything in it is among them.
    """

    def __init__(self, store: Path | None = None) -> None:
        self._store = store
        self._held: dict[str, Done] = {}
        self.made: set[str] = set()
        self.log: Log | None = None

    def open(self, plan: Plan, archive: Archive, *, packs: bool) -> None:
        """Begin a campaign.

        Parameters
        ----------
        plan : Plan
            Its tasks.
        archive : Archive
            Where its results are; everything has been admitted.
        packs : bool
            Whether tasks become parts.

        Raises
        ------
        RunError
            The log cannot be read or made.
        """
        self._plan = plan
        self._archive = archive
        self._waiting: dict[str, int] = {}
        self._bytes = 0
        self._scenarios: dict[int, str] = {}
        self._held = {key: one for key, one in self._held.items() if one.stop != INTERRUPTED}
        folder = archive.directory
        self.log = None
        if self._store is not None:
            self._store.parent.mkdir(parents=True, exist_ok=True)
            self.log = Log(self._store)
        elif folder is not None:
            self.log = Log(folder / LOG)
        self._packs = packs and folder is not None
        self.look(plan)

    def look(self, keys: Iterable[str]) -> None:
        """See which of these tasks the log has; what is damaged is not there any more."""
        if self.log is not None:
            for key in keys:
                self.log.read(key)
                self._wait(key)

    def _wait(self, key: str) -> None:
        """Let a task that only the log has go into the next part."""
        is_new = key not in self._waiting and not self._archive.has(key)
        if self._packs and is_new and self.log is not None and key in self.log:
            self._waiting[key] = self.log.length(key)
            self._bytes += self._waiting[key]

    def __contains__(self, key: str) -> bool:
        """Whether a task has returned, now or earlier."""
        return key in self._held or self._archive.has(key) or self._is_logged(key)

    def _is_logged(self, key: str) -> bool:
        return self.log is not None and key in self.log

    def are_packed(self, keys: Iterable[str]) -> bool:
        """Whether these tasks are in parts or will be."""
        return self._packs and all(
            key in self._archive.packs.packed or self._is_logged(key) for key in keys
        )

    def get(self, key: str) -> Result | None:
        """What a task has returned, without isolated runs, to compare with them; ``None``: nothing.

        Raises
        ------
        RunError
            It is damaged.
        """
        done = self._held.get(key)
        if done is None and (found := self._archive.find(key)):
            return found
        done = done or self._logged(key)
        if done is None:
            return None
        if key in self._waiting:  # it is not read again
            self._held[key] = done
        return Result(
            summary={**done.summary, "jobs": [dict(job) for job in done.summary["jobs"]]},
            scenario=self._plan.resolved(key)[0],
            source=Unpacked(done.packed),
            stall=done.stall,
            run_hash=key,
        )

    def _logged(self, key: str) -> Done | None:
        data = None if self.log is None else self.log.read(key)
        try:
            done = None if data is None else Done.decoded(data)
        except (ValueError, KeyError, TypeError, IndexError):
            return None
        if done is not None:  # of another campaign in the same store it may have another name
            done.summary["name"] = self._plan.scenario.name
        return done

    def put(self, key: str, found: Done | Place) -> None:
        """Have what a task has returned, or where another process has appended it.

        Raises
        ------
        RunError
            It cannot be written.
        """
        self.made.add(key)
        if isinstance(found, Done):
            self._held[key] = found
        elif self.log is not None:
            self.log.add(key, found)
            self._wait(key)
        if self._packs:
            self.settle(key)
        if self._bytes >= _MOST_BYTES:
            self.compact()

    def settle(self, key: str) -> None:
        """Let the disk have a task that has been put, and memory let go of it; parts do so later.

        Raises
        ------
        RunError
            It cannot be written.
        """
        done = self._held.get(key)
        if done is None or done.stop == INTERRUPTED or self.log is None or key in self._waiting:
            return
        if self._store is not None or not self._archive.has(key):
            self.log.append(key, done.encoded())
        self._wait(key)
        if key not in self._waiting:
            del self._held[key]

    def compact(self) -> None:
        """Let tasks that only the log has become parts.

        Raises
        ------
        RunError
            They cannot be written.
        """
        while self._waiting and self.log is not None:
            keys, size = [], 0
            while self._waiting and size < _MOST_BYTES:
                key = next(iter(self._waiting))
                size += self._waiting.pop(key)
                keys.append(key)
            read = ((key, self._held.pop(key, None) or self._logged(key)) for key in keys)
            items = [self._item(key, done) for key, done in read if done is not None]
            if items:
                self._archive.put_part(items)
            if self._store is None:
                self.log.forget([item.key for item in items])
            self._bytes -= size

    def _item(self, key: str, done: Done) -> Item:
        resolved, variant = self._plan.resolved(key)
        if variant not in self._scenarios:  # the seed is in the summary
            self._scenarios[variant] = json.dumps({**resolved, "seed": None}, ensure_ascii=False)
        summary = json.dumps(done.summary, ensure_ascii=False, separators=(",", ":"))
        return Item(key, done.stop, summary, self._scenarios[variant], done.stall, done.packed)

    def close(self) -> None:
        """Bring the log to the disk."""
        if self.log is not None:
            self.log.close()

    def finish(self) -> None:
        """The same; a log beside the results goes if these have all that is in it."""
        self.close()
        if self.log is None or self._store is not None:
            return
        if all(self._archive.has(key) for key in self.log):
            self.log.remove()
