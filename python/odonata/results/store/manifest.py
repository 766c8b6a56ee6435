"""What a folder of results says about itself: which files are ours, and what is in them.

Only files that a manifest lists are ever removed.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from odonata.core import files
from odonata.core.errors import RunError

MANIFEST = "odonata-manifest.json"
"""File of a run or sweep that lists its files."""

REPORT_MANIFEST = "odonata-report.json"
"""The same of a report, in the same folder."""

FORMAT = "odonata-results"
SCHEMA = 1
RUNS = "runs"
"""Folder of the runs of a sweep, each in a folder of its own."""

PARTS = "packed"
"""Folder of what holds many runs of a sweep each."""

_LARGEST = 1 << 26


@dataclass(frozen=True, slots=True)
class Manifest:
    """Content of a manifest.

    Parameters
    ----------
    kind : str
        ``run``, ``sweep``, ``report``, or ``incoming`` while it is being written.
    listed : dict
        Length and hash of each file, by its path in the folder.
    about : dict
        Which runs they are: ``name``, ``engine``, and for a run ``scenario_hash`` and ``runs``,
        which gives the hash and the end of the run (under "") and of each isolated run.
    """

    kind: str
    listed: dict[str, dict[str, Any]] = field(default_factory=dict)
    about: dict[str, Any] = field(default_factory=dict)

    def encoded(self) -> bytes:
        """Bytes of the file."""
        content = {
            "format": FORMAT, "schema": SCHEMA, "kind": self.kind, **self.about,
            "files": self.listed,
        }  # fmt: skip
        return (json.dumps(content, indent=1, ensure_ascii=False) + "\n").encode()

    def run(self, part: str = "") -> dict[str, Any]:
        """Hash and end of the run itself or of one of its isolated runs; empty if there is none."""
        entry = self.about.get("runs", {}).get(part, {})
        return entry if isinstance(entry, dict) else {}


def read(folder: Path, name: str = MANIFEST) -> Manifest | None:
    """Manifest of a folder.

    Returns
    -------
    Manifest or None
        ``None`` if there is none.

    Raises
    ------
    RunError
        It cannot be read or is damaged.
    """
    path = folder / name
    try:
        return _parsed(json.loads(files.read_bytes(path, most=_LARGEST)))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise RunError(f"{path}: {files.problem(error)}; make it readable.") from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise RunError(
            f"{path} is damaged ({error}), so that it does not say which files are results; move "
            "the folder away or give --out another one."
        ) from None


def _parsed(data: Mapping[str, Any]) -> Manifest:
    if data["format"] != FORMAT:
        raise ValueError("it was written by another program")
    if data["schema"] != SCHEMA:
        raise ValueError(f"it has schema {data['schema']}, this version reads {SCHEMA}")
    head = ("format", "schema", "kind", "files")
    about = {key: value for key, value in data.items() if key not in head}
    if not isinstance(about.get("runs", {}), dict):
        raise TypeError("`runs` is not a table")
    return Manifest(str(data["kind"]), dict(_listed(data["files"])), about)


def _listed(table: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for name, entry in table.items():
        parts = PurePosixPath(name).parts
        if not parts or ".." in parts or name.startswith("/") or "\0" in name:
            raise ValueError(f"`{name}` is not a file of this folder")
        if not isinstance(entry["bytes"], int) or not isinstance(entry["sha256"], str):
            raise TypeError(f"`{name}` has no length or hash")
        yield name, dict(entry)


def describe(folder: Path) -> dict[str, dict[str, Any]]:
    """Length and hash of every file below a folder, each of them brought to the disk.

    Raises
    ------
    OSError
        A file cannot be read or written out.
    """
    found = {}
    for place, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            path = Path(place, name)
            if name != MANIFEST:
                found[path.relative_to(folder).as_posix()] = files.fingerprint(path)
            files.sync(path)
        files.sync(Path(place))
    return found


def changed(folder: Path, manifest: Manifest) -> list[str]:
    """Files of a manifest that are missing or not as they were written, in order."""
    return [
        name for name, entry in manifest.listed.items() if not _as_written(folder / name, entry)
    ]


def _as_written(path: Path, entry: Mapping[str, Any]) -> bool:
    try:
        found = files.fingerprint(path)
    except OSError:
        return False
    # A file that is replaced while the manifest stays has the print of before, too.
    return any(
        isinstance(one, Mapping) and all(found[key] == one.get(key) for key in found)
        for one in (entry, entry.get("before"))
    )


def remove_listed(folder: Path, name: str = MANIFEST) -> None:
    """Remove the files that a manifest lists, the manifest last, and folders that are then empty.

    Raises
    ------
    OSError
        A file cannot be removed.
    RunError
        The manifest is damaged.
    """
    manifest = read(folder, name)
    if manifest is None:
        return
    root = folder.resolve()
    parents = {folder}
    for entry in manifest.listed:
        path = folder / entry
        # A folder that is now a link leads elsewhere: nothing there is ours.
        if path.parent.resolve().is_relative_to(root):
            path.unlink(missing_ok=True)
            parents |= {place for place in path.parents if place.is_relative_to(folder)}
    if manifest.kind == "sweep":
        parents |= {folder / RUNS, folder / PARTS}
        for leaf in leaves(folder):
            remove_all(leaf)
    (folder / name).unlink(missing_ok=True)
    for place in sorted(parents, key=lambda path: len(path.parts), reverse=True):
        if place != folder:
            with contextlib.suppress(OSError):  # somebody else's file is in it
                place.rmdir()


def known(folder: Path) -> set[Path]:
    """Every file of ours in a folder, manifests included.

    Raises
    ------
    RunError
        A manifest is damaged.
    """
    found = set()
    for name in (MANIFEST, REPORT_MANIFEST):
        manifest = read(folder, name)
        if manifest is not None:
            found |= {folder / name, *(folder / entry for entry in manifest.listed)}
            if manifest.kind == "sweep":
                for leaf in leaves(folder):
                    found |= known(leaf)
    return found


def remove_all(folder: Path) -> None:
    """Remove every file of ours in a folder, and the folder if nothing else is in it.

    Raises
    ------
    OSError
        A file cannot be removed.
    RunError
        A manifest is damaged.
    """
    for name in (REPORT_MANIFEST, MANIFEST):
        remove_listed(folder, name)
    with contextlib.suppress(OSError):
        folder.rmdir()


def subfolders(folder: Path) -> list[Path]:
    """Folders in a folder, sorted, links left out; none if it is not there."""
    try:
        entries = sorted(folder.iterdir())
    except (FileNotFoundError, NotADirectoryError):
        return []
    return [entry for entry in entries if entry.is_dir() and not entry.is_symlink()]


def leaves(folder: Path) -> list[Path]:
    """Folders of a sweep that have a manifest of their own."""
    return [*subfolders(folder / RUNS), *subfolders(folder / PARTS)]
