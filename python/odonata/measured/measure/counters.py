"""Counters of the NICs of a node, read around every iteration by one rank of the node.

Slingshot: files ``/sys/class/cxi/cxi0/device/telemetry/NAME`` that hold ``value@seconds``. Aries:
native events of PAPI. Where neither is there, that is said.
"""

from __future__ import annotations

import fnmatch
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from odonata.measured.measure.papi import Papi, PapiError

CXI = Path("/sys/class/cxi")
"""Where the driver of Cassini shows its NICs."""

CXI_COUNTERS = (
    "pct_req_rsp_latency_*", "pct_spt_timeouts", "pct_no_*_nacks", "pct_retry_srb_requests",
    "oxe_stall_*", "hni_tx_paused_*", "hni_rx_paused_*", "hni_pause_recv", "hni_fgfc_event_*",
    "hni_pkts_sent_by_tc_*", "ixe_tc_*_ecn_pkts_*", "parbs_tarb_pi_posted_blocked_cnt",
    "lpe_net_match_overflow",
)  # fmt: skip
"""Counters of Cassini that tell of congestion: latencies, stalls, pauses, marks, what the host
held up."""

ARIES_EVENTS = (
    "AR_NIC_NETMON_ORB_EVENT_CNTR_REQ_FLITS", "AR_NIC_NETMON_ORB_EVENT_CNTR_REQ_STALLED",
    "AR_NIC_NETMON_ORB_EVENT_CNTR_RSP_NET_TRACK", "AR_NIC_ORB_PRF_NET_RSP_TRACK_2",
)  # fmt: skip
"""Flits, stalled cycles, packet pairs and microseconds of latency (De Sensi et al. 2019, 2.3)."""

_PREFIXES = ("", "cray_npu:::", "sde:::aries::")
_MOST_BYTES = 64


class Counters(Protocol):
    """Counters of a node."""

    series: str
    """What they are of, as in the column `series`."""

    names: Sequence[tuple[str, str | None]]
    """Name and NIC of each."""

    def read(self) -> list[int]:
        """Readings in the order of the names; what cannot be read now is -1."""


class Nothing:
    """No counters; ``why`` says for what reason."""

    series = ""
    names: Sequence[tuple[str, str | None]] = ()

    def __init__(self, why: str) -> None:
        self.why = why

    def read(self) -> list[int]:
        """Nothing."""
        return []


class Cxi:
    """Telemetry files of all Cassini NICs of this node, held open.

    Parameters
    ----------
    root : pathlib.Path
        Folder of the NICs.
    patterns : sequence of str
        Names of counters; ``*`` stands for any text.
    """

    series = "Cassini"

    def __init__(self, root: Path, patterns: Sequence[str]) -> None:
        names, self._files = list[tuple[str, str | None]](), list[int]()
        for folder in sorted(root.glob("cxi*/device/telemetry")):
            for file in sorted(folder.iterdir()):
                if any(fnmatch.fnmatchcase(file.name, pattern) for pattern in patterns):
                    names.append((file.name, folder.parent.parent.name))
                    self._files.append(os.open(file, os.O_RDONLY))
        self.names: Sequence[tuple[str, str | None]] = names

    def read(self) -> list[int]:
        """Readings."""
        return [_reading(file) for file in self._files]


def _reading(file: int) -> int:
    try:
        text = os.pread(file, _MOST_BYTES, 0).partition(b"@")[0].strip()
    except OSError:
        return -1
    return int(text) if text.isdigit() else -1


class Aries:
    """Native events of the Aries NIC through PAPI."""

    series = "Aries NIC"

    def __init__(self, events: Sequence[str], prefixes: Sequence[str]) -> None:
        self._papi = Papi(events, prefixes)
        self.names: Sequence[tuple[str, str | None]] = [(event, None) for event in events]

    def read(self) -> list[int]:
        """Readings."""
        try:
            return self._papi.read()
        except PapiError:
            return [-1] * len(self.names)


def opened(*, cxi: Path = CXI, patterns: Sequence[str] = ()) -> Counters:
    """Counters of this node.

    Parameters
    ----------
    cxi : pathlib.Path
        Folder of Cassini NICs.
    patterns : sequence of str
        Counters of Cassini to read; default: :data:`CXI_COUNTERS`.

    Returns
    -------
    Counters
        Those of Cassini if there are any, else those of Aries, else :class:`Nothing`.
    """
    if any(cxi.glob("cxi*/device/telemetry")):
        try:
            found = Cxi(cxi, patterns or CXI_COUNTERS)
        except OSError as error:
            return Nothing(f"{cxi}: {error.strerror}")
        if found.names:
            return found
        return Nothing(f"{cxi} has no counter {', '.join(patterns or CXI_COUNTERS)}")
    events = tuple(os.environ.get("ODONATA_ARIES_EVENTS", ",".join(ARIES_EVENTS)).split(","))
    prefix = os.environ.get("ODONATA_ARIES_EVENT_PREFIX")
    try:
        return Aries(events, _PREFIXES if prefix is None else (prefix,))
    except PapiError as error:
        return Nothing(f"no {cxi}/cxi*/device/telemetry (Slingshot); {error} (Aries)")
