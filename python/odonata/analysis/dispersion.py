"""How noisy a series is: quartile dispersion, notches, tails; one description for all worlds."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from odonata.analysis.dependence import Values, autocorrelation, checked, effective_size
from odonata.analysis.frames import AnalysisError, require
from odonata.analysis.quantiles import LEVEL, Interval, of_sorted

QUARTILES_CORRELATION = 1.0 / 3.0
"""Correlation of the first and third sample quartile of independent values, any distribution:
sqrt(q1 (1 - q3) / (q3 (1 - q1)))."""

KEYS = ("source", "series", "condition", "quantity", "unit", "bytes")
"""Columns of the form that tell series apart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dispersion:
    """Description of a series of one quantity, in its unit.

    Attributes
    ----------
    count : int
        Values.
    effective : float
        Independent values that would know as much about the median.
    lag_one : float
        Correlation of neighbours in the order of measuring; NaN without order or below 3 values.
    mean, minimum, q1, q3, maximum : float
        Quartiles by linear interpolation.
    median : Interval or None
        With its notch; ``None`` if there are too few values for one.
    median_value : float
        The median in any case.
    quartile_dispersion : Interval or None
        (Q3 - Q1) / (Q3 + Q1) with its interval; ``None`` if there are too few values.
    quartile_dispersion_value : float
        The same in any case; NaN if the quartiles add up to nothing.
    p95, p99 : Interval or None
        Percentiles; ``None`` if the sample cannot carry them.
    """

    count: int
    effective: float
    lag_one: float
    mean: float
    minimum: float
    q1: float
    q3: float
    maximum: float
    median: Interval | None
    median_value: float
    quartile_dispersion: Interval | None
    quartile_dispersion_value: float
    p95: Interval | None
    p99: Interval | None

    @property
    def maximum_over_median(self) -> float:
        """How many times the median the largest value is; NaN if the median is not above 0."""
        return self.maximum / self.median_value if self.median_value > 0 else math.nan


def quartile_dispersion(values: npt.ArrayLike) -> float:
    """The quartile coefficient of dispersion.

    Parameters
    ----------
    values : array_like
        At least one, none negative.

    Returns
    -------
    float
        (Q3 - Q1) / (Q3 + Q1), quartiles by linear interpolation; from 0 (no spread) towards 1.

    Raises
    ------
    AnalysisError
        There is no value, one is negative or not finite, or the quartiles add up to 0.

    References
    ----------
    Bonett, Confidence interval for a coefficient of quartile variation, Computational Statistics
    & Data Analysis 50(11), 2006; De Sensi et al. 2019, section 3.3.

    Examples
    --------
    >>> quartile_dispersion([1.0, 2.0, 3.0, 4.0, 5.0])
    0.3333333333333333
    """
    data = checked(values, "quartile dispersion")
    q1, q3 = (float(q) for q in np.quantile(data, [0.25, 0.75]))
    if data.min() < 0 or q1 + q3 <= 0:
        raise AnalysisError(
            "quartile dispersion: values are negative, or mostly 0; it is defined for quantities "
            "above 0"
        )
    return (q3 - q1) / (q3 + q1)


def describe(values: npt.ArrayLike, *, ordered: bool = True, level: float = LEVEL) -> Dispersion:
    """Describe how a series varies.

    Parameters
    ----------
    values : array_like
        At least one, none negative, in the order of measuring if `ordered`.
    ordered : bool
        Whether neighbours may depend on each other; then intervals are those of dependent values.
    level : float
        Confidence of every interval.

    Returns
    -------
    Dispersion
        The description.

    Raises
    ------
    AnalysisError
        There is no value, or one is negative or not finite.
    """
    data = checked(values, "noise")
    if data.min() < 0:
        raise AnalysisError("noise: a value is negative; give times, bandwidths or counts")
    kept = np.sort(data)

    def interval(quantile: float) -> Interval | None:
        effective = effective_size(data, quantile) if ordered else float(len(data))
        return of_sorted(kept, quantile, effective=effective, level=level)

    q1, middle, q3 = (float(q) for q in np.quantile(kept, [0.25, 0.5, 0.75]))
    return Dispersion(
        count=len(data),
        effective=effective_size(data) if ordered else float(len(data)),
        lag_one=float(autocorrelation(data, lags=1)[1]) if ordered and len(data) > 2 else math.nan,
        mean=float(data.mean()),
        minimum=float(kept[0]),
        q1=q1,
        q3=q3,
        maximum=float(kept[-1]),
        median=interval(0.5),
        median_value=middle,
        quartile_dispersion=_dispersion(interval(0.25), interval(0.75), level),
        quartile_dispersion_value=(q3 - q1) / (q3 + q1) if q1 + q3 > 0 else math.nan,
        p95=interval(0.95),
        p99=interval(0.99),
    )


def _dispersion(first: Interval | None, third: Interval | None, level: float) -> Interval | None:
    """Interval of the quartile dispersion from those of the quartiles.

    The dispersion is tanh(log(Q3 / Q1) / 2); the interval of the logarithm is put together from
    those of the quartiles (MOVER) with the correlation that the quartiles of a sample have.
    """
    if first is None or third is None or first.low <= 0.0:
        return None
    ratio = math.log(third.estimate / first.estimate)
    down = _together(math.log(third.estimate / third.low), math.log(first.high / first.estimate))
    up = _together(math.log(third.high / third.estimate), math.log(first.estimate / first.low))
    estimate = (third.estimate - first.estimate) / (third.estimate + first.estimate)
    return Interval(
        estimate=estimate,
        low=min(math.tanh(max(ratio - down, 0.0) / 2.0), estimate),
        high=max(math.tanh((ratio + up) / 2.0), estimate),
        level=level,
    )


def _together(one: float, other: float) -> float:
    """Half width of a difference of two estimates that rise and fall together."""
    return math.sqrt(max(one**2 + other**2 - 2.0 * QUARTILES_CORRELATION * one * other, 0.0))


class Series(NamedTuple):
    """Samples that belong together.

    Attributes
    ----------
    keys : dict
        What the series is, by column of :data:`KEYS`.
    values : numpy.ndarray
        The samples, in the order of measuring if they have one.
    ordered : bool
        Whether they have one.
    """

    keys: dict[str, object]
    values: Values
    ordered: bool


def series(frame: pl.DataFrame) -> list[Series]:
    """Samples of a frame in the form, series by series.

    A series is what agrees in :data:`KEYS`; of values of several ranks the slowest of each
    iteration counts (the largest value; of a bandwidth the smallest), since a collective ends with
    its slowest rank (Groves et al. 2017, section IV).

    Parameters
    ----------
    frame : polars.DataFrame
        In the form; only rows with `statistic` `sample` are looked at.

    Returns
    -------
    list of Series
        In the order of the frame.

    Raises
    ------
    AnalysisError
        A column is missing.
    """
    wanted = (*KEYS, "statistic", "rank", "iteration", "value")
    require(frame, wanted, "series of samples")
    samples = frame.filter(pl.col("statistic") == "sample")
    found = []
    for part in samples.partition_by(KEYS, maintain_order=True):
        names = {name: part[name][0] for name in KEYS}
        ordered = part["iteration"].null_count() == 0
        if ordered:
            if part["rank"].n_unique() > 1:
                slowest = pl.col("value").min() if "bandwidth" in str(names["quantity"]) else (
                    pl.col("value").max())  # fmt: skip
                part = part.group_by("iteration").agg(slowest)  # noqa: PLW2901
            part = part.sort("iteration", maintain_order=True)  # noqa: PLW2901
        found.append(Series(names, part["value"].to_numpy().astype(np.float64), ordered))
    return found


def summary(frame: pl.DataFrame, *, level: float = LEVEL) -> pl.DataFrame:
    """Describe every series of a frame in the form.

    Parameters
    ----------
    frame : polars.DataFrame
        In the form.
    level : float
        Confidence of every interval.

    Returns
    -------
    polars.DataFrame
        A row per series: :data:`KEYS`; ``count``, ``effective``, ``lag_one``, ``mean``,
        ``minimum``, ``q1``, ``median`` with ``median_low`` and ``median_high``, ``q3``,
        ``maximum``, ``maximum_over_median``, ``quartile_dispersion`` with ``_low`` and ``_high``,
        ``p95`` and ``p99`` with ``_low`` and ``_high``; null where the sample cannot carry a
        number.

    Raises
    ------
    AnalysisError
        There is no sample, or one is negative.
    """
    described = [
        (one.keys, describe(one.values, ordered=one.ordered, level=level)) for one in series(frame)
    ]
    if not described:
        raise AnalysisError(
            "noise: there is no single observation, only numbers that the source computed; give "
            "files with samples"
        )
    return pl.DataFrame(
        [{**names, **_flat(one)} for names, one in described], infer_schema_length=None
    )


def _flat(one: Dispersion) -> dict[str, float | int | None]:
    row: dict[str, float | int | None] = {
        "count": one.count,
        "effective": one.effective,
        "lag_one": one.lag_one,
        "mean": one.mean,
        "minimum": one.minimum,
        "q1": one.q1,
        "median": one.median_value,
        "q3": one.q3,
        "maximum": one.maximum,
        "maximum_over_median": one.maximum_over_median,
        "quartile_dispersion": one.quartile_dispersion_value,
        **{f"{name}_{end}": None if found is None else getattr(found, end)
           for name, found in (("median", one.median),
                               ("quartile_dispersion", one.quartile_dispersion))
           for end in ("low", "high")},
    }  # fmt: skip
    for name, found in (("p95", one.p95), ("p99", one.p99)):
        row[name] = None if found is None else found.estimate
        row[f"{name}_low"] = None if found is None else found.low
        row[f"{name}_high"] = None if found is None else found.high
    return row
