"""A folder of results that this process writes.

New files are gathered in a hidden folder and brought to the disk; one rename makes them count.
Where an older result is in the way, the two folders change places in one step. Where that cannot be
(files of others among the old ones, another file system, a folder in which somebody is), the rename
makes ``.odonata-next``: from then on the new result is the one that counts, and whoever comes next
moves its files into place if this process could not.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import shutil
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from odonata.core import files
from odonata.core.errors import RunError
from odonata.results.store import log
from odonata.results.store import manifest as lists
from odonata.results.store.exchange import exchanged
from odonata.results.store.lock import HOLDER, LOCK, locked, uninterrupted
from odonata.results.store.manifest import MANIFEST, PARTS, REPORT_MANIFEST, RUNS, Manifest

NEXT = ".odonata-next"
PARTIAL = ".odonata-partial"
INCOMING = ".odonata-incoming-"
_BESIDE = ".odonata-"
UNFINISHED = "unfinished"
"""Folder of what is to replace a result and is not complete yet."""

_HIDDEN = (LOCK, HOLDER, NEXT, PARTIAL, log.LOG)
_LAST = ("summary.json", "index.parquet", MANIFEST)
"""Files that come last: a folder that has them is whole."""

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_LONGEST_INSIDE = 240
"""Bytes of the longest path of a file in the folder of a run, without names of jobs."""


class Folder:
    """Results that this process writes; see :func:`held`.

    Parameters
    ----------
    directory : pathlib.Path
        Where they are.
    overwrite : bool
        Whether they may replace what other runs have left there.
    """

    def __init__(self, directory: Path, *, overwrite: bool) -> None:
        self.directory = directory
        self._here = _identity(directory)
        _clean(directory)
        self._manifest = lists.read(directory)
        _refuse_foreign(directory, self._manifest)
        self.replaces = overwrite and self._manifest is not None
        self._base = directory / UNFINISHED if self.replaces else directory
        if self.replaces:
            _clean(self._base)
            self._manifest = lists.read(self._base)

    @property
    def kind(self) -> str | None:
        """``run`` or ``sweep``; ``None`` where nothing is yet."""
        return self._manifest.kind if self._manifest is not None else None

    def place(self, name: str) -> Path:
        """Folder of a run of a sweep; of the run itself if `name` is empty."""
        return self._base / RUNS / name if name else self._base

    def new_part(self) -> Path:
        """Folder of one more part that holds several runs of a sweep."""
        return self._base / PARTS / secrets.token_hex(8)

    def manifests(self) -> dict[Path, Manifest]:
        """Manifest of the run, or of every run and part of the sweep, by its folder.

        Raises
        ------
        RunError
            One of them is damaged.
        """
        if self._manifest is None:
            return {}
        if self._manifest.kind != "sweep":
            return {self._base: self._manifest}
        each = [(leaf, lists.read(leaf)) for leaf in lists.leaves(self._base)]
        return {leaf: found for leaf, found in each if found is not None}

    def discard(self) -> None:
        """Remove what an earlier, unfinished replacement has left.

        Raises
        ------
        RunError
            It cannot be removed.
        """
        if self.replaces:
            with explained(self.directory):
                log.remove(self._base / log.LOG)
                lists.remove_all(self._base)
                self._manifest = None

    def check_names(self, name: str, jobs: list[str]) -> None:
        """Refuse a run whose folders the file system cannot have.

        Parameters
        ----------
        name : str
            Of the run; empty outside of a sweep.
        jobs : list of str
            Folders in it.

        Raises
        ------
        RunError
            A name or path is too long, or somebody else's files are in the way.
        """
        longest_name, longest_path = _limits(self.directory)
        place = self.place(name)
        for part in (name, *jobs):
            if len(os.fsencode(part)) > longest_name:
                raise RunError(
                    f"{self.directory}: the file system allows names of {longest_name} bytes, "
                    f"and `{part[:60]}...` has {len(os.fsencode(part))}; choose shorter names of "
                    "jobs."
                )
        length = len(os.fsencode(place.absolute())) + max((len(os.fsencode(job)) for job in jobs),
                                                          default=0)  # fmt: skip
        if length + _LONGEST_INSIDE > longest_path:
            raise RunError(
                f"{place}: the path is too long for the file system ({longest_path} bytes); "
                "choose a shorter one with --out."
            )
        if name and lists.read(place) is None and place.exists() and any(place.iterdir()):
            raise RunError(f"{place} holds files that Odonata has not written; move them away.")

    def begin_sweep(self, about: dict[str, Any]) -> None:
        """Say that this is the folder of a sweep, before its first run.

        Raises
        ------
        RunError
            It cannot be written.
        """
        if self._manifest is None:
            with explained(self.directory):
                self._base.mkdir(exist_ok=True)
                self._write_manifest(self._base, Manifest("sweep", {}, about))

    def put(
        self, place: Path, kind: str, write: Callable[[Path], None], about: dict[str, Any]
    ) -> None:  # fmt: skip
        """Store a run, or a part with several, whole or not at all.

        Parameters
        ----------
        place : pathlib.Path
            Where its files will be, see :meth:`place` and :meth:`new_part`.
        kind : str
            ``run`` or ``part``.
        write : callable
            Gets an empty folder for the files.
        about : dict
            For the manifest.

        Raises
        ------
        RunError
            They cannot be written; what was there is still there.
        """
        with uninterrupted(), explained(self.directory):
            self._check_still_there()
            incoming = self.directory / f"{INCOMING}{secrets.token_hex(8)}"
            incoming.mkdir()
            try:
                self._write_manifest(incoming, Manifest("incoming"))
                write(incoming)
                done = Manifest(kind, lists.describe(incoming), about)
                self._write_manifest(incoming, done)
                _install(incoming, place)
                self._here = _identity(self.directory)
            finally:
                shutil.rmtree(incoming, ignore_errors=True)
            if place == self._base:
                self._manifest = done

    def put_about(self, written: Mapping[str, bytes]) -> None:
        """Store or replace files about a whole sweep, in their order: its index and others.

        Raises
        ------
        RunError
            It cannot be written.
        """
        with uninterrupted(), explained(self.directory):
            self._check_still_there()
            manifest = lists.read(self._base) or Manifest("sweep")
            listed = dict(manifest.listed)
            for name, data in written.items():
                entry: dict[str, Any] = files.fingerprint_of(data)
                if name in listed:
                    entry["before"] = {key: listed[name][key] for key in ("bytes", "sha256")}
                listed[name] = entry
            # The manifest knows both: it is right before and after each of them is replaced.
            self._write_manifest(self._base, Manifest("sweep", listed, manifest.about))
            for name, data in written.items():
                files.write_whole(self._base / name, data, partial=self._base / PARTIAL)

    def promote(self) -> None:
        """Let a complete result take the place of the one that it replaces.

        Raises
        ------
        RunError
            It cannot be moved.
        """
        if self.replaces:
            with uninterrupted(), explained(self.directory):
                self._check_still_there()
                _replace(self._base, self.directory)
                self._here = _identity(self.directory)
                self._base = self.directory
                self.replaces = False

    def _write_manifest(self, folder: Path, manifest: Manifest) -> None:
        partial = self.directory / PARTIAL
        files.write_whole(folder / MANIFEST, manifest.encoded(), partial=partial)
        if folder == self._base:
            self._manifest = manifest

    def _check_still_there(self) -> None:
        try:
            same = _identity(self.directory) == self._here
        except FileNotFoundError:
            same = False
        if not same:
            raise RunError(
                f"{self.directory} was removed or replaced during the run, and the results are "
                "lost; run it again and do not touch the folder."
            )


@contextlib.contextmanager
def held(directory: Path, *, overwrite: bool = False) -> Iterator[Folder]:
    """Have a folder of results for this process alone; it is made if it is not there.

    Parameters
    ----------
    directory : pathlib.Path
        The folder.
    overwrite : bool
        Whether results of other runs may be replaced.

    Yields
    ------
    Folder
        Leftovers of processes that have died are gone.

    Raises
    ------
    RunError
        It cannot be written, is in use, or holds something that is not ours.
    """
    with explained(directory):
        if directory.exists() and not directory.is_dir():
            raise RunError(f"{directory} is a file; give --out the name of a folder.")
        made = _make(directory)
    try:
        with contextlib.ExitStack() as stack:
            with explained(directory):
                stack.enter_context(locked(directory))
                folder = Folder(directory, overwrite=overwrite)
            yield folder
    finally:
        for place in made:  # nothing was written: leave nothing behind
            with contextlib.suppress(OSError):
                place.rmdir()


def settled(directory: Path, *, wait_s: float = 10.0) -> None:
    """Finish a replacement that a process which has died, or is still at it, has begun.

    Parameters
    ----------
    directory : pathlib.Path
        Folder of a run or sweep that is about to be read.
    wait_s : float
        How long to wait for a process that is at it, s.

    Raises
    ------
    RunError
        It cannot be finished.
    """
    deadline = time.monotonic() + wait_s
    while any((place / NEXT).is_dir() for place in _places(directory)):
        with explained(directory):
            try:
                with locked(directory, timeout_s=0.1):
                    _settle_all(directory)
            except RunError:
                if time.monotonic() > deadline:
                    raise


@contextlib.contextmanager
def explained(directory: Path) -> Iterator[None]:
    """Sentences for what the file system refuses."""
    try:
        yield
    except OSError as error:
        remedy = "free some space" if error.errno in _FULL else "choose another folder with --out"
        raise RunError(
            f"{directory}: results cannot be written: {files.problem(error)}; {remedy}."
        ) from None


def _identity(directory: Path) -> tuple[int, int]:
    found = directory.stat()
    return found.st_dev, found.st_ino


def _make(directory: Path) -> list[Path]:
    """Make a folder and those above it; return what was made, innermost first."""
    missing = []
    place = directory
    while not place.exists():
        missing.append(place)
        place = place.parent
    directory.mkdir(parents=True, exist_ok=True)
    return missing


def _limits(directory: Path) -> tuple[int, int]:
    """Bytes of the longest name and path."""
    try:
        return os.pathconf(directory, "PC_NAME_MAX"), os.pathconf(directory, "PC_PATH_MAX")
    except (OSError, ValueError, AttributeError):
        return 255, 1024


def _refuse_foreign(directory: Path, manifest: Manifest | None) -> None:
    """Refuse a folder in which a result would stand among, or upon, files of others."""
    names = sorted(entry.name for entry in directory.iterdir() if not _is_hidden(entry.name))
    if manifest is None and names:
        raise RunError(
            f"{directory} holds files that are not results of Odonata ({_some(names)}); give "
            "--out another folder, so that they are not mixed with results."
        )
    if manifest is None:
        return
    own = {name.partition("/")[0] for name in manifest.listed}
    own |= {RUNS, PARTS} if manifest.kind == "sweep" else set()
    strange = [name for name in names if _is_needed(name) and name not in own]
    if strange:
        raise RunError(
            f"{directory} holds {_some(strange)}, whose name Odonata needs and which it has not "
            "written; move it away or give --out another folder."
        )


def _some(names: list[str]) -> str:
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return ", ".join(names[:3]) + more


def _is_hidden(name: str) -> bool:
    return name in _HIDDEN or name.startswith(INCOMING)


def _is_needed(name: str) -> bool:
    fixed = ("summary.json", "scenario.resolved.toml", "diagnosis.txt", RUNS, PARTS)
    return name in fixed or name.endswith(".parquet") or name.startswith("baseline-")


def _install(incoming: Path, place: Path) -> None:
    """Let a whole folder be the result; an older one of ours goes."""
    if not place.exists():
        place.parent.mkdir(parents=True, exist_ok=True)
        incoming.rename(place)
        files.sync(place.parent)
        return
    _replace(incoming, place)


def _replace(incoming: Path, place: Path) -> None:
    """Let a whole folder, which may be inside of the older one, take its place."""
    if not _swapped(incoming, place):
        incoming.rename(place / NEXT)
        files.sync(place)
        _settle(place)


def _swapped(incoming: Path, place: Path) -> bool:
    """Whether the two could change places; the older one is gone then."""
    place = place.absolute()
    if place.is_symlink() or Path.cwd().is_relative_to(place) or _has_foreign(place, incoming):
        return False
    beside = place.parent / f"{_beside(place)}{secrets.token_hex(8)}"
    if _owner(incoming) != _owner(place):
        return False
    try:
        shutil.copystat(place, incoming)  # who may read it stays as it was
        incoming.rename(beside)
    except OSError:  # the folder above cannot be written, or is on another file system
        return False
    if not (_share_lock(place, beside) and exchanged(beside, place)):
        for name in (LOCK, HOLDER):
            (beside / name).unlink(missing_ok=True)
        beside.rename(incoming)
        return False
    with contextlib.suppress(PermissionError):  # it may be written and not read
        files.sync(place.parent)
    _remove_beside(beside)
    return True


def _share_lock(place: Path, beside: Path) -> bool:
    """Whether the lock of a folder is that of another one, too: the same file."""
    try:
        for name in (LOCK, HOLDER):
            if (place / name).exists():
                (beside / name).hardlink_to(place / name)
    except OSError:
        return False
    return True


def _owner(folder: Path) -> tuple[int, int]:
    found = folder.stat()
    return found.st_uid, found.st_gid


def _beside(place: Path) -> str:
    """How the names of folders begin that are about to change places with `place`."""
    return f".{place.name[:60]}{_BESIDE}"


def _remove_beside(folder: Path) -> None:
    """Remove what was to change places with a result, or has."""
    for name in (LOCK, HOLDER, PARTIAL):
        (folder / name).unlink(missing_ok=True)
    lists.remove_all(folder)


def _has_foreign(place: Path, incoming: Path) -> bool:
    """Whether a folder of results holds anything that no manifest lists."""
    known = lists.known(place)
    known |= {above for path in known for above in path.parents}
    known |= {place / name for name in _HIDDEN}
    for here, folders, names in os.walk(place):
        folders[:] = [name for name in folders if Path(here, name) != incoming.absolute()]
        if any(Path(here, name) not in known for name in (*folders, *names)):
            return True
    return False


def _settle(folder: Path) -> None:
    """Move the files of ``.odonata-next`` into place; harmless to do again, wherever it stopped."""
    waiting = folder / NEXT
    if not waiting.is_dir():
        return
    if lists.read(waiting) is not None:
        # The manifest is the last to move: while it waits, one that is here is that of the past.
        for name in (REPORT_MANIFEST, MANIFEST):
            lists.remove_listed(folder, name)
        merge(waiting, folder)
    waiting.rmdir()
    files.sync(folder)


def merge(source: Path, target: Path) -> None:
    """Move everything in a folder into another one, what makes it whole last."""
    entries = list(source.iterdir())
    for entry in sorted(entries, key=lambda e: (_LAST.index(e.name) if e.name in _LAST else -1, e)):
        goal = target / entry.name
        if entry.is_dir() and goal.is_dir():
            merge(entry, goal)
            entry.rmdir()
        else:
            entry.replace(goal)


def _places(directory: Path) -> list[Path]:
    """Every folder in which a replacement may have stopped."""
    places = [directory, directory / UNFINISHED]
    return places + [leaf for place in places for leaf in lists.leaves(place)]


def _settle_all(directory: Path) -> None:
    _settle(directory)  # first: it may bring runs with it
    for place in _places(directory):
        _settle(place)


def _clean(directory: Path) -> None:
    """Finish or remove what a process that has died has left; its lock was free."""
    if not directory.is_dir():
        return
    _settle_all(directory)
    for place in _places(directory):
        (place / PARTIAL).unlink(missing_ok=True)
    for entry in _orphans(directory.absolute()):
        if lists.read(entry) is not None:
            _remove_beside(entry)
        else:
            with contextlib.suppress(OSError):  # only if it is empty: its removal was cut short
                entry.rmdir()
    for entry in lists.subfolders(directory):
        if entry.name.startswith(INCOMING) and lists.read(entry) is not None:
            shutil.rmtree(entry)
        elif entry.name.startswith(INCOMING) or entry.name == UNFINISHED:
            with contextlib.suppress(OSError):  # only if it is empty
                entry.rmdir()


def _orphans(directory: Path) -> Iterator[Path]:
    """Folders that were about to change places with a result, or have."""
    for entry in lists.subfolders(directory.parent):
        if entry.name.startswith(_beside(directory)):
            yield entry
    for entry in lists.subfolders(directory / RUNS):
        if entry.name.startswith(".") and _BESIDE in entry.name:
            yield entry
