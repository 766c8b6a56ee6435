"""Statistics of results and measurements.

Pure functions from frames to frames or small dataclasses. What this room does not know: the
simulator, files, pictures. Every function states its estimator and refuses empty input.
"""

from __future__ import annotations

from odonata.analysis.blame import awaited, breakdown, causes, delaying_links, delays
from odonata.analysis.classes import class_shares, job_shares
from odonata.analysis.communication import Slowdown, Spread, slowdown, spread, spread_by_job
from odonata.analysis.congestion import group_matrix, stalled_links
from odonata.analysis.foreign import foreign
from odonata.analysis.latency import combine, exceedance, percentile, percentiles
from odonata.analysis.learning import has_learnt, learning
from odonata.analysis.throughput import coarsen, throughput
from odonata.analysis.turns import latencies, spans

__all__ = [
    "Slowdown",
    "Spread",
    "awaited",
    "breakdown",
    "causes",
    "class_shares",
    "coarsen",
    "combine",
    "delaying_links",
    "delays",
    "exceedance",
    "foreign",
    "group_matrix",
    "has_learnt",
    "job_shares",
    "latencies",
    "learning",
    "percentile",
    "percentiles",
    "slowdown",
    "spans",
    "spread",
    "spread_by_job",
    "stalled_links",
    "throughput",
]
