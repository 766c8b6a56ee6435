"""How much a series that is measured in order knows: autocorrelation, effective sample size."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from odonata.analysis.frames import AnalysisError

Values = npt.NDArray[np.float64]

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

    Returns
    -------
    numpy.ndarray
        64-bit floats.

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
        ``1 + 2 * sum of autocorrelations``, at least 1. The sum ends where two neighbouring lags
        together are no longer positive (Geyer's initial positive sequence), at n / 3 at the latest.
        1 if the values do not vary.

    References
    ----------
    Geyer, Practical Markov Chain Monte Carlo, Statistical Science 7(4), 1992, section 3.3.
    """
    data = checked(values, "correlation time", least=2)
    found = autocorrelation(data, lags=max(len(data) // 3, 1))
    if found[1:2].size == 0 or not found[1:].any():
        return 1.0
    pairs = found[1 : 1 + 2 * ((len(found) - 1) // 2)].reshape(-1, 2).sum(axis=1)
    ends = np.flatnonzero(pairs <= 0.0)
    kept = pairs[: ends[0]] if len(ends) else pairs
    return float(max(1.0, 1.0 + 2.0 * kept.sum()))


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
        n over the correlation time of the indicator "at most the quantile", which decides the
        variance of a sample quantile.

    References
    ----------
    Heidelberger, Lewis, Quantile Estimation in Dependent Sequences, Operations Research 32(1),
    1984.
    """
    data = checked(values, "effective size")
    if len(data) < 4:
        return float(len(data))
    below = (data <= np.quantile(data, quantile)).astype(np.float64)
    return len(data) / correlation_time(below)
