"""Everything that one frame says against another: medians, means, and what was left over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import polars as pl

from odonata.analysis.dispersion import summary
from odonata.analysis.frames import AnalysisError
from odonata.analysis.quantiles import LEVEL
from odonata.output.noise.comparisons import compare_pairs, sampled
from odonata.output.noise.matching import Key, hint, matched, names, renamed, unmatched
from odonata.output.noise.means import compare_means, keys_of_means

_SHOWN = 5
"""Names or sizes in a note."""

_SIDES = ("first", "second")


@dataclass(frozen=True, slots=True)
class Against:
    """A comparison of two frames.

    Attributes
    ----------
    medians : polars.DataFrame
        Series that have samples on both sides, every source of one against every one of the other
        (:func:`odonata.noise.compare`).
    means : polars.DataFrame
        Those that have none on a side, or come from several sources
        (:func:`odonata.noise.compare_means`).
    series : polars.DataFrame
        Compared series of samples of the second side (:func:`odonata.noise.summary`).
    names : dict of str to str
        Names of the first side, and of the second where someone has said that they are the same.
    notes : list of str
        What was not compared, and what to type to compare it.
    """

    medians: pl.DataFrame
    means: pl.DataFrame
    series: pl.DataFrame
    names: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def against(
    frame: pl.DataFrame, other: pl.DataFrame, *, match: Sequence[str] = (), level: float = LEVEL
) -> Against:
    """Compare all that can be compared.

    Parameters
    ----------
    frame, other : polars.DataFrame
        In the form.
    match : sequence of str
        ``FIRST=SECOND``: names of a series in the first and in the second frame.
    level : float
        Confidence.

    Returns
    -------
    Against
        Ratios of the first frame to the second.

    Raises
    ------
    AnalysisError
        No series is in both.
    MeasurementError
        A pair of `match` names no series.
    """
    second, chosen = renamed(frame, other, match)
    runs = sampled(frame), sampled(second)
    pairs = matched(*runs)
    single = [(one, two) for one, two in pairs if runs[0][one] == runs[1][two] == 1]
    medians = compare_pairs(frame, second, pairs, level=level)
    means = compare_means(frame, second, level=level, but=single)
    if medians.is_empty() and means.is_empty():
        keys = {"first": _keys(frame), "second": _keys(second)}
        raise AnalysisError(unmatched(frame, second, keys))
    both = [*pairs, *matched(keys_of_means(frame), keys_of_means(second))]
    series = _single_values(second, [two for _, two in both], level)
    return Against(medians, means, series, chosen, _notes((frame, second), (medians, means)))


def _single_values(frame: pl.DataFrame, keys: list[Key], level: float) -> pl.DataFrame:
    """Medians and tails of those of some series that have samples."""
    wanted = pl.DataFrame(list(dict.fromkeys(keys)), orient="row",
                          schema={name: frame.schema[name] for name in Key._fields})  # fmt: skip
    samples = frame.filter(pl.col("statistic") == "sample")
    samples = samples.join(wanted, on=Key._fields, how="semi", nulls_equal=True)
    return summary(samples, level=level) if len(samples) else pl.DataFrame()


def _keys(frame: pl.DataFrame) -> list[Key]:
    return list(dict.fromkeys([*sampled(frame), *keys_of_means(frame)]))


def _notes(
    frames: tuple[pl.DataFrame, pl.DataFrame], found: tuple[pl.DataFrame, pl.DataFrame]
) -> list[str]:
    """Series and sizes that could be compared and stand on one side only."""
    compared = {(row[0], row[1]) for table in found if len(table)
                for row in table.select("series", "bytes").iter_rows()}  # fmt: skip
    series = {name for name, _ in compared}
    keys = [_keys(frame) for frame in frames]
    left = [
        [name for name in names(frame) if name in {key.series for key in mine} - series]
        for frame, mine in zip(frames, keys, strict=True)
    ]
    notes = [_sizes(name, keys, compared) for name in names(frames[0]) if name in series]
    if left[0] or left[1]:
        said = [f"{_listed(some)} on the {side} side"
                for side, some in zip(_SIDES, left, strict=True) if some]  # fmt: skip
        how = f"; {hint(*left)}" if left[0] and left[1] else ""
        notes.append(f"Not compared: {', '.join(said)}{how}.")
    return [note for note in notes if note]


def _sizes(name: str, keys: list[list[Key]], compared: set[tuple[str, int | None]]) -> str:
    """Sizes of a series that was compared which only one side has."""
    said = []
    for side, mine in zip(_SIDES, keys, strict=True):
        sizes = sorted({key.bytes for key in mine if key.series == name and key.bytes is not None})
        alone = [f"{size} B" for size in sizes if (name, size) not in compared]
        if alone:
            more = f" and {len(alone) - _SHOWN} more" if len(alone) > _SHOWN else ""
            said.append(f"{', '.join(alone[:_SHOWN])}{more} on the {side} side only")
    return f"Not compared for `{name}`: {'; '.join(said)}." if said else ""


def _listed(some: Sequence[str | None]) -> str:
    more = f" and {len(some) - _SHOWN} more" if len(some) > _SHOWN else ""
    return ", ".join(f"`{name}`" for name in some[:_SHOWN]) + more
