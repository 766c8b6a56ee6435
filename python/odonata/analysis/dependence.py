"""How much a series that is measured in order knows: autocorrelation, effective sample size."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from odonata.analysis.frames import AnalysisError
from odonata.analysis.scores import Values, indicator_correlation, normal_scores

FEWEST_EFFECTIVE = 30.0
"""Independent values that an ordered series must be worth to have any interval.

Below, the dependence itself is not known: series that seem independent by luck would have
intervals that are too narrow."""

FEWEST_FOR_SPREAD = 75.0
"""The same for intervals that follow from how much the values spread: of a mean, of the dispersion.

More than for a median: a series that seems less dependent by luck also seems to spread less."""

_SHORTEST = 4
"""Values below which no dependence is looked for."""

_LAGS = 4000
"""Lags to which a fitted model is followed."""

_NEGLIGIBLE = 1e-4
"""Autocorrelation below which the rest of a model is left out."""

LARGEST = 1e120
"""Largest value that is taken: squares and their sums stay finite."""


def checked(values: npt.ArrayLike, purpose: str, *, least: int = 1) -> Values:
    """Values as an array of finite numbers.

    Parameters
    ----------
    values : array_like
        One dimension.
    purpose : str
        What they are for, for the error message.
    least : int
        How many there must be.

    Raises
    ------
    AnalysisError
        There are too few, or one is missing, infinite or beyond :data:`LARGEST`.
    """
    data = np.asarray(values, dtype=np.float64).ravel()
    if len(data) < least:
        raise AnalysisError(
            f"{purpose}: there are {len(data)} values and at least {least} are needed; "
            "measure more of them"
        )
    if not np.isfinite(data).all():
        raise AnalysisError(
            f"{purpose}: {int((~np.isfinite(data)).sum())} of {len(data)} values are missing or "
            "infinite; leave them out before"
        )
    if len(data) and np.abs(data).max() > LARGEST:
        raise AnalysisError(
            f"{purpose}: a value is beyond {LARGEST:g}, where sums of squares overflow; look into "
            "the file, or choose a larger unit"
        )
    return data


def autocorrelation(values: npt.ArrayLike, *, lags: int | None = None) -> Values:
    """Autocorrelation of a series by lag.

    Parameters
    ----------
    values : array_like
        In the order of measuring, at least 2.
    lags : int, optional
        Largest lag; by default one less than there are values.

    Returns
    -------
    numpy.ndarray
        Shape (lags + 1,): 1 at lag 0, then the biased estimator (divisor n). All 0 behind lag 0
        if the values do not vary.

    References
    ----------
    Box, Jenkins, *Time Series Analysis*, section 2.1.5. Computed by FFT in n log n.
    """
    data = checked(values, "autocorrelation", least=2)
    most = len(data) - 1 if lags is None else min(lags, len(data) - 1)
    centred = data - data.mean()
    power = float(centred @ centred)
    if power <= 0.0:
        return np.concatenate([[1.0], np.zeros(most)])
    size = 1 << int(2 * len(data) - 1).bit_length()
    spectrum = np.fft.rfft(centred, size)
    covariance = np.fft.irfft(np.abs(spectrum) ** 2, size)[: most + 1]
    return np.asarray(covariance / covariance[0], dtype=np.float64)


def correlation_time(values: npt.ArrayLike) -> float:
    """How many values in order carry as much as one independent one.

    Parameters
    ----------
    values : array_like
        In the order of measuring.

    Returns
    -------
    float
        ``1 + 2 * sum of autocorrelations`` of an autoregressive model, at least 1 and at most a
        quarter of the number of values; 1 if the values do not vary. The order of the model is
        that of the least criterion of Akaike; the model of order 1 takes its place where it has
        the longer time. The autocorrelations are corrected for the mean that was taken off.

    References
    ----------
    Heidelberger, Welch, A Spectral Method for Confidence Interval Generation and Run Length Control
    in Simulations, Communications of the ACM 24(4), 1981; Kendall, Note on Bias in the Estimation
    of Autocorrelation, Biometrika 41, 1954.
    """
    return _model(checked(values, "correlation time", least=2))[0]


@dataclass(frozen=True, slots=True)
class Dependence:
    """How values in the order of measuring depend on each other.

    Attributes
    ----------
    values : numpy.ndarray
        The series.
    time : float
        Values that carry as much as one independent one, by the normal scores.
    correlations : numpy.ndarray
        Autocorrelations of the normal scores from lag 1 on, of the fitted model.
    """

    values: Values
    time: float
    correlations: Values

    @property
    def effective(self) -> float:
        """Independent values that the series is worth."""
        return len(self.values) / self.time

    @property
    def is_known(self) -> bool:
        """Whether the series is long enough for its dependence to be known."""
        return self.effective >= FEWEST_EFFECTIVE

    def at(self, quantile: float) -> float:
        """Independent values that would fix a quantile as well as these do.

        The number of values over the correlation time of the indicator "at most the quantile". The
        time is that of a series whose normal scores are normal and correlated as these, or that of
        the indicator itself where it is longer, because the tail clusters more.

        Parameters
        ----------
        quantile : float
            Between 0 and 1.

        Returns
        -------
        float
            From nearly 0 to the number of values.

        References
        ----------
        Heidelberger, Lewis, Quantile Estimation in Dependent Sequences, Operations Research 32(1),
        1984 (the indicator); Geyer, Practical Markov Chain Monte Carlo, Statistical Science 7(4),
        1992, section 3.3 (where the sum over its autocorrelations ends).
        """
        count = len(self.values)
        if count < _SHORTEST:
            return float(count)
        return count / (self._time(quantile) * _short(self.effective))

    def _time(self, quantile: float) -> float:
        """Correlation time of the indicator, the longest of what is found in three ways."""
        modelled = self._modelled(quantile, quantile, 1.0)
        below = (self.values <= np.quantile(self.values, quantile)).astype(np.float64)
        fitted = _model(below)[0]
        fitted *= _short(len(below) / fitted)
        return max(modelled, fitted, _observed_time(below), 1.0)

    def _modelled(self, first: float, second: float, same: float) -> float:
        """Sum over lags of what a normal series with these correlations has."""
        return same + 2.0 * float(indicator_correlation(self.correlations, first, second).sum())

    def between(self, first: float, second: float) -> float:
        """Correlation of the fractions of values below two quantiles."""
        low, high = min(first, second), max(first, second)
        same = math.sqrt(low * (1.0 - high) / (high * (1.0 - low)))
        summed = self._modelled(first, second, same)
        return float(
            np.clip(summed / math.sqrt(self._time(first) * self._time(second)), -0.99, 0.99)
        )


def dependence(values: npt.ArrayLike) -> Dependence:
    """Find how values in the order of measuring depend on each other.

    Parameters
    ----------
    values : array_like
        In the order of measuring.

    Returns
    -------
    Dependence
        By ranks, so that the distribution of the values does not matter.
    """
    data = checked(values, "dependence")
    if len(data) < _SHORTEST:
        return Dependence(data, 1.0, np.zeros(0))
    time, correlations = _model(normal_scores(data))
    return Dependence(data, time * _short(len(data) / time), correlations)


def effective_size(values: npt.ArrayLike, quantile: float = 0.5) -> float:
    """How many independent values would fix a quantile as well as these do.

    Parameters
    ----------
    values : array_like
        In the order of measuring.
    quantile : float
        Between 0 and 1.

    Returns
    -------
    float
        See :meth:`Dependence.at`.
    """
    return dependence(values).at(quantile)


def effective_mean(values: npt.ArrayLike) -> float:
    """How many independent values would fix the mean as well as these do.

    Parameters
    ----------
    values : array_like
        In the order of measuring.

    Returns
    -------
    float
        The number of values over :func:`correlation_time`, less what that is too short by.
    """
    data = checked(values, "effective size")
    if len(data) < _SHORTEST:
        return float(len(data))
    found = len(data) / correlation_time(data)
    return found / _short(found)


def _short(effective: float) -> float:
    """How much longer correlation times are than found in a series worth so few values."""
    return 1.0 + 3.0 / effective


def _observed_time(values: Values) -> float:
    """Correlation time of a series from its autocorrelations alone (Geyer 1992)."""
    found = autocorrelation(values, lags=max(len(values) // 3, 1))
    pairs = found[1 : 1 + 2 * ((len(found) - 1) // 2)].reshape(-1, 2).sum(axis=1)
    ends = np.flatnonzero(pairs <= 0.0)
    kept = pairs[: ends[0]] if len(ends) else pairs
    return float(max(1.0, 1.0 + 2.0 * kept.sum()))


def _model(data: Values) -> tuple[float, Values]:
    """Correlation time, and autocorrelations from lag 1 on, of a fitted model."""
    count = len(data)
    most = max(1, min(int(10.0 * math.log10(count)), count // 8))
    raw = autocorrelation(data, lags=most)
    if count < _SHORTEST or not raw[1:].any():
        return 1.0, np.zeros(0)
    general, weights, start = _fitted(raw, count)
    first, single, beginning = _fitted(raw[:2], count)
    if first >= general:
        general, weights, start = first, single, beginning
    return general, _followed(weights, start, min(count, _LAGS))


def _fitted(raw: Values, count: int) -> tuple[float, Values, Values]:
    """Correlation time, weights and autocorrelations of an autoregressive model.

    An autocovariance is found too small, by the variance of the mean that was taken off: by the
    correlation time over the number of values. The time follows from the model, hence the loop.
    """
    lags = np.arange(len(raw))
    time, weights, found = 1.0, np.zeros(0), raw
    for _ in range(30):
        found = (raw * count / (count - lags) + time / count) / (1.0 + time / count)
        found[0] = 1.0
        weights, left = _recursion(found, count)
        longer = left / max(1.0 - float(weights.sum()), 1e-6) ** 2
        longer = min(max(1.0, longer), count / 4.0)
        if abs(longer - time) < 1e-3 * time:
            break
        time = longer
    return time, weights, found


def _recursion(correlations: Values, count: int) -> tuple[Values, float]:
    """Weights and innovation variance of the model of the best order (Levinson, Durbin).

    Of a single lag the order is 1 where neighbours are alike, else 0.
    """
    weights, left = np.zeros(0), 1.0
    best = weights, left
    least = math.inf if len(correlations) == 2 and correlations[1] > 0.0 else 0.0
    for order in range(1, len(correlations)):
        known = float(weights @ correlations[order - 1 : 0 : -1]) if order > 1 else 0.0
        partial = float(np.clip((correlations[order] - known) / left, -0.9999, 0.9999))
        weights = np.concatenate([weights - partial * weights[::-1], [partial]])
        left *= 1.0 - partial**2
        criterion = count * math.log(left) + 2.0 * order
        if criterion < least:
            best, least = (weights, left), criterion
    return best


def _followed(weights: Values, start: Values, lags: int) -> Values:
    """Autocorrelations of a model from lag 1 on."""
    order = len(weights)
    if order == 0:
        return np.zeros(0)
    if order == 1:
        found = weights[0] ** np.arange(1.0, lags)
    else:
        from scipy.signal import lfilter, lfiltic  # noqa: PLC0415 - takes a while to load

        given = np.concatenate([[1.0], -weights])
        before = lfiltic([1.0], given, start[order:0:-1])
        rest = lfilter([1.0], given, np.zeros(max(lags - order - 1, 1)), zi=before)[0]
        found = np.concatenate([start[1 : order + 1], rest])
    kept = np.flatnonzero(np.abs(found) > _NEGLIGIBLE)
    return np.asarray(np.clip(found[: kept[-1] + 1 if len(kept) else 0], -1.0, 1.0))
