"""How noisy a series is: quartile dispersion, notches, tails; one description for all worlds."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from odonata.analysis.dependence import (
    FEWEST_FOR_SPREAD,
    Dependence,
    autocorrelation,
    checked,
    dependence,
)
from odonata.analysis.frames import AnalysisError, require
from odonata.analysis.quantiles import LEVEL, Interval, Worth, fraction, of_sorted, value_at
from odonata.analysis.scores import Values

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
        The same in any case; NaN of a single value, or if the quartiles add up to nothing.
    p95, p99 : Interval or None
        Percentiles; ``None`` if the sample cannot carry them.
    lacks : dict of str to str
        Why which of these is ``None``: ``19 of 30`` is what the sample is worth of the independent
        values that are needed.
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
    lacks: dict[str, str] = field(default_factory=dict)

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
    count = len(data)
    found = dependence(data) if ordered else None

    worth = {one: Worth(float(count)) if found is None else Worth.of(found, one)
             for one in (*_QUARTILES, *_NAMED.values())}  # fmt: skip
    by_name = {name: of_sorted(kept, one, worth=worth[one], level=level)
               for name, one in _NAMED.items()}  # fmt: skip
    dispersion = _dispersion(kept, found, level)
    lacks = {name: worth[one].lacks(one, level) for name, one in _NAMED.items()
             if by_name[name] is None}  # fmt: skip
    if dispersion is None:
        few = (worth[one].lacks(one, level, least=FEWEST_FOR_SPREAD) for one in _QUARTILES)
        lacks["quartile_dispersion"] = next(filter(None, few), "a quartile is 0")
    q1, middle, q3 = (float(q) for q in np.quantile(kept, [0.25, 0.5, 0.75]))
    return Dispersion(
        count=count,
        effective=float(count) if found is None else found.at(0.5),
        lag_one=float(autocorrelation(data, lags=1)[1]) if ordered and count > 2 else math.nan,
        mean=float(data.mean()),
        minimum=float(kept[0]),
        q1=q1,
        q3=q3,
        maximum=float(kept[-1]),
        median=by_name["median"],
        median_value=middle,
        quartile_dispersion=dispersion,
        quartile_dispersion_value=_ratio(q1, q3) if count > 1 else math.nan,
        p95=by_name["p95"],
        p99=by_name["p99"],
        lacks=lacks,
    )


_QUARTILES = (0.25, 0.75)

_NAMED = {"median": 0.5, "p95": 0.95, "p99": 0.99}

_INDEPENDENT = 1.0 / 3.0
"""Correlation of the first and third sample quartile of independent values, any distribution."""

_DIRECTIONS = 32
"""Points of the ellipse below: extremes are found to 0.5 % of its radius."""

_STEEPEST = 600.0
"""Largest exponent of the factor below, which is a finite number: an interval from 0 to 1."""

_DISTINCT = 0.9
"""Share of distinct values below which a sample is taken to be counted in ticks of a clock."""


def _dispersion(data: Values, found: Dependence | None, level: float) -> Interval | None:
    """Interval of the quartile dispersion of sorted values."""
    worths = [Worth(float(len(data))) if found is None else Worth.of(found, one)
              for one in _QUARTILES]  # fmt: skip
    quartiles = [of_sorted(data, one, worth=worth, level=level)
                 for one, worth in zip(_QUARTILES, worths, strict=True)]  # fmt: skip
    first, third = quartiles
    if first is None or third is None or first.estimate + third.estimate <= 0.0:
        return None
    if found is not None and found.effective < FEWEST_FOR_SPREAD:
        return None
    same = _INDEPENDENT if found is None else found.between(*_QUARTILES)
    if first.low > 0.0 and len(np.unique(data)) >= _DISTINCT * len(data):
        return _smooth(first, third, same, level)
    sizes = [worth.reduced(level) for worth in worths]
    low, high = _within(data, sizes, same, level)
    estimate = _ratio(first.estimate, third.estimate)
    if not math.isfinite(low + high):
        return None
    return Interval(estimate=estimate, low=min(max(low, 0.0), estimate), high=max(high, estimate),
                    level=level)  # fmt: skip


def _smooth(first: Interval, third: Interval, same: float, level: float) -> Interval:
    """Of values without ticks: from the lengths of the intervals of the quartiles.

    The dispersion is tanh(log(Q3 / Q1) / 2). The logarithm is a spread, so that its own logarithm
    has an interval that is alike on both sides; its standard error is that of the difference of two
    correlated estimates.
    """
    spread = math.log(third.estimate / first.estimate)
    one, other = (math.log(part.high / part.low) / 2.0 for part in (first, third))
    half = math.sqrt(max(one**2 + other**2 - 2.0 * same * one * other, 0.0))
    factor = math.exp(min(half / spread, _STEEPEST))
    return Interval(estimate=math.tanh(spread / 2.0), low=math.tanh(spread / factor / 2.0),
                    high=math.tanh(spread * factor / 2.0), level=level)  # fmt: skip


def _within(data: Values, sizes: list[float], same: float, level: float) -> tuple[float, float]:
    """Least and largest dispersion where quartiles jump from tick to tick.

    The fractions of values below the true quartiles lie in an ellipse whose projections are the
    intervals of the quartiles. The dispersion falls with the first and rises with the third, so
    that its extremes in the ellipse are on the rim.
    """
    from scipy.special import ndtr, ndtri  # noqa: PLC0415 - takes a while to load

    angles = np.linspace(0.0, 2.0 * math.pi, _DIRECTIONS, endpoint=False)
    radius = float(ndtri((1.0 + level) / 2.0))
    rim = (np.cos(angles), same * np.cos(angles) + math.sqrt(1.0 - same**2) * np.sin(angles))
    shares = [fraction(size, one, ndtr(radius * side))
              for size, one, side in zip(sizes, _QUARTILES, rim, strict=True)]  # fmt: skip
    found = [(_ratio(value_at(data, one, down=False), value_at(data, other, down=True)),
              _ratio(value_at(data, one, down=True), value_at(data, other, down=False)))
             for one, other in zip(*shares, strict=True)]  # fmt: skip
    return min(low for low, _ in found), max(high for _, high in found)


def _ratio(q1: float, q3: float) -> float:
    """Dispersion of two quartiles; NaN where they add up to nothing."""
    return (q3 - q1) / (q3 + q1) if q1 + q3 > 0.0 else math.nan


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
        number, and ``_lacks`` then says why (:attr:`Dispersion.lacks`).

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


def _flat(one: Dispersion) -> dict[str, float | int | str | None]:
    row: dict[str, float | int | str | None] = {
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
    for name in ("median", "quartile_dispersion", "p95", "p99"):
        row[f"{name}_lacks"] = one.lacks.get(name)
    return row
