"""Noise by the rules: measured and simulated times in one table form, and what they can say.

Examples
--------
>>> from odonata import noise
>>> frame = noise.table(
...     series="ping",
...     quantity="latency",
...     unit="ns",
...     statistic="sample",
...     iteration=range(400),
...     value=[2000.0 + i % 7 for i in range(400)],
... )
>>> noise.summary(frame)["median"].item()
2003.0

Statistics are those of :mod:`odonata.analysis`, which knows no simulator; files are read by
:mod:`odonata.measured`. The page `docs/noise.md` has formulas, sources and worked examples.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import polars as pl

from odonata import measured, results
from odonata.analysis.correlation import matrix as counters_by_iteration
from odonata.analysis.correlation import r_squared
from odonata.analysis.correlation import table as counters_against_time
from odonata.analysis.counters import Rates, during, rates
from odonata.analysis.dependence import autocorrelation, correlation_time, effective_size
from odonata.analysis.dispersion import Dispersion, describe, quartile_dispersion, series, summary
from odonata.analysis.host import HostNoise, Parts, SlowSamples, host_noise, parts, slow_samples
from odonata.analysis.impact import congestion_impact, mean_interval
from odonata.analysis.message_time import Fit, cycles, fit, flits, packets
from odonata.analysis.pairs import Comparison, alternated, replicas_for, slowdown_interval
from odonata.analysis.quantiles import Interval, needed, quantile_interval
from odonata.analysis.slowest import recurring, slowest_ranks, spread_of_extremes
from odonata.measured import FORMATS, Measurements
from odonata.measured.form import FORM, SCHEMA, checked, joined, table
from odonata.output.noise.compared import Against, against
from odonata.output.noise.comparisons import SEED, alternated_modes, compare, slowdowns
from odonata.output.noise.findings import Findings, findings
from odonata.output.noise.gpcnet_text import gpcnet_tables
from odonata.output.noise.means import compare_means, given_means
from odonata.results.measurements import form_of

__all__ = [
    "FORM",
    "FORMATS",
    "SCHEMA",
    "SEED",
    "Against",
    "Comparison",
    "Dispersion",
    "Findings",
    "Fit",
    "HostNoise",
    "Interval",
    "Measurements",
    "Parts",
    "Rates",
    "SlowSamples",
    "against",
    "alternated",
    "alternated_modes",
    "autocorrelation",
    "checked",
    "compare",
    "compare_means",
    "congestion_impact",
    "correlation_time",
    "counters_against_time",
    "counters_by_iteration",
    "cycles",
    "describe",
    "during",
    "effective_size",
    "findings",
    "fit",
    "flits",
    "form_of",
    "given_means",
    "gpcnet_tables",
    "host_noise",
    "joined",
    "mean_interval",
    "needed",
    "packets",
    "parts",
    "quantile_interval",
    "quartile_dispersion",
    "r_squared",
    "rates",
    "read",
    "recurring",
    "replicas_for",
    "series",
    "slow_samples",
    "slowdown_interval",
    "slowdowns",
    "slowest_ranks",
    "spread_of_extremes",
    "summary",
    "table",
]


def is_results(path: str | Path) -> bool:
    """Whether a path is a folder that `odonata run` has written."""
    folder = Path(path)
    return (folder / results.SUMMARY).is_file() or (folder / results.INDEX).is_file()


def read(paths: str | Path | Iterable[str | Path], *, kind: str | None = None) -> Measurements:
    """Read measurements and simulated results into one frame.

    Parameters
    ----------
    paths : str, pathlib.Path or iterable of these
        Files, folders and archives of measurements (:data:`FORMATS`), and folders of results.
    kind : str, optional
        Format of the files; by default each is looked at.

    Returns
    -------
    Measurements
        ``frame`` in the form (:data:`FORM`), ``formats`` by source, what was ``skipped`` and what
        is ``unreadable`` in folders and archives, and ``warnings``.

    Raises
    ------
    odonata.errors.MeasurementError
        A file that was given is missing, damaged, or of no known format.
    odonata.RunError
        A folder of results is damaged.
    """
    given = [paths] if isinstance(paths, str | Path) else list(paths)
    found = [_read(Path(path), kind) for path in given]
    formats = {name: kind for one in found for name, kind in one.formats.items()}
    skipped = [name for one in found for name in one.skipped]
    unreadable = [sentence for one in found for sentence in one.unreadable]
    warnings = [sentence for one in found for sentence in one.warnings]
    frame = joined([one.frame for one in found])
    return Measurements(frame, formats, skipped, unreadable, warnings)


def _read(path: Path, kind: str | None) -> Measurements:
    if not is_results(path):
        return measured.read([path], kind=kind)
    frame: pl.DataFrame = form_of(results.load(path), source=str(path))
    return Measurements(frame, {str(path): "results"}, [])
