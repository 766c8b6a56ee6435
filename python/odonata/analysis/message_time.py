"""How long a message takes by the counters of its NIC: equations 1 and 2 of De Sensi et al. 2019.

All times are cycles of the NIC: L the latency of a packet, s the cycles that a flit waits on
average before it is sent, f the flits of the message and p its packets.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from odonata.analysis.dependence import checked
from odonata.analysis.frames import AnalysisError
from odonata.analysis.quantiles import LEVEL, Interval
from odonata.analysis.scores import Values

PACKET_BYTES = 64
"""Payload of a packet (De Sensi et al. 2019, section 2.1)."""

OUTSTANDING = 1024
"""Packets that a NIC has under way at most (section 2.4)."""

_FLIT_BYTES = 16
"""Payload of a flit of a PUT request: up to four of them follow a header flit."""

Call = Literal["put", "get"]


def packets(size: npt.ArrayLike) -> Values:
    """Packets of messages of so many bytes, at least one each.

    Parameters
    ----------
    size : array_like
        Payload of the messages, bytes.

    Returns
    -------
    numpy.ndarray
        Packets of 64 B, of the shape of `size`.

    Examples
    --------
    >>> packets([0, 64, 65]).tolist()
    [1.0, 1.0, 2.0]
    """
    return np.maximum(np.ceil(np.asarray(size, dtype=np.float64) / PACKET_BYTES), 1.0)


def flits(size: npt.ArrayLike, call: Call = "put") -> Values:
    """Request flits of messages: of a PUT a header and the payload of every packet, of a GET one.

    Parameters
    ----------
    size : array_like
        Payload of the messages, bytes.
    call : {"put", "get"}
        How they are sent.

    Returns
    -------
    numpy.ndarray
        Flits, of the shape of `size`.

    Examples
    --------
    >>> flits([64, 16, 65]).tolist(), flits([64, 65], "get").tolist()
    ([5.0, 2.0, 7.0], [1.0, 2.0])
    """
    if call == "get":
        return packets(size)
    return packets(size) + np.ceil(np.asarray(size, dtype=np.float64) / _FLIT_BYTES)


def cycles(
    latency: npt.ArrayLike,
    stalls: npt.ArrayLike,
    size: npt.ArrayLike,
    *,
    call: Call = "put",
    limited: bool = True,
) -> Values:
    """Time of a message without its host.

    Parameters
    ----------
    latency : array_like
        L, cycles: cumulative latency of the packets over their number.
    stalls : array_like
        s, cycles per flit: stalled cycles over request flits.
    size : array_like
        Bytes.
    call : {"put", "get"}
        What carries the data.
    limited : bool
        Equation 2, with the limit on packets under way; equation 1 without.

    Returns
    -------
    numpy.ndarray
        ``(p + 512) / 1024 L + f (s + 1)``, or ``L / 2 + f (s + 1)``.

    References
    ----------
    De Sensi et al. 2019, equations 1 and 2.

    Examples
    --------
    >>> cycles(1000.0, 1.0, 64.0, limited=False).item()
    510.0
    >>> cycles(1024.0, 0.0, 65536.0).item()
    6656.0
    """
    wait = np.asarray(latency, dtype=np.float64)
    sent = flits(size, call) * (np.asarray(stalls, dtype=np.float64) + 1.0)
    share = (packets(size) + OUTSTANDING / 2) / OUTSTANDING if limited else 0.5
    return np.asarray(share * wait + sent, dtype=np.float64)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """How measured times follow the model: ``time = host + scale * model``.

    Attributes
    ----------
    correlation : Interval
        Pearson's, with Fisher's interval for independent values.
    host_ns : float
        What the model leaves to the host, ns: the intercept.
    scale : float
        Times the model, 1 if it is right.
    r_squared : float
        Share of the variance that the model explains.
    count : int
        Times.
    """

    correlation: Interval
    host_ns: float
    scale: float
    r_squared: float
    count: int


def fit(model_ns: npt.ArrayLike, time_ns: npt.ArrayLike, *, level: float = LEVEL) -> Fit:
    """Hold measured times against the model.

    Parameters
    ----------
    model_ns : array_like
        :func:`cycles` over the clock of the NIC, ns; at least 4 values.
    time_ns : array_like
        Measured times of the same messages, ns.
    level : float
        Confidence of the correlation.

    Returns
    -------
    Fit
        Correlation and straight line, by least squares.

    Raises
    ------
    AnalysisError
        The numbers differ, are fewer than 4, or one side does not vary.

    References
    ----------
    De Sensi et al. 2019, section 2.4: 79 % on average over 40 allocations of Piz Daint, for
    messages of 128 bytes to 16 MiB. Fisher's interval: Metron 1, 1921.
    """
    x, y = (checked(v, "model of message times", least=4) for v in (model_ns, time_ns))
    if len(x) != len(y) or np.ptp(x) <= 0 or np.ptp(y) <= 0:
        raise AnalysisError(
            f"model of message times: {len(x)} modelled and {len(y)} measured times, which must be "
            "as many and vary; give both for the same messages"
        )
    return _fitted(x, y, level)


def _fitted(x: Values, y: Values, level: float) -> Fit:
    from scipy.stats import norm  # noqa: PLC0415 - takes longer to load than most commands last

    r = float(np.corrcoef(x, y)[0, 1])
    slope = float(((x - x.mean()) @ (y - y.mean())) / ((x - x.mean()) ** 2).sum())
    inner = min(max(r, -1.0 + 1e-15), 1.0 - 1e-15)
    half = float(norm.ppf((1.0 + level) / 2.0)) / math.sqrt(len(x) - 3)
    centre = math.atanh(inner)
    correlation = Interval(estimate=r, low=min(math.tanh(centre - half), r),
                           high=max(math.tanh(centre + half), r), level=level)  # fmt: skip
    return Fit(correlation=correlation, host_ns=float(y.mean() - slope * x.mean()), scale=slope,
               r_squared=r * r, count=len(x))  # fmt: skip
