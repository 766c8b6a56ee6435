"""Where an experiment keeps its runs: on disk or in memory, and what is there from earlier.

A run is known by the hash of what decides its outcome, the engine included. What is there under the
same hash and complete is kept and not run again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import polars as pl

from odonata.core import native
from odonata.core.errors import RunError
from odonata.results import packed_parts, store, sweep
from odonata.results.packed_parts import Item
from odonata.results.packed_runs import PLACES, PackedRuns, of_task, packed_runs
from odonata.results.run import Result, understood
from odonata.results.store import Folder, Manifest
from odonata.results.summaries import SUMMARY
from odonata.results.sweep import BASELINE

INTERRUPTED = "interrupted"
_STALLED = "stalled"


class Archive:
    """Runs of one experiment; see :func:`opened`.

    Parameters
    ----------
    folder : Folder or None
        Where they are kept; ``None``: in memory only.
    name : str
        Of the scenario.
    is_sweep : bool
        Whether it has several runs.
    """

    def __init__(self, folder: Folder | None, name: str, *, is_sweep: bool) -> None:
        self._folder = folder
        self._name = name
        self._stored: dict[str, Manifest] = {}
        self._asked: set[str] = set()
        self._keys: set[str] = set()
        self._finished: dict[str, Path] = {}
        self._is_same = True
        self.packs = PackedRuns()
        if folder is None:
            return
        here = folder.place("")
        if folder.kind not in (None, "sweep" if is_sweep else "run"):
            self._refuse_other("results of another scenario")
        for place, manifest in folder.manifests().items():
            if manifest.kind == "run":
                self._stored["" if place == here else place.name] = manifest
        with understood(here):
            self.packs = packed_runs(here)

    @property
    def directory(self) -> Path | None:
        """Folder in which the runs are now."""
        return self._folder.place("") if self._folder is not None else None

    def admit(
        self, name: str, run_hash: str, scenario_hash: Callable[[str], str],
        alone: Mapping[str, str], *, packs: bool = False,
    ) -> None:  # fmt: skip
        """Make room for a run before anything runs.

        Parameters
        ----------
        name : str
            Of the run; empty outside of a sweep.
        run_hash : str
            What decides its outcome, with the engine.
        scenario_hash : callable
            From that, the same without the engine.
        alone : mapping
            Hash of the isolated run of each victim.
        packs : bool
            Whether it gets no folder of its own.

        Raises
        ------
        RunError
            Its name is too long for the file system, or another run has it.
        """
        if self._folder is None:
            return
        if not packs:
            self._folder.check_names(name, [f"{BASELINE}{job}" for job in alone])
        self._asked.add(name)
        self._keys |= {run_hash, *alone.values()}
        about = self._there(name)
        if about is None or about["hash"] == run_hash:
            return
        is_same = about["scenario_hash"] == scenario_hash(run_hash)
        self._refuse_other(f"results of another engine ({about['engine']})" if is_same
                           else f"results of another scenario ({about['name']})")  # fmt: skip

    def _there(self, name: str) -> dict[str, Any] | None:
        """What is there under the name of a run: whose it is, and by which engine."""
        if name in self._stored:
            manifest = self._stored[name]
            about = {key: manifest.about.get(key) for key in ("scenario_hash", "engine", "name")}
            return about | {"hash": manifest.run().get("hash")}
        if name in self.packs:
            key, _ = self.packs.runs[name]
            return self.packs.packed.find(key).summary | {"hash": key, "engine": "an earlier one"}
        return None

    def begin(
        self, *, is_sweep: bool, may_come: Callable[[str], bool] = lambda _: False
    ) -> None:  # fmt: skip
        """Everything that is wanted has been admitted; look at what is there.

        Parameters
        ----------
        is_sweep : bool
            Whether there are several runs.
        may_come : callable
            Whether a run of that name may be admitted later; by default none.

        Raises
        ------
        RunError
            There is something else, too, or what is there is damaged.
        """
        if self._folder is None:
            return
        others = (self._stored.keys() | self.packs.runs.keys()) - self._asked
        others = {name for name in others if not may_come(name)}
        if others:
            self._refuse_other(f"runs that this scenario does not have ({min(others)})")
        elif any(key not in self._keys for key in self.packs.packed):
            self._refuse_other("runs that this scenario does not have")
        if not self._is_same:
            self._folder.discard()
            self._stored, self.packs = {}, PackedRuns()
        for place, manifest in self._folder.manifests().items():
            if self._is_as_written(place, manifest, replaces=self._folder.replaces):
                self._index_finished(place, manifest)
        if is_sweep:
            self._folder.begin_sweep({"name": self._name, "engine": native.ENGINE})

    def _refuse_other(self, what: str) -> None:
        """Refuse what is there, or give it up where it may be replaced."""
        assert self._folder is not None  # noqa: S101 - only folders can differ
        if not self._folder.replaces:
            raise RunError(
                f"{self._folder.directory} holds {what}; nothing was run. Give --out another "
                "folder, or --overwrite to replace them."
            )
        self._is_same = False

    @staticmethod
    def _is_as_written(place: Path, manifest: Manifest, *, replaces: bool) -> bool:
        changed = store.changed(place, manifest)
        if changed and not replaces:
            raise RunError(
                f"{place / changed[0]} is missing or has changed since Odonata wrote it; nothing "
                "was run. Give --overwrite to run everything again and replace it, or --out "
                "another folder."
            )
        return not changed

    def _index_finished(self, place: Path, manifest: Manifest) -> None:
        for part in manifest.about.get("runs", {}):
            entry = manifest.run(part)
            if entry.get("stop") not in (None, INTERRUPTED):
                self._finished.setdefault(str(entry.get("hash")), place / part)

    def has(self, run_hash: str) -> bool:
        """Whether a complete run is there."""
        return run_hash in self._finished or run_hash in self.packs.packed

    def has_folder(self, name: str) -> bool:
        """Whether a run has a folder of its own."""
        return name in self._stored

    def find(self, run_hash: str) -> Result | None:
        """A complete run from earlier, without its isolated runs.

        Raises
        ------
        RunError
            It is damaged.
        """
        if run_hash in self.packs.packed:
            return of_task(self.packs.packed.find(run_hash), run_hash)
        if run_hash not in self._finished:
            return None
        result = sweep.load_run(self._finished[run_hash])
        result.baselines = {}
        result.run_hash = run_hash
        return result

    def kept(self, name: str, run_hash: str, alone: Mapping[str, str]) -> Result | None:
        """A run from earlier with which nothing is left to do.

        Parameters
        ----------
        name : str
            Of the run; empty outside of a sweep.
        run_hash : str
            Its hash.
        alone : mapping
            Hash of the isolated run of each victim.

        Returns
        -------
        Result or None
            With all its isolated runs; ``None`` if something is missing.

        Raises
        ------
        RunError
            It is damaged.
        """
        there = self._stored.get(name)
        if self._folder is None or there is None or run_hash not in self._finished:
            return None
        wanted = {} if there.run().get("stop") == _STALLED else alone
        for job, one in wanted.items():
            entry = there.run(f"{BASELINE}{job}")
            if entry.get("hash") != one or one not in self._finished:
                return None
        return sweep.load_run(self._folder.place(name))

    def put(self, name: str, result: Result) -> None:
        """Store a run; nothing partial takes the place of something complete.

        Raises
        ------
        RunError
            It cannot be written.
        """
        if self._folder is None:
            return
        parts = {"": result, **{f"{BASELINE}{job}": one for job, one in result.baselines.items()}}
        there = self._folder.place(name)
        partial = any(one.stop == INTERRUPTED for one in parts.values())
        if partial and self._finished.get(result.run_hash) == there:
            return
        about = {
            "name": self._name,
            "odonata_version": native.VERSION,
            "engine": native.ENGINE,
            "scenario_hash": result.summary["scenario_hash"],
            "runs": {part: {"hash": one.run_hash, "stop": one.stop} for part, one in parts.items()},
        }
        self._folder.put(there, "run", lambda folder: sweep.write_files(result, folder), about)
        sweep.release(result, there)
        for part, one in parts.items():
            if one.stop != INTERRUPTED:
                self._finished[one.run_hash] = there / part

    def put_part(self, items: Sequence[Item]) -> None:
        """Store several tasks in one part.

        Raises
        ------
        RunError
            They cannot be written.
        """
        if self._folder is not None:
            place = self._folder.new_part()
            self._folder.put(place, "part", lambda folder: packed_parts.write(items, folder), {})
            self.packs.packed.add(place)

    def put_index(self, index: pl.DataFrame, summary: bytes | None = None) -> None:
        """Store the index of a sweep, with what packed runs are made of.

        Raises
        ------
        RunError
            It cannot be written.
        """
        if self._folder is None:
            return
        # Whoever reads the index finds what the packed runs are made of.
        places = {PLACES: sweep.index_bytes(self.packs.frame())} if self.packs.runs else {}
        about = {} if summary is None else {SUMMARY: summary}
        self._folder.put_about({**places, sweep.INDEX: sweep.index_bytes(index), **about})

    def complete(self) -> None:
        """Nothing is missing: let it take the place of what it replaces.

        Raises
        ------
        RunError
            It cannot be moved.
        """
        if self._folder is not None:
            self._folder.promote()


@contextmanager
def opened(
    out: Path | None, name: str, *, is_sweep: bool, overwrite: bool = False
) -> Iterator[Archive]:
    """Archive of an experiment; its folder is this process's alone meanwhile.

    Parameters
    ----------
    out : pathlib.Path or None
        The folder; ``None``: results stay in memory.
    name : str
        Of the scenario.
    is_sweep : bool
        Whether it has several runs.
    overwrite : bool
        Whether results of other runs may be replaced.

    Yields
    ------
    Archive
        Knows what is there.

    Raises
    ------
    RunError
        The folder cannot be written, is in use, or holds something else.
    """
    if out is None:
        yield Archive(None, name, is_sweep=is_sweep)
        return
    with store.held(out, overwrite=overwrite) as folder:
        yield Archive(folder, name, is_sweep=is_sweep)
