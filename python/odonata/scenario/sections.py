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

LINK_KINDS = ("host", "local", "row", "column", "global")
"""Node to router, inside a group (rows and columns of it where it is a grid), between groups."""

INSIDE = ("row", "column")
"""Kinds of links that are like `local` ones where nothing else is said."""

ROUTER_LINK_KINDS = tuple(kind for kind in LINK_KINDS if kind != "host")
"""Kinds of links between routers: those that may fail."""

TOP = ("schema", "name", "description", "seed", "system", "routing", "jobs", "measure", "stop",
       "telemetry", "sweep")  # fmt: skip
"""Keys of a scenario."""

SYSTEM = ("preset", "note", "topology", "failures", "links", "router", "packet", "nic", "qos",
          "mpi")  # fmt: skip
"""Keys of ``[system]``."""

JOB = ("name", "role", "class", "collective_class", "small_class", "routing", "placement",
       "workload")  # fmt: skip
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
    Field("host_buffer", "bytes", "the same behind links from nodes; default: `input_buffer`",
          default=None, minimum=1),
    Field("global_buffer", "bytes", "the same behind global links; default: `input_buffer`",
          default=None, minimum=1),
    Field("output_buffer", "bytes", "output buffer of each virtual channel (cioq only)",
          default=None, minimum=1),
    Field("speedup", "count", "crossbar bandwidth over the fastest link (cioq only)", default=1,
          minimum=1),
    Field("arbitration", "choice", "who goes first at an output port", default="round-robin",
          choices=("round-robin", "oldest-first", "highest-vc",
                   "lowest-vc")),
    Field("credit_return", "choice", "when a packet gives its place back: as it starts on its way "
          "out, or as soon as its next place is reserved (voq only)", default="departure",
          choices=("departure", "reservation"), sparse=True),
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

NIC = (
    Field("buffer_packets", "count", "output buffer in largest packets", default=30, minimum=1),
    Field("response", "bytes", "packet that answers each packet of a message; 0: one-way packets",
          default=0, maximum=2**32 - 1, sparse=True),
    Field("outstanding", "count", "packets that may wait for their answer; 0: any number",
          default=0, sparse=True),
)  # fmt: skip

QOS = (
    Field("window", "time", "over which the caps hold", default=5_000_000_000, minimum=1),
    Field("monitor", "choice", "how the use of a link is counted: from window to window, over the "
          "last window, or by tokens", default="static",
          choices=("static", "sliding", "token-bucket")),
    Field("classes", "list", "`{ name, cap }` in order of priority, the highest first"),
)  # fmt: skip

CLASS = (
    Field("name", "text", "of the class"),
    Field("cap", "share", "share of the bandwidth of a link up to which the class goes first",
          minimum=1, maximum=1_000_000),
)  # fmt: skip

LARGEST_CLASSES = 16
"""Most traffic classes of a system."""

FAILURES = (
    Field("links", "list", "pairs of routers whose links have failed", default=None),
    Field("fraction", "number", "fraction of the links that have failed, drawn by the seed",
          default=None, minimum=0, maximum=1),
    Field("kinds", "list", "kinds of links that `fraction` speaks of; default: global",
          default=None, choices=ROUTER_LINK_KINDS),
)  # fmt: skip

SMALL_CLASS = (
    Field("name", "text", "class of small messages"),
    Field("below", "bytes", "messages of fewer bytes are small", minimum=1),
)

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
    Field("iteration_records", "count",
          "iterations kept at most, of all ranks; then every second one is dropped, with a note",
          default=1_000_000, minimum=1, sparse=True),
    Field("q_table", "boolean", "keep what routers have learnt (q-adaptive)", default=False,
          sparse=True),
)  # fmt: skip

TABLES = {
    "router": ROUTER,
    "packet": PACKET,
    "nic": NIC,
}
"""Tables of ``[system]`` with fixed keys."""
