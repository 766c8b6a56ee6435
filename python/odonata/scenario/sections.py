"""Tables of a scenario that every system has: their keys, units and defaults.

The parameters of families (topologies, routings, placements, workloads, MPI) are not here: the
simulator's registry has them.
"""

from __future__ import annotations

from odonata.scenario.fields import Field

SCHEMA_VERSION = 1
"""Version of the scenario format."""

ROLES = ("victim", "aggressor", "background")
"""Roles of jobs. A victim gets an isolated baseline; background runs until the others finish."""

LINK_KINDS = ("host", "local", "global")
"""Node to router, inside a group, between groups."""

TOP = ("schema", "name", "description", "seed", "system", "routing", "jobs", "measure", "stop",
       "telemetry", "sweep")  # fmt: skip
"""Keys of a scenario."""

SYSTEM = ("preset", "topology", "links", "router", "packet", "nic", "mpi")
"""Keys of ``[system]``."""

JOB = ("name", "role", "placement", "workload")
"""Keys of ``[[jobs]]``."""

LINK = (
    Field("bandwidth", "bandwidth", "bandwidth of each direction", minimum=1),
    Field("latency", "time", "propagation delay"),
)

ROUTER = (
    Field("architecture", "choice", "buffer organisation: per output without head-of-line "
          "blocking, or input queues, crossbar and output queues", choices=("voq", "cioq")),
    Field("latency", "time", "pipeline latency, passed on the way in"),
    Field("credit_delay", "time", "from leaving a buffer to sending the credit", default=0),
    Field("input_buffer", "bytes", "input buffer of each virtual channel", minimum=1),
    Field("output_buffer", "bytes", "output buffer of each virtual channel (cioq only)",
          default=None, minimum=1),
    Field("speedup", "count", "crossbar bandwidth over the fastest link (cioq only)", default=1,
          minimum=1),
    Field("arbitration", "choice", "who goes first at an output port", default="round-robin",
          choices=("round-robin", "oldest-first")),
    Field("switching", "choice", "whether a packet leaves before its tail has come in",
          default="cut-through", choices=("cut-through", "store-and-forward")),
    Field("virtual_channels", "count", "virtual channels per port; absent: what the routing needs",
          default=None, minimum=1, maximum=255),
)  # fmt: skip

PACKET = (
    Field("size", "bytes", "largest packet, headers included", minimum=1, maximum=2**32 - 1),
    Field("flit", "bytes", "unit of buffers and credits", minimum=1, maximum=2**32 - 1),
    Field("header", "bytes", "header of each packet", default=0, maximum=2**32 - 1),
    Field("delivery", "choice", "which end of a packet must arrive for it to count as delivered",
          default="tail", choices=("tail", "head")),
)  # fmt: skip

NIC = (Field("buffer_packets", "count", "output buffer in largest packets", default=30, minimum=1),)

MEASURE = (
    Field("warm_up", "time", "excluded from latency and accepted load", default=20_000_000),
    Field("window", "time", "measured", default=50_000_000, minimum=1),
    Field("drain", "time", "longest wait for measured packets; default: four windows",
          default=None),
)  # fmt: skip

STOP = (
    Field("time", "time", "simulated time at which a run ends in any case",
          default=1_000_000_000_000, minimum=1),
)  # fmt: skip

TELEMETRY = (
    Field("packet_sample", "count", "record every n-th packet of each node; 0: none", default=0),
    Field("series_bin", "time", "width of a bin of the time series", default=1_000_000, minimum=1),
)

TABLES = {
    "router": ROUTER,
    "packet": PACKET,
    "nic": NIC,
}
"""Tables of ``[system]`` with fixed keys."""
