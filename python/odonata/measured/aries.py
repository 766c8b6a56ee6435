"""Names of Aries counters: which tile a counter belongs to, and its name without the tile."""

from __future__ import annotations

import re

_TILE = re.compile(r"(?:cray_npu:::)?AR_RTR_(PT_)?(\d)_(\d)_(\w.*)")
_NIC = re.compile(r"(?:cray_npu:::)?(AR_N(?:IC|L)_\w.*)")

NETWORK, PROCESSOR, NIC = "network tiles", "processor tiles", "NIC"
"""Series of counters."""

_PROCESSOR_ROW = 5
"""Row of the processor tiles among the tiles of a router (Aries: 5 rows of 8 network tiles)."""


def tile(x: int, y: int) -> str:
    """How a tile is called in the column `place`."""
    return f"tile {x},{y}"


def series_of(x: int) -> str:
    """Network or processor tiles, by the row of the tile."""
    return PROCESSOR if x == _PROCESSOR_ROW else NETWORK


def split(name: str) -> tuple[str | None, str | None, str]:
    """Series, tile and bare name of a counter.

    Parameters
    ----------
    name : str
        As PAPI, AriesNCL and LDMS have it, such as ``AR_RTR_0_3_INQ_PRF_ROWBUS_STALL_CNT``.

    Returns
    -------
    tuple of str or None
        Series and tile are ``None`` if it is no Aries counter, the tile also for NIC counters.

    Examples
    --------
    >>> split("AR_RTR_0_3_INQ_PRF_ROWBUS_STALL_CNT")
    ('network tiles', 'tile 0,3', 'INQ_PRF_ROWBUS_STALL_CNT')
    """
    found = _TILE.fullmatch(name)
    if found:
        x, y = int(found.group(2)), int(found.group(3))
        kind = PROCESSOR if found.group(1) else series_of(x)
        return kind, tile(x, y), found.group(4)
    nic = _NIC.fullmatch(name)
    return (NIC, None, nic.group(1)) if nic else (None, None, name)
