"""Pictures: every function takes a frame and the ``Axes`` into which it draws.

Plots compute nothing that is not in the frame; the frames come from ``odonata.analysis``.
"""

from __future__ import annotations

from odonata.output.plots.categories import class_shares, communication_time, latency_distribution
from odonata.output.plots.curves import (
    LEARNING,
    accepted_load,
    counter_rates,
    latency_tail,
    learning_curve,
    load_latency,
    throughput,
)
from odonata.output.plots.delays import delaying_links, delays
from odonata.output.plots.heat import blame_matrix, congestion_map
from odonata.output.plots.machine import ROUTERS, machine
from odonata.output.plots.noise import cumulative, notched_boxes, slowest_ranks
from odonata.output.plots.parts import parts
from odonata.output.plots.rows import ROW_HEIGHT, Unit, communication_rows, intervals, latency_rows
from odonata.output.plots.style import (
    ALONE,
    BESIDE,
    PALETTE,
    RC,
    SETTINGS,
    job_colours,
    panel_width,
    time_unit,
)
from odonata.output.plots.tradeoff import tradeoff

__all__ = [
    "ALONE",
    "BESIDE",
    "LEARNING",
    "PALETTE",
    "RC",
    "ROUTERS",
    "ROW_HEIGHT",
    "SETTINGS",
    "Unit",
    "accepted_load",
    "blame_matrix",
    "class_shares",
    "communication_rows",
    "communication_time",
    "congestion_map",
    "counter_rates",
    "cumulative",
    "delaying_links",
    "delays",
    "intervals",
    "job_colours",
    "latency_distribution",
    "latency_rows",
    "latency_tail",
    "learning_curve",
    "load_latency",
    "machine",
    "notched_boxes",
    "panel_width",
    "parts",
    "slowest_ranks",
    "throughput",
    "time_unit",
    "tradeoff",
]
