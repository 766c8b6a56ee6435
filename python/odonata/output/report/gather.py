"""Collects the runs of a folder and makes the frames that the report shows."""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from odonata import analysis
from odonata.analysis import pairs, replicas
from odonata.core.errors import RunError
from odonata.output.explain import charged_waits
from odonata.results import RESOLVED, Result, Sweep, load
from odonata.scenario.removal import NOBODY, WITHOUT
from odonata.scenario.text import to_toml
from odonata.scenario.theory import zero_load_ns

INTERVAL = "its 95 % interval over replicas"
RANGE = "its range over seeds"
QUARTILES = "the quartiles over ranks"
"""What stands beside a slowdown."""

_FRACTIONS = {"p5": 0.05, "p25": 0.25, "p50": 0.5, "p75": 0.75, "p95": 0.95, "p99": 0.99}


@dataclass(frozen=True, kw_only=True, eq=False)
class Variant:
    """Runs that differ in nothing but their seed.

    Attributes
    ----------
    label : str
        What tells it from the other variants.
    keys : dict of str to object
        Swept keys and their values.
    runs : list of odonata.results.Result
        One per seed, in order; at least one.
    """

    label: str
    keys: dict[str, Any]
    runs: list[Result]

    @property
    def first(self) -> Result:
        """The run that stands for the variant where only one can be shown; a whole one if any."""
        return next((run for run in self.runs if is_whole(run)), self.runs[0])


@dataclass(frozen=True, kw_only=True, eq=False)
class Study:
    """All runs of a folder.

    Attributes
    ----------
    directory : pathlib.Path
        The folder.
    variants : list of Variant
        In the order of the sweep.
    scenario : dict
        The resolved scenario of the first run; empty if it is not there.
    scenario_text : str
        The same as text.
    is_sweep : bool
        Whether there are several runs.
    sweep : Sweep or None
        The sweep that they are of.
    """

    directory: Path
    variants: list[Variant]
    scenario: dict[str, Any] = field(default_factory=dict)
    scenario_text: str = ""
    is_sweep: bool = False
    sweep: Sweep | None = None

    @property
    def runs(self) -> list[tuple[Variant, Result]]:
        """Every run with its variant."""
        return [(variant, run) for variant in self.variants for run in variant.runs]

    @property
    def jobs(self) -> list[str]:
        """Names of all jobs, in the order of the scenario."""
        names: dict[str, None] = {}
        for _, run in self.runs:
            names |= dict.fromkeys(run.jobs)
        return list(names)


def collect(directory: Path) -> Study:
    """Collect the runs of a folder.

    Parameters
    ----------
    directory : pathlib.Path
        A run or a sweep.

    Returns
    -------
    Study
        At least one variant with at least one run.

    Raises
    ------
    odonata.errors.RunError
        If there are no results, or they are damaged.
    """
    return study_of(load(directory))


def study_of(found: Result | Sweep) -> Study:
    """The same of results that are in memory.

    Raises
    ------
    odonata.errors.RunError
        If a sweep holds no run.
    """
    variants = _of_sweep(found) if isinstance(found, Sweep) else [_of_run(found)]
    directory = found.directory or Path()
    if not variants:
        message = (
            f"{directory}: the sweep holds no run yet; wait for the first one, or run it again"
        )
        raise RunError(message)
    text = _scenario_text(variants[0].first)
    return Study(
        directory=directory,
        variants=variants,
        scenario=_parsed(text),
        scenario_text=text,
        is_sweep=isinstance(found, Sweep),
        sweep=found if isinstance(found, Sweep) else None,
    )


def _scenario_text(run: Result) -> str:
    path = None if run.directory is None else run.directory / RESOLVED
    if path is None:
        return to_toml(run.scenario) if run.scenario else ""
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def _parsed(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return {}


def _of_run(run: Result) -> Variant:
    routing = _parsed(_scenario_text(run)).get("routing", {})
    label = str(routing.get("algorithm", "this run"))
    return Variant(label=label, keys={}, runs=[run])


def _of_sweep(sweep: Sweep) -> list[Variant]:
    columns = sweep.index.columns
    end = columns.index("scenario_hash") if "scenario_hash" in columns else len(columns)
    keys = [name for name in columns[:end] if name not in {"run", "seed"}]
    grouped: dict[str, tuple[dict[str, Any], list[Result]]] = {}
    for row in sweep.index.iter_rows(named=True):
        values = {key: row[key] for key in keys}
        entry = grouped.setdefault(json.dumps(values), (values, []))
        entry[1].append(sweep.runs[row["run"]])
    return [
        Variant(label=_label(values) or _of_run(runs[0]).label, keys=values, runs=runs)
        for values, runs in grouped.values()
    ]


def _label(values: dict[str, Any]) -> str:
    parts = []
    for key, value in values.items():
        name = key.rpartition(".")[2]
        if key == WITHOUT:
            parts.append("all jobs" if value == NOBODY else f"without {value}")
            continue
        text = f"{value:g}" if isinstance(value, float) else str(value)
        parts.append(text if isinstance(value, str) else f"{name} {text}")
    return ", ".join(parts)


table = charged_waits.table


def _rows(run: Result, name: str, job: str) -> pl.DataFrame:
    frame = table(run, name)
    return frame.filter(pl.col("job") == job) if "job" in frame.columns else pl.DataFrame()


def _pooled(runs: list[Result], name: str, job: str) -> pl.DataFrame:
    parts = [rows for run in runs if not (rows := _rows(run, name, job)).is_empty()]
    return pl.concat(parts) if parts else pl.DataFrame()


def _settings(variant: Variant, job: str) -> list[tuple[str, list[Result]]]:
    alone = [run.baselines[job] for run in variant.runs if job in run.baselines]
    return [("alone", alone), ("beside", variant.runs)]


def is_whole(run: Result) -> bool:
    """Whether a run came to its end and was simulated whole: its means are those asked for."""
    return run.stop == "finished" and not any("cuts" in job.summary for job in run.jobs.values())


def _is_told(run: Result, job: str) -> bool:
    """Whether what a run says about a job is whole: the run is, or at least all ranks ended."""
    return job in run.jobs and (is_whole(run) or run.jobs[job].has_ended)


def is_timed(run: Result, job: str) -> bool:
    """Whether a job communicates and all of its ranks ended: only then its time is one."""
    if job not in run.jobs or run.jobs[job].comm_time_ns is None:
        return False
    is_counted = "ranks_finished" in run.jobs[job].summary
    return run.jobs[job].has_ended if is_counted else is_whole(run)


def _is_cut(run: Result, job: str) -> bool:
    """Whether a job communicates and some of its ranks did not end."""
    return run.jobs[job].comm_time_ns is not None and not is_timed(run, job)


@lru_cache(maxsize=4)
def communication(study: Study) -> pl.DataFrame:
    """Communication time per job, variant and setting.

    Returns
    -------
    polars.DataFrame
        ``job``, ``variant``, ``setting``, ``runs``, ``ranks``, ``comm_time_ns_mean``,
        ``comm_time_ns_std`` (over the ranks of all runs). Empty for open-loop traffic. Runs in
        which ranks of the job did not end are left out: their times are those of a part.
    """
    rows = []
    for job in study.jobs:
        for variant in study.variants:
            for setting, runs in _settings(variant, job):
                talking = [run for run in runs if is_timed(run, job)]
                frame = _pooled(talking, "ranks", job)
                if frame.is_empty():
                    continue
                times = frame["comm_time_ns"].cast(pl.Float64).drop_nans().drop_nulls()
                if times.is_empty():
                    continue
                over_ranks = analysis.spread(times)
                rows.append(
                    {
                        "job": job,
                        "variant": variant.label,
                        "setting": setting,
                        "runs": len(talking),
                        "ranks": over_ranks.count // len(talking),
                        "comm_time_ns_mean": over_ranks.mean,
                        "comm_time_ns_std": over_ranks.std,
                    }
                )
    return pl.DataFrame(rows)


@lru_cache(maxsize=4)
def latency(study: Study) -> pl.DataFrame:
    """Packet latency per job, variant and setting.

    Returns
    -------
    polars.DataFrame
        ``job``, ``variant``, ``setting``, ``packets``, ``latency_ns_p5`` to ``latency_ns_p99``;
        of runs that came to their end, or in which the job did.
    """
    rows = []
    for job in study.jobs:
        for variant in study.variants:
            for setting, runs in _settings(variant, job):
                told = [run for run in runs if _is_told(run, job)]
                histogram = _pooled(told, "latency", job)
                if histogram.is_empty() or not histogram["packets"].sum():
                    continue
                found = analysis.percentiles(histogram, list(_FRACTIONS.values()))
                rows.append(
                    {
                        "job": job,
                        "variant": variant.label,
                        "setting": setting,
                        "packets": int(histogram["packets"].sum()),
                        **{f"latency_ns_{n}": v for n, v in zip(_FRACTIONS, found, strict=True)},
                    }
                )
    return pl.DataFrame(rows)


@lru_cache(maxsize=4)
def tails(study: Study) -> pl.DataFrame:
    """Fraction of packets above each latency.

    Returns
    -------
    polars.DataFrame
        ``variant``, ``job``, ``setting``, ``latency_ns``, ``fraction_above``.
    """
    parts = []
    for variant in study.variants:
        for job in study.jobs:
            for setting, runs in _settings(variant, job):
                told = [run for run in runs if _is_told(run, job)]
                histogram = _pooled(told, "latency", job)
                if histogram.is_empty() or not histogram["packets"].sum():
                    continue
                about = {"variant": variant.label, "job": job, "setting": setting}
                words = [pl.lit(value).alias(name) for name, value in about.items()]
                parts.append(analysis.exceedance(histogram).select(*words, "*"))
    return pl.concat(parts) if parts else pl.DataFrame()


def rates(study: Study) -> pl.DataFrame:
    """Throughput over time of each variant's first run.

    Returns
    -------
    polars.DataFrame
        ``variant``, ``time_ns``, ``job``, ``throughput_gb_per_s``.
    """
    parts = []
    for variant in study.variants:
        series = table(variant.first, "series")
        if "bin_ns" in series.columns:
            series = _whole_bins(series, variant.first.summary.get("simulated_ns"))
        elif series.is_empty() or series["time_ns"].n_unique() < 2:
            continue
        if series.is_empty():
            continue
        curve = analysis.coarsen(analysis.throughput(series))
        parts.append(curve.select(pl.lit(variant.label).alias("variant"), "*"))
    return pl.concat(parts) if parts else pl.DataFrame()


def _whole_bins(series: pl.DataFrame, end_ns: float | None) -> pl.DataFrame:
    """Leave out the bin in which the run ends: its rate would be too low."""
    kept = series.filter(pl.col("time_ns") + pl.col("bin_ns") <= (end_ns or 0))
    return series if kept.is_empty() else kept


def learning(study: Study) -> pl.DataFrame:
    """Learning over time of each variant's first run; empty if no routing learns.

    Returns
    -------
    polars.DataFrame
        ``variant``, then the columns of :func:`odonata.analysis.learning`.
    """
    parts = []
    for variant in study.variants:
        series = table(variant.first, "series")
        if analysis.has_learnt(series):
            curve = analysis.learning(_whole_bins(series, variant.first.summary["simulated_ns"]))
            parts.append(curve.select(pl.lit(variant.label).alias("variant"), "*"))
    return pl.concat(parts) if parts else pl.DataFrame()


def classes(study: Study) -> pl.DataFrame:
    """Use of links by traffic classes in each variant's first run; empty without classes.

    Returns
    -------
    polars.DataFrame
        ``variant``, then the columns of :func:`odonata.analysis.class_shares`.
    """
    parts = []
    for variant in study.variants:
        by_class = table(variant.first, "link_classes")
        if not by_class.is_empty():
            shares = analysis.class_shares(table(variant.first, "links"), by_class)
            parts.append(shares.select(pl.lit(variant.label).alias("variant"), "*"))
    return pl.concat(parts) if parts else pl.DataFrame()


def blame(study: Study) -> pl.DataFrame:
    """Who delayed whom in each variant's first run, of packets for which ranks wait.

    Empty where it was not recorded.

    Returns
    -------
    polars.DataFrame
        ``variant``, then the columns of :func:`odonata.analysis.delays`.
    """
    parts = []
    for variant in study.variants:
        blamed = charged_waits.requests(variant.first)
        if not blamed.is_empty():
            delays = analysis.delays(blamed)
            parts.append(delays.select(pl.lit(variant.label).alias("variant"), "*"))
    return pl.concat(parts) if parts else pl.DataFrame()


def congestion(study: Study) -> pl.DataFrame:
    """Congestion between groups, averaged over the runs of each variant that came to their end.

    Returns
    -------
    polars.DataFrame
        ``variant``, ``source_group``, ``target_group``, ``congestion_index``, ``links``.
    """
    parts = []
    for variant in study.variants:
        whole = [run for run in variant.runs if is_whole(run)] or [variant.first]
        frames = [frame for run in whole if not (frame := table(run, "links")).is_empty()]
        if not frames:
            continue
        matrix = analysis.group_matrix(pl.concat(frames))
        parts.append(matrix.select(pl.lit(variant.label).alias("variant"), "*"))
    return pl.concat(parts) if parts else pl.DataFrame()


def stalled(study: Study, *, count: int) -> pl.DataFrame:
    """Links of each variant's first run on which packets waited longest.

    Returns
    -------
    polars.DataFrame
        ``variant``, then the columns of the `links` table and ``main_job``.
    """
    parts = []
    for variant in study.variants:
        links = table(variant.first, "links")
        if links.is_empty():
            continue
        top = analysis.stalled_links(links, table(variant.first, "link_jobs"), count=count)
        if not top.is_empty():
            parts.append(top.select(pl.lit(variant.label).alias("variant"), "*"))
    return pl.concat(parts, how="diagonal") if parts else pl.DataFrame()


@lru_cache(maxsize=4)
def loads(study: Study) -> pl.DataFrame:
    """Offered and accepted load and latency of every variant with open-loop traffic.

    Returns
    -------
    polars.DataFrame
        ``label``, ``variant`` (without the load), ``pattern``, ``curve`` (without that, too),
        ``runs``, ``unfinished``, ``offered_load``, ``accepted_load``, ``latency_ns_mean``,
        ``latency_ns_p50``, ``latency_ns_p95``, ``latency_ns_p99``, ``nonminimal_fraction``: means
        over the runs of a variant that came to their end, each with ``_low`` and ``_high`` (95 %,
        from three runs on; not of ``nonminimal_fraction``); ``saturated``: whether one of them is;
        ``zero_load_ns``: what :mod:`odonata.scenario.theory` says; ``limit``,
        ``limit_of``: ``load_limit`` of the only job, as in the summary.
    """
    rows = []
    for variant in study.variants:
        networks = [run.summary.get("network") or {} for run in variant.runs if is_whole(run)]
        offered = (variant.first.summary.get("network") or {}).get("offered_load")
        if offered is None:
            continue
        keys = {k: v for k, v in variant.keys.items() if not k.endswith(".load")}
        curve = {k: v for k, v in keys.items() if not k.endswith(".pattern")}
        jobs = variant.first.summary.get("jobs", [])
        only = jobs[0] if len(jobs) == 1 else {}
        row = {
            "label": variant.label,
            "variant": _label(keys) or _of_run(variant.first).label,
            "pattern": _patterns(variant.first),
            "curve": _label(curve) or _of_run(variant.first).label,
            "zero_load_ns": zero_load_ns(variant.first.scenario),
            "limit": only.get("load_limit"),
            "limit_of": only.get("load_limit_of"),
            "runs": len(networks),
            "unfinished": len(variant.runs) - len(networks),
            "offered_load": offered,
            "saturated": any(network.get("saturated") is True for network in networks),
        }
        row |= _with_interval("accepted_load", [one.get("accepted_load") for one in networks])
        row["nonminimal_fraction"] = _average([one.get("nonminimal_fraction") for one in networks])
        for name in ("mean", "p50", "p95", "p99"):
            found = [(network.get("packet_latency_ns") or {}).get(name) for network in networks]
            row |= _with_interval(f"latency_ns_{name}", found)
        rows.append(row)
    return pl.DataFrame(rows, infer_schema_length=None)


def _patterns(run: Result) -> str:
    """Patterns of the open-loop jobs of a run, each once."""
    found = [str(job["workload"].get("pattern", "uniform")) for job in run.scenario.get("jobs", ())
             if job.get("workload", {}).get("kind") == "open-loop"]  # fmt: skip
    return ", ".join(dict.fromkeys(found))


def saturation(study: Study) -> list[dict[str, Any]]:
    """Where the curves of a sweep over a load saturate; empty where there are none.

    Returns
    -------
    list of dict
        Rows of :meth:`odonata.results.Sweep.saturation`, each with ``pattern``, ``curve``,
        ``limit`` and ``limit_of`` of :func:`loads`.
    """
    if study.sweep is None or not has_load_curve(study):
        return []
    found = study.sweep.saturation()
    curves = {row["variant"]: row for row in loads(study).iter_rows(named=True)}
    only = next(iter(curves))
    rows = []
    for row in found.iter_rows(named=True):
        keys = {key: row[key] for key in found.columns[: found.columns.index("replicas")]}
        about = curves[_label(keys) or only]
        rows.append(row | {key: about[key] for key in ("pattern", "curve", "limit", "limit_of")})
    return rows


def has_load_curve(study: Study) -> bool:
    """Whether there are runs at different offered loads that delivered packets."""
    frame = loads(study)
    if frame.is_empty():
        return False
    return frame.drop_nulls("latency_ns_mean")["offered_load"].n_unique() > 1


def of_first(study: Study) -> str:
    """A sentence for what is drawn of one run of several; empty where there is one only."""
    several = any(len(variant.runs) > 1 for variant in study.variants)
    return " Of each variant the first run is shown." if several else ""


def _average(values: list[float | None]) -> float | None:
    known = [float(value) for value in values if value is not None]
    return sum(known) / len(known) if known else None


def _with_interval(name: str, values: list[float | None]) -> dict[str, float | None]:
    """Mean over runs, and its interval where they suffice."""
    known = np.array([value for value in values if value is not None], dtype=float)
    found = replicas.positive_mean(known)
    return {
        name: float(known.mean()) if len(known) else None,
        f"{name}_low": None if found is None else found.low,
        f"{name}_high": None if found is None else found.high,
    }


@lru_cache(maxsize=4)
def overview(study: Study) -> pl.DataFrame:
    """One row per variant and job: what the summary table of the report shows.

    Returns
    -------
    polars.DataFrame
        ``variant``, ``job``, ``role``, ``ranks``, ``runs``, ``unfinished`` (runs whose time is not
        in the mean, because ranks of the job did not end), communication times alone and beside,
        ``slowdown`` with ``slowdown_low`` and ``slowdown_high``, and in ``spread`` what they are:
        an interval, the range of too few seeds for one, or, with one run, the quartiles over
        ranks; ``overlap`` (the lowest share of the span of a victim in which another job
        communicated), latency percentiles, ``nonminimal_fraction``.
    """
    times, delays = communication(study), latency(study)
    rows = []
    for variant in study.variants:
        for job in study.jobs:
            runs = [run for run in variant.runs if job in run.jobs]
            if not runs:
                continue
            entries = [run.jobs[job].summary for run in runs if _is_told(run, job)]
            overlaps = [run.jobs[job].overlap for run in runs if is_timed(run, job)]
            row: dict[str, Any] = {
                "variant": variant.label,
                "job": job,
                "role": runs[0].jobs[job].summary.get("role"),
                "ranks": runs[0].jobs[job].summary.get("ranks"),
                "runs": len(runs),
                "unfinished": sum(_is_cut(run, job) for run in runs),
                "overlap": min((o for o in overlaps if o is not None), default=None),
            }
            for setting in ("alone", "beside"):
                found = _select(times, variant.label, job, setting)
                row[f"{setting}_ns_mean"] = found.get("comm_time_ns_mean")
                row[f"{setting}_ns_std"] = found.get("comm_time_ns_std")
            row |= _slowdown(variant, job)
            row |= _delays(entries, _select(delays, variant.label, job, "beside"))
            row["nonminimal_fraction"] = _average([e.get("nonminimal_fraction") for e in entries])
            rows.append(row)
    return pl.DataFrame(rows, infer_schema_length=None)


def _select(frame: pl.DataFrame, variant: str, job: str, setting: str) -> dict[str, Any]:
    if frame.is_empty():
        return {}
    found = frame.filter(
        (pl.col("variant") == variant) & (pl.col("job") == job) & (pl.col("setting") == setting)
    )
    return {} if found.is_empty() else found.row(0, named=True)


def _delays(entries: list[dict[str, Any]], pooled: dict[str, Any]) -> dict[str, Any]:
    """Take the percentiles of the summary of one run, of the pooled histogram for several."""
    names = ("p50", "p95", "p99")
    if len(entries) == 1:
        told = entries[0].get("packet_latency_ns") or {}
        return {f"latency_ns_{name}": told.get(name) for name in names}
    return {f"latency_ns_{name}": pooled.get(f"latency_ns_{name}") for name in names}


def _slowdown(variant: Variant, job: str) -> dict[str, Any]:
    compared = [run for run in variant.runs if job in run.jobs and run.jobs[job].slowdown]
    ratios = [ratio for run in compared if (ratio := run.jobs[job].slowdown)]
    if not ratios:
        return {"slowdown": None, "slowdown_low": None, "slowdown_high": None, "spread": None}
    if len(ratios) >= pairs.FEWEST_PAIRS:
        typical = pairs.slowdown_interval(ratios, np.ones(len(ratios))).ratio
        return {"slowdown": typical.estimate, "slowdown_low": typical.low,
                "slowdown_high": typical.high, "spread": INTERVAL}  # fmt: skip
    mean, low, high = float(np.exp(np.log(ratios).mean())), min(ratios), max(ratios)
    run = compared[0]
    if len(ratios) == 1 and job in run.baselines:
        pair = _rows(run, "ranks", job), _rows(run.baselines[job], "ranks", job)
        if not pair[0].is_empty() and not pair[1].is_empty():
            by_rank = analysis.slowdown(*pair)
            low, high = by_rank.rank_q1, by_rank.rank_q3
    spread = RANGE if len(ratios) > 1 else QUARTILES
    return {"slowdown": mean, "slowdown_low": low, "slowdown_high": high, "spread": spread}
