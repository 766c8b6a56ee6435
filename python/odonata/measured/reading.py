"""Readers of measured data: benchmarks, counters and profiles of real machines.

Every reader turns one file into frames of one form (:mod:`odonata.measured.form`), the same that
simulated results have. What this room does not know: the simulator, statistics, pictures.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

import polars as pl

from odonata.core.errors import MeasurementError, suggestion
from odonata.measured import (
    apmpi,
    ariesncl,
    cassini,
    cxi,
    dragonview,
    form,
    gpcnet,
    imb,
    ldms,
    netgauge,
    osu,
    own_form,
)
from odonata.measured.content import Content
from odonata.measured.sources import Unreadable, contents

__all__ = ["FORMATS", "Content", "Format", "Measurements", "read", "read_content"]


@dataclass(frozen=True, slots=True)
class Format:
    """A kind of file that can be read.

    Attributes
    ----------
    name : str
        Its name, as `--format` takes it.
    summary : str
        What it is, for people.
    recognises : callable
        Whether a content is of this kind.
    read : callable
        Frames of a content, without source and world.
    """

    name: str
    summary: str
    recognises: Callable[[Content], bool]
    read: Callable[[Content], list[pl.DataFrame]]


FORMATS = (
    Format("netgauge", "logs of Netgauge and of the cloud_noise suite", netgauge.recognises,
           netgauge.read),
    Format("osu", "output of the OSU Micro-Benchmarks", osu.recognises, osu.read),
    Format("imb", "output of the Intel MPI Benchmarks", imb.recognises, imb.read),
    Format("gpcnet", "tables of GPCNeT", gpcnet.recognises, gpcnet.read),
    Format("ariesncl", "counters of AriesNCL, as YAML or binary", ariesncl.recognises,
           ariesncl.read),
    Format("ldms", "tables of the LDMS store `store_csv`", ldms.recognises, ldms.read),
    Format("dragonview", "tables of DragonView", dragonview.recognises, dragonview.read),
    Format("darshan", "Darshan logs with AutoPerf MPI", apmpi.recognises, apmpi.read),
    Format("cassini", "telemetry files of the Cassini NIC", cassini.recognises, cassini.read),
    Format("cxi", "counter summary of Cray MPICH on Slingshot", cxi.recognises, cxi.read),
    Format("table", "CSV or Parquet in the form of Odonata", own_form.recognises, own_form.read),
)  # fmt: skip
"""Every kind of file."""


_COMPANION = re.compile(r"\.timings\.json$|\.HEADER$|^allocation\.json$")
"""Files that readers look into beside another one, and records that hold no number."""


@dataclass(frozen=True, slots=True)
class Measurements:
    """What was read.

    Attributes
    ----------
    frame : polars.DataFrame
        All numbers in the form.
    formats : dict of str to str
        Format or formats of each source that was read, in order.
    skipped : list of str
        Files of folders and archives that are of no known format.
    unreadable : list of str
        Why files of folders and archives could not be read; each sentence begins with its file.
    warnings : list of str
        What is wrong with numbers that were read; each sentence begins with its file.
    """

    frame: pl.DataFrame
    formats: dict[str, str]
    skipped: list[str]
    unreadable: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


def read(paths: Iterable[str | Path], *, kind: str | None = None) -> Measurements:
    """Read files, folders and archives of measurements.

    Parameters
    ----------
    paths : iterable of str or pathlib.Path
        What to read. In folders and archives, files of no known format and files that cannot be
        read are skipped and named.
    kind : str, optional
        Name of the format; by default each file is looked at.

    Returns
    -------
    Measurements
        All of it.

    Raises
    ------
    MeasurementError
        A file that was given is missing, damaged, or of no known format; or a folder or an archive
        holds none that can be read.
    """
    kinds = _kinds(kind)
    parts, all_found = list[pl.DataFrame](), Measurements(form.empty(), {}, [])
    for path in map(Path, paths):
        found = Measurements(form.empty(), {}, [])
        for content in contents(path):
            parts += _of_path(content, path, kinds, found, is_told=kind is not None)
        if not found.formats:
            raise _nothing(path, found.unreadable)
        all_found.formats.update(found.formats)
        all_found.skipped.extend(found.skipped)
        all_found.unreadable.extend(found.unreadable)
        all_found.warnings.extend(found.warnings)
    return replace(all_found, frame=form.joined(parts))


def _of_path(
    content: Content | Unreadable,
    path: Path,
    kinds: tuple[Format, ...],
    found: Measurements,
    *,
    is_told: bool,
) -> list[pl.DataFrame]:
    """Frames of one file of a path, which is put down in `found` as read, skipped or unreadable."""
    if isinstance(content, Unreadable):
        found.unreadable.append(str(content.error))
        return []
    is_inside = path.is_dir() or content.label.startswith(f"{path}/")
    fitting = [one for one in kinds if is_told or one.recognises(content)]
    if not fitting and _COMPANION.search(content.name):
        return []
    if not fitting and is_inside:
        found.skipped.append(content.label)
        return []
    # Other readers may have looked at it, to recognise it: what they have said does not count.
    content = replace(content, warnings=[])
    try:
        frames = read_content(content, fitting)
    except MeasurementError as error:
        if not is_inside:
            raise
        found.unreadable.append(str(error))
        return []
    found.warnings.extend(content.warnings)
    found.formats[content.label] = ", ".join(one.name for one in fitting)
    return frames


def _nothing(path: Path, unreadable: list[str]) -> MeasurementError:
    """What to say of a folder or an archive in which nothing was read."""
    if unreadable:
        return MeasurementError(
            f"{path}: none of its {len(unreadable)} measurement files can be read; the first: "
            f"{unreadable[0]}"
        )
    return MeasurementError(
        f"{path}: it holds no measurement files; give files in one of these formats: {_names()}."
    )


def read_content(content: Content, kinds: Iterable[Format]) -> list[pl.DataFrame]:
    """Frames of one file, with source and world.

    Parameters
    ----------
    content : Content
        Bytes and name of the file.
    kinds : iterable of Format
        Formats that the file is read as, one after the other.

    Returns
    -------
    list of polars.DataFrame
        In the form of measurements; ``source`` is the name of the file where the format gives none.

    Raises
    ------
    MeasurementError
        It is of no format, or damaged.
    """
    kinds = list(kinds)
    if not kinds:
        what = "it is empty" if not content.data.strip() else "its format is not known"
        raise content.error(what, f"give a file in one of these formats: {_names()}")
    return [
        frame.with_columns(
            pl.col("source").fill_null(content.label), pl.col("world").fill_null("measured")
        )
        for one in kinds
        for frame in one.read(content)
    ]


def _kinds(name: str | None) -> tuple[Format, ...]:
    if name is None:
        return FORMATS
    found = tuple(one for one in FORMATS if one.name == name)
    if not found:
        raise MeasurementError(
            f"format `{name}` is not known.{suggestion(name, [one.name for one in FORMATS])}"
        )
    return found


def _names() -> str:
    return ", ".join(f"{one.name} ({one.summary})" for one in FORMATS)
