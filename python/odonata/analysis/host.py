"""Host and network told apart: what the detours of a CPU can explain, and what is left."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from odonata.analysis.dependence import checked, dependence
from odonata.analysis.frames import AnalysisError
from odonata.analysis.quantiles import LEVEL, Interval
from odonata.analysis.scores import Values


@dataclass(frozen=True, slots=True, kw_only=True)
class HostNoise:
    """Detours of a loop that should not be disturbed.

    Attributes
    ----------
    count : int
        Detours.
    watched_ns : float
        How long the loop was watched, ns.
    share : float
        Time in detours over time watched.
    rate_per_s : float
        Detours per second.
    median_ns, maximum_ns : float
        Length of detours, ns.
    """

    count: int
    watched_ns: float
    share: float
    rate_per_s: float
    median_ns: float
    maximum_ns: float


def host_noise(detours_ns: npt.ArrayLike, watched_ns: float) -> HostNoise:
    """Describe the detours that a benchmark such as Netgauge's `selfish` found.

    Parameters
    ----------
    detours_ns : array_like
        Length of every detour, ns; at least one.
    watched_ns : float
        How long the loop was watched, ns.

    Returns
    -------
    HostNoise
        The description.

    Raises
    ------
    AnalysisError
        There is no detour, or they are longer than the time in which they were.

    References
    ----------
    Beckman et al., The Influence of Operating Systems on the Performance of Collective Operations
    at Extreme Scale, Cluster 2006 (selfish detour).
    """
    data = checked(detours_ns, "host noise")
    if not watched_ns > 0.0 or data.min() < 0.0 or data.sum() > watched_ns:
        raise AnalysisError(
            f"host noise: detours of {data.sum():.4g} ns in {watched_ns:.4g} ns cannot be; give "
            "the file as the benchmark wrote it"
        )
    return HostNoise(
        count=len(data),
        watched_ns=watched_ns,
        share=float(data.sum() / watched_ns),
        rate_per_s=len(data) / watched_ns * 1e9,
        median_ns=float(np.median(data)),
        maximum_ns=float(data.max()),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SlowSamples:
    """How many slow samples detours of the hosts can explain.

    Attributes
    ----------
    slow : Interval
        Fraction of samples that are slower than the fastest decile by at least the limit; its ends
        are NaN where too few samples, or too dependent ones, carry no interval.
    limit_ns : float
        That many ns: the shortest detour that was recorded.
    hit : float
        Fraction of samples that a detour can have hit, at most.
    host_share : float
        `hit` over `slow`, at most 1: what of the slow samples is due to hosts, at most.
    """

    slow: Interval
    limit_ns: float
    hit: float
    host_share: float


def slow_samples(
    times_ns: npt.ArrayLike,
    detours_ns: npt.ArrayLike,
    watched_ns: float,
    *,
    hosts: int = 2,
    level: float = LEVEL,
) -> SlowSamples:
    """Bound how many of the slow samples of a latency are due to the hosts.

    A detour of length l hits a call of length t if it begins in the l before it or within it: with
    detours at the rate r, a fraction of at most ``hosts * r * (t + mean l)`` of the calls is hit
    (t without disturbance, the fastest decile). Samples that are slow beyond that were slow on
    their way, from NIC to NIC and inside them. A bound, since a hit call need not wait.

    Parameters
    ----------
    times_ns : array_like
        Samples of one size in the order of measuring, ns.
    detours_ns : array_like
        Detours of one host, ns; the other hosts are taken to be like it.
    watched_ns : float
        How long that host was watched, ns.
    hosts : int
        Hosts whose detours delay a sample: both ends of a ping-pong.
    level : float
        Confidence of the fraction of slow samples.

    Returns
    -------
    SlowSamples
        What hosts can explain at most.

    Raises
    ------
    AnalysisError
        There are no samples or no detours.
    """
    data = checked(times_ns, "slow samples", least=10)
    noise = host_noise(detours_ns, watched_ns)
    lengths = checked(detours_ns, "host noise")
    undisturbed = float(np.quantile(data, 0.1))
    limit = float(lengths.min())
    share = float((data >= undisturbed + limit).mean())
    slow = _fraction(data, share, level=level)
    per_ns = noise.rate_per_s * 1e-9
    hit = min(hosts * per_ns * (undisturbed + float(lengths.mean())), 1.0)
    explained = min(hit / share, 1.0) if share > 0 else math.nan
    return SlowSamples(slow=slow, limit_ns=limit, hit=hit, host_share=explained)


def _fraction(data: Values, share: float, *, level: float) -> Interval:
    """Fraction of an ordered series that is slow, with Wilson's interval of what it is worth."""
    from scipy.special import stdtrit  # noqa: PLC0415 - takes a while to load

    found = dependence(data)
    if not found.is_known:
        return Interval(estimate=share, low=math.nan, high=math.nan, level=level)
    effective = found.at(1.0 - share) if 0.0 < share < 1.0 else found.effective
    # Degrees of freedom as odonata.analysis.quantiles.Worth.reduced has them.
    square = float(stdtrit(found.effective / 3.0, (1.0 + level) / 2.0)) ** 2
    centre = (share + square / (2.0 * effective)) / (1.0 + square / effective)
    half = math.sqrt(square * (share * (1.0 - share) / effective + square / (2.0 * effective) ** 2))
    half /= 1.0 + square / effective
    return Interval(estimate=share, low=min(max(centre - half, 0.0), share),
                    high=max(min(centre + half, 1.0), share), level=level)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """Variance of a time, by what it comes from.

    Attributes
    ----------
    network, host, shared : float
        Shares that add up to 1: variance of the network's part, of the rest, and twice their
        covariance.
    """

    network: float
    host: float
    shared: float


def parts(time_ns: npt.ArrayLike, network_ns: npt.ArrayLike) -> Parts:
    """Divide the variance of times among network and host.

    Parameters
    ----------
    time_ns : array_like
        Measured times, ns; at least 3.
    network_ns : array_like
        The network's part of each, ns: from the counters of the NIC
        (:mod:`odonata.analysis.message_time`), or simulated.

    Returns
    -------
    Parts
        Shares of the variance.

    Raises
    ------
    AnalysisError
        The numbers differ, or times do not vary.
    """
    whole, network = (checked(v, "network and host", least=3) for v in (time_ns, network_ns))
    if len(whole) != len(network) or whole.var() <= 0.0:
        raise AnalysisError(
            f"network and host: {len(whole)} times and {len(network)} of the network, which must "
            "be as many and vary; give both for the same messages"
        )
    host = whole - network
    total = float(whole.var())
    return Parts(
        network=float(network.var()) / total,
        host=float(host.var()) / total,
        shared=2.0 * float(((network - network.mean()) * (host - host.mean())).mean()) / total,
    )
