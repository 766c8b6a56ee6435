"""Which variant is best and which is worst, how sure that is, and in what they differ."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal

import polars as pl

from odonata.analysis import replicas
from odonata.output.canvas import listed
from odonata.output.explain import units
from odonata.output.report import gather
from odonata.results.replica_summary import wide_words

if TYPE_CHECKING:
    from odonata.output.report.gather import Study, Variant
    from odonata.results import Result

_KEYS = ["variant", replicas.SEED]

_NAMES = {
    "slowdown": "slowdown",
    "comm_time_ns_mean": "communication time",
    "packet_latency_ns_p99": "99th percentile of the packet latency",
}
"""What variants are ranked by, the first that a job has; less is better."""


@dataclass(frozen=True, kw_only=True)
class Ranking:
    """Variants by what they do to one job, the best first.

    Attributes
    ----------
    job : str
        The job.
    quantity : str
        What they are ranked by.
    unit : {"ratio", "ns"}
        Of its values.
    rows : polars.DataFrame
        ``variant``, ``value``, ``low``, ``high`` (95 %; null where replicas are too few),
        ``replicas``, ``each`` (the values of the replicas).
    verdict : str or None
        Of the best against the worst, replica by replica: `lower`, `no difference seen`, or
        ``None`` without enough replicas.
    """

    job: str
    quantity: str
    unit: Literal["ratio", "ns"]
    rows: pl.DataFrame
    verdict: str | None

    def written(self, row: dict[str, Any]) -> str:
        """A value with its interval."""
        text = self.shown(row["value"])
        if row["low"] is None:
            return text
        return f"{text} ({self.shown(row['low'])} to {self.shown(row['high'])})"

    def shown(self, value: float) -> str:
        """A value in its unit."""
        return units.times(value) if self.unit == "ratio" else units.time(value)


@lru_cache(maxsize=4)
def rankings(study: Study) -> tuple[Ranking, ...]:
    """Rank the variants of a study for every job that can be ranked.

    Returns
    -------
    tuple of Ranking
        Victims first, in the order of the scenario; open-loop traffic only where nothing else is
        timed. Empty for a single variant, and for load curves: there, a lower load is no better
        network.
    """
    if len(study.variants) < 2 or gather.has_load_curve(study):
        return ()
    index = _index(study)
    found = replicas.intervals(index, _KEYS)
    made = [ranked for job in study.jobs if (ranked := _ranking(job, index, found))]
    timed = [one for one in made if one.quantity != "packet_latency_ns_p99"]
    slowed = [one for one in timed if one.quantity == "slowdown"]
    return tuple(slowed or timed or made)


def _index(study: Study) -> pl.DataFrame:
    """A row per run, as the index of a sweep has them."""
    rows = []
    for variant in study.variants:
        for run in variant.runs:
            row: dict[str, Any] = {"variant": variant.label, "seed": run.summary["seed"]}
            row["stop"] = run.stop
            for job in study.jobs:
                row |= _figures(run, job)
            rows.append(row)
    return pl.DataFrame(rows, infer_schema_length=None)


def _figures(run: Result, name: str) -> dict[str, float | None]:
    job = run.jobs.get(name)
    if job is None:
        return {f"{name}.{quantity}": None for quantity in _NAMES}
    is_open = job.comm_time_ns is None
    # Beyond saturation a percentile says how long was measured.
    is_steady = is_open and not job.summary.get("saturated")
    latency = job.summary.get("packet_latency_ns") or {}
    return {
        f"{name}.slowdown": job.slowdown,
        f"{name}.comm_time_ns_mean": job.comm_time_ns if gather.is_timed(run, name) else None,
        f"{name}.packet_latency_ns_p99": latency.get("p99") if is_steady else None,
    }


def _ranking(job: str, index: pl.DataFrame, found: pl.DataFrame) -> Ranking | None:
    for quantity, name in _NAMES.items():
        rows = found.filter(
            (pl.col("job") == job)
            & (pl.col("quantity") == quantity)
            & pl.col("value").is_not_null()
        )
        if len(rows) < 2:
            continue
        rows = rows.select(
            "variant", "value", low="value_low", high="value_high", replicas="replicas"
        ).sort("value", "variant")
        each = replicas.of_each(index, _KEYS, job, quantity)
        rows = rows.with_columns(
            pl.Series("each", [each[name] for name in rows["variant"]], dtype=pl.List(pl.Float64))
        )
        ends = [rows["variant"][0], rows["variant"][-1]]
        both = index.filter(pl.col("variant").is_in(ends))
        told = replicas.differences(both, _KEYS).filter(
            (pl.col("job") == job) & (pl.col("quantity") == quantity)
        )
        verdict = _verdict(told, ends[0])
        return Ranking(job=job, quantity=name, rows=rows, verdict=verdict,
                       unit="ratio" if quantity == "slowdown" else "ns")  # fmt: skip
    return None


def _verdict(told: pl.DataFrame, best: str) -> str | None:
    """Of the best against the worst, whichever of them the table names first."""
    if told.is_empty() or told["verdict"][0] is None:
        return None
    verdict, first = str(told["verdict"][0]), str(told["variant"][0])
    turned = {"lower": "higher", "higher": "lower"}
    return verdict if first == best else turned.get(verdict, verdict)


def sentences(study: Study) -> list[str]:
    """The rankings in words.

    Returns
    -------
    list of str
        One per job: best, worst, whether their difference is more than chance, what they differ in.
    """
    if gather.has_load_curve(study):
        return [_of_loads(gather.loads(study))]
    return [_sentence(study, ranking) for ranking in rankings(study)]


def _of_loads(loads: pl.DataFrame) -> str:
    """Up to which load every variant is not saturated, the best first."""
    ends = []
    for variant in loads["variant"].unique(maintain_order=True):
        rows = loads.filter(pl.col("variant") == variant).sort("offered_load")
        marks = rows["saturated"].to_list()
        steady = rows.head(marks.index(True) if True in marks else len(rows))
        last = max((float(load) for load in steady["offered_load"]), default=None)
        ends.append((variant, last, len(steady) < len(rows)))
    told = [
        f"{variant} at every load"
        if last is None
        else f"{variant} above {last:g}"
        if is_cut
        else f"{variant} at none up to {last:g}"
        for variant, last, is_cut in sorted(ends, key=lambda end: -(end[1] or 0.0))
    ]
    return f"Load at which the network saturates: {listed(told)}."


def _sentence(study: Study, ranking: Ranking) -> str:
    best, worst = ranking.rows.row(0, named=True), ranking.rows.row(-1, named=True)
    text = (
        f"{ranking.job}: of {len(ranking.rows)} variants, {best['variant']} has the lowest "
        f"{ranking.quantity}, {ranking.written(best)}; {worst['variant']} the highest, "
        f"{ranking.written(worst)}."
    )
    text += _apart(ranking, [best, worst])
    differ = _differences(_variant(study, best["variant"]), _variant(study, worst["variant"]))
    if differ:
        text += f" They differ in {listed(differ)}."
    if ranking.verdict == "no difference seen":
        text += " Paired by seed, no difference is seen between them."
    elif ranking.verdict == "lower":
        text += " Paired by seed, the difference is significant (95 %)."
    elif best["replicas"] > 1:
        text += " There are too few replicas for an interval of the difference (`replicas = 20`)."
    else:
        text += " Each is one run, so that there is no interval (`replicas = 20` gives one)."
    return text


def _apart(ranking: Ranking, rows: list[dict[str, Any]]) -> str:
    """Of variants whose replicas are far apart, what these do: an estimate alone hides it."""
    told = ((row["variant"], wide_words(row["each"], ranking.shown)) for row in rows)
    return "".join(f" Under {variant}, {text}." for variant, text in told if text)


def _variant(study: Study, label: str) -> Variant:
    return next(variant for variant in study.variants if variant.label == label)


def _differences(best: Variant, worst: Variant) -> list[str]:
    """Swept keys in which two variants differ."""
    return [
        f"{key} ({best.keys[key]} against {worst.keys[key]})"
        for key in best.keys
        if best.keys[key] != worst.keys.get(key)
    ]


def shown(study: Study, frame: pl.DataFrame, most: int) -> tuple[list[str], str]:
    """Variants of a frame that a picture has room for: all, or the best and the worst.

    Parameters
    ----------
    frame : polars.DataFrame
        With ``variant``.
    most : int
        As many as there is room for.

    Returns
    -------
    tuple of list of str and str
        Names, in the order of the frame; a sentence that says what is left out, or nothing.
    """
    variants = frame["variant"].unique(maintain_order=True).to_list()
    if len(variants) <= most:
        return variants, ""
    order = variants
    by = "the order of the sweep"
    for ranking in rankings(study)[:1]:
        known = [name for name in ranking.rows["variant"] if name in variants]
        order = [*known, *(name for name in variants if name not in known)]
        by = f"the {ranking.quantity} of {ranking.job}"
    chosen = {*order[: most // 2], *order[-(most - most // 2) :]}
    note = (
        f"The picture shows the first {most // 2} and the last {most - most // 2} of "
        f"{len(variants)} variants by {by}; the CSV file has all."
    )
    return [name for name in variants if name in chosen], note
