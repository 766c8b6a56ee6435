"""Measuring noise on a real machine: benchmarks under MPI whose times `odonata noise` reads.

Every rank of one allocation runs :func:`odonata.measured.measure.session.run`. Modes of the network
take turns on successive iterations, counters are read around each of them, and the detours of the
hosts are watched before and after (De Sensi et al. 2019, section 3).

What this room does not know: the simulator, and statistics. It needs mpi4py and numpy only, and so
fits into one file that runs where Odonata is not installed
(:mod:`odonata.measured.measure.bundle`).
"""

from __future__ import annotations

from odonata.measured.measure.benchmarks import BENCHMARKS
from odonata.measured.measure.plan import Plan, script
from odonata.measured.measure.request import Request

__all__ = ["BENCHMARKS", "Plan", "Request", "script"]
